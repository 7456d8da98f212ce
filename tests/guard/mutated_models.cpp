// Whatever the model: an error that says where, a simulation that failed for a reason, or finite results. (tests/long has many more;
// tests/cli has the program.)
#include <gtest/gtest.h>

#include "support/mistakes.hpp"
#include "support/model_text.hpp"
#include "support/mutated_copy.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

class MutatedModels : public testing::TestWithParam<std::string> {};

TEST_P(MutatedModels, a_hundred) {
  std::map<End, int> endings = endings_of_copies(GetParam(), 0, 100);
  EXPECT_EQ(endings[End::defect], 0);
  EXPECT_GT(endings[End::wrong_model], 25);
  EXPECT_GT(endings[End::finished], 0);  // otherwise mistakes are too coarse
}

std::string identifier(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(of, MutatedModels, testing::ValuesIn(mutated_examples()), identifier);

bool same(const input::Tree& a, const input::Tree& b) {
  return a.shape == b.shape && a.key == b.key && a.text == b.text &&
         std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(), same);
}

// Otherwise most copies would have the same mistake: that of how they were written.
TEST_P(MutatedModels, are_written_as_they_are_read) {
  const input::Tree tree = input::yaml_tree(example(GetParam()));
  EXPECT_TRUE(same(tree, input::yaml_tree(written(tree)))) << written(tree);
  EXPECT_EQ(ending_of(written(tree)).end, End::finished) << ending_of(written(tree)).words;
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
