// `urdf:` and `mjcf:` in a model: entries of both, and mistakes with the file they are in.
#include <gtest/gtest.h>

#include "model/language.hpp"
#include "model/model.hpp"
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
            "arm.urdf:1:1: there is no <link> in this robot\narm.urdf:2:1: unknown element <lnk> (did you mean 'link'?)");
  EXPECT_EQ(told("urdf: nothing.urdf\n" + rest),
            "m.yaml:1:7: 'urdf' cannot be read: nothing.urdf: cannot be opened: No such file or directory");
  EXPECT_EQ(told("urdf: {file: arm.urdf, positions: {elbow: 1}}\n" + rest),
            "m.yaml:1:7: there is no joint 'elbow' with a position (known: shoulder)");
  EXPECT_EQ(told("urdf: {file: arm.urdf, bas: fixed}\n" + rest), "m.yaml:1:24: urdf: unknown key 'bas' (did you mean 'base'?)");
  EXPECT_EQ(told("mjcf: arm.urdf\n" + rest), "m.yaml:1:7: 'mjcf' must be MJCF, and this file is URDF: write `urdf:`");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
