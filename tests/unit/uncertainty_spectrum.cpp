// Spectra of correlations against their cosine transforms, and the weights of wave numbers.
#include "uncertainty/spectrum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "support/message_of.hpp"
#include "uncertainty/read_fields.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr double pi = std::numbers::pi, length = 0.4;
using Kind = Correlation::Kind;
constexpr Kind closed[] = {Kind::exponential, Kind::squared_exponential, Kind::matern32, Kind::matern52};

// (1/π) ∫ ρ cos κd dd by the trapezoidal rule, up to where ρ < 1e-13.
double transform(const Correlation& c, double k, double to, int steps) {
  double sum = 0;
  for (int i = 0; i <= steps; ++i) {
    const double d = to * i / steps;
    sum += (i == 0 || i == steps ? 0.5 : 1) * c(d) * std::cos(k * d);
  }
  return sum * to / steps / pi;
}

// Truncation of the rule: h²/12 times the slope at 0, which only the exponential one has: (30 l/40000)²/12/l² = 5e-8.
TEST(Spectrum, is_the_cosine_transform_of_the_correlation) {
  for (const Kind kind : closed) {
    const Correlation c{kind, length, {}, {}};
    for (const double k : {0.0, 0.5, 3.0, 12.0})
      EXPECT_NEAR(spectrum(c, k) / spectrum(c, 0), transform(c, k, 30 * length, 40000) / spectrum(c, 0), 1e-6) << int(kind) << k;
  }
}

// A triangle has the spectrum (1 − cos κD)/(π κ² D); what remains at the end has all its power at κ = 0.
TEST(Spectrum, of_a_table) {
  const Correlation triangle{Kind::table, 0, {0.25, 0.5}, {0.5, 0}}, rest{Kind::table, 0, {0, 0.5}, {1, 0.2}};
  for (const double k : {1e-6, 0.1, 2.0, 9.0}) {
    const double exact = k < 1e-3 ? 0.25 / pi : (1 - std::cos(0.5 * k)) / (pi * k * k * 0.5);
    EXPECT_NEAR(spectrum(triangle, k), exact, 1e-8);
    EXPECT_NEAR(spectrum(rest, k), 0.8 * exact, 1e-8);
  }
  EXPECT_NEAR(power_below(rest, 1e-9), 0.2, 1e-6);
  EXPECT_NEAR(power_below(triangle, 400), 1, 5e-3);  // 2/(π κ D) is beyond
}

TEST(Spectrum, power_is_its_integral) {
  for (const Kind kind : closed) {
    const Correlation c{kind, length, {}, {}};
    constexpr int steps = 20000;
    double sum = 0;
    for (int i = 0; i < steps; ++i) sum += 2 * spectrum(c, 7.0 * (i + 0.5) / steps) * 7.0 / steps;
    EXPECT_NEAR(power_below(c, 7), sum, 1e-8);  // midpoint rule: h²/24 · 7 · S″ = 1e-8
    EXPECT_NEAR(power_below(c, 1e9), 1, 1e-8);
  }
}

// Functions that are linear between the wave numbers are integrated exactly: here min(κ, 10).
TEST(Spectrum, weights_integrate_what_is_linear_between_the_wave_numbers) {
  const std::vector<double> k = {0, 0.3, 1, 4, 10};
  std::vector<Correlation> all = {{Kind::table, 0, {0.25, 0.5}, {0.5, 0}}};
  for (const Kind kind : closed) all.push_back({kind, length, {}, {}});
  for (const Correlation& c : all) {
    const std::vector<double> w = spectral_weights(c, k);
    EXPECT_NEAR(std::accumulate(w.begin(), w.end(), 0.0), 1, 1e-12);
    for (const double x : w) EXPECT_GE(x, 0);
    constexpr int steps = 20000;
    double exact = 10 * (1 - power_below(c, 10));
    for (int i = 0; i < steps; ++i) {
      const double x = 10.0 * (i + 0.5) / steps;
      exact += 2 * x * spectrum(c, x) * 10.0 / steps;
    }
    EXPECT_NEAR(std::inner_product(w.begin(), w.end(), k.begin(), 0.0), exact, 2e-5);  // the midpoint rule of a table
  }
}

// A correlation much longer than the first interval is constant for it: all weight at 0.
TEST(Spectrum, of_a_long_correlation_is_at_zero) {
  for (const Kind kind : closed) EXPECT_GT(spectral_weights({kind, 1e5, {}, {}}, std::vector<double>{0, 1, 2})[0], 0.999);
}

TEST(Spectrum, a_correlation_is_read_as_in_a_model) {
  EXPECT_EQ(correlation_of("{exponential: 0.4}").length, 0.4);
  EXPECT_EQ(correlation_of("exponential:0.4").length, 0.4);
  EXPECT_EQ(correlation_of("{matern52: 1/4}").kind, Kind::matern52);
  EXPECT_EQ(correlation_of("{table: [[0.1, 0.5], [0.3, 0]]}").values, (std::vector<double>{0.5, 0}));
  const auto refused = [](const std::string& text) { return message_of<std::invalid_argument>([&] { correlation_of(text); }); };
  EXPECT_NE(refused("{exponentiel: 0.4}").find("exponential"), std::string::npos) << refused("{exponentiel: 0.4}");
  for (const char* text : {"{exponential: -1}", "{exponential: 0}", "exponential", "{", "", "{table: [[0.1, 2]]}"})
    EXPECT_NE(refused(text), no_error) << text;
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
