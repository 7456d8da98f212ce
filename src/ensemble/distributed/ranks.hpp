// Several processes of one study, on one machine or on many: how they talk. Rank 0 leads. The module with MPI implements it
// (ensemble/mpi), and tests do with threads; the program itself is linked with neither.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/bytes.hpp"

namespace aleator::core {

class Ranks {
 public:
  Ranks() = default;
  virtual ~Ranks() = default;  // when all have come to their end
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual int on_this_machine() const = 0;  // so many …
  virtual int rank_here() const = 0;        // … and which of them this one is

  // From thread to thread that owns this object; a message arrives whole.
  virtual void send(int to, Bytes message) = 0;
  virtual int receive(Bytes& message) = 0;  // where it comes from; −1: nothing has come

  // All of them together.
  virtual std::string broadcast(const std::string& of_rank_0) = 0;
  virtual std::vector<std::string> gather(const std::string& own) = 0;  // [ranks] at rank 0, nothing elsewhere

  // Ends all of them at once, also those that no longer answer.
  [[noreturn]] virtual void abort(int exit_code) = 0;
};

// Those this process was started with (mpirun, srun); none when it was started alone. Throws SimulationError when there are
// several and this program was built without MPI.
std::unique_ptr<Ranks> ranks_of_this_process();

// What the module exports.
inline constexpr char ranks_module_entry[] = "aleator_ranks_module_1";
using RanksModuleEntry = Ranks* (*)();

}  // namespace aleator::core
