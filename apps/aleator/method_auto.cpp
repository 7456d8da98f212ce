// auto: a few realizations of a Sobol sequence tell whether an expansion in polynomials or sampling is the better way, output by
// output. Either way the realizations serve: an expansion is fitted to them, or they are the sample.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/accuracy.hpp"
#include "analysis/chaos_statistics.hpp"
#include "chaos.hpp"

namespace aleator::app {
namespace {

constexpr int folds = 4;
constexpr double default_goal = 0.01;  // error of the standard deviation at which an expansion is good enough
constexpr double none = std::numeric_limits<double>::quiet_NaN();

class Automatic final : public Method {
 public:
  explicit Automatic(const Task& task) : task_(task) {
    task_.study.chaos.coefficients = "sparse";
    task_.study.chaos.basis.clear();
    task_.study.chaos.order = 0;
    plan_ = make_plan(task_.study, task_.random);
    try {
      germ_.emplace(task_.random);
    } catch (const std::invalid_argument& e) {
      why_not_ = e.what();
    }
    if (task_.study.shares) why_not_ = "shares were asked for by sampling";
    if (!why_not_.empty()) sampling_ = make_sampling(task_);
  }

  const Plan& plan() const override { return plan_; }
  bool needs_responses() const override { return !sampling_; }
  bool extends() const override { return !task_.study.shares; }
  long first_rows() const override { return sampling_ ? sampling_->first_rows() : std::min(first_look, plan_.rows()); }

  long enough(long done, const analysis::Accumulator& so_far, results::StudyResult& result) override {
    if (sampling_) return sampling_->enough(done, so_far, result);
    if (done >= plan_.rows()) return done;
    const std::vector<double> errors = cross_validated(training_of(task_, *germ_, plan_, so_far, result), so_far.questions());
    if (done <= first_look) pilot_ = errors, pilot_size_ = done;
    double worst = 0;
    for (const double e : errors)
      if (!std::isnan(e)) worst = std::max(worst, e / 2);
    if (worst <= goal()) return done;
    const bool smooth =
        std::all_of(errors.begin(), errors.end(), [&](double e) { return !(e / 2 > sampling_error(plan_.samples)); });
    const bool band = task_.study.accuracy_of_band;
    if (task_.study.accuracy > 0 && !smooth && reached(task_.study, band ? so_far.finish() : so_far.moments()).enough)
      return done;
    // Sampling without an accuracy to reach takes all there are.
    return smooth || task_.study.accuracy > 0 ? std::min(2 * done, plan_.rows()) : plan_.rows();
  }

  void conclude(const analysis::Questions& questions, const analysis::Accumulator& rows,
                results::StudyResult& result) const override {
    if (sampling_) {
      result.evidence.push_back("auto: sampling (Sobol sequence), because " + why_not_);
      return;
    }
    const Training training = training_of(task_, *germ_, plan_, rows, result);
    const std::vector<double> errors = cross_validated(training, questions);
    const double sampling = sampling_error(training.size());
    std::vector<char> by_expansion;
    for (const double e : errors) by_expansion.push_back(e / 2 <= sampling);
    if (std::count(by_expansion.begin(), by_expansion.end(), 1) > 0) {
      const analysis::Expansion e = app::fit(task_.study.chaos, *germ_, training, int(questions.channels.size()));
      take(e, by_expansion, questions, result);
    }
    tell(errors, by_expansion, training.size(), questions, result);
  }

 private:
  double goal() const { return task_.study.accuracy > 0 ? task_.study.accuracy : default_goal; }

  // Relative, of the standard deviation of n independent normal values. Sequences do better for the mean, hardly for this.
  static double sampling_error(long n) { return 1 / std::sqrt(2 * double(n)); }

  // Each realization is predicted by an expansion that has not seen it: ∫ mean square error dt / ∫ variance dt per channel. A
  // share e of the variance that an expansion misses makes its standard deviation wrong by e/2.
  std::vector<double> cross_validated(const Training& all, const analysis::Questions& q) const {
    const int nc = int(q.channels.size());
    std::vector<double> errors(q.channels.size(), 0);
    if (all.size() < 4 * folds) return std::vector<double>(q.channels.size(), 1);
    for (int f = 0; f < folds; ++f) {
      const auto [fitted, judged] = split(all, folds, f, germ_->size());
      const analysis::Expansion e = app::fit(task_.study.chaos, *germ_, fitted, nc);
      const std::vector<double> own = held_out_error(e, judged.points, judged.responses, q.times, nc).integrated;
      for (int c = 0; c < nc; ++c) errors[size_t(c)] += own[size_t(c)] / folds;
    }
    return errors;
  }

  // Outputs that are expanded have the statistics of the expansion, the others those of the sample.
  void take(const analysis::Expansion& e, const std::vector<char>& by_expansion, const analysis::Questions& questions,
            results::StudyResult& result) const {
    results::StudyStatistics expanded = statistics_of(e, task_, *germ_, questions);
    const bool all = std::count(by_expansion.begin(), by_expansion.end(), 0) == 0;
    result.chaos = as_result(e, task_, *germ_, questions);
    result.statistics.shares = std::move(expanded.shares);
    for (size_t c = 0; c < by_expansion.size(); ++c)
      if (by_expansion[c])
        result.statistics.channels[c] = std::move(expanded.channels[c]);
      else
        for (results::Shares::OfGroup& g : result.statistics.shares.of[c]) {
          g.first.assign(questions.times.size(), none);
          g.total = g.first;
          g.integrated_first = g.integrated_total = {none, none};
        }
    if (!all) return;
    result.statistics.limits = std::move(expanded.limits);
    for (size_t i = 0; i < expanded.scalars.size(); ++i) {
      expanded.scalars[i].values = std::move(result.statistics.scalars[i].values);
      result.statistics.scalars[i] = std::move(expanded.scalars[i]);
    }
  }

  void tell(const std::vector<double>& errors, const std::vector<char>& by_expansion, long n, const analysis::Questions& q,
            results::StudyResult& result) const {
    const long expanded = std::count(by_expansion.begin(), by_expansion.end(), 1);
    const std::string choice = expanded == long(errors.size()) ? "polynomial chaos for all outputs"
                               : expanded == 0                 ? "sampling (Sobol sequence) for all outputs"
                                               : "polynomial chaos for the smooth outputs, sampling for the others";
    result.evidence.push_back(fmt::format("auto: {} after {} realizations", choice, n));
    result.evidence.push_back(
        fmt::format("  error of the standard deviation: by sampling {:.1f} %; by an expansion, from "
                    "realizations it has not seen:",
                    100 * sampling_error(n)));
    for (size_t c = 0; c < errors.size(); ++c) {
      if (std::isnan(errors[c])) {
        result.evidence.push_back(fmt::format("  {}: nothing scatters", q.channels[c]));
        continue;
      }
      const std::string first = n > pilot_size_ && pilot_.size() == errors.size()
                                    ? fmt::format(" (after {}: {:.2g} %)", pilot_size_, 50 * pilot_[c])
                                    : "";
      result.evidence.push_back(fmt::format("  {}: {:.2g} %{} → {}", q.channels[c], 50 * errors[c], first,
                                            by_expansion[c] ? "smooth, expanded" : "rough, sampled"));
    }
  }

  Task task_;
  Plan plan_;
  std::optional<Germ> germ_;
  std::string why_not_;
  std::unique_ptr<Method> sampling_;  // where no expansion is possible
  std::vector<double> pilot_;         // errors after the first look
  long pilot_size_ = 0;
};

}  // namespace

std::unique_ptr<Method> make_automatic(const Task& task) { return std::make_unique<Automatic>(task); }

}  // namespace aleator::app
