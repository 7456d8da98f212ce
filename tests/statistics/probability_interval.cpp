// Do 95 % confidence intervals of probabilities cover them in 95 % of studies? On a closed form, over many seeds.
#include <gtest/gtest.h>

#include <aleator/aleator.hpp>
#include <cmath>

namespace aleator::test {
namespace ALEATOR_FILE {

// x is uniform on ]0, 1[: limits of the scalar at 0.5, 0.1 and 0.01.
const char* const text =
    "parameters: {x: 0.5}\nbodies:\n  a: {shape: {sphere: {radius: 0.1}}, mass: 1}\njoints:\n  hold: {fixed: [ground, a]}\n"
    "outputs:\n  y: {position: a, component: x}\n"
    "scalars:\n  half: {value: x, limits: {below: 0.5}}\n  few: {value: x, limits: {below: 0.1}}\n"
    "  rare: {value: x, limits: {below: 0.01}}\n"
    "simulation: {duration: 0.01, step: 0.01, integrator: runge-kutta}\nuncertain:\n  x: {uniform: {lower: 0, upper: 1}}\n";

// 40 seeds, three probabilities, of which the rare one is often seen in none of 50 realizations. The interval is exact in that it covers
// at least 95 %: 92 to 100 % of 120. Wald's, p ± 2 √(p (1 − p)/n), covers the rare one in 40 % of studies.
TEST(ProbabilityInterval, covers_in_95_percent_of_seeds) {
  const Model model = model_from_text(text);
  const double exact[] = {0.5, 0.1, 0.01};
  int covered = 0, none = 0, by_wald = 0;
  for (int seed = 1; seed <= 40; ++seed) {
    Study study = study_of(model);
    study.method = "monte-carlo";
    study.samples = 50;
    study.seed = std::uint64_t(seed);
    const StudyResult r = run_study(model, study);
    ASSERT_EQ(r.limits.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) {
      const Probability& p = r.limits[i].ever;
      covered += p.lower <= exact[i] && exact[i] <= p.upper;
      by_wald += std::abs(p.value - exact[i]) <= 2 * std::sqrt(p.value * (1 - p.value) / 50);
      none += p.value == 0;
    }
  }
  EXPECT_GE(covered, 0.92 * 120);
  EXPECT_LE(covered, 0.999 * 120);
  EXPECT_GT(none, 10);
  EXPECT_LT(by_wald, 0.9 * 120);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::test
