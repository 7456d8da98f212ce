#include "reliability/normal_mixture.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reliability/normal_numbers.hpp"
#include "reliability/vectors.hpp"

namespace aleator::core::reliability {
namespace {

using dense::Index;
using dense::MatrixXd;
using dense::VectorXd;
using Points = std::vector<std::vector<double>>;

constexpr std::size_t full_covariance = 40;  // coordinates, up to which covariances are fitted

// ln of the density, without −d/2 ln 2π.
double log_density(const NormalMixture::Component& c, const std::vector<double>& u) {
  if (c.factor.size() == 0) {
    const double r = distance(u, c.mean);
    return -0.5 * r * r;
  }
  VectorXd x = as_vector(u) - as_vector(c.mean);
  dense::solve_lower(c.factor, x);
  return -0.5 * x.squaredNorm() - c.log_determinant;
}

// ln Σ w exp(x)
double log_sum(const std::vector<double>& x) {
  const double most = *std::max_element(x.begin(), x.end());
  double sum = 0;
  for (const double v : x) sum += std::exp(v - most);
  return most + std::log(sum);
}

double log_density(const NormalMixture& m, const std::vector<double>& u) {
  std::vector<double> parts;
  for (const auto& c : m.components) parts.push_back(std::log(c.weight) + log_density(c, u));
  return log_sum(parts);
}

// Covariance of the points of one component about its mean, shrunk.
void set_covariance(NormalMixture::Component& c, const Points& points, const std::vector<double>& part) {
  const std::size_t d = c.mean.size();
  c.factor.resize(0, 0);
  c.log_determinant = 0;
  if (d > full_covariance) return;
  double total = 0, squares = 0;
  for (const double p : part) {
    total += p;
    squares += p * p;
  }
  if (!(total > 0)) return;
  const double effective = total * total / squares;
  const Index n = static_cast<Index>(d);
  MatrixXd s = MatrixXd::Zero(n, n);
  const VectorXd mean = as_vector(c.mean);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (part[i] <= 0) continue;
    const VectorXd x = as_vector(points[i]) - mean;
    s += (part[i] / total) * x * x.transpose();
  }
  // As many virtual points of unit covariance as there are coordinates and two.
  const double prior = static_cast<double>(d) + 2, share = effective / (effective + prior);
  s = share * s + (1 - share) * MatrixXd::Identity(n, n);
  s *= 1.1;  // rather too wide than too narrow
  MatrixXd l = dense::cholesky_factor(s);
  if (l.size() == 0) return;
  c.factor = l;
  for (Index i = 0; i < n; ++i) c.log_determinant += std::log(l(i, i));
}

}  // namespace

std::vector<double> NormalMixture::draw(std::uint64_t seed, std::uint64_t k, std::uint64_t purpose) const {
  const Source source{seed, k, purpose};
  double left = uniform_number(source, 0);
  std::size_t i = 0;
  while (i + 1 < components.size() && left > components[i].weight) left -= components[i++].weight;
  const Component& c = components[i];
  std::vector<double> z(c.mean.size());
  fill_normals(source, z);
  if (c.factor.size() > 0) {
    const VectorXd x = c.factor.triangularView<Eigen::Lower>() * as_vector(z);
    for (std::size_t j = 0; j < z.size(); ++j) z[j] = x(static_cast<Index>(j));
  }
  return sum(std::move(z), 1, c.mean);
}

double NormalMixture::log_ratio(const std::vector<double>& u) const { return -0.5 * dot(u, u) - log_density(*this, u); }

NormalMixture about(const Points& centres, const std::vector<double>& shares, std::size_t dimension, double defensive) {
  NormalMixture m;
  double total = 0;
  for (const double s : shares) total += s;
  m.components.push_back({defensive, std::vector<double>(dimension, 0.0), {}, 0});
  for (std::size_t i = 0; i < centres.size(); ++i) {
    const double share = total > 0 ? shares[i] / total : 1.0 / static_cast<double>(centres.size());
    m.components.push_back({(1 - defensive) * share, centres[i], {}, 0});
  }
  return m;
}

Points group_centres(const Points& points, const std::vector<double>& weights, std::size_t k) {
  Points centres;
  if (points.empty()) return centres;
  std::vector<double> gap(points.size(), std::numeric_limits<double>::infinity());
  std::size_t next = static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  while (centres.size() < k) {
    centres.push_back(points[next]);
    double most = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double r = distance(points[i], centres.back());
      gap[i] = std::min(gap[i], r * r);
      if (weights[i] * gap[i] > most) {
        most = weights[i] * gap[i];
        next = i;
      }
    }
    if (most <= 0) break;
  }
  for (int round = 0; round < 10; ++round) {
    Points means(centres.size(), std::vector<double>(points[0].size(), 0.0));
    std::vector<double> total(centres.size(), 0.0);
    for (std::size_t i = 0; i < points.size(); ++i) {
      std::size_t group = 0;
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t c = 0; c < centres.size(); ++c) {
        const double r = distance(points[i], centres[c]);
        if (r < least) {
          least = r;
          group = c;
        }
      }
      means[group] = sum(std::move(means[group]), weights[i], points[i]);
      total[group] += weights[i];
    }
    for (std::size_t c = 0; c < centres.size(); ++c) {
      if (total[c] > 0) centres[c] = scaled(std::move(means[c]), 1 / total[c]);
    }
  }
  return centres;
}

NormalMixture fitted(const Points& points, const std::vector<double>& weights, Points centres, double defensive) {
  const std::size_t d = points.front().size();
  NormalMixture m = about(centres, std::vector<double>(centres.size(), 1.0), d, defensive);
  for (int round = 0; round < 20; ++round) {
    // Which component a point belongs to, among those that are fitted.
    std::vector<std::vector<double>> part(centres.size(), std::vector<double>(points.size(), 0.0));
    for (std::size_t i = 0; i < points.size(); ++i) {
      std::vector<double> logs;
      for (std::size_t c = 1; c < m.components.size(); ++c)
        logs.push_back(std::log(m.components[c].weight) + log_density(m.components[c], points[i]));
      const double all = log_sum(logs);
      for (std::size_t c = 0; c < logs.size(); ++c) part[c][i] = weights[i] * std::exp(logs[c] - all);
    }
    double everything = 0;
    for (const double w : weights) everything += w;
    for (std::size_t c = 0; c < centres.size(); ++c) {
      NormalMixture::Component& to = m.components[c + 1];
      double total = 0;
      std::vector<double> mean(d, 0.0);
      for (std::size_t i = 0; i < points.size(); ++i) {
        total += part[c][i];
        mean = sum(std::move(mean), part[c][i], points[i]);
      }
      to.weight = (1 - defensive) * std::max(total / everything, 0.01);
      if (total > 1e-6 * everything) {
        to.mean = scaled(std::move(mean), 1 / total);
        set_covariance(to, points, part[c]);
      }
    }
    double whole = 0;
    for (std::size_t c = 1; c < m.components.size(); ++c) whole += m.components[c].weight;
    for (std::size_t c = 1; c < m.components.size(); ++c) m.components[c].weight *= (1 - defensive) / whole;
  }
  return m;
}

}  // namespace aleator::core::reliability
