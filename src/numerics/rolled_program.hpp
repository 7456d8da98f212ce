// A long program as loops: where a model repeats itself, body after body and element after element, so do the steps of its programs, and one turn
// is enough to be translated. The arithmetic, its order and its bits are those of the program; code that fits a cache is fetched once.
//
// Results that are needed beyond their turn pass through slots of the scratch: in arrays, turn by turn, where something after the loop asks for them; in one
// slot where the next turn does. What a turn reads elsewhere must lie at equal distances from turn to turn; what does not is copied into an array before.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "numerics/program.hpp"

namespace aleator::core {

struct RolledProgram {
  // Where a place of a body is, or a store goes. Slots in bodies are those of the first turn.
  struct Reach {
    enum Where : std::uint8_t { frame, scratch, table } where = frame;
    int stride = 0;  // slots, or numbers of the table, from turn to turn
    bool operator==(const Reach&) const = default;
  };
  struct Loop {
    Program body;
    std::vector<Reach> places, stores;  // [places], [steps]
    int turns = 1;
  };
  std::vector<Loop> loops;    // one after the other; of one turn: straight code
  std::vector<double> table;  // constants that differ from turn to turn
  int scratch = 0;            // slots

  long length() const;  // steps of all bodies
};

constexpr int most_strides = 10;  // different ones in a loop

RolledProgram straight(const Program& program);  // as it is
RolledProgram rolled(const Program& program);

namespace detail {
std::unique_ptr<Runnable> machine_code(RolledProgram program, Isa isa);  // null where there is none
}

}  // namespace aleator::core
