// One round of subset simulation: an ordinary sample, then level by level Markov chains inside the events "excess above b", b₁ < b₂ < … ≤ 0.
// A table of contents for it is subset_simulation.cpp.
//
// Chains never leave the family of their first ancestor, a member of the ordinary sample. Families share thresholds and spread of proposals only:
// given these they are independent, so that their contributions Wᵢ to the answer tell its error, whatever correlation there is within chains
// and between levels:  P = Σ Wᵢ,  var P ≈ n/(n − 1) Σ (Wᵢ − P/n)². Sets are the families put together by turns.
#pragma once

#include <cstdint>
#include <vector>

#include "reliability/harvest.hpp"
#include "reliability/procedure.hpp"
#include "reliability/settings.hpp"
#include "results/reliability.hpp"

namespace aleator::core::reliability {

class SubsetRound {
 public:
  enum class End { reached, plateau, too_rare, budget };

  // `first`: the number of its first realization; `used`: simulations before it.
  SubsetRound(const Space& space, const Settings& settings, long sets, long first, long used);

  Request sample();  // the ordinary sample
  void take_sample(const std::vector<Response>& responses);
  bool next_level();  // false: this was the last one
  bool in_level() const { return position_ < length_; }
  Request step();  // one proposal for each chain
  void take_step(const std::vector<Response>& responses);
  void give(Harvest& harvest, double share);  // weights sum to `share`

  // After the last level.
  long families() const { return families_; }  // size of the ordinary sample
  long sets() const { return sets_; }
  std::vector<double> contributions(std::size_t event) const;      // [families] Wᵢ of a limit; of any: limits
  double reached() const { return reach_; }                        // probability of the last intermediate event
  long last() const { return static_cast<long>(states_.size()); }  // states in it
  double reach_cov() const;                                        // of that probability
  const std::vector<results::Reliability::Level>& levels() const { return levels_; }
  long simulations() const { return simulations_; }
  long failed() const { return failed_; }
  long failed_later() const { return failed_later_; }
  End end() const { return end_; }
  double plateau() const { return plateau_; }  // its excess
  double plateau_share() const { return plateau_share_; }

 private:
  struct State {
    Point point;
    std::vector<double> excess;  // [limits]; empty: the simulation failed
    double most = 0;             // of these
    long family = 0;
  };

  static State state(Point point, const Response& response, long family);
  Point proposal(const Point& from, std::uint64_t number) const;
  void close_level(double next);
  void begin_level(double next);
  void scatter_of(const std::vector<State>& seeds);
  void adapt(double accepted);
  double rho() const;
  Harvest::Member member(State&& state) const;

  Space space_;
  Settings settings_;
  long sets_, families_, first_number_, used_;
  std::vector<State> states_;  // of this level, chain after chain
  long length_ = 1;            // states of a chain
  long position_ = 1;          // states that each chain has
  long nominal_length_;
  double threshold_, reach_ = 1;
  double per_state_;             // what a state of this level is worth: 1/(families Π lengths)
  std::vector<double> scatter_;  // [named] of the seeds
  double spread_ = 0.6;          // of a proposal, in units of the scatter
  long accepted_ = 0, proposed_ = 0;
  long simulations_ = 0, failed_ = 0, failed_later_ = 0;
  std::vector<Point> proposals_;
  std::vector<results::Reliability::Level> levels_;
  std::vector<Harvest::Member> strata_;
  End end_ = End::reached;
  double plateau_ = 0, plateau_share_ = 0;
};

// The threshold of the next event, of which about `wanted` of the values are members (value > threshold).
struct Threshold {
  double value = 0;
  long above = 0;      // 0: none, most values are equal and none is above them
  double plateau = 0;  // that value, where it is so
  long equal = 0;      // how many have it
};
Threshold next_threshold(std::vector<double> values, long wanted);

// Sums over chains of indicators tell the relative error of their mean.
double chain_cov(const std::vector<double>& sums);
// Correlation of successive members of chains; `values` chain after chain, of equal `length`.
double chain_correlation(const std::vector<double>& values, long length);

}  // namespace aleator::core::reliability
