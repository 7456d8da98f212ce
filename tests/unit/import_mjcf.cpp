// What is read of MJCF, and what is said of files that are wrong. How it moves: import_motion.cpp.
#include <gtest/gtest.h>

#include <map>

#include "import/model_text.hpp"
#include "support/message_of.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

using importing::ImportedModel;

ImportedModel imported(const std::string& inside, const std::map<std::string, std::string>& files = {}) {
  const importing::FileSource source{[=](const std::string& name) { return files.contains(name); },
                                     [=](const std::string& name) { return files.at(name); }};
  return importing::model_of(importing::read_description("m.xml", "<mujoco>\n" + inside + "</mujoco>\n", source, {}), {},
                             [](const std::string& f) { return f; });
}

std::string refusal(const std::string& inside, const std::map<std::string, std::string>& files = {}) {
  return message_of<aleator::InputError>([&] { imported(inside, files); });
}

std::string entry(const ImportedModel& m, const std::string& name) {
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

std::string world(const std::string& inside) { return "<worldbody>\n" + inside + "</worldbody>\n"; }
const std::string ball = "<geom size='0.1' mass='1'/>";

TEST(ImportMjcf, mistakes_have_a_line_and_a_remedy) {
  EXPECT_EQ(refusal(world("")), "m.xml:1:1: there is no <body> in <worldbody>");
  EXPECT_EQ(refusal(world("<body><joint type='hing'/>" + ball + "</body>")),
            "m.xml:3:14: <joint>: 'type' must be hinge, slide, ball or free, found 'hing'");
  EXPECT_EQ(refusal(world("<body><geom size='-1'/></body>")), "m.xml:3:13: <geom>: 'size' must be positive, found -1");
  EXPECT_EQ(refusal(world("<body><geom/></body>")), "m.xml:3:7: <geom> of type sphere needs the attribute 'size'");
  EXPECT_EQ(refusal(world("<body><geom class='x' size='1'/></body>")), "m.xml:3:13: <geom>: there is no class 'x' of defaults");
  EXPECT_EQ(refusal(world("<body><geom type='mesh' mesh='x'/></body>")),
            "m.xml:3:25: <geom>: there is no <mesh> 'x' with a file in <asset>");
  EXPECT_EQ(refusal("<asset><mesh name='x' file='x.stl'/></asset>" + world("<body><geom mesh='x'/></body>")),
            "m.xml:2:23: there is no mesh 'x.stl'; names are relative to the folder of the description, and --no-meshes leaves "
            "them out");
  EXPECT_EQ(refusal(world("<body name='a'>" + ball + "</body>") + "<equality><connect body1='b' anchor='0 0 0'/></equality>"),
            "m.xml:4:20: <connect>: there is no body 'b' (known: a)");
  EXPECT_EQ(refusal("<include file='../x.xml'/>" + world("")),
            "m.xml:2:10: <include>: '../x.xml' leads out of the folder of the model");
  EXPECT_EQ(refusal("<include file='x.xml'/>" + world("")),
            "m.xml:2:10: <include>: there is no file 'x.xml'; names are relative to the folder of the main file");
  EXPECT_EQ(refusal("<include file='x.xml'/>", {{"x.xml", "<a><include file='x.xml'/></a>"}}),
            "x.xml:1:13: <include>: 'x.xml' is included twice; each file may be included once");
  EXPECT_EQ(refusal(world("<body><inertial mass='1' pos='0 0 0' diaginertia='1 1 3'/><joint/></body>")),
            "m.xml:3:7: link 'body_1': no physical body has this inertia: its principal moments are 1, 1 and 3, and the largest "
            "exceeds the sum of the other two; the "
            "nearest possible ones are 1.5, 1.5 and 3 (21.3 % away): --repair takes these");
}

TEST(ImportMjcf, classes_includes_and_frames) {
  const ImportedModel m = imported(
      "<include file='d.xml'/>" + world("<frame pos='1 0 0'><body name='a' childclass='inner'><joint name='j' class='outer'/>" +
                                        ball + "</body></frame>"),
      {{"d.xml",
        "<x><default><default class='outer'><joint damping='3'/><default class='inner'><geom rgba='1 0 0 "
        "1'/></default></default></default></x>"}});
  EXPECT_NE(entry(m, "j").find("damper: 3"), std::string::npos) << entry(m, "j");
  EXPECT_NE(entry(m, "j").find("at: [1, 0, 0]"), std::string::npos);
  EXPECT_NE(entry(m, "a").find("color: \"#ff0000\""), std::string::npos) << entry(m, "a");
}

TEST(ImportMjcf, what_is_left_out_is_listed) {
  const ImportedModel m = imported(world("<body name='a'><joint name='j'/>" + ball + "</body>") +
                                   "<actuator><motor "
                                   "joint='j'/></actuator>\n<tendon><fixed/></tendon>\n<keyframe/>\n<sensor><touch/></"
                                   "sensor>\n<equality><tendon/></equality>\n");
  EXPECT_EQ(notes_of(m),
            "m.xml:3:33: <geom>: contacts are not simulated\n"
            "m.xml:4:11: <actuator>: <motor> is left out: its control is not known; write `actuator` or `motion` of the joint\n"
            "m.xml:5:9: <tendon>: <fixed> is left out\n"
            "m.xml:6:1: <keyframe> is left out\n"
            "m.xml:7:9: <sensor>: <touch> is left out\n"
            "m.xml:8:11: <equality>: <tendon> is left out\n");
}

TEST(ImportMjcf, sensors_are_outputs) {
  const ImportedModel m = imported(
      world("<body name='a'><joint name='j'/>" + ball + "<site name='s' pos='0 0 1'/></body>") +
      "<sensor><jointpos joint='j'/><gyro name='g' site='s'/><framepos name='p' objtype='site' objname='s'/></sensor>\n");
  EXPECT_EQ(entry(m, "jointpos_1"), "  jointpos_1: {coordinate: j}\n");
  EXPECT_EQ(entry(m, "g"), "  g: {angular_velocity: a, in: a}\n");
  EXPECT_EQ(entry(m, "p"), "  p: {position: a, at: [0, 0, 1]}\n");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
