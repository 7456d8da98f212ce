// The largest value of a function in a box, without derivatives, by NLopt. Deterministic: the same function gives the same answer.
// A place where the function has no value counts as worse than all others.
#pragma once

#include <span>
#include <vector>

#include "inference/unit_cube.hpp"

namespace aleator::core::inference {

struct Box {
  std::vector<double> from, to;  // [dimensions], from < to

  static Box unit(int dimensions) { return {std::vector<double>(dimensions, 0), std::vector<double>(dimensions, 1)}; }
  int dimensions() const { return int(from.size()); }
};

struct Maximum {
  std::vector<double> at;  // [dimensions]; empty: the function had a value nowhere
  double value = 0;
  long evaluations = 0;
};

struct LocalSearch {
  double step = 0.1;        // first steps, as a share of the box
  double tolerance = 1e-6;  // of the value
  double precision = 1e-7;  // of the place, as a share of the box
  int evaluations = 1000;   // at most
};

// BOBYQA (Powell 2009), quadratic models in a region of trust.
Maximum maximise_locally(const Function& f, const Box& box, std::span<const double> start, const LocalSearch& search = {});

}  // namespace aleator::core::inference
