// Sixty mistakes, made as somebody would who has just begun, and what he gets to read: where it is, and what to do about it.
#include <gtest/gtest.h>

#include <sstream>

#include "program.hpp"
#include "support/model_text.hpp"
#include "support/places.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const std::string rod = R"(gravity: [0, 0, -9.81]
parameters:
  k: 100
bodies:
  rod:
    shape: {box: [1, 0.05, 0.05]}
    mass: 2
    at: [0.5, 0, 0]
joints:
  pin: {revolute: [ground, rod], axis: y, at: [0, 0, 0]}
outputs:
  tip: {position: rod, at: [1, 0, 0]}
simulation: {duration: 0.1}
uncertain:
  k: {normal: {std: 5}}
)";

struct Mistake {
  std::string what, text;         // the whole file
  std::vector<std::string> says;  // in the message; the first is its place
};

Mistake instead(const std::string& what, const std::string& from, const std::string& to, std::vector<std::string> says) {
  return {what, replaced(rod, from, to), std::move(says)};
}

std::vector<Mistake> mistakes() {
  return {
      // what is not YAML
      instead("a tab", "    mass: 2", "\tmass: 2", {"model.yaml:7:1: ", "tab", "spaces", "'mass: 2'"}),
      instead("a tab after spaces", "    mass: 2", "  \tmass: 2", {"model.yaml:7:3: ", "tab", "spaces"}),
      instead("a colon forgotten after a section", "bodies:", "bodies",
              {"model.yaml:4:1: ", "a colon is missing", "write 'bodies:'"}),
      instead("a colon forgotten after a name", "  rod:\n", "  rod\n",
              {"model.yaml:5:3: ", "a colon is missing", "write 'rod:'"}),
      instead("a colon forgotten in a block", "    mass: 2", "    mass 2",
              {"model.yaml:7:5: ", "a colon is missing", "'mass: 2'"}),
      instead("a colon forgotten in braces", "duration: 0.1", "duration 0.1",
              {"model.yaml:13:14: ", "a colon is missing", "'duration: 0.1'"}),
      instead("no space after the colon", "    mass: 2", "    mass:2",
              {"model.yaml:7:5: ", "space is missing after the colon", "'mass: 2'"}),
      instead("no space after the colon in braces", "duration: 0.1", "duration:0.1",
              {"model.yaml:13:14: ", "space is missing", "'duration: 0.1'"}),
      instead("an equals sign", "    mass: 2", "    mass = 2", {"model.yaml:7:5: ", "'='", "'mass: 2'"}),
      instead("one space too few", "    at: [0.5", "   at: [0.5",
              {"model.yaml:8:4: ", "wrong indentation", "column 4", "column 3 or 5"}),
      instead("one line too deep", "    at: [0.5", "      at: [0.5",
              {"model.yaml:8:7: ", "wrong indentation", "'mass: 2'", "same column"}),
      {"all but the first line at the margin",
       "  gravity: [0, 0, 0]\nbodies: {}\n",
       {"model.yaml:2:1: ", "wrong indentation", "column 3"}},
      instead("a brace not closed", "simulation: {duration: 0.1}", "simulation: {duration: 0.1",
              {"model.yaml:13:13: ", "'{'", "never closed", "'}' is missing"}),
      instead("a bracket not closed", "[0, 0, 0]}\noutputs", "[0, 0, 0}\noutputs",
              {"model.yaml:10:55: ", "']' is missing before it"}),
      instead("one brace too many", "{duration: 0.1}", "{duration: 0.1}}", {"model.yaml:13:28: ", "'}' closes nothing"}),
      instead("a comma forgotten in braces", "axis: y, at", "axis: y at", {"model.yaml:10:42: ", "comma is missing before 'at'"}),
      instead("a quote not closed", "gravity:", "title: \"rod\ngravity:", {"model.yaml:1:8: ", "quote", "never closed"}),
      instead("two colons", "gravity:", "title: rod: first try\ngravity:", {"model.yaml:1:11: ", "second colon", "quotes"}),
      instead("entries as a list", "  rod:\n    shape", "  - rod:\n    shape", {"model.yaml:5:3: ", "list", "'name: …'"}),
      instead("a comment as in C", "gravity:", "// my rod\ngravity:", {"model.yaml:1:1: ", "'#'"}),
      instead("a value that begins with @", "gravity:", "title: @rod\ngravity:", {"model.yaml:1:8: ", "'@'", "quotes"}),
      instead("a star", "    mass: 2", "    mass: *k", {"model.yaml:7:11: ", "'&k'", "quotes"}),
      // expressions and numbers
      instead("a comma in an expression in braces", "{duration: 0.1}", "{duration: max(1,2)}",
              {"model.yaml:13:24: ", "quotes", "\"max(1, 2)\""}),
      instead("a comma in an expression in a list", "[1, 0, 0]", "[max(1,2), 0, 0]",
              {"model.yaml:12:29: ", "quotes", "\"max(1, 2)\""}),
      instead("a decimal comma in braces", "duration: 0.1", "duration: 0,1", {"model.yaml:13:24: ", "point", "0.1"}),
      instead("a decimal comma", "    mass: 2", "    mass: 2,5", {"model.yaml:7:11: ", "point", "2.5"}),
      instead("blanks instead of commas", "[0.5, 0, 0]", "[0.5 0 0]", {"model.yaml:8:9: ", "separated by commas"}),
      instead("parentheses instead of brackets", "[0.5, 0, 0]", "(0.5, 0, 0)", {"model.yaml:8:9: ", "brackets", "[0.5, 0, 0]"}),
      instead("a unit", "    mass: 2", "    mass: 2 kg", {"model.yaml:7:13: ", "'kg'", "SI units"}),
      instead("a material as density", "    mass: 2", "    density: steel", {"model.yaml:7:14: ", "'steel'", "7850"}),
      instead("a power as in Python", "    mass: 2", "    mass: 2**3", {"model.yaml:7:12: ", "'**'", "^"}),
      instead("a parameter that does not exist", "    mass: 2", "    mass: 2*kk", {"model.yaml:7:13: ", "'kk'", "'k'"}),
      instead("a parameter of itself", "  k: 100", "  k: 2*k", {"model.yaml:3:6: ", "depends on itself"}),
      instead("a parameter that has no value", "  k: 100", "  k: 1/0", {"model.yaml:3:6: ", "'k'", "finite"}),
      {"no bodies", "simulation: {duration: 1}\nuncertain: {rod: {mass: {cov: 0.1}}}\n", {"model.yaml:3:1: ", "no bodies"}},
      instead("a negative mass", "    mass: 2", "    mass: -2", {"model.yaml:7:11: ", "'mass'", "may not be negative", "-2"}),
      instead("half a realization",
              "uncertain:", "study: {samples: 2.5}\nuncertain:", {"model.yaml:14:18: ", "whole number", "2.5"}),
      instead("nothing after the colon", "    mass: 2", "    mass:", {"model.yaml:7:5: ", "'mass' has no value"}),
      // words of other programs
      instead("gaussian", "{normal:", "{gaussian:", {"model.yaml:15:7: ", "'gaussian'", "did you mean 'normal'?"}),
      instead("sigma", "{std: 5}", "{sigma: 5}", {"model.yaml:15:16: ", "'normal.sigma'", "did you mean 'std'?"}),
      instead("average", "{std: 5}", "{std: 5, average: 100}", {"model.yaml:15:24: ", "did you mean 'mean'?"}),
      instead("std_dev", "{std: 5}", "{std_dev: 5}", {"model.yaml:15:16: ", "did you mean 'std'?"}),
      instead("hinge", "{revolute:", "{hinge:", {"model.yaml:10:9: ", "'hinge'", "did you mean 'revolute'?"}),
      instead("slider", "{revolute:", "{slider:", {"model.yaml:10:9: ", "did you mean 'prismatic'?"}),
      instead("weld", "{revolute: [ground, rod], axis: y", "{weld: [ground, rod]",
              {"model.yaml:10:9: ", "did you mean 'fixed'?"}),
      instead("ball", "{revolute: [ground, rod], axis: y", "{ball: [ground, rod]",
              {"model.yaml:10:9: ", "did you mean 'spherical'?"}),
      instead("dt", "{duration: 0.1}", "{duration: 0.1, dt: 1e-3}", {"model.yaml:13:29: ", "did you mean 'step'?"}),
      instead("end_time", "{duration: 0.1}", "{end_time: 0.1}", {"model.yaml:13:14: ", "did you mean 'duration'?"}),
      instead("rk4", "{duration: 0.1}", "{duration: 0.1, integrator: rk4}",
              {"model.yaml:13:41: ", "did you mean 'runge-kutta'?"}),
      instead("links", "bodies:", "links:", {"model.yaml:4:1: ", "did you mean 'bodies'?"}),
      instead("com", "    at: [0.5", "    com: [0.5", {"model.yaml:8:5: ", "did you mean 'center_of_mass'?"}),
      // names and places
      instead("a misspelt key", "    mass: 2", "    mas: 2", {"model.yaml:7:5: ", "'mas'", "did you mean 'mass'?"}),
      instead("a misspelt body", "[ground, rod]", "[ground, rood]", {"model.yaml:10:28: ", "'rood'", "did you mean 'rod'?"}),
      instead("a body at the margin", "joints:", "wheel: {mass: 1, at: [0, 0, 0]}\njoints:",
              {"model.yaml:9:1: ", "'wheel'", "indent it below 'bodies:'"}),
      instead("a key of a body at the margin", "    mass: 2\n    at: [0.5, 0, 0]\n", "    at: [0.5, 0, 0]\nmass: 2\n",
              {"model.yaml:8:1: ", "'mass'", "a body", "'bodies:'"}),
      instead("a setting at the margin", "simulation: {duration: 0.1}", "duration: 0.1",
              {"model.yaml:13:1: ", "'duration'", "indent it below 'simulation:'"}),
      instead("a section that is too deep", "outputs:\n", "  outputs:\n  ",
              {"model.yaml:11:3: ", "'outputs' stands below 'joints:'", "first column"}),
      instead("a section without entries", "outputs:\n", "forces:\noutputs:\n", {"model.yaml:11:1: ", "'forces'", "no entries"}),
      instead("one body for a joint", "[ground, rod]", "rod", {"model.yaml:10:19: ", "list of two bodies", "ground"}),
      instead("a joint without its axis", "axis: y, ", "", {"model.yaml:10:3: ", "'axis' is missing", "x, y, z"}),
      instead("a body twice", "joints:", "  rod: {mass: 1}\njoints:", {"model.yaml:9:3: ", "'rod' is given twice", "line 5"}),
      instead("an uncertain thing that does not exist", "  k: {normal", "  kk: {normal",
              {"model.yaml:15:3: ", "'kk'", "did you mean 'k'?"}),
      instead("cov in percent", "  k: {normal: {std: 5}}", "  rod: {mass: {cov: 10}}",
              {"model.yaml:15:21: ", "0.7071", "did you mean '10 %'?"}),
      instead("a coefficient of variation without a distribution", "  k: {normal: {std: 5}}", "  k: {cov: 10%}",
              {"model.yaml:15:7: ", "'cov'", "inside of another one", "{mass: {cov: …}} or {"}),
      instead("a probability distribution of a body", "  k: {normal", "  rod: {normal",
              {"model.yaml:15:3: ", "'rod'", "mass, center_of_mass and inertia"}),
      // something else
      {"nothing", "", {"model.yaml:1:1: ", "empty"}},
      {"words", "this is my model\n", {"model.yaml:1:1: ", "mapping", "'this is my model'"}},
      {"URDF", "<robot name=\"arm\">\n  <link name=\"base\"/>\n</robot>\n", {"model.yaml:1:1: ", "URDF", "YAML"}},
      {"MJCF", "<?xml version=\"1.0\"?>\n<!-- a model -->\n<mujoco model=\"arm\"/>\n", {"model.yaml:1:1: ", "MJCF", "YAML"}},
      {"XML", "<?xml version=\"1.0\"?>\n<assembly/>\n", {"model.yaml:1:1: ", "XML", "<assembly>"}},
      {"JSON of somebody else",
       "{\"links\": [{\"name\": \"rod\"}], \"simulation\": {\"duration\": 1}}\n",
       {"model.yaml:1:2: ", "'links'", "did you mean 'bodies'?"}},
      {"results", "\x89HDF\r\n\x1a\n", {"model.yaml:1:1: ", "HDF5", "report"}},
      {"bytes", std::string("ab\0cd", 5), {"model.yaml:1:3: ", "not text"}},
  };
}

TEST(Mistakes, say_where_they_are_and_what_would_be_right) {
  const Folder folder;
  for (const Mistake& m : mistakes()) {
    folder.write("model.yaml", m.text);
    const Outcome o = aleator({"check", "model.yaml"}, folder.path());
    EXPECT_EQ(o.code, 3) << m.what << ": " << o.err;
    EXPECT_TRUE(o.err.starts_with(m.says[0])) << m.what << ": " << o.err;
    const std::string first = o.err.substr(0, o.err.find('\n'));
    for (const std::string& words : m.says)
      EXPECT_NE(first.find(words), std::string::npos) << m.what << ": '" << words << "' in\n" << o.err;
    // One mistake has one message: nothing follows from it that would be told, too.
    EXPECT_EQ(first.size() + 1, o.err.size()) << m.what << ": " << o.err;
    for (const char* riddle : {"not valid YAML", "end of map", "illegal", "flow"})
      EXPECT_EQ(o.err.find(riddle), std::string::npos) << m.what << ": " << o.err;
  }
  EXPECT_GE(mistakes().size(), 60U);
}

TEST(Mistakes, are_told_all_at_once_in_their_order) {
  const Folder folder;
  std::string text = replaced(rod, "axis: y, ", "");
  text = replaced(text, "    mass: 2", "    mas: 2\n    density: -1");
  text = replaced(text, "{position: rod", "{position: rood");
  text = replaced(text, "{duration: 0.1}", "{dt: 1}");
  folder.write("model.yaml", text);
  const Outcome o = aleator({"check", "model.yaml"}, folder.path());
  EXPECT_EQ(o.code, 3);
  EXPECT_EQ(o.err,
            "model.yaml:7:5: body 'rod': unknown key 'mas' (did you mean 'mass'?)\n"
            "model.yaml:8:14: body 'rod': 'density' must be positive, found -1\n"
            "model.yaml:13:19: output 'tip': unknown body 'rood' (did you mean 'rod'?)\n"
            "model.yaml:14:13: simulation: 'duration' is missing\n"
            "model.yaml:14:14: simulation: unknown key 'dt' (did you mean 'step'?)\n");
}

TEST(Mistakes, of_the_text_and_of_the_mechanism_come_together) {
  const Folder folder;
  std::string text = replaced(rod, "axis: y, ", "");  // only the mechanism needs it
  text = replaced(text, "joints:\n", "  wheel: {mass: 1, at: [0, 0]}\njoints:\n  hub: {revolute: [rod, wheel], at: [1, 0, 0]}\n");
  folder.write("model.yaml", text);
  const Outcome o = aleator({"check", "model.yaml"}, folder.path());
  EXPECT_EQ(o.err,
            "model.yaml:9:24: body 'wheel': 'at' must be a vector of 3 numbers or the name of a point, found a list of 2\n"
            "model.yaml:12:3: joint 'pin': 'axis' is missing (x, y, z or a vector)\n")
      << "'hub', which has no axis either, cannot be judged without 'wheel'";
}

// A file with something wrong in every section.
const std::string hopeless = R"(gravity: [0, 0, -9.81]
parameters:
  k: 100
  c: 2*kk
bodies:
  rod: {shape: {box: [1, 0.05, 0.05]}, mas: 2, at: [0.5, 0, 0]}
  arm: {shape: {box: [1, 0.05, 0.05]}, mass: 1, at: [0.5, 1, 0]}
joints:
  pin: {revolute: [ground, rod], axis: y, at: [0, 0, 0]}
  hub: {revolute: [ground, arm], at: [0, 1, 0]}
outputs:
  tip: {position: rod, at: [1, 0, 0]}
  end: {position: arm, limits: {above: 1/0}}
scalars:
  top: {maximum: tipp.z}
  far: {maximum: endd.z}
simulation: {duration: 0.1, rho: 2}
study: {sample: 100, confidence: 95, chaos: {q: c}, levels: {factor: 1}, accuracy: {emd: 1%}}
uncertain:
  k: {uniform: {lower: 3, upper: 2}}
  c: {lognormal: {std: 5, shift: 7}}
  rod: {mass: {cov: 10}, inertia: {lamda_l: 1, lambda_u: 1}}
  arm: {mass: {cov: 8}, inertia: {lambda_l: -1, lambda_u: -1}}
  kx: {normal: {std: 1}}
dependence:
  one: {correlation: [k, arm.mass], value: 2}
  two: {correlation: [k, zz], value: 0.5}
)";

TEST(Mistakes, of_all_sections_come_together) {
  const Folder folder;
  folder.write("model.yaml", hopeless);
  const std::string before = R"(model.yaml:4:8: parameter 'c' uses the unknown name 'kk' (did you mean 'k'?)
model.yaml:6:40: body 'rod': unknown key 'mas' (did you mean 'mass'?)
model.yaml:10:3: joint 'hub': 'axis' is missing (x, y, z or a vector)
model.yaml:13:40: output 'end': 'limits.above' is not finite: '1/0'
model.yaml:15:18: scalar 'top': unknown output 'tipp.z' (known: tip, end)
model.yaml:16:18: scalar 'far': unknown output 'endd.z' (known: tip, end)
model.yaml:17:34: simulation: 'rho' must be between 0 and 1, found 2
model.yaml:18:9: study: unknown key 'sample' (did you mean 'samples'?)
model.yaml:18:34: study: 'confidence' must lie strictly between 0 and 1, found 95
model.yaml:18:70: study: levels: 'factor' must be at least 2, found 1
model.yaml:18:90: study: 'accuracy' names the output 'emd', which the model does not have (did you mean 'end'?)
)";
  const std::string k = "model.yaml:20:16: uncertain 'k': 'uniform': 'lower' (3) must be below 'upper' (2)\n";
  const std::string infinite = ": with more scatter E{1/M^2} is infinite and the response has no variance (did you mean ";
  const std::string after = "model.yaml:22:21: uncertain 'rod': 'mass.cov' must be below 1/sqrt(2) = 0.7071, found 10" +
                            infinite +
                            "'10 %'?)\n"
                            "model.yaml:22:36: uncertain 'rod': unknown key 'inertia.lamda_l' (did you mean 'lambda_l'?)\n"
                            "model.yaml:23:21: uncertain 'arm': 'mass.cov' must be below 1/sqrt(2) = 0.7071, found 8" +
                            infinite +
                            "'8 %'?)\n"
                            "model.yaml:24:3: uncertain 'kx': there is no such parameter or body (did you mean 'k'?)\n"
                            "model.yaml:26:44: dependence 'one': 'value' must lie strictly between -1 and 1, found 2\n"
                            "model.yaml:27:22: dependence 'two': 'zz' is not a random quantity\n";
  EXPECT_EQ(aleator({"check", "model.yaml"}, folder.path()).err, before + k + after);
  // What is set is no longer random, and hides nothing else.
  const Outcome set = aleator({"check", "model.yaml", "--set", "k=4", "--set", "kk=1", "--set", "rod.mass=3"}, folder.path());
  EXPECT_EQ(set.code, 3);
  EXPECT_TRUE(set.err.starts_with("model.yaml: nothing named 'kk' can be set (did you mean 'k'?)\n" + before)) << set.err;
  EXPECT_EQ(set.err.find(k), std::string::npos) << set.err;
}

TEST(Mistakes, of_what_is_random_and_of_the_study_come_together) {
  const Folder folder;
  const std::string text = replaced(rod, "{normal: {std: 5}}", "{uniform: {lower: 200, upper: 150}}");
  folder.write("model.yaml",
               text + "  rod: {mass: {cov: 0.1}, center_of_mass: {box: [1, 1]}}\nstudy: {confidence: 95, seed: k/3}\n");
  for (const char* command : {"check", "run"}) {
    const Outcome o = aleator({command, "model.yaml"}, folder.path());
    EXPECT_EQ(o.code, 3);
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 4) << o.err;
    std::size_t at = 0;
    for (const char* place : {"model.yaml:15:", "model.yaml:16:", "model.yaml:17:21: ", "model.yaml:17:"}) {
      at = o.err.find(place, at);
      ASSERT_NE(at, std::string::npos) << place << ": " << o.err;
      ++at;
    }
  }
  EXPECT_EQ(aleator({"simulate", "model.yaml"}, folder.path()).code, 0) << "which needs neither";
}

TEST(Mistakes, of_syntax_do_not_hide_others_where_the_line_can_be_guessed) {
  const Folder folder;
  std::string text = replaced(rod, "    mass: 2", "    mass 2");
  text = replaced(text, "outputs:", "outputs");
  text = replaced(text, "axis: y, at", "axis: y at");
  text = replaced(text, "{std: 5}", "{sigma: 5}");
  folder.write("model.yaml", text);
  EXPECT_EQ(aleator({"check", "model.yaml"}, folder.path()).err,
            "model.yaml:7:5: a colon is missing: 'mass 2'; write 'mass: 2'\n"
            "model.yaml:10:42: a comma is missing before 'at': 'pin: {revolute: [ground, rod], axis: y at: [0, 0, …'\n"
            "model.yaml:11:1: a colon is missing: 'outputs'; write 'outputs:'\n"
            "model.yaml:15:16: uncertain 'k': unknown key 'normal.sigma' (did you mean 'std'?)\n");
  folder.write("model.yaml", replaced(replaced(rod, "    mass: 2", "\tmass: 2"), "  k: 100", "\tk: 100"));
  const std::string tabs = aleator({"check", "model.yaml"}, folder.path()).err;
  EXPECT_TRUE(tabs.starts_with("model.yaml:3:1: ")) << tabs;
  EXPECT_NE(tabs.find("(one more line has a tab)"), std::string::npos) << tabs;
}

TEST(Mistakes, of_an_identification_come_together) {
  const Folder folder;
  folder.write("model.yaml", rod);
  folder.write("identify.yaml", R"(model: model.yaml
data: {specimens: measured, from: 2, to: 1}
free:
  k.std: {from: 1, to: 10}
method: maximum-likelyhood
samples: 5
confidence: 95
places: 1
)");
  EXPECT_EQ(aleator({"identify", "identify.yaml"}, folder.path()).err,
            "identify.yaml:2:42: data: 'to' must be after 'from' = 2, found 1\n"
            "identify.yaml:5:9: 'method' must be maximum-likelihood, bayesian, least-squares or sweep, found "
            "'maximum-likelyhood' (did you mean 'maximum-likelihood'?)\n"
            "identify.yaml:6:10: 'samples' must be at least 20, found 5\n"
            "identify.yaml:7:13: 'confidence' must be below 1, found 95 (did you mean 0.95?)\n"
            "identify.yaml:8:9: 'places' must be at least 2, found 1\n");
}

TEST(Mistakes, beyond_twenty_are_counted) {
  const Folder folder;
  std::string text = rod + "points:\n";
  for (int i = 0; i < 50; ++i) text += "  p" + std::to_string(i) + ": [0, 0]\n";
  folder.write("model.yaml", text);
  const Outcome o = aleator({"check", "model.yaml"}, folder.path());
  EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 21);
  EXPECT_TRUE(o.err.ends_with("\nand 30 more\n")) << o.err;
}

TEST(Mistakes, on_the_command_line) {
  const Folder folder;
  folder.write("model.yaml", rod);
  const auto refused = [&](const std::vector<std::string>& words, const std::string& message) {
    const Outcome o = aleator(words, folder.path());
    EXPECT_EQ(o.code, 2);
    EXPECT_TRUE(o.err.starts_with("aleator: " + message + "\n")) << o.err;
  };
  refused({"run", "model.yaml", "--sample", "5"}, "there is no option '--sample' (did you mean '--samples'?)");
  refused({"run", "model.yaml", "--sample=5"}, "there is no option '--sample' (did you mean '--samples'?)");
  refused({"run", "model.yaml", "--Seed", "5"}, "there is no option '--Seed' (did you mean '--seed'?)");
  refused({"run", "model.yaml", "--method", "sobl"},
          "--method: expects one of monte-carlo, latin-hypercube, sobol, halton, polynomial-chaos, control-variate, multilevel, "
          "first-order, univariate-reduction, morris, variability, auto, subset-simulation, form, sorm, importance-sampling, "
          "line-sampling, enhanced-monte-carlo, found 'sobl' (did you mean 'sobol'?)");
  refused({"chek", "model.yaml"}, "there is no command 'chek' (did you mean 'check'?)");
  refused({"run", "model.yaml", "--samples", "2.5"}, "--samples: expects a whole number from 1 to 1000000000000, found '2.5'");
}

TEST(Mistakes, whole_numbers_may_be_written_as_others) {
  const Folder folder;
  folder.write("model.yaml", replaced(rod, "uncertain:", "study: {samples: 2e1}\nuncertain:"));
  EXPECT_EQ(aleator({"check", "model.yaml"}, folder.path()).code, 0);
  for (const char* samples : {"2e1", "20.0"}) {
    const Outcome o = aleator({"run", "model.yaml", "--samples", samples, "--no-report", "--overwrite"}, folder.path());
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.out.find("20"), std::string::npos) << o.out;
  }
}

struct Doubt {
  std::string what, from, to;
  std::vector<std::string> says;
};

TEST(Mistakes, that_are_possible_are_asked_about) {
  const Doubt doubts[] = {
      {"millimetres and a density",
       "[1, 0.05, 0.05]}\n    mass: 2",
       "[1000, 50, 50]}\n    density: 7850",
       {"model.yaml:6:12: note: ", "1.96e+10 kg", "millimetres"}},
      {"millimetres and a mass", "[1, 0.05, 0.05]", "[1000, 50, 50]", {"model.yaml:7:11: note: ", "8e-07 kg/m³", "millimetres"}},
      {"degrees of an orientation",
       "    mass: 2",
       "    mass: 2\n    orientation: {rpy: [0, 90, 0]}",
       {"model.yaml:8:28: note: ", "90 rad", "'90 deg'"}},
      {"degrees of a stop",
       "axis: y,",
       "axis: y, stops: {lower: -90, upper: 90 deg, stiffness: 1e3},",
       {"model.yaml:10:58: note: ", "'lower'", "'-90 deg'"}},
      {"millimetres of gravity", "-9.81]", "-9810]", {"model.yaml:1:10: note: ", "mm/s²"}},
      {"outputs after the end",
       "{duration: 0.1}",
       "{duration: 0.1, output_step: 1}",
       {"model.yaml:13:42: note: ", "'output_step' (1 s)", "'duration' (0.1 s)"}},
      {"a body that floats",
       "joints:",
       "  wheel: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, at: [0, 0, 0]}\njoints:",
       {"model.yaml:9:3: note: ", "'wheel'", "no joint"}},
      {"cov in percent", "{std: 5}", "{cov: 10}", {"model.yaml:15:21: note: ", "10 times the mean", "'10 %'"}},
  };
  const Folder folder;
  folder.write("model.yaml", rod);
  EXPECT_EQ(aleator({"check", "model.yaml"}, folder.path()).err, "");
  for (const Doubt& d : doubts) {
    folder.write("model.yaml", replaced(rod, d.from, d.to));
    const Outcome o = aleator({"check", "model.yaml"}, folder.path());
    EXPECT_EQ(o.code, 0) << d.what << o.err;
    for (const std::string& words : d.says)
      EXPECT_NE(o.err.find(words), std::string::npos) << d.what << ": '" << words << "' in\n" << o.err;
    EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
  }
  const Outcome o = aleator({"simulate", "model.yaml"}, folder.path());
  EXPECT_NE(o.err.find("'10 %'"), std::string::npos) << o.err;
}

TEST(Mistakes, are_not_seen_in_the_examples) {
  for (const std::string& name : example_names()) {
    const Outcome o = aleator({"check", source_folder() + "/examples/" + name + ".yaml"});
    EXPECT_EQ(o.code, 0) << name;
    std::istringstream told(o.err);
    for (std::string line; std::getline(told, line);)  // what is left out of a robot description is told in any case
      EXPECT_TRUE(line.find("note:") == std::string::npos || line.find("/robots/") != std::string::npos) << name << ": " << line;
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
