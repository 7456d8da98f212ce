// Natural frequencies over a parameter (modes --over) against closed forms: a vibration that begins after the first value, and a crossing.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <numbers>

#include "api/campbell.hpp"
#include "base/cancellation.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// Two masses, ω = √(k/m); the first one is free to move at k = 0.
TEST(ModesOverAParameter, begin_where_they_vibrate) {
  const aleator::Model model = aleator::model_from_text(R"(
parameters: {k: 100}
bodies:
  a: {mass: 2, inertia: {xx: 1, yy: 1, zz: 1}}
  b: {mass: 3, inertia: {xx: 1, yy: 1, zz: 1}, at: [1, 0, 0]}
joints:
  s1: {prismatic: [ground, a], axis: x, at: [0, 0, 0], spring: {stiffness: k}}
  s2: {prismatic: [ground, b], axis: y, at: [1, 0, 0], spring: {stiffness: 1500}}
simulation: {duration: 1}
)");
  CampbellRequest q;
  read_range("k=0..2000", q);
  q.points = 5;
  const CampbellDiagram found = campbell(model, q);
  const results::Campbell& d = found.found;
  EXPECT_TRUE(found.complete);
  ASSERT_EQ(d.modes.size(), 2u);
  for (size_t i = 0; i < d.values.size(); ++i) {
    EXPECT_NEAR(d.modes[0].frequency[i], std::sqrt(500) / (2 * std::numbers::pi), 1e-10);
    if (i == 0)
      EXPECT_TRUE(std::isnan(d.modes[1].frequency[i]));
    else
      EXPECT_NEAR(d.modes[1].frequency[i], std::sqrt(d.values[i] / 2) / (2 * std::numbers::pi), 1e-10);
  }
  // Empty cells before: frequency, damping ratio and MAC
  EXPECT_NE(campbell_csv(d).find(",,,\n500,"), std::string::npos) << campbell_csv(d);
  EXPECT_EQ(d.modes[0].motion, "b y");
  EXPECT_EQ(d.modes[1].motion, "a x");
  // What is drawn: both bodies in the middle of the range, and a period of each mode, both of which are there.
  EXPECT_EQ(d.shapes_at, 1000);
  EXPECT_EQ(found.drawn.poses.size(), 14u);
  ASSERT_EQ(d.shapes.size(), 2 * d.phases * 14);
  for (const double x : d.shapes) EXPECT_TRUE(std::isfinite(x));
  EXPECT_NEAR(d.shapes[8], -d.shapes[14 * (d.phases / 2) + 8], 1e-12);  // y of b: half a period later it is on the other side
  EXPECT_GT(std::abs(d.shapes[8]), 0.01);
}

// A disc that spins in a light housing on springs against tilting: J_t ω² ∓ J_p Ω ω − k = 0. Its speed is critical for order n where ω = n Ω:
// Ω² (n² J_t ∓ n J_p) = k.
std::string rotor(const std::string& speed, const std::string& motion) {
  return "parameters: {" + speed + ": 100}\n" + R"(
bodies:
  housing: {mass: 1, inertia: {xx: 0.02, yy: 0.02, zz: 0.03}}
  disc: {mass: 5, inertia: {xx: 0.05, yy: 0.05, zz: 0.08}}
joints:
  cardan: {universal: [ground, housing], axis: x, second_axis: y, at: [0, 0, 0]}
  bearing: {revolute: [housing, disc], axis: z, at: [0, 0, 0], motion: )" +
         motion + R"(*t}
forces: {mount: {bushing: [ground, housing], at: [0, 0, 0], rotational_stiffness: [700, 700, 0]}}
simulation: {duration: 1}
)";
}

TEST(ModesOverAParameter, critical_speeds_of_a_disc) {
  constexpr double tilt = 0.07, polar = 0.08, stiffness = 700;
  struct Case {
    std::string parameter, motion, unit;
    double rate;  // rad/s of one unit
  };
  for (const Case& c :
       {Case{"speed", "speed", "", 1}, Case{"speed", "speed", "rad/s", 1}, Case{"n", "n*pi/30", "rpm", std::numbers::pi / 30},
        Case{"n", "2*pi*n", "Hz", 2 * std::numbers::pi}, Case{"n", "n*pi/180", "deg/s", std::numbers::pi / 180}}) {
    const aleator::Model model = aleator::model_from_text(rotor(c.parameter, c.motion));
    CampbellRequest q;
    q.parameter = c.parameter;
    q.to = 100 / c.rate;
    q.points = 12;
    q.modes = {.number = 2, .about = "steady"};
    q.unit = c.unit;
    q.orders = {1, 2};
    const results::Campbell d = campbell(model, q).found;
    EXPECT_EQ(d.unit, c.unit.empty() ? "rad/s" : c.unit);
    struct Expected {
      double order, sign;  // of J_p: backward whirl +, forward −
    };
    const Expected expected[] = {{1, 1}, {2, 1}, {2, -1}};  // forward whirl with order 1 has none: J_p > J_t
    ASSERT_EQ(d.crossings.size(), std::size(expected)) << c.unit;
    for (size_t i = 0; i < d.crossings.size(); ++i) {
      const auto [n, sign] = expected[i];
      const double speed = std::sqrt(stiffness / (n * n * tilt + sign * n * polar));
      EXPECT_EQ(d.crossings[i].order, n);
      EXPECT_NEAR(d.crossings[i].value * c.rate / speed, 1,
                  1e-8);  // the search ends at 1e-9 of a twelfth of the range; round-off of K
      EXPECT_NEAR(d.crossings[i].frequency * 2 * std::numbers::pi / (n * speed), 1, 1e-8);
      EXPECT_NEAR(d.crossings[i].damping, 0, 1e-9);
    }
    EXPECT_NE(d.crossings[1].mode, d.crossings[2].mode);
  }
}

// At rest both tilts of the disc have the same frequency, and any two of their combinations are modes: those that whirl forward and backward go on
// as what they are at any speed, without a look in between.
TEST(ModesOverAParameter, repeated_frequencies_are_followed_at_once) {
  const aleator::Model model = aleator::model_from_text(rotor("speed", "speed"));
  CampbellRequest q;
  read_range("speed=0..100", q);
  q.points = 9;
  q.modes = {.number = 2, .about = "steady"};
  const CampbellDiagram found = campbell(model, q);
  EXPECT_EQ(found.computed, 9);
  for (const results::Campbell::Mode& m : found.found.modes)
    for (const double mac : m.mac) EXPECT_GT(mac, 1 - 1e-9);  // circles all of them
}

// Two equal discs beside each other: two whirls of the same frequency at every speed, of which eigenvalue solvers return combinations.
TEST(ModesOverAParameter, equal_parts_are_followed_at_once) {
  const aleator::Model model = aleator::model_from_text(R"(
parameters: {speed: 100}
templates:
  rotor:
    bodies:
      housing: {mass: 1, inertia: {xx: 0.02, yy: 0.03, zz: 0.03}, at: [0, 0, 0]}
      disc: {mass: 5, inertia: {xx: 0.05, yy: 0.05, zz: 0.08}, at: [0, 0, 0]}
    joints:
      cardan: {universal: [ground, housing], axis: x, second_axis: y, at: [0, 0, 0]}
      bearing: {revolute: [housing, disc], axis: z, at: [0, 0, 0], motion: speed*t}
    forces: {mount: {bushing: [ground, housing], at: [0, 0, 0], rotational_stiffness: [700, 900, 0]}}
instances: {a: {template: rotor}, b: {template: rotor, at: [1, 0, 0]}, c: {template: rotor, at: [2, 0, 0]}}
simulation: {duration: 1}
)");
  CampbellRequest q;
  read_range("speed=0..200", q);
  q.points = 41;
  q.modes = {.number = 6, .about = "steady"};
  const CampbellDiagram found = campbell(model, q);
  EXPECT_LE(found.computed, 43);  // from straight lines at rest to ellipses there may be a look in between
  for (size_t i = 0; i < found.found.values.size(); ++i)
    for (size_t k = 1; k < 6; ++k)
      if (k != 3)
        EXPECT_NEAR(found.found.modes[k].frequency[i] / found.found.modes[k - 1].frequency[i], 1, 1e-9) << k;  // round-off
}

// A spring whose stiffness jumps, and with it the frequency over the order line: no speed has both.
TEST(ModesOverAParameter, jumps_are_no_critical_speeds) {
  const auto crossings = [](const std::string& stiffness, double order) {
    const aleator::Model model = aleator::model_from_text(
        "parameters: {s: 10}\nbodies: {a: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\n"
        "joints: {g: {prismatic: [ground, a], axis: x, at: [0, 0, 0], spring: {stiffness: \"" +
        stiffness + "\"}}}\nsimulation: {duration: 1}\n");
    CampbellRequest q;
    read_range("s=1..20", q);
    q.points = 8;
    q.orders = {order};
    q.modes.number = 1;
    return campbell(model, q).found.crossings;
  };
  const auto one = crossings("s < 10.7 ? 25 : 400", 1);  // at 10.7 the frequency jumps from below the line to above
  ASSERT_EQ(one.size(), 1u);
  EXPECT_NEAR(one[0].value, 5, 1e-7);
  ASSERT_EQ(crossings("144", 1).size(), 1u);
  EXPECT_NEAR(crossings("144", 1)[0].value, 12, 1e-7);
  EXPECT_TRUE(crossings("s < 10.7 ? 0.25 : 900", 1).empty());
}

// Beyond c = 2 √(k m) = 20 the frequency |s|/2π is one of a motion that does not vibrate: order lines cross it, and no speed is critical.
TEST(ModesOverAParameter, overdamped_modes_have_no_critical_speeds) {
  const aleator::Model model = aleator::model_from_text(
      "parameters: {s: 10}\nbodies: {a: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\n"
      "joints: {g: {prismatic: [ground, a], axis: x, at: [0, 0, 0], spring: {stiffness: 100}, damper: s}}\nsimulation: "
      "{duration: 1}\n");
  CampbellRequest q;
  read_range("s=5..60", q);
  q.points = 12;
  q.modes.number = 1;
  const auto crossings = [&](double order) {
    q.orders = {order};
    return campbell(model, q).found.crossings;
  };
  ASSERT_EQ(crossings(1).size(), 1u);  // |s| = √(k/m) until then
  EXPECT_NEAR(crossings(1)[0].value, 10, 1e-7);
  EXPECT_TRUE(crossings(0.2).empty());
}

TEST(ModesOverAParameter, ranges_orders_and_units_in_words) {
  CampbellRequest q;
  const auto wrong = [](auto&& f) {
    try {
      f();
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  read_range("rotor.speed=-1e2..2.5e3", q);
  EXPECT_EQ(q.parameter, "rotor.speed");
  EXPECT_EQ(q.from, -100);
  EXPECT_EQ(q.to, 2500);
  EXPECT_EQ(wrong([&] { read_range("speed", q); }), "must be a name and a range, as speed=0..300; found 'speed'");
  EXPECT_EQ(wrong([&] { read_range("speed=0..inf", q); }), "'inf' is no number");
  EXPECT_EQ(wrong([&] { read_range("speed=0...5", q); }), "must be a name and a range, as speed=0..300; found 'speed=0...5'");
  EXPECT_EQ(wrong([&] { read_range("speed=3..3", q); }), "the range must rise, found 3 to 3");
  EXPECT_EQ(read_orders({"4", "1", "0.5", "1"}), (std::vector<double>{0.5, 1, 4}));
  EXPECT_EQ(wrong([] { read_orders({"1", "nan"}); }), "'nan' is no number");
  EXPECT_EQ(wrong([] { read_orders({"0"}); }), "must be positive multiples, found 0");
  EXPECT_EQ(wrong([] { hertz_of("km/h"); }), "must be rad/s, rpm, Hz or deg/s where there are orders, found 'km/h'");
}

// A rotor on a shaft that turns and has damping of its own: with z = x + iy, m z̈ + (c_e + c_i) ż + (k − i c_i Ω) z = 0, which grows from
// Ω = √(k/m) (1 + c_e/c_i) on.
const std::string shaft = R"(
plane: xy
parameters: {speed: 1}
bodies:
  shaft: {mass: 1, inertia: 0.1}
  rotor: {mass: 2, inertia: 0.3}
joints: {bearing: {revolute: [ground, shaft], at: [0, 0], motion: speed*t}}
forces:
  elastic: {bushing: [shaft, rotor], at: [0, 0], stiffness: [200, 200], damping: [3, 3], rotational_stiffness: [0, 0, 50], rotational_damping: [0, 0, 1]}
  air: {bushing: [ground, rotor], at: [0, 0], stiffness: [0, 0], damping: [1.5, 1.5]}
initial_motions: {spin: {bodies: [rotor], angular_velocity: speed, at: [0, 0]}}
simulation: {duration: 1}
)";

TEST(ModesOverAParameter, what_grows_is_told) {
  const aleator::Model model = aleator::model_from_text(shaft);
  CampbellRequest q;
  read_range("speed=0..25", q);
  q.points = 6;
  q.modes = {.number = 3, .about = "steady"};
  const results::Campbell d = campbell(model, q).found;
  const double threshold = 10 * (1 + 1.5 / 3);
  int unstable = -1;
  for (size_t k = 0; k < d.modes.size(); ++k)
    for (size_t i = 0; i < d.values.size(); ++i) {
      if (!(d.modes[k].damping[i] < 0)) continue;
      unstable = int(k);
      EXPECT_GT(d.values[i], threshold);
    }
  ASSERT_GE(unstable, 0);
  for (size_t i = 0; i < d.values.size(); ++i) {
    using Complex = std::complex<double>;
    const Complex root = std::sqrt(Complex(4.5 * 4.5, 0) - 8. * Complex(200, -3 * d.values[i]));
    const Complex forward =
        std::max((-4.5 + root) / 4., (-4.5 - root) / 4., [](Complex a, Complex b) { return a.real() < b.real(); });
    EXPECT_NEAR(d.modes[size_t(unstable)].damping[i], -forward.real() / std::abs(forward), 1e-9) << d.values[i];  // round-off
  }
  const std::string note =
      "mode " + std::to_string(unstable + 1) + " is unstable (its damping ratio is negative) from speed = 20 to 25";
  EXPECT_EQ(d.notes, std::vector<std::string>{note});
}

TEST(ModesOverAParameter, what_is_done_when_it_is_stopped_is_kept) {
  const aleator::Model model = aleator::model_from_text(rotor("speed", "speed"));
  CampbellRequest q;
  read_range("speed=0..100", q);
  q.points = 9;
  q.modes = {.number = 2, .about = "steady"};
  q.orders = {1};
  const results::Campbell whole = campbell(model, q).found;
  std::atomic<bool> stop = false;
  const CancellationScope scope(&stop);
  q.on_progress = [&](int done) { stop = done == 4; };
  const CampbellDiagram cut = campbell(model, q);
  EXPECT_FALSE(cut.complete);
  ASSERT_EQ(cut.found.values.size(), 4u);
  EXPECT_EQ(cut.found.notes, std::vector<std::string>{"interrupted after 4 of 9 values"});
  for (const size_t k : {0u, 1u})
    for (const size_t i : {0u, 1u, 2u, 3u}) EXPECT_EQ(cut.found.modes[k].frequency[i], whole.modes[k].frequency[i]);
  EXPECT_TRUE(cut.found.crossings.empty());
  EXPECT_FALSE(cut.found.shapes.empty());
  stop = true;
  EXPECT_THROW(campbell(model, q), Cancelled);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
