// Outputs that are filtered over time: after a realization was recorded, whoever computed it, so that it has the same bits.
#pragma once

#include <span>
#include <vector>

#include "input/expression.hpp"
#include "model/model.hpp"

namespace aleator::core {

// Those of all outputs, in the order of channels. Throws InputError.
std::vector<OutputFilter> read_filters(const input::Description& description, const input::Scope& scope,
                                       const std::vector<Output>& outputs, const Settings& settings);

// values [times][channels]
void filter_outputs(const Model& model, std::span<const double> times, std::span<double> values);

}  // namespace aleator::core
