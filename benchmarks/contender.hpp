// What is compared: ways to compute realizations of a study, ours and those of peers.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace aleator::core::bench {

struct Case;

// Outputs of one realization.
struct Response {
  bool ok = false;
  std::string why;             // it failed
  std::vector<double> values;  // [times][channels], as in SimulatedRow
};

// What the programs of a contender do for one realization.
struct Work {
  double operations = 0;         // floating-point; a fused one counts two
  double read = 0, written = 0;  // bytes of the frame; what registers do not hold within a program is not counted
  double peak = 0;               // floating-point operations per second of a core with these instructions, measured
};

struct Contender {
  // Rows first … first + count − 1 of the study into out[0 … count[, which has that size.
  std::function<void(long first, long count, std::vector<Response>& out)> run;
  std::string settings;             // "runge-kutta, h = 2.5e-4"
  std::function<Work()> work = {};  // of contenders with recorded programs
};

// A contender in the list of a case. One number trades accuracy for time: a step, or a tolerance; `./bench --tune CASE` finds the
// largest one that meets the bounds, and that is written into the list.
struct Entry {
  std::string name;           // "Aleator, one at a time", "Simbody", …
  double knob;                // as tuned
  double reaction_bound = 0;  // relative L1; 0: there are no reactions
  std::function<Contender(const Case&, double knob)> make;
  int threads = 1;      // more: time is that of the wall
  double ladder = 1.3;  // factor between the values of the knob that are tried
};

}  // namespace aleator::core::bench
