// Random responses whose distribution is known in closed form, from the model file to the statistics.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/accumulate.hpp"
#include "ensemble/ensemble.hpp"
#include "support/run.hpp"
#include "support/sample_tests.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// Statistics of all channels of a model over n realizations.
results::StudyStatistics study(const std::string& yaml, long n, bool shares = false) {
  const Model model = model_from(yaml);
  const RandomModel random(model);
  const Result nominal = run(model);
  analysis::StatisticsRequest q;
  q.times = nominal.times;
  q.channels = nominal.names;
  q.nominal.assign(nominal.trajectory.values.begin(), nominal.trajectory.values.end());
  q.confidence = 0.9;
  q.samples = n;
  if (shares) q.groups = random.groups();
  const Plan plan{n, shares ? int(random.groups().size()) : 0};
  analysis::Accumulator a(q);
  Ensemble(model, random, plan, 1).run({}, [&](SimulatedRow&& r) {
    EXPECT_TRUE(r.ok) << r.why;
    if (r.point.source == DesignPoint::first) a.add(r.ok, r.values);
    if (!shares) return;
    if (r.point.source == DesignPoint::first)
      a.shares()->begin(r.ok, r.values);
    else if (r.point.source == DesignPoint::second)
      a.shares()->second(r.ok, r.values);
    else
      a.shares()->group(r.point.source, r.ok, r.values);
  });
  return a.finish();
}

// A force on a free body of random mass: a = F/M with M Gamma of mean m and coefficient of variation δ, so that
// E{1/M} = 1/(m (1 − δ²)) and Var{1/M} = δ² / (m² (1 − δ²)² (1 − 2δ²)): finite exactly for δ < 1/√2.
TEST(RandomResponse, acceleration_of_a_random_mass) {
  const double m = 8, delta = 0.3;
  const auto s = study(
      "bodies:\n  a: {shape: {sphere: {radius: 0.1}}, mass: 8}\nforces:\n  f: {force: a, value: [20, 0, 0]}\n"
      "outputs:\n  acc: {acceleration: a, component: x}\n"
      "simulation: {duration: 0.1, step: 0.05, integrator: runge-kutta}\nuncertain:\n  a: {mass: {cov: 0.3}}\n",
      20000);
  const double d2 = delta * delta;
  const results::ChannelStatistics& c = s.channels[0];
  EXPECT_NEAR(c.mean[0], 20 / (m * (1 - d2)), five_sigma * c.mean_error[0]);
  EXPECT_NEAR(c.std[0], 20 * delta / (m * (1 - d2) * std::sqrt(1 - 2 * d2)), five_sigma * c.std_error[0]);
  EXPECT_LT(c.mean_error[0], 0.01 * c.mean[0]);
}

// An oscillator of random stiffness, pushed: x(t) = v0 sin(ωt)/ω, ω = √(k/m), which falls with k while ωt < 4.49: quantiles of x
// are x of quantiles of k.
TEST(RandomResponse, band_of_an_oscillator) {
  const auto s = study(
      "parameters: {k: 100}\nbodies:\n  a: {shape: {sphere: {radius: 0.1}}, mass: 1, velocity: [1, 0, 0]}\n"
      "joints:\n  guide: {prismatic: [ground, a], axis: x, spring: {stiffness: k}}\n"
      "outputs:\n  x: {position: a, component: x}\n"
      "simulation: {duration: 0.2, step: 4e-3, output_step: 0.1, integrator: runge-kutta}\n"
      "uncertain:\n  k: {uniform: {lower: 50, upper: 150}}\n",
      4000);
  const results::ChannelStatistics& c = s.channels[0];
  for (const int i : {1, 2}) {
    const double t = 0.1 * i;
    const auto x = [&](double k) { return std::sin(std::sqrt(k) * t) / std::sqrt(k); };
    EXPECT_NEAR(c.lower[i], x(50 + 0.95 * 100), five_sigma * c.lower_error[i]);
    EXPECT_NEAR(c.upper[i], x(50 + 0.05 * 100), five_sigma * c.upper_error[i]);
    EXPECT_GE(c.minimum[i], x(150) - 1e-6);  // truncation of the integrator
    EXPECT_LE(c.maximum[i], x(50) + 1e-6);
    double mean = 0;  // ∫x(k) dk / 100, midpoint rule
    for (int j = 0; j < 1000; ++j) mean += x(50 + 0.1 * (j + 0.5)) / 1000;
    EXPECT_NEAR(c.mean[i], mean, five_sigma * c.mean_error[i] + 1e-6);
  }
}

// A force beside a random centre of mass: α_z = (p_x − c_x) F_y / J_zz, uniform when c_x is. The force and what it acts on stay
// where they are.
TEST(RandomResponse, angular_acceleration_about_a_random_centre_of_mass) {
  const auto s = study(
      "bodies:\n  a: {shape: {box: [2, 1, 1]}, mass: 12}\nforces:\n  f: {force: a, at: [1, 0, 0], value: [0, 5, 0]}\n"
      "outputs:\n  alpha: {angular_acceleration: a, component: z}\n"
      "simulation: {duration: 0.1, step: 0.05, integrator: runge-kutta}\n"
      "uncertain:\n  a: {center_of_mass: {box: [0.4, 0.1, 0.1]}}\n",
      4000);
  const results::ChannelStatistics& c = s.channels[0];
  const auto alpha = [](double cx) { return (1 - cx) * 5 / (4 + 1); };
  EXPECT_NEAR(c.nominal[0], alpha(0), 1e-12);
  EXPECT_NEAR(c.mean[0], alpha(0), five_sigma * c.mean_error[0]);
  EXPECT_NEAR(c.std[0], 0.4 / std::sqrt(12.0), five_sigma * c.std_error[0]);
  EXPECT_NEAR(c.lower[0], alpha(0.18), five_sigma * c.lower_error[0]);
  EXPECT_NEAR(c.upper[0], alpha(-0.18), five_sigma * c.upper_error[0]);
}

// A body that turns about its nominal centre of mass at t = 0 does so wherever its mass is: the drawn point stays at rest.
TEST(RandomResponse, the_motion_at_the_start_is_that_of_the_body_as_drawn) {
  const auto s = study(
      "bodies:\n  a: {shape: {box: [2, 1, 1]}, mass: 12, angular_velocity: [0, 0, 3]}\n"
      "outputs:\n  v: {velocity: a, at: [0, 0, 0]}\n"
      "simulation: {duration: 0.1, step: 0.05, integrator: runge-kutta}\n"
      "uncertain:\n  a: {center_of_mass: {ball: 0.3}}\n",
      20);
  for (const results::ChannelStatistics& c : s.channels) {
    EXPECT_NEAR(c.minimum[0], 0, 1e-14);  // round-off
    EXPECT_NEAR(c.maximum[0], 0, 1e-14);
  }
  EXPECT_GT(s.channels[0].std[1], 1e-4);  // and then it does not
}

// f = F/M with independent F and M: with e = E{1/M} and v = Var{1/M} the variance is σ²e² + F̄²v + σ²v, the three terms being
// those of F alone, M alone, and both together.
TEST(RandomResponse, variance_shares_of_a_product) {
  const auto s = study(
      "parameters: {push: 10}\nbodies:\n  a: {shape: {sphere: {radius: 0.1}}, mass: 2}\n"
      "forces:\n  f: {force: a, value: [push, 0, 0]}\noutputs:\n  acc: {acceleration: a, component: x}\n"
      "simulation: {duration: 0.1, step: 0.05, integrator: runge-kutta}\n"
      "uncertain:\n  push: {normal: {std: 3}}\n  a: {mass: {cov: 0.25}}\n",
      5000, true);
  const double d2 = 0.25 * 0.25, e = 1 / (2 * (1 - d2)), v = d2 / (4 * (1 - d2) * (1 - d2) * (1 - 2 * d2));
  const double by_push = 9 * e * e, by_mass = 100 * v, both = 9 * v, total = by_push + by_mass + both;
  ASSERT_EQ(s.shares.groups, (std::vector<std::string>{"push", "a.mass"}));
  const auto& push = s.shares.of[0][0];
  const auto& mass = s.shares.of[0][1];
  EXPECT_NEAR(push.integrated_first.value, by_push / total, five_sigma * push.integrated_first.error);
  EXPECT_NEAR(mass.integrated_first.value, by_mass / total, five_sigma * mass.integrated_first.error);
  EXPECT_NEAR(push.integrated_total.value, (by_push + both) / total, five_sigma * push.integrated_total.error);
  EXPECT_NEAR(mass.integrated_total.value, (by_mass + both) / total, five_sigma * mass.integrated_total.error);
  EXPECT_LT(push.integrated_first.error, 0.04);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
