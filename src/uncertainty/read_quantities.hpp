// `uncertain:` entry by entry: which quantities are random, and which bodies share them.
#pragma once

#include "uncertainty/read_laws.hpp"

namespace aleator {

// `fixed` are numbers set from outside: what they name is not random. What the user should know is added to `notes`.
std::vector<Quantity> read_quantities(const std::vector<input::Item>& items, const LawContext& context,
                                      std::span<const Override> fixed, std::vector<std::string>& notes);

}  // namespace aleator
