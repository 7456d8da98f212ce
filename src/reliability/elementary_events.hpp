// Importance sampling by elementary events (Au & Beck 2001), for responses that are linear in thousands of normal numbers.
//
//   x_t(u) = x_t(0) + a_t·u,   E_t = {x_t > b},   P(E_t) = Φ(−β_t),  β_t = (b − x_t(0))/|a_t|
//
// A realization is drawn from one of the events, chosen in proportion to P(E_t): along a_t beyond β_t, everything else as the law. Its weight is
// Σ P(E_t) / (number of events it lies in). That needs no simulations; a few confirm that the response is linear.
#pragma once

#include <vector>

#include "reliability/harvest.hpp"
#include "reliability/methods.hpp"

namespace aleator::core::reliability {

Procedure elementary_events(Space space, Settings settings, std::vector<ChannelLimit> linear, results::Reliability& found,
                            Harvest& harvest);

}  // namespace aleator::core::reliability
