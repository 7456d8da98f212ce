// Studies computed in parts, each for itself, and joined: the same, bit for bit, as computed in one piece.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

#include "program.hpp"
#include "results/read.hpp"
#include "results/read_reliability.hpp"
#include "support/model_text.hpp"
#include "support/results_contents.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

std::string model(const std::string& study) {
  return replaced(coarse_five_body(), "{method: monte-carlo, samples: 500, confidence: 0.90, seed: 1}", study);
}

void compute(const Folder& folder, int parts, const std::vector<std::string>& more = {}) {
  for (int k = 1; k <= parts; ++k) {
    std::vector<std::string> arguments = {"run", "m.yaml", "--part", std::to_string(k) + "/" + std::to_string(parts)};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome o = aleator(arguments, folder.path());
    ASSERT_EQ(o.code, 0) << o.err;
  }
}

std::vector<std::string> part_files(const Folder& folder) {
  std::vector<std::string> files;
  for (const std::string& f : folder.files())
    if (f.starts_with("out/m/parts/")) files.push_back(f);
  return files;
}

Outcome merge(const Folder& folder, std::vector<std::string> files, const std::string& out = "") {
  files.insert(files.begin(), {"merge", "--no-report"});
  if (!out.empty()) files.insert(files.end(), {"-o", out});
  return aleator(files, folder.path());
}

void expect_as_in_one_piece(const std::string& study, int parts) {
  const Folder folder;
  folder.write("m.yaml", model(study));
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "whole", "--no-report"}, folder.path()).code, 0);
  compute(folder, parts);
  const Outcome o = merge(folder, part_files(folder));
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(difference_of_results(folder / "whole/results.h5", folder / "out/m/results.h5"), "");
}

TEST(Parts, sampling) { expect_as_in_one_piece("{samples: 103, seed: 4}", 4); }
TEST(Parts, more_parts_than_realizations) { expect_as_in_one_piece("{samples: 5}", 11); }
TEST(Parts, sobol_with_replicates) { expect_as_in_one_piece("{samples: 64, method: sobol}", 3); }
TEST(Parts, a_latin_hypercube) { expect_as_in_one_piece("{samples: 50, method: latin-hypercube}", 3); }
TEST(Parts, shares_of_the_variance) { expect_as_in_one_piece("{samples: 30, sensitivity: true}", 4); }
TEST(Parts, a_screening) { expect_as_in_one_piece("{method: morris, screening: {trajectories: 5}}", 2); }
TEST(Parts, steps_chosen_for_an_accuracy) {
  const Folder folder;
  folder.write("m.yaml", replaced(model("{samples: 20}"), "step: 5e-4,", "accuracy: 1e-4,"));
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "whole", "--no-report"}, folder.path()).code, 0);
  compute(folder, 2);
  ASSERT_EQ(merge(folder, part_files(folder)).code, 0);
  EXPECT_EQ(difference_of_results(folder / "whole/results.h5", folder / "out/m/results.h5"), "");
}

// Sums of parts differ from sums of all by round-off, and quantiles by their stated rank error.
TEST(Parts, statistics_alone) {
  const Folder folder;
  folder.write("m.yaml", model("{samples: 3000, keep: statistics}"));
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "whole", "--no-report"}, folder.path()).code, 0);
  compute(folder, 3);
  ASSERT_EQ(merge(folder, part_files(folder), "joined.h5").code, 0);
  const Csv a = parse_csv_text(aleator({"export", "whole", "statistics"}, folder.path()).out),
            b = parse_csv_text(aleator({"export", "joined.h5", "statistics"}, folder.path()).out);
  ASSERT_EQ(a.names, b.names);
  for (const std::string& name : a.names) {
    const std::vector<double> x = a.column(name), y = b.column(name);
    const bool quantile = name.ends_with(".lower") || name.ends_with(".upper");
    double largest = 0;
    for (const double v : x) largest = std::max(largest, std::abs(v));
    // Rank errors here are below 0.3 %, and the ends of the band have a density of about 0.1 per standard deviation.
    for (size_t t = 0; t < x.size(); ++t) EXPECT_NEAR(x[t], y[t], (quantile ? 0.03 : 1e-12) * (largest + 1e-300)) << name;
  }
}

TEST(Parts, one_that_was_interrupted_is_resumed) {
  const Folder folder;
  folder.write("m.yaml", replaced(model("{samples: 4000}"), "step: 5e-4", "step: 1e-5"));
  ASSERT_EQ(
      aleator({"run", "m.yaml", "--part", "1/2"}, folder.path(), 0.05, SIGKILL, "out/m/parts/1-of-2/unfinished.journal").code,
      1000 + SIGKILL);
  const Outcome refused = aleator({"run", "m.yaml", "--part", "1/2"}, folder.path());
  EXPECT_EQ(refused.code, 6);
  EXPECT_NE(refused.err.find(" of 2000 realizations); continue it with --resume"), std::string::npos) << refused.err;
  EXPECT_EQ(aleator({"resume", "out/m/parts/1-of-2"}, folder.path()).code, 0);
  ASSERT_EQ(
      aleator({"run", "m.yaml", "--part", "2/2"}, folder.path(), 0.05, SIGINT, "out/m/parts/2-of-2/unfinished.journal").code,
      130);
  EXPECT_EQ(aleator({"run", "m.yaml", "--part", "2/2", "--resume"}, folder.path()).code, 0);
  EXPECT_EQ(part_files(folder), (std::vector<std::string>{"out/m/parts/1-of-2.h5", "out/m/parts/2-of-2.h5"}));
  ASSERT_EQ(merge(folder, part_files(folder)).code, 0);
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "whole", "--no-report"}, folder.path()).code, 0);
  EXPECT_EQ(difference_of_results(folder / "whole/results.h5", folder / "out/m/results.h5"), "");
  // and again: it is there
  const Outcome again = aleator({"run", "m.yaml", "--part", "2/2", "--resume"}, folder.path());
  EXPECT_EQ(again.code, 0);
  EXPECT_NE(again.err.find("is complete: there is nothing to resume"), std::string::npos) << again.err;
}

TEST(Parts, what_does_not_belong_together_is_not_joined) {
  const Folder folder;
  folder.write("m.yaml", model("{samples: 20}"));
  compute(folder, 3);
  const std::vector<std::string> files = part_files(folder);
  const auto expect_refused = [&](const std::vector<std::string>& some, const std::string& words) {
    const Outcome o = merge(folder, some, "joined.h5");
    EXPECT_EQ(o.code, 3);
    EXPECT_NE(o.err.find(words), std::string::npos) << o.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "joined.h5"));
  };
  expect_refused({files[0], files[2]}, "of 3 parts, 2 is missing");
  expect_refused({files[0], files[1], files[1], files[2]}, "it is part 2 of 3, as out/m/parts/2-of-3.h5 is");
  ASSERT_EQ(aleator({"run", "m.yaml", "--part", "2/3", "--seed", "9", "--out", "other"}, folder.path()).code, 0);
  expect_refused({files[0], "other/parts/2-of-3.h5", files[2]}, "seed: 1 → 9");
  ASSERT_EQ(aleator({"run", "m.yaml", "--part", "2/4", "--out", "other"}, folder.path()).code, 0);
  expect_refused({files[0], "other/parts/2-of-4.h5", files[2]}, "it is one of 4 parts, and out/m/parts/1-of-3.h5 is one of 3");
  folder.write("m.yaml", replaced(model("{samples: 20}"), "mass: 40", "mass: 41"));
  ASSERT_EQ(aleator({"run", "m.yaml", "--part", "2/3", "--out", "third"}, folder.path()).code, 0);
  expect_refused({files[0], "third/parts/2-of-3.h5", files[2]}, "mass: 41");
  expect_refused({"m.yaml"}, "m.yaml");
  // a part is no result
  const Outcome exported = aleator({"export", files[0], "statistics"}, folder.path());
  EXPECT_EQ(exported.code, 3);
  EXPECT_NE(exported.err.find("`aleator merge` joins it with the others"), std::string::npos) << exported.err;
}

// A block that falls onto a spring, and a mass under white noise: few random numbers, and hundreds.
const std::string block = R"(plane: xz
gravity: [0, -9.81]
parameters: {stiffness: 300, m: 1}
bodies: {block: {shape: {box: [0.1, 0.1, 0.1]}, mass: m, at: [0, 0]}}
joints: {guide: {prismatic: [ground, block], axis: z}}
forces: {spring: {spring_damper: [ground, block], points: [[0, 1], [0, 0]], stiffness: stiffness, damping: 0}}
uncertain: {stiffness: {normal: {std: 30}}, m: {normal: {std: 0.05}}}
outputs: {sag: {coordinate: guide, limits: {below: -0.1}}}
simulation: {duration: 0.32, step: 8e-3, output_step: 8e-3}
study: {)";
const std::string shaken = R"(plane: xz
parameters: {k: 61.6225}
processes: {noise: {white_noise: {S0: 1, step: 0.02}}}
bodies: {mass: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1}}
joints: {guide: {prismatic: [ground, mass], axis: x, spring: {stiffness: k}, damper: 0.314}}
forces: {push: {force: mass, at: [0, 0], value: [{process: noise}, 0]}}
uncertain: {k: {normal: {std: 3}}}
outputs: {x: {coordinate: guide, limits: {above: 1, below: -1}}}
simulation: {duration: 5, step: 0.02, output_step: 0.02, integrator: runge-kutta}
study: {)";

void expect_joined_as_in_one_piece(const std::string& text, int parts) {
  const Folder folder;
  folder.write("m.yaml", text);
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "whole", "--no-report"}, folder.path()).code, 0);
  compute(folder, parts);
  const Outcome o = merge(folder, part_files(folder));
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(difference_of_results(folder / "whole/results.h5", folder / "out/m/results.h5"), "");
}

TEST(Parts, importance_sampling) { expect_joined_as_in_one_piece(block + "method: importance-sampling, samples: 500}\n", 3); }
TEST(Parts, enhanced_monte_carlo) {  // more and fewer than are simulated at once
  expect_joined_as_in_one_piece(shaken + "method: enhanced-monte-carlo, samples: 4500}\n", 2);
  expect_joined_as_in_one_piece(shaken + "method: enhanced-monte-carlo, samples: 2500}\n", 4);
}
TEST(Parts, subset_simulation_in_one) { expect_joined_as_in_one_piece(shaken + "method: subset-simulation, samples: 200}\n", 1); }

// Parts with thresholds of their own. The same on any number of threads, and after an interruption; all of them count. In shorter steps, so that a part
// is not done before it is interrupted.
TEST(Parts, subset_simulation_in_three) {
  const Folder folder;
  folder.write("m.yaml", replaced(shaken, " step: 0.02, output_step", " step: 0.008, output_step") +
                             "method: subset-simulation, samples: 1200}\n");
  compute(folder, 3, {"-j", "1"});
  const std::vector<std::string> files = part_files(folder);
  ASSERT_EQ(merge(folder, files).code, 0);
  for (const char* part : {"1/3", "2/3", "3/3"})
    ASSERT_EQ(aleator({"run", "m.yaml", "--part", part, "--out", "again", "-j", "2"}, folder.path(), 0.02, SIGINT,
                      "again/parts/" + std::string(1, part[0]) + "-of-3/unfinished.journal")
                  .code,
              130);
  for (const char* part : {"1/3", "2/3", "3/3"})
    ASSERT_EQ(aleator({"run", "m.yaml", "--part", part, "--out", "again", "--resume"}, folder.path()).code, 0);
  ASSERT_EQ(merge(folder, {"again/parts/1-of-3.h5", "again/parts/2-of-3.h5", "again/parts/3-of-3.h5"}).code, 0);
  EXPECT_EQ(difference_of_results(folder / "out/m/results.h5", folder / "again/results.h5"), "");

  const results::StudyReader joined(folder / "out/m/results.h5");
  const results::Reliability found = results::read_reliability(joined);
  EXPECT_EQ(joined.done(), 1200);
  ASSERT_EQ(found.sets.size(), 4U);
  double mean = 0;
  for (const double p : found.sets) mean += p / 4;
  EXPECT_NEAR(found.of.back().probability, mean, 1e-12);
  EXPECT_GT(found.failures.kept.size(), 4U);
  // Counted in 40000 ordinary realizations: 0.0401 ± 0.001.
  EXPECT_NEAR(found.of.back().probability, 0.0401, 3 * found.of.back().cov * found.of.back().probability);
  EXPECT_EQ(aleator({"rerun", "out/m/results.h5", "700"}, folder.path()).code, 0);
}

TEST(Parts, what_a_part_of_a_subset_simulation_is) {
  const Folder folder;
  folder.write("m.yaml", shaken + "method: subset-simulation, samples: 300}\n");
  const auto told = [&](const char* part, const char* method = "subset-simulation") {
    return aleator({"run", "m.yaml", "--part", part, "--method", method}, folder.path()).err;
  };
  EXPECT_EQ(told("1/2"),
            "m.yaml: note: part 1 of 2: a subset simulation of its own, with 150 realizations per level in 2 of the 4 sets\n");
  EXPECT_EQ(
      told("3/3"),
      "m.yaml: note: part 3 of 3: a subset simulation of its own, with 150 realizations per level in 2 of the 4 sets; 3 parts "
      "do not divide 4 sets evenly\n");
  EXPECT_EQ(
      told("5/6"),
      "m.yaml: note: part 5 of 6: a subset simulation of its own, with 50 realizations per level in 1 of the 6 sets; `sets` "
      "says 4, and each part needs one\n");
  const auto expect_refused = [&](const std::string& words, const std::string& part) {
    EXPECT_NE(words.find("it cannot be divided into parts: " + part), std::string::npos) << words;
  };
  expect_refused(told("1/7"),
                 "each part needs at least 50 samples, and 300 make no more than 6 such parts; give more samples, or take fewer");
  expect_refused(told("1/2", "form"), "form is one search, each step of which needs the one before; use threads, or mpirun");
  expect_refused(told("1/2", "line-sampling"), "line-sampling turns its lines by what those before have found");
}

TEST(Parts, studies_that_decide_on_the_way_have_none) {
  const Folder folder;
  folder.write("m.yaml", model("{samples: 20}"));
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{"--method", "auto"}, {"--method", "multilevel"}, {"--accuracy", "1%"}}) {
    std::vector<std::string> arguments = {"run", "m.yaml", "--part", "1/2"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome o = aleator(arguments, folder.path());
    EXPECT_EQ(o.code, 3) << o.err;
    EXPECT_NE(o.err.find("it cannot be divided into parts: "), std::string::npos) << o.err;
  }
  for (const char* wrong : {"0/3", "4/3", "2", "2/", "/3", "a/b", "1/3x", "-1/3", "1/99999999999999999999"})
    EXPECT_EQ(aleator({"run", "m.yaml", "--part", wrong}, folder.path()).code, 2) << wrong;
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
