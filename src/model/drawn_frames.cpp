#include "model/drawn_frames.hpp"

#include <fmt/format.h>

#include <cmath>

namespace aleator::core {

std::vector<DrawnFrame> drawn_frames(const Topology& t) {
  std::vector<DrawnFrame> frames;
  for (int body = 0; body < t.bodies(); ++body) {
    const int first = t.first_carrier[body];
    int nodes = 0;
    for (int c = first; c < int(t.carriers.size()) && t.carriers[c].body == body; ++c) nodes += t.carriers[c].is_place;
    for (int c = first, node = 0; node < nodes; ++c)
      if (t.carriers[c].is_place)
        frames.push_back({nodes == 1 ? t.body_names[body] : fmt::format("{}.{}", t.body_names[body], node), body, c, nodes == 1}),
            ++node;
  }
  return frames;
}

std::array<double, 7> frame_pose(const Topology& t, const DrawnFrame& frame, const double* positions) {
  const double* p = positions + 7 * frame.carrier;
  const Carrier& carrier = t.carriers[frame.carrier];
  if (carrier.vectors == 0) return {p[0], p[1], p[2], p[3], p[4], p[5], p[6]};
  // Tangent, and across it the first director; a cable in space takes any direction.
  Vec3<double> tangent = {p[3], p[4], p[5]}, height;
  const bool beam = frame.carrier + 1 < int(t.carriers.size()) && t.carriers[frame.carrier + 1].node == carrier.node;
  if (beam)
    height = {p[7], p[8], p[9]};
  else if (t.normal >= 0)
    height = cross(Vec3<double>{t.normal == 0 ? 1.0 : 0.0, t.normal == 1 ? 1.0 : 0.0, t.normal == 2 ? 1.0 : 0.0}, tangent);
  else
    height[std::abs(tangent.x) < 0.6 * norm(tangent) ? 0 : 1] = 1;
  tangent = (1 / norm(tangent)) * tangent;
  height = height - dot(height, tangent) * tangent;
  height = (1 / norm(height)) * height;
  Mat3<double> R = transpose(Mat3<double>{{tangent, height, cross(tangent, height)}});
  if (t.normal >= 0 && frame.rigid) {  // directors of a planar reference node are the axes after the normal
    Mat3<double> turned;
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) turned[k][(t.normal + 1 + i) % 3] = R[k][i];
    R = turned;
  }
  const Quaternion<double> q = quaternion_of(R);
  return {p[0], p[1], p[2], q.w, q.v.x, q.v.y, q.v.z};
}

std::vector<double> frame_poses(const Topology& t, const std::vector<double>& positions) {
  const std::vector<DrawnFrame> frames = drawn_frames(t);
  const size_t row = size_t(7) * t.carriers.size();
  std::vector<double> out;
  out.reserve(row == 0 ? 0 : positions.size() / row * 7 * frames.size());
  for (size_t at = 0; at + row <= positions.size() && row > 0; at += row)
    for (const DrawnFrame& f : frames) {
      const std::array<double, 7> pose = frame_pose(t, f, positions.data() + at);
      out.insert(out.end(), pose.begin(), pose.end());
    }
  return out;
}

}  // namespace aleator::core
