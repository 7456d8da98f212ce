// What a comparison says, in words and as a table.
#pragma once

#include <optional>
#include <string>

#include "analysis/compare.hpp"

namespace aleator::core::analysis {

// Which distributions differ, as far as realizations tell: p-values below 1 % shared out among all that were tested.
std::string significance(const Comparison& comparison);

// The largest differences, and whether any exceeds what is allowed: of means and standard deviations, of the ends of bands.
struct Verdict {
  bool exceeded;
  std::string words;
};
Verdict verdict(const Comparison& comparison, std::optional<double> allowed, std::optional<double> allowed_band);

std::string percent(double x);                             // "1.2 %", "–" where it is not known
std::string comparison_csv(const Comparison& comparison);  // a line per output and scalar, all digits

}  // namespace aleator::core::analysis
