// Andrews' squeezing mechanism as its one freedom sees it: all angles, the kinetic energy at unit rate of the crank and the
// energy of the spring as functions of the crank's angle β. Names and equations as in Hairer & Wanner, Solving Ordinary
// Differential Equations II, section VII.7; nothing of this is used by the program.
#pragma once

#include <array>
#include <cmath>

namespace aleator::core::test {

class AndrewsKinematics {
 public:
  using Real = long double;
  using Angles = std::array<Real, 7>;  // β, Θ, γ, Φ, δ, Ω, ε
  static constexpr Angles start = {-0.0617138900142764496358948458001L, 0,
                                   0.455279819163070380255912382449L,   0.222668390165885884674473185609L,
                                   0.487364979543842550225598953530L,   -0.222668390165885884674473185609L,
                                   1.23054744454982119249735015568L};

  // The six loop closures; they vanish.
  static std::array<Real, 6> closures(const Angles& q) {
    const auto& [beta, theta, gamma, phi, delta, omega, epsilon] = q;
    const Real xe = rr * std::cos(beta) - d * std::cos(beta + theta), ye = rr * std::sin(beta) - d * std::sin(beta + theta);
    return {xe - ss * std::sin(gamma) - xb,
            ye + ss * std::cos(gamma) - yb,
            xe - e * std::sin(phi + delta) - zt * std::cos(delta) - xa,
            ye + e * std::cos(phi + delta) - zt * std::sin(delta) - ya,
            xe - zf * std::cos(omega + epsilon) - u * std::sin(epsilon) - xa,
            ye - zf * std::sin(omega + epsilon) + u * std::cos(epsilon) - ya};
  }

  // Moves to the crank angle β, from a neighbouring position, by Newton's method on the closures.
  void move_to(Real beta) {
    q[0] = beta;
    for (int k = 0; k < 8; ++k) {
      const std::array<Real, 6> g = closures(q), change = solve({-g[0], -g[1], -g[2], -g[3], -g[4], -g[5]});
      for (int i = 0; i < 6; ++i) q[i + 1] += change[i];
    }
    const Real sx = -rr * std::sin(q[0]) + d * std::sin(q[0] + q[1]),
               sy = rr * std::cos(q[0]) - d * std::cos(q[0] + q[1]);  // dE/dβ
    const std::array<Real, 6> change = solve({-sx, -sy, -sx, -sy, -sx, -sy});
    dq[0] = 1;
    for (int i = 0; i < 6; ++i) dq[i + 1] = change[i];
  }

  // β̇ from energy: the torque's work since the start went into motion and spring.
  Real rate() const {
    return std::sqrt((torque * (q[0] - start[0]) - (spring_energy(q[2]) - spring_energy(start[2]))) / unit_energy());
  }

  Angles q = start, dq{};  // dq/dβ

 private:
  // The closures fall apart into three pairs: (Θ, γ), then (Φ, δ) and (Ω, ε), which see Θ on the right-hand side.
  std::array<Real, 6> solve(const std::array<Real, 6>& r) const {
    const auto& [beta, theta, gamma, phi, delta, omega, epsilon] = q;
    const Real tx = d * std::sin(beta + theta), ty = -d * std::cos(beta + theta);  // ∂E/∂Θ
    const auto pair = [](Real a, Real b, Real c, Real f, Real x, Real y) {         // [a b; c f]⁻¹ (x, y)
      const Real D = a * f - b * c;
      return std::array<Real, 2>{(f * x - b * y) / D, (a * y - c * x) / D};
    };
    const auto [dtheta, dgamma] = pair(tx, -ss * std::cos(gamma), ty, -ss * std::sin(gamma), r[0], r[1]);
    const Real cx = -e * std::cos(phi + delta), cy = -e * std::sin(phi + delta);
    const auto [dphi, ddelta] =
        pair(cx, cx + zt * std::sin(delta), cy, cy - zt * std::cos(delta), r[2] - tx * dtheta, r[3] - ty * dtheta);
    const Real ox = zf * std::sin(omega + epsilon), oy = -zf * std::cos(omega + epsilon);
    const auto [domega, depsilon] =
        pair(ox, ox - u * std::cos(epsilon), oy, oy - u * std::sin(epsilon), r[4] - tx * dtheta, r[5] - ty * dtheta);
    return {dtheta, dgamma, dphi, ddelta, domega, depsilon};
  }

  Real unit_energy() const {  // kinetic energy at β̇ = 1
    const auto& [beta, theta, gamma, phi, delta, omega, epsilon] = q;
    const Real k2 = dq[0] + dq[1], k4 = dq[3] + dq[4], k6 = dq[5] + dq[6];  // rates of K2, K4, K6
    const auto square = [](Real x, Real y) { return x * x + y * y; };
    const Real l4 = e - 0.01421L, l6 = zf - 0.01421L;  // from G, from H
    const Real v2 = square(-rr * std::sin(beta) * dq[0] + 0.0115L * std::sin(beta + theta) * k2,
                           rr * std::cos(beta) * dq[0] - 0.0115L * std::cos(beta + theta) * k2);
    const Real v4 = square(-zt * std::sin(delta) * dq[4] + l4 * std::cos(phi + delta) * k4,
                           zt * std::cos(delta) * dq[4] + l4 * std::sin(phi + delta) * k4);
    const Real v6 = square(u * std::cos(epsilon) * dq[6] - l6 * std::sin(omega + epsilon) * k6,
                           u * std::sin(epsilon) * dq[6] + l6 * std::cos(omega + epsilon) * k6);
    const auto turning = [](Real mass, Real x, Real y, Real inertia, Real rate) {
      return (mass * (x * x + y * y) + inertia) * rate * rate;
    };
    return (turning(0.04325L, 0.00092L, 0, 2.194e-6L, dq[0]) + 0.00365L * v2 + 4.410e-7L * k2 * k2 +
            turning(0.02373L, 0.01874L, 0.01043L, 5.255e-6L, dq[2]) + 0.00706L * v4 + 5.667e-7L * k4 * k4 +
            turning(0.07050L, 0.02308L, 0.00916L, 1.169e-5L, dq[4]) + 0.00706L * v6 + 5.667e-7L * k6 * k6 +
            turning(0.05498L, 0.01228L, 0.00449L, 1.912e-5L, dq[6])) /
           2;
  }

  static Real spring_energy(Real gamma) {
    const Real x = xb + 0.018L * std::sin(gamma) + 0.02L * std::cos(gamma) - 0.014L,
               y = yb - 0.018L * std::cos(gamma) + 0.02L * std::sin(gamma) - 0.072L;
    const Real stretch = std::sqrt(x * x + y * y) - 0.07785L;
    return 4530 * stretch * stretch / 2;
  }

  static constexpr Real xa = -0.06934L, ya = -0.00227L, xb = -0.03635L, yb = 0.03273L;
  static constexpr Real rr = 0.007L, d = 0.028L, ss = 0.035L, e = 0.02L, zt = 0.04L, zf = 0.02L, u = 0.04L, torque = 0.033L;
};

}  // namespace aleator::core::test
