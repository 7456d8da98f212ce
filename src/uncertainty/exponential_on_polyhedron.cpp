#include "uncertainty/exponential_on_polyhedron.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace aleator::core {
namespace {

// Newton's step H⁻¹ r and its length in the metric of H, (rᵀ H⁻¹ r)^½. In the plane the third components are zero.
std::pair<Vec3<double>, double> newton_step(int dimension, const Mat3<double>& hessian, const Vec3<double>& residual) {
  Eigen::Matrix3d h;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) h(i, j) = hessian[i][j];
  if (dimension == 2) h(2, 2) = h.trace();
  const Eigen::Vector3d r(residual.x, residual.y, residual.z), step = h.ldlt().solve(r);
  return {{step[0], step[1], step[2]}, std::sqrt(std::max(0.0, step.dot(r)))};
}

}  // namespace

ExponentialOnPolyhedron::ExponentialOnPolyhedron(ConvexHull hull, const Vec3<double>& mean) : hull_(std::move(hull)) {
  // Simplices: from one corner to every facet that does not contain it.
  const int apex = hull_.facets[0][0];
  const double least = 1e-15 * std::pow(hull_.size, hull_.dimension);
  for (const auto& f : hull_.facets) {
    if (std::find(f.begin(), f.end(), apex) != f.end()) continue;
    const Vec3<double>&o = hull_.points[apex], &a = hull_.points[f[0]], &b = hull_.points[f[1]], &c = hull_.points[f[2]];
    const double volume = hull_.dimension == 2 ? cross(a - o, b - o).z : dot(cross(a - o, b - o), c - o);
    if (std::abs(volume) > least) corners_.push_back({o, a, b, c});
  }

  // The dual  log Z(λ) + ⟨λ, mean⟩  has the gradient mean − E{x} and the Hessian Cov{x}. It is self-concordant (the third
  // central moment of a log-concave law is at most twice the cube of its standard deviation), so that Newton's step, shortened
  // to 1/(1 + its length), converges from λ = 0 with no line search, and quadratically once the length is below 1/4.
  Vec3<double> lambda, best;
  double shortest = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 2000; ++iteration) {
    const Vec3<double> residual = tilt_to(lambda, mean);
    const auto [step, length] = newton_step(hull_.dimension, covariance_, residual);
    const bool stagnates = length > 0.5 * shortest && shortest < 1e-5;  // round-off of the mean
    if (length < shortest) shortest = length, best = lambda;
    if (!std::isfinite(length) || length <= 1e-13 || stagnates) break;
    lambda += (length > 0.25 ? 1 / (1 + length) : 1.0) * step;
  }
  lambda_ = best;
  const double miss = norm(tilt_to(lambda_, mean));
  // λ is a double: of a λ normal to an oblique face, |λ| 1e-16 is tangential error, which tells from |λ| size = 1e6 on.
  if (!(miss <= 1e-10 * hull_.size))
    throw std::invalid_argument(
        fmt::format("the mean is {:.2g} m inside the boundary of the domain, too near for double precision: "
                    "the maximum entropy distribution would miss it by {:.2g} m",
                    -hull_.signed_distance(mean), miss));
}

// Sets the law of λ; returns E{x} − mean.
Vec3<double> ExponentialOnPolyhedron::tilt_to(const Vec3<double>& lambda, const Vec3<double>& mean) {
  const int dimension = hull_.dimension;
  // Moments are taken about the corner of largest density, near which a strongly tilted law lies: nothing cancels.
  const auto denser = [&](const Vec3<double>& a, const Vec3<double>& b) { return dot(lambda, a) < dot(lambda, b); };
  const Vec3<double> origin = *std::min_element(hull_.points.begin(), hull_.points.end(), denser);
  simplices_.clear();
  cumulative_.clear();
  std::vector<SimplexMoments> parts;
  double largest = -std::numeric_limits<double>::infinity();
  for (const auto& c : corners_) {
    simplices_.emplace_back(dimension, c, lambda);
    parts.push_back(simplices_.back().moments(origin));
    largest = std::max(largest, parts.back().log_integral);
  }
  double total = 0;
  for (const SimplexMoments& part : parts) total += std::exp(part.log_integral - largest);
  const double log_total = largest + std::log(total);  // of x relative to the origin
  log_integral_ = log_total - dot(lambda, origin);
  Vec3<double> first;
  Mat3<double> second;
  double trials = 0, sum = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double probability = std::exp(parts[i].log_integral - log_total);
    first += probability * parts[i].mean;
    second += probability * parts[i].second;
    trials += probability / simplices_[i].acceptance();
    cumulative_.push_back(sum += probability);
  }
  covariance_ = second - outer(first, first);
  acceptance_ = 1 / trials;
  return first - (mean - origin);
}

Vec3<double> ExponentialOnPolyhedron::draw(Stream& stream) const {
  const double u = stream.uniform() * cumulative_.back();
  const auto it = std::upper_bound(cumulative_.begin(), cumulative_.end() - 1, u);
  return simplices_[static_cast<std::size_t>(it - cumulative_.begin())].draw(stream);
}

}  // namespace aleator::core
