#include "design/quadrature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

namespace aleator::core {
namespace {

double binomial(int n, int k) {
  double b = 1;
  for (int i = 1; i <= k; ++i) b = std::round(b * (n - k + i) / i);  // exact while below 2⁵³
  return b;
}

void check(int dimension, int smallest, int given, const char* what) {
  if (dimension < 1 || given < smallest)
    throw std::invalid_argument(
        fmt::format("a quadrature needs at least one variable and {} ≥ {}, not {} and {}", what, smallest, dimension, given));
}

// Calls f with every choice of digits 0 ≤ i_j < sizes[j], the last one running fastest.
template <class F>
void each_choice(const std::vector<int>& sizes, const F& f) {
  std::vector<int> at(sizes.size(), 0);
  for (;;) {
    f(at);
    std::size_t j = sizes.size();
    while (j > 0 && ++at[j - 1] == sizes[j - 1]) at[--j] = 0;
    if (j == 0) return;
  }
}

// Calls f with every l ≥ 0 of that sum.
template <class F>
void each_composition(std::vector<int>& l, std::size_t first, int sum, const F& f) {
  if (first + 1 == l.size()) {
    l[first] = sum;
    f(l);
    return;
  }
  for (int i = 0; i <= sum; ++i) {
    l[first] = i;
    each_composition(l, first + 1, sum - i, f);
  }
}

// The nodes of the rules of one variable with 1 … level + 1 points, those that agree up to round-off being the same.
struct Nodes {
  std::vector<double> values;            // sorted
  std::vector<std::vector<int>> number;  // [level + 1][n] into values

  Nodes(int variable, int level, const GaussRule& rule) {
    std::vector<double> all;
    for (int l = 0; l <= level; ++l) {
      const std::vector<double>& nodes = rule(variable, l + 1).nodes;
      all.insert(all.end(), nodes.begin(), nodes.end());
    }
    std::sort(all.begin(), all.end());
    // The nodes of different rules interlace, at distances of at least 1/n²: 1e-10 of the range is far from both.
    const double same = 1e-10 * (all.back() - all.front());
    for (const double z : all)
      if (values.empty() || z - values.back() > same) values.push_back(z);
    for (int l = 0; l <= level; ++l) {
      number.emplace_back();
      for (const double z : rule(variable, l + 1).nodes)
        number.back().push_back(int(std::upper_bound(values.begin(), values.end(), z) - values.begin()) - 1);
    }
  }
};

}  // namespace

double tensor_quadrature_size(int dimension, int n) { return std::pow(double(n), dimension); }

// Grids of |l| = k have Σ ∏(lᵢ + 1) = C(k + 2d − 1, k) points in all: the coefficients of (Σ (l+1) xˡ)ᵈ = (1 − x)^(−2d).
double smolyak_quadrature_size(int dimension, int level) {
  double size = 0;
  for (int k = std::max(0, level - dimension + 1); k <= level; ++k) size += binomial(k + 2 * dimension - 1, k);
  return size;
}

Quadrature tensor_quadrature(int dimension, int n, const GaussRule& rule) {
  check(dimension, 1, n, "points");
  Quadrature q{dimension, {}, {}};
  each_choice(std::vector<int>(std::size_t(dimension), n), [&](const std::vector<int>& at) {
    double w = 1;
    for (int j = 0; j < dimension; ++j) {
      const GaussQuadrature& g = rule(j, n);
      q.points.push_back(g.nodes[std::size_t(at[std::size_t(j)])]);
      w *= g.weights[std::size_t(at[std::size_t(j)])];
    }
    q.weights.push_back(w);
  });
  return q;
}

Quadrature smolyak_quadrature(int dimension, int level, const GaussRule& rule) {
  check(dimension, 0, level, "level");
  const std::size_t d = std::size_t(dimension);
  std::vector<Nodes> nodes;
  for (int j = 0; j < dimension; ++j) nodes.emplace_back(j, level, rule);

  std::map<std::vector<int>, double> weights;  // of points, by the numbers of their nodes
  std::vector<int> l(d), sizes(d), point(d);
  for (int sum = std::max(0, level - dimension + 1); sum <= level; ++sum) {
    const double factor = ((level - sum) % 2 ? -1 : 1) * binomial(dimension - 1, level - sum);
    each_composition(l, 0, sum, [&](const std::vector<int>&) {
      for (std::size_t j = 0; j < d; ++j) sizes[j] = l[j] + 1;
      each_choice(sizes, [&](const std::vector<int>& at) {
        double w = factor;
        for (std::size_t j = 0; j < d; ++j) {
          const std::size_t i = std::size_t(at[j]);
          point[j] = nodes[j].number[std::size_t(l[j])][i];
          w *= rule(int(j), l[j] + 1).weights[i];
        }
        weights[point] += w;
      });
    });
  }

  Quadrature q{dimension, {}, {}};
  for (const auto& [at, w] : weights) {
    for (std::size_t j = 0; j < d; ++j) q.points.push_back(nodes[j].values[std::size_t(at[j])]);
    q.weights.push_back(w);
  }
  return q;
}

}  // namespace aleator::core
