// Random fields in `uncertain:`, of E, nu, density and height of beams.
#pragma once

#include "uncertainty/beam_field.hpp"
#include "uncertainty/read_laws.hpp"

namespace aleator::core {

bool is_field(std::string_view key);  // of an entry of a body in `uncertain:`

// A correlation by itself, as it is written in a model, "{exponential: 0.4}", or shorter, "exponential:0.4". Throws
// std::invalid_argument.
Correlation correlation_of(std::string text);

// The field `key` of a beam. What the user should know is added to `notes`. Throws InputError.
BeamField read_field(const input::Item& law, const std::string& key, const LawContext& context, int body,
                     std::vector<std::string>& notes);

}  // namespace aleator::core
