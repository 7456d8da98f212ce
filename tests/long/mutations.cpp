// As tests/guard/mutated_models.cpp, ten thousand of every example. In blocks, so that GTEST_TOTAL_SHARDS and GTEST_SHARD_INDEX cut the
// campaign into pieces. Run it under the sanitizers, too.
#include <gtest/gtest.h>

#include <iostream>

#include "support/mutated_copy.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr int blocks = 10, copies_per_block = 1000;

class MutationsLong : public testing::TestWithParam<std::tuple<int, std::string>> {};

TEST_P(MutationsLong, a_thousand) {
  const auto& [block, example] = GetParam();
  std::map<End, int> endings = endings_of_copies(example, block * copies_per_block, copies_per_block);
  EXPECT_EQ(endings[End::defect], 0);
  std::cout << example << ' ' << block << ": " << endings[End::wrong_model] << " wrong models, "
            << endings[End::simulation_failed] << " simulations failed, " << endings[End::some_failed]
            << " studies with failures, " << endings[End::finished] << " finished\n";
}
INSTANTIATE_TEST_SUITE_P(of, MutationsLong, testing::Combine(testing::Range(0, blocks), testing::ValuesIn(mutated_examples())));

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
