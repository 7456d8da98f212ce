// Do 95 % confidence intervals of probabilities cover them in 95 % of studies? On a closed form, over many seeds.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <aleator/aleator.hpp>
#include <cmath>
#include <string>

namespace aleator::test {
namespace ALEATOR_FILE {

// Numbers that are uniform on ]0, 1[, each with a limit of a scalar.
const double exact[] = {0.5, 0.3, 0.1, 0.03, 0.01};
std::string text() {
  std::string parameters, scalars, laws;
  for (const double p : exact) {
    const std::string x = fmt::format("x{:g}", 100 * p);
    parameters += fmt::format("{}{}: 0.5", parameters.empty() ? "" : ", ", x);
    scalars += fmt::format("  of_{0}: {{value: {0}, limits: {{below: {1:g}}}}}\n", x, p);
    laws += fmt::format("  {}: {{uniform: {{lower: 0, upper: 1}}}}\n", x);
  }
  return "parameters: {" + parameters +
         "}\nbodies:\n  a: {shape: {sphere: {radius: 0.1}}, mass: 1}\njoints:\n  hold: {fixed: [ground, a]}\n"
         "outputs:\n  y: {position: a, component: x}\nscalars:\n" +
         scalars + "simulation: {duration: 0.01, step: 0.01, integrator: runge-kutta}\nuncertain:\n" + laws;
}

// 40 seeds, five probabilities, of which the rare one is often seen in none of 50 realizations. The interval covers at least 95 %, with
// whole numbers of realizations 97 % here: 92 to 99 % of 200. Wald's, p ± 2 √(p (1 − p)/n), covers the rare one in 40 % of studies.
TEST(ProbabilityInterval, covers_in_95_percent_of_seeds) {
  const Model model = model_from_text(text());
  constexpr int seeds = 40, n = 50;
  int covered = 0, none = 0, by_wald = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    Study study = study_of(model);
    study.method = "monte-carlo";
    study.samples = n;
    study.seed = std::uint64_t(seed);
    const StudyResult r = run_study(model, study);
    ASSERT_EQ(r.limits.size(), std::size(exact));
    for (std::size_t i = 0; i < std::size(exact); ++i) {
      const Probability& p = r.limits[i].ever;
      covered += p.lower <= exact[i] && exact[i] <= p.upper;
      by_wald += std::abs(p.value - exact[i]) <= 2 * std::sqrt(p.value * (1 - p.value) / n);
      none += p.value == 0;
    }
  }
  const double all = seeds * double(std::size(exact));
  EXPECT_GE(covered, 0.92 * all);
  EXPECT_LE(covered, 0.99 * all);
  EXPECT_GT(none, 20);
  EXPECT_LT(by_wald, 0.9 * all);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::test
