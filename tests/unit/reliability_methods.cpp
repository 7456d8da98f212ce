// FORM, SORM, importance sampling, line sampling and enhanced Monte Carlo on problems in closed form. Estimates are random: fixed seeds, and within three of the
// standard errors that are stated.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "reliability/curvature.hpp"
#include "reliability/harvest.hpp"
#include "reliability/linearised.hpp"
#include "reliability/methods.hpp"
#include "reliability/normal_law.hpp"
#include "reliability/tail_fit.hpp"
#include "support/message_of.hpp"
#include "support/reliability_problems.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

using namespace reliability;
using test::FailureProblem;
using Method = Procedure (*)(Space, Settings, results::Reliability&, Harvest&);
using Normals = std::vector<double>;

struct Solved {
  results::Reliability found;
  Harvest harvest;
  const results::Reliability::Probability& any() const { return found.of.back(); }
};

Procedure important(Space space, Settings settings, results::Reliability& found, Harvest& harvest) {
  return importance_sampling(std::move(space), settings, {}, found, harvest);
}

Space space_of(std::size_t dimension, std::size_t limits) {
  Space space;
  space.dimension = space.named = dimension;
  space.limits = limits;
  return space;
}

Solved solve_by(Method method, const FailureProblem& problem, long samples = 1000) {
  Solved s;
  Settings settings;
  settings.samples = samples;
  run(method(space_of(problem.dimension, 1), settings, s.found, s.harvest), [&](const Point& p) {
    return Response{{problem.excess(p.u)}, {}};
  });
  return s;
}

// Within three stated errors; 2 % besides, for what is not error of sampling.
void expect_by(Method method, const FailureProblem& problem, double most_cov, long samples = 1000) {
  const Solved s = solve_by(method, problem, samples);
  EXPECT_NEAR(s.any().probability, problem.probability, (3 * s.any().cov + 0.02) * s.any().probability) << problem.name;
  EXPECT_LT(s.any().cov, most_cov) << problem.name;
  double failing = 0;
  for (const auto& m : s.harvest.members) failing += m.excess[0] > 0 ? m.weight : 0;
  EXPECT_NEAR(failing, s.any().probability, 0.5 * s.any().probability) << problem.name;
}

const FailureProblem& black_box(const std::string& name) {
  static const std::vector<FailureProblem> all = test::black_boxes();
  return *std::find_if(all.begin(), all.end(), [&](const FailureProblem& p) { return p.name == name; });
}

TEST(Form, DesignPointOfAPlane) {
  const Solved s = solve_by(form, test::plane(10, 5, true));
  EXPECT_NEAR(s.found.design_points.at(0).beta, 5, 1e-6);
  for (const double share : s.found.design_points[0].importance) EXPECT_NEAR(share, 0.1, 1e-6);
  EXPECT_NEAR(s.any().probability, normal_tail(5), 1e-5 * normal_tail(5));
  EXPECT_TRUE(s.found.doubts.empty());
}

TEST(Form, OriginMayFail) {
  const Solved s = solve_by(form, test::plane(3, -1, true));
  EXPECT_NEAR(s.found.design_points.at(0).beta, -1, 1e-6);
  EXPECT_NEAR(s.any().probability, normal_tail(-1), 1e-6);
}

TEST(Form, Pulse) {
  const Solved often = solve_by(form, test::pulse(1, 0.2, 2.860e-2)), rare = solve_by(form, test::pulse(0.6, 0.1, 9.147e-6));
  EXPECT_NEAR(often.any().probability, 2.860e-2, 0.15 * 2.860e-2);  // of first order
  EXPECT_NEAR(rare.any().probability, 9.147e-6, 0.15 * 9.147e-6);
  EXPECT_TRUE(rare.found.doubts.empty());
}

// Where it is wrong, it says so.
TEST(Form, SaysWhereItIsDoubtful) {
  const FailureProblem secondary[] = {test::secondary_oscillator(15, 4.774e-3), test::secondary_oscillator(21.5, 4.436e-5)};
  for (const FailureProblem& p : {secondary[0], secondary[1], black_box("RP24"), black_box("RP25"), black_box("RP31"),
                                  black_box("RP53"), black_box("RP54")}) {
    const Solved s = solve_by(form, p);
    const bool said = std::any_of(s.found.doubts.begin(), s.found.doubts.end(),
                                  [](const std::string& d) { return d.find("is doubtful") != std::string::npos; });
    EXPECT_TRUE(said) << p.name << ' ' << s.any().probability;
  }
}

// Two sides of one number: each limit its own design point, and their union.
TEST(Form, UnionOfLimits) {
  Solved s;
  run(form(space_of(2, 2), {}, s.found, s.harvest), [](const Point& p) { return Response{{p.u[0] - 3, -p.u[0] - 3.5}, {}}; });
  ASSERT_EQ(s.found.of.size(), 3u);
  EXPECT_NEAR(s.found.of[0].probability / normal_tail(3), 1, 1e-3);
  EXPECT_NEAR(s.found.of[1].probability / normal_tail(3.5), 1, 1e-3);
  EXPECT_NEAR(s.any().probability / (normal_tail(3) + normal_tail(3.5)), 1, 0.02);  // sampled
}

TEST(Form, FindsBothSidesOfOneLimit) {
  const FailureProblem both{"both sides", 2, 2, 2 * normal_tail(3), [](const Normals& u) { return std::abs(u[0] + 0.1) - 3; }};
  const Solved s = solve_by(form, both);
  EXPECT_EQ(s.found.design_points.size(), 2u);
  EXPECT_NEAR(s.any().probability, normal_tail(2.9) + normal_tail(3.1), 0.02 * normal_tail(2.9));
}

std::string message_by(Method method, const Space& space, const FailureProblem& problem) {
  Solved s;
  return test::message_of<std::invalid_argument>([&] {
    run(method(space, {}, s.found, s.harvest), [&](const Point& p) { return Response{{problem.excess(p.u)}, {}}; });
  });
}

TEST(Form, RefusesWithARemedy) {
  Space space = space_of(2, 1);
  const FailureProblem flat{"flat", 2, 2, 0, [](const Normals&) { return -1.0; }};
  EXPECT_NE(message_by(form, space, flat).find("limit #0 does not depend on any random quantity"), std::string::npos)
      << message_by(form, space, flat);
  space.discrete = {1};
  EXPECT_NE(message_by(form, space, flat).find("coordinate #1 takes single values only: use subset-simulation"),
            std::string::npos);
  EXPECT_NE(message_by(form, space_of(1500, 1), flat).find("has 1500 random numbers"), std::string::npos);
  EXPECT_NE(message_by(sorm, space_of(100, 1), flat).find("at most 60"), std::string::npos);
  EXPECT_NE(message_by(important, space_of(1500, 1), flat).find("use subset-simulation"), std::string::npos);
}

TEST(Form, UnionOfHalfSpaces) {
  const double p = probability_of_union({{{1, 0}, 2}, {{0, 1}, 2}}, 1), one = normal_tail(2);
  EXPECT_NEAR(p, 2 * one - one * one, 0.01 * p);
  EXPECT_NEAR(probability_of_union({{{1, 0}, 2}, {{1, 0}, 2}}, 1), one, 1e-12);
}

// A sphere about the origin, as seen by a paraboloid; and one dimension, in which a paraboloid is an integral of normal densities.
TEST(Sorm, TvedtIsExactForAParaboloid) {
  for (const double k : {0.3, -0.1}) {
    double exact = 0;
    for (double y = -12; y < 12; y += 1e-3) exact += 1e-3 * normal_density(y) * normal_tail(3 + 0.5 * k * y * y);
    EXPECT_NEAR(tvedt(3, {k}) / exact, 1, 1e-6) << k;
    EXPECT_NEAR(hohenbichler_rackwitz(3, {k}) / exact, 1, 0.1) << k;
  }
  EXPECT_NEAR(tvedt(-1, {}), normal_tail(-1), 1e-9);
}

TEST(Sorm, CurvaturesAndProbability) {
  const Solved s = solve_by(sorm, black_box("RP22"));  // 0.1 (u1 − u2)² = 0.2 y²
  ASSERT_EQ(s.found.design_points.at(0).curvatures.size(), 1u);
  EXPECT_NEAR(s.found.design_points[0].curvatures[0], 0.4, 1e-3);
  EXPECT_NEAR(s.any().probability, 4.2073e-3, 1e-3 * 4.2073e-3);
  EXPECT_NEAR(solve_by(sorm, test::pulse(0.6, 0.1, 0)).any().probability, 9.147e-6, 0.01 * 9.147e-6);
}

TEST(ImportanceSampling, ProblemsInFewNumbers) {
  expect_by(important, test::pulse(1, 0.2, 2.860e-2), 0.15);
  expect_by(important, test::pulse(0.6, 0.1, 9.147e-6), 0.15);
  expect_by(important, test::secondary_oscillator(15, 4.774e-3), 0.3);
  expect_by(important, test::secondary_oscillator(21.5, 4.436e-5), 0.4);
  for (const FailureProblem& p : test::black_boxes()) expect_by(important, p, 0.4);
  expect_by(important, test::breitung(), 0.15);
}

// Without gradients: what takes single values only.
// Weights have the mean 1: of failures that are not rare it makes the estimate better, and no probability exceeds 1.
TEST(ImportanceSampling, FailuresThatAreNotRare) {
  const FailureProblem often = test::plane(4, -2, true);
  const Solved s = solve_by(important, often);
  EXPECT_NEAR(s.any().probability, 0.97725, 3 * s.any().cov);
  EXPECT_LT(s.any().cov, 0.01);  // without: 0.03
  for (const double p : s.found.sets) EXPECT_LT(p, 1.02);
  const Solved always = solve_by(important, {"", 2, 2, 1, [](const Normals& u) { return 20 + u[0]; }});
  EXPECT_EQ(always.any().probability, 1);
  EXPECT_NEAR(always.any().lower, 0.97, 0.02);
}

TEST(ImportanceSampling, DiscreteNumbers) {
  Space space = space_of(2, 1);
  space.discrete = {1};
  Solved s;
  run(important(space, {}, s.found, s.harvest), [](const Point& p) { return Response{{p.u[0] + (p.u[1] > 0 ? 1 : 0) - 4}, {}}; });
  const double exact = 0.5 * (normal_tail(4) + normal_tail(3));
  EXPECT_NEAR(s.any().probability, exact, 3 * s.any().cov * s.any().probability);
  EXPECT_LT(s.any().cov, 0.3);
}

TEST(ImportanceSampling, ReachesTheAccuracyAskedFor) {
  Solved s;
  Settings settings;
  settings.accuracy = 0.03;
  const FailureProblem p = test::pulse(0.6, 0.1, 9.147e-6);
  run(important(space_of(6, 1), settings, s.found, s.harvest), [&](const Point& q) { return Response{{p.excess(q.u)}, {}}; });
  EXPECT_LE(s.any().cov, 0.03);
}

TEST(LineSampling, ProblemsInFewNumbers) {
  expect_by(line_sampling, test::pulse(1, 0.2, 2.860e-2), 0.05);
  expect_by(line_sampling, test::pulse(0.6, 0.1, 9.147e-6), 0.05);
  expect_by(line_sampling, test::secondary_oscillator(15, 4.774e-3), 0.3);
  for (const char* name : {"RP22", "RP24", "RP25", "RP53", "RP54", "RP107"}) expect_by(line_sampling, black_box(name), 0.4);
}

// 1.27e-10 in 1000 dimensions, with defaults: one simulation per number, then hardly any. A little curvature is no obstacle.
TEST(ManyNumbers, NearlyLinearLimits) {
  const FailureProblem rare = test::plane(1000, 6.3246, true), process = test::plane(300, 4, false);
  expect_by(important, rare, 0.15);
  expect_by(important, process, 0.15);
  const Solved lines = solve_by(line_sampling, rare, 100);
  EXPECT_NEAR(lines.any().probability, rare.probability, 1e-3 * rare.probability);
  EXPECT_LT(lines.found.simulations, 1200);
  FailureProblem curved = test::plane(300, 4, false);
  const auto linear = curved.excess;
  curved.excess = [linear](const Normals& u) { return linear(u) - 0.01 * (u[0] * u[0] + u[1] * u[1]); };
  const Solved a = solve_by(important, curved), b = solve_by(line_sampling, curved, 100);
  EXPECT_NEAR(a.any().probability, b.any().probability, 3 * std::hypot(a.any().cov, b.any().cov) * b.any().probability);
}

TEST(ManyNumbers, OthersAreRefused) {
  const FailureProblem oscillator = test::oscillator(2.1, 3.5e-5);
  for (const Method method : {Method(important), Method(line_sampling)}) {
    const std::string words = test::message_of<std::invalid_argument>([&] { (void)solve_by(method, oscillator); });
    EXPECT_NE(words.find("limit #0 does not follow the linear part of its excess"), std::string::npos) << words;
    EXPECT_NE(words.find("use subset-simulation"), std::string::npos) << words;
  }
}

TEST(LineSampling, UnionOfLimits) {
  Solved s;
  run(line_sampling(space_of(3, 2), {}, s.found, s.harvest), [](const Point& p) {
    return Response{{p.u[0] - 3, 0.8 * p.u[0] + 0.6 * p.u[1] - 3}, {}};
  });
  const double exact = probability_of_union({{{1, 0}, 3}, {{0.8, 0.6}, 3}}, 7);
  EXPECT_NEAR(s.found.of[0].probability, normal_tail(3), 0.01 * normal_tail(3));
  EXPECT_NEAR(s.any().probability, exact, (3 * s.any().cov + 0.01) * exact);
}

TEST(EnhancedMonteCarlo, TailOfANormalNumber) {
  const Solved s = solve_by(enhanced_monte_carlo, test::plane(2, 3.5, true), 10000);
  EXPECT_NEAR(std::log(s.any().probability / normal_tail(3.5)), 0, 3 * s.any().cov);
  EXPECT_LT(s.any().cov, 1);
  EXPECT_LT(s.any().lower, normal_tail(3.5));
  EXPECT_GT(s.any().upper, normal_tail(3.5));
  ASSERT_EQ(s.found.tails.size(), 2u);
  EXPECT_FALSE(s.found.tails[1].lambda.empty());
}

// Between levels with equal counts the tail is not flat: their difference has an error, too.
TEST(EnhancedMonteCarlo, EqualCountsAreNoConstraint) {
  TailLevels levels;
  levels.n = 2000;
  const auto tail = [](double lambda) { return 0.7 * std::exp(-12 * std::pow(lambda - 0.2, 1.2)); };
  for (int i = 0; i < 24; ++i) {
    levels.lambda.push_back(0.4 + 0.015 * i);
    levels.counts.push_back(std::round(levels.n * tail(levels.lambda.back())));
  }
  levels.counts[22] = levels.counts[21];
  const TailCurve fit = fit_tail(levels);
  ASSERT_TRUE(fit.good);
  EXPECT_LT(fit.misfit, 20);
  EXPECT_NEAR(std::log(fit.at(1) / tail(1)), 0, 0.7);
}

TEST(EnhancedMonteCarlo, RefusesASmallSample) {
  Solved s;
  Settings settings;
  settings.samples = 100;
  EXPECT_NE(test::message_of<std::invalid_argument>([&] {
              (void)enhanced_monte_carlo(space_of(1, 1), settings, s.found, s.harvest).done();
            }).find("at least 500 samples"),
            std::string::npos);
}

// The linear oscillator of Au & Beck with its values, by impulse responses: the recurrence x = 2 e c x₋₁ − e² x₋₂ of a sampled oscillator has the same form, 300 numbers.
TEST(ElementaryEvents, LinearProcess) {
  const std::size_t n = 300;
  const double e = std::exp(-0.02 * 7.85 * 0.1), c = std::cos(7.85 * 0.1), limit = 12;
  const auto respond = [&](const Point& p) {
    Response r;
    double last = 0, before = 0, most = -1e9, least = 1e9;
    for (const double z : p.u) {
      const double x = 2 * e * c * last - e * e * before + z;
      before = last;
      last = x;
      most = std::max(most, x);
      least = std::min(least, x);
      r.values.push_back(x);
    }
    r.excess = {most / limit - 1, -least / limit - 1};
    return r;
  };
  Space space = space_of(n, 2);
  space.named = 0;
  Solved s;
  run(importance_sampling(space, {}, {{0, 1, limit, true}, {0, 1, -limit, false}}, s.found, s.harvest), respond);
  EXPECT_LE(s.any().cov, 0.1);
  EXPECT_LT(s.found.simulations, 500);
  Solved subset;
  Settings settings;
  settings.samples = 2000;
  run(subset_simulation(space, settings, subset.found, subset.harvest), respond);
  EXPECT_NEAR(s.any().probability, subset.any().probability,
              3 * std::hypot(s.any().cov, subset.any().cov) * subset.any().probability);
  double weights = 0;
  for (const auto& m : s.harvest.members) weights += m.weight;
  EXPECT_NEAR(weights, s.any().probability, 1e-9);
  // Not linear: it says so.
  const std::string refused = test::message_of<std::invalid_argument>([&] {
    run(importance_sampling(space, {}, {{0, 1, limit, true}, {0, 1, -limit, false}}, s.found, s.harvest), [&](const Point& p) {
      Response r = respond(p);
      for (double& x : r.values) x += 0.01 * x * x;
      return r;
    });
  });
  EXPECT_NE(refused.find("is not linear"), std::string::npos) << refused;
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
