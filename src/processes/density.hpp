// Spectral densities of stationary processes. One convention inside: S(ω) two-sided, per rad/s, so that
//   Var x = ∫_{−∞}^{∞} S dω = 2 ∫_0^∞ S dω.
// A one-sided density G(f) per Hz is 4π S(2π f).
#pragma once

#include <functional>
#include <limits>
#include <numbers>
#include <utility>
#include <vector>

namespace aleator::core::processes {

inline constexpr double pi = std::numbers::pi;

struct Density {
  std::function<double(double omega)> two_sided;             // for ω ≥ 0
  double lowest = 0;                                         // rad/s: it is 0 below,
  double highest = std::numeric_limits<double>::infinity();  // and above
  double scale = 1;                                          // rad/s: a frequency in the middle of it
  std::vector<double> kinks = {};                            // between, where it bends or jumps

  double operator()(double omega) const { return omega < lowest || omega > highest ? 0 : two_sided(omega); }
};

Density kanai_tajimi(double S0, double omega_g, double zeta_g);
Density clough_penzien(double S0, double omega_g, double zeta_g, double omega_f, double zeta_f);
// Displacement under a wheel: G_d(n) = roughness (n/n0)^−waviness, n0 = 0.1 1/m, for n from `least` to `most` cycles/m.
Density road(double roughness, double waviness, double speed, double least, double most);
// Elevation of the sea: ∫_0^∞ G dω = height²/16 (up to the 1 % that the factor 1 − 0.287 ln γ is off).
Density jonswap(double height, double period, double gamma);
// Longitudinal turbulence: n G/σ² = 4 x/(1 + 70.8 x²)^(5/6) and 4 x/(1 + 6 x)^(5/3), x = n L/U.
Density von_karman(double deviation, double length, double speed);
Density kaimal(double deviation, double length, double speed);
// White noise through Σ b_k s^k / Σ a_k s^k.
Density filtered(double S0, const std::vector<double>& numerator, const std::vector<double>& denominator);
// Straight lines in logarithmic scales between points (ω, S), S > 0; 0 outside.
Density table(std::vector<std::pair<double, double>> points);

// Twice the integral of S over [a, b], to about 1e-6 of it.
double variance_between(const Density& s, double a, double b);
// The same over all frequencies; infinite where it does not converge.
double variance(const Density& s);
// The frequency below which a share of the variance lies.
double quantile(const Density& s, double share);
// The mean rate of upward crossings of the mean, 1/s, of what is below a frequency: √(∫ω²S/∫S)/2π; and its spread √(1 − m1²/(m0 m2)), 0 for a sine.
struct Bandwidth {
  double crossings, spread;
};
Bandwidth bandwidth(const Density& s, double cutoff);

}  // namespace aleator::core::processes
