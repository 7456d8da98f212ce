// Sums over vectors of normal numbers.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "numerics/dense.hpp"

namespace aleator::core::reliability {

inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
inline double norm(const std::vector<double>& a) { return std::sqrt(dot(a, a)); }
// a + s b
inline std::vector<double> sum(std::vector<double> a, double s, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += s * b[i];
  return a;
}
inline std::vector<double> scaled(std::vector<double> a, double s) {
  for (double& x : a) x *= s;
  return a;
}
inline double distance(const std::vector<double>& a, const std::vector<double>& b) { return norm(sum(a, -1, b)); }

inline dense::VectorXd as_vector(const std::vector<double>& u) {
  return Eigen::Map<const dense::VectorXd>(u.data(), static_cast<dense::Index>(u.size()));
}

}  // namespace aleator::core::reliability
