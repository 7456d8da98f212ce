// Models of several files: what was recorded is enough to go on when the files are gone.
#include <gtest/gtest.h>

#include <filesystem>

#include "program.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const std::string model =
    "include: parts/rod.yaml\ntitle: Pendulum\ngravity: [0, 0, -9.81]\n"
    "instances: {a: {template: swing}, b: {template: swing, at: [0, 1, 0], mirror: xz}}\n"
    "simulation: {duration: 0.2}\nuncertain: {a.rod: {mass: {cov: 0.1}}}\nstudy: {samples: 20}\n";
const std::string part =
    "templates:\n  swing:\n    bodies: {rod: {shape: {box: [1, 0.05, 0.05]}, mass: 10, at: [0.5, 0, 0]}}\n"
    "    joints: {pin: {revolute: [ground, rod], axis: y, at: [0, 0, 0]}}\n    outputs: {tip: {position: rod, at: [1, 0, 0]}}\n";

TEST(Include, results_contain_all_files) {
  const Folder folder;
  std::filesystem::create_directories(folder / "parts");
  folder.write("m.yaml", model);
  folder.write("parts/rod.yaml", part);
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "o", "--set", "a.rod.mass.cov=0.2"}, folder.path()).code, 0);
  for (const std::string k : {"1/2", "2/2"})
    ASSERT_EQ(aleator({"run", "m.yaml", "--out", "parted", "--part", k}, folder.path()).code, 0);
  std::filesystem::remove_all(folder / "parts");
  const Outcome again = aleator({"rerun", "o", "3"}, folder.path());
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_NE((again.out + again.err).find("bitwise identical"), std::string::npos) << again.out << again.err;
  const Outcome report = aleator({"report", "o", "--out", "r.html"}, folder.path());
  EXPECT_EQ(report.code, 0) << report.err;
  std::vector<std::string> merge = {"merge", "--no-report"};
  for (const std::string& f : folder.files())
    if (f.starts_with("parted/parts/")) merge.push_back(f);
  const Outcome merged = aleator(merge, folder.path());
  EXPECT_EQ(merged.code, 0) << merged.err;
}

TEST(Include, messages_and_the_expanded_model) {
  const Folder folder;
  std::filesystem::create_directories(folder / "parts");
  folder.write("m.yaml", model);
  folder.write("parts/rod.yaml", part);
  const Outcome expanded = aleator({"check", "m.yaml", "--expanded"}, folder.path());
  ASSERT_EQ(expanded.code, 0) << expanded.err;
  EXPECT_NE(expanded.out.find("  b.rod: {shape: {box: [1, 0.05, 0.05]}, mass: 10, at: [0.5, 1, 0]}\n"), std::string::npos)
      << expanded.out;
  folder.write("flat.yaml", expanded.out);
  EXPECT_EQ(aleator({"check", "flat.yaml"}, folder.path()).code, 0);
  folder.write("parts/rod.yaml", part + "    forces: {push: {force: rood, value: [0, 0, 1]}}\n");
  const Outcome wrong = aleator({"check", "m.yaml"}, folder.path());
  EXPECT_EQ(wrong.code, 3);
  EXPECT_NE(wrong.err.find("parts/rod.yaml:6:28: force 'a.push': unknown body 'rood'"), std::string::npos) << wrong.err;
  EXPECT_NE(wrong.err.find("[in instance 'a' of template 'swing', m.yaml:4]"), std::string::npos) << wrong.err;
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
