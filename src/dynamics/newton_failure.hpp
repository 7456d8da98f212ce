// Why a step of an implicit method failed.
#pragma once

#include <string>

#include "model/model.hpp"

namespace aleator::core {

// corrections: [6 carriers], the last ones; the body they move most is named.
std::string newton_failure(const Model& model, const double* corrections, double t, double h);

}  // namespace aleator::core
