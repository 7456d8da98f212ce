#include "report/beam_curve.hpp"

namespace aleator::core::report {
namespace {

// `direction` without its part along the unit vector `tangent`; with nothing left, any vector across.
Vector across(const Vector& direction, const Vector& tangent) {
  const Vector rest = direction - dot(direction, tangent) * tangent;
  if (!(norm(rest) <= 1e-6)) return 1 / norm(rest) * rest;
  return across(std::abs(tangent[0]) < 0.6 ? Vector{1, 0, 0} : Vector{0, 1, 0}, tangent);
}

// One element: r(s) = Hermite's cubic, 0 ≤ s ≤ 1, with tangents of the length of the element.
struct Element {
  Frame a, b;
  double length;

  // The frames know directions alone; the length is that of a slightly bent cubic over its chord, whose ends have the slopes
  // α and β:  l = chord (1 + (2 α² − α β + 2 β²) / 30)
  Element(const Frame& from, const Frame& to) : a(from), b(to) {
    const double chord = norm(b.origin - a.origin);
    const Vector c = chord > 0 ? 1 / chord * (b.origin - a.origin) : a.x;
    const Vector alpha = a.x - dot(a.x, c) * c, beta = b.x - dot(b.x, c) * c;
    length = chord * (1 + (2 * dot(alpha, alpha) - dot(alpha, beta) + 2 * dot(beta, beta)) / 30);
  }

  Vector point(double s) const {
    const double u = 1 - s;
    return u * u * (1 + 2 * s) * a.origin + s * s * (3 - 2 * s) * b.origin + length * (s * u * u * a.x - s * s * u * b.x);
  }

  Vector tangent(double s) const {
    const Vector d = 6 * s * (1 - s) * (b.origin - a.origin) + length * ((1 - s) * (1 - 3 * s) * a.x + s * (3 * s - 2) * b.x);
    return norm(d) > 1e-9 * length ? 1 / norm(d) * d : a.x;
  }
};

}  // namespace

std::vector<Frame> beam_frames(const double* poses, int nodes, bool round) {
  std::vector<Frame> frames = {frame_of(poses)};
  for (int node = 0; node + 1 < nodes; ++node) {
    const Element e(frame_of(poses + 7 * node), frame_of(poses + 7 * (node + 1)));
    for (int k = 1; k <= rings_per_element; ++k) {
      const double s = double(k) / rings_per_element;
      Frame f;
      f.origin = e.point(s);
      f.x = e.tangent(s);
      f.y = across(round ? frames.back().y : (1 - s) * e.a.y + s * e.b.y, f.x);
      f.z = cross(f.x, f.y);
      frames.push_back(f);
    }
  }
  return frames;
}

}  // namespace aleator::core::report
