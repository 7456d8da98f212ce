// Bouc–Wen hysteresis along one coordinate q (see coordinate.hpp). With x = q − rest, the generalized force is
//   Q = −[ α k x + (1 − α) k z + c q̇ ],      ż = A q̇ − β |q̇| |z|ⁿ⁻¹ z − γ q̇ |z|ⁿ.
// The state is ζ = z / Z in units of the displacement that z never exceeds, Zⁿ = A / (β + γ) (1 if z is not bounded: β = γ = 0):
//   ζ̇ = a [ q̇ − b |q̇| |ζ|ⁿ⁻¹ ζ − g q̇ |ζ|ⁿ ],   a = A/Z,   b = β Zⁿ/A,   g = γ Zⁿ/A,      (1 − α) k z = H ζ.
// It stores ½ α k x² + ½ (1 − α) k z²/A; what else goes into it is dissipated:
//   Ė = (1 − α) k z q̇ − d/dt [½ (1 − α) k z²/A] = H |ζ|ⁿ (b |q̇| |ζ| + g q̇ ζ),      not negative if |γ| ≤ β.
// E = (H/a) ε is the integral that goes with the state.
#pragma once

#include "elements/coordinate.hpp"
#include "elements/kernel.hpp"

namespace aleator::core {

struct HystereticForce {
  struct Topology {
    Coordinate coordinate;
    int carrier;   // of ζ and ε
    int exponent;  // n where it is a whole number that cannot differ between realizations; 0: it is a parameter
  };
  template <class T>
  struct Parameters {
    T stiffness;  // α k
    T rest, damping;
    T strength;    // H
    T unit;        // Z
    T rate;        // a
    T loss, bend;  // b, g
    T exponent;    // n
  };
  static constexpr int pairs = 1;
  static constexpr bool is_force = true;
  static constexpr int most_exponent = 16;  // of those that are powers by multiplication
  static MarkerPair markers(const Topology& t) { return {t.coordinate.a, t.coordinate.b}; }
  static int state_carrier(const Topology& t) { return t.carrier; }

  // |ζ|ⁿ⁻¹. Near zero the logarithm is that of a number so small that its power is round-off, or 1 for n = 1.
  template <class T>
  ALEATOR_HD static T power_of(const Topology& t, const Parameters<T>& p, const T& size) {
    if (t.exponent == 0) return exp((p.exponent - T(1)) * log(max(size, T(1e-300))));
    T product(1);
    for (int i = 1; i < t.exponent; ++i) product = product * size;
    return product;
  }
  template <class T>
  ALEATOR_HD static T sign_of(const T& x) {
    return select(x > T(0), T(1), select(x < T(0), T(-1), T(0)));
  }

  // Everything at (q, q̇, ζ); derivatives of |·| at zero are zero.
  template <class T>
  struct Law {
    PairScalar<T> q;
    T dq, zeta;
    StateRates<T> rates, by_state, by_rate;
    T Q;
  };
  template <class T>
  ALEATOR_HD static Law<T> law(const Topology& t, const Parameters<T>& p, const Evaluation<T>& e) {
    Law<T> l;
    l.q = measure(t.coordinate, e);
    l.dq = rate(l.q.gradient, e.marker[t.coordinate.a], e.marker[t.coordinate.b]);
    l.zeta = e.velocity[6 * t.carrier];
    const T size = abs(l.zeta), speed = abs(l.dq), power = power_of(t, p, size);
    const T n = t.exponent == 0 ? p.exponent : T(t.exponent);
    const T against = p.loss * speed * l.zeta + p.bend * l.dq * size;  // |ζ|¹⁻ⁿ times what is taken from q̇
    l.rates.state = p.rate * (l.dq - power * against);
    l.rates.integral = p.rate * power * size * (p.loss * speed * size + p.bend * l.dq * l.zeta);
    const T direction = sign_of(l.dq), side = sign_of(l.zeta);
    l.by_rate.state = p.rate * (T(1) - power * (p.loss * direction * l.zeta + p.bend * size));
    l.by_rate.integral = p.rate * power * size * (p.loss * direction * size + p.bend * l.zeta);
    l.by_state.state = -p.rate * n * power * (p.loss * speed + p.bend * l.dq * side);
    l.by_state.integral = p.rate * (n + T(1)) * power * against;
    l.Q = -(p.stiffness * (l.q.value - p.rest) + p.strength * l.zeta + p.damping * l.dq);
    return l;
  }

  template <class T>
  ALEATOR_HD static PairWrench<T> along(const T& Q, const PairWrench<T>& g) {
    return {{Q * g.a.F, Q * g.a.M}, {Q * g.b.F, Q * g.b.M}};
  }

  template <class T>
  ALEATOR_HD static PairWrench<T> force(const Topology& t, const Parameters<T>& p, const Evaluation<T>& e) {
    const Law<T> l = law(t, p, e);
    return along(l.Q, l.q.gradient);
  }
  template <class T>
  ALEATOR_HD static StateRates<T> rates(const Topology& t, const Parameters<T>& p, const Evaluation<T>& e) {
    return law(t, p, e).rates;
  }

  // ẋᵀH, column block j of four: how q̇ changes with the places of the markers.
  template <class T>
  ALEATOR_HD static Vec3<T> turning(const Topology& t, const Evaluation<T>& e, const PairTangent<T>& H, int j) {
    const MarkerFrame<T>&A = e.marker[t.coordinate.a], &B = e.marker[t.coordinate.b];
    const Vec3<T> velocity[4] = {A.v, A.w, B.v, B.w};
    Vec3<T> sum;
    for (int i = 0; i < 4; ++i) sum += transposed_times(H.K[i][j], velocity[i]);
    return sum;
  }

  // As that of CoordinateForce, at constant ζ.
  template <class T>
  ALEATOR_HD static void tangent(const Topology& t, const Parameters<T>& p, const Evaluation<T>& e, PairTangent<T>& d,
                                 PairWrench<T>& w) {
    const Law<T> l = law(t, p, e);
    w = along(l.Q, l.q.gradient);
    PairTangent<T> H;
    add_curvature(t.coordinate, e, T(1), H);
    const Vec3<T> g[4] = {l.q.gradient.a.F, l.q.gradient.a.M, l.q.gradient.b.F, l.q.gradient.b.M};
    for (int j = 0; j < 4; ++j) {
      const Vec3<T> column = -p.stiffness * g[j] - p.damping * turning(t, e, H, j);
      for (int i = 0; i < 4; ++i) {
        d.K[i][j] = outer(g[i], column) + l.Q * H.K[i][j];
        d.C[i][j] = outer(-p.damping * g[i], g[j]);
      }
    }
  }
  template <class T>
  ALEATOR_HD static StateTangent<T> state_tangent(const Topology& t, const Parameters<T>& p, const Evaluation<T>& e) {
    const Law<T> l = law(t, p, e);
    PairTangent<T> H;
    add_curvature(t.coordinate, e, T(1), H);
    return {along(-p.strength, l.q.gradient),
            l.by_state,
            l.by_rate,
            l.q.gradient,
            {{turning(t, e, H, 0), turning(t, e, H, 1)}, {turning(t, e, H, 2), turning(t, e, H, 3)}}};
  }

  template <class T>
  ALEATOR_HD static T energy(const Topology& t, const Parameters<T>& p, const Evaluation<T>& e) {
    const T x = measure(t.coordinate, e).value - p.rest, zeta = e.velocity[6 * t.carrier];
    return T(0.5) * (p.stiffness * x * x + p.strength / p.rate * zeta * zeta);
  }
  // With |γ| > β it gives back more than it has stored: nobody knows better than to call that supplied.
  template <class T>
  ALEATOR_HD static void power(const Topology& t, const Parameters<T>& p, const Evaluation<T>& e, bool dissipation,
                               Energies<T>& out) {
    const Law<T> l = law(t, p, e);
    const T lost = p.strength / p.rate * l.rates.integral;
    out.supply(max(-lost, T(0)));
    if (dissipation) out.dissipated += max(lost, T(0)) + p.damping * l.dq * l.dq;
  }

  // For outputs.
  template <class T>
  static T hysteretic_displacement(const Topology& t, const Parameters<T>& p, const Evaluation<T>& e) {
    return p.unit * e.velocity[6 * t.carrier];
  }
  template <class T>
  static T restoring_force(const Topology& t, const Parameters<T>& p, const Evaluation<T>& e) {
    return p.stiffness * (measure(t.coordinate, e).value - p.rest) + p.strength * e.velocity[6 * t.carrier];
  }
  template <class T>
  static T dissipated_energy(const Topology& t, const Parameters<T>& p, const Evaluation<T>& e) {
    return p.strength / p.rate * e.velocity[6 * t.carrier + 3];
  }
};

extern const Kernel hysteretic_force_kernel;

}  // namespace aleator::core
