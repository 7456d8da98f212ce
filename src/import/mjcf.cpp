// MJCF, the format of MuJoCo (mujoco.readthedocs.io/en/stable/XMLreference.html). A body with several joints becomes a chain of links
// without mass, one for each joint but the last: X = X_PB T₁(q₁) T₂(q₂) …, each T about an axis that is given in the body's frame.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/mjcf_schema.hpp"

namespace aleator::core::importing {

namespace {

using Kind = Joint::Kind;

class MjcfReader {
 public:
  MjcfReader(const XmlFile& xml, const FileSource& files, const ImportOptions& options)
      : xml_(xml), options_(options), settings_(xml, files), geom_reader_(settings_, files, options, xml.name()) {}

  Mechanism read() {
    const Element top{&xml_, xml_.root()};
    m_.format = "MJCF";
    m_.file = xml_.name();
    m_.title = top.text("model");
    errors_.collect([&] {
      const std::vector<Element> sections = settings_.children(top);
      given_ = check_schema(settings_, top, m_, errors_);
      settings_.read(sections, m_);
      Link world;
      world.name = "world";
      world.joint.kind = Kind::fixed;
      world.place = top.place();
      m_.links.push_back(world);
      for (const Element& e : sections)
        if (e.name() == "worldbody") read_inside(e, 0, {}, "main");
      if (m_.links.size() == 1 && errors_.empty()) throw error_at(top.place(), "there is no <body> in <worldbody>");
      for (const Element& e : sections) errors_.attempt([&] { read_section(e); });
      refuse_circles();
      scale_masses();
      if (errors_.empty() && on_ground_all())
        throw error_at(top.place(),
                       "no body of this model has a mass or a joint: all of them are fixed to the world, and nothing moves");
    });
    errors_.raise(xml_.name());
    return std::move(m_);
  }

 private:
  void read_section(const Element& e) {
    const std::string_view name = e.name();
    static constexpr std::string_view known[] = {"compiler",  "option", "default", "asset",
                                                 "worldbody", "size",   "visual",  "statistic"};
    if (std::find(std::begin(known), std::end(known), name) != std::end(known)) return;
    if (name == "equality") return each(e, [&](const Element& c) { read_equality(c); });
    if (name == "sensor") return each(e, [&](const Element& c) { read_sensor(c); });
    if (name == "actuator")
      return each(e, [&](const Element& c) {
        m_.note(c.place(),
                fmt::format("<actuator>: <{}> is left out: its control is not known; write `actuator` or `motion` of the joint",
                            c.name()));
      });
    if (name == "tendon")
      return each(e, [&](const Element& c) { m_.note(c.place(), fmt::format("<tendon>: <{}> is left out", c.name())); });
    if (name == "contact" || name == "keyframe" || name == "custom" || name == "deformable" || name == "extension" ||
        name == "flex")
      return m_.note(e.place(), fmt::format("<{}> is left out", name));
    leave_out(e, {"compiler", "option", "default", "asset", "worldbody", "equality", "sensor", "actuator", "tendon"}, m_);
  }

  template <class F>
  void each(const Element& e, F&& f) {
    for (const Element& child : settings_.children(e)) errors_.attempt([&] { f(child); });
  }

  // What stands in a body, or in a <frame> of it, but what is_of_body; `frame` is the place of that in the link.
  void read_inside(const Element& e, int link, const Pose& frame, const std::string& childclass) {
    for (const Element& child : settings_.children(e)) {
      const std::string_view name = child.name();
      errors_.attempt([&] {
        if (name == "body") return read_body(child, link, frame, childclass);
        if (name == "frame")
          return read_inside(child, link, frame * settings_.pose({child, {}}), settings_.childclass(child, childclass));
        if (name == "geom") return read_geom_of(child, link, frame, childclass);
        if (name == "site") return read_site(child, link, frame, childclass);
        if (is_of_body(child)) {
          if (link > 0) return;
          throw error_at(child.place(), fmt::format("<{}> in <worldbody>: the world has no mass and does not move; put it into a "
                                                    "<body>",
                                                    name));
        }
        if (name != "camera" && name != "light")
          leave_out(child, {"body", "frame", "geom", "site", "inertial", "joint", "freejoint"}, m_);
      });
    }
  }

  static bool is_of_body(const Element& e) { return e.name() == "joint" || e.name() == "freejoint" || e.name() == "inertial"; }

  // A joint or inertial of a body, and the frame it is written in.
  struct Part {
    Element element;
    Pose frame;
    std::string childclass;
  };
  void find_parts(const Element& e, const Pose& frame, const std::string& childclass, std::vector<Part>& out) {
    for (const Element& child : settings_.children(e)) {
      if (is_of_body(child)) out.push_back({child, frame, childclass});
      if (child.name() == "frame")
        find_parts(child, frame * settings_.pose({child, {}}), settings_.childclass(child, childclass), out);
    }
  }

  void read_body(const Element& e, int parent, const Pose& frame, const std::string& around) {
    const std::string name = name_of_body(e);
    const std::string childclass = settings_.childclass(e, around);
    if (e.flag("mocap", false)) m_.note(e.place("mocap"), "<body>: 'mocap' is left out: it does not move");
    if (e.number("gravcomp", 0) != 0) m_.note(e.place("gravcomp"), "<body>: 'gravcomp' is left out");
    std::vector<Part> parts;
    find_parts(e, {}, childclass, parts);
    std::vector<Joint> joints;
    for (const Part& part : parts)
      if (part.element.name() != "inertial") joints.push_back(read_joint(part, name, joints.size()));
    const int link = add_links(e, name, parent, frame * settings_.pose({e, {}}), std::move(joints));
    if (!e.text("name").empty()) body_index_.emplace(name, link);
    read_mass(e, name, link, childclass, read_inertial(name, parts));
  }

  std::string name_of_body(const Element& e) {
    ++bodies_;
    std::string name = e.text("name");
    if (name.empty()) return unique(fmt::format("body_{}", bodies_), given_.bodies);
    if (body_index_.contains(name) || name == "world")
      throw error_at(e.place("name"), fmt::format("there are two bodies '{}'{}; names must differ", name,
                                                  name == "world" ? " (one is the world itself)" : ""));
    return name;
  }

  static std::string unique(std::string name, std::set<std::string>& taken) {
    while (!taken.insert(name).second) name += "_";
    return name;
  }

  // A chain of links, one for each joint; the last one is the body.
  int add_links(const Element& e, const std::string& name, int parent, Pose to_body, std::vector<Joint> joints) {
    if (joints.empty()) {
      Joint fixed;
      fixed.kind = Kind::fixed;
      fixed.name = unique(name + "_fixed", given_.joints);
      fixed.place = e.place();
      joints.push_back(fixed);
    }
    for (std::size_t k = 0; k < joints.size(); ++k) {
      Joint& j = joints[k];
      const Pose anchor{Matrix::identity(), j.to_joint.p};
      j.to_joint = to_body * anchor;
      j.to_link = inverse(anchor);
      to_body = {};
      Link link;
      link.name = k + 1 < joints.size() ? unique(fmt::format("{}_{}", name, k + 1), given_.bodies) : name;
      link.parent = parent;
      link.joint = j;
      link.place = e.place();
      parent = int(m_.links.size());
      if (m_.links.size() == limits::links) throw too_many(link.place);
      m_.links.push_back(std::move(link));
    }
    return parent;
  }

  // That of <inertial> or of its geoms, and whatever else is in the body.
  void read_mass(const Element& e, const std::string& name, int link, const std::string& childclass,
                 const std::optional<MassProperties>& given) {
    const bool from_geoms = settings_.inertia_from_geom == "true" || (settings_.inertia_from_geom == "auto" && !given);
    masses_from_geoms_[link] = from_geoms;
    read_inside(e, link, {}, childclass);
    Link& done = m_.links[std::size_t(link)];
    if (given && !(done.mass.mass > 0)) done.mass = *given;  // also where its geoms should have a mass, and have none
    if (!raise_to(done.mass, settings_.least_mass, settings_.least_inertia))
      m_.note(e.place(), "<compiler>: 'boundinertia' is left out for a <body> without mass");
    done.mass.place = done.mass.place.line > 0 ? done.mass.place : done.place;
    if (settings_.balance) balance(done.mass);
    check_physical(name, done.mass, options_, m_.notes);
  }

  // As MuJoCo does it: an inertia that violates the triangle inequality becomes that of a sphere with the same trace.
  void balance(MassProperties& mass) {
    std::vector<Note> none;
    MassProperties copy = mass;
    try {
      check_physical("", copy, {}, none);
    } catch (const input::InputError&) {
      m_.note(mass.place, "the inertia was balanced ('balanceinertia'): all moments have their mean");
      mass.inertia = trace(mass.inertia) / 3 * Matrix::identity();
    }
  }

  Joint read_joint(const Part& part, const std::string& body, std::size_t number) {
    const Element& e = part.element;
    Joint j;
    j.place = e.place();
    j.name = e.text("name");
    if (j.name.empty())
      j.name = unique(fmt::format("{}_joint{}", body, number > 0 ? fmt::format("_{}", number + 1) : ""), given_.joints);
    if (!joint_names_.insert(j.name).second)
      throw error_at(e.place("name"), fmt::format("there are two joints '{}'; names must differ", j.name));
    j.kind = Kind::free;
    if (e.name() == "freejoint") return j;
    const Attributes a = settings_.attributes(e, part.childclass);
    static constexpr std::pair<const char*, Kind> kinds[] = {
        {"hinge", Kind::hinge}, {"slide", Kind::slide}, {"ball", Kind::ball}, {"free", Kind::free}};
    const std::string type = a.text("type", "hinge");
    const auto it = std::find_if(std::begin(kinds), std::end(kinds), [&](const auto& k) { return type == k.first; });
    if (it == std::end(kinds))
      throw error_at(a.place("type"), fmt::format("<joint>: 'type' must be hinge, slide, ball or free, found '{}'", type));
    j.kind = it->second;
    const MjcfSettings::Flags& on = settings_.flags;
    j.damping = on.passive && on.damper ? not_negative(a, "damping") : 0;
    j.stiffness = on.passive && on.spring ? not_negative(a, "stiffness") : 0;
    j.friction = on.constraint && on.frictionloss ? not_negative(a, "frictionloss") : 0;
    j.inertia = not_negative(a, "armature");
    if (j.kind == Kind::free) {
      if (j.damping > 0 || j.stiffness > 0 || j.friction > 0 || j.inertia > 0)
        m_.note(e.place(), "<joint> of type free: damping, stiffness, frictionloss and armature are left out");
      return j;
    }
    j.to_joint.p = part.frame * a.vector("pos", {});
    const bool turns = j.kind == Kind::hinge;
    const auto in_units = [&](double x) { return turns ? settings_.angle(x) : x; };
    if (j.kind == Kind::ball) {
      if (j.friction > 0 || j.inertia > 0) m_.note(e.place(), "<joint> of type ball: frictionloss and armature are left out");
      if (limited(a)) m_.note(a.place("range"), "<joint> of type ball: its range is left out");
      return j;
    }
    j.axis = a.vector("axis", {0, 0, 1});
    if (!(norm(j.axis) > 1e-12)) throw error_at(a.place("axis"), fmt::format("joint '{}': the axis must not be zero", j.name));
    j.axis = part.frame.R * ((1 / norm(j.axis)) * j.axis);
    j.zero = in_units(a.number("ref", 0));
    j.spring_rest = in_units(a.number("springref", 0));
    if (a.has("springdamper") && norm(Vector{a.numbers("springdamper", 2, 2)[0], 0, 0}) > 0)
      m_.note(a.place("springdamper"), "<joint>: 'springdamper' is left out; write stiffness and damping");
    if (limited(a)) {
      const std::vector<double> range = a.numbers("range", 2, 2);
      j.lower = in_units(range[0]);
      j.upper = in_units(range[1]);
      if (!(j.lower < j.upper))
        throw error_at(a.place("range"), fmt::format("joint '{}': its lower limit {:g} is not below the upper one {:g}", j.name,
                                                     range[0], range[1]));
      j.limited = true;
    }
    return j;
  }

  double not_negative(const Attributes& a, const char* attribute) const {
    const double x = a.number(attribute, 0);
    if (x < 0) throw error_at(a.place(attribute), fmt::format("<joint>: '{}' must not be negative, found {:g}", attribute, x));
    return x;
  }

  bool limited(const Attributes& a) const {
    const std::string word = word_of(a, "limited", "auto", {"true", "false", "auto"});
    if (!settings_.flags.constraint || !settings_.flags.limit) return false;
    if (word != "auto" || !settings_.autolimits || !a.has("range")) return word == "true";
    const std::vector<double> range = a.numbers("range", 2, 2);
    return range[0] != 0 || range[1] != 0;  // so that a class can be overruled
  }

  std::optional<MassProperties> read_inertial(const std::string& body, const std::vector<Part>& parts) {
    const Part* found = nullptr;
    for (const Part& part : parts) {
      if (part.element.name() != "inertial") continue;
      if (found)
        throw error_at(part.element.place(), fmt::format("body '{}' has two <inertial>; the other one is at {}", body,
                                                         text_of(found->element.place())));
      found = &part;
    }
    if (!found) return {};
    const Element& inertial = found->element;
    MassProperties p;
    p.place = inertial.place();
    p.mass = inertial.required_number("mass");
    if (inertial.has("fullinertia") && inertial.has("diaginertia"))
      throw error_at(inertial.place("fullinertia"),
                     "<inertial>: 'diaginertia' and 'fullinertia' are both given; give one of them");
    if (inertial.has("fullinertia")) {
      const std::vector<double> v = inertial.numbers("fullinertia", 6, 6);
      p.inertia = {{{v[0], v[3], v[4]}, {v[3], v[1], v[5]}, {v[4], v[5], v[2]}}};
    } else if (inertial.has("diaginertia")) {
      p.inertia = Matrix::diagonal(inertial.vector("diaginertia", {}));
    } else {
      throw error_at(inertial.place(), "<inertial> needs 'diaginertia' or 'fullinertia'");
    }
    p.rotate_and_move(settings_.pose({inertial, {}}));
    const Matrix turned = found->frame.R - Matrix::identity();
    if (norm(found->frame.p) + norm(turned[0]) + norm(turned[1]) > 1e-12)
      m_.note(inertial.place(),
              "<inertial> in a <frame> is in the axes of the body, as MuJoCo reads it: the frame does not move it");
    return p;
  }

  void read_geom_of(const Element& e, int link, const Pose& frame, const std::string& childclass) {
    const Attributes a = settings_.attributes(e, childclass);
    const double group = a.number("group", 0);
    const bool weighs = link > 0 && masses_from_geoms_[link] && group >= settings_.first_group && group <= settings_.last_group;
    GeomReader::Geom geom = geom_reader_.read(a, weighs, m_.notes);
    geom.shape.pose = frame * geom.shape.pose;
    if (e.has("name")) geoms_[e.text("name")] = {link, geom.shape.pose};
    Link& owner = m_.links[std::size_t(link)];
    if (weighs) {
      geom.mass.rotate_and_move(frame);
      owner.mass.add(geom.mass);
      owner.mass.place = owner.mass.place.line > 0 ? owner.mass.place : geom.mass.place;
    }
    if (!geom.drawn) return;
    owner.shapes.push_back(geom.shape);
    if (!noted_contacts_) m_.note(e.place(), "<geom>: contacts are not simulated");
    noted_contacts_ = true;
  }

  void read_site(const Element& e, int link, const Pose& frame, const std::string& childclass) {
    const Attributes a = settings_.attributes(e, childclass);
    const Pose pose = frame * settings_.pose(a);
    if (!e.has("name")) return;
    sites_[e.text("name")] = {link, pose};
    if (link > 0) m_.points.push_back({e.text("name"), link, pose.p});
  }

  void scale_masses() {
    if (!(settings_.total_mass > 0)) return;
    double sum = 0;
    for (const Link& link : m_.links) sum += link.mass.mass;
    for (Link& link : m_.links) {
      link.mass.mass *= settings_.total_mass / sum;
      link.mass.inertia = settings_.total_mass / sum * link.mass.inertia;
    }
  }

  int body(const Element& e, const char* attribute) const {
    const std::string name = e.text(attribute);
    if (name.empty() || name == "world") return 0;
    const auto it = body_index_.find(name);
    if (it != body_index_.end()) return it->second;
    std::vector<std::string> names;
    for (const auto& [known, index] : body_index_) names.push_back(known);
    throw error_at(e.place(attribute),
                   fmt::format("<{}>: there is no body '{}'{}", e.name(), name, input::suggestion(name, names)));
  }

  Joint& joint(const Element& e, const char* attribute) {
    const std::string name = e.text(attribute);
    std::vector<std::string> names;
    for (Link& link : m_.links) {
      if (link.joint.name == name) return link.joint;
      if (!link.joint.name.empty()) names.push_back(link.joint.name);
    }
    throw error_at(e.place(attribute),
                   fmt::format("<{}>: there is no joint '{}'{}", e.name(), name, input::suggestion(name, names)));
  }

  // Of all links, where the file draws them.
  Pose reference_pose(int link) const {
    Pose out;
    for (int k = link; k >= 0; k = m_.links[std::size_t(k)].parent) {
      const Joint& j = m_.links[std::size_t(k)].joint;
      out = j.to_joint * j.to_link * out;
    }
    return out;
  }

  void read_equality(const Element& e) {
    const std::string_view kind = e.name();
    const std::string name = e.text("name", fmt::format("{}_{}", kind, m_.loops.size() + m_.relations.size() + 1));
    const Attributes a = settings_.attributes(e, "main", "equality");
    if (!a.holder("active").flag("active", true))
      return m_.note(e.place(), fmt::format("<equality>: <{}> is not active and left out", kind));
    if (!settings_.flags.constraint || !settings_.flags.equality)
      return m_.note(e.place(), fmt::format("<equality>: <{}> is disabled by <flag> and left out", kind));
    if (kind == "joint") return read_joint_equality(e, name);
    if ((kind != "connect" && kind != "weld") || e.has("site1"))
      return m_.note(e.place(), fmt::format("<equality>: <{}>{} is left out", kind, e.has("site1") ? " between sites" : ""));
    e.required("body1");
    if (kind == "connect") e.required("anchor");
    Loop loop;
    loop.name = name;
    loop.kind = kind == "connect" ? "spherical" : "fixed";
    loop.place = e.place();
    loop.first = body(e, "body1");
    loop.second = body(e, "body2");
    if (kind == "weld" && e.has("relpose")) {
      const std::vector<double> pose = e.numbers("relpose", 7, 7);
      if (std::any_of(pose.begin() + 3, pose.end(), [](double x) { return x != 0; }))
        m_.note(e.place("relpose"), "<weld>: 'relpose' is left out: the bodies are held as they are drawn");
    }
    loop.at = a.vector("anchor", {});
    loop.at_second = inverse(reference_pose(loop.second)) * (reference_pose(loop.first) * loop.at);
    m_.loops.push_back(loop);
    note_soft(e);
  }

  void note_soft(const Element& e) { m_.note(e.place(), "<equality>: soft in MuJoCo, and rigid here"); }

  // q₁ − ref₁ = a₀ + a₁ (q₂ − ref₂) + …; without a second joint the first is held.
  void read_joint_equality(const Element& e, const std::string& name) {
    Joint& first = joint(e, "joint1");
    std::vector<double> c{0, 1, 0, 0, 0};  // what is not given stays so
    if (e.has("polycoef")) {
      const std::vector<double> given = e.numbers("polycoef", 1, 5);
      std::copy(given.begin(), given.end(), c.begin());
    }
    const auto simple = [&](const Joint& j) { return j.kind == Kind::hinge || j.kind == Kind::slide; };
    if (!e.has("joint2")) {
      if (!simple(first)) return m_.note(e.place(), "<equality>: <joint> of a ball or free joint is left out");
      // It is drawn where it is held.
      first.locked = true;
      m_.relations.push_back({name, "", first.name, 0, first.zero + c[0], e.place()});
      return note_soft(e);
    }
    const Joint& second = joint(e, "joint2");
    if (c[2] != 0 || c[3] != 0 || c[4] != 0 || !simple(first) || !simple(second))
      return m_.note(e.place(), "<equality>: <joint> with a polynomial of higher degree, or of ball joints, is left out");
    if (first.name == second.name) throw error_at(e.place("joint2"), fmt::format("joint '{}' is coupled to itself", first.name));
    m_.relations.push_back({name, second.name, first.name, c[1], first.zero + c[0] - c[1] * second.zero, e.place()});
    note_soft(e);
  }

  // A joint that follows another follows also what that one follows, and must not be among these.
  void refuse_circles() {
    if (m_.relations.size() > limits::followers) return;  // they are refused
    std::multimap<std::string, std::string> leaders;
    for (const Relation& r : m_.relations) {
      if (r.first.empty()) continue;
      std::vector<std::string> path;
      std::set<std::string> seen;
      if (leads_to(leaders, r.first, r.second, seen, path)) {
        std::reverse(path.begin(), path.end());
        errors_.attempt([&] {
          throw error_at(r.place, fmt::format("joints follow each other in a circle: '{}' follows '{}'; leave one of these "
                                              "equalities out",
                                              r.second, fmt::join(path, "' follows '")));
        });
      } else {
        leaders.emplace(r.second, r.first);
      }
    }
  }

  // Whether `joint` is `last` or follows it; `path`: the joints between, the last one first.
  static bool leads_to(const std::multimap<std::string, std::string>& leaders, const std::string& joint, const std::string& last,
                       std::set<std::string>& seen, std::vector<std::string>& path) {
    if (!seen.insert(joint).second) return false;
    bool found = joint == last;
    const auto [begin, end] = leaders.equal_range(joint);
    for (auto it = begin; it != end && !found; ++it) found = leads_to(leaders, it->second, last, seen, path);
    if (found) path.push_back(joint);
    return found;
  }

  void read_sensor(const Element& e) {
    Observed o;
    o.place = e.place();
    const std::string kind(e.name());
    o.name = e.text("name", fmt::format("{}_{}", kind, m_.observed.size() + 1));
    const auto leave_out = [&](const char* why) { m_.note(e.place(), fmt::format("<sensor>: <{}> is left out{}", kind, why)); };
    if (kind == "jointpos" || kind == "jointvel") {
      const Joint& j = joint(e, "joint");
      if (j.kind != Kind::hinge && j.kind != Kind::slide) return leave_out(": the joint has no single position");
      o.kind = kind == "jointpos" ? "coordinate" : "rate";
      o.joint = j.name;
      m_.observed.push_back(o);
      return;
    }
    static constexpr std::pair<std::string_view, const char*> frames[] = {{"framepos", "position"},
                                                                          {"framelinvel", "velocity"},
                                                                          {"frameangvel", "angular_velocity"},
                                                                          {"framelinacc", "acceleration"},
                                                                          {"frameangacc", "angular_acceleration"},
                                                                          {"framequat", "orientation"},
                                                                          {"gyro", "angular_velocity"},
                                                                          {"velocimeter", "velocity"}};
    const auto it = std::find_if(std::begin(frames), std::end(frames), [&](const auto& f) { return f.first == kind; });
    if (it == std::end(frames))
      return leave_out(kind == "accelerometer" ? ": it feels gravity, which `acceleration` does not" : "");
    if (e.has("reftype")) return leave_out(" relative to another frame");
    o.kind = it->second;
    const std::string type = e.has("site") ? "site" : e.text("objtype");
    const std::optional<Placed> object = object_of(e, type);
    if (!object) return leave_out("");
    if (on_ground(object->link)) return leave_out(": it is of the world, which does not move");
    o.link = object->link;
    o.at = object->pose.p;
    o.in_link = e.has("site");
    const Matrix turned = object->pose.R - Matrix::identity();
    const bool is_turned = dot(turned[0], turned[0]) + dot(turned[1], turned[1]) > 1e-20;
    if (o.in_link && is_turned)
      m_.note(e.place(), fmt::format("<sensor>: <{}> is in the axes of the body, not of its site", kind));
    if (o.kind == "orientation" && (is_turned || type == "body"))
      m_.note(e.place(), fmt::format("<sensor>: <{}> is the orientation of the body, not of its {}", kind,
                                     type == "body" ? "principal axes" : type));
    if (kind == "framelinacc" && norm(m_.gravity) > 0)
      m_.note(e.place(),
              "<sensor>: <framelinacc> is the acceleration itself; MuJoCo subtracts gravity from it, and has 0 in free fall");
    m_.observed.push_back(o);
  }

  // A site, geom or body, in its link.
  struct Placed {
    int link = 0;
    Pose pose;
  };
  std::optional<Placed> object_of(const Element& e, const std::string& type) {
    const char* attribute = e.has("site") ? "site" : "objname";
    const std::string name = e.text(attribute);
    if (type == "site") {
      const auto site = sites_.find(name);
      if (site != sites_.end()) return site->second;
      throw error_at(e.place(attribute), fmt::format("<{}>: there is no site '{}'", e.name(), name));
    }
    if (type == "geom" && geoms_.contains(name)) return geoms_.at(name);
    if (type != "body" && type != "xbody") return {};
    Placed out{body(e, attribute), {}};
    if (type == "body") out.pose.p = m_.links[std::size_t(out.link)].mass.center;
    return out;
  }

  // Whether it is the world, or belongs to it as a link without mass that is fixed to it.
  bool on_ground(int link) const {
    for (; link > 0; link = m_.links[std::size_t(link)].parent)
      if (m_.links[std::size_t(link)].mass.mass > 0 || m_.links[std::size_t(link)].joint.kind != Kind::fixed) return false;
    return true;
  }

  bool on_ground_all() const {
    for (std::size_t i = 1; i < m_.links.size(); ++i)
      if (!on_ground(int(i))) return false;
    return true;
  }

  const XmlFile& xml_;
  const ImportOptions& options_;
  MjcfSettings settings_;
  GeomReader geom_reader_;
  Mechanism m_;
  input::ErrorList errors_;
  int bodies_ = 0;
  GivenNames given_;                   // and those made here
  std::set<std::string> joint_names_;  // so far
  bool noted_contacts_ = false;
  std::map<std::string, int> body_index_;
  std::map<int, bool> masses_from_geoms_;
  std::map<std::string, Placed> geoms_, sites_;
};

}  // namespace

Mechanism read_mjcf(const XmlFile& xml, const FileSource& files, const ImportOptions& options) {
  return MjcfReader(xml, files, options).read();
}

}  // namespace aleator::core::importing
