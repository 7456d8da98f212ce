// twin as a user meets it: data of the model itself, and the truth behind them.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "program.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const char* const oscillator =
    "parameters: {k: 100, m: 1}\n"
    "bodies:\n  a: {shape: {sphere: {radius: 0.1}}, mass: m, velocity: [1, 0, 0]}\n"
    "joints:\n  guide: {prismatic: [ground, a], axis: x, spring: {stiffness: k}}\n"
    "outputs:\n  x: {position: a, component: x}\n  v: {velocity: a, component: x}\n"
    "simulation: {duration: 0.4, step: 4e-3, output_step: 4e-3, integrator: runge-kutta}\n"
    "uncertain:\n  k: {normal: {std: 10}}\n  a: {mass: {cov: 0.1}}\n";

Csv table(const Folder& folder, const std::string& name) { return parse_csv_text(text_of_file(folder / name)); }

// The lines after the remarks.
Csv truth_of(const Folder& folder, const std::string& name) {
  std::istringstream in(text_of_file(folder / name));
  std::string text;
  for (std::string line; std::getline(in, line);)
    if (!line.starts_with("#")) text += line + "\n";
  return parse_csv_text(text);
}

Outcome twin(const Folder& folder, std::vector<std::string> more) {
  more.insert(more.begin(), {"twin", "osc.yaml"});
  return aleator(more, folder.path());
}

TEST(Twin, specimens_are_the_model_with_the_numbers_of_the_truth) {
  const Folder folder;
  folder.write("osc.yaml", oscillator);
  const Outcome o = twin(folder, {"--specimens", "3", "--out", "data", "--every", "10", "--set", "k.std=30"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"data/specimen-001.csv", "data/specimen-002.csv", "data/specimen-003.csv",
                                                      "data/truth.txt", "osc.yaml"}));
  const Csv truth = truth_of(folder, "data/truth.txt");
  ASSERT_EQ(truth.names, (std::vector<std::string>{"specimen", "realization", "k", "a.mass"}));
  const Csv measured = table(folder, "data/specimen-002.csv");
  EXPECT_EQ(measured.names, (std::vector<std::string>{"time", "x", "v"}));
  ASSERT_EQ(measured.rows.size(), 11u);
  const std::string k = std::to_string(truth.rows[1][2]), m = std::to_string(truth.rows[1][3]);
  const Csv alone = parse_csv_text(
      aleator({"simulate", "osc.yaml", "--set", "k=" + k, "--set", "a.mass=" + m, "--csv", "-"}, folder.path()).out);
  // six digits after the point of k and the mass: a relative 1e-6 of them at most
  for (size_t i = 0; i < 11; ++i)
    for (int c = 0; c < 3; ++c) EXPECT_NEAR(measured.rows[i][c], alone.rows[10 * i][c], 3e-6) << i;
  // another seed than that of a study
  const Csv study = parse_csv_text(aleator({"sample", "osc.yaml", "-n", "3", "--set", "k.std=30"}, folder.path()).out);
  EXPECT_GT(std::abs(study.rows[0][1] - truth.rows[0][2]), 1e-6);
}

TEST(Twin, noise_has_the_spread_asked_for) {
  const Folder folder;
  folder.write("osc.yaml", oscillator);
  const auto with = [&](const std::string& out, std::vector<std::string> more) {
    more.insert(more.begin(), {"--specimens", "20", "--out", out});
    const Outcome o = twin(folder, more);
    EXPECT_EQ(o.code, 0) << o.err;
  };
  with("clean", {});
  with("noisy", {"--noise", "5%", "--noise", "x=0.02"});
  with("again", {"--noise", "5%", "--noise", "x=0.02"});
  with("other", {"--noise", "5%", "--noise", "x=0.02", "--seed", "2"});
  const std::string first = text_of_file(folder / "noisy/specimen-001.csv");
  EXPECT_EQ(first, text_of_file(folder / "again/specimen-001.csv"));
  EXPECT_NE(first, text_of_file(folder / "other/specimen-001.csv"));
  double sum[3] = {}, squares[3] = {};
  long n = 0;
  for (int s = 1; s <= 20; ++s) {
    const std::string name = "/specimen-0" + std::string(s < 10 ? "0" : "") + std::to_string(s) + ".csv";
    const Csv a = table(folder, "clean" + name), b = table(folder, "noisy" + name);
    for (size_t i = 0; i < a.rows.size(); ++i, ++n)
      for (int c = 1; c < 3; ++c) {
        const double e = b.rows[i][c] - a.rows[i][c];
        sum[c] += e, squares[c] += e * e;
      }
  }
  // v = cos(10 t) of the nominal model, at the 101 times: rms
  double nominal = 0;
  for (int i = 0; i <= 100; ++i) nominal += std::pow(std::cos(10 * 4e-3 * i), 2) / 101;
  const double expected[3] = {0, 0.02, 0.05 * std::sqrt(nominal)};
  for (int c = 1; c < 3; ++c) {
    const double sigma = std::sqrt(squares[c] / double(n));
    EXPECT_NEAR(sigma / expected[c], 1, 5 / std::sqrt(2.0 * double(n)));  // five standard errors: 6e-7
    EXPECT_NEAR(sum[c] / double(n), 0, 5 * expected[c] / std::sqrt(double(n)));
  }
}

TEST(Twin, gaps_and_irregular_times) {
  const Folder folder;
  folder.write("osc.yaml", oscillator);
  ASSERT_EQ(twin(folder, {"--specimens", "1", "--out", "d", "--gaps", "0.3", "--irregular", "--outputs", "x"}).code, 0);
  std::istringstream in(text_of_file(folder / "d/specimen-001.csv"));
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "time,x");
  int rows = 0, gaps = 0;
  double before = -1;
  for (; std::getline(in, line); ++rows) {
    const double t = std::stod(line);
    EXPECT_GT(t, before);
    before = t;
    gaps += line.ends_with(",");
  }
  EXPECT_EQ(rows, 101);
  EXPECT_NEAR(gaps, 30.3, 5 * std::sqrt(101 * 0.3 * 0.7));
}

TEST(Twin, an_earlier_twin_is_replaced_and_other_data_are_kept) {
  const Folder folder;
  folder.write("osc.yaml", oscillator);
  ASSERT_EQ(twin(folder, {"--specimens", "3", "--out", "d"}).code, 0);
  ASSERT_EQ(twin(folder, {"--specimens", "1", "--out", "d"}).code, 0);
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"d/specimen-001.csv", "d/truth.txt", "osc.yaml"}));
  folder.write("real.csv", "time,x\n");
  const Outcome o = twin(folder, {"--specimens", "1", "--out", "."});
  EXPECT_EQ(o.code, 6);
  EXPECT_TRUE(o.err.find("CSV files that are not of a twin") != std::string::npos) << o.err;
}

TEST(Twin, messages) {
  const Folder folder;
  folder.write("osc.yaml", oscillator);
  const auto expect = [&](std::vector<std::string> more, int code, const std::string& message) {
    more.insert(more.begin(), {"--specimens", "1"});
    const Outcome o = twin(folder, more);
    EXPECT_EQ(o.code, code);
    EXPECT_TRUE(o.err.find(message) != std::string::npos) << o.err;
  };
  expect({"--outputs", "y"}, 3, "osc.yaml: there is no output 'y' (known: x, v)");
  expect({"--noise", "y=1"}, 3, "osc.yaml: there is no output 'y' (known: x, v)");
  expect({"--noise", "x=-1"}, 2, "--noise: may not be negative, found 'x=-1'");
  expect({"--noise", "0.1"}, 2, "outputs differ in their units: give a percentage for all, or NAME=0.1");
  expect({"--noise", "x=much"}, 2, "expects NAME=VALUE, NAME=PERCENT% or PERCENT%, found 'x=much'");
  expect({"--set", "k.cov=0.1"}, 3,
         "'k.cov' cannot be set: the distribution of 'k' is written with std; mean and std of this distribution can be set");
  std::string known = oscillator;
  known.erase(known.find("uncertain"));
  folder.write("osc.yaml", known);
  expect({}, 3, "osc.yaml: nothing is uncertain: all specimens would be the same");
}

// k.mean where the law leaves it to the nominal value: samples move with it.
TEST(Twin, hyper_parameters_of_the_command_line_reach_the_samples) {
  const Folder folder;
  folder.write("osc.yaml", oscillator);
  const auto samples = [&](const std::string& set) {
    return parse_csv_text(aleator({"sample", "osc.yaml", "-n", "5", "--set", set}, folder.path()).out).column("k");
  };
  const std::vector<double> a = samples("k.mean=100"), b = samples("k.mean=150"), c = samples("k.std=20");
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR(b[i] - a[i], 50, 1e-10);
    EXPECT_NEAR(c[i] - 100, 2 * (a[i] - 100), 1e-10);
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
