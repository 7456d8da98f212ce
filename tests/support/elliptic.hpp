// Elliptic functions by the arithmetic-geometric mean (Abramowitz & Stegun 16.4, 17.6), and the motions made of them.
// The parameter is m = k² throughout.
#pragma once

#include <functional>

namespace aleator::core::test {

// Complete elliptic integral of the first kind, 0 ≤ m < 1.
double elliptic_K(double m);

struct Jacobi {
  double sn, cn, dn;
};
Jacobi jacobi(double u, double m);

// The solution of  u̇² = c (u − u1)(u2 − u)(u3 − u),  u1 ≤ u ≤ u2 < u3, that starts at the top, u(0) = u2:
//   u = u1 + (u2 − u1) sn²(w t + K),  w = ½ √(c (u3 − u1)),  m = (u2 − u1)/(u3 − u1);  period 2K/w.
// Spherical pendulums (u = height) and heavy tops (u = cosine of the tilt) move like this.
struct CubicOscillation {
  double c, u1, u2, u3;
  double parameter() const { return (u2 - u1) / (u3 - u1); }
  double rate() const;
  double period() const { return 2 * elliptic_K(parameter()) / rate(); }
  double operator()(double t) const;
};

// ∫ f from a to b, f smooth: composite Gauss-Legendre, 5 points on each of n parts.
double integral(const std::function<double(double)>& f, double a, double b, int parts = 200);

}  // namespace aleator::core::test
