// The mechanisms that are measured: files of examples/ and benchmarks/models/, and those of any size.
#pragma once

#include <string>

#include "model/model.hpp"

namespace aleator::core::bench {

// n rods hanging one below the other, with hinges across each other like those of a real chain; gravity leans by 30° at t = 0.
// Five masses are random.
std::string chain_text(int rods);
// benchmarks/models/beam-100.yaml with another number of elements.
std::string beam_text(int elements);

// five-body, slider-crank, … of examples/; andrews-random, beam-N of benchmarks/models/; chain-N.
std::string model_text(const std::string& name);
Model model_named(const std::string& name);

}  // namespace aleator::core::bench
