#include "import/mjcf_settings.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/mjcf_schema.hpp"

namespace aleator::core::importing {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_files = 1000;

std::string hexadecimal(const std::vector<double>& rgba) {
  std::string out = "#";
  for (std::size_t k = 0; k < 3; ++k) out += fmt::format("{:02x}", int(std::lround(255 * std::clamp(rgba[k], 0.0, 1.0))));
  return out;
}

Vector unit(const Vector& v, const Attributes& a, const char* attribute) {
  const double length = norm(v);
  if (!(length > 1e-12)) throw error_at(a.place(attribute), fmt::format("<{}>: '{}' must not be zero", a.own.name(), attribute));
  return (1 / length) * v;
}

// The shortest rotation that takes z to a unit vector.
Matrix z_to(const Vector& v) {
  const Vector axis = cross(Vector{0, 0, 1}, v);
  const double sine = norm(axis);
  if (sine < 1e-12) return v.z > 0 ? Matrix::identity() : rotation_about({1, 0, 0}, std::acos(-1.0));
  return rotation_about((1 / sine) * axis, std::atan2(sine, v.z));
}

}  // namespace

std::string word_of(const Attributes& a, const char* attribute, const char* fallback,
                    std::initializer_list<const char*> allowed) {
  std::string word = a.text(attribute, fallback);
  if (!a.has(attribute) || std::any_of(allowed.begin(), allowed.end(), [&](const char* w) { return word == w; })) return word;
  const auto* const last = allowed.end() - 1;
  throw error_at(a.place(attribute), fmt::format("<{}>: '{}' must be {} or {}, found '{}'", a.own.name(), attribute,
                                                 fmt::join(allowed.begin(), last, ", "), *last, word));
}

const Element& Attributes::holder(const char* attribute) const {
  if (own.has(attribute)) return own;
  for (const Element& e : defaults)
    if (e.has(attribute)) return e;
  return own;
}

const std::vector<Element>& MjcfSettings::children(const Element& e) {
  const auto [known, is_new] = children_.try_emplace(e.node.internal_object());
  // Filled in its place: what cannot be included is told once, and the rest is read.
  std::vector<Element>& out = known->second;
  if (!is_new) return out;
  for (const Element& child : e.children()) {
    if (child.name() != "include") {
      out.push_back(child);
      continue;
    }
    const std::string reference = child.required("file");
    const fs::path relative = fs::path(reference).lexically_normal();
    if (relative.is_absolute() || *relative.begin() == "..")
      throw error_at(child.place("file"), fmt::format("<include>: '{}' leads out of the folder of the model", reference));
    const std::string name = (fs::path(xml_.name()).parent_path() / relative).string();
    if (!names_.insert(name).second || name == xml_.name())
      throw error_at(child.place("file"),
                     fmt::format("<include>: '{}' is included twice; each file may be included once", reference));
    if (names_.size() > most_files)
      throw error_at(child.place(), fmt::format("too many files are included: at most {} are read", most_files));
    if (!files_.exists(name))
      throw error_at(
          child.place("file"),
          fmt::format("<include>: there is no file '{}'; names are relative to the folder of the main file", reference));
    const XmlFile& file = included_.emplace_back(name, files_.bytes(name));
    for (const Element& inner : children({&file, file.root()})) out.push_back(inner);
  }
  return out;
}

void MjcfSettings::read(const std::vector<Element>& sections, Mechanism& m) {
  classes_["main"];
  for (const Element& e : sections) {
    if (e.name() == "compiler") read_compiler(e);
    if (e.name() == "option") read_option(e, m);
  }
  if (!flags.gravity) m.gravity = {};
  for (const Element& e : sections)
    if (e.name() == "default") read_top_default(e);
  for (const Element& e : sections)
    if (e.name() == "asset")
      for (const Element& asset : children(e)) read_asset(asset, m);
}

void MjcfSettings::read_compiler(const Element& e) {
  if (e.has("angle")) {
    const std::string angle_unit = e.text("angle");
    if (angle_unit != "degree" && angle_unit != "radian")
      throw error_at(e.place("angle"), fmt::format("<compiler>: 'angle' must be degree or radian, found '{}'", angle_unit));
    degrees = angle_unit == "degree";
  }
  if (e.text("coordinate", "local") != "local")
    throw error_at(e.place("coordinate"),
                   "<compiler>: global coordinates are not read; MuJoCo itself gave them up: save the model with an older "
                   "version of it, in local coordinates");
  eulerseq = e.text("eulerseq", eulerseq);
  if (eulerseq.size() != 3 || eulerseq.find_first_not_of("xyzXYZ") != std::string::npos)
    throw error_at(e.place("eulerseq"),
                   fmt::format("<compiler>: 'eulerseq' must be three of x, y, z, X, Y, Z, found '{}'", eulerseq));
  meshdir = e.text("meshdir", e.text("assetdir", meshdir));
  autolimits = e.flag("autolimits", autolimits);
  balance = e.flag("balanceinertia", balance);
  inertia_from_geom = word_of({e}, "inertiafromgeom", inertia_from_geom.c_str(), {"true", "false", "auto"});
  strip_path_ = e.flag("strippath", strip_path_);
  total_mass = e.number("settotalmass", total_mass);
  least_mass = e.number("boundmass", least_mass);
  least_inertia = e.number("boundinertia", least_inertia);
  if (e.has("inertiagrouprange")) {
    const std::vector<double> range = e.numbers("inertiagrouprange", 2, 2);
    first_group = int(std::clamp(range[0], -1e6, 1e6));
    last_group = int(std::clamp(range[1], -1e6, 1e6));
  }
}

void MjcfSettings::read_option(const Element& e, Mechanism& m) {
  m.gravity = e.vector("gravity", m.gravity);
  for (const char* attribute : {"wind", "magnetic"})
    if (e.has(attribute) && norm(e.vector(attribute, {})) > 0 && std::string_view(attribute) == "wind")
      m.note(e.place(attribute), "<option>: 'wind' is left out");
  for (const char* attribute : {"density", "viscosity"})
    if (e.number(attribute, 0) > 0)
      m.note(e.place(attribute), fmt::format("<option>: '{}' of a fluid around the bodies is left out", attribute));
  for (const Element& child : children(e))
    if (child.name() == "flag") read_flags(child, m);
}

void MjcfSettings::read_flags(const Element& e, Mechanism& m) {
  const std::pair<const char*, bool*> honoured[] = {{"gravity", &flags.gravity},       {"passive", &flags.passive},
                                                    {"spring", &flags.spring},         {"damper", &flags.damper},
                                                    {"constraint", &flags.constraint}, {"equality", &flags.equality},
                                                    {"limit", &flags.limit},           {"frictionloss", &flags.frictionloss}};
  for (const pugi::xml_attribute& a : e.node.attributes()) {
    const std::string word = word_of({e}, a.name(), "", {"enable", "disable"});
    const auto* const it = std::find_if(std::begin(honoured), std::end(honoured),
                                        [&](const auto& f) { return a.name() == std::string_view(f.first); });
    if (it != std::end(honoured))
      *it->second = word == "enable";
    else if (a.name() != std::string_view("contact"))  // there are none
      m.note(e.place(a.name()), fmt::format("<flag>: '{}' is left out", a.name()));
  }
}

// The first class outside of others is that of all elements, whatever it is called (before MuJoCo 3 it could be); another one there is a
// class by itself.
void MjcfSettings::read_top_default(const Element& e) {
  const std::string name = e.text("class", "main");
  const bool first = std::all_of(classes_.begin(), classes_.end(), [](const auto& c) { return c.second.place.line == 0; });
  if (first) main_ = name;
  if (first || name == "main" || name == main_) return read_default(e, "main", "");
  read_default(e, name, "");
}

void MjcfSettings::read_default(const Element& e, const std::string& name, const std::string& parent) {
  if (name.empty()) throw error_at(e.place(), "<default> inside another one needs the attribute 'class'");
  const bool is_main = name == "main" && parent.empty();
  Class& c = classes_[name == main_ ? "main" : name];
  if (c.place.line > 0 && !is_main)
    throw error_at(e.place("class"), fmt::format("there are two classes '{}' of defaults: the other one is at {}; put both into "
                                                 "one <default>",
                                                 name, text_of(c.place)));
  c.parent = parent;
  c.place = e.place();
  for (const Element& child : children(e)) {
    if (child.name() == "default")
      read_default(child, child.text("class"), name);
    else
      c.parts.push_back(child);
  }
}

void MjcfSettings::read_asset(const Element& e, Mechanism& m) {
  const Attributes a = attributes(e, "main");
  if (e.name() == "mesh") {
    const fs::path given = e.text("file");
    const std::string name = e.text("name", given.stem().string());
    if (given.empty()) {
      meshes[name] = {"", {}, e.place()};
      return;
    }
    const fs::path file = strip_path_ ? given.filename() : given;
    const std::string inertia = a.text("inertia");
    if (inertia == "convex" || inertia == "shell")
      m.note(a.place("inertia"), "<mesh>: 'inertia' is left out: the mass is that of the solid that the mesh encloses");
    for (const char* attribute : {"refpos", "refquat"})
      if (e.has(attribute))
        throw error_at(e.place(attribute),
                       fmt::format("<mesh>: '{}' is not read; move the mesh in its file, or the geom", attribute));
    meshes[name] = {(fs::path(meshdir) / file).generic_string(), a.vector("scale", {1, 1, 1}), e.place("file")};
  } else if (e.name() == "material") {
    if (a.has("rgba")) materials_[e.text("name")] = hexadecimal(a.numbers("rgba", 3, 4));
  } else if (e.name() != "texture" && e.name() != "hfield") {
    leave_out(e, {"mesh", "material", "texture", "hfield"}, m);
  }
}

const MjcfSettings::Class& MjcfSettings::class_of(const Element& e, const char* attribute, std::string name) const {
  if (name == main_) name = "main";
  const auto it = classes_.find(name);
  if (it != classes_.end()) return it->second;
  std::vector<std::string> names;
  for (const auto& [known, c] : classes_) names.push_back(known);
  throw error_at(e.place(attribute), fmt::format("<{}>: there is no class '{}' of defaults{}", e.name(), name,
                                                 names.size() > 1 ? input::suggestion(name, names) : ""));
}

std::string MjcfSettings::childclass(const Element& e, const std::string& around) const {
  if (!e.has("childclass")) return around;
  class_of(e, "childclass", e.text("childclass"));
  return e.text("childclass");
}

Attributes MjcfSettings::attributes(const Element& e, const std::string& around, std::string_view kind) {
  Attributes out{e, {}};
  const Class* c = &class_of(e, "class", e.text("class", around.empty() ? "main" : around));
  for (;;) {
    for (auto it = c->parts.rbegin(); it != c->parts.rend(); ++it)
      if (it->name() == (kind.empty() ? e.name() : kind)) out.defaults.push_back(*it);
    if (c->parent.empty()) return out;
    c = &classes_.at(c->parent);  // a class is defined inside another one, so that this ends
  }
}

Attributes MjcfSettings::holder_of_orientation(const Attributes& a) {
  static constexpr const char* kinds[] = {"quat", "axisangle", "euler", "xyaxes", "zaxis"};
  const auto gives = [](const Element& e) {
    std::vector<const char*> out;
    for (const char* kind : kinds)
      if (e.has(kind)) out.push_back(kind);
    if (out.size() > 1)
      throw error_at(e.place(out[1]),
                     fmt::format("<{}>: '{}' and '{}' both give an orientation; give one of them", e.name(), out[0], out[1]));
    return !out.empty();
  };
  if (gives(a.own)) return {a.own};
  for (const Element& e : a.defaults)
    if (gives(e)) return {e};
  return {a.own};
}

Matrix MjcfSettings::orientation(const Attributes& of) const {
  const Attributes a = holder_of_orientation(of);
  if (a.has("quat")) {
    const std::vector<double> q = a.numbers("quat", 4, 4);
    const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 1e-12)) throw error_at(a.place("quat"), fmt::format("<{}>: 'quat' must not be zero", a.own.name()));
    const double sine = std::sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (sine < 1e-300) return Matrix::identity();
    return rotation_about({q[1] / sine, q[2] / sine, q[3] / sine}, 2 * std::atan2(sine, q[0]));
  }
  if (a.has("axisangle")) {
    const std::vector<double> v = a.numbers("axisangle", 4, 4);
    return rotation_about(unit({v[0], v[1], v[2]}, a, "axisangle"), angle(v[3]));
  }
  if (a.has("xyaxes")) {
    const std::vector<double> v = a.numbers("xyaxes", 6, 6);
    const Vector x = unit({v[0], v[1], v[2]}, a, "xyaxes");
    Vector y{v[3], v[4], v[5]};
    y = unit(y - dot(x, y) * x, a, "xyaxes");
    const Vector z = cross(x, y);
    return {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
  }
  if (a.has("zaxis")) return z_to(unit(a.vector("zaxis", {}), a, "zaxis"));
  if (a.has("euler")) {
    const Vector e = a.vector("euler", {});
    Matrix R = Matrix::identity();
    for (int k = 0; k < 3; ++k) {
      const char c = eulerseq[std::size_t(k)];
      const bool moving = c >= 'a';  // about axes that turn with it; capitals: about those of the parent
      Vector axis;
      axis[(moving ? c : char(c + 32)) - 'x'] = 1;
      const Matrix turn = rotation_about(axis, angle(e[k]));
      R = moving ? R * turn : turn * R;
    }
    return R;
  }
  return Matrix::identity();
}

Pose MjcfSettings::pose(const Attributes& a) const { return {orientation(a), a.vector("pos", {})}; }

std::string MjcfSettings::color(const Attributes& geom) const {
  if (geom.has("rgba")) return hexadecimal(geom.numbers("rgba", 3, 4));
  const auto it = materials_.find(geom.text("material"));
  return it == materials_.end() ? "" : it->second;
}

}  // namespace aleator::core::importing
