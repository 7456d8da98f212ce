// `uncertain:` entry by entry: which quantities are random, and which bodies share them.
#pragma once

#include "uncertainty/read_laws.hpp"

namespace aleator::core {

struct RandomThings {
  std::vector<Quantity> quantities;
  std::vector<BeamField> fields;
  std::vector<std::string> notes;  // what the user should know
};

// `fixed` and `field_variables` are numbers set from outside: what they name is not random. Entries that are wrong are left out,
// `errors` tell why (inside their collect()), and their names come to `wrong`.
RandomThings read_quantities(const std::vector<input::Item>& items, const LawContext& context, std::span<const Override> fixed,
                             std::span<const Override> field_variables, input::ErrorList& errors,
                             std::vector<std::string>& wrong);

// The numbers behind the processes of the model: `NAME.draw`, of which all follow, and `NAME.z1`, … , the leading ones, which a design may place.
void add_processes(RandomThings& things, const Model& model, std::span<const Override> fixed);

}  // namespace aleator::core
