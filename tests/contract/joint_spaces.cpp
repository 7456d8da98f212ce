// Every joint, driven or not, at states where nothing fits together: what the solver in joint coordinates finds is a solution of
//   M v̇ + Gᵀλ = f,   G v̇ = c   (cut rows: c + ε λ).
#include "dynamics/articulated_solver.hpp"
#include "workbench.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

struct Residual {
  double forces = 0, rows = 0;  // relative to what was asked for, of order 1, and to the sizes of the terms
};

Residual residual_of(const Model& m, int seed) {
  Bench<double> bench(m);
  Assembly<double>& a = bench.assembly;
  const State<double> s = random_state(m, seed);
  evaluate(a, s);
  a.set_regularization(1e-11);
  ArticulatedSolver<double> solver(a);
  EXPECT_FALSE(solver.factor());
  const int n = a.velocities(), rows = a.rows();
  AlignedVector<double> f(n), c(rows), v(n), lambda(rows), out(n);
  for (int i = 0; i < n; ++i) f[i] = std::sin(1.0 + 3 * i + seed);
  for (int r = 0; r < rows; ++r) c[r] = std::cos(2.0 + r + seed);
  solver.solve(f.data(), c.data(), v.data(), lambda.data());

  a.inertia_forces(v.data(), out.data());
  Residual worst;
  double size = 1;
  for (const double x : out) size = std::max(size, std::abs(x));
  for (const double x : lambda) size = std::max(size, std::abs(x));
  a.add_reactions(lambda.data(), out.data());
  for (int i = 0; i < n; ++i)
    if (m.structure.dof[i] >= 0) worst.forces = std::max(worst.forces, std::abs(out[i] - f[i]) / size);

  const Topology& t = m.topology;
  double reaction = 0;
  for (const double x : lambda) reaction = std::max(reaction, std::abs(x));
  std::vector<double> given(rows), largest(rows);
  for (int r = 0; r < rows; ++r) largest[r] = 1 + reaction * a.weights()[r];  // of G M⁻¹ Gᵀ λ
  for (size_t k = 0; k < t.block_row.size(); ++k) {
    const int carrier = t.block_carrier[k];
    if (carrier == t.ground()) continue;
    const Vec3<double> move{v[6 * carrier], v[6 * carrier + 1], v[6 * carrier + 2]};
    const Vec3<double> turn = a.frames()[carrier].R * Vec3<double>{v[6 * carrier + 3], v[6 * carrier + 4], v[6 * carrier + 5]};
    const Wrench<double>& G = a.evaluation().jacobian[k];
    const double part = dot(G.F, move) + dot(G.M, turn);
    given[t.block_row[k]] += part;
    largest[t.block_row[k]] = std::max(largest[t.block_row[k]], std::abs(part));
  }
  for (int r = 0; r < rows; ++r) {
    const bool cut = m.structure.tree.cut_of_row[r] >= 0;
    const double open = given[r] - c[r] - (cut ? a.regularization()[r] * lambda[r] : 0);
    worst.rows = std::max(worst.rows, std::abs(open) / largest[r]);
  }
  return worst;
}

void expect_solutions(const std::vector<Entry>& entries) {
  for (const Entry& entry : entries) {
    const Model m = entry.model();
    if (m.topology.all_carriers().flexible()) continue;
    ASSERT_TRUE(m.structure.tree.possible) << entry.label;
    for (int seed = 1; seed <= 5; ++seed) {
      const Residual r = residual_of(m, seed);
      // Round-off, times the condition of joints whose axes are anywhere.
      EXPECT_LT(r.forces, 1e-10) << entry.label << ", seed " << seed;
      EXPECT_LT(r.rows, 1e-10) << entry.label << ", seed " << seed;
    }
  }
}

TEST(JointSpaces, of_all_joints_give_solutions) { expect_solutions(joint_entries()); }
TEST(JointSpaces, of_joints_with_armature_give_solutions) { expect_solutions(armature_entries()); }
TEST(JointSpaces, of_planar_joints_give_solutions) { expect_solutions(planar_entries()); }

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
