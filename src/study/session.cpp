#include "study/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>

#include "analysis/correlations.hpp"
#include "base/atomic_file.hpp"
#include "base/cancellation.hpp"
#include "base/words.hpp"
#include "propagation/method.hpp"
#include "results/part.hpp"
#include "results/read.hpp"
#include "results/study_store.hpp"
#include "results/write.hpp"
#include "study/block_statistics.hpp"
#include "study/collector.hpp"
#include "study/extension.hpp"
#include "study/failure_policy.hpp"
#include "study/nominal.hpp"
#include "study/pacing.hpp"
#include "study/study_cost.hpp"
#include "study/study_result.hpp"

namespace aleator::core {
namespace {

constexpr long motions_kept = 16;      // realizations whose poses are kept for drawing
constexpr long before_statistics = 4;  // numbers of a saved state: how far to go, whether that is enough, limit and pace
constexpr char row_of_another_study[] = "it is damaged: row {} does not fit the study";

bool is_there(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

// A state of statistics that somebody else may have written.
template <class Read>
void read_state(const std::string& file, Read&& read) {
  try {
    read();
  } catch (const analysis::DamagedState& e) {
    throw results::ReadError(file, e.what());
  }
}

void remove_partial(const std::string& folder) {
  std::error_code ignored;
  if (std::filesystem::remove(folder + "/partial.h5", ignored)) sync_folder_of(folder + "/partial.h5");
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
    target_ = request.part.decides(plan_) ? method.first_rows() : end_row_;
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
        if (q_.parts.empty())
          simulate();
        else
          plan_.is_open() ? merge_decided() : merge();
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
    result_.replicates = plan_.replicates();
    analysis::StatisticsRequest wanted = questions_of(model_, study_, task_.random.groups(), result_.nominal);
    wanted.threads = q_.options.threads;
    wanted.keep_all = keep_;
    if (!q_.in_memory()) wanted.held = results::held_responses();
    wanted.samples = plan_.samples;
    wanted.first = q_.part.first_row(plan_) / plan_.per_realization();
    wanted.replicates = plan_.replicates();
    digest_ = block_statistics(wanted, plan_, task_.derived);
    statistics_ = std::make_shared<analysis::Accumulator>(std::move(wanted));
    data_->statistics = statistics_;
    collector_ = std::make_unique<Collector>(plan_, keep_, task_.derived, *statistics_, result_, method_.digests());
    using Where = StudyCost::Kept::Where;
    const Where where = !keep_ ? Where::nowhere : q_.in_memory() ? Where::memory : study_.keep_all ? Where::file : Where::journal;
    const double bytes_per_row = 8.0 * double(result_.nominal.values.size() + result_.columns.size());
    cost_ = std::make_unique<StudyCost>(study_, model_, plan_, q_.part.whole(), StudyCost::Kept{where, bytes_per_row});
  }

  // Begins, or goes on where an earlier run ended.
  void open() {
    if (!q_.in_memory()) open_store();
    first_row_ = collector_->next_row();
    if (q_.options.overwrite && !q_.in_memory()) remove_partial(folder_);
    if (first_row_ > collector_->first_row())
      note(plan_.is_open() ? fmt::format("continuing after {} simulations", first_row_)
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
    if (keep_) journalled_ = std::make_shared<results::JournalledResponses>(result_.nominal.values.size());
    hooks.responses = journalled_;
    statistics_->read_from(journalled_);
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
      if (!plan_.is_open() && difference_from(of, record_, false).empty())
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
            const std::vector<double>& poses, std::int64_t values_at, bool digested = false) {
    const int source = plan_.point(row).source;
    if (source == DesignPoint::aside) {
      method_.take_aside(row, ok, why, values, poses);
      if (!ok) end_by_failures_aside();
      return collector_->skip(row, ok);
    }
    if (journalled_ && source == DesignPoint::first) journalled_->add(ok ? values_at : 0);
    collector_->take(row, ok, why, sample, values, poses, digested);
    if (!ok) end_by_failures(own_samples());
  }

  // `journal`: it is not there yet.
  void take_saved(results::JournalRecord& r, const std::string& file, bool journal = false) {
    if (r.row == results::StudyStore::limit_row) {
      if (r.values.size() != 2 || !(r.values[0] > 0 && r.values[0] < 9e15))
        throw ReadError(file, "it is damaged: its limit is none");
      return take_limit(r.values[0], r.values[1]);
    }
    throw_if_cancelled();
    look();  // with the limit that may have come before this row
    if (!collector_->fits(r)) throw ReadError(file, fmt::format(row_of_another_study, r.row));
    if (journal && store_ && keep_) r.values_at = store_->append(r);
    if (!keep_) return r.ok ? collector_->restore_motion(r) : collector_->restore_failure(r);
    take(long(r.row), r.ok, r.why, r.sample, r.values, r.poses, r.values_at);
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
      find_limit();
      const long wanted = q_.part.decides(plan_) ? method_.enough(target_, *statistics_, result_) : target_;
      if (wanted <= target_) enough_ = true;
      if (enough_) end_by_failures(result_.done);  // fewer than were planned
      if (enough_) end_by_failures_aside();
      target_ = std::max(target_, wanted);
      if (!enough_) tell_forecast();
    }
  }

  // The budget of a study whose size is open, as a number of rows.
  void find_limit() {
    if (!cost_->find_limit(collector_->next_row())) return;
    method_.limit(cost_->limit());
    if (store_ && keep_)
      store_->append({.row = results::StudyStore::limit_row,
                      .ok = true,
                      .why = "",
                      .sample = {},
                      .values = {double(cost_->limit()), cost_->pace()},
                      .poses = {}});
  }
  void take_limit(double rows, double pace) {
    cost_->take_limit(rows, pace);
    method_.limit(cost_->limit());
  }
  void tell_forecast() {
    const std::string words = cost_->forecast(collector_->next_row(), result_.done, *statistics_);
    if (!words.empty()) note(fmt::format("{}: note: {}", q_.model->file, words));
  }

  // Realizations of a smaller study.
  void take_earlier(const Earlier& earlier) {
    note(fmt::format("{}: note: the {} realizations in {} are part of this study and are reused", q_.model->file, earlier.samples,
                     earlier.file->path()));
    replay(earlier, [&](results::JournalRecord&& r) { take_saved(r, earlier.file->path(), true); });
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
    options.device = q_.options.device;
    options.fast_math = q_.options.fast_math;
    options.wait_for_device = std::getenv("ALEATOR_WAIT_FOR_DEVICE") != nullptr;
    if (!options.device.empty() && !is_device(options.device))
      throw std::invalid_argument(fmt::format("unknown device '{}': cpu, gpu, gpu:N or auto", options.device));
    options.on_note = [this](const std::string& text) { note(fmt::format("{}: note: {}", q_.model->file, text)); };
    RankSession* const ranks = q_.ranks && q_.ranks->several() ? q_.ranks : nullptr;
    options.digest = digest_;
    if (ranks) ranks->announce(record_, q_.model->file, q_.options.threads, statistics_->questions());
    std::vector<ModelVariant> models = method_.models();
    if (models.empty()) models = {{&model_, &task_.random}};
    std::unique_ptr<const Ensemble> compiled;
    try {
      const CancellationScope scope(ranks ? nullptr : q_.stop);  // the other ranks wait for this one
      compiled = std::make_unique<const Ensemble>(std::move(models), plan_, study_.seed, q_.isa());
    } catch (const Cancelled&) {
      return;
    }
    const Ensemble& ensemble = *compiled;
    cost_->begin_measuring();
    std::unique_ptr<RankScheduler> scheduler;
    if (ranks)
      scheduler = ranks->scheduler(ensemble, plan_, identity_of_realizations(model_, study_, q_.model->settings, name(q_.isa())),
                                   q_.options.threads, digest_);
    long block = -1;  // the first row of one whose digest has not come yet
    while (!enough_ && collector_->next_row() < end_row_ && !q_.stopped() && !ended_) {
      options.first_row = collector_->next_row();
      options.end_row = target_;
      const auto deliver = [&](SimulatedRow&& r) {
        if (ended_) return;  // it was under way
        cost_->count_row();
        if (!r.ok) r.values = {r.failed_at};
        if (r.ok && r.point.source == DesignPoint::aside) method_.digest(r.row, r.sample, r.values);
        std::int64_t values_at = 0;
        if (store_ && (keep_ || !r.ok || !r.poses.empty()))
          values_at = store_->append(r.row, r.ok, r.why, r.sample, r.values, r.poses);
        if (r.digested && block < 0) block = r.row;
        take(r.row, r.ok, r.why, r.sample, r.values, r.poses, values_at, r.digested);
        if (r.digested && r.digest.empty()) return;  // statistics lack it
        if (!r.digest.empty()) statistics_->append_block(r.digest), block = -1;
        if (!store_) return report_progress(seldom, start);
        if (!keep_ && store_->state_due()) ensure_folder(), save_state();
        snapshot([&] { write_snapshot(); });
        report_progress(seldom, start);
      };
      scheduler ? scheduler->run(options, deliver) : ensemble.run(options, deliver);
      if (block >= 0) add_again(ensemble, block);
      try {
        const CancellationScope scope(q_.stop);
        look();
      } catch (const Cancelled&) {
        break;
      }
    }
    data_->profile.device = scheduler ? scheduler->device() : ensemble.device();
    if (ranks) ranks->dismiss(std::move(scheduler), q_.options.on_note);
    seconds_ = seconds_since(start);
    data_->profile.isa = ensemble.isa();
    if (const DeviceReport& d = data_->profile.device; d.rows > 0) {
      data_->provenance.settings["device"] = fmt::format("{}, {:.0f} GB, driver {}", d.name, d.memory / 1e9, d.driver);
      if (d.fast_math)
        data_->provenance.settings["fast math"] = "on the device: its realizations are not bitwise those of the processor";
      data_->provenance.settings["realizations on the device"] = std::to_string(d.rows);
    }
    data_->profile.lanes = ensemble.lanes();
    data_->profile.threads = q_.threads();
    data_->profile.simulating = seconds_;
  }

  // Failures have ended it within a block: of its rows those before the end, once more.
  void add_again(const Ensemble& ensemble, long first) {
    EnsembleOptions options;
    options.threads = q_.options.threads;
    options.first_row = first;
    options.end_row = collector_->next_row();
    options.smaller_steps = study_.on_failure != "skip";
    ensemble.run(options, [&](SimulatedRow&& r) { collector_->add(r.ok, r.sample, r.values); });
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
      results::PartFile part = results::read_part(file);
      if (part.header.first_row != collector_->next_row())
        throw ReadError(file, "it does not begin where the part before it ends");
      seconds += part.header.seconds;
      for (results::JournalRecord& r : part.rows) {
        if (q_.stopped()) return;
        take_saved(r, file, true);  // into a journal without a name
      }
      if (!keep_) read_state(file, [&] { collector_->append(part.header.end_row, part.state); });
      if (collector_->next_row() != part.header.end_row) throw ReadError(file, "some of its rows are missing");
      look();
    }
    data_->provenance.settings["parts"] = std::to_string(q_.parts.size());
    data_->provenance.settings["seconds of the parts"] = fmt::format("{:.4g}", seconds);
    seconds_ = seconds_since(start);
  }

  // The same, of a method that says on the way which rows there are: the parts did not simulate them in the order in which they are needed.
  void merge_decided() {
    if (store_) store_->remove();
    merged_ = true;
    const auto start = Clock::now();
    double seconds = 0;
    std::vector<results::PartFile> parts;
    for (const std::string& file : q_.parts) {
      parts.push_back(results::read_part(file));
      seconds += parts.back().header.seconds;
    }
    while (!enough_ && !q_.stopped()) {
      const long row = collector_->next_row();
      const Method::Origin origin = method_.origin(row);
      if (origin.part < 0) {  // the most probable failures, of all parts: with their motion
        first_row_ = row;
        simulate();
        break;
      }
      results::JournalRecord& r = joined_row(parts, origin, row);
      take_saved(r, q_.parts[size_t(origin.part)], true);
      r = {};
      look();
    }
    data_->provenance.settings["parts"] = std::to_string(q_.parts.size());
    data_->provenance.settings["seconds of the parts"] = fmt::format("{:.4g}", seconds);
    seconds_ = seconds_since(start);
  }

  // A row of a part as row `row` of the study.
  results::JournalRecord& joined_row(std::vector<results::PartFile>& parts, const Method::Origin& origin, long row) {
    const auto at = [&](size_t part) -> results::JournalRecord& {
      if (origin.row >= long(parts[part].rows.size())) throw ReadError(q_.parts[part], "some of its rows are missing");
      return parts[part].rows[size_t(origin.row)];
    };
    results::JournalRecord& r = at(size_t(origin.part));
    for (size_t k = 0; origin.common && k < parts.size(); ++k)
      if (const results::JournalRecord& other = at(k); other.ok != r.ok || other.values != r.values || other.sample != r.sample)
        throw ReadError(q_.parts[k],
                        fmt::format("what all parts simulate alike differs from {}: they must be computed by one program, "
                                    "with one instruction set (--isa)",
                                    q_.parts[size_t(origin.part)]));
    r.row = row;
    const bool aside = plan_.point(row).source == DesignPoint::aside;
    if (aside && r.ok && r.values.size() == result_.nominal.values.size()) method_.digest(row, r.sample, r.values);
    if (row >= motions_kept) r.poses.clear();
    return r;
  }

  // False: the method could not.
  bool conclude() {
    std::optional<analysis::StudyCorrelations> correlations;
    if (method_.samples_the_law() && study_.keep_all && !study_.sensitivity && result_.failures.size() < size_t(result_.done))
      correlations.emplace(result_, statistics_->used());
    analysis::Accumulator::Points also;
    if (correlations) also = std::bind_front(&analysis::StudyCorrelations::add, &*correlations);
    result_.statistics = statistics_->finish(also);
    if (!method_.samples_the_law()) blank(result_.statistics);
    if (result_.failures.size() == size_t(result_.done)) return true;  // there is nothing to conclude from
    if (correlations) result_.correlations = correlations->finish(result_.statistics);
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
    const std::string why = cost_->shortfall(collector_->next_row(), result_.done, result_.statistics);
    if (!why.empty()) {
      result_.evidence.push_back(why);
      if (cost_->limit() < plan_.rows()) note(fmt::format("{}: note: {}", q_.model->file, why));
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
    out.fixed_size = plan_.samples != study_.samples && !plan_.is_open();
    out.planned = own_samples();
    out.finished = finished();
    if (!q_.part.whole() && plan_.is_open() && complete) out.planned = out.finished = collector_->next_row();
    if (!q_.part.whole()) return finish_part(std::move(out));
    if (!complete && !ended_ && !q_.parts.empty()) return out;  // nothing was written, and the parts are as they were
    const auto start = Clock::now();
    // To show a large study takes longer than anybody waits after Ctrl-C; the journal has it all.
    const bool large = !complete && !ended_ && store_ && !statistics_->are_held();
    if (complete) {
      complete_results(out);
    } else if (large) {
      ensure_folder(), store_->sync();
      note(fmt::format("{}: note: partial.h5 is not written when a study with this many responses is interrupted",
                       q_.model->file));
    } else {
      const CancellationScope scope(nullptr);  // what there is so far
      write_partial();
    }
    if (out.outcome != Outcome::complete && !q_.in_memory() && is_there(partial())) out.file = partial();
    data_->profile.writing = seconds_since(start);
    if (study_.keep_all) result_.responses = statistics_->responses();
    if (study_.keep_all && !statistics_->are_held() && !large) data_->responses_in = out.file;
    result_.stored_responses = nullptr;  // the journal goes
    return out;
  }

  // Held, or as they are in the journal.
  void show_responses() {
    result_.responses = statistics_->responses();
    result_.stored_responses = statistics_->are_held() ? nullptr : journalled_;
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
    try {
      method_.check_part();
    } catch (const NotPossible& e) {
      throw SimulationError(fmt::format("{}: {}: {}", q_.model->file, study_.method, e.what()));
    }
    const long end = plan_.is_open() ? collector_->next_row() : end_row_;
    results::PartFile part;
    part.header = {text_of(record_), q_.part.number, q_.part.of, collector_->first_row(), end, seconds_, data_->provenance.host};
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

  // A stop ends it, and leaves the one before.
  void write_snapshot() {
    const CancellationScope scope(q_.stop);
    try {
      write_partial();
    } catch (const Cancelled&) {
    }
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
    if (study_.keep_all) show_responses();
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
    const double before[before_statistics] = {double(target_), enough_ ? 1.0 : 0.0, double(cost_->limit()), cost_->pace()};
    store_->save_state(collector_->next_row(), [&](const results::Journal::PutNumbers& put) {
      put(before);
      statistics_->save(put);
    });
  }

  void note(std::string_view text) const { tell(q_.options.on_note, text); }
  // With all their rows; of several models those of the model itself.
  long finished() const {
    return plan_.is_open() ? result_.done : (collector_->next_row() - collector_->first_row()) / plan_.per_realization();
  }
  long own_samples() const {
    return q_.part.decides(plan_) ? plan_.samples : (end_row_ - q_.part.first_row(plan_)) / plan_.per_realization();
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
  std::unique_ptr<StudyCost> cost_;
  std::shared_ptr<results::JournalledResponses> journalled_;  // none: all responses are held
  bool merged_ = false;                                       // rows came from files: there is no journal
  Digest digest_;
  long first_row_ = 0;
  double seconds_ = 0;
};

SessionResult session_of(const StudyRequest& q) {
  const LoadedModel& loaded = *q.model;
  const Model& written = loaded.model;
  if (written.channels.empty() && q.study.what == "motion")
    throw input::InputError(written.description.top.at, "the model has no outputs: there is nothing to study")
        .in_file(loaded.file);
  try {
    const MethodKind& kind = method_kind(q.study.method);
    note_what_is_ignored(q, kind);
    Study study = in_force(q, kind);
    if (!q.part.whole())
      if (const std::string why = indivisible(study, q.part.of); !why.empty())
        throw std::invalid_argument("it cannot be divided into parts: " + why);
    const std::shared_ptr<const Model> model = stepped(q, study);
    std::optional<Earlier> earlier;
    const bool fresh = !q.options.overwrite && !q.options.resume && q.part.whole() && q.parts.empty() && !q.in_memory();
    if (fresh && study.keep_all && !study.sensitivity)
      earlier = find_earlier(q.folder(), identity_of_realizations(*model, study, loaded.settings, name(q.isa())), study.samples);
    extend_by_multiples(q, study, earlier);
    const std::shared_ptr<const RandomModel> random = loaded.random_of(study);
    Task task{*model, *random, study, q.options.threads, loaded.settings};
    if (task.random.levels_vary() && !model->modal)  // limits and scalars of outputs
      task.derived = [&](const std::vector<double>& sample) { return realize_derived(*model, task.random.overrides(sample)); };
    task.part = q.part;
    if (!q.parts.empty()) task.part = StudyPart{0, long(q.parts.size())};
    const std::unique_ptr<Method> method = make_method(task);
    if (const std::string words = method->about_part(); !words.empty())
      tell(q.options.on_note, fmt::format("{}: note: {}", loaded.file, words));
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
  const Study study = in_force(q, method_kind(q.study.method));
  const bool modes = study.what == "modes";
  if (!modes && is_open(model.settings)) return false;  // how time is stepped is not known yet
  const RunRecord record = record_of(q, modes ? *stepped(q, study) : model, study);
  if (const std::string change = difference_from(there, record, q.options.force); !change.empty())
    throw WriteError(q.results(), "it is a part of another study; without --resume it is replaced:\n" + change);
  return true;
}

}  // namespace aleator::core
