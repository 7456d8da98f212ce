#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>

#include "base/errors.hpp"
#include "results/write.hpp"
#include "support/model_text.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::results {
namespace ALEATOR_FILE {

using test::TemporaryFolder;
using test::text_of_file;

TEST(WriteCsv, HasAHeaderAndARowPerTime) {
  const TemporaryFolder folder;
  results::Run run;
  run.time = {0, 0.5};
  run.channels = {{"angle", "rad"}, {"p.x", "m"}};
  run.values = {1, 2, -3, 0.1};
  write_csv(folder / "nominal.csv", run);
  EXPECT_EQ(text_of_file(folder / "nominal.csv"), "time,angle,p.x\n0,1,2\n0.5,-3,0.10000000000000001\n");
}

// 17 significant digits identify a double: nothing is lost, down to the last bit.
TEST(WriteCsv, NumbersComeBackExactly) {
  const TemporaryFolder folder;
  using Limits = std::numeric_limits<double>;
  results::Run run;
  run.channels = {{"v", ""}};
  run.values = {0.1, 1.0 / 3, 2e-5 * 7, Limits::max(), Limits::min(), Limits::denorm_min(), -0.0, 1 + Limits::epsilon()};
  for (std::size_t i = 0; i < run.values.size(); ++i) run.time.push_back(static_cast<double>(i) * 1e-4);
  write_csv(folder / "a.csv", run);
  std::istringstream in(text_of_file(folder / "a.csv"));
  std::string line;
  std::getline(in, line);
  for (std::size_t i = 0; i < run.values.size(); ++i) {
    ASSERT_TRUE(std::getline(in, line));
    const double time = std::strtod(line.c_str(), nullptr);
    const double value = std::strtod(line.c_str() + line.find(',') + 1, nullptr);
    EXPECT_EQ(time, run.time[i]);
    EXPECT_EQ(value, run.values[i]);
    EXPECT_EQ(std::signbit(value), std::signbit(run.values[i]));
  }
}

TEST(WriteCsv, QuotesNamesThatNeedIt) {
  const TemporaryFolder folder;
  results::Run run;
  run.channels = {{"a,b", ""}, {"say \"x\"", ""}};
  write_csv(folder / "a.csv", run);
  EXPECT_EQ(text_of_file(folder / "a.csv"), "time,\"a,b\",\"say \"\"x\"\"\"\n");
}

TEST(WriteCsv, MinusIsStandardOutput) {
  results::Run run;
  run.time = {1};
  testing::internal::CaptureStdout();
  write_csv("-", run);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "time\n1\n");
}

TEST(WriteCsv, IsWrittenInPiecesWhenLong) {
  const TemporaryFolder folder;
  results::Run run;
  run.channels = {{"v", ""}};
  for (int i = 0; i < 200000; ++i) {
    run.time.push_back(i);
    run.values.push_back(i / 3.0);
  }
  write_csv(folder / "a.csv", run);
  const std::string text = text_of_file(folder / "a.csv");
  EXPECT_GT(text.size(), 2U << 20);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 200001);
  EXPECT_TRUE(text.ends_with("\n199998,66666\n199999,66666.333333333328\n"));
}

TEST(WriteCsv, AnUnwritablePlaceIsAnError) {
  EXPECT_THROW(write_csv("/proc/self/a.csv", results::Run{}), WriteError);
  EXPECT_THROW(write_csv("/dev/full", results::Run{}), WriteError);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::results
