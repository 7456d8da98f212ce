#include "api/jacobian.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/differences.hpp"

namespace aleator::core {
namespace {

constexpr int most_rounds = 4;
constexpr double good_enough = 1e-7;  // relative to the largest derivative over time
constexpr double most_numbers = 3e7;  // of responses at a time

// One derivative under way: of a sample with respect to an input.
struct Unknown {
  std::size_t sample = 0, input = 0;  // input: which of those asked for
  DifferenceSteps steps;
  bool done = false, found = false;
  bool failed_above = false, failed_below = false;
  std::string reason;
};

double power_of_two_below(double x) { return std::exp2(std::floor(std::log2(x))); }

// A tenth of the spread, as long as x stays in the range; then less, and at the very end to one side.
DifferenceSteps first_steps(double x, const InputRange& range) {
  double step = std::isfinite(range.spread) && range.spread > 0 ? range.spread / 10 : 0;
  step = std::max(step, 1e-4 * std::abs(x));
  if (step == 0) step = 1e-4;
  DifferenceSteps s{x, power_of_two_below(step), true};
  if (!(x >= range.lower && x <= range.upper)) return s;
  const double below = x - range.lower, above = range.upper - x, room = std::min(below, above);
  if (room >= s.step) return s;
  if (room >= s.step / 16) return {x, power_of_two_below(room), true};
  const double larger = std::max(below, above);
  if (larger > 0) s.step = std::min(s.step, power_of_two_below(larger));
  s.central = false;
  if (below > above) s.step = -s.step;
  return s;
}

class Differentiation {
 public:
  Differentiation(const aleator::Ensemble& forward, std::span<const double> x, const std::vector<std::size_t>& columns,
                  const std::stop_token& stop)
      : forward_(forward), x_(x), columns_(columns), stop_(stop) {}

  // Derivatives of the samples in [first, end).
  void run(std::size_t first, std::size_t end, const std::vector<InputRange>& ranges, aleator::Jacobian& out) {
    const std::size_t inputs = forward_.inputs().size();
    std::vector<Unknown> unknowns;
    for (std::size_t s = first; s < end; ++s) {
      if (std::isnan(out.responses.values[s * each(out)])) continue;
      for (std::size_t i = 0; i < columns_.size(); ++i)
        unknowns.push_back(
            {s, i, first_steps(x_[s * inputs + columns_[i]], ranges[columns_[i]]), false, false, false, false, {}});
    }
    for (int round = 0; round < most_rounds && !stop_.stop_requested(); ++round) {
      if (std::all_of(unknowns.begin(), unknowns.end(), [](const Unknown& u) { return u.done; })) break;
      improve(unknowns, out);
    }
    for (const Unknown& u : unknowns)
      if (!u.found)
        out.failures.push_back({u.sample, out.inputs[u.input],
                                u.reason.empty() ? "stopped before it was computed" : "the model fails nearby: " + u.reason});
  }

 private:
  static std::size_t each(const aleator::Jacobian& out) { return out.responses.time.size() * out.responses.outputs.size(); }

  // Evaluates what is not good enough with the steps it has, and chooses its next steps.
  void improve(std::vector<Unknown>& unknowns, aleator::Jacobian& out) {
    constexpr int points = DifferenceSteps::points;
    const std::size_t inputs = forward_.inputs().size();
    std::vector<double> rows;
    std::vector<Unknown*> asked;
    for (Unknown& u : unknowns) {
      if (u.done) continue;
      asked.push_back(&u);
      for (const double place : u.steps.places()) {
        rows.insert(rows.end(), x_.begin() + long(u.sample * inputs), x_.begin() + long((u.sample + 1) * inputs));
        rows[rows.size() - inputs + columns_[u.input]] = place;
      }
    }
    const aleator::Responses y = forward_.evaluate(rows, stop_);
    if (!y.complete) return;
    std::vector<const aleator::FailedSample*> failed(y.samples, nullptr);
    for (const aleator::FailedSample& f : y.failures) failed[f.sample] = &f;
    for (std::size_t k = 0; k < asked.size(); ++k) {
      Unknown& u = *asked[k];
      bool available[points];
      u.failed_above = u.failed_below = false;
      for (int p = 0; p < points; ++p) {
        const aleator::FailedSample* const f = failed[k * points + std::size_t(p)];
        available[p] = f == nullptr;
        if (!f) continue;
        u.reason = f->reason;
        (u.steps.places()[std::size_t(p)] > u.steps.x ? u.failed_above : u.failed_below) = true;
      }
      const double before = worst_;
      worst_ = 0;
      const bool better = take(u, y, k * points, available, out);
      u.done = u.found && (worst_ <= good_enough || !better);
      worst_ = before;
      if (!u.done) next_steps(u);
    }
  }

  // Smaller ones; to the side that is possible where the other one fails.
  static void next_steps(Unknown& u) {
    if (!u.found && u.steps.central && u.failed_above != u.failed_below) {
      u.steps.central = false;
      if (u.failed_above) u.steps.step = -u.steps.step;
    }
    u.steps.step /= 16;
  }

  // Keeps what is more accurate than what is known. True when that is much.
  bool take(Unknown& u, const aleator::Responses& y, std::size_t first_row, const bool* available, aleator::Jacobian& out) {
    const std::size_t times = out.responses.time.size(), outputs = out.responses.outputs.size(), n = columns_.size();
    bool better = false;
    std::vector<double> at_x(times), around[DifferenceSteps::points];
    for (std::size_t o = 0; o < outputs; ++o) {
      for (std::size_t t = 0; t < times; ++t) at_x[t] = out.responses.at(u.sample, t)[o];
      for (std::size_t p = 0; p < DifferenceSteps::points; ++p) {
        around[p].clear();
        for (std::size_t t = 0; available[p] && t < times; ++t) around[p].push_back(y.at(first_row + p, t)[o]);
      }
      better = keep(u, at_x, around, &out.values[out.index(u.sample, 0, o, u.input)],
                    &out.errors[out.index(u.sample, 0, o, u.input)], outputs * n) ||
               better;
    }
    const std::size_t scalars = out.responses.scalars.size();
    for (std::size_t s = 0; s < scalars; ++s) {
      const std::size_t at = (u.sample * scalars + s) * n + u.input;
      at_x.assign(1, out.responses.scalar_values[u.sample * scalars + s]);
      for (std::size_t p = 0; p < DifferenceSteps::points; ++p) {
        around[p].clear();
        const double value = y.scalar_values[(first_row + p) * scalars + s];
        if (available[p] && std::isfinite(value)) around[p].push_back(value);
      }
      if (std::isfinite(at_x[0])) better = keep(u, at_x, around, &out.scalar_values[at], &out.scalar_errors[at], 1) || better;
    }
    return better;
  }

  bool keep(Unknown& u, std::span<const double> at_x, const std::vector<double>* around, double* value, double* error,
            std::size_t stride) {
    std::array<std::span<const double>, DifferenceSteps::points> f;
    for (std::size_t p = 0; p < f.size(); ++p) f[p] = around[p];
    const DerivativeSeries d = derivative(u.steps, at_x, f);
    double largest = 0, worst = 0, was = 0;
    for (std::size_t t = 0; t < at_x.size(); ++t) {
      was = std::max(was, error[t * stride]);
      if (d.error[t] < error[t * stride]) value[t * stride] = d.value[t], error[t * stride] = d.error[t];
      if (std::isfinite(value[t * stride])) u.found = true;
      largest = std::max(largest, std::abs(value[t * stride]));
      worst = std::max(worst, error[t * stride]);
    }
    // Derivatives that vanish are as good as the response has digits.
    double scale = 0;
    for (const double y : at_x) scale = std::max(scale, std::abs(y));
    if (worst > 0)
      worst_ = std::max(worst_, largest > 0 ? worst / largest : worst * std::abs(u.steps.step) / std::max(scale, 1e-300));
    return worst < was / 4;
  }

  const aleator::Ensemble& forward_;
  std::span<const double> x_;
  const std::vector<std::size_t>& columns_;
  std::stop_token stop_;
  double worst_ = 0;  // relative error of the derivative that is looked at
};

}  // namespace

aleator::Jacobian differentiate(const aleator::Ensemble& forward, std::span<const double> x,
                                const std::vector<std::size_t>& columns, const std::vector<InputRange>& ranges,
                                const std::stop_token& stop) {
  aleator::Jacobian out;
  out.responses = forward.evaluate(x, stop);
  for (const std::size_t c : columns) out.inputs.push_back(forward.inputs()[c]);
  const std::size_t samples = out.responses.samples, each = out.responses.time.size() * out.responses.outputs.size();
  out.values.assign(samples * each * columns.size(), nan);
  out.errors.assign(out.values.size(), infinity);
  out.scalar_values.assign(samples * out.responses.scalars.size() * columns.size(), nan);
  out.scalar_errors.assign(out.scalar_values.size(), infinity);
  for (const aleator::FailedSample& f : out.responses.failures) out.failures.push_back({f.sample, "", f.reason});
  const double per_sample = double(each) * double(columns.size()) * DifferenceSteps::points;
  const std::size_t at_once = std::size_t(std::clamp(most_numbers / per_sample, 1.0, 1e6));
  for (std::size_t first = 0; first < samples; first += at_once)
    Differentiation(forward, x, columns, stop).run(first, std::min(samples, first + at_once), ranges, out);
  for (std::vector<double>* errors : {&out.errors, &out.scalar_errors})
    for (double& e : *errors)
      if (std::isinf(e)) e = nan;
  std::stable_sort(out.failures.begin(), out.failures.end(),
                   [](const aleator::FailedDerivative& a, const aleator::FailedDerivative& b) { return a.sample < b.sample; });
  out.responses.complete = out.responses.complete && !stop.stop_requested();
  return out;
}

}  // namespace aleator::core
