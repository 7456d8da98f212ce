// The check of a fit in plain words.
#pragma once

#include <string>
#include <vector>

#include "inference/fit.hpp"

namespace aleator::core::inference {

std::string verdict(const Fit& fit, const std::vector<std::string>& channels, double confidence);

}  // namespace aleator::core::inference
