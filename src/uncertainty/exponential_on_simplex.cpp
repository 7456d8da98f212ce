#include "uncertainty/exponential_on_simplex.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace aleator::core {
namespace {

constexpr int max_nodes = 6;

double factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }

// The nodes lie close together. About the largest one, all terms are positive:
//   exp(−z_n) Σ_k h_k(z_n − z_0, …, z_n − z_n)/(n + k)!,   h_k the complete homogeneous symmetric polynomials.
double clustered(std::span<const double> z) {
  const int n = static_cast<int>(z.size()) - 1;
  std::array<double, max_nodes> h{};  // h_k of the first m + 1 nodes
  h.fill(1);
  double term = 1 / factorial(n), sum = term;
  for (int k = 1; k < 200; ++k) {
    double before = 0;
    for (int m = 0; m <= n; ++m) h[m] = before = before + (z[n] - z[m]) * h[m];
    term /= n + k;
    const double add = term * h[n];
    sum += add;
    if (add < 1e-17 * sum) break;
  }
  return std::exp(-z[n]) * sum;
}

// Of four values at most (std::sort of so few draws a false warning about bounds).
template <class T, class Less>
void insertion_sort(std::span<T> values, Less less) {
  for (std::size_t i = 1; i < values.size(); ++i)
    for (std::size_t j = i; j > 0 && less(values[j], values[j - 1]); --j) std::swap(values[j], values[j - 1]);
}

// ∫ exp(−r x) dx over [0, 1]
double truncated_integral(double r) { return r > 0 ? -std::expm1(-r) / r : 1; }

}  // namespace

double exponential_over_simplex(std::span<const double> nodes) {
  const int count = static_cast<int>(nodes.size());
  std::array<double, max_nodes> z{}, f{};
  for (int i = 0; i < count; ++i) z[i] = nodes[i] - nodes[0];
  if (z[count - 1] <= 8) return clustered({z.data(), nodes.size()});
  // Over a wide span (f[z_i … z_{j−1}] − f[z_{i+1} … z_j])/(z_j − z_i) hardly cancels; over a narrow one the series is used.
  for (int i = 0; i < count; ++i) f[i] = std::exp(-z[i]);
  for (int width = 1; width < count; ++width)
    for (int i = 0; i + width < count; ++i) {
      const double span = z[i + width] - z[i];
      f[i] = span > 8 ? (f[i] - f[i + 1]) / span : clustered({z.data() + i, static_cast<std::size_t>(width + 1)});
    }
  return f[0];
}

ExponentialOnSimplex::ExponentialOnSimplex(int dimension, const std::array<Vec3<double>, 4>& vertices, const Vec3<double>& lambda)
    : dimension_(dimension), lambda_(lambda) {
  std::array<int, 4> order{0, 1, 2, 3};
  insertion_sort(std::span(order).first(dimension + 1),
                 [&](int a, int b) { return dot(lambda, vertices[a]) < dot(lambda, vertices[b]); });
  tip_ = vertices[order[0]];
  for (int i = 0; i < dimension; ++i) edge_[i] = vertices[order[i + 1]] - tip_;
  // From the edges, not from the vertices: a vertex level with the tip gives 0 to the precision of the edge.
  for (int i = 0; i < dimension; ++i) gamma_[i] = std::max(dot(lambda, edge_[i]), i > 0 ? gamma_[i - 1] : 0.0);
  volume_ = std::abs(dimension == 2 ? cross(edge_[0], edge_[1]).z : dot(cross(edge_[0], edge_[1]), edge_[2]));

  std::array<double, max_nodes> nodes{};
  std::copy_n(gamma_.begin(), dimension, nodes.begin() + 1);
  integral_ = exponential_over_simplex({nodes.data(), static_cast<std::size_t>(dimension + 1)});

  // Proposals: the steep barycentric coordinates are independent exponentials on [0, 1], their sum σ; the m flat ones are
  // uniform in what is left, a simplex of volume (1 − σ)^m/m! ≤ exp(−m σ)/m!. Rates γ + m; accepted with
  // (1 − σ)^m exp(m σ) exp(−Σ_flat γ x) if σ < 1. The m of the highest acceptance is taken.
  acceptance_ = 0;
  for (int m = 0; m <= dimension; ++m) {
    double envelope = 1 / factorial(m);
    for (int i = m; i < dimension; ++i) envelope *= truncated_integral(gamma_[i] + m);
    if (const double a = integral_ / envelope; a > acceptance_) acceptance_ = a, flat_ = m;
  }
}

SimplexMoments ExponentialOnSimplex::moments(const Vec3<double>& origin) const {
  // E{x_i} repeats node i, E{x_i x_j} (1 + δ_ij)⁻¹ repeats i and j.
  const auto repeated = [&](int i, int j) {
    std::array<double, max_nodes> nodes{};
    int count = 1;
    for (int k = 0; k < dimension_; ++k)
      for (int copy = 0; copy < 1 + (k == i) + (k == j); ++copy) nodes[count++] = gamma_[k];
    return exponential_over_simplex({nodes.data(), static_cast<std::size_t>(count)}) / integral_;
  };
  const Vec3<double> shift = tip_ - origin;
  Vec3<double> mean;
  Mat3<double> second = outer(shift, shift);
  for (int i = 0; i < dimension_; ++i) {
    const double first = repeated(i, -1);
    mean += first * edge_[i];
    second += first * (outer(shift, edge_[i]) + outer(edge_[i], shift));
    second += (2 * repeated(i, i)) * outer(edge_[i], edge_[i]);
    for (int j = 0; j < i; ++j) second += repeated(i, j) * (outer(edge_[i], edge_[j]) + outer(edge_[j], edge_[i]));
  }
  return {std::log(volume_ * integral_) - dot(lambda_, shift), shift + mean, second};
}

Vec3<double> ExponentialOnSimplex::draw(Stream& stream) const {
  std::array<double, 3> x{};
  for (;;) {
    double sum = 0;
    for (int i = flat_; i < dimension_; ++i) {
      const double rate = gamma_[i] + flat_, u = stream.uniform();
      x[i] = rate > 0 ? -std::log1p(u * std::expm1(-rate)) / rate : u;
      sum += x[i];
    }
    if (sum >= 1) continue;
    if (flat_ == 0) break;
    // Uniform in the simplex: spacings of sorted uniform numbers.
    for (int i = 0; i < flat_; ++i) x[i] = stream.uniform();
    insertion_sort(std::span(x).first(flat_), std::less<>());
    for (int i = flat_ - 1; i > 0; --i) x[i] -= x[i - 1];
    double exponent = flat_ * (std::log1p(-sum) + sum);
    for (int i = 0; i < flat_; ++i) {
      x[i] *= 1 - sum;
      exponent -= gamma_[i] * x[i];
    }
    if (std::log(stream.uniform()) <= exponent) break;
  }
  Vec3<double> point = tip_;
  for (int i = 0; i < dimension_; ++i) point += x[i] * edge_[i];
  return point;
}

}  // namespace aleator::core
