// Screening by elementary effects (Morris 1991): trajectories through a grid that change one variable at a time.
// The grid has p levels (i + ½)/p in each variable, the centres of p cells of equal probability, so that quantiles stay finite; p is
// even. A step goes p/2 levels, that is ½ in every case: from the lower half of the grid up, from the upper half down. (On the classic
// grid i/(p − 1), which includes 0 and 1, the same step is p/(2(p − 1)).) A trajectory starts on a random level of every
// variable and changes each once, in random order. All levels are equally frequent.
#pragma once

#include <cstdint>
#include <vector>

namespace aleator::core {

struct MorrisDesign {
  int variables = 0, levels = 4;
  long trajectories = 10;
  std::uint64_t seed = 1;

  long rows() const { return trajectories * (variables + 1); }
  // Any row on its own.
  std::vector<double> point(long row) const;  // [variables], in ]0, 1[
  int changed(long row) const;                // which variable differs from the row before; -1 at the start of a trajectory
  double step(long row) const;                // by how much: ±½; 0 at the start
};

}  // namespace aleator::core
