// What is read of URDF, and what is said of files that are wrong.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>

#include <aleator/import.hpp>

#include "import/model_text.hpp"
#include "support/message_of.hpp"
#include "support/run.hpp"
#include "support/sanitized.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

using importing::FileSource;
using importing::ImportedModel;

// Of a text, with files that are there by name.
ImportedModel imported(const std::string& text, importing::ImportOptions options = {},
                       const std::vector<std::string>& files = {}) {
  const FileSource source{[=](const std::string& name) { return std::find(files.begin(), files.end(), name) != files.end(); },
                          [](const std::string&) { return std::string(); }};
  return importing::model_of(importing::read_description("r.urdf", text, source, options), options,
                             [](const std::string& f) { return f; });
}

std::string refusal(const std::string& text, const importing::ImportOptions& options = {}) {
  return message_of<aleator::InputError>([&] { imported(text, options); });
}

std::string all_of(const ImportedModel& m, const std::string& name) {
  std::string out;
  for (const importing::ModelEntry& e : m.entries)
    if (e.name == name) out += importing::text_of(e);
  return out;
}

std::string notes_of(const ImportedModel& m) {
  std::string out;
  for (const std::string& line : importing::lines_of(m.notes)) out += line + "\n";
  return out;
}

const std::string unit_mass = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>";
std::string robot(const std::string& inside) { return "<robot name='r'>\n" + inside + "</robot>\n"; }
std::string link(const std::string& name, const std::string& inside = unit_mass) {
  return "<link name='" + name + "'>" + inside + "</link>\n";
}
std::string joint(const std::string& name, const std::string& type, const std::string& parent, const std::string& child,
                  const std::string& more = "") {
  return fmt::format("<joint name='{}' type='{}'><parent link='{}'/><child link='{}'/>{}</joint>\n", name, type, parent, child,
                     more);
}

TEST(ImportUrdf, mistakes_have_a_line_and_a_remedy) {
  EXPECT_EQ(
      refusal(robot(link("a") + joint("j", "revolut", "a", "b"))),
      "r.urdf:3:17: joint 'j': type must be one of revolute, continuous, prismatic, fixed, floating, planar, found 'revolut'");
  EXPECT_EQ(refusal(robot(link("arm") + joint("j", "fixed", "arn", "arm"))),
            "r.urdf:3:38: joint 'j': there is no link 'arn' (did you mean 'arm'?)");
  EXPECT_EQ(refusal(robot(link("a") + link("b") + joint("j", "fixed", "a", "b") + joint("k", "fixed", "b", "a"))),
            "r.urdf:4:1: every link has a parent: joints form a cycle; one link must be the root");
  EXPECT_EQ(refusal(robot(link("a") + link("b") + link("c") + joint("j", "fixed", "a", "c") + joint("k", "fixed", "b", "c"))),
            "r.urdf:6:55: link 'c' has two parents, by joints 'j' and 'k'; links of URDF are a tree: close loops in the model "
            "(`urdf:` and `joints:`)");
  EXPECT_EQ(refusal(robot(link("a") + link("b"))),
            "r.urdf:3:1: links 'a' and 'b' have no parent; a robot has one root: join them, by a floating joint if they move "
            "independently");
  EXPECT_EQ(refusal(robot(link("a", "<inertial><mass value='-2'/></inertial>"))),
            "r.urdf:2:32: link 'a': the mass must not be negative, found -2");
  EXPECT_EQ(refusal(robot(link("a", "<inertial><mass value='nan'/></inertial>"))),
            "r.urdf:2:32: <mass>: 'value' must be made of finite numbers, found 'nan'");
  EXPECT_EQ(refusal(robot(link("a", "<inertail/>"))), "r.urdf:2:16: unknown element <inertail> (did you mean 'inertial'?)");
  EXPECT_EQ(refusal(robot(link("a") + link("b", "") + joint("j", "continuous", "a", "b"))),
            "r.urdf:3:1: link 'b' can move and nothing on it has a mass; give it an <inertial>, or make joint 'j' fixed");
  EXPECT_EQ(refusal(robot("")), "r.urdf:1:1: there is no <link> in this robot");
  EXPECT_EQ(refusal(robot(link("a") + link("b") + joint("j", "continuous", "a", "b", "<axis xyz='0 0 0'/>"))),
            "r.urdf:4:76: joint 'j': the axis must not be zero");
}

TEST(ImportUrdf, several_mistakes_are_told_at_once) {
  EXPECT_EQ(refusal(robot(link("a", "<inertial><mass value='-2'/></inertial>") + link("a") + joint("j", "fixed", "a", "b"))),
            "r.urdf:2:32: link 'a': the mass must not be negative, found -2\n"
            "r.urdf:3:7: there are two links 'a'; names must differ\n"
            "r.urdf:4:55: joint 'j': there is no link 'b' (known: a)");
}

// A name that is not known would leave its value at a default that nobody asked for.
TEST(ImportUrdf, misspelt_attributes_are_mistakes_and_others_are_noted) {
  const auto of_joint = [](const std::string& inside) {
    return refusal(robot(link("a") + link("b") + joint("j", "revolute", "a", "b", inside)));
  };
  EXPECT_EQ(of_joint("<origin xzy='0 0 1'/>"), "r.urdf:4:76: <origin>: unknown attribute 'xzy' (did you mean 'xyz'?)");
  EXPECT_EQ(of_joint("<limit lowr='-1' uppr='1'/>"),
            "r.urdf:4:75: <limit>: unknown attribute 'lowr' (did you mean 'lower'?)\n"
            "r.urdf:4:85: <limit>: unknown attribute 'uppr' (did you mean 'upper'?)");
  EXPECT_EQ(of_joint("<limit lower='-1' lower='1'/>"), "r.urdf:4:75: <limit>: the attribute 'lower' is given twice");
  EXPECT_EQ(of_joint("<origin quat_xyzw='0 0 0 1'/>"),
            "r.urdf:4:76: <origin>: 'quat_xyzw' is not read; write the orientation as 'rpy'");
  EXPECT_EQ(refusal(robot(link("a", "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' izy='0.1'/></inertial>"))),
            "r.urdf:2:76: <inertia>: unknown attribute 'izy' (did you mean 'iyz'?)");
  EXPECT_EQ(refusal(robot(link("a", unit_mass + "<visual><geometry><mesh filename='a.stl' sclae='1 1 1'/></geometry></visual>"))),
            "r.urdf:2:129: <mesh>: unknown attribute 'sclae' (did you mean 'scale'?)");
  EXPECT_EQ(refusal(robot("<link nam='a'/>")), "r.urdf:2:7: <link>: unknown attribute 'nam' (did you mean 'name'?)");
  EXPECT_EQ(notes_of(imported("<robot name='r' xmlns:x='http://x' version='1.0' of='us'>\n" + link("a") + link("b") +
                              "<joint name='j' type='continuous' x:y='1'><parent link='a'/><child link='b'/>"
                              "<axis xyz='0 0 1' stiffness='1'/>\n<dynamics damping='1' stiffness='2'/></joint></robot>")),
            "r.urdf:1:50: <robot>: the attribute 'of' is left out\n"
            "r.urdf:4:96: <axis>: the attribute 'stiffness' is left out\n"
            "r.urdf:5:23: <dynamics>: the attribute 'stiffness' is left out\n"
            "r.urdf:2:1: link 'a', the root, is fixed to the ground; `--base floating` lets it move\n");
}

TEST(ImportUrdf, what_is_given_twice_is_refused_with_both_lines) {
  const auto given = [](const std::string& inside) {
    return refusal(robot(link("a") + link("b") + joint("j", "revolute", "a", "b", inside)));
  };
  for (const std::string name : {"parent", "child", "axis", "origin", "limit", "dynamics", "mimic"}) {
    const std::string attribute = name == "parent" || name == "child" ? " link='a'" : name == "mimic" ? " joint='k'" : "";
    const std::string element = "\n<" + name + attribute + "/>", there = name == "parent" || name == "child" ? "" : element;
    EXPECT_EQ(given(there + element), fmt::format("r.urdf:{}:1: joint 'j': <{}> is given twice (first in line {})",
                                                  there.empty() ? 5 : 6, name, there.empty() ? 4 : 5));
  }
  EXPECT_EQ(refusal(robot(link("a", unit_mass + "\n" + unit_mass))),
            "r.urdf:3:1: link 'a': <inertial> is given twice (first in line 2)");
  EXPECT_EQ(refusal(robot(link("a", "<inertial>\n<mass value='1'/>\n<mass value='2'/></inertial>"))),
            "r.urdf:4:1: <inertial>: <mass> is given twice (first in line 3)");
}

TEST(ImportUrdf, moments_of_inertia_are_not_taken_for_zero) {
  const auto inertia = [](const std::string& attributes) {
    return robot(link("a", "<inertial><mass value='1'/><inertia" + attributes + "/></inertial>"));
  };
  EXPECT_EQ(refusal(inertia(" ixx='1' iyy='1'")),
            "r.urdf:2:43: link 'a': <inertia> needs 'izz'; only 'ixy', 'ixz' and 'iyz' may be left out, and are 0 then");
  EXPECT_EQ(
      refusal(inertia("")),
      "r.urdf:2:43: link 'a': <inertia> needs 'ixx', 'iyy', 'izz'; only 'ixy', 'ixz' and 'iyz' may be left out, and are 0 then");
  EXPECT_EQ(refusal(inertia(" ixx='1' iyy='1' izz='1'")), no_error);
}

TEST(ImportUrdf, joints_do_not_follow_each_other_in_a_circle) {
  const auto followers = [](const std::string& i, const std::string& j, const std::string& k) {
    const auto mimic = [](const std::string& name) { return name.empty() ? "" : "<mimic joint='" + name + "'/>"; };
    return robot(link("a") + link("b") + link("c") + link("d") + joint("i", "continuous", "a", "b", mimic(i)) +
                 joint("j", "continuous", "b", "c", mimic(j)) + joint("k", "continuous", "c", "d", mimic(k)));
  };
  EXPECT_EQ(refusal(followers("", "k", "j")),
            "r.urdf:7:70: <mimic>: joints 'j' and 'k' follow each other in a circle; one of them must move by itself");
  EXPECT_EQ(refusal(followers("j", "k", "j")), refusal(followers("", "k", "j")));
  EXPECT_EQ(refusal(followers("j", "j", "")), "r.urdf:7:70: joint 'j' follows itself");
  EXPECT_EQ(refusal(followers("j", "k", "")), no_error);
}

// What only follows from a mistake is not told with it.
TEST(ImportUrdf, causes_are_told_without_their_consequences) {
  const std::string links = link("a") + link("b") + link("c"), j = joint("j", "continuous", "a", "b");
  EXPECT_EQ(refusal(robot(links + j + "<joint type='fixed'><parent link='b'/><child link='c'/></joint>")),
            "r.urdf:6:1: <joint> needs the attribute 'name'");
  EXPECT_EQ(refusal(robot(links + j + "<joint name='k'><parent link='b'/><child link='c'/></joint>")),
            "r.urdf:6:1: <joint> needs the attribute 'type'");
  EXPECT_EQ(refusal(robot(links + j + joint("j", "fixed", "b", "c"))), "r.urdf:6:8: there are two joints 'j'; names must differ");
  EXPECT_EQ(refusal(robot(link("a") + "<link>" + unit_mass + "</link>\n" + j)), "r.urdf:3:1: <link> needs the attribute 'name'");
  EXPECT_EQ(refusal(robot(links + j + "<jont name='k' type='fixed'/>")),
            "r.urdf:6:1: unknown element <jont> (did you mean 'joint'?)");
}

TEST(ImportUrdf, macros_are_to_be_expanded_wherever_they_are) {
  EXPECT_EQ(refusal(robot(link("a", unit_mass + "<xacro:box_inertia m='1'/>"))),
            "r.urdf:2:88: <xacro:box_inertia> is a macro; expand it first: xacro robot.urdf.xacro > robot.urdf");
  EXPECT_EQ(refusal(robot(link("a") + link("b") + joint("j", "continuous", "a", "b", "<xacro:limits/>"))),
            "r.urdf:4:70: <xacro:limits> is a macro; expand it first: xacro robot.urdf.xacro > robot.urdf");
}

TEST(ImportUrdf, a_robot_without_mass_is_refused) {
  const std::string remedy =
      "r.urdf:1:1: no link of this robot has a mass, so nothing of it can move; give <inertial> with <mass value=\"…\"/> and "
      "<inertia …/> to those that are bodies";
  EXPECT_EQ(refusal(robot(link("a", ""))), remedy);
  EXPECT_EQ(refusal(robot(link("a", "") + link("b", "") + joint("j", "continuous", "a", "b"))), remedy);
}

// Two wheels on axes that cross hold their frame; one alone does not.
TEST(ImportUrdf, a_frame_without_mass_does_not_float_on_one_joint) {
  importing::ImportOptions floating;
  floating.base = importing::Base::floating;
  const std::string one = link("frame", "") + link("a") + joint("j", "continuous", "frame", "a", "<axis xyz='0 1 0'/>");
  EXPECT_EQ(refusal(robot(one), floating),
            "r.urdf:2:1: link 'frame' has no mass and floats, and one joint alone is between it and what has a mass: nothing "
            "resists its motion; give it an <inertial>, or make that joint fixed");
  EXPECT_EQ(refusal(robot(one)), no_error);
  EXPECT_EQ(refusal(robot(one + link("b") + joint("k", "continuous", "frame", "b", "<axis xyz='1 0 0'/>")), floating), no_error);
}

TEST(ImportUrdf, what_is_no_xml_is_refused) {
  EXPECT_EQ(refusal("<robot><link></robot>"), "r.urdf:1:16: this is not well-formed XML: Start-end tags mismatch");
  EXPECT_EQ(refusal("<!DOCTYPE r [\n <!ENTITY a 'aaaaaaaaaa'>\n <!ENTITY b '&a;&a;&a;'>\n]><robot>&b;</robot>"),
            "r.urdf:2:2: entities are not expanded: write what they stand for, or expand them first (xmllint --noent)");
  EXPECT_EQ(refusal("<html/>"),
            "r.urdf:1:1: the first element is <html>: robot descriptions begin with <robot> (URDF) or <mujoco> (MJCF)");
  EXPECT_EQ(refusal(std::string("<robot>\0</robot>", 16)), "r.urdf:1:8: this is not text: a zero byte");
  EXPECT_EQ(refusal("<?xml version='1.0' encoding='ISO-8859-1'?>\n<robot name='K\xF6rper'/>"),
            "r.urdf:2:15: byte 0xF6 is not valid UTF-8; convert the file, whatever encoding it names (iconv -f ISO-8859-1 -t "
            "UTF-8, say)");
  EXPECT_EQ(refusal("<robot name='\x07'/>"), "r.urdf:1:14: control character 0x07 in the text");
  std::string deep = "<robot>";
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  for (int i = 0; i < 100'000; ++i) deep += "</a>";
  EXPECT_EQ(refusal(deep + "</robot>"), "r.urdf:1:605: elements are nested too deeply: at most 200 levels are read");
}

// Files that would take long are refused before they do: all four in less than a second on an idle machine.
TEST(ImportUrdf, what_is_too_large_is_refused_at_once) {
  double seconds = 0;
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& name, const std::string& before, const std::string& each, std::size_t bytes,
                           const std::string& after) {
    std::string text = before;
    text.reserve(bytes + 1000);
    for (std::size_t i = 0; text.size() < bytes; ++i) {
      std::string one = each;
      for (std::size_t at = one.find('#'); at != std::string::npos; at = one.find('#')) one.replace(at, 1, std::to_string(i));
      text += one;
    }
    const std::string file = folder.write(name, text + after);
    const std::clock_t start = std::clock();  // of the processor: others may load the machine
    std::string message = message_of<aleator::InputError>([&] { import_text(file); });
    seconds += double(std::clock() - start) / CLOCKS_PER_SEC;
    if (const std::size_t at = message.find(folder.path() + "/"); at != std::string::npos)
      message.erase(at, folder.path().size() + 1);
    return message;
  };
  const std::string links = "<link name='l#'/>\n<joint name='j#' type='fixed'><parent link='l#'/><child link='l#'/></joint>\n";
  EXPECT_EQ(refused("a.urdf", "<robot>\n", links, 100'000'000, "</robot>"), "a.urdf: is larger than 64 MiB");
  EXPECT_EQ(refused("b.urdf", "<robot>\n", links, 60'000'000, "</robot>"),
            "b.urdf:100001:58: at most 200000 elements are read; is this a robot? Leave out what is no link or joint, or divide "
            "it into "
            "several descriptions");
  EXPECT_EQ(refused("c.urdf", "<robot>\n", "<link name='l#'/>\n", 500'000, "</robot>"),
            "c.urdf:20002:1: a robot has at most 20000 links here; divide it into several descriptions");
  EXPECT_EQ(refused("d.xml", "<mujoco><worldbody>\n", "<body name='b#'><joint/><geom size='1'/></body>\n", 1'500'000,
                    "</worldbody></mujoco>"),
            "d.xml:20001:1: a robot has at most 20000 links here; divide it into several descriptions");
#if !defined(ALEATOR_ADDRESS_SANITIZER)  // which makes everything slow
  EXPECT_LT(seconds, 10);
#endif
}

TEST(ImportUrdf, impossible_inertias_are_named_and_repaired_if_asked_for) {
  const std::string text = robot(link("a", "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='3'/></inertial>"));
  EXPECT_EQ(refusal(text),
            "r.urdf:2:43: link 'a': no physical body has this inertia: its principal moments are 1, 1 and 3, and the largest "
            "exceeds the sum of the other two; the "
            "nearest possible ones are 1.5, 1.5 and 3 (21.3 % away): --repair takes these");
  // Z = ½ tr J I − J has the eigenvalues 1.5, 1.5, −0.5; without the last one J = tr Z I − Z has 1.5, 1.5, 3.
  importing::ImportOptions repair;
  repair.repair = true;
  const ImportedModel m = imported(text, repair);
  EXPECT_NE(all_of(m, "a").find("inertia: {xx: 1.5, yy: 1.5, zz: 3}"), std::string::npos) << all_of(m, "a");
  EXPECT_NE(notes_of(m).find("replaced by the nearest possible ones, 1.5, 1.5 and 3 (21.3 % away)"), std::string::npos)
      << notes_of(m);
}

TEST(ImportUrdf, packages_are_found_and_do_not_lead_out) {
  const auto with_mesh = [](const std::string& name) {
    return robot(
        link("a", unit_mass + "<visual><geometry><mesh filename='" + name + "' scale='0.001 0.001 0.001'/></geometry></visual>"));
  };
  importing::ImportOptions options;
  options.packages = {"packages"};
  const ImportedModel m = imported(with_mesh("package://bot/meshes/a.STL"), options, {"packages/bot/meshes/a.STL"});
  EXPECT_NE(all_of(m, "a").find("mesh: \"packages/bot/meshes/a.STL\", scale: 0.001"), std::string::npos) << all_of(m, "a");
  EXPECT_EQ(
      refusal(with_mesh("package://bot/../../etc/a.stl"), options),
      "r.urdf:2:112: 'package://bot/../../etc/a.stl' leads out of the folder of its package; write package://NAME/folder/file");
  EXPECT_TRUE(refusal(with_mesh("model://bot/a.stl")).starts_with("r.urdf:2:112: the mesh 'model://bot/a.stl' was not found; "));
  EXPECT_EQ(refusal(with_mesh("package://bot/a.stl")),
            "r.urdf:2:112: the mesh 'package://bot/a.stl' was not found; give the folder that contains the package 'bot' "
            "(--package-path DIR), or leave meshes out "
            "(--no-meshes)");
  EXPECT_EQ(refusal(with_mesh("a.stl")),
            "r.urdf:2:112: there is no mesh 'a.stl'; names are relative to the folder of the description, and --no-meshes leaves "
            "them out");
  EXPECT_EQ(refusal(with_mesh("../../../a.stl")),
            "r.urdf:2:112: the mesh '../../../a.stl' is far outside of the folder of the description; --package-path DIR allows "
            "the folder it is in");
  options.meshes = false;
  EXPECT_EQ(all_of(imported(with_mesh("a.stl"), options), "a").find("mesh"), std::string::npos);
}

TEST(ImportUrdf, what_is_left_out_is_listed) {
  const ImportedModel m = imported(robot(link("a") + "<transmission name='t'/>\n<gazebo/>\n<gazebo/>\n<unheard_of/>\n"));
  EXPECT_EQ(notes_of(m),
            "r.urdf:3:1: <transmission> is left out: actuators are `actuator` or `motion` of a joint here\n"
            "r.urdf:4:1: <gazebo> is left out: settings of another simulator (also line 5)\n"
            "r.urdf:6:1: <unheard_of> is left out\n"
            "r.urdf:2:1: link 'a', the root, is fixed to the ground; `--base floating` lets it move\n");
}

TEST(ImportUrdf, links_without_mass_belong_to_what_they_are_fixed_to) {
  const ImportedModel m = imported(robot(link("base", "") + link("a") + link("flange", "") +
                                         joint("j", "continuous", "base", "a", "<axis xyz='0 1 0'/>") +
                                         joint("k", "fixed", "a", "flange", "<origin xyz='1 2 3'/>")));
  EXPECT_EQ(all_of(m, "flange"), "  flange: [1, 2, 3]\n");
  EXPECT_EQ(all_of(m, "j"), "  j:  # line 5\n    revolute: [ground, a]\n    axis: y\n    at: [0, 0, 0]\n  j: {coordinate: j}\n");
  EXPECT_EQ(all_of(m, "k"), "");
}

TEST(ImportUrdf, a_floating_base_without_mass_is_the_link_fixed_to_it) {
  importing::ImportOptions floating;
  floating.base = importing::Base::floating;
  const ImportedModel m =
      imported(robot(link("footprint", "") + link("base") + joint("j", "fixed", "footprint", "base", "<origin xyz='0 0 0.5'/>")),
               floating);
  EXPECT_NE(all_of(m, "base").find("center_of_mass: [0, 0, 0.5]"), std::string::npos) << all_of(m, "base");
  EXPECT_EQ(all_of(m, "j"), "");
}

TEST(ImportUrdf, names_that_a_model_cannot_have_are_changed) {
  const ImportedModel m = imported(robot(link("1/a b")));
  EXPECT_NE(all_of(m, "_1_a_b"), "");
  EXPECT_NE(notes_of(m).find("link '1/a b' is called '_1_a_b'"), std::string::npos);
}

// The text is read as YAML: what has a meaning there is renamed where it would not be read as a name.
TEST(ImportUrdf, names_that_mean_something_in_yaml_are_readable) {
  for (const std::string name : {"null", "Null", "NULL", "true", "yes", "~", "1e3", "-", "ground", "y"}) {
    const ImportedModel m = imported(robot(link("base", "") + link(name) + link("b") +
                                           joint(name, "continuous", "base", name, "<axis xyz='0 1 0'/>") +
                                           joint("k", "continuous", name, "b", "<mimic joint='" + name + "'/>")));
    EXPECT_EQ(message_of<aleator::InputError>([&] { model_from(text_of(m)); }), no_error) << text_of(m);
  }
  const auto told = [](const std::string& links) { return notes_of(imported(robot(links))); };
  EXPECT_NE(told(link("null")).find("link 'null' is called 'null_': YAML takes 'null' for no value\n"), std::string::npos);
  EXPECT_NE(told(link("ground")).find("link 'ground' is called 'ground_': 'ground' is the fixed frame\n"), std::string::npos);
  EXPECT_NE(told(link("a b") + link("a_b") + joint("j", "fixed", "a b", "a_b"))
                .find("link 'a_b' is called 'a_b_': there is another one of this name\n"),
            std::string::npos);
}

TEST(ImportUrdf, limits_without_effect_are_noted) {
  const auto told = [](const std::string& type, const std::string& limit) {
    return notes_of(imported(robot(link("a") + link("b") + joint("j", type, "a", "b", limit))));
  };
  const std::string left_out = "r.urdf:4:70: <limit>: 'lower' and 'upper' are left out: a continuous joint has no limits here\n";
  EXPECT_NE(told("continuous", "<limit lower='-1' upper='1'/>").find(left_out), std::string::npos);
  EXPECT_NE(told("planar", "<limit lower='-1' upper='1'/>").find("a planar joint has no limits here"), std::string::npos);
  for (const char* none : {"<limit effort='1'/>", "<limit lower='0' upper='0'/>", "<limit lower='-1e16' upper='1e16'/>"})
    EXPECT_EQ(told("continuous", none).find("left out"), std::string::npos) << none;
}

TEST(ImportUrdf, materials_that_are_not_defined_are_told) {
  const auto of = [](const std::string& material, const std::string& inside = "") {
    return robot("<material name='blue'><color rgba='0 0 1 1'/></material>\n" +
                 link("a", unit_mass + "<visual><geometry><sphere radius='1'/></geometry>" + material + "</visual>" + inside));
  };
  EXPECT_EQ(refusal(of("<material name='bleu'/>")), "r.urdf:3:147: the material 'bleu' is not defined (did you mean 'blue'?)");
  EXPECT_NE(notes_of(imported(of("<material name='steel'/>")))
                .find("r.urdf:3:137: the material 'steel' is not defined: its colour is left out\n"),
            std::string::npos);
  EXPECT_EQ(refusal(of("<matrial name='blue'/>")), "r.urdf:3:137: unknown element <matrial> (did you mean 'material'?)");
  // One that a visual defines may be used before.
  const std::string later =
      "<visual><geometry><sphere radius='1'/></geometry><material name='steel'><color rgba='1 1 1 1'/></material></visual>";
  EXPECT_NE(all_of(imported(of("<material name='steel'/>", later)), "a").find("color: \"#ffffff\""), std::string::npos);
}

TEST(ImportUrdf, scales_of_meshes_are_in_the_range_of_numbers) {
  const auto scaled = [](const std::string& scale) {
    return refusal(
        robot(link("a", unit_mass + "<visual><geometry><mesh filename='a.stl' scale='" + scale + "'/></geometry></visual>")));
  };
  EXPECT_EQ(scaled("0 1 1"), "r.urdf:2:129: link 'a': 'scale' of <mesh> must have sizes from 1e-15 to 1e+15, found 0");
  EXPECT_EQ(scaled("1e-200 1e-200 1e-200"),
            "r.urdf:2:129: link 'a': 'scale' of <mesh> must have sizes from 1e-15 to 1e+15, found 1e-200");
}

TEST(ImportUrdf, limits_that_exclude_zero_move_the_drawing) {
  const std::string text =
      robot(link("a") + link("b") + joint("j", "revolute", "a", "b", "<limit lower='1' upper='3' effort='1' velocity='1'/>"));
  const ImportedModel m = imported(text);
  EXPECT_NE(all_of(m, "j").find("# drawn at 2 rad\n    stops: {lower: -1, upper: 1,"), std::string::npos) << all_of(m, "j");
  importing::ImportOptions options;
  options.positions = {{"j", 1.5}};
  EXPECT_NE(all_of(imported(text, options), "j").find("stops: {lower: -0.5, upper: 1.5,"), std::string::npos);
  options.positions = {{"j", 5}};
  EXPECT_NE(
      notes_of(imported(text, options))
          .find("r.urdf:4:1: joint 'j' is drawn at 5, outside of its limits 1 … 3: its stops are compressed by 2 rad at t = 0\n"),
      std::string::npos);
  options.limits = false;
  EXPECT_EQ(notes_of(imported(text, options)).find("compressed"), std::string::npos);
  options.positions = {{"k", 1.5}};
  EXPECT_EQ(refusal(text, options), "there is no joint 'k' with a position (known: j)");
}

TEST(ImportUrdf, meshes_elsewhere_are_copied_beside_the_model) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "bot/meshes");
  std::filesystem::create_directories(folder / "bot/urdf");
  std::ofstream(folder / "bot/meshes/a.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
  std::ofstream(folder / "bot/urdf/r.urdf") << robot(
      link("a", unit_mass + "<visual><geometry><mesh filename='package://bot/meshes/a.obj'/></geometry></visual>"));
  ImportOptions options;
  options.out = folder / "models/r.yaml";
  const ImportedText text = import_text(folder / "bot/urdf/r.urdf", options);
  ASSERT_EQ(text.copies.size(), 1U);
  EXPECT_EQ(text.copies[0].second, folder / "models/r-meshes/a.obj");
  EXPECT_NE(text.text.find("mesh: \"r-meshes/a.obj\""), std::string::npos);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
