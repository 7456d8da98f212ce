// What methods for rare events are told. Defaults are those of the language (docs/model-language.md).
#pragma once

#include <cstddef>

namespace aleator::core::reliability {

struct Settings {
  long samples = 1000;             // per level of subset simulation, all sets together; of importance and line sampling in all
  double accuracy = 0;             // coefficient of variation to reach; 0: as many as `samples` say
  int sets = 4;                    // independent sets of chains
  double level_probability = 0.1;  // p0
  double smallest = 1e-12;         // a probability below this is not looked for
  long most = 1000000;             // simulations in all
};

}  // namespace aleator::core::reliability
