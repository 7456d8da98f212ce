// The laws of a study as results files keep them: facts of each quantity, the density of each column of the samples.
#pragma once

#include <cstdint>
#include <vector>

#include "results/study.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator::core {

// [columns][draws], as Monte Carlo would draw them.
std::vector<std::vector<double>> draw_columns(const RandomModel& random, std::uint64_t seed, int draws);

// Of one of the columns of a quantity: those of its law where they are known, otherwise of the draws, with the error of that.
struct Spread {
  double mean, std;
  double mean_error = 0, std_error = 0;  // 0: of the law
};
Spread spread_of(const Model& model, const RandomModel& random, const Quantity& quantity, size_t column,
                 const std::vector<double>& draws);

results::Laws laws_of(const Model& model, const RandomModel& random, std::uint64_t seed);

}  // namespace aleator::core
