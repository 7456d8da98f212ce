// Realization k is the same whoever computes it: any number of threads, alone, continued, with more to come.
#include <gtest/gtest.h>

#include "ensemble/ensemble.hpp"
#include "support/in_lanes.hpp"
#include "support/model_text.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const Model& five_body() {
  static const Model m = model_from(coarse_five_body());
  return m;
}

std::vector<SimulatedRow> rows(const Model& model, const Plan& plan, EnsembleOptions options, Isa isa = best_isa()) {
  const RandomModel random(model);
  std::vector<SimulatedRow> out;
  Ensemble(model, random, plan, 3, isa).run(options, [&](SimulatedRow&& r) { out.push_back(std::move(r)); });
  return out;
}

void expect_same(const SimulatedRow& a, const SimulatedRow& b) {
  EXPECT_EQ(a.row, b.row);
  EXPECT_EQ(a.ok, b.ok);
  EXPECT_EQ(a.sample, b.sample);  // bitwise
  EXPECT_EQ(a.values, b.values);
}

TEST(Ensemble, the_same_on_any_number_of_threads_and_in_order) {
  const Plan plan{23, 0};
  const std::vector<SimulatedRow> one = rows(five_body(), plan, {.threads = 1}), many = rows(five_body(), plan, {.threads = 5});
  ASSERT_EQ(one.size(), 23u);
  ASSERT_EQ(many.size(), 23u);
  for (size_t k = 0; k < one.size(); ++k) {
    EXPECT_EQ(one[k].row, long(k));
    EXPECT_TRUE(one[k].ok) << one[k].why;
    expect_same(one[k], many[k]);
  }
}

TEST(Ensemble, the_same_alone_continued_and_with_more_to_come) {
  const RandomModel random(five_body());
  const std::vector<SimulatedRow> all = rows(five_body(), {20, 0}, {.threads = 2});
  const std::vector<SimulatedRow> end = rows(five_body(), {20, 0}, {.threads = 2, .first_row = 13});
  const std::vector<SimulatedRow> more = rows(five_body(), {30, 0}, {.threads = 2});
  ASSERT_EQ(end.size(), 7u);
  for (size_t k = 0; k < end.size(); ++k) expect_same(end[k], all[k + 13]);
  for (size_t k = 0; k < all.size(); ++k) expect_same(all[k], more[k]);
  expect_same(Ensemble(five_body(), random, {20, 0}, 3).row(7), all[7]);
}

// Rows share lanes with other rows when a study begins elsewhere: their numbers do not change.
TEST(Ensemble, the_same_wherever_it_begins_on_every_instruction_set) {
  for (const Isa isa : available_isas())
    for (const char* integrator : {"runge-kutta", "generalized-alpha"}) {
      SCOPED_TRACE(std::string(name(isa)) + ", " + integrator);
      Model model = five_body();
      model.settings.integrator = integrator;
      const std::vector<SimulatedRow> all = rows(model, {19, 0}, {.threads = 1}, isa);
      ASSERT_EQ(all.size(), 19u);
      for (const int threads : {1, 3})
        for (const long first : {1, 6, 13, 18}) {
          const std::vector<SimulatedRow> some = rows(model, {19, 0}, {.threads = threads, .first_row = first}, isa);
          ASSERT_EQ(some.size(), size_t(19 - first));
          for (size_t k = 0; k < some.size(); ++k) expect_same(some[k], all[size_t(first) + k]);
        }
    }
}

// With shares of G causes every realization has 2 + G rows: as without shares, all from the second replicate, then one cause
// at a time from the second.
TEST(Ensemble, rows_of_variance_shares) {
  const RandomModel random(five_body());
  const int groups = int(random.groups().size());
  ASSERT_EQ(groups, 3);
  const Plan plan{4, groups};
  EXPECT_EQ(plan.rows(), 20);
  const std::vector<SimulatedRow> shares = rows(five_body(), plan, {.threads = 2}),
                                  plain = rows(five_body(), {4, 0}, {.threads = 2});
  for (size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(shares[5 * k].values, plain[k].values);
    const auto &a = shares[5 * k].sample, &b = shares[5 * k + 1].sample, &mass = shares[5 * k + 2].sample,
               &center = shares[5 * k + 3].sample, &inertia = shares[5 * k + 4].sample;
    EXPECT_EQ(mass[0], b[0]);
    EXPECT_EQ(mass[1], a[1]);
    EXPECT_NEAR(mass[4] / mass[0], a[4] / a[0], 1e-12);  // J is M times what is a's
    EXPECT_EQ(center[0], a[0]);
    EXPECT_EQ(center[2], b[2]);
    EXPECT_EQ(center[5], a[5]);
    EXPECT_EQ(inertia[0], a[0]);
    EXPECT_EQ(inertia[3], a[3]);
    EXPECT_NEAR(inertia[4] / a[0], b[4] / b[0], 1e-12);
  }
}

TEST(Ensemble, stops_without_gaps_when_told) {
  std::atomic<bool> stop{false};
  const RandomModel random(five_body());
  std::vector<long> seen;
  const long next = Ensemble(five_body(), random, {100000, 0}, 3).run({.threads = 3, .stop = &stop}, [&](SimulatedRow&& r) {
    seen.push_back(r.row);
    if (r.row == 10) stop = true;
  });
  ASSERT_GE(seen.size(), 11u);
  EXPECT_LT(seen.size(), 200u);
  EXPECT_EQ(next, long(seen.size()));
  for (size_t k = 0; k < seen.size(); ++k) EXPECT_EQ(seen[k], long(k));
}

// A mass that may be negative is no mechanism: that realization is reported with its sample, the others go on.
TEST(Ensemble, a_failed_realization_is_delivered_with_its_reason) {
  const Model m = model_from(
      "parameters: {m: 1}\nbodies:\n  a: {shape: {box: [1, 1, 1]}, mass: m}\n"
      "outputs:\n  x: {position: a, component: x}\nsimulation: {duration: 0.1, step: 1e-2}\n"
      "uncertain:\n  m: {uniform: {lower: -1, upper: 3}}\n");
  const std::vector<SimulatedRow> r = rows(m, {40, 0}, {.threads = 2});
  ASSERT_EQ(r.size(), 40u);
  int failed = 0;
  for (const SimulatedRow& x : r) {
    ASSERT_EQ(x.sample.size(), 1u);
    EXPECT_EQ(x.ok, x.sample[0] >= 0) << x.why;
    if (x.ok) continue;
    ++failed;
    EXPECT_NE(x.why.find("'mass' may not be negative"), std::string::npos) << x.why;
    EXPECT_TRUE(x.values.empty());
  }
  EXPECT_GT(failed, 2);
}

// Squares of squares of such numbers are not finite, and statistics would not be.
TEST(Ensemble, an_output_too_large_for_statistics_is_a_failure) {
  const std::string text =
      "parameters: {m: 1}\nbodies:\n  a: {shape: {box: [1, 1, 1]}, mass: m}\n"
      "outputs:\n  x: {position: a, at: [FAR, 0, 0], component: x}\nsimulation: {duration: 0.1, step: 1e-2}\n"
      "uncertain:\n  m: {uniform: {lower: 1, upper: 3}}\n";
  for (const SimulatedRow& r : rows(model_from(replaced(text, "FAR", "9e59")), {3, 0}, {.threads = 1}))
    EXPECT_TRUE(r.ok) << r.why;
  for (const SimulatedRow& r : rows(model_from(replaced(text, "FAR", "-2e60")), {3, 0}, {.threads = 1})) {
    EXPECT_FALSE(r.ok);
    EXPECT_EQ(r.why, "an output is larger than 1e60");
    EXPECT_TRUE(r.values.empty());
  }
}

// What is drawn stays where it is when the centre of mass moves: at t = 0 the frames of all realizations are the nominal ones.
TEST(Ensemble, poses_are_those_of_the_body_as_drawn) {
  const std::vector<SimulatedRow> r = rows(five_body(), {3, 0}, {.threads = 1, .poses_of = 2});
  EXPECT_TRUE(r[2].poses.empty());
  for (int k = 0; k < 2; ++k)
    for (int i = 0; i < 35; ++i) EXPECT_NEAR(r[k].poses[i], five_body().nominal.positions[i], 1e-12);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
