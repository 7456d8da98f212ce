// A few samples take narrower lanes than many, and must have the same bits: explicit and implicit integrators, rigid and flexible bodies,
// adapted steps.
#include <gtest/gtest.h>
#include <aleator/aleator.hpp>

#include <cstring>

#include "support/places.hpp"

namespace ALEATOR_FILE {

using namespace aleator;

class FewSamples : public testing::TestWithParam<const char*> {};

TEST_P(FewSamples, have_the_bits_of_many) {
  const Ensemble forward(load_model(core::test::source_folder() + "/examples/" + std::string(GetParam()) + ".yaml"));
  const std::size_t columns = forward.inputs().size();
  const std::vector<double> x = forward.draw(9, 5);
  const Responses many = forward.evaluate(x);
  ASSERT_TRUE(many.failures.empty());
  const std::size_t each = many.values.size() / many.samples;
  for (const std::size_t n : {1, 3, 4}) {
    const Responses few = forward.evaluate(std::span(x).subspan(2 * columns, n * columns));
    ASSERT_EQ(few.values.size(), n * each);
    EXPECT_EQ(std::memcmp(few.values.data(), many.values.data() + 2 * each, n * each * sizeof(double)), 0) << n;
  }
}

INSTANTIATE_TEST_SUITE_P(of, FewSamples, testing::Values("five-body", "slider-crank", "slider-crank-rest", "vehicle-bump"),
                         [](const auto& x) {
                           std::string name = x.param;
                           for (char& c : name)
                             if (c == '-') c = '_';
                           return name;
                         });

}  // namespace ALEATOR_FILE
