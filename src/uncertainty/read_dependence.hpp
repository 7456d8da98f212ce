// `dependence:`: correlations and copulas between random scalars.
#pragma once

#include "uncertainty/read_laws.hpp"

namespace aleator::core {

std::vector<Dependence> read_dependences(const std::vector<input::Item>& items, const LawContext& context,
                                         const std::vector<Quantity>& quantities, const std::vector<BeamField>& fields);

}  // namespace aleator::core
