// Subset simulation on problems in closed form. Estimates are random: fixed seeds, and within three of the standard errors that are stated.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "reliability/harvest.hpp"
#include "reliability/methods.hpp"
#include "reliability/subset_answer.hpp"
#include "support/reliability_problems.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

using namespace reliability;
using test::FailureProblem;

struct Answer {
  results::Reliability found;
  Harvest harvest;
  const results::Reliability::Probability& any() const { return found.of.back(); }
  bool doubts(const std::string& words) const {
    for (const std::string& d : found.doubts)
      if (d.find(words) != std::string::npos) return true;
    return false;
  }
};

Answer solve(const FailureProblem& problem, const Settings& settings = {}, std::uint64_t seed = 1) {
  Space space;
  space.dimension = problem.dimension;
  space.named = problem.named;
  space.limits = 1;
  space.seed = seed;
  Answer answer;
  run(subset_simulation(space, settings, answer.found, answer.harvest), [&](const Point& p) {
    return Response{{problem.excess(p.u)}, {}};
  });
  return answer;
}

FailureProblem problem_of(std::size_t dimension, std::function<double(const std::vector<double>&)> excess) {
  return {"", dimension, dimension, 0, std::move(excess)};
}

void expect_right(const FailureProblem& problem) {
  const Answer a = solve(problem);
  EXPECT_NEAR(a.any().probability, problem.probability, 3 * a.any().cov * a.any().probability) << problem.name;
  EXPECT_LT(a.any().cov, 0.6) << problem.name;
  EXPECT_LT(a.any().lower, a.any().probability);
  EXPECT_GT(a.any().upper, a.any().probability);
}

TEST(SubsetSimulation, OscillatorUnderWhiteNoise) {
  expect_right(test::oscillator(1.2, 1.782e-1));
  expect_right(test::oscillator(1.6, 8.45e-3));
  expect_right(test::oscillator(2.1, 3.502e-5));
}

TEST(SubsetSimulation, Pulse) {
  expect_right(test::pulse(1, 0.2, 2.86e-2));
  expect_right(test::pulse(0.6, 0.1, 9.147e-6));
}

TEST(SubsetSimulation, SecondaryOscillator) {
  expect_right(test::secondary_oscillator(15, 4.774e-3));
  expect_right(test::secondary_oscillator(21.5, 4.436e-5));
}

TEST(SubsetSimulation, BlackBoxes) {
  for (const FailureProblem& p : test::black_boxes()) expect_right(p);
}

// 1.27e-10 in 1000 dimensions; with the default of 1000 samples per level the error is some 60 %.
TEST(SubsetSimulation, VeryRareInAThousandDimensions) {
  Settings settings;
  settings.samples = 4000;
  const FailureProblem p = test::plane(1000, 6.3246, false);
  const Answer a = solve(p, settings);
  EXPECT_NEAR(a.any().probability, p.probability, 0.5 * p.probability);
}

TEST(SubsetSimulation, AsManySetsAsAccuracyNeeds) {
  Settings settings;
  settings.accuracy = 0.1;
  const FailureProblem p = test::pulse(0.6, 0.1, 9.147e-6);
  const Answer a = solve(p, settings);
  EXPECT_LE(a.any().cov, 0.1);
  EXPECT_NEAR(a.any().probability, p.probability, 0.3 * p.probability);
  EXPECT_GT(a.found.sets.size(), 20U);
  settings.most = 8000;
  const Answer stopped = solve(p, settings);
  EXPECT_LE(stopped.found.simulations, 8000);
  EXPECT_TRUE(stopped.doubts("The accuracy of 10 % is not reached"));
}

TEST(SubsetSimulation, TheHarvestIsASampleOfTheLaw) {
  const Answer a = solve(test::plane(3, 4, true));
  double sum = 0, above_two = 0, failing = 0;
  for (const Harvest::Member& m : a.harvest.members) {
    sum += m.weight;
    above_two += m.weight * (m.excess[0] + 4 > 2);
    failing += m.weight * (m.excess[0] > 0);
  }
  EXPECT_NEAR(sum, 1, 1e-12);
  EXPECT_NEAR(above_two, 0.02275, 0.4 * 0.02275);  // three standard errors of some 13 %
  EXPECT_NEAR(failing, a.any().probability, 1e-12 * failing);
}

TEST(SubsetSimulation, EqualAnswersEqualQuestions) {
  const Answer a = solve(test::plane(4, 3, true)), b = solve(test::plane(4, 3, true)), c = solve(test::plane(4, 3, true), {}, 2);
  EXPECT_EQ(a.any().probability, b.any().probability);
  EXPECT_EQ(a.harvest.members.back().point.u, b.harvest.members.back().point.u);
  EXPECT_NE(a.any().probability, c.any().probability);
}

TEST(SubsetSimulation, OfEachLimit) {
  Space space;
  space.dimension = space.named = 2;
  space.limits = 3;
  Answer a;
  run(subset_simulation(space, {}, a.found, a.harvest), [](const Point& p) {
    return Response{{p.u[0] - 3, p.u[1] - 3, -1.0}, {}};
  });
  ASSERT_EQ(a.found.of.size(), 4U);
  const double each = 1.35e-3;
  EXPECT_NEAR(a.found.of[0].probability, each, 3 * a.found.of[0].cov * each);
  EXPECT_NEAR(a.found.of[1].probability, each, 3 * a.found.of[1].cov * each);
  EXPECT_EQ(a.found.of[2].probability, 0);  // never passed: a bound alone
  EXPECT_GT(a.found.of[2].upper, 0);
  EXPECT_LT(a.found.of[2].upper, a.any().probability);
  EXPECT_NEAR(a.any().probability, 2 * each, 3 * a.any().cov * 2 * each);
}

// --- traps ---

TEST(SubsetSimulation, BreitungsCounterexampleIsDoubted) {
  const FailureProblem p = test::breitung();
  expect_right(p);
  EXPECT_TRUE(solve(p).doubts("small differences chose the way"));
}

// The likely branch is seldom found. Either it is missed by all sets, which the pace of levels shows, or some find it, and they differ.
TEST(SubsetSimulation, AMisleadingStartIsNoticed) {
  const FailureProblem p = test::misleading_start();
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Answer a = solve(p, {}, seed);
    EXPECT_FALSE(a.found.doubts.empty()) << seed << ": " << a.any().probability;
  }
}

TEST(SubsetSimulation, SetsThatDifferAreNoticed) {
  EXPECT_LT(agreement_of({3e-5, 3e-7, 3e-7, 3e-7}, 0.7), 0.01);
  EXPECT_LT(agreement_of({3e-5, 2e-5, 3e-5, 1e-7}, 0.7), 0.02);
  EXPECT_GT(agreement_of({3e-5, 2e-5, 1e-5, 4e-5}, 0.7), 0.1);
  EXPECT_EQ(agreement_of({1e-5}, 0.7), 1);
}

// --- what is no rare event ---

TEST(SubsetSimulation, ALikelyFailureIsPlainMonteCarlo) {
  const Answer a = solve(problem_of(1, [](const auto& u) { return u[0] + 0.5; }));
  EXPECT_EQ(a.found.simulations, 1000);
  EXPECT_NEAR(a.any().probability, 0.6915, 0.045);
  EXPECT_NEAR(a.any().cov, std::sqrt((1 - 0.69) / 0.69 / 1000), 2e-3);
  EXPECT_TRUE(a.found.doubts.empty());
}

TEST(SubsetSimulation, AlwaysExceeded) {
  const Answer a = solve(problem_of(1, [](const auto&) { return 1.0; }));
  EXPECT_EQ(a.any().probability, 1);
  EXPECT_EQ(a.any().upper, 1);
  EXPECT_NEAR(a.any().lower, std::pow(0.025, 1e-3), 1e-9);  // Clopper and Pearson
  EXPECT_EQ(a.any().cov, 0);
  EXPECT_TRUE(a.found.doubts.empty());
}

TEST(SubsetSimulation, NeverReached) {
  const Answer a = solve(problem_of(1, [](const auto& u) { return std::tanh(u[0]) - 2; }));
  EXPECT_EQ(a.any().probability, 0);
  EXPECT_LT(a.any().upper, 1e-9);
  EXPECT_TRUE(a.doubts("No realization failed: the probability is below"));
  EXPECT_TRUE(a.doubts("keep 1 from the limit"));
}

TEST(SubsetSimulation, AConstantResponse) {
  const Answer a = solve(problem_of(1, [](const auto&) { return -1.0; }));
  EXPECT_EQ(a.found.simulations, 1000);
  EXPECT_EQ(a.any().probability, 0);
  EXPECT_NEAR(a.any().upper, 1 - std::pow(0.025, 1e-3), 1e-9);
  EXPECT_TRUE(a.doubts("100 % of the realizations of level 1 are equally far from the limit"));
}

TEST(SubsetSimulation, APlateauBeforeTheLimit) {
  const Answer a = solve(problem_of(2, [](const auto& u) { return u[0] > 5 ? 1.0 : std::min(u[0], 1.5) - 3; }));
  EXPECT_EQ(a.any().probability, 0);
  EXPECT_TRUE(a.doubts("are equally far from the limit (-1.5) and none is nearer"));
}

TEST(SubsetSimulation, AResponseInSteps) {
  const Answer a = solve(problem_of(2, [](const auto& u) { return std::floor(2 * u[0]) / 2 - 3.4; }));  // fails beyond 3.5
  EXPECT_NEAR(a.any().probability, 2.326e-4, 3 * a.any().cov * 2.326e-4);
}

TEST(SubsetSimulation, FailedSimulationsAreCounted) {
  Space space;
  space.dimension = space.named = 2;
  space.limits = 1;
  Answer a;
  run(subset_simulation(space, {}, a.found, a.harvest), [](const Point& p) {
    return p.u[1] > 1.5 ? Response{} : Response{{p.u[0] - 3.5}, {}};
  });
  EXPECT_GT(a.found.failed, 50);
  EXPECT_TRUE(a.doubts("simulations failed. They count as not passing a limit"));
  EXPECT_THROW(run(subset_simulation(space, {}, a.found, a.harvest), [](const Point&) { return Response{}; }),
               std::runtime_error);
  space.limits = 0;
  EXPECT_THROW(run(subset_simulation(space, {}, a.found, a.harvest), [](const Point&) { return Response{}; }),
               std::invalid_argument);
}

// What is drawn by rejection has no normal numbers behind it: the stream alone decides.
TEST(SubsetSimulation, StreamsAreDrawnAnew) {
  Space space;
  space.limits = 1;
  space.streams = true;
  Answer a;
  run(subset_simulation(space, {}, a.found, a.harvest), [](const Point& p) {
    const double mixed = std::fmod(static_cast<double>(p.stream % 100003) * 0.6180339887498949, 1.0);
    return Response{{mixed - 0.995}, {}};
  });
  EXPECT_NEAR(a.any().probability, 0.005, 3 * a.any().cov * 0.005);
}

TEST(SubsetSimulation, DiscreteCoordinatesAreDrawnAnew) {
  Space space;
  space.dimension = space.named = 2;
  space.limits = 1;
  space.discrete = {1};
  Answer a;
  run(subset_simulation(space, {}, a.found, a.harvest),  // one of two records, with the same probability
      [](const Point& p) {
        return Response{{p.u[0] - (p.u[1] > 0 ? 3 : 4)}, {}};
      });
  EXPECT_NEAR(a.any().probability, 6.908e-4, 3 * a.any().cov * 6.908e-4);
}

TEST(SubsetSimulation, Thresholds) {
  const Threshold plain = next_threshold({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 2);
  EXPECT_EQ(plain.value, 8.5);
  EXPECT_EQ(plain.above, 2);
  const Threshold steps = next_threshold({1, 1, 1, 1, 1, 1, 2, 2, 2, 3}, 2);
  EXPECT_EQ(steps.value, 1.5);
  EXPECT_EQ(steps.above, 4);
  const Threshold few = next_threshold({1, 1, 1, 1, 1, 1, 1, 1, 1, 3}, 2);
  EXPECT_EQ(few.value, 1);
  EXPECT_EQ(few.above, 1);
  const Threshold none = next_threshold({0, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 2);
  EXPECT_EQ(none.above, 0);
  EXPECT_EQ(none.equal, 9);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
