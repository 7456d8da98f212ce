// A loss of power: what was synchronised is there, and the study goes on from it. tests/long has more states.
#include <gtest/gtest.h>

#include <cstdlib>

#include "interrupted_runs.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

void some_states(const std::string& study, unsigned seed) {
  setenv("ALEATOR_SAVE_EVERY", "0.02", 1);
  const PowerFigures f = expect_survives_power_loss(five_body_study(study), 5, seed);
  unsetenv("ALEATOR_SAVE_EVERY");
  if (f.requests == 0) GTEST_SKIP() << "it cannot be recorded under sanitizers";
  EXPECT_GT(f.requests, 10);
}

TEST(PowerLoss, all_realizations_kept) { some_states("samples: 300", 21); }
TEST(PowerLoss, statistics_kept) { some_states("samples: 300, keep: statistics", 22); }

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
