#include "ensemble/worker.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "base/lanes_to_rows.hpp"
#include "base/wide.hpp"
#include "dynamics/equilibrium.hpp"
#include "dynamics/errors.hpp"
#include "dynamics/simulate.hpp"
#include "model/drawn_frames.hpp"

namespace aleator::core {

namespace {

ALEATOR_WIDE bool all_usable(const double* x, size_t n) {
  std::int64_t bad = 0;
  for (size_t i = 0; i < n; ++i) bad |= std::abs(x[i]) <= largest_usable ? 0 : 1;
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
    const auto odd = std::find_if_not(t.values.begin(), t.values.end(), [](double x) { return std::abs(x) <= largest_usable; });
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

// Quotients to the last bit or two, and conditions up to 10⁹; a mistake is larger.
constexpr double fast_math_differs = 1e-6;

// So far in a study that not all values of a block are kept.
long distant_block(const DeviceBlock& block) { return block.rows * (1L << 20); }

bool differ(std::span<const double> a, std::span<const double> b, bool fast) {
  if (a.size() != b.size()) return true;
  double allowed = 0;
  for (const double x : b)
    if (fast && std::isfinite(x)) allowed = std::max(allowed, fast_math_differs * std::abs(x));
  return !std::ranges::equal(a, b, [&](double x, double y) { return x == y || std::abs(x - y) <= allowed; });
}

// The largest gain of energy in a block.
double gained_of(const GpuEngine& gpu, const DeviceTold& told, size_t rows) {
  DeviceOutputs reader(gpu.simulation());
  double most = 0;
  for (size_t k = 0; k < rows; ++k) {
    if (k % warp == 0) reader.read(nullptr, told.lines + k * told.distance, false);
    most = std::max(most, reader.gained(int(k % warp)));
  }
  return most;
}

// What a device has made of a row other than lanes have, in words.
std::string difference(const SimulatedRow& there, const SimulatedRow& here, const Model& model, bool fast) {
  const auto close = [fast](double a, double b) {
    return a == b || (fast && std::abs(a - b) <= fast_math_differs * std::abs(b));
  };
  if (!std::ranges::equal(there.sample, here.sample, close))
    return fmt::format("it draws other random numbers for realization {}", here.row);
  if (there.ok != here.ok)
    return fast ? "" : fmt::format("realization {} fails {} alone", here.row, here.ok ? "there" : "on the processor");
  if (!here.ok) return {};  // it is retried individually, whatever its values are
  const size_t channels = model.channels.size();
  for (size_t c = 0; c < channels; ++c) {
    double allowed = 0;
    for (size_t i = c; fast && i < here.values.size(); i += channels)
      allowed = std::max(allowed, fast_math_differs * std::abs(here.values[i]));
    for (size_t i = c; i < here.values.size(); i += channels)
      if (!(there.values[i] == here.values[i] || std::abs(there.values[i] - here.values[i]) <= allowed))
        return fmt::format("{} of realization {} is {} instead of {}", model.channels[c].name, here.row, there.values[i],
                           here.values[i]);
  }
  return {};
}

}  // namespace

std::vector<std::optional<DeviceDrawing>> Ensemble::Workspaces::for_device(const Plan& plan) const {
  std::vector<std::optional<DeviceDrawing>> all(drawings_.size());
  if (plan.table || plan.design) return all;
  for (size_t m = 0; m < all.size(); ++m)
    if (drawings_[m]) all[m] = drawings_[m]->for_device();
  return all;
}

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

void Ensemble::Worker::draw(long first, long end, long limit, const EnsembleOptions& options, std::vector<Draft>& block,
                            bool for_device) {
  const double start = now();
  const size_t variant = size_t(e_.plan_.point(first).model);
  const GpuEngine* const gpu = for_device ? team_->engine(variant) : nullptr;
  drawer_.only_name(first, end, block);
  if (!gpu || !draws(*gpu, block)) drawer_(e_.models_[variant], e_.workspaces_->together(variant), limit, block);
  for (Draft& d : block) {
    const DesignPoint& p = d.realized.point;
    d.with_poses = p.poses || (p.source == DesignPoint::first && p.realization < options.poses_of);
  }
  profile_.drawing += now() - start;
  profile_.realizations += end - first;
}

// The drafts of a block of rows of one model.
void Ensemble::Worker::operator()(std::span<Draft> block, const std::atomic<bool>* stop, bool for_device, const Digest* digest) {
  begin(size_t(block[0].realized.point.model));
  left_.clear(), failed_.clear();
  if (for_device)
    on_device(block, stop, digest);
  else
    for (Draft& d : block) left_.push_back(&d);
  for (size_t i = 0; i < left_.size() && !is_set(stop); i += width_)
    in_lanes(std::span(left_).subspan(i, std::min(width_, left_.size() - i)), stop);
  for (Draft* const d : failed_)
    if (!is_set(stop)) alone({d, 0}, prepare(*d, 0), stop);
  for (Draft& d : block)
    if (d.numbers) drawer_.take_back(std::move(d.numbers));
}

// Not more than there are lanes. Who fails there is tried alone.
void Ensemble::Worker::in_lanes(std::span<Draft* const> some, const std::atomic<bool>* stop) {
  try_in_lanes(some, stop);
  for (size_t i = 0; i < some.size(); ++i)
    if (!some[i]->realized.ok && !is_set(stop)) alone({some[i], i}, prepared_[i] != 0, stop);
}

void Ensemble::Worker::try_in_lanes(std::span<Draft* const> some, const std::atomic<bool>* stop) {
  std::vector<Placed>& waiting = waiting_;
  waiting.clear(), prepared_.assign(some.size(), 0);
  const double start = now();
  for (size_t i = 0; i < some.size(); ++i) {
    prepared_[i] = prepare(*some[i], i);
    if (prepared_[i]) waiting.push_back({some[i], i});
  }
  profile_.drawing += now() - start;
  while (!waiting.empty() && !is_set(stop)) {
    const auto others = std::stable_partition(waiting.begin(), waiting.end(), [first = waiting[0].draft](const Placed& p) {
      return same_breakpoints(*p.draft, *first);
    });
    together({waiting.begin(), others}, stop);
    waiting.erase(waiting.begin(), others);
  }
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
  width_ = run_ ? size_t(run_->width()) : 1;
  columns_ = e_.models_[variant].random->columns().size();
  if (realizations_.size() < width_) {
    realizations_.resize(width_), states_.resize(width_);
    nominal_of_.resize(width_, none);
  }
}

LaneRun::Start Ensemble::Worker::start_of(const Placed& row) const {
  const Draft& d = *row.draft;
  if (d.drawn) return {&engine_->nominal(), nullptr, e_.workspaces_->together(variant_).lanes->slots(), d.drawn};
  return {&realizations_[row.place], model_->settings.start_at_equilibrium ? &states_[row.place] : nullptr};
}

// The numbers of a row where lanes read them. False: they make no mechanism.
bool Ensemble::Worker::fill(Draft& d, size_t place) {
  if (d.realized.sample.empty() && !d.numbers) drawer_.complete(e_.models_[variant_], e_.workspaces_->together(variant_), d);
  if (d.of_masses) {
    if (nominal_of_[place] != variant_) fill_realization(*model_, model_->nominal, realizations_[place]);
    nominal_of_[place] = variant_;
    if ((*e_.workspaces_->together(variant_).masses)(d.realized.sample, realizations_[place])) return true;
    drawer_.make_numbers(e_.models_[variant_], d);  // says why not
    d.of_masses = false;
  }
  if (!d.numbers) return false;
  fill_realization(*model_, *d.numbers, realizations_[place]);
  nominal_of_[place] = none;
  return true;
}

// Whether it can be computed in a lane.
bool Ensemble::Worker::prepare(Draft& d, size_t place) {
  if (!run_) return false;
  if (d.drawn) return true;
  if (!fill(d, place) || !engine_->fits(realizations_[place])) return false;
  if (!model_->settings.start_at_equilibrium) return true;
  try {
    Assembly<double> a(*model_, realizations_[place]);
    states_[place] = equilibrium(a, assemble(a)).state;
  } catch (const SimulationError&) {
    return false;
  }
  return true;
}

// Those that the device takes, if it is there; the others are left to lanes. It draws rows itself where it can; otherwise the numbers of a row go to
// where it reads them as soon as they are there, so that they are still in the cache.
void Ensemble::Worker::on_device(std::span<Draft> block, const std::atomic<bool>* stop, const Digest* digest) {
  const GpuEngine* gpu = team_->engine(variant_);
  const bool drawn = gpu && draws(*gpu, block);
  sent_.clear();
  for (size_t i = 0; i < block.size();) try {
      if (!gpu || is_set(stop)) {
        for (; i < block.size(); ++i) left_.push_back(&block[i]);
        break;
      }
      std::unique_ptr<GpuRun>& run = gpu_runs_[variant_];
      if (!run) run = team_->take_run(variant_, threads_);
      const double start = now();
      run->clear(drawn);
      for (; i < block.size() && run->has_room(); ++i) (send(*gpu, block[i], *run, drawn) ? sent_ : left_).push_back(&block[i]);
      profile_.drawing += now() - start;
      blocks_.clear();
      if (digest && team_->adds_up()) find_blocks(*digest, *gpu);
      const auto take = [&](size_t first, size_t count, DeviceOutputs& pack) {
        const std::span<Draft* const> rows = std::span(sent_).subspan(first, count);
        take_outputs(rows, pack);
        for (size_t lane = 0; lane < count; ++lane) {
          if (drawn) rows[lane]->realized.sample.resize(columns_), pack.sample(int(lane), rows[lane]->realized.sample);
          if (!pack.fits(int(lane))) unfit_.push_back(rows[lane]);
          if (!pack.failed(int(lane))) profile_.lanes.gained = std::max(profile_.lanes.gained, pack.gained(int(lane)));
        }
      };
      const auto take_block = [&](size_t first, const DeviceTold& told, std::span<const double> sums) {
        const std::span<Draft* const> rows = std::span(sent_).subspan(first, size_t(gpu->block()->rows));
        for (Draft* const d : rows) d->realized.ok = true;
        rows.back()->realized.of_block = numbers_of_block(*gpu, told, sums);
        profile_.lanes.gained = std::max(profile_.lanes.gained, gained_of(*gpu, told, rows.size()));
        return true;
      };
      team_->simulate(*run, take, blocks_, take_block);
      for (Draft* const d : sent_) {
        d->of_masses = d->of_masses || drawn;
        if (!d->realized.ok && std::find(unfit_.begin(), unfit_.end(), d) == unfit_.end()) failed_.push_back(d);
      }
      left_.insert(left_.end(), unfit_.begin(), unfit_.end());
      sent_.clear(), unfit_.clear();
    } catch (const GpuError& e) {
      team_->lose(e.what());
      gpu_runs_[variant_].reset(), gpu = nullptr;
      for (Draft* const d : sent_) {
        SimulatedRow& r = d->realized;
        r.ok = false, r.values.clear(), r.sample.clear(), r.of_block.clear();
      }
      left_.insert(left_.end(), sent_.begin(), sent_.end());
      sent_.clear(), unfit_.clear();
    }
}

// Whole blocks of rows that are sent, each from the beginning of a pack on.
void Ensemble::Worker::find_blocks(const Digest& digest, const GpuEngine& gpu) {
  const DeviceBlock* const block = gpu.block();
  if (!block || block != digest.on_device.get() || digest.keeps_values) return;
  const size_t rows = size_t(block->rows);
  for (size_t k = 0; k + rows <= sent_.size();) {
    const long first = sent_[k]->realized.row;
    const bool whole = first % long(rows) == 0 && k % warp == 0 && sent_[k + rows - 1]->realized.row == first + long(rows) - 1;
    if (!whole) {
      ++k;
      continue;
    }
    if (const std::optional<ColumnPick> pick = digest.picked(first)) blocks_.push_back({k, *pick});
    k += rows;
  }
}

// SimulatedRow::of_block
std::vector<double> Ensemble::Worker::numbers_of_block(const GpuEngine& gpu, const DeviceTold& told,
                                                       std::span<const double> sums) const {
  const size_t rows = size_t(gpu.block()->rows), lines = size_t(gpu.block()->series.lines);
  std::vector<double> all(rows * lines + sums.size());
  for (size_t k = 0; k < rows; k += warp) {
    std::array<double*, warp> to{};
    for (size_t lane = 0; lane < warp; ++lane) to[lane] = &all[(k + lane) * lines];
    lanes_to_rows(told.lines + k * told.distance, lines, warp, to);
  }
  std::ranges::copy(sums, all.begin() + long(rows * lines));
  return all;
}

// Drawn and given rows are compared as they are sent to the device otherwise; who does not fit into lanes there is none for it. What is
// made of a block is compared with what the processor makes of the same values.
DeviceComparison Ensemble::Worker::compare(size_t variant, GpuRun& run, const Digest& digest, const std::atomic<bool>* stop) {
  const GpuEngine& gpu = run.engine();
  const long rows = gpu.block() ? gpu.block()->rows : GpuTeam::compared;
  long first = 0;
  while (size_t(e_.plan_.point(first).model) != variant) first = e_.plan_.end_of_model(first);
  std::vector<Draft> here, there;
  drawer_.only_name(first, first + GpuTeam::compared, here), drawer_.only_name(first, first + rows, there);
  begin(variant);
  const ModelVariant& model = e_.models_[variant];
  drawer_(model, e_.workspaces_->together(variant), first + rows, here);
  std::vector<Draft*> own;
  for (Draft& d : here) own.push_back(&d);
  for (size_t i = 0; i < own.size() && !is_set(stop); i += width_)
    try_in_lanes(std::span(own).subspan(i, std::min(width_, own.size() - i)), stop);
  if (is_set(stop)) return {};

  const bool drawn = draws(gpu, there);
  if (!drawn) drawer_(model, e_.workspaces_->together(variant), first + rows, there);
  DeviceComparison out;
  const auto take = [&](size_t begin, size_t count, DeviceOutputs& pack) {
    const std::span<Draft* const> some = std::span(sent_).subspan(begin, count);
    take_outputs(some, pack);
    for (size_t lane = 0; lane < count && out.differs.empty(); ++lane) {
      SimulatedRow& r = some[lane]->realized;
      if (!pack.fits(int(lane)) || r.row - first >= GpuTeam::compared) continue;
      if (drawn) r.sample.resize(columns_), pack.sample(int(lane), r.sample);
      out.differs = difference(r, here[size_t(r.row - first)].realized, *model.model, gpu.is_fast());
    }
  };
  const auto take_block = [&](size_t, const DeviceTold& told, std::span<const double> sums) {
    const std::vector<double> of_device = numbers_of_block(gpu, told, sums);
    run.fetch(0, size_t(rows), take);
    const auto by_device = digest.begin(distant_block(*gpu.block())), by_processor = digest.begin(distant_block(*gpu.block()));
    for (const Draft* const d : sent_) by_processor->add(d->realized);
    if (out.differs.empty() && differ(by_device->finish_of_device(of_device), by_processor->finish(), gpu.is_fast()))
      out.differs = "statistics of the same realizations differ";
    out.blocks = true;
    return true;
  };
  // Where some fail there is no block: others stand in for them.
  for (int turn = 0; turn < 2 && out.differs.empty() && !out.blocks && !is_set(stop); ++turn) {
    std::vector<Draft*> wanted;
    for (Draft& d : there)
      if (turn == 0 || d.realized.ok) wanted.push_back(&d);
    if (wanted.empty() || (turn > 0 && !(gpu.block() && run.has_block()))) break;
    run.clear(drawn);
    sent_.clear(), blocks_.clear();
    for (size_t k = 0; k < size_t(rows) && run.has_room(); ++k)
      if (Draft* const d = wanted[k % wanted.size()]; send(gpu, *d, run, drawn)) sent_.push_back(d);
    if (gpu.block() && run.has_block() && sent_.size() == size_t(rows))
      if (const std::optional<ColumnPick> pick = digest.picked(distant_block(*gpu.block()))) blocks_.push_back({0, *pick});
    run.simulate(take, blocks_, take_block);
  }
  sent_.clear(), blocks_.clear();
  return out;
}

bool Ensemble::Worker::draws(const GpuEngine& gpu, std::span<const Draft> block) const {
  const long first = block.front().realized.row, end = block.back().realized.row + 1;
  return gpu.simulation().drawn() && gpu.simulation().takes_nominal() && drawer_.by_identity(first, end);
}

// False: it is not for the device.
bool Ensemble::Worker::send(const GpuEngine& gpu, Draft& d, GpuRun& run, bool drawn) {
  if (d.with_poses) return false;
  if (drawn) {
    const RandomModel& random = *e_.models_[variant_].random;
    const RowIdentity who = drawer_.identity(random, d.realized.point, d.realized.row, replicates_);
    identity_.assign(2 + random.groups().size(), 0);
    identity_[0] = std::bit_cast<double>(who.seed), identity_[1] = std::bit_cast<double>(who.realization);
    for (size_t g = 0; g < who.replicates.size(); ++g) identity_[2 + g] = std::bit_cast<double>(std::uint64_t(who.replicates[g]));
    run.add(identity_);
    return true;
  }
  d.drawn = nullptr;  // it reads whole realizations
  if (!prepare(d, 0)) return false;
  const bool taken = d.of_masses ? gpu.simulation().takes_nominal() : gpu.simulation().takes(realizations_[0]);
  if (taken)
    run.add(start_of({&d, 0}));
  else if (team_)
    team_->leave();
  return taken;
}

// With a step that is not 0, instead of the model's.
void Ensemble::Worker::together(std::span<const Placed> rows, const std::atomic<bool>* stop, double step) {
  std::array<LaneRun::Start, warp> starts;
  std::array<Draft*, warp> all;
  bool poses = false;
  for (size_t k = 0; k < rows.size(); ++k) {
    starts[k] = start_of(rows[k]), all[k] = rows[k].draft;
    poses = poses || all[k]->with_poses;
  }
  const std::span<Draft* const> drafts(all.data(), rows.size());
  (*run_)(std::span(starts).first(rows.size()), poses, stop, step);
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
void Ensemble::Worker::alone(const Placed& row, bool prepared, const std::atomic<bool>* stop) {
  Draft& d = *row.draft;
  if (d.of_masses) drawer_.make_numbers(e_.models_[variant_], d);
  if (!d.numbers) return;
  SimulatedRow& r = d.realized;
  const double start = now();
  ++profile_.tried_alone;
  for (const double step : steps_tried(model_->settings, smaller_steps_)) {
    ++r.tried_alone;
    if (step != model_->settings.step && prepared) {
      together(std::span(&row, 1), stop, step);
      if (r.ok) r.why.clear(), r.failed_at = std::numeric_limits<double>::quiet_NaN();
    }
    if (!r.ok) attempt(*model_, *d.numbers, step, d.with_poses, stop, r, profile_.lanes);
    if (r.ok || is_set(stop) || std::isnan(r.failed_at)) break;  // no step helps one that does not begin
  }
  profile_.alone += now() - start;
}

}  // namespace aleator::core
