// Is what is stated as ± a standard error? Over 40 seeds two of them should cover the truth in 88 to 99 of 100 cases. The whole table,
// of all methods on four models, is tests/long/coverage.cpp.
#include "statistics/coverage.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "statistics/coverage_models.hpp"

namespace aleator::test {
namespace ALEATOR_FILE {

const Model& model(std::size_t k) {
  static const std::vector<Model> models = [] {
    std::vector<Model> out;
    for (const CoverageModel& m : coverage_models()) out.push_back(model_from_text(m.text));
    return out;
  }();
  return models[k];
}

// If ± two standard errors cover 95 %, fewer than 88 % of 40 independent seeds do so with a probability of 5 % for a statistic that is
// one number, and far less for those of many times. Seeds are fixed: this passes or fails for good.
void expect_covered(const Coverage& c, const std::string& way) {
  for (const auto& [statistic, x] : c) {
    if (x.stated == 0) continue;
    EXPECT_GE(x.share(), 0.88) << way << ", " << statistic;
    EXPECT_EQ(x.stated, x.all) << way << ", " << statistic;
  }
}

TEST(Coverage, of_sampling_by_sequences) {
  const StudyResult truth = truth_of(model(0), 1 << 15, false);
  for (const Way& way : {Way{"sobol"}, Way{"halton"}}) expect_covered(coverage(model(0), truth, way, 40), way.name);
}

TEST(Coverage, of_expansions) {
  const StudyResult truth = truth_of(model(0), 1 << 15, false);
  const Way ways[] = {{"least squares", 64, [](Study& s) { s.chaos.coefficients = "least-squares"; }, "polynomial-chaos"},
                      {"sparse", 64, [](Study& s) { s.chaos.coefficients = "sparse"; }, "polynomial-chaos"}};
  for (const Way& way : ways) expect_covered(coverage(model(0), truth, way, 40), way.name);
}

// A response with a discontinuous slope: its expansion is poor, and probabilities and scalars must say so.
TEST(Coverage, of_probabilities_where_an_expansion_is_poor) {
  const StudyResult truth = truth_of(model(3), 1 << 15, false);
  const Way sparse{"sparse", 64, [](Study& s) { s.chaos.coefficients = "sparse"; }, "polynomial-chaos"};
  expect_covered(coverage(model(3), truth, sparse, 20), sparse.name);
}

// The phase varies by a radian: the expansion of a scalar is poor, or is so only where none of the realizations is that judge it.
TEST(Coverage, of_scalars_where_their_expansion_is_poor) {
  const StudyResult truth = truth_of(model(1), 1 << 15, false);
  const Way ways[] = {{"least squares", 100, [](Study& s) { s.chaos.coefficients = "least-squares"; }, "polynomial-chaos"},
                      {"auto", 256}};
  for (const Way& way : ways) {
    const Coverage c = coverage(model(1), truth, way, 40);
    for (const char* statistic : {"scalar mean", "scalar std", "scalar band"}) {
      EXPECT_GE(c.at(statistic).share(), 0.88) << way.name << ", " << statistic;
      EXPECT_EQ(c.at(statistic).stated, c.at(statistic).all) << way.name << ", " << statistic;
    }
  }
  Study study = study_of(model(1));
  study.method = "polynomial-chaos";
  study.samples = 100;
  study.chaos.coefficients = "least-squares";
  const StudyResult r = run_study(model(1), study);
  study.method = "sobol";
  const StudyResult sampled = run_study(model(1), study);
  for (std::size_t i = 0; i < r.scalars.size(); ++i) {
    EXPECT_EQ(r.scalars[i].mean.value, sampled.scalars[i].mean.value);
    EXPECT_EQ(r.scalars[i].upper.error, sampled.scalars[i].upper.error);
    const bool said = std::any_of(r.evidence.begin(), r.evidence.end(), [&](const std::string& line) {
      return line.starts_with("  " + r.scalars[i].name +
                              ": statistics of the realizations themselves, because its expansion misses");
    });
    EXPECT_TRUE(said) << r.scalars[i].name;
  }
}

// A quadrature does not know its error, and states none.
TEST(Coverage, a_quadrature_states_no_errors_and_says_why) {
  Study study = study_of(model(3));
  study.method = "polynomial-chaos";
  study.samples = 36;
  const StudyResult r = run_study(model(3), study);
  Coverage c;
  judge(r, truth_of(model(3), 64, false), c);
  for (const auto& [statistic, x] : c) EXPECT_EQ(x.stated, 0) << statistic;
  bool said = false;
  for (const std::string& line : r.evidence) said = said || line.find("no standard errors are stated") != std::string::npos;
  EXPECT_TRUE(said);
}

// The outermost node of the third quadrature, 7.8 standard deviations from the mean, is a negative mass, which no realization of a sample
// is: `auto` then fits an expansion, says why, and the response is no less smooth for it.
TEST(Coverage, of_auto_where_a_quadrature_node_fails) {
  const Model swinging = model_from_text(R"yaml(
parameters: {m: 1}
bodies: {block: {shape: {box: [0.1, 0.1, 0.1]}, mass: m, velocity: [1, 0, 0]}}
joints: {guide: {prismatic: [ground, block], axis: x, spring: {stiffness: 100}}}
outputs: {x: {position: block, component: x}}
uncertain: {m: {normal: {mean: 1, std: 0.15}}}
simulation: {duration: 0.4, step: 0.005, output_step: 0.04, integrator: runge-kutta}
)yaml");
  Study study = study_of(swinging);
  study.method = "auto";
  study.samples = 256;
  const StudyResult r = run_study(swinging, study);
  std::string evidence;
  for (const std::string& line : r.evidence) evidence += line + "\n";
  EXPECT_TRUE(evidence.starts_with("auto: polynomial chaos for all outputs\n")) << evidence;
  EXPECT_NE(evidence.find("no quadrature: it needs all of its realizations, and one failed, at values far from the mean: "),
            std::string::npos)
      << evidence;
  EXPECT_NE(evidence.find("an expansion fitted to them"), std::string::npos) << evidence;
  EXPECT_EQ(r.failed, 0);
  Coverage c;
  judge(r, truth_of(swinging, 1 << 12, false), c);
  for (const char* statistic : {"mean", "std"}) EXPECT_GE(c[statistic].share(), 0.88) << statistic;
}

TEST(Coverage, the_band_of_a_few_realizations_is_called_their_range) {
  const auto said = [](long samples) {
    Study study = study_of(model(1));
    study.method = "monte-carlo";
    study.samples = samples;
    std::string all;
    for (const std::string& line : run_study(model(1), study).evidence) all += line + "\n";
    return all;
  };
  EXPECT_EQ(said(2), "the band is the range of 2 realizations: quantiles of a 90 % band need 20 or more\n");
  EXPECT_EQ(said(20), "");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::test
