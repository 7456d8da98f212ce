// What is told about a study, for the terminal and as JSON.
#pragma once

#include <cstddef>
#include <string>

#include "results/study.hpp"
#include "study/session.hpp"

namespace aleator::core {

// The time to tell about: where the response scatters most or, of a single realization, where it is farthest from the nominal.
std::size_t telling_time(const results::ChannelStatistics& x);

// How far the ends of a band may move, whatever the missing realizations would have been, as a share of its width at the time to
// tell about; infinite: without bound.
double shift_by_missing(const results::ChannelStatistics& x);

// The title, or the file of the model.
std::string name_of(const StudyData& data);

// --- numbers in words ---

std::string quantile(double x);                 // of a time: 'never', too
std::string share(const results::Estimate& e);  // a Sobol index, ± its standard error
std::string percent(double x);                  // NaN: 'not known'
// "0.21, between 0.18 and 0.25 with 95 % confidence"; of none: "0, below 0.0074 with 95 % confidence".
std::string probability_words(const results::Probability& p);

}  // namespace aleator::core
