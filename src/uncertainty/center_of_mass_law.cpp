#include "uncertainty/center_of_mass_law.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "input/limits.hpp"

namespace aleator::core {
namespace {

using Kind = Domain::Kind;

[[noreturn]] void no_volume(const std::string& why) { throw std::invalid_argument("the domain has no volume: " + why); }

// The measures of a domain by kind: their names, and to which of its factors (below) each axis belongs.
struct Product {
  std::array<const char*, 3> measures;
  std::array<int, 3> measure_of_axis, factor_of_axis;
  double semi_axis_per_measure[3];
};
Product product_of(Kind kind) {
  switch (kind) {
    case Kind::box:
      return {{"edge x", "edge y", "edge z"}, {0, 1, 2}, {0, 1, 2}, {0.5, 0.5, 0.5}};
    case Kind::ball:
      return {{"radius", "", ""}, {0, 0, 0}, {0, 0, 0}, {1, 1, 1}};
    case Kind::cylinder:
      return {{"radius", "length", ""}, {0, 0, 1}, {0, 0, 1}, {1, 1, 0.5}};
    default:
      return {{"semi-axis x", "semi-axis y", "semi-axis z"}, {0, 1, 2}, {0, 0, 0}, {1, 1, 1}};
  }
}

// Distance of an outer point from an ellipsoid: the nearest point is a_i² x_i/(t + a_i²) with the root t ≥ 0 of
// Σ (a_i x_i/(t + a_i²))² = 1, a convex falling function: Newton from t = 0 rises to it.
double distance_to_ellipsoid(int dimension, const Vec3<double>& a, const Vec3<double>& x) {
  double t = 0, distance = 0;
  for (int iteration = 0; iteration < 100; ++iteration) {
    double value = -1, slope = 0;
    for (int i = 0; i < dimension; ++i) {
      const double q = t + a[i] * a[i], y = a[i] * x[i] / q;
      value += y * y;
      slope -= 2 * y * y / q;
    }
    if (value <= 1e-15) break;
    t -= value / slope;
  }
  for (int i = 0; i < dimension; ++i) distance = std::hypot(distance, x[i] * t / (t + a[i] * a[i]));
  return distance;
}

}  // namespace

CenterOfMassLaw::CenterOfMassLaw(const Domain& domain, const Vec3<double>& mean) : domain_(domain), mean_(mean) {
  place();
  if (domain.kind == Kind::polyhedron)
    solve_polyhedron();
  else
    solve_product();
}

// Axes of the domain, those of the plane first.
void CenterOfMassLaw::place() {
  if (!(domain_.scale > 0) || !std::isfinite(domain_.scale)) no_volume(fmt::format("its scale is {:.6g}", domain_.scale));
  const Mat3<double> unit = transposed_times(domain_.axes, domain_.axes) - Mat3<double>::identity();
  for (const Vec3<double>& row : unit.row)
    if (!(norm(row) < 1e-9)) throw std::invalid_argument("the axes of the domain are not orthonormal");
  const int n = domain_.normal;
  if (n < 0) {
    frame_ = domain_.axes;
    return;
  }
  if (domain_.kind == Kind::cylinder) throw std::invalid_argument("a planar model has no cylinder as a domain: use box or ball");
  if (std::abs(domain_.axes[n][n]) < 1 - 1e-12)
    throw std::invalid_argument("the axes of the domain are rotated out of the plane");
  dimension_ = 2;
  axis_ = n == 0 ? std::array{1, 2, 0} : n == 1 ? std::array{0, 2, 1} : std::array{0, 1, 2};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) frame_[i][j] = domain_.axes[i][axis_[j]];
}

// `distance` in the directions of the domain, positive outside.
void CenterOfMassLaw::require_inside(double distance) const {
  const double off = dimension_ == 2 ? std::abs(local(mean_).z) : 0;  // of the plane
  if (off > 1e-9 * size_) distance = std::hypot(std::max(distance, 0.0), off);
  if (distance < -1e-12 * size_) return;
  const std::string where = fmt::format("the mean [{:.6g}, {:.6g}, {:.6g}] is ", mean_.x + 0.0, mean_.y + 0.0, mean_.z + 0.0);
  const char* need = "the maximum entropy distribution needs a mean inside";
  if (distance <= 1e-12 * size_) throw std::invalid_argument(fmt::format("{}on the boundary of the domain; {}", where, need));
  throw std::invalid_argument(fmt::format("{}outside the domain, {:.6g} m from its boundary; {}", where, distance, need));
}

// Box, ball, ellipsoid, cylinder: x_i = a_i y_i with y in a product of unit balls. Tilts and moments of the factors are known.
void CenterOfMassLaw::solve_product() {
  const Product product = product_of(domain_.kind);
  for (int i = 0; i < dimension_; ++i) {
    const int m = product.measure_of_axis[axis_[i]];
    const double measure = domain_.size[m];
    if (!(measure > 0) || !std::isfinite(measure)) no_volume(fmt::format("its {} is {:.6g} m", product.measures[m], measure));
    semi_axes_[i] = product.semi_axis_per_measure[axis_[i]] * measure * domain_.scale;
    size_ = std::max(size_, semi_axes_[i]);
    const int factor = product.factor_of_axis[axis_[i]];
    if (i == 0 || factor != product.factor_of_axis[axis_[i - 1]]) first_axis_[factors_++] = i;
  }
  first_axis_[factors_] = dimension_;

  // Distance to a product: outside in every factor where the point is outside of it, inside in the nearest one.
  const Vec3<double> x = local(mean_);
  double outside = 0, inside = size_;
  std::array<Vec3<double>, 3> unit_mean;
  for (int f = 0; f < factors_; ++f) {
    Vec3<double> a, part;
    double smallest = size_;
    const int count = first_axis_[f + 1] - first_axis_[f];
    for (int i = 0; i < count; ++i) {
      a[i] = semi_axes_[first_axis_[f] + i], part[i] = x[first_axis_[f] + i];
      unit_mean[f][i] = part[i] / a[i];
      smallest = std::min(smallest, a[i]);
    }
    const double depth = (1 - norm(unit_mean[f])) * smallest;
    inside = std::min(inside, depth);
    if (depth < 0) outside = std::hypot(outside, distance_to_ellipsoid(count, a, part));
  }
  if (!std::isfinite(norm(mean_))) throw std::invalid_argument("the mean is not finite");
  require_inside(outside > 0 ? outside : -inside);

  Vec3<double> tilt;
  Mat3<double> covariance;
  double log_integral = 0;
  for (int f = 0; f < factors_; ++f) {
    const int first = first_axis_[f], count = first_axis_[f + 1] - first;
    ExponentialOnBall& ball = balls_[f] = exponential_on_ball(count, unit_mean[f]);
    log_integral += ball.log_integral;
    acceptance_ *= ball.acceptance;
    for (int i = 0; i < count; ++i) {
      const double a = semi_axes_[first + i];
      log_integral += std::log(a);
      tilt[first + i] = ball.tilt > 0 ? -ball.tilt * ball.direction[i] / a : 0.0;
      for (int j = 0; j < count; ++j) covariance[first + i][first + j] = a * ball.covariance[i][j] * semi_axes_[first + j];
    }
  }
  to_inertial(tilt, covariance, log_integral);
}

void CenterOfMassLaw::solve_polyhedron() {
  std::vector<Vec3<double>> vertices;
  for (const Vec3<double>& v : domain_.vertices) {
    Vec3<double>& p = vertices.emplace_back();
    for (int i = 0; i < dimension_; ++i) p[i] = domain_.scale * v[axis_[i]];
  }
  if (vertices.size() > input::limits::polyhedron_points)
    throw std::invalid_argument(
        fmt::format("a polyhedron has at most {} vertices, found {}", input::limits::polyhedron_points, vertices.size()));
  ConvexHull hull;
  try {
    hull = convex_hull(dimension_, std::move(vertices));
  } catch (const std::invalid_argument& e) {
    no_volume(e.what());
  }
  if (!std::isfinite(norm(mean_))) throw std::invalid_argument("the mean is not finite");
  size_ = hull.size;
  Vec3<double> mean = local(mean_);
  if (dimension_ == 2) mean.z = 0;
  require_inside(hull.signed_distance(mean));
  polyhedron_ = ExponentialOnPolyhedron(std::move(hull), mean);
  acceptance_ = polyhedron_.acceptance();
  to_inertial(polyhedron_.lambda(), polyhedron_.covariance(), polyhedron_.log_integral());
}

void CenterOfMassLaw::to_inertial(const Vec3<double>& lambda, const Mat3<double>& covariance, double log_integral) {
  lambda_ = frame_ * lambda;
  covariance_ = frame_ * covariance * transpose(frame_);
  log_c0_ = dot(lambda_, domain_.position) - log_integral;  // ⟨λ, a⟩ = ⟨λ, position⟩ + that of the domain's axes
}

Vec3<double> CenterOfMassLaw::local(const Vec3<double>& a) const { return transposed_times(frame_, a - domain_.position); }

Vec3<double> CenterOfMassLaw::inertial(const Vec3<double>& x) const { return domain_.position + frame_ * x; }

bool CenterOfMassLaw::contains(const Vec3<double>& a) const {
  // On the boundary counts, up to the round-off of placing a point.
  constexpr double round_off = 1e-12;
  const double margin = round_off * (size_ + norm(domain_.position));
  Vec3<double> x = local(a);
  if (dimension_ == 2) {
    if (!(std::abs(x.z) <= margin)) return false;
    x.z = 0;
  }
  if (domain_.kind == Kind::polyhedron) return polyhedron_.hull().signed_distance(x) <= margin;
  for (int f = 0; f < factors_; ++f) {
    double square = 0;
    for (int i = first_axis_[f]; i < first_axis_[f + 1]; ++i) square += std::pow(x[i] / (semi_axes_[i] + margin), 2);
    if (!(square <= 1 + round_off)) return false;
  }
  return true;
}

int CenterOfMassLaw::uniforms() const { return domain_.kind == Kind::polyhedron ? 0 : dimension_; }

Vec3<double> CenterOfMassLaw::map(std::span<const double> u) const {
  if (is_box()) return in_box(u.data());
  Vec3<double> x;
  for (int f = 0; f < factors_; ++f) {
    const Vec3<double> y = balls_[f].map(u.subspan(std::size_t(first_axis_[f])));
    for (int i = first_axis_[f]; i < first_axis_[f + 1]; ++i) x[i] = semi_axes_[i] * y[i - first_axis_[f]];
  }
  return inertial(x);
}

Vec3<double> CenterOfMassLaw::draw(Stream& stream) const {
  if (is_box()) {
    std::array<double, 3> u{};
    for (int i = 0; i < dimension_; ++i) u[i] = stream.uniform();
    return map(u);
  }
  if (domain_.kind == Kind::polyhedron) return inertial(polyhedron_.draw(stream));
  Vec3<double> x;
  for (int f = 0; f < factors_; ++f) {
    const Vec3<double> y = balls_[f].draw(stream);
    for (int i = first_axis_[f]; i < first_axis_[f + 1]; ++i) x[i] = semi_axes_[i] * y[i - first_axis_[f]];
  }
  return inertial(x);
}

}  // namespace aleator::core
