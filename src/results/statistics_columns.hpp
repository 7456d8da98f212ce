// The datasets of /statistics/NAME, one per column of ChannelStatistics.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "results/study.hpp"

namespace aleator::core::results {

inline constexpr std::pair<const char*, std::vector<double> ChannelStatistics::*> statistics_columns[] = {
    {"nominal", &ChannelStatistics::nominal},
    {"mean", &ChannelStatistics::mean},
    {"std", &ChannelStatistics::std},
    {"lower", &ChannelStatistics::lower},
    {"upper", &ChannelStatistics::upper},
    {"minimum", &ChannelStatistics::minimum},
    {"maximum", &ChannelStatistics::maximum},
    {"mean_error", &ChannelStatistics::mean_error},
    {"std_error", &ChannelStatistics::std_error},
    {"lower_error", &ChannelStatistics::lower_error},
    {"upper_error", &ChannelStatistics::upper_error},
};

inline std::string name_of(std::vector<double> ChannelStatistics::*column) {
  for (const auto& [name, member] : statistics_columns)
    if (member == column) return name;
  return "";
}

}  // namespace aleator::core::results
