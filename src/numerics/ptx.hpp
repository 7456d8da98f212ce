// Programs as PTX, the assembly language of NVIDIA's driver: one kernel with the programs of a method, which runs a schedule of them for many packs
// of 32 realizations. A pack is a warp; slot s of its frame is 256 consecutive bytes. Every operation is rounded as the lanes of a processor round
// it (.rn, IEEE division and square root, fused where the program fuses): the same bits.
//
// A kernel is what schedules have in common; a schedule is an array of events in the memory of the device (DeviceEvent). So steps, stages, breakpoints
// and outputs of a simulation are no part of the text, and one kernel serves every duration.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "numerics/program.hpp"
#include "numerics/uniform_part.hpp"

namespace aleator::core {

struct DeviceEvent {
  enum Kind : std::uint32_t {
    end,
    set,            // slot a ← the number whose bits are (b, c)
    copy,           // c slots from a to b
    fetch,          // c lines from line a of the pack's inputs, to slot b
    emit,           // c slots from a, to line b of the outputs
    skip_if_none,   // b events are skipped if slot a is 0 in all lanes …
    skip_if_all,    // … or in none
    repeat_if_any,  // the last b events are done again unless slot a is 0 in all lanes
    recall,         // c % 2¹⁶ lines of the outputs, from line a on and c / 2¹⁶ apart, to slot b
    tell,           // slot a, to line b of what is told
    run,            // run + k: program k, with the row that begins at number a of the table
  };
  std::uint32_t kind, a, b, c;  // slots are given in bytes: 256 times their number
};
static_assert(sizeof(DeviceEvent) == 16);

constexpr int warp = 32;                // lanes of a pack
constexpr int line = warp * 8;          // bytes: a number of each lane
constexpr int kernel_block = 2 * warp;  // threads

struct KernelProgram {
  const Program* program;
  double runs = 1;  // in a simulation: what is done often decides what is kept near
};

// What a kernel may use. The numbers are those that were found best on an H200: few threads with many registers.
struct KernelLimits {
  int registers = 112;  // numbers of a lane held in registers
  int shared = 0;       // numbers of a lane in the shared memory of its multiprocessor
  int blocks = 2;       // at a time on a multiprocessor
  bool fast = false;    // quotients and roots to the last bit or two, instead of rounded as they should be
};

struct KernelText {
  std::string text;               // PTX; the kernel is called "simulate"
  int shared_bytes = 0;           // of a block
  std::vector<UniformPart> rows;  // [programs] what comes with each run
  struct {
    double loads = 0, stores = 0, spill_loads = 0, spill_stores = 0;  // of all runs, for one lane
    int spills = 0, in_shared = 0;
  } traffic;
};

// `uniform`: [slots] that are the same in all lanes; `in_frame`: [slots] that events and inputs refer to.
// Parameters of the kernel: addresses of frames [warps][slots], events, rows, inputs [packs][inputs], slots of the inputs in bytes (32 bits each) and
// outputs [packs][lines]; 32-bit numbers of packs, of inputs that have a place, of all inputs and of lines; the address of what is told [packs][told], and
// the 32-bit number of its lines.
KernelText kernel_text(const std::vector<KernelProgram>& programs, const std::vector<char>& uniform,
                       const std::vector<char>& in_frame, const KernelLimits& limits);

namespace detail {

// A number in memory that a body reads or writes: where it is is decided when all bodies are known.
struct PtxLine {
  enum Kind : std::uint8_t { text, load_slot, store_slot, load_spill, store_spill } kind = text;
  int index = 0;      // slot or spill
  std::string words;  // the instruction; of a load the register, of a store what is stored
};
// The body of a program: values that are needed last go to memory first (Belady), as in machine_code.cpp.
struct PtxBody {
  std::vector<PtxLine> lines;
  int numbers = 0, masks = 0, words = 0, halves = 0;  // registers
  int spills = 0;
};
PtxBody ptx_body(const Program& program, const UniformPart& uniform, const KernelLimits& limits);

}  // namespace detail

}  // namespace aleator::core
