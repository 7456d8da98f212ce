// aleator resume FOLDER: the folder is enough to go on; what changed since is told, and two models are never put together.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "identify_files.hpp"
#include "program.hpp"
#include "results/read.hpp"
#include "support/model_text.hpp"
#include "support/results_contents.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

namespace fs = std::filesystem;

// Small steps, so that there is time to interrupt it; its first support follows a table.
std::string model(const std::string& study) {
  const std::string slow = replaced(replaced(example("five-body"), "samples: 500, confidence: 0.90, seed: 1}", study),
                                    "step: 1e-4, output_step: 1e-4", "step: 2e-5, output_step: 1e-3");
  return replaced(slow, "motion: {ramp: {from: 1e-3, to: 6e-3, height: 0.01}}}", "motion: {piecewise_linear: {file: lift.csv}}}");
}
const std::string lift = "0, 0\n0.01, 0.005\n0.02, 0.01\n0.03, 0.01\n";

// An unfinished run of it in `cut`, and a whole one in `whole`.
void interrupt(const Folder& folder, const std::string& study = "samples: 1200}") {
  folder.write("m.yaml", model(study));
  folder.write("lift.csv", lift);
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "whole"}, folder.path()).code, 0);
  setenv("ALEATOR_SAVE_EVERY", "0.02", 1);  // what partial.h5 shows is in the journal
  const Outcome o = aleator({"run", "m.yaml", "--out", "cut"}, folder.path(), 1e-3, SIGKILL, "cut/partial.h5");
  unsetenv("ALEATOR_SAVE_EVERY");
  ASSERT_EQ(o.code, 1000 + SIGKILL) << o.err;
}

void expect_refused(const Folder& folder, const std::vector<std::string>& arguments, const std::vector<std::string>& words) {
  const std::string journal = text_of_file(folder / "cut/unfinished.journal");
  const Outcome o = aleator(arguments, folder.path());
  EXPECT_EQ(o.code, 6) << o.err;
  for (const std::string& w : words) EXPECT_TRUE(says(o.err, w)) << "no '" << w << "' in " << o.err;
  EXPECT_EQ(text_of_file(folder / "cut/unfinished.journal"), journal);
}

void expect_finished(const Folder& folder) {
  EXPECT_EQ(difference_of_results(folder / "whole/results.h5", folder / "cut/results.h5"), "");
  EXPECT_FALSE(fs::exists(folder / "cut/unfinished.journal"));
}

TEST(ResumeCommand, needs_the_folder_alone) {
  const Folder folder;
  interrupt(folder);
  fs::remove(folder / "m.yaml");
  fs::remove(folder / "lift.csv");
  fs::rename(folder / "cut", folder / "moved");
  const Outcome o = aleator({"resume", "moved/"}, folder.path());
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(says(o.err, "lift.csv: note: it no longer exists")) << o.err;
  EXPECT_TRUE(says(o.err, "continuing after ")) << o.err;
  fs::rename(folder / "moved", folder / "cut");
  expect_finished(folder);
  // once more: it is complete, and a page that is missing is made
  fs::remove(folder / "cut/report.html");
  const Outcome again = aleator({"resume", "cut"}, folder.path());
  EXPECT_EQ(again.code, 0);
  EXPECT_TRUE(says(again.err, "cut/results.h5 is complete: there is nothing to resume")) << again.err;
  EXPECT_TRUE(fs::exists(folder / "cut/report.html"));
}

TEST(ResumeCommand, where_there_is_nothing) {
  const Folder folder;
  fs::create_directory(folder / "empty");
  EXPECT_EQ(aleator({"resume", "empty"}, folder.path()).code, 3);
  EXPECT_EQ(aleator({"resume", "nowhere"}, folder.path()).code, 3);
  EXPECT_EQ(aleator({"resume"}, folder.path()).code, 2);
}

TEST(ResumeCommand, tells_what_changed_and_goes_on_as_it_began) {
  const Folder folder;
  interrupt(folder);
  folder.write("m.yaml", replaced(model("samples: 1200}"), "mass: 40, at", "mass: 41, at"));
  const std::vector<std::string> change = {"--- m.yaml, when the run began",
                                           "+++ m.yaml, now",
                                           "@@ line ",
                                           "\n-  rb5: ",
                                           "mass: 40",
                                           "\n+  rb5: ",
                                           "mass: 41",
                                           "--force"};
  expect_refused(folder, {"resume", "cut"}, change);
  expect_refused(folder, {"run", "m.yaml", "--out", "cut", "--resume"}, change);
  expect_refused(folder, {"run", "m.yaml", "--out", "cut"}, change);
  const Outcome o = aleator({"resume", "cut", "--force"}, folder.path());
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(says(o.err, "the model file has changed since the run began")) << o.err;
  // the model as it was, in numbers and in its text; and told so
  const results::StudyReader reader(folder / "cut/results.h5");
  EXPECT_EQ(reader.text_attribute("/", "model"), model("samples: 1200}"));
  EXPECT_EQ(reader.numbers("/statistics/accel_z/mean"),
            results::StudyReader(folder / "whole/results.h5").numbers("/statistics/accel_z/mean"));
  const std::vector<std::string> evidence = reader.texts_attribute("/", "evidence");
  ASSERT_FALSE(evidence.empty());
  EXPECT_TRUE(says(evidence[0], "the model file has changed since the run began")) << evidence[0];
}

TEST(ResumeCommand, a_table_belongs_to_the_model) {
  const Folder folder;
  interrupt(folder);
  folder.write("lift.csv", replaced(lift, "0.01, 0.005", "0.01, 0.006"));
  expect_refused(folder, {"resume", "cut"}, {"--- lift.csv, when the run began", "-0.01, 0.005", "+0.01, 0.006"});
  expect_refused(folder, {"run", "m.yaml", "--out", "cut", "--resume"}, {"-0.01, 0.005", "+0.01, 0.006"});
  folder.write("lift.csv", lift);
  EXPECT_EQ(aleator({"resume", "cut"}, folder.path()).code, 0);
  expect_finished(folder);
}

TEST(ResumeCommand, tells_other_settings) {
  const Folder folder;
  interrupt(folder);
  expect_refused(folder, {"run", "m.yaml", "--out", "cut", "--resume", "--seed", "9", "--set", "rb1.mass=5"},
                 {"seed: 1 → 9", "set: none → rb1.mass=5"});
  EXPECT_EQ(aleator({"run", "m.yaml", "--out", "cut", "--force"}, folder.path()).code, 2);  // without --resume
  // whatever is asked for now, it goes on as it began
  EXPECT_EQ(aleator({"run", "m.yaml", "--out", "cut", "--resume", "--force", "--seed", "9"}, folder.path()).code, 0);
  expect_finished(folder);
}

TEST(ResumeCommand, a_larger_study_does_not_take_rows_with_another_table) {
  const Folder folder;
  folder.write("m.yaml", model("samples: 10}"));
  folder.write("lift.csv", lift);
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "out", "--no-report"}, folder.path()).code, 0);
  EXPECT_TRUE(
      says(aleator({"run", "m.yaml", "--out", "out", "--no-report", "--samples", "20"}, folder.path()).err, "are reused"));
  folder.write("lift.csv", replaced(lift, "0.01, 0.005", "0.01, 0.006"));
  EXPECT_FALSE(
      says(aleator({"run", "m.yaml", "--out", "out", "--no-report", "--samples", "40"}, folder.path()).err, "are reused"));
}

// --- two at once ----------------------------------------------------------------------------------------------------------------

const std::string free_force = "model: m.yaml\nmethod: sweep\nplaces: 2\nsamples: 100\nfree:\n  f.std: {from: 0.2, to: 0.8}\n";

TEST(TwoAtOnce, the_second_is_refused) {
  const Folder folder;
  folder.write("long.yaml", model("samples: 100000000}"));
  folder.write("lift.csv", lift);
  Outcome first;  // until there is a file `stop`
  std::thread running([&] {
    first = aleator({"run", "long.yaml", "--out", "out", "--threads", "1"}, folder.path(), 1e-3, SIGINT, "stop");
  });
  while (!fs::exists(folder / "out/unfinished.journal")) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  folder.write("m.yaml", pushed_mass("uncertain:\n  f: {normal: {std: 0.3}}\n"));
  folder.write("id.yaml", free_force);
  for (const std::vector<std::string>& second :
       std::vector<std::vector<std::string>>{{"run", "long.yaml", "--out", "out"},
                                             {"run", "long.yaml", "--out", "out", "--overwrite"},
                                             {"run", "long.yaml", "--out", "out", "--resume"},
                                             {"resume", "out"},
                                             {"resume", "out", "--force"},
                                             {"run", "m.yaml", "--out", "out"},
                                             {"simulate", "m.yaml", "--out", "out"},
                                             {"identify", "id.yaml", "--out", "out"}}) {
    const Outcome o = aleator(second, folder.path());
    EXPECT_EQ(o.code, 6) << second[0] << ": " << o.err;
    EXPECT_TRUE(says(o.err, "another run is writing into this folder")) << second[0] << ": " << o.err;
  }
  folder.write("stop", "");
  running.join();
  EXPECT_EQ(first.code, 130) << first.err;
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"id.yaml", "lift.csv", "long.yaml", "m.yaml", "out/partial.h5",
                                                      "out/unfinished.journal", "stop"}));
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
