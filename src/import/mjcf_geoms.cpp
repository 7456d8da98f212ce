// Mass properties of geoms of MJCF: of uniform density, or of a given mass.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <Eigen/Core>

#include "import/mjcf_settings.hpp"
#include "numerics/dense.hpp"

namespace aleator::core::importing {

namespace {

const double pi = std::acos(-1.0);

GeomSolid solid_of(const Shape& s) {
  const auto diagonal = [](double x, double y, double z) { return Matrix::diagonal({x, y, z}); };
  const double r = s.size.x, l = s.size.y;
  switch (s.kind) {
    case Shape::Kind::box:
      return {s.size.x * s.size.y * s.size.z,
              diagonal(s.size.x * s.size.x / 12, s.size.y * s.size.y / 12, s.size.z * s.size.z / 12)};
    case Shape::Kind::sphere:
      return {4 * pi / 3 * r * r * r, diagonal(r * r / 5, r * r / 5, r * r / 5)};
    case Shape::Kind::cylinder:
      return {pi * r * r * l, diagonal(r * r / 4, r * r / 4, l * l / 12)};
    case Shape::Kind::ellipsoid:
      return {4 * pi / 3 * s.size.x * s.size.y * s.size.z,
              diagonal(s.size.x * s.size.x / 5, s.size.y * s.size.y / 5, s.size.z * s.size.z / 5)};
    case Shape::Kind::capsule: {
      // Two half spheres, each with its centre of mass 3r/8 beyond the end of the cylinder.
      const double middle = pi * r * r * l, ends = 4 * pi / 3 * r * r * r, v = middle + ends;
      const double along = middle * l * l / 12 + ends * (r * r / 5 + l * l / 4 + 3 * r * l / 8);
      const double across = middle * r * r / 4 + ends * r * r / 5;
      return {v, diagonal(across / v, across / v, along / v)};
    }
    case Shape::Kind::mesh:
      break;
  }
  return {};
}

// Size and place, as the ends of the axis say, or as they are given.
void read_size(const Attributes& g, MjcfSettings& settings, const std::string& type, Shape& s) {
  const std::size_t needed = type == "sphere" ? 1 : type == "capsule" || type == "cylinder" ? 2 : 3;
  const bool by_ends = g.has("fromto");
  if (!g.has("size")) throw error_at(g.own.place(), fmt::format("<geom> of type {} needs the attribute 'size'", type));
  std::vector<double> size = g.numbers("size", by_ends ? 1 : needed, 3);
  s.pose = settings.pose(g);
  if (by_ends) {
    if (type == "sphere") throw error_at(g.place("fromto"), "<geom>: 'fromto' is for capsules, cylinders, ellipsoids and boxes");
    const std::vector<double> e = g.numbers("fromto", 6, 6);
    const Vector from{e[0], e[1], e[2]}, to{e[3], e[4], e[5]};
    const double length = norm(to - from);
    if (!(length > 1e-12)) throw error_at(g.place("fromto"), "<geom>: the two points of 'fromto' must differ");
    const Vector z = (1 / length) * (from - to);
    const Vector axis = cross(Vector{0, 0, 1}, z);
    const double sine = norm(axis);
    s.pose.R = sine < 1e-12 ? Matrix::identity() : rotation_about((1 / sine) * axis, std::atan2(sine, z.z));
    s.pose.p = 0.5 * (from + to);
    size = needed == 2 ? std::vector<double>{size[0], 0.5 * length}
                       : std::vector<double>{size[0], size.size() > 1 ? size[1] : size[0], 0.5 * length};
  }
  for (std::size_t k = 0; k < needed; ++k)
    if (!(size[k] > 0)) throw error_at(g.place("size"), fmt::format("<geom>: 'size' must be positive, found {:g}", size[k]));
  if (type == "box")
    s.size = {2 * size[0], 2 * size[1], 2 * size[2]};
  else if (needed == 2)
    s.size = {size[0], 2 * size[1], 0};
  else if (needed == 1)
    s.size = {size[0], 0, 0};
  else
    s.size = {size[0], size[1], size[2]};
}

// What a mesh is read from; others are known to MuJoCo, too.
bool can_be_read(const std::string& file) {
  std::string ending = file.substr(std::min(file.rfind('.'), file.size()));
  std::transform(ending.begin(), ending.end(), ending.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
  return ending == ".stl" || ending == ".obj";
}

}  // namespace

GeomSolid GeomReader::solid_of_mesh(const Shape& s) {
  auto known = solids_.find(s.file);
  if (known == solids_.end()) {
    meshes::Mesh mesh = meshes::read_mesh(files_.bytes(s.file), s.file);
    known = solids_.emplace(s.file, meshes::solid_of(mesh)).first;
  }
  const meshes::Solid& solid = known->second;
  if (!solid.closed())
    throw error_at(s.place, fmt::format("the mesh '{}' encloses nothing: {}; close it, or give the body an <inertial>", s.file,
                                        solid.defect()));
  GeomSolid out;
  out.volume = solid.volume * std::abs(s.scale.x * s.scale.y * s.scale.z);
  static constexpr int row[] = {0, 1, 2, 0, 0, 1}, column[] = {0, 1, 2, 1, 2, 2};
  for (int k = 0; k < 6; ++k)
    out.second[row[k]][column[k]] = out.second[column[k]][row[k]] =
        solid.second[std::size_t(k)] * s.scale[row[k]] * s.scale[column[k]];
  for (int k = 0; k < 3; ++k) out.center[k] = s.scale[k] * solid.center[std::size_t(k)];
  return out;
}

double GeomReader::mass_of(const Attributes& g, double volume) const {
  const double m = g.has("mass") ? g.number("mass", 0) : g.number("density", 1000) * volume;
  if (!(m >= 0))
    throw error_at(g.place(g.has("mass") ? "mass" : "density"),
                   fmt::format("<geom>: its mass must not be negative, found {:g}", m));
  return m;
}

// Whether it is drawn. The file is needed for that, and for the mass, if that is the body's and not zero.
bool GeomReader::read_mesh(const Attributes& g, bool weighs, Shape& s, GeomSolid& solid, std::vector<Note>& notes) {
  const std::string name = g.text("mesh");
  const auto asset = settings_.meshes.find(name);
  if (asset == settings_.meshes.end())
    throw error_at(g.place("mesh"), fmt::format("<geom>: there is no <mesh> '{}' in <asset>", name));
  const std::string& reference = asset->second.reference;
  const bool needed = weighs && mass_of(g, 1) > 0;
  const char* remedy = "give the body an <inertial>, or the geom mass=\"0\"";
  if (!options_.meshes) {
    const char* why = options_.words("--no-meshes", "`meshes: false`");
    if (needed)
      throw error_at(g.place("mesh"),
                     fmt::format("<geom>: its mass is that of the mesh '{}', which {} leaves out; {}", name, why, remedy));
    notes.push_back({s.place, fmt::format("<mesh> is left out ({})", why)});
    return false;
  }
  if (!can_be_read(reference)) {
    const std::string what =
        reference.empty() ? fmt::format("'{}', which is not in a file,", name) : fmt::format("'{}'", reference);
    if (needed)
      throw error_at(
          g.place("mesh"),
          fmt::format("<geom>: its mass is that of the mesh {} and not known: STL and OBJ are read; {}", what, remedy));
    notes.push_back({s.place, fmt::format("the mesh {} is not drawn: STL and OBJ are read", what)});
    return false;
  }
  s.file = mesh_file(reference, asset->second.place, description_, files_, options_);
  s.scale = asset->second.scale;
  if (needed) solid = solid_of_mesh(s);
  return true;
}

// MuJoCo takes the size from the mesh, also where no type is given. False: it is not drawn.
bool GeomReader::refuse_fitted(const Attributes& g, bool weighs, const std::string& type, std::vector<Note>& notes) const {
  const std::string what = fmt::format("a {} of the size of the mesh '{}'", type, g.text("mesh"));
  if (weighs && mass_of(g, 1) > 0)
    throw error_at(g.place("mesh"),
                   fmt::format("<geom>: {} is not supported; give its size, or, for the mesh itself, type=\"mesh\"", what));
  notes.push_back({g.own.place(), fmt::format("<geom>: {} is not drawn", what)});
  return false;
}

GeomReader::Geom GeomReader::read(const Attributes& g, bool weighs, std::vector<Note>& notes) {
  static constexpr std::pair<const char*, Shape::Kind> kinds[] = {
      {"sphere", Shape::Kind::sphere},       {"capsule", Shape::Kind::capsule}, {"cylinder", Shape::Kind::cylinder},
      {"ellipsoid", Shape::Kind::ellipsoid}, {"box", Shape::Kind::box},         {"mesh", Shape::Kind::mesh}};
  Geom out;
  Shape& s = out.shape;
  s.place = g.own.place();
  const std::string type = g.text("type", "sphere");
  if (type == "plane" || type == "hfield") {
    s.pose = settings_.pose(g);
    return out;
  }
  const auto it = std::find_if(std::begin(kinds), std::end(kinds), [&](const auto& k) { return type == k.first; });
  if (it == std::end(kinds)) {
    notes.push_back({s.place, fmt::format("<geom> of type {} is left out", type)});
    return out;
  }
  s.kind = it->second;
  s.color = settings_.color(g);
  GeomSolid solid;
  if (s.kind == Shape::Kind::mesh || g.has("mesh")) {
    s.pose = settings_.pose(g);
    out.drawn = s.kind == Shape::Kind::mesh ? read_mesh(g, weighs, s, solid, notes) : refuse_fitted(g, weighs, type, notes);
  } else {
    read_size(g, settings_, type, s);
    solid = solid_of(s);
    out.drawn = true;
  }
  if (weighs && g.text("shellinertia") == "true")
    notes.push_back({g.place("shellinertia"), "<geom>: 'shellinertia' is left out: the geom is solid"});
  const double m = mass_of(g, solid.volume);
  out.mass = {m, solid.center, m * (trace(solid.second) * Matrix::identity() - solid.second), s.place};
  out.mass.rotate_and_move(s.pose);
  return out;
}

bool raise_to(MassProperties& mass, double least_mass, double least_inertia) {
  if (mass.mass >= 0) mass.mass = std::max(mass.mass, least_mass);  // negative ones are refused
  if (!(least_inertia > 0)) return true;
  if (!(mass.mass > 0)) return false;
  Eigen::Matrix3d J;
  for (int i = 0; i < 9; ++i) J(i / 3, i % 3) = mass.inertia[i / 3][i % 3];
  const auto eigen = dense::symmetric_eigen3(J);
  for (int k = 0; k < 3; ++k) {
    const Vector axis{eigen.vectors(0, k), eigen.vectors(1, k), eigen.vectors(2, k)};
    mass.inertia += std::max(least_inertia - eigen.values[k], 0.0) * outer(axis, axis);
  }
  return true;
}

}  // namespace aleator::core::importing
