// Correlations of outputs with random numbers, against closed forms.
#include "analysis/correlations.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/sample_tests.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core::analysis {
namespace ALEATOR_FILE {

using Parameters = std::vector<double>;
using Names = std::vector<std::string>;
using results::Correlations;
constexpr double round_off = 1e-12;  // of sums over hundreds of numbers, and of a small linear system

Parameters normals(int rows, int columns, std::uint64_t seed) {
  Parameters x;
  for (int k = 0; k < rows; ++k) {
    Stream s(seed, std::uint64_t(k), 1);
    for (int j = 0; j < columns; ++j) x.push_back(s.normal());
  }
  return x;
}

// One channel at one time.
Correlations at_once(const Names& columns, const Parameters& inputs, const Parameters& values) {
  Correlator c(columns, inputs, std::vector<char>(values.size(), 1));
  c.add(Parameters{0}, values.data());
  return c.finish();
}

// Of a study with so many points at a time.
Correlations of_study(const results::StudyResult& study, std::span<const double> responses, const std::vector<char>& usable,
                      std::size_t at_once) {
  StudyCorrelations all(study, usable);
  const std::size_t points = study.nominal.time.size() * study.nominal.channels.size();
  for (std::size_t first = 0; first < points; first += at_once)
    all.add(first, std::min(at_once, points - first), responses.data() + first, points);
  return all.finish({});
}

double pearson(const Parameters& x, const Parameters& y) { return correlation_score(x, y) / std::sqrt(double(x.size())); }

TEST(Correlations, a_line_of_one_column) {
  const Parameters x = normals(100, 2, 1);
  Parameters up, down;
  for (int k = 0; k < 100; ++k) up.push_back(3 + 2 * x[2 * k]), down.push_back(1 - x[2 * k]);
  const Correlations c = at_once({"a", "b"}, x, up), d = at_once({"a", "b"}, x, down);
  EXPECT_NEAR(c.of[0][0].pearson.at_times[0], 1, round_off);
  EXPECT_NEAR(d.of[0][0].pearson.at_times[0], -1, round_off);
  EXPECT_NEAR(d.of[0][0].spearman.at_times[0], -1, round_off);
  EXPECT_NEAR(d.of[0][0].partial_rank.at_times[0], -1, round_off);
  EXPECT_NEAR(d.of[0][0].pearson.integrated, 1, round_off);
  EXPECT_TRUE(std::isnan(d.of[0][1].partial_rank.at_times[0]));  // a explains everything
  EXPECT_EQ(c.realizations, 100);
}

// y = 2a + b + 2e with independent normal numbers: 2/3, 1/3. Spearman's of normal pairs is (6/π) asin(ρ/2).
TEST(Correlations, linear_model) {
  const int n = 4000;
  const Parameters x = normals(n, 3, 2);
  Parameters inputs, y;
  for (int k = 0; k < n; ++k) {
    inputs.insert(inputs.end(), {x[3 * k], x[3 * k + 1]});
    y.push_back(2 * x[3 * k] + x[3 * k + 1] + 2 * x[3 * k + 2]);
  }
  const Correlations c = at_once({"a", "b"}, inputs, y);
  // five standard errors of artanh r, 1/√n = 0.016: false alarm 6e-7 each
  const double bound = five_sigma * 1.1 / std::sqrt(n);
  const double rho[] = {2.0 / 3, 1.0 / 3};
  for (int j = 0; j < 2; ++j) {
    EXPECT_NEAR(std::atanh(c.of[0][j].pearson.at_times[0]), std::atanh(rho[j]), bound);
    EXPECT_NEAR(std::atanh(c.of[0][j].spearman.at_times[0]), std::atanh(6 / std::numbers::pi * std::asin(rho[j] / 2)), bound);
  }
}

TEST(Correlations, monotone_is_one_in_ranks_alone) {
  const Parameters x = normals(200, 1, 3);
  Parameters y;
  for (const double v : x) y.push_back(std::exp(3 * v));
  const Correlations c = at_once({"a"}, x, y);
  EXPECT_NEAR(c.of[0][0].spearman.at_times[0], 1, round_off);
  EXPECT_NEAR(c.of[0][0].partial_rank.at_times[0], 1, round_off);
  EXPECT_LT(c.of[0][0].pearson.at_times[0], 0.8);
}

// Partial correlation by its definition: the residuals of two regressions on the third. With one other column z,
// r = (r_xy − r_xz r_yz) / √((1 − r_xz²)(1 − r_yz²)).
TEST(Correlations, partial_by_hand) {
  const Parameters x = {1, 2, 3, 4, 5, 6, 7, 8}, z = {2, 1, 4, 3, 7, 8, 5, 6}, y = {3, 1, 2, 6, 4, 8, 5, 7};
  Parameters inputs;
  for (int k = 0; k < 8; ++k) inputs.insert(inputs.end(), {std::exp(x[k]), -1 / z[k]});  // monotone: the same ranks
  const Correlations c = at_once({"x", "z"}, inputs, y);
  const auto partial = [](double xy, double xz, double yz) { return (xy - xz * yz) / std::sqrt((1 - xz * xz) * (1 - yz * yz)); };
  const double xy = pearson(x, y), xz = pearson(x, z), yz = pearson(y, z);
  EXPECT_NEAR(c.of[0][0].spearman.at_times[0], xy, round_off);
  EXPECT_NEAR(c.of[0][0].partial_rank.at_times[0], partial(xy, xz, yz), round_off);
  EXPECT_NEAR(c.of[0][1].partial_rank.at_times[0], partial(yz, xz, xy), round_off);
  EXPECT_NEAR(c.partial_rank_error, std::sqrt(1.06 / (8 - 3 - 1)), round_off);
}

TEST(Correlations, columns_that_say_nothing_of_their_own) {
  const int n = 50;
  const Parameters x = normals(n, 3, 4);
  Parameters inputs, y;
  for (int k = 0; k < n; ++k) {
    const double a = x[3 * k], b = x[3 * k + 1];
    inputs.insert(inputs.end(), {a, 0.1, b, 3 * a + 1, -b});  // a constant, and two that repeat others
    y.push_back(a - b + x[3 * k + 2]);
  }
  const Correlations c = at_once({"a", "constant", "b", "copy", "mirror"}, inputs, y);
  EXPECT_EQ(c.determined_by, (Names{"", "", "", "a", "b"}));
  const auto& of = c.of[0];
  for (const auto* m : {&of[1].pearson, &of[1].spearman, &of[1].partial_rank, &of[3].partial_rank, &of[4].partial_rank}) {
    EXPECT_TRUE(std::isnan(m->at_times[0]));
    EXPECT_TRUE(std::isnan(m->integrated));
  }
  EXPECT_NEAR(of[3].pearson.at_times[0], of[0].pearson.at_times[0], round_off);
  EXPECT_NEAR(of[4].spearman.at_times[0], -of[2].spearman.at_times[0], round_off);
  Parameters two;  // as if the others were not there
  for (int k = 0; k < n; ++k) two.insert(two.end(), {x[3 * k], x[3 * k + 1]});
  const Correlations alone = at_once({"a", "b"}, two, y);
  EXPECT_NEAR(of[0].partial_rank.at_times[0], alone.of[0][0].partial_rank.at_times[0], round_off);
  EXPECT_EQ(c.partial_rank_error, alone.partial_rank_error);
}

TEST(Correlations, too_few_realizations) {
  const Correlations few = at_once({"a", "b", "c"}, normals(5, 3, 5), {1, 3, 2, 5, 4});
  EXPECT_FALSE(std::isnan(few.of[0][0].spearman.at_times[0]));
  EXPECT_TRUE(std::isnan(few.of[0][0].partial_rank.at_times[0]));
  EXPECT_EQ(few.determined_by, (Names{"", "", ""}));
  EXPECT_TRUE(std::isnan(at_once({"a"}, {1}, {2}).of[0][0].pearson.at_times[0]));
}

// Channels and times side by side, rows that failed, and the weight of times in the whole: u = t a, v = a or b.
TEST(Correlations, of_a_study) {
  results::StudyResult study;
  study.columns = {{"a", "", ""}, {"b", "", ""}};
  study.nominal.time = {0, 1, 2};
  study.nominal.channels = {{"u", "m"}, {"v", "m"}};
  study.inputs = normals(70, 2, 6);
  Parameters responses;
  for (int k = 0; k < 70; ++k) {
    const double a = study.inputs[2 * k], b = study.inputs[2 * k + 1];
    study.ok.push_back(k % 7 != 0);
    for (const double t : study.nominal.time)
      responses.insert(responses.end(), {k % 7 == 1 && t == 2 ? INFINITY : study.ok.back() ? t * a : NAN, t < 1.5 ? a : b});
  }
  std::vector<char> usable;
  for (int k = 0; k < 70; ++k) usable.push_back(k % 7 > 1);
  const Correlations c = of_study(study, responses, usable, 6);
  EXPECT_EQ(c.realizations, 50);
  EXPECT_TRUE(std::isnan(c.of[0][0].pearson.at_times[0]));  // u does not scatter at t = 0
  EXPECT_NEAR(c.of[0][0].pearson.at_times[2], 1, round_off);
  EXPECT_NEAR(c.of[1][0].pearson.at_times[1], 1, round_off);
  EXPECT_NEAR(c.of[1][1].spearman.at_times[2], 1, round_off);
  EXPECT_NEAR(c.of[0][0].pearson.integrated, 1, round_off);
  const double r = c.of[0][1].pearson.at_times[1];  // of b with a
  Parameters a, b;
  for (int k = 0; k < 70; ++k)
    if (k % 7 > 1) a.push_back(study.inputs[2 * k]), b.push_back(study.inputs[2 * k + 1]);
  EXPECT_NEAR(r, pearson(a, b), round_off);
  const auto variance = [](const Parameters& x) {
    double mean = 0, sum = 0;
    for (const double v : x) mean += v / double(x.size());
    for (const double v : x) sum += (v - mean) * (v - mean);
    return sum;
  };
  // ½ r² σ_a² + r² σ_a² + ½ σ_b² of ½ σ_a² + σ_a² + ½ σ_b²
  const double va = variance(a), vb = variance(b);
  EXPECT_NEAR(c.of[1][1].pearson.integrated, std::sqrt((1.5 * r * r * va + 0.5 * vb) / (1.5 * va + 0.5 * vb)), round_off);
}

// Many times are computed in portions: each is what it would be alone.
TEST(Correlations, any_number_of_times) {
  const int n = 30, nt = 150;
  const Parameters x = normals(n, 2, 7), y = normals(n, nt, 8);
  Parameters times;
  for (int t = 0; t < nt; ++t) times.push_back(t);
  Correlator all({"a", "b"}, x, std::vector<char>(n, 1));
  all.add(times, y.data());
  for (const int t : {0, 63, 64, 149}) {
    Parameters column;
    for (int k = 0; k < n; ++k) column.push_back(y[k * nt + t]);
    const Correlations one = at_once({"a", "b"}, x, column);
    EXPECT_NEAR(all.finish().of[0][1].pearson.at_times[t], one.of[0][1].pearson.at_times[0], round_off);
    EXPECT_NEAR(all.finish().of[0][1].partial_rank.at_times[t], one.of[0][1].partial_rank.at_times[0], round_off);
  }
}

// Points that come some at a time, in whatever portions: the same bits, also where there are so many realizations that fewer points are taken at once.
TEST(Correlations, points_come_in_portions) {
  for (const int n : {70, 20000}) {
    const std::size_t nt = n > 1000 ? 70 : 150;
    results::StudyResult study;
    study.columns = {{"a", "", ""}, {"b", "", ""}, {"c", "", ""}};
    for (std::size_t t = 0; t < nt; ++t) study.nominal.time.push_back(double(t));
    study.nominal.channels = {{"u", "m"}, {"v", "m"}};
    study.inputs = normals(n, 3, 6);
    std::vector<char> usable(std::size_t(n), 1);
    usable[3] = 0;
    Parameters responses;
    for (int k = 0; k < n; ++k) {
      Stream s(9, std::uint64_t(k), 1);
      for (std::size_t i = 0; i < 2 * nt; ++i)
        responses.push_back(k == 3 ? NAN : std::sin(double(i)) * study.inputs[std::size_t(3 * k)] + 0.3 * s.normal());
    }
    const Correlations whole = of_study(study, responses, usable, 2 * nt);
    EXPECT_EQ(whole.realizations, n - 1);
    for (const std::size_t at_once : {8u, 25u}) {
      const Correlations parts = of_study(study, responses, usable, at_once);
      for (std::size_t c = 0; c < 2; ++c)
        for (std::size_t j = 0; j < 3; ++j)
          for (const auto measure :
               {&Correlations::OfColumn::pearson, &Correlations::OfColumn::spearman, &Correlations::OfColumn::partial_rank}) {
            EXPECT_EQ((parts.of[c][j].*measure).at_times, (whole.of[c][j].*measure).at_times);
            EXPECT_EQ((parts.of[c][j].*measure).integrated, (whole.of[c][j].*measure).integrated);
          }
    }
  }
}

// Intervals of 95 % hold the truth in 95 % of samples: here of 2000, five standard errors of that share are 0.024 (false alarm 6e-7);
// Fisher's and Fieller's approximations for 40 realizations are good to another 0.01.
TEST(Correlations, intervals_hold_what_they_promise) {
  const int trials = 2000, n = 40;
  const double rho = 0.6, of_ranks = 6 / std::numbers::pi * std::asin(rho / 2);
  int pearson_in = 0, spearman_in = 0, partial_in = 0;
  for (int trial = 0; trial < trials; ++trial) {
    const Parameters z = normals(n, 5, 100 + std::uint64_t(trial));
    Parameters inputs, y;
    for (int k = 0; k < n; ++k) {
      inputs.insert(inputs.end(), &z[5 * k], &z[5 * k + 4]);
      y.push_back(rho * z[5 * k] + std::sqrt(1 - rho * rho) * z[5 * k + 4]);
    }
    const Correlations c = at_once({"a", "b", "c", "d"}, inputs, y);
    const auto holds = [](double r, double error, double truth) {
      const Interval i = correlation_interval(r, error);
      return i.lower <= truth && truth <= i.upper;
    };
    pearson_in += holds(c.of[0][0].pearson.at_times[0], c.pearson_error, rho);
    spearman_in += holds(c.of[0][0].spearman.at_times[0], c.spearman_error, of_ranks);
    partial_in += holds(c.of[0][1].partial_rank.at_times[0], c.partial_rank_error, 0);
  }
  for (const int in : {pearson_in, spearman_in, partial_in}) EXPECT_NEAR(in / double(trials), 0.95, 0.034);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::analysis
