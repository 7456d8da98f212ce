// Numbers as expressions of the parameters, evaluated by muParser; `30 deg` is an angle in radians, and
// expressions of time may use t. Constants: pi, e.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "input/description.hpp"

namespace aleator::input {

// The programs of one model: text and the parameters each one needs. Immutable after reading.
class Expressions {
 public:
  struct Program {
    std::string text;
    Position at;
    std::vector<int> parameters;  // those it mentions, as indices into Description::parameters
    bool of_time = false;         // mentions t
  };
  std::vector<Program> programs;
};

// The values of all parameters in one realization, and with them those of all numbers. Owned by one thread.
// Throws InputError (with position) for an override that names no parameter, and where a number is not finite.
class Scope {
 public:
  explicit Scope(const Description& description, std::span<const std::pair<std::string, double>> overrides = {});
  ~Scope();
  Scope(Scope&&) noexcept;

  double operator()(const Number& number) const;            // a number that does not depend on t
  double operator()(const Number& number, double t) const;  // one that may
  double parameter(int index) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace aleator::input
