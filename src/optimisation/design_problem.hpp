// The formulas of a design file, and the problem they make for the search.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "optimisation/designed_model.hpp"
#include "optimisation/formula.hpp"
#include "optimisation/stand_in.hpp"
#include "optimisation/statistics.hpp"

namespace aleator::core::optimisation {

class DesignProblem {
 public:
  // Throws InputError with the file.
  DesignProblem(const DesignStudy& study, const DesignedModel& model);

  const Problem& problem() const { return problem_; }
  const StatisticsReader& reader() const { return *reader_; }
  const std::vector<Statistic>& statistics() const { return reader_->statistics(); }
  const std::vector<ConstraintFormula>& constraints() const { return constraints_; }
  const Formula& cost() const { return cost_; }

  Observed observed(const Place& place, std::span<const results::Estimate> statistics) const;
  // The left side of a constraint, or the cost, with its standard error.
  results::Estimate left(size_t constraint, std::span<const double> values, const StandIn::At& at) const;
  results::Estimate cost(std::span<const double> values, const StandIn::At& at) const;
  double bound(size_t constraint, std::span<const double> values) const;
  // A number as the constraint is interpolated: Φ⁻¹ of a probability that stands alone, with the sign of ≤.
  double as_interpolated(size_t constraint, double left) const;
  bool is_probability(size_t constraint) const;
  bool has_fixed_bound(size_t constraint) const;

  // Refuses probabilities that so many realizations cannot show. `errors`: quantile of the confidence.
  void check_resolution(double realizations, double errors) const;

 private:
  std::vector<double> statistics_of(std::span<const double> z) const;
  results::Estimate of(const Formula& formula, std::span<const double> values, const StandIn::At& at) const;

  const DesignStudy& study_;
  const DesignedModel& model_;
  Formula cost_;
  std::vector<ConstraintFormula> constraints_;
  std::unique_ptr<StatisticsReader> reader_;
  Problem problem_;
};

}  // namespace aleator::core::optimisation
