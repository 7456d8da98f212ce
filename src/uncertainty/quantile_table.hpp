// Quantiles of a law of one number that is known by its density: a table of its distribution function, and Newton's method
// between two entries of it. For isoprobabilistic maps, which must be smooth to round-off: nothing is interpolated.
#pragma once

#include <functional>
#include <memory>
#include <vector>

namespace aleator::core {

class QuantileTable {
 public:
  QuantileTable() = default;
  // On [first, last], need not integrate to one. The density is to be smooth within each of the panels, of equal width: so much
  // that 10 Gauss points give its integral. It may vanish at the ends.
  QuantileTable(std::function<double(double)> density, double first, double last, int panels);

  double operator()(double u) const;  // rising; `first` at u ≤ 0, `last` at u ≥ 1; any thread

 private:
  double integral(double from, double to) const;
  double end(std::size_t k) const;  // of panel k − 1, beginning of panel k

  std::function<double(double)> density_;
  double first_ = 0, last_ = 1, total_ = 1;
  std::vector<double> below_, above_;  // [panels + 1] probabilities below and above the ends: either keeps its digits in its tail
};

}  // namespace aleator::core
