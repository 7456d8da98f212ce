// compare as a user meets it: the verdict is the exit code, the numbers are those of the CSV.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>

#include "program.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// An oscillator with random stiffness; the mean of `away` is zero, `v.y` and `v.z` do not move.
const char* const oscillator =
    "parameters: {k: 100, m: 1, away: 0}\n"
    "bodies:\n  a: {shape: {sphere: {radius: 0.1}}, mass: m, velocity: [1, 0, 0]}\n"
    "  b: {shape: {sphere: {radius: 0.1}}, mass: 1, velocity: [0, away, 0]}\n"
    "joints:\n  guide: {prismatic: [ground, a], axis: x, spring: {stiffness: k}}\n"
    "gravity: [0, 0, 0]\n"
    "outputs:\n  x: {position: a, component: x}\n  v: {velocity: a}\n  side: {position: b, component: y}\n"
    "scalars:\n  peak: {maximum: x}\n"
    "simulation: {duration: 0.4, step: 4e-3, output_step: 0.02, integrator: runge-kutta}\n"
    "uncertain:\n  k: {lognormal: {cov: 0.2}}\n  away: {normal: {mean: 0, std: 1}}\n"
    "study: {samples: 400, seed: 5}\n";

using Row = std::map<std::string, std::string>;

// Rows of a CSV text by their first cell.
std::map<std::string, Row> rows_of(const std::string& text) {
  std::map<std::string, Row> rows;
  std::vector<std::string> header;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> cells;
    std::istringstream in(line + ",");
    for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
    if (header.empty()) {
      header = cells;
      continue;
    }
    EXPECT_EQ(cells.size(), header.size()) << line;
    for (size_t i = 0; i < header.size() && i < cells.size(); ++i) rows[cells[0]][header[i]] = cells[i];
  }
  return rows;
}

class Compare : public testing::Test {
 protected:
  Folder folder;
  std::string model = oscillator;
  void study(const std::string& name, std::vector<std::string> extra = {}) {
    folder.write(name + ".yaml", model);
    std::vector<std::string> arguments = {"run", name + ".yaml"};
    arguments.insert(arguments.end(), extra.begin(), extra.end());
    const Outcome o = aleator(arguments, folder.path());
    ASSERT_EQ(o.code, 0) << o.err;
  }
  Outcome compare(const std::string& other, const std::string& reference, std::vector<std::string> extra = {}) {
    std::vector<std::string> arguments = {"compare", "out/" + reference, "out/" + other};
    arguments.insert(arguments.end(), extra.begin(), extra.end());
    return aleator(arguments, folder.path());
  }
  std::map<std::string, Row> numbers(const std::string& other, const std::string& reference) {
    return rows_of(compare(other, reference, {"--csv", "-"}).out);
  }
};

TEST_F(Compare, a_study_with_itself) {
  study("a");
  const Outcome o = compare("a", "a/results.h5", {"--tolerance", "0", "--band-tolerance", "0", "--csv", "c.csv"});
  EXPECT_EQ(o.code, 0) << o.out << o.err;
  EXPECT_EQ(o.err, "");
  EXPECT_NE(o.out.find("same seed"), std::string::npos);
  auto rows = rows_of(text_of_file(folder / "c.csv"));
  ASSERT_EQ(rows.size(), 6u);
  for (const char* name : {"x", "v.x", "side", "peak"}) {
    EXPECT_EQ(rows[name]["e_mu"], "0") << name;
    EXPECT_EQ(rows[name]["e_sigma"], "0") << name;
    EXPECT_EQ(rows[name]["ks_p"], "1") << name;
  }
  EXPECT_EQ(rows["x"]["e_lower"], "0");
  EXPECT_EQ(rows["x"]["e_mu_relative_to"], "mean");
  EXPECT_EQ(rows["side"]["e_mu_relative_to"], "scatter");
  EXPECT_EQ(rows["v.y"]["e_mu"], "");  // nothing moves
  EXPECT_EQ(rows["v.y"]["ks_p"], "");
}

TEST_F(Compare, seeds_differ_by_noise) {
  study("a");
  study("b", {"--seed", "6", "--samples", "800"});
  auto rows = numbers("a", "b");
  for (const char* name : {"x", "v.x", "side", "peak"})
    for (const std::string measure : {"e_mu", "e_sigma"}) {
      const double value = std::stod(rows[name][measure]), noise = std::stod(rows[name][measure + "_noise"]);
      EXPECT_GT(value, 0) << name;
      // the errors at all times together are at most as large as one normal error: 5 / E|z| = 6.3, false alarm 6e-7
      EXPECT_LT(value, 6.3 * noise) << name << " " << measure;
    }
  for (const char* name : {"x", "v.x", "side"})
    EXPECT_GT(std::stod(rows[name]["ks_p_any_time"]), 1e-6) << name;  // false alarm 1e-6 each
  EXPECT_EQ(compare("a", "b").code, 0);
  EXPECT_EQ(compare("a", "b", {"--tolerance", "50%"}).code, 0);
  EXPECT_EQ(compare("a", "b", {"--tolerance", "1e-9"}).code, 1);
}

TEST_F(Compare, the_first_is_the_reference) {
  study("a");
  study("b", {"--seed", "6", "--set", "m=1.2"});
  const Outcome o = aleator({"compare", "out/a", "out/b"}, folder.path());
  EXPECT_NE(o.out.find("A: out/a/results.h5 (400 realizations), the reference\n"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("B differs from the reference A: "), std::string::npos) << o.out;
  // the peak √(m/k) of x is larger by √1.2 − 1 = 9.5 % in B; relative to B it would be smaller by 8.7 %
  EXPECT_NEAR(std::stod(numbers("b", "a")["peak"]["e_mu"]), 0.095, 0.02);  // 400 realizations each: ± 1 %
  EXPECT_NE(o.out.find("+"), std::string::npos) << "B − A has its sign:\n" << o.out;
}

TEST_F(Compare, a_shift_is_found) {
  study("b");
  study("a", {"--seed", "6", "--set", "m=1.2"});
  const Outcome o = compare("a", "b", {"--tolerance", "2%"});
  EXPECT_EQ(o.code, 1) << o.err;
  EXPECT_NE(o.out.find("e_mu of x is "), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("more than noise (at 1 %): x, v.x, peak\n"), std::string::npos) << o.out;
  EXPECT_EQ(compare("a", "b", {"--band-tolerance", "1%"}).code, 1);
  EXPECT_EQ(compare("a", "b", {"--tolerance", "0.5", "--output", "side"}).code, 0);
  EXPECT_EQ(rows_of(compare("a", "b", {"--csv", "-", "--output", "v", "peak"}).out).size(), 4u);  // v.x, v.y, v.z, peak
}

TEST_F(Compare, statistics_alone_are_enough) {
  study("b");
  model = replaced(oscillator, "seed: 5}", "seed: 6, keep: statistics}");
  study("a");
  auto rows = numbers("a", "b");
  EXPECT_NE(rows["x"]["e_mu"], "");
  EXPECT_EQ(rows["x"]["ks_p"], "");
  EXPECT_EQ(compare("a", "b").code, 0);
}

TEST_F(Compare, other_times_and_outputs) {
  study("b");
  model = replaced(oscillator, "output_step: 0.02", "output_step: 0.04");
  model = replaced(model, "  side: {position: b, component: y}\n", "  other: {position: b, component: y}\n");
  study("coarse");
  model = replaced(oscillator, "duration: 0.4", "duration: 0.2");
  study("short");
  const Outcome o = compare("coarse", "b");
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("only in A: side\nonly in B: other\n"), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("interpolated"), std::string::npos) << o.out;
  // the chord of a sine of 10 rad/s over 0.04 s is off by (10 · 0.04)²/8 = 2 % at most
  EXPECT_LT(std::stod(numbers("coarse", "b")["x"]["e_mu"]), 0.02);
  EXPECT_EQ(compare("b", "short").code, 3);
  EXPECT_EQ(compare("b", "short").err,
            "aleator: cannot compare 'out/b/results.h5' with the reference 'out/short/results.h5': one covers 0 to 0.2 s, the "
            "other 0 to 0.4 s\n");
}

TEST_F(Compare, wrong_arguments_are_told) {
  study("a");
  folder.write("text.h5", "no HDF5");
  const Outcome name = compare("a", "a", {"--output", "peek"});
  EXPECT_EQ(name.code, 3);
  EXPECT_EQ(name.err, "aleator: cannot read 'out/a/results.h5': it has no output 'peek' (did you mean 'peak'?)\n");
  EXPECT_EQ(aleator({"compare", "out/a", "text.h5"}, folder.path()).code, 3);
  EXPECT_EQ(aleator({"compare", "missing", "out/a"}, folder.path()).code, 3);
  EXPECT_EQ(aleator({"compare", "out/a"}, folder.path()).code, 2);
  for (const char* x : {"-1", "much", "1 m", "nan"}) EXPECT_EQ(compare("a", "a", {"--tolerance", x}).code, 2) << x;
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
