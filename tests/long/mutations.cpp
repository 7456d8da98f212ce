// As tests/guard/mutated_models.cpp, two hundred thousand times. Run it under the sanitizers, too.
#include "guard/mutated_models.hpp"

namespace aleator::test {
namespace {

TEST(MutationsLong, two_hundred_thousand) {
  for (const auto& [end, count] : ends_of_mutated_models(200'000, 1729)) EXPECT_GT(count, 1000) << int(end);
}

}  // namespace
}  // namespace aleator::test
