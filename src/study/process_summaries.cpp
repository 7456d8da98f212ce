#include "study/process_summaries.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "numerics/fourier.hpp"
#include "numerics/student.hpp"

namespace aleator::core {

namespace {

constexpr int shown = 5, most_realizations = 64;
constexpr size_t bands = 40, shown_points = 1000;
constexpr double most_points = 1e6;  // of all realizations: a tenth of a second

// Of what is stationary in it, a whole period: no envelope, so that its frequencies do not leak into each other.
processes::Process stationary(processes::Process p) {
  p.envelope.reset();
  if (p.kind == processes::Process::Kind::spectrum) p.duration = p.period();
  return p;
}

std::vector<double> values_of(const processes::Process& p, double draw, std::span<const double> leading) {
  if (p.kind == processes::Process::Kind::recorded)
    return p.records[std::min(p.records.size() - 1, size_t(draw * double(p.records.size())))];
  const PiecewisePolynomial x = realization(p, {}, draw, numbers_of(p, draw, leading));
  std::vector<double> values(p.points);
  for (size_t i = 0; i < values.size(); ++i) values[i] = evaluate(x, double(i) * p.step).f;
  return values;
}

// Equal widths in the logarithm; narrow ones at the lower end have one frequency at least.
std::vector<size_t> band_ends(size_t frequencies) {
  std::vector<size_t> ends = {1};
  for (size_t b = 1; b <= bands; ++b) {
    const auto end = size_t(std::lround(std::pow(double(frequencies), double(b) / double(bands))));
    if (end > ends.back()) ends.push_back(end);
  }
  return ends;
}

class Summary {
 public:
  explicit Summary(const processes::Process& nominal) : p_(stationary(nominal)) {
    out_.name = nominal.name, out_.words = nominal.words;
    width_ = 1 / (double(p_.points) * p_.step);
    const auto most = p_.kind == processes::Process::Kind::spectrum ? p_.deviation.size() : p_.points / 2;
    ends_ = band_ends(std::max<size_t>(2, most));
    sum_.assign(ends_.size() - 1, 0), squares_ = sum_;
    for (size_t b = 0; b + 1 < ends_.size(); ++b) {
      out_.frequency.push_back(width_ * (double(ends_[b] + ends_[b + 1]) - 1) / 2);
      if (p_.kind != processes::Process::Kind::recorded) out_.asked.push_back(asked(ends_[b], ends_[b + 1]));
    }
  }

  // A realization, which may have parameters of its own.
  void add(const processes::Process& p, double draw, std::span<const double> leading) {
    const auto c = real_fourier(values_of(stationary(p), draw, leading));
    const double n = double(p_.points);
    for (size_t b = 0; b + 1 < ends_.size(); ++b) {
      double power = 0;
      for (size_t k = ends_[b]; k < ends_[b + 1] && k < c.size(); ++k) power += 2 * std::norm(c[k]) / (n * n);
      const double density = power / (width_ * double(ends_[b + 1] - ends_[b]));
      sum_[b] += density, squares_[b] += density * density;
    }
    ++count_;
    if (int(out_.realizations.size()) < shown) show(p, draw, leading);
  }

  results::ProcessSummary conclude() {
    const double n = count_, t = n > 1 ? student_quantile(0.975, n - 1) : 0;
    for (size_t b = 0; b < sum_.size(); ++b) {
      const double mean = sum_[b] / n, error = n > 1 ? std::sqrt(std::max(0.0, squares_[b] / n - mean * mean) / (n - 1)) : 0;
      out_.estimated.push_back(mean);
      out_.lower.push_back(std::max(0.0, mean - t * error)), out_.upper.push_back(mean + t * error);
    }
    out_.counted = count_;
    return std::move(out_);
  }

 private:
  double asked(size_t from, size_t to) const {
    if (p_.kind == processes::Process::Kind::white_noise) return 4 * processes::pi * p_.density(0);
    double power = 0;
    for (size_t k = from; k < to; ++k) power += p_.deviation[k] * p_.deviation[k];
    return power / (width_ * double(to - from));
  }
  void show(const processes::Process& p, double draw, std::span<const double> leading) {
    const PiecewisePolynomial x = realization(p, {}, draw, numbers_of(p, draw, leading));
    const size_t points = std::min(shown_points, size_t(std::ceil(p.duration / p.step)));
    std::vector<double>& y = out_.realizations.emplace_back();
    out_.time.clear();
    for (size_t i = 0; i <= points; ++i) {
      out_.time.push_back(p.duration * double(i) / double(points));
      y.push_back(evaluate(x, out_.time.back()).f);
    }
  }

  processes::Process p_;
  results::ProcessSummary out_;
  double width_ = 0;  // of a frequency, Hz
  std::vector<size_t> ends_;
  std::vector<double> sum_, squares_;
  int count_ = 0;
};

}  // namespace

std::vector<results::ProcessSummary> process_summaries(const Model& model, const RandomModel& random, std::uint64_t seed) {
  std::vector<results::ProcessSummary> out;
  for (size_t i = 0; i < model.processes.size(); ++i) {
    const processes::Process& nominal = *model.processes[i];
    Summary summary(nominal);
    const int count = int(std::clamp(most_points / double(nominal.points), 8.0, double(most_realizations)));
    for (int k = 0; k < count; ++k) {
      const std::vector<Override> overrides = random.overrides(random.sample(seed, std::uint64_t(k)));
      const ProcessNumbers numbers = process_numbers(model, i, overrides);
      if (numbers.draw > 0) summary.add(*numbers.process, numbers.draw, numbers.leading);
    }
    out.push_back(summary.conclude());
  }
  return out;
}

}  // namespace aleator::core
