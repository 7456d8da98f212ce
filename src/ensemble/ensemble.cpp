#include "ensemble/ensemble.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>

#include "dynamics/errors.hpp"
#include "dynamics/simulate.hpp"
#include "input/error.hpp"
#include "model/derived.hpp"
#include "model/drawn_frames.hpp"

namespace aleator {

namespace {

// Poses are recorded of frames at the actual centres of mass; what is drawn hangs on the nominal ones:
// x += R (c_nominal − c_actual), both given in body axes at t = 0.
void move_to_drawn_frames(const Model& model, const Numbers& numbers, std::vector<double>& poses) {
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

bool stopped(const std::atomic<bool>* stop) { return stop && *stop; }

// Fills in the response, or why there is none.
void attempt(const Model& model, const Numbers& numbers, double step, bool with_poses, const std::atomic<bool>* stop,
             Realized& r) {
  SimulateOptions options;
  options.poses = with_poses;
  options.stop = stop;
  options.step = step;
  try {
    const Trajectory<double> t = simulate_model(model, numbers, options);
    r.ok = true;
    r.values.assign(t.values.begin(), t.values.end());
    r.poses.assign(t.poses.begin(), t.poses.end());
    if (with_poses) move_to_drawn_frames(model, numbers, r.poses);
    if (!std::all_of(r.values.begin(), r.values.end(), [](double x) { return std::isfinite(x); })) {
      r = Realized{.row = r.row, .point = r.point, .why = "an output is not finite", .sample = std::move(r.sample)};
    }
  } catch (const SimulationError& e) {
    r.why = e.what();
  }
}

}  // namespace

Realized realize_row(const Model& model, const RandomModel& random, const Plan& plan, std::uint64_t seed, long row,
                     bool with_poses, const std::atomic<bool>* stop) {
  Realized r;
  r.row = row;
  r.point = plan.point(row);
  std::vector<int> replicate(random.groups().size(), r.point.source == DesignPoint::second ? 1 : 0);
  if (r.point.source >= 0) replicate[r.point.source] = 1;
  try {
    RandomModel::Strata strata;
    if (plan.hypercube)
      strata = [&](const Quantity& q, int copy, double u) { return (*plan.hypercube)(q.key, copy, r.point.realization, u); };
    r.sample = random.sample(seed, std::uint64_t(r.point.realization), replicate, strata);
    const std::vector<Override> overrides = random.overrides(r.sample);
    const Numbers numbers = realize(model, overrides);
    if (random.levels_vary()) realize_derived(model, overrides);  // throws where they make no sense
    attempt(model, numbers, model.settings.step, with_poses, stop, r);
    if (!r.ok && !stopped(stop)) attempt(model, numbers, model.settings.step / 4, with_poses, stop, r);
  } catch (const input::InputError& e) {  // numbers that make no mechanism: a negative stiffness, say
    r.why = e.what();
  }
  if (r.ok) r.why.clear();
  return r;
}

long run_ensemble(const Model& model, const RandomModel& random, const Plan& plan, std::uint64_t seed,
                  const EnsembleOptions& options, const std::function<void(Realized&&)>& deliver) {
  const int threads = options.threads > 0 ? options.threads : tbb::this_task_arena::max_concurrency();
  // More threads than cores are allowed: whoever asks for them gets them.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, size_t(threads));
  tbb::task_arena arena(threads);
  long next = options.first_row, delivered = options.first_row;
  bool gap = false;
  using Item = std::shared_ptr<Realized>;  // a pipeline copies its items
  arena.execute([&] {
    tbb::parallel_pipeline(
        size_t(4) * threads,
        tbb::make_filter<void, long>(tbb::filter_mode::serial_in_order, [&](tbb::flow_control& control) -> long {
          if (next >= plan.rows() || stopped(options.stop)) {
            control.stop();
            return 0;
          }
          return next++;
        }) & tbb::make_filter<long, Item>(tbb::filter_mode::parallel, [&](long row) -> Item {
          const DesignPoint p = plan.point(row);
          const bool poses = p.source == DesignPoint::first && p.realization < options.poses_of;
          Item r = std::make_shared<Realized>(realize_row(model, random, plan, seed, row, poses, options.stop));
          return stopped(options.stop) ? nullptr : r;  // it may have been cut short
        }) & tbb::make_filter<Item, void>(tbb::filter_mode::serial_in_order, [&](const Item& r) {
          gap = gap || !r;
          if (gap) return;
          deliver(std::move(*r));
          ++delivered;
        }));
  });
  return delivered;
}

}  // namespace aleator
