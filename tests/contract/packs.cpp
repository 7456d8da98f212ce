// Every joint, force and output: does a pack of four different realizations give, lane by lane and bit by bit, what each
// realization gives alone? (Principle 8: a realization is the same wherever it is computed.)
#include <bit>
#include <random>

#include "contract/workbench.hpp"

namespace aleator::test {
namespace {

using Four = Pack<4>;

// All numbers of a model changed a little, in a way that depends on the lane.
Numbers changed(Numbers n, int lane) {
  std::mt19937 generator(100 + lane);
  std::uniform_real_distribution<double> uniform(0.9, 1.1);
  const auto scale = [&](double& x) { x *= uniform(generator); };
  for (int i = 0; i < 3; ++i) scale(n.gravity[i]);
  for (auto& b : n.bodies) {
    scale(b.mass);
    const double factor = uniform(generator);
    b.inertia = factor * b.inertia;
  }
  for (auto& m : n.markers)
    for (int i = 0; i < 3; ++i) scale(m.offset[i]);
  for (auto& m : n.nodal)
    for (auto* weights : {&m.s, &m.c, &m.d})
      for (double& x : *weights) scale(x);
  for (auto& g : n.groups)
    for (double& x : g) scale(x);
  for (double& x : n.pool) scale(x);
  for (auto& s : n.signals)
    for (double& x : s.coefficients) scale(x);
  return n;
}

State<Four> pack_of(const std::vector<State<double>>& lanes) {
  State<Four> s;
  s.t = lanes[0].t;
  const auto pack = [&](AlignedVector<double> State<double>::*from, AlignedVector<Four>& to) {
    to.resize((lanes[0].*from).size());
    for (size_t i = 0; i < to.size(); ++i)
      for (int k = 0; k < 4; ++k) to[i].set(k, (lanes[k].*from)[i]);
  };
  pack(&State<double>::positions, s.positions);
  pack(&State<double>::velocities, s.velocities);
  pack(&State<double>::accelerations, s.accelerations);
  pack(&State<double>::lambda, s.lambda);
  pack(&State<double>::turns, s.turns);
  return s;
}

// Everything an assembly computes, in one list of named arrays.
template <class T>
std::vector<std::pair<std::string, AlignedVector<T>>> everything(Assembly<T>& a, const State<T>& s) {
  evaluate(a, s);
  std::vector<std::pair<std::string, AlignedVector<T>>> out;
  const auto add = [&](const char* name, const T* from, size_t n) { out.emplace_back(name, AlignedVector<T>(from, from + n)); };
  const Evaluation<T>& e = a.evaluation();
  const size_t rows = a.rows(), bodies = a.carriers().count;
  add("force", &e.wrench[0].F.x, 6 * (bodies + 1));
  add("residual of constraints", e.residual, rows);
  add("drift", e.drift, rows);
  add("bias", e.bias, rows);
  add("jacobian", reinterpret_cast<const T*>(e.jacobian), 6 * a.model().topology.block_row.size());
  AlignedVector<T> r(6 * bodies), v(rows), turns = s.turns, outputs(a.channels());
  a.residual(s.accelerations.data(), s.lambda.data(), r.data());
  add("residual", r.data(), r.size());
  a.velocity_residual(v.data());
  add("velocity level", v.data(), v.size());
  a.update_turns(turns.data());
  add("turns", turns.data(), turns.size());
  a.observe(s.accelerations.data(), s.lambda.data(), outputs.data());
  add("outputs", outputs.data(), outputs.size());
  a.mass_matrix();
  add("mass matrix", a.values().data(), a.values().size());
  a.tangent(T(0.7), T(0.2), T(0.03), s.accelerations.data(), s.lambda.data(), s.velocities.data());
  add("tangent", a.values().data(), a.values().size());
  return out;
}

TEST(Packs, a_lane_is_what_the_realization_is_alone) {
  std::vector<Entry> entries = mechanical_entries();
  for (const Entry& e : output_entries()) entries.push_back(e);
  for (const Entry& entry : entries) {
    SCOPED_TRACE(entry.label);
    const Model model = entry.model();
    std::vector<Numbers> numbers;
    std::vector<State<double>> states;
    for (int k = 0; k < 4; ++k) {
      numbers.push_back(changed(model.nominal, k));
      states.push_back(random_state(model, 10 + k));
    }
    const Realization<Four> together = make_realization<Four>(model, numbers);
    Assembly<Four> pack(model, together);
    const auto of_pack = everything(pack, pack_of(states));
    for (int k = 0; k < 4; ++k) {
      const Realization<double> alone = make_realization<double>(model, std::span(&numbers[k], 1));
      Assembly<double> scalar(model, alone);
      const auto of_scalar = everything(scalar, states[k]);
      for (size_t part = 0; part < of_scalar.size(); ++part)
        for (size_t i = 0; i < of_scalar[part].second.size(); ++i) {
          const double x = of_scalar[part].second[i], y = of_pack[part].second[i][k];
          ASSERT_TRUE(std::isfinite(x)) << of_scalar[part].first << " entry " << i;
          ASSERT_EQ(std::bit_cast<std::uint64_t>(x), std::bit_cast<std::uint64_t>(y))
              << of_scalar[part].first << " entry " << i << " lane " << k << ": " << x << " alone, " << y << " in the pack";
        }
    }
  }
}

// One failing lane is marked, its neighbours are not: a spring of zero length in lane 2.
TEST(Packs, a_collapsed_spring_is_flagged_in_its_lane_only) {
  Entry entry;
  entry.force = "{spring_damper: [a, b], points: [[0.1, 0.2, 0.3], [0.5, -0.3, 0.7]], stiffness: 300}";
  const Model model = entry.model();
  std::vector<State<double>> states;
  for (int k = 0; k < 4; ++k) states.push_back(random_state(model, 20 + k));
  {
    Bench<double> bench(model);  // move b so that the two points coincide
    evaluate(bench.assembly, states[2]);
    const auto& m = model.topology.forces[0].coordinate;
    const Vec3<double> gap = bench.assembly.evaluation().marker[m.a].p - bench.assembly.evaluation().marker[m.b].p;
    for (int i = 0; i < 3; ++i) states[2].positions[7 + i] += gap[i];
    evaluate(bench.assembly, states[2]);
    const Vec3<double> rest = bench.assembly.evaluation().marker[m.a].p - bench.assembly.evaluation().marker[m.b].p;
    ASSERT_LT(norm(rest), 1e-12);
  }
  const Realization<Four> r = make_realization<Four>(model, std::span(&model.nominal, 1));
  Assembly<Four> pack(model, r);
  evaluate(pack, pack_of(states));
  EXPECT_EQ(bits(pack.status().failed), 0b0100U);
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(all(is_finite(pack.evaluation().wrench[b].F[i])));
}

}  // namespace
}  // namespace aleator::test
