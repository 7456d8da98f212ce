// Costs and constraints as they are written: their values, and what is said when they are wrong.
#include "optimisation/formula.hpp"
#include "support/message_of.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace aleator::core::optimisation {
namespace ALEATOR_FILE {

using test::message_of;

struct Read {
  std::vector<Statistic> statistics;
  Formula formula;
};

Names names(std::vector<Statistic>& statistics) {
  return {{"k", "rod.mass"}, [](const std::string& name) { return name == "g" ? 9.81 : NAN; }, {"g"}, &statistics};
}

Read read(const std::string& text) {
  Read out;
  out.formula = Formula(text, {4, 11}, names(out.statistics));
  return out;
}

double value(const std::string& text, std::vector<double> statistics = {}) {
  return read(text).formula(std::vector<double>{2.0, 5.0}, statistics);
}

std::string error(const std::string& text) {
  return message_of<input::InputError>([&] { read(text); });
}

TEST(Formula, arithmetic_as_one_learns_it) {
  EXPECT_EQ(value("1 + 2*3"), 7);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("(1 - 4)/2 - 1"), -2.5);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("k*rod.mass + g"), 2 * 5 + 9.81);
  EXPECT_EQ(value("max(k, 3) - min(k, 3) + abs(-1)"), 2);
  EXPECT_EQ(value("sqrt(16) + exp(0) + log(1) + log10(100)"), 7);
  EXPECT_EQ(value("pi"), std::numbers::pi);
  EXPECT_DOUBLE_EQ(value("5 % + 1e-2"), 0.06);
}

TEST(Formula, statistics_are_listed_once) {
  const Read r = read("k + 0.1*std(peak) + std( peak ) + quantile(drift, 0.95)/probability(drift.above)");
  ASSERT_EQ(r.statistics.size(), 3U);
  EXPECT_EQ(r.statistics[0].text(), "std(peak)");
  EXPECT_EQ(r.statistics[1].text(), "quantile(drift, 0.95)");
  EXPECT_EQ(r.statistics[2].text(), "probability(drift.above)");
  EXPECT_EQ(r.statistics[0].at.column, 11 + 12);
  EXPECT_DOUBLE_EQ(r.formula(std::vector<double>{2, 5}, std::vector<double>{10, 3, 0.5}), 2 + 1 + 10 + 6);
  EXPECT_EQ(r.formula.only_statistic(), -1);
  EXPECT_EQ(read("probability(x.above)").formula.only_statistic(), 0);
}

TEST(Formula, mistakes_have_a_place_and_a_remedy) {
  EXPECT_EQ(error("k + kk"),
            "4:15: 'k + kk': 'kk' is neither a parameter of the model nor a statistic, as mean(…) (did you mean 'k'?)");
  EXPECT_EQ(error("maen(peak)"), "4:11: 'maen(peak)': there is no function 'maen' (did you mean 'mean'?)");
  EXPECT_EQ(error("k +"), "4:14: 'k +': it ends too early");
  EXPECT_EQ(error("(k"), "4:13: '(k': ')' is missing");
  EXPECT_EQ(error("k k"), "4:13: 'k k': 'k' is not understood here");
  EXPECT_EQ(error("mean()"), "4:16: 'mean()': mean() of what?");
  EXPECT_EQ(error("quantile(peak)"), "4:11: 'quantile(peak)': a quantile needs its probability: quantile(peak, 0.95)");
  EXPECT_EQ(error("quantile(peak, 95)"),
            "4:26: 'quantile(peak, 95)': the probability of a quantile must lie between 0 and 1, found 95 (did you mean 0.95?)");
  EXPECT_NE(error(std::string(100000, '(')).find("nested too deeply"), std::string::npos);
  EXPECT_NE(error(std::string(100000, '-')).find("nested too deeply"), std::string::npos);
}

TEST(Constraint, both_sides_and_the_sign) {
  std::vector<Statistic> found;
  const ConstraintFormula c = read_constraint("mean(peak) >= 2*k", {4, 11}, names(found));
  EXPECT_FALSE(c.at_most);
  EXPECT_EQ(c.right(std::vector<double>{2, 5}, {}), 4);
  const auto wrong = [&](const std::string& text) {
    return message_of<input::InputError>([&] { read_constraint(text, {4, 11}, names(found)); });
  };
  EXPECT_EQ(wrong("mean(peak)"), "4:11: 'mean(peak)' must be a comparison: STATISTIC <= NUMBER, or >= (\"mean(peak) <= 0.3\")");
  EXPECT_EQ(wrong("0.3 >= mean(peak)"), "4:17: '0.3 >= mean(peak)': statistics belong on the left side, numbers on the right");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::optimisation
