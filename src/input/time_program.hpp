// An expression of t and the parameters as a list of operations on arrays of times: a study evaluates each function of time at
// hundreds of times per realization, and one by one that takes longer than the simulation.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace aleator::core::input {

struct ExponentialForm;  // exponential_form.hpp
struct TimeFunction;     // time_functions.hpp

// f(t + period) − offset = exp(growth period) (f(t) − offset)
struct Repetition {
  double period, growth, offset = 0;
};

class TimeProgram {
 public:
  // From a text that muParser accepts. Nothing where it has something this does not know.
  static std::optional<TimeProgram> make(std::string_view text, const std::unordered_map<std::string_view, int>& parameters);

  // y[i] = f(t[i]); `parameters` are all of the model. Numbers that are not finite are left to the caller.
  void operator()(std::span<const double> parameters, std::span<const double> t, std::span<double> y) const;

  // f in closed form, if it is a sum of sines and exponentials of time with amplitudes, frequencies and phases that do not change.
  std::optional<ExponentialForm> exponentials(std::span<const double> parameters) const;
  // The period of f, if time is only in sines, cosines and saw teeth whose frequencies are multiples of one; f may grow or decay as exp(growth t).
  std::optional<Repetition> repetition(std::span<const double> parameters) const;

  // Where f or its slope can be discontinuous one of these changes its sign: u of abs(u), u − v of u < v and max(u, v) ...
  int switches() const { return static_cast<int>(switches_.size()); }
  void switch_values(int number, std::span<const double> parameters, std::span<const double> t, std::span<double> y) const;
  std::optional<ExponentialForm> switch_exponentials(int number, std::span<const double> parameters) const;

 private:
  friend class TimeProgramParser;
  enum class Op {
    number,
    parameter,
    time,
    negate,
    add,
    subtract,
    multiply,
    divide,
    power,
    less,
    greater,
    at_most,
    at_least,
    equal,
    differs,
    both,
    either,
    select,
    smaller,
    larger,
    function,
    function2
  };
  struct Node {
    Op op = Op::number;
    int a = -1, b = -1, c = -1;  // operands, all before it; of a parameter its index
    double value = 0;
    const TimeFunction* function = nullptr;
    double (*two)(double, double) = nullptr;
    bool of_time = false;
  };
  struct Oscillation;
  static constexpr std::size_t width = 64;  // times at once: all numbers stay in the cache

  struct Work {
    std::vector<double> numbers;        // [nodes][width]
    std::vector<const double*> values;  // [nodes] where they are
  };
  void block(const Node& node, std::size_t n, const double* const* values, double* y) const;
  void run_constants(std::size_t count, std::span<const double> parameters, std::size_t n, Work& work) const;
  std::optional<ExponentialForm> exponentials_of(int last, std::span<const double> parameters) const;
  void add_line(const Node& node, const double* const* values, const std::vector<Oscillation>& all, Oscillation& r) const;
  void add_growth(const Node& node, const double* const* values, const std::vector<Oscillation>& all, Oscillation& r) const;
  void run(int last, std::span<const double> parameters, std::span<const double> t, std::span<double> y) const;

  std::vector<Node> nodes_;
  int result_ = -1;
  std::vector<int> switches_;  // nodes
};

}  // namespace aleator::core::input
