// From the weighted realizations of a method for rare events to what a reader wants to know: names, curves, failures and their causes.
#pragma once

#include <string>
#include <vector>

#include "design/standard_space.hpp"
#include "propagation/failure_event.hpp"
#include "propagation/method.hpp"
#include "reliability/harvest.hpp"
#include "results/reliability.hpp"

namespace aleator::core {

// Those of positive weight in which a limit is passed.
std::vector<const reliability::Harvest::Member*> failures_of(const reliability::Harvest& harvest);
// The numbers of those nearest to the origin, the nearest first.
std::vector<long> most_probable(const std::vector<const reliability::Harvest::Member*>& failures, std::size_t most);

// A sentence of a method, which knows limits by their numbers ("limit #1").
std::string with_names(std::string sentence, const FailureEvent& event);

// Fills in what the method itself does not know.
void summarise(const Task& task, const FailureEvent& event, const StandardSpace& space, const reliability::Harvest& harvest,
               results::Reliability& found);

}  // namespace aleator::core
