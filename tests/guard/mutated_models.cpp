// Whatever the model: an InputError, a SimulationError or a result. (tests/long has many more; tests/cli has the program.)
#include "mutated_models.hpp"

namespace aleator::test {
namespace {

TEST(MutatedModels, four_thousand) {
  std::map<End, int> ends = ends_of_mutated_models(4'000, 20110501);
  EXPECT_GT(ends[End::read_error], 1000);
  EXPECT_GT(ends[End::simulation_error], 0);
  EXPECT_GT(ends[End::finished], 500);
}

}  // namespace
}  // namespace aleator::test
