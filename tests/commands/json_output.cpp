// --json: one object, also for what fails; numbers that are those of the results.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cli/command.hpp"
#include "support/model_text.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

struct Printed {
  int code;
  std::string out, err;
};

// The whole line, as main.cpp runs it; what it prints goes to files meanwhile.
Printed run(const std::vector<std::string>& words) {
  const TemporaryFolder folder;
  const std::string out = folder / "out", err = folder / "err";
  std::fflush(nullptr);
  const int old_out = dup(1), old_err = dup(2);
  dup2(open(out.c_str(), O_WRONLY | O_CREAT, 0600), 1), dup2(open(err.c_str(), O_WRONLY | O_CREAT, 0600), 2);
  const int code = app::run_command_line(words);
  std::fflush(nullptr);
  dup2(old_out, 1), dup2(old_err, 2);
  close(old_out), close(old_err);
  return {code, text_of_file(out), text_of_file(err)};
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class JsonOutput : public testing::Test {
 protected:
  TemporaryFolder folder;
  std::string model(const std::string& text) {
    const std::string file = folder / "model.yaml";
    std::ofstream(file) << text;
    return file;
  }
};

const char* const oscillator = R"(title: "a \e title"
parameters: {k: 100}
bodies:
  a: {shape: {box: [0.1, 0.2, 0.3]}, mass: 1, velocity: [1, 0, 0]}
joints:
  guide: {prismatic: [ground, a], axis: x, spring: {stiffness: k}}
outputs:
  x: {position: a, component: x}
simulation: {duration: 0.1, step: 4e-3, output_step: 0.02, integrator: runge-kutta}
uncertain:
  k: {uniform: {lower: 80, upper: 120}}
study: {samples: 20, seed: 5}
)";

TEST_F(JsonOutput, is_one_object_with_its_format_and_the_exit_code) {
  const Printed p = run({"check", model(oscillator), "--json"});
  EXPECT_EQ(p.code, 0) << p.err;
  EXPECT_TRUE(p.out.starts_with("{\n  \"format\": \"aleator-check/1\",\n  \"exit_code\": 0,")) << p.out;
  EXPECT_TRUE(p.out.ends_with("}\n"));
  EXPECT_TRUE(has(p.out, "\"seed\": 5,")) << p.out;
  EXPECT_TRUE(has(p.out, "a \\u001b title"));
}

TEST_F(JsonOutput, whole_numbers_keep_all_their_digits) {
  const std::string seed = "9007199254740993";  // 2^53 + 1, which is no double
  const Printed p = run({"run", model(oscillator), "-o", folder / "out", "--seed", seed, "--no-report", "--json"});
  EXPECT_EQ(p.code, 0) << p.err;
  EXPECT_TRUE(has(p.out, "\"seed\": " + seed + ",")) << p.out;
  EXPECT_TRUE(has(p.out, "\"files\": [\"")) << p.out;
}

TEST_F(JsonOutput, the_text_of_the_same_has_no_control_characters) {
  const Printed p = run({"check", model(oscillator)});
  EXPECT_EQ(p.code, 0);
  EXPECT_TRUE(has(p.out, "a ? title")) << p.out;
}

TEST_F(JsonOutput, of_a_wrong_model_says_where) {
  const Printed p =
      run({"check", model("bodies: {a: {mass: 1}}\njoints: {h: {revolute: [ground, b], axis: x, at: [0, 0, 0]}}\n"), "--json"});
  EXPECT_EQ(p.code, 3);
  for (const char* part : {"\"format\": \"aleator-check/1\"", "\"exit_code\": 3", "\"kind\": \"input\"", "\"line\": 2",
                           "\"key\": \"joints.h.revolute\"", "\"file\": \""})
    EXPECT_TRUE(has(p.out, part)) << part << "\n" << p.out;
  EXPECT_TRUE(has(p.err, "model.yaml:2:")) << p.err;
}

TEST_F(JsonOutput, of_a_wrong_command_line_says_so) {
  const Printed p = run({"run", "--json", "--frobnicate", "m.yaml"});
  EXPECT_EQ(p.code, 2);
  EXPECT_TRUE(has(p.out, "\"kind\": \"usage\"")) << p.out;
  EXPECT_TRUE(p.err.starts_with("aleator: ")) << p.err;
  EXPECT_EQ(run({"run", "--frobnicate", "m.yaml"}).out, "");
}

TEST_F(JsonOutput, of_results_that_are_not_there) {
  const Printed p = run({"compare", folder / "a", folder / "b", "--json"});
  EXPECT_EQ(p.code, 3);
  EXPECT_TRUE(has(p.out, "\"format\": \"aleator-compare/1\"") && has(p.out, "\"kind\": \"read\"")) << p.out;
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
