// Nothing is allocated in the time loop: this program counts every call of malloc and its relatives (operator new ends there)
// between step 10 and step 500, outputs and kinks included.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

#include "dynamics/simulate.hpp"
#include "published/example_text.hpp"
#include "support/run.hpp"

#if !defined(__SANITIZE_ADDRESS__) && defined(__GLIBC__)

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

namespace aleator::test {
namespace {

// Calls between step 10 and step 500 of a simulation.
template <class T>
long calls_in_time_loop(Model model, const std::string& integrator) {
  model.settings.integrator = integrator;
  const Realization<T> r = make_realization<T>(model, std::span(&model.nominal, 1));
  Assembly<T> a(model, r);
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
  EXPECT_EQ(calls_in_time_loop<double>(five_body(), "generalized-alpha"), 0);
  EXPECT_EQ(calls_in_time_loop<double>(five_body(), "radau"), 0);
  EXPECT_EQ(calls_in_time_loop<double>(five_body(), "runge-kutta"), 0);
}
TEST(NoAllocation, andrews) {
  EXPECT_EQ(calls_in_time_loop<double>(model_of_file("examples/andrews.yaml"), "generalized-alpha"), 0);
  EXPECT_EQ(calls_in_time_loop<double>(model_of_file("examples/andrews.yaml"), "runge-kutta"), 0);
}
TEST(NoAllocation, four_realizations_at_once) {
  EXPECT_EQ(calls_in_time_loop<Pack<4>>(five_body(), "generalized-alpha"), 0);
  EXPECT_EQ(calls_in_time_loop<Pack<4>>(five_body(), "radau"), 0);
  EXPECT_EQ(calls_in_time_loop<Pack<4>>(five_body(), "runge-kutta"), 0);
}

}  // namespace
}  // namespace aleator::test

#endif
