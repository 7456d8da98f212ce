// The check of a fit: data of the model pass it as often as they should, others do not.
#include "inference/fit.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "inference/hints.hpp"
#include "inference/predicted_bands.hpp"
#include "inference_samples.hpp"

namespace aleator::core::inference {
namespace ALEATOR_FILE {

constexpr double noise = 0.03, step = 0.025;
constexpr int times = 81;

struct Mechanism {  // a(t) = A exp(−d t) sin ωt with A and ω normal
  double amplitude = 1, damping = 1, frequency = 10, spread = 1;
};

Responses simulate(const Mechanism& m, std::uint64_t seed, int count) {
  Responses r;
  r.channels = 1;
  for (int t = 0; t < times; ++t) r.times.push_back(step * t);
  for (int i = 0; i < count; ++i) {
    Stream stream(seed, std::uint64_t(i), 3);
    const double a = m.amplitude * (1 + 0.15 * m.spread * stream.normal()),
                 w = m.frequency * (1 + 0.03 * m.spread * stream.normal());
    for (const double t : r.times) r.values.push_back(a * std::exp(-m.damping * t) * std::sin(w * t));
  }
  return r;
}

// Eight specimens with noise; every other one was measured at other times, and with gaps.
results::Measurements measure(const Mechanism& m, std::uint64_t seed, double shift = 0, double factor = 1) {
  results::Measurements data{{"accel_z"}, {noise}, {}};
  for (std::uint64_t k = 0; k < 8; ++k) {
    Stream stream(seed, k, 4);
    const double a = m.amplitude * (1 + 0.15 * m.spread * stream.normal()),
                 w = m.frequency * (1 + 0.03 * m.spread * stream.normal());
    results::Specimen s{"specimen-" + std::to_string(k), {}, {}};
    for (int i = 0; i < times - 1; ++i) {
      const double t = k % 2 ? step * (i + 0.5) : step * i, from = std::floor(t / step + 1e-9) * step, part = (t - from) / step;
      const auto x = [&](double u) { return u < shift ? 0 : a * std::exp(-m.damping * (u - shift)) * std::sin(w * (u - shift)); };
      s.times.push_back(t);  // linear between the times of the model, as the check takes it
      s.values.push_back(factor * ((1 - part) * x(from) + part * x(from + step) + noise * stream.normal()));
      if (k % 2 && i % 10 == 3) s.values.back() = std::numeric_limits<double>::quiet_NaN();
    }
    data.specimens.push_back(s);
  }
  return data;
}

Fit check(const results::Measurements& data, const Responses& simulated, std::uint64_t seed) {
  Stream stream(seed, 0, 5);
  return check_fit(Reduction(simulated, data), data, simulated, simulate({}, 1000 + seed, 400), [&] { return stream.uniform(); });
}

double distance_from_uniform(std::vector<double> p) {
  std::sort(p.begin(), p.end());
  double largest = 0;
  for (std::size_t i = 0; i < p.size(); ++i)
    largest =
        std::max({largest, std::abs(p[i] - double(i) / double(p.size())), std::abs(p[i] - double(i + 1) / double(p.size()))});
  return largest;
}

TEST(Fit, of_data_of_the_model_has_uniform_probabilities) {
  const Responses simulated = simulate({}, 1, 400);
  std::vector<double> likelihood, side, residual;
  int explained = 0, inside = 0, uncovered = 0;
  for (std::uint64_t k = 0; k < 200; ++k) {
    const Fit fit = check(measure({}, 2000 + k), simulated, k);
    likelihood.push_back(fit.likelihood_p), side.push_back(fit.side_p), residual.push_back(fit.residual_p);
    explained += fit.explained;
    uncovered += fit.coverage_p < 0.05;
    inside += fit.coverage[0].share >= fit.coverage[0].lower && fit.coverage[0].share <= fit.coverage[0].upper;
  }
  // Kolmogorov's distance of 200 uniform numbers exceeds 1.95/√200 once in a thousand.
  EXPECT_LT(distance_from_uniform(likelihood), 0.138);
  EXPECT_LT(distance_from_uniform(side), 0.138);
  EXPECT_LT(distance_from_uniform(residual), 0.138);
  EXPECT_LE(uncovered, 22);   // 5 % of 200, or less because of ties, four standard deviations above
  EXPECT_GE(explained, 190);  // at least 98 % of 200, three standard deviations below
  EXPECT_GE(inside, 178);     // 95 % of 200, four standard deviations below
}

TEST(Fit, says_in_words_that_the_model_explains_the_data) {
  const Fit fit = check(measure({}, 77), simulate({}, 1, 400), 3);
  EXPECT_TRUE(fit.explained);
  EXPECT_TRUE(fit.verdict.starts_with("The model explains the measurements: ")) << fit.verdict;
  EXPECT_NE(fit.verdict.find("% of the measured points of accel_z lie inside the predicted 90 % band ("), std::string::npos);
}

struct Wrong {
  std::string what;
  results::Measurements data;
  std::string hint;  // part of it; empty: none
};

TEST(Fit, of_wrong_data_is_refused_with_the_right_hint) {
  const Responses simulated = simulate({}, 1, 400);
  const std::vector<Wrong> all = {
      {"milli", measure({}, 11, 0, 1000),
       "accel_z is measured about 1,000 times larger than simulated, whatever the parameters: is "
       "its unit right (1,000: milli-units)?"},
      {"g", measure({}, 12, 0, 1 / 9.80665), "(9.81: g instead of m/s² or 9.55: rad/s instead of rpm)"},
      {"degrees", measure({}, 13, 0, 57.29578), "(57.3: degrees instead of radians)"},
      {"sign", measure({}, 14, 0, -1), "accel_z looks measured with the opposite sign"},
      {"late", measure({}, 15, 0.05), "the measurements look shifted by about "},
      {"other mechanism", measure({.amplitude = 1, .damping = 0.2, .frequency = 17}, 16), ""},
      {"wider", measure({.spread = 4}, 17), ""},
      {"alike", measure({.spread = 0}, 18), ""},
  };
  for (const Wrong& w : all) {
    const Fit fit = check(w.data, simulated, 5);
    EXPECT_LT(fit.p, 2e-3) << w.what;  // of the three tests, that on likelihood has two sides: 6 times the share of a few draws
    EXPECT_FALSE(fit.explained);
    EXPECT_TRUE(fit.verdict.starts_with("The model does not explain the measurements (p ")) << fit.verdict;
    EXPECT_TRUE(fit.verdict.ends_with("; do not use the identified values.")) << fit.verdict;
    const auto found = hints(simulated, w.data);
    EXPECT_EQ(fit.too_alike, w.what == "alike");
    // The band holds too few points of what is elsewhere. Of eight specimens that do not scatter it holds all: that happens.
    EXPECT_LT(fit.coverage_p, w.what == "alike" ? 0.05 : 0.01) << w.what;
    if (w.hint.empty()) {
      EXPECT_TRUE(found.empty()) << w.what << ": " << found[0];
    } else {
      ASSERT_EQ(found.size(), 1u) << w.what;
      EXPECT_NE(found[0].find(w.hint), std::string::npos) << found[0];
    }
    EXPECT_EQ(absurd(simulated, w.data).empty(), w.what != "milli" && w.what != "degrees") << w.what;
  }
}

TEST(Hints, are_silent_about_data_of_the_model) {
  const Responses simulated = simulate({}, 1, 400);
  for (std::uint64_t k = 0; k < 100; ++k) EXPECT_TRUE(hints(simulated, measure({}, 3000 + k)).empty());
  EXPECT_EQ(absurd(simulated, measure({}, 1)), "");
}

TEST(Hints, tell_a_shift_in_both_directions_and_a_dead_sensor) {
  const Responses simulated = simulate({}, 1, 400);
  // The frequencies of eight specimens scatter by 3 %, and with them what looks like a lag: by 5 ms over many seeds; three of these.
  const auto shift = [&](const results::Measurements& data) {
    const std::string hint = hints(simulated, data).at(0), start = "the measurements look shifted by about ";
    EXPECT_TRUE(hint.starts_with(start)) << hint;
    return std::stod(hint.substr(start.size())) * (hint.find("later than simulated") != std::string::npos ? 1 : -1);
  };
  EXPECT_NEAR(shift(measure({}, 500, 0.05)), 50, 15);
  auto early = measure({}, 500, -0.08);
  EXPECT_NEAR(shift(early), -80, 15);
  for (auto& s : early.specimens) std::fill(s.values.begin(), s.values.end(), 0.0);
  EXPECT_EQ(absurd(simulated, early), "accel_z is measured as zero throughout: was its sensor connected?");
}

// Without noise and without truncation nothing is outside the components; the digits of a file must not count as if it were.
TEST(Fit, does_not_mind_the_digits_of_a_file) {
  Responses simulated, fresh;
  for (Responses* r : {&simulated, &fresh}) {
    r->channels = 1;
    r->times = {0, 1, 2};
    const Eigen::MatrixXd a = exact_normals(300, 1, r == &fresh ? 5 : 6);
    for (Eigen::Index i = 0; i < 300; ++i)
      for (const double t : r->times) r->values.push_back(20 + a(i, 0) * (1 + t));
  }
  results::Measurements data{{"x"}, {0}, {}};
  for (int k = 0; k < 10; ++k) {
    data.specimens.push_back({"s", simulated.times, {}});
    const double a = std::sqrt(2) * std::erf((k - 4.5) / 4);
    for (const double t : simulated.times) data.specimens.back().values.push_back(std::round(1e4 * (20 + a * (1 + t))) / 1e4);
  }
  Stream stream(1, 0, 1);
  const Fit fit = check_fit(Reduction(simulated, data), data, simulated, fresh, [&] { return stream.uniform(); });
  EXPECT_GT(fit.residual_p, 0.5);
  EXPECT_TRUE(fit.explained) << fit.verdict;
}

// Normal responses of variance 1 with noise 0.75: the band is ±1.645 · 1.25.
TEST(PredictedBands, include_the_noise) {
  Responses r;
  r.channels = 1;
  r.times = {0, 1};
  const Eigen::MatrixXd a = exact_normals(4000, 2, 8);
  for (Eigen::Index i = 0; i < 4000; ++i)
    for (int t = 0; t < 2; ++t) r.values.push_back(7 + a(i, t));
  const auto bands = predicted_bands(r, {0.75}, 0.9);
  for (int t = 0; t < 2; ++t) {
    EXPECT_NEAR(bands[0].mean[t], 7, 1e-12);
    // standard error of a quantile √(p(1−p)/n)/density = 1.25 · 2.1/√4000 = 0.042: three of them
    EXPECT_NEAR(bands[0].lower[t], 7 - 1.645 * 1.25, 0.125);
    EXPECT_NEAR(bands[0].upper[t], 7 + 1.645 * 1.25, 0.125);
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::inference
