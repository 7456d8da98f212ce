// Small vibrations of beams and cables of absolute nodal coordinates against closed forms: Euler–Bernoulli and Timoshenko bending,
// axial and torsional waves.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/ancf_structure.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr double pi = std::numbers::pi;
constexpr double beam_length = 1.5, E = 2e11, nu = 0.3, rho = 7800, G = E / (2 * (1 + nu));
ancf::Station beam(double h, double b) { return {rectangle_section(h, b), E, nu, rho}; }

// cos x cosh x = ±1: the wave numbers of free–free (+) and clamped–free (−) beams, x > 0, by bisection around its guess.
double wave_number(int mode, bool is_clamped) {
  const double guess = (is_clamped ? mode - 0.5 : mode + 0.5) * pi, sign = is_clamped ? -1 : 1;
  const auto f = [&](double x) { return std::cos(x) - sign / std::cosh(x); };
  double low = guess - 0.4, high = guess + 0.4;
  const bool rising = f(high) > 0;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    ((f(middle) > 0) == rising ? high : low) = middle;
  }
  return low / beam_length;
}
double bending_frequency(double wave, const ancf::Station& s, int direction = 0) {
  return wave * wave * std::sqrt(E * s.section.second[direction] / (rho * s.section.area));
}

// The frequency nearest to the expected one, over it, less one.
double deviation(const Eigen::VectorXd& frequencies, double expected) {
  double best = 1e300;
  for (const double w : frequencies) best = std::abs(w / expected - 1) < std::abs(best) ? w / expected - 1 : best;
  return best;
}

template <class Case>
AncfChain<Case> clamped_chain(int n, const ancf::Station& s) {
  AncfChain<Case> chain(n, beam_length, s);
  chain.clamp_turn(0);
  return chain;
}

// Slender: rotary inertia and shear lower mode k by about (wave number · height)²/12 · (1 + E/kG)/2.
constexpr double slender_height = 3e-3;
double timoshenko_lowering(double wave, double h) { return wave * wave * h * h / 12 * (1 + E / (5.0 / 6 * G)) / 2; }

template <class Case>
void expect_bending(int n, double tolerance) {
  const ancf::Station s = beam(slender_height, slender_height);
  const Eigen::VectorXd cantilever = clamped_chain<Case>(n, s).frequencies();
  const Eigen::VectorXd floating = AncfChain<Case>(n, beam_length, s).frequencies();
  for (int mode = 1; mode <= 3; ++mode) {
    const double clamped_wave = wave_number(mode, true), free_wave = wave_number(mode, false);
    EXPECT_NEAR(deviation(cantilever, bending_frequency(clamped_wave, s)), 0, tolerance) << mode;
    EXPECT_NEAR(deviation(floating, bending_frequency(free_wave, s)), 0, tolerance) << mode;
  }
}

// Tolerances: error of 16 elements, dominated by the third mode; see the orders below.
TEST(AncfFrequencies, planar_bending) { expect_bending<PlanarEnhanced>(16, 1e-3); }
TEST(AncfFrequencies, spatial_bending) { expect_bending<SpatialEnhanced>(16, 1e-3); }
TEST(AncfFrequencies, cable_bending) { expect_bending<CableCase<2>>(16, 3e-4); }

// n → 2n: the error of the second mode of the cantilever falls with the fourth power.
template <class Case>
void expect_fourth_order() {
  const ancf::Station s = beam(slender_height, slender_height);
  const double wave = wave_number(2, true);
  const double expected = bending_frequency(wave, s) * (Case::is_beam ? 1 - timoshenko_lowering(wave, slender_height) : 1);
  const double coarse = deviation(clamped_chain<Case>(4, s).frequencies(), expected);
  const double fine = deviation(clamped_chain<Case>(8, s).frequencies(), expected);
  EXPECT_NEAR(std::log2(std::abs(coarse / fine)), 4, 0.3);
}
TEST(AncfFrequencies, order_of_bending) {
  expect_fourth_order<PlanarEnhanced>();
  expect_fourth_order<CableCase<2>>();
}

// Simply supported Timoshenko beam, half waves k: the lower root of
//   ρ²I/(kGA)… in wave number q = kπ/l:  a ω⁴ − b ω² + c = 0,  a = ρI ρA,  b = ρA (EI q² + kGA) + ρI kGA q²,  c = EI q⁴ kGA.
TEST(AncfFrequencies, stocky_beam_is_that_of_timoshenko) {
  const ancf::Station s = beam(0.2, 0.1);
  AncfChain<PlanarEnhanced> chain(32, beam_length, s);
  for (const int end : {0, 32}) chain.is_free[chain.at(end, 0, 1)] = false;
  chain.is_free[chain.at(0, 0, 0)] = false;
  const Eigen::VectorXd frequencies = chain.frequencies();
  const double EI = E * s.section.second[0], kGA = 5.0 / 6 * G * s.section.area;
  const double m = rho * s.section.area, rotary = rho * s.section.second[0];
  for (int k = 1; k <= 3; ++k) {
    const double q = k * pi / beam_length, a = rotary * m, b = m * (EI * q * q + kGA) + rotary * kGA * q * q;
    const double c = EI * std::pow(q, 4) * kGA;
    const double w = std::sqrt((b - std::sqrt(b * b - 4 * a * c)) / (2 * a));
    EXPECT_NEAR(deviation(frequencies, w), 0, 5e-5 * k * k) << k;  // error of 32 elements
    EXPECT_GT(std::abs(deviation(frequencies, std::sqrt(EI / m) * q * q)), 0.02) << k;
  }
}

// Both planes of a flat bar.
TEST(AncfFrequencies, spatial_bending_in_both_planes) {
  const ancf::Station s = beam(slender_height, 2 * slender_height);
  const Eigen::VectorXd f = clamped_chain<SpatialEnhanced>(8, s).frequencies();
  for (const int direction : {0, 1})
    EXPECT_NEAR(deviation(f, bending_frequency(wave_number(1, true), s, direction)), 0, 1e-4) << direction;  // 8 elements
}

// Free–fixed rod: ω = (k − ½) π/l · √(E/ρ), torsion √(GJ/ρI_p). Poisson's ratio widens the section as it moves (Love): relative to the
// wave about ½ (ν q r)², negligible here. The wall holds directions only: if it also kept the section from contracting, the first
// element would be stiffer, by 0.03/n of the frequency in the plane and 0.07/n in space.
TEST(AncfFrequencies, axial_and_torsional) {
  const ancf::Station s = beam(slender_height, slender_height);
  const Eigen::VectorXd planar = clamped_chain<PlanarEnhanced>(16, s).frequencies();
  const Eigen::VectorXd spatial = clamped_chain<SpatialEnhanced>(16, s).frequencies();
  const Eigen::VectorXd cable = clamped_chain<CableCase<2>>(16, s).frequencies();
  const double polar = s.section.second[0] + s.section.second[1];
  for (int k = 1; k <= 2; ++k) {
    const double wave = (k - 0.5) * pi / beam_length, axial = wave * std::sqrt(E / rho);
    const double cubic = k == 1 ? 1e-7 : 5e-6;  // error of 16 cubic elements
    EXPECT_NEAR(deviation(planar, axial), 0, cubic) << k;
    EXPECT_NEAR(deviation(spatial, axial), 0, cubic) << k;
    EXPECT_NEAR(deviation(cable, axial), 0, cubic) << k;
    // Directors are linear: (wave · l/n)²/24
    const double torsional = wave * std::sqrt(G * s.section.torsion / (rho * polar)), step = wave * beam_length / 16;
    EXPECT_NEAR(deviation(spatial, torsional), step * step / 24, 1e-4) << k;
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
