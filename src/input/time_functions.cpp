#include "input/time_functions.hpp"

#include <cmath>
#include <numbers>

#include "base/array_functions.hpp"

namespace aleator::core::input {

constexpr TimeFunction functions[] = {{"sin", [](double x) { return std::sin(x); }, sines},
                                      {"cos", [](double x) { return std::cos(x); }, cosines},
                                      {"tan", [](double x) { return std::tan(x); }},
                                      {"asin", [](double x) { return std::asin(x); }},
                                      {"acos", [](double x) { return std::acos(x); }},
                                      {"atan", [](double x) { return std::atan(x); }},
                                      {"sinh", [](double x) { return std::sinh(x); }},
                                      {"cosh", [](double x) { return std::cosh(x); }},
                                      {"tanh", [](double x) { return std::tanh(x); }, hyperbolic_tangents},
                                      {"exp", [](double x) { return std::exp(x); }, exponentials},
                                      {"log", [](double x) { return std::log(x); }},
                                      {"ln", [](double x) { return std::log(x); }},
                                      {"log10", [](double x) { return std::log10(x); }},
                                      {"sqrt", [](double x) { return std::sqrt(x); }, square_roots},
                                      {"abs", [](double x) { return std::abs(x); }, magnitudes},
                                      {"sign", [](double x) { return double((x > 0) - (x < 0)); }},
                                      {"floor", [](double x) { return std::floor(x); }},
                                      {"ceil", [](double x) { return std::ceil(x); }},
                                      {"deg", [](double x) { return x * (std::numbers::pi / 180); }}};

const TimeFunction* function_named(std::string_view name) {
  for (const TimeFunction& f : functions)
    if (f.name == name) return &f;
  return nullptr;
}

}  // namespace aleator::core::input
