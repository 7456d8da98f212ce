// The methods for rare events. Each is a file of its own, named as here, and fills in `found` what it knows (results/reliability.hpp) and `harvest` its
// weighted realizations (harvest.hpp). What it cannot do it throws as std::invalid_argument, with a remedy.
#pragma once

#include "reliability/procedure.hpp"
#include "reliability/settings.hpp"
#include "results/reliability.hpp"

namespace aleator::core::reliability {

struct Harvest;

// Levels of conditional sampling (Au & Beck 2001; Papaioannou et al. 2015): any dimension, any response.
Procedure subset_simulation(Space space, Settings settings, results::Reliability& found, Harvest& harvest);

// First order: the design point of each limit, Φ(−β), checked by a small sample about it. Up to 200 coordinates.
Procedure form(Space space, Settings settings, results::Reliability& found, Harvest& harvest);

// Second order: the same with the curvatures of the limit state. Up to 60 coordinates.
Procedure sorm(Space space, Settings settings, results::Reliability& found, Harvest& harvest);

// What a limit compares, of a model that may be linear in its numbers: values[t * channels + channel] at any t, with a fixed threshold.
struct ChannelLimit {
  int channel = 0, channels = 1;
  double threshold = 0;
  bool above = true;  // failure is to be above the threshold
};

// A sample about the design points, improved by cross-entropy where its weights are heavy. Above 200 coordinates for linear responses of random processes by
// elementary events (Au & Beck 2001), and otherwise for limits that are nearly linear in their numbers; `linear`, one for each limit: empty, where limits are random or
// no limits of a channel.
Procedure importance_sampling(Space space, Settings settings, std::vector<ChannelLimit> linear, results::Reliability& found,
                              Harvest& harvest);

// Lines along an important direction (Koutsourelakis et al. 2004), from FORM or from failing realizations; above 200 coordinates of limits that are nearly linear.
Procedure line_sampling(Space space, Settings settings, results::Reliability& found, Harvest& harvest);

// An ordinary sample, whose tail is extrapolated (Naess, Leira & Batsevych 2009). `settings.samples` realizations.
Procedure enhanced_monte_carlo(Space space, Settings settings, results::Reliability& found, Harvest& harvest);

}  // namespace aleator::core::reliability
