#include "uncertainty/field_law.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

namespace aleator::core {
namespace {

// Φ(y), kept away from 0 and 1: a quantile there may be infinite.
double normal_probability(double y) { return std::clamp(std::erfc(-y / std::numbers::sqrt2) / 2, 0x1p-53, 1 - 0x1p-53); }

}  // namespace

double FieldLaw::value(double mean, double y) const {
  switch (kind) {
    case Kind::gaussian:
      return mean + (relative ? spread * mean : spread) * y;
    case Kind::lognormal: {
      const double cov = relative ? spread : spread / mean, variance = std::log1p(cov * cov);
      return mean * std::exp(std::sqrt(variance) * y - variance / 2);
    }
    case Kind::distribution:
      break;
  }
  return (relative ? mean : 1) * distribution->quantile(normal_probability(y));
}

void FieldLaw::check(double mean) const {
  if (kind == Kind::distribution) {
    if (!distribution) throw std::invalid_argument("a random field with a distribution at every point needs that distribution");
    return;
  }
  if (!(spread >= 0) || !std::isfinite(spread))
    throw std::invalid_argument(fmt::format("the {} of a random field must be 0 or more, not {:g}",
                                            relative ? "coefficient of variation" : "standard deviation", spread));
  if (kind == Kind::lognormal && !(mean > 0))
    throw std::invalid_argument(fmt::format("a lognormal random field needs a positive mean, not {:g}", mean));
}

}  // namespace aleator::core
