// Programs: what is on a tape (tape.hpp), put in order to be done again and again, for W realizations at once.
//
// A program reads and writes slots of a frame: slot s is W consecutive doubles, one per lane. What depends on the numbers of a
// realization alone is taken out of all programs and done once per realization by the program `setup` of their maker.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "numerics/tape.hpp"

namespace aleator::core {

struct Program {
  // An operand ≥ 0 is the result of that step; −1 − k is place k.
  struct Step {
    Operation op;
    int a, b, c;
    Part part = Part::stepping;
  };
  struct Place {
    bool is_constant;
    int slot;      // of the frame, or
    double value;  // a constant
  };
  std::vector<Step> steps;
  std::vector<Place> places;

  // Floating-point operations of one run, for one lane: all, and by part.
  long operations() const;
  // Numbers of the frame that one run reads and writes, for one lane; not those that do not fit into registers.
  struct Traffic {
    long read = 0, written = 0;
  };
  Traffic traffic() const;
  std::array<long, parts> operations_by_part() const;
};

// Which node goes to which slot.
struct Store {
  int node, slot;
};

class ProgramMaker {
 public:
  // `slots` counts the slots of the frame handed out so far; places for what is taken out are added.
  ProgramMaker(Tape& tape, int& slots) : tape_(tape), slots_(slots) {}

  Program make(const std::vector<Store>& stores);
  Program make_in_order(const std::vector<Store>& stores);  // of recording, nothing taken out
  Program setup();                                          // after all others

 private:
  int hoisted(int node);

  Tape& tape_;
  int& slots_;
  std::vector<int> slot_of_;  // [nodes] of those taken out, −1 for others
  std::vector<Store> taken_out_;
};

// Instruction sets. Lanes: 2, 2, 4, 8; `portable` interprets programs and runs everywhere. `one` has a single lane, for one simulation at a
// time: scalar instructions of AVX2, with the bits of a lane of avx2 and avx512, since these fuse, too. Nobody chooses it by its name.
enum class Isa { portable, v2, avx2, avx512, one };
int lanes(Isa isa);
bool fuses(Isa isa);              // has multiply_add as one operation
const char* name(Isa isa);        // "portable", "x86-64-v2", "avx2", "avx512"
bool available(Isa isa);          // on this processor
Isa best_isa();                   // the widest available
Isa isa_for_one();                // the best for a single simulation
Isa isa_named(const char* word);  // throws std::invalid_argument

// A program that can be run.
class Runnable {
 public:
  virtual ~Runnable() = default;
  // scratch: scratch_slots() slots that nobody else uses while it runs.
  virtual void operator()(double* frame, double* scratch) const = 0;
  virtual int scratch_slots() const = 0;
};
std::unique_ptr<Runnable> translate(const Program& program, Isa isa);

namespace detail {
// One operation of one lane.
double operate(Operation op, double a, double b, double c);
std::unique_ptr<Runnable> interpreted(const Program& program, Isa isa);
}  // namespace detail

}  // namespace aleator::core
