// Requests that arrive while another is computed go in one matrix, and get what they would get alone.
#include "coupling/batches.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <numeric>

namespace aleator::core::coupling {
namespace ALEATOR_FILE {

constexpr const char* oscillator = R"(
parameters: {k: 100}
bodies: {block: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1, velocity: [1, 0, 0]}}
joints: {guide: {prismatic: [ground, block], axis: x, spring: {stiffness: k}}}
outputs: {x: {position: block, component: x}}
uncertain: {k: {lognormal: {mean: 100, cov: 0.1}}}
simulation: {duration: 0.4, step: 0.004, output_step: 0.02, integrator: runge-kutta}
)";

TEST(Batches, share_the_lanes) {
  const aleator::Ensemble forward(model_from_text(oscillator), {.threads = 1});
  Batches batches(forward);
  // The first one holds the worker until all others wait.
  std::promise<void> begun, all_wait;
  batches.evaluate({100}, [&](const aleator::Responses&, std::size_t) {
    begun.set_value();
    all_wait.get_future().wait();
  });
  begun.get_future().wait();
  constexpr std::size_t n = 50;
  std::vector<double> found(n), derivative(n);
  std::atomic<std::size_t> done = 0;
  for (std::size_t i = 0; i < n; ++i) {
    batches.evaluate({90.0 + double(i)},
                     [&, i](const aleator::Responses& y, std::size_t sample) { found[i] = y.at(sample, 20)[0], ++done; });
    batches.differentiate({90.0 + double(i)}, [&, i](const aleator::Jacobian& j, std::size_t sample) {
      derivative[i] = j.values[j.index(sample, 20, 0, 0)];
      ++done;
    });
  }
  all_wait.set_value();
  while (done < 2 * n) std::this_thread::yield();
  EXPECT_EQ(batches.sizes(), (std::vector<std::size_t>{1, n, n}));
  for (std::size_t i = 0; i < n; i += 7) {
    const std::vector<double> x = {90.0 + double(i)};
    EXPECT_EQ(found[i], forward.evaluate(x).at(0, 20)[0]);
    const aleator::Jacobian j = forward.jacobian(x);
    EXPECT_EQ(derivative[i], j.values[j.index(0, 20, 0, 0)]);
  }
}

TEST(Batches, end_while_others_wait) {
  const aleator::Ensemble forward(model_from_text(oscillator), {.threads = 1});
  std::atomic<int> taken = 0;
  {
    Batches batches(forward);
    for (int i = 0; i < 1000; ++i) batches.differentiate({100}, [&](const aleator::Jacobian&, std::size_t) { ++taken; });
  }
  EXPECT_LE(taken, 1000);  // and it ends
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::coupling
