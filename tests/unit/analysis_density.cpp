// Densities: those of known laws, and nothing of what does not scatter.
#include "analysis/density.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "uncertainty/stream.hpp"

namespace aleator::core::analysis {
namespace ALEATOR_FILE {

double at(const Density& d, double x) {
  size_t i = 1;
  while (i + 1 < d.values.size() && d.values[i] < x) ++i;
  const double s = (x - d.values[i - 1]) / (d.values[i] - d.values[i - 1]);
  return (1 - s) * d.density[i - 1] + s * d.density[i];
}

TEST(Density, of_a_normal_law) {
  std::vector<double> sample;
  for (std::uint64_t k = 0; k < 20000; ++k) sample.push_back(3 + 2 * Stream(1, k, 7).normal());
  const Density d = density_of(sample);
  double integral = 0;
  for (size_t i = 1; i < d.values.size(); ++i)
    integral += (d.values[i] - d.values[i - 1]) * (d.density[i] + d.density[i - 1]) / 2;
  EXPECT_NEAR(integral, 1, 1e-3);  // three bandwidths beyond the ends: 1e-3 of two kernels in 20,000, and the trapezoidal rule
  // Bias h² p''/2 = 0.2 % of the top with h = 0.12 σ … 0.7 %; scatter √(p ∫φ²/(n h)) = 1.2 % of the top: five of these.
  const double top = 1 / (2 * std::sqrt(2 * std::numbers::pi));
  for (const double z : {-1.5, -0.5, 0.0, 1.0}) EXPECT_NEAR(at(d, 3 + 2 * z), top * std::exp(-z * z / 2), 0.07 * top);
}

// Without reflection half of it would be lost at each end.
TEST(Density, of_a_uniform_law_keeps_to_its_bounds) {
  std::vector<double> sample;
  for (std::uint64_t k = 0; k < 20000; ++k) sample.push_back(2 + Stream(1, k, 7).uniform());
  const Density d = density_of(sample, 201, 2, 3);
  EXPECT_NEAR(d.values.front(), 2, 1e-12);
  EXPECT_NEAR(d.values.back(), 3, 1e-12);
  double integral = 0;
  for (size_t i = 1; i < d.values.size(); ++i)
    integral += (d.values[i] - d.values[i - 1]) * (d.density[i] + d.density[i - 1]) / 2;
  EXPECT_NEAR(integral, 1, 1e-4);  // trapezoidal rule
  // h = 0.036: scatter √(∫φ²/(n h)) = 2 %, at a reflecting end √2 of it: four of these.
  for (const double x : {2.0, 2.3, 3.0}) EXPECT_NEAR(at(d, x), 1, 0.11);
}

TEST(Density, of_what_does_not_scatter_is_none) { EXPECT_TRUE(density_of(std::vector<double>(10, 1.5)).values.empty()); }

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::analysis
