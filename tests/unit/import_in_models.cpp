// `urdf:` and `mjcf:` in a model: entries of both, and mistakes with the file they are in.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <aleator/import.hpp>
#include <aleator/simulation.hpp>

#include "model/language.hpp"
#include "model/model.hpp"
#include "model/plausibility.hpp"
#include "study/loaded_model.hpp"
#include "support/message_of.hpp"
#include "support/run.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const std::string arm =
    "<robot name='r'>\n"
    " <link name='base'/>\n"
    " <link name='upper'><inertial><origin xyz='0 0 -0.5'/><mass value='2'/><inertia ixx='0.1' iyy='0.1' "
    "izz='0.01'/></inertial></link>\n"
    " <joint name='shoulder' type='continuous'><parent link='base'/><child link='upper'/><axis xyz='0 1 0'/></joint>\n"
    "</robot>\n";

// Of a model beside arm.urdf, read from the disk.
std::string told(const std::string& model, const std::string& urdf = arm) {
  const TemporaryFolder folder;
  folder.write("arm.urdf", urdf);
  const std::string file = folder.write("m.yaml", model);
  std::string message = message_of<aleator::InputError>([&] { input::read_file(file, language()); });
  for (size_t at = message.find(folder.path() + "/"); at != std::string::npos; at = message.find(folder.path() + "/"))
    message.erase(at, folder.path().size() + 1);
  return message;
}

const std::string rest = "simulation: {duration: 1}\n";

TEST(ImportInModels, entries_of_both_belong_to_the_model) {
  const TemporaryFolder folder;
  folder.write("arm.urdf", arm);
  const std::string file = folder.write("m.yaml",
                                        "urdf: {file: arm.urdf, positions: {shoulder: 90 deg}}\nbodies: {load: {shape: {sphere: "
                                        "{radius: 0.1}}, mass: 1, at: [-1, 0, 0]}}\n"
                                        "joints: {weld: {fixed: [upper, load]}}\noutputs: {load: {position: load}}\n" +
                                            rest);
  const input::Description d = input::read_file(file, language());
  EXPECT_EQ(d.section("bodies").size(), 2U);
  EXPECT_EQ(d.section("joints").size(), 2U);
  EXPECT_EQ(d.section("outputs").size(), 1U);  // those of the description are for models without any
  ASSERT_EQ(d.files.size(), 1U);
  EXPECT_EQ(d.files[0].name, "arm.urdf");
  // From what was recorded, wherever it is read.
  const input::Description again = input::read_text(d.text, "elsewhere/m.yaml", language(), {}, &d.files);
  EXPECT_EQ(again.section("bodies").size(), 2U);
}

TEST(ImportInModels, mistakes_point_to_their_file) {
  EXPECT_EQ(told("urdf: arm.urdf\njoints: {j: {fixed: [uper, ground]}}\n" + rest),
            "m.yaml:2:22: joint 'j': unknown body 'uper' (did you mean 'upper'?)");
  EXPECT_EQ(told("urdf: arm.urdf\nbodies: {upper: {mass: 1}}\n" + rest),
            "m.yaml:2:10: 'upper' is given twice (also in arm.urdf:3:2)");
  EXPECT_EQ(told("urdf: arm.urdf\n" + rest, "<robot>\n<lnk/>\n</robot>"),
            "arm.urdf:2:1: unknown element <lnk> (did you mean 'link'?)");
  EXPECT_EQ(told("urdf: nothing.urdf\n" + rest),
            "m.yaml:1:7: 'urdf' cannot be read: nothing.urdf: cannot be opened: No such file or directory");
  EXPECT_EQ(told("urdf: {file: arm.urdf, positions: {elbow: 1}}\n" + rest),
            "m.yaml:1:7: there is no joint 'elbow' with a position (known: shoulder)");
  EXPECT_EQ(told("urdf: {file: arm.urdf, bas: fixed}\n" + rest), "m.yaml:1:24: urdf: unknown key 'bas' (did you mean 'base'?)");
  EXPECT_EQ(told("mjcf: arm.urdf\n" + rest), "m.yaml:1:7: 'mjcf' must be MJCF, and this file is URDF: write `urdf:`");
}

// What is left out is told of a model as the command `import` tells it, with what would be written in the model.
TEST(ImportInModels, notes_belong_to_the_model) {
  const TemporaryFolder folder;
  std::string urdf = arm;
  urdf.insert(urdf.find("</robot>"), " <transmission name='t'/>\n <unheard_of/>\n");
  folder.write("arm.urdf", urdf);
  const std::string file = folder.write("m.yaml", "urdf: arm.urdf\n" + rest);
  const std::string path = folder / "arm.urdf";
  const std::vector<std::string> expected = {
      path + ":5:2: note: <transmission> is left out: actuators are `actuator` or `motion` of a joint here",
      path + ":6:2: note: <unheard_of> is left out", path + ":2:2: note: link 'base' has no mass: it is the ground"};
  const aleator::Model model = aleator::load_model(file);
  EXPECT_EQ(model.notes(), expected);
  std::vector<std::string> told;
  aleator::SimulateOptions options;
  options.on_note = [&](std::string_view text) { told.emplace_back(text); };
  aleator::simulate(model, options);
  EXPECT_EQ(told, expected);
  // Of a description that is imported as a whole.
  EXPECT_EQ(aleator::import_model(path).notes(), expected);
}

// Of many, only check prints all.
TEST(ImportInModels, many_notes_are_counted) {
  Model model = model_from("bodies: {a: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\njoints: {j: {fixed: [ground, a]}}\n" + rest);
  for (int i = 1; i <= 8; ++i) model.description.notes.push_back(fmt::format("r.urdf:{}:1: note: <x{}> is left out", i, i));
  const std::vector<std::string> notes = notes_about(model);
  ASSERT_EQ(notes.size(), 6U);
  EXPECT_EQ(notes[4], "r.urdf:5:1: note: <x5> is left out");
  EXPECT_NE(notes[5].find("and 3 more about imported files; `aleator check"), std::string::npos) << notes[5];
  EXPECT_EQ(notes_about(model, 8).size(), 8U);
}

TEST(ImportInModels, remedies_are_those_of_a_model) {
  const std::string wrong =
      "<robot name='r'>\n<link name='a'><inertial><mass value='1'/><inertia ixx='1' iyy='1' "
      "izz='3'/></inertial></link>\n</robot>\n";
  EXPECT_TRUE(told("urdf: arm.urdf\n" + rest, wrong).ends_with("`repair: true` takes these"));
  const std::string mesh =
      "<robot name='r'>\n<link name='a'><visual><geometry><mesh "
      "filename='package://p/a.stl'/></geometry></visual></link>\n</robot>\n";
  EXPECT_TRUE(told("urdf: arm.urdf\n" + rest, mesh)
                  .ends_with("the package 'p' (`packages: DIR`), or leave meshes out (`meshes: false`)"));
}

TEST(ImportInModels, links_without_mass_are_points) {
  EXPECT_EQ(
      told("urdf: arm.urdf\noutputs: {foot: {position: base}}\n" + rest),
      "m.yaml:2:28: output 'foot': unknown body 'base'; it is a point: name the body that it belongs to, and write at: base");
}

// URDF states no gravity; that of the model counts before that of MJCF.
TEST(ImportInModels, gravity) {
  const auto gravity = [](const std::string& model) {
    const TemporaryFolder folder;
    folder.write("arm.urdf", arm);
    folder.write("moon.xml",
                 "<mujoco><option gravity='0 0 -1.62'/><worldbody><body name='b'><joint name='j'/>"
                 "<geom type='sphere' size='0.1'/></body></worldbody></mujoco>");
    return aleator::load_model(folder.write("m.yaml", model + rest)).compiled().model.nominal.gravity.z;
  };
  EXPECT_EQ(gravity("urdf: arm.urdf\n"), -9.81);
  EXPECT_EQ(gravity("mjcf: moon.xml\n"), -1.62);
  EXPECT_EQ(gravity("urdf: arm.urdf\nmjcf: moon.xml\n"), -1.62);
  EXPECT_EQ(gravity("mjcf: moon.xml\nurdf: arm.urdf\n"), -1.62);
  EXPECT_EQ(gravity("gravity: [0, 0, -3]\nurdf: arm.urdf\nmjcf: moon.xml\n"), -3);
}

// A model has one `mjcf:` and one `urdf:`, also where it includes others.
TEST(ImportInModels, two_descriptions_of_one_format_are_refused) {
  const TemporaryFolder folder;
  folder.write("part.yaml", "urdf: {file: arm.urdf}\n");
  folder.write("arm.urdf", arm);
  const std::string file = folder.write("m.yaml", "include: part.yaml\nurdf: {file: arm.urdf}\n" + rest);
  EXPECT_NE(message_of<aleator::InputError>([&] { aleator::load_model(file); }).find("is given twice"), std::string::npos);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
