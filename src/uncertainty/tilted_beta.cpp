#include "uncertainty/tilted_beta.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/dense.hpp"

namespace aleator::core {

namespace {

// log x and log(1−x) of x = 1/(1 + e^(−y)), both without cancellation
double log_x(double y) { return y < 0 ? y - std::log1p(std::exp(y)) : -std::log1p(std::exp(-y)); }
double logistic(double y) { return y < 0 ? std::exp(y) / (1 + std::exp(y)) : 1 / (1 + std::exp(-y)); }

double log_density_in_y(double a, double b, double tilt, double y) { return a * log_x(y) + b * log_x(-y) - tilt * logistic(y); }

constexpr double tail_stretch = 8;

// The mode in y: a − (a+b+τ) x + τ x² = 0 has one root in ]0, 1[; x/(1−x) of it, each from the form that does not cancel.
struct Mode {
  double y, width;  // width: 1/√(−∂² log p/∂y²)
};

Mode find_mode(double a, double b, double tilt) {
  const double root = std::hypot(tilt + b - a, 2 * std::sqrt(a * b));
  const double below = a + b + tilt + root, above = a + b - tilt + root;
  double x, rest;
  if (below > above) {
    x = 2 * a / below, rest = 1 - x;
    if (rest < 0.5) rest = 2 * b / above;
  } else {
    rest = 2 * b / above, x = 1 - rest;
    if (x < 0.5) x = 2 * a / below;
  }
  return {std::log(x / rest), 1 / std::sqrt(x * rest * root)};
}

}  // namespace

double tilted_beta_slope(double a, double b, double tilt, double x) { return a - x * (a + b + tilt - tilt * x); }

// The trapezoidal rule in t, y = mode + 8 sinh(t/8), converges exponentially: the density is analytic for |Im y| < π (π/2 where
// the tilt dominates), singular only near Re y = 0; the sinh shortens the tails of small a or b.
TiltedBeta::TiltedBeta(double shape_0, double shape_1, double tilt_) : a(shape_0), b(shape_1), tilt(tilt_) {
  const Mode mode = find_mode(a, b, tilt);
  const double h = std::min(0.25, 0.45 * mode.width), top = log_density_in_y(a, b, tilt, mode.y);
  constexpr double negligible = -40, stretch = tail_stretch;  // e^-40 = 4e-18
  double sum = 0;
  for (const int side : {-1, 1})
    for (int k = side < 0 ? 1 : 0;; ++k) {
      const double t = side * k * h / stretch, y = mode.y + stretch * std::sinh(t);
      const double log_p = log_density_in_y(a, b, tilt, y) - top;
      if (!(log_p >= negligible)) break;  // also where a wild tilt gives no number
      const double w = std::exp(log_p) * std::cosh(t);
      y_.push_back(y), x_.push_back(logistic(y)), w_.push_back(w);
      sum += w;
    }
  log_z = top + std::log(sum * h);
  for (double& w : w_) w /= sum;
  for (std::size_t k = 0; k < x_.size(); ++k) cumulant[0] += w_[k] * x_[k];
  double m2 = 0, m3 = 0, m4 = 0;
  for (std::size_t k = 0; k < x_.size(); ++k) {
    const double d = x_[k] - cumulant[0], d2 = d * d;
    m2 += w_[k] * d2, m3 += w_[k] * d2 * d, m4 += w_[k] * d2 * d2;
  }
  cumulant[1] = m2, cumulant[2] = m3, cumulant[3] = m4 - 3 * m2 * m2;
}

// Stieltjes' procedure on the fine rule gives the recurrence of the orthogonal polynomials, Golub & Welsch the nodes.
TiltedBeta::Rule TiltedBeta::gauss(int n) const {
  const std::size_t m = x_.size();
  const double centre = cumulant[0], scale = std::sqrt(cumulant[1]);  // polynomials of (x − centre)/scale stay of order one
  std::vector<double> previous(m, 0.0), current(m, 1.0);
  Eigen::VectorXd diagonal(n), beside(std::max(0, n - 1));
  for (int k = 0; k < n; ++k) {
    double norm = 0, moment = 0;
    for (std::size_t i = 0; i < m; ++i) {
      const double p = w_[i] * current[i] * current[i];
      norm += p, moment += p * (x_[i] - centre) / scale;
    }
    for (double& c : current) c /= std::sqrt(norm);  // orthonormal: overflow is out of reach
    const double alpha = moment / norm;
    diagonal[k] = alpha;
    if (k > 0) beside[k - 1] = std::sqrt(norm);
    if (k + 1 == n) break;
    for (std::size_t i = 0; i < m; ++i) {
      const double next = ((x_[i] - centre) / scale - alpha) * current[i] - (k > 0 ? std::sqrt(norm) : 0.0) * previous[i];
      previous[i] = current[i], current[i] = next;
    }
  }
  const auto [values, vectors] = dense::tridiagonal_eigen(diagonal, beside);
  Rule rule;
  for (int k = 0; k < n; ++k) {
    const double v = vectors(0, k);
    rule.x.push_back(std::clamp(centre + scale * values[k], 0.0, 1.0));
    rule.w.push_back(v * v);
  }
  return rule;
}

// In t, y = mode + 8 sinh t, which shortens the tails of small a or b as in the rule above. The ends are where the density is
// e^-50 of its top, the panels as wide as the steps of that rule.
TiltedBetaQuantile::TiltedBetaQuantile(const TiltedBeta& law) {
  const Mode mode = find_mode(law.a, law.b, law.tilt);
  const double top = log_density_in_y(law.a, law.b, law.tilt, mode.y), h = std::min(0.25, 0.45 * mode.width) / tail_stretch;
  const auto log_density = [a = law.a, b = law.b, tilt = law.tilt, y = mode.y, top](double t) {
    return log_density_in_y(a, b, tilt, y + tail_stretch * std::sinh(t)) - top;
  };
  int before = 1, after = 1;
  while (log_density(-before * h) > -50) ++before;
  while (log_density(after * h) > -50) ++after;
  mode_ = mode.y;
  t_ = {[log_density](double t) { return std::exp(log_density(t)) * std::cosh(t); }, -before * h, after * h, before + after};
}

double TiltedBetaQuantile::operator()(double u) const { return logistic(mode_ + tail_stretch * std::sinh(t_(u))); }

// Tails: the slope of log p is a parabola in x that is a at x = 0 and falls through zero at the mode, so below a point x_L
// under the mode it is at least min(a, slope at x_L); above the mode likewise with b.
TiltedBetaSampler::TiltedBetaSampler(const TiltedBeta& law) : a_(law.a), b_(law.b), tilt_(law.tilt) {
  const Mode mode = find_mode(a_, b_, tilt_);
  log_top_ = log_density_in_y(a_, b_, tilt_, mode.y);
  constexpr double drop = -6;  // where the tails start: e^-6
  double ends[2];
  for (const int side : {-1, 1}) {
    double near = 0, far = mode.width;
    while (log_density(mode.y + side * far) > drop) near = far, far *= 2;
    for (int k = 0; k < 40; ++k) {
      const double middle = 0.5 * (near + far);
      (log_density(mode.y + side * middle) > drop ? near : far) = middle;
    }
    ends[(side + 1) / 2] = mode.y + side * far;
  }
  left_ = ends[0], width_ = (ends[1] - ends[0]) / steps_;
  left_slope_ = std::min(a_, tilted_beta_slope(a_, b_, tilt_, logistic(ends[0])));
  right_slope_ = std::min(b_, -tilted_beta_slope(a_, b_, tilt_, logistic(ends[1])));
  left_height_ = std::exp(log_density(left_)), right_height_ = std::exp(log_density(left_ + width_ * steps_));
  double sum = area_[0] = left_height_ / left_slope_;
  for (int k = 0; k < steps_; ++k) {
    const double y0 = left_ + k * width_, y1 = left_ + (k + 1) * width_;
    const double p0 = std::exp(log_density(y0)), p1 = std::exp(log_density(y1));
    const bool top = y0 <= mode.y && mode.y <= y1;
    // A rounding unit above, for the comparison with log_density in draw.
    height_[k] = (top ? 1.0 : std::max(p0, p1)) * (1 + 1e-12), floor_[k] = std::min(p0, p1) * (1 - 1e-12);
    area_[k + 1] = sum += height_[k] * width_;
  }
  area_[steps_ + 1] = sum += right_height_ / right_slope_;
  acceptance_ = std::exp(law.log_z - log_top_) / sum;
}

double TiltedBetaSampler::log_density(double y) const { return log_density_in_y(a_, b_, tilt_, y) - log_top_; }

double TiltedBetaSampler::draw(Stream& stream) const {
  const double right = left_ + width_ * steps_;
  for (;;) {
    const double at = stream.uniform() * area_.back(), u = stream.uniform();
    const int k = static_cast<int>(std::upper_bound(area_.begin(), area_.end() - 1, at) - area_.begin()) - 1;
    if (k < 0) {  // left tail: hat left_height e^(slope (y − left))
      const double y = left_ + std::log(at / area_[0]) / left_slope_;
      if (std::log(u) + std::log(left_height_) + left_slope_ * (y - left_) <= log_density(y)) return logistic(y);
    } else if (k == steps_) {
      const double y = right - std::log((area_.back() - at) / (area_.back() - area_[steps_])) / right_slope_;
      if (std::log(u) + std::log(right_height_) - right_slope_ * (y - right) <= log_density(y)) return logistic(y);
    } else {
      const double y = left_ + (k + (at - area_[k]) / (area_[k + 1] - area_[k])) * width_;
      const double level = u * height_[k];
      if (level <= floor_[k] || std::log(level) <= log_density(y)) return logistic(y);
    }
  }
}

}  // namespace aleator::core
