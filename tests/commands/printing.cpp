// What commands print: colours only where they are wanted, and no control characters of files.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

#include "cli/colour.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// What `print` writes into a file, which is no terminal.
std::string written(const std::function<void(std::FILE*)>& print) {
  std::FILE* const file = std::tmpfile();
  print(file);
  std::rewind(file);
  std::string text(1000, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

class Printing : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"NO_COLOR", "CLICOLOR_FORCE"}) unsetenv(name);
  }
  void TearDown() override { SetUp(); }
};

TEST_F(Printing, no_colours_outside_of_terminals) {
  EXPECT_EQ(written([](std::FILE* f) { app::write(f, app::Colour::bad, "note: bad\n"); }), "note: bad\n");
}

TEST_F(Printing, colours_where_they_are_forced_and_not_refused) {
  setenv("CLICOLOR_FORCE", "1", 1);
  EXPECT_EQ(written([](std::FILE* f) { app::write(f, app::Colour::bad, "\nbad\n"); }), "\n\x1b[1;31mbad\x1b[0m\n");
  EXPECT_EQ(written([](std::FILE* f) { app::say(f, "m.yaml: note: {}\n", 1); }), "m.yaml: \x1b[36mnote:\x1b[0m 1\n");
  setenv("NO_COLOR", "1", 1);
  EXPECT_EQ(written([](std::FILE* f) { app::write(f, app::Colour::bad, "bad\n"); }), "bad\n");
  setenv("NO_COLOR", "", 1);  // as if it was not set
  EXPECT_NE(written([](std::FILE* f) { app::write(f, app::Colour::bad, "bad\n"); }), "bad\n");
}

TEST_F(Printing, names_cannot_command_the_terminal) {
  const std::string hostile =
      "a\x1b[31m\x07\r\x7f\xc2\x9b"
      "b é\n";
  EXPECT_EQ(written([&](std::FILE* f) { app::say(f, "{}", hostile); }), "a?[31m????b é\n");
  setenv("CLICOLOR_FORCE", "1", 1);
  EXPECT_EQ(written([&](std::FILE* f) { app::write(f, app::Colour::good, hostile); }), "\x1b[32ma?[31m????b é\x1b[0m\n");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
