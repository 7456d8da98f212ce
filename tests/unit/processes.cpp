// Random processes: densities against their integrals in closed form, realizations against the density they are asked for.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numeric>
#include <vector>

#include "numerics/fourier.hpp"
#include "processes/process.hpp"

namespace ALEATOR_FILE {

using namespace aleator::core;
using namespace aleator::core::processes;

// σ² of known densities: 1e-6 is what the quadrature promises.
TEST(Densities, have_the_variance_of_their_formula) {
  EXPECT_NEAR(variance(kanai_tajimi(0.02, 15, 0.6)) / (processes::pi * 0.02 * 15 * (1 + 4 * 0.36) / (2 * 0.6)), 1, 1e-6);
  EXPECT_NEAR(variance(von_karman(2, 100, 20)) / 4, 1, 2e-4);  // 70.8 is rounded: 70.7846…
  EXPECT_NEAR(variance(kaimal(3, 340, 25)) / 9, 1, 1e-6);
  EXPECT_NEAR(variance(jonswap(4, 10, 1)), 1, 1e-6);     // Hs²/16
  EXPECT_NEAR(variance(jonswap(4, 10, 3.3)), 1, 0.015);  // the factor 1 − 0.287 ln γ is a fit
  // class C at any speed: G_d(n0) n0² (1/n_low − 1/n_high)
  const double road_variance = 256e-6 * 0.01 * (1 / 0.011 - 1 / 2.83);
  for (const double speed : {5.0, 20.0}) EXPECT_NEAR(variance(road(256e-6, 2, speed, 0.011, 2.83)) / road_variance, 1, 1e-6);
  // an oscillator under white noise: π S0/(2 ζ ω³)
  EXPECT_NEAR(variance(filtered(1, {1}, {4, 2 * 0.05 * 2, 1})) / (processes::pi / (2 * 0.05 * 8)), 1, 1e-6);
  // 0.01 (f/20)^1 from 20 to 80 Hz, one-sided per Hz; constant to 350
  const double w = 2 * processes::pi;
  const Density t = table({{20 * w, 0.01 / (2 * w)}, {80 * w, 0.04 / (2 * w)}, {350 * w, 0.04 / (2 * w)}});
  EXPECT_NEAR(variance(t), 0.01 / 20 * (80 * 80 - 20 * 20) / 2 + 0.04 * 270, 1e-6);
  EXPECT_TRUE(std::isinf(variance({.two_sided = [](double) { return 1.0; }})));
}

Process of(Density density, double duration, double cutoff = 0) {
  Process p;
  p.name = "p";
  p.density = std::move(density);
  p.duration = duration;
  settle(p, cutoff, 0, 8, nullptr);
  return p;
}

PiecewisePolynomial drawn(const Process& p, int k, Use use = {}) {
  const double draw = (k + 0.5) / 4096;
  return realization(p, use, draw, numbers_of(p, draw, {}));
}

// Each band's power, averaged over realizations, has the standard error √(2/(2·cells·n)) of χ²: within 4 of them in all ten bands.
TEST(Processes, have_the_spectrum_asked_for) {
  for (const Density& density :
       {kanai_tajimi(1, 15, 0.6), road(256e-6, 2, 20, 0.011, 2.83), jonswap(3, 8, 3.3), kaimal(2, 100, 20)}) {
    const Process p = of(density, density.scale > 5 ? 8 : 60);
    const int realizations = 400;
    const std::size_t n = p.points, frequencies = p.deviation.size();
    std::vector<double> power(frequencies, 0.0);
    Process whole = p;
    whole.duration = p.period();  // one period: cells do not leak into each other
    for (int k = 0; k < realizations; ++k) {
      const PiecewisePolynomial x = drawn(whole, k);
      std::vector<double> values(n);
      for (std::size_t i = 0; i < n; ++i) values[i] = evaluate(x, double(i) * p.step).f;
      const auto c = real_fourier(values);
      for (std::size_t i = 1; i < frequencies; ++i) power[i] += 2 * std::norm(c[i]) / double(n * n) / realizations;
    }
    const std::size_t bands = 10, width = (frequencies - 1) / bands;
    for (std::size_t b = 0; b < bands; ++b) {
      double found = 0, asked = 0, fourth = 0;
      for (std::size_t i = 1 + b * width; i < 1 + (b + 1) * width; ++i) {
        found += power[i];
        asked += p.deviation[i] * p.deviation[i];
        fourth += std::pow(p.deviation[i], 4);
      }
      if (asked < 1e-12 * p.rms() * p.rms()) continue;  // nothing but round-off
      EXPECT_NEAR(found / asked, 1, 4 * std::sqrt(fourth / realizations) / asked) << b;
    }
    EXPECT_NEAR(p.rms() * p.rms() / variance_between(p.density, 0, p.cutoff), 1, 2e-3);
  }
}

TEST(Processes, of_shinozuka_and_deodatis_have_their_variance_at_every_time) {
  // S = ¼ σ² b³ ω² e^{−b ω}, σ = b = 1, ω_u = 4π, 128 frequencies: variance 1 but for 1e-3 beyond the cut-off
  Process p;
  p.name = "benchmark";
  p.density = {.two_sided = [](double w) { return 0.25 * w * w * std::exp(-w); }, .scale = 2};
  p.duration = 32;
  p.phases = true;
  settle(p, 4 * processes::pi, 64, 0, nullptr);
  EXPECT_NEAR(p.spacing(), 4 * processes::pi / 128, 1e-12);
  EXPECT_EQ(p.deviation.size(), 129u);
  const int n = 2000;
  std::vector<double> sum(17, 0.0), fourth(17, 0.0);
  for (int k = 0; k < n; ++k) {
    const PiecewisePolynomial x = drawn(p, k);
    double power = 0;
    for (std::size_t i = 0; i < sum.size(); ++i) {
      const double y = evaluate(x, 2.0 * double(i)).f;
      sum[i] += y * y / n, fourth[i] += std::pow(y, 4) / n;
      power += y * y;
    }
    EXPECT_GT(power, 0);
  }
  const double exact = p.rms() * p.rms();
  EXPECT_NEAR(exact, 1, 2e-3);
  for (std::size_t i = 0; i < sum.size(); ++i) {
    EXPECT_NEAR(sum[i], exact, 4 * std::sqrt(2.0 / n)) << i;
    EXPECT_NEAR(fourth[i], 3 * exact * exact, 4 * std::sqrt(96.0 / n)) << i;  // nearly normal with 128 phases
  }
}

// Between the points it is what the sum of cosines is: quintics miss (ω h)^6/46080 of a component, 3e-4 at the cut-off.
TEST(Processes, are_smooth_between_their_points) {
  Process p = of(kanai_tajimi(1, 15, 0.6), 4);
  const double draw = 0.3;
  const std::vector<double> z = numbers_of(p, draw, {});
  const PiecewisePolynomial x = realization(p, {.delay = 0.37, .scale = 2}, draw, z);
  for (const double t : {0.0, 0.013, 1.23456, 3.99}) {
    double f = 0, d1 = 0, d2 = 0, size2 = 0;
    for (std::size_t k = 0; k < p.deviation.size(); ++k) {
      const double w = double(k) * p.spacing(), c = std::cos(w * (t - 0.37)), s = std::sin(w * (t - 0.37)),
                   d = 2 * p.deviation[k];
      const double a = z[2 * k], b = k == 0 ? 0 : z[2 * k + 1];
      f += d * (a * c + b * s), d1 += d * w * (b * c - a * s), d2 -= d * w * w * (a * c + b * s);
      size2 += d * d * std::pow(w, 4);
    }
    const Jet<double> j = evaluate(x, t);
    EXPECT_NEAR(j.f, f, 1e-3 * 2 * p.rms());
    EXPECT_NEAR(j.d2, d2, 0.1 * std::sqrt(size2));
    EXPECT_NEAR(j.d1, d1, 0.02 * std::sqrt(size2 * p.rms()));
  }
  for (std::size_t i = 1; i + 1 < x.knots.size(); ++i) {
    const Jet<double> a = evaluate(x, x.knots[i], Side::left), b = evaluate(x, x.knots[i], Side::right);
    ASSERT_NEAR(a.f, b.f, 1e-12 * p.rms());
    ASSERT_NEAR(a.d2, b.d2, 1e-7 * p.rms() * p.cutoff * p.cutoff);
  }
}

TEST(Processes, at_two_places_have_the_coherence_asked_for) {
  Process p;
  p.name = "tracks";
  p.density = road(256e-6, 2, 20, 0.011, 2.83);
  p.duration = 10;
  p.places = {"left", "right"};
  p.distance = {0, 1.5, 1.5, 0};
  settle(p, 0, 0, 0, nullptr);
  mix(p, {.kind = Coherence::Kind::isotropic, .speed = 20});
  Process whole = p;
  whole.duration = p.period();
  const int realizations = 300;
  const std::size_t n = p.points, bands = 6, width = (p.deviation.size() - 1) / bands;
  std::vector<std::complex<double>> cross(bands);
  std::vector<double> left(bands), right(bands), asked(bands);
  for (int k = 0; k < realizations; ++k) {
    std::vector<std::complex<double>> c[2];
    for (int place = 0; place < 2; ++place) {
      const PiecewisePolynomial x = drawn(whole, k, {.place = place});
      std::vector<double> values(n);
      for (std::size_t i = 0; i < n; ++i) values[i] = evaluate(x, double(i) * p.step).f;
      c[place] = real_fourier(values);
    }
    for (std::size_t b = 0; b < bands; ++b)
      for (std::size_t i = 1 + b * width; i < 1 + (b + 1) * width; ++i) {
        if (!(p.deviation[i] > 0)) continue;
        const double d = p.deviation[i] * p.deviation[i];
        cross[b] += c[0][i] * std::conj(c[1][i]) / d;
        left[b] += std::norm(c[0][i]) / d, right[b] += std::norm(c[1][i]) / d;
      }
  }
  for (std::size_t b = 0; b < bands; ++b) {
    const Coherence gamma{.kind = Coherence::Kind::isotropic, .speed = 20};
    double mean = 0;
    int cells = 0;
    for (std::size_t i = 1 + b * width; i < 1 + (b + 1) * width; ++i)
      if (p.deviation[i] > 0) mean += gamma(double(i) * p.spacing(), 1.5), ++cells;
    EXPECT_NEAR(cross[b].real() / std::sqrt(left[b] * right[b]), mean / cells, 4 / std::sqrt(double(cells) * realizations)) << b;
  }
  // x K1(x), Abramowitz & Stegun 9.8: K1(1) = 0.6019072302
  EXPECT_NEAR((Coherence{.kind = Coherence::Kind::isotropic, .speed = 1})(1, 1), 0.6019072302, 1e-9);
}

TEST(Processes, are_at_rest_with_the_same_pieces) {
  Process p = of(kanai_tajimi(1, 15, 0.6), 4);
  p.envelope = Envelope{.rise = 1.003, .hold = 2.5, .decay = 1};
  const PiecewisePolynomial rest = at_rest(p, {}), x = drawn(p, 1);
  EXPECT_EQ(rest.knots, x.knots);
  EXPECT_EQ(rest.degree, x.degree);
  EXPECT_EQ(rest.breakpoints, x.breakpoints);
  EXPECT_EQ(x.breakpoints, (std::vector{1.003, 2.5}));
  for (const double c : rest.coefficients) EXPECT_EQ(c, 0);
  Process bare = p;
  bare.envelope.reset();
  const PiecewisePolynomial y = drawn(bare, 1);
  for (const double t : {0.5, 1.0, 2.0, 3.5})
    EXPECT_NEAR(evaluate(x, t).f, p.envelope->at(t, Side::right).f * evaluate(y, t).f, 1e-4 * p.rms());
}

TEST(Processes, of_other_distributions_have_their_moments) {
  for (const auto& [skewness, kurtosis] : {std::pair{0.0, 5.0}, std::pair{0.8, 4.5}, std::pair{-0.5, 3.6}}) {
    const Marginal m = hermite(skewness, kurtosis);
    double mean = 0, second = 0, third = 0, fourth = 0;
    for (int i = -4000; i <= 4000; ++i) {
      const double z = i * 0.002, w = 0.002 * std::exp(-z * z / 2) / std::sqrt(2 * processes::pi), g = m(z).f;
      mean += w * g, second += w * g * g, third += w * g * g * g, fourth += w * g * g * g * g;
    }
    EXPECT_NEAR(mean, 0, 1e-9);
    EXPECT_NEAR(second, 1, 1e-9);
    EXPECT_NEAR(third, skewness, 1e-8);
    EXPECT_NEAR(fourth, kurtosis, 1e-7);
    EXPECT_NEAR((m(0.7 + 1e-6).f - m(0.7 - 1e-6).f) / 2e-6, m(0.7).d1, 1e-8);
  }
  EXPECT_THROW(hermite(2, 4), std::invalid_argument);
  const Marginal l = lognormal(-1.2);
  double third = 0, second = 0;
  for (int i = -4000; i <= 4000; ++i) {
    const double z = i * 0.002, w = 0.002 * std::exp(-z * z / 2) / std::sqrt(2 * processes::pi), g = l(z).f;
    second += w * g * g, third += w * g * g * g;
  }
  EXPECT_NEAR(second, 1, 1e-8);
  EXPECT_NEAR(third, -1.2, 1e-6);
}

TEST(Processes, of_white_noise_are_held) {
  Process p;
  p.name = "noise";
  p.kind = Process::Kind::white_noise;
  p.density = {.two_sided = [](double) { return 3.0; }};
  p.step = 0.02;
  p.duration = 10;
  settle(p, 0, 0, 0, nullptr);
  double sum = 0;
  for (int k = 0; k < 40; ++k) {
    const PiecewisePolynomial x = drawn(p, k);
    ASSERT_EQ(x.pieces(), 500);
    EXPECT_EQ(x.breakpoints.size(), 499u);
    EXPECT_EQ(evaluate(x, 0.0201).f, evaluate(x, 0.0399).f);
    for (const double c : x.coefficients) sum += c * c / (500 * 40);
  }
  EXPECT_NEAR(sum / (2 * processes::pi * 3 / 0.02), 1, 4 * std::sqrt(2.0 / 20000));
  const PiecewisePolynomial x = drawn(p, 3), late = drawn(p, 3, {.delay = 0.06});
  EXPECT_EQ(evaluate(late, 0.05).f, 0);
  EXPECT_EQ(evaluate(late, 0.07).f, evaluate(x, 0.01).f);
}

TEST(Processes, of_records_go_through_their_values) {
  Process p;
  p.name = "quakes";
  p.kind = Process::Kind::recorded;
  p.step = 0.1;
  p.duration = 2;
  p.records = {{0, 1, 0, -1, 0}, {1, 2, 3, 4, 5}};
  settle(p, 0, 0, 0, nullptr);
  const PiecewisePolynomial a = realization(p, {}, 0.2, {}), b = realization(p, {.scale = 3}, 0.7, {});
  EXPECT_NEAR(evaluate(a, 0.1).f, 1, 1e-14);
  EXPECT_NEAR(evaluate(a, 0.3).f, -1, 1e-14);
  EXPECT_NEAR(evaluate(b, 0.25).f, 10.5, 1e-12);  // a straight line is its own spline
  EXPECT_EQ(evaluate(b, 1.5).f, 0);
}

}  // namespace ALEATOR_FILE
