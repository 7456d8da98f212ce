// Rainflow counting, frequency weightings and spectra against published tables and closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <vector>

#include "numerics/frequency_weighting.hpp"
#include "numerics/rainflow.hpp"
#include "numerics/sampled.hpp"
#include "numerics/series.hpp"
#include "numerics/welch.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

constexpr double pi = std::numbers::pi;

std::vector<double> times(double step, int n) {
  std::vector<double> t;
  for (int i = 0; i <= n; ++i) t.push_back(i * step);
  return t;
}
template <class F>
std::vector<double> values(const std::vector<double>& t, F&& f) {
  std::vector<double> x;
  for (const double at : t) x.push_back(f(at));
  return x;
}

TEST(Rainflow, counts_the_example_of_the_standard) {
  // ASTM E1049-85, figure 6: the history and its table of ranges.
  const std::vector<double> history = {-2, 1, -3, 5, -1, 3, -4, 4, -2};
  std::map<double, double> counts;
  for (const LoadCycle& c : rainflow(history)) counts[c.range] += c.count;
  const std::map<double, double> published = {{3, 0.5}, {4, 1.5}, {6, 0.5}, {8, 1.0}, {9, 0.5}};
  EXPECT_EQ(counts, published);
}

TEST(Rainflow, knows_the_means_of_cycles) {
  // The one full cycle of that example goes from −1 to 3.
  for (const LoadCycle& c : rainflow(std::vector<double>{-2, 1, -3, 5, -1, 3, -4, 4, -2})) {
    if (c.count < 1) continue;
    EXPECT_TRUE(c.mean == 1) << c.mean;
  }
}

TEST(Rainflow, damage_of_equal_cycles_is_their_number_over_those_endured) {
  std::vector<double> history = {0};
  for (int i = 0; i < 10; ++i) history.push_back(50), history.push_back(-50);
  history.push_back(0);
  // Ten cycles of amplitude 50; half the amplitude of the curve's point: 2³ times as many are endured. Ends: half a range each.
  const WoehlerCurve curve{3, 100, 1e4, 0};
  const double ends = 2 * 0.5 * std::pow(0.25, 3) / 1e4;
  EXPECT_NEAR(damage_of(rainflow(history), curve), 9.5 / 8e4 + ends, 1e-15);
  EXPECT_NEAR(damage_of(rainflow(history), {3, 100, 1e4, 40}), 9.5 / 8e4, 1e-15);  // the ends are below the limit
  EXPECT_EQ(damage_of(rainflow(history), {3, 100, 1e4, 60}), 0);
}

TEST(Rainflow, equivalent_cycles_do_the_same_damage) {
  const std::vector<LoadCycle> cycles = rainflow(std::vector<double>{-2, 1, -3, 5, -1, 3, -4, 4, -2});
  for (const double m : {1.0, 3.0, 5.0, 12.0}) {
    const double s = equivalent_amplitude(cycles, m, 7);
    EXPECT_NEAR(damage_of(cycles, {m, 10, 1e3, 0}), 7 * std::pow(s / 10, m) / 1e3, 1e-12 * damage_of(cycles, {m, 10, 1e3, 0}));
  }
  EXPECT_EQ(equivalent_amplitude({}, 3, 7), 0);
}

TEST(Series, turning_points_lie_between_output_times) {
  const std::vector<double> t = times(0.03, 100), x = values(t, [](double at) { return 2 * std::sin(2 * pi * at); });
  const std::vector<double> peaks = local_maxima({t, x.data(), 1});
  ASSERT_EQ(peaks.size(), 3u);
  // A quartic through five of 33 values a period: error (h ω)^5/5!-like, far below 1e-4.
  for (const double p : peaks) EXPECT_NEAR(p, 2, 1e-4);
  const std::vector<double> turns = turning_points({t, x.data(), 1});
  EXPECT_EQ(turns.size(), 8u);  // three maxima, three minima, both ends
}

TEST(Series, equal_values_are_one_peak) {
  const std::vector<double> t = times(1, 6), x = {0, 1, 1, 0, 2, 2, 0};
  EXPECT_EQ(local_maxima({t, x.data(), 1}).size(), 2u);
  EXPECT_EQ(reduce({Reduction::peak_count}, t, x.data(), 1), 2);
  EXPECT_EQ(reduce({Reduction::peak_mean}, t, x.data(), 1), 1.5);
  ReductionSettings s{Reduction::peak_quantile};
  s.probability = 0.75;
  EXPECT_EQ(reduce(s, t, x.data(), 1), 1.75);
  const std::vector<double> rising = {0, 1, 2, 3, 4, 5, 6};
  EXPECT_TRUE(std::isnan(reduce({Reduction::peak_mean}, t, rising.data(), 1)));
}

TEST(Series, crossings_of_a_sine) {
  const std::vector<double> t = times(0.01, 1000), x = values(t, [](double at) { return std::sin(2 * pi * at + 0.3); });
  const auto count = [&](double level, int direction) {
    return reduce({Reduction::crossings, level, direction}, t, x.data(), 1);
  };
  EXPECT_EQ(count(0.5, 1), 10);
  EXPECT_EQ(count(0.5, -1), 10);
  EXPECT_EQ(count(0.5, 0), 20);
  EXPECT_EQ(count(1.5, 0), 0);
  EXPECT_EQ(count(0.99999, 1), 10);  // between output times alone
  EXPECT_NEAR(reduce({Reduction::crossing_rate, 0.5, 1}, t, x.data(), 1), 1, 1e-12);
}

TEST(Series, windows_leave_times_out) {
  const std::vector<double> t = times(0.1, 100), x = values(t, [](double at) { return at; });
  ReductionSettings s{Reduction::average};
  s.from = 2, s.to = 4;
  EXPECT_NEAR(reduce(s, t, x.data(), 1), 3, 1e-12);
  s.reduction = Reduction::maximum;
  EXPECT_NEAR(reduce(s, t, x.data(), 1), 4, 1e-12);
  s.from = 20, s.to = 30;
  EXPECT_TRUE(std::isnan(reduce(s, t, x.data(), 1)));
}

TEST(Series, running_rms_and_dose) {
  // 3 from 4 s to 5 s, 1 elsewhere: the largest rms over 1 s is 3 but for the two slopes of the trapezoidal rule.
  const std::vector<double> t = times(0.01, 1000), x = values(t, [](double at) { return at > 4 && at < 5.5 ? 3.0 : 1.0; });
  ReductionSettings s{Reduction::largest_running_rms};
  s.window = 1;
  EXPECT_NEAR(reduce(s, t, x.data(), 1), 3, 1e-12);
  s.window = 20;
  EXPECT_TRUE(std::isnan(reduce(s, t, x.data(), 1)));
  const std::vector<double> two(t.size(), 2.0);
  EXPECT_NEAR(reduce({Reduction::vibration_dose}, t, two.data(), 1), 2 * std::pow(10, 0.25), 1e-12);
}

TEST(FrequencyWeighting, has_the_gains_of_the_standard) {
  // ISO 2631-1:1997, table 3 (factors × 1000 at nominal third-octave frequencies): rounded to three digits.
  struct Row {
    const char* name;
    double hertz, gain;
  };
  constexpr Row rows[] = {{"Wk", 0.5, 0.418}, {"Wk", 1, 0.482},    {"Wk", 2, 0.531},  {"Wk", 4, 0.967},   {"Wk", 8, 1.036},
                          {"Wk", 16, 0.768},  {"Wk", 31.5, 0.405}, {"Wk", 80, 0.132}, {"Wd", 0.5, 0.853}, {"Wd", 1, 1.011},
                          {"Wd", 2, 0.890},   {"Wd", 4, 0.512},    {"Wd", 8, 0.253},  {"Wd", 16, 0.125}};
  for (const Row& r : rows) {
    const FrequencyWeighting* w = frequency_weighting(r.name);
    ASSERT_TRUE(w);
    EXPECT_NEAR(std::abs(transfer(*w, r.hertz)), r.gain, 0.001 + 0.003 * r.gain) << r.name << ' ' << r.hertz;
  }
  EXPECT_EQ(frequency_weighting("Wx"), nullptr);
}

TEST(FrequencyWeighting, a_sine_gets_the_gain) {
  const std::vector<double> t = times(0.005, 4000);
  for (const double f : {1.0, 4.0, 16.0, 63.0}) {
    const std::vector<double> x = values(t, [&](double at) { return std::sin(2 * pi * f * at); });
    ReductionSettings s{Reduction::rms};
    s.from = 10, s.to = 20;
    s.weighting = frequency_weighting("Wk");
    // After ten seconds what the start has left is below 1e-6; the rest is the rule of the integral at 3 values a period.
    EXPECT_NEAR(reduce(s, t, x.data(), 1), std::abs(transfer(*s.weighting, f)) / std::numbers::sqrt2, 2e-3) << f;
  }
}

TEST(Welch, the_integral_is_the_variance) {
  // Two sines and white noise of known variance; 1/2 + 9/2 + 1/3.
  const std::vector<double> t = times(0.01, 20000);
  std::mt19937_64 random(1);
  const std::vector<double> x = values(t, [&](double at) {
    const double noise = 2 * (double(random() >> 11) / 9007199254740992.0) - 1;
    return 7 + std::sin(2 * pi * 3.3 * at) + 3 * std::sin(2 * pi * 11.7 * at + 1) + noise;
  });
  const Welch welch(t, 0, 5);
  EXPECT_EQ(welch.segment(), 5);
  EXPECT_EQ(welch.segments(), 79u);
  double variance = 0, at_peak = 0;
  const std::vector<double> f = welch.frequencies(), s = welch.density(x.data(), 1);
  for (std::size_t k = 0; k < f.size(); ++k) {
    variance += s[k] / welch.segment();
    if (std::abs(f[k] - 11.7) < 0.5) at_peak += s[k] / welch.segment();
  }
  // What 20000 values of the noise have in common with the sines: ± 2 √(5 · ⅓/20000) = 0.018; three of these.
  EXPECT_NEAR(variance, 0.5 + 4.5 + 1.0 / 3, 0.055);
  EXPECT_NEAR(at_peak, 4.5, 0.055);
}

TEST(Welch, white_noise_is_flat) {
  const std::vector<double> t = times(0.01, 40000);
  std::mt19937_64 random(2);
  const std::vector<double> x = values(t, [&](double) { return 2 * (double(random() >> 11) / 9007199254740992.0) - 1; });
  const Welch welch(t, 0, 1);
  const std::vector<double> s = welch.density(x.data(), 1);
  // One-sided: variance 1/3 over 50 Hz. 799 segments, of which half overlap: ± 1/√(799/1.06…) = 3.7 %; four of these.
  for (std::size_t k = 1; k + 1 < s.size(); ++k) EXPECT_NEAR(s[k], 1.0 / 150, 0.17 / 150) << k;
}

TEST(Welch, takes_what_there_is) {
  const std::vector<double> t = times(0.1, 100);
  EXPECT_NEAR(Welch(t, 2, 0).segment(), 2, 1e-12);      // a quarter of 8 s
  EXPECT_NEAR(Welch(t, 0, 1000).segment(), 10, 1e-12);  // all
  EXPECT_EQ(Welch(t, 0, 1.7).segment(), 1.6);           // 16 values, not 17
  EXPECT_FALSE(Welch(t, 9.8, 0).possible());
  EXPECT_FALSE(Welch(std::vector<double>{0}, 0, 0).possible());
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
