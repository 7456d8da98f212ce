// Texts of figures: numbers and units as printed in a book, and how wide they are.
#pragma once

#include <string>
#include <string_view>

#include "base/utf8.hpp"

namespace aleator::core::report {

// With a real minus sign; `decimals` behind the point.
std::string fixed_number(double x, int decimals);
std::string short_number(double x, int digits = 4);  // significant digits

// "m/s^2" → "m/s²", "N*m" → "N·m", "s^(1/2)" → "√s".
std::string pretty_unit(std::string_view unit);
std::string power_of_ten(int exponent);  // "10⁻³"

// For XML: & < > " ' as entities; characters that XML has not become U+FFFD.
std::string escaped(std::string_view text);

// For terminals: without control characters, which could do anything there.
std::string printable(std::string_view text);

// "−" as "-", "²" as "^2"; what ASCII has nothing for as "?".
std::string plain_ascii(std::string_view text);

// An upper estimate in units of the font size, for sans-serif fonts that are not narrow.
double text_width(std::string_view text);

}  // namespace aleator::core::report
