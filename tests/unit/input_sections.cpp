// Sections and their entries: names, tags, keys that are unknown or missing, references.
#include "input_language.hpp"

namespace aleator::core::input {
namespace ALEATOR_FILE {

TEST(InputSections, everything_is_kept_in_the_order_written) {
  const Description model = read("bodies: {b: {mass: 1, at: [0, 0, 0]}, a: {at: [0, 0, 0], mass: 2}}\n");
  EXPECT_EQ(model.file, "m.yaml");
  EXPECT_EQ(model.text.substr(0, 6), "bodies");
  EXPECT_EQ(model.section("bodies")[0].name, "b");
  EXPECT_EQ(model.section("bodies")[1].fields[0].key, "at");
  EXPECT_TRUE(model.section("joints").empty());
  EXPECT_TRUE(model.section("never heard of").empty());
  ASSERT_EQ(model.sections.size(), 4U) << "absent sections are there, empty";
  EXPECT_EQ(model.normal, -1);
}

TEST(InputSections, positions_are_those_of_the_file) {
  const Description model = read("bodies:\n  rb1:\n    mass: 1\n    at: [0, 0, 0]\n");
  const Item& body = model.section("bodies")[0];
  EXPECT_EQ(body.at.line, 2);
  EXPECT_EQ(body.at.column, 3);
  EXPECT_EQ(body.find("at")->at.line, 4);
  EXPECT_EQ(body.find("at")->at.column, 9);
  EXPECT_EQ(body.find("at")->numbers[2].at.column, 16);
}

TEST(InputSections, unknown_keys_at_the_top) {
  EXPECT_EQ(error_of("title: x\nbodys: {}\n"), "m.yaml:2:1: unknown key 'bodys' (did you mean 'bodies'?)");
  EXPECT_EQ(error_of("parameter: {}\n"), "m.yaml:1:1: unknown key 'parameter' (did you mean 'parameters'?)");
  EXPECT_EQ(error_of("wheels: {}\n"), "m.yaml:1:1: unknown key 'wheels'");
  EXPECT_EQ(error_of("tip: {position: rb1}\n"),
            "m.yaml:1:1: unknown key 'tip'; if it is an output, write 'outputs:' above it and indent it");
}

TEST(InputSections, unknown_keys_inside) {
  EXPECT_EQ(error_of(body_with("masss: 2")), "m.yaml:3:5: body 'rb1': unknown key 'masss' (did you mean 'mass'?)");
  EXPECT_EQ(error_of(hinge_with("axis: z, ratio: 3")),
            "m.yaml:4:14: joint 'hinge': unknown key 'ratio' (known: axis, at, motion, revolute)");
  EXPECT_EQ(error_of("simulation: {duration: 1, stepp: 1}\n"),
            "m.yaml:1:27: simulation: unknown key 'stepp' (did you mean 'step'?)");
}

TEST(InputSections, missing_keys) {
  EXPECT_EQ(error_of("bodies:\n  rb1: {mass: 1}\n"), "m.yaml:2:8: body 'rb1': 'at' is missing");
  EXPECT_EQ(error_of("bodies:\n  rb1:\n    color: red\n"), "m.yaml:3:5: body 'rb1': 'mass' and 'at' are missing");
  EXPECT_EQ(error_of(hinge_with("motion: 0")), "m.yaml:3:10: joint 'hinge': 'axis' is missing");
  EXPECT_EQ(error_of("simulation: {duration: 1}\n"), "m.yaml:1:13: simulation: 'step' is missing");
  const Language strict = {.top = {{.key = "title", .type = FieldType::text, .required = true}}, .sections = {}};
  try {
    read_text("parameters: {}\n", "m.yaml", strict);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "m.yaml:1:1: 'title' is missing");
  }
}

TEST(InputSections, wrong_shapes) {
  EXPECT_EQ(error_of("bodies: [a, b]\n"),
            "m.yaml:1:9: 'bodies' is a list, but its entries have names: write 'name: …' instead of '- …'");
  EXPECT_EQ(error_of("bodies:\n"), "m.yaml:1:1: 'bodies' has no entries: indent them below it by spaces, or remove this line");
  EXPECT_EQ(error_of("bodies: {}\n"), "no error");
  EXPECT_EQ(error_of("bodies: {rb1: 3}\n"), "m.yaml:1:15: body 'rb1' must be a mapping, found '3'");
  EXPECT_EQ(error_of("bodies: {rb1: }\n"), "m.yaml:1:10: body 'rb1' has no value");
  EXPECT_EQ(error_of("joints: {hinge: [a, b]}\n"),
            "m.yaml:1:17: joint 'hinge' must be a mapping with one of revolute, gear, found a list of 2");
  EXPECT_EQ(error_of("simulation: 3\n"), "m.yaml:1:13: 'simulation' must be a mapping, found '3'");
}

TEST(InputSections, names_of_entries) {
  EXPECT_EQ(error_of("bodies: {rear-axle_2: {mass: 1, at: [0, 0, 0]}}\n"), "no error");
  EXPECT_EQ(error_of("bodies: {2b: {mass: 1, at: [0, 0, 0]}}\n"),
            "m.yaml:1:10: body '2b': a name has letters, digits, _ and - and does not begin with a digit");
  EXPECT_EQ(error_of("bodies: {left.axle: {mass: 1, at: [0, 0, 0]}}\n"), "no error") << "as entries of an instance are called";
  EXPECT_EQ(
      error_of("bodies: {a: {mass: 1, at: [0, 0, 0]}, a.b: {mass: 1, at: [0, 0, 0]}}\n"),
      "m.yaml:1:39: body 'a.b': what is before the dot is the name of a body, 'a'; numbers of both would have the same names");
  EXPECT_EQ(error_of("joints: {a.: {}}\n"),
            "m.yaml:1:10: joint 'a.': a name has letters, digits, _ and - and does not begin with a digit");
  EXPECT_EQ(error_of("points: {\"\": [1, 2, 3]}\n"),
            "m.yaml:1:10: point '': a name has letters, digits, _ and - and does not begin with a digit");
  EXPECT_EQ(error_of("bodies: {ground: {mass: 1, at: [0, 0, 0]}}\n"),
            "m.yaml:1:10: body 'ground': this name is reserved for the ground");
}

TEST(InputSections, exactly_one_tag) {
  EXPECT_EQ(error_of("joints:\n  hinge: {axis: z}\n"), "m.yaml:2:10: joint 'hinge' must have one of the keys revolute, gear");
  EXPECT_EQ(error_of("joints:\n  hinge: {revolut: [a, b], axis: z}\n"),
            "m.yaml:2:11: joint 'hinge': unknown key 'revolut' (did you mean 'revolute'?)");
  EXPECT_EQ(error_of("joints:\n  hinge: {revolute: [a, b], gear: [a, b]}\n"),
            "m.yaml:2:29: joint 'hinge': both 'revolute' and 'gear' give its type, only one may");
}

TEST(InputSections, a_word_may_be_the_tag_of_one_kind_and_a_field_of_another) {
  const Description model = read(force_being("bushing: [a, b]") + "outputs: {o: {position: [1, 2], force: f}}\n");
  const Item& output = model.section("outputs")[0];
  EXPECT_EQ(output.kind, "force");
  EXPECT_EQ(output.subject.word, "f");
  EXPECT_EQ(output.find("position")->numbers.size(), 2U);
}

TEST(InputSections, references_to_bodies) {
  const std::string bodies = "\nbodies: {rb1: {mass: 1, at: [0, 0, 0]}, rb5: {mass: 1, at: [0, 0, 0]}}\n";
  const auto joint = [&](const std::string& pair) {
    return error_of("joints: {hinge35: {revolute: " + pair + ", axis: z, at: [0, 0, 0]}}" + bodies);
  };
  EXPECT_EQ(joint("[ground, rb5]"), "no error") << "bodies may come after joints";
  EXPECT_EQ(joint("[rb1, rb55]"), "m.yaml:1:36: joint 'hinge35': unknown body 'rb55' (did you mean 'rb5'?)");
  EXPECT_EQ(joint("[rb1, wheel]"), "m.yaml:1:36: joint 'hinge35': unknown body 'wheel' (known: rb1, rb5, ground)");
  EXPECT_EQ(joint("[rb1, rb1]"), "m.yaml:1:36: joint 'hinge35': 'revolute' must name two different bodies, found 'rb1' twice");
  EXPECT_EQ(
      joint("[rb1]"),
      "m.yaml:1:30: joint 'hinge35': 'revolute' must be a list of two bodies, one of which may be ground, found a list of 1");
  EXPECT_EQ(joint("rb1"),
            "m.yaml:1:30: joint 'hinge35': 'revolute' must be a list of two bodies, one of which may be ground, found 'rb1'");
  EXPECT_EQ(joint("[rb1, [rb5]]"), "m.yaml:1:36: joint 'hinge35': 'revolute' must be the name of a body, found a list of 1");
}

TEST(InputSections, references_to_joints_and_forces) {
  EXPECT_EQ(error_of(hinge_with("axis: z") + "outputs: {o: {reaction: hing}}\n"),
            "m.yaml:5:25: output 'o': unknown joint 'hing' (did you mean 'hinge'?)");
  EXPECT_EQ(error_of(hinge_with("axis: z") + "outputs: {o: {force: hinge}}\n"),
            "m.yaml:5:22: output 'o': unknown force 'hinge' (the model has no forces)");
  EXPECT_EQ(error_of(hinge_with("axis: z") + "  g: {gear: [hinge, rod], ratio: 2}\n"),
            "m.yaml:5:21: joint 'g': unknown joint 'rod' (known: hinge, g)");
  EXPECT_EQ(error_of(hinge_with("axis: z") + "  g: {gear: [hinge, hinge], ratio: 2}\n"),
            "m.yaml:5:21: joint 'g': 'gear' must name two different joints, found 'hinge' twice");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::input
