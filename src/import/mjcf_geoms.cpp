// Mass properties of geoms of MJCF: of uniform density, or of a given mass.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "import/mjcf_settings.hpp"
#include "meshes/solid.hpp"

namespace aleator::core::importing {

namespace {

const double pi = std::acos(-1.0);

// (1/m) ∫ x xᵀ dm about the centre of a solid with its axes of symmetry along x, y, z; and its volume.
struct Solid {
  double volume = 0;
  Matrix second = {};
  Vector center = {};
};

Solid solid_of(const Shape& s) {
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

Solid solid_of_mesh(const Shape& s, const FileSource& files) {
  meshes::Mesh mesh = meshes::read_mesh(files.bytes(s.file), s.file);
  const meshes::Solid solid = meshes::solid_of(mesh);
  if (!solid.closed())
    throw error_at(s.place, fmt::format("the mesh '{}' encloses nothing: {}; close it, or give the body an <inertial>", s.file,
                                        solid.defect()));
  Solid out;
  out.volume = solid.volume * std::abs(s.scale.x * s.scale.y * s.scale.z);
  static constexpr int row[] = {0, 1, 2, 0, 0, 1}, column[] = {0, 1, 2, 1, 2, 2};
  for (int k = 0; k < 6; ++k)
    out.second[row[k]][column[k]] = out.second[column[k]][row[k]] =
        solid.second[std::size_t(k)] * s.scale[row[k]] * s.scale[column[k]];
  for (int k = 0; k < 3; ++k) out.center[k] = s.scale[k] * solid.center[std::size_t(k)];
  return out;
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

}  // namespace

bool read_geom(const Attributes& g, MjcfSettings& settings, const FileSource& files, const ImportOptions& options,
               const std::string& description, Shape& s, MassProperties& mass, std::vector<Note>& notes) {
  static constexpr std::pair<const char*, Shape::Kind> kinds[] = {
      {"sphere", Shape::Kind::sphere},       {"capsule", Shape::Kind::capsule}, {"cylinder", Shape::Kind::cylinder},
      {"ellipsoid", Shape::Kind::ellipsoid}, {"box", Shape::Kind::box},         {"mesh", Shape::Kind::mesh}};
  const std::string type = g.text("type", g.has("mesh") ? "mesh" : "sphere");
  if (type == "plane" || type == "hfield") return false;
  const auto it = std::find_if(std::begin(kinds), std::end(kinds), [&](const auto& k) { return type == k.first; });
  if (it == std::end(kinds)) {
    notes.push_back({g.own.place(), fmt::format("<geom> of type {} is left out", type)});
    return false;
  }
  s.kind = it->second;
  s.place = g.own.place();
  s.color = settings.color(g);
  Solid solid;
  if (s.kind == Shape::Kind::mesh) {
    const auto asset = settings.meshes.find(g.text("mesh"));
    if (asset == settings.meshes.end())
      throw error_at(g.place("mesh"), fmt::format("<geom>: there is no <mesh> '{}' with a file in <asset>", g.text("mesh")));
    s.file = mesh_file(asset->second.reference, asset->second.place, description, files, options);
    s.scale = asset->second.scale;
    s.pose = settings.pose(g);
    solid = solid_of_mesh(s, files);
  } else {
    read_size(g, settings, type, s);
    solid = solid_of(s);
  }
  if (g.text("shellinertia") == "true")
    notes.push_back({g.place("shellinertia"), "<geom>: 'shellinertia' is left out: the geom is solid"});
  const double m = g.has("mass") ? g.number("mass", 0) : g.number("density", 1000) * solid.volume;
  if (!(m >= 0))
    throw error_at(g.place(g.has("mass") ? "mass" : "density"),
                   fmt::format("<geom>: its mass must not be negative, found {:g}", m));
  mass = {m, solid.center, m * (trace(solid.second) * Matrix::identity() - solid.second), s.place};
  mass.rotate_and_move(s.pose);
  return true;
}

}  // namespace aleator::core::importing
