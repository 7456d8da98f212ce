// aleator rerun: one realization of a study again, the same numbers, and files that everything else can read.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "program.hpp"
#include "study_files.hpp"
#include "support/model_text.hpp"
#include "unstable.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

using results::StudyReader;

std::string words(long k) { return std::to_string(k); }

// The first realization that is finished in its lane, needs a smaller step, or fails.
long first_with(const StudyReader& file, double from, double to) {
  for (long k = 0;; ++k)
    if (const double x = std::pow(10, file.row("/samples/inputs", k).at(0)); x > from && x < to) return k;
}

TEST(Rerun, the_same_numbers_bit_for_bit) {
  const Folder folder;
  folder.write("m.yaml", unstable());
  ASSERT_EQ(aleator({"run", "m.yaml", "--no-report", "--out", "o"}, folder.path()).code, 5);
  const StudyReader file(folder / "o");
  // Far from the limits of stability; one in its lane, one by smaller steps.
  for (const long k : {first_with(file, 0, stiffest / 10), first_with(file, 4 * stiffest, stiffest_with_a_quarter / 2)}) {
    const Outcome o = aleator({"rerun", "o", words(k), "--out", "again"}, folder.path());
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.out.find("\nbitwise identical to the values in the file\n"), std::string::npos) << o.out;
    const StudyReader again(folder / "again/realization-" + words(k) + ".h5", StudyReader::Accept::any);
    EXPECT_EQ(again.row("/responses/x", 0), file.row("/responses/x", k));
    EXPECT_EQ(again.text_attribute("/settings", "realization"), words(k));
  }
}

TEST(Rerun, one_that_fails_as_far_as_it_comes) {
  const Folder folder;
  folder.write("m.yaml", unstable());
  ASSERT_EQ(aleator({"run", "m.yaml", "--no-report", "--out", "o"}, folder.path()).code, 5);
  const StudyReader file(folder / "o");
  const long k = long(file.numbers("/samples/failures/realization").at(0));
  const double time = file.numbers("/samples/failures/time").at(0);
  const Outcome o = aleator({"rerun", "o/results.h5", words(k)}, folder.path());
  EXPECT_EQ(o.code, 4) << o.err;
  EXPECT_TRUE(o.err.ends_with(file.texts("/samples/failures/reason").at(0) + "\nas in the file\n")) << o.err;
  // Both attempts are told, the second with a quarter of the step.
  EXPECT_NE(o.out.find("with a step of 0.004 s: failed at t = "), std::string::npos) << o.out;
  EXPECT_NE(o.out.find("with a step of 0.001 s: failed at t = "), std::string::npos) << o.out;
  const std::string name = "o/realization-" + words(k);
  const StudyReader again(folder / name + ".h5", StudyReader::Accept::any);
  EXPECT_LE(again.numbers("/time").back(), time);
  EXPECT_GT(again.numbers("/time").back(), time - 0.1 - 1e-9);  // the output step
  EXPECT_EQ(aleator({"report", name + ".h5", "--out", "page.html"}, folder.path()).code, 0);
  EXPECT_EQ(aleator({"animate", name + ".h5", "--gltf", "motion.glb"}, folder.path()).code, 0);
  EXPECT_EQ(aleator({"plot", name + ".h5", "--svg", "x.svg"}, folder.path()).code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / name + ".csv"));
}

// Where only statistics are kept, the sample is drawn again, by whatever method.
TEST(Rerun, of_samples_that_are_not_kept) {
  const Folder folder;
  for (const std::string method : {"monte-carlo", "latin-hypercube", "sobol", "halton"}) {
    folder.write("m.yaml", oscillator("samples: 50, seed: 5, method: " + method));
    ASSERT_EQ(aleator({"run", "m.yaml", "--no-report", "--out", "all", "--overwrite"}, folder.path()).code, 0);
    folder.write("m.yaml", oscillator("samples: 50, seed: 5, keep: statistics, method: " + method));
    ASSERT_EQ(aleator({"run", "m.yaml", "--no-report", "--out", "few", "--sensitivity", "--overwrite"}, folder.path()).code, 0);
    const Outcome o = aleator({"rerun", "few", "31", "--out", "again"}, folder.path());
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.out.find("its numbers, drawn again"), std::string::npos) << o.out;
    EXPECT_EQ(StudyReader(folder / "again/realization-31.h5", StudyReader::Accept::any).row("/responses/x", 0),
              StudyReader(folder / "all").row("/responses/x", 31))
        << method;
  }
}

// With what was in force, whatever the model file says now.
TEST(Rerun, with_the_settings_of_the_study) {
  const Folder folder;
  const std::string open = replaced(oscillator(), "step: 4e-3, output_step: 0.02, integrator: runge-kutta",
                                    "accuracy: 1e-6, output_step: 0.02, integrator: auto");
  folder.write("m.yaml", open);
  ASSERT_EQ(aleator({"run", "m.yaml", "--no-report", "--out", "o", "--seed", "11", "--set", "k=130", "--set", "a.mass.cov=0.2"},
                    folder.path())
                .code,
            0);
  folder.write("m.yaml", "this is no model any more");
  const Outcome o = aleator({"rerun", "o", "7"}, folder.path());
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("\nbitwise identical to the values in the file\n"), std::string::npos) << o.out;
}

TEST(Rerun, numbers_that_make_no_mechanism) {
  const Folder folder;
  folder.write("m.yaml", replaced(oscillator(), "a: {mass: {cov: 0.1}}", "m: {uniform: {lower: -1, upper: 1}}"));
  ASSERT_EQ(aleator({"run", "m.yaml", "--no-report", "--out", "o"}, folder.path()).code, 5);
  const StudyReader file(folder / "o");
  const long k = long(file.numbers("/samples/failures/realization").at(0));
  EXPECT_TRUE(std::isnan(file.numbers("/samples/failures/time").at(0)));
  const std::vector<std::string> before = folder.files();
  const Outcome o = aleator({"rerun", "o", words(k)}, folder.path());
  EXPECT_EQ(o.code, 4) << o.err;
  EXPECT_TRUE(o.err.starts_with("it failed: m.yaml:4:")) << o.err;
  EXPECT_TRUE(o.err.ends_with("\nas in the file\n")) << o.err;
  EXPECT_EQ(folder.files(), before);
}

TEST(Rerun, what_is_not_there) {
  const Folder folder;
  folder.write("m.yaml", oscillator());
  ASSERT_EQ(aleator({"run", "m.yaml", "--no-report", "--out", "o"}, folder.path()).code, 0);
  const Outcome o = aleator({"rerun", "o", "50"}, folder.path());
  EXPECT_EQ(o.code, 3);
  EXPECT_EQ(o.err, "aleator: cannot read 'o/results.h5': it has the realizations 0 to 49, not 50\n");
  EXPECT_EQ(aleator({"rerun", "o"}, folder.path()).code, 2);
  EXPECT_EQ(aleator({"rerun", "o", "-1"}, folder.path()).code, 2);
  EXPECT_EQ(aleator({"rerun", "nowhere", "1"}, folder.path()).code, 3);
  ASSERT_EQ(aleator({"run", "m.yaml", "--no-report", "--out", "levels", "--method", "control-variate"}, folder.path()).code, 0);
  // Realizations of the model itself are kept, those of cheaper ones have no number.
  const Outcome of_model = aleator({"rerun", "levels", "1"}, folder.path());
  EXPECT_EQ(of_model.code, 0) << of_model.err;
  EXPECT_NE(of_model.out.find("bitwise identical to the values in the file"), std::string::npos) << of_model.out;
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
