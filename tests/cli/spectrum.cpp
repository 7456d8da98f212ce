// spectrum as a user meets it: a table, a file for other programs, a figure, and a study beside it.
#include <gtest/gtest.h>

#include <cmath>

#include "program.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const std::string oscillator =
    "processes: {shake: {psd: {table: [[0.5, 1], [8, 1]], per: Hz, sides: one}}}\n"
    "parameters: {k: 800}\n"
    "bodies: {mass: {shape: {sphere: {radius: 0.1}}, mass: 2}}\n"
    "joints: {slide: {prismatic: [ground, mass], axis: x, spring: {stiffness: k}, damper: 16}}\n"
    "forces: {push: {force: mass, value: [{process: shake}, 0, 0]}}\n"
    "outputs: {x: {coordinate: slide}, energy: {kinetic_energy: all}}\n"
    "simulation: {duration: 6, step: 5e-3, output_step: 2e-2}\n";

TEST(SpectrumCommand, prints_a_table_and_writes_curves) {
  const Folder folder;
  folder.write("osc.yaml", oscillator);
  const Outcome o = aleator({"spectrum", "osc.yaml", "--from", "0.1", "--to", "10", "--points", "20"}, folder.path());
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"osc.yaml", "out/osc/spectrum.csv", "out/osc/spectrum.svg"}));
  EXPECT_NE(o.out.find("process shake: spectral density by a table"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("computed: energy"), std::string::npos) << o.out;
  const Csv csv = parse_csv_text(text_of_file(folder / "out/osc/spectrum.csv"));
  EXPECT_EQ(csv.names, (std::vector<std::string>{"frequency", "x.density", "x.gain.shake"}));
  for (const std::vector<double>& row : csv.rows)  // a one-sided density of 1 between 0.5 and 8 Hz
    EXPECT_NEAR(row[1], row[0] >= 0.5 && row[0] <= 8 ? row[2] * row[2] : 0, 1e-9 * row[2] * row[2]) << row[0];
}

// The verdict has a false alarm in 400; the seed is fixed.
TEST(SpectrumCommand, a_study_of_the_model_agrees) {
  const Folder folder;
  folder.write("osc.yaml", oscillator);
  ASSERT_EQ(aleator({"run", "osc.yaml", "-n", "120", "--no-report"}, folder.path()).code, 0);
  const Outcome o = aleator({"spectrum", "osc.yaml"}, folder.path());
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("realizations in out/osc/results.h5"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("agrees"), std::string::npos) << o.out;
  // numbers that are set make it another model, unless one says so
  EXPECT_EQ(aleator({"spectrum", "osc.yaml", "--set", "k=1600"}, folder.path()).out.find("realizations"), std::string::npos);
  const Outcome other = aleator({"spectrum", "osc.yaml", "--set", "k=1600", "--compare", "out/osc"}, folder.path());
  EXPECT_NE(other.out.find("differs"), std::string::npos) << other.out;
}

// ζ = 1/160: after 3 s e^{−2·0.125·3} of the variance is missing.
TEST(SpectrumCommand, a_start_that_is_still_felt_is_told) {
  const Folder folder;
  folder.write("osc.yaml", replaced(oscillator, "damper: 16", "damper: 0.5"));
  ASSERT_EQ(aleator({"run", "osc.yaml", "-n", "60", "--no-report"}, folder.path()).code, 0);
  const Outcome o = aleator({"spectrum", "osc.yaml"}, folder.path());
  EXPECT_NE(o.out.find("transient"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("47 % of its"), std::string::npos) << o.out;
}

TEST(SpectrumCommand, what_it_cannot_do_has_the_exit_code_of_its_reason) {
  const Folder folder;
  folder.write("still.yaml", replaced(oscillator, "{process: shake}", "1"));
  folder.write("undamped.yaml", replaced(oscillator, ", damper: 16", ""));
  folder.write("osc.yaml", oscillator);
  const Outcome still = aleator({"spectrum", "still.yaml"}, folder.path()),
                undamped = aleator({"spectrum", "undamped.yaml"}, folder.path());
  EXPECT_EQ(still.code, 3);
  EXPECT_NE(still.err.find("still.yaml: the model uses none of its processes"), std::string::npos) << still.err;
  EXPECT_EQ(undamped.code, 4);
  EXPECT_NE(undamped.err.find("nothing damps the vibration at 3.183 Hz"), std::string::npos) << undamped.err;
  EXPECT_EQ(aleator({"spectrum", "osc.yaml", "--compare", "nothing.h5"}, folder.path()).code, 3);
  EXPECT_EQ(aleator({"spectrum", "osc.yaml", "--from", "3", "--to", "2"}, folder.path()).code, 2);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
