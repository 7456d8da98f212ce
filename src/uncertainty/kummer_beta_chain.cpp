// Metropolis–Hastings for the Kummer–Beta law: random walk in the logits of the six coordinates of kummer_beta_moments.hpp,
// where the density has no edges and only exponential tails.
#include <algorithm>
#include <cmath>
#include <vector>

#include "uncertainty/kummer_beta_sampler.hpp"

namespace aleator::core {

namespace {

double log_logistic(double y) { return y < 0 ? y - std::log1p(std::exp(y)) : -std::log1p(std::exp(-y)); }
double logistic(double y) { return y < 0 ? std::exp(y) / (1 + std::exp(y)) : 1 / (1 + std::exp(-y)); }

constexpr std::uint64_t trial_key = quantity_key("Kummer-Beta trial chains");
constexpr int trials = 4, trial_steps = 6000;  // recorded steps of a trial chain

// Integrated autocorrelation time 1 + 2 Σ ρ(k) of several chains about their common mean, summed up to the first k ≥ 6 τ.
double autocorrelation_time(const std::vector<std::vector<double>>& chains) {
  const int n = static_cast<int>(chains[0].size());
  double mean = 0, variance = 0;
  for (const auto& c : chains)
    for (const double v : c) mean += v / (static_cast<double>(n) * chains.size());
  for (const auto& c : chains)
    for (const double v : c) variance += (v - mean) * (v - mean) / (static_cast<double>(n) * chains.size());
  double tau = 1;
  for (int lag = 1; lag < n / 3 && lag < 6 * tau; ++lag) {
    double sum = 0;
    for (const auto& c : chains)
      for (int k = 0; k + lag < n; ++k) sum += (c[k] - mean) * (c[k + lag] - mean);
    tau += 2 * sum / (static_cast<double>(n - lag) * chains.size() * variance);
  }
  return std::max(1.0, tau);
}

// Gelman & Rubin's ratio with every chain cut in two halves
double split_r_hat(const std::vector<std::vector<double>>& chains) {
  const int half = static_cast<int>(chains[0].size()) / 2, groups = 2 * static_cast<int>(chains.size());
  std::vector<double> means;
  double within = 0, total = 0;
  for (const auto& c : chains)
    for (int h = 0; h < 2; ++h) {
      double m = 0, v = 0;
      for (int k = 0; k < half; ++k) m += c[h * half + k] / half;
      for (int k = 0; k < half; ++k) v += (c[h * half + k] - m) * (c[h * half + k] - m) / (half - 1);
      means.push_back(m), within += v / groups, total += m / groups;
    }
  double between = 0;
  for (const double m : means) between += (m - total) * (m - total) / (groups - 1);
  return std::sqrt((half - 1.0) / half + between / within);
}

KummerBetaCoordinates coordinates(const std::array<double, 6>& y) {
  return {logistic(y[0]), logistic(y[1]), logistic(y[2]), std::tanh(0.5 * y[3]), std::tanh(0.5 * y[4]), std::tanh(0.5 * y[5])};
}

}  // namespace

// Each factor u^(A−1)(1−u)^(B−1) du of the measure is u^A (1−u)^B dy.
double KummerBetaSampler::log_density(const Point& y) const {
  const auto& [lambda_l, lambda_u, s] = law_;
  const double a = 2 - lambda_l, b = 2 - lambda_u;
  const double below[6] = {a, a - 0.5, a - 1, b - 0.5, b - 0.5, b - 1}, above[6] = {b, b, b, b - 0.5, b - 0.5, b - 1};
  double sum = 0;
  for (int k = 0; k < 6; ++k) sum += below[k] * log_logistic(y[k]) + above[k] * log_logistic(-y[k]);
  const auto [x, c, e, p, q, r] = coordinates(y);
  const double big_r = std::sqrt((1 - q * q) * (1 - p * p)) * r - std::sqrt(c) * q * p;
  const double q_all = (1 - c) * q * q + (1 - x) * big_r * big_r;
  return sum - s[0] * x - s[1] * (c + (1 - x) * (1 - c) * p * p) - s[2] * (q_all + e * (1 - q_all));
}

bool KummerBetaSampler::advance(Point& y, double& log_p, double step, Stream& stream) const {
  Point next;
  for (int k = 0; k < 6; ++k) next[k] = y[k] + step * scale_[k] * stream.normal();
  const double log_next = log_density(next), u = stream.uniform();
  if (!(std::log(u) <= log_next - log_p)) return false;
  y = next, log_p = log_next;
  return true;
}

// Scales of the walk from the product of tilted beta laws closest to the law; its length so that about a quarter of the steps
// are accepted (Robbins & Monro); then, with fixed length, trial chains measure how long a chain must be.
void KummerBetaSampler::prepare_chain() {
  law_ = ordered(lambda_l_, lambda_u_, s_, system_);
  const KummerBetaFactors f(law_.lambda_l, law_.lambda_u, law_.s);
  const std::array<const TiltedBeta*, 6> law{&f.x, &f.c, &f.e, &f.p2, &f.q2, &f.r2};
  for (int k = 0; k < 6; ++k) {
    // p = √u has the logit 2 atanh √u = 2 asinh e^(y/2), of either sign
    const auto logit = [&](double y) { return k < 3 ? y : 2 * std::asinh(std::exp(0.5 * y)); };
    const double mean = k < 3 ? law[k]->expectation(logit) : 0;
    start_[k] = mean;
    scale_[k] = std::sqrt(law[k]->expectation([&](double y) { return (logit(y) - mean) * (logit(y) - mean); }));
  }

  double log_step = 0;
  {
    Stream stream(trial_key, 0, trial_key);
    Point y = start_;
    double log_p = log_density(y);
    for (int k = 0; k < trial_steps; ++k) {
      const bool accepted = advance(y, log_p, std::exp(log_step), stream);
      log_step += ((accepted ? 1.0 : 0.0) - 0.25) / std::pow(1 + k, 0.6);
    }
  }
  chain_.step = std::exp(log_step);

  // Chains that are short of 60 autocorrelation times are repeated longer, recording every fourth, sixteenth step.
  for (const int every : {1, 4, 16}) {
    int accepted = 0;
    std::vector<std::vector<std::vector<double>>> watched(6,
                                                          std::vector<std::vector<double>>(trials));  // B_ii; x, c, e as logits
    for (int t = 0; t < trials; ++t) {
      Stream stream(trial_key, 1 + t, trial_key);
      Point y = start_;
      double log_p = log_density(y);
      for (int k = 0; k < every * trial_steps / 4; ++k) advance(y, log_p, chain_.step, stream);
      for (int k = 0; k < every * trial_steps; ++k) {
        accepted += advance(y, log_p, chain_.step, stream);
        if (k % every != 0) continue;
        const Eigen::Matrix3d b = coordinates(y).matrix();
        for (int i = 0; i < 3; ++i) watched[i][t].push_back(b(i, i)), watched[3 + i][t].push_back(y[i]);
      }
    }
    acceptance_ = static_cast<double>(accepted) / (trials * trial_steps * every);
    chain_.autocorrelation_time = chain_.split_r_hat = 0;
    for (const auto& chains : watched) {
      chain_.autocorrelation_time = std::max(chain_.autocorrelation_time, every * autocorrelation_time(chains));
      chain_.split_r_hat = std::max(chain_.split_r_hat, split_r_hat(chains));
    }
    if (60 * chain_.autocorrelation_time < every * trial_steps) break;
  }
  // The slowest mode decays like e^(−2k/τ): after 10 τ the start is forgotten to e^-20.
  chain_.burn_in = static_cast<int>(std::ceil(10 * chain_.autocorrelation_time));
}

Eigen::Matrix3d KummerBetaSampler::draw_chain(Stream& stream) const {
  Point y = start_;
  double log_p = log_density(y);
  for (int k = 0; k < chain_.burn_in; ++k) advance(y, log_p, chain_.step, stream);
  return reordered(coordinates(y).matrix(), system_);
}

}  // namespace aleator::core
