#include "inference/unit_cube.hpp"

#include <cmath>

namespace aleator::core::inference {

EvenPlaces::EvenPlaces(int dimensions) {
  double g = 2;
  for (int i = 0; i < 60; ++i) g = std::pow(1 + g, 1.0 / (dimensions + 1));  // converges by a factor of 3 or more
  for (int i = 1; i <= dimensions; ++i) steps_.push_back(std::pow(g, -i));
}

Place EvenPlaces::operator()(long k) const {
  Place x;
  for (const double step : steps_) x.push_back(std::fmod(0.5 + double(k) * step, 1.0));
  return x;
}

}  // namespace aleator::core::inference
