// Which functions of time of a model are random processes, and how they use them.
#pragma once

#include <span>
#include <vector>

#include "model/model.hpp"

namespace aleator::core {

struct ProcessSignal {
  int signal = 0;   // of Parameters::signals
  int process = 0;  // of Model::processes
  processes::Use use;
};

// In the order of the signals. `overrides`: those the model was made with. What is 0 in all realizations, as with a scale of 0, is left out.
// Elements ask for signals in an order of their own; it is found by drawing one process at a time: signals that move are its own, and the
// use is the one whose realization they are.
std::vector<ProcessSignal> process_signals(const Model& model, std::span<const Override> overrides);

}  // namespace aleator::core
