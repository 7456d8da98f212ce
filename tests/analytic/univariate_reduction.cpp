// Univariate reduction against closed forms: the output is the place of a body that stands still, any function of the parameters.
#include <gtest/gtest.h>
#include <aleator/study.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace aleator::test {
namespace ALEATOR_FILE {

StudyResult study(const std::string& place, const std::string& uncertain, const std::string& settings = "",
                  const std::string& limit = "1e9") {
  const Model model = model_from_text(
      "parameters: {a: 1, b: 1, c: 1}\nbodies:\n  p: {shape: {sphere: {radius: 0.1}}, mass: 1, at: [\"" + place +
      "\", 0, 0]}\njoints:\n  hold: {fixed: [ground, p]}\noutputs:\n  y: {position: p, component: x, limits: {above: " + limit +
      "}}\nscalars:\n  end: {final: y}\n  twice: {value: \"2*a\"}\n"
      "simulation: {duration: 0.01, step: 0.01, integrator: runge-kutta}\nuncertain: {" +
      uncertain + "}\nstudy: {method: univariate-reduction" + settings + "}\n");
  return run_study(model, study_of(model));
}
std::string all(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}
const char* const normal = "a: {normal: {mean: 0, std: 1}}, b: {normal: {mean: 0, std: 1}}";

// y = 3 + 2a + b² with a normal (1, 0.5), b uniform on [0, 2]: E{b²} = 4/3, Var{b²} = 16/5 − 16/9 = 64/45. Up to degree 4 exact.
TEST(UnivariateReduction, is_exact_for_sums) {
  const StudyResult r = study("3 + 2*a + b^2", "a: {normal: {mean: 1, std: 0.5}}, b: {uniform: {lower: 0, upper: 2}}", "", "8");
  const OutputStatistics& y = r["y"];
  const double variance = 1 + 64.0 / 45;
  EXPECT_EQ(r.done, 1 + 2 * 4 + 20);  // the middle of both rules is the mean
  EXPECT_FALSE(r.is_sample);
  EXPECT_NEAR(y.mean[0], 5 + 4.0 / 3, 1e-10);
  EXPECT_NEAR(y.std[0], std::sqrt(variance), 1e-10);
  EXPECT_LT(y.std_error[0], 1e-9);
  EXPECT_NEAR(r.sobol[0].groups[0].first[0], 1 / variance, 1e-10);
  EXPECT_NEAR(r.sobol[0].groups[1].total[0], 64.0 / 45 / variance, 1e-10);
  EXPECT_NEAR(r.scalars[0].mean.value, 5 + 4.0 / 3, 1e-3);  // by 10000 evaluations
  EXPECT_NEAR(r.scalars[0].std.value, std::sqrt(variance), 1e-3);
  EXPECT_NEAR(r.scalars[1].mean.value, 2, 1e-3);
  EXPECT_NEAR(r.scalars[1].std.value, 1, 2e-3);
  // P(y > 8) = ∫ ½ Φ((5 − 3 ... )) db: 1 − Φ(8 − 5 − b²) over b
  double p = 0;
  for (int k = 0; k < 2000; ++k) p += 0.5 * std::erfc((3 - std::pow((k + 0.5) / 1000, 2)) / std::sqrt(2.0)) / 2000;
  EXPECT_NEAR(r.limits[0].ever.value, p, 2e-3);
  EXPECT_LE(r.limits[0].ever.lower, p);
  EXPECT_GE(r.limits[0].ever.upper, p);
  EXPECT_EQ(all(r.evidence).find("do not trust"), std::string::npos) << all(r.evidence);
}

// The sum of one-dimensional functions through the mean, by fine sums in each variable alone.
TEST(UnivariateReduction, has_the_moments_of_one_dimensional_integrals) {
  const auto f = [](double a, double b, double c) {
    return std::exp(0.3 * a + 0.1 * b * b) + std::cos(a + 0.5 * b) / (2 + c * c);
  };
  const std::function<double(double)> along[] = {[&](double x) { return f(x, 0, 0); }, [&](double x) { return f(0, x, 0); },
                                                 [&](double x) { return f(0, 0, x); }};
  double mean = f(0, 0, 0), variance = 0;
  for (int v = 0; v < 3; ++v) {
    double m = 0, square = 0, weight = 0;
    for (int k = 0; k < 40000; ++k) {
      const double x = v == 2 ? -1 + (k + 0.5) / 20000 : -10 + (k + 0.5) / 2000, w = v == 2 ? 1 : std::exp(-x * x / 2),
                   y = along[v](x);
      weight += w, m += w * y, square += w * y * y;
    }
    m /= weight, mean += m - f(0, 0, 0), variance += square / weight - m * m;
  }
  const std::string law = std::string(normal) + ", c: {uniform: {lower: -1, upper: 1}}";
  const char* const place = "exp(0.3*a + 0.1*b^2) + cos(a + 0.5*b)/(2 + c^2)";
  double before = 1;
  for (const int order : {3, 7, 25}) {  // E{exp(0.2 b²)} converges slowly
    const OutputStatistics y = study(place, law, ", univariate: {order: " + std::to_string(order) + "}")["y"];
    const double error = std::max(std::abs(y.mean[0] - mean), std::abs(y.std[0] - std::sqrt(variance)));
    EXPECT_LT(error, before / 3) << order;
    before = error;
  }
  EXPECT_LT(before, 2e-3);
}

// y = a + b + a b: the variance is 3, the reduction has 2 of it. That must be seen, and be in the stated error, whatever the seed.
TEST(UnivariateReduction, tells_what_variables_do_together) {
  int covered = 0;
  for (int seed = 1; seed <= 20; ++seed) {
    const StudyResult r = study("a + b + a*b", normal, ", seed: " + std::to_string(seed));
    const OutputStatistics& y = r["y"];
    EXPECT_NEAR(y.std[0], std::sqrt(2.0), 1e-10);
    covered += std::abs(y.std[0] - std::sqrt(3.0)) <= 2 * y.std_error[0] && std::abs(y.mean[0]) <= 2 * y.mean_error[0] + 1e-12;
    EXPECT_NE(all(r.evidence).find("do not trust it"), std::string::npos) << all(r.evidence);
  }
  EXPECT_GE(covered, 19);
}

// All of the scatter is due to both: the reduction has none of it.
TEST(UnivariateReduction, of_a_product_alone_is_told_to_be_wrong) {
  const StudyResult r = study("5 + a*b", normal);
  EXPECT_NEAR(r["y"].std[0], 0, 1e-7);
  EXPECT_GT(r["y"].std_error[0], 0.5);
  const std::string text = all(r.evidence);
  EXPECT_NE(text.find("do not trust it"), std::string::npos) << text;
  EXPECT_EQ(text.find("does not vary"), std::string::npos) << text;
}

TEST(UnivariateReduction, without_checks_states_no_errors) {
  const StudyResult r = study("a + b + a*b", normal, ", univariate: {checks: 0}");
  EXPECT_EQ(r.done, 9);
  EXPECT_TRUE(std::isnan(r["y"].std_error[0]));
  EXPECT_NE(all(r.evidence).find("no errors are stated"), std::string::npos);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::test
