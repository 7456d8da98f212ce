// Mechanisms drawn at random: accelerations and multipliers in joint coordinates and by the matrix of all unknowns, motions with and without
// passes, alone and in lanes.
#include "support/random_mechanism.hpp"

#include "compare.hpp"
#include "dynamics/lane_engine.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr CompileOptions uncompiled = {.lock_unmoved = false, .tree = false};

// Some drives and loops do not go together, or leave nothing to move.
bool can_start(const Model& m) {
  const Realization<double> r = make_realization<double>(m, std::span(&m.nominal, 1));
  Assembly<double> a(m, r);
  try {
    const State<double> s = assemble(a);
    return find_redundancy(a, s).dependent.empty();
  } catch (const SimulationError&) {
    return false;
  }
}

struct Solved {
  State<double> state;
  bool by_tree;
};

// G v̇ + bias
AlignedVector<double> open_rows(const Assembly<double>& a, const State<double>& s) {
  const Topology& t = a.model().topology;
  AlignedVector<double> out(a.evaluation().bias, a.evaluation().bias + a.rows());
  for (size_t k = 0; k < t.block_row.size(); ++k) {
    const int c = t.block_carrier[k];
    if (c == t.ground()) continue;
    const double* v = &s.accelerations[6 * size_t(c)];
    Vec3<double> turn{v[3], v[4], v[5]};
    if (c < a.carriers().rigid) turn = a.frames()[c].R * turn;
    const Wrench<double>& G = a.evaluation().jacobian[k];
    out[size_t(t.block_row[k])] += dot(G.F, Vec3<double>{v[0], v[1], v[2]}) + dot(G.M, turn);
  }
  return out;
}

// Without ε: what a row is open by is asked for once more.
Solved solved(const Model& m, Index1Solver solver) {
  const Realization<double> r = make_realization<double>(m, std::span(&m.nominal, 1));
  Assembly<double> a(m, r);
  State<double> s = assemble(a);
  Index1<double> index1(a, solver);
  index1.evaluate(s, Side::right);
  index1.accelerations(s);
  AlignedVector<double> pull(a.rows(), 0.0);
  for (int again = 0; again < 3; ++again) {
    const AlignedVector<double> open = open_rows(a, s);
    for (int i = 0; i < a.rows(); ++i)
      if (m.structure.row_active[i]) pull[i] -= open[i];
    index1.accelerations(s, pull.data());
  }
  return {s, index1.uses_tree()};
}

double largest(const AlignedVector<double>& x) {
  double m = 1;
  for (const double y : x) m = std::max(m, std::abs(y));
  return m;
}

// How many of the seeds were solved by a tree.
int compare(unsigned first, unsigned last, const RandomMechanism& kind) {
  int by_tree = 0;
  for (unsigned seed = first; seed <= last; ++seed) {
    const std::string text = random_mechanism(seed, kind);
    const Model a = model_from(text), b = model_from(text, uncompiled);
    if (!can_start(b)) continue;
    const Solved x = solved(a, Index1Solver::tree), y = solved(b, Index1Solver::matrix);
    EXPECT_FALSE(y.by_tree);
    by_tree += x.by_tree;
    double off = 0, off_lambda = 0;
    for (size_t i = 0; i < x.state.accelerations.size(); ++i)
      off = std::max(off, std::abs(x.state.accelerations[i] - y.state.accelerations[i]));
    for (int r = 0; r < a.structure.rows; ++r)
      if (a.structure.row_active[r]) off_lambda = std::max(off_lambda, std::abs(x.state.lambda[r] - y.state.lambda[r]));
    // Round-off, times the condition of the mechanism.
    EXPECT_LT(off, 1e-9 * largest(y.state.accelerations)) << "seed " << seed << "\n" << text;
    EXPECT_LT(off_lambda, 1e-9 * largest(y.state.lambda)) << "seed " << seed << "\n" << text;
  }
  return by_tree;
}

TEST(RandomMechanisms, trees) { EXPECT_GT(compare(1, 40, {.bodies = 6, .loops = 0}), 35); }
TEST(RandomMechanisms, loops) { EXPECT_GT(compare(101, 140, {.bodies = 6, .loops = 2}), 30); }
TEST(RandomMechanisms, many_loops) { EXPECT_GT(compare(201, 220, {.bodies = 9, .loops = 5}), 10); }
TEST(RandomMechanisms, in_the_plane) { EXPECT_GT(compare(301, 340, {.bodies = 6, .loops = 2, .planar = true}), 12); }
// Joints with armature are in the tree wherever they can be.
TEST(RandomMechanisms, armature) {
  EXPECT_GT(compare(601, 640, {.bodies = 6, .loops = 0, .armature = true}), 35);
  EXPECT_GT(compare(641, 680, {.bodies = 6, .loops = 2, .armature = true}), 20);
  EXPECT_GT(compare(681, 710, {.bodies = 6, .loops = 1, .planar = true, .armature = true}), 12);
}

RandomMechanism any_kind(unsigned seed) {
  return {
      .bodies = 5, .loops = int(seed % 3), .planar = seed % 4 == 0, .armature = seed % 2 == 0, .beams = seed % 3 == 1 ? 2 : 0};
}

TEST(RandomMechanisms, move_alike_with_and_without_passes) {
  int with_beams = 0;
  for (unsigned seed = 401; seed <= 412; ++seed) {
    const std::string text = random_mechanism(seed, any_kind(seed));
    const Model plain = model_from(text, uncompiled);
    if (!can_start(plain)) continue;
    with_beams += any_kind(seed).beams > 0 ? 1 : 0;
    expect_equal(run(model_from(text)), run(plain), 1e-8);  // ε of the matrix, times the condition
    if (::testing::Test::HasFailure()) FAIL() << "seed " << seed << "\n" << text;
  }
  EXPECT_GE(with_beams, 2);
}

std::vector<double> in_lanes(const Model& m) {
  const Realization<double> r = make_realization<double>(m, std::span(&m.nominal, 1));
  const LaneEngine engine(m, {}, m.settings, Isa::portable);
  LaneRun lanes(engine);
  const LaneRun::Start start{&r};
  lanes(std::span(&start, 1), false);
  EXPECT_FALSE(lanes.failed(0));
  std::vector<double> out;
  lanes.outputs(0, out);
  return out;
}

TEST(RandomMechanisms, move_alike_in_lanes) {
  for (unsigned seed = 501; seed <= 508; ++seed) {
    const std::string text = random_mechanism(seed, any_kind(seed));
    if (!can_start(model_from(text, uncompiled))) continue;
    const std::vector<double> a = in_lanes(model_from(text)), b = in_lanes(model_from(text, uncompiled));
    ASSERT_EQ(a.size(), b.size());
    double size = 1;
    for (const double x : b) size = std::max(size, std::abs(x));
    for (size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], 1e-8 * size) << "seed " << seed << "\n" << text;
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
