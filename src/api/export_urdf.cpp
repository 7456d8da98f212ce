// A model as URDF: trees of rigid bodies. All frames are parallel to the inertial axes at t = 0; that of a link is at its joint.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include <fmt/format.h>

#include <aleator/import.hpp>

#include "api/mesh_names.hpp"
#include "input/error_list.hpp"
#include "input/expression.hpp"
#include "input/file_access.hpp"
#include "input/referred_files.hpp"
#include "model/colours.hpp"
#include "model/scope.hpp"
#include "study/loaded_model.hpp"

namespace aleator {
namespace {

using core::Mat3;
using core::Vec3;
using core::input::InputError;
using core::input::Item;
using core::input::Value;

std::string digits(double x) { return std::abs(x) < 1e-15 ? "0" : fmt::format("{:.15g}", x); }
std::string triple(const Vec3<double>& v) { return fmt::format("{} {} {}", digits(v.x), digits(v.y), digits(v.z)); }

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

Vec3<double> rpy_of(const Mat3<double>& R) {
  const double cosine = std::hypot(R[0].x, R[1].x);
  if (cosine > 1e-9) return {std::atan2(R[2].y, R[2].z), std::atan2(-R[2].x, cosine), std::atan2(R[1].x, R[0].x)};
  return {0, R[2].x < 0 ? std::acos(0.0) : -std::acos(0.0), std::atan2(-R[0].y, R[1].y)};
}

std::string origin(const Vec3<double>& p, const Vec3<double>& rpy = {}) {
  return fmt::format("<origin xyz=\"{}\" rpy=\"{}\"/>", triple(p), triple(rpy));
}

struct Edge {
  const Item* item;
  std::string first, second;
  bool used = false;
};

class UrdfWriter {
 public:
  UrdfWriter(const Model& model, const ExportOptions& options)
      : m_(model.compiled().model),
        d_(m_.description),
        scope_(d_),
        title_(model.title()),
        mesh_names_(options.out.empty() ? d_.file : options.out, options.copy_meshes ? &out_.copies : nullptr) {}

  ExportedText write() {
    errors_.collect([&] {
      refuse_what_urdf_cannot_say();
      read_joints();
      connect();
    });
    errors_.raise(d_.file);
    out_.text = fmt::format("<?xml version=\"1.0\"?>\n<robot name=\"{}\">\n  <link name=\"world\"/>\n{}{}</robot>\n",
                            escaped(title_.empty() ? "robot" : title_), links_, joints_);
    return out_;
  }

 private:
  void refuse(const Item& item, const char* what, const std::string& why) {
    errors_.add(InputError(item.at, fmt::format("{} '{}': {}", what, item.name, why)));
  }

  void refuse_what_urdf_cannot_say() {
    if (d_.normal >= 0) throw InputError({}, "a planar model is not exported: URDF is spatial");
    for (const Item& body : d_.section("bodies")) {
      if (!body.kind.empty()) refuse(body, "body", "URDF has no flexible bodies");
      if (body.name == "world") refuse(body, "body", "URDF needs this name for the ground; rename the body");
    }
    for (const Item& force : d_.section("forces")) refuse(force, "force", fmt::format("URDF has no {}", force.kind));
    for (const auto& p : m_.bodies)
      if (dot(p.velocity, p.velocity) + dot(p.angular_velocity, p.angular_velocity) > 0) {
        out_.notes.emplace_back("velocities at t = 0 are left out: URDF has none");
        break;
      }
    if (!d_.section("uncertain").empty()) out_.notes.emplace_back("distributions (`uncertain`) are left out: URDF has none");
    note_gravity();
  }

  // URDF states none, and what reads it takes that of the Earth along z.
  void note_gravity() {
    constexpr const char* assumed = "URDF states none; `aleator import` and most simulators take [0, 0, -9.81]";
    const auto& signals = m_.topology.gravity_signal;
    if (std::any_of(std::begin(signals), std::end(signals), [](int s) { return s >= 0; }))
      out_.notes.push_back(fmt::format("gravity, a function of time, is left out: {}", assumed));
    else if (const Vec3<double> g = m_.nominal.gravity, d = g - Vec3<double>{0, 0, -9.81}; dot(d, d) > 1e-24)
      out_.notes.push_back(fmt::format("gravity [{}, {}, {}] is left out: {}", digits(g.x), digits(g.y), digits(g.z), assumed));
  }

  void read_joints() {
    for (const Item& j : d_.section("joints")) {
      if (j.kind == "gear") {
        gears_.push_back(&j);
        continue;
      }
      if (j.kind != "fixed" && j.kind != "revolute" && j.kind != "prismatic" && j.kind != "planar") {
        refuse(j, "joint",
               fmt::format("URDF has no {} joint; revolute, prismatic, planar and fixed ones can be exported", j.kind));
        continue;
      }
      for (const char* key : {"spring", "hysteresis", "motion", "actuator", "at_second"})
        if (j.find(key)) refuse(j, "joint", fmt::format("URDF has no '{}'", key));
      for (const char* key : {"stops", "friction"})
        if (j.kind == "planar" && j.find(key)) refuse(j, "joint", fmt::format("URDF has no '{}' of a planar joint", key));
      edges_.push_back({&j, j.subject.words[0], j.subject.words[1]});
    }
  }

  // Breadth first from the ground, then from the first of the bodies that are left, which floats.
  void connect() {
    origins_["ground"] = {};
    grow("ground");
    for (const std::string& name : m_.topology.body_names) {
      if (origins_.contains(name)) continue;
      const core::BodyProperties& p = properties(name);
      origins_[name] = p.origin;
      joints_ += fmt::format(
          "  <joint name=\"{}_floating\" type=\"floating\">\n    <parent link=\"world\"/>\n    <child link=\"{}\"/>\n    {}\n  "
          "</joint>\n",
          name, name, origin(p.origin));
      write_link(name);
      grow(name);
    }
    for (const Edge& e : edges_)
      if (!e.used)
        refuse(*e.item, "joint", fmt::format("closes a loop between '{}' and '{}', and URDF has trees only", e.first, e.second));
    for (const Item* gear : gears_)
      if (!followed_.contains(gear->name))
        refuse(*gear, "joint", "URDF can say of a revolute or prismatic joint that it follows one other, which comes before it");
  }

  void grow(const std::string& root) {
    std::vector<std::string> queue{root};
    for (std::size_t at = 0; at < queue.size(); ++at)
      for (Edge& e : edges_) {
        if (e.used || (e.first != queue[at] && e.second != queue[at])) continue;
        const bool along = e.first == queue[at];
        const std::string& child = along ? e.second : e.first;
        if (origins_.contains(child)) continue;
        e.used = true;
        write_joint(e, queue[at], child, along);
        write_link(child);
        queue.push_back(child);
      }
  }

  const core::BodyProperties& properties(const std::string& name) const {
    const auto& names = m_.topology.body_names;
    return m_.bodies[std::size_t(std::find(names.begin(), names.end(), name) - names.begin())];
  }

  Vec3<double> vector(const Value& v) const { return {scope_(v.numbers[0]), scope_(v.numbers[1]), scope_(v.numbers[2])}; }

  // Of the only free direction.
  static const Value* only(const Item& item, const char* key) {
    const Value* v = item.find(key);
    return v && !v->by_direction.empty() ? &v->by_direction[0].value : nullptr;
  }

  static std::string link_name(const std::string& body) { return body == "ground" ? "world" : body; }

  void write_joint(const Edge& e, const std::string& parent, const std::string& child, bool along) {
    const Item& j = *e.item;
    const Value* at = j.find("at");
    const Vec3<double> p = at ? vector(*at) : properties(e.second == "ground" ? e.first : e.second).origin;
    origins_[child] = p;
    const bool turns = j.kind == "revolute", slides = j.kind == "prismatic";
    const Value* stops = only(j, "stops");
    const Item* limits = stops && !stops->items.empty() ? &stops->items[0] : nullptr;
    const Value* lower = limits ? limits->find("lower") : nullptr;
    const Value* upper = limits ? limits->find("upper") : nullptr;
    const bool both = lower && upper;
    if (limits && !both) refuse(j, "joint", "URDF has limits on both sides or none");
    const std::string type = turns && !both ? "continuous" : j.kind;
    joints_ += fmt::format("  <joint name=\"{}\" type=\"{}\">\n    <parent link=\"{}\"/>\n    <child link=\"{}\"/>\n    {}\n",
                           j.name, type, link_name(parent), link_name(child), origin(p - origins_.at(parent)));
    if (j.kind != "fixed") {
      // The coordinate is that of the second body; where that is the parent, the axis is turned.
      Vec3<double> axis = vector(*j.find("axis"));
      axis = ((along ? 1 : -1) / norm(axis)) * axis;
      joints_ += fmt::format("    <axis xyz=\"{}\"/>\n", triple(axis));
      if (j.find("armature")) out_.notes.push_back(fmt::format("joint '{}': its armature is left out: URDF has none", j.name));
      const double f = friction_of(j), c = damping_of(j);
      if (c > 0 || f > 0) joints_ += fmt::format("    <dynamics damping=\"{}\" friction=\"{}\"/>\n", digits(c), digits(f));
      if (both) {
        joints_ += fmt::format("    <limit lower=\"{}\" upper=\"{}\" effort=\"1e9\" velocity=\"1e9\"/>\n",
                               digits(scope_(lower->number)), digits(scope_(upper->number)));
        note_once(stops_note);
      } else if (slides) {
        joints_ += "    <limit lower=\"-1e9\" upper=\"1e9\" effort=\"1e9\" velocity=\"1e9\"/>\n";
      }
      write_mimic(j.name);
      written_.push_back(j.name);
    }
    joints_ += "  </joint>\n";
  }

  // One of all free directions, as URDF has it.
  double damping_of(const Item& j) {
    const Value* damper = j.find("damper");
    if (!damper || damper->by_direction.empty()) return 0;
    const double c = scope_(damper->by_direction[0].value.number);
    const bool named = !damper->by_direction[0].key.empty();
    bool same = j.kind != "planar" || !named || damper->by_direction.size() == 3;
    for (const auto& [direction, value] : damper->by_direction) same = same && scope_(value.number) == c;
    if (!same) refuse(j, "joint", "URDF has one 'damping' of all free directions of a planar joint");
    return c;
  }

  double friction_of(const Item& j) {
    const Value* friction = only(j, "friction");
    const Item* group = friction && !friction->items.empty() ? &friction->items[0] : nullptr;
    if (group && group->find("velocity")) note_once("'velocity' of friction is left out: URDF has its force alone");
    return group && group->find("force") ? scope_(group->find("force")->number) : 0;
  }

  void note_once(const std::string& text) {
    if (std::find(out_.notes.begin(), out_.notes.end(), text) == out_.notes.end()) out_.notes.push_back(text);
  }

  void write_mimic(const std::string& joint) {
    for (const Item* gear : gears_) {
      const std::string &first = gear->subject.words[0], &second = gear->subject.words[1];
      const bool leads = std::find(written_.begin(), written_.end(), first) != written_.end(),
                 follows = std::find(written_.begin(), written_.end(), second) != written_.end();
      const double ratio = scope_(gear->find("ratio")->number);
      if (second == joint && leads)
        joints_ += fmt::format("    <mimic joint=\"{}\" multiplier=\"{}\" offset=\"0\"/>\n", first, digits(ratio));
      else if (first == joint && follows && ratio != 0)
        joints_ += fmt::format("    <mimic joint=\"{}\" multiplier=\"{}\" offset=\"0\"/>\n", second, digits(1 / ratio));
      else
        continue;
      followed_.insert({gear->name, true});
      return;
    }
  }

  void write_link(const std::string& name) {
    const core::BodyProperties& p = properties(name);
    const Vec3<double> o = origins_.at(name);
    const Mat3<double>& J = p.inertia;
    links_ += fmt::format("  <link name=\"{}\">\n", name);
    if (p.mass > 0)
      links_ += fmt::format(
          "    <inertial>\n      {}\n      <mass value=\"{}\"/>\n      <inertia ixx=\"{}\" iyy=\"{}\" izz=\"{}\" ixy=\"{}\" "
          "ixz=\"{}\" iyz=\"{}\"/>\n    </inertial>\n",
          origin(p.center_of_mass - o), digits(p.mass), digits(J[0].x), digits(J[1].y), digits(J[2].z), digits(J[0].y),
          digits(J[0].z), digits(J[1].z));
    const auto& items = d_.section("bodies");
    const Item& item = *std::find_if(items.begin(), items.end(), [&](const Item& i) { return i.name == name; });
    std::vector<std::string> meshes;
    for (const char* key : {"shape", "shapes"})
      if (const Value* v = item.find(key))
        for (const Item& s : v->items)
          if (s.kind == "mesh") meshes.push_back(mesh_names_(file_of(s.subject)));
    std::size_t mesh = 0;
    for (const core::DrawnShape& s : p.shapes)
      write_shape(name, s, s.position - o, core::colour_of(item), s.kind == "mesh" && mesh < meshes.size() ? meshes[mesh++] : "");
    links_ += "  </link>\n";
  }

  // Of a mesh, from where the program runs.
  std::string file_of(const Value& mesh) const {
    const core::input::FileAccess access{std::filesystem::path(d_.file).parent_path().string(), {}};
    return access.path_of(core::input::referred_name(mesh.word, mesh.at));
  }

  void write_shape(const std::string& body, const core::DrawnShape& s, const Vec3<double>& at, const std::string& colour,
                   const std::string& mesh) {
    const auto visual = [&](const Vec3<double>& p, const std::string& geometry) {
      links_ += fmt::format("    <visual>\n      {}\n      <geometry>{}</geometry>\n", origin(p, rpy_of(s.axes)), geometry);
      if (colour.size() == 7) {
        const auto part = [&](std::size_t k) { return std::stoi(colour.substr(k, 2), nullptr, 16) / 255.0; };
        links_ += fmt::format("      <material name=\"{}_color\"><color rgba=\"{:.4g} {:.4g} {:.4g} 1\"/></material>\n", body,
                              part(1), part(3), part(5));
      }
      links_ += "    </visual>\n";
    };
    const auto cylinder = [&] {
      return fmt::format("<cylinder radius=\"{}\" length=\"{}\"/>", digits(s.size[0]), digits(s.size[1]));
    };
    const std::string ball = fmt::format("<sphere radius=\"{}\"/>", digits(s.size.empty() ? 0 : s.size[0]));
    if (s.kind == "box")
      return visual(at, fmt::format("<box size=\"{} {} {}\"/>", digits(s.size[0]), digits(s.size[1]), digits(s.size[2])));
    if (s.kind == "cylinder") return visual(at, cylinder());
    if (s.kind == "sphere") return visual(at, ball);
    if (s.kind == "mesh" && !mesh.empty())
      return visual(at, fmt::format("<mesh filename=\"{}\" scale=\"{} {} {}\"/>", escaped(mesh), digits(s.size[0]),
                                    digits(s.size[1]), digits(s.size[2])));
    if (s.kind == "capsule") {
      visual(at, cylinder());
      for (const double side : {-0.5, 0.5}) visual(at + side * s.size[1] * s.axes.column(2), ball);
      return;
    }
    out_.notes.push_back(
        fmt::format("body '{}': its {} is not drawn: URDF has boxes, cylinders, spheres and meshes", body, s.kind));
  }

  static constexpr const char* stops_note = "stops became limits: URDF has neither their stiffness nor their damping";

  const core::Model& m_;
  const core::input::Description& d_;
  core::input::Scope scope_;
  std::string title_, links_, joints_;
  ExportedText out_;
  core::MeshNames mesh_names_;  // its copies are those of out_
  core::input::ErrorList errors_;
  std::vector<Edge> edges_;
  std::vector<const Item*> gears_;
  std::map<std::string, Vec3<double>> origins_;  // [body] of the frame of its link, inertial
  std::map<std::string, bool> followed_;
  std::vector<std::string> written_;
};

}  // namespace

ExportedText export_urdf(const Model& model, const ExportOptions& options) { return UrdfWriter(model, options).write(); }

}  // namespace aleator
