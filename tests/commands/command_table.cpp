// The table of commands, which help, man pages, completions and documentation are made of: complete, consistent, and true.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include "commands/commands.hpp"
#include "silence.hpp"
#include "support/model_text.hpp"
#include "support/places.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

std::vector<std::string> words_of(const std::string& line, char separator = ' ') {
  std::vector<std::string> words;
  std::istringstream text(line);
  for (std::string word; std::getline(text, word, separator);)
    if (!word.empty()) words.push_back(word);
  return words;
}

TEST(CommandTable, every_command_has_examples_that_the_program_understands) {
  for (const app::CommandEntry& entry : app::commands())
    for (const app::Example& e : entry.examples) {
      ASSERT_NE(e.line, nullptr) << entry.name;
      EXPECT_GT(std::string(e.words).size(), 5U) << e.line;
      const std::vector<std::string> words = words_of(e.line);
      EXPECT_EQ(words[0], entry.name);
      const Silence silence;
      const auto parsed = app::parse_command_line(words);
      EXPECT_TRUE(parsed->run) << e.line;
      EXPECT_EQ(parsed->code, 0) << e.line;
    }
}

TEST(CommandTable, examples_name_models_that_are_there) {
  for (const app::CommandEntry& entry : app::commands())
    for (const app::Example& e : entry.examples)
      for (const std::string& word : words_of(e.line))
        if (word.starts_with("examples/")) {
          EXPECT_TRUE(std::filesystem::exists(source_folder() + "/" + word)) << e.line;
        }
}

// -o, -n and -j mean the same everywhere, and are wherever they could be.
TEST(CommandTable, short_options_have_one_meaning) {
  const std::map<std::string, std::set<std::string>> meaning = {
      {"-o", {"--out", "--svg"}}, {"-n", {"--samples", "--specimens"}}, {"-j", {"--threads"}}};
  const auto options = app::options_of_commands();
  std::map<std::string, int> found;
  for (std::size_t k = 0; k < options.size(); ++k)
    for (const app::OptionFacts& o : options[k]) {
      const std::vector<std::string> names = words_of(o.names, ',');
      for (const auto& [short_name, long_names] : meaning) {
        if (!long_names.contains(names.back())) continue;
        EXPECT_EQ(names.front(), short_name) << app::commands()[k].name << " " << o.names;
        ++found[short_name];
      }
      if (names.front().size() == 2 && names.front()[0] == '-') {
        ASSERT_TRUE(meaning.contains(names.front())) << app::commands()[k].name << " " << o.names;
        EXPECT_TRUE(meaning.at(names.front()).contains(names.back())) << app::commands()[k].name << " " << o.names;
      }
    }
  EXPECT_GE(found["-o"], 10);
  EXPECT_GE(found["-n"], 5);
  EXPECT_GE(found["-j"], 4);
}

TEST(CommandTable, what_other_programs_read_has_json) {
  const auto options = app::options_of_commands();
  std::set<std::string> with;
  for (std::size_t k = 0; k < options.size(); ++k)
    for (const app::OptionFacts& o : options[k])
      if (o.names == "--json") with.insert(app::commands()[k].name);
  EXPECT_EQ(with, (std::set<std::string>{"check", "run", "compare", "modes", "identify", "design"}));
}

TEST(CommandTable, every_option_is_in_the_documentation) {
  const std::string docs = source_folder() + "/docs/",
                    page = text_of_file(docs + "command-line.md") + text_of_file(docs + "clusters.md");  // slurm has its own
  const auto options = app::options_of_commands();
  for (std::size_t k = 0; k < options.size(); ++k) {
    const std::string command = app::commands()[k].name;
    EXPECT_NE(page.find("\n## " + command + "\n"), std::string::npos) << command;
    for (const app::OptionFacts& o : options[k])
      for (const std::string& name : words_of(o.names, ','))
        if (name[0] == '-') {
          EXPECT_NE(page.find("`" + name), std::string::npos) << command << " " << name;
        }
  }
}

TEST(CommandTable, options_that_take_a_value_say_what_stands_for_it) {
  const auto options = app::options_of_commands();
  for (std::size_t k = 0; k < options.size(); ++k)
    for (const app::OptionFacts& o : options[k]) {
      EXPECT_FALSE(o.help.empty()) << o.names;
      if (!o.choices.empty() && !o.positional()) {
        EXPECT_FALSE(o.type.empty()) << app::commands()[k].name << " " << o.names;
      }
    }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
