// aleator run MODEL: the study; writes results.h5.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "analysis/accumulate.hpp"
#include "design/study.hpp"
#include "ensemble/ensemble.hpp"
#include "nominal.hpp"
#include "progress_line.hpp"
#include "results/atomic_file.hpp"
#include "results/study_store.hpp"
#include "results/version.hpp"
#include "results/write.hpp"
#include "study_summary.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator::app {
namespace {

constexpr long motions_kept = 16;  // realizations whose poses are kept for drawing

struct RunArguments {
  ModelArguments model;
  std::string out, method;
  long samples = 0, threads = 0;
  long long seed = -1;
  bool resume = false, overwrite = false, shares = false, no_report = false;
};

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

Study study_of(const RunArguments& o, const Model& model, std::span<const Override> settings) {
  Study s = read_study(model, settings);
  if (o.samples > 0) s.samples = o.samples;
  if (o.seed >= 0) s.seed = std::uint64_t(o.seed);
  if (!o.method.empty()) s.method = o.method;
  if (o.shares) s.shares = true;
  return s;
}

analysis::Questions questions_of(const Model& m, const Study& study, const std::vector<std::string>& groups,
                                 const results::Run& nominal) {
  analysis::Questions q;
  q.times = nominal.time;
  for (const Channel& c : m.channels) q.channels.push_back(c.name);
  q.nominal = nominal.values;
  q.confidence = study.confidence;
  q.keep_all = study.keep_all;
  q.samples = study.samples;
  for (const Limit& l : m.limits) q.limits.push_back({l.channel, l.value, l.above});
  const auto& items = m.description.section("scalars");
  for (size_t i = 0; i < m.scalars.size(); ++i)
    q.scalars.push_back({m.scalars[i].name, m.scalars[i].unit, items[i].kind, m.scalars[i].channel, m.scalars[i].settings});
  if (study.shares) q.groups = groups;
  return q;
}

// Everything that determines the numbers of a study.
std::string identity_of(const Model& m, const Study& s, const ModelArguments& arguments) {
  std::string out =
      fmt::format("version {}\nmethod {}\nseed {}\nsamples {}\nconfidence {:.17g}\nkeep {}\nshares {}\n", results::version(),
                  s.method, s.seed, s.samples, s.confidence, s.keep_all ? "all" : "statistics", s.shares);
  for (const std::string& set : arguments.settings) out += "set " + set + "\n";
  return out + m.description.text;
}

// Takes rows in their order, from the journal or from the ensemble, and knows what they mean.
class Collector {
 public:
  Collector(const Plan& plan, bool keep_all, analysis::Accumulator& statistics, results::StudyResult& result)
      : plan_(plan), keep_all_(keep_all), statistics_(statistics), result_(result) {}

  void take(long row, bool ok, const std::string& why, const std::vector<double>& sample, const std::vector<double>& values,
            const std::vector<double>& poses) {
    const DesignPoint p = plan_.point(row);
    next_row_ = row + 1;
    if (!ok) ++failed_rows_;
    if (p.source == DesignPoint::first) {
      statistics_.add(ok, values);
      ++result_.done;
      result_.ok.push_back(ok);
      if (!ok) result_.failures.push_back({p.realization, why});
      if (keep_all_) result_.inputs.insert(result_.inputs.end(), sample.begin(), sample.end());
      if (ok && !poses.empty()) {
        result_.motion_of.push_back(p.realization);
        result_.motion.insert(result_.motion.end(), poses.begin(), poses.end());
      }
    }
    if (analysis::ShareEstimator* shares = statistics_.shares()) {
      if (p.source == DesignPoint::first)
        shares->begin(ok, values);
      else if (p.source == DesignPoint::second)
        shares->second(ok, values);
      else
        shares->group(p.source, ok, values);
    }
  }

  // From a saved state: the realizations before `next_row` are in the statistics already.
  void restore(long next_row, std::span<const double> state) {
    statistics_.load(state);
    next_row_ = next_row;
    result_.done = next_row / plan_.per_realization();
    result_.ok.assign(size_t(result_.done), 1);
    for (const results::Failure& f : result_.failures) result_.ok[size_t(f.realization)] = 0;
  }
  void restore_failure(const results::JournalRecord& r) {
    const DesignPoint p = plan_.point(r.row);
    ++failed_rows_;
    if (p.source == DesignPoint::first) result_.failures.push_back({p.realization, r.why});
  }

  bool between_realizations() const { return next_row_ % plan_.per_realization() == 0; }
  long next_row() const { return next_row_; }
  long failed_rows() const { return failed_rows_; }

 private:
  const Plan& plan_;
  bool keep_all_;
  analysis::Accumulator& statistics_;
  results::StudyResult& result_;
  long next_row_ = 0, failed_rows_ = 0;
};

std::string progress_text(const Collector& c, const Plan& plan, long first, Clock::time_point start) {
  const double rate = double(c.next_row() - first) / seconds_since(start);
  const double left = rate > 0 ? double(plan.rows() - c.next_row()) / rate : 0;
  return fmt::format("{} of {} {}  {:.3g} per second  {} left{}", c.next_row(), plan.rows(),
                     plan.groups > 0 ? "simulations" : "realizations", rate, duration_words(left),
                     c.failed_rows() > 0 ? fmt::format("  {} failed", c.failed_rows()) : "");
}

results::StudyResult empty_result(const RandomModel& random, const Study& study, results::Run nominal) {
  results::StudyResult r;
  r.nominal = std::move(nominal);
  for (const Quantity& q : random.quantities())
    for (const std::string& c : q.columns) r.columns.push_back({c, q.unit, law_words(q)});
  r.method = study.method;
  r.seed = study.seed;
  r.planned = study.samples;
  return r;
}

int run_study(const RunArguments& o, const std::string& command_line, const Model& model, const RandomModel& random) {
  const Study study = study_of(o, model, split_settings(o.model.overrides()).model);
  if (model.channels.empty())
    throw input::InputError(input::Position{}, "the model has no outputs: there is nothing to study").in_file(o.model.file);
  for (const std::string& note : random.notes()) fmt::print(stderr, "{}: note: {}\n", o.model.file, note);
  watch_interrupts();
  const std::string folder = o.out.empty() ? "out/" + stem(o.model.file) : o.out;
  results::create_folder(folder);

  AssemblyReport report;
  SimulateOptions nominal_options;
  nominal_options.poses = true;
  nominal_options.stop = &interrupted();
  const Trajectory<double> nominal = simulate_model(model, model.nominal, nominal_options, &report);
  if (interrupted()) return exit_code::interrupted;
  note_assembly(model, report);
  results::Provenance provenance = provenance_of(model, o.model, command_line);
  provenance.settings["keep"] = study.keep_all ? "all" : "statistics";

  const Plan plan{study.samples, study.shares ? int(random.groups().size()) : 0};
  results::StudyResult result = empty_result(random, study, as_run(model, nominal));
  analysis::Accumulator statistics(questions_of(model, study, random.groups(), result.nominal));
  Collector collector(plan, study.keep_all, statistics, result);
  using Start = results::StudyStore::Start;
  results::StudyStore store(
      folder, identity_of(model, study, o.model), study.keep_all,
      o.resume      ? Start::resume
      : o.overwrite ? Start::overwrite
                    : Start::fresh,
      {.replay =
           [&](results::JournalRecord&& r) {
             if (study.keep_all)
               collector.take(long(r.row), r.ok, r.why, r.sample, r.values, r.poses);
             else
               collector.restore_failure(r);
           },
       .restore = [&](long next, std::span<const double> state) { collector.restore(next, state); },
       .progress_words =
           [&](long rows) { return fmt::format("{} of {} realizations", rows / plan.per_realization(), study.samples); }});

  const long first = collector.next_row();
  if (o.overwrite) remove_partial(folder);
  if (o.resume && first == 0) fmt::print(stderr, "{}: note: there is nothing to resume in {}; starting\n", o.model.file, folder);
  if (first > 0) fmt::print(stderr, "going on after {} of {} realizations\n", result.done, study.samples);
  const auto start = Clock::now();
  {
    ProgressLine progress;
    EnsembleOptions options;
    options.threads = int(o.threads);
    options.first_row = first;
    options.poses_of = motions_kept;
    options.stop = &interrupted();
    run_ensemble(model, random, plan, study.seed, options, [&](Realized&& r) {
      if (study.keep_all || !r.ok) store.append({r.row, r.ok, r.why, r.sample, r.values, r.poses});
      collector.take(r.row, r.ok, r.why, r.sample, r.values, r.poses);
      if (!study.keep_all && store.state_due() && collector.between_realizations())
        store.save_state(collector.next_row(), statistics.save());
      progress([&] { return progress_text(collector, plan, first, start); });
    });
  }
  const double seconds = seconds_since(start);
  const bool complete = collector.next_row() == plan.rows();
  if (!complete) {
    if (!study.keep_all && collector.between_realizations()) store.save_state(collector.next_row(), statistics.save());
    store.sync();
  }

  result.statistics = statistics.finish();
  if (study.keep_all) result.responses = statistics.responses();
  provenance.settings["seconds"] = fmt::format("{:.3g}", seconds);
  const std::string file = folder + (complete ? "/results.h5" : "/partial.h5");
  results::write_study(file, result, provenance);
  if (complete) {
    store.remove();
    remove_partial(folder);
  }
  print_summary({model, study, result, collector.next_row() - first, seconds, file});
  if (!complete) {
    fmt::print(stderr, "interrupted after {} of {} realizations; what was finished is in {}, and --resume continues\n",
               result.done, study.samples, file);
    return exit_code::interrupted;
  }
  if (result.statistics.realizations == 0) return exit_code::simulation_failed;
  return result.failures.empty() ? exit_code::done : exit_code::some_failed;
}

int run_command(const RunArguments& o, const std::string& command_line) {
  const Model model = o.model.load();
  const RandomModel random(model, o.model.overrides());
  if (!random.empty()) return run_study(o, command_line, model, random);
  for (const std::string& note : random.notes()) fmt::print(stderr, "{}: note: {}\n", o.model.file, note);
  fmt::print(stderr, "{}: nothing is uncertain; computing the nominal model\n", o.model.file);
  return simulate_command({o.model, o.out, ""}, command_line);
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  auto o = std::make_shared<RunArguments>();
  CLI::App* c = app.add_subcommand("run", "Compute the study: the distribution of the motion; writes results.h5");
  o->model.add_to(*c);
  c->add_option("--out", o->out, "Folder for the results (default out/NAME)")->type_name("DIR");
  c->add_option("--samples", o->samples, "Number of realizations")->check(CLI::PositiveNumber)->type_name("N");
  c->add_option("--seed", o->seed, "Seed of the random numbers")->check(CLI::NonNegativeNumber)->type_name("S");
  c->add_option("--threads", o->threads, "Number of threads (default all)")->check(CLI::PositiveNumber)->type_name("N");
  c->add_option("--method", o->method, "Where to sample")->check(CLI::IsMember({"monte-carlo"}))->type_name("M");
  c->add_flag("--shares", o->shares, "Also compute the shares of the variance by cause");
  c->add_flag("--no-report", o->no_report, "Write results.h5 alone");
  auto* resume = c->add_flag("--resume", o->resume, "Continue an unfinished run");
  c->add_flag("--overwrite", o->overwrite, "Start again, dropping an unfinished run")->excludes(resume);
  c->callback([o, &action] { action.run = [o, &action] { return run_command(*o, action.command_line); }; });
}

}  // namespace aleator::app
