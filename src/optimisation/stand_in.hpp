// What is known about a design problem from the designs that were looked at, as functions of the place in the unit cube of the parameters:
// Kriging through each statistic. Knows no mechanism.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "inference/surrogate.hpp"
#include "inference/unit_cube.hpp"

namespace aleator::core::optimisation {

using inference::Place;

// Statistics at one design, as they are interpolated: probabilities as Φ⁻¹(P), others as they are.
struct Observed {
  Place at;
  bool ok = true;                // otherwise the design cannot be simulated
  std::vector<double> z, error;  // [statistics] values, standard errors
};

// What is looked for: a small cost with all g ≤ 0. Functions of the place and of the statistics there.
struct Problem {
  using Function = std::function<double(std::span<const double> place, std::span<const double> z)>;
  int dimensions = 0, statistics = 0;
  Function cost;
  std::vector<Function> constraints;
};

// What fresh random numbers have said about a statistic: how far it is from what the search had, and what is left of its error.
struct Correction {
  double shift = 0, factor = 1;
};

// A function of statistics at a place.
struct Predicted {
  double value = 0;
  double error = 0;      // sampling: of the statistics, which a further design with the same random numbers does not improve
  double deviation = 0;  // of the interpolation
};

class StandIn {
 public:
  StandIn(const Problem& problem, const std::vector<Observed>& observed, std::vector<Correction> corrections,
          const StandIn* earlier = nullptr);

  // Statistics at a place.
  struct At {
    std::vector<double> z, error, deviation;  // deviation only where it was asked for
    double simulates = 1;                     // > 0.5: probably
  };
  At at(std::span<const double> place, bool with_deviation) const;
  static Predicted of(const Problem::Function& f, std::span<const double> place, const At& at);

  double spread(size_t constraint) const { return spreads_[constraint]; }  // of g over the designs looked at
  double cost_spread() const { return cost_spread_; }

 private:
  struct OfStatistic {
    double center = 0, scale = 1;  // z = center + scale × what is interpolated
    bool constant = false;
    inference::Surrogate kriging;
  };
  std::vector<const Observed*> good_;
  std::vector<Correction> corrections_;
  std::vector<OfStatistic> of_;
  inference::Surrogate simulates_;
  bool all_simulate_ = true;
  std::vector<double> spreads_;
  double cost_spread_ = 0;
};

// With corrections, at a design itself.
StandIn::At corrected(const Observed& observed, const std::vector<Correction>& corrections);

}  // namespace aleator::core::optimisation
