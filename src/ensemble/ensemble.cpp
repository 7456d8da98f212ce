#include "ensemble/ensemble.hpp"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <exception>
#include <memory>
#include <mutex>

#include "base/handover.hpp"
#include "dynamics/equilibrium.hpp"
#include "dynamics/errors.hpp"
#include "dynamics/simulate.hpp"
#include "ensemble/choose_for_study.hpp"
#include "ensemble/gpu_engine.hpp"
#include "input/error.hpp"
#include "model/derived.hpp"
#include "model/drawn_frames.hpp"
#include "model/realize_masses.hpp"

namespace aleator::core {

namespace {

bool stopped(const std::atomic<bool>* stop) { return stop && *stop; }

// Statistics need its fourth power, times the realizations, to be a number.
bool usable(double output) { return std::abs(output) <= 1e60; }

// Fills in the response, or why there is none.
void attempt(const Model& model, const Parameters& numbers, double step, bool with_poses, const std::atomic<bool>* stop,
             SimulatedRow& r, LaneProfile& profile) {
  SimulateOptions options;
  options.poses = with_poses;
  options.stop = stop;
  options.step = step;
  options.compile = false;  // a lane has failed at it
  try {
    const Trajectory t = simulate_model(model, numbers, options);
    profile.add({.reduced = t.adapted.reduced, .smallest = t.adapted.smallest});
    const auto odd = std::find_if_not(t.values.begin(), t.values.end(), usable);
    r.ok = odd == t.values.end();
    if (!r.ok) {
      r.why = "an output is larger than 1e60";
      r.failed_at = t.times[size_t(odd - t.values.begin()) / size_t(t.channels)];
      return;
    }
    r.why.clear();
    r.failed_at = std::numeric_limits<double>::quiet_NaN();
    r.values.assign(t.values.begin(), t.values.end());
    r.poses.assign(t.poses.begin(), t.poses.end());
    if (with_poses) move_to_drawn_frames(model, numbers, r.poses);
  } catch (const SimulationError& e) {
    r.why = e.what();
    r.failed_at = e.time;
  }
}

// Lanes land on the breakpoints of their functions of time together.
bool same_breakpoints(const Parameters& a, const Parameters& b) {
  return std::equal(a.signals.begin(), a.signals.end(), b.signals.begin(), b.signals.end(),
                    [](const PiecewisePolynomial& x, const PiecewisePolynomial& y) { return x.breakpoints == y.breakpoints; });
}

// Of this thread, s: how busy the machine is otherwise does not matter.
double processor_time() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

constexpr long worth_a_device = 5000;  // rows: for fewer, `auto` does not wake it

// Whole blocks among them: their values are no longer needed, or are kept.
void digest(const Digest& by, std::span<SimulatedRow> rows) {
  if (rows.empty()) return;
  for (long first = (rows[0].row + by.rows - 1) / by.rows * by.rows; first + by.rows <= rows.back().row + 1; first += by.rows) {
    const std::span<SimulatedRow> block = rows.subspan(size_t(first - rows[0].row), size_t(by.rows));
    std::vector<double> all = by.make(block);
    for (SimulatedRow& r : block) {
      r.digested = true;
      if (!by.keeps_values) std::vector<double>().swap(r.values);
    }
    block.back().digest = std::move(all);
  }
}

constexpr double block_seconds = 0.1;  // a block of rows that is digested takes a thread at most

constexpr long shown = 16;  // rows from which the engine learns what differs between realizations

}  // namespace

// x += R (c_nominal − c_actual), both given in body axes at t = 0.
void move_to_drawn_frames(const Model& model, const Parameters& numbers, std::vector<double>& poses) {
  const std::vector<DrawnFrame> frames = drawn_frames(model.topology);
  for (size_t f = 0; f < frames.size(); ++f) {
    if (!frames[f].rigid) continue;
    const std::array<double, 7> actual = frame_pose(model.topology, frames[f], numbers.positions.data()),
                                nominal = frame_pose(model.topology, frames[f], model.nominal.positions.data());
    const Quaternion<double> q0{actual[3], {actual[4], actual[5], actual[6]}};
    const Vec3<double> gap{nominal[0] - actual[0], nominal[1] - actual[1], nominal[2] - actual[2]};
    const Vec3<double> offset = transposed_times(rotation_matrix(q0), gap);
    for (size_t at = 7 * f; at < poses.size(); at += 7 * frames.size()) {
      const Quaternion<double> q{poses[at + 3], {poses[at + 4], poses[at + 5], poses[at + 6]}};
      const Vec3<double> shift = rotation_matrix(q) * offset;
      for (int i = 0; i < 3; ++i) poses[at + i] += shift[i];
    }
  }
}

std::vector<double> steps_tried(const Settings& settings, bool smaller) {
  if (!smaller) return {settings.step};
  return {settings.step, settings.step / 4};
}

// Where masses, centres of mass and inertias of rigid bodies alone are random: what makes mechanisms of samples.
static std::unique_ptr<const MassRealizer> realizer_of(const ModelVariant& variant) {
  const RandomModel& random = *variant.random;
  const auto of_body = [](const Quantity& q) { return q.body >= 0 && q.field < 0 && q.process < 0; };
  if (random.levels_vary() || !random.fields().empty() || !std::ranges::all_of(random.quantities(), of_body)) return nullptr;
  const std::vector<Override> overrides = random.overrides(std::vector<double>(random.columns().size()));
  if (overrides.size() != random.columns().size()) return nullptr;
  auto realizer = std::make_unique<const MassRealizer>(*variant.model, overrides);
  return realizer->usable() ? std::move(realizer) : nullptr;
}

// `masses` is nothing, or that of the model.
static Drawn draw(const Model& model, const RandomModel& random, const Plan& plan, std::uint64_t seed, long row,
                  std::unique_ptr<Parameters> spare, const MassRealizer* masses) {
  Drawn d;
  try {
    d.sample = sample_of(random, plan, seed, row);
    std::unique_ptr<Parameters> numbers = spare ? std::move(spare) : std::make_unique<Parameters>();
    if (masses && (*masses)(d.sample, *numbers)) {
      d.numbers = std::move(numbers);
      return d;
    }
    const std::vector<Override> overrides = random.overrides(d.sample);
    realize(model, overrides, *numbers);
    if (random.levels_vary()) realize_derived(model, overrides);  // throws where they make no sense
    d.numbers = std::move(numbers);
  } catch (const input::InputError& e) {
    d.why = e.what();
  }
  return d;
}

Drawn draw(const Model& model, const RandomModel& random, const Plan& plan, std::uint64_t seed, long row,
           std::unique_ptr<Parameters> spare) {
  return draw(model, random, plan, seed, row, std::move(spare), nullptr);
}

// A row before it is simulated.
struct Ensemble::Draft {
  SimulatedRow realized;
  std::unique_ptr<Parameters> numbers;
  bool with_poses = false;
  bool nominal_signals = false;  // its functions of time are those of the model
};

// Workspaces of lanes that nobody uses at present: a function that is called row by row has its own again, with the functions of time as
// they were (LaneRun::SignalLog). There are never more than threads that ran at the same time.
class Ensemble::Workspaces {
 public:
  explicit Workspaces(const std::vector<ModelVariant>& models) : idle_(models.size()) {
    for (const ModelVariant& m : models) realizers_.push_back(realizer_of(m));
  }
  const MassRealizer* realizer(size_t model) const { return realizers_[model].get(); }  // none: realize() does it
  std::unique_ptr<LaneRun> take(size_t model, const LaneEngine& engine) {
    std::unique_ptr<LaneRun> run;
    {
      const std::scoped_lock lock(mutex_);
      if (!idle_[model].empty()) run = std::move(idle_[model].back()), idle_[model].pop_back();
    }
    if (!run) return std::make_unique<LaneRun>(engine);
    run->profile = {};
    return run;
  }
  void give_back(size_t model, std::unique_ptr<LaneRun> run) {
    const std::scoped_lock lock(mutex_);
    idle_[model].push_back(std::move(run));
  }

  std::atomic<double> pace = 0;  // seconds a row takes a thread, as of late; 0: not known

 private:
  std::mutex mutex_;
  std::vector<std::vector<std::unique_ptr<LaneRun>>> idle_;  // [models]
  std::vector<std::unique_ptr<const MassRealizer>> realizers_;
};

Ensemble::Draft Ensemble::draft(long row, bool with_poses, std::unique_ptr<Parameters> spare) const {
  Draft d;
  d.realized.row = row;
  d.realized.point = plan_.point(row);
  const ModelVariant& variant = models_[size_t(d.realized.point.model)];
  const MassRealizer* const masses = workspaces_->realizer(size_t(d.realized.point.model));
  Drawn drawn = draw(*variant.model, *variant.random, plan_, seed_, row, std::move(spare), masses);
  d.nominal_signals = masses != nullptr;
  d.realized.sample = std::move(drawn.sample);
  d.realized.sample.resize(std::min(d.realized.sample.size(), variant.random->columns().size()));
  d.realized.why = std::move(drawn.why);
  d.numbers = std::move(drawn.numbers);
  d.with_poses = with_poses;
  return d;
}

// One thread's part.
class Ensemble::Worker {
 public:
  Worker(const Ensemble& e, bool smaller_steps, bool profiled, GpuTeam* team = nullptr, int threads = 1)
      : e_(e),
        smaller_steps_(smaller_steps),
        profiled_(profiled),
        runs_(e.models_.size()),
        team_(team),
        threads_(threads),
        gpu_runs_(e.models_.size()) {}
  ~Worker() {
    for (size_t m = 0; m < runs_.size(); ++m)
      if (runs_[m] && !profiled_) e_.workspaces_->give_back(m, std::move(runs_[m]));
    for (size_t m = 0; m < gpu_runs_.size(); ++m)
      if (gpu_runs_[m]) team_->give_back(m, std::move(gpu_runs_[m]));
  }
  Worker(Worker&&) = default;

  EnsembleProfile profile() const {
    EnsembleProfile p = profile_;
    for (const auto& run : runs_)
      if (run) p.lanes.add(run->profile);
    return p;
  }
  Draft draft(long row, const EnsembleOptions& options) {
    const double start = now();
    const DesignPoint p = e_.plan_.point(row);
    std::unique_ptr<Parameters> spare;
    if (!spare_.empty()) spare = std::move(spare_.back()), spare_.pop_back();
    Draft d = e_.draft(row, p.poses || (p.source == DesignPoint::first && p.realization < options.poses_of), std::move(spare));
    profile_.drawing += now() - start;
    ++profile_.realizations;
    return d;
  }

  // The drafts of a block of rows of one model.
  void operator()(std::vector<Draft>& block, const std::atomic<bool>* stop) {
    begin(size_t(block[0].realized.point.model));
    realizations_.resize(block.size());
    signals_of_.resize(block.size(), none);
    states_.resize(block.size());
    std::vector<Draft*> waiting;
    std::vector<char> prepared(block.size(), 0);
    for (size_t i = 0; i < block.size(); ++i)
      if ((prepared[i] = block[i].numbers && prepare(block[i], i))) waiting.push_back(&block[i]);
    on_device(waiting, block, stop);
    while (!waiting.empty()) {
      if (stopped(stop)) break;
      const auto others = std::stable_partition(waiting.begin(), waiting.end(), [first = waiting[0]](const Draft* d) {
        return (d->nominal_signals && first->nominal_signals) || same_breakpoints(*d->numbers, *first->numbers);
      });
      const size_t some = std::min(size_t(others - waiting.begin()), size_t(run_->width()));
      together({waiting.data(), some}, block, stop);
      waiting.erase(waiting.begin(), waiting.begin() + long(some));
    }
    for (Draft& d : block) {
      if (d.realized.ok || !d.numbers || stopped(stop)) continue;
      const double start = now();
      ++profile_.tried_alone;
      for (const double step : steps_tried(model_->settings, smaller_steps_)) {
        ++d.realized.tried_alone;
        // What a lane has failed at needs the uncompiled method, which can do more; with smaller steps a lane may do.
        if (step != model_->settings.step && prepared[size_t(&d - block.data())]) retry_in_lane(d, block, stop, step);
        if (!d.realized.ok) attempt(*model_, *d.numbers, step, d.with_poses, stop, d.realized, profile_.lanes);
        if (d.realized.ok || stopped(stop) || std::isnan(d.realized.failed_at)) break;  // no step helps one that does not begin
      }
      profile_.alone += now() - start;
    }
    for (Draft& d : block)
      if (d.numbers) spare_.push_back(std::move(d.numbers));
  }

 private:
  // What its rows are computed with.
  void begin(size_t variant) {
    variant_ = variant;
    model_ = e_.models_[variant].model;
    engine_ = e_.engines_[variant].get();
    if (engine_ && !runs_[variant])
      runs_[variant] = profiled_ ? std::make_unique<LaneRun>(*engine_, true) : e_.workspaces_->take(variant, *engine_);
    run_ = runs_[variant].get();
  }

  // Whether it can be computed in a lane.
  bool prepare(const Draft& d, size_t i) {
    if (!run_) return false;
    if (d.nominal_signals && signals_of_[i] == variant_)
      fill_numbers(*model_, *d.numbers, realizations_[i]);
    else
      fill_realization(*model_, *d.numbers, realizations_[i]);
    signals_of_[i] = d.nominal_signals ? variant_ : none;
    if (!engine_->fits(realizations_[i])) return false;
    if (!model_->settings.start_at_equilibrium) return true;
    try {
      Assembly<double> a(*model_, realizations_[i]);
      states_[i] = equilibrium(a, assemble(a)).state;
    } catch (const SimulationError&) {
      return false;
    }
    return true;
  }

  // Those that the device takes, if it is there; they are no longer waiting then.
  void on_device(std::vector<Draft*>& waiting, const std::vector<Draft>& block, const std::atomic<bool>* stop) {
    const GpuEngine* const gpu = team_ ? team_->engine(variant_) : nullptr;
    if (!gpu || waiting.size() < size_t(warp) || stopped(stop)) return;
    const auto index = [&](const Draft* d) { return size_t(d - block.data()); };
    const auto others = std::stable_partition(waiting.begin(), waiting.end(), [&](const Draft* d) {
      return !d->with_poses && gpu->simulation().takes(realizations_[index(d)]);
    });
    const std::span<Draft* const> taken{waiting.data(), size_t(others - waiting.begin())};
    if (std::any_of(others, waiting.end(), [](const Draft* d) { return !d->with_poses; })) team_->leave();
    if (taken.empty()) return;
    std::vector<LaneRun::Start> starts;
    for (const Draft* d : taken)
      starts.push_back({&realizations_[index(d)], model_->settings.start_at_equilibrium ? &states_[index(d)] : nullptr});
    const double start = now();
    try {
      std::unique_ptr<GpuRun>& run = gpu_runs_[variant_];
      if (!run) run = team_->take_run(variant_, threads_);
      (*run)(starts, [&](size_t k, DeviceOutputs& pack, int lane) {
        SimulatedRow& r = taken[k]->realized;
        if (pack.failed(lane)) return;
        pack.outputs(lane, r.values);
        r.ok = std::all_of(r.values.begin(), r.values.end(), usable);
        if (!r.ok) r.values.clear();
        profile_.lanes.gained = std::max(profile_.lanes.gained, pack.gained(lane));
      });
    } catch (const GpuError& e) {
      team_->lose(e.what());
      gpu_runs_[variant_].reset();
      for (Draft* d : taken) d->realized.ok = false, d->realized.values.clear();
      return;
    }
    team_->count(long(taken.size()), now() - start);
    waiting.erase(waiting.begin(), others);
  }

  void retry_in_lane(Draft& d, const std::vector<Draft>& block, const std::atomic<bool>* stop, double step) {
    Draft* const one = &d;
    together(std::span(&one, 1), block, stop, step);
    if (d.realized.ok) d.realized.why.clear(), d.realized.failed_at = std::numeric_limits<double>::quiet_NaN();
  }

  // With a step that is not 0, instead of the model's.
  void together(std::span<Draft* const> drafts, const std::vector<Draft>& block, const std::atomic<bool>* stop, double step = 0) {
    std::vector<LaneRun::Start> starts;
    bool poses = false;
    for (const Draft* d : drafts) {
      const size_t i = size_t(d - block.data());
      starts.push_back({&realizations_[i], model_->settings.start_at_equilibrium ? &states_[i] : nullptr});
      poses = poses || d->with_poses;
    }
    (*run_)(starts, poses, stop, step);
    if (stopped(stop)) return;
    for (size_t lane = 0; lane < drafts.size(); ++lane) {
      SimulatedRow& r = drafts[lane]->realized;
      if (run_->failed(int(lane))) continue;
      run_->outputs(int(lane), r.values);
      r.ok = std::all_of(r.values.begin(), r.values.end(), usable);
      if (!r.ok) r.values.clear();
      if (!r.ok || !drafts[lane]->with_poses) continue;
      run_->positions(int(lane), r.poses);
      r.poses = frame_poses(model_->topology, r.poses);
      move_to_drawn_frames(*model_, *drafts[lane]->numbers, r.poses);
    }
  }

  const Ensemble& e_;
  bool smaller_steps_, profiled_;
  std::vector<std::unique_ptr<LaneRun>> runs_;  // [models], as they are needed
  const Model* model_ = nullptr;
  const LaneEngine* engine_ = nullptr;
  LaneRun* run_ = nullptr;
  GpuTeam* team_;
  int threads_;
  std::vector<std::unique_ptr<GpuRun>> gpu_runs_;  // [models]
  size_t variant_ = 0;
  std::vector<Realization<double>> realizations_;
  static constexpr size_t none = size_t(-1);
  std::vector<size_t> signals_of_;  // [realizations]: the model whose functions of time they have
  std::vector<State<double>> states_;
  std::vector<std::unique_ptr<Parameters>> spare_;
  EnsembleProfile profile_;
};

static std::shared_ptr<const LaneEngine> compiled(const ModelVariant& variant, std::uint64_t seed, Isa isa) {
  const Model& model = *variant.model;
  if (model.modal || !integrator(model.settings).make_lanes) return nullptr;
  std::vector<Parameters> numbers;
  // Always the same realizations, however many the study has: programs, and so the last bits, must not depend on that.
  for (long row = 0; row < shown; ++row)
    if (Drawn d = draw(model, *variant.random, Plan{shown, 0}, seed, row); d.numbers) numbers.push_back(std::move(*d.numbers));
  try {
    return std::make_shared<const LaneEngine>(model, numbers, model.settings, isa);
  } catch (const SimulationError&) {  // not even the nominal model starts: each realization tells for itself
    return nullptr;
  }
}

Ensemble::Ensemble(std::vector<ModelVariant> models, const Plan& plan, std::uint64_t seed, Isa isa)
    : models_(std::move(models)), plan_(plan), seed_(seed), isa_(isa) {
  for (ModelVariant& m : models_) {
    if (!is_open(m.model->settings)) continue;
    auto chosen = std::make_shared<Model>(*m.model);
    chosen->settings = choose_for_study(*m.model, *m.random, plan, seed, isa).settings;
    m.model = chosen.get();
    chosen_.push_back(std::move(chosen));
  }
  for (const ModelVariant& m : models_) engines_.push_back(compiled(m, seed, isa));
  workspaces_ = std::make_shared<Workspaces>(models_);
}
Ensemble::Ensemble(const Model& model, const RandomModel& random, const Plan& plan, std::uint64_t seed, Isa isa)
    : Ensemble({{&model, &random}}, plan, seed, isa) {}
Ensemble::Ensemble(const Ensemble& other, const Plan& plan, std::uint64_t seed)
    : models_(other.models_),
      chosen_(other.chosen_),
      plan_(plan),
      seed_(seed),
      isa_(other.isa_),
      engines_(other.engines_),
      workspaces_(other.workspaces_),
      team_(other.team_) {}
Ensemble::~Ensemble() = default;

DeviceReport Ensemble::device() const { return team_ ? team_->report() : DeviceReport{}; }

int Ensemble::lanes() const {
  int most = 1;
  for (const auto& engine : engines_)
    if (engine) most = std::max(most, engine->lanes());
  return most;
}

SimulatedRow Ensemble::row(long row, bool with_poses, bool smaller_steps) const {
  std::vector<Draft> block(1);
  block[0] = draft(row, with_poses);
  Worker worker(*this, smaller_steps, false);
  worker(block, nullptr);
  return std::move(block[0].realized);
}

// Rows of one block, by this thread: others would only have to be woken.
long Ensemble::run_block(const EnsembleOptions& options, long end, const std::function<void(SimulatedRow&&)>& deliver) const {
  Worker worker(*this, options.smaller_steps, false);
  std::vector<Draft> drafts;
  for (long row = options.first_row; row < end; ++row) drafts.push_back(worker.draft(row, options));
  worker(drafts, options.stop);
  if (stopped(options.stop)) return options.first_row;
  for (Draft& d : drafts) deliver(std::move(d.realized));
  return end;
}

long Ensemble::run(const EnsembleOptions& options, const std::function<void(SimulatedRow&&)>& deliver) const {
  const int width = lanes();
  const long end = options.end_row > 0 ? std::min(options.end_row, plan_.rows()) : plan_.rows();
  const bool one_block =
      end > options.first_row && end - options.first_row <= width && plan_.end_of_model(options.first_row) >= end;
  if (one_block && !options.profile && !stopped(options.stop)) return run_block(options, end, deliver);
  const int threads = options.threads > 0 ? options.threads : tbb::this_task_arena::max_concurrency();
  const bool wants_device = !options.device.empty() && options.device != "cpu";
  if (wants_device && !team_ && (options.device != "auto" || end - options.first_row >= worth_a_device))
    team_ = std::make_shared<GpuTeam>(engines_, options.device, options.fast_math, options.rank_here);
  GpuTeam* const team = wants_device ? team_.get() : nullptr;
  if (team && options.wait_for_device) team->wait();
  const auto tell = [&] {
    if (!team) return;
    for (const std::string& text : team->take_notes())
      if (options.on_note) options.on_note(text);
  };
  // With a device there are more: those that wait for it sleep.
  const int hands = team ? threads + (threads + 1) / 2 : threads;
  // As many as the device takes at once, as soon as it is there.
  const auto rows_at_once = [&](long row) {
    const GpuEngine* const gpu = team ? team->engine(size_t(plan_.point(row).model)) : nullptr;
    return gpu ? gpu->rows_at_once(hands) : long(width);
  };
  // More threads than cores are allowed: whoever asks for them gets them.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, size_t(hands));
  tbb::task_arena arena(hands);
  long next = options.first_row, delivered = options.first_row;
  bool gap = false;
  tbb::enumerable_thread_specific<Worker> workers(
      [&] { return Worker(*this, options.smaller_steps, options.profile != nullptr, team, hands); });
  double delivering = 0;
  struct Block {
    long first = 0, end = 0, at_once = 1;
    std::vector<Draft> drafts;
    std::vector<SimulatedRow> rows;
    bool whole = false;  // it was not cut short
  };
  // A block to be digested, from its beginning on; otherwise a pack, which ends where such a block begins. Near the end, and where they take
  // long, rows go by packs: no thread should wait for another, and nobody for results. It makes no difference to what is added up.
  const long digested = options.digest.rows;
  std::atomic<double>& pace = workspaces_->pace;
  const auto end_of_block = [&](long row, long at_once) {
    const long all = std::min(end, plan_.end_of_model(row)), pack = std::min(row + at_once, all);
    if (digested == 0) return pack;
    if (at_once >= digested) return pack == all || pack / digested * digested <= row ? pack : pack / digested * digested;
    const bool soon = pace > 0 && pace * double(digested) < block_seconds;
    if (soon && row % digested == 0 && row + digested * threads <= all) return row + digested;
    return std::min(pack, (row / digested + 1) * digested);
  };
  // As many as are under way at once. They end in their order, so that the one whose turn it is again is free.
  std::vector<Block> blocks(size_t(team ? 2 : 4) * size_t(hands));
  size_t begun = 0;
  const auto begin = [&](tbb::flow_control& control) -> Block* {
    const Turn turn(&next);
    if (next >= end || stopped(options.stop)) {
      control.stop();
      return nullptr;
    }
    Block* block = &blocks[begun++ % blocks.size()];
    const Turn own(block);
    block->first = next;
    block->at_once = rows_at_once(next);
    block->end = next = end_of_block(next, block->at_once);
    return block;
  };
  const auto simulate_block = [&](Block* block) {
    const Turn own(block);
    Worker& worker = workers.local();
    block->rows.clear();
    const double began = processor_time();
    for (long first = block->first; first < block->end && !stopped(options.stop); first += block->at_once) {
      block->drafts.clear();
      for (long row = first; row < std::min(first + block->at_once, block->end); ++row)
        block->drafts.push_back(worker.draft(row, options));
      worker(block->drafts, options.stop);
      if (stopped(options.stop)) break;  // those under way are abandoned, those before are not
      for (Draft& d : block->drafts) block->rows.push_back(std::move(d.realized));
    }
    block->whole = long(block->rows.size()) == block->end - block->first;
    if (block->whole) pace = (processor_time() - began) / double(block->end - block->first);
    if (block->whole && digested > 0) digest(options.digest, block->rows);
    hand_over(&workers);
    return block;
  };
  const auto hand_out = [&](Block* block) {
    const Turn turn(&delivered), own(block);
    if (gap) return;
    gap = !block->whole;
    const double start = now();
    tell();
    for (SimulatedRow& r : block->rows) {
      deliver(std::move(r));
      ++delivered;
    }
    delivering += now() - start;
  };
  using Mode = tbb::filter_mode;
  hand_over(&arena);
  arena.execute([&] {
    tbb::parallel_pipeline(blocks.size(),
                           tbb::make_filter<void, Block*>(Mode::serial_in_order, taken_over(&arena, begin)) &
                               tbb::make_filter<Block*, Block*>(Mode::parallel, taken_over(&arena, simulate_block)) &
                               tbb::make_filter<Block*, void>(Mode::serial_in_order, taken_over(&arena, hand_out)));
  });
  take_over(&next), take_over(&workers), take_over(&delivered);
  tell();
  if (options.profile) {
    EnsembleProfile& sum = *options.profile;
    sum.delivering += delivering;
    for (const Worker& w : workers) {
      const EnsembleProfile p = w.profile();
      sum.lanes.add(p.lanes);
      sum.drawing += p.drawing, sum.alone += p.alone;
      sum.realizations += p.realizations, sum.tried_alone += p.tried_alone;
    }
  }
  return delivered;
}

}  // namespace aleator::core
