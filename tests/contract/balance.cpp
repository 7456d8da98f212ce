// Every joint and every force between two bodies: do its forces sum to zero, and their moments about the origin too? And is a
// spring's force −dV/dq?
#include "contract/workbench.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr double round_off = 1e-12;  // against the largest force

// Sum of forces and of moments about the origin, of wrenches about the centres of mass. The ground's are about the origin. Vectors
// of nodes move by δ + φ × r and φ × e in a rigid motion, so forces on places r add up, and moments are Σ e × (force on e). In a
// planar model moments about axes in the plane are nobody's.
template <class Of>
void expect_balanced(const Assembly<double>& a, Of&& wrench_of, const Vec3<double>& expected_moment = {}) {
  const Topology& t = a.model().topology;
  Vec3<double> F, M = -expected_moment;
  double largest = 1;
  for (int c = 0; c <= t.ground(); ++c) {
    if (c < t.ground() && t.carriers[c].states > 0) continue;
    const Wrench<double> w = wrench_of(c);
    const bool vectors = c >= t.rigid && c < t.ground();
    const double* e = vectors ? a.evaluation().position + 7 * c : nullptr;
    if (!vectors || t.carriers[c].is_place) F += w.F;
    M += cross(a.frames()[c].x, w.F) + (vectors ? cross(Vec3<double>{e[3], e[4], e[5]}, w.M) : w.M);
    largest = std::max({largest, norm(w.F), norm(w.M)});
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_LT(i == t.normal ? 0 : std::abs(F[i]), round_off * largest) << "force " << i;
    EXPECT_LT(t.normal >= 0 && i != t.normal ? 0 : std::abs(M[i]), round_off * largest) << "moment " << i;
  }
}

TEST(Balance, forces_between_two_bodies) {
  for (const Entry& entry : mechanical_entries()) {
    if (entry.external) continue;
    SCOPED_TRACE(entry.label);
    Entry alone = entry;
    alone.mass_damping = 0;  // which acts from outside
    Model model = alone.model();
    model.nominal.gravity = {};
    for (int seed = 1; seed <= entry.seeds(3); ++seed) {
      const State<double> s = random_state(model, seed);
      Bench<double> bench(model);
      evaluate(bench.assembly, s);
      expect_balanced(bench.assembly, [&](int b) { return bench.assembly.evaluation().wrench[b]; });
    }
  }
}

// Joints whose points coincide pull at p_a and p_b: as long as these are apart the opposite forces make a couple g × λ, which
// vanishes when the mechanism is assembled. All others are balanced wherever the bodies are.
TEST(Balance, reactions_of_joints) {
  for (const Entry& entry : mechanical_entries()) {
    SCOPED_TRACE(entry.label);
    const Model model = entry.model();
    const State<double> s = random_state(model, 1);
    Bench<double> bench(model);
    evaluate(bench.assembly, s);
    std::vector<Wrench<double>> sum(model.topology.ground() + 1);
    for (size_t k = 0; k < model.topology.block_row.size(); ++k) {
      Wrench<double>& w = sum[model.topology.block_carrier[k]];
      const double l = s.lambda[model.topology.block_row[k]];
      w.F += l * bench.assembly.evaluation().jacobian[k].F;
      w.M += l * bench.assembly.evaluation().jacobian[k].M;
    }
    Vec3<double> couple;
    for (const std::vector<InertialRow>& rows : inertial_rows(model)) {
      Vec3<double> g, l;
      for (const InertialRow& r : rows) g[r.axis] = bench.assembly.evaluation().residual[r.row], l[r.axis] = s.lambda[r.row];
      couple += cross(g, l);
    }
    expect_balanced(
        bench.assembly, [&](int b) { return sum[b]; }, couple);
  }
}

// A load from outside does act: otherwise the tests above would pass for forces of zero.
TEST(Balance, loads_are_not_zero) {
  for (const Entry& entry : mechanical_entries()) {
    if (entry.force.empty()) continue;
    SCOPED_TRACE(entry.label);
    Model model = entry.model();
    model.nominal.gravity = {};
    double largest = 0;
    for (int seed = 1; seed <= 5; ++seed) {  // one-sided springs act at some of these states
      Bench<double> bench(model);
      evaluate(bench.assembly, random_state(model, seed));
      for (int b = 0; b < model.topology.ground(); ++b)
        largest =
            std::max({largest, norm(bench.assembly.evaluation().wrench[b].F), norm(bench.assembly.evaluation().wrench[b].M)});
    }
    EXPECT_GT(largest, 0.1);
  }
}

// The potential energy of all elements (gravity apart), and the kinetic energy of inertias in joints, whose forces are those of their rates; with its derivative.
Dual energy(const Model& model, const Assembly<Dual>& a) {
  Dual sum(0);
  for (size_t g = 0; g < model.topology.groups.size(); ++g) {
    const GroupData& data = model.topology.groups[g];
    const Group group = {data.kernel, data.count, data.topology.data(), model.structure.layout.groups[g],
                         model.structure.pair_blocks[g].data()};
    if (const auto f = data.kernel->dual.energy) sum += f(group, a.evaluation());
    for (int i = 0; data.kernel->joint_direction && i < data.count; ++i)
      sum += data.kernel->dual.kinetic_energy(group, i, a.evaluation());
  }
  return sum;
}

// What forces do at any velocity: their power is supplied, dissipated, or taken from the potential.
TEST(Balance, power_is_supplied_or_dissipated_or_from_the_potential) {
  double supplied = 0, dissipated = 0;
  for (const Entry& entry : mechanical_entries()) {
    SCOPED_TRACE(entry.label);
    Model model = entry.model();
    model.nominal.gravity = {};
    for (int seed = 1; seed <= entry.seeds(4); ++seed) {
      State<double> s = random_state(model, seed);
      std::fill(s.lambda.begin(), s.lambda.end(), 0.0);
      std::fill(s.accelerations.begin(), s.accelerations.end(), 0.0);
      Bench<double> bench(model);
      Bench<Dual> dual(model);
      bench.assembly.count_dissipation();
      evaluate(bench.assembly, s);
      double power = 0, size = 1;
      for (int c = 0; c < model.topology.ground(); ++c) {
        const Wrench<double>& w = bench.assembly.evaluation().wrench[c];
        const BodyFrame<double>& f = bench.assembly.frames()[c];
        if (model.topology.carriers[c].states > 0) {  // these forces are the rates of states
          for (int i = 0; i < 3; ++i) s.accelerations[6 * c + i] = w.F[i], s.accelerations[6 * c + 3 + i] = w.M[i];
          continue;
        }
        power += dot(w.F, f.v) + dot(w.M, f.w);
        size += norm(w.F) * norm(f.v) + norm(w.M) * norm(f.w);
      }
      const State<Dual> there = in_time(model, s);
      evaluate(dual.assembly, there);
      const Energies<double> e = bench.assembly.power(s.lambda.data());
      EXPECT_NEAR(power + energy(model, dual.assembly).d, e.supplied - e.dissipated, round_off * size);
      EXPECT_GE(e.dissipated, entry.flexible() ? -HUGE_VAL : 0);
      supplied += e.exchanged, dissipated += e.dissipated;
    }
  }
  EXPECT_GT(supplied, 1);
  EXPECT_GT(dissipated, 1);
}

TEST(Balance, force_is_the_slope_of_the_potential) {
  for (const Entry& entry : mechanical_entries()) {
    if (!entry.conservative) continue;
    SCOPED_TRACE(entry.label);
    Model model = entry.model();
    model.nominal.gravity = {};
    for (int seed = 1; seed <= entry.seeds(4); ++seed) {
      State<double> s = random_state(model, seed);
      std::fill(s.velocities.begin(), s.velocities.end(), 0.0);
      Bench<double> bench(model);
      Bench<Dual> dual(model);
      evaluate(bench.assembly, s);
      double largest = 1;
      for (int b = 0; b < model.topology.ground(); ++b)
        largest =
            std::max({largest, norm(bench.assembly.evaluation().wrench[b].F), norm(bench.assembly.evaluation().wrench[b].M)});
      for (const int direction : directions_of(model)) {
        const State<Dual> there = moved(model, s, direction);  // the evaluation refers to its turns
        evaluate(dual.assembly, there);
        const Wrench<double>& w = bench.assembly.evaluation().wrench[direction / 6];
        const double force = direction % 6 < 3 ? w.F[direction % 6] : w.M[direction % 6 - 3];
        EXPECT_NEAR(force, -energy(model, dual.assembly).d, round_off * largest) << "direction " << direction;
      }
    }
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
