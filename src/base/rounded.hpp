// Numbers rounded to what is known of them: digits that a standard error leaves no meaning are not shown.
#pragma once

#include <string>

namespace aleator::core {

// "0.185 ± 0.004", "-2 ± 4", "3220 ± 130", "(2.1 ± 0.3)e+11". The error has one digit, or two where the first of them is 1; the value
// ends where its error does. An error that is NaN is not known: the value alone, with 4 digits. A value that is NaN: "none".
std::string with_error(double value, double error);

// The value alone, as above: "0.185".
std::string rounded(double value, double error);

}  // namespace aleator::core
