// What docs/architecture.md says of the library and the program around it: a library does not print, exit, or look at signals and
// command lines; methods and integrators are asked what they can do, not what they are called; the program stays small.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <regex>

#include "support/model_text.hpp"
#include "support/places.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

namespace fs = std::filesystem;

const fs::path root = source_folder();

// Calls look(file, line number, code without comments and includes) for every line of C++ below a folder.
void each_line(const fs::path& folder, const std::function<void(const std::string&, long, const std::string&)>& look) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".hpp" && extension != ".cpp") continue;
    long number = 0;
    for (const std::string& line : lines_of(text_of_file(entry.path().string())))
      look(entry.path().lexically_relative(root).generic_string(), ++number, line.substr(0, line.find("//")));
  }
}

TEST(House, the_library_does_not_print_exit_or_look_at_signals_and_command_lines) {
  const std::regex forbidden(
      "fmt::print|std::cout|std::cerr|\\b(f?printf|puts|fputs)\\s*\\(|std::exit|\\bexit\\s*\\(|\\babort\\s*\\(\\)|quick_exit|"
      "std::signal|sigaction|\\bargv\\b|CLI::|CLI/CLI");
  for (const char* folder : {"src", "include"})
    each_line(root / folder, [&](const std::string& file, long number, const std::string& code) {
      if (file.starts_with("src/ensemble/mpi/")) return;  // MPI_Abort ends all ranks, and that is asked for
      EXPECT_FALSE(std::regex_search(code, forbidden)) << file << ":" << number << ": " << code;
    });
}

TEST(House, the_patterns_find_what_they_look_for) {
  EXPECT_FALSE(lines_of(text_of_file((root / "apps/aleator/main.cpp").string())).empty());
  long found = 0;
  each_line(root / "apps",
            [&](const std::string&, long, const std::string& code) { found += code.find("say(") != std::string::npos; });
  EXPECT_GT(found, 50);
}

// Names out of files may hold anything: one place takes control characters out of what is printed, and puts colours in.
TEST(House, commands_print_through_one_place) {
  const std::regex forbidden("fmt::print|std::cerr|\\b(f?printf|puts|fputs|fwrite)\\s*\\(|\\\\x1b|\\\\033");
  each_line(root / "apps/aleator", [&](const std::string& file, long number, const std::string& code) {
    if (file.starts_with("apps/aleator/cli/colour.")) return;
    EXPECT_FALSE(std::regex_search(code, forbidden)) << file << ":" << number << ": " << code;
  });
}

// A name is compared in the file that has it, and in tables: design/plan.cpp, propagation/method.cpp, dynamics/integrators.cpp and the
// language.
TEST(House, nobody_compares_the_names_of_methods_and_integrators) {
  const std::regex comparison("\\b(method|integrator)(_|\\(\\))?\\s*(==|!=)\\s*\"");
  for (const char* folder : {"src", "apps", "include"})
    each_line(root / folder, [&](const std::string& file, long number, const std::string& code) {
      if (file == "src/base/http_server.cpp") return;                                               // of HTTP
      if (file == "src/dynamics/choose.cpp" && code.find("\"auto\"") != std::string::npos) return;  // its own word
      EXPECT_FALSE(std::regex_search(code, comparison)) << file << ":" << number << ": " << code;
    });
}

TEST(House, the_program_stays_small) {
  long lines = 0;
  each_line(root / "apps/aleator", [&](const std::string&, long, const std::string&) { ++lines; });
  EXPECT_LE(lines, 3500);  // 27 commands, 65 lines each, and what they share
  EXPECT_GT(lines, 1000);
  for (const auto& entry : fs::directory_iterator(root / "apps/aleator")) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(name == "commands" || name == "cli" || name == "text" || name == "main.cpp") << name;
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
