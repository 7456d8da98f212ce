#include "inference/predicted_bands.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include "analysis/quantiles.hpp"
#include "analysis/sort_columns.hpp"
#include "base/aligned.hpp"
#include "base/parallel.hpp"
#include "inference/random.hpp"
#include "inference/unit_cube.hpp"

namespace aleator::core::inference {
namespace {

// One standard normal number per realization, evenly spread. The same at all times of a realization: the law at each time is the
// right one all the same, and bands do not jitter.
std::vector<double> spread_normals(long count) {
  const EvenPlaces place(2);
  std::vector<double> e;
  for (long i = 1; i <= count; ++i) {
    const Place x = place(i);
    e.push_back(normal_of(1 - x[0], x[1]));
  }
  return e;
}

}  // namespace

std::vector<results::PredictedBand> predicted_bands(const Responses& responses, const std::vector<double>& noise,
                                                    double confidence) {
  const std::size_t n = std::size_t(responses.count()), channels = std::size_t(responses.channels),
                    times = responses.times.size();
  const std::size_t columns = times * channels;
  if (n < 2) throw std::invalid_argument("a band needs at least two simulated responses");
  std::vector<results::PredictedBand> bands(channels);
  for (auto& b : bands)
    for (auto* x : {&b.mean, &b.lower, &b.upper}) x->resize(times);
  const std::vector<double> e = spread_normals(long(n));

  constexpr std::size_t lanes = analysis::columns_at_once;
  each_in_parallel((columns + lanes - 1) / lanes, [&](std::size_t block) {
    AlignedVector<double> x(n * lanes, 0.0);
    std::vector<double> column(n);
    const std::size_t first = block * lanes, count = std::min(lanes, columns - first);
    double mean[lanes] = {};
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < count; ++j) {
        const double v = responses.values[i * columns + first + j];
        mean[j] += v / double(n);
        x[i * lanes + j] = v + noise[(first + j) % channels] * e[i];
      }
    analysis::sort_columns(x.data(), n);
    for (std::size_t j = 0; j < count; ++j) {
      for (std::size_t i = 0; i < n; ++i) column[i] = x[i * lanes + j];
      results::PredictedBand& band = bands[(first + j) % channels];
      const std::size_t t = (first + j) / channels;
      band.mean[t] = mean[j];
      band.lower[t] = analysis::quantile(column, (1 - confidence) / 2).value;
      band.upper[t] = analysis::quantile(column, (1 + confidence) / 2).value;
    }
  });
  return bands;
}

}  // namespace aleator::core::inference
