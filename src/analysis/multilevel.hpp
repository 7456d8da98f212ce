// Statistics from a chain of models, each cheaper and coarser than the next: many realizations of the coarsest, fewer and fewer of
// what the next one changes. With f_l the response on level l, and the same random numbers in f_l and f_{l−1},
//   E{f_L} = E{f_0} + Σ_{l>0} E{f_l − f_{l−1}},                                    variance Σ V_l/N_l (Giles 2008),
// smallest for given cost Σ N_l C_l with N_l ∝ √(V_l/C_l). The central second moment likewise, about the mean found.
// With two levels, f_0 may serve as a control variate, E{f} = E{f − β g} + β E{g} with the β that makes the variance smallest,
//   β = cov(f, g)/var(g) / (1 + N_1/N_0).
// The band is that of the coarsest model, shifted and scaled to the mean and the standard deviation found. What its shape is off by
// is not known: of several levels it has no error.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "results/study.hpp"

namespace aleator::core::analysis {

// Realizations of one level and, above the coarsest, of the one below with the same random numbers.
struct LevelSample {
  std::vector<double> fine, coarse;  // [n][points]
  long realizations = 0;             // n
};

struct MultilevelRequest {
  std::span<const double> times;
  std::span<const double> nominal;  // [times][channels]
  int channels = 0;
  double confidence = 0.9;
  bool fitted = false;                      // two levels: with β
  std::span<const std::string> units = {};  // [channels]
};

results::StudyStatistics multilevel_statistics(std::span<const LevelSample> levels, const MultilevelRequest& questions);

// V_l: variance of a realization of each level (of its correction), relative to that of the response, averaged over channels and,
// weighted by the variance, over time: the larger of those for the mean and for the second moment. `planned`: as they will be when
// there are many more realizations of the coarse model than of the fine one, to decide how many; a pilot has as many of both, and
// its β would make the coarse model look half as useful.
std::vector<double> level_variances(std::span<const LevelSample> levels, const MultilevelRequest& questions,
                                    bool planned = false);

// How loosely the model below follows: variance of the corrections of a level relative to that of its responses, each integrated
// over time; of the worst channel. Infinite where numbers are not finite.
double looseness(const LevelSample& level, const MultilevelRequest& questions);

// The variance of responses of one level relative to that of another, likewise: large when some realizations blow up.
double relative_scatter(const LevelSample& level, const LevelSample& reference, const MultilevelRequest& questions);

// N_l of least total variance with Σ N_l C_l = budget, at least `least` each.
std::vector<long> allocate(std::span<const double> variances, std::span<const double> costs, double budget, long least);

}  // namespace aleator::core::analysis
