// Studies of random excitation through the public headers: against exact answers, and the same numbers however they are computed.
#include <gtest/gtest.h>
#include <aleator/aleator.hpp>

#include <cmath>
#include <cstring>
#include <numbers>

#include "support/temporary_folder.hpp"

namespace ALEATOR_FILE {

using namespace aleator;
using aleator::core::test::TemporaryFolder;

constexpr double pi = std::numbers::pi;

std::string oscillator(const std::string& spring, double duration, const std::string& study, double step = 0.02) {
  return "processes: {noise: {white_noise: {S0: 1, step: " + std::to_string(step) + R"(}}}
bodies: {mass: {shape: {box: [1, 1, 1]}, mass: 1}}
joints: {guide: {prismatic: [ground, mass], axis: x, )" +
         spring + R"(}}
forces: {push: {force: mass, value: [{process: noise}, 0, 0]}}
outputs: {x: {coordinate: guide}, v: {velocity: mass, component: x}}
simulation: {duration: )" +
         std::to_string(duration) + R"(, output_step: 0.5, step: 0.02, integrator: runge-kutta}
study: {)" +
         study + "}\n";
}

// Caughey & Stumpf (1961): σ²(t) = π S0/(2ζω³) [1 − e^{−2ζωt} (1 + (ζω/ω_d) sin 2ω_d t + 2 (ζω/ω_d)² sin² ω_d t)].
// Noise held over h has the density S0 sinc²(ω h/2): at ω = 4, h = 0.02 that is 0.05 % less, far below the sampling error.
TEST(RandomExcitation, of_an_oscillator_has_the_transient_variance_in_closed_form) {
  const double omega = 4, zeta = 0.1, sigma2 = pi / (2 * zeta * omega * omega * omega);
  const Model model = model_from_text(oscillator("spring: {stiffness: 16}, damper: 0.8", 12, "samples: 4000"));
  const StudyResult r = run_study(model, study_of(model));
  ASSERT_TRUE(r.concluded);
  const OutputStatistics &x = r["x"], &v = r["v"];
  const double damped = omega * std::sqrt(1 - zeta * zeta), ratio = zeta * omega / damped;
  int beyond = 0;
  for (size_t i = 1; i < r.time.size(); ++i) {
    const double t = r.time[i], s = std::sin(damped * t);
    const double exact = std::sqrt(
        sigma2 * (1 - std::exp(-2 * zeta * omega * t) * (1 + ratio * std::sin(2 * damped * t) + 2 * ratio * ratio * s * s)));
    beyond += std::abs(x.std[i] - exact) > 3 * x.std_error[i];
    EXPECT_NEAR(x.std[i], exact, 4.5 * x.std_error[i]) << t;
    EXPECT_NEAR(x.mean[i], 0, 4.5 * x.mean_error[i]);
  }
  EXPECT_LE(beyond, 1);
  EXPECT_NEAR(v.std.back(), omega * std::sqrt(sigma2), 4 * v.std_error.back());
  for (const double nominal : x.nominal) EXPECT_EQ(nominal, 0);  // at rest
}

// ẍ + 2ζωẋ + ω²(x + εx³) = w with σ0 = 1, ε = 1: E x² = 0.4679199. With ω = 1, ζ = 0.5: 2ζω³ = 1 = π S0 → S0 = 1/π; k = 1, cubic by a table.
TEST(RandomExcitation, of_a_duffing_oscillator_has_its_stationary_variance) {
  std::string table = "[";
  for (int i = -80; i <= 80; ++i) {
    const double x = 0.05 * i;
    table += (i > -80 ? ", [" : "[") + std::to_string(x) + ", " + std::to_string(x * x * x) + "]";
  }
  const Model model = model_from_text(R"(
processes: {noise: {white_noise: {S0: 1/pi, step: 0.05}}}
bodies: {mass: {shape: {box: [1, 1, 1]}, mass: 1}}
joints: {guide: {prismatic: [ground, mass], axis: x, spring: {stiffness: 1, characteristic: )" +
                                      table + R"(]}, damper: 1}}
forces: {push: {force: mass, value: [{process: noise}, 0, 0]}}
outputs: {x: {coordinate: guide}}
simulation: {duration: 12, output_step: 1, step: 0.05, integrator: runge-kutta}
study: {samples: 6000}
)");
  const StudyResult r = run_study(model, study_of(model));
  const OutputStatistics& x = r["x"];
  // Held over 0.05 s, the noise has (ω h)²/12 less density at ω ≈ 1.6: 5e-4.
  EXPECT_NEAR(x.std.back(), std::sqrt(0.4679199), 3.5 * x.std_error.back() + 1e-3);
}

std::string road(const std::string& study, const std::string& speed = ", speed: {normal: {cov: 0.1}}") {
  return R"(
parameters: {speed: 20, payload: 50}
processes:
  road: {iso8608: {class: C, speed: speed}, cutoff: 20}
bodies:
  plate: {shape: {box: [0.4, 0.4, 0.02]}, mass: 10}
  car: {shape: {box: [1, 1, 0.5]}, mass: 300 + payload, at: [0, 0, 0.8]}
joints:
  patch: {prismatic: [ground, plate], axis: z, motion: {process: road, delay: 0.1}}
  ride: {prismatic: [plate, car], axis: z, spring: {stiffness: 2e4}, damper: 2000}
uncertain: {payload: {uniform: {lower: 0, upper: 100}})" +
         speed + R"(}
outputs: {road: {coordinate: patch}, a: {acceleration: car, component: z}}
simulation: {duration: 1, output_step: 0.05, step: 0.005, integrator: runge-kutta}
study: {)" +
         study + "}\n";
}

bool same(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

TEST(RandomExcitation, does_not_depend_on_threads_or_neighbours) {
  const Model model = model_from_text(road("samples: 40, seed: 7"));
  Study study = study_of(model);
  const StudyResult all = run_study(model, study);
  RunOptions alone;
  alone.threads = 1;
  const StudyResult again = run_study(model, study, alone);
  EXPECT_TRUE(same(all.responses(), again.responses()));
  EXPECT_TRUE(same(all.samples(), again.samples()));
  study.samples = 13;
  const StudyResult few = run_study(model, study);
  EXPECT_TRUE(same(all.responses().first(few.responses().size()), few.responses()));
}

// A realization is a function of the numbers of its sample: the model with these set does the same. (With a speed that is set, the grid and the
// leading numbers would be those of that speed.)
TEST(RandomExcitation, is_repeated_by_setting_its_numbers) {
  const Model model = model_from_text(road("samples: 3, seed: 7", ""));
  const StudyResult r = run_study(model, study_of(model));
  const size_t columns = r.inputs.size(), times = r.time.size();
  ASSERT_EQ(r.inputs[1], "road.draw");
  for (size_t k = 0; k < 3; ++k) {
    Settings set;
    for (size_t c = 0; c < columns; ++c) set[r.inputs[c]] = r.samples()[k * columns + c];
    const Trajectory t = simulate(model_from_text(road("samples: 3", ""), set));
    for (size_t i = 0; i < times; ++i)
      EXPECT_NEAR(t["road"][i], r.responses()[(k * times + i) * 2],
                  1e-6);  // to which constraints are projected; the road has 0.015
  }
}

TEST(RandomExcitation, is_one_cause) {
  const Model model = model_from_text(road("samples: 400, sensitivity: true"));
  const StudyResult r = run_study(model, study_of(model));
  ASSERT_TRUE(r.concluded);
  const std::vector<SobolIndices::OfGroup>& groups = r.sobol.at(1).groups;
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[2].group, "road");
  EXPECT_GT(groups[2].total.back(), 0.8);  // the road shakes, payload and speed only change how
}

TEST(RandomExcitation, is_placed_by_designs_in_its_leading_numbers) {
  for (const char* method : {"latin-hypercube", "sobol", "halton"}) {
    const Model model = model_from_text(road("samples: 64, method: " + std::string(method)));
    const StudyResult r = run_study(model, study_of(model));
    ASSERT_TRUE(r.concluded) << method;
    const size_t columns = r.inputs.size();
    size_t z = 0;
    while (r.inputs[z] != "road.z1") ++z;
    double mean = 0;
    for (size_t k = 0; k < 64; ++k) mean += r.samples()[k * columns + z] / 64;
    EXPECT_LT(std::abs(mean), 0.1) << method;  // of 64 independent ones: 0.125
  }
}

}  // namespace ALEATOR_FILE
