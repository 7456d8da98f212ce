// Imported robots move as independent computations say. URDF: accelerations at random states by Kane's equations in world axes,
// with a reading of the file of their own. MJCF: those of MuJoCo 2.2.2 (Debian's libmujoco), recorded in NAME.csv: bodies and passive
// forces by its functions; equalities, which are soft there, by the multipliers of its own Jacobian.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <sstream>

#include <pugixml.hpp>

#include "import/model_text.hpp"
#include "input/text.hpp"
#include "study/loaded_model.hpp"
#include "support/model_text.hpp"
#include "support/places.hpp"
#include "support/run.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

std::string robot_file(const std::string& name) {
  const std::set<std::string> examples = {"arm.urdf", "leg.urdf", "humanoid.xml"};
  return source_folder() + (examples.contains(name) ? "/examples/robots/" : "/tests/unit/data/robots/") + name;
}

struct Motion {
  Vector3d acceleration, spin;  // of the centre of mass; angular
};

// --- Kane's equations of a tree:  Σ Jᵥᵀ m (g − a) − J_ωᵀ (I α + ω × I ω) + τ = 0 ---

Vector3d triple_of(const pugi::xml_node& node, const char* attribute) {
  Vector3d v = Vector3d::Zero();
  std::istringstream text(node.attribute(attribute).value());
  for (int k = 0; k < 3; ++k) text >> v[k];
  return v;
}

Matrix3d turned(const Vector3d& rpy) {
  return (Eigen::AngleAxisd(rpy.z(), Vector3d::UnitZ()) * Eigen::AngleAxisd(rpy.y(), Vector3d::UnitY()) *
          Eigen::AngleAxisd(rpy.x(), Vector3d::UnitX()))
      .toRotationMatrix();
}

struct Robot {
  struct Part {
    std::string name, joint, type = "root", leader;
    int parent = -1, first = 0, count = 0;
    Matrix3d R = Matrix3d::Identity(), J = Matrix3d::Zero();
    Vector3d p = Vector3d::Zero(), axis = Vector3d::UnitX(), c = Vector3d::Zero();
    double m = 0, damping = 0, friction = 0, ratio = 1, offset = 0;
    std::map<std::string, double> sum;  // by joints: its rate is this sum of theirs, where a loop says so
  };
  std::vector<Part> parts;
  int dofs = 0;

  explicit Robot(const std::string& text) {
    pugi::xml_document document;
    document.load_string(text.c_str());
    const pugi::xml_node robot = document.child("robot");
    std::map<std::string, pugi::xml_node> parent_joint;
    for (const pugi::xml_node& j : robot.children("joint")) parent_joint[j.child("child").attribute("link").value()] = j;
    std::map<std::string, int> done;
    while (done.size() < size_t(std::distance(robot.children("link").begin(), robot.children("link").end())))
      for (const pugi::xml_node& l : robot.children("link")) {
        const std::string name = l.attribute("name").value();
        const pugi::xml_node j = parent_joint[name];
        const std::string parent = j ? j.child("parent").attribute("link").value() : "";
        if (done.contains(name) || (j && !done.contains(parent))) continue;
        Part part = read(l, j);
        part.parent = j ? done.at(parent) : -1;
        part.first = dofs;
        part.count = part.type == "floating"                       ? 6
                     : part.type == "planar"                       ? 3
                     : part.type == "fixed" || part.type == "root" ? 0
                                                                   : 1;
        dofs += part.count;
        done[name] = int(parts.size());
        parts.push_back(part);
      }
  }

  static Part read(const pugi::xml_node& l, const pugi::xml_node& j) {
    Part part;
    part.name = l.attribute("name").value();
    if (const pugi::xml_node inertial = l.child("inertial")) {
      const pugi::xml_node I = inertial.child("inertia");
      const auto of = [&](const char* name) { return I.attribute(name).as_double(); };
      Matrix3d J;
      J << of("ixx"), of("ixy"), of("ixz"), of("ixy"), of("iyy"), of("iyz"), of("ixz"), of("iyz"), of("izz");
      const Matrix3d R = turned(triple_of(inertial.child("origin"), "rpy"));
      part.J = R * J * R.transpose();
      part.c = triple_of(inertial.child("origin"), "xyz");
      part.m = inertial.child("mass").attribute("value").as_double();
    }
    if (!j) return part;
    part.joint = j.attribute("name").value();
    part.type = j.attribute("type").value();
    part.p = triple_of(j.child("origin"), "xyz");
    part.R = turned(triple_of(j.child("origin"), "rpy"));
    if (j.child("axis")) part.axis = triple_of(j.child("axis"), "xyz").normalized();
    part.damping = j.child("dynamics").attribute("damping").as_double();
    part.friction = j.child("dynamics").attribute("friction").as_double();
    if (const pugi::xml_node mimic = j.child("mimic")) {
      part.leader = mimic.attribute("joint").value();
      part.ratio = mimic.attribute("multiplier").as_double(1);
      part.offset = mimic.attribute("offset").as_double();
    }
    return part;
  }

  const Part& by_joint(const std::string& name) const {
    for (const Part& p : parts)
      if (p.joint == name) return p;
    throw std::runtime_error("no joint " + name);
  }

  struct Placed {
    Matrix3d R;
    Vector3d p, v, w, a, alpha, axis;  // a and alpha without accelerations of joints
  };

  std::vector<Placed> placed(const VectorXd& q, const VectorXd& u) const {
    std::vector<Placed> out;
    for (const Part& part : parts) {
      Placed x{Matrix3d::Identity(), Vector3d::Zero(), Vector3d::Zero(), Vector3d::Zero(),
               Vector3d::Zero(),     Vector3d::Zero(), Vector3d::Zero()};
      if (part.parent >= 0) x = out[size_t(part.parent)];
      const Placed P = x;
      const Matrix3d joint = P.R * part.R;
      x.R = joint;
      x.axis = joint * part.axis;
      x.p = P.p + P.R * part.p;
      const bool hinge = part.type == "revolute" || part.type == "continuous", slide = part.type == "prismatic";
      if (hinge) x.R = joint * Eigen::AngleAxisd(q[part.first], part.axis).toRotationMatrix();
      if (slide) x.p += q[part.first] * x.axis;
      const Vector3d r = x.p - P.p;
      x.v = P.v + P.w.cross(r);
      x.a = P.a + P.alpha.cross(r) + P.w.cross(P.w.cross(r));
      if (hinge) x.w = P.w + u[part.first] * x.axis, x.alpha = P.alpha + P.w.cross(u[part.first] * x.axis);
      if (slide) x.v += u[part.first] * x.axis, x.a += 2 * P.w.cross(u[part.first] * x.axis);
      if (part.type == "floating")
        x.v = u.segment<3>(part.first), x.w = u.segment<3>(part.first + 3), x.a = x.alpha = Vector3d::Zero();
      out.push_back(x);
    }
    return out;
  }

  // Rows of ω and of the velocity of the centre of mass, by degree of freedom.
  void jacobian(const std::vector<Placed>& x, size_t link, MatrixXd& Jv, MatrixXd& Jw) const {
    Jv = Jw = MatrixXd::Zero(3, dofs);
    const Vector3d c = x[link].p + x[link].R * parts[link].c;
    for (int k = int(link); k >= 0; k = parts[size_t(k)].parent) {
      const Part& part = parts[size_t(k)];
      const Placed& y = x[size_t(k)];
      const auto turn = [&](int column, const Vector3d& axis) { Jw.col(column) = axis, Jv.col(column) = axis.cross(c - y.p); };
      if (part.type == "revolute" || part.type == "continuous") turn(part.first, y.axis);
      if (part.type == "prismatic") Jv.col(part.first) = y.axis;
      if (part.type == "floating")
        for (int i = 0; i < 3; ++i) Jv.col(part.first + i) = Vector3d::Unit(i), turn(part.first + 3 + i, Vector3d::Unit(i));
      if (part.type == "planar") {
        const Vector3d across = y.axis.unitOrthogonal();
        Jv.col(part.first) = across, Jv.col(part.first + 1) = y.axis.cross(across);
        turn(part.first + 2, y.axis);
      }
      if (part.type == "floating") break;
    }
  }

  // [link] at positions q and speeds u, both with joints that follow others filled in.
  std::map<std::string, Motion> accelerations(const VectorXd& q, const VectorXd& u, const Vector3d& g) const {
    const std::vector<Placed> x = placed(q, u);
    MatrixXd M = MatrixXd::Zero(dofs, dofs), Jv, Jw;
    VectorXd f = VectorXd::Zero(dofs);
    for (const Part& part : parts)
      if (part.count == 1) f[part.first] = -part.damping * u[part.first] - part.friction * std::tanh(u[part.first] / 1e-3);
    for (size_t i = 0; i < parts.size(); ++i) {
      jacobian(x, i, Jv, Jw);
      const Matrix3d I = x[i].R * parts[i].J * x[i].R.transpose();
      const Vector3d c = x[i].R * parts[i].c, w = x[i].w;
      const Vector3d a = x[i].a + x[i].alpha.cross(c) + w.cross(w.cross(c));
      M += parts[i].m * Jv.transpose() * Jv + Jw.transpose() * I * Jw;
      f += parts[i].m * Jv.transpose() * (g - a) - Jw.transpose() * (I * x[i].alpha + w.cross(I * w));
    }
    // What is independent: joints that follow others are combinations of these.
    MatrixXd E = MatrixXd::Zero(dofs, dofs);
    for (const Part& part : parts)
      for (int k = 0; k < part.count; ++k) {
        for (const auto& [joint, ratio] : part.sum) E(part.first, by_joint(joint).first) = ratio;
        if (!part.sum.empty()) continue;
        double ratio = 1;
        const Part* lead = &part;
        while (!lead->leader.empty()) ratio *= lead->ratio, lead = &by_joint(lead->leader);
        E(part.first + k, lead->first + k) = ratio;
      }
    std::vector<int> independent;
    for (int k = 0; k < dofs; ++k)
      if (E.col(k).norm() > 0) independent.push_back(k);
    MatrixXd B(dofs, long(independent.size()));
    for (size_t k = 0; k < independent.size(); ++k) B.col(long(k)) = E.col(independent[k]);
    const VectorXd solved = (B.transpose() * M * B).fullPivLu().solve(B.transpose() * f);
    const VectorXd rate = B * solved;
    std::map<std::string, Motion> out;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parts[i].m == 0) continue;
      jacobian(x, i, Jv, Jw);
      const Vector3d c = x[i].R * parts[i].c, w = x[i].w;
      out[parts[i].name] = {x[i].a + x[i].alpha.cross(c) + w.cross(w.cross(c)) + Jv * rate, x[i].alpha + Jw * rate};
    }
    return out;
  }
};

// MuJoCo turns inertias into principal axes by Jacobi's rotations, of the largest product of inertia each, and ends when a cosine is within
// 1e-12 of 1: its axes are off by up to 1.4e-6 rad, and what is left of the products is dropped. This is the inertia it computes with; with the
// exact one accelerations of balls.xml differ by 1.5e-8 of the largest.
Matrix3d as_in_mujoco(const Matrix3d& J) {
  constexpr double small = 1e-12;
  Matrix3d Q = Matrix3d::Identity();
  for (;;) {
    const Matrix3d D = Q.transpose() * J * Q;
    int p = 0, q = 1;
    for (const auto& [i, j] : {std::pair(0, 2), std::pair(1, 2)})
      if (std::abs(D(i, j)) > std::abs(D(p, q))) p = i, q = j;
    const double angle = 0.5 * std::atan(2 * D(p, q) / (D(q, q) - D(p, p)));
    if (std::abs(D(p, q)) < small || std::cos(angle) > 1 - small) return Q * D.diagonal().asDiagonal() * Q.transpose();
    Matrix3d turn = Matrix3d::Identity();
    turn(p, p) = turn(q, q) = std::cos(angle);
    turn(p, q) = std::sin(angle), turn(q, p) = -std::sin(angle);
    Q = Q * turn;
  }
}

// --- the model ---

const std::vector<std::string> xyz = {"x", "y", "z"};

// The same robot, some of whose joints are in frames, one of which is turned by π about x.
std::string in_frames(const std::string& balls) {
  const std::string elbow = "<joint name=\"elbow\" axis=\"1 2 0.5\" pos=\"0 0 0.02\"";
  std::string out = replaced(
      balls, elbow, "<frame pos=\"0 0 0.03\" quat=\"0 1 0 0\"><joint name=\"elbow\" axis=\"1 -2 -0.5\" pos=\"0 0 0.01\"");
  out = replaced(out, "ref=\"0.2\"/>", "ref=\"0.2\"/></frame>");
  return replaced(out, "<freejoint name=\"flight\"/>", "<frame pos=\"1 2 3\"><freejoint name=\"flight\"/></frame>");
}

// Accelerations of bodies at the start, at their centres of mass, which the entries of the model say.
// `joints`: further ones, as lines. The tolerance is of the largest acceleration: coordinates of models have 15 digits, of which light links
// at heavy ones cost some.
void expect_motion(const std::string& file, importing::ImportOptions options, const std::map<std::string, Motion>& expected,
                   const std::string& joints = "", double tolerance = 1e-9) {
  options.limits = false;
  const std::string bare = "-bare.xml";  // without rotors
  const bool stripped = file.ends_with(bare);
  const bool framed = file == "balls-framed.xml";
  const std::string path = robot_file(framed ? "balls.xml" : stripped ? replaced(file, bare, ".xml") : file);
  std::string description = text_of_file(path);
  if (framed) description = in_frames(description);
  if (stripped) description = std::regex_replace(description, std::regex("armature=\"[^\"]*\""), "armature=\"0\"");
  const importing::FileSource files{[](const std::string&) { return false; }, [](const std::string&) { return std::string(); }};
  importing::Mechanism mechanism = importing::read_description(path, description, files, options);
  if (mechanism.format == "MJCF")
    for (importing::Link& link : mechanism.links) {
      if (link.shapes.size() == 1) continue;  // it has the axes of its only geom
      Matrix3d J;
      for (int i = 0; i < 9; ++i) J(i / 3, i % 3) = link.mass.inertia[i / 3][i % 3];
      J = as_in_mujoco(J);
      for (int i = 0; i < 9; ++i) link.mass.inertia[i / 3][i % 3] = J(i / 3, i % 3);
    }
  const importing::ImportedModel model =
      importing::model_of(std::move(mechanism), options, [](const std::string& f) { return f; });
  std::string outputs;
  for (const importing::ModelEntry& e : model.entries)
    for (const std::string& line : e.lines)
      if (e.section == "bodies" && line.starts_with("center_of_mass: ") && expected.contains(e.name))
        outputs += fmt::format("  a-{0}: {{acceleration: {0}, at: {1}}}\n  w-{0}: {{angular_acceleration: {0}}}\n", e.name,
                               line.substr(16));
  const std::string tree = replaced(importing::text_of(model), "\njoints:\n", "\njoints:\n" + joints);
  const std::string text = replaced(with_outputs(tree, outputs), "simulation: {duration: 1, step: 0.005}",
                                    "simulation: {duration: 1e-6, step: 1e-6, output_step: 1e-6, integrator: runge-kutta}");
  const Result r = run(text);
  double scale = 0;
  for (const auto& [name, m] : expected) scale = std::max({scale, m.acceleration.norm(), m.spin.norm()});
  double worst = 0;
  for (const auto& [name, m] : expected)
    for (int k = 0; k < 3; ++k) {
      const double a = r.at("a-" + name + "." + xyz[size_t(k)], 0), w = r.at("w-" + name + "." + xyz[size_t(k)], 0);
      EXPECT_NEAR(a, m.acceleration[k], tolerance * scale) << file << ' ' << name << ' ' << xyz[size_t(k)];
      EXPECT_NEAR(w, m.spin[k], tolerance * scale) << file << ' ' << name << " angular " << xyz[size_t(k)];
      worst = std::max({worst, std::abs(a - m.acceleration[k]) / scale, std::abs(w - m.spin[k]) / scale});
    }
  ::testing::Test::RecordProperty(file, fmt::format("{:.1e}", worst));
  EXPECT_LT(r.assembly.violation, 1e-9) << file;
}

TEST(ImportMotion, urdf_moves_as_kane_says) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const std::string file :
       {"arm.urdf", "seven.urdf", "scara.urdf", "cart_pole.urdf", "gripper.urdf", "rover.urdf", "leg.urdf"})
    for (int state = 0; state < 3; ++state) {
      const Robot robot(text_of_file(robot_file(file)));
      VectorXd q = VectorXd::Zero(robot.dofs), u = VectorXd::Zero(robot.dofs);
      importing::ImportOptions options;
      for (const Robot::Part& part : robot.parts) {
        if (part.count != 1) continue;
        const Robot::Part* lead = &part;
        if (part.leader.empty()) {
          const double size = part.type == "prismatic" ? 0.05 : 1;
          options.positions[part.joint] = q[part.first] = size * uniform(random);
          u[part.first] = 2 * size * uniform(random);
          options.velocities[part.joint] = {u[part.first]};
        } else {
          lead = &robot.by_joint(part.leader);
          q[part.first] = part.ratio * q[lead->first] + part.offset;
          u[part.first] = part.ratio * u[lead->first];
        }
      }
      expect_motion(file, options, robot.accelerations(q, u, {0, 0, -9.81}));
    }
}

// The loop of examples/leg.yaml is a parallelogram: the shank is parallel to the crank, the rod to the thigh. So the rates of knee and rod are
// sums of those of thigh and crank, and Kane's equations need no multiplier.
TEST(ImportMotion, a_closed_loop_moves_as_kane_says) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Robot robot(text_of_file(robot_file("leg.urdf")));
  for (Robot::Part& part : robot.parts) {
    if (part.joint == "knee") part.sum = {{"crank_joint", 1}, {"hip_pitch", -1}};
    if (part.joint == "rod_joint") part.sum = {{"crank_joint", -1}, {"hip_pitch", 1}};
  }
  for (int state = 0; state < 5; ++state) {
    const double thigh = 0.6 * uniform(random), crank = 0.6 * uniform(random);
    const std::map<std::string, double> positions = {
        {"hip_roll", 0}, {"hip_pitch", thigh}, {"crank_joint", crank}, {"knee", crank - thigh}, {"rod_joint", thigh - crank}};
    std::map<std::string, double> rates = {
        {"hip_roll", uniform(random)}, {"hip_pitch", 3 * uniform(random)}, {"crank_joint", 3 * uniform(random)}};
    rates["knee"] = rates["crank_joint"] - rates["hip_pitch"];
    rates["rod_joint"] = -rates["knee"];
    VectorXd q = VectorXd::Zero(robot.dofs), u = VectorXd::Zero(robot.dofs);
    importing::ImportOptions options;
    for (const auto& [joint, angle] : positions) {
      q[robot.by_joint(joint).first] = options.positions[joint] = angle;
      u[robot.by_joint(joint).first] = rates[joint];
      options.velocities[joint] = {rates[joint]};
    }
    const auto x = robot.placed(q, u);
    Vector3d end;
    for (size_t i = 0; i < x.size(); ++i)
      if (robot.parts[i].name == "rod") end = x[i].p + x[i].R * Vector3d(0, 0, -0.213);
    expect_motion("leg.urdf", options, robot.accelerations(q, u, {0, 0, -9.81}),
                  fmt::format("  rod_end: {{generic: [shank, rod], locked: [x, z], at: [{:.17g}, {:.17g}, {:.17g}]}}\n", end.x(),
                              end.y(), end.z()),
                  1e-8);  // the crank is light, and the rod turns it by what heavy links do
  }
}

TEST(ImportMotion, mjcf_moves_as_mujoco_says) {
  for (const std::string name : {"balls", "humanoid", "gear_train", "delta", "balls-bare", "humanoid-bare", "balls-framed"}) {
    importing::ImportOptions options;
    std::map<std::string, Motion> expected;
    for (const std::string& line : lines_of(text_of_file(robot_file((name == "balls-framed" ? "balls" : name) + ".csv")))) {
      std::vector<std::string> words;
      std::istringstream text(line);
      for (std::string word; std::getline(text, word, ',');) words.push_back(word);
      if (words.size() < 3) continue;
      std::vector<double> numbers;
      for (size_t k = 2; k < words.size(); ++k) numbers.push_back(std::stod(words[k]));
      if (words[0] == "position") options.positions[words[1]] = numbers[0];
      if (words[0] == "velocity") options.velocities[words[1]] = numbers;
      if (words[0] == "acceleration")
        expected[words[1]] = {{numbers[0], numbers[1], numbers[2]}, {numbers[3], numbers[4], numbers[5]}};
    }
    ASSERT_FALSE(expected.empty()) << name;
    expect_motion(name + ".xml", options, expected);
  }
}

// Three hinges of one body, with rotors, whose axes are those of the bodies but for the last digit: beyond 90° the model writes angles
// near ±π. Nothing moves about the axis along which the capsule hangs, so that only the pose matters.
TEST(ImportMotion, rotors_about_axes_that_are_nearly_those_of_the_body) {
  const TemporaryFolder folder;
  folder.write("arm.xml",
               "<mujoco><compiler angle='degree'/><option gravity='0 0 -9.81'/><worldbody><body name='a' pos='0 0 1'>"
               "<joint name='y' axis='0 1 0' armature='0.02'/><joint name='x' axis='-1 0 0' armature='0.02'/>"
               "<joint name='z' axis='0 0 1' armature='0.02'/><inertial pos='0 0 -0.2' mass='2' diaginertia='0.03 0.03 0.01'/>"
               "</body></worldbody></mujoco>");
  for (const int angle : {-170, -140, -91, -80, 0, 45, 91, 100, 179}) {
    const std::string file =
        folder.write("m.yaml", fmt::format("mjcf: {{file: arm.xml, positions: {{y: {} deg}}}}\noutputs: {{a: {{rate: y}}}}\n"
                                           "simulation: {{duration: 1e-4, step: 1e-4, integrator: runge-kutta}}\n",
                                           angle));
    const double a = 2 * 9.81 * 0.2 * -std::sin(angle * std::acos(-1.0) / 180) / (0.03 + 0.02 + 2 * 0.2 * 0.2);
    EXPECT_NEAR(run(aleator::load_model(file).compiled().model).last("a"), 1e-4 * a, 2e-10)
        << angle;  // meanwhile the angle turns by 1.5e-7
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
