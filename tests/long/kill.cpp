// As tests/cli/kill.cpp, fifty kills of each kind of study.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "cli/interrupted_runs.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr int kills = 50;

void campaign(const std::string& study, unsigned seed) {
  setenv("ALEATOR_SAVE_EVERY", "0.05", 1);
  const KillFigures f = expect_survives_kills({.model = five_body_study(study), .kills = kills, .seed = seed});
  unsetenv("ALEATOR_SAVE_EVERY");
  std::cout << study << ": " << f.kills << " kills (" << f.before_journal << " before the journal, " << f.while_simulating
            << " while simulating, " << f.while_writing << " while writing, " << f.after << " after the results), " << f.finished
            << " studies finished\n";
}

TEST(KillLong, all_realizations_kept) { campaign("samples: 3000", 11); }
TEST(KillLong, statistics_kept) { campaign("samples: 3000, keep: statistics", 12); }
TEST(KillLong, shares) { campaign("samples: 500, sensitivity: true", 13); }
TEST(KillLong, statistics_with_shares) { campaign("samples: 500, keep: statistics, sensitivity: true", 14); }
TEST(KillLong, automatic) { campaign("samples: 2000, method: auto", 15); }
TEST(KillLong, latin_hypercube_to_an_accuracy) { campaign("samples: 4000, method: latin-hypercube, accuracy: 0.02", 16); }
TEST(KillLong, several_levels) { campaign("samples: 400, method: multilevel", 17); }

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
