// As tests/cli/power_loss.cpp, with many states.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "cli/interrupted_runs.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

void campaign(const std::string& study, unsigned seed) {
  setenv("ALEATOR_SAVE_EVERY", "0.02", 1);
  const PowerFigures f = expect_survives_power_loss(five_body_study(study), 50, seed);
  unsetenv("ALEATOR_SAVE_EVERY");
  if (f.requests == 0) GTEST_SKIP() << "it cannot be recorded under sanitizers";
  std::cout << study << ": " << f.states << " states from " << f.requests << " requests: " << f.empty
            << " with nothing to go on, " << f.unfinished << " unfinished, " << f.with_results << " with results; " << f.rows
            << " rows found again\n";
}

TEST(PowerLossLong, all_realizations_kept) { campaign("samples: 2000", 31); }
TEST(PowerLossLong, statistics_kept) { campaign("samples: 2000, keep: statistics", 32); }
TEST(PowerLossLong, several_levels) { campaign("samples: 200, method: multilevel", 33); }

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
