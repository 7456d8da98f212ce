// Interrupted and killed studies: nothing finished is lost, and the continued result is that of an uninterrupted run.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>

#include "program.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// Small steps, so that there is time to interrupt it.
std::string model(const std::string& study) {
  return replaced(replaced(example("five-body"), "samples: 500, confidence: 0.90, seed: 1}", study),
                  "step: 1e-4, output_step: 1e-4", "step: 2e-5, output_step: 1e-3");
}

std::string statistics(const Folder& folder, const std::string& out) {
  const Outcome o = aleator({"export", out, "statistics"}, folder.path());
  EXPECT_EQ(o.code, 0) << o.err;
  return o.out;
}

// Kept as it was, up to what differs between any two runs.
std::string everything(const Folder& folder, const std::string& out) {
  return statistics(folder, out) + aleator({"export", out, "samples"}, folder.path()).out +
         aleator({"export", out, "scalars"}, folder.path()).out;
}

TEST(Resume, after_ctrl_c) {
  const Folder folder;
  folder.write("m.yaml", model("samples: 1500}"));
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "whole"}, folder.path()).code, 0);
  const Outcome cut = aleator({"run", "m.yaml", "--out", "cut"}, folder.path(), 0.1, SIGINT, "cut/unfinished.journal");
  ASSERT_EQ(cut.code, 130) << cut.err;
  EXPECT_NE(cut.err.find("interrupted after "), std::string::npos) << cut.err;
  // what is finished opens and says how far it came
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"cut/partial.h5", "cut/unfinished.journal", "m.yaml", "whole/report.html",
                                                      "whole/results.h5"}));
  const Outcome partial = aleator({"export", "cut", "samples"}, folder.path());
  EXPECT_EQ(partial.code, 0);
  EXPECT_NE(partial.err.find("the run is not complete: "), std::string::npos) << partial.err;
  // a plain run does not touch it
  const Outcome refused = aleator({"run", "m.yaml", "--out", "cut"}, folder.path());
  EXPECT_EQ(refused.code, 6);
  EXPECT_NE(refused.err.find(" of 1500 realizations); continue it with --resume, or start again with --overwrite"),
            std::string::npos)
      << refused.err;
  // a different study does not continue it
  const Outcome other = aleator({"run", "m.yaml", "--out", "cut", "--seed", "9", "--resume"}, folder.path());
  EXPECT_EQ(other.code, 6);
  EXPECT_NE(other.err.find("of another model, other settings or another version"), std::string::npos) << other.err;

  const Outcome resumed = aleator({"run", "m.yaml", "--out", "cut", "--resume"}, folder.path());
  ASSERT_EQ(resumed.code, 0) << resumed.err;
  EXPECT_NE(resumed.err.find("continuing after "), std::string::npos) << resumed.err;
  EXPECT_EQ(folder.files(),
            (std::vector<std::string>{"cut/report.html", "cut/results.h5", "m.yaml", "whole/report.html", "whole/results.h5"}));
  EXPECT_EQ(everything(folder, "cut"), everything(folder, "whole"));
}

TEST(Resume, after_being_killed_at_any_moment) {
  const Folder folder;
  folder.write("m.yaml", model("samples: 4000, sensitivity: true}"));
  const auto began = std::chrono::steady_clock::now();
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "whole"}, folder.path()).code, 0);
  const double whole = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  for (const double part : {0.05, 0.2, 0.2})  // less than half of the work, so that none finishes where machines are fast or busy
    EXPECT_NE(aleator({"run", "m.yaml", "--out", "cut", "--resume"}, folder.path(), part * whole, SIGKILL).code, 0);
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "cut", "--resume"}, folder.path()).code, 0);
  EXPECT_EQ(everything(folder, "cut"), everything(folder, "whole"));
  EXPECT_EQ(aleator({"export", "cut", "sensitivity"}, folder.path()).out,
            aleator({"export", "whole", "sensitivity"}, folder.path()).out);
}

TEST(Resume, when_only_statistics_are_kept) {
  const Folder folder;
  folder.write("m.yaml", model("samples: 1500, keep: statistics}"));
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "whole"}, folder.path()).code, 0);
  const Outcome cut = aleator({"run", "m.yaml", "--out", "cut"}, folder.path(), 0.1, SIGINT, "cut/unfinished.journal");
  ASSERT_EQ(cut.code, 130) << cut.err;
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "cut", "--resume"}, folder.path()).code, 0);
  EXPECT_EQ(statistics(folder, "cut"), statistics(folder, "whole"));
}

TEST(Resume, overwrite_starts_again) {
  const Folder folder;
  folder.write("m.yaml", model("samples: 1500}"));
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "cut"}, folder.path(), 0.1, SIGINT, "cut/unfinished.journal").code, 130);
  EXPECT_EQ(aleator({"run", "m.yaml", "--out", "cut", "--overwrite", "--samples", "20"}, folder.path()).code, 0);
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"cut/report.html", "cut/results.h5", "m.yaml"}));
  EXPECT_EQ(aleator({"run", "m.yaml", "--resume", "--overwrite"}, folder.path()).code, 2);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
