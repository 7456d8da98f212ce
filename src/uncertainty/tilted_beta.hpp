// The law of one number between 0 and 1 whose density is a beta density tilted by an exponential:
//   p(x) ∝ x^(a−1) (1−x)^(b−1) e^(−τ x),   a, b > 0.
// It is the Kummer–Beta law of a 1 × 1 matrix, and the building block of that of a 3 × 3 matrix.
// In y = log(x/(1−x)) its density exp(a log x + b log(1−x) − τ x) has one maximum and exponential tails for all parameters.
#pragma once

#include <array>
#include <vector>

#include "uncertainty/quantile_table.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core {

struct TiltedBeta {
  TiltedBeta(double shape_0, double shape_1, double tilt_);

  double a, b, tilt;
  double log_z = 0;                  // of ∫ x^(a−1) (1−x)^(b−1) e^(−τ x) dx
  std::array<double, 4> cumulant{};  // mean, variance, third, fourth

  struct Rule {
    std::vector<double> x, w;  // [n], Σ w = 1
  };
  Rule gauss(int n) const;  // exact for polynomials of degree 2n − 1 under p

  template <class F>
  double expectation(F&& f_of_y) const {
    double sum = 0;
    for (std::size_t k = 0; k < y_.size(); ++k) sum += w_[k] * f_of_y(y_[k]);
    return sum;
  }

 private:
  std::vector<double> y_, x_, w_;  // [points] of the trapezoidal rule in y; Σ w = 1
};

// Quantiles of the law, to round-off and smooth in u: from a table of the distribution function of y.
class TiltedBetaQuantile {
 public:
  TiltedBetaQuantile() = default;
  explicit TiltedBetaQuantile(const TiltedBeta& law);
  double operator()(double u) const;

 private:
  double mode_ = 0;
  QuantileTable t_;  // y = mode + 8 sinh(t)
};

// ∂ log p/∂y = a − (a + b + τ) x + τ x², positive below the mode and negative above.
double tilted_beta_slope(double a, double b, double tilt, double x);

// Exact draws by rejection from steps between exponential tails, in y: one maximum makes the ends of a step its bounds.
class TiltedBetaSampler {
 public:
  TiltedBetaSampler() = default;
  explicit TiltedBetaSampler(const TiltedBeta& law);
  double draw(Stream& stream) const;
  double acceptance() const { return acceptance_; }

 private:
  static constexpr int steps_ = 256;
  double log_density(double y) const;  // relative to the mode

  double a_ = 1, b_ = 1, tilt_ = 0, log_top_ = 0;                   // law; log density at the mode
  double left_ = 0, width_ = 1, left_slope_ = 1, right_slope_ = 1;  // steps start at left_; decay of the tails
  std::array<double, steps_> height_{}, floor_{};                   // bounds of the density in a step, relative to the mode
  std::array<double, steps_ + 2> area_{};                           // of the hat, summed: left tail, steps, right tail
  double left_height_ = 0, right_height_ = 0, acceptance_ = 1;
};

}  // namespace aleator::core
