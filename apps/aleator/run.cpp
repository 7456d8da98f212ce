// aleator run MODEL: the study; writes results.h5.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <thread>

#include "collector.hpp"
#include "ensemble/choose_for_study.hpp"
#include "ensemble/ensemble.hpp"
#include "nominal.hpp"
#include "profile.hpp"
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
  std::string out, method, isa;
  long samples = 0, threads = 0;
  long long seed = -1;
  bool resume = false, overwrite = false, shares = false, no_report = false, profile = false;
};

Isa isa_of(const std::string& name) { return name.empty() ? best_isa() : isa_named(name.c_str()); }

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
std::string identity_of(const Model& m, const Study& s, const RunArguments& o) {
  std::string out =
      fmt::format("version {}\nmethod {}\nseed {}\nsamples {}\nconfidence {:.17g}\nkeep {}\nshares {}\n", results::version(),
                  s.method, s.seed, s.samples, s.confidence, s.keep_all ? "all" : "statistics", s.shares);
  out += fmt::format("integrator {}\nstep {:.17g}\ninstruction set {}\n", m.settings.integrator, m.settings.step,
                     name(isa_of(o.isa)));
  for (const std::string& set : o.model.settings) out += "set " + set + "\n";
  return out + m.description.text;
}

std::string progress_text(const Collector& c, const Plan& plan, long first, Clock::time_point start) {
  const double rate = double(c.next_row() - first) / seconds_since(start);
  const double left = rate > 0 ? std::ceil(double(plan.rows() - c.next_row()) / rate) : 0;
  return fmt::format("{} of {} {}  {:.3g} per second  {} left{}", c.next_row(), plan.rows(),
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
    pause_ = std::max(10.0, 20 * seconds_since(start));
    last_ = Clock::now();
  }

 private:
  Clock::time_point last_ = Clock::now();
  double pause_ = 10;
};

results::StudyResult empty_result(const RandomModel& random, const Study& study, results::Run nominal) {
  results::StudyResult r;
  r.nominal = std::move(nominal);
  for (const Quantity& q : random.quantities())
    for (const std::string& c : q.columns) r.columns.push_back({c, q.unit, law_words(q)});
  for (const BeamField& f : random.fields()) r.fields.push_back(summary_of(f));
  r.method = study.method;
  r.seed = study.seed;
  r.planned = study.samples;
  return r;
}

// A study under way. Its steps, in their order: nominal, open, simulate, finish.
class StudyRun {
 public:
  StudyRun(const RunArguments& o, const std::string& command_line, const Model& model, const RandomModel& random)
      : o_(o),
        model_(model),
        random_(random),
        study_(study_of(o, model, split_settings(o.model.overrides()).model)),
        plan_(make_plan(study_, int(random.groups().size()))),
        folder_(o.out.empty() ? "out/" + stem(o.model.file) : o.out),
        provenance_(provenance_of(model, o.model, command_line)) {
    provenance_.settings["keep"] = study_.keep_all ? "all" : "statistics";
    results::create_folder(folder_);
  }

  void nominal() {
    AssemblyReport report;
    SimulateOptions options;
    options.poses = true;
    options.stop = &interrupted();
    const Trajectory<double> t = simulate_model(model_, model_.nominal, options, &report);
    note_assembly(model_, report);
    result_ = empty_result(random_, study_, as_run(model_, t));
  }

  // Begins, or goes on where an earlier run ended.
  void open() {
    analysis::Questions questions = questions_of(model_, study_, random_.groups(), result_.nominal);
    questions.threads = int(o_.threads);
    statistics_ = std::make_unique<analysis::Accumulator>(std::move(questions));
    collector_ = std::make_unique<Collector>(plan_, study_.keep_all, derived(), *statistics_, result_);
    using Store = results::StudyStore;
    Store::Hooks hooks;
    hooks.replay = [&](results::JournalRecord&& r) {
      if (study_.keep_all)
        collector_->take(long(r.row), r.ok, r.why, r.sample, r.values, r.poses);
      else
        collector_->restore_failure(r);
    };
    hooks.restore = [&](long next, std::span<const double> state) { collector_->restore(next, state); };
    hooks.progress_words = [&](long rows, const std::string& of) {
      const std::string key = "\nsamples ";
      const size_t at = of.find(key);
      const bool mine = of == identity_of(model_, study_, o_);
      if (mine) return fmt::format("{} of {} realizations", rows / plan_.per_realization(), study_.samples);
      return fmt::format("{} simulations for {} realizations", rows,
                         at == std::string::npos ? 0 : std::atol(&of[at + key.size()]));
    };
    const Store::Start start = o_.resume ? Store::Start::resume : o_.overwrite ? Store::Start::overwrite : Store::Start::fresh;
    store_ = std::make_unique<Store>(folder_, identity_of(model_, study_, o_), study_.keep_all, start, hooks);
    first_row_ = collector_->next_row();
    if (o_.overwrite) remove_partial(folder_);
    if (first_row_ > 0)
      fmt::print(stderr, "going on after {} of {} realizations\n", finished(), study_.samples);
    else if (o_.resume)
      fmt::print(stderr, "{}: note: there is nothing to resume in {}; starting\n", o_.model.file, folder_);
  }

  void simulate() {
    const auto start = Clock::now();
    ProgressLine progress;
    Snapshots snapshot;
    EnsembleOptions options;
    options.threads = int(o_.threads);
    options.first_row = first_row_;
    options.poses_of = motions_kept;
    options.stop = &interrupted();
    ensemble_ = std::make_unique<const Ensemble>(model_, random_, plan_, study_.seed, isa_of(o_.isa));
    if (o_.profile) options.profile = &profile_;
    ensemble_->run(options, [&](Realized&& r) {
      if (study_.keep_all || !r.ok) store_->append(r.row, r.ok, r.why, r.sample, r.values, r.poses);
      collector_->take(r.row, r.ok, r.why, r.sample, r.values, r.poses);
      if (!study_.keep_all && store_->state_due()) save_state();
      snapshot([&] { write(partial()); });
      progress([&] { return progress_text(*collector_, plan_, first_row_, start); });
    });
    seconds_ = seconds_since(start);
  }

  int finish() {
    const bool complete = collector_->next_row() == plan_.rows();
    if (!complete) {
      if (!study_.keep_all) save_state();
      store_->sync();
    }
    const std::string file = complete ? folder_ + "/results.h5" : partial();
    const auto start = Clock::now();
    write(file);
    const double writing = seconds_since(start);
    if (complete) {
      store_->remove();
      remove_partial(folder_);
    }
    print_summary({model_, study_, result_, finished(), collector_->next_row() - first_row_, seconds_, file});
    if (o_.profile) {
      const int threads = o_.threads > 0 ? int(o_.threads) : int(std::thread::hardware_concurrency());
      print_profile(*ensemble_, profile_, {seconds_, writing, threads});
    }
    if (!complete) {
      fmt::print(stderr, "interrupted after {} of {} realizations; what was finished is in {}, and --resume continues\n",
                 finished(), study_.samples, file);
      return exit_code::interrupted;
    }
    if (result_.statistics.realizations == 0) return exit_code::simulation_failed;
    return result_.failures.empty() ? exit_code::done : exit_code::some_failed;
  }

 private:
  Collector::DerivedOf derived() const {
    if (!random_.levels_vary()) return nullptr;
    return [this](const std::vector<double>& sample) { return realize_derived(model_, random_.overrides(sample)); };
  }

  // Realizations of which all rows are there: with shares, the last one may have only some.
  long finished() const { return collector_->next_row() / plan_.per_realization(); }

  std::string partial() const { return folder_ + "/partial.h5"; }

  void write(const std::string& file) {
    result_.statistics = statistics_->finish();
    if (study_.keep_all) result_.responses = statistics_->responses();
    provenance_.settings["seconds"] = fmt::format("{:.3g}", seconds_);
    results::create_folder(folder_);  // it may have been removed meanwhile
    results::write_study(file, result_, provenance_);
  }

  void save_state() { store_->save_state(collector_->next_row(), statistics_->save()); }

  const RunArguments& o_;
  const Model& model_;
  const RandomModel& random_;
  Study study_;
  Plan plan_;
  std::string folder_;
  results::Provenance provenance_;
  results::StudyResult result_;
  std::unique_ptr<analysis::Accumulator> statistics_;
  std::unique_ptr<Collector> collector_;
  std::unique_ptr<results::StudyStore> store_;
  std::unique_ptr<const Ensemble> ensemble_;
  EnsembleProfile profile_;
  long first_row_ = 0;
  double seconds_ = 0;
};

int run_study(const RunArguments& o, const std::string& command_line, const Model& model, const RandomModel& random) {
  if (model.channels.empty())
    throw input::InputError(input::Position{}, "the model has no outputs: there is nothing to study").in_file(o.model.file);
  watch_interrupts();
  StudyRun run(o, command_line, model, random);
  run.nominal();
  if (interrupted()) return exit_code::interrupted;
  run.open();
  run.simulate();
  return run.finish();
}

int run_command(const RunArguments& o, const std::string& command_line) {
  Model model = o.model.load();
  const RandomModel random(model, o.model.overrides());
  for (const std::string& note : random.notes()) fmt::print(stderr, "{}: note: {}\n", o.model.file, note);
  if (!random.empty()) {
    if (is_open(model.settings)) {
      const Study study = study_of(o, model, split_settings(o.model.overrides()).model);
      const Plan plan = make_plan(study, int(random.groups().size()));
      take(choose_for_study(model, random, plan, study.seed, isa_of(o.isa)), model);
    }
    return run_study(o, command_line, model, random);
  }
  fmt::print(stderr, "{}: nothing is uncertain; computing the nominal model\n", o.model.file);
  return simulate_command({o.model, o.out, ""}, command_line);
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  auto o = std::make_shared<RunArguments>();
  CLI::App* c = app.add_subcommand("run", "Compute the study: the distribution of the motion; writes results.h5");
  o->model.add_to(*c);
  c->add_option("--out", o->out, "Folder for the results (default out/NAME)")->type_name("DIR");
  c->add_option("--samples", o->samples, "Number of realizations")->check(whole_number(1, most_samples))->type_name("N");
  c->add_option("--seed", o->seed, "Seed of the random numbers")->check(whole_number(0, most_seed))->type_name("S");
  c->add_option("--threads", o->threads, "Number of threads (default all)")->check(whole_number(1, 1024))->type_name("N");
  c->add_option("--method", o->method, "Where to sample")
      ->check(CLI::IsMember({"monte-carlo", "latin-hypercube"}))
      ->type_name("M");
  c->add_option("--isa", o->isa, "Instruction set (default the widest this processor has)")
      ->check(CLI::IsMember({"portable", "x86-64-v2", "avx2", "avx512"}))
      ->check([](const std::string& name) {
        return available(isa_of(name)) ? "" : fmt::format("this processor does not have {}", name);
      })
      ->type_name("NAME");
  c->add_flag("--shares", o->shares, "Also compute the shares of the variance by cause");
  c->add_flag("--profile", o->profile, "Tell where the time goes");
  c->add_flag("--no-report", o->no_report, "Write results.h5 alone");
  auto* resume = c->add_flag("--resume", o->resume, "Continue an unfinished run");
  c->add_flag("--overwrite", o->overwrite, "Start again, dropping an unfinished run")->excludes(resume);
  c->callback([o, &action] { action.run = [o, &action] { return run_command(*o, action.command_line); }; });
}

}  // namespace aleator::app
