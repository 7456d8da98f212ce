// Realizations in which masses differ are those of a full build.
#include "model/realize_masses.hpp"

#include <gtest/gtest.h>

#include "input/description.hpp"
#include "model/language.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

constexpr char mechanism[] = R"(
parameters: {k: 100}
bodies:
  a: {shape: {box: [0.3, 0.1, 0.2]}, mass: 2, at: [0.1, 0.2, 0.3], orientation: {rpy: [0.3, -0.2, 0.5]}, angular_velocity: [1, 2, 3]}
  b: {shape: {sphere: {radius: 0.1}}, mass: 1, at: [1, 0, 0], center_of_mass: [1.02, 0, 0], velocity: [0, 0.5, 0]}
  ab: {shape: {sphere: {radius: 0.1}}, mass: 1, at: [2, 0, 0]}
joints:
  first: {revolute: [ground, a], axis: [0.2, 1, 0.1], at: [0, 0, 0.05]}
  second: {spherical: [a, b], at: [0.5, 0.1, 0]}
forces:
  spring: {spring_damper: [b, ab], points: [[1, 0, 0], [2, 0, 0]], stiffness: k, damping: 1}
outputs:
  tip: {position: b, at: [1.1, 0, 0]}
simulation: {duration: 0.1}
)";

Model model_of(const std::string& text) { return make_model(input::read_text(text, "test.yaml", language())); }

void expect_equal(const Parameters& a, const Parameters& b) {
  const auto flat = [](const auto& v) {
    using T = typename std::decay_t<decltype(v)>::value_type;
    const auto* first = reinterpret_cast<const double*>(v.data());
    return std::vector<double>(first, first + v.size() * sizeof(T) / sizeof(double));
  };
  EXPECT_EQ(flat(a.bodies), flat(b.bodies));
  EXPECT_EQ(flat(a.markers), flat(b.markers));
  EXPECT_EQ(flat(a.nodal), flat(b.nodal));
  EXPECT_EQ(a.groups, b.groups);
  EXPECT_EQ(a.pool, b.pool);
  EXPECT_EQ(a.positions, b.positions);
  EXPECT_EQ(a.velocities, b.velocities);
  ASSERT_EQ(a.signals.size(), b.signals.size());
  for (size_t i = 0; i < a.signals.size(); ++i) EXPECT_EQ(a.signals[i].coefficients, b.signals[i].coefficients);
}

TEST(RealizeMasses, equals_a_full_build_bitwise) {
  const Model m = model_of(mechanism);
  Parameters quick;
  for (const std::vector<Override>& overrides :
       {std::vector<Override>{{"a.mass", 3.3}},
        {{"a.center_of_mass.x", 0.15}, {"a.center_of_mass.z", 0.27}},
        {{"b.mass", 1.7}, {"b.center_of_mass.y", 0.013}, {"a.inertia.xx", 0.02}, {"a.inertia.xy", 1e-4}},
        {{"ab.mass", 0.4}}}) {
    ASSERT_TRUE(realize_masses(m, overrides, quick)) << overrides[0].name;
    expect_equal(quick, realize_by_building(m, overrides));
    // The same prepared once, into what another realization has left.
    const MassRealizer realizer(m, overrides);
    ASSERT_TRUE(realizer.usable());
    std::vector<double> values;
    for (const Override& o : overrides) values.push_back(o.value);
    ASSERT_TRUE(realizer(values, quick));
    expect_equal(quick, realize_by_building(m, overrides));
    // And as lanes read them, over values of another one.
    Realization<double> lane = make_realization<double>(m, std::span(&m.nominal, 1)), built;
    std::vector<double> others = values;
    for (double& x : others) x *= 1.01;
    realizer(others, lane);
    ASSERT_TRUE(realizer(values, lane));
    fill_realization(m, realize_by_building(m, overrides), built);
    EXPECT_EQ(lane.numbers, built.numbers);
    EXPECT_EQ(lane.positions, built.positions);
    EXPECT_EQ(lane.velocities, built.velocities);
    values[0] = -1;
    EXPECT_EQ(realizer(values, quick), overrides[0].name.find("center_of_mass") != std::string::npos);
  }
}

TEST(RealizeMasses, leaves_the_rest_to_a_full_build) {
  const Model m = model_of(mechanism);
  Parameters numbers;
  EXPECT_FALSE(realize_masses(m, std::vector<Override>{{"k", 90}}, numbers));
  EXPECT_FALSE(realize_masses(m, std::vector<Override>{{"a.mass", 3}, {"k", 90}}, numbers));
  EXPECT_FALSE(realize_masses(m, std::vector<Override>{{"a.mass", -1}}, numbers));  // who builds says why
  EXPECT_THROW(realize(m, std::vector<Override>{{"a.mass", -1}}), input::InputError);
  EXPECT_THROW(realize(m, std::vector<Override>{{"a.weight", 1}}), input::InputError);
  EXPECT_THROW(realize(m, std::vector<Override>{{"c.mass", 1}}), input::InputError);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
