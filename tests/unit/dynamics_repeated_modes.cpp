// Shapes of modes with the same eigenvalue.
#include "dynamics/repeated_modes.hpp"

#include <gtest/gtest.h>

#include "dynamics/modal.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

using Complex = std::complex<double>;
using Eigen::VectorXcd;

VectorXcd shape(std::vector<Complex> x) { return Eigen::Map<VectorXcd>(x.data(), Eigen::Index(x.size())); }

TEST(RepeatedModes, are_those_of_the_same_eigenvalue) {
  EXPECT_EQ(repeated({0., 0., {0, 1}, {0, 2}, {0, 1 + 1e-7}, {0.1, 2}, {0, 2}}), (std::vector<std::vector<int>>{{2, 4}, {3, 6}}));
  EXPECT_TRUE(repeated({}).empty());
}

TEST(RepeatedModes, take_the_shapes_of_what_they_are_compared_with) {
  const Eigen::VectorXd weights = Eigen::Vector4d(1, 2, 1, 3);
  const Complex i(0, 1);
  const VectorXcd a = shape({1, 0.5, 0, 0}), b = shape({0, 0, 0.2 * i, 1}), c = shape({1, -2, 5, 0.1});
  // Two circles in the plane of a and b; c is a mode by itself.
  std::vector<VectorXcd> shapes = {a + 2. * i * b, c, a - 2. * i * b};
  turn_towards(shapes, {0, 2}, {c, b + 0.01 * c, a}, weights);
  EXPECT_GT(modal_assurance(shapes[0], a, weights), 1 - 1e-12);
  EXPECT_GT(modal_assurance(shapes[2], b, weights), 0.99);
  EXPECT_EQ(shapes[1], c);
  for (const size_t k : {0u, 2u}) EXPECT_NEAR(std::abs(shapes[k].cwiseAbs().maxCoeff()), 1, 1e-15);
  // One target alone: what is left of the plane is the other one.
  shapes = {a + 2. * i * b, a - 2. * i * b};
  turn_towards(shapes, {0, 1}, {b}, weights);
  EXPECT_GT(modal_assurance(shapes[0], b, weights), 1 - 1e-12);
  EXPECT_LT(modal_assurance(shapes[0], shapes[1], weights), 0.9);
  // Nothing to be like, and a pair that is one shape twice
  shapes = {a, b};
  turn_towards(shapes, {0, 1}, {}, weights);
  EXPECT_GT(modal_assurance(shapes[0], a, weights), 1 - 1e-12);
  EXPECT_GT(modal_assurance(shapes[1], b, weights), 1 - 1e-12);
  shapes = {a, 2. * a};
  turn_towards(shapes, {0, 1}, {b}, weights);
  EXPECT_EQ(shapes[1], VectorXcd(2. * a));
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
