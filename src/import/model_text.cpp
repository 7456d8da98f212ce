#include "import/model_text.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/drawing.hpp"
#include "numerics/rotation.hpp"

namespace aleator::core::importing {

namespace {

using Kind = Joint::Kind;

// Coordinates come from products of rotations: digits of their round-off are left out.
std::string coordinate(double x) { return std::abs(x) < 1e-15 ? "0" : fmt::format("{:.15g}", x); }
std::string exact(double x) { return x == 0 ? "0" : fmt::format("{:.15g}", x); }
std::string triple(const Vector& v) { return fmt::format("[{}, {}, {}]", coordinate(v.x), coordinate(v.y), coordinate(v.z)); }
std::string in_quotes(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + "\"";
}

bool is_identity(const Matrix& R) {
  const Matrix d = R - Matrix::identity();
  return dot(d[0], d[0]) + dot(d[1], d[1]) + dot(d[2], d[2]) < 1e-26;
}

// Roll, pitch and yaw where they are well defined, otherwise a quaternion.
std::string orientation(const Matrix& R) {
  const double cosine = std::hypot(R[0].x, R[1].x);
  if (cosine > 1e-3)
    return fmt::format("{{rpy: {}}}",
                       triple({std::atan2(R[2].y, R[2].z), std::atan2(-R[2].x, cosine), std::atan2(R[1].x, R[0].x)}));
  const Quaternion<double> q = quaternion_of(R);
  return fmt::format("{{quaternion: {{w: {}, x: {}, y: {}, z: {}}}}}", coordinate(q.w), coordinate(q.v.x), coordinate(q.v.y),
                     coordinate(q.v.z));
}

std::string direction(const Vector& a) {
  static constexpr const char* names[] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k)
    if (std::abs(std::abs(a[k]) - 1) < 1e-13) return (a[k] < 0 ? "-" : "") + std::string(names[k]);
  return triple(a);
}

std::string tensor(const Matrix& J) {
  const double none = 1e-14 * trace(J);
  std::string out = fmt::format("{{xx: {}, yy: {}, zz: {}", exact(J[0].x), exact(J[1].y), exact(J[2].z));
  const std::pair<const char*, double> beside[] = {{"xy", J[0].y}, {"xz", J[0].z}, {"yz", J[1].z}};
  for (const auto& [name, value] : beside)
    if (std::abs(value) > none) out += fmt::format(", {}: {}", name, exact(value));
  return out + "}";
}

std::string shape_text(const Shape& s, const Pose& pose, const std::function<std::string(const std::string&)>& mesh_name) {
  std::string out;
  switch (s.kind) {
    case Shape::Kind::box:
      out = fmt::format("box: [{}, {}, {}]", exact(s.size.x), exact(s.size.y), exact(s.size.z));
      break;
    case Shape::Kind::cylinder:
      out = fmt::format("cylinder: {{radius: {}, length: {}}}", exact(s.size.x), exact(s.size.y));
      break;
    case Shape::Kind::sphere:
      out = fmt::format("sphere: {{radius: {}}}", exact(s.size.x));
      break;
    case Shape::Kind::capsule:
      out = fmt::format("capsule: {{radius: {}, length: {}}}", exact(s.size.x), exact(s.size.y));
      break;
    case Shape::Kind::ellipsoid:
      out = fmt::format("ellipsoid: {{radii: [{}, {}, {}]}}", exact(s.size.x), exact(s.size.y), exact(s.size.z));
      break;
    case Shape::Kind::mesh:
      out = fmt::format("mesh: {}", in_quotes(mesh_name(s.file)));
      if (s.scale.x != s.scale.y || s.scale.x != s.scale.z)
        out += fmt::format(", scale: [{}, {}, {}]", exact(s.scale.x), exact(s.scale.y), exact(s.scale.z));
      else if (s.scale.x != 1)
        out += fmt::format(", scale: {}", exact(s.scale.x));
      break;
  }
  // Without an orientation of its own a shape would have that of the body.
  return fmt::format("{{{}, at: {}, orientation: {}}}", out, triple(pose.p), orientation(pose.R));
}

// Elastic stops at limits that are hard in the file: what hits them vibrates at this frequency.
constexpr double stop_frequency = 20;  // Hz
constexpr double stop_damping = 0.5;   // s/rad or s/m: what hits at 1 rad/s rebounds with about 70 % of it

class Writer {
 public:
  Writer(const Mechanism& mechanism, const Drawing& drawing, const ImportOptions& options,
         const std::function<std::string(const std::string&)>& mesh_name, ImportedModel& out)
      : m_(mechanism), d_(drawing), options_(options), mesh_name_(mesh_name), out_(out) {}

  void write() {
    name_joints();
    write_points();
    write_bodies();
    write_joints();
    write_ball_forces();
    write_outputs();
  }

 private:
  void add(std::string section, std::string name, std::vector<std::string> lines, const Place& place) {
    out_.entries.push_back({std::move(section), std::move(name), std::move(lines), place});
  }

  bool is_body(std::size_t i) const { return d_.body[i] == int(i); }

  // Names of entries of joints, each once; empty: this link has none.
  void name_joints() {
    joint_names_.resize(m_.links.size());
    for (std::size_t i = 0; i < m_.links.size(); ++i) {
      const Joint& j = m_.links[i].joint;
      if (!is_body(i) || j.kind == Kind::free) continue;
      joint_names_[i] = unique(entry_name(j.name.empty() ? d_.names[i] + "_base" : j.name), taken_);
    }
  }

  static std::string unique(std::string name, std::set<std::string>& taken) {
    while (!taken.insert(name).second) name += "_";
    return name;
  }

  std::string joint_called(const std::string& name) const {
    for (std::size_t i = 0; i < m_.links.size(); ++i)
      if (m_.links[i].joint.name == name) return joint_names_[i];
    return "";
  }

  void write_points() {
    std::set<std::string> taken;
    const auto point = [&](const std::string& name, int link, const Vector& at, const Place& place) {
      add("points", unique(entry_name(name), taken), {triple(d_.pose[std::size_t(link)] * at)}, place);
    };
    for (std::size_t i = 0; i < m_.links.size(); ++i)
      if ((!is_body(i) && m_.links[i].name != "world") || (is_body(i) && entry_name(m_.links[i].name) != d_.names[i]))
        point(m_.links[i].name, int(i), {}, m_.links[i].place);
    for (const NamedPoint& p : m_.points) point(p.name, p.link, p.at, {});
  }

  void write_bodies() {
    for (std::size_t i = 0; i < m_.links.size(); ++i) {
      if (!is_body(i)) continue;
      const Link& link = m_.links[i];
      const Pose& X = d_.pose[i];
      const bool turned = !is_identity(X.R);
      std::vector<std::string> lines;
      lines.push_back("mass: " + exact(link.mass.mass));
      lines.push_back("center_of_mass: " + triple(X * link.mass.center));
      lines.push_back("inertia: " + tensor(link.mass.inertia));
      if (turned) lines.emplace_back("inertia_axes: body");
      lines.push_back("at: " + triple(X.p));
      if (turned) lines.push_back("orientation: " + orientation(X.R));
      const Vector& w = d_.spin[i];
      const Vector v = d_.velocity[i] + cross(w, X.R * link.mass.center);
      if (dot(v, v) > 0) lines.push_back("velocity: " + triple(v));
      if (dot(w, w) > 0) lines.push_back("angular_velocity: " + triple(w));
      write_shapes(i, lines);
      add("bodies", d_.names[i], std::move(lines), link.place);
    }
  }

  // Those of the link and of the links without mass that are fixed to it.
  void write_shapes(std::size_t body, std::vector<std::string>& lines) const {
    std::vector<std::string> texts;
    std::string color;
    for (std::size_t k = body; k < m_.links.size(); ++k) {
      if (d_.body[k] != int(body)) continue;
      for (const Shape& s : m_.links[k].shapes) {
        texts.push_back(shape_text(s, d_.pose[k] * s.pose, mesh_name_));
        if (color.empty()) color = s.color;
      }
    }
    if (texts.size() == 1) lines.push_back("shape: " + texts[0]);
    if (texts.size() > 1) lines.emplace_back("shapes:");
    if (texts.size() > 1)
      for (const std::string& t : texts) lines.push_back("  - " + t);
    if (!color.empty()) lines.push_back("color: " + in_quotes(color));
  }

  void write_joints() {
    for (std::size_t i = 0; i < m_.links.size(); ++i)
      if (!joint_names_[i].empty()) write_joint(i);
    for (const Relation& r : m_.relations) {
      const std::string a = joint_called(r.first), b = joint_called(r.second);
      if (r.first.empty()) continue;  // the joint is held
      add("joints", unique(entry_name(r.name), taken_), {fmt::format("{{gear: [{}, {}], ratio: {}}}", a, b, exact(r.ratio))},
          r.place);
    }
    for (const Loop& l : m_.loops) {
      const Vector at = l.first >= 0 ? d_.pose[std::size_t(l.first)] * l.at : l.at;
      const Vector second = l.second >= 0 ? d_.pose[std::size_t(l.second)] * l.at_second : l.at_second;
      const Vector gap = second - at;
      std::string text = fmt::format("{{{}: [{}, {}], at: {}", l.kind, body_of(l.first), body_of(l.second), triple(at));
      if (dot(gap, gap) > 1e-24) text += fmt::format(", at_second: {}", triple(second));
      add("joints", unique(entry_name(l.name), taken_), {text + "}"}, l.place);
    }
  }

  std::string body_of(int link) const { return link < 0 ? "ground" : d_.names[std::size_t(link)]; }

  void write_joint(std::size_t i) {
    const Link& link = m_.links[i];
    const Joint& j = link.joint;
    const Pose joint = (link.parent >= 0 ? d_.pose[std::size_t(link.parent)] : Pose{}) * j.to_joint;
    // The second body's point: behind the motion of a slide.
    const Vector at = j.kind == Kind::slide ? d_.pose[i] * inverse(j.to_link).p : joint.p;
    static constexpr std::pair<Kind, const char*> kinds[] = {{Kind::fixed, "fixed"},
                                                             {Kind::hinge, "revolute"},
                                                             {Kind::slide, "prismatic"},
                                                             {Kind::ball, "spherical"},
                                                             {Kind::planar, "planar"}};
    const char* kind = std::find_if(std::begin(kinds), std::end(kinds), [&](const auto& k) { return k.first == j.kind; })->second;
    std::vector<std::string> lines;
    lines.push_back(fmt::format("{}: [{}, {}]", kind, body_of(link.parent), d_.names[i]));
    if (j.kind == Kind::hinge || j.kind == Kind::slide || j.kind == Kind::planar)
      lines.push_back("axis: " + direction(joint.R * j.axis));
    lines.push_back("at: " + triple(at));
    if (j.kind == Kind::hinge || j.kind == Kind::slide) write_actions(i, lines);
    if (j.kind == Kind::planar && j.damping > 0) lines.push_back(planar_damper(joint.R * j.axis, j.damping));
    add("joints", joint_names_[i], std::move(lines), j.place);
  }

  // All three free directions; those of an oblique axis are x, y and rz.
  static std::string planar_damper(const Vector& axis, double c) {
    int normal = 2;
    for (int k = 0; k < 3; ++k)
      if (std::abs(std::abs(axis[k]) - 1) < 1e-13) normal = k;
    static constexpr const char* across[3][3] = {{"y", "z", "rx"}, {"x", "z", "ry"}, {"x", "y", "rz"}};
    return fmt::format("damper: {{{}: {}, {}: {}, {}: {}}}", across[normal][0], exact(c), across[normal][1], exact(c),
                       across[normal][2], exact(c));
  }

  void write_actions(std::size_t i, std::vector<std::string>& lines) const {
    const Joint& j = m_.links[i].joint;
    const double q = d_.position[i];
    if (q != 0) lines.push_back(fmt::format("# drawn at {} {}", coordinate(q), j.kind == Kind::hinge ? "rad" : "m"));
    if (j.locked) lines.emplace_back("motion: 0");
    if (j.stiffness > 0)
      lines.push_back(fmt::format("spring: {{stiffness: {}, rest: {}}}", exact(j.stiffness), coordinate(j.spring_rest - q)));
    if (j.damping > 0) lines.push_back("damper: " + exact(j.damping));
    if (j.inertia > 0) lines.push_back("armature: " + exact(j.inertia));
    if (j.friction > 0) lines.push_back(fmt::format("friction: {{force: {}}}", exact(j.friction)));
    if (!j.limited || !options_.limits || j.locked) return;
    const double omega = 2 * std::acos(-1.0) * stop_frequency;
    const double k = j.stop_stiffness > 0 ? j.stop_stiffness : omega * omega * d_.joint_inertia[i];
    lines.push_back(fmt::format("stops: {{lower: {}, upper: {}, stiffness: {:.3g}, damping: {}}}", coordinate(j.lower - q),
                                coordinate(j.upper - q), k, stop_damping));
  }

  // Springs and dampers of ball joints act on the rotation vector and on the relative angular velocity: a bushing that only turns.
  void write_ball_forces() {
    for (std::size_t i = 0; i < m_.links.size(); ++i) {
      const Link& link = m_.links[i];
      const Joint& j = link.joint;
      if (joint_names_[i].empty() || j.kind != Kind::ball || !(j.damping > 0 || j.stiffness > 0)) continue;
      const Pose joint = (link.parent >= 0 ? d_.pose[std::size_t(link.parent)] : Pose{}) * j.to_joint;
      std::string text = fmt::format("{{bushing: [{}, {}], at: {}", body_of(link.parent), d_.names[i], triple(joint.p));
      if (j.stiffness > 0) text += fmt::format(", rotational_stiffness: [{0}, {0}, {0}]", exact(j.stiffness));
      if (j.damping > 0) text += fmt::format(", rotational_damping: [{0}, {0}, {0}]", exact(j.damping));
      add("forces", joint_names_[i] + "_forces", {text + "}"}, j.place);
    }
  }

  void write_outputs() {
    std::set<std::string> taken{"time"};
    for (const Observed& o : m_.observed) {
      std::string text;
      if (!o.joint.empty()) {
        const std::string joint = joint_called(o.joint);
        if (joint.empty()) continue;
        text = fmt::format("{{{}: {}}}", o.kind, joint);
      } else {
        if (o.link >= 0 && d_.body[std::size_t(o.link)] < 0) continue;
        const std::string body = body_of(o.link);
        text = fmt::format("{{{}: {}", o.kind, body);
        if (o.kind == "position" || o.kind == "velocity" || o.kind == "acceleration")
          text += fmt::format(", at: {}", triple(d_.pose[std::size_t(o.link)] * o.at));
        text += o.in_link ? fmt::format(", in: {}}}", body) : "}";
      }
      add("outputs", unique(entry_name(o.name), taken), {text}, o.place);
    }
    if (!m_.observed.empty()) return;
    for (std::size_t i = 0; i < m_.links.size(); ++i) {
      const Joint& j = m_.links[i].joint;
      if (!joint_names_[i].empty() && (j.kind == Kind::hinge || j.kind == Kind::slide))
        add("outputs", unique(joint_names_[i], taken), {fmt::format("{{coordinate: {}}}", joint_names_[i])}, j.place);
      else if (is_body(i) && j.kind != Kind::fixed)
        add("outputs", unique(d_.names[i], taken), {fmt::format("{{position: {}}}", d_.names[i])}, m_.links[i].place);
    }
  }

  const Mechanism& m_;
  const Drawing& d_;
  const ImportOptions& options_;
  const std::function<std::string(const std::string&)>& mesh_name_;
  ImportedModel& out_;
  std::vector<std::string> joint_names_;
  std::set<std::string> taken_;  // names of joints
};

}  // namespace

ImportedModel model_of(Mechanism mechanism, const ImportOptions& options,
                       const std::function<std::string(const std::string& file)>& mesh_name) {
  const Drawing drawing = drawn(mechanism, options);
  for (std::size_t i = 0; i < mechanism.links.size(); ++i)
    if (drawing.body[i] < 0 && !mechanism.links[i].shapes.empty())
      mechanism.note(mechanism.links[i].shapes[0].place,
                     fmt::format("shapes of '{}', which is the ground, are not drawn", mechanism.links[i].name));
  ImportedModel out;
  out.title = mechanism.title;
  out.format = mechanism.format;
  out.file = mechanism.file;
  out.gravity = mechanism.gravity;
  out.duration = options.duration;
  Writer(mechanism, drawing, options, mesh_name, out).write();
  out.notes = std::move(mechanism.notes);
  return out;
}

std::string text_of(const ModelEntry& e) {
  if (e.lines.size() == 1 && (e.lines[0].starts_with('{') || e.lines[0].starts_with('[')))
    return fmt::format("  {}: {}\n", e.name, e.lines[0]);
  std::string out = fmt::format("  {}:{}\n", e.name, e.place.line > 0 ? fmt::format("  # line {}", e.place.line) : "");
  for (const std::string& line : e.lines) out += "    " + line + "\n";
  return out;
}

std::vector<std::string> lines_of(const std::vector<Note>& notes, std::string_view before) {
  // The first place of each message, and the lines of the others.
  std::vector<std::size_t> first;
  std::unordered_map<std::string_view, std::vector<int>> lines;
  for (std::size_t i = 0; i < notes.size(); ++i) {
    const auto [of, is_new] = lines.try_emplace(notes[i].message);
    is_new ? first.push_back(i) : of->second.push_back(notes[i].place.line);
  }
  constexpr std::size_t most = 8;
  std::vector<std::string> out;
  for (const std::size_t i : first) {
    const std::vector<int>& also = lines.at(notes[i].message);
    const std::span<const int> shown(also.data(), std::min(also.size(), most));
    const std::string others = also.empty() ? ""
                                            : fmt::format(" (also line{} {}{})", also.size() == 1 ? "" : "s",
                                                          fmt::join(shown, ", "), also.size() > most ? ", …" : "");
    out.push_back(fmt::format("{}: {}{}{}", text_of(notes[i].place), before, notes[i].message, others));
    for (char& c : out.back())
      if (static_cast<unsigned char>(c) < 0x20) c = ' ';  // of names
  }
  return out;
}

std::string text_of(const ImportedModel& m) {
  const std::string name = std::filesystem::path(m.file).filename().string();
  std::string out = fmt::format("# Imported from {} ({}) by `aleator import`.\n", name, m.format);
  out += "# Positions are those at t = 0, in inertial axes; coordinates of joints count from there.\n";
  if (!m.notes.empty()) out += "#\n";
  for (const std::string& line : lines_of(m.notes)) out += "# " + line + "\n";
  out += fmt::format("title: {}\ngravity: {}\n", in_quotes(m.title.empty() ? name : m.title), triple(m.gravity));
  std::string section;
  std::string heavy;  // the first body with a mass
  for (const ModelEntry& e : m.entries) {
    if (e.section != section) out += fmt::format("\n{}:\n", e.section);
    section = e.section;
    const bool massless = std::find(e.lines.begin(), e.lines.end(), "mass: 0") != e.lines.end();
    if (section == "bodies" && heavy.empty() && !massless) heavy = e.name;
    out += text_of(e);
  }
  out += fmt::format(
      "\n# Outputs are this far apart; steps are shorter where their error asks for it.\nsimulation: {{duration: {}, step: "
      "{}}}\n",
      exact(m.duration), exact(m.duration / 200));
  out += fmt::format("\n# What is not known exactly, for `aleator run`:\n# uncertain:\n#   {}: {{mass: {{cov: 10%}}}}\n", heavy);
  return out;
}

}  // namespace aleator::core::importing
