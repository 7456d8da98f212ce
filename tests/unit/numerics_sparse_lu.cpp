// The sparse solver: against dense algebra, lanes against scalars, bad pivots, and the growth of its cost.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "numerics/complex.hpp"
#include "numerics/dual.hpp"
#include "numerics_kkt.hpp"
#include "support/in_lanes.hpp"
#include "support/linear_algebra.hpp"
#include "support/same_numbers.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

using test::Kkt;
using test::KktOptions;
using test::make_kkt;

LuProgram analysed(const Kkt& kkt, bool with_blocks = true) {
  LuOptions options;
  if (with_blocks) options.block = kkt.block;
  return LuProgram::analyse(kkt.pattern, kkt.values, options);
}

int exchanged_rows(const LuProgram& program) {
  int count = 0;
  for (int k = 0; k < program.n; ++k) count += program.row_order[k] != program.column_order[k];
  return count;
}

std::vector<double> ramp_vector(int n) {
  std::vector<double> x(n);
  for (int i = 0; i < n; ++i) x[i] = std::sin(1.0 + i);
  return x;
}

// Solves with A and A^T and compares with the right-hand side made from a known solution.
void expect_solves(const Kkt& kkt, const LuProgram& program, double inertia = 0.1) {
  LuFactors<double> factors(program);
  ASSERT_FALSE(factor(program, kkt.values.data(), factors));
  const Eigen::MatrixXd a = test::dense(kkt.pattern, kkt.values);
  const Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(ramp_vector(program.n).data(), program.n);
  // Forward error: condition number times round-off times the growth in G A^-1 G^T, which is (lever / radius of
  // gyration)^2 = 1 / inertia, and 100 for sums over many entries.
  const double tolerance = 100.0 / inertia * 2.2e-16 * a.norm() * test::norm_of_inverse(a);
  Eigen::VectorXd y = a * x;
  solve(program, factors, y.data());
  EXPECT_LT((y - x).norm(), tolerance * x.norm());
  y = a.transpose() * x;
  solve_transposed(program, factors, y.data());
  EXPECT_LT((y - x).norm(), tolerance * x.norm());
}

// A complex matrix with the program of a real one: Radau's A = M + c C + c² K. In lanes likewise, bitwise but for the sign of zero.
TEST(NumericsSparseLu, complex_matrices) {
  const Kkt kkt = make_kkt(20, test::chain(20), {.springs = true});
  const LuProgram program = analysed(kkt);
  const int n = program.n;
  std::vector<Complex<double>> values(kkt.values.size());
  Eigen::MatrixXcd a = Eigen::MatrixXcd::Zero(n, n);
  for (int c = 0; c < n; ++c)
    for (int k = kkt.pattern.column_start[c]; k < kkt.pattern.column_start[c + 1]; ++k) {
      const bool own = kkt.block[c] >= 0 && kkt.block[kkt.pattern.row[k]] >= 0;
      values[k] = {kkt.values[k], own ? 0.7 * kkt.values[k] : 0.0};
      a(kkt.pattern.row[k], c) = {values[k].re, values[k].im};
    }
  LuFactors<Complex<double>> factors(program);
  ASSERT_FALSE(factor(program, values.data(), factors));
  Eigen::VectorXcd x(n);
  for (int i = 0; i < n; ++i) x(i) = {std::sin(1.0 + i), std::cos(3.0 * i)};
  const Eigen::VectorXcd right = a * x;
  std::vector<Complex<double>> y(n);
  for (int i = 0; i < n; ++i) y[i] = {right(i).real(), right(i).imag()};
  solve(program, factors, y.data());
  // Round-off times condition and growth, as in expect_solves.
  const double tolerance = 1000 * 2.2e-16 * a.norm() * test::norm_of_inverse(a);
  for (int i = 0; i < n; ++i) EXPECT_LT(std::abs(std::complex<double>(y[i].re, y[i].im) - x(i)), tolerance * x.norm());

  const int entries = int(values.size());
  for (const Isa isa : test::available_isas()) {
    test::InLanes run(isa, 2 * entries, [&](const Traced* in, std::vector<Traced>& out) {
      std::vector<Complex<Traced>> traced(entries), z(n);
      for (int k = 0; k < entries; ++k) traced[k] = {in[2 * k], in[2 * k + 1]};
      for (int i = 0; i < n; ++i) z[i] = {Traced(right(i).real()), Traced(right(i).imag())};
      LuFactors<Complex<Traced>> traced_factors(program);
      const TracedMask bad = factor(program, traced.data(), traced_factors);
      solve(program, traced_factors, z.data());
      out.push_back(select(bad, Traced(1), Traced(0)));
      for (const Complex<Traced>& c : z) out.push_back(c.re), out.push_back(c.im);
    });
    const int lane = run.width() - 1;
    for (int k = 0; k < entries; ++k)
      for (int other = 0; other < run.width(); ++other) {
        run.in(2 * k, other) = values[k].re * (other == lane ? 1 : 1.1);
        run.in(2 * k + 1, other) = values[k].im;
      }
    run();
    EXPECT_EQ(run.out(0, lane), 0);
    for (int i = 0; i < n; ++i)
      EXPECT_TRUE(test::same_but_for_zeros(run.out(1 + 2 * i, lane), y[i].re) &&
                  test::same_but_for_zeros(run.out(2 + 2 * i, lane), y[i].im));
  }
  // A NaN anywhere is noticed.
  values[values.size() / 2].im = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(factor(program, values.data(), factors));
}

TEST(NumericsSparseLu, patterns_merge_repeated_entries) {
  const SparsePattern p = make_pattern(3, {{2, 0}, {0, 0}, {2, 0}, {1, 2}});
  EXPECT_EQ(p.column_start, (std::vector<int>{0, 2, 2, 3}));
  EXPECT_EQ(p.row, (std::vector<int>{0, 2, 1}));
  EXPECT_EQ(p.find(2, 0), 1);
  EXPECT_EQ(p.find(1, 0), -1);
  EXPECT_EQ(p.nonzeros(), 3);
  EXPECT_THROW(make_pattern(3, {{3, 0}}), std::out_of_range);
}

TEST(NumericsSparseLu, solves_chains_trees_stars_and_loops) {
  for (const bool with_blocks : {false, true})
    for (const unsigned seed : {1u, 2u, 3u}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", blocks " << with_blocks);
      const Kkt systems[] = {
          make_kkt(5, test::chain(5), {.seed = seed}),
          make_kkt(20, test::chain(20), {.springs = true, .seed = seed}),
          make_kkt(15, test::tree(15), {.rows = 3, .seed = seed}),
          make_kkt(15, test::star(15), {.rows = 6, .seed = seed}),
          make_kkt(30, test::ladder(30), {.freedoms = 3, .rows = 2, .seed = seed}),
          make_kkt(12, test::chain(12), {.regularisation = 1e-10, .seed = seed}),
      };
      for (const Kkt& kkt : systems) expect_solves(kkt, analysed(kkt, with_blocks));
      const Kkt slender = make_kkt(12, test::chain(12), {.inertia = 1e-5, .seed = seed});
      expect_solves(slender, analysed(slender, with_blocks), 1e-5);
    }
}

TEST(NumericsSparseLu, solves_unsymmetric_and_dense_matrices) {
  std::mt19937 generator(7);
  std::normal_distribution<double> normal;
  for (const int n : {1, 2, 9, 40}) {
    for (const double density : {0.1, 1.0}) {
      std::vector<std::pair<int, int>> pairs;
      for (int i = 0; i < n; ++i) pairs.emplace_back(i, (i + 1) % n);  // a nonsingular pattern without its diagonal
      std::uniform_real_distribution<double> uniform;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          if (uniform(generator) < density) pairs.emplace_back(i, j);
      Kkt kkt{make_pattern(n, pairs), {}, {}};
      for (int k = 0; k < kkt.pattern.nonzeros(); ++k) kkt.values.push_back(normal(generator));
      expect_solves(kkt, analysed(kkt));
    }
  }
  EXPECT_EQ(LuProgram::analyse(make_pattern(0, {}), {}).operations(), 0);
}

// Massless unknowns held by constraints: pivots can only be the constraints' entries.
TEST(NumericsSparseLu, exchanges_rows_when_the_diagonal_is_zero) {
  Kkt kkt = make_kkt(4, test::chain(4), {.rows = 6});
  for (int k = 18; k < 24; ++k)
    for (int i = 18; i < 24; ++i)
      if (const int at = kkt.pattern.find(i, k); at >= 0) kkt.values[at] = 0.0;  // the last body has no inertia
  const LuProgram program = analysed(kkt);
  EXPECT_GT(exchanged_rows(program), 0);
  expect_solves(kkt, program);
}

// A x = b and Aᵀ y = b in lanes: what comes out is whether the factors are bad, x and y.
test::InLanes solver_in_lanes(Isa isa, const LuProgram& program, int entries, const std::vector<double>& right) {
  return {isa, entries, [&](const Traced* values, std::vector<Traced>& out) {
            AlignedVector<Traced> x(program.n), xt(program.n);
            for (int i = 0; i < program.n; ++i) x[i] = xt[i] = Traced(right[i]);
            LuFactors<Traced> factors(program);
            const TracedMask bad = factor(program, values, factors);
            solve(program, factors, x.data());
            solve_transposed(program, factors, xt.data());
            out.push_back(select(bad, Traced(1), Traced(0)));
            out.insert(out.end(), x.begin(), x.end());
            out.insert(out.end(), xt.begin(), xt.end());
          }};
}

TEST(NumericsSparseLu, lanes_are_bitwise_the_scalar_result) {
  const Kkt kkt = make_kkt(12, test::tree(12), {.rows = 4, .springs = true});
  const LuProgram program = analysed(kkt);
  const auto value = [&](std::size_t k, int lane) { return kkt.values[k] * (1.0 + 0.05 * std::sin(k + 10.0 * lane)); };
  std::vector<double> right(program.n);
  for (int i = 0; i < program.n; ++i) right[i] = std::cos(i);
  for (const Isa isa : test::available_isas()) {
    test::InLanes run = solver_in_lanes(isa, program, int(kkt.values.size()), right);
    for (std::size_t k = 0; k < kkt.values.size(); ++k)
      for (int lane = 0; lane < run.width(); ++lane) run.in(int(k), lane) = value(k, lane);
    run();
    for (int lane = 0; lane < run.width(); ++lane) {
      std::vector<double> v(kkt.values.size()), y = right, yt = right;
      for (std::size_t k = 0; k < v.size(); ++k) v[k] = value(k, lane);
      LuFactors<double> alone(program);
      EXPECT_FALSE(factor(program, v.data(), alone));
      solve(program, alone, y.data());
      solve_transposed(program, alone, yt.data());
      EXPECT_EQ(run.out(0, lane), 0);
      for (int i = 0; i < program.n; ++i) {
        ASSERT_TRUE(test::same_but_for_zeros(y[i], run.out(1 + i, lane))) << name(isa) << ' ' << i;
        ASSERT_TRUE(test::same_but_for_zeros(yt[i], run.out(1 + program.n + i, lane))) << name(isa) << ' ' << i;
      }
    }
  }
}

// Joint 3 of a chain fails in one lane, in several ways.
TEST(NumericsSparseLu, bad_pivots_flag_their_lane_only) {
  const Kkt kkt = make_kkt(6, test::chain(6));
  const LuProgram program = analysed(kkt);
  const int row = 36 + 15;  // first row of joint 3; the next one is made equal to it, or it vanishes, or is not a number
  const auto spoiled = [&](double factor_of_row, bool repeat) {
    std::vector<double> values = kkt.values;
    for (int j = 0; j < 36; ++j) {
      const int k = kkt.pattern.find(row, j), kt = kkt.pattern.find(j, row);
      const int l = kkt.pattern.find(row + 1, j), lt = kkt.pattern.find(j, row + 1);
      if (k < 0) continue;
      values[k] = values[kt] = kkt.values[k] * factor_of_row;
      if (repeat) values[l] = values[lt] = kkt.values[k];
    }
    return values;
  };
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> ones(program.n, 1.0);
  for (const Isa isa : test::available_isas()) {
    test::InLanes run = solver_in_lanes(isa, program, int(kkt.values.size()), ones);
    const auto put = [&](const std::vector<double>& values, int lane) {
      for (std::size_t k = 0; k < values.size(); ++k) run.in(int(k), lane) = values[k];
    };
    const auto seen = [&](int lane) {
      std::vector<double> out;
      for (int i = 0; i < run.outputs(); ++i) out.push_back(run.out(i, lane));
      return out;
    };
    for (int lane = 0; lane < run.width(); ++lane) put(kkt.values, lane);
    run();
    const std::vector<double> reference = seen(0);
    EXPECT_EQ(reference[0], 0);
    for (const auto& values :
         {spoiled(1.0, true), spoiled(0.0, false), spoiled(infinity, false), spoiled(infinity - infinity, false)})
      for (int bad = 0; bad < run.width(); ++bad) {
        for (int lane = 0; lane < run.width(); ++lane) put(lane == bad ? values : kkt.values, lane);
        run();
        for (int lane = 0; lane < run.width(); ++lane) {
          EXPECT_EQ(run.out(0, lane), lane == bad ? 1 : 0) << name(isa);
          if (lane != bad) {
            EXPECT_EQ(seen(lane), reference) << name(isa);  // bitwise
          }
        }
      }
  }
}

TEST(NumericsSparseLu, a_lost_pivot_is_found_again_by_a_new_analysis) {
  // The pivot on the first diagonal vanishes; the matrix stays regular.
  const SparsePattern pattern = make_pattern(2, {{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  const std::vector<double> before = {2.0, 1.0, 1.0, 3.0};
  const std::vector<double> after = {0.0, 1.0, 1.0, 0.0};
  LuProgram program = LuProgram::analyse(pattern, before);
  LuFactors<double> factors(program);
  EXPECT_FALSE(factor(program, before.data(), factors));
  EXPECT_TRUE(factor(program, after.data(), factors));
  program = LuProgram::analyse(pattern, after);
  factors.resize(program);
  EXPECT_FALSE(factor(program, after.data(), factors));
  double x[] = {5.0, 7.0};
  solve(program, factors, x);
  EXPECT_EQ(x[0], 7.0);
  EXPECT_EQ(x[1], 5.0);
}

int singular_column(const SparsePattern& pattern, const std::vector<double>& values) {
  try {
    LuProgram::analyse(pattern, values);
  } catch (const SingularMatrix& e) {
    return e.column;
  }
  return -1;
}

TEST(NumericsSparseLu, singular_matrices_throw_and_name_a_column) {
  const SparsePattern full = make_pattern(2, {{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  EXPECT_GE(singular_column(full, {1.0, 2.0, 2.0, 4.0}), 0) << "numerically";
  EXPECT_GE(singular_column(full, {0.0, 0.0, 0.0, 0.0}), 0) << "zero";
  EXPECT_GE(singular_column(full, {1.0, 2.0, std::nan(""), 4.0}), 0) << "not a number";
  EXPECT_EQ(singular_column(make_pattern(3, {{0, 0}, {1, 1}, {0, 1}}), {1.0, 1.0, 1.0}), 2) << "empty column";

  // Two joints between the same bodies, with the same rows: only regularisation makes the system regular.
  for (const double e : {0.0, 1e-9}) {
    Kkt kkt = make_kkt(2, {{-1, 0}, {0, 1}, {0, 1}}, {.rows = 3, .regularisation = e});
    for (int r = 0; r < 3; ++r)
      for (int j = 0; j < 12; ++j) {
        const double x = kkt.values[kkt.pattern.find(15 + r, j)];
        kkt.values[kkt.pattern.find(18 + r, j)] = kkt.values[kkt.pattern.find(j, 18 + r)] = x;
      }
    EXPECT_EQ(singular_column(kkt.pattern, kkt.values) >= 0, e == 0.0);
    if (e == 0.0) continue;
    const LuProgram program = analysed(kkt);
    LuFactors<double> factors(program);
    EXPECT_FALSE(factor(program, kkt.values.data(), factors)) << "small pivots that were expected are not bad";
  }
}

TEST(NumericsSparseLu, operations_grow_linearly) {
  for (const auto links : {test::chain, test::tree, test::star, test::ladder}) {
    // Planar, so that the loops of the ladder do not lock it.
    const KktOptions options{.freedoms = 3, .rows = links == test::ladder ? 1 : 2};
    const long small = analysed(make_kkt(100, links(100), options)).operations();
    const long large = analysed(make_kkt(1000, links(1000), options)).operations();
    EXPECT_LT(large, 11 * small) << "10, and a little for the ends";
  }
  const LuProgram program = analysed(make_kkt(1000, test::chain(1000)));
  EXPECT_LT(program.operations(), 1000 * 800) << "about 750 for a body with a joint of five rows";
  EXPECT_EQ(exchanged_rows(program), 0) << "every multiplier stands on a body";
}

TEST(NumericsSparseLu, pivots_stay_on_the_diagonal_when_blocks_are_given) {
  for (const auto links : {test::chain, test::tree, test::star, test::ladder})
    EXPECT_EQ(exchanged_rows(analysed(make_kkt(50, links(50), {.freedoms = 3, .rows = 1}))), 0);
}

// d(A^-1 b) = -A^-1 dA A^-1 b
TEST(NumericsSparseLu, derivatives_go_through_the_solution) {
  const Kkt kkt = make_kkt(4, test::chain(4));
  const LuProgram program = analysed(kkt);
  AlignedVector<Dual> values(kkt.values.size()), x(program.n);
  std::vector<double> direction(kkt.values.size());
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = Dual(kkt.values[k], direction[k] = std::sin(3.0 * k));
  for (int i = 0; i < program.n; ++i) x[i] = std::cos(i);
  LuFactors<Dual> factors(program);
  EXPECT_FALSE(factor(program, values.data(), factors));
  solve(program, factors, x.data());

  const Eigen::MatrixXd a = test::dense(kkt.pattern, kkt.values), da = test::dense(kkt.pattern, direction);
  Eigen::VectorXd b(program.n), dx(program.n);
  for (int i = 0; i < program.n; ++i) b[i] = std::cos(i), dx[i] = x[i].d;
  const Eigen::VectorXd expected = -test::solve_dense(a, da * test::solve_dense(a, b));
  EXPECT_LT((dx - expected).norm(), 1e-9 * expected.norm());  // round-off times the square of a condition of about 1e3
}

TEST(NumericsSparseLu, wrong_sizes_are_refused) {
  const SparsePattern pattern = make_pattern(1, {{0, 0}});
  EXPECT_THROW(LuProgram::analyse(pattern, std::vector<double>{1.0, 2.0}), std::invalid_argument);
  EXPECT_THROW(LuProgram::analyse(pattern, std::vector<double>{1.0}, {.block = {0, 1}}), std::invalid_argument);
}

// Unknowns that are to be last are, no group of columns has both kinds, and the solution is the same.
TEST(NumericsSparseLu, unknowns_that_are_last) {
  const Kkt kkt = make_kkt(4, {{-1, 0}, {0, 1}, {1, 2}, {2, 3}});
  LuOptions options;
  options.block = kkt.block;
  options.last.assign(size_t(kkt.pattern.n), 0);
  for (int k = 0; k < kkt.pattern.n; ++k) options.last[size_t(k)] = kkt.block[size_t(k)] < 2;  // two bodies and all multipliers
  const LuProgram program = LuProgram::analyse(kkt.pattern, kkt.values, options);
  EXPECT_EQ(program.inner, int(std::count(options.last.begin(), options.last.end(), 0)));
  for (int k = 0; k < program.n; ++k) EXPECT_EQ(options.last[size_t(program.column_order[size_t(k)])] != 0, k >= program.inner);
  for (const LuProgram::Supernode& s : program.supernodes) EXPECT_EQ(s.first < program.inner, s.first + s.width <= program.inner);
  expect_solves(kkt, program);
  // places are those where the values go
  for (int j = 0; j < program.n; ++j)
    for (int k = program.load_start[size_t(j)]; k < program.load_start[size_t(j) + 1]; ++k) {
      int column = 0;
      while (kkt.pattern.column_start[size_t(column) + 1] <= program.load_from[size_t(k)]) ++column;
      const int row = kkt.pattern.row[size_t(program.load_from[size_t(k)])];
      const int i = int(std::find(program.row_order.begin(), program.row_order.end(), row) - program.row_order.begin());
      EXPECT_EQ(program.place(i, j), program.load_to[size_t(k)]);
    }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
