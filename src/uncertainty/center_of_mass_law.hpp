// The centre of mass of a body: maximum entropy on a bounded convex domain D with prescribed mean (Batou & Soize, (10)):
//   p(a) = C0 exp(−⟨λ, a⟩) on D,   E{a} = mean.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "numerics/vec3.hpp"
#include "uncertainty/exponential_on_ball.hpp"
#include "uncertainty/exponential_on_polyhedron.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core {

// Where a centre of mass may be. In a planar model the domain lies in the plane: its component along the normal is that of
// `position`, and box, ellipsoid (ellipse), ball (disc) and polyhedron (polygon) have two dimensions.
struct Domain {
  enum class Kind { box, ball, ellipsoid, cylinder, polyhedron };
  Kind kind = Kind::box;
  Vec3<double> size;  // box: full edges; ball: radius, -, -; ellipsoid: semi-axes; cylinder: radius, length, - (along its z)
  std::vector<Vec3<double>> vertices;            // polyhedron: the hull of these, in the domain's axes relative to `position`
  Vec3<double> position;                         // of its centre (polyhedron: of its origin), inertial
  Mat3<double> axes = Mat3<double>::identity();  // its axes as columns, in inertial axes
  double scale = 1;                              // h: the domain is scaled by it about `position`
  int normal = -1;                               // planar models: 0, 1, 2 = axis of the plane's normal
};

class CenterOfMassLaw {
 public:
  // Throws std::invalid_argument: a domain without volume, a mean on or outside its boundary (with the distance).
  CenterOfMassLaw(const Domain& domain, const Vec3<double>& mean);

  const Domain& domain() const { return domain_; }
  const Vec3<double>& lambda() const { return lambda_; }  // inertial axes, 1/m
  double log_c0() const { return log_c0_; }  // with ⟨λ, a⟩ of the inertial position a, so that p integrates to 1
  const Vec3<double>& mean() const { return mean_; }
  const Mat3<double>& covariance() const { return covariance_; }  // inertial axes, of the law (not of a sample)
  bool contains(const Vec3<double>& a) const;

  // How many independent uniform numbers map() takes to a point of the law (isoprobabilistic map by conditional quantiles,
  // Rosenblatt); 0 for polyhedra, which are only drawn by rejection.
  int uniforms() const;
  Vec3<double> map(std::span<const double> u) const;  // where uniforms() > 0; any thread
  // The same in a box, on any scalar: intervals along its axes.
  bool is_box() const { return domain_.kind == Domain::Kind::box; }
  template <class T>
  Vec3<T> in_box(const T* u) const {
    Vec3<T> x;
    for (int i = 0; i < dimension_; ++i) x[i] = T(semi_axes_[i]) * balls_[std::size_t(i)].quantile(u[i]);
    return known<T>(domain_.position) + known<T>(frame_) * x;
  }
  Vec3<double> draw(Stream& stream) const;           // exact and independent
  double acceptance() const { return acceptance_; }  // expected, of the rejection; 1 where nothing is rejected

 private:
  void place();
  void solve_product();
  void solve_polyhedron();
  void require_inside(double distance) const;
  void to_inertial(const Vec3<double>& lambda, const Mat3<double>& covariance, double log_integral);
  Vec3<double> local(const Vec3<double>& a) const;
  Vec3<double> inertial(const Vec3<double>& x) const;

  Domain domain_;
  Vec3<double> mean_, lambda_;
  Mat3<double> covariance_;
  double log_c0_ = 0, acceptance_ = 1;

  // In the domain's axes; in planar models the two of the plane come first and the third coordinate is zero.
  int dimension_ = 3;
  std::array<int, 3> axis_{0, 1, 2};  // which axis of the domain is the first, second, third
  Mat3<double> frame_;                // these axes as columns
  double size_ = 0;                   // largest extent, for tolerances
  // Box, ellipsoid, cylinder: a product of balls (an interval, a disc, a ball), each on consecutive axes.
  int factors_ = 0;
  std::array<ExponentialOnBall, 3> balls_;  // [factor], on unit balls
  std::array<int, 4> first_axis_{};         // [factor]
  Vec3<double> semi_axes_;
  ExponentialOnPolyhedron polyhedron_;
};

}  // namespace aleator::core
