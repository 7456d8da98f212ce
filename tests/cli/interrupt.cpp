// Ctrl-C during a long simulation: exit code 130, and what was finished is saved.
#include <gtest/gtest.h>

#include <cmath>

#include "program.hpp"
#include "study_files.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

TEST(Interrupt, saves_what_was_finished) {
  const Folder folder;
  // an hour of pendulum: some minutes of computing
  folder.write("model.yaml", replaced(replaced(example("pendulum"), "duration: 2", "duration: 3600"),
                                      "step: 1e-3, output_step: 1e-2", "step: 1e-4, output_step: 1e-2"));
  const Outcome o = aleator({"simulate", "model.yaml", "--out", "results"}, folder.path(), 0.7);
  EXPECT_EQ(o.code, 130) << o.err;
  EXPECT_NE(o.err.find("interrupted at t = "), std::string::npos) << o.err;
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"model.yaml", "results/nominal.csv", "results/nominal.h5"}));
  const Csv csv = parse_csv_text(text_of_file(folder / "results/nominal.csv"));
  ASSERT_GT(csv.rows.size(), 1u);
  EXPECT_LT(csv.rows.size(), 360000u);
  // what is there is a complete table, on the grid, of a pendulum
  for (size_t k = 0; k < csv.rows.size(); ++k) {
    ASSERT_EQ(csv.rows[k].size(), 5u);
    ASSERT_NEAR(csv.rows[k][0], 0.01 * double(k), 1e-9);
  }
  EXPECT_NEAR(std::hypot(csv.rows.back()[1], csv.rows.back()[3]), 1, 1e-10);
}

// Again and again, because a signal may find the program at anything.
TEST(Interrupt, ends_view_well) {
  const Folder folder;
  folder.write("m.yaml", oscillator("samples: 10"));
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "o", "--no-report"}, folder.path()).code, 0);
  for (int k = 0; k < 20; ++k) {
    const Outcome o = aleator({"view", "o", "--no-browser"}, folder.path(), 0.15);
    ASSERT_TRUE(o.code == 0 || (o.code == 1000 + SIGINT && o.out.empty())) << o.code << ": " << o.out << o.err;
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
