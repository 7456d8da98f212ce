// `processes:` as they are written in a model: what is refused, with its place and what would be right, and what is only noted.
#include <gtest/gtest.h>

#include "model/language.hpp"
#include "model/plausibility.hpp"
#include "support/message_of.hpp"
#include "support/run.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

std::string model_with(const std::string& process, const std::string& force = "{process: p}",
                       const std::string& joint = "damper: 1", const std::string& settings = "") {
  return "processes:\n  p: " + process +
         "\nbodies: {mass: {shape: {box: [1, 1, 1]}, mass: 1}}\njoints: {guide: {prismatic: [ground, mass], axis: x, " + joint +
         "}}\nforces: {push: {force: mass, value: [" + force +
         ", 0, 0]}}\noutputs: {x: {coordinate: guide}}\nsimulation: {duration: 10" + settings + "}\n";
}

template <class... Text>
std::string refusal(const Text&... text) {
  return test::message_of<std::exception>([&] { make_model(input::read_text(model_with(text...), "m.yaml", language())); });
}

const std::string quake = "{kanai_tajimi: {S0: 1, omega_g: 15, zeta_g: 0.6}", noise = "{white_noise: {S0: 1, step: 0.02}}";

TEST(ProcessLanguage, refuses_what_makes_no_process) {
  EXPECT_EQ(refusal("{psd: {table: [[1, 0.1], [2, -0.1]], per: Hz, sides: one}}"),
            "m.yaml:2:35: process 'p': 'psd.table' must be positive, found -0.1");
  EXPECT_EQ(refusal("{psd: {table: [[2, 0.1], [1, 0.1]], per: Hz, sides: one}}"),
            "m.yaml:2:32: process 'p': 'psd.table' must have an increasing first column, found 1 after 2");
  EXPECT_EQ(refusal("{psd: {table: [[1, 0.1], [2, 0.1]]}}"), "m.yaml:2:12: process 'p': 'psd.per' and 'psd.sides' are missing");
  EXPECT_EQ(refusal("{iso8608: {class: K, speed: 20}}"),
            "m.yaml:2:24: process 'p': 'iso8608.class' must be A, B, C, D, E, F, G or H, found 'K'");
  EXPECT_EQ(refusal("{iso8608: {speed: 20}}"), "m.yaml:2:16: process 'p': needs 'class' (A to H) or 'roughness'");
  EXPECT_EQ(
      refusal(quake + ", envelope: {rise: 4, hold: 16, decay: 0.3}}"),
      "m.yaml:2:66: process 'p': 'envelope' holds until 16 s, after the end of the simulation, 10 s; make 'duration' longer or "
      "the envelope shorter");
  EXPECT_EQ(
      refusal("{filter: {S0: 1, numerator: [1, 2, 3], denominator: [1, 2]}}"),
      "m.yaml:2:34: process 'p': 'numerator' has 3 coefficients and 'denominator' 2: it must have fewer, or the variance is "
      "infinite");
  EXPECT_EQ(refusal(quake + ", places: {a: 0, b: 1}}"),
            "m.yaml:2:64: process 'p': 'places' need a 'coherence': {constant: 0.5}, {exponential: {decay: 8, speed: 20}} or "
            "isotropic");
  EXPECT_EQ(refusal(quake + ", period: 5}"),
            "m.yaml:2:64: process 'p': 'period' 5.01602 s is shorter than the simulation, 10 s: it would repeat");
  EXPECT_EQ(refusal("{recorded: {records: [[1, 2, 3], [1, 2]], step: 0.1}}"),
            "m.yaml:2:39: process 'p': 'recorded.records' must have rows of equal length, found 2 numbers after 3");
}

TEST(ProcessLanguage, refuses_uses_that_cannot_be) {
  EXPECT_EQ(
      refusal(noise, std::string("0"), std::string("motion: {process: p}")),
      "m.yaml:4:62: joint 'guide': a prescribed motion needs two derivatives, and process 'p' is white noise, which has none; "
      "use it as a force, torque, actuator or in 'gravity', or take a 'filter' or 'psd' instead");
  EXPECT_EQ(refusal(noise, std::string("{process: q}")), "m.yaml:5:48: force 'push': unknown process 'q' (known: p)");
  EXPECT_EQ(refusal(noise, std::string("{process: p, delay: 0.03}")),
            "m.yaml:5:58: force 'push': 'delay' of white noise must be a whole number of its steps of 0.02 s, found 0.03 s");
  EXPECT_EQ(refusal(noise, std::string("{process: p, at: left}")), "m.yaml:5:55: force 'push': process 'p' has no 'places'");
}

TEST(ProcessLanguage, notes_what_is_hardly_meant) {
  const auto notes = [](const std::string& text) { return plausibility_notes(test::model_from(text)); };
  EXPECT_TRUE(notes(model_with(noise)).empty());
  const std::vector<std::string> unused = notes(model_with(noise, "5"));
  ASSERT_EQ(unused.size(), 1u);
  EXPECT_NE(unused[0].find("process 'p' is used nowhere"), std::string::npos) << unused[0];
  const std::vector<std::string> coarse =
      notes(model_with(quake + "}", "{process: p}", "damper: 1", ", step: 0.01, output_step: 0.01, integrator: runge-kutta"));
  ASSERT_EQ(coarse.size(), 1u);
  EXPECT_NE(coarse[0].find("a step of 0.01 s takes"), std::string::npos) << coarse[0];
  EXPECT_TRUE(notes(model_with(quake + "}", "{process: p}", "damper: 1", ", step: 0.01, output_step: 0.01")).empty());
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
