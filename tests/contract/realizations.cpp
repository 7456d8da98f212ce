// A realization in which one body differs has the numbers of the model that is read with that body: entries that are taken from the nominal model
// instead of being built again (Builder::repeat) are those that do not change.
#include "contract/workbench.hpp"
#include "model/realize_masses.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

template <class V>
std::vector<double> flat(const V& values) {
  const double* const first = reinterpret_cast<const double*>(values.data());
  return {first, first + values.size() * sizeof(values[0]) / sizeof(double)};
}

// Bit for bit, but for functions of time: the same text is evaluated by the same operations.
void expect_same_numbers(const Parameters& a, const Parameters& b, const std::string& label) {
  EXPECT_EQ(flat(a.bodies), flat(b.bodies)) << label;
  EXPECT_EQ(flat(a.markers), flat(b.markers)) << label;
  EXPECT_EQ(flat(a.nodal), flat(b.nodal)) << label;
  EXPECT_EQ(a.groups, b.groups) << label;
  EXPECT_EQ(a.pool, b.pool) << label;
  EXPECT_EQ(a.positions, b.positions) << label;
  EXPECT_EQ(a.velocities, b.velocities) << label;
  ASSERT_EQ(a.signals.size(), b.signals.size()) << label;
  // Functions that change have the pieces of the nominal ones: both fits are good to round-off, which is larger in the derivatives.
  for (size_t i = 0; i < a.signals.size(); ++i)
    for (double t = 0.01; t < 0.2; t += 0.03) {
      const Jet<double> x = evaluate(a.signals[i], t), y = evaluate(b.signals[i], t);
      EXPECT_NEAR(x.f, y.f, 1e-14) << label;
      EXPECT_NEAR(x.d1, y.d1, 1e-12) << label;
      EXPECT_NEAR(x.d2, y.d2, 1e-9) << label;
    }
}

TEST(Realizations, are_the_model_with_other_bodies) {
  std::vector<Entry> entries = mechanical_entries();
  for (const Entry& e : output_entries()) entries.push_back(e);
  for (const Entry& e : entries) {
    const Model model = e.model();
    std::vector<std::vector<Override>> sets = {{{"c.mass", 1.7}}, {{"c.center_of_mass.x", -0.25}, {"c.center_of_mass.y", 0.05}}};
    if (e.a == "rigid") sets.push_back({{"a.center_of_mass.y", 0.35}});
    if (e.b == "rigid") sets.push_back({{"b.mass", 3.5}, {"b.center_of_mass.x", 0.4}});
    for (const std::vector<Override>& o : sets)
      expect_same_numbers(realize_by_building(model, o), make_model(model.description, o).nominal, e.label + ", " + o[0].name);
  }
}

// Parameters in places, points, angles, laws and functions of some entries; others refer to these, or to nothing that changes.
const char* const mixed = R"(
gravity: [0, 0, -9.81]
parameters:
  l: 0.5
  k: 300
  phase: 0.3
  rate: 2*phase
points:
  P: [l, 0, 0.1]
bodies:
  arm: {shape: {box: [l, 0.05, 0.05]}, mass: 1, at: [l/2, 0, 0]}
  rod: {mass: 2, inertia: {xx: 0.1, yy: 0.2, zz: 0.3}, at: [0, 1, 0]}
  hub: {mass: 3, inertia: {xx: 0.3, yy: 0.2, zz: 0.2}, at: [0, 2, 0.3]}
joints:
  pin: {revolute: [ground, arm], axis: y, at: [0, 0, 0], spring: {stiffness: k}}
  fork: {universal: [ground, rod], axis: x, second_axis: y, at: [0, 1, 0], damper: {ry: 0.2}, motion: {rx: 0.1*sin(t)}}
  hinge: {revolute: [rod, hub], axis: z, at: [0, 1.5, 0], actuator: 0.1*cos(rate*t)}
  ball: {spherical: [arm, hub], at: P}
  nut: {screw: [rod, ground], axis: z, at: [0, 1, 0.4], pitch: 0.01}
  gear: {gear: [pin, hinge], ratio: l}
forces:
  stay: {spring_damper: [ground, hub], points: [[0, 3, 1], [0, 2, 0.3]], stiffness: 100, damping: 1}
  tie: {spring_damper: [arm, hub], points: [P, [0, 2, 0.3]], stiffness: k}
  mount: {bushing: [rod, hub], at: [0, 1.5, 0], stiffness: [10, 20, 30]}
  push: {force: hub, value: [0, sin(3*t), k], at: [0, 2, 0.3]}
outputs:
  tip: {position: arm, at: P}
  end: {position: hub, at: [0, 2, 0.5], in: arm}
  pull: {tension: tie}
  turned: {coordinate: hinge}
  held: {reaction: ball}
simulation: {duration: 0.2, step: 1e-3, output_step: 1e-2}
)";

TEST(Realizations, are_the_model_with_other_parameters) {
  const Model model = model_from(mixed);
  for (const std::vector<Override>& o :
       std::vector<std::vector<Override>>{{{"l", 0.7}},
                                          {{"k", 20}},
                                          {{"rate", 5}},
                                          {{"phase", 1}, {"rod.mass", 4}},
                                          {{"hub.center_of_mass.z", 0.1}, {"k", 2}},
                                          {{"l", 0.6}, {"k", 2}, {"phase", 0.1}, {"arm.mass", 2}}})
    expect_same_numbers(realize(model, o), make_model(model.description, o).nominal, o[0].name);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
