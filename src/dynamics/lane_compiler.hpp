// From a model to programs: runs the assembly on traced numbers, so that what is left is the arithmetic of this model and no other.
// Numbers that are equal in all realizations are constants, directions in which nothing ever moves too.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "dynamics/index1.hpp"
#include "numerics/program.hpp"

namespace aleator::core {

// Consecutive slots of the frame.
struct Slots {
  int first = 0, count = 0;
  int operator[](int i) const { return first + i; }
};

struct StateSlots {
  Slots positions, velocities;  // [7 carriers], [6 carriers]
};

// A program under construction: what is to be stored where.
class Stores {
 public:
  void add(int slot, const Traced& x) { list_.push_back({x.node, slot}); }
  void add(const Slots& f, const AlignedVector<Traced>& x) {
    for (int i = 0; i < f.count; ++i) add(f[i], x[i]);
  }
  const std::vector<Store>& list() const { return list_; }

 private:
  std::vector<Store> list_;
};

class LaneCompiler;

// Numbers that a method keeps in memory of its own from one program to the next. Which of them never change is found out: each is taken to be
// constant (or to depend on the realization alone) until a program is seen to change it.
class Kept {
 public:
  explicit Kept(LaneCompiler& compiler) : c_(compiler) {}
  void add(Traced* x, size_t count);
  void add(Traced* x, int slot);                   // it is kept there
  void add_known(Traced* x, const Traced& value);  // it is this
  // Records the bodies of programs until all is known, then the programs themselves. Their numbers are written to `out`.
  void programs(const std::vector<std::function<void(Stores&)>>& bodies, const std::vector<int*>& out);

 private:
  struct Number {
    Traced* x;
    int slot = -1;  // not constant: where it is kept
    int known = 0;  // otherwise the node that it is
    int revised = 0;
  };
  void load();
  bool settle(Stores& out);  // false: an assumption was wrong

  LaneCompiler& c_;
  std::vector<Number> numbers_;
};

class LaneCompiler {
 public:
  // `samples`: realizations that show which numbers differ. `pivots` and `weights`: pivots and scales of the constraints, from
  // the nominal model. `dissipation` is to be counted, whether an output asks for it or not.
  LaneCompiler(const Model& model, std::span<const Realization<double>> samples, const Index1Pivots& pivots,
               std::span<const double> weights, Isa isa, bool dissipation = false);

  const Model& model() const { return model_; }
  int rows() const { return model_.structure.rows; }
  int carriers() const { return int(model_.topology.carriers.size()); }
  int first_state() const { return model_.topology.all_carriers().first_state; }  // of the carriers
  int channels() const { return assembly_->channels(); }

  Slots field(int count);
  StateSlots state_fields() { return {field(7 * carriers()), field(6 * carriers())}; }
  Traced read(int slot) { return Traced::of(tape_.input(slot, Level::state)); }
  void read(const Slots& f, AlignedVector<Traced>& x);

  // What every method uses.
  StateSlots node;  // the state at the last accepted time
  Slots turns, lambda, accelerations, outputs;
  Slots signals;   // [signals][3] functions of time and their derivatives
  Slots work;      // since the start, as energies_field() has it
  int step = 0;    // size of the steps
  int failed = 0;  // 1 in lanes that failed, 0 in others

  bool moves(int position) const { return moves_[position] != 0; }
  // A state whose positions and velocities are read from there, everything else from the fields above.
  State<Traced> state(const StateSlots& f);
  void store_state(Stores& out, const StateSlots& f, const State<Traced>& s) const;
  void store_positions(Stores& out, const Slots& f, const AlignedVector<Traced>& q) const;
  void store_velocities(Stores& out, const Slots& f, const AlignedVector<Traced>& v) const;
  void store_failure(Stores& out, const TracedMask& bad);

  Assembly<Traced>& assembly() { return *assembly_; }
  Index1<Traced>& index1() { return *index1_; }
  const std::shared_ptr<const LuProgram>& pivots() const { return index1_->pivots().matrix; }
  std::vector<double> nominal_values;  // of the matrix of the index-1 form, nominal model
  std::vector<double>
      random_values;  // the same of a matrix with constraints at a state drawn at random, for newton_border.hpp; empty: it is not wanted
  std::vector<char>
      asymmetric;  // [nonzeros] entries of Newton's matrices that have no equal mirror image; empty: none is looked for
  // Energies: supplied, exchanged, and dissipated where that is counted; none where nothing is accounted for.
  Slots energies_field();
  Energies<Traced> energies(const Slots& f);
  void store_energies(Stores& out, const Slots& f, const Energies<Traced>& e) const;

  // The assembly's functions of time are those of these slots from now on.
  void use_signals(const Slots& f);

  void record(const std::function<void()>& f);
  // Records a program. Its number is its name.
  int program(const std::function<void(Stores&)>& record);

  // Whether a program asks for numbers that are there.
  bool reads(int program, const Slots& f) const;

  // What is left when all is recorded.
  struct Result {
    std::vector<std::unique_ptr<Runnable>> programs;
    std::vector<std::array<long, parts>> operations;  // of each
    std::vector<Program::Traffic> traffic;            // of each
    std::unique_ptr<Runnable> setup;
    std::vector<Program> sources;  // what the programs were translated from, for devices; that of setup is the last
    int slots = 0, scratch = 0;
    std::vector<int> varying;  // numbers of a realization that go to the slots from first_number on
    int first_number = 0;
    std::vector<char> position_is_constant;  // [7 carriers] the same for ever and in all realizations
  };
  Result finish();

 private:
  std::vector<Program> make_programs();
  long operations_of_accelerations();
  void find_motionless(std::span<const Realization<double>> samples);
  void find_varying(std::span<const Realization<double>> samples);

  const Model& model_;
  Isa isa_;
  Tape tape_;
  int slots_ = 0;
  ProgramMaker maker_;
  std::vector<std::vector<Store>> programs_;
  std::vector<int> varying_;
  int first_number_ = 0;
  std::vector<char> moves_;     // [7 carriers] positions that change in time
  std::vector<char> constant_;  // [7 carriers] those that do not, and are equal in all realizations
  Realization<Traced> realization_;
  AlignedVector<double> nominal_positions_;
  std::unique_ptr<Assembly<Traced>> assembly_;
  std::unique_ptr<Index1<Traced>> index1_;
};

}  // namespace aleator::core
