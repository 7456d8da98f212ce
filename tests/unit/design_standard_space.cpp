// Standard normal numbers behind everything that is random: each quantity by its own distribution, processes by all their numbers.
#include "design/standard_space.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "ensemble/ensemble.hpp"
#include "support/run.hpp"

namespace aleator::core::ALEATOR_FILE {
namespace {

const char* const oscillator = R"(
plane: xz
parameters: {k: 100, law: 2}
processes:
  noise: {white_noise: {S0: 1, step: 0.5}}
  sea: {jonswap: {height: 2, peak_period: 2}}
  records: {recorded: {records: [[0, 1, 0, 0], [0, 2, 0, 0]], step: 1}}
bodies: {block: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1}}
joints: {guide: {prismatic: [ground, block], axis: x, spring: {stiffness: k}}}
forces:
  a: {force: block, at: [0, 0], value: [{process: noise}, 0]}
  b: {force: block, at: [0, 0], value: [{process: sea}, 0]}
  c: {force: block, at: [0, 0], value: [{process: records}, 0]}
outputs: {x: {coordinate: guide}}
uncertain: {k: {lognormal: {cov: 0.2}}, law: {openturns: {name: Poisson, parameters: {lambda: 3}}}}
simulation: {duration: 4, step: 0.05}
)";

TEST(StandardSpace, has_a_number_behind_each_quantity_and_all_of_the_processes) {
  const Model model = test::model_from(oscillator);
  const RandomModel random(model);
  const StandardSpace space(model, random, 1);
  const size_t leading = model.processes[1]->leading.size(), waves = model.processes[1]->normals();
  ASSERT_EQ(model.processes[0]->normals(), 8u);
  EXPECT_EQ(space.named(),
            2 + model.processes[0]->leading.size() + leading + 1);  // k, law, leading numbers, the choice among records
  EXPECT_EQ(space.dimension(), space.named() + (8 - model.processes[0]->leading.size()) + waves - leading);
  EXPECT_EQ(space.names().back(), "records.draw");
  ASSERT_EQ(space.discrete().size(), 2u);
  EXPECT_EQ(space.names()[size_t(space.discrete()[0])], "law");
  EXPECT_TRUE(space.streams().empty());
}

// One standard deviation up is the quantile Φ(1); the far tail keeps its digits.
TEST(StandardSpace, goes_through_the_distributions) {
  const Model model = test::model_from(oscillator);
  const RandomModel random(model);
  const StandardSpace space(model, random, 1);
  std::vector<double> u(space.dimension());
  const double sigma = std::sqrt(std::log1p(0.04)), median = 100 / std::sqrt(1.04);
  EXPECT_NEAR(space.sample(u, 0)[0], median, 1e-9 * median);
  u[0] = 10;
  EXPECT_NEAR(space.sample(u, 0)[0], median * std::exp(10 * sigma), 1e-6 * median);
}

// What a process is given explicitly is what it does: white noise of variance 2π S0/step.
TEST(StandardSpace, gives_processes_their_numbers) {
  const Model model = test::model_from(oscillator);
  const RandomModel random(model);
  const StandardSpace space(model, random, 1);
  std::vector<double> u(space.dimension());
  const size_t first = space.named();
  for (size_t i = 0; i < 8 - model.processes[0]->leading.size(); ++i) u[first + i] = double(i + 1);
  const std::vector<double> sample = space.sample(u, 0);
  ASSERT_EQ(sample.size(), random.columns().size() + space.dimension() - space.named());
  const Parameters numbers = realize(model, random.overrides(sample));
  const double unit = std::sqrt(2 * std::acos(-1.0) / 0.5);
  double largest = 0;
  for (const PiecewisePolynomial& s : numbers.signals)
    for (const double c : s.coefficients) largest = std::max(largest, c / unit);
  EXPECT_NEAR(largest, 8, 1e-12);
}

}  // namespace
}  // namespace aleator::core::ALEATOR_FILE
