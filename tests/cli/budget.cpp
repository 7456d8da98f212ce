// What a study may cost whose size is open: it is told, it stops there, and where it stops is recorded.
#include <gtest/gtest.h>

#include "program.hpp"
#include "study_files.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// 0.01 % would take some 10⁸ realizations of Monte Carlo. 21 times, 2 inputs: 184 bytes a realization: 1 MB are 5434; the
// next multiple of 64 below is 5376.
TEST(Budget, ends_a_study_and_says_what_more_would_take) {
  const Folder folder;
  folder.write("m.yaml", oscillator());
  const Outcome o = aleator(
      {"run", "m.yaml", "--accuracy", "0.01%", "--samples", "1000000000", "--budget", "1 MB", "--out", "o", "--no-report"},
      folder.path());
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(has(o.err, "after 64 realizations output 'x' has a standard error of")) << o.err;
  EXPECT_TRUE(has(o.err, "allows 5376 realizations")) << o.err;
  EXPECT_TRUE(has(o.out, "the study ended at its budget")) << o.out;
  EXPECT_EQ(results::StudyReader(folder / "o/results.h5").samples(), 5376);
}

// The time of a machine decides once: whoever goes on with the journal stops where it would have.
TEST(Budget, is_the_same_after_an_interruption) {
  for (const std::string keep : {"all", "statistics"}) {
    const Folder folder;
    folder.write("m.yaml", oscillator("accuracy: 0.01%, samples: 1000000000, budget: '4 s, 1 TB', keep: " + keep));
    const Outcome o = aleator({"run", "m.yaml", "--out", "o", "--no-report"}, folder.path(), 0.2, SIGINT, "o/unfinished.journal");
    ASSERT_EQ(o.code, 130) << o.err;
    const size_t at = o.err.find(" allows ");
    ASSERT_NE(at, std::string::npos) << o.err;
    const double allowed = std::atof(o.err.c_str() + at + 8);
    ASSERT_EQ(aleator({"resume", "o"}, folder.path()).code, 0);
    EXPECT_EQ(results::StudyReader(folder / "o/results.h5").done(), allowed) << keep;
  }
}

TEST(Budget, accuracy_can_be_that_of_some_outputs) {
  const Folder folder;
  const std::string both = replaced(oscillator("method: sobol"), "scalars:", "  v: {velocity: a, component: x}\nscalars:");
  folder.write("m.yaml", both);
  const auto samples = [&](const std::string& accuracy) {
    const Outcome o =
        aleator({"run", "m.yaml", "--accuracy", accuracy, "--overwrite", "--out", "o", "--no-report"}, folder.path());
    EXPECT_EQ(o.code, 0) << o.err;
    return results::StudyReader(folder / "o/results.h5").samples();
  };
  const long both_fine = samples("0.2%"), one_coarse = samples("x=5%");
  EXPECT_GT(both_fine, one_coarse);
  EXPECT_EQ(one_coarse, 64) << "the first look is enough";
  folder.write("n.yaml", replaced(both, "method: sobol", "method: sobol, accuracy: {x: 5%, v: 5%}"));
  ASSERT_EQ(aleator({"run", "n.yaml", "--out", "n", "--no-report"}, folder.path()).code, 0);
  const Outcome wrong = aleator({"run", "m.yaml", "--accuracy", "y=1%", "--out", "w"}, folder.path());
  EXPECT_EQ(wrong.code, 3);
  EXPECT_TRUE(has(wrong.err, "'accuracy' names the output 'y', which the model does not have")) << wrong.err;
}

TEST(Budget, must_make_sense) {
  const Folder folder;
  folder.write("m.yaml", oscillator());
  const Outcome o = aleator({"run", "m.yaml", "--budget", "5 apples"}, folder.path());
  EXPECT_EQ(o.code, 2);
  EXPECT_TRUE(has(o.err, "--budget")) << o.err;
  folder.write("n.yaml", oscillator("budget: soon"));
  const Outcome n = aleator({"check", "n.yaml"}, folder.path());
  EXPECT_EQ(n.code, 3);
  EXPECT_TRUE(has(n.err, "study: 'budget' must be a time")) << n.err;
}

TEST(Budget, a_hypercube_that_is_too_large_is_refused_at_once) {
  const Folder folder;
  folder.write("m.yaml", oscillator("method: latin-hypercube, samples: 1000000000"));
  for (const char* command : {"run", "check"}) {
    const Outcome o = aleator({command, "m.yaml"}, folder.path());
    EXPECT_EQ(o.code, 3) << command;
    EXPECT_TRUE(has(o.err, "a Latin hypercube of 1000000000 realizations")) << o.err;
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
