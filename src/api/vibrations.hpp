// The small vibrations of a model, about its drawing, its equilibrium or a steady motion.
#pragma once

#include <string>
#include <vector>

#include <aleator/model.hpp>

#include "dynamics/modal.hpp"

namespace aleator::core {

struct Vibration {
  double frequency = 0, damped_frequency = 0;  // Hz
  double damping_ratio = 0;
  double real = 0, imaginary = 0;  // of the eigenvalue, 1/s
  std::string kind;                // oscillating, overdamped, unstable, rigid
  std::string body, direction;     // that moves most, and how: x, y, z, rx, ry, rz; or the "section" of a beam
};

struct Vibrations {
  std::string about;  // start, equilibrium, steady, rotation
  int degrees_of_freedom = 0;
  bool balanced = true;         // what it was linearised about is an equilibrium
  double unbalanced = 0;        // otherwise: the largest acceleration there, m/s² or rad/s² …
  std::string unbalanced_body;  // … and whose
  bool left_out = false;        // overdamped modes that accumulate about one frequency are not all there
  std::vector<Vibration> modes;
};

Vibration described(const Mode& mode, const Topology& topology);

// Throws SimulationError, InputError.
Vibrations vibrations(const aleator::Model& model, const ModalRequest& request);

}  // namespace aleator::core
