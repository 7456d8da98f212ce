#include "analysis/replicates.hpp"

#include <cmath>

#include "base/constants.hpp"
#include "numerics/student.hpp"

namespace aleator::core::analysis {

double student_factor(double freedom) { return student_quantile(0.97724986805182079, freedom) / 2; }  // Φ(2)

double replicate_factor(std::size_t replicates) {
  static const double of_eight = student_factor(7);  // the usual number
  if (replicates < 2) return nan;
  return replicates == 8 ? of_eight : student_factor(double(replicates - 1));
}

double scatter_of_mean(std::span<const double> values) {
  const double n = double(values.size());
  double mean = 0, square = 0;
  for (const double x : values) mean += x / n;
  for (const double x : values) square += (x - mean) * (x - mean);
  return n > 1 ? std::sqrt(square / (n * (n - 1))) : nan;
}

}  // namespace aleator::core::analysis
