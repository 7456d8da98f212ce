#include "report/vtk.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <span>

#include "base/base64.hpp"
#include "report/beam_curve.hpp"
#include "report/mesh.hpp"
#include "report/text.hpp"

namespace aleator::core::report {
namespace {

void append(std::vector<float>& list, const Vector& v) { list.insert(list.end(), {float(v.x), float(v.y), float(v.z)}); }

// A mesh of all bodies, in inertial axes.
struct Everything {
  std::vector<float> points, normals;
  std::vector<std::int32_t> corners, ends, body;  // ends: where the corners of each triangle end
  std::string names;                              // of the body of each triangle, each closed by a zero

  void add(const Mesh& mesh, const Frame& frame, std::int32_t number, const std::string& name) {
    const std::int32_t first = std::int32_t(points.size() / 3);
    for (const Vector& p : mesh.points) append(points, frame.point(p));
    for (const Vector& n : mesh.normals) append(normals, frame.direction(n));
    for (const auto& t : mesh.triangles) {
      for (const std::uint32_t corner : t) corners.push_back(first + std::int32_t(corner));
      ends.push_back(std::int32_t(corners.size()));
      body.push_back(number);
      names += name;
      names += '\0';
    }
  }
};

Frame placed(const results::Shape& s, const Frame& body) {
  const double pose[] = {s.position[0],   s.position[1],   s.position[2],  s.quaternion[0],
                         s.quaternion[1], s.quaternion[2], s.quaternion[3]};
  const Frame f = frame_of(pose);
  return {body.point(f.origin), body.direction(f.x), body.direction(f.y), body.direction(f.z)};
}

Everything everything(const results::Run& run, std::size_t time) {
  Everything all;
  std::size_t frames = 0;
  for (const results::DrawnBody& body : run.bodies) frames += std::size_t(body.nodes);
  const double* pose = run.poses.data() + 7 * frames * time;
  for (std::size_t b = 0; b < run.bodies.size(); ++b) {
    const results::DrawnBody& body = run.bodies[b];
    for (const results::Shape& shape : body.shapes)
      if (body.nodes > 1)
        all.add(sweep(section_of(shape), beam_frames(pose, body.nodes, is_round(shape))), {}, std::int32_t(b), body.name);
      else
        all.add(mesh_of(shape), placed(shape, frame_of(pose)), std::int32_t(b), body.name);
    pose += 7 * body.nodes;
  }
  return all;
}

// Its bytes, after how many there are.
template <class T>
std::string array(const char* type, const std::string& attributes, std::span<const T> values) {
  const std::uint64_t length = values.size_bytes();
  std::vector<unsigned char> bytes(sizeof length + length);
  std::memcpy(bytes.data(), &length, sizeof length);
  if (length > 0) std::memcpy(bytes.data() + sizeof length, values.data(), length);
  return fmt::format("<DataArray type=\"{}\" {} format=\"binary\">{}</DataArray>\n", type, attributes, base64(bytes));
}

template <class List>
auto values(const List& list) {
  return std::span<const typename List::value_type>(list);
}

constexpr const char* head =
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"{}\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n";

}  // namespace

std::string vtk_frame(const results::Run& run, std::size_t time) {
  const Everything all = everything(run, time);
  std::string text = fmt::format(fmt::runtime(head), "PolyData");
  text += fmt::format("<PolyData>\n<Piece NumberOfPoints=\"{}\" NumberOfPolys=\"{}\">\n", all.points.size() / 3, all.body.size());
  text += "<Points>\n" + array("Float32", "NumberOfComponents=\"3\"", values(all.points)) + "</Points>\n";
  text += "<PointData Normals=\"normals\">\n" +
          array("Float32", "Name=\"normals\" NumberOfComponents=\"3\"", values(all.normals)) + "</PointData>\n";
  text += "<CellData Scalars=\"body\">\n" + array("Int32", "Name=\"body\"", values(all.body)) +
          array("String", "Name=\"name\"", values(all.names)) + "</CellData>\n";
  text += "<Polys>\n" + array("Int32", "Name=\"connectivity\"", values(all.corners)) +
          array("Int32", "Name=\"offsets\"", values(all.ends)) + "</Polys>\n";
  return text + "</Piece>\n</PolyData>\n</VTKFile>\n";
}

std::string vtk_series(const std::vector<double>& times, const std::vector<std::string>& files) {
  std::string text = fmt::format(fmt::runtime(head), "Collection") + "<Collection>\n";
  for (std::size_t k = 0; k < times.size(); ++k)
    text += fmt::format("<DataSet timestep=\"{}\" file=\"{}\"/>\n", times[k], escaped(files[k]));
  return text + "</Collection>\n</VTKFile>\n";
}

}  // namespace aleator::core::report
