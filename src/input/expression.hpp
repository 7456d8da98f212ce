// Numbers as expressions of the parameters, evaluated by muParser; `30 deg` is an angle in radians, and
// expressions of time may use t. Constants: pi, e.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input/description.hpp"
#include "input/time_program.hpp"

namespace aleator::core::input {

// The programs of one model: text and the parameters each one needs. Immutable after reading.
class Expressions {
 public:
  struct Program {
    std::string text;
    Position at;
    std::vector<int> parameters;                     // those it mentions, as indices into Description::parameters
    bool of_time = false;                            // mentions t
    std::shared_ptr<const TimeProgram> on_arrays{};  // of one that does, for many times at once; or none
    Bound bound = Bound::none;                       // what its value must be, and
    std::string name;                                // how messages call it: "joint 'guide': 'spring.stiffness'"
  };
  std::vector<Program> programs;
};

// The values of all parameters in one realization, and with them those of all numbers. Owned by one thread.
// Throws InputError (with position) for an override that names no parameter, and where a number is not finite or out of bounds.
class Scope {
 public:
  explicit Scope(const Description& description, std::span<const std::pair<std::string, double>> overrides = {});
  ~Scope();
  Scope(Scope&&) noexcept;

  double operator()(const Number& number) const;            // a number that does not depend on t
  double operator()(const Number& number, double t) const;  // one that may
  void operator()(const Number& number, std::span<const double> t, std::span<double> y) const;  // the same at many times
  double parameter(int index) const;

  // A number that depends on t as a sum of sines and exponentials of t, if it is one.
  std::optional<ExponentialForm> exponentials(const Number& number) const;
  // How a number that depends on t repeats itself, if it is known to.
  std::optional<Repetition> repetition(const Number& number) const;

  // Of a number that depends on t: functions of which one changes its sign where it, or its slope, can be discontinuous. None where
  // they are not known.
  int switches(const Number& number) const;
  void switch_values(const Number& number, int index, std::span<const double> t, std::span<double> y) const;
  std::optional<ExponentialForm> switch_exponentials(const Number& number, int index) const;

  // The next realization with the same compiled programs: all parameters anew, overrides of before forgotten.
  void reset(std::span<const std::pair<std::string, double>> overrides);

  std::string explain(const Number& number) const;  // "-1 = a - b for a = 1, b = 2", for messages

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Whether any number of an item, however deep, depends on one of the named parameters, directly or through others.
bool depends_on(const Item& item, const Description& description, std::span<const std::string> parameters);

// The same for many items and one set of parameters.
class Dependents {
 public:
  Dependents(const Description& description, std::span<const std::string_view> parameters);
  bool contain(const Item& item) const;

 private:
  const Description& description_;
  std::vector<char> affected_;  // [parameters]; empty when there is none
};

// A whole number; `what` begins the message: "study: 'samples'" gives "study: 'samples' must be a whole number, found 2.5 = n
// for n = 2.5".
long long whole(const Scope& scope, const Number& number, std::string_view what);

void check_bound(double value, Bound bound, Position at, std::string_view what, const std::string& written);
bool is_whole(double value);  // and small enough to be exact

}  // namespace aleator::core::input
