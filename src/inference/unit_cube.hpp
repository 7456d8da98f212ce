// The unit cube, in which parameters are looked for: places, functions of them, and a sequence that fills it evenly.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace aleator::core::inference {

using Place = std::vector<double>;                                // [dimensions] from 0 to 1
using Function = std::function<double(std::span<const double>)>;  // −∞ or NaN: it has no value there

// Additive recurrence, the fractional parts of 1/2 + k g⁻ⁱ with g^(d+1) = g + 1: a golden ratio for every dimension (Roberts 2018).
// The first places of it are as even as any number of them.
class EvenPlaces {
 public:
  explicit EvenPlaces(int dimensions);
  Place operator()(long k) const;  // 0 is the middle

 private:
  std::vector<double> steps_;  // [dimensions] g⁻ⁱ
};

}  // namespace aleator::core::inference
