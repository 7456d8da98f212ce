// The search for a design: evaluates a few even designs, then those that the stand-in finds best, and those that promise most (expected
// feasible improvement), until neither promises a gain. Deterministic given the answers. Knows no mechanism.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "optimisation/solve.hpp"

namespace aleator::core::optimisation {

struct SearchSettings {
  double errors = 0;        // a constraint is met where g + errors × (its standard error) ≤ 0
  double tolerance = 1e-3;  // of the cost, as a share of its size
};

class Search {
 public:
  using Evaluate = std::function<Observed(const Place&)>;
  Search(const Problem& problem, const SearchSettings& settings, Evaluate evaluate);

  void run(long designs);                             // until there are so many designs, at most
  void correct(std::vector<Correction> corrections);  // what fresh random numbers said; then it may run on

  const std::vector<Observed>& designs() const { return designs_; }
  const std::vector<Correction>& corrections() const { return corrections_; }
  const StandIn& stand_in() const { return *stand_in_; }
  Aim aim() const;  // a little more than what counts as met
  std::vector<Place> places() const;

  double cost(const Observed& design) const;
  double missed(const Observed& design) const;  // the largest g + errors × error, over its spread; ≤ 0: it meets all
  long best() const;   // design with the least cost of those that meet all, else the one that misses least; −1: none
  bool meets() const;  // the best one does
  bool converged() const { return converged_; }

 private:
  struct Promise {
    Place at;
    double gain = 0;
  };
  void look_at(const Place& place);
  void fit();
  std::vector<Place> first_places(long most) const;
  double distance(const Place& place) const;  // from the nearest design
  double cost_scale() const;
  bool is_worth_it(const Solved& s) const;
  Promise most_promising() const;

  const Problem& problem_;
  SearchSettings settings_;
  Evaluate evaluate_;
  std::vector<Observed> designs_;
  std::vector<Correction> corrections_;
  std::unique_ptr<StandIn> stand_in_;
  bool converged_ = false;
  double bold_ = 1;  // how far inside it aims: doubled after each design that was to meet the constraints, and does not
};

}  // namespace aleator::core::optimisation
