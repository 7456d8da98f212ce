#include "uncertainty/given.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "input/error.hpp"

namespace aleator::core {

namespace {

// "'a', 'b' and 'c'"
std::string listed(std::initializer_list<std::string_view> keys, std::string_view last) {
  std::string text;
  std::size_t k = 0;
  for (const auto key : keys) {
    const bool final = ++k == keys.size();
    text += fmt::format("{}'{}'", k == 1 ? "" : final ? fmt::format(" {} ", last) : ", ", key);
  }
  return text;
}

const Argument* find(std::span<const Argument> arguments, std::string_view key) {
  const auto a = std::find_if(arguments.begin(), arguments.end(), [&](const Argument& x) { return x.name == key; });
  return a == arguments.end() ? nullptr : &*a;
}

void check_value(const input::Field& field, double value) {
  if (!std::isfinite(value)) throw std::invalid_argument(fmt::format("'{}' must be a finite number", field.key));
  if (field.bound == input::Bound::positive && !(value > 0))
    throw std::invalid_argument(fmt::format("'{}' must be positive, found {}", field.key, value));
  if (field.bound == input::Bound::not_negative && value < 0)
    throw std::invalid_argument(fmt::format("'{}' must not be negative, found {}", field.key, value));
}

}  // namespace

const input::Kind& kind_of(const std::vector<input::Kind>& kinds, std::string_view key, std::string_view what) {
  const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const input::Kind& k) { return k.key == key; });
  if (kind != kinds.end()) return *kind;
  std::vector<std::string> known;
  for (const auto& k : kinds) known.emplace_back(k.key);
  throw std::invalid_argument(fmt::format("unknown {} '{}'{}", what, key, input::suggestion(key, known)));
}

Given::Given(std::span<const input::Field> fields, std::span<const Argument> arguments, double nominal)
    : arguments_(arguments.begin(), arguments.end()), nominal_(nominal) {
  for (auto a = arguments.begin(); a != arguments.end(); ++a) {
    const auto field = std::find_if(fields.begin(), fields.end(), [&](const input::Field& f) { return f.key == a->name; });
    if (field == fields.end()) {
      std::vector<std::string> known;
      for (const auto& f : fields) known.emplace_back(f.key);
      throw std::invalid_argument(fmt::format("unknown key '{}' (known: {})", a->name, fmt::join(known, ", ")));
    }
    if (find({arguments.begin(), a}, a->name)) throw std::invalid_argument(fmt::format("'{}' is given twice", a->name));
    check_value(*field, a->value);
  }
  for (const auto& f : fields)
    if (f.required && !has(f.key)) throw std::invalid_argument(fmt::format("'{}' is missing", f.key));
}

bool Given::has(std::string_view key) const { return find(arguments_, key) != nullptr; }

double Given::at(std::string_view key) const {
  const Argument* a = find(arguments_, key);
  if (!a) throw std::invalid_argument(fmt::format("'{}' is missing", key));
  return a->value;
}

double Given::at(std::string_view key, double other) const {
  const Argument* a = find(arguments_, key);
  return a ? a->value : other;
}

double Given::or_nominal(std::string_view key) const {
  const double value = at(key, nominal_);
  if (!std::isfinite(value)) throw std::invalid_argument(fmt::format("'{}' is missing, and there is no nominal value", key));
  return value;
}

std::string Given::said(std::string_view key) const {
  if (const Argument* a = find(arguments_, key)) return fmt::format("'{}' ({})", key, a->value);
  return fmt::format("'{}' ({}, the nominal value)", key, nominal_);
}

bool Given::either(std::initializer_list<std::string_view> first, std::initializer_list<std::string_view> second) const {
  const auto given = [&](std::string_view key) { return has(key); };
  if (std::none_of(first.begin(), first.end(), given)) return false;
  for (const auto key : first)
    if (!has(key)) throw std::invalid_argument(fmt::format("'{}' is missing: {} go together", key, listed(first, "and")));
  for (const auto key : second)
    if (has(key)) throw std::invalid_argument(fmt::format("give {} or '{}', not both", listed(first, "and"), key));
  return true;
}

std::string_view Given::one_of(std::initializer_list<std::string_view> keys) const {
  std::string_view found;
  for (const auto key : keys) {
    if (!has(key)) continue;
    if (!found.empty()) throw std::invalid_argument(fmt::format("give '{}' or '{}', not both", found, key));
    found = key;
  }
  if (found.empty()) throw std::invalid_argument(fmt::format("give {}", listed(keys, "or")));
  return found;
}

double Given::by_cov(double mean) const {
  if (mean == 0)
    throw std::invalid_argument(fmt::format("'cov' is the standard deviation / |mean|, but the mean{} is 0: give 'std'",
                                            has("mean") ? "" : " (the nominal value)"));
  return at("cov") * std::abs(mean);
}

double Given::spread(double mean) const { return one_of({"std", "cov"}) == "std" ? at("std") : by_cov(mean); }

void Given::below(std::string_view lower, std::string_view upper) const {
  if (!(or_nominal(lower) < or_nominal(upper)))
    throw std::invalid_argument(fmt::format("{} must be below {}", said(lower), said(upper)));
}

}  // namespace aleator::core
