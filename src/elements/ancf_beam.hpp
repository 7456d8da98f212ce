// Shear-deformable beam of absolute nodal coordinates: <2, 1> in the plane, <3, 2> in space.
//
// Each of two nodes carries position r, slope r_x and one director r_y (plane) or two, r_y and r_z (space). A point of the beam is
//   r(x, y, z) = c(x) + y d_2(x) + z d_3(x),      c cubic (ancf_axis.hpp), d_i = (1 − ξ) d_i1 + ξ d_i2,  d_i' = (d_i2 − d_i1)/l
// The Green strain is a polynomial in y and z,
//   ε11 = E + y K_2 + z K_3 + y² Q_22 + z² Q_33 + y z Q_23,   ε_ii = N_i,   2ε_23 = N_23,   2ε_1i = Γ_i + y T_i2 + z T_i3
//   E = ½(c'·c' − 1),  K_i = c'·d_i',  Q_ii = ½ d_i'·d_i',  Q_23 = d_2'·d_3',  N_i = ½(d_i·d_i − 1),  N_23 = d_2·d_3,
//   Γ_i = c'·d_i,  T_ij = d_i·d_j'
// whose coefficients are the products of the vectors q = (c', d_i, d_i') of a point, every product once. So a point has the strains
//   s_a = ½ q_a·q_a,   s_ab = q_a·q_b  (a < b),    less their values in the reference configuration,
// and, with z = s + τ ṡ (Kelvin–Voigt; τ = 0: elastic), the stress resultants and the forces on q
//   S_a = Σ_b C_ab z_b,   S_ab = k_ab z_ab,        P_a = S_a q_a + Σ_b S_ab q_b.
// C and k are the law of the material integrated over the section in closed form; along x there are five Gauss points, each with
// its own material and section. An initially curved element is strained relative to its reference, with the reference x as length;
// that a fibre at y is shorter by the factor 1 − y κ is neglected.
//
// Elasticity
//   continuum  the isotropic law for the polynomial as it is: plane strain in the plane, three-dimensional in space. It locks: bending
//              has the modulus λ + 2G, shear and torsion have no correction.
//   enhanced   Poisson's ratio couples only E and N (in the plane: plane stress); what varies over the section has ν = 0. Shear has the
//              factor k of the section, torsion its J. Three things keep few elements from being too stiff:
//              - Linear directors bend as if the moment were constant in an element. The flexibility l²/12EI that this leaves out is added
//                to that of shear, 1/k* = 1/kGA + l²/12EI (residual bending flexibility, MacNeal 1978): a cantilever with a load at its tip is
//                exact at the nodes. The shear angle Γ is then one of the element, not of the material.
//              - Directors turned against each other are shorter between the nodes than at them. N and N_23 are therefore interpolated
//                between their values at the nodes: N_i + ξ(1 − ξ) l² Q_ii, N_23 + ξ(1 − ξ) l² Q_23.
//              - Full integration: with fewer points r_x would have a motion without energy.
#pragma once

#include <type_traits>

#include "elements/ancf_axis.hpp"
#include "elements/ancf_planar_force.hpp"
#include "numerics/vec.hpp"

namespace aleator::core {

// Small loops whose trip count is known, unrolled so that what they fill stays in registers.
#if defined(__clang__) || defined(__CUDACC__)
#define ALEATOR_UNROLL _Pragma("unroll")
#else
#define ALEATOR_UNROLL _Pragma("GCC unroll 16")
#endif

template <int D, int N>
struct AncfBeam {
  static_assert((D == 2 && N == 1) || (D == 3 && N == 2));
  static constexpr int dimension = D;
  static constexpr int node_vectors = 2 + N;             // r, r_x, r_y (, r_z)
  static constexpr int vectors = 2 * node_vectors;       // of node 1, then of node 2
  static constexpr int size = D * vectors;               // coordinates
  static constexpr int points = ancf::points;            // along the axis
  static constexpr int axes = 1 + 2 * N;                 // q: c', d_i, d_i'
  static constexpr int pairs = axes * (axes - 1) / 2;    // a < b
  static constexpr int couples = axes * (axes + 1) / 2;  // a ≤ b
  static constexpr int turns = D == 2 ? 1 : 3;           // entries of a moment

  using Elasticity = ancf::Elasticity;
  using Station = ancf::Station;

  template <class T>
  struct Point {
    // Relative to E and not to C_00: where Poisson's ratio is random, quotients of the C_ab would differ between realizations by round-off alone.
    T young;            // E · weight · l
    T normal[couples];  // C_ab / E, packed: the same in all realizations if Young's modulus alone is random
    T mixed[pairs];     // k_ab / E
    T square[axes];     // s_a of the reference
    T product[pairs];   // s_ab of the reference
  };

  template <class T>
  struct Parameters {  // nothing but T's
    T length, inverse_length;
    T bubble;  // 1 where N is interpolated between the nodes, else 0
    T mass_damping, stiffness_damping;
    T axis_mass[10];         // of r_1, r_x1, r_2, r_x2, packed
    T director_mass[N][3];   // of d_i1, d_i2, packed
    T mass_moment[vectors];  // ∫ρ S_k dV: gravity acts on e_k with mass_moment[k] g
    Point<T> point[points];
  };
  static constexpr int parameter_count = sizeof(Parameters<double>) / sizeof(double);

  // Where the vectors of the axis and of director i stand among the vectors of the element.
  static constexpr int axis(int a) { return (a / 2) * node_vectors + a % 2; }  // a: r_1, r_x1, r_2, r_x2
  static constexpr int director(int i, int node) { return node * node_vectors + 2 + i; }
  static constexpr int pair(int a, int b) {  // among (0,1), (0,2), …, (1,2), …
    return ancf::packed(axes, a, b) - (a < b ? a : b) - 1;
  }

  // --- parameters ----------------------------------------------------------------------------------------------------

  static Parameters<double> parameters(Elasticity elasticity, double length, const Station (&stations)[points],
                                       const Vec<double, D> (&reference)[vectors], double mass_damping,
                                       double stiffness_damping) {
    Parameters<double> p{};
    p.length = length;
    p.inverse_length = 1 / length;
    p.bubble = elasticity == Elasticity::enhanced ? 1 : 0;
    p.mass_damping = mass_damping;
    p.stiffness_damping = stiffness_damping;
    set_mass(stations, p);
    const Lines<double> lines = gather(p, reference);
    for (int g = 0; g < points; ++g) {
      Point<double>& point = p.point[g];
      set_stiffness(elasticity, length, stations[g], point);
      point.young = stations[g].young * ancf::gauss_weight[g] * length;
      Vec<double, D> q[axes];
      at(lines, ancf::at_gauss<double>(g), q);
      for (int a = 0; a < axes; ++a) {
        point.square[a] = 0.5 * dot(q[a], q[a]);
        for (int b = a + 1; b < axes; ++b) point.product[pair(a, b)] = dot(q[a], q[b]);
      }
    }
    return p;
  }

  // --- forces --------------------------------------------------------------------------------------------------------

  // f_k = ∂U/∂e_k
  template <class T>
  ALEATOR_HD static void elastic_force(const Parameters<T>& p, const Vec<T, D>* e, Vec<T, D>* f) {
    if constexpr (D == 2)
      ancf::planar_force(p, e, f);
    else
      integrate<false>(p, e, static_cast<const Vec<T, D>*>(nullptr), f);
  }

  // f_k = ∂U/∂e_k, with τ, + α M v
  template <class T>
  ALEATOR_HD static void force(const Parameters<T>& p, const Vec<T, D>* e, const Vec<T, D>* v, Vec<T, D>* f) {
    integrate<true>(p, e, v, f);
    add_inertia(p, p.mass_damping, v, f);
  }

  template <class T>
  ALEATOR_HD static T energy(const Parameters<T>& p, const Vec<T, D>* e) {
    const Lines<T> lines = gather(p, e);
    T sum(0);
    for (int g = 0; g < points; ++g) {
      Vec<T, D> q[axes];
      const AtXi<T> x = ancf::at_gauss<T>(g);
      at(lines, x, q);
      Strain<T> z, s;
      strain<false>(p.point[g], q, q, z);
      interpolate(bubble(p, x), z);
      stress(p.point[g], z, s);
      for (int a = 0; a < axes; ++a) sum += T(0.5) * z.square[a] * s.square[a];
      for (int k = 0; k < pairs; ++k) sum += z.product[k] * s.product[k];
    }
    return T(0.5) * sum;
  }

  // K += cK ∂f/∂e + cC ∂f/∂v, K[size · size] by rows. With  q~ = cK (q + τ q̇) + cC τ q  the block of q_a, q_b is
  //   a ≠ b:  C_ab q_a q~_bᵀ + k_ab q_b q~_aᵀ + cK S_ab I        a = b:  C_aa q_a q~_aᵀ + Σ_c k_ac q_c q~_cᵀ + cK S_aa I
  template <class T>
  ALEATOR_HD static void tangent(const Parameters<T>& p, const Vec<T, D>* e, const Vec<T, D>* v, const T& cK, const T& cC, T* K) {
    integrate_tangent<true>(p, e, v, cK, cC, K);
    add_mass(p, cC * p.mass_damping, K);
  }
  // The same without damping: K += cK ∂²U/∂e², symmetric, at about two thirds of the cost.
  template <class T>
  ALEATOR_HD static void elastic_tangent(const Parameters<T>& p, const Vec<T, D>* e, const T& cK, T* K) {
    integrate_tangent<false>(p, e, e, cK, T(0), K);
  }

  // --- inertia -------------------------------------------------------------------------------------------------------

  // out += M a
  template <class T>
  ALEATOR_HD static void add_inertia(const Parameters<T>& p, const Vec<T, D>* a, Vec<T, D>* out) {
    add_inertia(p, T(1), a, out);
  }
  // out += factor M a
  template <class T>
  ALEATOR_HD static void add_inertia(const Parameters<T>& p, const T& factor, const Vec<T, D>* a, Vec<T, D>* out) {
    const auto add = [&](int k, int m, const T& mass) { out[k] = add_scaled(factor * mass, a[m], out[k]); };
    ALEATOR_UNROLL for (int i = 0; i < 4; ++i) ALEATOR_UNROLL for (int j = 0; j < 4; ++j)
        add(axis(i), axis(j), p.axis_mass[ancf::packed(4, i, j)]);
    ALEATOR_UNROLL for (int i = 0; i < N; ++i) ALEATOR_UNROLL for (int j = 0; j < 4; ++j)
        add(director(i, j / 2), director(i, j % 2), p.director_mass[i][ancf::packed(2, j / 2, j % 2)]);
  }

  // K += factor M
  template <class T>
  ALEATOR_HD static void add_mass(const Parameters<T>& p, const T& factor, T* K) {
    ancf::add_axis_mass<AncfBeam>(p.axis_mass, factor, K);
    const auto add = [&](int k, int m, const T& mass) {
      for (int i = 0; i < D; ++i) K[(D * k + i) * size + D * m + i] += factor * mass;
    };
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < 4; ++j) add(director(i, j / 2), director(i, j % 2), p.director_mass[i][ancf::packed(2, j / 2, j % 2)]);
  }

  template <class T>
  ALEATOR_HD static T kinetic_energy(const Parameters<T>& p, const Vec<T, D>* v) {
    return ancf::kinetic_energy<AncfBeam>(p, v);
  }

  // --- points of the beam --------------------------------------------------------------------------------------------

  // r(ξ l, y, z) = Σ s_k e_k
  template <class T>
  ALEATOR_HD static void position_weights(const T& length, const std::type_identity_t<T>& xi, const std::type_identity_t<T>& y,
                                          const std::type_identity_t<T>& z, T (&s)[vectors]) {
    T n[4];
    ancf::hermite(length, xi, n);
    for (int a = 0; a < 4; ++a) s[axis(a)] = n[a];
    for (int i = 0; i < N; ++i) {
      s[director(i, 0)] = (T(1) - xi) * (i == 0 ? y : z);
      s[director(i, 1)] = xi * (i == 0 ? y : z);
    }
  }
  // c'(ξ l) = Σ s_k e_k
  template <class T>
  ALEATOR_HD static void slope_weights(const T& length, const std::type_identity_t<T>& xi, T (&s)[vectors]) {
    T n[4];
    ancf::hermite_slope(length, xi, n);
    for (T& x : s) x = T(0);
    for (int a = 0; a < 4; ++a) s[axis(a)] = n[a];
  }
  // d_i(ξ l) = Σ s_k e_k, i = 0 (r_y), 1 (r_z)
  template <class T>
  ALEATOR_HD static void director_weights(const T& xi, int i, T (&s)[vectors]) {
    for (T& x : s) x = T(0);
    s[director(i, 0)] = T(1) - xi;
    s[director(i, 1)] = xi;
  }

  // --- what can be observed ------------------------------------------------------------------------------------------

  template <class T>
  struct Strains {   // relative to the reference
    T axial;         // E
    T bending[N];    // K_i
    T shear[N];      // Γ_i
    T thickness[N];  // N_i
    T twist;         // ½ (T_32 − T_23); 0 in the plane
  };

  // At any ξ; the strains of the reference are polynomials of degree 4 at most, so five values give them everywhere.
  template <class T>
  ALEATOR_HD static Strains<T> strains(const Parameters<T>& p, const Vec<T, D>* e, double xi) {
    Vec<T, D> q[axes];
    at(gather(p, e), ancf::at_xi<T>(xi), q);
    Strain<T> z;
    strain<false>(point_at(p, xi), q, q, z);
    Strains<T> r;
    r.axial = T(0.5) * z.square[0];
    r.twist = T(0);
    for (int i = 0; i < N; ++i) {
      r.bending[i] = z.product[pair(0, 1 + N + i)];
      r.shear[i] = z.product[pair(0, 1 + i)];
      r.thickness[i] = T(0.5) * z.square[1 + i];
    }
    if constexpr (N == 2) r.twist = T(0.5) * (z.product[pair(2, 3)] - z.product[pair(1, 4)]);
    return r;
  }

  template <class T>
  using Resultants = ancf::Resultants<T, D>;

  // n = ∂U/∂c',  m = Σ d_i × ∂U/∂d_i',  at any ξ; the stiffness between Gauss points is interpolated linearly. Directors being
  // linear, the moment is that of the middle of the element: best read at ξ = ½. (What the interpolation of N adds to ∂U/∂d_i' is
  // not a stress and is left out.)
  template <class T>
  ALEATOR_HD static Resultants<T> resultants(const Parameters<T>& p, const Vec<T, D>* e, const Vec<T, D>* v, double xi) {
    const AtXi<T> x = ancf::at_xi<T>(xi);
    const Lines<T> lines = gather(p, e);
    Lines<T> lines_ahead;
    Vec<T, D> q[axes], h[axes], P[axes];
    at(lines, x, q);
    look_ahead(p, lines, v, lines_ahead);
    at(lines_ahead, x, h);
    const Point<T> point = point_at(p, xi);
    Strain<T> z, s;
    strain<true>(point, q, h, z);
    interpolate(bubble(p, x), z);
    stress(point, z, s);
    pull(s, q, P);
    Resultants<T> r{P[0], cross(q[1], P[1 + N])};
    for (int i = 1; i < N; ++i) r.moment += cross(q[1 + i], P[1 + N + i]);
    return r;
  }

 private:
  template <class T>
  using AtXi = ancf::AtXi<T>;

  // The vectors from which those of a point are interpolated.
  template <class T>
  struct Lines {
    Vec<T, D> chord;           // (r_2 − r_1)/l
    Vec<T, D> slope[2];        // r_x
    Vec<T, D> director[N][2];  // d_i
    Vec<T, D> turn[N];         // d_i'
  };

  template <class T>
  struct Strain {
    T square[axes], product[pairs];
  };

  template <class T>
  ALEATOR_INLINE static Lines<T> gather(const Parameters<T>& p, const Vec<T, D>* e) {
    Lines<T> r;
    r.chord = p.inverse_length * (e[axis(2)] - e[axis(0)]);
    r.slope[0] = e[axis(1)];
    r.slope[1] = e[axis(3)];
    ALEATOR_UNROLL for (int i = 0; i < N; ++i) {
      r.director[i][0] = e[director(i, 0)];
      r.director[i][1] = e[director(i, 1)];
      r.turn[i] = p.inverse_length * (r.director[i][1] - r.director[i][0]);
    }
    return r;
  }

  // q = (c', d_i, d_i') at ξ
  template <class T>
  ALEATOR_INLINE static void at(const Lines<T>& lines, const AtXi<T>& x, Vec<T, D> (&q)[axes]) {
    q[0] = add_scaled(x.first, lines.slope[0] - lines.chord, lines.chord);
    q[0] = add_scaled(x.second, lines.slope[1] - lines.chord, q[0]);
    ALEATOR_UNROLL for (int i = 0; i < N; ++i) {
      q[1 + i] = add_scaled(x.xi, lines.director[i][1] - lines.director[i][0], lines.director[i][0]);
      q[1 + N + i] = lines.turn[i];
    }
  }

  // q + 2τ q̇, with which  z_a = s_a + τ ṡ_a = ½ q_a·h_a  and  z_ab = ½ (q_a·h_b + h_a·q_b)
  template <class T>
  ALEATOR_INLINE static void look_ahead(const Parameters<T>& p, const Lines<T>& q, const Vec<T, D>* v, Lines<T>& h) {
    const Lines<T> rate = gather(p, v);
    const T twice = p.stiffness_damping + p.stiffness_damping;
    h.chord = add_scaled(twice, rate.chord, q.chord);
    ALEATOR_UNROLL for (int k = 0; k < 2; ++k) {
      h.slope[k] = add_scaled(twice, rate.slope[k], q.slope[k]);
      ALEATOR_UNROLL for (int i = 0; i < N; ++i) h.director[i][k] = add_scaled(twice, rate.director[i][k], q.director[i][k]);
    }
    ALEATOR_UNROLL for (int i = 0; i < N; ++i) h.turn[i] = add_scaled(twice, rate.turn[i], q.turn[i]);
  }

  // start + a·b
  template <class T>
  ALEATOR_INLINE static T dot_from(const T& start, const Vec<T, D>& a, const Vec<T, D>& b) {
    T sum = start;
    ALEATOR_UNROLL for (int i = 0; i < D; ++i) sum = multiply_add(a[i], b[i], sum);
    return sum;
  }

  // 2 z_a and z_ab from q and h; elastic: h = q
  template <bool damped, class T>
  ALEATOR_INLINE static void strain(const Point<T>& point, const Vec<T, D> (&q)[axes], const Vec<T, D> (&h)[axes], Strain<T>& z) {
    ALEATOR_UNROLL for (int a = 0; a < axes; ++a) {
      z.square[a] = dot_from(T(-2) * point.square[a], q[a], damped ? h[a] : q[a]);
      ALEATOR_UNROLL for (int b = a + 1; b < axes; ++b) {
        const int k = pair(a, b);
        if constexpr (damped) {
          z.product[k] = multiply_add(T(0.5), dot(q[a], h[b]) + dot(h[a], q[b]), -point.product[k]);
        } else {
          z.product[k] = dot_from(-point.product[k], q[a], q[b]);
        }
      }
    }
  }

  // ξ(1 − ξ) l² or 0
  template <class T>
  ALEATOR_INLINE static T bubble(const Parameters<T>& p, const AtXi<T>& x) {
    return x.bump * (p.bubble * p.length * p.length);
  }

  // N_i += β Q_ii, N_23 += β Q_23, and the transposed map for the resultants.
  template <class T>
  ALEATOR_INLINE static void interpolate(const T& beta, Strain<T>& z) {
    ALEATOR_UNROLL for (int i = 0; i < N; ++i) z.square[1 + i] = multiply_add(beta, z.square[1 + N + i], z.square[1 + i]);
    if constexpr (N == 2) z.product[pair(1, 2)] += beta * z.product[pair(3, 4)];
  }
  template <class T>
  ALEATOR_INLINE static void interpolate_transposed(const T& beta, Strain<T>& s) {
    ALEATOR_UNROLL for (int i = 0; i < N; ++i) s.square[1 + N + i] = multiply_add(beta, s.square[1 + i], s.square[1 + N + i]);
    if constexpr (N == 2) s.product[pair(3, 4)] += beta * s.product[pair(1, 2)];
  }

  template <class T>
  ALEATOR_INLINE static void stress(const Point<T>& point, const Strain<T>& z, Strain<T>& s) {
    const T half = T(0.5) * point.young;  // of the squares, which are twice the strains
    ALEATOR_UNROLL for (int a = 0; a < axes; ++a) {
      s.square[a] = point.normal[ancf::packed(axes, a, 0)] * z.square[0];
      ALEATOR_UNROLL for (int b = 1; b < axes; ++b) s.square[a] =
          multiply_add(point.normal[ancf::packed(axes, a, b)], z.square[b], s.square[a]);
      s.square[a] = half * s.square[a];
    }
    ALEATOR_UNROLL for (int k = 0; k < pairs; ++k) s.product[k] = half * ((point.mixed[k] + point.mixed[k]) * z.product[k]);
  }

  // P_a = S_a q_a + Σ_b S_ab q_b; those of c' and d_i alone: count = 1 + N
  template <int count = axes, class T>
  ALEATOR_INLINE static void pull(const Strain<T>& s, const Vec<T, D> (&q)[axes], Vec<T, D> (&P)[count]) {
    ALEATOR_UNROLL for (int a = 0; a < count; ++a) {
      P[a] = s.square[a] * q[a];
      ALEATOR_UNROLL for (int b = 0; b < axes; ++b) if (b != a) P[a] = add_scaled(s.product[pair(a, b)], q[b], P[a]);
    }
  }

  template <bool damped, class T>
  ALEATOR_INLINE static void integrate(const Parameters<T>& p, const Vec<T, D>* e, const Vec<T, D>* v, Vec<T, D>* f) {
    const Lines<T> lines = gather(p, e);
    Lines<T> lines_ahead;
    if constexpr (damped) look_ahead(p, lines, v, lines_ahead);
    // Forces on the lines. Weights that sum to one are not multiplied twice: c' and d collect their sums first.
    Vec<T, D> slope_sum = Vec<T, D>::zero(), slope[2] = {slope_sum, slope_sum}, sum[N], second[N], turn[N];
    ALEATOR_UNROLL for (int i = 0; i < N; ++i) sum[i] = second[i] = turn[i] = Vec<T, D>::zero();
    T along[N * (N + 1) / 2];  // of d_i' on each other, which are the same at all points: their resultants are added up
    for (T& x : along) x = T(0);
    for (int g = 0; g < points; ++g) {
      const AtXi<T> x = ancf::at_gauss<T>(g);
      Vec<T, D> q[axes], h[axes], P[1 + N];
      at(lines, x, q);
      if constexpr (damped) at(lines_ahead, x, h);
      Strain<T> z, s;
      strain<damped>(p.point[g], q, h, z);
      const T beta = bubble(p, x);
      interpolate(beta, z);
      stress(p.point[g], z, s);
      interpolate_transposed(beta, s);
      pull<1 + N>(s, q, P);
      slope_sum += P[0];
      slope[0] = add_scaled(x.first, P[0], slope[0]);
      slope[1] = add_scaled(x.second, P[0], slope[1]);
      ALEATOR_UNROLL for (int i = 0; i < N; ++i) {
        sum[i] += P[1 + i];
        second[i] = add_scaled(x.xi, P[1 + i], second[i]);
        ALEATOR_UNROLL for (int b = 0; b <= N; ++b) turn[i] = add_scaled(s.product[pair(b, 1 + N + i)], q[b], turn[i]);
        along[ancf::packed(N, i, i)] += s.square[1 + N + i];
      }
      if constexpr (N == 2) along[ancf::packed(N, 0, 1)] += s.product[pair(3, 4)];
    }
    ALEATOR_UNROLL for (int i = 0; i < N; ++i) ALEATOR_UNROLL for (int j = 0; j < N; ++j) turn[i] =
        add_scaled(along[ancf::packed(N, i, j)], lines.turn[j], turn[i]);
    const Vec<T, D> chord = p.inverse_length * (slope_sum - slope[0] - slope[1]);
    f[axis(0)] = T(-1) * chord;
    f[axis(1)] = slope[0];
    f[axis(2)] = chord;
    f[axis(3)] = slope[1];
    ALEATOR_UNROLL for (int i = 0; i < N; ++i) {
      const Vec<T, D> couple = p.inverse_length * turn[i];
      f[director(i, 0)] = sum[i] - second[i] - couple;
      f[director(i, 1)] = second[i] + couple;
    }
  }

  // The stiffness of (E, N, Q) with N interpolated, divided by E:  C → BᵀCB, and k of (N_23, Q_23) gains a coupling.
  template <class T>
  struct Stiffness {
    T normal[axes][axes], mixed[pairs], coupling;
  };
  template <class T>
  ALEATOR_HD static Stiffness<T> interpolated(const Point<T>& point, const T& beta) {
    Stiffness<T> r;
    for (int a = 0; a < axes; ++a)
      for (int b = 0; b < axes; ++b) r.normal[a][b] = point.normal[ancf::packed(axes, a, b)];
    for (int i = 0; i < N; ++i)
      for (int b = 0; b < axes; ++b) r.normal[1 + N + i][b] += beta * r.normal[1 + i][b];
    for (int i = 0; i < N; ++i)
      for (int a = 0; a < axes; ++a) r.normal[a][1 + N + i] += beta * r.normal[a][1 + i];
    for (int k = 0; k < pairs; ++k) r.mixed[k] = point.mixed[k];
    r.coupling = T(0);
    if constexpr (N == 2) {
      r.coupling = beta * r.mixed[pair(1, 2)];
      r.mixed[pair(3, 4)] += beta * r.coupling;
    }
    return r;
  }

  // The tangent is summed with respect to  g, r_x1 − g, r_x2 − g  (on which c' depends with 1, u, w),  d_i1  and  d_i' = t_i:
  // d_i = d_i1 + ξ l t_i. These have the rows 0, 1, 2; 3 …; 3 + N ….
  static constexpr int rows = 3 + 2 * N;
  template <class T>
  struct Sums {
    T x[rows][rows][D][D];
  };

  template <bool damped, class T>
  ALEATOR_HD static void integrate_tangent(const Parameters<T>& p, const Vec<T, D>* e, const Vec<T, D>* v, const T& cK,
                                           const T& cC, T* K) {
    const Lines<T> lines = gather(p, e);
    Lines<T> lines_ahead;
    if constexpr (damped) look_ahead(p, lines, v, lines_ahead);
    const T half = T(0.5) * cK, rest = half + cC * p.stiffness_damping;  // q~ = E (½ cK (q + h) + cC τ q)
    Sums<T> sums;
    for (int r = 0; r < rows; ++r)
      for (int c = damped ? 0 : r; c < rows; ++c)
        for (int i = 0; i < D; ++i)
          for (int j = 0; j < D; ++j) sums.x[r][c][i][j] = T(0);
    for (int g = 0; g < points; ++g) {
      const AtXi<T> x = ancf::at_gauss<T>(g);
      Vec<T, D> q[axes], h[axes], along[axes];
      at(lines, x, q);
      if constexpr (damped) at(lines_ahead, x, h);
      const T stiff = p.point[g].young * (damped ? half : cK), stiff_rest = p.point[g].young * rest;
      ALEATOR_UNROLL for (int a = 0; a < axes; ++a) {
        if constexpr (damped) {
          along[a] = add_scaled(stiff, h[a], stiff_rest * q[a]);
        } else {
          along[a] = stiff * q[a];
        }
      }
      Strain<T> z, s;
      strain<damped>(p.point[g], q, h, z);
      const T beta = bubble(p, x);
      interpolate(beta, z);
      stress(p.point[g], z, s);
      interpolate_transposed(beta, s);
      T block[axes][axes][D][D];
      set_blocks<damped>(interpolated(p.point[g], beta), s, q, along, cK, block);
      refer_to_first_node(p.length * x.xi, block);
      add_blocks<damped>(x, block, sums);
    }
    if constexpr (!damped) mirror(sums);
    add_to_coordinates(p, sums, K);
  }

  // Blocks of q_a, q_b; without damping b ≥ a is computed and the rest is its transpose.
  template <bool damped, class T>
  ALEATOR_INLINE static void set_blocks(const Stiffness<T>& k, const Strain<T>& s, const Vec<T, D> (&q)[axes],
                                        const Vec<T, D> (&along)[axes], const T& cK, T (&block)[axes][axes][D][D]) {
    ALEATOR_UNROLL for (int a = 0; a < axes; ++a) ALEATOR_UNROLL for (int b = damped ? 0 : a; b < axes; ++b) {
      T(&x)[D][D] = block[a][b];
      const T initial = cK * (a == b ? s.square[a] : s.product[pair(a, b)]);
      ALEATOR_UNROLL for (int i = 0; i < D; ++i) ALEATOR_UNROLL for (int j = 0; j < D; ++j) x[i][j] = i == j ? initial : T(0);
      const auto add = [&](const T& stiffness, int c, int d) {  // + stiffness q_c q~_dᵀ
        ALEATOR_UNROLL for (int i = 0; i < D; ++i) {
          const T left = stiffness * q[c][i];
          ALEATOR_UNROLL for (int j = 0; j < D; ++j) x[i][j] = multiply_add(left, along[d][j], x[i][j]);
        }
      };
      add(k.normal[a][b], a, b);
      if (a != b) {
        add(k.mixed[pair(a, b)], b, a);
      } else {
        ALEATOR_UNROLL for (int c = 0; c < axes; ++c) if (c != a) add(k.mixed[pair(a, c)], c, c);
      }
      if constexpr (N == 2) {  // N_23 with Q_23
        if (a >= 1 && b >= 1 && (a <= 2) != (b <= 2)) add(k.coupling, partner(a), partner(b));
      }
      if constexpr (!damped) {
        if (a != b) {
          ALEATOR_UNROLL for (int i = 0; i < D; ++i) ALEATOR_UNROLL for (int j = 0; j < D; ++j) block[b][a][j][i] = x[i][j];
        }
      }
    }
  }
  // The other director, or the other derivative of a director.
  static constexpr int partner(int a) { return a <= 2 ? 3 - a : 7 - a; }

  // d_i = d_i1 + ξ l t_i: what acts on d_i acts on t_i too. Rows, then columns.
  template <class T>
  ALEATOR_INLINE static void refer_to_first_node(const T& x, T (&block)[axes][axes][D][D]) {
    ALEATOR_UNROLL for (int n = 0; n < N; ++n) ALEATOR_UNROLL for (int b = 0; b < axes; ++b)
        ALEATOR_UNROLL for (int i = 0; i < D; ++i) ALEATOR_UNROLL for (int j = 0; j < D; ++j) block[1 + N + n][b][i][j] =
            multiply_add(x, block[1 + n][b][i][j], block[1 + N + n][b][i][j]);
    ALEATOR_UNROLL for (int n = 0; n < N; ++n) ALEATOR_UNROLL for (int a = 0; a < axes; ++a)
        ALEATOR_UNROLL for (int i = 0; i < D; ++i) ALEATOR_UNROLL for (int j = 0; j < D; ++j) block[a][1 + N + n][i][j] =
            multiply_add(x, block[a][1 + n][i][j], block[a][1 + N + n][i][j]);
  }

  template <bool damped, class T>
  ALEATOR_INLINE static void add_blocks(const AtXi<T>& x, const T (&block)[axes][axes][D][D], Sums<T>& sums) {
    const auto add = [](T(&to)[D][D], const T& weight, const T(&b)[D][D]) {
      ALEATOR_UNROLL for (int i = 0; i < D; ++i) ALEATOR_UNROLL for (int j = 0; j < D; ++j) to[i][j] =
          multiply_add(weight, b[i][j], to[i][j]);
    };
    const auto plus = [](T(&to)[D][D], const T(&b)[D][D]) {
      ALEATOR_UNROLL for (int i = 0; i < D; ++i) ALEATOR_UNROLL for (int j = 0; j < D; ++j) to[i][j] += b[i][j];
    };
    auto& L = sums.x;
    const auto& c = block[0][0];
    const T uw = x.first * x.second;
    plus(L[0][0], c);
    add(L[0][1], x.first, c);
    add(L[0][2], x.second, c);
    add(L[1][1], x.first * x.first, c);
    add(L[1][2], uw, c);
    add(L[2][2], x.second * x.second, c);
    if constexpr (damped) {
      add(L[1][0], x.first, c);
      add(L[2][0], x.second, c);
      add(L[2][1], uw, c);
    }
    ALEATOR_UNROLL for (int b = 1; b < axes; ++b) {
      plus(L[0][2 + b], block[0][b]);
      add(L[1][2 + b], x.first, block[0][b]);
      add(L[2][2 + b], x.second, block[0][b]);
      if constexpr (damped) {
        plus(L[2 + b][0], block[b][0]);
        add(L[2 + b][1], x.first, block[b][0]);
        add(L[2 + b][2], x.second, block[b][0]);
      }
      ALEATOR_UNROLL for (int a = 1; a < axes; ++a) if (damped || a <= b) plus(L[2 + a][2 + b], block[a][b]);
    }
  }

  template <class T>
  ALEATOR_HD static void mirror(Sums<T>& sums) {
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < r; ++c)
        for (int i = 0; i < D; ++i)
          for (int j = 0; j < D; ++j) sums.x[r][c][i][j] = sums.x[c][r][j][i];
  }

  // K += Bᵀ sums B, where the rows of sums are B e: columns first, then rows.
  template <class T>
  ALEATOR_HD static void add_to_coordinates(const Parameters<T>& p, const Sums<T>& sums, T* K) {
    T half[rows][D][vectors][D];
    for (int r = 0; r < rows; ++r)
      for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) {
          T in[rows];
          for (int c = 0; c < rows; ++c) in[c] = sums.x[r][c][i][j];
          T out[vectors];
          to_coordinates(p, in, out);
          for (int m = 0; m < vectors; ++m) half[r][i][m][j] = out[m];
        }
    for (int m = 0; m < vectors; ++m)
      for (int j = 0; j < D; ++j)
        for (int i = 0; i < D; ++i) {
          T in[rows];
          for (int r = 0; r < rows; ++r) in[r] = half[r][i][m][j];
          T out[vectors];
          to_coordinates(p, in, out);
          for (int k = 0; k < vectors; ++k) K[(D * k + i) * size + D * m + j] += out[k];
        }
  }
  template <class T>
  ALEATOR_INLINE static void to_coordinates(const Parameters<T>& p, const T (&in)[rows], T (&out)[vectors]) {
    const T chord = p.inverse_length * (in[0] - in[1] - in[2]);
    out[axis(0)] = -chord;
    out[axis(1)] = in[1];
    out[axis(2)] = chord;
    out[axis(3)] = in[2];
    ALEATOR_UNROLL for (int i = 0; i < N; ++i) {
      const T turn = p.inverse_length * in[3 + N + i];
      out[director(i, 0)] = in[3 + i] - turn;
      out[director(i, 1)] = turn;
    }
  }

  // Stiffness of the section and strains of the reference at ξ.
  template <class T>
  ALEATOR_HD static Point<T> point_at(const Parameters<T>& p, double xi) {
    double w[points], u[points];
    ancf::linear_weights(xi, w);
    ancf::polynomial_weights(xi, u);
    Point<T> r;
    r.young = T(1);
    const auto sum = [&](auto member, int count, bool stiffness) {
      for (int k = 0; k < count; ++k) (r.*member)[k] = T(0);
      for (int g = 0; g < points; ++g) {
        const T weight = stiffness ? T(w[g] / ancf::gauss_weight[g]) * p.inverse_length * p.point[g].young : T(u[g]);
        for (int k = 0; k < count; ++k) (r.*member)[k] += weight * (p.point[g].*member)[k];
      }
    };
    sum(&Point<T>::normal, couples, true);
    sum(&Point<T>::mixed, pairs, true);
    sum(&Point<T>::square, axes, false);
    sum(&Point<T>::product, pairs, false);
    return r;
  }

  static void set_mass(const Station (&stations)[points], Parameters<double>& p) {
    double line_density[points], moment[4];
    for (int g = 0; g < points; ++g) {
      const Station& s = stations[g];
      line_density[g] = s.density * s.section.area;
      const double xi = ancf::gauss_xi[g], weight = ancf::gauss_weight[g] * p.length * s.density;
      for (int i = 0; i < N; ++i) {
        const double dm = weight * s.section.second[i];
        p.director_mass[i][0] += dm * (1 - xi) * (1 - xi);
        p.director_mass[i][1] += dm * (1 - xi) * xi;
        p.director_mass[i][2] += dm * xi * xi;
      }
    }
    ancf::axis_mass(p.length, line_density, p.axis_mass, moment);
    for (int a = 0; a < 4; ++a) p.mass_moment[axis(a)] = moment[a];
  }

  // Of E = 1.
  static void set_stiffness(Elasticity elasticity, double length, const Station& station, Point<double>& point) {
    const BeamSection& s = station.section;
    const double E = 1, nu = station.poisson, G = E / (2 * (1 + nu)), A = s.area;
    const double lambda = E * nu / ((1 + nu) * (1 - 2 * nu)), M = lambda + 2 * G;
    const bool whole = elasticity == Elasticity::continuum, plane_stress = !whole && D == 2;
    const double axial = plane_stress ? E / (1 - nu * nu) : M;  // of E and N
    const double across = plane_stress ? nu * axial : lambda;   // between them
    const double over_section = whole ? M : E;                  // of what varies over the section
    const auto normal = [&](int a, int b) -> double& { return point.normal[ancf::packed(axes, a, b)]; };
    const auto mixed = [&](int a, int b) -> double& { return point.mixed[pair(a, b)]; };
    normal(0, 0) = axial * A;
    for (int i = 0; i < N; ++i) {
      const double I = s.second[i];
      const int d = 1 + i, t = 1 + N + i;  // d_i, d_i'
      normal(0, d) = across * A;
      normal(0, t) = over_section * I;
      normal(d, d) = axial * A;
      normal(t, t) = over_section * s.fourth[i];
      for (int j = 0; j < N; ++j) normal(1 + j, t) = whole ? lambda * I : 0;
      mixed(0, d) = whole ? G * A : 1 / (1 / (s.shear[i] * G * A) + length * length / (12 * E * I));
      mixed(0, t) = over_section * I;
      mixed(d, t) = G * I;
    }
    if constexpr (N == 2) {
      const double twist = whole ? 1 : s.torsion / (s.second[0] + s.second[1]);
      normal(1, 2) = across * A;
      normal(3, 4) = over_section * s.mixed;
      mixed(1, 2) = G * A;
      mixed(3, 4) = over_section * s.mixed;
      mixed(1, 4) = G * s.second[1] * twist;
      mixed(2, 3) = G * s.second[0] * twist;
    }
  }
};

using PlanarBeam = AncfBeam<2, 1>;
using SpatialBeam = AncfBeam<3, 2>;

}  // namespace aleator::core
