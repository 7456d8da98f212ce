// Random vibration as a user meets it: spectra and scalars of an oscillator under a force of random phases.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>

#include "program.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// Eight harmonics of random phase: 1 … 8 Hz, resonance at 5 Hz.
std::string shaken() {
  std::string phases, uncertain, force;
  for (int k = 1; k <= 8; ++k) {
    phases += fmt::format("{}p{}: 0", k > 1 ? ", " : "", k);
    uncertain += fmt::format("  p{}: {{uniform: {{lower: 0, upper: 6.283185307179586}}}}\n", k);
    force += fmt::format("{}sin({}*t + p{})", k > 1 ? " + " : "", 2 * 3.141592653589793 * k, k);
  }
  return "title: Shaken\nparameters: {" + phases +
         "}\n"
         "bodies:\n  a: {shape: {sphere: {radius: 0.1}}, mass: 1}\n"
         "joints:\n  guide: {prismatic: [ground, a], axis: x, spring: {stiffness: 987}, damper: 6}\n"
         "forces:\n  push: {force: a, value: [\"" +
         force +
         "\", 0, 0]}\n"
         "outputs:\n  x: {position: a, component: x, spectrum: {from: 2, segment: 2}}\n"
         "  felt: {acceleration: a, component: x, weighting: Wk, running_rms: 1}\n"
         "scalars:\n  size: {rms: x, from: 2}\n  fatigue: {damage: x, exponent: 3, amplitude: 0.01, cycles: 100}\n"
         "simulation: {duration: 8, step: 5e-3, output_step: 5e-3, integrator: runge-kutta}\n"
         "uncertain:\n" +
         uncertain + "study: {samples: 16, seed: 3}\n";
}

using Spectrum = std::map<double, std::vector<double>>;  // by frequency: mean, lower, upper, error, nominal
Spectrum spectrum_in(const std::string& csv) {
  Spectrum out;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "output,frequency,mean,lower,upper,error,nominal");
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    std::string field;
    std::vector<double> numbers;
    std::getline(fields, field, ',');
    EXPECT_EQ(field, "x");
    while (std::getline(fields, field, ',')) numbers.push_back(std::stod(field));
    out[numbers.at(0)] = {numbers.begin() + 1, numbers.end()};
  }
  return out;
}

TEST(Vibration, a_spectrum_from_the_model_to_tables_and_figures) {
  const Folder folder;
  folder.write("shaken.yaml", shaken());
  const Outcome o = aleator({"run", "shaken.yaml"}, folder.path());
  ASSERT_EQ(o.code, 0) << o.err;
  const std::string csv = aleator({"export", "out/shaken", "spectra"}, folder.path()).out;
  const Spectrum s = spectrum_in(csv);
  ASSERT_EQ(s.size(), 200u);
  // The harmonics are on the grid of 0.5 Hz: with a Hann window half the amplitude squared, spread over three lines. Transients of e^{−3 t} are
  // e^{−6} at the beginning.
  const double w = 2 * 3.141592653589793 * 4, amplitude = 1 / std::hypot(987 - w * w, 6 * w);
  EXPECT_NEAR((s.at(3.5)[0] + s.at(4)[0] + s.at(4.5)[0]) / 2, amplitude * amplitude / 2, 0.1 * amplitude * amplitude / 2);
  EXPECT_GT(s.at(4)[2], s.at(4)[0]);
  // Same numbers on one thread, and without the realizations.
  ASSERT_EQ(aleator({"run", "shaken.yaml", "--threads", "1", "-o", "one"}, folder.path()).code, 0);
  EXPECT_EQ(aleator({"export", "one", "spectra"}, folder.path()).out, csv);
  folder.write("less.yaml", replaced(shaken(), "samples: 16", "keep: statistics, samples: 16"));
  ASSERT_EQ(aleator({"run", "less.yaml", "-o", "less"}, folder.path()).code, 0);
  EXPECT_EQ(aleator({"export", "less", "spectra"}, folder.path()).out, csv);
  const Outcome svg = aleator({"plot", "out/shaken", "--what", "spectrum", "--svg", "-"}, folder.path());
  EXPECT_EQ(svg.code, 0) << svg.err;
  EXPECT_NE(svg.out.find("frequency"), std::string::npos);
}

TEST(Vibration, methods_without_spectra_say_so) {
  const Folder folder;
  folder.write("shaken.yaml", shaken());
  const Outcome o = aleator({"run", "shaken.yaml", "--method", "first-order"}, folder.path());
  EXPECT_NE(
      o.err.find("shaken.yaml: note: first-order does not estimate spectra; monte-carlo, latin-hypercube, sobol and halton do"),
      std::string::npos)
      << o.err;
  const Outcome none = aleator({"export", "out/shaken", "spectra"}, folder.path());
  EXPECT_NE(none.code, 0);
  EXPECT_NE(none.err.find("it has no spectra; give outputs of the model the key 'spectrum'"), std::string::npos) << none.err;
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
