// Chebyshev coefficients of Re A tⁿ exp(z t + q t²) on many pieces: sines whose frequency rises or falls, with growth or decay. With the
// middle m and the half width h of a piece, t = m + h s,
//
//        exp(z t + q t²) = exp(z m + q m²) exp(β s + γ s²),        β = (z + 2 q m) h,   γ = q h².
//
// The values at the nodes cost a cosine each (and an exponential where it grows or decays); what 17 of them leave out is bounded beforehand by the
// series of exp(|β| s + |γ| s²), whose coefficients are the larger ones.
#pragma once

#include <span>
#include <vector>

#include "numerics/exponentials.hpp"

namespace aleator::core {

class Sweep {
 public:
  Sweep(const Exponentials::Term& term, std::span<const double> middle, std::span<const double> half);

  // What the coefficients leave out, at most, in units that make up to `tolerance` acceptable: more is where rounding t makes a larger
  // error anyway. Infinite where the phase is too large to be known.
  double rest(double tolerance) const;
  // [pieces][17]
  void add_to(std::span<double> coefficients) const;

 private:
  struct Part {
    std::vector<double> re, im;  // [pieces]
  };
  void grow(std::size_t first, std::size_t n, std::vector<double>& y) const;

  const Exponentials::Term term_;
  std::span<const double> middle_, half_;
  const bool grows_;           // or decays
  bool grows_slowly_ = true;   // within each piece
  std::vector<double> phase_;  // [pieces] of the values in the middle, within a turn
  std::vector<double> size_;   // [pieces] and their size
  Part slope_, bend_;          // β, γ
  bool known_ = true;
};

}  // namespace aleator::core
