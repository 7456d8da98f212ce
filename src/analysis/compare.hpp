// How far the statistics of a study B are from those of the reference A, which comes first everywhere, output by output:
//   e_mu    = ∫|μ_B − μ_A| dt / ∫|μ_A| dt,     e_sigma = ∫|σ_B − σ_A| dt / ∫σ_A dt          (Wu et al. 2017, equation 36),
//   e_lower = ∫|l_B − l_A| dt / ∫(u_A − l_A) dt, and e_upper alike: by the width of the confidence region of the reference.
// Each comes with what sampling noise alone would give: the errors at a time are normal, with the standard errors of both files,
//   E|x_B − x_A| = √(2/π) √(se_A² + se_B²).
// Where the mean of the reference is zero, or cannot be told from zero (∫|μ_A| dt at most three times what its noise gives), e_mu is
// measured by the scatter ∫σ_A dt instead. What is 1e-12 of the largest value among outputs of its unit is round-off, and so zero.
#pragma once

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "analysis/two_sample.hpp"
#include "results/read.hpp"
#include "results/study.hpp"

namespace aleator::core::analysis {

// NaN: both are zero, there is nothing to measure. Infinite: the reference is zero and the estimate is not, or only one is known.
struct Difference {
  double value, noise;
};

// ∫|a − b| dt / scale, of integrals; below `zero` an integral is none. A standard error that is NaN is not known, and counts
// nothing beside one that is.
struct Estimates {
  std::span<const double> value, error;
};
Difference relative_difference(std::span<const double> weights, Estimates a, Estimates b, double scale, double zero);

// Of realizations at one time, where the reference scatters most.
struct ComparedSamples {
  double time;
  TestResult distribution, mean, spread;  // Kolmogorov–Smirnov, Welch, Brown–Forsythe
  double smallest;                        // p of Kolmogorov–Smirnov over several times, times their number (Bonferroni)
  int times;
};

struct ComparedOutput {
  std::string name, unit;
  Difference mean, std, lower, upper;
  bool by_scatter;  // the mean
  std::optional<ComparedSamples> samples;
};

struct ComparedScalar {
  std::string name, unit;
  results::Estimate mean_a, mean_b, std_a, std_b;
  Difference mean, std;
  bool by_scatter;
  double p;  // Kolmogorov–Smirnov; NaN without realizations
};

struct Comparison {
  std::vector<ComparedOutput> outputs;
  std::vector<ComparedScalar> scalars;
  std::vector<std::string> only_a, only_b;  // outputs and scalars
  bool interpolated = false;                // B on the times of A
  bool bands = true;                        // they are of the same confidence
};

class CannotCompare : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Names of outputs and scalars, or of vectors (`v` of `v.x`, `v.y`, `v.z`); none: all. Throws CannotCompare.
Comparison compare(const results::StudyReader& a, const results::StudyReader& b, const std::vector<std::string>& names = {});

}  // namespace aleator::core::analysis
