// What FORM, SORM and importance sampling make of design points: probabilities of first order, words about what went wrong, and a sample around the points
// that tells whether these probabilities are right.
#pragma once

#include <string>
#include <vector>

#include "reliability/design_point.hpp"
#include "reliability/harvest.hpp"
#include "reliability/normal_mixture.hpp"
#include "reliability/settings.hpp"
#include "results/reliability.hpp"

namespace aleator::core::reliability {

// Where no limit can be reached, throws with the reason.
void require_points(const DesignSearch& search);
// Says which limits have no design point, and which searches did not settle.
void doubts_of_search(const DesignSearch& search, results::Reliability& found);
// Design points as users see them; `limit` is the limit's index, in digits.
void report_points(const DesignSearch& search, results::Reliability& found);
// Of each limit, and last of the event: the union of the half spaces beyond its design points.
std::vector<double> first_order(const DesignSearch& search, std::size_t limits, std::uint64_t seed);

constexpr double defensive_share = 0.1;
NormalMixture about_points(const DesignSearch& search, std::size_t dimension);

// n realizations drawn from the mixture, or a share of them: members of the harvest, with their weights.
Procedure weighted_sample(Space space, NormalMixture mixture, long n, std::uint64_t purpose, std::string phase, Harvest& harvest,
                          results::Reliability& found, Share share = {});

// Fills in found.of by probabilities that have no statistical error, and compares them with the harvest of a sample. `method`: "first-order".
void judge(const std::vector<double>& probabilities, const Harvest& check, const std::string& method,
           results::Reliability& found);

std::string in_words(double probability);              // "2.9e-03"
std::string in_words(double probability, double cov);  // "(2.9 ± 0.3)e-05"

}  // namespace aleator::core::reliability
