// Nothing is allocated in the time loop: this program counts every call of malloc and its relatives (operator new ends there)
// between step 10 and step 500, outputs and kinks included, and in the whole of a second run of lanes.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

#include "dynamics/lane_engine.hpp"
#include "dynamics/simulate.hpp"
#include "support/model_text.hpp"
#include "support/run.hpp"
#include "support/sanitized.hpp"

#if !defined(ALEATOR_ADDRESS_SANITIZER) && defined(__GLIBC__)

namespace {
std::atomic<bool> counting{false};
std::atomic<long> calls{0};
void count() {
  if (counting.load(std::memory_order_relaxed)) calls.fetch_add(1, std::memory_order_relaxed);
}
}  // namespace

// What glibc does under these names, under the names it keeps for those who replace them.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t n) { return count(), __libc_malloc(n); }
void* calloc(std::size_t n, std::size_t size) { return count(), __libc_calloc(n, size); }
void* realloc(void* p, std::size_t n) { return count(), __libc_realloc(p, n); }
void* memalign(std::size_t alignment, std::size_t n) { return count(), __libc_memalign(alignment, n); }
void* aligned_alloc(std::size_t alignment, std::size_t n) { return count(), __libc_memalign(alignment, n); }
int posix_memalign(void** p, std::size_t alignment, std::size_t n) {
  count();
  *p = __libc_memalign(alignment, n);
  return *p ? 0 : ENOMEM;
}
}

namespace aleator::core::test {
namespace {

// Calls between step 10 and step 500 of a simulation.
long calls_in_time_loop(Model model, const std::string& integrator) {
  model.settings.integrator = integrator;
  const Realization<double> r = make_realization<double>(model, std::span(&model.nominal, 1));
  Assembly<double> a(model, r);
  long steps = 0;
  SimulateOptions options;
  options.poses = true;
  options.progress = [&](double) {
    ++steps;
    if (steps == 10) calls = 0, counting = true;
    if (steps == 500) counting = false;
  };
  simulate(a, drawn_state(model, r), model.settings, options);
  counting = false;
  EXPECT_GT(steps, 500);
  return calls;
}

TEST(NoAllocation, the_counter_counts) {
  calls = 0, counting = true;
  void* volatile seen = std::malloc(8);  // volatile, or the compiler leaves out what nobody looks at
  std::free(seen);
  seen = new double;
  delete static_cast<double*>(seen);
  const AlignedVector<double> aligned(3);
  seen = const_cast<double*>(aligned.data());
  counting = false;
  EXPECT_EQ(calls, 3);
}

// All outputs that there are, and steps that do not fall on output times, so that values are interpolated.
Model five_body() {
  return model_from(replaced(
      with_outputs(example("five-body"),
                   "  force: {reaction: hinge35}\n  torque: {reaction_torque: hinge35}\n  push: {force: bushing13, in: rb1}\n"
                   "  angles: {orientation: rb5}\n  q: {orientation: rb5, as: quaternion}\n  energy: {energy: all}\n"
                   "  turn: {coordinate: hinge35}\n  open: {constraint_violation: all}\n"),
      "step: 1e-4, output_step: 1e-4", "step: 2e-5, output_step: 1.3e-4"));
}

TEST(NoAllocation, five_body) {
  EXPECT_EQ(calls_in_time_loop(five_body(), "generalized-alpha"), 0);
  EXPECT_EQ(calls_in_time_loop(five_body(), "radau"), 0);
  EXPECT_EQ(calls_in_time_loop(five_body(), "runge-kutta"), 0);
}
TEST(NoAllocation, andrews) {
  EXPECT_EQ(calls_in_time_loop(model_of_file("examples/andrews.yaml"), "generalized-alpha"), 0);
  EXPECT_EQ(calls_in_time_loop(model_of_file("examples/andrews.yaml"), "runge-kutta"), 0);
}

// Calls in a second run of lanes, other realizations in them: nothing at all, from the first step to the last.
long calls_in_lanes(Model model, const std::string& integrator, const std::vector<std::vector<Override>>& samples) {
  model.settings.integrator = integrator;
  std::vector<Parameters> numbers;
  std::vector<Realization<double>> realizations;
  for (const auto& s : samples) {
    numbers.push_back(realize(model, s));
    realizations.push_back(make_realization<double>(model, std::span(&numbers.back(), 1)));
  }
  const LaneEngine engine(model, numbers, model.settings, best_isa());
  LaneRun run(engine);
  std::vector<LaneRun::Start> starts, others;
  for (int lane = 0; lane < engine.lanes(); ++lane) {
    starts.push_back({&realizations[lane % realizations.size()]});
    others.push_back({&realizations[(lane + 1) % realizations.size()]});
  }
  std::vector<double> outputs, positions;
  const auto simulate_all = [&](const std::vector<LaneRun::Start>& s) {
    run(s, true);
    for (int lane = 0; lane < engine.lanes(); ++lane) {
      EXPECT_FALSE(run.failed(lane));
      run.outputs(lane, outputs), run.positions(lane, positions);
    }
  };
  simulate_all(starts);
  calls = 0, counting = true;
  simulate_all(others);
  counting = false;
  return calls;
}

TEST(NoAllocation, lanes) {
  for (const char* integrator : {"runge-kutta", "dormand-prince", "adams-bashforth", "generalized-alpha", "radau"}) {
    EXPECT_EQ(calls_in_lanes(five_body(), integrator, {{{"rb5.mass", 40}}, {{"rb5.mass", 11}}, {{"rb5.mass", 90}}}), 0)
        << integrator;
    EXPECT_EQ(calls_in_lanes(model_of_file("examples/andrews.yaml"), integrator, {{}, {{"K5.mass", 0.05}}}), 0) << integrator;
  }
}
TEST(NoAllocation, flexible_lanes) {
  Model model = model_of_file("examples/slider-crank.yaml");
  model.settings.duration = 0.02, model.settings.step = 2e-4;
  for (const char* integrator : {"generalized-alpha", "radau"})
    EXPECT_EQ(calls_in_lanes(model, integrator, {{{"link.E", 69e9}}, {{"link.E", 60e9}}}), 0) << integrator;
}

}  // namespace
}  // namespace aleator::core::test

#endif
