#include "uncertainty/kummer_beta.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "numerics/dense.hpp"
#include "uncertainty/kummer_beta_moments.hpp"

namespace aleator::core {

namespace {

using Eigen::Matrix3d, Eigen::Vector3d;

constexpr KummerBetaRule coarse{6, 4};
constexpr std::array<KummerBetaRule, 6> ladder{{{8, 5}, {10, 6}, {12, 7}, {15, 9}, {19, 11}, {24, 13}}};

// The law of B between 0 and I with E{B} = diag(r).
struct UnitLaw {
  double lambda_l, lambda_u;
  Vector3d r;

  // |E{G_ii} − 1| = |E{B_ii} − r_i| / r_i; infinite where the quadrature failed
  double error(const Vector3d& mean, const Vector3d& reference) const {
    const double e = (mean - reference).cwiseQuotient(r).cwiseAbs().maxCoeff();
    return std::isfinite(e) ? e : std::numeric_limits<double>::infinity();
  }
  KummerBetaMoments moments(const Vector3d& s, const KummerBetaSystem& system, KummerBetaRule rule) const {
    return kummer_beta_moments(lambda_l, lambda_u, s, system, rule);
  }
};

// The two of the twelve coordinate systems that agree best, each with itself at another number of points and both with each
// other. Directions with equal r give the same system twice: only one is kept.
struct Pair {
  KummerBetaSystem first, second;
};

Pair best_systems(const UnitLaw& law, const Vector3d& s) {
  struct Candidate {
    KummerBetaSystem system;
    Vector3d mean;
    double own_error;
  };
  std::vector<Candidate> candidates;
  for (const bool mirrored : {false, true}) {
    KummerBetaSystem system{{0, 1, 2}, mirrored};
    do {
      const auto& o = system.order;
      const auto twin = [&](int i, int j) { return law.r[o[i]] == law.r[o[j]] && o[i] > o[j]; };
      if (twin(0, 1) || twin(1, 2) || twin(0, 2)) continue;
      const Vector3d mean = law.moments(s, system, ladder[0]).mean;
      candidates.push_back({system, mean, law.error(law.moments(s, system, coarse).mean, mean)});
    } while (std::next_permutation(system.order.begin(), system.order.end()));
  }
  Pair best;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < candidates.size(); ++i)
    for (std::size_t j = 0; j < candidates.size(); ++j) {
      if (i == j || candidates[i].own_error > candidates[j].own_error) continue;
      const double e = std::max(candidates[j].own_error, law.error(candidates[i].mean, candidates[j].mean));
      if (e < least) least = e, best = {candidates[i].system, candidates[j].system};
    }
  return best;
}

// Damped Newton on the convex dual log Z(S) + Σ s r: gradient r − E{B_ii}, Hessian the covariance. Gives the error left.
double newton(const UnitLaw& law, const KummerBetaSystem& system, KummerBetaRule rule, Vector3d& s, double tolerance) {
  KummerBetaMoments now = law.moments(s, system, rule);
  double error = law.error(now.mean, law.r);
  for (int iteration = 0; iteration < 30 && error > tolerance; ++iteration) {
    const Vector3d step = now.covariance.ldlt().solve(now.mean - law.r);
    double length = 1;  // E{B} saturates far away: a step changes s by no more than half of it (and some)
    for (int i = 0; i < 3; ++i) length = std::min(length, 0.5 * (std::abs(s[i]) + 5) / std::max(std::abs(step[i]), 1e-300));
    bool better = false;
    for (int halving = 0; halving < 8 && !better; ++halving, length *= 0.5) {
      const Vector3d candidate = s + length * step;
      const KummerBetaMoments next = law.moments(candidate, system, rule);
      const double next_error = law.error(next.mean, law.r);
      better = next_error < error;
      if (better) s = candidate, now = next, error = next_error;
    }
    if (!better) break;
  }
  return error;
}

struct Solution {
  Vector3d s;
  KummerBetaMoments moments;
  double mean_error;
  KummerBetaSystem system;  // that solved
};

// S is exact for μ = 0, for Gmax → ∞ and for Gmax → I at the start a/r − b/(1−r). More points until a finer rule agrees; the
// error that is told comes from other coordinates and other points than those that solved.
Solution solve_unit_law(const UnitLaw& law) {
  constexpr double wanted = 1e-9, good = 1e-7;
  const double a = 2 - law.lambda_l, b = 2 - law.lambda_u;
  Vector3d s = (a / law.r.array() - b / (1 - law.r.array())).matrix();
  Solution best{s, {}, std::numeric_limits<double>::infinity(), {}};
  for (int attempt = 0; attempt < 3 && !(best.mean_error < good); ++attempt) {
    const Pair systems = best_systems(law, s);
    std::size_t level = 0;
    double error = newton(law, systems.first, ladder[level], s, wanted);
    KummerBetaMoments finer = law.moments(s, systems.first, ladder[level + 1]);
    while ((error = law.error(finer.mean, law.r)) > wanted && level + 2 < ladder.size()) {
      ++level;
      newton(law, systems.first, ladder[level], s, wanted);
      finer = law.moments(s, systems.first, ladder[level + 1]);
    }
    double told = std::numeric_limits<double>::infinity();
    for (std::size_t check = level + 1; check < ladder.size() && !(told < good); ++check) {
      const Vector3d other = law.moments(s, systems.second, ladder[check]).mean;
      told = std::max(error, law.error(other, law.r)) + law.error(other, finer.mean);
    }
    if (told < best.mean_error) best = {s, finer, told, systems.first};
  }
  return best;
}

}  // namespace

template <>
void KummerBeta<1>::solve(KummerBetaMethod);
template <>
void KummerBeta<3>::solve(KummerBetaMethod);

template <int N>
KummerBeta<N>::KummerBeta(const Matrix& gmax, double lambda_l, double lambda_u, KummerBetaMethod method)
    : gmax_(0.5 * (gmax + gmax.transpose())), lambda_l_(lambda_l), lambda_u_(lambda_u) {
  if (!(lambda_l < 1) || !std::isfinite(lambda_l))
    throw std::invalid_argument(
        fmt::format("the Kummer-Beta distribution does not exist for lambda_l = {}: it must be below 1", lambda_l));
  if (!(lambda_u < 1) || !std::isfinite(lambda_u))
    throw std::invalid_argument(
        fmt::format("the Kummer-Beta distribution does not exist for lambda_u = {}: it must be below 1", lambda_u));
  if (!gmax.allFinite()) throw std::invalid_argument("the upper bound Gmax of the Kummer-Beta distribution is not a number");
  solve(method);
  dispersion_ = std::sqrt(variance().sum() / N);
}

template <>
void KummerBeta<1>::solve(KummerBetaMethod) {
  const double g = gmax_(0, 0), r = 1 / g, a = 1 - lambda_l_, b = 1 - lambda_u_;
  if (!(g > 1)) throw std::invalid_argument(fmt::format("Gmax - I must be positive definite: Gmax = {}", g));
  // The mean falls with the tilt: Newton between bounds.
  double s = a / r - b / (1 - r), low = -std::numeric_limits<double>::infinity(), high = -low;
  TiltedBeta law(a, b, s);
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double excess = law.cumulant[0] - r;
    if (std::abs(excess) < 1e-15 * std::max(r, 1e-3)) break;
    (excess > 0 ? low : high) = s;
    double next = s + excess / law.cumulant[1];
    const double most = std::abs(s) + 5;
    next = std::clamp(next, s - most, s + most);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (next == s) break;
    s = next, law = TiltedBeta(a, b, s);
  }
  // Told from a Gauss rule, which has other points.
  const auto rule = law.gauss(24);
  double mean = 0;
  for (std::size_t k = 0; k < rule.x.size(); ++k) mean += rule.w[k] * rule.x[k];
  mean_error_ = std::max(std::abs(mean - r), std::abs(law.cumulant[0] - r)) * g;
  mu_(0, 0) = s / g;
  log_c_ = -law.log_z - (a + b - 1) * std::log(g);
  covariance_(0, 0) = law.cumulant[1], square_(0, 0) = law.cumulant[1] + law.cumulant[0] * law.cumulant[0];
  frame_(0, 0) = std::sqrt(g);
  sampler_ = TiltedBetaSampler(law);
  quantile_ = TiltedBetaQuantile(law);
  acceptance_ = sampler_.acceptance();
}

template <>
void KummerBeta<3>::solve(KummerBetaMethod method) {
  const auto [g, vectors] = dense::symmetric_eigen3(gmax_);
  if (!(g[0] > 1))
    throw std::invalid_argument(
        fmt::format("Gmax - I must be positive definite: the smallest eigenvalue of Gmax is {:.6g}, in the direction "
                    "({:.4g}, {:.4g}, {:.4g})",
                    g[0], vectors(0, 0), vectors(1, 0), vectors(2, 0)));
  UnitLaw law{lambda_l_, lambda_u_, g.cwiseInverse()};
  for (int i = 1; i < 3; ++i)  // eigenvalues that differ by rounding are equal
    if (std::abs(law.r[i] - law.r[i - 1]) < 1e-12 * law.r[i - 1]) law.r[i] = law.r[i - 1];
  const Solution found = solve_unit_law(law);
  if (!std::isfinite(found.mean_error))
    throw std::invalid_argument(
        fmt::format("no mean I can be reached by the Kummer-Beta distribution for lambda_l = {}, lambda_u = {}, Gmax with "
                    "eigenvalues {}, {}, {}",
                    lambda_l_, lambda_u_, g[0], g[1], g[2]));
  mean_error_ = found.mean_error;

  // G = F B Fᵀ with F = V D^½; tr(μ G) = tr(Fᵀ μ F B) = tr(S B); dG = det(F)⁴ dB.
  const Matrix3d& v = vectors;
  const Vector3d root = g.cwiseSqrt();
  frame_ = v * root.asDiagonal();
  scale_ = from_eigen(frame_);
  mu_ = v * found.s.cwiseQuotient(g).asDiagonal() * v.transpose();
  log_c_ = -found.moments.log_z + (lambda_l_ + lambda_u_ - 2) * g.array().log().sum();
  covariance_ = found.moments.covariance, square_ = found.moments.square;

  sampler_ = KummerBetaSampler(lambda_l_, lambda_u_, found.s, found.moments.log_z, found.system, method);
  exact_ = sampler_.method() != KummerBetaMethod::chain;
  acceptance_ = sampler_.acceptance();
  chain_ = sampler_.chain();
}

// With K = A F: Σ K_ik K_jl B_kl, where the entries of B are uncorrelated but for B_kk with B_ll.
template <int N>
typename KummerBeta<N>::Matrix KummerBeta<N>::variance(const Matrix& a) const {
  const Matrix k = a * frame_;
  Matrix out;
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) {
      double sum = 0;
      for (int m = 0; m < N; ++m)
        for (int n = 0; n < N; ++n) {
          sum += k(i, m) * k(j, m) * k(i, n) * k(j, n) * covariance_(m, n);
          if (m < n) sum += std::pow(k(i, m) * k(j, n) + k(i, n) * k(j, m), 2) * square_(m, n);
        }
      out(i, j) = sum;
    }
  return out;
}

template <int N>
typename KummerBeta<N>::Matrix KummerBeta<N>::draw(Stream& stream) const {
  if constexpr (N == 1) {
    return Matrix(gmax_(0, 0) * sampler_.draw(stream));
  } else {
    const Mat3<double> g = scaled(sampler_.draw(stream));
    Matrix out;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) out(i, j) = g[i][j];
    return out;
  }
}

template <int N>
double KummerBeta<N>::quantile(double u) const requires(N == 1) {
  return gmax_(0, 0) * quantile_(u);
}

template class KummerBeta<1>;
template class KummerBeta<3>;

}  // namespace aleator::core
