// The same beam modelled in two ways: in the plane and in space, in one piece and in several, as beam and as cable.
#include "compare.hpp"
#include "dynamics/ida.hpp"
#include "input/error.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// A flexible pendulum that starts from the horizontal, with a rigid bob on its end.
std::string pendulum(bool planar, const std::string& axis, const std::string& more) {
  const std::string zero = planar ? "" : ", 0";
  const auto at = [&](const std::string& xy) { return "[" + xy + zero + "]"; };
  std::string points;
  for (size_t from = 0; from < axis.size();) {
    const size_t to = std::min(axis.find(';', from), axis.size());
    points += (points.empty() ? "" : ", ") + at(axis.substr(from, to - from));
    from = to + 1;
  }
  return (planar ? "plane: xy\ngravity: [0, -9.81]\n" : "gravity: [0, -9.81, 0]\n") + std::string("bodies:\n  rod: {beam: [") +
         points +
         "], section: {rectangle: {height: 0.02, width: 0.03}}, E: 2e8, nu: 0.3, density: 2000, elements: 4, damping: "
         "{stiffness: 1e-3}" +
         (planar ? "" : ", height_along: y") + more +
         "}\n  bob: {mass: 0.3, inertia: " + (planar ? "1e-4" : "{xx: 1e-4, yy: 1e-4, zz: 1e-4}") + ", at: " + at("1, 0") +
         "}\njoints:\n  pin: {revolute: [ground, rod], at: " + at("0, 0") + (planar ? "" : ", axis: z") +
         "}\n  hold: {fixed: [rod, bob], at: " + at("1, 0") +
         "}\noutputs:\n  tip: {position: bob}\n  middle: {position: rod, at: " +
         (axis.find(';') == axis.rfind(';') ? at("0.5, 0") : at("0.5, 0.1")) +
         "}\n  swing: {velocity: bob}\n  energy: {energy: all}\n  pin: {reaction: pin}\n" +
         "  hold: {reaction: hold}\nsimulation: {duration: 1, step: 1e-3, output_step: 0.02}\n";
}

void expect_same_motion(const Result& planar, const Result& spatial, double tolerance, double force_tolerance) {
  for (const std::string& name : planar.names) {
    if (name.ends_with(".z")) continue;
    const bool force = name.starts_with("pin") || name.starts_with("hold");
    EXPECT_LT(difference(planar, spatial, name), force ? force_tolerance : tolerance) << name;
  }
  for (const char* name : {"tip.z", "middle.z"})
    for (const double z : spatial.channel(name)) EXPECT_NEAR(z, 0, 1e-12) << name;
}

// The two differ in how thickness follows stretch: in space both directions of the section do, in the plane one. Of a strain of 1e-3
// and (height/length)² = 4e-4 that is 4e-7 of the motion; forces live on the axial vibration, which is 1e3 times faster than the swing.
TEST(PlanarAndSpatialBeam, straight) {
  expect_same_motion(run(pendulum(true, "0, 0;1, 0", "")), run(pendulum(false, "0, 0;1, 0", "")), 1e-6, 5e-6);
}
TEST(PlanarAndSpatialBeam, arc) {
  expect_same_motion(run(pendulum(true, "0, 0;0.5, 0.1;1, 0", ", curve: arc")),
                     run(pendulum(false, "0, 0;0.5, 0.1;1, 0", ", curve: arc")), 5e-6, 6e-4);
}

// --- planes ------------------------------------------------------------------------------------------------------------------

// A beam, a cable and a reference node fall in the plane x–y, x–z and y–z. A positive turn is about the normal: from x to y, from y to z,
// but from z to x.
TEST(PlanarBeams, are_the_same_in_every_plane) {
  const auto in = [](const std::string& plane) {
    const std::string x = plane.substr(0, 1), y = plane.substr(1, 1);
    const Result r = run("plane: " + plane + R"(
gravity: [0, -9.81]
bodies:
  rod: {beam: [[0, 0], [1, 0.2]], section: {rectangle: {height: 0.01, width: 0.02}}, E: 2e9, nu: 0.3, density: 1000, elements: 3, damping: {stiffness: 1e-3}}
  rope: {cable: [[0, 0], [1, 0.2]], section: {rectangle: {height: 0.01, width: 0.02}}, E: 2e9, nu: 0.3, density: 1000, elements: 3, damping: {stiffness: 1e-3}}
  bar: {shape: {box: [1, 1, 1]}, mass: 0.2, at: [0.5, 0.1], orientation: 0.2, reference_node: true}
joints:
  a: {revolute: [ground, rod], at: [0, 0]}
  b: {revolute: [ground, rope], at: [0, 0]}
  c: {revolute: [ground, bar], at: [0, 0]}
outputs:
  rod: {position: rod, at: [1, 0.2]}
  rope: {position: rope, at: [1, 0.2]}
  bar: {position: bar}
  rod_turn: {orientation: rod}
  rope_turn: {orientation: rope}
  bar_turn: {orientation: bar}
  rod_force: {section_force: rod, at: [0.5, 0.1]}
  rope_force: {section_force: rope, at: [0.5, 0.1]}
  rod_moment: {section_moment: rod, at: [0.5, 0.1]}
  rope_moment: {section_moment: rope, at: [0.5, 0.1]}
  strain: {strain: rod, at: [0.5, 0.1]}
  hinge: {reaction: a}
simulation: {duration: 0.3, step: 1e-3, output_step: 0.02}
)");
    std::vector<std::vector<double>> channels;
    for (const std::string name : {"rod", "rope", "bar", "hinge"})
      channels.push_back(r.channel(name + "." + x)), channels.push_back(r.channel(name + "." + y));
    for (const char* name : {"rod_turn", "rope_turn", "bar_turn"}) {
      channels.push_back(r.channel(name));
      const double drawn = channels.back()[0];
      // the box is turned by its angle about the normal, the others are drawn along (1, 0.2)
      EXPECT_NEAR(drawn, name[0] == 'b' ? 0.2 : (plane == "xz" ? -1 : 1) * std::atan(0.2), 1e-12) << name << plane;
      for (double& turn : channels.back()) turn = (plane == "xz" ? -1 : 1) * (turn - drawn);
    }
    // In the axes of the section: along it, its height (the normal × along), its width (the normal).
    for (const char* name : {"rod_force", "rope_force"}) {
      channels.push_back(r.channel(std::string(name) + ".x"));
      channels.push_back(r.channel(std::string(name) + ".y"));
      if (plane == "xz")
        for (double& f : channels.back()) f = -f;
    }
    for (const char* name : {"rod_moment.z", "rope_moment.z", "strain.bending_y"}) {
      channels.push_back(r.channel(name));
      if (plane == "xz")
        for (double& f : channels.back()) f = -f;
    }
    return channels;
  };
  const auto xy = in("xy");
  EXPECT_GT(std::abs(xy[8].back()), 0.3) << "they turn";
  EXPECT_NEAR(xy[8].back(), xy[10].back(), 0.2) << "about alike; the box has more inertia";
  EXPECT_NEAR(xy[11].back(), xy[13].back(), 0.1 * std::abs(xy[11].back())) << "normal force of beam and cable";
  for (const std::string plane : {"xz", "yz"}) {
    const auto other = in(plane);
    for (size_t k = 0; k < xy.size(); ++k)
      for (size_t i = 0; i < xy[k].size(); ++i)  // the same operations, but for the order of sums
        ASSERT_NEAR(xy[k][i], other[k][i], 1e-6 * std::max(1.0, std::abs(xy[k][i]))) << plane << " channel " << k;
  }
}

TEST(PlanarBeams, messages_name_points_as_they_were_written) {
  for (const std::string plane : {"xy", "xz", "yz"}) try {
      model_from("plane: " + plane + R"(
bodies: {rod: {beam: [[0, 0], [1, 0]], section: {circle: {radius: 0.01}}, material: steel}}
joints: {pin: {revolute: [ground, rod], at: [0.3, 5]}}
simulation: {duration: 1}
)");
      ADD_FAILURE() << plane;
    } catch (const input::InputError& e) {
      EXPECT_NE(std::string(e.what()).find("the point [0.3, 5] is not on 'rod'"), std::string::npos) << e.what();
    }
}

// --- in pieces ---------------------------------------------------------------------------------------------------------------

std::string pieces(int n, int elements, bool planar, const std::string& simulation) {
  std::string bodies = "bodies:\n", joints = "joints:\n";
  const std::string zero = planar ? "" : ", 0";
  for (int k = 0; k < n; ++k) {
    const std::string from = "[" + text(1.2 * k / n) + ", 0" + zero + "]",
                      to = "[" + text(1.2 * (k + 1) / n) + ", 0" + zero + "]";
    bodies += "  b" + std::to_string(k) + ": {beam: [" + from + ", " + to +
              "], section: {rectangle: {height: 0.02, width: 0.03}}, " +
              "E: 2e8, nu: 0.3, density: 2000, damping: {stiffness: 1e-3}, elements: " + std::to_string(elements / n) +
              (planar ? "" : ", height_along: [0, 1, 1]") + "}\n";
    joints += "  j" + std::to_string(k) + ": {fixed: [" + (k == 0 ? "ground" : "b" + std::to_string(k - 1)) + ", b" +
              std::to_string(k) + "], at: " + from + "}\n";
  }
  const std::string last = "b" + std::to_string(n - 1), end = "[1.2, 0" + zero + "]";
  return (planar ? "plane: xy\ngravity: [0, -9.81]\n" : "gravity: [0, -9.81, 2]\n") + bodies + joints +
         "forces:\n  load: {force: " + last + ", at: " + end + ", value: [-1, 0.5" + (planar ? "" : ", 1") +
         "]}\noutputs:\n  tip: {displacement: " + last + ", at: " + end +
         "}\n  wall: {reaction: j0}\n  moment: {reaction_torque: j0}\n  energy: {energy: all}\n" + simulation;
}

// A fixed joint holds sections together, not the slope of the axis and the length of directors, which shear and Poisson's ratio
// leave to each element: relative differences of the size of shear strains, 1e-5.
TEST(BeamInPieces, at_rest) {
  for (const bool planar : {true, false}) {
    const std::string still = "simulation: {duration: 0.002, step: 1e-3, start: equilibrium}\n";
    const Result one = run(pieces(1, 6, planar, still)), three = run(pieces(3, 6, planar, still));
    for (const std::string& name : one.names) EXPECT_LT(difference(one, three, name), 3e-5) << name;
  }
}
// Reactions live on vibrations along the beam: ten times the differences of displacements.
TEST(BeamInPieces, in_motion) {
  for (const bool planar : {true, false}) {
    const std::string falling = "simulation: {duration: 0.5, step: 1e-3, output_step: 0.02}\n";
    const Result one = run(pieces(1, 6, planar, falling)), three = run(pieces(3, 6, planar, falling));
    for (const std::string& name : one.names) EXPECT_LT(difference(one, three, name), 7e-4) << name;
  }
}

// --- integrators -------------------------------------------------------------------------------------------------------------

// A beam on a universal joint, a reference node fixed to its end, a cable that hangs on that: three integrators, which share nothing but the
// equations (index 3 and h², index 1 and h⁴ with projection, variable order and step).
TEST(BeamIntegrators, agree_on_beam_reference_node_and_cable) {
  const Model m = model_from(R"(
gravity: [0, 0, -9.81]
bodies:
  rod: {beam: [[0, 0, 0], [1, 0, 0]], section: {rectangle: {height: 0.06, width: 0.05}}, E: 1e6, nu: 0.3, density: 1000, elements: 3, damping: {stiffness: 1e-3}}
  bob: {mass: 0.5, inertia: {xx: 2e-3, yy: 3e-3, zz: 4e-3}, at: [1, 0.1, 0.05], reference_node: true}
  rope: {cable: [[1, 0.1, 0.05], [1.5, 0.1, 0.05]], section: {circle: {radius: 0.02}}, E: 1e6, nu: 0.3, density: 1000, elements: 2}
joints:
  pin: {universal: [ground, rod], axis: y, second_axis: z, at: [0, 0, 0]}
  hold: {fixed: [rod, bob], at: [1, 0, 0]}
  tie: {spherical: [bob, rope], at: [1, 0.1, 0.05]}
outputs:
  tip: {position: rope, at: [1.5, 0.1, 0.05]}
  end: {position: rod, at: [1, 0, 0]}
  force: {reaction: hold}
  moment: {reaction_torque: hold}
  energy: {energy: all}
simulation: {duration: 0.3, output_step: 0.02, step: 1e-4}
)");
  const Result rk = run(m, {.integrator = "runge-kutta"}), alpha = run(m, {.integrator = "generalized-alpha", .step = 2e-4});
  const auto is_force = [](const std::string& name) { return name.starts_with("force") || name.starts_with("moment"); };
  // Truncation h² of places, 1.5e-7, and of forces, which live on faster vibrations, 5e-5; a factor of 3.
  for (const std::string& name : rk.names)
    EXPECT_LT(difference(rk, alpha, name), is_force(name) ? 1.5e-4 : name == "energy" ? 6e-6 : 5e-7) << name;
  if (!have_ida()) return;
  const Result ida = run(m, {.integrator = "ida", .tolerance = 1e-8});
  // Tolerance 1e-8 per step, 5e-11 in places; forces are accelerations, 1e-6.
  for (const std::string& name : rk.names) EXPECT_LT(difference(rk, ida, name), is_force(name) ? 5e-6 : 3e-9) << name;
}

// --- starts --------------------------------------------------------------------------------------------------------------------

// A load that is there at once on a damped beam: its fastest motions are 1e3 times faster than the step. They must not spoil the start (the
// iteration failed at this step before the start was fitted to it), nor what comes after: order h².
TEST(BeamStart, sudden_load_on_a_damped_beam) {
  const Model m = model_from(pieces(1, 6, true, "simulation: {duration: 0.2, step: 1e-3, output_step: 0.02}\n"));
  const Result coarse = run(m), fine = run(m, {.step = 2.5e-4}), finer = run(m, {.step = 1.25e-4});
  EXPECT_LT(difference(coarse, finer, "tip.y"), 1e-4);
  EXPECT_LT(difference(fine, finer, "tip.y"), difference(coarse, finer, "tip.y") / 10);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
