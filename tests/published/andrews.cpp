// Andrews' squeezing mechanism, benchmark A03 of the IFToMM library. Published: the reference solution at t = 0.03 and the
// consistent start of the test set for initial value solvers ("andrews"; Hairer & Wanner, Solving ODEs II, VII.7). Its digits
// are those of a time of 0.03 − 1.0e-12 s: rates that pass through zero differ by 5e-8. What is sharper is the energy integral
// of the one freedom (andrews_kinematics.hpp), which agrees with a computation in 30 digits.
#include "andrews_kinematics.hpp"

#include <gtest/gtest.h>

#include "energy_integral.hpp"
#include "support/model_text.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const std::vector<std::string> names = {"beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"};
constexpr double published[] = {15.81077119629904,  -15.75637105984298, 0.04082224013073101, -0.5347301163226948,
                                0.5244099658805304, 0.5347301163226948, 1.048080741042263};
constexpr double published_rates[] = {1139.920302151208,  -1424.379294994111, 11.03291221937134, 19.29337464421385,
                                      0.5735699284790808, -19.29337464421385, 0.3231791658026955};

Model model() {
  return model_from(with_outputs(example("andrews"),
                                 "  theta_rate: {rate: F}\n"
                                 "  gamma_rate: {rate: B}\n"
                                 "  phi_rate: {rate: G}\n"
                                 "  delta_rate: {rate: A5}\n"
                                 "  omega_rate: {rate: H}\n"
                                 "  epsilon_rate: {rate: A7}\n"
                                 "  alpha1: {angular_acceleration: K1, component: z}\n"
                                 "  alpha2: {angular_acceleration: K2, component: z}\n"
                                 "  force3: {reaction: E23}\n"
                                 "  force4: {reaction: E24, component: norm}\n"
                                 "  force6: {reaction: E26, component: norm}\n"));
}

// The motion at t = 0.03 by the energy integral. β = β₀ + s² takes the root out of the start at rest.
const AndrewsKinematics& exact() {
  static const AndrewsKinematics at_end = [] {
    AndrewsKinematics k;
    using Real = AndrewsKinematics::Real;
    const auto slowness = [&](Real s) {  // dt/ds
      k.move_to(k.start[0] + s * s);
      return 2 * s / k.rate();
    };
    const Real near = std::sqrt(published[0] - k.start[0]);
    const Real t = integral<Real>(slowness, 0, near, 0.005L);
    k.move_to(published[0]);
    k.move_to(published[0] + (0.03L - t) * k.rate());
    return k;
  }();
  return at_end;
}

// Angles and rates at t = 0.03 by name, as relative errors.
template <class F>
void expect_published(F&& last, double tolerance) {
  for (size_t i = 0; i < names.size(); ++i) {
    EXPECT_NEAR((double(AndrewsKinematics::start[i]) + last(names[i])) / published[i], 1, tolerance) << names[i];
    EXPECT_NEAR(last(names[i] + "_rate") / published_rates[i], 1, tolerance) << names[i] << "_rate";
  }
}
template <class F>
void expect_exact(F&& last, double tolerance) {
  for (size_t i = 0; i < names.size(); ++i) {
    EXPECT_NEAR((double(AndrewsKinematics::start[i]) + last(names[i])) / double(exact().q[i]), 1, tolerance) << names[i];
    EXPECT_NEAR(last(names[i] + "_rate") / double(exact().dq[i] * exact().rate()), 1, tolerance) << names[i] << "_rate";
  }
}

// The accuracy of the published digits, see above.
constexpr double published_accuracy = 6e-8;

TEST(Andrews, energy_integral_gives_the_published_digits) {
  for (size_t i = 0; i < names.size(); ++i) {
    EXPECT_NEAR(double(exact().q[i]) / published[i], 1, published_accuracy);
    EXPECT_NEAR(double(exact().dq[i] * exact().rate()) / published_rates[i], 1, published_accuracy);
  }
}

TEST(Andrews, runge_kutta) {
  const Result r = run(model(), {.integrator = "runge-kutta", .step = 5e-6, .output_step = 3e-3});
  const auto last = [&](const std::string& name) { return r.last(name); };
  expect_published(last, published_accuracy + 2e-9);
  expect_exact(last, 2e-9);
}

// Order 2 needs small steps: with h = 1e-6 the rates have five digits; h = 2e-6 and 1e-6 extrapolated to h = 0 have nearly
// eight: the compliance of the constraints, 1e-6 of the masses at such steps, leaves 1e-8.
TEST(Andrews, generalized_alpha) {
  const Result coarse = run(model(), {.step = 2e-6, .output_step = 3e-3}),
               fine = run(model(), {.step = 1e-6, .output_step = 3e-3});
  const auto last = [&](const std::string& name) { return fine.last(name) + (fine.last(name) - coarse.last(name)) / 3; };
  expect_published(last, published_accuracy + 2e-8);
  expect_exact(last, 2e-8);
}

TEST(Andrews, drawn_configuration_closes) {
  for (const long double g : AndrewsKinematics::closures(AndrewsKinematics::start))
    EXPECT_NEAR(double(g), 0, 1e-18);  // round-off of 0.07 m
  const Result r = run(replaced(example("andrews"), "duration: 0.03", "duration: 1e-5"));
  // Angles are written with 15 digits; points are 0.07 m away.
  EXPECT_LT(r.assembly.violation, 1e-16);
  EXPECT_LT(r.assembly.moved, 1e-16);
}

// The multipliers of the test set are those of E(K2) − E(K3) = 0, …: the force of K2 on K3 at E. (The crank starts in a dead
// centre, so that E does not accelerate and K4 … K7 feel nothing.)
TEST(Andrews, start) {
  const Result r = run(model(), {.integrator = "runge-kutta"});
  // The regularisation of the index-1 form, 1e-11 of each row, times 600: a force on E has long arms and small inertias.
  EXPECT_NEAR(r.at("alpha1", 0) / 14222.4439199541, 1, 1e-8);
  EXPECT_NEAR((r.at("alpha2", 0) - r.at("alpha1", 0)) / -10666.8329399656, 1, 1e-8);
  EXPECT_NEAR(r.at("force3.x", 0) / 98.5668703962411, 1, 1e-8);
  EXPECT_NEAR(r.at("force3.y", 0) / -6.12268834425566, 1, 1e-8);
  EXPECT_NEAR(r.at("force4", 0), 0, 1e-7);
  EXPECT_NEAR(r.at("force6", 0), 0, 1e-7);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
