// Gauss-Legendre points and weights on [a, b], by Newton's method on the Legendre polynomial: independent of tables in the program.
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

namespace aleator::core::test {

struct GaussPoint {
  double x, weight;
};

inline std::vector<GaussPoint> gauss_points(int n, double a, double b) {
  std::vector<GaussPoint> r;
  for (int i = 0; i < n; ++i) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 1;
    for (int iteration = 0; iteration < 20; ++iteration) {
      double last = 0, value = 1;
      for (int k = 0; k < n; ++k) {
        const double next = ((2 * k + 1) * x * value - k * last) / (k + 1);
        last = value, value = next;
      }
      slope = n * (x * value - last) / (x * x - 1);
      x -= value / slope;
    }
    r.push_back({a + (b - a) * (x + 1) / 2, (b - a) / ((1 - x * x) * slope * slope)});
  }
  return r;
}

}  // namespace aleator::core::test
