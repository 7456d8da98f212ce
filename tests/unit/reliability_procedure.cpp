// Procedures that wait for others, and studies in parts: answers of the parts, in the order in which the joined study asks for them, are those it would have got.
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "reliability/harvest.hpp"
#include "reliability/methods.hpp"
#include "support/message_of.hpp"
#include "support/reliability_problems.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

using namespace reliability;

std::vector<Point> point_at(double u) { return std::vector<Point>(1, Point{std::vector<double>(1, u), 0}); }

Procedure asked(double u, double& answer) {
  if (u > 2) throw std::invalid_argument("too far");
  const std::vector<Response> y = co_await ask(point_at(u), "inner");
  answer = y[0].excess[0];
}
Procedure nothing() { co_return; }
Procedure sums(double from, double& sum) {
  co_await nothing();
  for (double u = from; u < from + 3; ++u) {
    double one = 0;
    co_await asked(u, one);
    sum += one;
  }
  const std::vector<Response> y = co_await ask(point_at(10), "outer");
  sum += y[0].excess[0];
}
Procedure twice(double from, double& sum) {
  co_await sums(from, sum);
  co_await sums(from, sum);
}

TEST(Procedure, waits_for_others) {
  double sum = 0;
  Procedure p = twice(0, sum);
  EXPECT_EQ(p.request().phase, "inner");
  run(std::move(p), [](const Point& q) { return Response{{2 * q.u[0]}, {}}; });
  EXPECT_EQ(sum, 2 * 2 * (0 + 1 + 2 + 10));
}

TEST(Procedure, throws_what_another_threw) {
  double sum = 0;
  EXPECT_EQ(test::message_of<std::invalid_argument>([&] {
              run(twice(1, sum), [](const Point& q) { return Response{{q.u[0]}, {}}; });
            }),
            "too far");
  EXPECT_EQ(sum, 1 + 2);
}

using Method = Procedure (*)(Space, Settings, results::Reliability&, Harvest&);
Procedure important(Space space, Settings settings, results::Reliability& found, Harvest& harvest) {
  return importance_sampling(std::move(space), settings, {}, found, harvest);
}

// What each part simulates, in its order; then the joined study asks, and is answered from there.
void expect_joined(Method method, long parts, std::size_t sets) {
  const test::FailureProblem problem = test::plane(3, 3.5, true);
  Space space;
  space.dimension = space.named = 3;
  space.limits = 1;
  Settings settings;
  settings.samples = 1200;
  std::vector<std::vector<Point>> simulated(static_cast<std::size_t>(parts));
  const auto respond = [&](const Point& p) { return Response{{problem.excess(p.u)}, {}}; };
  for (long k = 0; k < parts; ++k) {
    settings.share = {k, parts};
    results::Reliability found;
    Harvest harvest;
    run(method(space, settings, found, harvest), [&](const Point& p) {
      simulated[static_cast<std::size_t>(k)].push_back(p);
      return respond(p);
    });
  }
  settings.share = {-1, parts};
  results::Reliability found;
  Harvest harvest;
  Procedure joined = method(space, settings, found, harvest);
  std::vector<std::size_t> next(simulated.size(), 0);
  while (!joined.done()) {
    const Request request = joined.request();
    std::size_t point = 0;
    const auto expect_next = [&](std::size_t part) {
      ASSERT_LT(next[part], simulated[part].size());
      EXPECT_EQ(simulated[part][next[part]++].u, request.points[point].u);
    };
    if (request.of_parts.empty()) {
      for (; point < request.points.size(); ++point)
        for (std::size_t part = 0; part < simulated.size(); ++part) expect_next(part);
    } else {
      for (std::size_t part = 0; part < simulated.size(); ++part)
        for (long k = 0; k < request.of_parts[part]; ++k, ++point) expect_next(part);
    }
    EXPECT_EQ(point, request.points.size());
    std::vector<Response> y;
    for (const Point& p : request.points) y.push_back(respond(p));
    joined.answer(std::move(y));
  }
  for (std::size_t part = 0; part < simulated.size(); ++part) EXPECT_EQ(next[part], simulated[part].size());
  EXPECT_NEAR(found.of.back().probability, problem.probability, 3 * found.of.back().cov * found.of.back().probability);
  if (sets > 0) {
    EXPECT_EQ(found.sets.size(), sets);
  }
}

TEST(Procedure, subset_simulation_in_parts) {
  expect_joined(subset_simulation, 4, 4);
  expect_joined(subset_simulation, 3, 4);
  expect_joined(subset_simulation, 7, 7);
}
TEST(Procedure, importance_sampling_in_parts) { expect_joined(important, 3, 0); }
TEST(Procedure, enhanced_monte_carlo_in_parts) {
  expect_joined([](Space space, Settings settings, results::Reliability& found,
                   Harvest& harvest) { return enhanced_monte_carlo(std::move(space), settings, found, harvest); },
                3, 0);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
