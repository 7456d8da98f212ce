// A run that is killed at random moments and continued ends as one that was left alone. Fifty kills of each kind: tests/long.
#include <gtest/gtest.h>

#include <cstdlib>

#include "interrupted_runs.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// Two of them, so that also what was continued is continued.
TEST(Kill, all_realizations_kept) { expect_survives_kills({.model = five_body_study("samples: 2000"), .kills = 2, .seed = 1}); }

TEST(Kill, statistics_kept) {
  setenv("ALEATOR_SAVE_EVERY", "0.05", 1);
  expect_survives_kills({.model = five_body_study("samples: 2000, keep: statistics"), .kills = 2, .seed = 2});
  unsetenv("ALEATOR_SAVE_EVERY");
}

TEST(Kill, several_levels) {
  expect_survives_kills({.model = five_body_study("samples: 300, method: multilevel"), .kills = 1, .seed = 3});
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
