// A mechanism with one freedom s and conserved energy has ṡ² = 2 (E − V(s)) / m(s), so the time at which it reaches s is an
// integral: t(s) = ∫ ds / ṡ(s). What remains of a simulation is checked against it without any time stepping.
#pragma once

#include <array>
#include <cmath>

namespace aleator::core::test {

// ∫ f from a to b by Gauss-Legendre with five points in panels of at most `panel`: the error is that of the tenth power of it.
template <class T, class F>
T integral(F&& f, T a, T b, T panel) {
  static constexpr std::array<long double, 3> x = {0, 0.538469310105683091036314420700208805L,
                                                   0.906179845938663992797626878299392965L};
  static constexpr std::array<long double, 3> w = {
      0.568888888888888888888888888888888889L, 0.478628670499366468041291514835638193L, 0.236926885056189087514264040719917363L};
  const int panels = std::max(1, int(std::ceil(std::abs(double((b - a) / panel)))));
  const T half = (b - a) / (2 * panels);
  T sum = 0;
  for (int i = 0; i < panels; ++i) {
    const T middle = a + (2 * i + 1) * half;
    for (int k = 2; k >= 1; --k) sum += T(w[k]) * f(middle - T(x[k]) * half);  // in rising order: f may follow a solution
    sum += T(w[0]) * f(middle);
    for (int k = 1; k <= 2; ++k) sum += T(w[k]) * f(middle + T(x[k]) * half);
  }
  return half * sum;
}

}  // namespace aleator::core::test
