#include "multilevel.hpp"

#include <fmt/format.h>

#include <cmath>
#include <deque>

#include "analysis/multilevel.hpp"
#include "base/atomic_file.hpp"
#include "model/scope.hpp"
#include "nominal.hpp"
#include "progress_line.hpp"
#include "results/read.hpp"
#include "results/write.hpp"
#include "study_summary.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core::app {
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

// One model of the chain, ready to be simulated.
struct Level {
  std::string words;
  double cost = 1;  // of a realization, relative to the model itself
  std::unique_ptr<const Model> model;
  std::unique_ptr<const RandomModel> random;
};

std::vector<Level> make_levels(const Task& task, const RunArguments& o) {
  LevelSettings s = task.study.levels;
  if (s.factor == 0) s.factor = s.coarsen == "step" ? 4 : 2;
  if (s.count == 0) s.count = task.study.method == "multilevel" ? 3 : 2;
  std::vector<Level> levels;
  for (int l = 0; l < s.count; ++l) {
    const int divisor = int(std::lround(std::pow(s.factor, s.count - 1 - l)));
    Level& level = levels.emplace_back();
    Coarser coarser{task.model, 1.0 / divisor};
    if (s.coarsen == "step") {
      Settings& own = coarser.model.settings;
      own.step *= divisor;
      if (own.step > own.duration / 4)
        throw std::invalid_argument(
            fmt::format("level {} would have a step of {:g} s, which is long against the duration; use fewer levels or a smaller "
                        "factor",
                        l + 1, own.step));
      level.words = fmt::format("step {:g} s", own.step);
    } else {
      if (divisor > 1)
        coarser = with_fewer_elements(task.model, split_settings(task.model.description, o.model.overrides()).model, divisor);
      if (l > 0 && coarser.share == levels[size_t(l) - 1].cost)
        throw std::invalid_argument(
            "the beams have too few elements for so many levels, two of them are the same; use fewer levels, or coarsen the "
            "step");
      level.words = fmt::format("{:.3g} of the elements", coarser.share);
    }
    level.cost = coarser.share;
    level.model = std::make_unique<const Model>(std::move(coarser.model));
    level.random = std::make_unique<const RandomModel>(*level.model, o.model.overrides());
  }
  return levels;
}

class MultilevelRun {
 public:
  MultilevelRun(const RunArguments& o, const std::string& command_line, const Task& task)
      : o_(o),
        task_(task),
        levels_(make_levels(task, o)),
        samples_(levels_.size()),
        provenance_(study_provenance(task, o, command_line, false)) {
    for (size_t l = 0; l < levels_.size(); ++l) {
      costs_.push_back(levels_[l].cost + (l > 0 ? levels_[l - 1].cost : 0));
      // Independent of each other, the same for both models of a pair.
      seeds_.push_back(quantity_key(fmt::format("level {} of {}", l, task.study.seed)) >> 1);
      ensembles_.push_back(ensemble(l, l));
      below_.push_back(l > 0 ? ensemble(l - 1, l) : nullptr);
    }
  }

  int operator()() {
    create_folder(o_.folder());
    open();
    result_ = empty_result(task_, nominal_run(task_.model));
    result_.evidence = o_.remarks;
    const auto start = Clock::now();
    return kept_when_it_cannot_write(o_, [&] {
      if (!interrupted()) simulate();
      seconds_ = seconds_since(start);
      return finish();
    });
  }

 private:
  // Rows go into the journal in the order they are asked for, which depends on realizations alone: to go on is to ask again.
  void open() {
    using Store = results::StudyStore;
    const RunRecord record = record_of(o_, task_);
    Store::Hooks hooks;
    hooks.replay = [&](results::JournalRecord&& r) { known_.push_back(std::move(r)); };
    hooks.difference = [&](const std::string& there) { return difference_from(there, record, o_.force); };
    hooks.progress_words = [](long rows, const std::string&) { return fmt::format("{} simulations", rows); };
    const Store::Start start = o_.resume ? Store::Start::resume : o_.overwrite ? Store::Start::overwrite : Store::Start::fresh;
    store_ = std::make_unique<Store>(o_.folder(), text_of(record), true, start, hooks);
    next_ = long(known_.size());
    if (next_ > 0)
      fmt::print(stderr, "going on after {} simulations\n", next_);
    else if (o_.resume)
      fmt::print(stderr, "{}: note: there is nothing to resume in {}; starting\n", o_.model.file, o_.folder());
  }

  std::unique_ptr<const Ensemble> ensemble(size_t model, size_t seed) const {
    return std::make_unique<const Ensemble>(*levels_[model].model, *levels_[model].random, Plan{most_samples}, seeds_[seed],
                                            isa_of(o_.isa));
  }

  analysis::MultilevelRequest questions() const {
    return {result_.nominal.time, result_.nominal.values, int(task_.model.channels.size()), task_.study.confidence,
            task_.study.method == "control-variate"};
  }

  void simulate() {
    for (size_t l = levels_.size(); l-- > 0 && !interrupted() && !ended_;) {
      extend(l, pilot);
      if (below_[l] && samples_[l].realizations > 1 && analysis::looseness(samples_[l], questions()) > too_loose) {
        drop_below(l);
        break;
      }
    }
    // In realizations of the model itself. To an accuracy: until it is reached, at most four times as many at once.
    const double all = double(task_.study.samples);
    double budget = task_.study.accuracy > 0 ? 0 : all;
    for (int round = 0; !interrupted() && !ended_; ++round) {
      if (failed_ == attempted_) return;
      // A few realizations of a coarse model may blow up, though the first ones did not.
      bool dropped = false;
      while (levels_.size() > 1 && analysis::relative_scatter(samples_[0], samples_.back(), questions()) > blown_up) {
        drop_below(1);
        dropped = true;
      }
      const std::vector<double> variances = analysis::level_variances(samples_, questions(), true);
      if (task_.study.accuracy > 0) {
        const Reached r = reached(task_.study, analysis::multilevel_statistics(samples_, questions()));
        if (r.enough || budget >= all) return;
        const double ratio = r.wanted_samples / double(samples_.back().realizations);
        budget = std::min(all, std::clamp(1.1 * ratio, 1.25, 4.0) * spent());
      } else if (round > 0 && !dropped) {
        return;
      }
      const std::vector<long> n = analysis::allocate(variances, costs_, budget, pilot);
      for (size_t l = 0; l < levels_.size() && !ended_; ++l) extend(l, n[l]);
    }
  }

  // The models below level l do not follow it: it becomes the coarsest.
  void drop_below(size_t l) {
    result_.evidence.push_back(fmt::format("{}: the model with {} does not follow the one with {}{}", task_.study.method,
                                           levels_[l - 1].words, levels_[l].words,
                                           l + 1 == levels_.size() ? ": this is plain Monte Carlo" : " and is left out"));
    const auto drop = [&](auto& v) { v.erase(v.begin(), v.begin() + long(l)); };
    drop(levels_), drop(samples_), drop(costs_), drop(seeds_), drop(ensembles_), drop(below_), drop(rows_);
    below_[0] = nullptr;
    samples_[0].coarse.clear();
    costs_[0] = levels_[0].cost;
  }

  double spent() const {
    double sum = 0;
    for (size_t l = 0; l < levels_.size(); ++l) sum += double(next_row(l)) * costs_[l];
    return sum;
  }
  long next_row(size_t l) const { return rows_.empty() ? 0 : rows_[l]; }

  // Pairs of which both models finish; the same realizations of both.
  void extend(size_t l, long n) {
    rows_.resize(levels_.size());
    const size_t points = result_.nominal.time.size() * task_.model.channels.size();
    if (double(n) * double(points) > most_values)
      throw std::invalid_argument(
          fmt::format("level {} would take {} realizations of {} numbers each, more than are kept in memory; "
                      "a larger output_step, or a smaller factor between levels, makes them fewer",
                      l, n, points));
    const long first = rows_[l];
    if (n <= first) return;
    std::vector<std::vector<double>> fine, coarse;
    run(*ensembles_[l], first, n, fine, l);
    if (below_[l]) run(*below_[l], first, n, coarse, l);
    if (interrupted() || ended_) return;
    rows_[l] = n;
    analysis::LevelSample& s = samples_[l];
    for (size_t k = 0; k < fine.size(); ++k) {
      ++attempted_;
      if (fine[k].empty() || (below_[l] && coarse[k].empty())) {
        ++failed_;
        continue;
      }
      s.fine.insert(s.fine.end(), fine[k].begin(), fine[k].end());
      if (below_[l]) s.coarse.insert(s.coarse.end(), coarse[k].begin(), coarse[k].end());
      ++s.realizations;
    }
  }

  void run(const Ensemble& ensemble, long first, long end, std::vector<std::vector<double>>& values, size_t l) {
    const auto take = [&](bool ok, const std::string& why, std::vector<double>&& row) {
      if (!ok && first_failure_.empty()) first_failure_ = why;
      if (!ok && task_.study.on_failure == "stop") ended_ = true;
      values.push_back(ok ? std::move(row) : std::vector<double>());
    };
    for (; first + long(values.size()) < end && !known_.empty(); known_.pop_front()) {
      results::JournalRecord& r = known_.front();
      if (r.ok && r.values.size() != result_.nominal.values.size())
        throw results::ReadError(results::StudyStore::file_in(o_.folder()), fmt::format(row_of_another_study, r.row));
      take(r.ok, r.why, std::move(r.values));
    }
    EnsembleOptions options;
    options.threads = int(o_.threads);
    options.first_row = first + long(values.size());
    options.end_row = end;
    options.stop = &interrupted();
    options.enough = &ended_;
    options.smaller_steps = task_.study.on_failure != "skip";
    if (options.first_row == end || ended_) return;
    ensemble.run(options, [&](SimulatedRow&& r) {
      if (ended_) return;  // it was under way
      store_->append(next_++, r.ok, r.why, {}, r.values, {});
      take(r.ok, r.why, std::move(r.values));
      progress_([&] {
        store_->flush();  // what is said to be finished is in the hands of the system
        return fmt::format("level {} of {} ({})  {} of {} realizations", l + 1, levels_.size(), levels_[l].words,
                           first + long(values.size()), end);
      });
    });
  }

  // What the levels did, and what sampling alone would have reached at the same cost.
  void tell() {
    const std::vector<double> variances = analysis::level_variances(samples_, questions());
    result_.evidence.push_back(fmt::format("{}: cost of {:.4g} realizations of the model", task_.study.method, spent()));
    for (size_t l = 0; l < levels_.size(); ++l)
      result_.evidence.push_back(fmt::format("  level {} ({}): {} realizations, variance of {} {:.2g}, {:.0f} % of the cost",
                                             l + 1, levels_[l].words, samples_[l].realizations,
                                             l == 0 ? "a response" : "a correction", variances[l],
                                             100 * double(rows_[l]) * costs_[l] / spent()));
    double own = 0;
    for (size_t l = 0; l < levels_.size(); ++l) own += variances[l] / double(samples_[l].realizations);
    const analysis::LevelSample alone{samples_.back().fine, {}, samples_.back().realizations};
    const double plain = analysis::level_variances({&alone, 1}, questions())[0] / spent();
    if (plain > 0 && levels_.size() > 1) {
      const double ratio = std::sqrt(own / plain);
      result_.evidence.push_back(fmt::format("  errors are {:.2g} times those of as costly Monte Carlo sampling{}", ratio,
                                             ratio < 1 ? "" : ": the cheap models follow the model too loosely to help"));
    }
    result_.evidence.push_back(
        "  bands are those of the coarsest level, moved to this mean and spread; limits and scalars need a "
        "sampling method");
  }

  int stopped() const {
    store_->sync();
    fmt::print(stderr, "{}: stopped: a realization failed: {}\n`aleator resume {} --on-failure retry` goes on without it\n",
               o_.model.file, first_failure_, o_.folder());
    return exit_code::simulation_failed;
  }

  int finish() {
    if (ended_) return stopped();
    const bool complete = !interrupted();
    bool enough = true;
    for (const analysis::LevelSample& s : samples_) enough = enough && s.realizations > 1;
    result_.done = samples_.back().realizations;
    result_.planned = complete ? result_.done : result_.done + 1;
    result_.ok.assign(size_t(result_.done), 1);
    if (failed_ > 0)
      fmt::print(stderr, "{} of {} realizations failed and are in no statistic; the first: {}\n", failed_, attempted_,
                 first_failure_);
    if (!complete) store_->sync();
    if (!enough) {
      if (!complete) fmt::print(stderr, "interrupted after {} simulations; --resume continues\n", next_);
      if (complete) store_->remove();
      return complete ? exit_code::simulation_failed : exit_code::interrupted;
    }
    result_.statistics = analysis::multilevel_statistics(samples_, questions());
    tell();
    const std::string file = o_.folder() + (complete ? "/results.h5" : "/partial.h5");
    provenance_.settings["seconds"] = fmt::format("{:.3g}", seconds_);
    results::write_study(file, result_, provenance_);
    if (complete) {
      remove_partial(o_.folder());
      store_->remove();
    }
    long rows = 0;
    for (const long n : rows_) rows += n;
    print_summary({task_.model, task_.study, result_, result_.done, rows, seconds_, file});
    if (!complete) {
      fmt::print(stderr, "interrupted; what was finished is in {}, and --resume continues\n", file);
      return exit_code::interrupted;
    }
    if (double(failed_) > task_.study.failed_at_most * double(attempted_)) {
      fmt::print(stderr, "{}: more than {:.3g} % of the realizations failed\n", o_.model.file, 100 * task_.study.failed_at_most);
      return exit_code::simulation_failed;
    }
    return failed_ > 0 ? exit_code::some_failed : exit_code::done;
  }

  const RunArguments& o_;
  const Task& task_;
  std::vector<Level> levels_;
  std::vector<analysis::LevelSample> samples_;
  results::Provenance provenance_;
  std::vector<double> costs_;
  std::vector<std::uint64_t> seeds_;
  std::vector<std::unique_ptr<const Ensemble>> ensembles_, below_;  // [levels]: the model of the level, and the one below
  std::vector<long> rows_;                                          // [levels] simulated
  results::StudyResult result_;
  std::unique_ptr<results::StudyStore> store_;
  std::deque<results::JournalRecord> known_;  // rows of the run that is continued, as long as they are not asked for again
  long next_ = 0;                             // row of the journal
  ProgressLine progress_;
  std::string first_failure_;
  std::atomic<bool> ended_ = false;  // by a realization that failed
  long failed_ = 0, attempted_ = 0;
  double seconds_ = 0;
};

}  // namespace

int run_multilevel(const RunArguments& o, const std::string& command_line, const Task& task) {
  return MultilevelRun(o, command_line, task)();
}

}  // namespace aleator::core::app
