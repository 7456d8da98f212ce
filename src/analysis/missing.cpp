#include "analysis/missing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/constants.hpp"

namespace aleator::core::analysis {

namespace {

void append(results::Ranges& to, const results::Range& x) {
  to.low.push_back(x.low);
  to.high.push_back(x.high);
}

}  // namespace

results::Range quantile_places(double p, double there, double missing) {
  const double rank = p * (there + missing - 1), last = there - 1;
  const auto place = [&](double r) { return r < 0 ? -infinity : r > last ? infinity : last > 0 ? r / last : 0; };
  return {place(rank - missing), place(rank)};
}

results::Range probability_with_missing(double probability, double there, double missing) {
  const double count = probability * there, all = there + missing;
  return {count / all, (count + missing) / all};
}

results::Range mean_with_missing(double mean, double minimum, double maximum, double there, double missing) {
  const double all = there + missing;
  return {mean + (minimum - mean) * missing / all, mean + (maximum - mean) * missing / all};
}

// About the mean of those there are, Σx = 0 and Σx² = (k − 1) s². Smallest: all missing ones at 0. Largest: each of them at an end,
// j at the lower one a and m − j at the upper one b. Then (k + m − 1) s² = Σx² + j a² + (m − j) b² − (j a + (m − j) b)² / (k + m), which
// is concave in j with its top at 2 j (b − a) = 2 m b − (k + m)(a + b): one of the two whole numbers beside it.
results::Range std_with_missing(double mean, double std, double minimum, double maximum, double there, double missing) {
  const double squares = (there - 1) * std * std, all = there + missing, a = minimum - mean, b = maximum - mean;
  const auto with = [&](double j) {
    const double sum = j * a + (missing - j) * b;
    return squares + j * a * a + (missing - j) * b * b - sum * sum / all;
  };
  const double top = b > a ? missing * b / (b - a) - all * (a + b) / (2 * (b - a)) : 0;
  const double low = std::clamp(std::floor(top), 0.0, missing), high = std::clamp(std::ceil(top), 0.0, missing);
  return {std::sqrt(squares / (all - 1)), std::sqrt(std::max(with(low), with(high)) / (all - 1))};
}

void bound_moments(results::ChannelStatistics& c, double there, double missing) {
  for (std::size_t t = 0; t < c.mean.size(); ++t) {
    append(c.with_missing.mean, mean_with_missing(c.mean[t], c.minimum[t], c.maximum[t], there, missing));
    append(c.with_missing.std, std_with_missing(c.mean[t], c.std[t], c.minimum[t], c.maximum[t], there, missing));
  }
}

void bound_probabilities(results::LimitStatistics& l, double there, double missing) {
  for (const double p : l.probability) append(l.with_missing, probability_with_missing(p, there, missing));
  l.ever_with_missing = probability_with_missing(l.ever.value, there, missing);
}

}  // namespace aleator::core::analysis
