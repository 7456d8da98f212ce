// What is read of MJCF, and what is said of files that are wrong. How it moves: import_motion.cpp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "import/model_text.hpp"
#include "support/message_of.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

using importing::ImportedModel;

using Files = std::map<std::string, std::string>;

int files_read = 0;  // by the last import

ImportedModel imported(const std::string& inside, const Files& files = {}, const importing::ImportOptions& options = {}) {
  files_read = 0;
  const importing::FileSource source{[=](const std::string& name) { return files.contains(name); },
                                     [=](const std::string& name) { return ++files_read, files.at(name); }};
  return importing::model_of(importing::read_description("m.xml", "<mujoco>\n" + inside + "</mujoco>\n", source, options),
                             options, [](const std::string& f) { return f; });
}

std::string refusal(const std::string& inside, const Files& files = {}, const importing::ImportOptions& options = {}) {
  return message_of<aleator::InputError>([&] { imported(inside, files, options); });
}

std::string entry(const ImportedModel& m, const std::string& name) {
  std::string out;
  for (const importing::ModelEntry& e : m.entries)
    if (e.name == name) out += importing::text_of(e);
  return out;
}

// All entries, whatever lines they come from.
std::string entries(const ImportedModel& m) {
  std::string out;
  for (importing::ModelEntry e : m.entries) {
    e.place = {};
    out += importing::text_of(e);
  }
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
  EXPECT_EQ(refusal(world("<body><geom type='mesh' mesh='x'/></body>")), "m.xml:3:25: <geom>: there is no <mesh> 'x' in <asset>");
  EXPECT_EQ(refusal("<asset><mesh name='x' file='x.stl'/></asset>" + world("<body><geom type='mesh' mesh='x'/></body>")),
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

const std::string hinge = "<joint name='j' axis='0 1 0'/>";
const std::string inertial = "<inertial pos='0 0 0.3' mass='2' diaginertia='1 2 2'/>";

TEST(ImportMjcf, joints_in_frames_are_those_of_the_body) {
  const std::string classes = "<default><default class='c'><joint damping='3'/></default></default>\n";
  const ImportedModel framed = imported(
      classes + world("<body name='a'><frame pos='0 0 1' euler='0 0 90'><frame childclass='c'><joint name='j' pos='1 0 0' "
                      "axis='1 0 0'/></frame></frame><joint name='k' type='slide'/>" +
                      ball + "</body>"));
  const ImportedModel plain = imported(
      classes + world("<body name='a'><joint name='j' class='c' pos='0 1 1' axis='0 1 0'/><joint name='k' type='slide'/>" + ball +
                      "</body>"));
  EXPECT_EQ(entries(framed), entries(plain));
  EXPECT_NE(entry(framed, "j").find("damper: 3"), std::string::npos) << entry(framed, "j");
  EXPECT_NE(entry(imported(world("<body name='a'><frame><freejoint/></frame>" + ball + "</body>")), "a").find("mass: 1"),
            std::string::npos);
}

// The position of <inertial> is not moved by frames in MuJoCo, which says nothing about it.
TEST(ImportMjcf, an_inertial_in_a_frame_stays_in_the_body) {
  const ImportedModel m = imported(world("<body name='a'>" + hinge + "<frame pos='0 0 1'>" + inertial + "</frame></body>"));
  EXPECT_EQ(entries(m), entries(imported(world("<body name='a'>" + hinge + inertial + "</body>"))));
  EXPECT_EQ(notes_of(m),
            "m.xml:3:65: <inertial> in a <frame> is in the axes of the body, as MuJoCo reads it: the frame does not move it\n");
  EXPECT_EQ(notes_of(imported(world("<body name='a'>" + hinge + "<frame>" + inertial + "</frame></body>"))), "");
}

TEST(ImportMjcf, flags_disable_forces_and_constraints) {
  const std::string arm =
      world("<body name='a'><joint name='j' damping='1' stiffness='2' frictionloss='3' range='-1 1'/>" + inertial + "</body>") +
      "<equality><joint joint1='j'/></equality>\n";
  const auto with = [&](const std::string& flags) { return imported("<option><flag " + flags + "/></option>\n" + arm); };
  const auto has = [](const ImportedModel& m, const char* what) { return entry(m, "j").find(what) != std::string::npos; };
  EXPECT_TRUE(has(with(""), "damper") && has(with(""), "spring") && has(with(""), "friction"));
  EXPECT_EQ(with("gravity='disable'").gravity.z, 0);
  EXPECT_EQ(with("gravity='enable'").gravity.z, -9.81);
  for (const char* one : {"passive='disable'", "spring='disable' damper='disable'"})
    EXPECT_FALSE(has(with(one), "damper") || has(with(one), "spring")) << one;
  EXPECT_FALSE(has(with("frictionloss='disable'"), "friction"));
  const auto unlocked = [&](const std::string& flags) { return with("equality='disable' " + flags); };
  EXPECT_TRUE(has(unlocked(""), "stops"));
  EXPECT_FALSE(has(unlocked("limit='disable'"), "stops"));
  EXPECT_FALSE(has(with("constraint='disable'"), "stops") || has(with("constraint='disable'"), "friction"));
  EXPECT_EQ(notes_of(unlocked("actuation='disable' contact='disable'")),
            "m.xml:2:34: <flag>: 'actuation' is left out\n"
            "m.xml:5:11: <equality>: <joint> is disabled by <flag> and left out\n");
  EXPECT_EQ(refusal("<option><flag gravity='off'/></option>" + world("<body>" + ball + "</body>")),
            "m.xml:2:15: <flag>: 'gravity' must be enable or disable, found 'off'");
}

// A tetrahedron without one of its faces.
const std::string open_mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n";
const Files meshes = {{"open.obj", open_mesh}, {"closed.obj", open_mesh + "f 2 3 4\n"}, {"other.dae", ""}};
const std::string assets =
    "<asset><mesh name='open' file='open.obj'/><mesh name='closed' file='closed.obj'/><mesh name='other' file='other.dae'/><mesh "
    "name='none' vertex='0 0 0'/></asset>\n";

std::string mesh(const std::string& name, const std::string& more = "") {
  return "<geom type='mesh' mesh='" + name + "' " + more + "/>";
}

TEST(ImportMjcf, meshes_are_solids_only_where_they_weigh) {
  const auto body = [&](const std::string& inside) { return assets + world("<body name='a'>" + hinge + inside + "</body>"); };
  for (const std::string& drawn :
       {inertial + mesh("open"), ball + mesh("open", "mass='0'"), ball + mesh("open", "density='0'")}) {
    EXPECT_NE(entry(imported(body(drawn), meshes), "a").find("mesh: \"open.obj\""), std::string::npos) << drawn;
    EXPECT_EQ(files_read, 0);
  }
  EXPECT_EQ(refusal("<compiler inertiagrouprange='0 1'/>" + body(ball + mesh("open", "group='2'")), meshes), no_error);
  EXPECT_EQ(refusal(assets + world(mesh("open") + "<body>" + hinge + ball + "</body>"), meshes), no_error);
  for (const std::string weighs : {"", "mass='3'"}) {
    const std::string message = refusal(body(mesh("open", weighs)), meshes);
    EXPECT_NE(message.find("the mesh 'open.obj' encloses nothing"), std::string::npos) << message;
  }
  // Of a mass that is given, the mesh says where it is: J_zz = m · 2 · ∫ x² dV / V = m · 2 · (1/10 − 1/16), about the centre.
  const std::string text = entry(imported(body(mesh("closed", "mass='10'") + mesh("closed", "mass='10'")), meshes), "a");
  EXPECT_NE(text.find("center_of_mass: [0.25, 0.25, 0.25]"), std::string::npos) << text;
  EXPECT_NE(text.find("zz: 1.5"), std::string::npos) << text;
  EXPECT_EQ(files_read, 1);
}

TEST(ImportMjcf, meshes_that_cannot_be_read_are_not_drawn) {
  const auto body = [&](const std::string& inside) {
    return assets + world("<body name='a'>" + hinge + "\n" + inside + "</body>");
  };
  const ImportedModel m = imported(body(inertial + mesh("other") + mesh("none") + "<geom type='box' mesh='closed'/>"), meshes);
  EXPECT_EQ(notes_of(m),
            "m.xml:5:55: the mesh 'other.dae' is not drawn: STL and OBJ are read\n"
            "m.xml:5:88: the mesh 'none', which is not in a file, is not drawn: STL and OBJ are read\n"
            "m.xml:5:120: <geom>: a box of the size of the mesh 'closed' is not drawn\n");
  EXPECT_EQ(refusal(body(mesh("other")), meshes),
            "m.xml:5:19: <geom>: its mass is that of the mesh 'other.dae' and not known: STL and OBJ are read; give the body an "
            "<inertial>, or the geom mass=\"0\"");
  EXPECT_EQ(
      refusal(body("<geom type='box' mesh='closed'/>"), meshes),
      "m.xml:5:18: <geom>: a box of the size of the mesh 'closed' is not supported; give its size, or, for the mesh itself, "
      "type=\"mesh\"");
}

TEST(ImportMjcf, meshes_can_be_left_out) {
  const auto body = [&](const std::string& inside) {
    return assets + world("<body name='a'>" + hinge + "\n" + inside + "</body>");
  };
  importing::ImportOptions options;
  options.meshes = false;
  const ImportedModel m = imported(body(inertial + mesh("closed")), {}, options);
  EXPECT_EQ(notes_of(m), "m.xml:5:55: <mesh> is left out (--no-meshes)\n");
  EXPECT_EQ(entry(m, "a").find("mesh"), std::string::npos);
  EXPECT_EQ(
      refusal(body(mesh("closed")), meshes, options),
      "m.xml:5:19: <geom>: its mass is that of the mesh 'closed', which --no-meshes leaves out; give the body an <inertial>, or "
      "the geom mass=\"0\"");
}

TEST(ImportMjcf, attributes_are_those_of_mujoco) {
  EXPECT_EQ(refusal(world("<body><joint dampng='3' axiss='0 1 0'/>" + ball + "</body>")),
            "m.xml:3:14: <joint>: MuJoCo has no attribute 'dampng' (did you mean 'damping'?)\n"
            "m.xml:3:25: <joint>: MuJoCo has no attribute 'axiss' (did you mean 'axis'?)");
  EXPECT_EQ(refusal("<compiler foo='3'/>" + world("<body>" + ball + "</body>")),
            "m.xml:2:11: <compiler>: MuJoCo has no attribute 'foo'");
  EXPECT_EQ(refusal("<default><geom mas='1'/><jiont/></default>" + world("<body>" + hinge + ball + "</body>")),
            "m.xml:2:16: <geom>: MuJoCo has no attribute 'mas' (did you mean 'mass'?)\n"
            "m.xml:2:25: unknown element <jiont> (did you mean 'joint'?)");
  const ImportedModel m = imported("<option timestep='0.01' integrator='RK4'/><visual><map znear='1'/></visual>\n" +
                                   world("<body name='a'><joint name='j' solreflimit='0.1 1' group='3'/>" + inertial +
                                         "\n<body><joint solreflimit='0.1 1'/>" + inertial +
                                         "<geom size='1' friction='1' rgba='1 0 0 1' contype='0'/></body></body>"));
  EXPECT_EQ(notes_of(m),
            "m.xml:4:32: <joint>: 'solreflimit' is left out (also line 5)\n"
            "m.xml:5:89: <geom>: contacts are not simulated\n");
}

// Those of MuJoCo are relative to free fall, as an accelerometer feels them.
TEST(ImportMjcf, accelerations_are_those_of_the_motion) {
  const auto sensor = [&](const std::string& option) {
    return notes_of(imported(option + world("<body name='a'>" + hinge + inertial + "</body>") +
                             "<sensor><framelinacc name='f' objtype='xbody' objname='a'/></sensor>"));
  };
  EXPECT_EQ(sensor(""),
            "m.xml:4:9: <sensor>: <framelinacc> is the acceleration itself; MuJoCo subtracts gravity from it, and has 0 in free "
            "fall\n");
  EXPECT_EQ(sensor("<option gravity='0 0 0'/>"), "");
}

TEST(ImportMjcf, models_in_which_nothing_moves_are_refused) {
  EXPECT_EQ(refusal(world("<body name='a'><geom size='0.1' mass='0'/><body name='b'/></body>")),
            "m.xml:1:1: no body of this model has a mass or a joint: all of them are fixed to the world, and nothing moves");
  EXPECT_EQ(refusal(world("<body name='a'>" + ball + "</body>")), no_error);  // held, but its mass is there
}

// What is suggested at the end of a model can be asked for.
TEST(ImportMjcf, the_first_mass_is_suggested) {
  const ImportedModel m = imported(world("<body name='a'>" + hinge + "<joint name='k' axis='0 1 0'/>" + ball + "</body>"));
  EXPECT_NE(entry(m, "a_1").find("mass: 0"), std::string::npos) << entries(m);
  EXPECT_NE(importing::text_of(m).find("# uncertain:\n#   a: {mass: {cov: 10%}}"), std::string::npos) << importing::text_of(m);
}

// A rotor is inertia enough.
TEST(ImportMjcf, bodies_without_mass_may_have_a_rotor) {
  const ImportedModel m = imported(world("<body name='a'><joint name='j' armature='0.1'/></body>"));
  EXPECT_NE(entry(m, "j").find("armature: 0.1"), std::string::npos) << entries(m);
  EXPECT_EQ(refusal(world("<body name='a'><joint name='j'/></body>")),
            "m.xml:3:1: link 'a' can move and nothing on it has a mass; give it an <inertial>, or make joint 'j' fixed");
}

TEST(ImportMjcf, what_there_is_once_is_refused_twice) {
  EXPECT_EQ(refusal(world("<body name='a'>" + hinge + "\n" + inertial + "\n<frame>" + inertial + "</frame></body>")),
            "m.xml:5:8: body 'a' has two <inertial>; the other one is at m.xml:4:1");
  const std::string body = world("<body>" + hinge + ball + "</body>");
  EXPECT_EQ(refusal("<default><default class='x'/>\n<default class='x'/></default>\n" + body),
            "m.xml:3:10: there are two classes 'x' of defaults: the other one is at m.xml:2:10; put both into one <default>");
  EXPECT_EQ(refusal("<default><default class='main'/></default>\n" + body),
            "m.xml:2:19: there are two classes 'main' of defaults: the other one is at m.xml:2:1; put both into one <default>");
  EXPECT_EQ(refusal("<default><default class='x'/></default>\n<default><default class='y'/></default>\n" + body), no_error);
  EXPECT_EQ(refusal(world("<body name='a'>" + hinge + ball + "</body><body name='a'>" + hinge + ball + "</body>")),
            "m.xml:3:86: there are two bodies 'a'; names must differ");
  EXPECT_EQ(refusal(world("<body name='world'>" + hinge + ball + "</body>")),
            "m.xml:3:7: there are two bodies 'world' (one is the world itself); names must differ");
}

TEST(ImportMjcf, names_made_here_give_way_to_those_of_the_file) {
  const ImportedModel m = imported(
      world("<body name='a'><joint/><joint axis='1 0 0'/>" + ball + "</body><body><joint name='a_joint'/>" + ball +
            "</body><body name='body_2'><joint name='a_joint_2'/>" + ball + "</body><body name='a_1'>" + ball + "</body>"));
  for (const char* name : {"a", "a_1", "a_1_", "body_2", "body_2_", "a_joint", "a_joint_", "a_joint_2", "a_joint_2_"})
    EXPECT_NE(entry(m, name), "") << name;
  EXPECT_NE(entry(m, "a_joint").find("[ground, body_2_]"), std::string::npos) << entry(m, "a_joint");
  EXPECT_EQ(notes_of(m).find("is called"), std::string::npos) << notes_of(m);
}

TEST(ImportMjcf, joints_that_follow_each_other_are_refused) {
  const auto joint = [](const char* name) { return fmt::format("<body><joint name='{}'/>{}</body>", name, ball); };
  const auto follows = [](const char* a, const char* b) { return fmt::format("<joint joint1='{}' joint2='{}'/>\n", a, b); };
  const std::string joints = world(joint("j") + joint("k") + joint("l"));
  EXPECT_EQ(refusal(joints + "<equality>" + follows("j", "k") + follows("k", "j") + "</equality>"),
            "m.xml:5:1: joints follow each other in a circle: 'k' follows 'j' follows 'k'; leave one of these equalities out");
  EXPECT_EQ(
      refusal(joints + "<equality>" + follows("j", "k") + follows("k", "l") + follows("l", "j") + "</equality>"),
      "m.xml:6:1: joints follow each other in a circle: 'l' follows 'j' follows 'k' follows 'l'; leave one of these equalities "
      "out");
  EXPECT_EQ(refusal(joints + "<equality>" + follows("j", "l") + follows("k", "l") + "</equality>"), no_error);
}

TEST(ImportMjcf, the_outermost_class_is_that_of_all_elements) {
  const std::string body =
      world("<body name='a'>" + hinge + ball + "</body><body name='b'><joint name='k' class='robot'/>" + ball + "</body>");
  const ImportedModel m = imported("<default class='robot'><joint damping='7'/></default>\n" + body);
  EXPECT_NE(entry(m, "j").find("damper: 7"), std::string::npos) << entry(m, "j");
  EXPECT_NE(entry(m, "k").find("damper: 7"), std::string::npos) << entry(m, "k");
}

TEST(ImportMjcf, bounds_of_mass_and_inertia) {
  const ImportedModel m =
      imported("<compiler boundmass='0.5' boundinertia='1.5'/>\n" +
               world("<body name='a'>" + hinge + inertial + "</body><body name='b'><joint name='k'/></body>"));
  EXPECT_NE(entry(m, "a").find("mass: 2\n"), std::string::npos) << entry(m, "a");
  EXPECT_NE(entry(m, "a").find("inertia: {xx: 1.5, yy: 2, zz: 2}"), std::string::npos) << entry(m, "a");
  EXPECT_NE(entry(m, "b").find("mass: 0.5\n"), std::string::npos) << entry(m, "b");
  EXPECT_NE(entry(m, "b").find("inertia: {xx: 1.5, yy: 1.5, zz: 1.5}"), std::string::npos) << entry(m, "b");
  EXPECT_EQ(notes_of(imported("<compiler boundinertia='1'/>" + world("<body name='a'>" + hinge + inertial + "<body/></body>"))),
            "m.xml:3:100: <compiler>: 'boundinertia' is left out for a <body> without mass\n");
}

TEST(ImportMjcf, an_inertial_counts_where_geoms_should_and_weigh_nothing) {
  const auto body = [&](const std::string& inside) {
    return imported("<compiler inertiafromgeom='true'/>" + world("<body name='a'>" + hinge + inertial + inside + "</body>"));
  };
  EXPECT_NE(entry(body(""), "a").find("mass: 2\n"), std::string::npos) << entry(body(""), "a");
  EXPECT_NE(entry(body(ball), "a").find("mass: 1\n"), std::string::npos) << entry(body(ball), "a");
  EXPECT_EQ(refusal(world("<body name='a'>" + hinge + "<inertial mass='-1' diaginertia='1 1 1'/></body>")),
            "m.xml:3:46: link 'a': the mass must not be negative, found -1");
}

TEST(ImportMjcf, an_orientation_of_its_own_counts) {
  const auto body = [&](const std::string& geom) {
    return imported("<default><geom type='capsule' quat='1 1 0 0'/></default>" +
                    world("<body name='a'>" + hinge + "<geom size='0.1 0.2' mass='1' " + geom + "/></body>"));
  };
  EXPECT_EQ(entries(body("euler='0 0 0'")), entries(body("quat='1 0 0 0'")));
  EXPECT_NE(entries(body("euler='0 0 0'")), entries(body("")));
  EXPECT_EQ(refusal(world("<body euler='0 0 0' quat='1 0 0 0'>" + ball + "</body>")),
            "m.xml:3:7: <body>: 'quat' and 'euler' both give an orientation; give one of them");
}

TEST(ImportMjcf, words_and_places_are_checked) {
  EXPECT_EQ(refusal(world("<body><joint limited='maybe'/>" + ball + "</body>")),
            "m.xml:3:14: <joint>: 'limited' must be true, false or auto, found 'maybe'");
  EXPECT_EQ(refusal("<compiler inertiafromgeom='yes'/>" + world("<body>" + ball + "</body>")),
            "m.xml:2:11: <compiler>: 'inertiafromgeom' must be true, false or auto, found 'yes'");
  EXPECT_EQ(refusal(world("<joint/>\n<frame><inertial/></frame><body>" + hinge + ball + "</body>")),
            "m.xml:3:1: <joint> in <worldbody>: the world has no mass and does not move; put it into a <body>\n"
            "m.xml:4:8: <inertial> in <worldbody>: the world has no mass and does not move; put it into a <body>");
  EXPECT_EQ(refusal(world("<body childclass='x'>" + hinge + ball + "</body>")),
            "m.xml:3:7: <body>: there is no class 'x' of defaults");
  EXPECT_EQ(refusal(world("<body name='a'>" + hinge + ball + "</body>") + "<equality><connect body1='a'/></equality>"),
            "m.xml:4:11: <connect> needs the attribute 'anchor'");
}

TEST(ImportMjcf, what_is_not_given_stays_as_in_mujoco) {
  // No limits, although the class has some.
  const ImportedModel free = imported("<default><joint range='-1 1'/></default>" +
                                      world("<body name='a'><joint name='j' range='0 0'/>" + ball + "</body>"));
  EXPECT_EQ(entry(free, "j").find("stops"), std::string::npos) << entry(free, "j");
  // q₁ = 0.5 + 1 q₂
  const ImportedModel geared =
      imported(world("<body><joint name='j'/>" + ball + "</body><body><joint name='k'/>" + ball + "</body>") +
               "<equality><joint name='e' joint1='j' joint2='k' polycoef='0.5'/></equality>");
  EXPECT_NE(entry(geared, "e").find("ratio: 1}"), std::string::npos) << entry(geared, "e");
}

TEST(ImportMjcf, sensors_whose_answer_differs_are_noted) {
  const ImportedModel m =
      imported(world("<site name='w'/><body name='a'>" + hinge + inertial + "<site name='s' euler='0 0 30'/></body>") +
               "<sensor><framepos objtype='site' objname='w'/>\n<framequat objtype='site' objname='s'/>\n<framequat name='q' "
               "objtype='xbody' "
               "objname='a'/></sensor>\n");
  EXPECT_EQ(notes_of(m),
            "m.xml:4:9: <sensor>: <framepos> is left out: it is of the world, which does not move\n"
            "m.xml:5:1: <sensor>: <framequat> is the orientation of the body, not of its site\n");
  EXPECT_EQ(entry(m, "q"), "  q: {orientation: a}\n");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
