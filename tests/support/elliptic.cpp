#include "support/elliptic.hpp"

#include <cmath>
#include <numbers>
#include <vector>

namespace aleator::core::test {

double elliptic_K(double m) {
  double a = 1, b = std::sqrt(1 - m);
  for (int i = 0; i < 40 && std::abs(a - b) > 1e-16 * a; ++i) {
    const double mean = 0.5 * (a + b);
    b = std::sqrt(a * b);
    a = mean;
  }
  return std::numbers::pi / (2 * a);
}

// a_{n+1} = (a_n + b_n)/2, b_{n+1} = √(a_n b_n), c_{n+1} = (a_n − b_n)/2; φ_N = 2^N a_N u, sin(2φ_{n−1} − φ_n) = c_n/a_n sin φ_n.
Jacobi jacobi(double u, double m) {
  std::vector<double> a = {1}, c = {std::sqrt(m)};
  double b = std::sqrt(1 - m);
  while (std::abs(c.back()) > 1e-17 * a.back() && a.size() < 20) {
    const double last = a.back();
    a.push_back(0.5 * (last + b));
    c.push_back(0.5 * (last - b));
    b = std::sqrt(last * b);
  }
  const int n = int(a.size()) - 1;
  double phi = std::ldexp(a[n] * u, n);
  for (int i = n; i >= 1; --i) phi = 0.5 * (phi + std::asin(c[i] / a[i] * std::sin(phi)));
  const double sn = std::sin(phi);
  return {sn, std::cos(phi), std::sqrt(1 - m * sn * sn)};
}

double CubicOscillation::rate() const { return 0.5 * std::sqrt(c * (u3 - u1)); }

double CubicOscillation::operator()(double t) const {
  const double sn = jacobi(rate() * t + elliptic_K(parameter()), parameter()).sn;
  return u1 + (u2 - u1) * sn * sn;
}

double integral(const std::function<double(double)>& f, double a, double b, int parts) {
  const double x[5] = {0, 0.53846931010568309, -0.53846931010568309, 0.90617984593866399, -0.90617984593866399};
  const double w[5] = {0.56888888888888889, 0.47862867049936647, 0.47862867049936647, 0.23692688505618909, 0.23692688505618909};
  const double half = 0.5 * (b - a) / parts;
  double sum = 0;
  for (int i = 0; i < parts; ++i)
    for (int k = 0; k < 5; ++k) sum += w[k] * f(a + half * (2 * i + 1 + x[k]));
  return half * sum;
}

}  // namespace aleator::core::test
