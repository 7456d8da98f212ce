#include "report/read_motion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace aleator::core::report {
namespace {

using results::DrawnBody;
using results::ReadError;
using results::Shape;
using results::StudyReader;

constexpr std::size_t most_numbers = 30000;  // of a shape: faces are found in a time that grows with their square

// Also where such numbers are multiplied with each other.
bool can_be_drawn(const std::vector<double>& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::abs(x) < 1e60; });
}

Shape read_shape(const StudyReader& r, const std::string& at) {
  static const std::map<std::string, std::size_t> least_sizes = {
      {"box", 3},         {"cylinder", 2},          {"sphere", 1},         {"prism", 7},
      {"mesh-points", 3}, {"rectangle-section", 2}, {"circle-section", 1}, {"tube-section", 2}};
  const std::vector<double> position = r.numbers_attribute(at, "position"), quaternion = r.numbers_attribute(at, "quaternion");
  Shape shape;
  shape.kind = r.text_attribute(at, "kind");
  shape.size = r.numbers(at);
  const auto known = least_sizes.find(shape.kind);
  if (known == least_sizes.end() || shape.size.size() < known->second || shape.size.size() > most_numbers ||
      position.size() != 3 || quaternion.size() != 4 || !can_be_drawn(shape.size) || !can_be_drawn(position) ||
      !can_be_drawn(quaternion))
    throw ReadError(r.path(), at + " is no shape that can be drawn");
  std::copy(position.begin(), position.end(), shape.position.begin());
  std::copy(quaternion.begin(), quaternion.end(), shape.quaternion.begin());
  return shape;
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
  for (const std::string& shape : r.children("/geometry/" + name))
    body.shapes.push_back(read_shape(r, fmt::format("/geometry/{}/{}", name, shape)));
  return body;
}

}  // namespace

std::vector<long> kept_motions(const StudyReader& r) {
  if (!r.has("/motion/realizations")) return {};
  return r.counts_attribute("/motion/realizations", "realization");
}

std::vector<double> read_poses(const StudyReader& r, long realization) {
  const std::size_t size = r.numbers("/time").size() * r.texts("/motion/bodies").size() * 7;
  const std::string where = realization == nominal ? "/motion/nominal" : "/motion/realizations";
  std::vector<double> poses;
  if (realization == nominal) {
    poses = r.numbers(where);
  } else {
    const std::vector<long> there = kept_motions(r);
    const auto found = std::find(there.begin(), there.end(), realization);
    if (there.empty()) throw ReadError(r.path(), "it keeps no motion of realizations, only that of the nominal model");
    if (found == there.end())
      throw ReadError(r.path(),
                      fmt::format("it keeps the motion of the realizations {}, not of {}", fmt::join(there, ", "), realization));
    poses = r.rows(where, found - there.begin(), 1);
  }
  if (poses.size() != size) throw ReadError(r.path(), where + " does not fit /time and /motion/bodies");
  return poses;
}

results::Run read_motion(const StudyReader& r, long realization) {
  results::Run run;
  run.time = r.numbers("/time");
  const std::vector<std::string> frames = r.texts("/motion/bodies");
  std::size_t at = 0;
  for (const std::string& name : r.children("/geometry")) run.bodies.push_back(read_body(r, name, frames, at));
  if (at != frames.size()) throw ReadError(r.path(), "/geometry does not fit /motion/bodies");
  run.poses = read_poses(r, realization);
  if (!can_be_drawn(run.poses) || !can_be_drawn(run.time))
    throw ReadError(r.path(), "its motion has numbers that are not finite");
  return run;
}

}  // namespace aleator::core::report
