// What is told about a study, for the terminal and as JSON.
#pragma once

#include <cstddef>

#include "results/study.hpp"

namespace aleator::core {

// The time to tell about: where the response scatters most or, of a single realization, where it is farthest from the nominal.
std::size_t telling_time(const results::ChannelStatistics& x);

// How far the ends of a band may move, whatever the missing realizations would have been, as a share of its width at the time to
// tell about; infinite: without bound.
double shift_by_missing(const results::ChannelStatistics& x);

}  // namespace aleator::core
