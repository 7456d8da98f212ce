#include "model/centreline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace aleator::core {

namespace {

// Second derivatives of the natural cubic spline (tridiagonal system, Thomas' algorithm).
std::vector<Vec3<double>> spline_curvature(const std::vector<double>& u, const std::vector<Vec3<double>>& p) {
  const int n = int(p.size());
  std::vector<Vec3<double>> m(n), right(n);
  std::vector<double> factor(n, 0.0);
  for (int i = 1; i + 1 < n; ++i) {
    const double a = u[i] - u[i - 1], b = u[i + 1] - u[i], pivot = 2 * (a + b) - a * factor[i - 1];
    factor[i] = b / pivot;
    right[i] = (1 / pivot) * ((6 / b) * (p[i + 1] - p[i]) - (6 / a) * (p[i] - p[i - 1]) - a * right[i - 1]);
  }
  for (int i = n - 2; i >= 1; --i) m[i] = right[i] - factor[i] * m[i + 1];
  return m;
}

// A length between two points, with fourteen digits where that is within the round-off of the points (some units of their last place): a link of 0.6 m is as
// long in all realizations, wherever it begins. What is the same in all of them need not be read by lanes.
double without_round_off(double length, const Vec3<double>& a, const Vec3<double>& b) {
  double size = 0;
  for (int i = 0; i < 3; ++i) size = std::max({size, std::abs(a[i]), std::abs(b[i])});
  constexpr double units = 16;
  const double digits = std::pow(10.0, 13 - std::floor(std::log10(length))), rounded = std::round(length * digits) / digits;
  return std::abs(rounded - length) <= units * std::numeric_limits<double>::epsilon() * size ? rounded : length;
}

}  // namespace

Centreline::Centreline(std::vector<Vec3<double>> points, Kind kind) : kind_(kind), points_(std::move(points)) {
  if (points_.size() < 2) throw std::invalid_argument("a beam needs at least two points, its start and its end");
  for (size_t i = 1; i < points_.size(); ++i)
    if (!(norm(points_[i] - points_[i - 1]) > 0)) throw std::invalid_argument("two consecutive points of the beam coincide");
  double last = 0;
  if (kind_ == Kind::arc) {
    if (points_.size() != 3) throw std::invalid_argument("an arc is given by three points: start, one between, end");
    const Vec3<double> a = points_[1] - points_[0], b = points_[2] - points_[0], n = cross(a, b);
    const double twice = 2 * dot(n, n);
    if (!(twice > 1e-20 * dot(a, a) * dot(b, b))) throw std::invalid_argument("the three points of the arc lie on a line");
    center_ = points_[0] + (1 / twice) * (dot(b, b) * cross(n, a) - dot(a, a) * cross(n, b));
    from_ = points_[0] - center_;
    across_ = (1 / norm(n)) * cross(n, from_);
    const Vec3<double> end = points_[2] - center_;
    last = std::atan2(dot(end, across_), dot(end, from_));
    if (last <= 0) last += 2 * std::acos(-1.0);
  } else {
    knots_ = {0};
    for (size_t i = 1; i < points_.size(); ++i) knots_.push_back(knots_.back() + norm(points_[i] - points_[i - 1]));
    curvature_ = spline_curvature(knots_, points_);
    last = knots_.back();
  }
  if (points_.size() == 2) {
    length_ = without_round_off(norm(points_[1] - points_[0]), points_[0], points_[1]);
    return;
  }
  // Length by Simpson's rule on a fine table; an arc is exact.
  const int n = 400 * int(points_.size() - 1);
  parameter_ = {0}, distance_ = {0};
  for (int i = 1; i <= n; ++i) {
    const double u0 = last * (i - 1) / n, u1 = last * i / n;
    double v0, v1, v2;
    at_parameter(u0, &v0), at_parameter(0.5 * (u0 + u1), &v1), at_parameter(u1, &v2);
    parameter_.push_back(u1);
    distance_.push_back(distance_.back() + (u1 - u0) * (v0 + 4 * v1 + v2) / 6);
  }
  length_ = distance_.back();
}

LinePoint Centreline::at_parameter(double u, double* speed) const {
  Vec3<double> p, d;
  if (kind_ == Kind::arc) {
    p = center_ + std::cos(u) * from_ + std::sin(u) * across_;
    d = std::cos(u) * across_ - std::sin(u) * from_;
  } else {
    const size_t k = std::min(size_t(std::upper_bound(knots_.begin(), knots_.end(), u) - knots_.begin()), knots_.size() - 1) - 1;
    const double h = knots_[k + 1] - knots_[k], b = (u - knots_[k]) / h, a = 1 - b;
    p = a * points_[k] + b * points_[k + 1] +
        (h * h / 6) * ((a * a * a - a) * curvature_[k] + (b * b * b - b) * curvature_[k + 1]);
    d = (1 / h) * (points_[k + 1] - points_[k]) +
        (h / 6) * ((3 * b * b - 1) * curvature_[k + 1] - (3 * a * a - 1) * curvature_[k]);
  }
  const double length = norm(d);
  if (speed) *speed = length;
  return {p, (1 / length) * d};
}

LinePoint Centreline::at(double s) const {
  if (points_.size() == 2) {
    const Vec3<double> along = points_[1] - points_[0];
    const double size = norm(along);
    return {points_[0] + (s / length_) * along, {along.x / size, along.y / size, along.z / size}};
  }
  if (s >= length_) return at_parameter(parameter_.back());
  const size_t i = std::clamp(size_t(std::upper_bound(distance_.begin(), distance_.end(), s) - distance_.begin()), size_t(1),
                              distance_.size() - 1);
  const double part = (s - distance_[i - 1]) / (distance_[i] - distance_[i - 1]);
  return at_parameter(parameter_[i - 1] + part * (parameter_[i] - parameter_[i - 1]));
}

}  // namespace aleator::core
