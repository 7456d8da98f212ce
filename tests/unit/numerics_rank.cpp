// Dependent rows of sparse matrices: constructed cases, mechanisms with known redundancy, large chains.
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <random>

#include "numerics/rank.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

using Entries = std::vector<Triplet>;
using Vector = Eigen::Vector3d;

// Revolute joint in maximal coordinates (velocity and angular velocity of each body): the relative velocity at the
// joint point vanishes (3 rows), and the relative angular velocity across the axis (2 rows).
void add_revolute(Entries& g, int row, int body_a, int body_b, const Vector& point, const Vector& axis,
                  const std::vector<Vector>& centres) {
  const Vector t1 = axis.unitOrthogonal(), t2 = axis.cross(t1);
  for (const auto& [body, sign] : {std::pair{body_a, -1.0}, {body_b, 1.0}}) {
    if (body < 0) continue;
    const Vector r = point - centres[body];
    for (int k = 0; k < 3; ++k) {
      g.push_back({row + k, 6 * body + k, sign});
      const Vector lever = r.cross(Vector::Unit(k));  // e_k . (w x r) = w . (r x e_k)
      for (int j = 0; j < 3; ++j) g.push_back({row + k, 6 * body + 3 + j, sign * lever[j]});
    }
    for (int j = 0; j < 3; ++j) g.push_back({row + 3, 6 * body + 3 + j, sign * t1[j]});
    for (int j = 0; j < 3; ++j) g.push_back({row + 4, 6 * body + 3 + j, sign * t2[j]});
  }
}

// A loop of bodies; the first and the last joint are on the ground.
Entries revolute_loop(const std::vector<Vector>& points, const std::vector<Vector>& axes) {
  const int bodies = static_cast<int>(points.size()) - 1;
  std::vector<Vector> centres;
  for (int b = 0; b < bodies; ++b) centres.push_back(0.5 * (points[b] + points[b + 1]));
  Entries g;
  for (int j = 0; j <= bodies; ++j) add_revolute(g, 5 * j, j - 1, j < bodies ? j : -1, points[j], axes[j], centres);
  return g;
}

TEST(NumericsRank, small_matrices) {
  EXPECT_EQ(row_rank(0, 0, {}).rank, 0);
  const RowRank zero = row_rank(3, 2, Entries{{1, 0, 5.0}});
  EXPECT_EQ(zero.rank, 1);
  EXPECT_EQ(zero.dependent_rows, (std::vector<int>{0, 2})) << "rows of zeros";

  const Entries g = {{0, 0, 1.0}, {0, 1, 2.0}, {1, 2, 1e-9}, {2, 0, -3.0}, {2, 1, -6.0}, {2, 2, 1.0}, {3, 1, 1.0}};
  const RowRank r = row_rank(4, 3, g);
  EXPECT_EQ(r.rank, 3);
  EXPECT_EQ(r.dependent_rows, (std::vector<int>{2})) << "the later one; a short row is as good as a long one";
  const auto shares = row_dependencies(4, 3, g, r);
  ASSERT_EQ(shares.size(), 1u);
  ASSERT_EQ(shares[0].size(), 2u);
  EXPECT_EQ(shares[0][0].row, 0);
  EXPECT_NEAR(shares[0][0].coefficient, -3.0 * std::sqrt(5.0 / 46.0), 1e-10);  // regularisation 1e-12
  EXPECT_EQ(shares[0][1].row, 1);
  EXPECT_NEAR(shares[0][1].coefficient, std::sqrt(1.0 / 46.0), 1e-10);
}

TEST(NumericsRank, repeated_entries_are_added) {
  EXPECT_EQ(row_rank(1, 1, Entries{{0, 0, 1.0}, {0, 0, -1.0}}).rank, 0);
  EXPECT_EQ(row_rank(2, 2, Entries{{0, 0, 1.0}, {0, 1, 1.0}, {1, 0, 0.5}, {1, 1, 1.0}, {1, 0, 0.5}}).rank, 1);
}

TEST(NumericsRank, the_tolerance_is_a_distance_from_the_span) {
  for (const double distance : {1e-7, 1e-11}) {
    const RowRank r = row_rank(2, 2, Entries{{0, 0, 1.0}, {1, 0, 1.0}, {1, 1, distance}});
    EXPECT_EQ(r.rank, distance > 1e-9 ? 2 : 1);
  }
}

TEST(NumericsRank, wrong_entries_are_refused) {
  EXPECT_THROW(row_rank(1, 1, Entries{{1, 0, 1.0}}), std::invalid_argument);
  EXPECT_THROW(row_rank(1, 1, Entries{{0, -1, 1.0}}), std::invalid_argument);
  EXPECT_THROW(row_rank(1, 1, Entries{{0, 0, std::nan("")}}), std::invalid_argument);
}

TEST(NumericsRank, agrees_with_singular_values) {
  std::mt19937 generator(5);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 50; ++trial) {
    const int rows = 5 + trial % 17, columns = 4 + trial % 11, inner = 1 + trial % 8;
    Eigen::MatrixXd left(rows, inner), right(inner, columns);
    for (double& x : left.reshaped()) x = normal(generator);
    for (double& x : right.reshaped()) x = normal(generator);
    const Eigen::MatrixXd m = left * right;
    Entries g;
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j) g.push_back({i, j, m(i, j)});
    const RowRank r = row_rank(rows, columns, g);
    const int expected = std::min({rows, columns, inner});
    EXPECT_EQ(r.rank, expected);
    // Generic rows: the first ones are kept.
    for (std::size_t k = 0; k < r.dependent_rows.size(); ++k) EXPECT_EQ(r.dependent_rows[k], expected + static_cast<int>(k));
    // The combinations reproduce the rows.
    const auto shares = row_dependencies(rows, columns, g, r);
    for (std::size_t k = 0; k < shares.size(); ++k) {
      Eigen::RowVectorXd sum = m.row(r.dependent_rows[k]).normalized();
      for (const RowShare& s : shares[k]) sum -= s.coefficient * m.row(s.row).normalized();
      EXPECT_LT(sum.norm(), 1e-5) << "coefficients below 1e-6 are left out, regularisation acts on small singular values";
    }
  }
}

// Four bars in the plane, modelled in space: 3 bodies, 4 revolute joints, 20 rows, one freedom; rank 17.
TEST(NumericsRank, planar_four_bar_has_three_redundancies) {
  const std::vector<Vector> points = {{0, 0, 0}, {0.2, 1, 0}, {1.7, 1.3, 0}, {1.5, 0, 0}};
  const std::vector<Vector> axes(4, Vector::UnitZ());
  const Entries g = revolute_loop(points, axes);
  const RowRank r = row_rank(20, 18, g);
  EXPECT_EQ(r.rank, 17);
  ASSERT_EQ(r.dependent_rows.size(), 3u);
  for (int row : r.dependent_rows) EXPECT_GE(row, 15) << "the last joint closes the loop";
  // Every joint of the loop takes part.
  std::array<bool, 4> takes_part{false, false, false, true};
  for (const auto& shares : row_dependencies(20, 18, g, r))
    for (const RowShare& s : shares) takes_part[s.row / 5] = true;
  EXPECT_EQ(takes_part, (std::array<bool, 4>{true, true, true, true}));
}

// Bricard's linkage along six edges of a cube: 30 rows for 30 velocities, yet it moves; rank 29.
TEST(NumericsRank, bricard_linkage_moves) {
  const std::vector<Vector> points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}, {0, 1, 1}, {0, 0, 1}};
  const std::vector<Vector> axes = {Vector::UnitY(), Vector::UnitZ(), Vector::UnitX(),
                                    Vector::UnitY(), Vector::UnitZ(), Vector::UnitX()};
  const Entries g = revolute_loop(points, axes);
  const RowRank r = row_rank(30, 30, g);
  EXPECT_EQ(r.rank, 29);
  ASSERT_EQ(r.dependent_rows.size(), 1u);
  EXPECT_GE(r.dependent_rows[0], 25);

  // A generic loop of six hinges is rigid.
  std::vector<Vector> skew = axes;
  skew[2] = Vector(1.0, 0.3, 0.2).normalized();
  skew[4] = Vector(0.1, -0.4, 1.0).normalized();
  EXPECT_EQ(row_rank(30, 30, revolute_loop(points, skew)).rank, 30);
}

TEST(NumericsRank, long_chains_and_many_redundancies) {
  const int bodies = 1000;
  std::mt19937 generator(1);
  std::normal_distribution<double> normal;
  Entries g;
  for (int b = 0; b < bodies; ++b)
    for (int k = 0; k < 5; ++k)
      for (int body : {b - 1, b})
        for (int j = 0; body >= 0 && j < 6; ++j) g.push_back({5 * b + k, 6 * body + j, normal(generator)});
  EXPECT_EQ(row_rank(5 * bodies, 6 * bodies, g).rank, 5 * bodies);

  // The first two rows of every tenth joint once more.
  Entries repeated = g;
  int row = 5 * bodies;
  for (int b = 0; b < bodies; b += 10)
    for (int k = 0; k < 2; ++k, ++row)
      for (const Triplet& e : g)
        if (e.row == 5 * b + k) repeated.push_back({row, e.column, -2.0 * e.value});
  const RowRank r = row_rank(row, 6 * bodies, repeated);
  EXPECT_EQ(r.rank, 5 * bodies);
  ASSERT_EQ(r.dependent_rows.size(), 200u);
  const auto shares = row_dependencies(row, 6 * bodies, repeated, r);
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(r.dependent_rows[i], 5 * bodies + i);
    ASSERT_EQ(shares[i].size(), 1u);
    EXPECT_EQ(shares[i][0].row, 5 * (10 * (i / 2)) + i % 2);
    EXPECT_NEAR(shares[i][0].coefficient, -1.0, 1e-6);  // regularisation over the smallest singular values
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
