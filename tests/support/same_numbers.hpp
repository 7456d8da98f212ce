// What "the same numbers" means: bit for bit, but for the sign of a zero, or with gaps (NaN) in the same places.
#pragma once

#include <string>
#include <vector>

namespace aleator::core::test {

bool same_bits(double a, double b);
bool same_bits(const std::vector<double>& a, const std::vector<double>& b);
// Recording drops the signs of zeros.
bool same_but_for_zeros(double a, double b);

// Equal, or both NaN.
bool same_or_nan(double a, double b);
bool same_or_nan(const std::vector<double>& a, const std::vector<double>& b);
// The same of every number; a failure says which.
void expect_same(const std::vector<double>& found, const std::vector<double>& expected, const std::string& what = "");

}  // namespace aleator::core::test
