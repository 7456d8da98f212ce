#include "analysis/variability.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"

namespace aleator::core::analysis {

void add_response_functions(const ResponseOfRow& response, std::size_t times, std::size_t channels, results::Variability& v) {
  const std::size_t waves = v.wave_numbers.size(), points = times * channels;
  const double square = v.sigma * v.sigma, share = 1 / double(v.phases);
  v.of.assign(channels, {std::vector<double>(waves * times), std::vector<double>(waves * times), std::vector<double>(times)});
  std::vector<std::vector<double>> rows(static_cast<std::size_t>(v.phases));
  for (std::size_t k = 0; k < waves; ++k) {
    for (std::size_t j = 0; j < rows.size(); ++j) rows[j] = response(long(k * rows.size() + j));
    for (std::size_t i = 0; i < points; ++i) {
      // Of differences from the first: what is equal in all has no variance, to the last digit.
      const double first = rows[0][i];
      double sum = 0, squares = 0;
      for (const std::vector<double>& u : rows) sum += share * (u[i] - first);
      for (const std::vector<double>& u : rows) squares += share * (u[i] - first - sum) * (u[i] - first - sum);
      results::Variability::OfChannel& of = v.of[i % channels];
      const std::size_t t = i / channels;
      of.dvrf[k * times + t] = squares / square;
      of.dmrf[k * times + t] = (first + sum) / square;
      of.bound[t] = std::max(of.bound[t], std::sqrt(squares));
    }
  }
}

Predicted predicted(const results::Variability::OfChannel& of, double sigma, std::span<const double> weights) {
  const std::size_t times = of.bound.size();
  Predicted p{std::vector<double>(times), std::vector<double>(times)};
  for (std::size_t k = 0; k < weights.size(); ++k)
    for (std::size_t t = 0; t < times; ++t) {
      p.mean[t] += sigma * sigma * weights[k] * of.dmrf[k * times + t];
      p.std[t] += sigma * sigma * weights[k] * of.dvrf[k * times + t];
    }
  for (double& x : p.std) x = std::sqrt(x);
  return p;
}

results::StudyStatistics variability_statistics(const results::Variability& v, std::span<const double> nominal, std::size_t times,
                                                double confidence, double normal_quantile) {
  results::StudyStatistics s;
  s.confidence = confidence;
  s.channels.resize(v.of.size());
  for (std::size_t c = 0; c < v.of.size(); ++c) {
    results::ChannelStatistics& x = s.channels[c];
    Predicted p = predicted(v.of[c], v.sigma, v.weights);
    for (std::size_t t = 0; t < times; ++t) {
      x.nominal.push_back(nominal[t * v.of.size() + c]);
      x.lower.push_back(p.mean[t] - normal_quantile * p.std[t]);
      x.upper.push_back(p.mean[t] + normal_quantile * p.std[t]);
    }
    x.mean = std::move(p.mean);
    x.std = std::move(p.std);
    x.minimum = x.maximum = x.mean_error = x.std_error = x.lower_error = x.upper_error = std::vector<double>(times, nan);
  }
  return s;
}

}  // namespace aleator::core::analysis
