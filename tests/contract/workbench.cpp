#include "contract/workbench.hpp"

#include <map>
#include <random>

#include "elements/locked_directions.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {

namespace {

// Bodies a and b, as each of the kinds of Entry: all of them have the points P = [0.1, 0.2, 0.3] and Q = [0.5, -0.3, 0.7] (in the
// plane their x and y), where the elements under test are. Sections are thick, and stiffnesses of the size of the other forces.
struct Kind {
  std::string text;
  std::string hinge;  // a point of it, for turn_a or turn_b
};
std::string material_of(double mass_damping) {
  return "E: 600, nu: 0.3, density: 40, damping: {stiffness: 0.02, mass: " + text(mass_damping) + "}";
}

Kind spatial_kind(const std::string& name, const std::string& kind, const std::string& material) {
  const std::string rigid = name == "a"
                                ? "mass: 2, at: [0.1, 0.4, -0.2], center_of_mass: [0.15, 0.3, -0.1], orientation: {rpy: [0.3, "
                                  "-0.5, 1.1]}, inertia: {xx: 0.3, yy: 0.4, zz: 0.5, xy: 0.03, xz: -0.02, yz: 0.05}"
                                : "mass: 3, at: [0.5, -0.3, 0.6], center_of_mass: [0.45, -0.2, 0.7], orientation: {rpy: [-1.2, "
                                  "0.4, 0.2]}, inertia: {xx: 0.7, yy: 0.5, zz: 0.6, xy: -0.06, xz: 0.04, yz: 0.02}";
  const std::string hinge = name == "a" ? "[-0.2, 0.3, 0.1]" : "[0.1, -0.2, 0.4]",
                    between = "[[0.1, 0.2, 0.3], [0.5, -0.3, 0.7]]";
  const std::string section = ", section: {rectangle: {height: 0.3, width: 0.2}}, height_along: [0.3, 0.8, 0.1], " + material;
  if (kind == "rigid") return {rigid, hinge};
  if (kind == "reference node") return {rigid + ", reference_node: true", hinge};
  if (kind == "end of a beam") return {"beam: " + between + section + ", elements: 1", "[0.1, 0.2, 0.3]"};
  if (kind == "continuum") return {"beam: " + between + section + ", elements: 1, elasticity: continuum", "[0.1, 0.2, 0.3]"};
  // A curve through P and Q, which are in elements, and a little off the axis, which is a cubic piece by piece.
  if (kind == "curved beam")
    return {"beam: [[-0.1, 0.5, 0.1], [0.1, 0.2, 0.3], [0.5, -0.3, 0.7], [0.6, -0.5, 0.7]]" + section + ", elements: 2",
            "[-0.1, 0.5, 0.1]"};
  // Straight, P and Q in an element and away from the axis by (0.05, 0.04, 0), across PQ.
  if (kind == "beside a beam")
    return {"beam: [[-0.05, 0.36, 0.2], [0.65, -0.515, 0.9]]" + section + ", elements: 1", "[-0.05, 0.36, 0.2]"};
  if (kind == "end of a cable")
    return {"cable: " + between + ", section: {circle: {radius: 0.2}}, elements: 1, " + material, "[0.1, 0.2, 0.3]"};
  if (kind == "cable")
    return {"cable: [[-0.1, 0.45, 0.1], [0.6, -0.425, 0.8]], section: {circle: {radius: 0.2}}, elements: 1, " + material,
            "[-0.1, 0.45, 0.1]"};
  throw std::logic_error("no kind of body '" + kind + "'");
}

Kind planar_kind(const std::string& name, const std::string& kind, const std::string& material) {
  const std::string rigid = name == "a"
                                ? "mass: 2, at: [0.1, 0.4], center_of_mass: [0.15, 0.3], orientation: 0.4, inertia: 0.3"
                                : "mass: 3, at: [0.5, -0.3], center_of_mass: [0.45, -0.2], orientation: -1.1, inertia: 0.6";
  const std::string hinge = name == "a" ? "[-0.2, 0.3]" : "[0.1, -0.2]", between = "[[0.1, 0.2], [0.5, -0.3]]";
  const std::string section = ", section: {rectangle: {height: 0.3, width: 0.2}}, " + material;
  if (kind == "rigid") return {rigid, hinge};
  if (kind == "reference node") return {rigid + ", reference_node: true", hinge};
  if (kind == "end of a beam") return {"beam: " + between + section + ", elements: 1", "[0.1, 0.2]"};
  if (kind == "continuum") return {"beam: " + between + section + ", elements: 1, elasticity: continuum", "[0.1, 0.2]"};
  if (kind == "curved beam")
    return {"beam: [[-0.1, 0.5], [0.1, 0.2], [0.5, -0.3], [0.6, -0.5]]" + section + ", elements: 2", "[-0.1, 0.5]"};
  if (kind == "beside a beam") return {"beam: [[-0.05, 0.31], [0.59, -0.49]]" + section + ", elements: 1", "[-0.05, 0.31]"};
  if (kind == "end of a cable")
    return {"cable: " + between + ", section: {circle: {radius: 0.2}}, elements: 1, " + material, "[0.1, 0.2]"};
  if (kind == "cable")
    return {"cable: [[-0.1, 0.45], [0.6, -0.425]], section: {circle: {radius: 0.2}}, elements: 1, " + material, "[-0.1, 0.45]"};
  throw std::logic_error("no kind of body '" + kind + "'");
}

const std::string spatial_c =
    "  c: {mass: 1.5, at: [-0.4, 0.2, 0.3], center_of_mass: [-0.3, 0.1, 0.35], orientation: {rpy: [0.8, 0.1, -0.7]},\n"
    "      inertia: {xx: 0.2, yy: 0.3, zz: 0.25, xy: 0.02, xz: 0.01, yz: -0.03}}\n";
const std::string planar_c = "  c: {mass: 1.5, at: [-0.4, 0.2], center_of_mass: [-0.3, 0.1], orientation: 2.2, inertia: 0.2}\n";

// What a motion is in each direction: all derivatives differ from zero at the time of random states.
const std::map<std::string, std::string> motion_of = {{"x", "0.2*sin(3*t)"},       {"y", "0.1*t^3 - 0.2*t^2"},
                                                      {"z", "0.3*cos(2*t + 0.4)"}, {"rx", "0.5*sin(2*t + 0.1)"},
                                                      {"ry", "0.4*t^2 - 0.3"},     {"rz", "0.7*cos(t) + 0.2*t"}};

bool has_field(const ElementType& type, std::string_view key, bool per_direction) {
  return std::any_of(type.kind.fields.begin(), type.kind.fields.end(),
                     [&](const input::Field& f) { return f.key == key && f.per_direction == per_direction; });
}

std::string with(std::string_view example, const std::string& more) {
  const size_t end = example.rfind('}');
  return std::string(example.substr(0, end)) + ", " + more + "}";
}

Entry joint_entry(const std::string& label, const std::string& text) {
  Entry e;
  e.label = label + "  " + text;
  e.joint = text;
  return e;
}
Entry force_entry(const std::string& text) {
  Entry e;
  e.label = e.force = text;
  return e;
}
Entry output_entry(const std::string& text) {
  Entry e;
  e.label = e.output = text;
  return e;
}

const JointRecord& tested_joint(const Model& m) {
  for (const JointRecord& j : m.topology.joints)
    if (j.name == "tested") return j;
  throw std::logic_error("the model has no joint 'tested'");
}

// The free directions of a joint: those that can be measured, and three rotations where none is locked.
std::vector<std::string> free_directions(const Model& m) {
  const JointRecord& joint = tested_joint(m);
  std::vector<std::string> names;
  for (const FreeDirection& f : joint.free) names.push_back(f.name);
  bool rotation = false;
  for (int r = joint.row; r < joint.row + joint.rows; ++r) rotation |= m.topology.rows[r].what.starts_with("rotation");
  for (const FreeDirection& f : joint.free) rotation |= f.coordinate.kind == Coordinate::angle;
  if (!rotation && m.topology.normal < 0) names.insert(names.end(), {"rx", "ry", "rz"});
  return names;
}

std::string motion_in(const std::vector<std::string>& directions) {
  std::string text;
  for (const std::string& d : directions) text += (text.empty() ? "" : ", ") + d + ": " + motion_of.at(d);
  return "motion: {" + text + "}";
}

// Motions in single directions (three free rotations only together), and in all of them.
std::vector<std::vector<std::string>> motions_for(const std::vector<std::string>& free) {
  std::vector<std::vector<std::string>> sets;
  std::vector<std::string> rotations;
  for (const std::string& d : free)
    if (d[0] == 'r') rotations.push_back(d);
  for (const std::string& d : free)
    if (d[0] != 'r' || rotations.size() < 3) sets.push_back({d});
  if (rotations.size() == 3) sets.push_back(rotations);
  if (free.size() > 1 && free != rotations) sets.push_back(free);
  return sets;
}

const std::vector<std::string> laws = {
    "spring: {stiffness: 40, rest: 0.1, preload: 3}",
    "spring: {characteristic: [[-1, -9], [-0.2, -1], [0.3, 2], [0.5, 7]]}",
    "damper: 6",
    "stops: {lower: -0.05, upper: 0.05, stiffness: 80, damping: 0.3}",
    "stops: {upper: -0.3, stiffness: 80, damping: 0.3}",
    "friction: {force: 5, velocity: 0.8}",
    "hysteresis: {stiffness: 40, post_yield_ratio: 0.2, yield_displacement: 0.3, exponent: 1.5}",
    "hysteresis: {stiffness: 40, beta: 2, gamma: -1, exponent: 3, A: 1.5}, damper: 3",
    "actuator: 4*cos(3*t)",
    "spring: {stiffness: 40}, damper: 6, stops: {lower: -0.1, upper: 0.1, stiffness: 80, damping: 0.3}, friction: {force: 5, "
    "velocity: 0.8}, "
    "actuator: {sine: {amplitude: 3, frequency: 2}}",
};

}  // namespace

Model Entry::model() const {
  const auto kind_of = planar ? planar_kind : spatial_kind;
  const std::string material = material_of(mass_damping);
  const Kind of_a = kind_of("a", a, material), of_b = kind_of("b", b, material);
  std::string text = planar ? "plane: xy\ngravity: [0.3, -9.81]\n" : "gravity: [0.3, -0.4, -9.81]\n";
  text += "bodies:\n  a: {" + of_a.text + "}\n  b: {" + of_b.text + "}\n" + (planar ? planar_c : spatial_c);
  if (output.find(": beam") != std::string::npos)
    text +=
        "  beam: {" + replaced(spatial_kind("b", "curved beam", material).text, "[-0.1, 0.5, 0.1]", "[-0.2, 0.6, 0.1]") + "}\n";
  // A cable in space has no axes that could be held.
  const auto turn = [&](const std::string& body, const Kind& kind, const std::string& axis) {
    const bool bare = !planar && kind.text.starts_with("cable");
    return "  turn_" + body + ": {" + (bare ? "spherical" : "revolute") + ": [c, " + body + "]" + (bare || planar ? "" : axis) +
           ", at: " + kind.hinge + "}\n";
  };
  text += "joints:\n" + turn("a", of_a, ", axis: [0.2, 0.9, -0.1]") + turn("b", of_b, ", axis: [-0.5, 0.4, 0.7]");
  if (!joint.empty()) text += "  tested: " + joint + "\n";
  if (!force.empty()) text += "forces:\n  tested: " + force + "\n";
  if (!output.empty())
    text +=
        "forces:\n  spring: {torsion_spring: [a, b], axis: [0.3, -0.2, 0.9], stiffness: 50, damping: 0.4, angle: 0.2}\n"
        "  rubber: {bushing: [a, b], at: [0.1, 0.2, 0.3], stiffness: [900, 800, 300], rotational_stiffness: [30, 50, 20]}\n"
        "  strut: {spring_damper: [a, b], points: [[0.1, 0.2, 0.3], [0.5, -0.3, 0.7]], stiffness: 300, damping: 4, length: 0.5}\n"
        "  isolator: {bouc_wen: [a, b], points: [[0.1, 0.2, 0.3], [0.5, -0.3, 0.7]], stiffness: 90, yield_force: 20, "
        "post_yield_ratio: 0.2}\n"
        "outputs:\n  tested: " +
        output + "\n";
  text += "simulation: {duration: 1}\n";
  CompileOptions all_unknowns;
  all_unknowns.lock_unmoved = false;
  return model_from(text, all_unknowns);
}

std::vector<Entry> joint_entries() {
  std::vector<Entry> out;
  for (const ElementType& type : joint_types()) {
    const std::string key(type.kind.key), example(type.example);
    std::vector<Entry> own = {joint_entry(key, example)};
    if (has_field(type, "motion", true))
      for (const auto& directions : motions_for(free_directions(own[0].model())))
        own.push_back(joint_entry(key, with(example, motion_in(directions))));
    if (has_field(type, "motion", false)) own.push_back(joint_entry(key, with(example, "motion: 0.3*sin(2*t)")));
    out.insert(out.end(), own.begin(), own.end());
    if (type.kind.subject.type == input::FieldType::body_pair)
      for (const Entry& e : own)
        for (const std::string pair : {"[ground, b]", "[a, ground]"})
          out.push_back(joint_entry(key, replaced(e.joint, "[a, b]", pair)));
  }
  // The second point drawn apart from the first, and axes that are not those of the inertial frame.
  out.push_back(joint_entry("generic",
                            "{generic: [a, b], locked: [x, y, rz], at: [0.1, 0.2, 0.3], at_second: [0.3, 0.1, 0.2], orientation: "
                            "{rpy: [0.4, 0.2, -0.6]}}"));
  out.push_back(joint_entry("gear", "{gear: [turn_b, turn_a], ratio: 0.7}"));
  return out;
}

std::vector<Entry> law_entries() {
  std::vector<Entry> out;
  for (const std::string joint : {"{revolute: [a, b], axis: [0.3, -0.2, 0.9], at: [0.1, 0.2, 0.3]}",
                                  "{prismatic: [a, b], axis: [0.3, -0.2, 0.9], at: [0.1, 0.2, 0.3]}",
                                  "{prismatic: [ground, b], axis: y, at: [0.1, 0.2, 0.3]}"})
    for (const std::string& law : laws) {
      out.push_back(joint_entry("law", with(joint, law)));
      out.back().conservative = law.find("actuator") == std::string::npos;
    }
  out.push_back(joint_entry("law",
                            "{universal: [a, b], axis: x, second_axis: y, at: [0.1, 0.2, 0.3], spring: {rx: {stiffness: 30}, ry: "
                            "{stiffness: 20}}, damper: {ry: 3}}"));
  out.push_back(joint_entry("law",
                            "{cylindrical: [a, b], axis: z, at: [0.1, 0.2, 0.3], spring: {along: {stiffness: 30}, about: "
                            "{stiffness: 20}}, friction: {about: {force: 2, velocity: 0.5}}}"));
  out.push_back(
      joint_entry("law", "{point_on_plane: [a, b], axis: z, at: [0.1, 0.2, 0.3], spring: {x: {stiffness: 30}}, damper: {y: 3}}"));
  return out;
}

std::vector<Entry> armature_entries() {
  std::vector<Entry> out;
  const auto add = [&](const std::string& label, const std::string& example, bool planar) {
    Entry plain = joint_entry(label, example);
    plain.planar = planar;
    const std::vector<FreeDirection> free = tested_joint(plain.model()).free;
    if (free.empty()) return;
    std::string text;
    for (const FreeDirection& f : free) text += (text.empty() ? "" : ", ") + f.name + (f.name[0] == 'r' ? ": 0.4" : ": 3");
    const std::string armature = "armature: {" + text + "}";
    std::vector<std::string> texts = {with(example, armature), with(example, armature + ", " + motion_in({free[0].name}))};
    for (const std::string& t : std::vector<std::string>(texts))
      for (const std::string pair : {"[ground, b]", "[a, ground]"}) texts.push_back(replaced(t, "[a, b]", pair));
    for (const std::string& t : texts) {
      out.push_back(joint_entry(label, t));
      out.back().planar = planar;
    }
  };
  for (const ElementType& type : joint_types())
    if (has_field(type, "armature", true)) add("armature " + std::string(type.kind.key), std::string(type.example), false);
  for (const std::string joint : {"{revolute: [a, b], at: [0.1, 0.2]}", "{prismatic: [a, b], axis: [0.3, -0.2], at: [0.1, 0.2]}",
                                  "{point_on_line: [a, b], axis: y, at: [0.1, 0.2]}"})
    add("armature in the plane", joint, true);
  return out;
}

std::vector<Entry> force_entries() {
  std::vector<Entry> out;
  for (const ElementType& type : force_types()) {
    const bool pair = type.kind.subject.type == input::FieldType::body_pair;
    const std::string example(type.example);
    std::vector<std::string> texts = {example};
    if (pair) texts.insert(texts.end(), {replaced(example, "[a, b]", "[ground, b]"), replaced(example, "[a, b]", "[a, ground]")});
    for (const input::Field& f : type.kind.fields) {
      if (f.key == "one_sided") {
        const std::string longer = example.find("length: 0.5") == std::string::npos
                                       ? example
                                       : replaced(example, "length: 0.5", "length: 2");  // shorter than at rest now and then
        texts.insert(texts.end(), {with(example, "one_sided: tension"), with(longer, "one_sided: compression")});
      }
      if (f.key == "characteristic")
        texts.push_back(with(example, "characteristic: [[-0.5, -40], [-0.1, -3], [0.2, 5], [0.4, 30]]"));
      if (f.key == "damping_characteristic")
        texts.push_back(with(example, "damping_characteristic: [[-1, -9], [0, 0], [0.6, 2], [2, 20]]"));
      if (f.key == "hysteresis")
        texts.push_back(
            with(example, "hysteresis: {x: {stiffness: 90, yield_force: 20}, z: {stiffness: 70, beta: 2, gamma: 1}}"));
      if (f.key == "axis" && example.find(", length: 0.5}") != std::string::npos)
        texts.push_back(replaced(example, "length: 0.5}", "axis: [0.3, -0.2, 0.9]}"));
      if (f.key == "orientation") texts.push_back(with(example, "orientation: {rpy: [0.4, 0.2, -0.6]}"));
      if (f.key == "follows")
        texts.push_back(example.find("follows") == std::string::npos ? with(example, "follows: true")
                                                                     : replaced(example, "follows: true", "follows: false"));
    }
    for (const std::string& t : texts) {
      out.push_back(force_entry(t));
      out.back().external = !pair;
      out.back().conservative = pair;
    }
  }
  return out;
}

std::vector<Entry> planar_entries() {
  std::vector<Entry> out;
  const std::string at = ", at: [0.1, 0.2]";
  for (const std::string joint :
       {"{fixed: [a, b]", "{revolute: [a, b]", "{prismatic: [a, b], axis: [0.3, -0.2]", "{prismatic: [ground, b], axis: x",
        "{cylindrical: [a, b]", "{spherical: [a, b]", "{point_on_line: [a, b], axis: y", "{point_on_plane: [a, b], axis: [1, 2]",
        "{generic: [a, b], locked: [x]"}) {
    out.push_back(joint_entry("planar", joint + at + "}"));
    out.back().planar = true;
    const std::vector<std::string> free =
        joint == "{fixed: [a, b]" ? std::vector<std::string>{} : free_directions(out.back().model());
    for (const auto& directions : motions_for(free))
      out.push_back(joint_entry("planar", joint + at + ", " + motion_in(directions) + "}"));
    for (auto& e : out) e.planar = true;
  }
  out.push_back(joint_entry("planar", "{distance: [a, b], points: [[0.1, 0.2], [0.5, -0.3]], motion: 0.3*sin(2*t)}"));
  out.push_back(joint_entry("planar", "{gear: [turn_a, turn_b], ratio: -2}"));
  for (const std::string& law : laws) {
    out.push_back(joint_entry("planar", "{revolute: [a, b]" + at + ", " + law + "}"));
    out.push_back(joint_entry("planar", "{prismatic: [a, b], axis: [0.3, -0.2]" + at + ", " + law + "}"));
    for (size_t k = out.size() - 2; k < out.size(); ++k) out[k].conservative = law.find("actuator") == std::string::npos;
  }
  for (const std::string force :
       {"{spring_damper: [a, b], points: [[0.1, 0.2], [0.5, -0.3]], stiffness: 300, damping: 4, length: 0.4}",
        "{torsion_spring: [a, b], stiffness: 50, damping: 0.4, angle: 0.2}",
        "{bouc_wen: [a, b], points: [[0.1, 0.2], [0.5, -0.3]], axis: x, stiffness: 50, yield_force: 10, post_yield_ratio: 0.1}",
        "{bushing: [a, b], at: [0.1, 0.2], stiffness: [900, 800], damping: [3, 2], rotational_stiffness: [0, 0, 20], "
        "rotational_damping: [0, 0, 0.1]}"})
    out.push_back(force_entry(force));
  for (auto& e : out) e.planar = true;
  return out;
}

std::vector<Entry> output_entries() {
  std::vector<Entry> out;
  for (const ElementType& type : output_types()) {
    const std::string example(type.example);
    out.push_back(output_entry(example));
    const bool vector = has_field(type, "component", false) && has_field(type, "in", false);
    if (!vector) continue;
    std::string plain = "{" + std::string(type.kind.key) +
                        (example.find(": beam") != std::string::npos         ? ": beam}"
                         : type.kind.subject.type == input::FieldType::body  ? ": b}"
                         : type.kind.subject.type == input::FieldType::joint ? ": turn_a}"
                                                                             : ": rubber}");
    if (has_field(type, "joint", false)) plain = with(plain, "joint: turn_b");
    for (const std::string more : {"in: a", "component: y", "component: norm", "component: x, in: c"})
      out.push_back(output_entry(with(plain, more)));
  }
  for (const std::string text :
       {"{orientation: b}", "{coordinate: turn_b}", "{kinetic_energy: all}", "{constraint_violation: turn_a}", "{tension: strut}",
        "{length: strut}", "{tension: isolator}", "{dissipated_energy: isolator}", "{force: rubber}", "{torque: rubber}",
        "{strain: beam, at: [0.1, 0.2, 0.3]}", "{section_moment: beam, at: [0.1, 0.2, 0.3], in: a}"})
    out.push_back(output_entry(text));
  return out;
}

bool needs_no_axes(const std::string& text) {
  if (text.find(" rx: ") != std::string::npos || text.find("{rx: ") != std::string::npos) return false;
  for (const char* kind : {"{spherical", "{point_on_line", "{point_on_plane", "{distance", "{spring_damper", "{bouc_wen"})
    if (text.starts_with(kind)) return true;
  return text.starts_with("{force") && text.find("follows: true") == std::string::npos;
}

std::vector<Entry> flexible_entries() {
  std::vector<Entry> out;
  const auto add = [&](const std::vector<Entry>& entries, const std::string& a, const std::string& b) {
    for (Entry e : entries) {
      const std::string text = e.joint + e.force;
      if (text.find("ground") != std::string::npos || text.find("at_second") != std::string::npos) continue;
      if (!e.planar && b.find("cable") != std::string::npos && !needs_no_axes(text)) continue;
      e.a = a, e.b = b;
      e.label = a + ", " + b + ":  " + e.label;
      out.push_back(e);
    }
  };
  std::vector<Entry> spatial = joint_entries();
  for (const auto& list : {law_entries(), force_entries()}) spatial.insert(spatial.end(), list.begin(), list.end());
  spatial.push_back(
      joint_entry("generic",
                  "{generic: [a, b], locked: [x, y, rz], at: [0.1, 0.2, 0.3], at_second: [0.5, -0.3, 0.7], orientation: "
                  "{rpy: [0.4, 0.2, -0.6]}}"));
  const std::vector<Entry> planar = planar_entries();
  for (const auto& list : {spatial, planar}) {
    add(list, "rigid", "end of a beam");
    add(list, "beside a beam", "rigid");
    add(list, "curved beam", "continuum");
    add(list, "reference node", "curved beam");
    add(list, "rigid", "end of a cable");
    add(list, "reference node", "cable");
  }
  return out;
}

std::vector<Entry> mechanical_entries() {
  std::vector<Entry> all;
  for (const auto& list :
       {joint_entries(), law_entries(), armature_entries(), force_entries(), planar_entries(), flexible_entries()})
    all.insert(all.end(), list.begin(), list.end());
  return all;
}

State<double> random_state(const Model& m, int seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::normal_distribution<double> normal;
  State<double> s;
  s.t = 0.37;
  const auto fill = [&](AlignedVector<double>& v, size_t n) {
    v.resize(n);
    for (double& x : v) x = uniform(generator);
  };
  const Topology& t = m.topology;
  const int carriers = int(t.carriers.size());
  fill(s.positions, 7 * carriers);
  fill(s.velocities, 6 * carriers);
  fill(s.accelerations, 6 * carriers);
  fill(s.lambda, m.structure.rows);
  fill(s.turns, t.turns);
  for (double& x : s.turns) x *= 10;
  for (int b = 0; b < t.rigid; ++b) {
    for (int i = 3; i < 7; ++i) s.positions[7 * b + i] = normal(generator);
    if (const int n = t.normal; n >= 0)
      for (int i = 0; i < 3; ++i) {
        (i == n ? s.positions[7 * b + i] : s.positions[7 * b + 4 + i]) = 0;
        for (auto* v : {&s.velocities, &s.accelerations}) (*v)[6 * b + (i == n ? i : 3 + i)] = 0;
      }
    RigidBody::normalize(&s.positions[7 * b]);
  }
  // Vectors of nodes about where they were drawn, far enough for large strains and not so far that directors fall together.
  for (int c = t.rigid; c < carriers; ++c)
    for (int i = 0; i < 7; ++i) {
      const bool exists = i < 6 && t.carriers[c].active(i, t.normal);
      double& x = s.positions[7 * c + i];
      x = i < 6 ? m.nominal.positions[7 * c + i] + (exists ? 0.25 * x : 0) : 0;
      if (i < 6 && !exists) s.velocities[6 * c + i] = s.accelerations[6 * c + i] = 0;
    }
  return s;
}

std::vector<int> directions_of(const Model& m) {
  std::vector<int> out;
  for (int i = 0; i < 6 * int(m.topology.carriers.size()); ++i)
    if (m.structure.dof[i] >= 0) out.push_back(i);
  return out;
}

// A unit of a direction, in the terms of the state: displacements as they are, turns of rigid bodies in body axes.
static void unit_of(const Model& m, const State<double>& s, int direction, double* six) {
  const int carrier = direction / 6, i = direction % 6;
  for (int k = 0; k < 6; ++k) six[k] = 0;
  if (i < 3 || carrier >= m.topology.rigid) {
    six[i] = 1;
  } else {
    const Vec3<double> turn = rotation_matrix(RigidBody::orientation(&s.positions[7 * carrier]))[i - 3];  // Rᵀ e = a row of R
    for (int k = 0; k < 3; ++k) six[3 + k] = turn[k];
  }
}

State<Dual> moved(const Model& m, const State<double>& s, int direction) {
  State<Dual> d = converted<Dual>(s);
  double six[6];
  unit_of(m, s, direction, six);
  AlignedVector<Dual> step(s.velocities.size());
  for (int k = 0; k < 6; ++k) step[direction / 6 * 6 + k].d = six[k];
  m.topology.all_carriers().move(d.positions.data(), step.data(), d.positions.data());
  return d;
}

static State<Dual> changed(const Model& m, const State<double>& s, int direction, AlignedVector<Dual> State<Dual>::*part) {
  State<Dual> d = converted<Dual>(s);
  double six[6];
  unit_of(m, s, direction, six);
  for (int k = 0; k < 6; ++k) (d.*part)[direction / 6 * 6 + k].d = six[k];
  return d;
}
State<Dual> faster(const Model& m, const State<double>& s, int direction) {
  return changed(m, s, direction, &State<Dual>::velocities);
}
State<Dual> accelerated(const Model& m, const State<double>& s, int direction) {
  return changed(m, s, direction, &State<Dual>::accelerations);
}

State<Dual> in_time(const Model& m, const State<double>& s) {
  State<Dual> d = converted<Dual>(s);
  AlignedVector<Dual> step(s.velocities.size());
  for (size_t k = 0; k < step.size(); ++k) {
    step[k].d = s.velocities[k];
    d.velocities[k].d = s.accelerations[k];
  }
  m.topology.all_carriers().move(d.positions.data(), step.data(), d.positions.data());
  return d;
}

// Chebyshev coefficients of the derivative: d_{k−1} = d_{k+1} + 2k c_k, the first halved, times ds/dt = 2/width.
void let_time_run(Realization<Dual>& r) {
  for (const Signal& signal : r.signals) {
    const int degree = signal.pieces.degree;
    for (int piece = 0; piece < signal.pieces.pieces(); ++piece) {
      Dual* c = &r.numbers[signal.coefficients + signal.pieces.offset(piece)];
      const double rate = 2 / (signal.pieces.knots[piece + 1] - signal.pieces.knots[piece]);
      std::vector<double> d(degree + 3, 0.0);
      for (int k = degree; k >= 1; --k) d[k - 1] = d[k + 1] + 2 * k * c[k].v;
      d[0] /= 2;
      for (int k = 0; k <= degree; ++k) c[k].d = rate * d[k];
    }
  }
}

std::vector<std::vector<InertialRow>> inertial_rows(const Model& model) {
  std::vector<std::vector<InertialRow>> joints;
  for (const GroupData& g : model.topology.groups)
    for (int i = 0; i < g.count && g.kernel == &locked_directions_kernel; ++i) {
      const auto& t = reinterpret_cast<const LockedDirections::Topology*>(g.topology.data())[i];
      if (t.coincident == 0) continue;
      joints.emplace_back();
      for (int k = 0; k < t.translations; ++k) joints.back().push_back({t.row + k, t.axis[k]});
    }
  return joints;
}

Eigen::MatrixXd dense_jacobian(const Assembly<double>& a) {
  const Topology& t = a.model().topology;
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(a.rows(), 6 * a.carriers().count);
  for (size_t k = 0; k < t.block_row.size(); ++k)
    for (int i = 0; i < 3 && t.block_carrier[k] != t.ground(); ++i) {
      G(t.block_row[k], 6 * t.block_carrier[k] + i) += a.evaluation().jacobian[k].F[i];
      G(t.block_row[k], 6 * t.block_carrier[k] + 3 + i) += a.evaluation().jacobian[k].M[i];
    }
  return G;
}

Eigen::MatrixXd dense_matrix(const Assembly<double>& a) {
  const SparsePattern& p = a.model().structure.pattern;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(p.n, p.n);
  for (int c = 0; c < p.n; ++c)
    for (int k = p.column_start[c]; k < p.column_start[c + 1]; ++k) A(p.row[k], c) = a.values()[k];
  return A;
}

double relative_difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  if (b.size() == 0) return 0;
  return (a - b).cwiseAbs().maxCoeff() / std::max(1.0, b.cwiseAbs().maxCoeff());
}

}  // namespace aleator::core::test
