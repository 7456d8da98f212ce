#include "base/rounded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.hpp"

namespace aleator::core {
namespace {

constexpr int most_digits = 7;  // of a value: beyond these nobody reads the end of it

// Decimals that the error leaves; negative: tens, hundreds, …
int decimals_of(double error) {
  const int exponent = int(std::floor(std::log10(error)));
  const double first = error / std::pow(10, exponent);
  return first < 1.95 ? 1 - exponent : -exponent;
}

std::string fixed_digits(double x, int decimals) {
  const double unit = std::pow(10, -decimals);
  if (decimals < 0) x = std::round(x / unit) * unit;
  const std::string text = fmt::format("{:.{}f}", x, std::max(0, decimals));
  return text[0] == '-' && text.find_first_not_of("-0.") == std::string::npos ? text.substr(1) : text;  // no -0
}

std::string infinity_words(double x) { return x < 0 ? "-∞" : "∞"; }

// An error that says nothing about digits, or leaves more of them than anybody reads.
bool says_digits(double value, double error) {
  return std::isfinite(value) && std::isfinite(error) && error > 0 &&
         !(std::abs(value) > 0 && std::log10(std::abs(value)) + decimals_of(error) >= most_digits);
}

struct Scale {
  double factor = 1;
  std::string suffix;  // "e+11"
};

// Numbers that would need many zeros have a power of ten.
Scale scale_of(double value, double error) {
  const double size = std::max(std::abs(value), error);
  if (size >= 1e-3 && size < 1e6) return {};
  const int exponent = int(std::floor(std::log10(size)));
  return {std::pow(10, exponent), fmt::format("e{:+03}", exponent)};
}

}  // namespace

std::string rounded(double value, double error) {
  if (std::isnan(value)) return "none";
  if (std::isinf(value)) return infinity_words(value);
  if (!says_digits(value, error)) return number(value);
  const Scale s = scale_of(value, error);
  return fixed_digits(value / s.factor, decimals_of(error / s.factor)) + s.suffix;
}

std::string with_error(double value, double error) {
  if (std::isnan(error) || !std::isfinite(value)) return rounded(value, error);
  if (std::isinf(error)) return fmt::format("{:.2g} ± ∞", value);
  if (!says_digits(value, error)) return fmt::format("{:.{}g} ± {:.1g}", value, most_digits, error);
  const Scale s = scale_of(value, error);
  const double e = error / s.factor;
  const std::string text =
      fmt::format("{} ± {}", fixed_digits(value / s.factor, decimals_of(e)), fixed_digits(e, decimals_of(e)));
  return s.suffix.empty() ? text : fmt::format("({}){}", text, s.suffix);
}

}  // namespace aleator::core
