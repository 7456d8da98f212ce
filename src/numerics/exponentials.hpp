// Functions of time that are a line and a sum of exponentials times powers of time, as most drives and loads are:
// f(t) = c + b t + Re Σ A tⁿ exp(z t + q t²),  A sin(ωt + φ) = Re(−iA exp(iφ) exp(iωt)).  Their Chebyshev coefficients are in closed form where
// q = 0: nothing is evaluated or fitted. With the middle m and the half width h of a piece (DLMF 10.35),
//
//        exp(z (m + h s)) = exp(z m) (I_0(z h) + 2 Σ_k I_k(z h) T_k(s)),        t = m + h s,   s T_k = (T_{k−1} + T_{k+1})/2.
//
// With q, a sweep of frequency, they are those of the values at the nodes, and what these leave out is bounded beforehand.
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "numerics/piecewise.hpp"

namespace aleator::core {

struct Exponentials {
  struct Term {
    std::complex<double> amplitude, rate;  // A, z
    int power = 0;                         // n
    std::complex<double> bend = 0;         // q
  };
  double constant = 0, slope = 0;  // c, b
  std::vector<Term> terms;
};

// The function on the pieces of a fit of another realization, all of them halved until they resolve it to 1e-13 of its size. Nothing
// where six halvings do not do, the other one has breakpoints, or it is a polynomial.
std::optional<PiecewisePolynomial> refit(const Exponentials& f, const PiecewisePolynomial& like);

}  // namespace aleator::core
