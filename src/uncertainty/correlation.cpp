#include "uncertainty/correlation.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

namespace aleator::core {
namespace {

// Linear from (0, 1) through the entries, then constant.
double interpolate(const std::vector<double>& distances, const std::vector<double>& values, double d) {
  const std::size_t next = std::upper_bound(distances.begin(), distances.end(), d) - distances.begin();
  if (next == distances.size()) return values.back();
  const double d0 = next > 0 ? distances[next - 1] : 0, v0 = next > 0 ? values[next - 1] : 1;
  return v0 + (values[next] - v0) * (d - d0) / (distances[next] - d0);
}

}  // namespace

double Correlation::operator()(double d) const {
  switch (kind) {
    case Kind::squared_exponential:
      return std::exp(-(d / length) * (d / length));
    case Kind::exponential:
      return std::exp(-d / length);
    case Kind::matern32: {
      const double r = std::sqrt(3.0) * d / length;
      return (1 + r) * std::exp(-r);
    }
    case Kind::matern52: {
      const double r = std::sqrt(5.0) * d / length;
      return (1 + r + r * r / 3) * std::exp(-r);
    }
    case Kind::table:
      break;
  }
  return interpolate(distances, values, d);
}

void Correlation::check() const {
  if (kind != Kind::table) {
    if (!(length > 0) || !std::isfinite(length))
      throw std::invalid_argument(fmt::format("the correlation length must be positive, not {:g} m", length));
    return;
  }
  if (distances.empty()) throw std::invalid_argument("a table of correlations needs an entry");
  if (distances.size() != values.size())
    throw std::invalid_argument(
        fmt::format("a table of correlations needs as many values as distances, not {} and {}", values.size(), distances.size()));
  for (std::size_t i = 0; i < distances.size(); ++i) {
    if (!(distances[i] >= 0) || !std::isfinite(distances[i]))
      throw std::invalid_argument(fmt::format("distances of correlations are 0 or more, not {:g} m", distances[i]));
    if (i > 0 && !(distances[i] > distances[i - 1]))
      throw std::invalid_argument(
          fmt::format("distances of correlations must increase: {:g} m is followed by {:g} m", distances[i - 1], distances[i]));
    if (!(std::abs(values[i]) <= 1))
      throw std::invalid_argument(
          fmt::format("a correlation is between -1 and 1, not {:g} (at {:g} m)", values[i], distances[i]));
  }
  if (distances[0] == 0 && values[0] != 1)
    throw std::invalid_argument(fmt::format("the correlation at distance 0 is 1, not {:g}", values[0]));
}

}  // namespace aleator::core
