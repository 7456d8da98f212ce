#include "study_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <thread>

#include "analysis/correlations.hpp"
#include "base/atomic_file.hpp"
#include "failure_policy.hpp"
#include "nominal.hpp"
#include "profile.hpp"
#include "progress_line.hpp"
#include "results/part.hpp"
#include "results/read.hpp"
#include "results/write.hpp"
#include "study_laws.hpp"
#include "study_summary.hpp"

namespace aleator::core::app {
namespace {

constexpr long motions_kept = 16;      // realizations whose poses are kept for drawing
constexpr long before_statistics = 2;  // numbers of a saved state: how far to go, and whether that is enough

// Everything that determines the numbers of a study, beside the model's text: what is in force, whoever asked for it.
std::vector<RunRecord::Entry> settings_in_force(const Model& m, const Study& s, const RunArguments& o) {
  std::vector<RunRecord::Entry> out = {{"method", s.method},
                                       {"seed", std::to_string(s.seed)},
                                       {"samples", std::to_string(s.samples)},
                                       {"confidence", fmt::format("{:.17g}", s.confidence)},
                                       {"keep", s.keep_all ? "all" : "statistics"},
                                       {"shares", s.shares ? "yes" : "no"},
                                       {"accuracy", fmt::format("{:.17g}", s.accuracy)},
                                       {"integrator", m.settings.integrator},
                                       {"step", fmt::format("{:.17g}", m.settings.step)},
                                       {"instruction set", name(isa_of(o.isa))}};
  if (s.on_failure == "skip") out.emplace_back("smaller steps", "no");  // all else about failures changes no numbers
  for (const long n : s.stages) out.emplace_back("stage", std::to_string(n));
  for (const std::string& set : o.model.settings) out.emplace_back("set", set);
  return out;
}

std::string progress_text(const Collector& c, const Plan& plan, long target, long first, Clock::time_point start) {
  const double rate = double(c.next_row() - first) / seconds_since(start);
  const double left = rate > 0 ? std::ceil(double(target - c.next_row()) / rate) : 0;
  return fmt::format("{} of {} {}  {:.3g} per second  {} left{}", c.next_row() - c.first_row(), target - c.first_row(),
                     plan.groups > 0 ? "simulations" : "realizations", rate, duration_words(left),
                     c.failed_rows() > 0 ? fmt::format("  {} failed", c.failed_rows()) : "");
}

// Writes what there is while a long run goes on, so that also a killed one leaves something that opens; seldom enough to take
// no more than a twentieth of the time.
class Snapshots {
 public:
  template <class Write>
  void operator()(Write&& write) {
    if (seconds_since(last_) < pause_) return;
    const auto start = Clock::now();
    write();
    pause_ = std::max(shortest_, 20 * seconds_since(start));
    last_ = Clock::now();
  }

 private:
  Clock::time_point last_ = Clock::now();
  double shortest_ = std::chrono::duration<double>(results::save_every()).count(), pause_ = shortest_;
};

// A state of statistics that somebody else may have written.
template <class Read>
void read_state(const std::string& file, Read&& read) {
  try {
    read();
  } catch (const analysis::DamagedState& e) {
    throw results::ReadError(file, e.what());
  }
}

// What rows that do not follow the random law say about it: nothing.
void blank(results::StudyStatistics& s) {
  for (results::ChannelStatistics& c : s.channels) {
    const std::vector<double> unknown(c.nominal.size(), std::numeric_limits<double>::quiet_NaN());
    c.mean = c.std = c.lower = c.upper = c.minimum = c.maximum = unknown;
    c.mean_error = c.std_error = c.lower_error = c.upper_error = unknown;
    c.accuracy = {};
    c.with_missing = {};
  }
  s.limits.clear();
  s.scalars.clear();
  s.convergence = {};
}

}  // namespace

std::vector<long> stages_of_unfinished(const std::string& folder) {
  std::error_code ignored;
  if (!std::filesystem::exists(results::StudyStore::file_in(folder), ignored)) return {};
  std::vector<long> stages;
  try {
    for (const auto& [key, value] : read_record(results::StudyStore::progress_in(folder).identity).settings)
      if (key == "stage") stages.push_back(std::atol(value.c_str()));
  } catch (const results::ReadError&) {  // of another version: refused later
  }
  return stages;
}

RunRecord record_of(const RunArguments& o, const Task& task) {
  RunRecord r = record_of(o, task.model, settings_in_force(task.model, task.study, o));
  if (task.identification) r.arguments.emplace_back("identify", "yes");  // nothing to begin again from: the search is
  return r;
}

Isa isa_of(const std::string& name) { return name.empty() ? best_isa() : isa_named(name.c_str()); }

analysis::StatisticsRequest questions_of(const Model& m, const Study& study, const std::vector<std::string>& groups,
                                         const results::Run& nominal) {
  analysis::StatisticsRequest q;
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

int threads_of(const RunArguments& o) { return o.threads > 0 ? int(o.threads) : int(std::thread::hardware_concurrency()); }

results::Provenance study_provenance(const Task& task, const RunArguments& o, const std::string& command_line, bool keep_all) {
  results::Provenance p = provenance_of(task.model, o.model, command_line);
  p.settings["on failure"] = task.study.on_failure;
  if (task.study.failed_at_most < 1) p.settings["failed at most"] = fmt::format("{:.17g}", task.study.failed_at_most);
  p.settings["keep"] = keep_all ? "all" : "statistics";
  p.settings["threads"] = std::to_string(threads_of(o));
  p.settings["instruction set"] = name(isa_of(o.isa));
  return p;
}

results::StudyResult empty_result(const Task& task, results::Run nominal) {
  const RandomModel& random = task.random;
  const Study& study = task.study;
  results::StudyResult r;
  r.nominal = std::move(nominal);
  for (const Quantity& q : random.quantities())
    for (const std::string& c : q.columns) r.columns.push_back({c, q.unit, law_words(q)});
  for (const BeamField& f : random.fields()) r.fields.push_back(summary_of(f));
  r.laws = laws_of(task.model, random, study.seed);
  r.method = study.method;
  r.seed = study.seed;
  r.stages = study.stages;
  r.planned = study.samples;
  r.identification = task.identification;
  return r;
}

results::Run nominal_run(const Model& model) {
  AssemblyReport report;
  SimulateOptions options;
  options.poses = true;
  options.stop = &interrupted();
  const Trajectory<double> t = simulate_model(model, model.nominal, options, &report);
  note_assembly(model, report);
  return as_run(model, t);
}

StudyRun::StudyRun(const RunArguments& o, const std::string& command_line, const Task& task, Method& method,
                   std::optional<Earlier> earlier, RankSession* company)
    : o_(o),
      task_(task),
      method_(method),
      model_(task.model),
      study_(task.study),
      plan_(method.plan()),
      earlier_(std::move(earlier)),
      company_(company),
      folder_(o.folder()),
      record_(record_of(o, task)),
      keep_(task.study.keep_all || method.needs_responses()),
      provenance_(study_provenance(task, o, command_line, task.study.keep_all)),
      end_row_(o.part.end_row(method.plan())),
      target_(o.part.whole() ? method.first_rows() : end_row_) {
  create_folder(folder_);
}

void StudyRun::nominal() {
  result_ = empty_result(task_, nominal_run(model_));
  result_.planned = plan_.samples;
  result_.evidence = o_.remarks;
  result_.rows_follow_law = method_.samples_the_law();
}

void StudyRun::take(long row, bool ok, const std::string& why, const std::vector<double>& sample,
                    const std::vector<double>& values, const std::vector<double>& poses) {
  if (const DesignPoint p = plan_.point(row); p.source == DesignPoint::aside) {
    method_.take_aside(p, ok, values);
    return collector_->skip(row, ok);
  }
  collector_->take(row, ok, why, sample, values, poses);
  if (!ok) end_by_failures(own_samples());
}

void StudyRun::take_saved(const results::JournalRecord& r, const std::string& file) {
  if (!collector_->fits(r)) throw results::ReadError(file, fmt::format(row_of_another_study, r.row));
  if (!keep_) return r.ok ? collector_->restore_motion(r) : collector_->restore_failure(r);
  take(long(r.row), r.ok, r.why, r.sample, r.values, r.poses);
  look();
}

void StudyRun::end_by_failures(long of) {
  if (ended_) return;
  ended_by_ = ended_by_failures(study_, result_, of);
  ended_ = !ended_by_.empty();
}

void StudyRun::look() {
  while (!enough_ && collector_->next_row() == target_) {
    const long wanted = o_.part.whole() ? method_.enough(target_, *statistics_, result_) : target_;
    if (wanted <= target_) enough_ = true;
    if (enough_) end_by_failures(result_.done);  // fewer than were planned
    target_ = std::max(target_, wanted);
  }
}

void StudyRun::open() {
  analysis::StatisticsRequest questions = questions_of(model_, study_, task_.random.groups(), result_.nominal);
  questions.threads = int(o_.threads);
  questions.keep_all = keep_;
  questions.samples = plan_.samples;
  questions.first = o_.part.first_row(plan_) / plan_.per_realization();
  questions.replicates = plan_.replicates();
  statistics_ = std::make_unique<analysis::Accumulator>(std::move(questions));
  collector_ = std::make_unique<Collector>(plan_, keep_, task_.derived, *statistics_, result_);
  using Store = results::StudyStore;
  Store::Hooks hooks;
  const std::string journal = Store::file_in(folder_);
  hooks.replay = [&](results::JournalRecord&& r) { take_saved(r, journal); };
  hooks.restore = [&](long next, std::span<const double> state) {
    read_state(journal, [&] {
      analysis::StateReader from(state);
      target_ = long(from.count(double(end_row_)));
      enough_ = from.number() != 0;
      collector_->restore(next, state.subspan(before_statistics));
    });
    end_by_failures(enough_ ? result_.done : own_samples());
  };
  hooks.difference = [&](const std::string& there) { return difference_from(there, record_, o_.force); };
  hooks.progress_words = [&](long rows, const std::string& of) {
    if (difference_from(of, record_, false).empty())
      return fmt::format("{} of {} realizations", std::max(0L, rows - collector_->first_row()) / plan_.per_realization(),
                         own_samples());
    return fmt::format("{} simulations", rows);
  };
  const Store::Start start = o_.resume ? Store::Start::resume : o_.overwrite ? Store::Start::overwrite : Store::Start::fresh;
  store_ = std::make_unique<Store>(folder_, text_of(record_), keep_, start, hooks);
  first_row_ = collector_->next_row();
  if (o_.overwrite) remove_partial(folder_);
  if (first_row_ > collector_->first_row())
    fmt::print(stderr, "going on after {} of {} realizations\n", finished(), own_samples());
  else if (o_.resume)
    fmt::print(stderr, "{}: note: there is nothing to resume in {}; starting\n", o_.model.file, folder_);
  if (first_row_ == 0 && earlier_) take_earlier(*earlier_);
  earlier_.reset();
}

void StudyRun::take_earlier(const Earlier& earlier) {
  fmt::print(stderr, "{}: note: the {} realizations in {} are part of this study and serve again\n", o_.model.file,
             earlier.samples, earlier.file->path());
  replay(earlier, [&](results::JournalRecord&& r) {
    take_saved(r, earlier.file->path());
    store_->append(r);
  });
  first_row_ = collector_->next_row();
}

void StudyRun::simulate() {
  const auto start = Clock::now();
  ProgressLine progress;
  Snapshots snapshot;
  EnsembleOptions options;
  options.threads = int(o_.threads);
  options.poses_of = motions_kept;
  options.stop = &interrupted();
  options.enough = &ended_;
  options.smaller_steps = study_.on_failure != "skip";
  if (company_) company_->announce(task_);
  ensemble_ = std::make_unique<const Ensemble>(model_, task_.random, plan_, study_.seed, isa_of(o_.isa));
  if (o_.profile) options.profile = &profile_;
  std::unique_ptr<RankScheduler> crew;
  if (company_)
    crew = company_->crew(*ensemble_, plan_, identity_of_realizations(model_, study_, o_.model.settings, name(isa_of(o_.isa))));
  while (!enough_ && collector_->next_row() < end_row_ && !interrupted() && !ended_) {
    options.first_row = collector_->next_row();
    options.end_row = target_;
    const auto deliver = [&](SimulatedRow&& r) {
      if (ended_) return;  // it was under way
      if (!r.ok) r.values = {r.failed_at};
      if (keep_ || !r.ok || !r.poses.empty()) store_->append(r.row, r.ok, r.why, r.sample, r.values, r.poses);
      take(r.row, r.ok, r.why, r.sample, r.values, r.poses);
      if (!keep_ && store_->state_due()) save_state();
      snapshot([&] { write_partial(); });
      progress([&] {
        store_->flush();  // what is said to be finished is in the hands of the system
        return progress_text(*collector_, plan_, target_, first_row_, start);
      });
    };
    crew ? crew->run(options, deliver) : ensemble_->run(options, deliver);
    look();
  }
  if (company_) company_->dismiss(std::move(crew));
  seconds_ = seconds_since(start);
}

void StudyRun::merge() {
  store_->remove();  // there is nothing to go on with but the parts
  const auto start = Clock::now();
  double seconds = 0;
  ProgressLine progress;
  for (size_t i = 0; i < o_.parts.size() && !interrupted(); ++i) {
    progress([&] { return fmt::format("part {} of {}", i + 1, o_.parts.size()); });
    const results::PartFile part = results::read_part(o_.parts[i]);
    if (part.header.first_row != collector_->next_row())
      throw results::ReadError(o_.parts[i], "it does not begin where the part before it ends");
    seconds += part.header.seconds;
    for (const results::JournalRecord& r : part.rows) take_saved(r, o_.parts[i]);
    if (!keep_) read_state(o_.parts[i], [&] { collector_->append(part.header.end_row, part.state); });
    if (collector_->next_row() != part.header.end_row) throw results::ReadError(o_.parts[i], "some of its rows are missing");
    look();
  }
  provenance_.settings["parts"] = std::to_string(o_.parts.size());
  provenance_.settings["seconds of the parts"] = fmt::format("{:.4g}", seconds);
  seconds_ = seconds_since(start);
}

bool StudyRun::conclude() {
  result_.statistics = statistics_->finish();
  if (!method_.samples_the_law()) blank(result_.statistics);
  if (result_.failures.size() == size_t(result_.done)) return true;  // there is nothing to conclude from
  if (method_.samples_the_law() && study_.keep_all && !study_.shares) {
    result_.responses = statistics_->responses();
    result_.correlations = analysis::correlations(result_);
  }
  try {
    method_.conclude(statistics_->questions(), *statistics_, result_);
  } catch (const NotPossible& e) {
    fmt::print(stderr, "{}: {}: {}\n", o_.model.file, study_.method, e.what());
    result_.evidence.push_back(fmt::format("{}: {}", study_.method, e.what()));
    blank(result_.statistics);
    return false;
  }
  return true;
}

// A part knows nothing of the others, and concludes nothing.
int StudyRun::finish_part() {
  const bool complete = collector_->next_row() == end_row_ && !ended_;
  if (!keep_) save_state();
  store_->sync();
  const std::string words = fmt::format("part {} of {} ({} realizations)", o_.part.number, o_.part.of, own_samples());
  if (ended_) {
    fmt::print(stderr, "{}: {}: stopped: {}\n", o_.model.file, words, ended_by_);
    return exit_code::simulation_failed;
  }
  if (!complete) {
    fmt::print(stderr, "{}: {}: interrupted after {} of them; --resume continues\n", o_.model.file, words, finished());
    return exit_code::interrupted;
  }
  results::PartFile part;
  part.header = {text_of(record_), o_.part.number, o_.part.of, collector_->first_row(), end_row_, seconds_, provenance_.host};
  results::Journal::read(results::StudyStore::file_in(folder_), [&](results::JournalRecord&& r) {
    if (r.row >= 0)
      part.rows.push_back(std::move(r));
    else
      part.state.assign(r.values.begin() + before_statistics, r.values.end());
  });
  results::write_part(o_.results(), part);
  store_->remove();
  std::error_code ignored;
  std::filesystem::remove(folder_, ignored);
  fmt::print("{}: {} in {}\nwrote {}\n", model_.title.empty() ? o_.model.file : model_.title, words, duration_words(seconds_),
             o_.results());
  if (result_.failures.empty()) return exit_code::done;
  fmt::print(stderr, "{} of them failed\n", result_.failures.size());
  return exit_code::some_failed;
}

int StudyRun::finish() {
  if (!o_.part.whole()) return finish_part();
  const bool complete = (enough_ || collector_->next_row() == plan_.rows()) && !ended_;
  if (!complete && !ended_ && !o_.parts.empty()) {
    fmt::print(stderr, "interrupted: nothing was written, and the parts are as they were\n");
    return exit_code::interrupted;
  }
  bool concluded = true;
  const std::string file = complete ? o_.results() : partial();
  const auto start = Clock::now();
  if (complete) {
    result_.planned = result_.done;
    std::erase_if(result_.stages, [&](long n) { return n >= result_.done; });  // it may have stopped before the last
    concluded = conclude();
    if (method_.extends() && study_.keep_all && !study_.shares)
      result_.identity = identity_of_realizations(model_, study_, o_.model.settings, name(isa_of(o_.isa)));
    if (study_.accuracy > 0 && collector_->next_row() == plan_.rows() && concluded && !reached(study_, result_.statistics).enough)
      result_.evidence.push_back(
          fmt::format("the accuracy is not reached with the {} realizations that `samples` allows", plan_.samples));
    write(file);
    remove_partial(folder_);  // before the journal: without one it would be taken for the latest
    store_->remove();
  } else {
    write_partial();
  }
  const double writing = seconds_since(start);
  print_summary({model_, study_, result_, result_.done, collector_->next_row() - first_row_, seconds_, file});
  if (o_.profile) print_profile(*ensemble_, profile_, {seconds_, writing, threads_of(o_)});
  if (ended_) {
    fmt::print(stderr, "{}: stopped: {}\n{}\n", o_.model.file, ended_by_, after_failures(study_, result_, folder_));
    return exit_code::simulation_failed;
  }
  if (!complete) {
    fmt::print(stderr, "interrupted after {} of {} realizations; what was finished is in {}, and --resume continues\n",
               finished(), plan_.samples, file);
    return exit_code::interrupted;
  }
  if (!concluded || result_.failures.size() == size_t(result_.done)) return exit_code::simulation_failed;
  return result_.failures.empty() ? exit_code::done : exit_code::some_failed;
}

void StudyRun::write_partial() {
  if (!keep_) save_state();
  store_->sync();  // what it shows can be gone on from
  if (!o_.part.whole()) return;
  result_.statistics = statistics_->finish();
  if (!method_.samples_the_law()) blank(result_.statistics);
  write(partial());
}

void StudyRun::write(const std::string& file) {
  const std::vector<double> inputs = study_.keep_all ? std::vector<double>() : std::move(result_.inputs);
  if (study_.keep_all) result_.responses = statistics_->responses();
  provenance_.settings["seconds"] = fmt::format("{:.3g}", seconds_);
  create_folder(folder_);  // it may have been removed meanwhile
  results::write_study(file, result_, provenance_);
  if (!study_.keep_all) result_.inputs = inputs;
}

void StudyRun::save_state() {
  std::vector<double> state = {double(target_), enough_ ? 1.0 : 0.0};
  const std::vector<double> sums = statistics_->save();
  state.insert(state.end(), sums.begin(), sums.end());
  store_->save_state(collector_->next_row(), std::move(state));
}

}  // namespace aleator::core::app
