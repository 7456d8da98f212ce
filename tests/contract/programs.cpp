// Every joint, force and output: does the program that is recorded of everything an assembly computes give, in lanes with different
// numbers and states, what each realization gives alone? To the last bit where operations are not fused, as double is compiled for an
// instruction set that does not fuse either; only the sign of zero may differ. To round-off where they are.
#include <algorithm>
#include <cmath>
#include <random>

#include "contract/workbench.hpp"
#include "numerics/program.hpp"
#include "numerics/traced.hpp"
#include "support/in_lanes.hpp"
#include "support/same_numbers.hpp"
#include "support/sanitized.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr int most = 8;  // lanes of the widest instruction set

// All numbers of a model changed a little, in a way that depends on the lane.
Parameters changed(Parameters n, int lane) {
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
  const T failed = select(a.status().failed, T(1), T(0));
  add("failure", &failed, 1);
  return out;
}

// What goes into the lanes, and what must come out of them: realization k with state k.
struct Alone {
  Alone(const Model& model, const Parameters& numbers, State<double> s)
      : realization(make_realization<double>(model, std::span(&numbers, 1))), state(std::move(s)) {
    Assembly<double> a(model, realization);
    expected = everything(a, state);
    signals.assign(a.signals(), a.signals() + realization.signals.size());
  }
  Realization<double> realization;
  State<double> state;
  std::vector<Jet<double>> signals;
  std::vector<std::pair<std::string, AlignedVector<double>>> expected;
};

// Everything an assembly of this model computes, as a program.
class Recorded {
 public:
  Recorded(const Model& model, bool fused) : tape_(fused), maker_(tape_, slots_) {
    const Tape::Recording recording(tape_);
    const Realization<double> nominal = make_realization<double>(model, std::span(&model.nominal, 1));
    Realization<Traced> r;
    r.signals = nominal.signals;
    numbers_ = model.structure.layout.signals;  // coefficients of functions of time, which are beyond, are not read
    r.numbers.resize(nominal.numbers.size());
    for (int i = 0; i < numbers_; ++i) r.numbers[i] = input(Level::realization);
    State<Traced> s;
    const int carriers = int(model.topology.carriers.size());
    for (const auto& [part, n] : {std::pair{&s.positions, 7 * carriers}, std::pair{&s.velocities, 6 * carriers},
                                  std::pair{&s.accelerations, 6 * carriers}, std::pair{&s.lambda, model.structure.rows},
                                  std::pair{&s.turns, model.topology.turns}})
      for (int i = 0; i < n; ++i) part->push_back(input(Level::state));
    Assembly<Traced> a(model, r);
    for (size_t i = 0; i < r.signals.size(); ++i) {
      const Traced f = input(Level::state), d1 = input(Level::state), d2 = input(Level::state);
      a.signals()[i] = {f, d1, d2};
    }
    std::vector<Store> stores;
    first_out_ = slots_;
    for (const auto& [name, values] : everything(a, s))
      for (const Traced& x : values) stores.push_back({x.node, slots_++});
    end_out_ = slots_;
    program_ = maker_.make(stores);
    setup_ = maker_.setup();
  }

  // Slots of what comes out, [slots][lanes]: in lane l what alone[of[l]] has.
  AlignedVector<double> run(Isa isa, const std::vector<Alone>& alone, const std::vector<int>& of) const {
    const auto setup = translate(setup_, isa), program = translate(program_, isa);
    const int width = lanes(isa);
    AlignedVector<double> frame(size_t(slots_) * width, std::nan("")),
        scratch(size_t(width) * std::max(setup->scratch_slots(), program->scratch_slots()));
    for (int lane = 0; lane < width; ++lane) {
      const Alone& x = alone[of[lane]];
      double* to = &frame[lane];
      const auto put = [&](double value) { *to = value, to += width; };
      for (int i = 0; i < numbers_; ++i) put(x.realization.numbers[i]);
      for (const auto* part : {&x.state.positions, &x.state.velocities, &x.state.accelerations, &x.state.lambda, &x.state.turns})
        for (const double value : *part) put(value);
      for (const Jet<double>& j : x.signals) put(j.f), put(j.d1), put(j.d2);
    }
    (*setup)(frame.data(), scratch.data());
    (*program)(frame.data(), scratch.data());
    return {frame.begin() + std::ptrdiff_t(first_out_) * width, frame.begin() + std::ptrdiff_t(end_out_) * width};
  }

 private:
  Traced input(Level level) { return Traced::of(tape_.input(slots_++, level)); }

  Tape tape_;
  int slots_ = 0, numbers_ = 0, first_out_ = 0, end_out_ = 0;
  ProgramMaker maker_;
  Program program_, setup_;
};

std::vector<Isa> isas(bool fused) {
  std::vector<Isa> out;
  for (const Isa isa : available_isas())
    if (fuses(isa) == fused) out.push_back(isa);
  return out;
}

void expect_lanes(const Model& model, const std::vector<Alone>& alone, bool fused) {
  if (isas(fused).empty()) return;
  // Fused operations are rounded once instead of twice: round-off of sums of many terms, against the largest entry of the array, as
  // entries may be differences of large numbers.
  constexpr double round_off = 1e-12;
  const Recorded recorded(model, fused);
  for (const Isa isa : isas(fused)) {
    const int width = lanes(isa);
    std::vector<int> of(width);
    for (int lane = 0; lane < width; ++lane) of[lane] = (3 * lane + int(isa)) % most;  // each set has others, elsewhere
    const AlignedVector<double> out = recorded.run(isa, alone, of);
    for (int lane = 0; lane < width; ++lane) {
      size_t at = lane;
      for (const auto& [name, values] : alone[of[lane]].expected) {
        double largest = 1;
        for (const double x : values) largest = std::max(largest, std::abs(x));
        for (size_t i = 0; i < values.size(); ++i, at += width) {
          ASSERT_TRUE(std::isfinite(values[i])) << name << " entry " << i;
          ASSERT_TRUE(fused ? std::abs(out[at] - values[i]) <= round_off * largest : same_but_for_zeros(out[at], values[i]))
              << aleator::core::name(isa) << ": " << name << " entry " << i << " lane " << lane << ": " << values[i] << " alone, "
              << out[at] << " in the lane, largest " << largest;
        }
      }
    }
  }
}

TEST(Programs, a_lane_is_what_the_realization_is_alone) {
  std::vector<Entry> entries = mechanical_entries();
  for (const Entry& e : output_entries()) entries.push_back(e);
  bool last_fused = true;
  for (const Entry& entry : entries) {
    SCOPED_TRACE(entry.label);
    const Model model = entry.model();
    std::vector<Alone> alone;
    for (int k = 0; k < most; ++k) alone.emplace_back(model, changed(model.nominal, k), random_state(model, 10 + k));
    for (const bool fused : {false, true}) {
#ifdef ALEATOR_ADDRESS_SANITIZER
      if (fused == last_fused) continue;  // recording takes a minute there: the two in turn go through the same lines
#endif
      expect_lanes(model, alone, fused);
      if (testing::Test::HasFatalFailure()) return;
    }
    last_fused = !last_fused;
  }
}

// One failing lane is marked, its neighbours are not: a spring of zero length in one lane.
TEST(Programs, a_collapsed_spring_is_flagged_in_its_lane_only) {
  Entry entry;
  entry.force = "{spring_damper: [a, b], points: [[0.1, 0.2, 0.3], [0.5, -0.3, 0.7]], stiffness: 300}";
  const Model model = entry.model();
  State<double> collapsed = random_state(model, 22);
  {
    Bench<double> bench(model);  // move b so that the two points coincide
    const auto& m = model.topology.forces[0].coordinate;
    const auto gap = [&] {
      evaluate(bench.assembly, collapsed);
      return bench.assembly.evaluation().marker[m.a].p - bench.assembly.evaluation().marker[m.b].p;
    };
    const Vec3<double> before = gap();
    for (int i = 0; i < 3; ++i) collapsed.positions[7 + i] += before[i];
    ASSERT_LT(norm(gap()), 1e-12);
  }
  const std::vector<Alone> alone = {Alone(model, model.nominal, random_state(model, 20)), Alone(model, model.nominal, collapsed)};
  ASSERT_EQ(alone[1].expected.back().second[0], 1);
  for (const bool fused : {false, true}) {
    const Recorded recorded(model, fused);
    for (const Isa isa : isas(fused))
      for (int failing = 0; failing < lanes(isa); ++failing) {
        SCOPED_TRACE(std::string(name(isa)) + ", lane " + std::to_string(failing));
        const int width = lanes(isa);
        std::vector<int> of(width, 0);
        const AlignedVector<double> good = recorded.run(isa, alone, of);
        of[failing] = 1;
        const AlignedVector<double> out = recorded.run(isa, alone, of);
        for (int lane = 0; lane < width; ++lane) {
          EXPECT_EQ(out[out.size() - width + lane], lane == failing ? 1 : 0);  // failure is the last of everything
          int different = 0;
          for (size_t i = lane; i < out.size(); i += width) {
            EXPECT_TRUE(std::isfinite(out[i]));  // the force of a collapsed spring too
            different += !same_but_for_zeros(out[i], good[i]);
          }
          EXPECT_EQ(different > 0, lane == failing);
        }
      }
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
