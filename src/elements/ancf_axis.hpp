// What beams and cables of absolute nodal coordinates share: the centreline c(x), 0 ≤ x ≤ l, ξ = x/l, between two nodes that
// carry position r and slope r_x = ∂r/∂x, and the five Gauss points along it.
//
//   c  = (1 − 3ξ² + 2ξ³) r_1 + l (ξ − 2ξ² + ξ³) r_x1 + (3ξ² − 2ξ³) r_2 + l (ξ³ − ξ²) r_x2
//   c' = g + u (r_x1 − g) + w (r_x2 − g),   g = (r_2 − r_1)/l,   u = 1 − 4ξ + 3ξ²,   w = 3ξ² − 2ξ
//
// Mass and gravity come from a line density ρA that may differ between Gauss points:
//   m_ab = ∫ρA N_a N_b dx,   g_a = ∫ρA N_a dx,   N = (N_r1, N_rx1, N_r2, N_rx2);  exact where ρA is constant.
#pragma once

#include "elements/beam_section.hpp"
#include "numerics/vec.hpp"

namespace aleator::core::ancf {

enum class Elasticity { continuum, enhanced };  // of beams; see ancf_beam.hpp

struct Station {  // what an element is made of at a Gauss point
  BeamSection section;
  double young, poisson, density;
};

inline constexpr int points = 5;
inline constexpr double gauss_xi[points] = {0.046910077030668004, 0.23076534494715845, 0.5, 0.76923465505284155,
                                            0.95308992296933200};
inline constexpr double gauss_weight[points] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                                                0.23931433524968324, 0.11846344252809454};

constexpr double slope_first(double xi) { return 1 - 4 * xi + 3 * xi * xi; }  // u of c'
constexpr double slope_second(double xi) { return 3 * xi * xi - 2 * xi; }     // w
constexpr double bump(double xi) { return xi * (1 - xi); }

// Numbers that depend on ξ alone, in all lanes.
template <class T>
struct AtXi {
  T xi, first, second, bump;  // ξ, u, w, ξ(1 − ξ)
};
template <class T>
ALEATOR_INLINE AtXi<T> at_xi(double xi) {
  return {T(xi), T(slope_first(xi)), T(slope_second(xi)), T(bump(xi))};
}

// The same at the Gauss points, from a table.
struct GaussTable {
  double value[points][4];
};
inline constexpr GaussTable gauss_table = [] {
  GaussTable t{};
  for (int g = 0; g < points; ++g) {
    const double xi = gauss_xi[g];
    t.value[g][0] = xi;
    t.value[g][1] = slope_first(xi);
    t.value[g][2] = slope_second(xi);
    t.value[g][3] = bump(xi);
  }
  return t;
}();
template <class T>
ALEATOR_INLINE AtXi<T> at_gauss(int g) {
  const auto& t = gauss_table.value[g];
  return {T(t[0]), T(t[1]), T(t[2]), T(t[3])};
}

// N_r1, N_rx1, N_r2, N_rx2
template <class T>
ALEATOR_HD void hermite(const T& length, const T& xi, T (&n)[4]) {
  const T square = xi * xi, cube = square * xi;
  n[2] = T(3) * square - T(2) * cube;
  n[0] = T(1) - n[2];
  n[1] = length * (xi - T(2) * square + cube);
  n[3] = length * (cube - square);
}

// ∂N/∂x
template <class T>
ALEATOR_HD void hermite_slope(const T& length, const T& xi, T (&n)[4]) {
  const T square = xi * xi;
  n[2] = T(6) * (xi - square) / length;
  n[0] = -n[2];
  n[1] = T(1) - T(4) * xi + T(3) * square;
  n[3] = T(3) * square - T(2) * xi;
}

// Upper triangle of a symmetric matrix of n rows, row by row.
constexpr int packed(int n, int a, int b) {
  const int i = a < b ? a : b, j = a < b ? b : a;
  return i * n - i * (i - 1) / 2 + j - i;
}

// ρA at the Gauss points → m (packed) and g
inline void axis_mass(double length, const double (&line_density)[points], double (&m)[10], double (&g)[4]) {
  for (double& x : m) x = 0;
  for (double& x : g) x = 0;
  for (int p = 0; p < points; ++p) {
    double n[4];
    hermite(length, gauss_xi[p], n);
    const double dm = line_density[p] * gauss_weight[p] * length;
    for (int a = 0; a < 4; ++a) {
      g[a] += dm * n[a];
      for (int b = a; b < 4; ++b) m[packed(4, a, b)] += dm * n[a] * n[b];
    }
  }
}

// K += factor m on the vectors of the axis of an element E
template <class E, class T>
ALEATOR_HD void add_axis_mass(const T (&m)[10], const T& factor, T* K) {
  constexpr int D = E::dimension;
  for (int a = 0; a < 4; ++a)
    for (int b = 0; b < 4; ++b)
      for (int i = 0; i < D; ++i) K[(D * E::axis(a) + i) * E::size + D * E::axis(b) + i] += factor * m[packed(4, a, b)];
}

// ½ v·M v of an element E
template <class E, class T>
ALEATOR_HD T kinetic_energy(const typename E::template Parameters<T>& p, const Vec<T, E::dimension>* v) {
  Vec<T, E::dimension> momentum[E::vectors];
  for (auto& x : momentum) x = Vec<T, E::dimension>::zero();
  E::add_inertia(p, v, momentum);
  T sum(0);
  for (int k = 0; k < E::vectors; ++k) sum += dot(v[k], momentum[k]);
  return T(0.5) * sum;
}

template <class T, int D>
struct Resultants {  // of the part with larger x on the part with smaller x, inertial axes
  Vec<T, D> force;
  Vec<T, D == 2 ? 1 : 3> moment;  // about the axis c(x)
};

// Weights of values at the Gauss points that give the value at ξ: the polynomial through all five, or the line between two
// neighbours, constant beyond the outermost.
inline void polynomial_weights(double xi, double (&w)[points]) {
  for (int p = 0; p < points; ++p) {
    w[p] = 1;
    for (int q = 0; q < points; ++q)
      if (q != p) w[p] *= (xi - gauss_xi[q]) / (gauss_xi[p] - gauss_xi[q]);
  }
}
inline void linear_weights(double xi, double (&w)[points]) {
  for (double& x : w) x = 0;
  int p = 0;
  while (p < points - 2 && xi > gauss_xi[p + 1]) ++p;
  const double s = (xi - gauss_xi[p]) / (gauss_xi[p + 1] - gauss_xi[p]);
  w[p + 1] = s < 0 ? 0 : s > 1 ? 1 : s;
  w[p] = 1 - w[p + 1];
}

}  // namespace aleator::core::ancf
