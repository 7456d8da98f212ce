// Dakota's files: parameters in both formats and in batches, results as it wants them, failures in its way.
#include "coupling/dakota.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include <aleator/uncertainty.hpp>

namespace aleator::core::coupling {
namespace ALEATOR_FILE {

// x = 1/ω sin ωt with ω = √(k/m): 0.1 sin 2 at 0.2 s.
constexpr const char* oscillator = R"(
parameters: {k: 100, c: 0}
bodies: {block: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1, velocity: [1, 0, 0]}}
joints: {guide: {prismatic: [ground, block], axis: x, spring: {stiffness: k}, damper: c}}
outputs: {x: {position: block, component: x}, v: {velocity: block, component: x}}
scalars: {peak: {maximum: x}, late: {first_crossing: x, level: 0.05 * k / 100 }}
uncertain: {k: {lognormal: {mean: 100, cov: 0.1}}}
simulation: {duration: 0.4, step: 0.001, output_step: 0.02, integrator: runge-kutta}
)";

// As in Dakota's manual, section "Parameters file format".
constexpr const char* standard = R"(                      2 variables
  1.100000000000000e+02 k
                      1 block.mass
                      2 functions
                      1 ASV_1:peak
                      3 ASV_2:x@0.2
                      1 derivative_variables
                      2 DVV_1:block.mass
                      1 analysis_components
              mesh one  AC_1:driver
                    7:4 eval_id
                      0 metadata
)";
constexpr const char* aprepro = R"({ DAKOTA_VARS     =                      2 }
{ k               =  1.100000000000000e+02 }
{ block.mass      =                      1 }
{ DAKOTA_FNS      =                      2 }
{ ASV_1:peak      =                      1 }
{ ASV_2:x@0.2     =                      3 }
{ DAKOTA_DER_VARS =                      1 }
{ DVV_1:block.mass =                     2 }
{ DAKOTA_AN_COMPS =                      1 }
{ AC_1:driver     = "mesh one" }
{ DAKOTA_EVAL_ID  =                    7:4 }
)";

std::string why_not(const std::string& text) {
  try {
    read_dakota_parameters(text, "params.in");
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Dakota, reads_both_formats) {
  for (const char* text : {standard, aprepro}) {
    const std::vector<DakotaSet> sets = read_dakota_parameters(text, "params.in");
    ASSERT_EQ(sets.size(), 1u);
    const DakotaSet& s = sets[0];
    ASSERT_EQ(s.variables.size(), 2u);
    EXPECT_EQ(s.variables[0].name, "k");
    EXPECT_EQ(s.variables[0].value, 110);
    EXPECT_EQ(s.variables[1].name, "block.mass");
    ASSERT_EQ(s.functions.size(), 2u);
    EXPECT_EQ(s.functions[1].label, "x@0.2");
    EXPECT_EQ(s.functions[1].request, 3);
    EXPECT_EQ(s.derivative_variables, std::vector<std::size_t>{1});
    EXPECT_EQ(s.components, std::vector<std::string>{"mesh one"});
    EXPECT_EQ(s.id, "7:4");
  }
}

TEST(Dakota, reads_batches_and_older_files) {
  EXPECT_EQ(read_dakota_parameters(std::string(standard) + standard + standard, "params.in").size(), 3u);
  EXPECT_EQ(read_dakota_parameters(std::string(aprepro) + aprepro, "params.in").size(), 2u);
  // Without labels, identifier and metadata, with the line ends of Windows.
  const std::vector<DakotaSet> sets = read_dakota_parameters(
      "1 variables\r\n1.5 k\r\n1 functions\r\n1 ASV_1\r\n0 derivative_variables\r\n0 analysis_components\r\n", "params.in");
  EXPECT_EQ(sets[0].functions[0].label, "");
  EXPECT_EQ(sets[0].id, "");
}

TEST(Dakota, says_what_is_wrong_with_a_file) {
  const auto with = [](const std::string& old, const std::string& now) {
    std::string text = standard;
    return text.replace(text.find(old), old.size(), now);
  };
  EXPECT_EQ(why_not(""), "params.in:1:1: is empty: Dakota writes the variables of an evaluation to its parameters file");
  EXPECT_EQ(why_not(with("1.100000000000000e+02 k", "steel k")),
            "params.in:2:1: variable 'k' has the value 'steel': only finite numbers can be set in a model");
  EXPECT_EQ(why_not(with("1.100000000000000e+02 k", "nan k")),
            "params.in:2:1: variable 'k' has the value 'nan': only finite numbers can be set in a model");
  EXPECT_EQ(why_not(with("3 ASV_2", "9 ASV_2")), "params.in:6:1: 'ASV_2:x@0.2' must be between 0 and 7, found 9");
  EXPECT_EQ(why_not(with("2 DVV_1", "3 DVV_1")), "params.in:8:1: 'DVV_1:block.mass' is 3, and there are 2 variables");
  EXPECT_EQ(why_not(with("2 functions", "200 functions")), "params.in:4:1: announces 200 functions, and the file ends before");
  EXPECT_EQ(why_not(with("2 functions", "2 functons")),
            "params.in:4:1: expected the number of 'functions' (DAKOTA_FNS in APREPRO's format), found 'functons'");
  EXPECT_EQ(why_not("1 variables\n2 k\n"), "params.in:2:1: ends before 'functions' (DAKOTA_FNS in APREPRO's format)");
  EXPECT_NE(why_not("{\n \"variables\": []}").find("parameters files in JSON are not read"), std::string::npos);
  EXPECT_NE(why_not(with("0 metadata", "1 metadata\nseconds MD_1")).find("metadata are asked for"), std::string::npos);
  for (std::size_t cut = 0; cut < std::string(standard).size(); ++cut) why_not(std::string(standard).substr(0, cut));  // returns
}

std::vector<std::string> results_of(const std::vector<DakotaSet>& sets, DakotaOptions options = {}) {
  options.threads = 1;
  return dakota_results(model_from_text(oscillator), sets, options);
}

// Numbers and labels of a results file.
struct Written {
  std::vector<double> values, gradients;
  std::vector<std::string> labels;
  explicit Written(const std::string& text) {
    std::istringstream in(text);
    for (std::string word; in >> word;)
      if (word == "[")
        for (in >> word; word != "]"; in >> word) gradients.push_back(std::stod(word));
      else
        values.push_back(std::stod(word)), labels.push_back((in >> word, word));
  }
};

TEST(Dakota, gets_values_and_gradients_as_asked) {
  const std::vector<DakotaSet> sets = read_dakota_parameters(standard, "params.in");
  const Written w(results_of(sets)[0]);
  EXPECT_EQ(w.labels, (std::vector<std::string>{"peak", "x@0.2"}));
  const double omega = std::sqrt(110.0), x = std::sin(0.2 * omega) / omega,
               x_omega = 0.2 * std::cos(0.2 * omega) / omega - std::sin(0.2 * omega) / (omega * omega);
  ASSERT_EQ(w.values.size(), 2u);
  EXPECT_NEAR(w.values[1], x, 1e-9);
  ASSERT_EQ(w.gradients.size(), 1u);  // with respect to the mass alone, of the second response alone
  EXPECT_NEAR(w.gradients[0], -x_omega * omega / 2, 1e-8);
  // All digits: the value is that of the ensemble.
  const aleator::Ensemble forward(model_from_text(oscillator), {.threads = 1, .inputs = {"k", "block.mass"}});
  EXPECT_EQ(w.values[1], forward.evaluate(std::vector<double>{110, 1}).at(0, 10)[0]);
}

TEST(Dakota, sets_of_a_batch_are_those_alone) {
  std::vector<DakotaSet> sets;
  for (int i = 0; i < 11; ++i) {
    sets.push_back(read_dakota_parameters(standard, "params.in")[0]);
    sets.back().variables[0].value = 90 + i;
    if (i % 3 == 0) sets.back().functions[1].request = 1;
    if (i == 5) sets.back().functions[0].request = sets.back().functions[1].request = 0;  // nothing is asked
  }
  const std::vector<std::string> all = results_of(sets);
  for (std::size_t i = 0; i < sets.size(); ++i) EXPECT_EQ(all[i], results_of({sets[i]})[0]);
  EXPECT_EQ(all[5], "");
  EXPECT_EQ(join_dakota_results({"a\n", "b\n"}), "#\na\n#\nb\n");
  EXPECT_EQ(join_dakota_results({"a\n"}), "a\n");
}

TEST(Dakota, failures_begin_with_fail) {
  std::vector<DakotaSet> sets(5, read_dakota_parameters(standard, "params.in")[0]);
  sets[1].variables[1].value = -1;      // no mass
  sets[2].functions[0].request = 4;     // Hessians
  sets[3].functions[0].label = "late";  // never so far out
  sets[3].variables[0].value = 250;
  std::vector<std::string> notes;
  DakotaOptions options;
  options.on_note = [&](std::string_view note) { notes.emplace_back(note); };
  const std::vector<std::string> results = results_of(sets, options);
  for (const std::size_t failed : {1u, 2u, 3u}) EXPECT_TRUE(results[failed].starts_with("FAIL ")) << results[failed];
  for (const std::size_t right : {0u, 4u}) EXPECT_EQ(results[right].find("FAIL"), std::string::npos);
  EXPECT_EQ(notes.size(), 3u);
}

TEST(Dakota, names_that_the_model_does_not_have_are_an_error) {
  const auto refused = [](const std::string& old, const std::string& now, std::vector<std::string> outputs = {}) {
    std::string text = standard;
    for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += now.size()) text.replace(at, old.size(), now);
    DakotaOptions options;
    options.outputs = std::move(outputs);
    try {
      results_of(read_dakota_parameters(text, "params.in"), options);
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(refused("block.mass", "block.mas_")
                .find("'block.mas_' cannot be an input: there is no such number in the model (did you "
                      "mean 'block.mass'?) (numbers: k, c, block.mass)"),
            std::string::npos)
      << refused("block.mass", "block.mas_");
  EXPECT_NE(refused("peak", "response_fn_1").find("the model has no output 'response_fn_1' (scalars: peak, late; outputs: x, v)"),
            std::string::npos);
  EXPECT_NE(refused("x@0.2", "x@0.25").find("between two output times, 0.24 s and 0.26 s"), std::string::npos);
  EXPECT_NE(refused("x@0.2", "x@2").find("the simulation goes from 0 to 0.4 s"), std::string::npos);
  EXPECT_NE(refused("x@0.2", "x@now").find("expects a time in seconds"), std::string::npos);
  EXPECT_EQ(refused("peak", "response_fn_1", {"peak", "x@0.2"}), "");
  EXPECT_NE(refused("peak", "f", {"peak"}).find("--outputs names 1, and Dakota asks for 2 functions"), std::string::npos);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::coupling
