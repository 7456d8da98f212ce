// A machine for the PTX that src/numerics/ptx.cpp writes: checks that a text is well-formed (registers are declared and of the right type, labels are
// there, instructions are known) and runs it, warp by warp, on memory of the host. No more of the language than that.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace aleator::core::test {

struct PtxError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class PtxMachine {
 public:
  explicit PtxMachine(const std::string& text);  // throws PtxError

  const std::string& entry() const { return entry_; }
  const std::vector<int>& parameters() const { return parameter_bytes_; }  // 4 or 8 each
  int threads() const { return threads_; }                                 // of a block
  int registers() const { return int(types_.size()); }
  bool has_shared() const { return has_shared_; }

  // Addresses are pointers. `allowed` is asked for every access to global memory.
  void launch(int blocks, int shared_bytes, const std::vector<std::uint64_t>& parameters,
              const std::function<bool(std::uint64_t address, int bytes)>& allowed = {}) const;

 private:
  enum class Type : std::uint8_t { f64, u64, b64, u32, pred };
  enum class Kind : std::uint8_t { reg, constant, special, pair };
  struct Operand {
    Kind kind = Kind::constant;
    int reg = -1, other = -1;
    std::uint64_t value = 0;
  };
  struct Instruction {
    int op = 0;
    int guard = -1;  // register; −1: none
    bool guard_not = false;
    int to[4] = {-1, -1, -1, -1};
    Operand from[3];
    int target = -1;          // of a branch
    std::int64_t offset = 0;  // of an address
  };
  class Parser;
  class Warp;

  std::string entry_;
  std::vector<std::string> parameter_names_;
  std::vector<int> parameter_bytes_;
  std::vector<Type> types_;  // [registers]
  std::vector<Instruction> code_;
  int threads_ = 0, local_bytes_ = 0;
  bool has_shared_ = false;
};

}  // namespace aleator::core::test
