// Mechanisms in Simbody, behind an interface of plain numbers: Simbody's headers cannot be compiled as C++20, nor ours as C++17.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace simbody_peer {

struct BodyNumbers {
  double mass;
  std::array<double, 3> center_of_mass;  // inertial, t = 0
  std::array<double, 6> inertia;         // about it, in inertial axes at t = 0: xx yy zz xy xz yz
};

// One realization: bodies and joints in the order of the model, as drawn at t = 0.
struct Input {
  std::vector<BodyNumbers> bodies;
  std::vector<std::array<double, 3>> joints;  // their points
};

struct Settings {
  std::string integrator;  // RungeKuttaMerson, RungeKuttaFeldberg, RungeKutta3, RungeKutta2, Verlet, Adams, BDF (of CPodes)
  double accuracy;         // of its own choice of steps, or …
  double step;             // … the largest of equal steps; 0: its own choice
  double duration;
  std::vector<double> times;  // of outputs
};

// Outputs as in our models, [times][channels].
std::vector<double> five_body(const Input& in, const Settings& settings);
std::vector<double> andrews(const Input& in, const Settings& settings);
std::vector<double> chain(const Input& in, const Settings& settings);

}  // namespace simbody_peer
