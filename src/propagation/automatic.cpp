// auto: which method is the best for this study is found out by trying. A few realizations of a randomised Sobol sequence tell
// what sampling will reach; three small quadratures tell, by the differences between them, what an expansion in polynomials reaches.
// The better way is gone on, output by output where they differ. With too many variables for quadratures, an expansion is fitted
// to the realizations instead and judged by realizations it has not seen.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "analysis/chaos_statistics.hpp"
#include "base/constants.hpp"
#include "base/text_table.hpp"
#include "propagation/expansion.hpp"
#include "propagation/quadrature_ladder.hpp"

namespace aleator::core {
namespace {

constexpr double default_goal = 0.01;
constexpr long most_fitted = 4096;  // realizations of an expansion, or that judge one: no fit of up to 1000 terms gains from more

class Automatic final : public Method {
 public:
  explicit Automatic(const Task& task) : task_(task), goals_(accuracy_goals(task.study, task.model)) {
    task_.study.chaos.coefficients = "sparse";
    task_.study.chaos.basis.clear();
    task_.study.chaos.order = 0;
    plan_ = sampling_plan(task_.study, task_.random);
    if (!task_.study.sensitivity) plan_.aside = std::make_shared<Aside>();
    try {
      germ_ = std::make_unique<const Germ>(task_.random);
      ladder_ = std::make_unique<QuadratureLadder>(*germ_);
    } catch (const std::invalid_argument& e) {
      why_not_ = e.what();
      why_not_.resize(std::min(why_not_.size(), why_not_.find(". ")));  // what could be done instead is done
    }
    if (task_.study.sensitivity) why_not_ = "Sobol indices by sampling were asked for";
    if (plan_.samples < 2 * first_look)
      why_not_ = fmt::format("fewer than {} realizations leave nothing to choose", 2 * first_look);
  }

  const Plan& plan() const override { return plan_; }
  bool needs_responses() const override { return true; }
  bool extends() const override { return false; }
  long first_rows() override {
    return why_not_.empty() || accurate() ? std::min(first_look, plan_.samples) * plan_.per_realization() : plan_.rows();
  }

  void take_aside(long, bool ok, const std::string& why, const std::vector<double>& values, const std::vector<double>&) override {
    if (!ok && no_quadrature_.empty()) no_quadrature_ = why;
    ladder_->take(ok, values);
  }

  long enough(long done, const analysis::Accumulator& so_far, results::StudyResult& result) override {
    if (why_not_.empty() && !ladder_->empty() && !sampling_ && !fitted_) {
      if (ladder_->failed())
        fitted_ = true;  // a quadrature needs all its points; a fit does not
      else
        ladder_->expand();
    }
    if (done >= most()) return done;
    if (!why_not_.empty() || sampling_) return sampled_enough(done, so_far);
    if (ladder_->empty() && !fitted_) {
      pilot_ = sampling_errors(so_far.moments());
      if (begin_quadratures(done)) return plan_.aside->end();
      fitted_ = true;
    }
    return fitted_ ? fitted_enough(done, so_far, result) : integrated_enough(done, so_far);
  }

  void limit(long rows) override { limit_ = rows; }

  void conclude(const analysis::StatisticsRequest& questions, const analysis::Accumulator& rows,
                results::StudyResult& result) const override {
    if (!why_not_.empty()) {
      result.evidence.push_back("auto: sampling (Sobol sequence), because " + why_not_);
      return;
    }
    const Errors sampling = sampling_errors(result.statistics);
    if (!fitted_) return conclude_integrated(sampling, questions, rows, result);
    if (no_use_)
      return tell(fmt::format("fitted to the first {} of them", looked_at_), looked_, sampling,
                  std::vector<char>(sampling.size(), 0), questions, result);
    const Training training = training_of(task_, *germ_, plan_, rows, result, most_fitted);
    ChaosSettings settings = task_.study.chaos;
    settings.basis = better_basis(settings, *germ_, training, int(questions.channels.size()));
    const Validation validation = validate(settings, *germ_, training, int(questions.channels.size()));
    const Errors errors = where_varying(cross_validated(validation, training, questions), sampling);
    std::vector<char> by_expansion;
    for (size_t c = 0; c < errors.size(); ++c) by_expansion.push_back(!(errors[c] > sampling[c]));
    SampledScalars sampled;
    if (any(by_expansion)) {
      const analysis::Expansion e = core::fit(settings, *germ_, training, int(questions.channels.size()));
      sampled = take(e, evidence_of(task_, *germ_, training, e, validation), by_expansion, questions, result);
    }
    tell("an expansion fitted to them, errors by cross-validation", errors, sampling, by_expansion, questions, result);
    take_sampled_scalars(sampled, result);
  }

 private:
  bool accurate() const { return task_.study.accuracy > 0; }
  double goal(size_t channel) const { return accurate() ? goals_[channel] : default_goal; }
  long most() const { return std::min(plan_.rows(), limit_); }
  static bool any(const std::vector<char>& x) { return std::count(x.begin(), x.end(), 1) > 0; }
  static bool all(const std::vector<char>& x) { return std::count(x.begin(), x.end(), 0) == 0; }
  bool small_enough(const Errors& errors) const {
    for (size_t c = 0; c < errors.size(); ++c)
      if (errors[c] > goal(c)) return false;  // NaN: no scatter
    return true;
  }

  // Round-off has no errors: those of sampling are NaN there.
  static Errors where_varying(Errors errors, const Errors& sampling) {
    for (size_t c = 0; c < errors.size(); ++c)
      if (std::isnan(sampling[c])) errors[c] = std::numeric_limits<double>::quiet_NaN();
    return errors;
  }

  // --- sampling ---

  static Errors sampling_errors(const results::StudyStatistics& s) {
    Errors e;
    for (const results::ChannelStatistics& c : s.channels) e.push_back(c.accuracy.mean + c.accuracy.std);
    return e;
  }

  long sampled_enough(long done, const analysis::Accumulator& so_far) const {
    if (!accurate()) return most();
    const results::StudyStatistics now = task_.study.accuracy_of_band ? so_far.finish() : so_far.moments();
    return reached(task_.study, goals_, now).enough ? done : std::max(done, std::min(2 * done, most()));
  }

  // --- expansions by quadrature ---

  bool begin_quadratures(long done) {
    const double all = std::min(1000.0, double(plan_.rows()));  // with an accuracy there may be many more than are needed
    std::vector<int> orders = {0};
    for (const double share : {1.0 / 40, 1.0 / 16, 1.0 / 6}) orders.push_back(ladder_->order_within(share * all, orders.back()));
    if (std::count(orders.begin(), orders.end(), 0) > 1) return false;
    plan_.aside->first = done;
    for (size_t i = 1; i < orders.size(); ++i) place(orders[i]);
    return true;
  }

  void place(int order) {
    for (std::vector<double>& sample : ladder_->add(order)) plan_.aside->samples.push_back(std::move(sample));
  }

  long integrated_enough(long done, const analysis::Accumulator& so_far) {
    if (small_enough(where_varying(ladder_->errors(so_far.questions()), pilot_))) return done;
    // The next quadrature should have about three times the points to tell something new. Sampling, with all that is left or, to
    // reach an accuracy, with as many, would have errors smaller by the root of the number, at least.
    const double room = double(most() - done);
    const int next = ladder_->order_within(std::min(room, 4 * ladder_->points()), ladder_->order());
    const double left = accurate() && next > 0 ? ladder_->points_of(next) : double(most() - long(plan_.aside->samples.size()));
    const Errors expected = ladder_->errors(next > 0 ? ladder_->points_of(next) : ladder_->points(), so_far.questions());
    bool better = true;
    for (size_t c = 0; c < expected.size(); ++c)
      better = better && (std::isinf(goal(c)) || !(expected[c] > pilot_[c] * std::sqrt(double(first_look) / left)));
    if (better && next > 0) {
      place(next);
      return plan_.aside->end();
    }
    if (better) return done;
    sampling_ = true;
    return sampled_enough(done, so_far);
  }

  void conclude_integrated(const Errors& sampling, const analysis::StatisticsRequest& questions,
                           const analysis::Accumulator& rows, results::StudyResult& result) const {
    const Errors errors = where_varying(ladder_->errors(questions), sampling);
    std::vector<char> by_expansion;
    for (size_t c = 0; c < errors.size(); ++c) by_expansion.push_back(!(errors[c] > sampling[c]));
    const Training judges = training_of(task_, *germ_, plan_, rows, result, most_fitted);
    SampledScalars sampled;
    if (any(by_expansion))
      sampled =
          take(ladder_->expansion(), evidence_of(task_, *germ_, judges, ladder_->expansion()), by_expansion, questions, result);
    tell(ladder_->words(), errors, sampling, by_expansion, questions, result);
    const std::vector<double> missed =
        held_out_error(ladder_->expansion(), judges.points, judges.responses, questions.times, int(questions.channels.size()))
            .integrated;
    std::string words;
    for (size_t c = 0; c < missed.size(); ++c)
      if (!std::isnan(missed[c]) && !std::isnan(sampling[c]))
        words += fmt::format("{}{} {:.2g}", words.empty() ? "" : ", ", questions.channels[c], missed[c]);
    result.evidence.push_back(fmt::format(
        "  fraction of the variance missed by the expansion at {} realizations not used for it: {}", judges.size(), words));
    take_sampled_scalars(sampled, result);
  }

  // --- expansions fitted to the sample ---

  // Each realization is predicted by an expansion that has not seen it: the share e of the variance that is missed, integrated
  // over time, makes the standard deviation wrong by e/2 and the mean, relative to it, by √(e/n).
  static Errors cross_validated(const Validation& v, const Training& all, const analysis::StatisticsRequest& q) {
    if (v.differences.rows() == 0) return Errors(q.channels.size(), infinity);
    Errors errors = analysis::difference_error(v.differences, all.responses, q.times, int(q.channels.size())).integrated;
    for (double& e : errors) e = e / 2 + std::sqrt(e / double(all.size()));
    return errors;
  }

  long fitted_enough(long done, const analysis::Accumulator& so_far, results::StudyResult& result) {
    const Training training = training_of(task_, *germ_, plan_, so_far, result, most_fitted);
    ChaosSettings settings = task_.study.chaos;
    settings.basis = better_basis(settings, *germ_, training, int(so_far.questions().channels.size()));
    const Errors sampling = sampling_errors(so_far.moments());
    const Validation validation = validate(settings, *germ_, training, int(so_far.questions().channels.size()));
    const Errors errors = where_varying(cross_validated(validation, training, so_far.questions()), sampling);
    if (small_enough(errors)) return done;
    bool better = true;
    no_use_ = true;
    looked_ = errors;
    looked_at_ = result.done;
    for (size_t c = 0; c < errors.size(); ++c) {
      better = better && (std::isinf(goal(c)) || !(errors[c] > sampling[c]));
      no_use_ = no_use_ && errors[c] > sampling[c];
    }
    if (better) return std::max(done, std::min(2 * done, most()));
    sampling_ = true;
    return sampled_enough(done, so_far);
  }

  // --- what comes out ---

  // Outputs that are expanded have the statistics of the expansion, the others those of the sample. Returns the statistics that were
  // replaced.
  SampledScalars take(const analysis::Expansion& e, const Evidence& evidence, const std::vector<char>& by_expansion,
                      const analysis::StatisticsRequest& questions, results::StudyResult& result) const {
    results::StudyStatistics expanded = statistics_of(e, task_, *germ_, questions, evidence);
    result.chaos = as_result(e, task_, *germ_, questions);
    result.statistics.shares = std::move(expanded.shares);
    for (size_t c = 0; c < by_expansion.size(); ++c)
      if (by_expansion[c])
        result.statistics.channels[c] = std::move(expanded.channels[c]);
      else
        for (results::SobolIndices::OfGroup& g : result.statistics.shares.of[c]) {
          g.first.assign(questions.times.size(), nan);
          g.total = g.first;
          g.integrated_first = g.integrated_total = {nan, nan};
        }
    if (!all(by_expansion)) return {};
    std::swap(result.statistics.limits, expanded.limits);
    for (size_t i = 0; i < expanded.scalars.size(); ++i) expanded.scalars[i].values = result.statistics.scalars[i].values;
    std::swap(result.statistics.scalars, expanded.scalars);
    return {std::move(expanded.scalars), std::move(expanded.limits)};
  }

  void tell(const std::string& expansion, const Errors& errors, const Errors& sampling, const std::vector<char>& by_expansion,
            const analysis::StatisticsRequest& q, results::StudyResult& result) const {
    const std::string choice = all(by_expansion)   ? "polynomial chaos for all outputs"
                               : any(by_expansion) ? "polynomial chaos for the smooth outputs, sampling for the others"
                                                   : "sampling for all outputs";
    const long beside = plan_.aside ? long(plan_.aside->samples.size()) : 0;
    result.evidence.push_back(fmt::format("auto: {}", choice));
    result.evidence.push_back(fmt::format("  sampling: {} realizations of a Sobol sequence", result.done));
    result.evidence.push_back(
        fmt::format("  expansion: {}{}", expansion, beside > 0 ? fmt::format(" ({} realizations for quadratures)", beside) : ""));
    if (!no_quadrature_.empty())
      result.evidence.push_back(fmt::format(
          "  no quadrature: it needs all of its realizations, and one failed, at values far from the mean: {}", no_quadrature_));
    result.evidence.push_back("  errors of mean and standard deviation together:");
    TextTable table;
    for (size_t c = 0; c < errors.size(); ++c) {
      if (std::isnan(errors[c]) || std::isnan(sampling[c]))
        table.row({q.channels[c], "does not vary"});
      else
        table.row({q.channels[c], fmt::format("expansion {:.2g} %", 100 * errors[c]),
                   fmt::format("sampling {:.2g} %", 100 * sampling[c]),
                   by_expansion[c] ? "→ smooth, expanded" : "→ rough, sampled"});
    }
    for (const std::string& line : table.lines(page_width - 2)) result.evidence.push_back("  " + line);
  }

  Task task_;
  std::vector<double> goals_;  // [channels]
  Plan plan_;
  long limit_ = std::numeric_limits<long>::max();  // rows
  std::unique_ptr<const Germ> germ_;
  std::string why_not_;
  bool sampling_ = false;      // decided: all that is left are realizations of the sample
  bool fitted_ = false;        // decided: no quadratures
  std::string no_quadrature_;  // why a realization of one failed
  Errors pilot_;               // of sampling
  Errors looked_;              // of an expansion fitted to the first …
  long looked_at_ = 0;         // … realizations
  bool no_use_ = false;        // worse than sampling for every output then
  std::unique_ptr<QuadratureLadder> ladder_;
};

}  // namespace

extern const MethodKind automatic_method;
constinit const MethodKind automatic_method = {
    .name = "auto",
    .make = [](const Task& task) -> std::unique_ptr<Method> { return std::make_unique<Automatic>(task); },
    .design = [](const Study&) -> std::string { return "sobol"; },
    .sensitivity = MethodKind::Sensitivity::by_sampling,
    .divisible = false,
    .decides_size = true,
};

}  // namespace aleator::core
