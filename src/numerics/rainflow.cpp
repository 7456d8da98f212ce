#include "numerics/rainflow.hpp"

#include <algorithm>
#include <cmath>

namespace aleator::core {

namespace {

LoadCycle cycle(double a, double b, double count) { return {std::abs(b - a), 0.5 * (a + b), count}; }

}  // namespace

std::vector<LoadCycle> rainflow(std::span<const double> points) {
  std::vector<LoadCycle> out;
  std::vector<double> open;  // points that are not discarded yet
  for (const double point : points) {
    open.push_back(point);
    while (open.size() >= 3) {
      const std::size_t n = open.size();
      const double latest = std::abs(open[n - 1] - open[n - 2]), before = std::abs(open[n - 2] - open[n - 3]);
      if (latest < before) break;
      if (n == 3) {  // the range before begins where the history does
        out.push_back(cycle(open[0], open[1], 0.5));
        open.erase(open.begin());
      } else {
        out.push_back(cycle(open[n - 3], open[n - 2], 1));
        open.erase(open.end() - 3, open.end() - 1);
      }
    }
  }
  for (std::size_t i = 1; i < open.size(); ++i) out.push_back(cycle(open[i - 1], open[i], 0.5));
  return out;
}

double damage_of(std::span<const LoadCycle> cycles, const WoehlerCurve& curve) {
  double sum = 0;
  for (const LoadCycle& c : cycles)
    if (0.5 * c.range >= curve.endurance_limit) sum += c.count * std::pow(0.5 * c.range / curve.amplitude, curve.exponent);
  return sum / curve.cycles;
}

double equivalent_amplitude(std::span<const LoadCycle> cycles, double exponent, double equal_cycles) {
  double largest = 0, counted = 0;
  for (const LoadCycle& c : cycles) largest = std::max(largest, 0.5 * c.range), counted += c.count;
  if (largest == 0) return 0;
  const double n = equal_cycles > 0 ? equal_cycles : counted;
  // Relative to the largest: large exponents neither overflow nor vanish.
  return largest * std::pow(damage_of(cycles, {exponent, largest, n, 0}), 1 / exponent);
}

}  // namespace aleator::core
