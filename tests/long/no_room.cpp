// As tests/cli/no_room.cpp, with many sizes of the disk and many limits.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "cli/interrupted_runs.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

void tell(const std::string& study, const DiskFigures& f) {
  std::cout << study << ": " << f.sizes << " sizes; room ended before the journal " << f.without_journal << ", in the journal "
            << f.in_journal << ", in results.h5 or partial.h5 " << f.in_results << ", in report.html " << f.in_report
            << ", passed " << f.passed << "\n";
}

void full_disk(const std::string& study) {
  setenv("ALEATOR_SAVE_EVERY", "0.01", 1);
  const DiskFigures f = expect_survives_full_disk(five_body_study(study), 1.1);
  unsetenv("ALEATOR_SAVE_EVERY");
  if (f.sizes == 0) GTEST_SKIP() << "only root may have a file system of its own";
  tell(study, f);
}

TEST(NoRoomLong, disk_all_realizations_kept) { full_disk("samples: 200"); }
TEST(NoRoomLong, disk_few_realizations) { full_disk("samples: 5"); }
TEST(NoRoomLong, disk_statistics_kept) { full_disk("samples: 200, keep: statistics"); }
TEST(NoRoomLong, disk_several_levels) { full_disk("samples: 40, method: multilevel"); }

TEST(NoRoomLong, limit_all_realizations_kept) {
  const std::string study = "samples: 200";
  tell(study, expect_survives_file_limit(five_body_study(study), 100, 1.15));
}
TEST(NoRoomLong, limit_statistics_kept) {
  const std::string study = "samples: 200, keep: statistics";
  tell(study, expect_survives_file_limit(five_body_study(study), 100, 1.15));
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
