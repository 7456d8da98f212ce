// URDF, the Unified Robot Description Format of ROS (wiki.ros.org/urdf/XML).
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/mechanism.hpp"
#include "import/urdf_elements.hpp"
#include "input/error_list.hpp"
#include "meshes/mesh.hpp"

namespace aleator::core::importing {

namespace {

using Kind = Joint::Kind;

std::string color_of(const std::vector<double>& rgba) {
  std::string out = "#";
  for (int k = 0; k < 3; ++k) out += fmt::format("{:02x}", int(std::lround(255 * std::clamp(rgba[std::size_t(k)], 0.0, 1.0))));
  return out;
}

Pose origin_of(const Element& owner) {
  const Element origin = owner.child("origin");
  if (!origin) return {};
  if (origin.has("quat_xyzw"))
    throw error_at(origin.place("quat_xyzw"), "<origin>: 'quat_xyzw' is not read; write the orientation as 'rpy'");
  return {rotation_rpy(origin.vector("rpy", {})), origin.vector("xyz", {})};
}

class UrdfReader {
 public:
  UrdfReader(const XmlFile& xml, const FileSource& files, const ImportOptions& options)
      : xml_(xml), files_(files), options_(options) {}

  Mechanism read() {
    const Element robot{&xml_, xml_.root()};
    m_.format = "URDF";
    m_.file = xml_.name();
    m_.title = robot.text("name");
    errors_.collect([&] {
      errors_.attempt([&] { urdf::check_attributes(robot, m_.notes); });
      read_materials(robot);
      for (const Element& child : robot.children()) {
        const std::size_t before = links_.size() + joints_.size();
        const bool fine = errors_.attempt([&] { read_top(child); });
        lost_ = lost_ || (!fine && links_.size() + joints_.size() == before);
      }
      errors_.attempt([&] { make_tree(robot); });
    });
    errors_.raise(xml_.name());
    return std::move(m_);
  }

 private:
  // Of the robot, and of links, whose visuals may define what others use.
  void read_materials(const Element& robot) {
    for (const Element& material : robot.children("material"))
      errors_.attempt([&] {
        materials_[material.text("name")] = "";  // it is there, whatever is wrong with it
        urdf::check_tree(material, m_.notes);
        define(material, true);
      });
    for (const Element& link : robot.children("link"))
      for (const Element& visual : link.children("visual"))
        if (const Element material = visual.child("material"); material.child("color"))
          errors_.attempt([&] { define(material, false); });
  }

  void define(const Element& material, bool of_robot) {
    const std::string name = material.text("name");
    const Element color = material.child("color");
    if (const std::string found = color ? color_of(color.numbers("rgba", 3, 4)) : ""; of_robot)
      materials_[name] = found;
    else if (!name.empty())
      materials_.emplace(name, found);
  }

  void read_top(const Element& e) {
    const std::string_view name = e.name();
    if (name == "link") return read_link(e);
    if (name == "joint") return read_joint(e);
    if (name == "material") return;
    if (name == "transmission")
      return m_.note(e.place(), "<transmission> is left out: actuators are `actuator` or `motion` of a joint here");
    if (name == "gazebo") return m_.note(e.place(), "<gazebo> is left out: settings of another simulator");
    if (name == "sensor" || name == "ros2_control" || name == "link_group" || name == "safety_controller")
      return m_.note(e.place(), fmt::format("<{}> is left out", name));
    urdf::leave_out(e, {"link", "joint", "material", "transmission", "gazebo"}, m_.notes);
  }

  void read_link(const Element& e) {
    Link link;
    link.place = e.place();
    const auto check = [&] { urdf::check_element(e, m_.notes); };
    if (e.has("name"))
      errors_.attempt(check);
    else
      check();  // a misspelt 'name' is told alone
    link.name = e.required("name");
    if (!link_index_.emplace(link.name, links_.size()).second)
      return errors_.add(error_at(e.place("name"), fmt::format("there are two links '{}'; names must differ", link.name)));
    const std::vector<Element> visuals = sound(e.children("visual")), collisions = sound(e.children("collision"));
    if (links_.size() == limits::links) throw too_many(e.place());
    links_.push_back(link);  // it is there, whatever is wrong with it
    Link& kept = links_.back();
    errors_.attempt([&] { read_inertial(e, kept); });
    for (const Element& visual : visuals) errors_.attempt([&] { read_shape(visual, kept, !collisions.empty()); });
    if (kept.shapes.empty())
      for (const Element& collision : collisions) errors_.attempt([&] { read_shape(collision, kept, false); });
    if (!collisions.empty())
      m_.note(collisions[0].place(), "<collision>: contacts are not simulated; the shape is drawn where there is no other");
  }

  // Those without a mistake in what they are made of.
  std::vector<Element> sound(const std::vector<Element>& all) {
    std::vector<Element> out;
    for (const Element& e : all)
      if (errors_.attempt([&] { urdf::check_tree(e, m_.notes); })) out.push_back(e);
    return out;
  }

  void read_inertial(const Element& e, Link& link) {
    const Element inertial = e.child("inertial");
    if (!inertial) return;
    urdf::check_tree(inertial, m_.notes);
    const Element mass = inertial.child("mass"), inertia = inertial.child("inertia");
    if (!mass) throw error_at(inertial.place(), fmt::format("link '{}': <inertial> needs <mass value=\"…\"/>", link.name));
    MassProperties p;
    p.place = (inertia ? inertia : mass).place();
    p.mass = mass.required_number("value");
    if (p.mass < 0)
      throw error_at(mass.place("value"), fmt::format("link '{}': the mass must not be negative, found {:g}", link.name, p.mass));
    if (inertia) {
      p.inertia = read_inertia(inertia, link);
    } else if (p.mass > 0) {
      m_.note(mass.place(), fmt::format("link '{}' has no <inertia>: it is a point mass", link.name));
    }
    check_physical(link.name, p, options_, m_.notes);
    p.rotate_and_move(origin_of(inertial));
    link.mass = p;
  }

  static Matrix read_inertia(const Element& e, const Link& link) {
    std::vector<std::string> missing;
    for (const char* name : {"ixx", "iyy", "izz"})
      if (!e.has(name)) missing.push_back(fmt::format("'{}'", name));
    if (!missing.empty())
      throw error_at(e.place(), fmt::format("link '{}': <inertia> needs {}; only 'ixy', 'ixz' and 'iyz' may be left out, and are "
                                            "0 then",
                                            link.name, fmt::join(missing, ", ")));
    const auto of = [&](const char* name) { return e.number(name, 0); };
    const double xx = of("ixx"), yy = of("iyy"), zz = of("izz"), xy = of("ixy"), xz = of("ixz"), yz = of("iyz");
    return {{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
  }

  void read_shape(const Element& e, Link& link, bool another) {
    const Element geometry = e.child("geometry");
    const std::vector<Element> inside = geometry ? geometry.children() : std::vector<Element>{};
    if (inside.size() != 1)
      throw error_at((geometry ? geometry : e).place(),
                     fmt::format("link '{}': <{}> needs one shape in <geometry>", link.name, e.name()));
    const Element& g = inside[0];
    Shape s;
    s.place = g.place();
    s.pose = origin_of(e);
    s.color = color_in(e);
    const std::string_view name = g.name();
    const auto positive = [&](const char* attribute) {
      const double x = g.required_number(attribute);
      if (!(x > 0))
        throw error_at(g.place(attribute),
                       fmt::format("link '{}': '{}' of <{}> must be positive, found {:g}", link.name, attribute, name, x));
      return x;
    };
    if (name == "box") {
      s.kind = Shape::Kind::box;
      g.required("size");
      s.size = g.vector("size", {});
      if (!(s.size.x > 0 && s.size.y > 0 && s.size.z > 0))
        throw error_at(g.place("size"), fmt::format("link '{}': 'size' of <box> must be positive", link.name));
    } else if (name == "cylinder" || name == "capsule") {
      s.kind = name == "cylinder" ? Shape::Kind::cylinder : Shape::Kind::capsule;
      s.size.x = positive("radius");
      s.size.y = positive("length");
    } else if (name == "sphere") {
      s.kind = Shape::Kind::sphere;
      s.size.x = positive("radius");
    } else if (name == "mesh") {
      s.kind = Shape::Kind::mesh;
      s.scale = scale_of(g, link);
      if (!find_mesh(g, s, link, another)) return;
    } else {
      return;  // which is noted
    }
    link.shapes.push_back(std::move(s));
  }

  static Vector scale_of(const Element& g, const Link& link) {
    const Vector scale = g.vector("scale", {1, 1, 1});
    for (int k = 0; k < 3; ++k)
      if (const double size = std::abs(scale[k]); !(size >= meshes::least_scale && size <= meshes::most_scale))
        throw error_at(g.place("scale"), fmt::format("link '{}': 'scale' of <mesh> must have sizes from {:g} to {:g}, found {:g}",
                                                     link.name, meshes::least_scale, meshes::most_scale, scale[k]));
    return scale;
  }

  // Whether there is one to draw.
  bool find_mesh(const Element& g, Shape& s, const Link& link, bool another) {
    const std::string reference = g.required("filename");
    if (!options_.meshes) {
      m_.note(g.place(), fmt::format("<mesh> is left out ({})", options_.words("--no-meshes", "`meshes: false`")));
      return false;
    }
    std::string ending = reference.substr(std::min(reference.rfind('.'), reference.size()));
    std::transform(ending.begin(), ending.end(), ending.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    if (ending != ".stl" && ending != ".obj") {
      m_.note(g.place("filename"), fmt::format("link '{}': the mesh '{}' is not drawn: STL and OBJ are read{}", link.name,
                                               reference, another ? "; its collision shape is drawn instead" : ""));
      return false;
    }
    s.file = mesh_file(reference, g.place("filename"), xml_.name(), files_, options_);
    return true;
  }

  std::string color_in(const Element& visual) {
    const Element material = visual.child("material");
    if (!material) return "";
    if (const Element color = material.child("color")) return color_of(color.numbers("rgba", 3, 4));
    const std::string name = material.text("name");
    const auto it = materials_.find(name);
    if (it != materials_.end()) return it->second;
    std::vector<std::string> known;
    if (++undefined_ <= input::ErrorList::most)  // each takes a search
      for (const auto& [other, color] : materials_) known.push_back(other);
    const std::string near = urdf::near_miss(name, known);
    const std::string message = name.empty() ? "<material> has neither a name nor a <color>"
                                             : fmt::format("the material '{}' is not defined{}", name, near);
    if (!near.empty()) throw error_at(material.place("name"), message);
    m_.note(material.place(), message + ": its colour is left out");
    return "";
  }

  struct NamedJoint {
    Joint joint;
    std::string parent, child;
    Place parent_place, child_place;
  };

  void read_joint(const Element& e) {
    static constexpr std::pair<const char*, Kind> kinds[] = {{"revolute", Kind::hinge},  {"continuous", Kind::hinge},
                                                             {"prismatic", Kind::slide}, {"fixed", Kind::fixed},
                                                             {"floating", Kind::free},   {"planar", Kind::planar}};
    urdf::check_tree(e, m_.notes);
    NamedJoint n;
    Joint& j = n.joint;
    j.place = e.place();
    j.name = e.required("name");
    if (!joint_names_.insert(j.name).second)
      throw error_at(e.place("name"), fmt::format("there are two joints '{}'; names must differ", j.name));
    const std::string type = e.required("type");
    const auto it = std::find_if(std::begin(kinds), std::end(kinds), [&](const auto& k) { return type == k.first; });
    if (it == std::end(kinds))
      throw error_at(
          e.place("type"),
          fmt::format("joint '{}': type must be one of revolute, continuous, prismatic, fixed, floating, planar, found '{}'",
                      j.name, type));
    j.kind = it->second;
    const Element parent = e.child("parent"), child = e.child("child");
    if (!parent || !child)
      throw error_at(e.place(), fmt::format("joint '{}' needs <parent link=\"…\"/> and <child link=\"…\"/>", j.name));
    n.parent = parent.required("link");
    n.child = child.required("link");
    n.parent_place = parent.place("link");
    n.child_place = child.place("link");
    joints_.push_back(n);  // it holds its links together, whatever else is wrong with it
    Joint& kept = joints_.back().joint;
    kept.to_joint = origin_of(e);
    read_axis(e, kept);
    for (const Element& part : e.children()) read_joint_part(part, kept, type);
    if ((type == "revolute" || type == "prismatic") && !e.child("limit"))
      m_.note(e.place(), fmt::format("joint '{}' of type {} has no <limit>: it moves freely", j.name, type));
  }

  void read_axis(const Element& e, Joint& j) {
    const Element axis = e.child("axis");
    j.axis = axis ? axis.vector("xyz", {1, 0, 0}) : Vector{1, 0, 0};
    const double length = norm(j.axis);
    if (j.kind == Kind::fixed || j.kind == Kind::free) {
      j.axis = {0, 0, 1};
      return;
    }
    if (!(length > 0)) throw error_at(axis.place("xyz"), fmt::format("joint '{}': the axis must not be zero", j.name));
    j.axis = (1 / length) * j.axis;
  }

  void read_joint_part(const Element& part, Joint& j, const std::string& type) {
    const std::string_view name = part.name();
    if (name == "limit") return read_limit(part, j, type);
    if (name == "dynamics") {
      j.damping = part.number("damping", 0);
      j.friction = part.number("friction", 0);
      for (const char* what : {"damping", "friction"})
        if (part.number(what, 0) < 0)
          throw error_at(part.place(what),
                         fmt::format("joint '{}': the {} must not be negative, found {:g}", j.name, what, part.number(what, 0)));
      if (j.kind == Kind::free && (j.damping > 0 || j.friction > 0))
        m_.note(part.place(), "<dynamics> of a floating joint is left out");
      if (j.kind == Kind::planar && j.friction > 0) m_.note(part.place(), "friction of a planar joint is left out");
      return;
    }
    if (name == "mimic") {
      const double ratio = part.number("multiplier", 1);
      m_.relations.push_back({j.name + "_mimic", part.required("joint"), j.name, ratio, part.number("offset", 0), part.place()});
    }
  }

  void read_limit(const Element& part, Joint& j, const std::string& type) {
    if (part.has("effort") || part.has("velocity"))
      m_.note(part.place(), "<limit>: 'effort' and 'velocity' are limits of the drive, of which there is none here");
    constexpr double far = 1e8;  // rad or m: what is written where a limit must be given and there is none
    const double lower = part.number("lower", 0), upper = part.number("upper", 0);
    const bool limited = lower != upper && (lower > -far || upper < far);
    if (type != "revolute" && type != "prismatic") {
      if (limited)
        m_.note(part.place(), fmt::format("<limit>: 'lower' and 'upper' are left out: a {} joint has no limits here", type));
      return;
    }
    j.lower = lower;
    j.upper = upper;
    j.limited = limited;
    if (j.lower > j.upper)
      throw error_at(part.place("lower"),
                     fmt::format("joint '{}': its lower limit {:g} is above the upper one {:g}", j.name, j.lower, j.upper));
    if (j.lower == j.upper) m_.note(part.place(), fmt::format("joint '{}': equal limits are none", j.name));
  }

  // Links in an order in which parents come first; each has one parent, and there is one root.
  void make_tree(const Element& robot) {
    if (links_.empty()) {
      if (lost_) return;
      throw error_at(robot.place(), "there is no <link> in this robot");
    }
    std::vector<int> joint_of(links_.size(), -1);
    std::vector<std::vector<std::size_t>> children(links_.size());
    std::vector<std::string> names;
    for (const Link& l : links_) names.push_back(l.name);
    bool complete = true;
    for (std::size_t k = 0; k < joints_.size(); ++k) {
      complete &= errors_.attempt([&] {
        const NamedJoint& n = joints_[k];
        const auto index = [&](const std::string& name, const Place& place) {
          const auto it = link_index_.find(name);
          if (it == link_index_.end()) {
            const input::InputError error = error_at(
                place, fmt::format("joint '{}': there is no link '{}'{}", n.joint.name, name, input::suggestion(name, names)));
            if (lost_) throw input::Consequence(error);
            throw error;
          }
          return it->second;
        };
        const std::size_t parent = index(n.parent, n.parent_place), child = index(n.child, n.child_place);
        if (parent == child)
          throw error_at(n.child_place, fmt::format("joint '{}' joins link '{}' to itself", n.joint.name, n.child));
        if (joint_of[child] >= 0)
          throw error_at(n.child_place, fmt::format("link '{}' has two parents, by joints '{}' and '{}'; links of URDF are a "
                                                    "tree: close loops in the model (`urdf:` and `joints:`)",
                                                    n.child, joints_[std::size_t(joint_of[child])].joint.name, n.joint.name));
        joint_of[child] = int(k);
        children[parent].push_back(child);
      });
    }
    if (!complete || lost_) return;  // what is not held by a joint may be held by one that could not be read
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < links_.size(); ++i)
      if (joint_of[i] < 0) order.push_back(i);
    if (order.empty())
      throw error_at(joints_[0].joint.place, "every link has a parent: joints form a cycle; one link must be the root");
    if (order.size() > 1)
      throw error_at(links_[order[1]].place, fmt::format("links '{}' and '{}' have no parent; a robot has one root: join them, "
                                                         "by a floating joint if they move independently",
                                                         links_[order[0]].name, links_[order[1]].name));
    for (std::size_t at = 0; at < order.size(); ++at)
      order.insert(order.end(), children[order[at]].begin(), children[order[at]].end());
    if (order.size() < links_.size()) {
      const auto lost = std::find_if(links_.begin(), links_.end(), [&](const Link& l) {
        return std::find(order.begin(), order.end(), link_index_.at(l.name)) == order.end();
      });
      throw error_at(lost->place, fmt::format("link '{}' is in a cycle of joints that the root '{}' does not reach; close loops "
                                              "in the model (`urdf:` and `joints:`)",
                                              lost->name, links_[order[0]].name));
    }
    std::vector<int> place_in_order(links_.size());
    for (std::size_t at = 0; at < order.size(); ++at) {
      place_in_order[order[at]] = int(at);
      Link& link = links_[order[at]];
      if (joint_of[order[at]] >= 0) {
        const NamedJoint& n = joints_[std::size_t(joint_of[order[at]])];
        link.joint = n.joint;
        link.parent = place_in_order[link_index_.at(n.parent)];
      } else {
        decide_base(link);
      }
      m_.links.push_back(link);
    }
    check_relations();
    if (errors_.empty() && std::none_of(m_.links.begin(), m_.links.end(), [](const Link& l) { return l.mass.mass > 0; }))
      throw error_at(robot.place(),
                     "no link of this robot has a mass, so nothing of it can move; give <inertial> with "
                     "<mass value=\"…\"/> and <inertia …/> to those that are bodies");
  }

  void decide_base(Link& root) {
    if (root.name == "world" && root.mass.mass > 0) {
      m_.note(root.place, "link 'world' is the ground: its mass has no effect");
      root.mass = {};
    }
    if (root.mass.mass == 0 && (options_.base != Base::floating || root.name == "world")) {
      m_.note(root.place, fmt::format("link '{}' has no mass: it is the ground", root.name));
      return;
    }
    root.joint.kind = options_.base == Base::floating ? Kind::free : Kind::fixed;
    if (options_.base == Base::decided)
      m_.note(root.place, fmt::format("link '{}', the root, is fixed to the ground; `{}` lets it move", root.name,
                                      options_.words("--base floating", "base: floating")));
  }

  void check_relations() {
    std::vector<std::string> names;
    for (const NamedJoint& n : joints_) names.push_back(n.joint.name);
    for (const Relation& r : m_.relations)
      errors_.attempt([&] {
        const auto joint = [&](const std::string& name) {
          const auto it = std::find_if(joints_.begin(), joints_.end(), [&](const NamedJoint& n) { return n.joint.name == name; });
          if (it == joints_.end())
            throw error_at(r.place, fmt::format("<mimic>: there is no joint '{}'{}", name, input::suggestion(name, names)));
          if (it->joint.kind != Kind::hinge && it->joint.kind != Kind::slide)
            throw error_at(r.place, fmt::format("<mimic>: joint '{}' has no position that could be followed or follow", name));
        };
        joint(r.first);
        joint(r.second);
        if (r.first == r.second) throw error_at(r.place, fmt::format("joint '{}' follows itself", r.first));
      });
    refuse_circles();
  }

  // Each joint follows one other at most: from each the way leads to one that follows none, or back to where it was.
  void refuse_circles() {
    std::map<std::string_view, const Relation*> followed_by;  // [joint that follows]
    for (const Relation& r : m_.relations)
      if (r.first != r.second) followed_by.emplace(r.second, &r);
    std::map<std::string_view, const Relation*> seen;  // from which it was reached first
    for (const Relation& start : m_.relations) {
      std::string_view at = start.second;
      while (followed_by.contains(at) && seen.emplace(at, &start).second) at = followed_by.at(at)->first;
      if (!followed_by.contains(at) || seen.at(at) != &start) continue;
      std::vector<std::string> circle;
      const std::string_view first = at;
      do {
        circle.push_back(fmt::format("'{}'", at));
        at = followed_by.at(at)->first;
      } while (at != first && circle.size() < limits::followers);
      const std::string last = circle.back();
      circle.pop_back();
      errors_.add(error_at(followed_by.at(first)->place,
                           fmt::format("<mimic>: joints {} and {} follow each other in a circle; one of them must move by itself",
                                       fmt::join(circle, ", "), last)));
    }
  }

  const XmlFile& xml_;
  const FileSource& files_;
  const ImportOptions& options_;
  Mechanism m_;
  input::ErrorList errors_;
  std::map<std::string, std::string> materials_;  // their colours
  std::size_t undefined_ = 0;                     // materials
  std::vector<Link> links_;
  std::map<std::string, std::size_t> link_index_;
  std::vector<NamedJoint> joints_;
  std::set<std::string> joint_names_;
  bool lost_ = false;  // a link or joint could not be read: what is missing without it is no mistake
};

}  // namespace

Mechanism read_urdf(const XmlFile& xml, const FileSource& files, const ImportOptions& options) {
  return UrdfReader(xml, files, options).read();
}

}  // namespace aleator::core::importing
