// Includes go down the data flow and never back: each module of src/ may see only those listed for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "support/model_text.hpp"
#include "support/places.hpp"

namespace ALEATOR_FILE {

namespace fs = std::filesystem;
using Modules = std::set<std::string>;

// module -> what it may include besides itself; exactly the rows of docs/architecture.md
const std::map<std::string, Modules>& allowed() {
  static const std::map<std::string, Modules> table = [] {
    std::map<std::string, Modules> t;
    const auto may = [&](const std::string& module, const Modules& direct) {
      Modules all = direct;  // what one may include, one may include what that may include
      for (const std::string& d : direct) all.insert(t.at(d).begin(), t.at(d).end());
      t[module] = all;
    };
    may("base", {});
    may("numerics", {"base"});
    may("meshes", {"base"});
    may("input", {"meshes"});
    may("import", {"numerics", "input"});
    may("processes", {"numerics", "input"});
    may("elements", {"processes"});
    may("model", {"elements", "import"});
    may("uncertainty", {"model"});
    may("dynamics", {"model"});
    may("design", {"uncertainty"});
    may("ensemble", {"design", "dynamics"});
    may("results", {"numerics"});
    may("analysis", {"results", "numerics"});
    may("reliability", {"analysis"});
    may("propagation", {"ensemble", "reliability"});
    may("study", {"propagation"});
    may("inference", {"analysis", "input"});
    may("identification", {"study", "inference"});
    may("optimisation", {"study", "inference"});
    may("report", {"analysis"});
    may("api", {"identification", "optimisation", "report"});
    may("coupling", {"api"});
    return t;
  }();
  return table;
}

// What a line includes ("numerics/vec3.hpp"), or nothing.
std::string included(std::string_view line) {
  const auto skip_blanks = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
  for (const std::string_view word : {"#", "include"}) {
    skip_blanks();
    if (!line.starts_with(word)) return {};
    line.remove_prefix(word.size());
  }
  skip_blanks();
  if (line.empty() || (line[0] != '"' && line[0] != '<')) return {};
  line.remove_prefix(1);
  return std::string(line.substr(0, line.find_first_of("\">")));
}

// "src/numerics/lu.cpp:12: numerics may not include elements/joint.hpp" for each include of `text` that goes
// the wrong way. Includes without a folder, and of folders that are no modules, are others' headers.
std::vector<std::string> wrong_includes(const std::string& module, const std::string& file, const std::string& text) {
  const Modules never = {"apps", "tests", "benchmarks", "src", ".."};
  std::vector<std::string> wrong;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    const std::string header = included(line);
    const std::string target = header.substr(0, header.find('/'));
    const bool others = !allowed().contains(target) && !never.contains(target);
    if (others || target == module || allowed().at(module).contains(target)) continue;
    wrong.push_back(file + ":" + std::to_string(number) + ": " + module + " may not include " + header);
  }
  return wrong;
}

TEST(IncludeDirection, EveryModuleOfTheSourceTreeKeepsIt) {
  const fs::path source = fs::path(aleator::core::test::source_folder()) / "src";
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(source, fs::directory_options::follow_directory_symlink)) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".hpp" && extension != ".cpp" && extension != ".inl") continue;
    const fs::path relative = entry.path().lexically_relative(source);
    const std::string module = relative.begin()->string();
    ASSERT_TRUE(allowed().contains(module)) << "src/" << module << " is not in the table of modules of this test";
    for (const std::string& message :
         wrong_includes(module, "src/" + relative.generic_string(), aleator::core::test::text_of_file(entry.path().string())))
      ADD_FAILURE() << message;
    ++files;
  }
  EXPECT_GT(files, 0);
}

TEST(IncludeDirection, TheTableHasNoCycles) {
  for (const auto& [module, targets] : allowed())
    for (const std::string& target : targets)
      EXPECT_FALSE(allowed().at(target).contains(module)) << module << " and " << target << " include each other";
}

TEST(IncludeDirection, AForbiddenIncludeIsFound) {
  const std::string text =
      "#include <vector>\n"
      "#include \"numerics/vec3.hpp\"\n"
      "#include <sys/stat.h>\n"
      "// #include \"dynamics/step.hpp\"\n"
      "  #  include \"dynamics/step.hpp\"  // why not\n"
      "#include \"../apps/aleator/run.hpp\"\n"
      "#include \"apps/aleator/run.hpp\"\n";
  const std::vector<std::string> expected = {"src/elements/a.cpp:5: elements may not include dynamics/step.hpp",
                                             "src/elements/a.cpp:6: elements may not include ../apps/aleator/run.hpp",
                                             "src/elements/a.cpp:7: elements may not include apps/aleator/run.hpp"};
  EXPECT_EQ(wrong_includes("elements", "src/elements/a.cpp", text), expected);
}

TEST(IncludeDirection, AModuleMayIncludeItselfAndWhatItIsAllowed) {
  EXPECT_TRUE(wrong_includes("input", "f", "#include \"input/error.hpp\"\n").empty());
  EXPECT_TRUE(wrong_includes("study", "f", "#include \"model/model.hpp\"\n").empty());
  EXPECT_EQ(wrong_includes("results", "f", "#include \"dynamics/step.hpp\"\n").size(), 1U);
  EXPECT_EQ(wrong_includes("input", "f", "#include \"numerics/vec3.hpp\"\n").size(), 1U);
}

}  // namespace ALEATOR_FILE
