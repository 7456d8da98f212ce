// aleator report and view: pages are made of what is there, and of nothing else. What they show is tested in web/tests.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "program.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const char* const model = R"(title: Mass
bodies:
  mass: {shape: {box: [0.1, 0.1, 0.1]}, mass: 2, at: [0, 0, 0]}
uncertain:
  mass: {mass: {cov: 0.2}}
joints:
  guide: {prismatic: [ground, mass], axis: z, at: [0, 0, 0]}
forces:
  spring: {spring_damper: [ground, mass], points: [[0, 0, 1], [0, 0, 0]], stiffness: 100, length: 0.5}
outputs:
  z: {position: mass, component: z}
simulation: {duration: 0.1, step: 1e-2, output_step: 1e-2}
study: {samples: 6}
)";

std::string content(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Computed : Folder {
  Computed() {
    write("m.yaml", model);
    const Outcome o = aleator({"run", "m.yaml", "--out", "a"}, path());
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.out.find("wrote a/report.html\n"), std::string::npos) << o.out;
  }
};

TEST(Report, is_made_again_from_the_results_alone) {
  const Computed folder;
  const std::string first = content(folder / "a/report.html");
  std::filesystem::remove(folder / "a/report.html");
  std::filesystem::remove(folder / "m.yaml");
  const Outcome o = aleator({"report", "a"}, folder.path());
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(o.out.starts_with("wrote a/report.html (")) << o.out;
  EXPECT_EQ(content(folder / "a/report.html"), first);
  EXPECT_EQ(aleator({"report", "a/results.h5", "--out", "-"}, folder.path()).out, first);
}

TEST(Report, of_several_results_is_a_file_of_its_own) {
  const Computed folder;
  const std::string before = content(folder / "a/report.html");
  EXPECT_EQ(aleator({"run", "m.yaml", "--out", "b", "--seed", "2", "--no-report"}, folder.path()).code, 0);
  const Outcome o = aleator({"report", "a", "b"}, folder.path());
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(o.out.starts_with("wrote a/comparison-b.html (")) << o.out;
  EXPECT_EQ(content(folder / "a/report.html"), before);
  EXPECT_FALSE(std::filesystem::exists(folder / "b/report.html"));
  EXPECT_TRUE(
      aleator({"report", "b", "a", "a/results.h5"}, folder.path()).out.starts_with("wrote b/comparison-a-a-results.h5.html"));
  EXPECT_EQ(aleator({"report", "a", "b", "--out", "a/report.html"}, folder.path()).code, 0);
  EXPECT_NE(content(folder / "a/report.html"), before) << "where --out says so";
}

TEST(Report, does_not_replace_results) {
  const Computed folder;
  const std::string before = content(folder / "a/results.h5");
  const Outcome o = aleator({"report", "a", "--out", "a/results.h5"}, folder.path());
  EXPECT_EQ(o.code, 2);
  EXPECT_EQ(o.err, "aleator: --out: a/results.h5 contains the results; they are not replaced by their report\n");
  EXPECT_EQ(content(folder / "a/results.h5"), before);
}

TEST(Report, of_what_is_no_result) {
  const Computed folder;
  for (const char* file : {"missing", "m.yaml"}) {
    const Outcome o = aleator({"report", file}, folder.path());
    EXPECT_EQ(o.code, 3) << o.err;
    EXPECT_NE(o.err.find(file), std::string::npos) << o.err;
  }
  EXPECT_EQ(aleator({"report", "a", "--out", "nowhere/page.html"}, folder.path()).code, 6);
  EXPECT_EQ(aleator({"report"}, folder.path()).code, 2);
}

TEST(Report, is_left_out_and_an_old_one_removed) {
  const Computed folder;
  EXPECT_EQ(aleator({"run", "m.yaml", "--out", "a", "--overwrite", "--no-report"}, folder.path()).code, 0);
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"a/results.h5", "m.yaml"}));
}

TEST(View, of_what_is_no_result_or_a_port_that_is_taken) {
  const Computed folder;
  EXPECT_EQ(aleator({"view", "missing", "--no-browser"}, folder.path()).code, 3);
  EXPECT_EQ(aleator({"view", "a", "--no-browser", "--port", "99999"}, folder.path()).code, 2);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
