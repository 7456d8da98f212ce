#include "ensemble/worker.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include "base/wide.hpp"
#include "dynamics/equilibrium.hpp"
#include "dynamics/errors.hpp"
#include "dynamics/simulate.hpp"
#include "model/drawn_frames.hpp"

namespace aleator::core {

namespace {

// Statistics need its fourth power, times the realizations, to be a number.
constexpr double largest_output = 1e60;

ALEATOR_WIDE bool all_usable(const double* x, size_t n) {
  std::int64_t bad = 0;
  for (size_t i = 0; i < n; ++i) bad |= std::abs(x[i]) <= largest_output ? 0 : 1;
  return bad == 0;
}

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
    const auto odd = std::find_if_not(t.values.begin(), t.values.end(), [](double x) { return std::abs(x) <= largest_output; });
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
bool same_breakpoints(const Draft& a, const Draft& b) {
  if (a.of_masses && b.of_masses) return true;
  if (a.of_masses != b.of_masses) return false;
  return std::equal(a.numbers->signals.begin(), a.numbers->signals.end(), b.numbers->signals.begin(), b.numbers->signals.end(),
                    [](const PiecewisePolynomial& x, const PiecewisePolynomial& y) { return x.breakpoints == y.breakpoints; });
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

std::unique_ptr<LaneRun> Ensemble::Workspaces::take(size_t model, const LaneEngine& engine) {
  std::unique_ptr<LaneRun> run;
  {
    const std::scoped_lock lock(mutex_);
    if (!idle_[model].empty()) run = std::move(idle_[model].back()), idle_[model].pop_back();
  }
  if (!run) return std::make_unique<LaneRun>(engine);
  run->profile = {};
  return run;
}

void Ensemble::Workspaces::give_back(size_t model, std::unique_ptr<LaneRun> run) {
  const std::scoped_lock lock(mutex_);
  idle_[model].push_back(std::move(run));
}

Ensemble::Worker::Worker(const Ensemble& e, bool smaller_steps, bool profiled, GpuTeam* team, int threads)
    : e_(e),
      smaller_steps_(smaller_steps),
      profiled_(profiled),
      drawer_(e.plan_, e.seed_),
      runs_(e.models_.size()),
      team_(team),
      threads_(threads),
      gpu_runs_(e.models_.size()) {}

Ensemble::Worker::~Worker() {
  for (size_t m = 0; m < runs_.size(); ++m)
    if (runs_[m] && !profiled_) e_.workspaces_->give_back(m, std::move(runs_[m]));
  for (size_t m = 0; m < gpu_runs_.size(); ++m)
    if (gpu_runs_[m]) team_->give_back(m, std::move(gpu_runs_[m]));
}

EnsembleProfile Ensemble::Worker::profile() const {
  EnsembleProfile p = profile_;
  for (const auto& run : runs_)
    if (run) p.lanes.add(run->profile);
  return p;
}

void Ensemble::Worker::draw(long first, long end, long limit, const EnsembleOptions& options, std::vector<Draft>& block) {
  const double start = now();
  const size_t variant = size_t(e_.plan_.point(first).model);
  drawer_(e_.models_[variant], e_.workspaces_->realizer(variant), first, end, limit, block);
  for (Draft& d : block) {
    const DesignPoint& p = d.realized.point;
    d.with_poses = p.poses || (p.source == DesignPoint::first && p.realization < options.poses_of);
  }
  profile_.drawing += now() - start;
  profile_.realizations += end - first;
}

// The drafts of a block of rows of one model.
void Ensemble::Worker::operator()(std::vector<Draft>& block, const std::atomic<bool>* stop) {
  begin(size_t(block[0].realized.point.model));
  if (realizations_.size() < block.size()) {
    realizations_.resize(block.size());
    nominal_of_.resize(block.size(), none);
    states_.resize(block.size());
  }
  std::vector<Draft*> waiting;
  std::vector<char> prepared(block.size(), 0);
  const double start = now();
  for (size_t i = 0; i < block.size(); ++i)
    if ((prepared[i] = prepare(block[i], i))) waiting.push_back(&block[i]);
  profile_.drawing += now() - start;
  on_device(waiting, block, stop);
  while (!waiting.empty()) {
    if (is_set(stop)) break;
    const auto others = std::stable_partition(waiting.begin(), waiting.end(),
                                              [first = waiting[0]](const Draft* d) { return same_breakpoints(*d, *first); });
    const size_t some = std::min(size_t(others - waiting.begin()), size_t(run_->width()));
    together({waiting.data(), some}, block, stop);
    waiting.erase(waiting.begin(), waiting.begin() + long(some));
  }
  for (size_t i = 0; i < block.size(); ++i)
    if (!block[i].realized.ok && !is_set(stop)) alone(block[i], block, prepared[i] != 0, stop);
  for (Draft& d : block)
    if (d.numbers) drawer_.take_back(std::move(d.numbers));
}

void Ensemble::Worker::take_back(std::vector<double>&& values) {
  constexpr size_t most = size_t(1) << 20;  // numbers
  if (values.capacity() > 0 && spare_values_.size() * values.capacity() < most) spare_values_.push_back(std::move(values));
}

// What its rows are computed with.
void Ensemble::Worker::begin(size_t variant) {
  variant_ = variant;
  model_ = e_.models_[variant].model;
  engine_ = e_.engines_[variant].get();
  if (engine_ && !runs_[variant])
    runs_[variant] = profiled_ ? std::make_unique<LaneRun>(*engine_, true) : e_.workspaces_->take(variant, *engine_);
  run_ = runs_[variant].get();
}

// The numbers of a row where lanes read them. False: they make no mechanism.
bool Ensemble::Worker::fill(Draft& d, size_t i) {
  if (d.of_masses) {
    if (nominal_of_[i] != variant_) fill_realization(*model_, model_->nominal, realizations_[i]);
    nominal_of_[i] = variant_;
    if ((*e_.workspaces_->realizer(variant_))(d.realized.sample, realizations_[i])) return true;
    drawer_.make_numbers(e_.models_[variant_], d);  // says why not
    d.of_masses = false;
  }
  if (!d.numbers) return false;
  fill_realization(*model_, *d.numbers, realizations_[i]);
  nominal_of_[i] = none;
  return true;
}

// Whether it can be computed in a lane.
bool Ensemble::Worker::prepare(Draft& d, size_t i) {
  if (!run_) return false;
  if (!fill(d, i) || !engine_->fits(realizations_[i])) return false;
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
void Ensemble::Worker::on_device(std::vector<Draft*>& waiting, const std::vector<Draft>& block, const std::atomic<bool>* stop) {
  const GpuEngine* const gpu = team_ ? team_->engine(variant_) : nullptr;
  if (!gpu || waiting.size() < size_t(warp) || is_set(stop)) return;
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
    (*run)(starts, [&](size_t first, size_t count, DeviceOutputs& pack) {
      take_outputs(taken.subspan(first, count), pack);
      for (size_t lane = 0; lane < count; ++lane)
        if (!pack.failed(int(lane))) profile_.lanes.gained = std::max(profile_.lanes.gained, pack.gained(int(lane)));
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

// With a step that is not 0, instead of the model's.
void Ensemble::Worker::together(std::span<Draft* const> drafts, const std::vector<Draft>& block, const std::atomic<bool>* stop,
                                double step) {
  std::vector<LaneRun::Start> starts;
  bool poses = false;
  for (const Draft* d : drafts) {
    const size_t i = size_t(d - block.data());
    starts.push_back({&realizations_[i], model_->settings.start_at_equilibrium ? &states_[i] : nullptr});
    poses = poses || d->with_poses;
  }
  (*run_)(starts, poses, stop, step);
  if (is_set(stop)) return;
  take_outputs(drafts, *run_);
  for (size_t lane = 0; poses && lane < drafts.size(); ++lane) {
    Draft& d = *drafts[lane];
    if (!d.realized.ok || !d.with_poses) continue;
    run_->positions(int(lane), d.realized.poses);
    d.realized.poses = frame_poses(model_->topology, d.realized.poses);
    drawer_.make_numbers(e_.models_[variant_], d);
    move_to_drawn_frames(*model_, *d.numbers, d.realized.poses);
  }
}

// Of a pack, whose first lanes they are.
template <class Outputs>
void Ensemble::Worker::take_outputs(std::span<Draft* const> drafts, Outputs& from) {
  std::array<std::vector<double>*, warp> to{};
  for (size_t lane = 0; lane < drafts.size(); ++lane) {
    if (from.failed(int(lane))) continue;
    std::vector<double>& values = drafts[lane]->realized.values;
    if (values.capacity() == 0 && !spare_values_.empty()) values.swap(spare_values_.back()), spare_values_.pop_back();
    to[lane] = &values;
  }
  from.outputs(std::span(to).first(drafts.size()));
  for (size_t lane = 0; lane < drafts.size(); ++lane) {
    if (!to[lane]) continue;
    SimulatedRow& r = drafts[lane]->realized;
    r.ok = all_usable(r.values.data(), r.values.size());
    if (!r.ok) r.values.clear();
  }
}

// What a lane has failed at needs the uncompiled method, which can do more; with smaller steps a lane may do.
void Ensemble::Worker::alone(Draft& d, const std::vector<Draft>& block, bool prepared, const std::atomic<bool>* stop) {
  if (d.of_masses) drawer_.make_numbers(e_.models_[variant_], d);
  if (!d.numbers) return;
  SimulatedRow& r = d.realized;
  const double start = now();
  ++profile_.tried_alone;
  for (const double step : steps_tried(model_->settings, smaller_steps_)) {
    ++r.tried_alone;
    if (step != model_->settings.step && prepared) {
      Draft* const one = &d;
      together(std::span(&one, 1), block, stop, step);
      if (r.ok) r.why.clear(), r.failed_at = std::numeric_limits<double>::quiet_NaN();
    }
    if (!r.ok) attempt(*model_, *d.numbers, step, d.with_poses, stop, r, profile_.lanes);
    if (r.ok || is_set(stop) || std::isnan(r.failed_at)) break;  // no step helps one that does not begin
  }
  profile_.alone += now() - start;
}

}  // namespace aleator::core
