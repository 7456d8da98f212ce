#include "api/study_summary.hpp"

#include <algorithm>
#include <cmath>

namespace aleator::core {

std::size_t telling_time(const results::ChannelStatistics& x) {
  std::vector<double> size = x.std;
  for (std::size_t t = 0; t < size.size(); ++t)
    if (std::isnan(size[t])) size[t] = std::abs(x.mean[t] - x.nominal[t]);
  return std::size_t(std::max_element(size.begin(), size.end()) - size.begin());
}

double shift_by_missing(const results::ChannelStatistics& x) {
  if (x.with_missing.lower.low.empty()) return 0;
  const std::size_t t = telling_time(x);
  const auto& with = x.with_missing;
  const double shift = std::max({x.lower[t] - with.lower.low[t], with.lower.high[t] - x.lower[t], x.upper[t] - with.upper.low[t],
                                 with.upper.high[t] - x.upper[t]});
  return shift > 0 ? shift / (x.upper[t] - x.lower[t]) : 0;
}

}  // namespace aleator::core
