// The likelihood of whole responses through their noise against closed forms.
#include "inference/input_integral.hpp"

#include <gtest/gtest.h>
#include <Eigen/Core>

#include <cmath>
#include <numbers>

#include "inference_functions.hpp"

namespace aleator::core::inference {
namespace ALEATOR_FILE {

double log_normal_density(double x, double mean, double std) {
  return -0.5 * std::pow((x - mean) / std, 2) - std::log(std * std::sqrt(2 * std::numbers::pi));
}

// Two normal inputs on which the response depends linearly: z(t) = x₁ + x₂ t. Measured responses are then normal,
//   y ~ N(G μ, G diag(s²) Gᵀ + σ² I).
struct Linear {
  static constexpr int points = 6, specimens = 12;
  double noise;
  std::vector<double> times;
  results::Measurements measured;
  Eigen::MatrixXd G{points, 2};

  explicit Linear(double sigma) : noise(sigma), measured{{"z"}, {sigma}, {}} {
    for (int t = 0; t < points; ++t) times.push_back(0.2 * t), G.row(t) << 1, 0.2 * t;
    for (std::uint64_t k = 0; k < specimens; ++k) {
      Stream stream(7, k, 0);
      const double a = 3 + 0.5 * stream.normal(), b = 1 + 0.2 * stream.normal();
      results::Specimen s{"s", times, {}};
      for (const double t : times) s.values.push_back(a + b * t + sigma * stream.normal());
      measured.specimens.push_back(s);
    }
  }
  static LogInputDensity density(double m1, double s1, double m2, double s2) {
    return [=](const Inputs& x) { return log_normal_density(x[0], m1, s1) + log_normal_density(x[1], m2, s2); };
  }
  double exact(double m1, double s1, double m2, double s2) const {
    const Eigen::VectorXd mean = G * Eigen::Vector2d(m1, m2);
    const Eigen::MatrixXd C = G * Eigen::Vector2d(s1 * s1, s2 * s2).asDiagonal() * G.transpose() +
                              noise * noise * Eigen::MatrixXd::Identity(points, points);
    const Eigen::MatrixXd root = dense::cholesky_factor(C);
    double sum = 0;
    for (const results::Specimen& s : measured.specimens) {
      const Eigen::VectorXd r = Eigen::Map<const Eigen::VectorXd>(s.values.data(), points) - mean;
      sum += -0.5 * r.dot(dense::solve_cholesky(root, r)) - root.diagonal().array().log().sum();
    }
    return sum;
  }
  // Scouts of a wide normal density.
  InputIntegral integral() const {
    std::vector<Inputs> scouts;
    for (std::uint64_t k = 0; k < 1000; ++k) {
      Stream stream(9, k, 0);
      const double a = 3 + 1.5 * stream.normal(), b = 1 + 0.6 * stream.normal();
      scouts.push_back({a, b});
    }
    const Simulate simulate = [this](const std::vector<Inputs>& inputs) {
      std::vector<std::vector<double>> out;
      for (const Inputs& x : inputs) {
        out.emplace_back();
        for (const double t : times) out.back().push_back(x[0] + x[1] * t);
      }
      return out;
    };
    return InputIntegral(NoiseDensity(times, measured), simulate, {false, false}, scouts, density(3, 1.5, 1, 0.6));
  }
};

// From noise far below the scatter, where specimens tell their inputs, to noise far above, where they tell hardly anything.
class Noise : public testing::TestWithParam<double> {};

TEST_P(Noise, differences_are_those_of_normal_responses) {
  const Linear linear(GetParam());
  InputIntegral integral = linear.integral();
  struct At {
    double m1, s1, m2, s2;
  };
  const At best{3, 0.5, 1, 0.2};
  const std::vector<At> all = {
      best, {3.2, 0.5, 1, 0.2}, {3, 0.3, 1, 0.2}, {3, 0.9, 1, 0.3}, {3, 0.5, 0.9, 0.1}, {2.9, 0.6, 1.1, 0.15}};
  const auto density = [](const At& w) { return Linear::density(w.m1, w.s1, w.m2, w.s2); };
  std::vector<LogInputDensity> densities;
  for (const At& w : all) densities.push_back(density(w));
  integral.refine(densities);
  const double top = integral.log_likelihood(densities[0]), exact_top = linear.exact(best.m1, best.s1, best.m2, best.s2);
  for (std::size_t k = 1; k < all.size(); ++k) {
    const At& w = all[k];
    const double found = integral.log_likelihood(densities[k]) - top, exact = linear.exact(w.m1, w.s1, w.m2, w.s2) - exact_top;
    const double error = integral.error_of_difference(densities[k], densities[0]);
    // Four stated errors: with an even sequence they are smaller than stated. And they are small.
    EXPECT_NEAR(found, exact, 4 * error + 1e-6) << k;
    EXPECT_LT(error, 0.3) << k;
    EXPECT_NEAR(found, exact, 0.15) << k;  // of the goal of identification
  }
}
INSTANTIATE_TEST_SUITE_P(of, Noise, testing::Values(0.002, 0.05, 0.5, 3));

// Two stiffnesses of which the motion shows the sum alone: inputs that follow a specimen lie along a line, which is curved where one of
// them is positive and has its logarithm for a coordinate, and is a thousand times as long as wide.
TEST(InputIntegral, follows_a_curved_ridge) {
  constexpr double noise = 0.1, least = 90, most = 150;
  results::Measurements measured{{"sum"}, {noise}, {}};
  const std::vector<double> times = {0, 1};
  std::vector<double> sums;
  for (std::uint64_t k = 0; k < 15; ++k) {
    Stream stream(11, k, 0);
    const double a = 200 + 20 * stream.normal(), b = least + (most - least) * stream.uniform();
    sums.push_back(a + b + noise * stream.normal());
    measured.specimens.push_back({"s", {1}, {sums.back()}});
  }
  const auto density = [](double mean, double std) {
    return LogInputDensity([=](const Inputs& x) {
      return x[1] < least || x[1] > most ? -INFINITY : log_normal_density(x[0], mean, std) - std::log(most - least);
    });
  };
  std::vector<Inputs> scouts;
  for (std::uint64_t k = 0; k < 2000; ++k) {
    Stream stream(12, k, 0);
    const double a = 200 + 80 * stream.normal();
    scouts.push_back({a, least + (most - least) * stream.uniform()});
  }
  const Simulate simulate = [](const std::vector<Inputs>& inputs) {
    std::vector<std::vector<double>> out;
    for (const Inputs& x : inputs) out.push_back({0, x[0] + x[1]});
    return out;
  };
  InputIntegral integral(NoiseDensity(times, measured), simulate, {false, true}, scouts, density(200, 80));
  // The sum of a normal and a uniform number has the density (Φ((s − least − m)/σ) − Φ((s − most − m)/σ))/(most − least); the noise adds to σ².
  const auto exact = [&](double mean, double std) {
    double sum = 0;
    const double sigma = std::hypot(std, noise) * std::numbers::sqrt2;
    for (const double s : sums) sum += std::log(std::erf((s - least - mean) / sigma) - std::erf((s - most - mean) / sigma));
    return sum;
  };
  const std::vector<std::pair<double, double>> all = {{200, 20}, {190, 20}, {210, 25}, {200, 12}, {200, 38}};
  std::vector<LogInputDensity> densities;
  for (const auto& [mean, std] : all) densities.push_back(density(mean, std));
  const auto largest_error = [&] {
    double largest = 0;
    for (const LogInputDensity& p : densities) largest = std::max(largest, integral.error_of_difference(p, densities[0]));
    return largest;
  };
  for (int round = 0; round < 3 && largest_error() > 0.1; ++round) integral.refine(densities);  // as identification does
  EXPECT_LE(largest_error(), 0.15);  // half of what is told beside intervals: the other half is the surrogate's
  EXPECT_LT(integral.simulations(), 2000 + 15 * 2500);
  for (std::size_t k = 1; k < all.size(); ++k) {
    const double found = integral.log_likelihood(densities[k]) - integral.log_likelihood(densities[0]);
    EXPECT_NEAR(found, exact(all[k].first, all[k].second) - exact(200, 20), 4 * 0.15) << k;  // four stated errors
  }
}

// A phase ωt: far from the true frequency there are minima everywhere, and the peak is a thousandth of the range.
TEST(InputIntegral, finds_the_peak_among_others) {
  std::vector<double> times;
  for (int t = 0; t < 100; ++t) times.push_back(0.1 * t);
  results::Measurements measured{{"x"}, {0.02}, {}};
  std::vector<double> frequencies;
  for (std::uint64_t k = 0; k < 5; ++k) {
    Stream stream(3, k, 0);
    results::Specimen s{"s", times, {}};
    const double w = 5 * std::exp(0.1 * stream.normal());
    frequencies.push_back(w);
    for (const double t : times) s.values.push_back(std::cos(w * t) + 0.02 * stream.normal());
    measured.specimens.push_back(s);
  }
  const auto lognormal = [](double m, double s) {
    return LogInputDensity([=](const Inputs& x) { return log_normal_density(std::log(x[0]), m, s) - std::log(x[0]); });
  };
  std::vector<Inputs> scouts;
  for (std::uint64_t k = 0; k < 2000; ++k) {
    Stream stream(4, k, 0);
    scouts.push_back({std::exp(1.6 + 0.7 * stream.normal())});
  }
  const NoiseDensity noise(times, measured);
  const Simulate simulate = [&](const std::vector<Inputs>& inputs) {
    std::vector<std::vector<double>> out;
    for (const Inputs& x : inputs) {
      out.emplace_back();
      if (x[0] < 30)  // beyond, the simulation fails
        for (const double t : times) out.back().push_back(std::cos(x[0] * t));
    }
    return out;
  };
  const InputIntegral integral(noise, simulate, {true}, scouts, lognormal(1.6, 0.7));
  for (int k = 0; k < 5; ++k)
    EXPECT_NEAR(integral.misfits()[std::size_t(k)] / 100, 1, 0.6) << k;  // χ²₉₉ / 100: four deviations of 0.14
  // the same by the trapezoidal rule, forty standard deviations of 5e-4 to both sides in steps of a tenth of one
  const auto exact = [&](double m, double s) {
    double sum = 0;
    for (int k = 0; k < 5; ++k) {
      double total = 0;
      for (int i = -400; i <= 400; ++i) {
        const double w = frequencies[std::size_t(k)] + 5e-5 * i;
        total += std::exp(noise.log_density(k, simulate({{w}})[0], -1e300) + log_normal_density(std::log(w), m, s) - std::log(w));
      }
      sum += std::log(total);
    }
    return sum;
  };
  const double found = integral.log_likelihood(lognormal(1.6, 0.1)) - integral.log_likelihood(lognormal(1.5, 0.2));
  // 256 points of an even sequence: the stated error is a bound
  EXPECT_NEAR(found, exact(1.6, 0.1) - exact(1.5, 0.2), 0.02);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::inference
