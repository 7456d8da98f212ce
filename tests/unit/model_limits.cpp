// Mechanisms, simulations and studies that are too large for any machine are refused before anything is allocated for them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "input/limits.hpp"
#include "model/language.hpp"
#include "propagation/method.hpp"
#include "support/message_of.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

namespace limits = input::limits;

// What making a model of this text says, or "no error".
std::string error_of(const std::string& text) {
  return test::message_of<std::exception>([&] {
    const Model model = make_model(input::read_text(text, "m.yaml", language()));
    const RandomModel random(model);
    const Study study = read_study(model);
    if (!random.empty()) sampling_plan(study, random);
  });
}

std::string beams(int count, const std::string& elements) {
  std::string text = "simulation: {duration: 1}\nbodies:\n";
  for (int i = 0; i < count; ++i)
    text += fmt::format(
        "  a{}: {{beam: [[0, 0, 0], [1, 0, 0]], material: steel, section: {{rectangle: {{height: 0.1, width: 0.1}}}}, elements: "
        "{}}}\n",
        i, elements);
  return text;
}

TEST(ModelLimits, elements_of_beams) {
  EXPECT_EQ(error_of(beams(1, "1000000000")), "m.yaml:3:114: body 'a0': 'elements' must be at most 10000, found 1000000000");
  EXPECT_EQ(error_of(beams(1, "1e300")), "m.yaml:3:114: body 'a0': 'elements' must be a whole number, found '1e300'");
  EXPECT_NE(error_of(beams(limits::all_beam_elements / 1000 + 1, "1000"))
                .find("body 'a20': the beams of a model have at most 20000 elements together, with this one 21000"),
            std::string::npos);
}

// A pendulum that is driven, with a simulation and more.
std::string driven(const std::string& motion, const std::string& simulation = "duration: 2", const std::string& more = "") {
  return "bodies: {rod: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\n"
         "joints: {pin: {revolute: [ground, rod], axis: y, at: [0, 0, 0], motion: " +
         motion + "}}\nsimulation: {" + simulation + "}\noutputs: {tip: {position: rod}}\n" + more;
}

TEST(ModelLimits, functions_of_time) {
  EXPECT_EQ(error_of(driven("{sine: {amplitude: 1, frequency: 3}}")), "no error");
  EXPECT_NE(error_of(driven("{sine: {amplitude: 1, frequency: 1e12}}"))
                .find("m.yaml:2:73: joint 'pin': the function of time needs more than 200000 pieces"),
            std::string::npos);
  std::string ones = "1";
  for (std::size_t i = 0; i < limits::polynomial_terms; ++i) ones += ", 1";
  EXPECT_EQ(error_of(driven("{polynomial: [" + ones + "]}")),
            "m.yaml:2:86: joint 'pin': a polynomial of time has at most 100 coefficients, found 101");
}

TEST(ModelLimits, steps_and_outputs) {
  EXPECT_EQ(error_of(driven("0", "duration: 1, step: 1e-10")),
            "m.yaml:3:33: simulation: 1e+10 steps are too many; the step must be larger than duration / 1e+09");
  EXPECT_EQ(error_of(driven("0", "duration: 1, output_step: 1e-8")),
            "m.yaml:3:40: simulation: 1e+08 output times are too many; 'output_step' must be larger than duration / 1e+07");
  EXPECT_EQ(error_of(driven("0", "duration: 1e-322")), "m.yaml:3:24: simulation: a duration of 9.88131e-323 s is too short")
      << "a thousandth of it is 0";
  std::string outputs;
  for (int i = 0; i < 20; ++i) outputs += fmt::format("  o{}: {{position: rod}}\n", i);
  EXPECT_EQ(
      error_of(
          "bodies: {rod: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\nsimulation: {duration: 1, output_step: 2e-7}\noutputs:\n" +
          outputs),
      "m.yaml:2:40: simulation: 60 channels at 5e+06 times are 3e+08 numbers, at most 2e+08 are allowed; make 'output_step' "
      "larger");
}

TEST(ModelLimits, studies) {
  const auto study = [](const std::string& settings) {
    return error_of(driven("0", "duration: 1", "uncertain: {rod: {mass: {cov: 0.1}}}\nstudy: {" + settings + "}\n"));
  };
  EXPECT_EQ(study("samples: 1e12"), "no error");
  EXPECT_EQ(study("samples: 2e12"), "m.yaml:6:18: study: 'samples' must be at most 1000000000000, found 2000000000000");
  for (const char* sequence : {"sobol", "halton"})
    EXPECT_NE(study(fmt::format("method: {}, samples: 1e12", sequence)).find("sequence has at most 100000000 numbers in memory"),
              std::string::npos);
  EXPECT_EQ(study("chaos: {order: 101}"), "m.yaml:6:24: study: chaos: 'order' must be at most 100, found 101");
  EXPECT_EQ(study("chaos: {evaluations: 1e9}"),
            "m.yaml:6:30: study: chaos: 'evaluations' must be at most 100000000, found 1000000000");
  EXPECT_EQ(study("replicates: 1025"), "m.yaml:6:21: study: 'replicates' must be at most 1024, found 1025");
  EXPECT_EQ(study("screening: {trajectories: 2e9}"),
            "m.yaml:6:35: study: screening: 'trajectories' must be at most 1000000000, found 2000000000");
}

TEST(ModelLimits, vertices_of_polyhedra) {
  std::string vertices;
  for (std::size_t i = 0; i <= limits::polyhedron_points; ++i) vertices += fmt::format("[{}, {}, {}], ", i % 7, i % 11, i % 13);
  EXPECT_NE(error_of(driven("0", "duration: 1", "uncertain: {rod: {center_of_mass: {polyhedron: [" + vertices + "]}}}\n"))
                .find("a polyhedron has at most 200 vertices, found 201"),
            std::string::npos);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
