#include "inference/input_integral.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "base/parallel.hpp"
#include "inference/unit_cube.hpp"
#include "numerics/dense.hpp"

namespace aleator::core::inference {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr long each = 256;  // points around a maximum
constexpr double negligible_log =
    60;                       // log p(y_k | x_i) below the largest by this cannot count, whatever p(x; w) is where it matters
constexpr double core = 1.1;  // widths of the two parts around a maximum, in standard deviations …
constexpr double tails = 3;   // … and the share of the wider one
constexpr double tail_share = 0.25;
constexpr int most_modes = 3;
// A ridge: what a specimen leaves unknown is long in some directions, in standard deviations of the inputs, and narrow in the others, so
// that a slight bend takes it out of a normal density.
constexpr double long_way = 0.3;
constexpr double slender = 10;         // times as long as wide
constexpr long stations = 16;          // along it at a time …
constexpr double reach = 1.2;          // … with this standard deviation …
constexpr double wide_station = 0.35;  // … and as wide as this …
constexpr long at_station = 32;        // … with so many points
constexpr double effective = 100;      // points that an integral should rest on
constexpr std::size_t portion = 64;    // points or specimens for one thread at a time

template <class F>
void in_portions(std::size_t n, const F& f) {
  each_in_parallel((n + portion - 1) / portion, [&](std::size_t part) {
    for (std::size_t i = part * portion; i < std::min(n, (part + 1) * portion); ++i) f(i);
  });
}

// Normal numbers number k of a sequence that fills space evenly, in pairs (Box & Muller).
VectorXd even_normals(Index d, long k) {
  const Place u = EvenPlaces(int(d + d % 2))(k);
  VectorXd out(d);
  for (Index c = 0; c < d; ++c) {
    const std::size_t pair = std::size_t(c - c % 2);
    const double angle = 2 * std::numbers::pi * u[pair + 1];
    out[c] = std::sqrt(-2 * std::log(1 - u[pair])) * (c % 2 == 0 ? std::cos(angle) : std::sin(angle));
  }
  return out;
}

}  // namespace

// Of one w.
struct InputIntegral::Sums {
  std::vector<double> g;  // [points]
  double mean_g = 0, var_g = 0;
  std::vector<double> integral;  // [specimens], less best_
  std::vector<double> control;   // [specimens] b
};

double InputIntegral::Part::density(const VectorXd& z) const {
  double square = 0;  // |Lᵀ (z − mean)|²/wide²
  for (Index i = mean.size() - 1; i >= 0; --i) {
    double sum = 0;
    for (Index j = i; j < mean.size(); ++j) sum += factor(j, i) * (z[j] - mean[j]);
    square += sum * sum / (wide * wide);
    if (square > 1400) return 0;
  }
  return std::exp(-0.5 * square) * factor.diagonal().prod() *
         std::pow(wide * std::sqrt(2 * std::numbers::pi), -double(mean.size()));
}

InputIntegral::InputIntegral(NoiseDensity noise, Simulate simulate, const std::vector<bool>& positive,
                             const std::vector<Inputs>& scouts, LogInputDensity scout_density)
    : noise_(std::move(noise)),
      simulate_(std::move(simulate)),
      scout_density_(std::move(scout_density)),
      scale_(positive, scouts),
      scouts_(long(scouts.size())) {
  const std::size_t n = std::size_t(noise_.specimens());
  terms_.resize(n), best_.assign(n, -infinite), misfits_.assign(n, infinite);
  MatrixXd scouted(Index(n), Index(scouts.size()));  // log p(y_k | x_i)
  const auto responses = simulate_(scouts);
  simulations_ = scouts_;
  in_portions(scouts.size(), [&](std::size_t i) {
    for (std::size_t k = 0; k < n; ++k) scouted(Index(k), Index(i)) = noise_.log_density(int(k), responses[i], -infinite);
  });
  for (const Inputs& x : scouts) x_.push_back(x), z_.push_back(scale_.place(x));
  find_peaks(scouted);
  for (std::size_t k = 0; k < n; ++k) {
    best_[k] = std::max(best_[k], scouted.row(Index(k)).maxCoeff());
    for (Index i = 0; i < scouted.cols(); ++i)
      if (scouted(Index(k), i) > best_[k] - negligible_log) terms_[k].push_back({int(i), scouted(Index(k), i)});
  }
  simulate_parts(0);
}

// Scouts from which a specimen may be reached: the best ones that are apart from each other, without the first of them.
std::vector<ModeStart> InputIntegral::starts(const VectorXd& log_densities, int specimen, std::size_t first,
                                             std::size_t count) const {
  const double nearest = 0.15;  // standard deviations
  std::vector<int> order(std::size_t(log_densities.size()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return log_densities[a] > log_densities[b]; });
  std::vector<ModeStart> chosen;
  for (const int i : order) {
    if (chosen.size() == first + count || log_densities[i] == -infinite) break;
    const VectorXd& z = z_[std::size_t(i)];
    if (std::all_of(chosen.begin(), chosen.end(), [&](const ModeStart& s) { return (s.z - z).cwiseAbs().maxCoeff() > nearest; }))
      chosen.push_back({specimen, z});
  }
  chosen.erase(chosen.begin(), chosen.begin() + long(std::min(first, chosen.size())));
  return chosen;
}

Simulate InputIntegral::counted() {
  return [this](const std::vector<Inputs>& inputs) {
    simulations_ += long(inputs.size());
    return simulate_(inputs);
  };
}

// From a few scouts each; of specimens that are not followed to within their noise from more, since there may be other minima.
void InputIntegral::find_peaks(const MatrixXd& scouted) {
  const std::size_t d = scale_.inputs(), few = 3 + d, more = 12;
  std::vector<ModeStart> all;
  const auto begin_with = [&](int k, std::size_t first, std::size_t count) {
    const std::vector<ModeStart> s = starts(scouted.row(k), k, first, count);
    all.insert(all.end(), s.begin(), s.end());
  };
  for (int k = 0; k < noise_.specimens(); ++k) begin_with(k, 0, few);
  std::vector<InputMode> modes = find_modes(all, noise_, scale_, counted());
  const auto take_misfits = [&] {
    for (const InputMode& m : modes) misfits_[std::size_t(m.specimen)] = std::min(misfits_[std::size_t(m.specimen)], m.misfit);
  };
  take_misfits();
  all.clear();
  for (int k = 0, tried = 0; k < noise_.specimens() && tried < 20; ++k) {
    const double points = double(noise_.points(k));
    if (misfits_[std::size_t(k)] > points + 5 * std::sqrt(2 * points)) begin_with(k, few, more), ++tried;
  }
  const std::vector<InputMode> others = find_modes(all, noise_, scale_, counted());
  modes.insert(modes.end(), others.begin(), others.end());
  take_misfits();
  for (const InputMode& m : distinct(std::move(modes), most_modes)) {
    best_[std::size_t(m.specimen)] = std::max(best_[std::size_t(m.specimen)], -0.5 * m.misfit);
    const bool first = ridges_.empty() || ridges_.back().specimen != m.specimen;
    if (first) ridges_.push_back(ridge_of(m));
    add_parts(m.z, m.precision,
              first || ridges_.back().along.cols() == 0 ? each : at_station);  // others may be on the same ridge
  }
  std::vector<const Ridge*> known;
  for (const Ridge& r : ridges_) known.push_back(&r);
  add_stations(known);
}

InputIntegral::Ridge InputIntegral::ridge_of(const InputMode& m) {
  const auto [values, vectors] = dense::symmetric_eigen(m.precision);  // ascending: 1/length²
  const Index d = values.size();
  Index n = 0;
  while (n < d && values[n] < 1 / (long_way * long_way)) ++n;
  const bool is_ridge = n > 0 && n < d && values[n] > slender * slender * values[n - 1];
  return {m.specimen, m.z, vectors.leftCols(is_ridge ? n : 0)};
}

// Points around stations spread along ridges, each station taken back onto its ridge; other ones at every call.
void InputIntegral::add_stations(const std::vector<const Ridge*>& ridges) {
  std::vector<ModeStart> all;
  for (const Ridge* r : ridges)
    for (long k = 1; k <= stations && r->along.cols() > 0; ++k) {
      const VectorXd z = r->peak + r->along * (reach * even_normals(r->along.cols(), stationed_ + k));
      all.push_back({r->specimen, z, z, 1 / (wide_station * wide_station)});
    }
  stationed_ += stations;
  for (const InputMode& m : find_modes(all, noise_, scale_, counted())) add_parts(m.z, m.precision, at_station);
}

void InputIntegral::add_parts(const VectorXd& mean, const MatrixXd& precision, long points) {
  const MatrixXd factor = dense::cholesky_factor(precision);
  if (factor.size() == 0) return;
  const long wide = long(tail_share * double(points));
  parts_.push_back({mean, factor, core, points - wide});
  parts_.push_back({mean, factor, tails, wide});
}

void InputIntegral::simulate_parts(std::size_t first) {
  std::vector<Inputs> inputs;
  for (std::size_t p = first; p < parts_.size(); ++p)
    for (long k = 0; k < parts_[p].points; ++k) {
      VectorXd white = even_normals(parts_[p].mean.size(), ++drawn_);
      dense::solve_lower_transposed(parts_[p].factor, white);
      inputs.push_back(scale_.inputs_at(parts_[p].mean + parts_[p].wide * white));
    }
  add_points(inputs);
  weigh();
}

void InputIntegral::add_points(const std::vector<Inputs>& inputs) {
  constexpr std::size_t block = 2048;  // responses in memory
  for (std::size_t first = 0; first < inputs.size(); first += block) {
    const std::vector<Inputs> some(inputs.begin() + long(first), inputs.begin() + long(std::min(inputs.size(), first + block)));
    const auto responses = simulate_(some);
    simulations_ += long(some.size());
    const int before = int(x_.size());
    for (const Inputs& x : some) x_.push_back(x), z_.push_back(scale_.place(x));
    in_portions(terms_.size(), [&](std::size_t k) {
      for (std::size_t i = 0; i < some.size(); ++i) {
        const double l = noise_.log_density(int(k), responses[i], best_[k] - negligible_log);
        if (!(l > best_[k] - negligible_log)) continue;
        best_[k] = std::max(best_[k], l);
        terms_[k].push_back({before + int(i), l});
      }
    });
  }
}

// q(x) = (scouts p̄(x) + Σ_parts points N(z(x)) |dz/dx|)/N, the balance heuristic (Veach & Guibas 1995).
void InputIntegral::weigh() {
  log_q_.resize(x_.size());
  in_portions(x_.size(), [&](std::size_t i) {
    double sum = 0;
    for (const Part& p : parts_) sum += double(p.points) * p.density(z_[i]);
    const double scouted = scout_density_(x_[i]);
    log_q_[i] = std::log((sum * std::exp(scale_.log_slope(x_[i])) + double(scouts_) * std::exp(scouted)) / double(x_.size()));
  });
}

InputIntegral::Sums InputIntegral::sums(const LogInputDensity& p) const {
  Sums s;
  const std::size_t n = x_.size();
  s.g.resize(n);
  in_portions(n, [&](std::size_t i) {
    const double log_p = p(x_[i]);
    s.g[i] = log_p == -infinite || log_q_[i] == -infinite ? 0 : std::exp(log_p - log_q_[i]);
  });
  for (const double g : s.g) s.mean_g += g / double(n);
  for (const double g : s.g) s.var_g += (g - s.mean_g) * (g - s.mean_g) / double(n);
  s.integral.resize(terms_.size()), s.control.resize(terms_.size());
  in_portions(terms_.size(), [&](std::size_t k) {
    double mean = 0, product = 0;
    for (const Term& t : terms_[k]) {
      const double g = s.g[std::size_t(t.point)], f = g * std::exp(t.log_density - best_[k]) / double(n);
      mean += f, product += f * g;
    }
    s.control[k] = (product - mean * s.mean_g) / (s.var_g + 1);
    const double corrected = mean - s.control[k] * (s.mean_g - 1);
    // A correction of its own size says nothing.
    if (!(corrected > 0.2 * mean && corrected < 5 * mean)) s.control[k] = 0;
    s.integral[k] = mean - s.control[k] * (s.mean_g - 1);
  });
  return s;
}

double InputIntegral::log_likelihood(const LogInputDensity& p) const {
  const Sums s = sums(p);
  double sum = 0;
  for (std::size_t k = 0; k < terms_.size(); ++k) sum += best_[k] + std::log(s.integral[k]);
  return std::isfinite(sum) ? sum : -infinite;
}

// What each point contributes to the log-likelihood, to first order: Σ_k (f_ki − b_k g_i)/(N I_k).
VectorXd InputIntegral::influences(const Sums& s) const {
  VectorXd a = VectorXd::Zero(Index(x_.size()));
  double controlled = 0;
  for (std::size_t k = 0; k < terms_.size(); ++k) {
    if (!(s.integral[k] > 0)) continue;
    for (const Term& t : terms_[k]) a[t.point] += s.g[std::size_t(t.point)] * std::exp(t.log_density - best_[k]) / s.integral[k];
    controlled += s.control[k] / s.integral[k];
  }
  for (Index i = 0; i < a.size(); ++i) a[i] -= controlled * s.g[std::size_t(i)];
  return a / double(x_.size());
}

double InputIntegral::error_of_difference(const LogInputDensity& p, const LogInputDensity& other) const {
  VectorXd a = influences(sums(p)) - influences(sums(other));
  a.array() -= a.mean();
  return a.norm();
}

bool InputIntegral::refine(const std::vector<LogInputDensity>& densities) {
  std::vector<Sums> all;
  for (const LogInputDensity& p : densities) all.push_back(sums(p));
  const std::size_t first = parts_.size();
  const Index d = Index(scale_.inputs());
  std::vector<const Ridge*> ridges;
  for (std::size_t k = 0; k < terms_.size(); ++k) {
    // The mean of p(x | y_k; w) over the densities, by weights of the points.
    VectorXd weights = VectorXd::Zero(Index(terms_[k].size()));
    double least = infinite;
    for (const Sums& s : all) {
      VectorXd own(weights.size());
      for (Index i = 0; i < own.size(); ++i) {
        const Term& t = terms_[k][std::size_t(i)];
        own[i] = s.g[std::size_t(t.point)] * std::exp(t.log_density - best_[k]);
      }
      if (!(own.sum() > 0)) continue;
      least = std::min(least, own.sum() * own.sum() / own.squaredNorm());
      weights += own / own.sum();
    }
    if (!(least < effective)) continue;
    const auto ridge = std::find_if(ridges_.begin(), ridges_.end(), [&](const Ridge& r) { return r.specimen == int(k); });
    if (ridge != ridges_.end() && ridge->along.cols() > 0) {
      ridges.push_back(&*ridge);
      continue;
    }
    weights /= weights.sum();
    VectorXd mean = VectorXd::Zero(d);
    MatrixXd covariance = MatrixXd::Zero(d, d);
    for (Index i = 0; i < weights.size(); ++i) mean += weights[i] * z_[std::size_t(terms_[k][std::size_t(i)].point)];
    for (Index i = 0; i < weights.size(); ++i) {
      const VectorXd off = z_[std::size_t(terms_[k][std::size_t(i)].point)] - mean;
      covariance += weights[i] * off * off.transpose();
    }
    covariance *= 1 + 10 / least;  // few points say little about it
    covariance.diagonal().array() += 1e-12;
    MatrixXd lower = dense::cholesky_factor(covariance);
    if (lower.size() == 0) continue;
    add_parts(mean, dense::solve_cholesky(lower, MatrixXd(MatrixXd::Identity(d, d))), each);
  }
  if (!ridges.empty()) add_stations(ridges);
  if (parts_.size() == first) return false;
  simulate_parts(first);
  return true;
}

}  // namespace aleator::core::inference
