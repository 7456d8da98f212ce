// The motion in a results file: times, shapes and poses, checked so that whoever draws need not ask again.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "results/read.hpp"

namespace aleator::core::results {
namespace {

constexpr std::size_t most_numbers = 30000;         // of a shape: faces are found in a time that grows with their square
constexpr std::size_t most_mesh_numbers = 1000000;  // of a mesh, whose faces are there

// Also where such numbers are multiplied with each other.
bool can_be_drawn(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::abs(x) < 1e60; });
}

// Corners of triangles are points that are there.
bool is_mesh(const std::vector<double>& size) {
  if (size.empty() || !(size[0] >= 3 && size[0] <= double(most_mesh_numbers)) || size[0] != std::floor(size[0])) return false;
  const std::size_t points = 3 * std::size_t(size[0]) + 1;
  if (size.size() < points || (size.size() - points) % 3 != 0) return false;
  return std::all_of(size.begin() + std::ptrdiff_t(points), size.end(),
                     [&](double k) { return k >= 0 && k < size[0] && k == std::floor(k); });
}

Shape read_shape(const StudyReader& r, const std::string& at) {
  static const std::map<std::string, std::size_t> least_sizes = {
      {"box", 3},         {"cylinder", 2},          {"sphere", 1},         {"prism", 7},
      {"mesh-points", 3}, {"rectangle-section", 2}, {"circle-section", 1}, {"tube-section", 2},
      {"capsule", 2},     {"ellipsoid", 3},         {"mesh", 13}};
  const std::vector<double> position = r.numbers_attribute(at, "position"), quaternion = r.numbers_attribute(at, "quaternion");
  Shape shape;
  shape.kind = r.text_attribute(at, "kind");
  shape.size = r.numbers(at);
  const auto known = least_sizes.find(shape.kind);
  const bool mesh = shape.kind == "mesh";
  if (known == least_sizes.end() || shape.size.size() < known->second ||
      shape.size.size() > (mesh ? most_mesh_numbers : most_numbers) || (mesh && !is_mesh(shape.size)) || position.size() != 3 ||
      quaternion.size() != 4 || !can_be_drawn(shape.size) || !can_be_drawn(position) || !can_be_drawn(quaternion))
    throw ReadError(r.path(), at + " is no shape that can be drawn");
  std::copy(position.begin(), position.end(), shape.position.begin());
  std::copy(quaternion.begin(), quaternion.end(), shape.quaternion.begin());
  return shape;
}

std::string read_colour(const StudyReader& r, const std::string& at) {
  const std::string colour = r.text_attribute(at, "color");
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  if (colour.size() != 7 || colour[0] != '#' || !std::all_of(colour.begin() + 1, colour.end(), is_digit))
    throw ReadError(r.path(), fmt::format("the color of {} is not #rrggbb", at));
  return colour;
}

// The frames of a body are NAME, or NAME.0, NAME.1, … of a beam; `at` is where they begin among all.
DrawnBody read_body(const StudyReader& r, const std::string& name, const std::vector<std::string>& frames, std::size_t& at) {
  DrawnBody body{name, {}, 0};
  if (at < frames.size() && frames[at] == name)
    body.nodes = 1;
  else
    while (at + body.nodes < frames.size() && frames[at + body.nodes] == fmt::format("{}.{}", name, body.nodes)) ++body.nodes;
  if (body.nodes == 0) throw ReadError(r.path(), fmt::format("it has no motion of '{}'", name));
  at += body.nodes;
  if (r.has_attribute("/geometry/" + name, "color")) body.colour = read_colour(r, "/geometry/" + name);
  for (const std::string& shape : r.children("/geometry/" + name))
    body.shapes.push_back(read_shape(r, fmt::format("/geometry/{}/{}", name, shape)));
  return body;
}

}  // namespace

bool StudyReader::has_motion() const { return has("/motion/nominal"); }

std::vector<std::string> StudyReader::frames() const { return texts("/motion/bodies"); }

std::vector<long> StudyReader::kept_motions() const {
  if (!has("/motion/realizations")) return {};
  return counts_attribute("/motion/realizations", "realization");
}

std::vector<double> StudyReader::all_poses() const {
  if (!has("/motion/realizations")) return {};
  std::vector<double> all = numbers("/motion/realizations");
  if (all.size() != kept_motions().size() * numbers("/motion/nominal").size())
    throw ReadError(path(), "/motion/realizations does not fit /motion/nominal");
  return all;
}

std::vector<double> StudyReader::poses(long realization) const {
  const std::size_t size = numbers("/time").size() * texts("/motion/bodies").size() * 7;
  const std::string where = realization == nominal ? "/motion/nominal" : "/motion/realizations";
  std::vector<double> all;
  if (realization == nominal) {
    all = numbers(where);
  } else {
    const std::vector<long> there = kept_motions();
    const auto found = std::find(there.begin(), there.end(), realization);
    if (there.empty()) throw ReadError(path(), "it keeps no motion of realizations, only that of the nominal model");
    if (found == there.end())
      throw ReadError(path(),
                      fmt::format("it keeps the motion of the realizations {}, not of {}", fmt::join(there, ", "), realization));
    all = rows(where, found - there.begin(), 1);
  }
  if (all.size() != size) throw ReadError(path(), where + " does not fit /time and /motion/bodies");
  return all;
}

Run StudyReader::motion(long realization) const {
  Run run;
  run.time = numbers("/time");
  const std::vector<std::string> frames = texts("/motion/bodies");
  std::size_t at = 0;
  for (const std::string& name : children("/geometry")) run.bodies.push_back(read_body(*this, name, frames, at));
  if (at != frames.size()) throw ReadError(path(), "/geometry does not fit /motion/bodies");
  run.poses = poses(realization);
  if (!can_be_drawn(run.poses) || !can_be_drawn(run.time)) throw ReadError(path(), "its motion has numbers that are not finite");
  return run;
}

std::vector<Connection> StudyReader::connections(std::size_t frames) const {
  std::vector<Connection> all;
  for (const std::string& name : children("/connections")) {
    const std::string at = "/connections/" + name;
    const std::vector<double> on = numbers_attribute(at, "frames"), points = numbers_attribute(at, "points");
    const bool there = std::all_of(on.begin(), on.end(), [&](double i) { return i >= -1 && i < double(frames); });
    if (!there || points.size() != 3 * on.size()) throw ReadError(path(), at + " joins nothing that moves");
    Connection& c = all.emplace_back();
    c.name = name;
    c.kind = text_attribute(at, "kind");
    c.role = text_attribute(at, "role");
    c.frames.assign(on.begin(), on.end());
    c.points = points;
    if (has_attribute(at, "axis")) c.axis = numbers_attribute(at, "axis");
    if (!has(at + "/force")) continue;
    c.force = numbers(at + "/force");
    if (c.force.size() != 3 * numbers("/time").size() || !can_be_drawn(c.force))
      throw ReadError(path(), at + "/force does not fit /time, or is not finite");
  }
  return all;
}

std::vector<ObservedPoint> StudyReader::points(std::size_t frames) const {
  std::vector<ObservedPoint> all;
  if (!has("/points")) return all;
  for (const std::string& name : children("/points")) {
    const std::string at = "/points/" + name;
    const std::vector<double> frame = numbers_attribute(at, "frame"), point = numbers_attribute(at, "point");
    if (frame.size() != 1 || !(frame[0] >= 0 && frame[0] < double(frames)) || point.size() != 3 || !can_be_drawn(point))
      throw ReadError(path(), at + " is no point of a body");
    all.push_back({name, int(frame[0]), {point[0], point[1], point[2]}});
  }
  return all;
}

std::vector<double> StudyReader::gravity() const {
  if (!has_attribute("/motion", "gravity")) return {};
  const std::vector<double> g = numbers_attribute("/motion", "gravity");
  if (g.size() != 3 || !can_be_drawn(g)) throw ReadError(path(), "the gravity of /motion is no vector");
  return g;
}

}  // namespace aleator::core::results
