#include "analysis/chaos_basis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace aleator::core::analysis {
namespace {

void check(const Truncation& t) {
  if (t.degree < 0) throw std::invalid_argument(fmt::format("the degree of a chaos basis must not be negative: {}", t.degree));
  if (!(t.q > 0 && (t.q <= 1 || std::isinf(t.q))))
    throw std::invalid_argument(
        fmt::format("q of a hyperbolic basis must be in ]0, 1], or infinite for the full tensor: {}", t.q));
}

// What a degree takes of the budget Σ i_j^q ≤ degree^q; round-off must not cost the last term.
struct Budget {
  explicit Budget(const Truncation& t) : q(t.q), degree(t.degree), whole(cost(t.degree) * (1 + 1e-12)) {}
  double cost(int i) const { return i == 0 || std::isinf(q) ? 0 : std::pow(double(i), q); }
  double q;
  int degree;
  double whole;
};

// Appends all indices whose variables from `variable` on fit into what is left.
void extend(const Budget& budget, std::vector<int>& index, std::size_t variable, double left,
            std::vector<std::vector<int>>& all) {
  if (variable == index.size()) {
    all.push_back(index);
    return;
  }
  for (int i = 0; i <= budget.degree && budget.cost(i) <= left; ++i) {
    index[variable] = i;
    extend(budget, index, variable + 1, left - budget.cost(i), all);
  }
  index[variable] = 0;
}

// Sum over multisets of degrees ≤ `largest` for at most `variables` variables, of the number of ways to assign them.
double arrangements(const Budget& budget, int variables, int largest, double left) {
  if (largest == 0) return 1;
  double sum = 0, ways = 1;  // C(variables, k): k variables have the degree `largest`
  for (int k = 0; k <= variables && (k == 0 || budget.cost(largest) <= left); ++k) {
    if (k > 0) {
      ways = ways * (variables - k + 1) / k;
      left -= budget.cost(largest);
    }
    sum += ways * arrangements(budget, variables - k, largest - 1, left);
  }
  return sum;
}

int sum(std::span<const int> index) { return std::accumulate(index.begin(), index.end(), 0); }

}  // namespace

int ChaosBasis::total_degree(int term) const { return sum(degrees_of(term)); }

double count_terms(int dimension, const Truncation& t) {
  check(t);
  if (std::isinf(t.q)) return std::pow(t.degree + 1.0, dimension);
  if (t.q < 1) return std::round(arrangements(Budget(t), dimension, t.degree, Budget(t).whole));
  double binomial = 1;  // C(d + degree, degree)
  for (int i = 1; i <= t.degree; ++i) binomial = std::round(binomial * (dimension + i) / i);
  return binomial;
}

ChaosBasis make_basis(std::vector<PolynomialFamily> families, const Truncation& t) {
  check(t);
  for (const PolynomialFamily& f : families)
    if (f.recurrence.size() < std::size_t(t.degree))
      throw std::invalid_argument(
          fmt::format("{} polynomials are known up to degree {}, and {} is asked for", f.name, f.recurrence.size(), t.degree));
  std::vector<std::vector<int>> all;
  std::vector<int> index(families.size(), 0);
  extend(Budget(t), index, 0, Budget(t).whole, all);
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    const int of_a = sum(a), of_b = sum(b);
    return of_a != of_b ? of_a < of_b : a > b;
  });
  ChaosBasis basis{std::move(families), int(all.size()), {}};
  for (const auto& i : all) basis.degrees.insert(basis.degrees.end(), i.begin(), i.end());
  return basis;
}

ChaosBasis selected(const ChaosBasis& basis, std::span<const int> terms) {
  ChaosBasis out{basis.families, int(terms.size()), {}};
  for (const int k : terms) {
    const std::span<const int> index = basis.degrees_of(k);
    out.degrees.insert(out.degrees.end(), index.begin(), index.end());
  }
  return out;
}

Eigen::MatrixXd values(const ChaosBasis& basis, std::span<const double> points) {
  const std::size_t d = basis.families.size();
  if (d == 0 || points.size() % d != 0)
    throw std::invalid_argument(fmt::format("{} numbers are no points of {} variables", points.size(), d));
  const std::size_t n = points.size() / d;
  std::vector<Eigen::MatrixXd> of(d);  // p_0 … of each variable: [degree + 1][n]
  for (std::size_t j = 0; j < d; ++j) {
    int highest = 0;
    for (int k = 0; k < basis.terms; ++k) highest = std::max(highest, basis.degrees[std::size_t(k) * d + j]);
    of[j].resize(highest + 1, Eigen::Index(n));
    for (std::size_t i = 0; i < n; ++i)
      basis.families[j].evaluate(points[i * d + j], {&of[j](0, Eigen::Index(i)), std::size_t(highest) + 1});
    of[j].transposeInPlace();
  }
  Eigen::MatrixXd psi(n, basis.terms);
  for (int k = 0; k < basis.terms; ++k) {
    auto column = psi.col(k);
    column.setOnes();
    const std::span<const int> index = basis.degrees_of(k);
    for (std::size_t j = 0; j < d; ++j)
      if (index[j] > 0) column.array() *= of[j].col(index[j]).array();
  }
  return psi;
}

}  // namespace aleator::core::analysis
