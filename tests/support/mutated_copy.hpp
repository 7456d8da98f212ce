// Copies of the examples with mistakes, and how they end: read, compiled, simulated for a moment, brought to rest, made to vibrate and,
// where something is uncertain, studied with a few realizations.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace aleator::core::test {

enum class End {
  wrong_model,        // an InputError that says where
  simulation_failed,  // a SimulationError that says why; also a study of which all realizations failed
  some_failed,        // a study with realizations that failed, each for a reason
  finished,           // with finite numbers only
  defect              // anything else
};

struct Ending {
  End end = End::defect;
  std::string words;  // the message; of a defect what it is
};

// In this process. Never throws.
Ending ending_of(const std::string& model);

// The number-th mutated copy of an example: most have mistakes in their tree (support/mistakes.hpp), some changed letters
// (cli/mutations.hpp). The same on every machine.
std::string mutated_copy(const std::string& example, int number);

// How copies number first … first + count − 1 of an example end. They are tried in processes of their own, so that one that crashes, takes
// longer than it may or more memory than it may is a defect as any other: those fail the test, with the copy.
std::map<End, int> endings_of_copies(const std::string& example, int first, int count);

// Names of the models of examples/, without .yaml, sorted.
std::vector<std::string> mutated_examples();

}  // namespace aleator::core::test
