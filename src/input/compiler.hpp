// From the text of an expression to a program: what it mentions, whether it is constant, where it is wrong.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "input/expression.hpp"

namespace mu {
class Parser;
}

namespace aleator::core::input {

// What is wrong with an expression, worded to follow its name ("'mass' " + message), and where in its text.
struct ExpressionError {
  std::string message;
  int offset = -1;
  bool is_last = false;      // a total is used up: no expression after it is read
  std::string unknown_name;  // that it is about, if it is
};

// An expression taken apart. Throws ExpressionError for characters that are none of plain arithmetic.
struct Token {
  enum class Type { number, name, symbol };
  Type type;
  std::string_view text;
  int offset;
};
std::vector<Token> tokens_of(std::string_view text);

// The identifiers in a text, right or wrong, in order; nothing is checked.
std::vector<std::string_view> identifiers_in(std::string_view text);

// sin, pi, deg, t ...: names that parameters may not take.
bool is_reserved_name(std::string_view name);

// A parser that knows the functions, the constants and `deg`, and no variables.
std::unique_ptr<mu::Parser> make_parser();

// Turns texts into numbers and collects the programs of those that are not constant.
class Compiler {
 public:
  // The parameters, in the order in which they will be evaluated.
  explicit Compiler(std::vector<std::string> parameters);
  Compiler(Compiler&&) = delete;
  ~Compiler();

  enum class Time { refused, allowed };
  Number number(std::string_view text, Position at, Time time);  // throws ExpressionError

  // A number that is not constant keeps its bound, to be checked whenever it is evaluated.
  void restrict(const Number& number, Bound bound, std::string name) {
    Expressions::Program& program = expressions_->programs[static_cast<std::size_t>(number.program)];
    program.bound = bound;
    program.name = std::move(name);
  }

  const Expressions::Program& program(const Number& number) const {
    return expressions_->programs[static_cast<std::size_t>(number.program)];
  }

  std::shared_ptr<const Expressions> finish() { return std::move(expressions_); }

 private:
  Expressions::Program analyse(std::string_view text, Time time) const;
  double try_out(const Expressions::Program& program);
  std::shared_ptr<const TimeProgram> on_arrays(const Expressions::Program& program);

  std::vector<std::string> parameters_;
  std::unordered_map<std::string_view, int> index_;  // of parameters_
  std::vector<std::string> known_;                   // all that may be mentioned, for suggestions
  std::unique_ptr<mu::Parser> parser_;
  std::vector<double> dummies_;  // parameters_.size() + 1 for t
  std::shared_ptr<Expressions> expressions_;
  std::size_t count_ = 0, length_ = 0;  // of all expressions, constant ones too
};

}  // namespace aleator::core::input
