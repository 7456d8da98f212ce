// A straight rod in space, clamped at its start along x, under a force F at its tip that keeps its direction: the rod of Reissner and Simo,
// exact for large turns. With the section's axes R = [d1 d2 d3], d1 along the rod where it does not shear,
//   r' = R (e1 + γ),  γ = (n1/EA, n2/k2GA, n3/k3GA),   R' = R κ~,  κ = (m1/GJ, m2/EI2, m3/EI3),   n = RᵀF,   m = Rᵀ M
//   M' = −r' × F,   M(L) = 0
// solved by shooting for M(0), Runge–Kutta of order 4. Bending about d2 is EI2 (height along d3), about d3 EI3 (height along d2).
#pragma once

#include <Eigen/Dense>
#include <stdexcept>

namespace aleator::core::test {

struct CosseratRod {
  double length;
  Eigen::Vector3d stretch;  // EA, kGA along d2, along d3
  Eigen::Vector3d bend;     // GJ, EI about d2, about d3
};

struct RodTip {
  Eigen::Vector3d place;
  Eigen::Matrix3d axes;
};

inline RodTip tip_of(const CosseratRod& rod, const Eigen::Vector3d& force, int steps = 400) {
  struct State {
    Eigen::Vector3d r, M;
    Eigen::Matrix3d R;
  };
  const auto rate = [&](const State& s) {
    const Eigen::Vector3d n = s.R.transpose() * force, k = (s.R.transpose() * s.M).cwiseQuotient(rod.bend);
    State d;
    d.r = s.R * (Eigen::Vector3d::UnitX() + n.cwiseQuotient(rod.stretch));
    Eigen::Matrix3d skew;
    skew << 0, -k[2], k[1], k[2], 0, -k[0], -k[1], k[0], 0;
    d.R = s.R * skew;
    d.M = -d.r.cross(force);
    return d;
  };
  const auto moved = [](const State& s, const State& d, double h) { return State{s.r + h * d.r, s.M + h * d.M, s.R + h * d.R}; };
  State end;
  const auto shoot = [&](const Eigen::Vector3d& start) {
    State s = {Eigen::Vector3d::Zero(), start, Eigen::Matrix3d::Identity()};
    const double h = rod.length / steps;
    for (int i = 0; i < steps; ++i) {
      const State a = rate(s), b = rate(moved(s, a, h / 2)), c = rate(moved(s, b, h / 2)), d = rate(moved(s, c, h));
      s = moved(moved(s, a, h / 6), b, h / 3);
      s = moved(moved(s, c, h / 3), d, h / 6);
    }
    end = s;
    return Eigen::Vector3d(s.M);
  };
  Eigen::Vector3d moment = (rod.length * Eigen::Vector3d::UnitX()).cross(force);  // of the straight rod
  for (int iteration = 0; iteration < 50; ++iteration) {
    const Eigen::Vector3d miss = shoot(moment);
    const double size = moment.norm();
    if (miss.norm() < 1e-11 * size) return {end.r, end.R};
    Eigen::Matrix3d J;
    for (int i = 0; i < 3; ++i) {
      const Eigen::Vector3d d = 1e-6 * size * Eigen::Vector3d::Unit(i);
      J.col(i) = (shoot(moment + d) - shoot(moment - d)) / (2e-6 * size);
    }
    moment -= J.partialPivLu().solve(miss);
  }
  throw std::runtime_error("shooting found no rod");
}

}  // namespace aleator::core::test
