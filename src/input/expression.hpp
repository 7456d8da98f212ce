// Numbers as expressions of the parameters, evaluated by muParser; `30 deg` is an angle in radians, and
// expressions of time may use t. Constants: pi, e.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
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

  // The next realization with the same compiled programs: all parameters anew, overrides of before forgotten.
  void reset(std::span<const std::pair<std::string, double>> overrides);

  std::string explain(const Number& number) const;  // "-1 = a - b for a = 1, b = 2", for messages

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The reader checks bounds of constants; of numbers that depend on parameters, those who evaluate them do. `what` begins
// the message: "body 'rb1': 'mass'" gives "body 'rb1': 'mass' must be positive, found -1 = a - b for a = 1, b = 2".
double bounded(const Scope& scope, const Number& number, Bound bound, std::string_view what);
long long whole(const Scope& scope, const Number& number, Bound bound, std::string_view what);  // an integer

void check_bound(double value, Bound bound, Position at, std::string_view what, const std::string& written);
bool is_whole(double value);  // and small enough to be exact

}  // namespace aleator::input
