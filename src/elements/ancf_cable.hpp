// Cable, or thin beam, of absolute nodal coordinates, without shear and torsion, D = 2 or 3: each of two nodes carries position r and
// slope r_x; the centreline c(x) is that of ancf_axis.hpp. Naturally straight, with equal bending stiffness in all directions.
//
//   U = ½ ∫ (EA ε² + EI κ·κ) dx,     ε = |c'| − 1,     κ = c' × c'' / |c'|²
// κ is the turning of the tangent per length x of the material, so that bending moment and stretch do not mix (Gerstmayr & Irschik,
// J. Sound Vib. 318, 2008). As a vector it is smooth where the cable is straight. EI is that of bending in the plane x–y.
//
// With n = EA (ε + τ ε̇) and m = EI (κ + τ κ°) the forces on c' and c'' are
//   P' = n c'/|c'| + (c'' × m − 2 (m·κ) c') / |c'|²,     P'' = m × c' / |c'|².
// κ° is κ̇ in the plane. In space κ̇ has a part that only turns κ about the tangent, which a rigid spin does too; the cable does not know
// its twist, so κ° is the part that changes its size, κ (κ·κ̇)/(κ·κ + κ_0²) with κ_0 = 1e-3/l, below which there is no damping.
#pragma once

#include <type_traits>

#include "elements/ancf_axis.hpp"
#include "numerics/directional.hpp"
#include "numerics/vec.hpp"

namespace aleator::core {

template <int D>
struct AncfCable {
  static_assert(D == 2 || D == 3);
  static constexpr int dimension = D;
  static constexpr int node_vectors = 2;  // r, r_x
  static constexpr int vectors = 4;       // of node 1, then of node 2
  static constexpr int size = D * vectors;
  static constexpr int points = ancf::points;
  static constexpr int turns = D == 2 ? 1 : 3;  // entries of a curvature and of a moment

  static constexpr int axis(int a) { return a; }  // where the vectors r_1, r_x1, r_2, r_x2 of the axis stand

  using Station = ancf::Station;

  // ε is taken at three Lobatto points, ends included, which neighbours share. At five Gauss points a thin cable that bends would have to
  // keep its length at more places than it can, and locks: the tip of a bent cantilever had a hundred times the error.
  static constexpr int axial_points = 3;
  static constexpr double axial_xi[axial_points] = {0, 0.5, 1};
  static constexpr double axial_weight[axial_points] = {1.0 / 6, 4.0 / 6, 1.0 / 6};

  template <class T>
  struct Parameters {  // nothing but T's
    T length, inverse_length;
    T small;  // κ_0²
    T mass_damping, stiffness_damping;
    T axis_mass[10];  // packed
    T mass_moment[vectors];
    T axial[axial_points], bending[points];  // EA, EI · weight · l at their points
  };
  static constexpr int parameter_count = sizeof(Parameters<double>) / sizeof(double);

  static Parameters<double> parameters(double length, const Station (&stations)[points], double mass_damping,
                                       double stiffness_damping) {
    Parameters<double> p{};
    p.length = length;
    p.inverse_length = 1 / length;
    p.small = 1e-6 / (length * length);
    p.mass_damping = mass_damping;
    p.stiffness_damping = stiffness_damping;
    double line_density[points];
    for (int g = 0; g < points; ++g) {
      const Station& s = stations[g];
      line_density[g] = s.density * s.section.area;
      p.bending[g] = ancf::gauss_weight[g] * length * s.young * s.section.second[0];
    }
    for (int g = 0; g < axial_points; ++g) {
      double between[points];
      ancf::linear_weights(axial_xi[g], between);
      for (int k = 0; k < points; ++k)
        p.axial[g] += between[k] * axial_weight[g] * length * stations[k].young * stations[k].section.area;
    }
    ancf::axis_mass(length, line_density, p.axis_mass, p.mass_moment);
    return p;
  }

  // f_k = ∂U/∂e_k
  template <class T>
  ALEATOR_HD static void elastic_force(const Parameters<T>& p, const Vec<T, D>* e, Vec<T, D>* f) {
    integrate<false>(p, e, e, f);
  }

  // f_k = ∂U/∂e_k, with τ, + α M v
  template <class T>
  ALEATOR_HD static void force(const Parameters<T>& p, const Vec<T, D>* e, const Vec<T, D>* v, Vec<T, D>* f) {
    integrate<true>(p, e, v, f);
    add_inertia(p, p.mass_damping, v, f);
  }

  template <class T>
  ALEATOR_HD static T energy(const Parameters<T>& p, const Vec<T, D>* e) {
    T sum(0);
    for (int g = 0; g < axial_points; ++g) {
      const T axial = strains(p, e, axial_xi[g]).axial;
      sum += p.axial[g] * axial * axial;
    }
    for (int g = 0; g < points; ++g) {
      const Vec<T, turns> curvature = strains(p, e, ancf::gauss_xi[g]).curvature;
      sum += p.bending[g] * dot(curvature, curvature);
    }
    return T(0.5) * sum;
  }

  // K += cK ∂f/∂e + cC ∂f/∂v, K[size · size] by rows. The force at a point is differentiated along (cK, cC) times each of the
  // entries of c' and c'' and of their rates at once.
  template <class T>
  ALEATOR_HD static void tangent(const Parameters<T>& p, const Vec<T, D>* e, const Vec<T, D>* v, const T& cK, const T& cC, T* K) {
    using S = Directional<T>;
    const S tau = constant(p.stiffness_damping), small = constant(p.small);
    for (int g = 0; g < axial_points; ++g)
      add_tangent(p.inverse_length, axial_xi[g], e, v, cK, cC, K, [&](const Curve<S>& q, const Curve<S>& rate) {
        return Forces<S>{tension<true>(constant(p.axial[g]), tau, q.slope, rate.slope), Vec<S, D>::zero(), {}};
      });
    for (int g = 0; g < points; ++g)
      add_tangent(p.inverse_length, ancf::gauss_xi[g], e, v, cK, cC, K, [&](const Curve<S>& q, const Curve<S>& rate) {
        return bending<true>(constant(p.bending[g]), tau, small, q, rate);
      });
    add_mass(p, cC * p.mass_damping, K);
  }

  // The same without damping: K += cK ∂²U/∂e²
  template <class T>
  ALEATOR_HD static void elastic_tangent(const Parameters<T>& p, const Vec<T, D>* e, const T& cK, T* K) {
    using S = Directional<T>;
    for (int g = 0; g < axial_points; ++g)
      add_tangent(p.inverse_length, axial_xi[g], e, e, cK, T(0), K, [&](const Curve<S>& q, const Curve<S>& rate) {
        return Forces<S>{tension<false>(constant(p.axial[g]), S(0), q.slope, rate.slope), Vec<S, D>::zero(), {}};
      });
    for (int g = 0; g < points; ++g)
      add_tangent(p.inverse_length, ancf::gauss_xi[g], e, e, cK, T(0), K, [&](const Curve<S>& q, const Curve<S>& rate) {
        return bending<false>(constant(p.bending[g]), S(0), S(0), q, rate);
      });
  }

  // out += M a
  template <class T>
  ALEATOR_HD static void add_inertia(const Parameters<T>& p, const Vec<T, D>* a, Vec<T, D>* out) {
    add_inertia(p, T(1), a, out);
  }
  // out += factor M a
  template <class T>
  ALEATOR_HD static void add_inertia(const Parameters<T>& p, const T& factor, const Vec<T, D>* a, Vec<T, D>* out) {
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) out[i] += (factor * p.axis_mass[ancf::packed(4, i, j)]) * a[j];
  }

  // K += factor M
  template <class T>
  ALEATOR_HD static void add_mass(const Parameters<T>& p, const T& factor, T* K) {
    ancf::add_axis_mass<AncfCable>(p.axis_mass, factor, K);
  }

  template <class T>
  ALEATOR_HD static T kinetic_energy(const Parameters<T>& p, const Vec<T, D>* v) {
    return ancf::kinetic_energy<AncfCable>(p, v);
  }

  // c(ξ l) = Σ s_k e_k; a cable has no thickness
  template <class T>
  ALEATOR_HD static void position_weights(const T& length, const std::type_identity_t<T>& xi, T (&s)[vectors]) {
    ancf::hermite(length, xi, s);
  }
  // c'(ξ l) = Σ s_k e_k
  template <class T>
  ALEATOR_HD static void slope_weights(const T& length, const std::type_identity_t<T>& xi, T (&s)[vectors]) {
    ancf::hermite_slope(length, xi, s);
  }

  template <class T>
  struct Strains {
    T axial;                  // ε
    Vec<T, turns> curvature;  // κ
  };
  template <class T>
  ALEATOR_HD static Strains<T> strains(const Parameters<T>& p, const Vec<T, D>* e, double xi) {
    const Curve<T> q = interpolate(weights(p.inverse_length, xi), e);
    const T square = dot(q.slope, q.slope);
    return {sqrt(square) - T(1), (T(1) / square) * cross(q.slope, q.bend)};
  }

  template <class T>
  using Resultants = ancf::Resultants<T, D>;
  // n = P' − dP''/dx and m, at any ξ; the stiffness between Gauss points is interpolated linearly, its slope is left out of n.
  template <class T>
  ALEATOR_HD static Resultants<T> resultants(const Parameters<T>& p, const Vec<T, D>* e, const Vec<T, D>* v, double xi) {
    using S = Directional<T>;
    const Weights<T> w = weights(p.inverse_length, xi);
    const Curve<S> q = interpolate_along(w, e), rate = interpolate_along(w, v);
    double between[points];
    ancf::linear_weights(xi, between);
    T stiffness(0);
    for (int g = 0; g < points; ++g) stiffness += T(between[g] / ancf::gauss_weight[g]) * p.inverse_length * p.bending[g];
    const S tau = constant(p.stiffness_damping);
    const Forces<S> P = bending<true>(constant(stiffness), tau, constant(p.small), q, rate);
    const Vec<S, D> along = tension<true>(constant(axial_stiffness(p, xi)), tau, q.slope, rate.slope);
    Resultants<T> r;
    for (int i = 0; i < D; ++i) r.force[i] = along[i].v + P.slope[i].v - P.bend[i].d;
    for (int i = 0; i < turns; ++i) r.moment[i] = P.moment[i].v;
    return r;
  }

 private:
  template <class T>
  struct Curve {  // c', c''
    Vec<T, D> slope, bend;
  };
  template <class T>
  struct Forces {  // P', P'', m
    Vec<T, D> slope, bend;
    Vec<T, turns> moment;
  };
  template <class T>
  struct Weights {  // of c', c'', c''' on e
    T slope[4], bend[4], third[4];
  };

  template <class T>
  ALEATOR_HD static Directional<T> constant(const T& x) {
    return {x, T(0)};
  }

  template <class T>
  ALEATOR_HD static Weights<T> weights(const T& inverse, double xi) {
    const T square = inverse * inverse, cube = square * inverse;
    const double s = 6 * xi * (1 - xi), b = 6 - 12 * xi;
    return {{T(-s) * inverse, T(ancf::slope_first(xi)), T(s) * inverse, T(ancf::slope_second(xi))},
            {T(-b) * square, T(6 * xi - 4) * inverse, T(b) * square, T(6 * xi - 2) * inverse},
            {T(12) * cube, T(6) * square, T(-12) * cube, T(6) * square}};
  }

  template <class T>
  ALEATOR_HD static Vec<T, D> sum(const T (&w)[4], const Vec<T, D>* e) {
    return w[0] * e[0] + w[1] * e[1] + w[2] * e[2] + w[3] * e[3];
  }
  template <class T>
  ALEATOR_HD static Curve<T> interpolate(const Weights<T>& w, const Vec<T, D>* e) {
    return {sum(w.slope, e), sum(w.bend, e)};
  }
  // with the derivatives along x
  template <class T>
  ALEATOR_HD static Curve<Directional<T>> interpolate_along(const Weights<T>& w, const Vec<T, D>* e) {
    const Vec<T, D> slope = sum(w.slope, e), bend = sum(w.bend, e), third = sum(w.third, e);
    Curve<Directional<T>> r;
    for (int i = 0; i < D; ++i) {
      r.slope[i] = {slope[i], bend[i]};
      r.bend[i] = {bend[i], third[i]};
    }
    return r;
  }

  // a × m and m × a, m a moment
  template <class T>
  ALEATOR_HD static Vec<T, 2> lever(const Vec<T, 2>& a, const Vec<T, 1>& m) {
    return {{a[1] * m[0], -(a[0] * m[0])}};
  }
  template <class T>
  ALEATOR_HD static Vec<T, 3> lever(const Vec<T, 3>& a, const Vec<T, 3>& m) {
    return cross(a, m);
  }

  // EA at ξ, linear between its points
  template <class T>
  ALEATOR_HD static T axial_stiffness(const Parameters<T>& p, double xi) {
    const double w = xi < 0.5 ? 1 - 2 * xi : 2 * xi - 1;
    const int end = xi < 0.5 ? 0 : 2;
    return p.inverse_length * (T((1 - w) / axial_weight[1]) * p.axial[1] + T(w / axial_weight[end]) * p.axial[end]);
  }

  // The part of P' from ε
  template <bool damped, class S>
  ALEATOR_HD static Vec<S, D> tension(const S& stiffness, const S& tau, const Vec<S, D>& slope, const Vec<S, D>& rate) {
    const S length = sqrt(dot(slope, slope));
    S strain = length - S(1);
    if constexpr (damped) strain += tau * dot(slope, rate) / length;
    return (stiffness * strain / length) * slope;
  }

  // The part of P' from κ, P'' and m
  template <bool damped, class S>
  ALEATOR_HD static Forces<S> bending(const S& stiffness, const S& tau, const S& small, const Curve<S>& q, const Curve<S>& rate) {
    const S inverse = S(1) / dot(q.slope, q.slope);
    const Vec<S, turns> curvature = inverse * cross(q.slope, q.bend);
    Forces<S> P;
    P.moment = stiffness * curvature;
    if constexpr (damped) {
      Vec<S, turns> change = inverse * (cross(rate.slope, q.bend) + cross(q.slope, rate.bend)) -
                             (S(2) * inverse * dot(q.slope, rate.slope)) * curvature;
      if constexpr (D == 3) change = (dot(curvature, change) / (dot(curvature, curvature) + small)) * curvature;
      P.moment += (stiffness * tau) * change;
    }
    P.slope = inverse * (lever(q.bend, P.moment) - (S(2) * dot(P.moment, curvature)) * q.slope);
    P.bend = (-inverse) * lever(q.slope, P.moment);
    return P;
  }

  template <bool damped, class T>
  ALEATOR_HD static void integrate(const Parameters<T>& p, const Vec<T, D>* e, const Vec<T, D>* v, Vec<T, D>* f) {
    for (int k = 0; k < vectors; ++k) f[k] = Vec<T, D>::zero();
    for (int g = 0; g < axial_points; ++g) {
      const Weights<T> w = weights(p.inverse_length, axial_xi[g]);
      const Vec<T, D> P = tension<damped>(p.axial[g], p.stiffness_damping, sum(w.slope, e), sum(w.slope, damped ? v : e));
      for (int k = 0; k < vectors; ++k) f[k] += w.slope[k] * P;
    }
    for (int g = 0; g < points; ++g) {
      const Weights<T> w = weights(p.inverse_length, ancf::gauss_xi[g]);
      const Forces<T> P =
          bending<damped>(p.bending[g], p.stiffness_damping, p.small, interpolate(w, e), interpolate(w, damped ? v : e));
      for (int k = 0; k < vectors; ++k) f[k] += w.slope[k] * P.slope + w.bend[k] * P.bend;
    }
  }

  // K += Bᵀ (cK ∂P/∂q + cC ∂P/∂q̇) B for the forces P(q, q̇) at ξ, q = (c', c'') = B e
  template <class T, class Force>
  ALEATOR_HD static void add_tangent(const T& inverse_length, double xi, const Vec<T, D>* e, const Vec<T, D>* v, const T& cK,
                                     const T& cC, T* K, const Force& force_at) {
    using S = Directional<T>;
    const Weights<T> w = weights(inverse_length, xi);
    const Curve<T> q = interpolate(w, e), rate = interpolate(w, v);
    T block[2 * D][2 * D];
    for (int k = 0; k < 2 * D; ++k) {
      Curve<S> sq, srate;
      for (int i = 0; i < D; ++i) {
        const double slope = i == k, bend = D + i == k;
        sq.slope[i] = S(q.slope[i], T(slope) * cK);
        sq.bend[i] = S(q.bend[i], T(bend) * cK);
        srate.slope[i] = S(rate.slope[i], T(slope) * cC);
        srate.bend[i] = S(rate.bend[i], T(bend) * cC);
      }
      const Forces<S> P = force_at(sq, srate);
      for (int i = 0; i < D; ++i) {
        block[i][k] = P.slope[i].d;
        block[D + i][k] = P.bend[i].d;
      }
    }
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        for (int i = 0; i < D; ++i)
          for (int j = 0; j < D; ++j)
            K[(D * a + i) * size + D * b + j] += w.slope[a] * (w.slope[b] * block[i][j] + w.bend[b] * block[i][D + j]) +
                                                 w.bend[a] * (w.slope[b] * block[D + i][j] + w.bend[b] * block[D + i][D + j]);
  }
};

}  // namespace aleator::core
