// Measures of difference between two studies, against integrals that are known.
#include "analysis/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "analysis/time_integral.hpp"
#include "results/write.hpp"
#include "support/sample_tests.hpp"
#include "support/temporary_folder.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core::analysis {
namespace ALEATOR_FILE {

using Parameters = std::vector<double>;
using Names = std::vector<std::string>;
constexpr double round_off = 1e-14;

// One output on [0, 1], with statistics linear in time: the trapezoidal rule is exact.
struct Line {
  double at_start, at_end;
};
struct Curves {
  Line mean{1, 3}, std{1, 1}, lower{0, 0}, upper{4, 4};
  double error = 0;
};

results::StudyResult study(const Curves& c, std::size_t times, const std::string& name = "x") {
  results::StudyResult r;
  r.nominal.channels = {{name, "m"}};
  results::ChannelStatistics s;
  for (std::size_t i = 0; i < times; ++i) {
    const double t = double(i) / double(times - 1);
    r.nominal.time.push_back(t);
    r.nominal.values.push_back(0);
    const auto at = [&](const Line& l) { return std::lerp(l.at_start, l.at_end, t); };
    s.nominal.push_back(0);
    s.mean.push_back(at(c.mean));
    s.std.push_back(at(c.std));
    s.lower.push_back(at(c.lower));
    s.upper.push_back(at(c.upper));
    s.minimum.push_back(-10);
    s.maximum.push_back(10);
    for (auto* e : {&s.mean_error, &s.std_error, &s.lower_error, &s.upper_error}) e->push_back(c.error);
  }
  r.statistics.channels = {s};
  r.statistics.realizations = 100;
  return r;
}

Comparison compared(const results::StudyResult& other, const results::StudyResult& reference, const Names& names = {}) {
  const test::TemporaryFolder folder;
  results::write_study(folder / "a.h5", reference, {});
  results::write_study(folder / "b.h5", other, {});
  return compare(results::StudyReader(folder / "a.h5"), results::StudyReader(folder / "b.h5"), names);
}

TEST(Compare, integrals_of_lines) {
  const Comparison c = compared(study({.mean = {1.5, 3.5}, .std = {1, 1.5}, .lower = {0, 1}, .upper = {3, 4}, .error = 0.03}, 11),
                                study({.error = 0.04}, 11));
  ASSERT_EQ(c.outputs.size(), 1u);
  const ComparedOutput& x = c.outputs[0];
  EXPECT_EQ(x.unit, "m");
  EXPECT_FALSE(x.by_scatter);
  EXPECT_FALSE(x.samples.has_value());
  EXPECT_NEAR(x.mean.value, 0.5 / 2, round_off);
  EXPECT_NEAR(x.std.value, 0.25 / 1, round_off);
  EXPECT_NEAR(x.lower.value, 0.5 / 4, round_off);
  EXPECT_NEAR(x.upper.value, 0.5 / 4, round_off);
  const double noise = std::sqrt(2 / std::numbers::pi) * 0.05;  // 0.03² + 0.04² = 0.05²
  EXPECT_NEAR(x.mean.noise, noise / 2, round_off);
  EXPECT_NEAR(x.std.noise, noise, round_off);
  EXPECT_NEAR(x.upper.noise, noise / 4, round_off);
}

TEST(Compare, other_times_are_interpolated) {
  const Comparison c = compared(study({.mean = {1.5, 3.5}}, 4), study({}, 11));
  EXPECT_TRUE(c.interpolated);
  EXPECT_NEAR(c.outputs[0].mean.value, 0.25, round_off);  // lines stay lines
  EXPECT_NEAR(c.outputs[0].std.value, 0, round_off);
  results::StudyResult longer = study({}, 11);
  longer.nominal.time.back() = 1.5;
  EXPECT_THROW(compared(longer, study({}, 11)), CannotCompare);
}

TEST(Compare, a_mean_that_is_zero_is_measured_by_the_scatter) {
  const Comparison exact = compared(study({.mean = {0.5, 0.5}}, 5), study({.mean = {0, 0}, .std = {2, 2}}, 5));
  EXPECT_TRUE(exact.outputs[0].by_scatter);
  EXPECT_NEAR(exact.outputs[0].mean.value, 0.25, round_off);
  // 0.1 beside a standard error of 0.1 cannot be told from zero, beside one of 0.01 it can
  EXPECT_TRUE(compared(study({}, 5), study({.mean = {0.1, 0.1}, .error = 0.1}, 5)).outputs[0].by_scatter);
  EXPECT_FALSE(compared(study({}, 5), study({.mean = {0.1, 0.1}, .error = 0.01}, 5)).outputs[0].by_scatter);
}

TEST(Compare, nothing_to_measure) {
  const Curves none{.mean = {0, 0}, .std = {0, 0}, .lower = {0, 0}, .upper = {0, 0}};
  const ComparedOutput both = compared(study(none, 5), study(none, 5)).outputs[0];
  for (const Difference& d : {both.mean, both.std, both.lower, both.upper}) EXPECT_TRUE(std::isnan(d.value));
  const ComparedOutput one = compared(study({}, 5), study(none, 5)).outputs[0];
  for (const Difference& d : {one.mean, one.std, one.upper}) EXPECT_TRUE(std::isinf(d.value));
  Curves unknown;
  unknown.std = {std::nan(""), std::nan("")};  // of a single realization
  EXPECT_TRUE(std::isinf(compared(study(unknown, 5), study({}, 5)).outputs[0].std.value));
}

TEST(Compare, what_only_one_has) {
  EXPECT_THROW(compared(study({}, 3, "x"), study({}, 3, "y")), CannotCompare);
  results::StudyResult a = study({}, 3), b = study({}, 3);
  a.statistics.scalars = {{.name = "p", .mean = {2, 0.1}, .std = {1, 0.1}, .minimum = 0, .maximum = 4},
                          {.name = "q", .mean = {2, 0.1}, .std = {1, 0.1}}};
  b.statistics.scalars = {{.name = "p", .mean = {1, 0.1}, .std = {1, 0.1}, .minimum = 0, .maximum = 4}};
  const Comparison c = compared(a, b);
  EXPECT_EQ(c.only_b, Names{"q"}) << "the first, A, is the reference";
  EXPECT_EQ(c.only_a, Names{});
  ASSERT_EQ(c.scalars.size(), 1u);
  EXPECT_EQ(c.scalars[0].mean_a.value, 1);
  EXPECT_EQ(c.scalars[0].mean_b.value, 2);
  EXPECT_NEAR(c.scalars[0].mean.value, 1, round_off);
  EXPECT_NEAR(c.scalars[0].mean.noise, std::sqrt(2 / std::numbers::pi * 0.02), round_off);
  EXPECT_EQ(compared(a, b, {"p"}).outputs.size(), 0u);
  b.statistics.confidence = 0.95;
  EXPECT_FALSE(compared(a, b).bands);
  EXPECT_TRUE(std::isnan(compared(a, b).outputs[0].lower.value));
}

// Realizations: x(t) = t z. The reference scatters most at the end.
TEST(Compare, realizations_at_the_time_of_most_scatter) {
  const auto with_samples = [](std::size_t times, std::uint64_t seed, double shift, Parameters& values) {
    results::StudyResult r = study({.std = {0, 1}}, times);
    for (int k = 0; k < 300; ++k) {
      const double z = Stream(seed, std::uint64_t(k), 1).normal() + shift;
      for (const double t : r.nominal.time) values.push_back(k == 7 ? std::nan("") : t * z);  // one failed
    }
    r.responses = values;
    r.ok.assign(300, 1);
    r.ok[7] = 0;
    return r;
  };
  Parameters u, v, w;
  const auto a = with_samples(21, 1, 0, u), b = with_samples(11, 2, 0, v), moved = with_samples(11, 3, 0.8, w);
  const Comparison same = compared(a, b), other = compared(moved, b);
  ASSERT_TRUE(same.outputs[0].samples.has_value());
  EXPECT_EQ(same.outputs[0].samples->time, 1);
  EXPECT_EQ(same.outputs[0].samples->times, 10);        // at t = 0 no scatter
  EXPECT_GT(same.outputs[0].samples->smallest, 1e-6);   // false alarm 1e-6
  EXPECT_LT(other.outputs[0].samples->smallest, 1e-4);  // 0.8 of a standard deviation, n = 299: t = 9.8
  EXPECT_LT(other.outputs[0].samples->mean.p, 1e-4);
  // Points of a quadrature are no sample; neither is what is left when all failed.
  auto quadrature = a, failed = a;
  quadrature.rows_follow_law = false;
  failed.statistics.realizations = 0;
  for (const auto* r : {&quadrature, &failed}) {
    EXPECT_FALSE(compared(*r, b).outputs[0].samples.has_value());
    EXPECT_FALSE(compared(b, *r).outputs[0].samples.has_value());
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::analysis
