// control-variate and multilevel: few realizations of the model, many of cheaper ones.
//
// Level l has realizations of model l and, with the same random numbers, of the model below it; the mean is that of the coarsest
// model plus those of the corrections from level to level. The realizations of the model itself, those of the last level, are the
// sample of the study: limits, scalars and what else rests on single realizations come from them.
#include <fmt/format.h>

#include <cmath>
#include <deque>

#include "analysis/multilevel.hpp"
#include "dynamics/recorder.hpp"
#include "model/scope.hpp"
#include "propagation/method.hpp"
#include "uncertainty/hyper_parameters.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core {
namespace {

constexpr long pilot = 32;           // pairs per level, from which the others are allocated
constexpr double too_loose = 1;      // variance of corrections relative to that of responses: the cheaper model is of no use
constexpr double blown_up = 4;       // variance of the coarsest model relative to that of the model itself
constexpr double most_values = 5e8;  // numbers kept in memory

// The model with fewer elements in every beam, and how many it has of those there were.
struct Coarser {
  Model model;
  double share = 1;
};
Coarser with_fewer_elements(const Model& model, const std::vector<Override>& settings, int divisor) {
  input::Description d = model.description;
  double before = 0, after = 0;
  const input::Scope scope = scope_of(d, settings);
  for (auto& [key, items] : d.sections) {
    if (key != "bodies") continue;
    for (input::Item& item : items)
      for (input::Entry& field : item.fields)
        if (field.key == "elements") {
          const double now = scope(field.value.number), fewer = std::max(1.0, std::floor(now / divisor));
          before += now, after += fewer;
          field.value.number.constant = fewer;
          field.value.number.program = -1;
        }
  }
  if (!(after < before))
    throw std::invalid_argument("no beam has elements to spare for a coarser mesh; coarsen the step instead, or give `elements`");
  Coarser c{make_model(std::move(d), settings), after / before};
  c.model.settings = model.settings;
  return c;
}

// One model of the chain.
struct Level {
  std::string words;
  double cost = 1;         // of a realization, relative to the model itself
  int variant = 0;         // its number in the plan
  std::uint64_t seed = 0;  // of this level: independent of the others, the same for both models of a pair
  std::shared_ptr<const Model> model;
  std::shared_ptr<const RandomModel> random;
};

std::vector<Level> make_levels(const Task& task, int count) {
  LevelSettings s = task.study.levels;
  if (s.factor == 0) s.factor = s.coarsen == "step" ? 4 : 2;
  if (s.count == 0) s.count = count;
  std::vector<Level> levels;
  for (int l = 0; l < s.count; ++l) {
    const int divisor = int(std::lround(std::pow(s.factor, s.count - 1 - l)));
    Level& level = levels.emplace_back();
    Coarser coarser{task.model, 1.0 / divisor};
    if (s.coarsen == "step") {
      Settings& own = coarser.model.settings;
      own.step *= divisor;
      // Adapted steps are as long as their error allows: coarser ones are allowed the larger error of a longer step, of order 4.
      if (own.step_tolerance > 0) own.step_tolerance = std::min(1e-2, own.step_tolerance * std::pow(divisor, 4));
      if (own.step > own.duration / 4)
        throw std::invalid_argument(fmt::format(
            "level {} would have a step of {:g} s, which is long compared with the duration; use fewer levels or a smaller "
            "factor",
            l + 1, own.step));
      level.words = fmt::format("step {:g} s", own.step);
    } else {
      if (divisor > 1)
        coarser = with_fewer_elements(task.model, split_settings(task.model.description, task.settings).model, divisor);
      if (l > 0 && coarser.share == levels[size_t(l) - 1].cost)
        throw std::invalid_argument(
            "the beams have too few elements for so many levels, two of them are the same; use fewer levels, or coarsen the "
            "step");
      level.words = fmt::format("{:.3g} of the elements", coarser.share);
    }
    level.cost = coarser.share;
    level.variant = l;
    level.seed = quantity_key(fmt::format("level {} of {}", l, task.study.seed)) >> 1;
    level.model = std::make_shared<const Model>(std::move(coarser.model));
    level.random = std::make_shared<const RandomModel>(*level.model, task.settings);
  }
  return levels;
}

class Multilevel final : public Method {
 public:
  Multilevel(const Task& task, int levels, bool fitted)
      : task_(task), fitted_(fitted), levels_(make_levels(task, levels)), samples_(levels_.size()), rows_(levels_.size()) {
    if (task.study.accuracy_of_band)
      throw std::invalid_argument(
          "the error of a band is not known where several models are combined; leave 'band' out of 'accuracy_of'");
    for (const Level& l : levels_) {
      all_.push_back(l);
      costs_.push_back(l.cost + (l.variant > 0 ? levels_[size_t(l.variant) - 1].cost : 0));
    }
    for (const Channel& c : task.model.channels) units_.push_back(c.unit);
    plan_.samples = task.study.samples;
    plan_.blocks = std::make_shared<Blocks>();
    piloted_ = levels_.size() - 1;
  }

  const Plan& plan() const override { return plan_; }
  std::vector<ModelVariant> models() const override {
    std::vector<ModelVariant> out;
    for (const Level& l : all_) out.push_back({l.model.get(), l.random.get()});
    return out;
  }
  bool needs_responses() const override { return true; }
  bool extends() const override { return false; }
  std::vector<double> sample(const Task& task, long realization) const override {
    return task.random.sample(all_.back().seed, std::uint64_t(realization));
  }

  long first_rows() override {
    if (plan_.blocks->list.empty()) extend(piloted_, pilot);
    return plan_.blocks->end();
  }

  void take_aside(long, bool ok, const std::string& why, const std::vector<double>& values, const std::vector<double>&) override {
    if (!ok && failures_.why.empty()) failures_.why = why;
    if (!ok) ++failures_.failed;
    aside_.push_back(ok ? values : std::vector<double>());
  }
  AsideFailures aside_failures() const override { return {failures_.failed, long(plan_.blocks->end()), failures_.why}; }

  std::string phase(long row) const override {
    for (const Extent& e : extents_)
      if (row < e.end_row) return e.words;
    return "";
  }

  long enough(long done, const analysis::Accumulator& so_far, results::StudyResult& result) override {
    if (done < plan_.blocks->end()) return plan_.blocks->end();
    settle(so_far, result);
    decide(result);
    return plan_.blocks->end();
  }

  void conclude(const analysis::StatisticsRequest&, const analysis::Accumulator&, results::StudyResult& result) const override {
    for (const analysis::LevelSample& s : samples_)
      if (s.realizations < 2) throw NotPossible("too few realizations of every level finished to estimate anything");
    results::StudyStatistics s = analysis::multilevel_statistics(samples_, questions(result));
    s.limits = std::move(result.statistics.limits);
    s.scalars = std::move(result.statistics.scalars);
    s.convergence = std::move(result.statistics.convergence);
    s.missing = result.statistics.missing;
    result.statistics = std::move(s);
    tell(result);
  }

 private:
  // Rows asked for together: realizations first … n − 1 of a level.
  struct Extent {
    size_t level;
    long first, n;
    bool paired;    // with the model below
    bool of_model;  // the fine ones are those of the model itself
    long end_row;
    std::string words;
  };

  analysis::MultilevelRequest questions(const results::StudyResult& r) const {
    return {r.nominal.time, r.nominal.values, int(task_.model.channels.size()), task_.study.confidence, fitted_, units_};
  }

  // The same realizations of the model of the level and of the one below.
  void extend(size_t l, long n) {
    const long first = rows_[l];
    if (n <= first) return;
    const size_t points =
        output_times(task_.model.settings.duration, task_.model.settings.output_step).size() * task_.model.channels.size();
    if (double(n) * double(points) > most_values)
      throw std::invalid_argument(
          fmt::format("level {} would take {} realizations of {} numbers each, more than are kept in memory; "
                      "a larger output_step, or a smaller factor between levels, makes them fewer",
                      l, n, points));
    const bool paired = l > 0, of_model = l + 1 == levels_.size();
    const Level& level = levels_[l];
    plan_.blocks->add({0, n - first, level.variant, level.seed, first, of_model});
    if (paired) plan_.blocks->add({0, n - first, levels_[l - 1].variant, level.seed, first, false});
    rows_[l] = n;
    extents_.push_back({l, first, n, paired, of_model, plan_.blocks->end(),
                        fmt::format("level {} of {} ({})", l + 1, levels_.size(), level.words)});
  }

  // Pairs of which both models finish.
  void settle(const analysis::Accumulator& rows, const results::StudyResult& result) {
    const auto next_aside = [&] {
      std::vector<double> values = std::move(aside_.front());
      aside_.pop_front();
      return values;
    };
    const auto of_model = [&](long k) { return result.ok[size_t(k)] ? rows.response(k) : std::vector<double>(); };
    for (; settled_ < extents_.size(); ++settled_) {
      const Extent& e = extents_[settled_];
      std::vector<std::vector<double>> fine, coarse;
      for (long k = e.first; k < e.n; ++k) fine.push_back(e.of_model ? of_model(k) : next_aside());
      for (long k = e.first; k < e.n && e.paired; ++k) coarse.push_back(next_aside());
      analysis::LevelSample& s = samples_[e.level];
      for (size_t k = 0; k < fine.size(); ++k) {
        ++attempted_;
        if (fine[k].empty() || (e.paired && coarse[k].empty())) continue;
        ++finished_;
        s.fine.insert(s.fine.end(), fine[k].begin(), fine[k].end());
        if (e.paired) s.coarse.insert(s.coarse.end(), coarse[k].begin(), coarse[k].end());
        ++s.realizations;
      }
    }
  }

  // First a few pairs of each level, beginning with the model itself; then as many of each as reach most at this cost.
  void decide(results::StudyResult& result) {
    if (piloting_) {
      const bool loose = piloted_ > 0 && samples_[piloted_].realizations > 1 &&
                         analysis::looseness(samples_[piloted_], questions(result)) > too_loose;
      if (!loose && piloted_ > 0) return extend(--piloted_, pilot);
      if (loose) drop_below(piloted_, result);
      piloting_ = false;
    }
    // In realizations of the model itself. To an accuracy: until it is reached, at most four times as many at once.
    const double all = double(task_.study.samples);
    const long before = plan_.blocks->end();
    for (; finished_ > 0 && plan_.blocks->end() == before; ++round_) {
      // A few realizations of a coarse model may blow up, though the first ones did not.
      bool dropped = false;
      while (levels_.size() > 1 && analysis::relative_scatter(samples_[0], samples_.back(), questions(result)) > blown_up) {
        drop_below(1, result);
        dropped = true;
      }
      const std::vector<double> variances = analysis::level_variances(samples_, questions(result), true);
      if (task_.study.accuracy > 0) {
        const Reached r = reached(task_.study, accuracy_goals(task_.study, task_.model),
                                  analysis::multilevel_statistics(samples_, questions(result)));
        if (r.enough || budget_ >= all) return;
        const double ratio = r.wanted_samples / double(samples_.back().realizations);
        budget_ = std::min(all, std::clamp(1.1 * ratio, 1.25, 4.0) * spent());
      } else if (round_ > 0 && !dropped) {
        return;
      } else {
        budget_ = all;
      }
      const std::vector<long> n = analysis::allocate(variances, costs_, budget_, pilot);
      for (size_t l = 0; l < levels_.size(); ++l) extend(l, n[l]);
    }
  }

  // The models below level l do not follow it: it becomes the coarsest.
  void drop_below(size_t l, results::StudyResult& result) {
    result.evidence.push_back(fmt::format("{}: the model with {} does not follow the one with {}{}", task_.study.method,
                                          levels_[l - 1].words, levels_[l].words,
                                          l + 1 == levels_.size() ? ": this is plain Monte Carlo" : " and is left out"));
    const auto drop = [&](auto& v) { v.erase(v.begin(), v.begin() + long(l)); };
    drop(levels_), drop(samples_), drop(costs_), drop(rows_);
    samples_[0].coarse.clear();
    costs_[0] = levels_[0].cost;
  }

  double spent() const {
    double sum = 0;
    for (size_t l = 0; l < levels_.size(); ++l) sum += double(rows_[l]) * costs_[l];
    return sum;
  }

  // What the levels did, and what sampling alone would have reached at the same cost.
  void tell(results::StudyResult& result) const {
    const std::vector<double> variances = analysis::level_variances(samples_, questions(result));
    result.evidence.push_back(fmt::format("{}: cost of {:.4g} realizations of the model", task_.study.method, spent()));
    for (size_t l = 0; l < levels_.size(); ++l)
      result.evidence.push_back(fmt::format("  level {} ({}): {} realizations, variance of {} {:.2g}, {:.0f} % of the cost",
                                            l + 1, levels_[l].words, samples_[l].realizations,
                                            l == 0 ? "a response" : "a correction", variances[l],
                                            100 * double(rows_[l]) * costs_[l] / spent()));
    double own = 0;
    for (size_t l = 0; l < levels_.size(); ++l) own += variances[l] / double(samples_[l].realizations);
    const analysis::LevelSample alone{samples_.back().fine, {}, samples_.back().realizations};
    const double plain = analysis::level_variances({&alone, 1}, questions(result))[0] / spent();
    if (plain > 0 && levels_.size() > 1) {
      const double ratio = std::sqrt(own / plain);
      result.evidence.push_back(fmt::format("  errors are {:.2g} times those of as costly Monte Carlo sampling{}", ratio,
                                            ratio < 1 ? "" : ": the coarse models are too weakly correlated with the model"));
    }
    if (failures_.failed > 0)
      result.evidence.push_back(fmt::format("  {} simulations of the cheaper models failed and are excluded; the first: {}",
                                            failures_.failed, failures_.why));
    result.evidence.push_back(fmt::format(
        "  bands are those of the coarsest level, moved to this mean and spread{}; limits, scalars and correlations "
        "rest on the {} realizations of the model itself",
        levels_.size() > 1 ? ": the error of their shape is not known, and none is stated" : "", samples_.back().realizations));
  }

  Task task_;
  std::vector<std::string> units_;  // [channels]
  bool fitted_;                     // one coefficient for each correction, fitted: control variates
  Plan plan_;
  std::vector<Level> levels_, all_;             // those in use, the coarsest first; and all there were
  std::vector<analysis::LevelSample> samples_;  // [levels]
  std::vector<double> costs_;                   // [levels]
  std::vector<long> rows_;                      // [levels] realizations asked for
  std::vector<Extent> extents_;
  size_t settled_ = 0;                     // extents whose realizations are in the samples
  std::deque<std::vector<double>> aside_;  // rows that came, in their order; empty: they failed
  AsideFailures failures_;
  size_t piloted_ = 0;
  bool piloting_ = true;
  int round_ = 0;
  double budget_ = 0;
  long attempted_ = 0, finished_ = 0;
};

}  // namespace

constexpr const char* of_motion_alone =
    "it combines motions of models with longer steps or fewer elements, and modes take no steps";

extern const MethodKind multilevel_method, control_variate_method;
constinit const MethodKind multilevel_method = {
    .name = "multilevel",
    .make = [](const Task& task) -> std::unique_ptr<Method> { return std::make_unique<Multilevel>(task, 3, false); },
    .design = monte_carlo_design,
    .divisible = false,
    .decides_size = true,
    .motion_alone = of_motion_alone,
};
constinit const MethodKind control_variate_method = {
    .name = "control-variate",
    .make = [](const Task& task) -> std::unique_ptr<Method> { return std::make_unique<Multilevel>(task, 2, true); },
    .design = monte_carlo_design,
    .divisible = false,
    .decides_size = true,
    .motion_alone = of_motion_alone,
};

}  // namespace aleator::core
