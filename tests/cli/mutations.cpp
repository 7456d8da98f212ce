// Whatever the file: the program ends with an exit code of its own (0, 3, 4; 130 when it took too long and was interrupted),
// never with a signal, and says why. What the library makes of such files is asked in its own process, where many are cheap
// (guard/mutated_models.cpp: 200 of every example, unit/input_fuzz.cpp: thousands of texts); here only how the program ends, of a few.
#include "mutations.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>

#include "program.hpp"
#include "support/model_text.hpp"
#include "support/mutated_copy.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr int per_example = 3;

std::map<int, int> codes(const std::string& command, const std::vector<std::string>& texts) {
  const Folder folder;
  std::map<int, int> seen;
  for (const std::string& text : texts) {
    folder.write("model.yaml", text);
    // a changed step may ask for hours; check, and reading of a model (0.15 s and more), have no answer of their own to Ctrl-C
    const Outcome o = aleator({command, "model.yaml"}, folder.path(), command == "check" ? 20 : 0.6);
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
    for (int i = 0; i < per_example; ++i) texts.push_back(mutations.mutated(example(name)));
  const std::map<int, int> check = codes("check", texts), simulate = codes("simulate", texts);
  EXPECT_GT(check.count(0), 0u) << "the mutations are too coarse";
  EXPECT_GT(simulate.count(3), 0u);
}

// A message begins with the file, the line and the column.
bool says_where(const std::string& message) { return std::regex_search(message, std::regex("(^|\n)[^\n:]+:[0-9]+:([0-9]+:)? ")); }

// Results are there when the study came to its end, and only then.
TEST(Mutations, studies_of_every_example) {
  std::map<int, int> seen;
  for (const std::string& name : example_names())
    for (const int number : {1, 2, 3, 5, 6, 7}) {  // with mistakes in their trees: short durations
      const Folder folder;
      const std::string text = mutated_copy(name, number);
      folder.write("model.yaml", text);
      const Outcome o = aleator({"run", "model.yaml", "--samples", "3", "--threads", "1", "--out", "out"}, folder.path(), 60);
      SCOPED_TRACE(name + "\n" + text + "\n" + o.err);
      ++seen[o.code];
      EXPECT_TRUE(o.code == 0 || o.code == 3 || o.code == 4 || o.code == 5 || o.code == 130) << o.code;
      if (o.code == 3) {
        EXPECT_TRUE(says_where(o.err));
      }
      if (o.code == 4) {
        EXPECT_NE(o.err, "");
      }
      const std::vector<std::string> files = folder.files();
      const auto is_there = [&](const std::string& file) { return std::find(files.begin(), files.end(), file) != files.end(); };
      const bool whole = is_there("out/results.h5") || is_there("out/nominal.h5");
      if (o.code == 0 || o.code == 5) {
        EXPECT_TRUE(whole);
        EXPECT_TRUE(is_there("out/report.html"));
      }
      if (o.code == 3 || o.code == 130) {
        EXPECT_FALSE(whole);
      }
      EXPECT_FALSE(o.code != 130 && is_there("out/partial.h5"));
    }
  EXPECT_GT(seen[0], 10);
  EXPECT_GT(seen[3], 20);
}

TEST(Mutations, cut_off) {
  std::vector<std::string> texts;
  for (const std::string& name : example_names())
    for (int i = 1; i <= per_example; ++i) texts.push_back(example(name).substr(0, example(name).size() * i / (per_example + 1)));
  codes("simulate", texts);
}

TEST(Mutations, noise) {
  Mutations mutations(7);
  std::vector<std::string> texts;
  for (int i = 0; i < 10; ++i) texts.push_back(mutations.noise());
  const std::map<int, int> seen = codes("simulate", texts);
  EXPECT_EQ(seen.at(3), 10);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
