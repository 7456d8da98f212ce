// A tape: arithmetic written down instead of done. Kernels run once on the scalar Traced (traced.hpp); what they did becomes a
// graph of operations, from which programs are made (program.hpp) that do it again for many realizations at once.
//
// The graph is simplified while it grows, so that a program only does what a model needs: constants are folded, equal
// operations are one (x·0, x·1, x+0 disappear). A number is rounded exactly as when the kernel runs on double; only the sign
// of zeros and what becomes of infinities may differ.
#pragma once

#include <cstdint>
#include <vector>

namespace aleator::core {

enum class Operation : std::uint8_t {
  constant,
  input,     // a: slot of the frame
  add,       // a + b
  subtract,  // a − b
  multiply,
  divide,
  negate,
  fused,          // a b + c, rounded once
  fused_negated,  // c − a b, rounded once
  fused_less,     // a b − c, rounded once; in programs only
  square_root,
  magnitude,
  minimum,    // b < a ? b : a
  maximum,    // a < b ? b : a
  copy_sign,  // |a| with the sign of b
  less,       // masks: all bits of a lane set or none
  less_equal,
  equal,
  both,            // a & b
  either,          // a | b
  unlike,          // a ^ b
  select,          // a ? b : c
  raise,           // the bits of a moved up by 52 places: the last ones become the exponent …
  lower,           // … and down
  add_words,       // of the bits as whole numbers of 64: a + b, without what is carried out of them
  multiply_words,  // the product of the lower halves of a and b
  half_up,         // a moved up by 32 places …
  half_down,       // … and down
  // in programs only
  copy,   // a, before its slot is overwritten
  store,  // a to slot b of the frame
};

// How often a value changes: never, with the realization, with the state.
enum class Level : std::uint8_t { constant, realization, state };

// What an operation is for, as profiles tell it.
enum class Part : std::uint8_t { stepping, assembly, factorisation, solution, observation };
constexpr int parts = 5;

class Tape {
 public:
  struct Node {
    Operation op;
    int a, b, c;
  };

  // fused: multiply_add is one operation (the instruction set has it) or two.
  explicit Tape(bool fused);

  int constant(double value);
  int mask(bool value);
  int input(int slot, Level level);
  int record(Operation op, int a, int b = -1, int c = -1);
  int multiply_add(int a, int b, int c);

  bool fuses() const { return fused_; }
  int size() const { return int(nodes_.size()); }
  const Node& node(int i) const { return nodes_[i]; }
  Level level(int i) const { return levels_[i]; }
  Part part(int i) const { return parts_[i]; }
  Part set_part(Part part);  // of what is recorded from now on; returns the one before
  bool is_constant(int i) const { return nodes_[i].op == Operation::constant; }
  double value(int i) const { return values_[nodes_[i].a]; }  // of a constant

  // The tape that Traced numbers of this thread write on.
  static Tape& current();
  class Recording {
   public:
    explicit Recording(Tape& tape);
    ~Recording();
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

   private:
    Tape* before_;
  };

 private:
  int intern(Node n, Level level);
  int simplified(Operation op, int a, int b, int c);  // −1: nothing to simplify
  int folded(Operation op, int a, int b, int c);      // of constants
  bool is(int node, double value) const { return is_constant(node) && this->value(node) == value; }
  void grow();

  bool fused_;
  std::vector<Node> nodes_;
  std::vector<Level> levels_;
  std::vector<Part> parts_;
  Part part_ = Part::stepping;
  std::vector<double> values_;  // of constants
  std::vector<int> table_;      // open addressing, −1: free
};

}  // namespace aleator::core
