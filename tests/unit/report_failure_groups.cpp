// Failures of a study by their reasons.
#include <gtest/gtest.h>

#include <cmath>

#include "report/failure_groups.hpp"

namespace aleator::core::report {
namespace ALEATOR_FILE {

TEST(FailureGroups, reasons_that_differ_in_numbers_alone_are_one) {
  const auto groups = failure_groups({{3, "the step is too long at t = 0.022 s. Try 'step' of rb5", 0.02},
                                      {7, "m.yaml:9:85: 'damping' may not be negative, found -0.78 = c"},
                                      {9, "the step is too long at t = 1e-3 s. Try 'step' of rb5", 1e-3}});
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].reason, "the step is too long at t = … s. Try 'step' of rb5");
  EXPECT_EQ(groups[0].count, 2);
  EXPECT_EQ(groups[0].realizations, (std::vector<long>{3, 9}));
  EXPECT_EQ(groups[0].last, 9);
  EXPECT_EQ(groups[0].from, 1e-3);
  EXPECT_EQ(groups[0].to, 0.02);
  EXPECT_EQ(groups[1].reason, "m.yaml:9:85: 'damping' may not be negative, found -0.78 = c") << "alone it keeps its number";
  EXPECT_TRUE(std::isnan(groups[1].from)) << "it did not begin";
}

TEST(FailureGroups, other_places_and_names_are_other_reasons) {
  EXPECT_EQ(failure_groups({{0, "m.yaml:9:85: no"}, {1, "m.yaml:9:86: no"}, {2, "body rb5: no"}, {3, "body rb6: no"}}).size(),
            4u);
}

TEST(FailureGroups, the_first_of_many_are_listed) {
  std::vector<results::Failure> many;
  for (long k = 0; k < 1000; ++k) many.push_back({2 * k, "found " + std::to_string(k) + "."});
  const auto groups = failure_groups(many);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].reason, "found ….");
  EXPECT_EQ(groups[0].count, 1000);
  EXPECT_EQ(groups[0].realizations.size(), 12u);
  EXPECT_EQ(groups[0].last, 1998);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::report
