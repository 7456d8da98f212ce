// Derivatives of responses: those of closed forms, and an estimated error that covers the true one.
#include <gtest/gtest.h>
#include <aleator/aleator.hpp>

#include <cmath>
#include <cstring>
#include <functional>

#include "support/elliptic.hpp"

namespace ALEATOR_FILE {

using namespace aleator;

// x = v/ω sin ωt, ω = √(k/m). A step of 5e-4 s makes the integrator's own error (ω h)⁴ ω t ≈ 1e-9 of the amplitude.
constexpr const char* oscillator = R"(
parameters: {k: 100, v0: 1}
bodies: {block: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1, velocity: [v0, 0, 0]}}
joints: {guide: {prismatic: [ground, block], axis: x, spring: {stiffness: k}}}
outputs: {x: {position: block, component: x}, v: {velocity: block, component: x}}
scalars: {peak: {maximum: x}, back: {first_crossing: x, level: 0, direction: down}}
uncertain:
  k: {SPREAD}
  v0: {uniform: {lower: 0.5, upper: 1.5}}
  block: {mass: {cov: 0.1}}
simulation: {duration: 2, step: 5e-4, output_step: 0.02, integrator: runge-kutta}
)";

std::string oscillator_with(const std::string& spread) {
  std::string text = oscillator;
  return text.replace(text.find("SPREAD"), 6, spread);
}

struct Motion {
  double k, v0, m;
  double omega() const { return std::sqrt(k / m); }
  double x(double t) const { return v0 / omega() * std::sin(omega() * t); }
  double v(double t) const { return v0 * std::cos(omega() * t); }
  // ∂/∂ω, and ω as a function of k and m.
  double x_omega(double t) const {
    return v0 * (t * std::cos(omega() * t) / omega() - std::sin(omega() * t) / (omega() * omega()));
  }
  double v_omega(double t) const { return -v0 * t * std::sin(omega() * t); }
  double omega_k() const { return omega() / (2 * k); }
  double omega_m() const { return -omega() / (2 * m); }
};

// Largest error, and the largest part of it that its estimate and the integrator do not cover.
struct Compared {
  double largest = 0, uncovered = 0, estimated = 0;
};
Compared compare(const Jacobian& j, std::size_t output, std::size_t input, double integrator,
                 const std::function<double(double)>& exact) {
  Compared c;
  for (std::size_t t = 0; t < j.responses.time.size(); ++t) {
    const std::size_t at = j.index(0, t, output, input);
    const double error = std::abs(j.values[at] - exact(j.responses.time[t]));
    EXPECT_TRUE(std::isfinite(error));
    c.largest = std::max(c.largest, error);
    c.estimated = std::max(c.estimated, j.errors[at]);
    c.uncovered = std::max(c.uncovered, error - j.errors[at] - integrator);
  }
  return c;
}

TEST(Jacobian, of_an_oscillator) {
  const Model model = model_from_text(oscillator_with("lognormal: {mean: 100, cov: 0.1}"));
  const Ensemble forward(model);
  ASSERT_EQ(forward.inputs(), (std::vector<std::string>{"k", "v0", "block.mass"}));
  const Motion m{110, 1.1, 0.9};
  const Jacobian j = forward.jacobian(std::vector<double>{m.k, m.v0, m.m});
  EXPECT_TRUE(j.failures.empty());
  const struct {
    std::size_t output, input;
    double size;
    std::function<double(double)> exact;
  } all[] = {{0, 0, 1e-3, [&](double t) { return m.x_omega(t) * m.omega_k(); }},
             {1, 0, 1e-1, [&](double t) { return m.v_omega(t) * m.omega_k(); }},
             {0, 1, 0.1, [&](double t) { return m.x(t) / m.v0; }},
             {1, 1, 1, [&](double t) { return m.v(t) / m.v0; }},
             {0, 2, 1, [&](double t) { return m.x_omega(t) * m.omega_m(); }},
             {1, 2, 10, [&](double t) { return m.v_omega(t) * m.omega_m(); }}};
  for (const auto& a : all) {
    const Compared c = compare(j, a.output, a.input, 1e-7 * a.size, a.exact);
    EXPECT_LT(c.largest, 1e-7 * a.size) << a.output << a.input;
    EXPECT_LE(c.uncovered, 0) << a.output << a.input;
    EXPECT_LT(c.estimated, 1e-6 * a.size) << a.output << a.input;
  }
  // Scalars: the peak v0/ω, and half a period π/ω, read off five output points (relative errors of 1e-6).
  ASSERT_EQ(j.responses.scalars.size(), 2u);
  const double peak_k = -m.v0 / (m.omega() * m.omega()) * m.omega_k(), back_m = -M_PI / (m.omega() * m.omega()) * m.omega_m();
  EXPECT_NEAR(j.scalar_values[0], peak_k, 2e-3 * std::abs(peak_k));
  EXPECT_NEAR(j.scalar_values[5], back_m, 2e-3 * back_m);
}

// With a spread that is far too large for the response, or far too small for its digits, the step is not the spread's.
TEST(Jacobian, finds_its_step) {
  const Motion m{100, 1, 1};
  for (const char* spread :
       {"lognormal: {mean: 100, cov: 2}", "normal: {mean: 100, std: 1e-7}", "normal: {mean: 100, std: 60}"}) {
    const Ensemble forward(model_from_text(oscillator_with(spread)));
    const Jacobian j = forward.jacobian(std::vector<double>{m.k, m.v0, m.m}, {"k"});
    EXPECT_EQ(j.inputs, std::vector<std::string>{"k"});
    const Compared c = compare(j, 0, 0, 1e-10, [&](double t) { return m.x_omega(t) * m.omega_k(); });
    EXPECT_LT(c.largest, 1e-9) << spread;
    EXPECT_LE(c.uncovered, 0) << spread;
  }
}

// Steps adapted to a tolerance: the response is rough by about that, and the estimate says so.
TEST(Jacobian, of_adapted_steps) {
  std::string text = oscillator_with("lognormal: {mean: 100, cov: 0.1}");
  text.replace(text.find("step: 5e-4, "), 12, "step: 0.02, ").replace(text.find(", integrator: runge-kutta"), 25, "");
  const Ensemble forward(model_from_text(text));
  for (const double k : {90.0, 97.0, 100.0, 103.0, 120.0}) {
    const Motion m{k, 1, 1};
    const Jacobian j = forward.jacobian(std::vector<double>{m.k, m.v0, m.m}, {"k"});
    // The phase of the integrator itself is off by some 1e-6 (the tolerance of a step).
    const Compared c = compare(j, 1, 0, 1e-6 * 0.1, [&](double t) { return m.v_omega(t) * m.omega_k(); });
    EXPECT_LT(c.largest, 1e-5 * 0.1) << k;
    EXPECT_LE(c.uncovered, 0) << k;
  }
}

// At the ends of a uniform distribution, and at a mass near zero.
TEST(Jacobian, stays_within_the_range_of_an_input) {
  const Ensemble forward(model_from_text(oscillator_with("uniform: {lower: 80, upper: 120}")));
  for (const double k : {80.0, 120.0, 80 + 1e-9, 119.9}) {
    const Motion m{k, 0.5, 1};
    const Jacobian j = forward.jacobian(std::vector<double>{m.k, m.v0, m.m});
    EXPECT_TRUE(j.failures.empty());
    EXPECT_LT(compare(j, 0, 0, 0, [&](double t) { return m.x_omega(t) * m.omega_k(); }).largest, 1e-8) << k;
    EXPECT_LT(compare(j, 0, 1, 0, [&](double t) { return m.x(t) / m.v0; }).largest, 1e-7) << k;
  }
  // ω = 183 1/s, a step of 0.09 rad: the phase of the integrator is off by (ω h)⁵/120 a step, 2e-4 in the end, and v_ω with it.
  const Motion light{100, 1, 0.003};
  const double integrator = 3e-4 * 2 * light.omega() * std::abs(light.omega_m());
  const Jacobian j = forward.jacobian(std::vector<double>{light.k, light.v0, light.m}, {"block.mass"});
  const Compared c = compare(j, 1, 0, integrator, [&](double t) { return light.v_omega(t) * light.omega_m(); });
  EXPECT_LT(c.largest, integrator);
  EXPECT_LE(c.uncovered, 0);
}

TEST(Jacobian, of_the_period_of_a_pendulum) {
  // θ̇ = 0 again after half a period: 2K(sin θ₀/2) √(l/g). Lengths as a parameter, through the geometry.
  const Model model = model_from_text(R"(
parameters: {l: 1}
gravity: [0, 0, -9.81]
bodies: {bob: {mass: 1, center_of_mass: [l, 0, 0], inertia: {xx: 1e-9, yy: 1e-9, zz: 1e-9}}}
joints: {pin: {revolute: [ground, bob], axis: y, at: [0, 0, 0]}}
outputs: {angle: {coordinate: pin}, rate: {rate: pin}}
scalars: {half_period: {first_crossing: rate, level: 0, direction: down}}
uncertain: {l: {normal: {mean: 1, std: 0.05}}}
simulation: {duration: 1.6, step: 1e-3, output_step: 0.01, integrator: runge-kutta}
)");
  const Ensemble forward(model);
  const double l = 1.03, half = 2 * core::test::elliptic_K(0.5) * std::sqrt(l / 9.81);
  const Jacobian j = forward.jacobian(std::vector<double>{l});
  ASSERT_EQ(j.scalar_values.size(), 1u);
  EXPECT_NEAR(j.responses.scalar_values[0], half, 1e-7);
  // A crossing is that of a polynomial through five output points, which is not quite smooth where another point is nearest.
  EXPECT_NEAR(j.scalar_values[0], half / (2 * l), 1e-5);
  EXPECT_LE(std::abs(j.scalar_values[0] - half / (2 * l)), j.scalar_errors[0] + 1e-5);
}

// A body that just reaches a stop, and one that just does not: the response has a corner there, and central differences agree on nonsense.
TEST(Jacobian, does_not_trust_a_corner) {
  const Model model = model_from_text(R"(
parameters: {f: 0}
bodies: {block: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1}}
joints: {guide: {prismatic: [ground, block], axis: x}}
forces: {push: {force: block, value: ['max(f, 0)', 0, 0]}}
outputs: {x: {position: block, component: x}}
uncertain: {f: {normal: {mean: 0, std: 1}}}
simulation: {duration: 1, step: 0.01, output_step: 0.1, integrator: runge-kutta}
)");
  const Jacobian j = Ensemble(model).jacobian(std::vector<double>{0.0});
  const std::size_t last = j.index(0, 10, 0, 0);
  EXPECT_GE(j.errors[last], 0.2);  // 1/2 t² on one side, 0 on the other: between them whatever is said
}

TEST(Jacobian, of_many_samples_is_that_of_each) {
  const Ensemble forward(model_from_text(oscillator_with("lognormal: {mean: 100, cov: 0.1}")));
  const std::vector<double> x = forward.draw(5);
  const Jacobian all = forward.jacobian(x), one = forward.jacobian(std::span(x).subspan(9, 3));
  ASSERT_EQ(all.values.size(), 5 * one.values.size());
  EXPECT_EQ(std::memcmp(&all.values[3 * one.values.size()], one.values.data(), one.values.size() * sizeof(double)), 0);
  EXPECT_EQ(std::memcmp(&all.errors[3 * one.errors.size()], one.errors.data(), one.errors.size() * sizeof(double)), 0);
}

TEST(Jacobian, marks_what_fails_and_refuses_what_makes_no_sense) {
  const Ensemble forward(model_from_text(oscillator_with("normal: {mean: 100, std: 10}")));
  const Jacobian j = forward.jacobian(std::vector<double>{100, 1, -1, 100, 1, 1});  // a mass of -1 kg
  ASSERT_EQ(j.failures.size(), 1u);
  EXPECT_EQ(j.failures[0].sample, 0u);
  EXPECT_EQ(j.failures[0].input, "");
  EXPECT_TRUE(std::isnan(j.values[j.index(0, 5, 0, 0)]) && std::isnan(j.errors[j.index(0, 5, 0, 0)]));
  EXPECT_TRUE(std::isfinite(j.values[j.index(1, 5, 0, 0)]));
  EXPECT_THROW(forward.jacobian(std::vector<double>{1, 2}), std::invalid_argument);
  EXPECT_THROW(forward.jacobian(std::vector<double>{1, 2, 3}, {"kk"}), std::invalid_argument);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(forward.jacobian(std::vector<double>{100, 1, 1}, {}, stop.get_token()).responses.complete);
}

}  // namespace ALEATOR_FILE
