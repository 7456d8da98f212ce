// `dependence:`: correlations and copulas between random scalars.
#pragma once

#include "uncertainty/read_quantities.hpp"

namespace aleator::core {

// Between `things`, of which entries are missing that are `wrong`. Entries that are wrong themselves are left out, `errors` tell why.
std::vector<Dependence> read_dependences(const std::vector<input::Item>& items, const LawContext& context,
                                         const RandomThings& things, std::span<const std::string> wrong,
                                         input::ErrorList& errors);

}  // namespace aleator::core
