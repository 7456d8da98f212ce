#include "support/reliability_problems.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace aleator::core::test {
namespace {

double normal_tail(double x) { return std::erfc(x / std::numbers::sqrt2) / 2; }

double lognormal(double u, double mean, double cov) {
  const double s = std::sqrt(std::log1p(cov * cov));
  return mean * std::exp(s * u - s * s / 2);
}

// With u of the state and w held over dt: exact for a linear oscillator.
struct Propagation {
  double xx, xv, xw, vx, vv, vw;
  Propagation(double omega, double zeta, double dt) {
    const double damped = omega * std::sqrt(1 - zeta * zeta), decay = std::exp(-zeta * omega * dt);
    const double c = decay * std::cos(damped * dt), s = decay * std::sin(damped * dt) / damped;
    xx = c + zeta * omega * s;
    xv = s;
    vx = -omega * omega * s;
    vv = c - zeta * omega * s;
    xw = (1 - xx) / (omega * omega);
    vw = s;
  }
};

}  // namespace

FailureProblem oscillator(double limit, double probability) {
  constexpr double dt = 0.02;
  const Propagation step(7.85, 0.02, dt);
  const double scale = std::sqrt(2 * std::numbers::pi / dt);
  return {"oscillator " + std::to_string(limit), 1500, 0, probability, [=](const std::vector<double>& u) {
            double x = 0, v = 0, most = 0;
            for (const double z : u) {
              const double w = scale * z, next = step.xx * x + step.xv * v + step.xw * w;
              v = step.vx * x + step.vv * v + step.vw * w;
              x = next;
              most = std::max(most, std::abs(x));
            }
            return most - limit;
          }};
}

FailureProblem pulse(double mean, double std, double probability) {
  return {"pulse " + std::to_string(mean), 6, 6, probability, [=](const std::vector<double>& u) {
            const double m = 1 + 0.05 * u[0], c1 = 1 + 0.1 * u[1], c2 = 0.1 + 0.01 * u[2], r = 0.5 + 0.05 * u[3],
                         t1 = 1 + 0.2 * u[4];
            const double force = mean + std * u[5], omega = std::sqrt((c1 + c2) / m);
            return std::abs(2 * force / (m * omega * omega) * std::sin(omega * t1 / 2)) - 3 * r;
          }};
}

FailureProblem secondary_oscillator(double strength, double probability) {
  return {"secondary " + std::to_string(strength), 8, 8, probability, [=](const std::vector<double>& u) {
            const double mp = lognormal(u[0], 1.5, 0.1), ms = lognormal(u[1], 0.01, 0.1), kp = lognormal(u[2], 1, 0.2);
            const double ks = lognormal(u[3], 0.01, 0.2), zp = lognormal(u[4], 0.05, 0.4), zs = lognormal(u[5], 0.02, 0.5);
            const double fs = lognormal(u[6], strength, 0.1), s0 = lognormal(u[7], 100, 0.1);
            const double wp = std::sqrt(kp / mp), ws = std::sqrt(ks / ms), wa = (wp + ws) / 2, za = (zp + zs) / 2;
            const double ratio = ms / mp, theta = (wp - ws) / wa;
            const double square = std::numbers::pi * s0 / (4 * zs * ws * ws * ws) * za * zs /
                                  (zp * zs * (4 * za * za + theta * theta) + ratio * za * za) *
                                  (zp * wp * wp * wp + zs * ws * ws * ws) * wp / (4 * za * wa * wa * wa * wa);
            return 3 * ks * std::sqrt(square) - fs;
          }};
}

std::vector<FailureProblem> black_boxes() {
  using U = std::vector<double>;
  return {
      {"RP22", 2, 2, 4.2073e-3,
       [](const U& u) { return (u[0] + u[1]) / std::numbers::sqrt2 - 2.5 - 0.1 * (u[0] - u[1]) * (u[0] - u[1]); }},
      {"RP24", 2, 2, 2.86e-3,
       [](const U& u) { return 0.2357 * 3 * (u[0] - u[1]) - 2.5 - 0.00463 * std::pow(3 * (u[0] + u[1]), 4); }},
      {"RP25", 2, 2, 4.14857e-5, [](const U& u) { return -std::max(u[0] * u[0] - 8 * u[1] + 16, -16 * u[0] + u[1] + 32); }},
      {"RP31", 2, 2, 3.22668e-3, [](const U& u) { return u[1] - 2 - 256 * std::pow(u[0], 4); }},
      {"RP53", 2, 2, 3.13e-2,
       [](const U& u) {
         const double a = 1.5 + u[0], b = 2.5 + u[1];
         return (a * a + 4) * (b - 1) / 20 - 2 - std::sin(5 * a / 2);
       }},
      {"RP54", 20, 20, 9.98e-4,
       [](const U& u) {
         double sum = 0;
         for (const double v : u) sum -= std::log(normal_tail(v));
         return 8.951 - sum;
       }},
      {"RP107", 10, 10, 2.92e-7,
       [](const U& u) {
         double sum = 0;
         for (const double v : u) sum += v;
         return sum / std::sqrt(10.0) - 5;
       }},
  };
}

FailureProblem plane(std::size_t dimension, double beta, bool named) {
  return {"plane " + std::to_string(dimension), dimension, named ? dimension : 0, normal_tail(beta),
          [=](const std::vector<double>& u) {
            double sum = 0;
            for (const double v : u) sum += v;
            return sum / std::sqrt(static_cast<double>(dimension)) - beta;
          }};
}

FailureProblem breitung() {
  return {"Breitung", 2, 2, 1 - (1 - normal_tail(5)) * (1 - normal_tail(4)),
          [](const std::vector<double>& u) { return -std::min(5 - u[0], 1 / (1 + std::exp(-2 * (u[1] + 4))) - 0.5); }};
}

FailureProblem misleading_start() {
  return {"misleading", 2, 2, 1 - (1 - normal_tail(4)) * (1 - normal_tail(5)), [](const std::vector<double>& u) {
            const double first = u[0] > 3.5 ? 4 - u[0] : 0.85 - 0.1 * u[0];
            const double second = u[1] > 2 ? 0.5 - 0.1 * u[1] : 2.3 - u[1];
            return -std::min(first, second);
          }};
}

}  // namespace aleator::core::test
