// Functions of time as a device has them. Those that are the same in all realizations and lanes are numbers of the schedule (lane_trace.hpp). Here are the
// others: of realizations with coefficients of their own, and of lanes at times of their own (march_trace.hpp). They are evaluated by programs, from
// the coefficients of the pieces at hand. Nothing is fused: the processor does the same with plain numbers.
#pragma once

#include <string>
#include <vector>

#include "dynamics/lane_compiler.hpp"
#include "dynamics/lane_trace.hpp"

namespace aleator::core {

class SignalTrace {
 public:
  // `varies`: [signals] whose coefficients differ between realizations.
  SignalTrace(LaneTrace& trace, const Realization<double>& realization, const std::vector<char>& varies);

  bool varies(size_t signal) const { return varies_[signal] != 0; }
  // One of those, at a time that all lanes share.
  void at(size_t signal, const Slots& field, double t, Side side);

  // Lanes at times of their own: a step of the grid begins; all functions at a part c of the way from each lane's `from` to its `to`.
  void begin_step(double t0, double t1);
  void within(const Slots& field, double c, int from, int to);

  // The programs, when all was told. Why not, if they cannot be made.
  std::string finish();

 private:
  // Slots of pieces: coefficients, beginning, end.
  struct Pieces {
    bool is_constant = false;   // it does not change in time
    int line = 0;               // its first coefficient among the inputs of the device
    int first = -1, count = 0;  // what is in the slots
    std::vector<Slots> slots;
  };
  struct Evaluation {
    Slots field;
    int signal;  // −1: all that are not constant, in lanes at times of their own
    int from, to;
    int program;
  };
  bool is_told(size_t signal) const { return varies_[signal] || !pieces_[signal].is_constant; }
  void put(size_t signal, int first, int count);
  int program(const Slots& field, int signal, int from = -1, int to = -1);
  void make(const Evaluation& e);

  LaneTrace& trace_;
  const Realization<double>& realization_;
  std::vector<char> varies_;
  std::vector<Pieces> pieces_;  // [signals]
  int place_;                   // slot: t, or c
  std::vector<Evaluation> evaluations_;
};

}  // namespace aleator::core
