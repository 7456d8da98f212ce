// The arguments of a law or copula as they were given, checked against its field table.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/fields.hpp"
#include "uncertainty/distribution.hpp"

namespace aleator::core {

// A kind by its key; throws std::invalid_argument with the nearest known one. `what` is "law" or "copula".
const input::Kind& kind_of(const std::vector<input::Kind>& kinds, std::string_view key, std::string_view what);

class Given {
 public:
  // Throws std::invalid_argument: unknown, doubled or missing names, values that are not finite or out of their field's bound.
  Given(std::span<const input::Field> fields, std::span<const Argument> arguments, double nominal);

  bool has(std::string_view key) const;
  double at(std::string_view key) const;                // must be there
  double at(std::string_view key, double other) const;  // `other` when it is not there
  double or_nominal(std::string_view key) const;
  std::string said(std::string_view key) const;  // "'mean' (3)", or "'mean' (3, the nominal value)"

  // Two ways to give a law: true when `first` was given (then all of it, and nothing of `second`).
  bool either(std::initializer_list<std::string_view> first, std::initializer_list<std::string_view> second) const;
  // Which one of these was given: exactly one must be.
  std::string_view one_of(std::initializer_list<std::string_view> keys) const;
  // Standard deviation from `std` or `cov`, of which exactly one must be given.
  double spread(double mean) const;
  double by_cov(double mean) const;                                  // cov |mean|
  void below(std::string_view lower, std::string_view upper) const;  // throws unless the first is below the second

 private:
  std::vector<Argument> arguments_;
  double nominal_;
};

}  // namespace aleator::core
