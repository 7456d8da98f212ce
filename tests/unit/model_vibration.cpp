// Scalars, filtered outputs and spectra of random vibration as they are written in a model.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "model/language.hpp"
#include "model/output_filters.hpp"
#include "model/plausibility.hpp"
#include "numerics/frequency_weighting.hpp"
#include "support/message_of.hpp"
#include "support/run.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

// A mass that is moved to and fro; 10 s, outputs every 5 ms.
std::string shaken(const std::string& output, const std::string& scalar, const std::string& step = "0.005") {
  return "bodies: {seat: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\n"
         "joints: {slide: {prismatic: [ground, seat], axis: x, motion: {sine: {amplitude: 0.01, frequency: 4}}}}\n"
         "simulation: {duration: 10, step: 5e-3, output_step: " +
         step +
         ", integrator: runge-kutta}\n"
         "outputs: {a: {acceleration: seat, component: x" +
         output + "}}\n" + (scalar.empty() ? "" : "scalars: {s: {" + scalar + "}}\n");
}

std::string error_of(const std::string& output, const std::string& scalar) {
  return test::message_of<std::exception>([&] { make_model(input::read_text(shaken(output, scalar), "m.yaml", language())); });
}
std::string error_of(const std::string& scalar) { return error_of("", scalar); }

double value_of(const std::string& output, const std::string& scalar) {
  const Model m = test::model_from(shaken(output, scalar));
  const test::Result r = test::run(m);
  return reduce(m.scalars[0].settings, r.times, r.trajectory.values.data(), r.trajectory.channels);
}

// Of the acceleration: ω² 0.01 m.
const double amplitude = 0.01 * std::pow(8 * std::numbers::pi, 2);

TEST(Vibration, scalars_of_a_sine) {
  const double rms =
      amplitude / std::numbers::sqrt2;  // trapezoidal rule over whole periods: exact but for the integrator's outputs
  EXPECT_NEAR(value_of("", "rms: a, from: 2, to: 8"), rms, 1e-6 * rms);
  EXPECT_NEAR(value_of("", "rms: a, weighting: Wk, from: 5"), 0.967 * rms, 2e-3 * rms);
  EXPECT_NEAR(value_of("", "largest_running_rms: a, from: 2"), rms, 1e-6 * rms);
  EXPECT_NEAR(value_of("", "crossing_rate: a, level: 3"), 4, 1e-9);
  EXPECT_EQ(value_of("", "crossings: a, level: 3, direction: either"), 80);
  EXPECT_EQ(value_of("", "peak_count: a"), 40);
  EXPECT_NEAR(value_of("", "peak_quantile: a, probability: 90%"), amplitude, 1e-4 * amplitude);
  // Forty cycles; the quarter cycles at both ends are half cycles of half the range, which do next to nothing.
  EXPECT_NEAR(value_of("", "damage: a, exponent: 6, amplitude: 2, cycles: 1e5"), 39.5 * std::pow(amplitude / 2, 6) / 1e5,
              0.01 * 40 * std::pow(amplitude / 2, 6) / 1e5);
  EXPECT_NEAR(value_of("", "equivalent_amplitude: a, exponent: 3"), amplitude, 0.02 * amplitude);
}

TEST(Vibration, units) {
  const auto unit = [](const std::string& scalar) { return test::model_from(shaken("", scalar)).scalars[0].unit; };
  EXPECT_EQ(unit("vibration_dose: a"), "m/s^1.75");
  EXPECT_EQ(unit("crossing_rate: a, level: 0"), "1/s");
  EXPECT_EQ(unit("damage: a, exponent: 3, amplitude: 1, cycles: 1"), "");
  EXPECT_EQ(unit("peak_mean: a"), "m/s²");
}

TEST(Vibration, mistakes_are_answered_with_place_and_remedy) {
  EXPECT_EQ(error_of("rms: a, from: 12"), "m.yaml:5:29: scalar 's': 'from' is 12 s, but the simulation ends at 10 s");
  EXPECT_EQ(error_of("rms: a, to: 12"), "m.yaml:5:27: scalar 's': 'to' is 12 s, but the simulation ends at 10 s");
  EXPECT_EQ(error_of("rms: a, from: 4, to: 3"),
            "m.yaml:5:36: scalar 's': 'to' leaves 0 s, with outputs every 0.005 s: too few to derive a number from; widen it, or "
            "make 'output_step' smaller");
  EXPECT_EQ(error_of("largest_running_rms: a, window: 3, from: 8"),
            "m.yaml:5:47: scalar 's': 'window' is 3 s, longer than the 2 s that it moves over; make it shorter, or widen 'from' "
            "… 'to'");
  EXPECT_EQ(error_of("peak_quantile: a, probability: 1"),
            "m.yaml:5:46: scalar 's': 'probability' must lie between 0 and 1 (0.99, or 99%), found 1");
  EXPECT_NE(error_of("rms: a, weighting: Wz").find("Wk"), std::string::npos) << error_of("rms: a, weighting: Wz");
  EXPECT_NE(error_of("damage: a, exponent: -3, amplitude: 1, cycles: 1").find("'exponent' must be positive, found -3"),
            std::string::npos);
  EXPECT_NE(error_of("damage: a, exponent: 3, cycles: 1").find("amplitude"), std::string::npos);
  EXPECT_EQ(error_of(", spectrum: {segment: 20}", ""),
            "m.yaml:4:69: output 'a': 'segment' of its spectrum is 20 s, longer than the 10 s there are; make it shorter");
  EXPECT_EQ(
      error_of(", spectrum: {from: 9.99}", ""),
      "m.yaml:4:66: output 'a': 'from' of its spectrum is 9.99 s and the simulation ends at 10 s: too little for a spectrum with "
      "outputs every 0.005 s");
  EXPECT_EQ(error_of(", running_rms: 11", ""),
            "m.yaml:4:62: output 'a': the window of 'running_rms' is 11 s, longer than the simulation (10 s)");
  EXPECT_EQ(error_of(", spectrum: {}", ""), "no error");
}

TEST(Vibration, coarse_outputs_of_weightings_are_noted) {
  EXPECT_TRUE(plausibility_notes(test::model_from(shaken("", "rms: a, weighting: Wk"))).empty());
  const auto notes = plausibility_notes(test::model_from(shaken("", "rms: a, weighting: Wk", "0.01")));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("scalar 's': the weighting Wk reaches 80 Hz, but outputs every 0.01 s show 50 Hz at most; use "
                          "'output_step: 0.00625' or less if the motion has more"),
            std::string::npos)
      << notes[0];
  EXPECT_TRUE(plausibility_notes(test::model_from(shaken("", "rms: a, weighting: Wf", "0.1"))).empty());
}

TEST(Vibration, outputs_are_filtered) {
  const std::vector<double> weighted_a = test::run(shaken(", weighting: Wk", "")).channel("a");
  const std::vector<double> level = test::run(shaken(", weighting: Wk, running_rms: 1", "")).channel("a");
  double most = 0;
  for (std::size_t i = 1000; i < weighted_a.size(); ++i) most = std::max(most, std::abs(weighted_a[i]));
  EXPECT_NEAR(most, 0.967 * amplitude, 0.01 * amplitude);
  EXPECT_NEAR(level.back(), 0.967 * amplitude / std::numbers::sqrt2, 2e-3 * amplitude);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
