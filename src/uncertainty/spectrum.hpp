// The spectrum of a homogeneous field along a line, from its correlation ρ(d) (Wiener–Khinchin): two-sided, per rad/m, of a field with
// variance 1,
//   S(κ) = (1/π) ∫₀^∞ ρ(d) cos(κ d) dd,   ∫_{−∞}^{∞} S(κ) dκ = 1.
// In closed form, with a = √3/length (matern32) or √5/length (matern52):
//   exponential          length / (π (1 + κ² length²))
//   squared_exponential  length / (2 √π) · exp(−κ² length²/4)
//   matern32             2 a³ / (π (a² + κ²)²)
//   matern52             8 a⁵ / (3π (a² + κ²)³)
//   table                Σ_i s_i (cos κd_{i+1} − cos κd_i) / (π κ²), s_i its slopes; what it keeps after its last entry is power at κ = 0
#pragma once

#include <span>
#include <vector>

#include "uncertainty/correlation.hpp"

namespace aleator::core {

double spectrum(const Correlation& correlation, double wave_number);  // of a table without its power at κ = 0

// The share of the variance that wave numbers |κ'| ≤ κ have.
double power_below(const Correlation& correlation, double wave_number);

// Weights w_i ≥ 0, Σ w_i = 1, of values D_i at rising wave numbers that begin with 0, so that
//   ∫_{−∞}^{∞} D(|κ|) S(κ) dκ = Σ_i w_i D_i   where D is linear between them, and constant after the last.
// A table that is no correlation (some S < 0) counts as if these parts had no power.
std::vector<double> spectral_weights(const Correlation& correlation, std::span<const double> wave_numbers);

}  // namespace aleator::core
