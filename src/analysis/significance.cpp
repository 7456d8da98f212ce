#include "analysis/significance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace aleator::core::analysis {

constexpr double significant = 0.01;  // of p, divided by the number of outputs

std::string significance(const Comparison& c) {
  std::vector<std::string> differ;
  std::size_t tested = 0;
  for (const auto& x : c.outputs) tested += x.samples.has_value();
  for (const auto& x : c.scalars) tested += !std::isnan(x.p);
  if (tested == 0) return "no tests: they need realizations of both, and scatter";
  const double bound = significant / double(tested);
  for (const auto& x : c.outputs)
    if (x.samples && x.samples->smallest < bound) differ.push_back(x.name);
  for (const auto& x : c.scalars)
    if (x.p < bound) differ.push_back(x.name);
  if (differ.empty()) return "no distribution differs by more than noise (at 1 %)";
  return fmt::format("distributions differ by more than noise (at 1 %): {}", fmt::join(differ, ", "));
}

}  // namespace aleator::core::analysis
