#include "study/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <thread>

#include "analysis/correlations.hpp"
#include "base/atomic_file.hpp"
#include "base/cancellation.hpp"
#include "base/folder_lock.hpp"
#include "base/words.hpp"
#include "ensemble/choose_for_study.hpp"
#include "results/part.hpp"
#include "results/read.hpp"
#include "results/version.hpp"
#include "results/write.hpp"
#include "study/failure_policy.hpp"
#include "study/law_words.hpp"
#include "study/study_laws.hpp"

namespace aleator::core {
namespace {

constexpr long motions_kept = 16;      // realizations whose poses are kept for drawing
constexpr long before_statistics = 4;  // numbers of a saved state: how far to go, whether that is enough, limit and pace
constexpr char row_of_another_study[] = "it is damaged: row {} does not fit the study";

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

bool is_there(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
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

// Five times a second at most.
class Seldom {
 public:
  bool operator()() {
    const auto now = Clock::now();
    if (now - last_ < std::chrono::milliseconds(200)) return false;
    last_ = now;
    return true;
  }

 private:
  Clock::time_point last_ = Clock::now();
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

void remove_partial(const std::string& folder) {
  std::error_code ignored;
  if (std::filesystem::remove(folder + "/partial.h5", ignored)) sync_folder_of(folder + "/partial.h5");
}

// Sizes that the Latin hypercube of the unfinished study in a folder had before it was extended; none where there is none.
std::vector<long> stages_of_unfinished(const std::string& folder) {
  if (!is_there(results::StudyStore::file_in(folder))) return {};
  try {
    return study_of(read_record(results::StudyStore::progress_in(folder).identity)).stages;
  } catch (const ReadError&) {  // of another version: refused later
    return {};
  }
}

results::StudyResult empty_result(const Task& task, results::Run nominal,
                                  std::shared_ptr<const results::Identification> identification) {
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
  r.identification = std::move(identification);
  return r;
}

results::Provenance study_provenance(const StudyRequest& q, const Model& model, const Study& study) {
  results::Provenance p = provenance_of(model, q.model->settings, q.options.command_line, q.options.on_note);
  p.settings["on failure"] = study.on_failure;
  if (study.failed_at_most < 1) p.settings["failed at most"] = fmt::format("{:.17g}", study.failed_at_most);
  p.settings["keep"] = study.keep_all ? "all" : "statistics";
  p.settings["threads"] = std::to_string(q.threads());
  p.settings["instruction set"] = name(q.isa());
  return p;
}

// --- the steps ---

class Session {
 public:
  Session(const StudyRequest& request, const Task& task, Method& method, std::optional<Earlier> earlier)
      : q_(request),
        task_(task),
        method_(method),
        model_(task.model),
        study_(task.study),
        plan_(method.plan()),
        earlier_(std::move(earlier)),
        folder_(request.folder()),
        record_(record_of(request, task.model, task.study)),
        keep_(task.study.keep_all || method.needs_responses()),
        data_(std::make_shared<StudyData>()),
        result_(data_->result),
        end_row_(request.part.end_row(plan_)) {
    target_ = request.part.whole() ? method.first_rows() : end_row_;
    goals_ = accuracy_goals(study_, model_);
    data_->study = task.study;
    data_->provenance = study_provenance(request, model_, study_);
    if (!q_.in_memory()) create_folder(folder_);
  }

  SessionResult run() {
    const Trajectory nominal = simulate_nominal(model_, q_.stop, q_.options.on_note);
    if (q_.stopped()) return {.outcome = Outcome::interrupted, .planned = own_samples()};
    begin(as_run(model_, nominal));
    open();
    make_design();
    try {
      {
        const CancellationScope scope(nullptr);  // a stop ends the simulation, and is looked at below
        q_.parts.empty() ? simulate() : merge();
      }
      return finish();
    } catch (const WriteError& e) {
      if (q_.in_memory() || !store_ || !store_->is_there()) throw;  // there is nothing to go on with
      throw WriteError(
          e.path(), e.reason() + fmt::format("; what was finished before is kept, and `aleator resume {}` continues", folder_));
    }
  }

 private:
  void begin(results::Run nominal) {
    result_ = empty_result(task_, std::move(nominal), q_.identification);
    result_.planned = plan_.samples;
    result_.evidence = q_.options.remarks;
    result_.rows_follow_law = method_.samples_the_law();
    analysis::StatisticsRequest wanted = questions_of(model_, study_, task_.random.groups(), result_.nominal);
    wanted.threads = q_.options.threads;
    wanted.keep_all = keep_;
    wanted.samples = plan_.samples;
    wanted.first = q_.part.first_row(plan_) / plan_.per_realization();
    wanted.replicates = plan_.replicates();
    statistics_ = std::make_shared<analysis::Accumulator>(std::move(wanted));
    data_->statistics = statistics_;
    collector_ = std::make_unique<Collector>(plan_, keep_, task_.derived, *statistics_, result_);
  }

  // Begins, or goes on where an earlier run ended.
  void open() {
    if (!q_.in_memory()) open_store();
    first_row_ = collector_->next_row();
    if (q_.options.overwrite && !q_.in_memory()) remove_partial(folder_);
    if (first_row_ > collector_->first_row())
      note(plan_.blocks ? fmt::format("continuing after {} simulations", first_row_)
                        : fmt::format("continuing after {} of {} realizations", finished(), own_samples()));
    else if (q_.options.resume)
      note(fmt::format("{}: note: there is nothing to resume in {}; starting", q_.model->file, folder_));
    if (first_row_ == 0 && earlier_) take_earlier(*earlier_);
    earlier_.reset();
  }

  // A Latin hypercube is made as a whole when it is first asked: here, where a stop is heard.
  void make_design() const {
    if (!plan_.design || !q_.parts.empty()) return;
    for (int v = 0; v < int(task_.random.variables().size()); ++v)
      for (int copy = 0; copy < (plan_.groups > 0 ? 2 : 1); ++copy) plan_.design->at(v, copy, 0, 0.5);
  }

  void open_store() {
    using Store = results::StudyStore;
    Store::Hooks hooks;
    const std::string journal = Store::file_in(folder_);
    hooks.replay = [&](results::JournalRecord&& r) { take_saved(r, journal); };
    hooks.restore = [&](long next, std::span<const double> state) {
      read_state(journal, [&] {
        analysis::StateReader from(state);
        target_ = long(from.count(double(end_row_)));
        enough_ = from.number() != 0;
        const double limit = from.number(), pace = from.number();
        if (limit > 0) take_limit(limit, pace);
        collector_->restore(next, state.subspan(before_statistics));
      });
      end_by_failures(enough_ ? result_.done : own_samples());
    };
    hooks.difference = [&](const std::string& there) { return difference_from(there, record_, q_.options.force); };
    hooks.progress_words = [&](long rows, const std::string& of) {
      if (!plan_.blocks && difference_from(of, record_, false).empty())
        return fmt::format("{} of {} realizations", std::max(0L, rows - collector_->first_row()) / plan_.per_realization(),
                           own_samples());
      return fmt::format("{} simulations", rows);
    };
    const Store::Start start = q_.options.resume      ? Store::Start::resume
                               : q_.options.overwrite ? Store::Start::overwrite
                                                      : Store::Start::fresh;
    store_ = std::make_unique<Store>(folder_, text_of(record_), keep_, start, hooks);
    look();
  }

  void take(long row, bool ok, const std::string& why, const std::vector<double>& sample, const std::vector<double>& values,
            const std::vector<double>& poses) {
    if (plan_.point(row).source == DesignPoint::aside) {
      method_.take_aside(row, ok, why, values);
      if (!ok) end_by_failures_aside();
      return collector_->skip(row, ok);
    }
    collector_->take(row, ok, why, sample, values, poses);
    if (!ok) end_by_failures(own_samples());
  }

  void take_saved(const results::JournalRecord& r, const std::string& file) {
    if (r.row == results::StudyStore::limit_row) {
      if (r.values.size() != 2 || !(r.values[0] > 0 && r.values[0] < 9e15))
        throw ReadError(file, "it is damaged: its limit is none");
      return take_limit(r.values[0], r.values[1]);
    }
    look();  // with the limit that may have come before this row
    if (!collector_->fits(r)) throw ReadError(file, fmt::format(row_of_another_study, r.row));
    if (!keep_) return r.ok ? collector_->restore_motion(r) : collector_->restore_failure(r);
    take(long(r.row), r.ok, r.why, r.sample, r.values, r.poses);
  }

  void end_by_failures(long of) {
    if (ended_) return;
    ended_by_ = ended_by_failures(study_, result_, of);
    ended_ = !ended_by_.empty();
  }
  // Of rows that serve the method alone.
  void end_by_failures_aside() {
    const Method::AsideFailures failures = method_.aside_failures();
    if (ended_ || failures.failed == 0) return;
    if (study_.on_failure == "stop")
      ended_by_ = "a realization failed: " + failures.why;
    else if (enough_ && double(failures.failed) > study_.failed_at_most * double(failures.of))
      ended_by_ = fmt::format("{} of {} simulations failed, more than {:.3g} %; the first: {}", failures.failed, failures.of,
                              100 * study_.failed_at_most, failures.why);
    ended_ = !ended_by_.empty();
  }

  // Whether there is enough.
  void look() {
    while (!enough_ && collector_->next_row() == target_) {
      if (limit_ == 0 && measured_rows_ > 0) find_limit();
      const long wanted = q_.part.whole() ? method_.enough(target_, *statistics_, result_) : target_;
      if (wanted <= target_) enough_ = true;
      if (enough_) end_by_failures(result_.done);  // fewer than were planned
      if (enough_) end_by_failures_aside();
      target_ = std::max(target_, wanted);
      if (!enough_) tell_forecast();
    }
  }

  // --- what a study may cost whose size is open ---
  // Decisions rest on realizations alone; a time does not. So it becomes a number of rows at one moment, which is recorded: whoever
  // goes on with the journal, on whatever machine, stops at the same row.

  void find_limit() {
    if (!(study_.accuracy > 0 || method_kind(study_.method).decides_size) || plan_.blocks || !q_.part.whole()) return;
    const double elapsed = seconds_since(measured_since_), pace = elapsed / double(measured_rows_);
    const double here = double(collector_->next_row()), round = 64.0 * plan_.per_realization();
    double rows = here + std::max(0.0, study_.budget_seconds - elapsed) / pace;
    if (keep_) rows = std::min(rows, study_.budget_bytes / memory_per_row());
    take_limit(std::clamp(std::floor(rows / round) * round, here, 1e15), pace);
    if (store_ && keep_)
      store_->append({.row = results::StudyStore::limit_row,
                      .ok = true,
                      .why = "",
                      .sample = {},
                      .values = {double(limit_), pace_},
                      .poses = {}});
  }
  void take_limit(double rows, double pace) {
    limit_ = long(rows);
    pace_ = pace;
    method_.limit(limit_);
  }
  // Once more while the file is written.
  double memory_per_row() const { return (study_.keep_all ? 2 : 1) * bytes_per_row(); }
  double bytes_per_row() const { return 8.0 * double(result_.nominal.values.size() + result_.columns.size()); }

  // "about 12000 realizations: 4 min, 1.2 GB of memory and of disk"
  std::string cost_words(double realizations) const {
    const double rows = realizations * plan_.per_realization();
    std::string words = fmt::format("about {:.0f} realizations: {}", realizations, duration_words(pace_ * rows));
    if (keep_) words += fmt::format(", {:.2g} GB of memory", 1e-9 * rows * memory_per_row());
    if (study_.keep_all) words += fmt::format(", a file of {:.2g} GB", 1e-9 * rows * bytes_per_row());
    return words;
  }
  std::string budget_words() const {
    return fmt::format("{}, {:.3g} GB", duration_words(study_.budget_seconds), 1e-9 * study_.budget_bytes);
  }
  std::string demand_words(const Reached& r) const {
    return fmt::format("output '{}' has a standard error of {:.2g} %, {:.2g} % takes {}", model_.channels[r.channel].name,
                       100 * r.error, 100 * goals_[r.channel], cost_words(r.wanted_samples));
  }

  // Once, when more realizations of the sample are asked for.
  void tell_forecast() {
    if (forecast_told_ || limit_ == 0 || !(study_.accuracy > 0) || plan_.blocks) return;
    if (plan_.point(collector_->next_row()).source == DesignPoint::aside) return;
    forecast_told_ = true;
    const Reached r = reached(study_, goals_, statistics_->moments());
    const double rows = r.wanted_samples * plan_.per_realization();
    const bool beyond = rows > double(limit_);
    if (!beyond && pace_ * rows < 10) return;
    note(fmt::format("{}: note: after {} realizations {}{}", q_.model->file, result_.done, demand_words(r),
                     beyond ? fmt::format("; the budget ({}) allows {} realizations, --budget changes it", budget_words(),
                                          limit_ / plan_.per_realization())
                            : ""));
  }

  // Why the accuracy was not reached; empty where it was.
  std::string shortfall() const {
    const bool all = collector_->next_row() >= plan_.rows(), limited = limit_ > 0 && limit_ < plan_.rows();
    if (!(study_.accuracy > 0) || plan_.blocks || !(all || limited)) return "";
    const Reached r = reached(study_, goals_, result_.statistics);
    if (r.enough) return "";
    if (all) return fmt::format("the accuracy is not reached with the {} realizations that `samples` allows", plan_.samples);
    return fmt::format("the study ended at its budget ({}) after {} realizations: {}", budget_words(), result_.done,
                       demand_words(r));
  }

  // Realizations of a smaller study.
  void take_earlier(const Earlier& earlier) {
    note(fmt::format("{}: note: the {} realizations in {} are part of this study and are reused", q_.model->file, earlier.samples,
                     earlier.file->path()));
    replay(earlier, [&](results::JournalRecord&& r) {
      take_saved(r, earlier.file->path());
      if (store_) store_->append(r);
    });
    look();
    first_row_ = collector_->next_row();
  }

  // Until the method has enough.
  void simulate() {
    const auto start = Clock::now();
    Snapshots snapshot;
    Seldom seldom;
    EnsembleOptions options;
    options.threads = q_.options.threads;
    options.poses_of = motions_kept;
    options.stop = q_.stop;
    options.enough = &ended_;
    options.smaller_steps = study_.on_failure != "skip";
    if (q_.options.profile) options.profile = &data_->profile.ensemble;
    RankSession* const ranks = q_.ranks && q_.ranks->several() ? q_.ranks : nullptr;
    if (ranks) ranks->announce(record_, q_.options.threads);
    std::vector<ModelVariant> models = method_.models();
    if (models.empty()) models = {{&model_, &task_.random}};
    const Ensemble ensemble(std::move(models), plan_, study_.seed, q_.isa());
    measured_since_ = Clock::now();
    std::unique_ptr<RankScheduler> scheduler;
    if (ranks)
      scheduler = ranks->scheduler(ensemble, plan_, identity_of_realizations(model_, study_, q_.model->settings, name(q_.isa())),
                                   q_.options.threads);
    while (!enough_ && collector_->next_row() < end_row_ && !q_.stopped() && !ended_) {
      options.first_row = collector_->next_row();
      options.end_row = target_;
      const auto deliver = [&](SimulatedRow&& r) {
        if (ended_) return;  // it was under way
        ++measured_rows_;
        if (!r.ok) r.values = {r.failed_at};
        if (store_ && (keep_ || !r.ok || !r.poses.empty())) store_->append(r.row, r.ok, r.why, r.sample, r.values, r.poses);
        take(r.row, r.ok, r.why, r.sample, r.values, r.poses);
        if (!store_) return report_progress(seldom, start);
        if (!keep_ && store_->state_due()) ensure_folder(), save_state();
        snapshot([&] { write_partial(); });
        report_progress(seldom, start);
      };
      scheduler ? scheduler->run(options, deliver) : ensemble.run(options, deliver);
      try {
        const CancellationScope scope(q_.stop);
        look();
      } catch (const Cancelled&) {
        break;
      }
    }
    if (ranks) ranks->dismiss(std::move(scheduler), q_.options.on_note);
    seconds_ = seconds_since(start);
    data_->profile.isa = ensemble.isa();
    data_->profile.lanes = ensemble.lanes();
    data_->profile.threads = q_.threads();
    data_->profile.simulating = seconds_;
  }

  void report_progress(Seldom& seldom, Clock::time_point start) {
    if (!q_.options.on_progress || !seldom()) return;
    if (store_) store_->flush();  // what is said to be finished is in the hands of the system
    const double rate = double(collector_->next_row() - first_row_) / seconds_since(start);
    const std::string phase = method_.phase(collector_->next_row() - 1);
    q_.options.on_progress({.phase = !phase.empty()     ? phase + ", simulations"
                                     : plan_.groups > 0 ? "simulations"
                                                        : "realizations",
                            .done = collector_->next_row() - collector_->first_row(),
                            .planned = target_ - collector_->first_row(),
                            .failed = collector_->failed_rows(),
                            .per_second = rate,
                            .seconds_left = rate > 0 ? std::ceil(double(target_ - collector_->next_row()) / rate) : 0});
  }

  // What comes after the last realization.
  void report_phase(const char* what) {
    if (q_.options.on_progress)
      q_.options.on_progress({.phase = fmt::format("realizations, {}", what), .done = result_.done, .planned = result_.done});
  }

  // Instead of simulating: takes the realizations from files.
  void merge() {
    if (store_) store_->remove();  // there is nothing to go on with but the parts
    merged_ = true;
    const auto start = Clock::now();
    double seconds = 0;
    Seldom seldom;
    for (size_t i = 0; i < q_.parts.size() && !q_.stopped(); ++i) {
      if (q_.options.on_progress && seldom())
        q_.options.on_progress({.phase = "parts", .done = long(i), .planned = long(q_.parts.size())});
      const std::string& file = q_.parts[i];
      const results::PartFile part = results::read_part(file);
      if (part.header.first_row != collector_->next_row())
        throw ReadError(file, "it does not begin where the part before it ends");
      seconds += part.header.seconds;
      for (const results::JournalRecord& r : part.rows) take_saved(r, file);
      if (!keep_) read_state(file, [&] { collector_->append(part.header.end_row, part.state); });
      if (collector_->next_row() != part.header.end_row) throw ReadError(file, "some of its rows are missing");
      look();
    }
    data_->provenance.settings["parts"] = std::to_string(q_.parts.size());
    data_->provenance.settings["seconds of the parts"] = fmt::format("{:.4g}", seconds);
    seconds_ = seconds_since(start);
  }

  // False: the method could not.
  bool conclude() {
    result_.statistics = statistics_->finish();
    if (!method_.samples_the_law()) blank(result_.statistics);
    if (result_.failures.size() == size_t(result_.done)) return true;  // there is nothing to conclude from
    if (method_.samples_the_law() && study_.keep_all && !study_.sensitivity) {
      result_.responses = statistics_->responses();
      result_.correlations = analysis::correlations(result_);
    }
    try {
      method_.conclude(statistics_->questions(), *statistics_, result_);
    } catch (const NotPossible& e) {
      note(fmt::format("{}: {}: {}", q_.model->file, study_.method, e.what()));
      result_.evidence.push_back(fmt::format("{}: {}", study_.method, e.what()));
      blank(result_.statistics);
      return false;
    }
    if (method_.extends() && study_.keep_all && !study_.sensitivity)
      result_.identity = identity_of_realizations(model_, study_, q_.model->settings, name(q_.isa()));
    if (const std::string why = shortfall(); !why.empty()) {
      result_.evidence.push_back(why);
      if (limit_ < plan_.rows()) note(fmt::format("{}: note: {}", q_.model->file, why));
    }
    return true;
  }

  SessionResult finish() {
    SessionResult out;
    out.seconds = seconds_;
    out.simulated = collector_->next_row() - first_row_;
    out.failed = long(result_.failures.size()) + method_.aside_failures().failed;
    out.data = data_;
    const bool complete = (enough_ || collector_->next_row() == end_row_) && !ended_;
    out.outcome = ended_ ? Outcome::stopped : complete ? Outcome::complete : Outcome::interrupted;
    out.reason = ended_by_;
    out.fixed_size = plan_.samples != study_.samples && !plan_.blocks;
    out.planned = own_samples();
    out.finished = finished();
    if (!q_.part.whole()) return finish_part(std::move(out));
    if (!complete && !ended_ && !q_.parts.empty()) return out;  // nothing was written, and the parts are as they were
    const auto start = Clock::now();
    if (complete) {
      complete_results(out);
    } else {
      const CancellationScope scope(nullptr);  // what there is so far
      write_partial();
    }
    if (out.outcome != Outcome::complete && !q_.in_memory() && is_there(partial())) out.file = partial();
    data_->profile.writing = seconds_since(start);
    if (study_.keep_all) result_.responses = statistics_->responses();
    return out;
  }

  // Statistics, what the method makes of them, the file. A stop leaves the journal, from which all of this follows again.
  void complete_results(SessionResult& out) {
    const long planned = result_.planned;
    const std::vector<long> stages = result_.stages;
    const std::vector<std::string> evidence = result_.evidence;
    result_.planned = result_.done;
    std::erase_if(result_.stages, [&](long n) { return n >= result_.done; });  // it may have stopped before the last
    report_phase("computing statistics");
    try {
      out.concluded = conclude() && result_.failures.size() < size_t(result_.done);
      throw_if_cancelled();
      if (!q_.in_memory()) {
        report_phase("writing the results");
        write(q_.results());
        out.file = q_.results();
      }
    } catch (const Cancelled&) {
      if (store_) ensure_folder(), store_->sync();
      out.outcome = Outcome::interrupted;
      result_.planned = planned, result_.stages = stages, result_.evidence = evidence;
      return;
    }
    if (!out.concluded && out.reason.empty())
      out.reason = result_.failures.size() == size_t(result_.done) ? "all realizations failed" : result_.evidence.back();
    if (q_.in_memory()) return;
    remove_partial(folder_);  // before the journal: without one it would be taken for the latest
    store_->remove();
  }

  // A part knows nothing of the others, and concludes nothing.
  SessionResult finish_part(SessionResult out) {
    if (q_.in_memory()) return out;
    ensure_folder();
    if (!keep_) save_state();
    store_->sync();
    if (out.outcome != Outcome::complete) return out;
    results::PartFile part;
    part.header = {text_of(record_), q_.part.number,        q_.part.of, collector_->first_row(), end_row_,
                   seconds_,         data_->provenance.host};
    results::Journal::read(results::StudyStore::file_in(folder_), [&](results::JournalRecord&& r) {
      if (r.row >= 0)
        part.rows.push_back(std::move(r));
      else
        part.state.assign(r.values.begin() + before_statistics, r.values.end());
    });
    out.file = q_.results();
    results::write_part(out.file, part);
    store_->remove();
    std::error_code ignored;
    std::filesystem::remove(folder_, ignored);
    return out;
  }

  void write_partial() {
    if (store_) {
      ensure_folder();
      if (!keep_) save_state();
      store_->sync();  // what it shows can be gone on from
    }
    if (!q_.part.whole()) return;
    result_.statistics = statistics_->finish();
    if (!method_.samples_the_law()) blank(result_.statistics);
    if (!q_.in_memory()) write(partial());
  }

  void write(const std::string& file) {
    const std::vector<double> inputs = study_.keep_all ? std::vector<double>() : std::move(result_.inputs);
    if (study_.keep_all) result_.responses = statistics_->responses();
    data_->provenance.settings["seconds"] = fmt::format("{:.3g}", seconds_);
    ensure_folder();
    results::write_study(file, result_, data_->provenance);
    if (!study_.keep_all) result_.inputs = inputs;
  }

  // The folder may have been removed meanwhile; then another run may have begun in it, and what that one writes is its own.
  void ensure_folder() {
    if (!store_ || store_->is_there()) return create_folder(folder_);
    if (merged_) return create_folder(folder_);
    for (const std::string& theirs : {results::StudyStore::file_in(folder_), q_.results()})
      if (is_there(theirs))
        throw WriteError(folder_,
                         "the folder was removed while this run was going on, and another run now writes into it; the results of "
                         "this run are not written, those of the other are left as they are (--out names another folder)");
    create_folder(folder_);
    if (keep_) store_->bring_back();
    note(fmt::format("{}: note: {} was removed while the run was going on; it has been made again", q_.model->file, folder_));
  }

  void save_state() {
    std::vector<double> state = {double(target_), enough_ ? 1.0 : 0.0, double(limit_), pace_};
    const std::vector<double> sums = statistics_->save();
    state.insert(state.end(), sums.begin(), sums.end());
    store_->save_state(collector_->next_row(), std::move(state));
  }

  void note(std::string_view text) const { tell(q_.options.on_note, text); }
  // With all their rows; of several models those of the model itself.
  long finished() const {
    return plan_.blocks ? result_.done : (collector_->next_row() - collector_->first_row()) / plan_.per_realization();
  }
  long own_samples() const {
    return q_.part.whole() ? plan_.samples : (end_row_ - q_.part.first_row(plan_)) / plan_.per_realization();
  }
  std::string partial() const { return folder_ + "/partial.h5"; }

  const StudyRequest& q_;
  const Task& task_;
  Method& method_;
  const Model& model_;
  const Study& study_;
  const Plan& plan_;
  std::optional<Earlier> earlier_;
  std::string folder_;
  RunRecord record_;
  bool keep_;  // all realizations, at least until the end
  std::shared_ptr<StudyData> data_;
  results::StudyResult& result_;
  std::shared_ptr<analysis::Accumulator> statistics_;
  std::unique_ptr<Collector> collector_;
  std::unique_ptr<results::StudyStore> store_;  // none in memory
  long end_row_ = 0;                            // of this part
  long target_ = 0;                             // rows to be simulated before looking again
  bool enough_ = false;                         // the method said so
  std::atomic<bool> ended_ = false;             // by realizations that failed …
  std::string ended_by_;                        // … like this
  std::vector<double> goals_;                   // [channels] of the accuracy
  long limit_ = 0;                              // rows, by the budget; 0: not known yet
  double pace_ = 0;                             // seconds per row when that was found
  Clock::time_point measured_since_ = Clock::now();
  long measured_rows_ = 0;  // since then
  bool forecast_told_ = false;
  bool merged_ = false;  // rows came from files: there is no journal
  long first_row_ = 0;
  double seconds_ = 0;
};

// --- before the first realization ---

void note_what_is_ignored(const StudyRequest& q, const MethodKind& kind) {
  using Sensitivity = MethodKind::Sensitivity;
  if (q.study.sensitivity && kind.sensitivity == Sensitivity::none)
    tell(q.options.on_note, fmt::format("{}: note: {} does not compute Sobol indices", q.model->file, kind.name));
  if (q.study.accuracy > 0 && !kind.to_accuracy)
    tell(q.options.on_note,
         fmt::format("{}: note: {} has a fixed number of realizations; `accuracy` is ignored", q.model->file, kind.name));
}

// A larger Latin hypercube keeps the points of a smaller one if it is a whole multiple of it. One that grows until it is accurate
// does so by doubling; the last one is the largest that is allowed.
void extend_by_multiples(const StudyRequest& q, Study& study, std::optional<Earlier>& earlier) {
  if (!grows_by_multiples(design_of(study).name)) return;
  if (study.accuracy > 0) {
    study.stages.clear();
    long n = std::min(first_look, study.samples);
    for (; 2 * n <= study.samples; n *= 2) study.stages.push_back(n);
    study.samples = n;
    return earlier.reset();
  }
  if (q.options.resume && study.stages.empty()) {
    study.stages = stages_of_unfinished(q.folder());
    if (!study.stages.empty() && study.samples % study.stages.back() != 0) study.stages.clear();  // another study: refused later
  }
  if (!earlier) return;
  if (study.samples % earlier->samples != 0) {
    tell(q.options.on_note,
         fmt::format(
             "{}: note: a Latin hypercube is extended by whole multiples, and {} is not a multiple of the {} realizations in {}; "
             "starting from the beginning",
             q.model->file, study.samples, earlier->samples, earlier->file->path()));
    return earlier.reset();
  }
  study.stages = earlier->stages;
  study.stages.push_back(earlier->samples);
}

// How time is stepped in this study: as the model says, as parts or an identification have it, or as it is found.
std::shared_ptr<const Model> stepped(const StudyRequest& q, const Study& study) {
  const Model& model = q.model->model;
  if (q.stepping) {
    Model out = model;
    out.settings = *q.stepping;
    return std::make_shared<const Model>(std::move(out));
  }
  if (!is_open(model.settings)) return {std::shared_ptr<const Model>(), &model};
  if (!q.parts.empty()) return with_stepping(model, read_record(results::read_part_header(q.parts[0]).record));
  const Plan plan = sampling_plan(study, q.model->random());
  return with_choice(model, choose_for_study(model, q.model->random(), plan, study.seed, q.isa()), q.options.on_note);
}

Study in_force(const StudyRequest& q, const MethodKind& kind) {
  Study s = q.study;
  // By sampling alone: expansions and linearisations have them anyway, the others have none.
  s.sensitivity = s.sensitivity && kind.sensitivity == MethodKind::Sensitivity::by_sampling;
  return s;
}

}  // namespace

Isa isa_of(const std::string& name) { return name.empty() ? best_isa() : isa_named(name.c_str()); }

Isa StudyRequest::isa() const { return options.isa.empty() && ranks ? ranks->isa() : isa_of(options.isa); }
int StudyRequest::threads() const {
  const int asked = ranks ? ranks->own_threads(options.threads) : options.threads;
  return asked > 0 ? asked : int(std::thread::hardware_concurrency());
}

RunRecord record_of(const StudyRequest& q, const Model& model, const Study& study) {
  RunRecord r;
  r.version = results::version();
  std::error_code unknown;  // a path that cannot be made absolute stays as it is
  const std::filesystem::path file = std::filesystem::absolute(q.model->file, unknown);
  r.model_file = unknown ? q.model->file : file.lexically_normal().string();
  if (!q.part.whole()) r.arguments.emplace_back("part", q.part.text());
  r.arguments.emplace_back("on-failure", study.on_failure);
  r.arguments.emplace_back("failed-at-most", fmt::format("{:.17g}", study.failed_at_most));
  r.arguments.emplace_back("budget", fmt::format("{:.17g} {:.17g}", study.budget_seconds, study.budget_bytes));
  if (q.identification) r.arguments.emplace_back("identify", "yes");  // nothing to begin again from: the search is
  r.settings = entries_of(study);
  r.settings.emplace_back("integrator", model.settings.integrator);
  r.settings.emplace_back("step", fmt::format("{:.17g}", model.settings.step));
  if (model.settings.step_tolerance > 0)
    r.settings.emplace_back("step tolerance", fmt::format("{:.17g}", model.settings.step_tolerance));
  r.settings.emplace_back("instruction set", name(q.isa()));
  for (const Override& o : q.model->settings) r.settings.emplace_back("set", fmt::format("{}={}", o.name, o.value));
  r.sources = {model.description.text, model.description.files};
  return r;
}

analysis::StatisticsRequest questions_of(const Model& m, const Study& study, const std::vector<std::string>& groups,
                                         const results::Run& nominal) {
  analysis::StatisticsRequest q;
  q.times = nominal.time;
  for (const Channel& c : m.channels) q.channels.push_back(c.name), q.units.push_back(c.unit);
  q.nominal = nominal.values;
  q.confidence = study.confidence;
  q.keep_all = study.keep_all;
  q.samples = study.samples;
  for (const Limit& l : m.limits) q.limits.push_back({l.channel, l.value, l.above});
  const auto& items = m.description.section("scalars");
  for (size_t i = 0; i < m.scalars.size(); ++i)
    q.scalars.push_back({m.scalars[i].name, m.scalars[i].unit, items[i].kind, m.scalars[i].channel, m.scalars[i].settings});
  if (study.sensitivity) q.groups = groups;
  return q;
}

namespace {

SessionResult session_of(const StudyRequest& q) {
  const LoadedModel& loaded = *q.model;
  const Model& written = loaded.model;
  if (written.channels.empty())
    throw input::InputError(written.description.top.at, "the model has no outputs: there is nothing to study")
        .in_file(loaded.file);
  try {
    const MethodKind& kind = method_kind(q.study.method);
    note_what_is_ignored(q, kind);
    Study study = in_force(q, kind);
    if (!q.part.whole())
      if (const std::string why = indivisible(study); !why.empty())
        throw std::invalid_argument("it cannot be divided into parts: " + why);
    const std::shared_ptr<const Model> model = stepped(q, study);
    std::optional<Earlier> earlier;
    const bool fresh = !q.options.overwrite && !q.options.resume && q.part.whole() && q.parts.empty() && !q.in_memory();
    if (fresh && study.keep_all && !study.sensitivity)
      earlier = find_earlier(q.folder(), identity_of_realizations(*model, study, loaded.settings, name(q.isa())), study.samples);
    extend_by_multiples(q, study, earlier);
    Task task{*model, loaded.random(), study, q.options.threads, loaded.settings};
    if (task.random.levels_vary())
      task.derived = [&](const std::vector<double>& sample) { return realize_derived(*model, task.random.overrides(sample)); };
    const std::unique_ptr<Method> method = make_method(task);
    if (!method->extends()) earlier.reset();
    return Session(q, task, *method, std::move(earlier)).run();
  } catch (const std::invalid_argument& e) {
    throw not_studied(written, q.study, e.what());
  }
}

}  // namespace

SessionResult run_session(const StudyRequest& q) {
  try {
    const CancellationScope scope(q.stop);
    return session_of(q);
  } catch (const Cancelled&) {  // before the first realization
    return {.outcome = Outcome::interrupted, .planned = q.study.samples};
  }
}

bool is_finished_part(const StudyRequest& q) {
  if (q.part.whole() || !q.options.resume || is_there(results::StudyStore::file_in(q.folder()))) return false;
  if (!is_there(q.results())) return false;
  const std::string there = results::read_part_header(q.results()).record;
  const Model& model = q.model->model;
  if (is_open(model.settings)) return false;  // how time is stepped is not known yet
  const RunRecord record = record_of(q, model, in_force(q, method_kind(q.study.method)));
  if (const std::string change = difference_from(there, record, q.options.force); !change.empty())
    throw WriteError(q.results(), "it is a part of another study; without --resume it is replaced:\n" + change);
  return true;
}

}  // namespace aleator::core
