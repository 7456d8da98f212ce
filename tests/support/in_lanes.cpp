#include "support/in_lanes.hpp"

namespace aleator::core::test {

std::vector<Isa> available_isas() {
  std::vector<Isa> out;
  for (const Isa isa : {Isa::portable, Isa::v2, Isa::avx2, Isa::avx512, Isa::one})
    if (available(isa)) out.push_back(isa);
  return out;
}

}  // namespace aleator::core::test
