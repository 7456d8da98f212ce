// The static equilibrium of a model, and how far it is from the drawing.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include <aleator/model.hpp>

namespace aleator::core {

struct Statics {
  bool stable = true;
  int iterations = 0, load_steps = 0;  // no load steps: found by following the forces
  double residual = 0;                 // largest unbalanced force, N
  struct Place {                       // of the centre of mass of a body, or of a node
    std::string name;
    double position[3] = {0, 0, 0};                            // m
    double moved = 0;                                          // from the drawing, m
    double turned = std::numeric_limits<double>::quiet_NaN();  // rad; NaN: it has no orientation of its own
  };
  std::vector<Place> places;
  std::vector<aleator::Channel> outputs;
  std::vector<double> values;  // [outputs]
};

// Throws SimulationError.
Statics statics(const aleator::Model& model);

}  // namespace aleator::core
