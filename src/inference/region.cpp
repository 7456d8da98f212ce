#include "inference/region.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "numerics/dense.hpp"

namespace aleator::core::inference {
namespace {

size_t pick(size_t n, const Uniform& uniform) { return std::min(n - 1, size_t(uniform() * double(n))); }

bool in_cube(const Place& x) {
  return std::all_of(x.begin(), x.end(), [](double v) { return v >= 0 && v <= 1; });
}

Place along(const Place& from, const Place& to, double share) {
  Place x(from.size());
  for (size_t k = 0; k < x.size(); ++k) x[k] = from[k] + share * (to[k] - from[k]);
  return x;
}

// A place inside on the way from one inside to a random corner of space: halved until it is.
Place shoot(const Inside& inside, const Place& from, const Uniform& uniform) {
  Place to(from.size());
  for (double& v : to) v = uniform();
  for (int halved = 0; halved < 30; ++halved) {
    if (inside(to)) return to;
    to = along(from, to, 0.5 + 0.3 * (uniform() - 0.5));
  }
  return from;
}

}  // namespace

std::vector<Place> walk_region(const Inside& inside, const std::vector<Place>& within, int count, const Uniform& uniform) {
  assert(!within.empty());
  const size_t d = within[0].size(), crowd = 6 * d + 4;
  const int sweeps = 20, warm_up = 20;
  std::vector<Place> walkers;
  while (walkers.size() < crowd / 2) walkers.push_back(within[pick(within.size(), uniform)]);
  while (walkers.size() < crowd) walkers.push_back(shoot(inside, within[pick(within.size(), uniform)], uniform));
  std::vector<Place> found;
  for (int round = 0; found.size() < size_t(count); ++round) {
    for (int sweep = 0; sweep < (round == 0 ? warm_up : sweeps); ++sweep)
      for (size_t i = 0; i < crowd; ++i) {
        size_t other = pick(crowd - 1, uniform);
        if (other >= i) ++other;
        const double root = std::sqrt(0.5) + uniform() * (std::sqrt(2.0) - std::sqrt(0.5)), stretch = root * root;
        const Place to = along(walkers[other], walkers[i], stretch);
        if (uniform() < std::pow(stretch, double(d) - 1) && in_cube(to) && inside(to)) walkers[i] = to;
      }
    found.insert(found.end(), walkers.begin(), walkers.end());
  }
  return found;
}

std::vector<Place> spread_out(const std::vector<Place>& candidates, const std::vector<Place>& taken, int count,
                              const Uniform& uniform) {
  const Eigen::Index d = Eigen::Index(candidates.at(0).size()), n = Eigen::Index(candidates.size());
  Eigen::MatrixXd points(d, n);
  for (Eigen::Index i = 0; i < n; ++i) points.col(i) = Eigen::Map<const Eigen::VectorXd>(candidates[i].data(), d);
  const Eigen::VectorXd mean = points.rowwise().mean();
  const Eigen::MatrixXd centred = points.colwise() - mean;
  Eigen::MatrixXd covariance = dense::times_transposed(centred, centred) / double(n);
  covariance.diagonal().array() += 1e-8;  // of a region that is a point
  const Eigen::MatrixXd scale = dense::cholesky_factor(covariance);
  dense::solve_lower(scale, points);

  Eigen::VectorXd nearest = Eigen::VectorXd::Constant(n, std::numeric_limits<double>::max());
  const auto take = [&](const Eigen::VectorXd& x) {
    nearest = nearest.cwiseMin((points.colwise() - x).colwise().squaredNorm().transpose());
  };
  for (const Place& x : taken) {
    Eigen::VectorXd scaled = Eigen::Map<const Eigen::VectorXd>(x.data(), d);
    dense::solve_lower(scale, scaled);
    take(scaled);
  }
  std::vector<Place> chosen;
  while (int(chosen.size()) < count) {
    // The farthest of some candidates only: the farthest of all would always be at the rim.
    size_t best = pick(candidates.size(), uniform);
    for (int trial = 1; trial < 20; ++trial) {
      const size_t i = pick(candidates.size(), uniform);
      if (nearest[Eigen::Index(i)] > nearest[Eigen::Index(best)]) best = i;
    }
    chosen.push_back(candidates[best]);
    take(points.col(Eigen::Index(best)));
  }
  return chosen;
}

}  // namespace aleator::core::inference
