// The matrices of real models, solved by our sparse program and by Eigen's dense LU with full pivoting.
#include <gtest/gtest.h>

#include "dynamics/start.hpp"
#include "numerics/dense.hpp"
#include "published/n_four_bar.hpp"
#include "support/linear_algebra.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

Eigen::MatrixXd unpacked(const SparsePattern& p, const AlignedVector<double>& values) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(p.n, p.n);
  for (int c = 0; c < p.n; ++c)
    for (int k = p.column_start[c]; k < p.column_start[c + 1]; ++k) A(p.row[k], c) = values[k];
  return A;
}

// Both solve A x = A y for some y. The velocities are y's; multipliers too, unless rows are redundant: then only their sum
// counts, and a unit of it has a pivot of 1e-11.
void expect_solution(const Assembly<double>& a, bool redundant, const char* which) {
  const Structure& s = a.model().structure;
  const Eigen::MatrixXd A = unpacked(s.pattern, a.values());
  Eigen::VectorXd y(s.size);
  for (int i = 0; i < s.size; ++i) y[i] = std::sin(1.0 + i);
  const Eigen::VectorXd b = A * y, full = solve_dense(A, b);

  LuOptions options;
  options.block = s.unknown_node;
  const LuProgram program = LuProgram::analyse(s.pattern, {a.values().data(), a.values().size()}, options);
  LuFactors<double> factors(program);
  EXPECT_FALSE(factor(program, a.values().data(), factors));
  AlignedVector<double> x(b.begin(), b.end());
  solve(program, factors, x.data());
  const Eigen::VectorXd sparse = Eigen::Map<Eigen::VectorXd>(x.data(), s.size);

  // Round-off, times the growth of elements: rows are never exchanged, and the pivot of a redundant row is small.
  EXPECT_LT((A * sparse - b).cwiseAbs().maxCoeff() / A.cwiseAbs().rowwise().sum().maxCoeff(), redundant ? 1e-12 : 1e-13) << which;
  // Round-off times the condition; where rows are redundant, that of the motion, 1e3 … 1e4.
  const int compared = redundant ? s.dofs : s.size;
  const Eigen::VectorXd singular = dense::singular_values(A).values;
  const double condition = redundant ? 1e4 : singular(0) / singular(s.size - 1);
  EXPECT_LT((sparse - y).head(compared).cwiseAbs().maxCoeff(), 1e-15 * condition) << which << ", condition " << condition;
  EXPECT_LT((full - y).head(compared).cwiseAbs().maxCoeff(), 1e-15 * condition) << which;
}

void check(const Model& model, bool redundant = false) {
  const Realization<double> r = make_realization<double>(model, std::span(&model.nominal, 1));
  Assembly<double> a(model, r);
  State<double> s = assemble(a);
  Index1<double> index1(a);
  index1.evaluate(s, Side::right);
  index1.accelerations(s);
  expect_solution(a, redundant, "mass matrix");
  const double h = model.settings.step;
  a.tangent(0.9, 0.6 * h, 0.3 * h * h, s.accelerations.data(), s.lambda.data(), nullptr);
  expect_solution(a, redundant, "iteration matrix");
}

TEST(SparseAndDense, five_body) { check(model_of_file("examples/five-body.yaml")); }
TEST(SparseAndDense, andrews) { check(model_of_file("examples/andrews.yaml")); }
TEST(SparseAndDense, bricard) { check(model_of_file("examples/bricard.yaml"), true); }
TEST(SparseAndDense, twenty_four_bars) { check(model_from(n_four_bar(20, 1, 1e-3))); }

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
