// Correlation of a homogeneous, isotropic random field: a function of the distance between two points alone.
#pragma once

#include <vector>

namespace aleator::core {

struct Correlation {
  // With r = d/length:
  //   squared_exponential  exp(−r²)                                smooth
  //   exponential          exp(−r)                                 continuous, nowhere differentiable
  //   matern32             (1 + √3 r) exp(−√3 r)                   once differentiable
  //   matern52             (1 + √5 r + 5 r²/3) exp(−√5 r)          twice differentiable
  //   table                linear between the given distances, 1 at 0, constant after the last
  enum class Kind { squared_exponential, exponential, matern32, matern52, table };
  Kind kind = Kind::squared_exponential;
  double length = 1;                      // m; a table has none
  std::vector<double> distances, values;  // [entries] of a table; the entry (0, 1) may be left out

  double operator()(double d) const;  // d ≥ 0

  // Throws std::invalid_argument: a length that is not positive; a table that is empty, not rising in the distance, with values
  // beyond ±1 or another value than 1 at 0. Whether a table is a correlation at all, RandomField finds out.
  void check() const;
};

}  // namespace aleator::core
