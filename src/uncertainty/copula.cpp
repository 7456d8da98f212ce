// Copulas. Independent uniform numbers (u, v) become dependent ones (u, w): w solves ∂C(u, w)/∂u = v, since that derivative is
// the distribution function of the second number where the first one is u. (Closed forms: Nelsen, An Introduction to Copulas,
// 2006. OpenTURNS 1.20 has them too, but its conditional quantiles of Plackett's copula do not fit their distribution function,
// and those of Gumbel's lose all but four digits near 1.)
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

#include "model/distribution_kinds.hpp"
#include "numerics/dense.hpp"
#include "uncertainty/distribution_module.hpp"
#include "uncertainty/given.hpp"

namespace aleator::core {

namespace {

// Quantile functions want numbers inside ]0, 1[; these are the smallest and largest a Stream draws.
double inside(double u) { return std::clamp(u, 0x1p-54, 1 - 0x1p-53); }

// C = (u^−θ + w^−θ − 1)^(−1/θ):  w^−θ = 1 + u^−θ (v^(−θ/(1+θ)) − 1).
double clayton(double theta, double u, double v) {
  const double e = std::expm1(-theta / (1 + theta) * std::log(v));
  if (theta < 0) return std::exp(-std::log1p(std::pow(u, -theta) * e) / theta);
  const double t = std::log(e) - theta * std::log(u);  // logarithm of w^−θ − 1, which can overflow
  return std::exp(-(t > 40 ? t : std::log1p(std::exp(t))) / theta);
}

// C = −ln(1 + (e^−θu − 1)(e^−θw − 1)/(e^−θ − 1))/θ:  e^−θw = (a (1 − v) + v e^−θ)/(a (1 − v) + v),  a = e^−θu.
double frank(double theta, double u, double v) {
  if (theta < 0) return 1 - frank(-theta, u, 1 - v);
  const double below = std::exp(-theta * u) * (1 - v) + v;
  const double x = v * std::expm1(-theta) / below;  // e^−θw − 1
  if (x > -0.5) return -std::log1p(x) / theta;
  return u - std::log(((1 - v) + v * std::exp(-theta * (1 - u))) / below) / theta;
}

// C = e^−s,  s = (x^θ + y^θ)^(1/θ),  x = −ln u,  y = −ln w.  With s = x e^ρ:  x (e^ρ − 1) + (θ − 1) ρ = −ln v.
double gumbel(double theta, double u, double v) {
  const double x = -std::log(u), right = -std::log(v);
  // Both terms are positive, so that each alone bounds ρ from above; Newton's steps then decrease (the left side is convex).
  double rho = std::log1p(right / x);
  if (theta > 1) rho = std::min(rho, right / (theta - 1));
  for (int i = 0; i < 50; ++i) {
    const double step = (x * std::expm1(rho) + (theta - 1) * rho - right) / (x * std::exp(rho) + theta - 1);
    rho -= step;
    if (!(step > 1e-15 * rho)) break;
  }
  return std::exp(-x * std::exp(rho) * std::pow(-std::expm1(-theta * rho), 1 / theta));
}

// Odds ratio C (1 − u − w + C) / ((u − C)(w − C)) = θ.
double plackett(double theta, double u, double v) {
  const double a = v * (1 - v), q = (theta - 1) * (theta - 1);
  const double c = 2 * a * (u * theta * theta + 1 - u) + theta * (1 - 2 * a);
  const double d = std::sqrt(theta * (theta + 4 * a * u * (1 - u) * q));
  return (c - (1 - 2 * v) * d) / (2 * (theta + a * q));
}

// C = u w/(1 − θ (1 − u)(1 − w)):  w (1 − θ + θ w) = v (α + β w)²,  β = θ (1 − u),  α = 1 − β.
double ali_mikhail_haq(double theta, double u, double v) {
  const double beta = theta * (1 - u), alpha = 1 - beta;
  const double a = theta - v * beta * beta, b = 1 - theta - 2 * v * alpha * beta, c = -v * alpha * alpha;
  const double root = std::sqrt(b * b - 4 * a * c);
  return b >= 0 ? -2 * c / (b + root) : (root - b) / (2 * a);
}

// C = u w (1 + θ (1 − u)(1 − w)):  w (1 + a) − a w² = v,  a = θ (1 − 2u).
double farlie_gumbel_morgenstern(double theta, double u, double v) {
  const double a = theta * (1 - 2 * u);
  return 2 * v / (1 + a + std::sqrt((1 + a) * (1 + a) - 4 * a * v));
}

struct Row {
  std::string_view kind;
  double (*second)(double theta, double u, double v);
  bool (*allowed)(double theta);
  std::string_view range;
};
constexpr Row rows[] = {
    {"clayton", clayton, [](double t) { return t >= -1 && t != 0; }, "at least -1 and not 0"},
    {"frank", frank, [](double t) { return t != 0; }, "any number but 0"},
    {"gumbel", gumbel, [](double t) { return t >= 1; }, "at least 1"},
    {"plackett", plackett, [](double t) { return t > 0; }, "positive"},
    {"ali_mikhail_haq", ali_mikhail_haq, [](double t) { return t >= -1 && t < 1; }, "at least -1 and below 1"},
    {"farlie_gumbel_morgenstern", farlie_gumbel_morgenstern, [](double t) { return t >= -1 && t <= 1; }, "between -1 and 1"},
};

class PairCopula final : public Copula {
 public:
  PairCopula(const Row& row, double theta) : row_(row), theta_(theta) {}
  int dimension() const override { return 2; }
  void map(std::span<double> u) const override { u[1] = inside(row_.second(theta_, u[0], u[1])); }

 private:
  const Row& row_;
  double theta_;
};

// w = Φ(L Φ⁻¹(u)) with the Cholesky factor L of the correlation.
class NormalCopula final : public Copula {
 public:
  explicit NormalCopula(Eigen::MatrixXd factor) : factor_(std::move(factor)), module_(distribution_module()) {}
  int dimension() const override { return static_cast<int>(factor_.rows()); }
  void map(std::span<double> u) const override {
    const double first = u[0];
    for (double& x : u) x = module_.normal_quantile(x);
    for (int i = dimension() - 1; i > 0; --i) {  // backwards: a row needs those before it
      double z = 0;
      for (int j = 0; j <= i; ++j) z += factor_(i, j) * u[j];
      u[i] = inside(std::erfc(-z / std::numbers::sqrt2) / 2);
    }
    u[0] = first;
  }

 private:
  Eigen::MatrixXd factor_;
  const DistributionModule& module_;
};

}  // namespace

std::unique_ptr<const Copula> make_normal_copula(std::span<const double> correlation, int dimension) {
  if (dimension < 1 || correlation.size() != static_cast<std::size_t>(dimension) * dimension)
    throw std::invalid_argument(fmt::format("a correlation matrix of {} quantities has {} entries, found {}", dimension,
                                            dimension * dimension, correlation.size()));
  const Eigen::MatrixXd r = Eigen::MatrixXd::Map(correlation.data(), dimension, dimension);
  for (int i = 0; i < dimension; ++i) {
    if (r(i, i) != 1) throw std::invalid_argument(fmt::format("a quantity's correlation with itself is 1, found {}", r(i, i)));
    for (int j = 0; j < i; ++j) {
      if (r(i, j) != r(j, i))
        throw std::invalid_argument(
            fmt::format("the correlation of quantities {} and {} is given as {} and as {}", j + 1, i + 1, r(i, j), r(j, i)));
      if (!(std::abs(r(i, j)) < 1))
        throw std::invalid_argument(
            fmt::format("the correlation of quantities {} and {} must be between -1 and 1 (without "
                        "them), found {}",
                        j + 1, i + 1, r(i, j)));
    }
  }
  const double smallest = dense::symmetric_eigenvalues(r)(0);
  if (!(smallest > 1e-12))  // round-off of the eigenvalues and of the factor
    throw std::invalid_argument(
        fmt::format("these correlations contradict each other: their matrix must be positive definite, "
                    "its smallest eigenvalue is {:.3g}",
                    smallest));
  return std::make_unique<NormalCopula>(dense::cholesky_factor(r));
}

std::unique_ptr<const Copula> make_copula(std::string_view kind, std::span<const Argument> arguments) {
  const Given given(kind_of(copula_kinds(), kind, "copula").fields, arguments, 0);
  const double theta = given.at("theta");
  for (const auto& row : rows) {
    if (row.kind != kind) continue;
    if (!row.allowed(theta)) throw std::invalid_argument(fmt::format("'theta' must be {}, found {}", row.range, theta));
    return std::make_unique<PairCopula>(row, theta);
  }
  throw std::logic_error(fmt::format("the copula '{}' has a field table but no function", kind));
}

}  // namespace aleator::core
