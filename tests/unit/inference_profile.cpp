// Profiles and intervals against closed forms: on the function itself, and on what an exploration knows of it.
#include "inference/profile.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/cancellation.hpp"
#include "inference_functions.hpp"
#include "results/identification.hpp"
#include "support/linear_algebra.hpp"

namespace aleator::core::inference {
namespace ALEATOR_FILE {

const double drop = results::confidence_drop(0.95, 1);

TEST(Profile, intervals_of_a_quadratic_are_exact) {
  const Eigen::Vector3d mean(0.5, 0.4, 0.6);
  Eigen::Matrix3d covariance;
  covariance << 1, 0.8, 0, 0.8, 1, 0.3, 0, 0.3, 1;
  covariance *= 0.06 * 0.06;
  const Eigen::Matrix3d weight = test::inverse_dense(covariance);
  const Function f = [&](std::span<const double> x) {
    const Eigen::Vector3d y = Eigen::Map<const Eigen::Vector3d>(x.data()) - mean;
    return 5 - y.dot(weight * y) / 2;
  };
  const LogLikelihood hill{f, {0.5, 0.4, 0.6}, 5, {}};
  for (int k = 0; k < 3; ++k) {
    const Profile p = profile(hill, k, drop);
    const double half = 0.06 * std::sqrt(2 * drop);
    // the others are at their best to 1e-5 or so, which the slope of the profile there, 33 per unit, turns into 1e-6
    EXPECT_NEAR(p.lower, mean[k] - half, 2e-6);
    EXPECT_NEAR(p.upper, mean[k] + half, 2e-6);
    EXPECT_FALSE(p.open_below || p.open_above);
    ASSERT_EQ(p.at.size(), p.values.size());
    for (size_t i = 0; i < p.at.size(); ++i) EXPECT_NEAR(p.values[i], -std::pow((p.at[i] - mean[k]) / 0.06, 2) / 2, 1e-4);
    EXPECT_LT(p.values.front(), -3 * drop);  // shown to three times the drop, not over the whole range
    EXPECT_GT(p.values.front(), -5 * drop);
  }
  const PairProfile pair = pair_profile(hill, 0, 2, {0.4, 0.6}, {0.5, 0.7}, 5);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 5; ++j) {
      // of these two alone the covariance is 0.06² I
      const double exact = -(std::pow(pair.first_at[i] - 0.5, 2) + std::pow(pair.second_at[j] - 0.6, 2)) / (2 * 0.06 * 0.06);
      EXPECT_NEAR(pair.values[size_t(i) * 5 + j], exact, 1e-4);
    }
}

TEST(Profile, gamma_likelihood_interval) {
  // n a (log(θ/θ̂) + θ̂/θ − 1) = drop on both sides of θ̂ = m/a
  const GammaScale f;
  const double best = f.mean / f.a;
  const auto end = [&](double inside, double outside) {
    for (int i = 0; i < 100; ++i) {
      const double t = (inside + outside) / 2;
      (f.n * f.a * (std::log(t / best) + best / t - 1) < drop ? inside : outside) = t;
    }
    return GammaScale::place(inside);
  };
  const double x = GammaScale::place(best);
  const Profile exact = profile({f, {x}, f(Place{x}), {}}, 0, drop);
  EXPECT_NEAR(exact.lower, end(best, 0.1), 1e-8);  // of the bisection
  EXPECT_NEAR(exact.upper, end(best, 4.0), 1e-8);
  const Exploration e = explore(f, 1, {.uniform = uniform_numbers(1)});
  const Profile p = profile(hill_of(e), 0, drop);
  EXPECT_NEAR(p.lower, end(best, 0.1), 2e-3);  // the accuracy 0.15 over a slope of 50 to 25 would be 6e-3
  EXPECT_NEAR(p.upper, end(best, 4.0), 2e-3);
}

TEST(Profile, along_a_curved_ridge) {
  // With v = u² the profile of u is −(1 − u)²/2, from u = 1 − √(2 drop) on; v = 4y − 1 is open above.
  const Exploration e = explore(rosenbrock, 2, {.uniform = uniform_numbers(2)});
  const LogLikelihood exact{rosenbrock, {0.75, 0.5}, 0, {}};
  const double lower = (3 - std::sqrt(2 * drop)) / 4;
  EXPECT_NEAR(profile(exact, 0, drop).lower, lower, 1e-5);
  const Profile p = profile(hill_of(e), 0, drop), other = profile(hill_of(e), 1, drop);
  EXPECT_NEAR(p.lower, lower, 0.03);  // the accuracy 0.15 over the slope 8
  EXPECT_TRUE(other.open_above);
  EXPECT_EQ(other.upper, 1);
}

TEST(Profile, four_spreads_from_an_exploration) {
  const FourSpreads exact, jumps(0.05);
  const Maximum top = maximise_locally(exact, Box::unit(4), Place{0.3, 0.2, 0.4, 0.25}, {.tolerance = 1e-10});
  const LogLikelihood reference{exact, top.at, top.value, {}};
  double squares = 0;
  constexpr int explorations = 3;
  for (int seed = 1; seed <= explorations; ++seed) {
    const Exploration e = explore(jumps, 4, {.uniform = uniform_numbers(std::uint64_t(seed))});
    const LogLikelihood hill = hill_of(e);
    for (int k = 0; k < 4; ++k) {
      const Profile p = profile(hill, k, drop), q = profile(reference, k, drop);
      for (const double off : {p.lower - q.lower, p.upper - q.upper}) squares += std::pow(off / (q.upper - q.lower), 2);
    }
  }
  // 0.15 over the slope 1.96/σ at the ends is 0.08 σ, 2 % of the width 3.9 σ, as a root mean square; the maximum, from which ends are
  // counted, is off as much
  EXPECT_LT(std::sqrt(squares / (8 * explorations)), std::sqrt(2.0) * 0.02);
}

TEST(Profile, a_parameter_without_influence) {
  const Function f = [](std::span<const double> x) { return -std::pow((x[0] - 0.5) / 0.1, 2) / 2; };
  const Profile p = profile({f, {0.5, 0.3}, 0, {}}, 1, drop);
  EXPECT_TRUE(p.open_below && p.open_above);
  EXPECT_EQ(p.lower, 0);
  EXPECT_EQ(p.upper, 1);
}

// Profiles and pairs take seconds, of which an interruption must not wait for the end: a few searches at most go on after it.
TEST(Profile, ends_when_it_is_cancelled) {
  std::atomic<bool> stop = false;
  const CancellationScope scope(&stop);
  long calls = 0;
  const Function f = [&](std::span<const double> x) {
    stop = ++calls >= 500;
    return -std::pow((x[0] - 0.5) / 0.1, 2) - std::pow((x[1] - 0.4) / 0.1, 2) - std::pow((x[2] - x[1]) / 0.1, 2);
  };
  const LogLikelihood hill{f, {0.5, 0.4, 0.4}, 0, {}};
  EXPECT_THROW(profile(hill, 0, drop), Cancelled);
  EXPECT_LT(calls, 500 + 2000);  // two searches of a thousand evaluations at most
  stop = false, calls = 0;
  EXPECT_THROW(pair_profile(hill, 0, 1, {}, {}), Cancelled);
  EXPECT_LT(calls, 500 + 2000);
}

TEST(Profile, very_narrow) {
  const Function f = [](std::span<const double> x) {
    return -std::pow((x[0] - 0.123) / 1e-4, 2) / 2 - std::pow(x[1] - x[0], 2) * 1e6;
  };
  const Profile p = profile({f, {0.123, 0.123}, 0, {}}, 0, drop);
  EXPECT_NEAR((p.upper - p.lower) / (2e-4 * std::sqrt(2 * drop)), 1, 1e-3);  // the others to 1e-5 of a unit
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::inference
