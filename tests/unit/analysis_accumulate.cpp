// The statistics of a study as a whole, on a response whose distribution is known.
#include "analysis/accumulate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "support/rows_elsewhere.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core::analysis {
namespace ALEATOR_FILE {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Channel 0: Z + t with Z standard normal; channel 1: U t with U uniform in ]0, 1[.
const std::vector<double> times = {0, 0.5, 1, 2};
std::vector<double> response(double z, double u) {
  std::vector<double> out;
  for (const double t : times) out.insert(out.end(), {z + t, u * t});
  return out;
}
double z_of(long k) { return Stream(31, std::uint64_t(k), 1).normal(); }
std::vector<double> realization(long k) { return response(z_of(k), Stream(31, std::uint64_t(k), 2).uniform()); }
bool fails(long k) { return k % 7 == 3; }

StatisticsRequest questions(bool keep_all, bool with_shares = false) {
  StatisticsRequest q;
  q.times = times;
  q.channels = {"walk", "spread"};
  q.nominal = response(0, 0.5);
  q.keep_all = keep_all;
  q.samples = 4000;
  q.limits = {{0, 1, true}, {1, 0.5, false}};
  q.scalars = {{"top", "m", "maximum", 0, {Reduction::maximum}},
               {"when", "s", "first_crossing", 0, {Reduction::first_crossing, 1.5, +1}},
               {"never", "s", "first_crossing", 1, {Reduction::first_crossing, 5, 0}}};
  if (with_shares) q.groups = {"z", "u"};
  return q;
}

void add(Accumulator& a, long k) {
  const bool ok = !fails(k);
  const std::vector<double> values = ok ? realization(k) : std::vector<double>{};
  a.add(ok, values);
  if (ShareEstimator* shares = a.shares()) {
    shares->begin(ok, values);
    shares->second(true, realization(k + 1000000));
    for (int g = 0; g < 2; ++g) {
      const std::vector<double> b = realization(k + 1000000);
      std::vector<double> mixed = values;
      for (std::size_t i = std::size_t(g); i < mixed.size(); i += 2) mixed[i] = b[i];
      shares->group(g, ok, mixed);
    }
  }
}
Accumulator of(bool keep_all, long n, bool with_shares = false) {
  Accumulator a(questions(keep_all, with_shares));
  for (long k = 0; k < n; ++k) add(a, k);
  return a;
}

// Every number of it, as bits: NaN equals NaN.
std::vector<std::uint64_t> bits(const results::StudyStatistics& s) {
  std::vector<double> all = {s.confidence, double(s.realizations), s.rank_error, double(s.shares.realizations)};
  const auto put = [&](const std::vector<double>& v) { all.insert(all.end(), v.begin(), v.end()); };
  const auto put_estimate = [&](const results::Estimate& e) { put({e.value, e.error}); };
  for (const auto& c : s.channels)
    for (const auto* v : {&c.nominal, &c.mean, &c.std, &c.lower, &c.upper, &c.minimum, &c.maximum, &c.mean_error, &c.std_error,
                          &c.lower_error, &c.upper_error})
      put(*v);
  for (const auto& l : s.limits) put(l.probability), put(l.error), put_estimate(l.ever);
  for (const auto& x : s.scalars) {
    for (const auto* e : {&x.mean, &x.std, &x.lower, &x.upper}) put_estimate(*e);
    put({x.nominal, x.minimum, x.maximum, double(x.count)});
    put(x.values);
  }
  put(s.convergence.realizations);
  for (const auto& v : s.convergence.values) put(v);
  for (const auto& c : s.shares.of)
    for (const auto& g : c) put(g.first), put(g.total), put_estimate(g.integrated_first), put_estimate(g.integrated_total);
  std::vector<std::uint64_t> out;
  for (const double x : all) out.push_back(std::isnan(x) ? 1 : std::bit_cast<std::uint64_t>(x));
  return out;
}

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

TEST(Accumulator, knows_the_distribution) {
  const long n = 4000;
  const results::StudyStatistics s = of(true, n).finish();
  const long used = n - 571;  // of 4000, 571 are 3 modulo 7
  EXPECT_EQ(s.realizations, used);
  EXPECT_EQ(s.rank_error, 0);
  for (std::size_t t = 0; t < times.size(); ++t) {
    const auto &walk = s.channels[0], &spread = s.channels[1];
    EXPECT_EQ(walk.nominal[t], times[t]);
    // Five of their own standard errors: 6e-7 each. At t = 0 the second channel is 0 without scatter.
    EXPECT_NEAR(walk.mean[t], times[t], 5 * walk.mean_error[t]);
    EXPECT_NEAR(walk.std[t], 1, 5 * walk.std_error[t]);
    EXPECT_NEAR(walk.lower[t], times[t] - 1.6448536, 5 * walk.lower_error[t]);
    EXPECT_NEAR(walk.upper[t], times[t] + 1.6448536, 5 * walk.upper_error[t]);
    EXPECT_NEAR(spread.mean[t], times[t] / 2, 5 * spread.mean_error[t]);
    EXPECT_NEAR(spread.lower[t], 0.05 * times[t], 5 * spread.lower_error[t]);
    EXPECT_LE(walk.minimum[t], walk.lower[t]);
    EXPECT_GE(walk.maximum[t], walk.upper[t]);
    EXPECT_NEAR(walk.mean_error[t], 1 / std::sqrt(double(used)), 0.1 / std::sqrt(double(used)));  // s is known to 1.2 %
  }
}

// 1e-10 of an output's size, or of that of another output of its unit, is what time stepping leaves.
TEST(Accumulator, round_off_does_not_vary) {
  StatisticsRequest q;
  q.times = {0, 1};
  q.channels = {"driven", "aside", "swings", "angle"};
  q.units = {"m", "m", "m", "rad"};
  q.nominal = {5, 0, 1, 0, 5, 0, 1, 0};
  q.groups = {"k"};
  Accumulator a(q);
  for (long k = 0; k < 40; ++k) {
    const double z = z_of(k);
    const std::vector<double> x = {5 + 1e-9 * z, 1e-10 * z, 1 + 0.1 * z, 1e-14 * z,
                                   5 - 1e-9 * z, 1e-10 * z, 1 - 0.1 * z, 1e-14 * z};
    a.add(true, x);
    a.shares()->begin(true, x);
    std::vector<double> y = x;
    for (double& v : y) v *= 1.5;
    a.shares()->second(true, y), a.shares()->group(0, true, y);
  }
  for (const bool moments : {true, false}) {
    const results::StudyStatistics s = moments ? a.moments() : a.finish();
    const bool expected[] = {false, false, true, true};  // 1e-14 rad is all the size an angle has: nothing to compare it with
    for (std::size_t c = 0; c < 4; ++c) {
      EXPECT_EQ(s.channels[c].varies, expected[c]) << c;
      EXPECT_EQ(std::isnan(s.channels[c].accuracy.mean), !expected[c]) << c;  // it decides nothing
      EXPECT_EQ(std::isnan(s.channels[c].accuracy.std), !expected[c]) << c;
      if (!moments) {
        EXPECT_EQ(std::isnan(s.shares.of[c][0].integrated_total.value), !expected[c]) << c;
      }
    }
  }
}

TEST(Accumulator, counts_limits) {
  const results::StudyStatistics s = of(false, 4000).finish();
  const auto &above = s.limits[0], &below = s.limits[1];
  for (std::size_t t = 0; t < times.size(); ++t) {  // five standard errors: 6e-7 each
    EXPECT_NEAR(above.probability[t], normal_cdf(times[t] - 1), 5 * above.error[t]);
    EXPECT_NEAR(below.probability[t], times[t] > 0 ? std::min(1.0, 0.5 / times[t]) : 1, 5 * below.error[t]);
  }
  EXPECT_EQ(above.ever.value, above.probability.back());  // Z + t rises
  EXPECT_EQ(below.ever.value, 1);                         // U t begins at 0
  // All did: as if two more had, and two had not.
  EXPECT_NEAR(below.ever.error, std::sqrt(2.0 * 3431) / 3433 / std::sqrt(3433.0), 1e-16);
  const double p = above.ever.value;
  EXPECT_NEAR(above.ever.error, std::sqrt(p * (1 - p) / 3429), 1e-3 * above.ever.error);  // of many: order 1/n
}

// A number of realizations exceeds a limit in each replicate of a design.
results::Estimate ever(const std::vector<int>& exceed, int of_each) {
  StatisticsRequest q;
  q.times = {0};
  q.channels = {"x"};
  q.nominal = {0};
  q.limits = {{0, 0.5, true}};
  q.replicates = int(exceed.size());
  q.samples = long(exceed.size()) * of_each;
  Accumulator a(q);
  for (int k = 0; k < of_each; ++k)
    for (const int count : exceed) {
      const double x = k < count ? 1 : 0;
      a.add(true, {&x, 1});
    }
  return a.finish().limits[0].ever;
}

double binomial(int n, int k, double p) {
  return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(p) + (n - k) * std::log1p(-p));
}

// Exactly, over all that may come out: 95 % is meant, whole numbers scatter about it. With √(p (1−p)/n), never less than half a
// realization, it was 63 % for p = 1/n.
TEST(Accumulator, two_standard_errors_of_a_probability_cover_it) {
  const int n = 64;
  std::vector<results::Estimate> of;
  for (int k = 0; k <= n; ++k) of.push_back(ever({k}, n));
  for (double p = 0.002; p < 0.5; p += 0.002) {
    double covered = 0;
    for (int k = 0; k <= n; ++k)
      covered += std::abs(of[std::size_t(k)].value - p) <= 2 * of[std::size_t(k)].error ? binomial(n, k, p) : 0;
    EXPECT_GE(covered, 0.92) << p;
  }
}

// Replicates of 16 points of a uniform design have 7 or 8 that exceed a limit, 8 with probability f. It was 66 % for f = 0.13.
TEST(Accumulator, two_standard_errors_of_a_probability_cover_it_where_replicates_agree) {
  std::vector<results::Estimate> of;
  for (std::size_t more = 0; more <= 8; ++more) {
    std::vector<int> exceed(8, 7);
    std::fill_n(exceed.begin(), more, 8);
    of.push_back(ever(exceed, 16));
  }
  for (double f = 0.005; f < 1; f += 0.005) {
    double covered = 0;
    for (int k = 0; k <= 8; ++k)
      covered += std::abs(of[std::size_t(k)].value - (7 + f) / 16) <= 2 * of[std::size_t(k)].error ? binomial(8, k, f) : 0;
    EXPECT_GE(covered, 0.92) << f;
  }
}

// `when` has no value where it never crosses: then it passes no limit. A value is what is said.
TEST(Accumulator, limits_of_scalars) {
  StatisticsRequest q = questions(true);
  q.scalars.push_back({"given", "", "value", 0, {Reduction::value, 0.25}});
  q.limits = {{-1, 1.5, true, 0}, {-1, 0.9, false, 1}, {-1, 0.2, true, 3}, {0, 1.5, true}};
  for (const bool own : {false, true}) {
    Accumulator a(q);
    double top = 0, early = 0, given = 0, n = 0;
    for (long k = 0; k < 300; ++k) {
      const bool ok = !fails(k);
      const std::vector<double> values = ok ? realization(k) : std::vector<double>{};
      // with limits and values of its own: the first at 2, the value k/1000
      std::vector<ReductionSettings> settings;
      for (const auto& s : q.scalars) settings.push_back(s.settings);
      settings[3].level = double(k) / 1000;
      if (own)
        a.add(ok, values, std::vector<double>{2, 0.9, 0.2, 1.5}, settings);
      else
        a.add(ok, values);
      if (!ok) continue;
      ++n;
      top += reduce(q.scalars[0].settings, q.times, values.data(), 2) > (own ? 2 : 1.5);
      const double when = reduce(q.scalars[1].settings, q.times, values.data(), 2);
      early += when < 0.9;
      given += (own ? double(k) / 1000 : 0.25) > 0.2;
    }
    const results::StudyStatistics s = a.finish();
    ASSERT_EQ(s.limits.size(), 4u);
    EXPECT_DOUBLE_EQ(s.limits[0].ever.value, top / n);
    EXPECT_DOUBLE_EQ(s.limits[1].ever.value, early / n);
    EXPECT_GT(early, 0);
    EXPECT_DOUBLE_EQ(s.limits[2].ever.value, given / n);
    EXPECT_EQ(s.limits[0].scalar, 0);
    EXPECT_TRUE(s.limits[0].probability.empty());
    EXPECT_FALSE(s.limits[3].probability.empty());
    EXPECT_LT(s.limits[1].ever.interval.low, early / n);
    EXPECT_GT(s.limits[1].ever.interval.high, early / n);
    EXPECT_GT(s.limits[0].ever_with_missing.high, s.limits[0].ever.value);  // some failed
    EXPECT_EQ(s.scalars[3].channel, "");
    EXPECT_EQ(s.scalars[3].nominal, 0.25);
  }
}

// A cosine with 20 times in a period whose peak is in the middle of a step: the values reach cos(π/20) = 0.988.
TEST(Accumulator, a_limit_is_exceeded_between_the_times) {
  StatisticsRequest q;
  q.channels = {"x"};
  q.samples = 1;
  q.limits = {{0, 0.995, true}, {0, 1.001, true}, {0, -0.98, false}};
  std::vector<double> x;
  for (int i = 0; i <= 12; ++i) {
    q.times.push_back(i);
    x.push_back(std::cos(std::numbers::pi / 10 * (i - 5.5)));
  }
  q.nominal = x;
  Accumulator a(q);
  a.add(true, x);
  const results::StudyStatistics s = a.finish();
  for (const double p : s.limits[0].probability) EXPECT_EQ(p, 0);  // at none of the times
  EXPECT_EQ(s.limits[0].ever.value, 1);
  EXPECT_EQ(s.limits[1].ever.value, 0);
  EXPECT_EQ(s.limits[2].ever.value, 0);
}

TEST(Accumulator, derives_scalars_also_those_that_never_come) {
  for (const bool keep_all : {true, false}) {
    const results::StudyStatistics s = of(keep_all, 4000).finish();
    const auto &top = s.scalars[0], &when = s.scalars[1], &never = s.scalars[2];
    EXPECT_EQ(top.channel, "walk");
    EXPECT_EQ(top.nominal, 2);
    EXPECT_EQ(top.count, 3429);
    EXPECT_NEAR(top.mean.value, 2, 5 * top.mean.error);  // 6e-7
    // Z + t crosses 1.5 at 1.5 − Z, within 0 … 2 when −0.5 ≤ Z < 1.5.
    EXPECT_NEAR(when.nominal, 1.5, 1e-15);
    const double p = normal_cdf(1.5) - normal_cdf(-0.5);
    EXPECT_NEAR(double(when.count), 3429 * p, 5 * std::sqrt(3429 * p * (1 - p)));  // binomial, 6e-7
    EXPECT_GT(when.minimum, 0);
    EXPECT_LE(when.maximum, 2);
    // Quantiles are of all realizations: 0.05 of all cross before …, and the 0.95 one never does (38 % do not).
    const double quantile = when.lower.value;
    EXPECT_NEAR(normal_cdf(1.5) - normal_cdf(1.5 - quantile), 0.05, 5 * std::sqrt(0.05 * 0.95 / 3429) + s.rank_error);  // 6e-7
    EXPECT_EQ(when.upper.value, infinity);
    EXPECT_EQ(never.count, 0);
    EXPECT_TRUE(std::isnan(never.mean.value) && std::isnan(never.minimum) && std::isnan(never.nominal));
    EXPECT_EQ(never.lower.value, infinity);
    EXPECT_EQ(top.values.size(), keep_all ? 4000u : 0u);
    if (!keep_all) continue;
    for (long k = 0; k < 20; ++k) {
      const double x = when.values[std::size_t(k)], z = z_of(k);
      if (fails(k) || z >= 1.5 || z < -0.5)
        EXPECT_TRUE(std::isnan(x)) << k;
      else
        EXPECT_NEAR(x, 1.5 - z, 1e-14) << k;  // round-off
    }
  }
}

TEST(Accumulator, keeping_statistics_alone_gives_the_same_up_to_the_rank_error) {
  const long n = 20000;  // more than the 4096 that a sketch keeps
  const Accumulator all = of(true, n);
  const results::StudyStatistics a = all.finish(), b = of(false, n).finish();
  EXPECT_GT(b.rank_error, 0);
  EXPECT_LT(b.rank_error, 0.007);  // (3 √72 + 3)/4096: statistics/quantile_sketch.cpp
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_EQ(a.channels[c].mean, b.channels[c].mean);
    EXPECT_EQ(a.channels[c].std, b.channels[c].std);
    EXPECT_EQ(a.channels[c].std_error, b.channels[c].std_error);
    EXPECT_EQ(a.channels[c].minimum, b.channels[c].minimum);
    EXPECT_EQ(a.channels[c].maximum, b.channels[c].maximum);
    EXPECT_EQ(a.convergence.values[c], b.convergence.values[c]);
    for (std::size_t t = 0; t < times.size(); ++t) {
      std::vector<double> column;
      for (long k = 0; k < n; ++k)
        if (!fails(k)) column.push_back(all.responses()[(std::size_t(k) * times.size() + t) * 2 + c]);
      std::sort(column.begin(), column.end());
      EXPECT_GE(b.channels[c].lower[t], quantile(column, 0.05 - b.rank_error).value);
      EXPECT_LE(b.channels[c].lower[t], quantile(column, 0.05 + b.rank_error).value);
      EXPECT_GE(b.channels[c].upper[t], quantile(column, 0.95 - b.rank_error).value);
      EXPECT_LE(b.channels[c].upper[t], quantile(column, 0.95 + b.rank_error).value);
    }
  }
}

// Failed ones, and ones with a value that is not finite, whichever way they are kept.
TEST(Accumulator, statistics_rest_on_what_is_there) {
  for (const bool keep_all : {true, false}) {
    Accumulator some(questions(keep_all)), good(questions(keep_all));
    for (long k = 0; k < 100; ++k) {
      std::vector<double> x = realization(k);
      good.add(true, x);
      some.add(true, x);
      if (k % 3 == 0) some.add(false, {});
      x[std::size_t(k) % x.size()] = k % 2 ? infinity : std::numeric_limits<double>::quiet_NaN();
      if (k % 3 == 1) some.add(true, x);
    }
    results::StudyStatistics a = some.finish(), b = good.finish();
    EXPECT_EQ(a.realizations, 100);
    for (auto* s : {&a, &b})
      for (auto& x : s->scalars) x.values.clear();  // there is one for each that was added
    EXPECT_EQ(bits(a), bits(b));
    if (keep_all) {
      EXPECT_EQ(some.responses().size(), 167 * 8u);
    }
  }
  Accumulator none(questions(true));
  none.add(false, {});
  EXPECT_TRUE(std::isnan(none.finish().channels[0].mean[0]));
  EXPECT_TRUE(std::isnan(none.finish().limits[0].ever.value));
  EXPECT_EQ(none.finish().realizations, 0);
}

// Beyond so many numbers responses are not held, but read from where they are: the same bits, of independent realizations and of
// randomised designs.
TEST(Accumulator, responses_that_are_not_held_give_the_same) {
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  for (const int replicates : {1, 4})
    for (const std::size_t held : {std::size_t(0), std::size_t(800)}) {
      StatisticsRequest q = questions(true);
      q.replicates = replicates;
      Accumulator all(q);
      q.held = held;
      Accumulator bounded(q);
      const auto elsewhere = std::make_shared<test::RowsElsewhere>(8);
      bounded.read_from(elsewhere);
      for (long k = 0; k < 500; ++k) {
        const std::vector<double> x = fails(k) ? std::vector<double>(8, nothing) : realization(k);
        elsewhere->all.insert(elsewhere->all.end(), x.begin(), x.end());
        add(all, k), add(bounded, k);
        EXPECT_LE(bounded.responses().capacity(), held);
        if (k == 50) {
          EXPECT_EQ(bits(all.finish()), bits(bounded.finish()));
        }
      }
      EXPECT_FALSE(bounded.are_held());
      EXPECT_EQ(bits(all.finish()), bits(bounded.finish())) << replicates << " " << held;
      // Whoever wants to see the points on the way sees each once, without another reading.
      for (const Accumulator* const one : {&all, &bounded}) {
        elsewhere->asked = 0;
        std::vector<double> seen(8 * 500);
        std::size_t points = 0;
        one->finish([&](std::size_t first, std::size_t count, const double* values, std::size_t stride) {
          points += count;
          for (std::size_t k = 0; k < 500; ++k) std::copy_n(values + k * stride, count, &seen[8 * k + first]);
        });
        EXPECT_EQ(points, 8u);
        EXPECT_EQ(elsewhere->asked, one == &bounded ? 8u * 500u : 0u);
        for (std::size_t i = 0; i < seen.size(); ++i)
          EXPECT_EQ(std::bit_cast<std::uint64_t>(seen[i]), std::bit_cast<std::uint64_t>(elsewhere->all[i]));
      }
      EXPECT_EQ(bounded.response(18), realization(18));
      EXPECT_EQ(all.response(18), realization(18));
      Accumulator::Columns some;
      bounded.find_columns(2, 3, some);
      EXPECT_EQ(std::vector<double>(some.row(18), some.row(18) + 3),
                (std::vector<double>{realization(18)[2], realization(18)[3], realization(18)[4]}));
    }
}

TEST(Accumulator, convergence_is_that_of_the_partial_sums) {
  const long n = 1000;
  const results::Convergence c = of(false, n).finish().convergence;
  EXPECT_EQ(c.realizations.front(), 1);
  EXPECT_EQ(c.realizations.back(), 857);  // all that did not fail, noted or not
  EXPECT_EQ(std::adjacent_find(c.realizations.begin(), c.realizations.end(), std::greater_equal<>()), c.realizations.end());
  double sum = 0, used = 0;
  std::size_t next = 0;
  for (long k = 0; k < n; ++k) {
    if (fails(k)) continue;
    sum += integral_of_square(times, realization(k).data() + 1, 2);
    if (++used != c.realizations[next]) continue;
    EXPECT_NEAR(c.values[1][next], std::sqrt(sum / used), 1e-14);  // round-off
    ++next;
  }
  EXPECT_EQ(next, c.realizations.size());
  EXPECT_LT(next, 350u);  // it does not grow with their number: 1 % apart
}

TEST(Accumulator, goes_on_from_a_saved_state_bitwise) {
  const results::StudyStatistics whole = of(false, 4000, true).finish();
  for (const long cut : {0L, 1L, 2000L, 3999L}) {
    const std::vector<double> state = of(false, cut, true).save();
    Accumulator rest(questions(false, true));
    rest.load(state);
    EXPECT_EQ(rest.save(), state);
    for (long k = cut; k < 4000; ++k) add(rest, k);
    EXPECT_EQ(bits(rest.finish()), bits(whole)) << cut;
  }
}

// 8 numbers of a realization: blocks of 256. A state is saved within a block, between blocks, and beyond what the sketch keeps.
TEST(Accumulator, goes_on_from_a_state_saved_within_a_block_bitwise) {
  const long n = 17000;
  const results::StudyStatistics whole = of(false, n).finish();
  for (const long cut : {0L, 255L, 256L, 300L, 5000L, n - 1}) {
    const std::vector<double> state = of(false, cut).save();
    Accumulator rest(questions(false));
    rest.load(state);
    EXPECT_EQ(rest.save(), state);
    for (long k = cut; k < n; ++k) add(rest, k);
    EXPECT_EQ(bits(rest.finish()), bits(whole)) << cut;
  }
}

// Blocks that somebody else has made, and realizations between them, in parts that begin anywhere, kept or not.
TEST(Accumulator, blocks_made_elsewhere_are_the_same_bitwise) {
  for (const bool keep_all : {false, true})
    for (const long from : {0L, 100L}) {
      StatisticsRequest q = questions(keep_all);
      q.first = from;
      Accumulator alone(q), joined(q);
      const long rows = joined.block_rows(), end = 140 * rows + 77;  // beyond 4 · 4096, where blocks give half of their values
      ASSERT_EQ(rows, 256);
      Accumulator block(joined.block_request());
      for (long k = from; k < end; ++k) add(alone, k);
      for (long k = from; k < end;) {
        if (k % rows != 0 || k + rows > end || k / rows % 5 == 3) {
          add(joined, k++);
          continue;
        }
        block.begin_block(k, from, k % 2 == 0);
        std::vector<std::vector<double>> values;
        for (const long last = k + rows; k < last; ++k) {
          values.push_back(fails(k) ? std::vector<double>() : realization(k));
          block.add(!fails(k), values.back());
          joined.keep(!fails(k), values.back());
        }
        joined.append_block(block.finish_block());
      }
      if (!keep_all) {
        EXPECT_EQ(joined.save(), alone.save()) << from;
      }
      EXPECT_EQ(bits(joined.finish()), bits(alone.finish())) << from;
      EXPECT_EQ(bits(joined.moments()), bits(alone.moments())) << from;
    }
  Accumulator whole(questions(false));
  add(whole, 0);
  EXPECT_THROW(whole.append_block({}), DamagedState);  // not where a block begins
}

// There is one way of adding up, whatever is kept or asked for beside.
TEST(Accumulator, moments_are_the_same_bitwise_whatever_is_kept) {
  const long n = 700;
  const auto plain = bits(of(true, n).moments());
  EXPECT_EQ(bits(of(false, n).moments()), plain);
  EXPECT_EQ(bits(of(true, n, true).moments()), plain);
  EXPECT_EQ(bits(of(false, n, true).moments()), plain);
}

// Somebody else may have written it. Whatever it holds, it is taken or refused.
TEST(Accumulator, a_damaged_state_is_refused) {
  const std::vector<double> state = of(false, 1100, true).save();  // with one full buffer of quantiles
  const auto is_taken = [](const std::vector<double>& wrong) {
    Accumulator a(questions(false, true));
    try {
      a.load(wrong);
    } catch (const DamagedState&) {
      return false;
    }
    for (long k = 0; k < 3; ++k) add(a, k);
    a.finish();
    return true;
  };
  EXPECT_TRUE(is_taken(state));
  for (std::size_t cut = 0; cut < state.size(); cut += 1 + cut / 3) {
    EXPECT_FALSE(is_taken({state.begin(), state.begin() + long(cut)})) << cut;
    std::vector<double> longer = state;
    longer.insert(longer.end(), 1 + cut, 0.0);
    EXPECT_FALSE(is_taken(longer)) << cut;
  }
  Stream random(5, 0, 1);
  long taken = 0, refused = 0;
  for (int k = 0; k < 2000; ++k) {
    std::vector<double> wrong = state;
    const std::size_t within = k % 2 == 0 ? 200 : wrong.size();  // numbers at the beginning are sizes and counts
    for (int changes = 0; changes <= k % 3; ++changes)
      wrong[std::size_t(random.uniform() * double(within))] = std::array{
          -1.0, 0.5, std::nan(""), infinity, 1e300, 1e15, 7.0, 0.0, -infinity, 1e9}[std::size_t(random.uniform() * 10)];
    ++(is_taken(wrong) ? taken : refused);
  }
  EXPECT_GT(taken, 200);  // another value, another result
  EXPECT_GT(refused, 200);
}

// Parts of a study, each computed for itself.
TEST(Accumulator, parts_put_together_are_the_whole) {
  const long n = 4000;
  for (const int replicates : {1, 8}) {
    StatisticsRequest asked = questions(false, true);
    asked.replicates = replicates;
    Accumulator whole(asked), together(asked);
    for (long k = 0; k < n; ++k) add(whole, k);
    for (const auto& [from, to] : {std::pair{0L, 0L}, {0L, 1L}, {1L, 3L}, {3L, 1501L}, {1501L, n}}) {
      StatisticsRequest own = asked;
      own.first = from;
      Accumulator part(own);
      for (long k = from; k < to; ++k) add(part, k);
      together.append(part.save());
    }
    const results::StudyStatistics a = whole.finish(), b = together.finish();
    EXPECT_EQ(a.realizations, b.realizations);
    EXPECT_LT(b.rank_error, 0.003);
    const auto expect_near = [](const std::vector<double>& x, const std::vector<double>& y) {
      ASSERT_EQ(x.size(), y.size());
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (std::isnan(x[i])) {
          EXPECT_TRUE(std::isnan(y[i]));
          continue;
        }
        EXPECT_NEAR(x[i], y[i], 1e-12 * (1 + std::abs(x[i])));  // round-off of 4000 additions
      }
    };
    for (std::size_t c = 0; c < 2; ++c) {
      expect_near(a.channels[c].mean, b.channels[c].mean);
      expect_near(a.channels[c].std, b.channels[c].std);
      expect_near(a.channels[c].mean_error, b.channels[c].mean_error);
      expect_near(a.channels[c].std_error, b.channels[c].std_error);
      EXPECT_EQ(a.channels[c].maximum, b.channels[c].maximum);
      for (const auto& g : {0, 1}) {
        expect_near(a.shares.of[c][std::size_t(g)].first, b.shares.of[c][std::size_t(g)].first);
        expect_near(a.shares.of[c][std::size_t(g)].total_error, b.shares.of[c][std::size_t(g)].total_error);
      }
      // The curve of convergence has its own places, on the same curve.
      const auto &at = b.convergence.realizations, &full = a.convergence.realizations;
      EXPECT_GT(at.size(), full.size() / 3);
      EXPECT_TRUE(std::is_sorted(at.begin(), at.end()));
      for (std::size_t i = 0; i < at.size(); ++i)
        if (const auto it = std::find(full.begin(), full.end(), at[i]); it != full.end()) {
          EXPECT_NEAR(b.convergence.values[c][i], a.convergence.values[c][std::size_t(it - full.begin())], 1e-12);
        }
    }
    for (std::size_t l = 0; l < 2; ++l) EXPECT_EQ(a.limits[l].probability, b.limits[l].probability);
    EXPECT_NEAR(a.scalars[0].mean.value, b.scalars[0].mean.value, 1e-12);
    EXPECT_EQ(a.scalars[1].count, b.scalars[1].count);
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::analysis
