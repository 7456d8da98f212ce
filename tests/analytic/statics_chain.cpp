// A chain of n uniform rods between two supports. Each rod of weight w is in balance when its slope is the ratio of the
// vertical force in its middle to the horizontal tension H, tan θ_i = w (i − (n+1)/2) / H, and Σ l cos θ_i = span gives H:
// exact for rods, and for many of them the catenary.
#include <gtest/gtest.h>

#include <cmath>

#include "support/statics_mechanism.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr int n = 20;
constexpr double l = 0.1, span = 1.2, mass = 0.25, g = 9.81, w = mass * g;

struct Chain {
  double tension = 0;        // horizontal
  std::vector<double> x, z;  // centres of the rods
};

Chain exact() {
  const auto reach = [](double H) {
    double sum = 0;
    for (int i = 1; i <= n; ++i) sum += l / std::hypot(1, w * (i - 0.5 * (n + 1)) / H);
    return sum;
  };
  double low = 1e-6, high = 1e6;  // bisection: reach grows with H
  for (int k = 0; k < 200; ++k) (reach(std::sqrt(low * high)) < span ? low : high) = std::sqrt(low * high);
  Chain c;
  c.tension = low;
  double x = 0, z = 0;
  for (int i = 1; i <= n; ++i) {
    const double slope = std::atan(w * (i - 0.5 * (n + 1)) / c.tension), dx = l * std::cos(slope), dz = l * std::sin(slope);
    c.x.push_back(x + dx / 2), c.z.push_back(z + dz / 2);
    x += dx, z += dz;
  }
  return c;
}

// Drawn as a V: half of the rods down, half of them up.
std::string drawn(bool planar) {
  const double cosine = span / (n * l), sine = std::sqrt(1 - cosine * cosine);
  const auto point = [&](double x, double z) {
    return planar ? "[" + text(x) + ", " + text(z) + "]" : "[" + text(x) + ", 0, " + text(z) + "]";
  };
  std::string bodies = "bodies:\n", joints = "joints:\n";
  double x = 0, z = 0;
  for (int i = 0; i < n; ++i) {
    const double dz = (i < n / 2 ? -1 : 1) * l * sine, dx = l * cosine, pitch = -std::atan2(dz, dx);
    // In the xz-plane the normal is y, and a turn about it takes x to −z.
    const std::string turn = planar ? text(pitch) : "{rpy: [0, " + text(pitch) + ", 0]}";
    bodies += "  rod" + std::to_string(i) +
              ": {shape: {box: [0.1, 0.01, 0.01]}, mass: 0.25, at: " + point(x + dx / 2, z + dz / 2) + ", orientation: " + turn +
              "}\n";
    const std::string before = i == 0 ? "ground" : "rod" + std::to_string(i - 1), kind = planar ? "revolute" : "spherical";
    joints += "  pin" + std::to_string(i) + ": {" + kind + ": [" + before + ", rod" + std::to_string(i) +
              "], at: " + point(x, z) + "}\n";
    x += dx, z += dz;
  }
  joints += "  end: {" + std::string(planar ? "revolute" : "spherical") + ": [rod" + std::to_string(n - 1) +
            ", ground], at: " + point(span, 0) + "}\n";
  return std::string(planar ? "plane: xz\ngravity: [0, -9.81]\n" : "gravity: [0, 0, -9.81]\n") + bodies + joints +
         "outputs: {pull: {reaction: pin0}}\nsimulation: {duration: 1}\n";
}

class StaticsChain : public testing::TestWithParam<bool> {};

// In space the rods may also turn about themselves: 20 directions that nothing holds and nothing loads.
TEST_P(StaticsChain, HangsLikeTheExactPolygon) {
  Mechanism m(drawn(GetParam()));
  const Equilibrium e = equilibrium(m.assembly, m.start);
  const Chain c = exact();
  // Forces are balanced to 1e-10 of the weights or better; the softest motion of the chain has a stiffness of about w/l.
  for (int i = 0; i < n; ++i) {
    EXPECT_NEAR(e.state.positions[7 * i], c.x[i], 1e-9);
    EXPECT_NEAR(e.state.positions[7 * i + 2], c.z[i], 1e-9);
  }
  EXPECT_NEAR(m.output(e.state, "pull.x"), -c.tension, 1e-7);  // by the ground on the first rod: outwards
  EXPECT_NEAR(m.output(e.state, "pull.z"), n * w / 2, 1e-7);
  EXPECT_TRUE(e.stable);
}

INSTANTIATE_TEST_SUITE_P(Plane, StaticsChain, testing::Values(true));
INSTANTIATE_TEST_SUITE_P(Space, StaticsChain, testing::Values(false));

// The catenary of the same length: a (cosh(span/2a) − 1) is its sag, 2a sinh(span/2a) its length.
TEST(StaticsChain, IsCloseToTheCatenary) {
  double low = 0.01, high = 100;
  for (int k = 0; k < 200; ++k) {
    const double a = std::sqrt(low * high);
    (2 * a * std::sinh(span / (2 * a)) > n * l ? low : high) = a;
  }
  const double sag = low * (std::cosh(span / (2 * low)) - 1);
  Mechanism m(drawn(true));
  const Equilibrium e = equilibrium(m.assembly, m.start);
  // the middle joint is at the end of rod 9; corners of the polygon differ from the curve by O(1/n²) of its sag
  const double theta = std::atan(-0.5 * w / exact().tension);
  EXPECT_NEAR(e.state.positions[7 * 9 + 2] + 0.5 * l * std::sin(theta), -sag, 2 * sag / (n * n));
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
