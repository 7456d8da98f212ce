// Costs and constraints as they are written: expressions of the chosen parameters and of statistics of a study,
//   strength + 0.1*std(peak),   probability(drift.above),   mean(peak)/pi
// Known: + - * / ^, parentheses, abs sqrt exp log log10 min max, pi, and the statistics mean(X), std(X), quantile(X, p), probability(LIMIT).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "input/error.hpp"

namespace aleator::core::optimisation {

struct Statistic {
  enum class Kind { mean, std, quantile, probability };
  Kind kind = Kind::mean;
  std::string of;    // a scalar or an output; of a probability a limit: "drift.above"
  double level = 0;  // of a quantile
  input::Position at;

  std::string text() const;  // "quantile(peak, 0.95)"
  bool is(const Statistic& other) const { return kind == other.kind && of == other.of && level == other.level; }
};

// What names stand for while a formula is read.
struct Names {
  std::vector<std::string> parameters;  // variables 0, 1, …
  // Other numbers of the model by their names; NaN: there is none. May throw InputError without a place.
  std::function<double(const std::string&)> constant;
  std::vector<std::string> suggested;  // for misspelled ones
  std::vector<Statistic>* statistics;  // found so far, each once; those of the formula are added
};

class Formula {
 public:
  Formula() = default;
  // `at`: where the text begins. Throws InputError.
  Formula(std::string text, input::Position at, const Names& names);

  double operator()(std::span<const double> parameters, std::span<const double> statistics) const;
  const std::string& text() const { return text_; }
  const std::vector<int>& statistics() const { return used_; }  // it mentions
  int only_statistic() const;                                   // where it is one alone and nothing else; −1: it is not

 private:
  struct Node {
    enum class Kind { number, parameter, statistic, operation } kind;
    double number = 0;
    int index = 0;               // of the parameter or statistic
    std::string operation = {};  // "+", "neg", "sqrt"
    int first = -1, second = -1;
  };
  friend class FormulaReader;
  double value(int node, std::span<const double> parameters, std::span<const double> statistics) const;

  std::string text_;
  std::vector<Node> nodes_;
  int root_ = -1;
  std::vector<int> used_;
};

// left <= right or left >= right; the right side has no statistics.
struct ConstraintFormula {
  std::string text;
  input::Position at;
  Formula left, right;
  bool at_most = true;
};
ConstraintFormula read_constraint(const std::string& text, input::Position at, const Names& names);

}  // namespace aleator::core::optimisation
