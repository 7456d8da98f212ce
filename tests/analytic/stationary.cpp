// Linear models under random processes: variances and transfer functions in closed form, by integrals written here, and by Lyapunov's equation of
// the model together with the filter that makes the process.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <functional>
#include <numbers>

#include <aleator/aleator.hpp>

#include "api/spectrum.hpp"
#include "numerics/dense_schur.hpp"
#include "support/message_of.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr double pi = std::numbers::pi, g = 9.81;
using Complex = std::complex<double>;
constexpr Complex i(0, 1);

LinearSpectrum spectrum(const std::string& yaml, const LinearSpectrumRequest& request = {}) {
  return spectrum_of(aleator::model_from_text(yaml), request);
}
const LinearSpectrum::Output& output(const LinearSpectrum& s, const std::string& name) {
  for (const LinearSpectrum::Output& o : s.outputs)
    if (o.name == name) return o;
  throw std::out_of_range(name);
}
double variance(const LinearSpectrum& s, const std::string& name) { return output(s, name).rms * output(s, name).rms; }

// ∫ f dω by Simpson's rule in ln ω: smooth where resonances are broad.
double integral(const std::function<double(double)>& f, double from, double to, int intervals = 200000) {
  const double h = std::log(to / from) / intervals;
  double sum = 0;
  for (int k = 0; k <= intervals; ++k) {
    const double w = from * std::exp(h * k);
    sum += (k == 0 || k == intervals ? 1 : k % 2 == 1 ? 4 : 2) * f(w) * w;
  }
  return sum * h / 3;
}

// 2 kg, ω = 20 rad/s; `damper` 16 makes ζ = 0.2.
std::string oscillator(const std::string& damper, const std::string& more) {
  return R"(
bodies: {mass: {shape: {sphere: {radius: 0.1}}, mass: 2}}
joints: {slide: {prismatic: [ground, mass], axis: x, spring: {stiffness: 800}, damper: )" +
         damper + R"(}}
simulation: {duration: 5}
outputs: {x: {coordinate: slide}, v: {rate: slide}, a: {acceleration: mass, component: x}, kinetic: {kinetic_energy: mass}}
)" + more;
}

// σx² = π S0/(2ζω³), σv² = ω² σx²; S0 is that of the acceleration F/m. Round-off.
TEST(Stationary, oscillator_under_white_noise) {
  for (const double damper : {16.0, 0.08, 80.0, 200.0}) {  // ζ = 0.2, 0.001, 1 (a double eigenvalue), 2.5
    const LinearSpectrum s = spectrum(oscillator(std::to_string(damper), R"(
processes: {noise: {white_noise: {S0: 3, step: 0.01}}}
forces: {push: {force: mass, value: [{process: noise}, 0, 0]}}
)"));
    const double zeta = damper / 80, expected = pi * 0.75 / (2 * zeta * 8000);
    EXPECT_NEAR(variance(s, "x") / expected, 1, 1e-8) << damper;
    EXPECT_NEAR(variance(s, "v") / (400 * expected), 1, 1e-8) << damper;
    EXPECT_TRUE(std::isinf(output(s, "a").rms));
    EXPECT_FALSE(output(s, "kinetic").linear);
    EXPECT_EQ(s.notes.size(), 2U);  // about these two
  }
}

// One-sided density 4π |H|² S0 and |H| = 1/|k − m ω² + i c ω|.
TEST(Stationary, transfer_function_of_an_oscillator) {
  const LinearSpectrum s = spectrum(oscillator("16", R"(
processes: {noise: {white_noise: {S0: 3, step: 0.01}}}
forces: {push: {force: mass, value: [{process: noise}, 0, 0]}}
)"),
                                    {.from = 0.1, .to = 30, .points = 500});
  EXPECT_GE(s.frequency.size(), 500U);
  EXPECT_NEAR(s.frequency.front(), 0.1, 1e-12);
  EXPECT_NEAR(s.frequency.back(), 30, 1e-12);
  for (std::size_t k = 0; k < s.frequency.size(); ++k) {
    const double w = 2 * pi * s.frequency[k];
    const Complex H = 1.0 / (800 - 2 * w * w + i * 16.0 * w);
    EXPECT_NEAR(output(s, "x").gain[0][k] / std::abs(H), 1, 1e-9);
    EXPECT_NEAR(output(s, "a").gain[0][k] / std::abs(w * w * H), 1, 1e-9);
    EXPECT_NEAR(output(s, "x").density[k] / (4 * pi * 3 * std::norm(H)), 1, 1e-9);
  }
  EXPECT_NEAR(output(s, "x").peak, 20 * std::sqrt(1 - 0.08) / (2 * pi), 0.05);
}

// A ground acceleration in `gravity`, white noise through (b0 + b1 s)/(a0 + a1 s + s²), against Lyapunov's equation with the states of the filter. What is
// above the cut-off is 1e-9 of the displacement, and 1e-6 of the velocity.
void compare_with_filter(const std::string& process, double S0, double b0, double b1, double a0, double a1) {
  const LinearSpectrum s =
      spectrum(oscillator("16", "processes: {quake: {" + process + ", cutoff: 600}}\ngravity: [{process: quake}, 0, -9.81]\n"));
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(4, 4), Q = A;  // filter, its rate, oscillator, its rate
  A(0, 1) = A(2, 3) = 1;
  A(1, 0) = -a0, A(1, 1) = -a1, A(3, 0) = b0, A(3, 1) = b1, A(3, 2) = -400, A(3, 3) = -8;
  Q(1, 1) = 2 * pi * S0;
  const Eigen::MatrixXd X = dense::solve_lyapunov(dense::schur(A), Q);
  EXPECT_LT((A * X + X * A.transpose() + Q).norm(), 1e-12 * (A * X).norm());
  EXPECT_NEAR(variance(s, "x") / X(2, 2), 1, 1e-7) << process;
  EXPECT_NEAR(variance(s, "v") / X(3, 3), 1, 1e-6) << process;
}

TEST(Stationary, filtered_noise_and_the_states_of_its_filter) {
  compare_with_filter("kanai_tajimi: {S0: 0.02, omega_g: 15, zeta_g: 0.6}", 0.02, 225, 18, 225, 18);
  compare_with_filter("filter: {S0: 3, numerator: [5, 2], denominator: [100, 4, 1]}", 3, 5, 2, 100, 4);
}

const char* const quarter_car = R"(
gravity: [0, 0, -9.81]
bodies:
  plate: {shape: {box: [0.4, 0.4, 0.02]}, mass: 10, at: [0, 0, 0]}
  wheel: {shape: {cylinder: {radius: 0.3, length: 0.2, axis: y}}, mass: 40, at: [0, 0, 0.3]}
  car: {shape: {box: [1, 0.8, 0.3]}, mass: 350, at: [0, 0, 0.8]}
joints:
  patch: {prismatic: [ground, plate], axis: z, motion: {process: road}}
  hub: {prismatic: [ground, wheel], axis: z}
  ride: {prismatic: [ground, car], axis: z}
forces:
  tyre: {spring_damper: [plate, wheel], points: [[0, 0, 0], [0, 0, 0.3]], stiffness: 2e5, damping: 100}
  suspension: {spring_damper: [wheel, car], points: [[0, 0, 0.3], [0, 0, 0.8]], stiffness: 2e4, damping: 1500}
processes: {road: {iso8608: {class: C, speed: 20}}}
outputs:
  road: {coordinate: patch}
  car: {coordinate: ride}
  comfort: {acceleration: car, component: z}
  tyre_force: {force: tyre, component: z}
  patch: {reaction: patch, component: z}
  energy: {kinetic_energy: all}
simulation: {duration: 10}
)";

struct QuarterCar {
  Complex body, wheel, tyre_force;  // force on the wheel
  explicit QuarterCar(double w) {
    const Complex suspension = 2e4 + i * w * 1500.0, tyre = 2e5 + i * w * 100.0;
    const Complex a = suspension - 350 * w * w, b = suspension + tyre - 40 * w * w;
    wheel = tyre * a / (a * b - suspension * suspension);
    body = suspension * wheel / a;
    tyre_force = tyre * (1.0 - wheel);
  }
};

// Class C: G_d(n0) = 256e-6 m³, n from 0.011 to 2.83 1/m; G(f) = G_d(n0) n0² V/f². 1e-7: the integrals' accuracy.
TEST(Stationary, quarter_car_on_a_road) {
  const LinearSpectrum s = spectrum(quarter_car);
  const auto expected = [](const auto& of) {
    return integral(
        [&](double w) {
          const double f = w / (2 * pi);
          return std::norm(of(w)) * 256e-6 * 0.01 * 20 / (f * f) / (2 * pi);
        },
        2 * pi * 0.011 * 20, 2 * pi * 2.83 * 20);
  };
  EXPECT_NEAR(variance(s, "road") / expected([](double) { return 1.0; }), 1, 1e-7);
  EXPECT_NEAR(variance(s, "comfort") / expected([](double w) { return w * w * QuarterCar(w).body; }), 1, 1e-7);
  EXPECT_NEAR(variance(s, "tyre_force") / expected([](double w) { return QuarterCar(w).tyre_force; }), 1, 1e-7);
  // The patch is pushed down by the tyre, and its own mass has to be moved.
  EXPECT_NEAR(variance(s, "patch") / expected([](double w) { return QuarterCar(w).tyre_force - 10 * w * w; }), 1, 1e-6);
  EXPECT_GT(output(s, "comfort").rms, 0.5);
  EXPECT_LT(output(s, "comfort").rms, 3);
  for (std::size_t k = 0; k < s.frequency.size(); ++k) {
    const double w = 2 * pi * s.frequency[k];
    EXPECT_NEAR(output(s, "car").gain[0][k] / std::abs(QuarterCar(w).body), 1, 1e-8);
  }
  EXPECT_FALSE(output(s, "energy").linear);
}

// A mass between two supports: H = (k + iωc)/2 (u₁ + u₂) / (k − m ω² + iωc).
std::string between_two(const std::string& first, const std::string& second, const std::string& process) {
  return R"(
bodies:
  left: {shape: {sphere: {radius: 0.1}}, mass: 1, at: [0, 0, 0]}
  right: {shape: {sphere: {radius: 0.1}}, mass: 1, at: [2, 0, 0]}
  mass: {shape: {sphere: {radius: 0.1}}, mass: 2, at: [1, 0, 0]}
joints:
  a: {prismatic: [ground, left], axis: x, motion: )" +
         first + R"(}
  b: {prismatic: [ground, right], axis: x, motion: )" +
         second + R"(}
  slide: {prismatic: [ground, mass], axis: x}
forces:
  first: {spring_damper: [left, mass], points: [[0, 0, 0], [1, 0, 0]], stiffness: 400, damping: 4}
  second: {spring_damper: [mass, right], points: [[1, 0, 0], [2, 0, 0]], stiffness: 400, damping: 4}
outputs: {x: {coordinate: slide}}
simulation: {duration: 20}
)" + process;
}

// 0.01 m²/Hz, one-sided, from 0.5 to 8 Hz.
double expected_of_two(const std::function<double(double)>& both) {
  return integral(
      [&](double w) {
        const Complex H = (400.0 + i * 4.0 * w) / (800 - 2 * w * w + i * 8.0 * w);
        return std::norm(H) * both(w) * 0.01 / (2 * pi);
      },
      2 * pi * 0.5, 2 * pi * 8);
}

TEST(Stationary, two_supports_with_a_delay) {
  const LinearSpectrum s =
      spectrum(between_two("{process: shake}", "{process: shake, delay: 0.3, scale: 2}",
                           "processes: {shake: {psd: {table: [[0.5, 0.01], [8, 0.01]], per: Hz, sides: one}}}"));
  const double expected = expected_of_two([](double w) { return std::norm(1.0 + 2.0 * std::polar(1.0, -0.3 * w)); });
  EXPECT_NEAR(variance(s, "x") / expected, 1, 1e-7);
}

TEST(Stationary, two_places_with_a_coherence) {
  const LinearSpectrum s = spectrum(between_two("{process: shake, at: a}", "{process: shake, at: b, scale: -2}", R"(
processes:
  shake: {psd: {table: [[0.5, 0.01], [8, 0.01]], per: Hz, sides: one}, places: {a: 0, b: 2}, coherence: {constant: 0.4}}
)"));
  EXPECT_NEAR(variance(s, "x") / expected_of_two([](double) { return 1 + 4 - 2 * 0.4 * 2; }), 1, 1e-7);
}

TEST(Stationary, two_processes_share_the_variance) {
  const LinearSpectrum s = spectrum(between_two("{process: shake}", "{process: other, scale: 2}", R"(
processes:
  shake: {psd: {table: [[0.5, 0.01], [8, 0.01]], per: Hz, sides: one}}
  other: {psd: {table: [[0.5, 0.01], [8, 0.01]], per: Hz, sides: one}}
)"));
  ASSERT_EQ(s.processes.size(), 2U);
  EXPECT_NEAR(variance(s, "x") / expected_of_two([](double) { return 5; }), 1, 1e-7);
  EXPECT_NEAR(output(s, "x").share[0], 0.2, 1e-9);
  EXPECT_NEAR(output(s, "x").share[1], 0.8, 1e-9);
}

// Drawn upright to the side, it hangs: J φ̈ + c φ̇ + m g l φ = m l a. 1e-7: the equilibrium.
TEST(Stationary, pendulum_about_its_equilibrium) {
  const std::string text = R"(
gravity: [{process: shake}, 0, -9.81]
bodies: {rod: {shape: {box: [1, 0.1, 0.1]}, mass: 2, at: [0.5, 0, 0]}}
joints: {pin: {revolute: [ground, rod], axis: y, at: [0, 0, 0], damper: 0.7}}
processes: {shake: {white_noise: {S0: 0.01, step: 0.01}}}
outputs: {angle: {coordinate: pin}, tip: {position: rod, at: [1, 0, 0]}}
simulation: {duration: 10}
)";
  const LinearSpectrum s = spectrum(text);
  const double J = 2 * (1.01 / 12 + 0.25), load = 2 * 0.5, c = 0.7, k = 2 * g * 0.5;
  const double expected = pi * 0.01 * load * load / (c * k);  // π S/(c k)
  EXPECT_NEAR(variance(s, "angle") / expected, 1, 1e-7);
  EXPECT_NEAR(variance(s, "tip.x") / expected, 1, 1e-7);  // at a distance of 1 m
  EXPECT_FALSE(output(s, "tip.z").linear);
  EXPECT_NEAR(s.motions.at(0).frequency, std::sqrt(k / J) / (2 * pi), 1e-7);
}

// A drive that turns an arm by u, with a pendulum at its end that hangs from a hinge with a damper: J φ̈ + c φ̇ + m g l φ = c u̇ for its own angle φ; the
// hinge moves up and down by 1 m u. The torque of the drive moves the arm, the weight at its end, and the damper. Round-off of large stiffnesses.
TEST(Stationary, drive_that_turns) {
  const LinearSpectrum s = spectrum(R"(
gravity: [0, 0, -9.81]
processes: {turn: {psd: {table: [[0.2, 1e-5], [5, 1e-5]], per: Hz, sides: one}}}
bodies:
  arm: {shape: {box: [1, 0.1, 0.1]}, mass: 3, at: [0.5, 0, 0]}
  bob: {shape: {box: [0.1, 0.1, 0.6]}, mass: 1, at: [1, 0, -0.3]}
joints:
  drive: {revolute: [ground, arm], axis: y, at: [0, 0, 0], motion: {process: turn}}
  pin: {revolute: [arm, bob], axis: y, at: [1, 0, 0], damper: 0.2}
outputs: {swing: {coordinate: pin}, tip: {acceleration: bob, at: [1, 0, -0.6]}, torque: {reaction_torque: drive, component: y}}
simulation: {duration: 20}
)");
  const double J = (0.36 + 0.01) / 12 + 0.09, arm = 3 * (1.01 / 12 + 0.25);
  EXPECT_TRUE(s.notes.empty()) << s.notes[0];
  for (std::size_t k = 0; k < s.frequency.size(); ++k) {
    const double w = 2 * pi * s.frequency[k];
    const Complex H = i * w * 0.2 / (g * 0.3 - J * w * w + i * w * 0.2);
    EXPECT_NEAR(output(s, "swing").gain[0][k] / std::abs(H - 1.0), 1, 1e-7);
    EXPECT_NEAR(output(s, "tip.x").gain[0][k] / std::abs(0.6 * w * w * H), 1, 1e-7);
    EXPECT_NEAR(output(s, "tip.z").gain[0][k] / (w * w), 1, 1e-7);
    EXPECT_NEAR(output(s, "torque").gain[0][k] / std::abs(w * w * (arm + 1) + i * w * 0.2 * (H - 1.0)), 1, 1e-7);
  }
}

// The sum of π S0 φ⁴/(2ζω³) over modes, φ(L)² = 4/(ρAL); the second has 0.5 % of it. What modes have in common, shear, and six elements are 1e-3.
TEST(Stationary, tip_of_a_cantilever) {
  const LinearSpectrum s = spectrum(R"(
plane: xy
bodies: {rod: {beam: [[0, 0], [2, 0]], section: {rectangle: {height: 0.02, width: 0.01}}, E: 2e11, nu: 0.3, density: 7800, elements: 6, damping: {mass: 0.5, stiffness: 1e-4}}}
joints: {wall: {fixed: [ground, rod], at: [0, 0]}}
forces: {push: {force: rod, at: [2, 0], value: [0, {process: noise}]}}
processes: {noise: {white_noise: {S0: 1, step: 0.01}}}
outputs: {tip: {displacement: rod, at: [2, 0], component: y}, along: {displacement: rod, at: [2, 0], component: x}}
simulation: {duration: 10}
)");
  const double mass = 7800 * 2e-4 * 2, I = 0.01 * 8e-6 / 12, unit = std::sqrt(2e11 * I / (7800 * 2e-4)) / 4;
  double expected = 0;
  for (const double beta : {1.8751040687, 4.6940911330, 7.8547574382}) {
    const double w = beta * beta * unit, zeta = 0.25 / w + w * 0.5e-4;
    expected += pi * 16 / (mass * mass) / (2 * zeta * w * w * w);
  }
  EXPECT_NEAR(variance(s, "tip") / expected, 1, 3e-3);
  EXPECT_NEAR(s.motions.at(0).frequency / (1.8751040687 * 1.8751040687 * unit / (2 * pi)), 1, 1e-3);
  EXPECT_LT(output(s, "along").rms, 1e-9 * output(s, "tip").rms);
}

// A damper that is softer in compression counts with the mean of its slopes, which is also the one of equivalent linearisation.
TEST(Stationary, a_kink_at_rest_counts_with_the_mean_of_its_slopes) {
  const std::string noise = "processes: {noise: {white_noise: {S0: 3, step: 0.01}}}\n", slide = R"(
bodies: {mass: {shape: {sphere: {radius: 0.1}}, mass: 2, at: [1, 0, 0]}}
joints: {slide: {prismatic: [ground, mass], axis: x, spring: {stiffness: 800}}}
outputs: {x: {coordinate: slide}, pull: {force: damper, component: x}}
simulation: {duration: 5}
forces:
  push: {force: mass, value: [{process: noise}, 0, 0]}
)";
  const std::string points = "  damper: {spring_damper: [ground, mass], points: [[0, 0, 0], [1, 0, 0]], ";
  const LinearSpectrum even = spectrum(noise + slide + points + "damping: 16}\n"),
                       uneven = spectrum(noise + slide + points + "damping_characteristic: [[-1, -8], [0, 0], [1, 24]]}\n");
  EXPECT_NEAR(variance(uneven, "x") / variance(even, "x"), 1, 1e-8);
  EXPECT_NEAR(variance(uneven, "pull") / variance(even, "pull"), 1, 1e-8);
  EXPECT_TRUE(even.notes.empty());
  ASSERT_EQ(uneven.notes.size(), 1U);
  EXPECT_NE(uneven.notes[0].find("on body 'mass'"), std::string::npos) << uneven.notes[0];
}

// What nothing excites may be free: the yaw of a mass whose slide is pushed has no part in it.
TEST(Stationary, free_motions_that_are_not_excited_are_left_out) {
  const LinearSpectrum s = spectrum(R"(
bodies: {mass: {shape: {sphere: {radius: 0.1}}, mass: 2}, idle: {shape: {sphere: {radius: 0.1}}, mass: 1, at: [0, 1, 0]}}
joints: {slide: {prismatic: [ground, mass], axis: x, spring: {stiffness: 800}, damper: 16}, other: {prismatic: [ground, idle], axis: x}}
forces: {push: {force: mass, value: [{process: noise}, 0, 0]}}
processes: {noise: {white_noise: {S0: 3, step: 0.01}}}
outputs: {x: {coordinate: slide}}
simulation: {duration: 5}
)");
  EXPECT_EQ(s.motions.size(), 1U);
  EXPECT_NEAR(variance(s, "x") / (pi * 0.75 / (2 * 0.2 * 8000)), 1, 1e-8);
}

// Nothing moves freely: what is driven follows its drive, what is held reacts.
TEST(Stationary, models_without_free_motions) {
  const std::string
      shake = "processes: {shake: {psd: {table: [[0.5, 1], [8, 1]], per: Hz, sides: one}}}\nsimulation: {duration: 6}\n",
      body = "bodies: {mass: {shape: {sphere: {radius: 0.1}}, mass: 2}}\n";
  const LinearSpectrum driven = spectrum(shake + body + R"(
joints: {slide: {prismatic: [ground, mass], axis: x, motion: {process: shake}}}
outputs: {x: {coordinate: slide}, pull: {reaction: slide, component: x}}
)");
  EXPECT_NEAR(variance(driven, "x"), 7.5, 1e-8);
  EXPECT_NEAR(variance(driven, "pull") / (4 * std::pow(2 * pi, 4) * (std::pow(8, 5) - std::pow(0.5, 5)) / 5), 1, 1e-8);
  const std::string held =
      shake + body + "joints: {wall: {fixed: [ground, mass]}}\nforces: {push: {force: mass, value: [{process: shake}, 0, 0]}}\n";
  EXPECT_NEAR(variance(spectrum(held + "outputs: {pull: {reaction: wall, component: x}}\n"), "pull"), 7.5, 1e-8);
  EXPECT_FALSE(output(spectrum(held + "outputs: {x: {position: mass, component: x}}\n"), "x").linear);
}

std::string refusal(const std::string& yaml, const LinearSpectrumRequest& request = {}) {
  return message_of<aleator::Error>([&] { spectrum(yaml, request); });
}

TEST(Stationary, refusals_say_what_is_missing) {
  const std::string noise = R"(
processes: {noise: {white_noise: {S0: 3, step: 0.01}}}
forces: {push: {force: mass, value: [{process: noise}, 0, 0]}}
)";
  EXPECT_NE(refusal(oscillator("0", noise)).find("nothing damps the vibration at 3.183 Hz of body 'mass'"), std::string::npos);
  EXPECT_NE(refusal(oscillator("16", "")).find("the model has no processes; say what excites it"), std::string::npos);
  EXPECT_NE(refusal(oscillator("16", "processes: {noise: {white_noise: {S0: 3, step: 0.01}}}"))
                .find("the model uses none of its processes"),
            std::string::npos);
  EXPECT_NE(refusal(oscillator("1e307", noise)).find("stiffness or damping is too large"), std::string::npos);
  std::string free = oscillator("16", noise);
  free.replace(free.find("spring: {stiffness: 800}, "), 26, "");
  EXPECT_NE(refusal(free).find("nothing pulls body 'mass'"), std::string::npos) << refusal(free);
  const std::string upright = R"(
gravity: [{process: shake}, 0, -9.81]
bodies: {rod: {shape: {box: [0.1, 0.1, 1]}, mass: 2, at: [0, 0, 0.5]}}
joints: {pin: {revolute: [ground, rod], axis: y, at: [0, 0, 0], damper: 0.7}}
processes: {shake: {white_noise: {S0: 0.01, step: 0.01}}}
outputs: {angle: {coordinate: pin}}
simulation: {duration: 10}
)";
  EXPECT_NE(refusal(upright, {.about_equilibrium = false}).find("moves away from this state by itself"), std::string::npos);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
