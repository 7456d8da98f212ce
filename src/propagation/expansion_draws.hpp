// The variables of an expansion, drawn from their laws.
#pragma once

#include <memory>
#include <vector>

#include "results/study.hpp"
#include "uncertainty/distribution.hpp"

namespace aleator::core {

// Its law; throws ReadError when there is no such law.
std::unique_ptr<const Distribution> distribution_of(const results::Chaos::Variable& variable);

struct Draws {
  std::vector<double> z;       // [n][variables] what the polynomials take
  std::vector<double> values;  // likewise: the random numbers themselves, NaN of coordinates of blocks and of tied numbers
};
Draws draw_variables(const std::vector<results::Chaos::Variable>& variables, long n);

}  // namespace aleator::core
