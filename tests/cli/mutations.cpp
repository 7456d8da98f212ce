// Whatever the file: the program ends with an exit code of its own (0, 3, 4; 130 when it took too long and was interrupted),
// never with a signal, and says why.
#include "mutations.hpp"

#include <gtest/gtest.h>

#include <map>

#include "program.hpp"
#include "published/example_text.hpp"

namespace aleator::test {
namespace {

std::map<int, int> codes(const std::string& command, const std::vector<std::string>& texts) {
  const Folder folder;
  std::map<int, int> seen;
  for (const std::string& text : texts) {
    folder.write("model.yaml", text);
    // a changed step may ask for hours; check simulates nothing, and has no answer to Ctrl-C
    const Outcome o = aleator({command, "model.yaml"}, folder.path(), command == "check" ? 20 : 0.25);
    ++seen[o.code];
    EXPECT_TRUE(o.code == 0 || o.code == 3 || o.code == 4 || o.code == 130) << o.code << ' ' << o.err << "\nfor\n" << text;
    if (o.code == 3 || o.code == 4) {
      EXPECT_NE(o.err, "") << text;
    }
  }
  return seen;
}

TEST(Mutations, of_every_example) {
  Mutations mutations(20110501);
  std::vector<std::string> texts;
  for (const std::string& name : example_names())
    for (int i = 0; i < 25; ++i) texts.push_back(mutations.mutated(example(name)));
  const std::map<int, int> check = codes("check", texts), simulate = codes("simulate", texts);
  EXPECT_GT(check.count(0), 0u) << "the mutations are too coarse";
  EXPECT_GT(simulate.count(3), 0u);
}

TEST(Mutations, cut_off) {
  std::vector<std::string> texts;
  for (const std::string& name : example_names())
    for (int i = 1; i < 10; ++i) texts.push_back(example(name).substr(0, example(name).size() * i / 10));
  codes("simulate", texts);
}

TEST(Mutations, noise) {
  Mutations mutations(7);
  std::vector<std::string> texts;
  for (int i = 0; i < 100; ++i) texts.push_back(mutations.noise());
  const std::map<int, int> seen = codes("simulate", texts);
  EXPECT_EQ(seen.at(3), 100);
}

}  // namespace
}  // namespace aleator::test
