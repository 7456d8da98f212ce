// What rounds of subset simulation say together: probabilities, their errors, whether independent sets agree, and doubts.
#pragma once

#include <vector>

#include "reliability/subset_chains.hpp"
#include "results/reliability.hpp"

namespace aleator::core::reliability {

class SubsetAnswer {
 public:
  explicit SubsetAnswer(const Space& space, const Settings& settings) : space_(space), settings_(settings) {}

  void add(const SubsetRound& round);
  long more_sets() const;  // 0: it is accurate enough, or nothing better can be had
  double share(std::size_t round) const;

  void conclude(results::Reliability& found) const;

 private:
  struct Round {
    long families = 0, sets = 0, simulations = 0, failed = 0, last = 0;
    std::vector<std::vector<double>> contributions;  // [limits, any][families]
    double reached = 1, reach_cov = 0;
    double level_cov = 0;  // as if levels were independent of each other
    std::vector<results::Reliability::Level> levels;
    SubsetRound::End end = SubsetRound::End::reached;
    double plateau = 0, plateau_share = 0;
  };

  bool sampled_only() const;  // no level beyond the ordinary sample
  long total(long Round::*what) const;
  results::Reliability::Probability probability(std::size_t event) const;
  results::Reliability::Probability of_none() const;
  std::vector<double> of_sets() const;
  double agreement(const std::vector<double>& sets) const;
  long ancestors() const;
  void doubt(results::Reliability& found) const;
  void doubt_pace(results::Reliability& found) const;
  void doubt_end(results::Reliability& found) const;

  Space space_;
  Settings settings_;
  std::vector<Round> rounds_;
};

// That independent estimates of equal laws differ by so much or more (p-value), each with this relative error; by simulation.
double agreement_of(const std::vector<double>& estimates, double cov);

}  // namespace aleator::core::reliability
