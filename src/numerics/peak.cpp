#include "numerics/peak.hpp"

#include <algorithm>
#include <chrono>

#include "base/aligned.hpp"
#include "numerics/traced.hpp"

namespace aleator::core {

double measured_peak(Isa isa) {
  const int sums = isa == Isa::avx512 ? 24 : 10, rounds = 40, runs = 400;  // as many sums as stay in registers
  Tape tape(fuses(isa));
  std::vector<Store> stores;
  {
    const Tape::Recording recording(tape);
    const Traced a = Traced::of(tape.input(sums, Level::state)), b = Traced::of(tape.input(sums + 1, Level::state));
    std::vector<Traced> x;
    for (int i = 0; i < sums; ++i) x.push_back(Traced::of(tape.input(i, Level::state)));
    for (int r = 0; r < rounds; ++r)
      for (Traced& sum : x) sum = multiply_add(sum, a, b);
    for (int i = 0; i < sums; ++i) stores.push_back({x[i].node, i});
  }
  int slots = sums + 2;
  const Program program = ProgramMaker(tape, slots).make_in_order(stores);
  const auto run = translate(program, isa);
  const int width = lanes(isa);
  AlignedVector<double> frame(size_t(slots) * width, 0.5), scratch(size_t(run->scratch_slots()) * width);
  double best = 0;
  for (int k = 0; k < 20; ++k) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < runs; ++i) (*run)(frame.data(), scratch.data());
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best = std::max(best, double(program.operations()) * width * runs / seconds);
  }
  return best;
}

}  // namespace aleator::core
