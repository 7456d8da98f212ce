// How the statistics of an expansion that is evaluated many times are corrected by realizations of the model (control_variate.hpp).
#pragma once

#include <span>
#include <vector>

#include "analysis/accumulate.hpp"
#include "analysis/control_variate.hpp"

namespace aleator::core::analysis {

class Correction {
 public:
  Correction(const StatisticsRequest& questions, Judges judges);

  // One evaluation of the expansion, [times][channels], and its scalars, with limits of its own where they are random: is it near a
  // limit?
  void add(std::span<const double> values, std::span<const double> scalars, std::span<const double> limits);

  // A scalar of an evaluation, not farther beyond what realizations show than their range: polynomials may be anything
  // where no realization is. What is beyond the realizations is noted: none of them confirms it.
  double take_scalar(std::size_t scalar, double value);

  results::Estimate probability(std::size_t limit, std::size_t time, const results::Estimate& of_expansion) const;
  results::Estimate ever(std::size_t limit, const results::Estimate& of_expansion) const;
  results::Estimate scalar_mean(std::size_t scalar, const results::Estimate& of_expansion, double share) const;
  results::Estimate scalar_std(std::size_t scalar, const results::Estimate& of_expansion, double mean, double share) const;
  double missed(std::size_t scalar) const;  // mean square difference to the model's, relative to the variance of these

  // A quantile p of n evaluations of a point of [times][channels], or of a scalar: moved by what lies between model and expansion there.
  // `at(p)` is the quantile of the expansion.
  struct Moved {
    double p, ranks;  // where it is among the evaluations, and the error of its rank by the judges
  };
  template <class At>
  Moved band(std::size_t point, double p, double n, const At& at) const {
    return moved(column(judges_.model, points_, point), column(judges_.expansion, points_, point), p, n, at);
  }
  template <class At>
  Moved scalar_band(std::size_t scalar, double p, double n, const At& at) const {
    return moved(column(model_scalars_, scalars_, scalar), column(expansion_scalars_, scalars_, scalar), p, n, at);
  }

 private:
  using Column = std::vector<double>;
  static Column column(const std::vector<double>& rows, std::size_t width, std::size_t i);
  double believed(std::size_t scalar, double value) const;
  // Made of parameters: the expansion has no part in it.
  bool is_exact(std::size_t scalar) const { return q_.scalars[scalar].settings.reduction == Reduction::value; }
  // By how much a limit is exceeded: sign (x − limit), by time and at most; of a scalar at most alone.
  struct Excess {
    std::vector<double> at_times;
    double most;
  };
  Excess excess(std::size_t limit, const double* values, const double* scalars, const double* own_limits) const;

  template <class At>
  Moved moved(const Column& model, const Column& expansion, double p, double n, const At& at) const {
    const double half = std::min({0.02, p / 2, (1 - p) / 2}), width = at(p + half) - at(p - half);
    const Disagreement d = disagreement(model, expansion, at(p), width > 0 ? 2 * half / width : 0);
    return {std::min(std::max(p - d.shift, 0.0), 1.0), n * d.error(double(judges_.n))};
  }

  StatisticsRequest q_;
  Judges judges_;
  std::size_t points_, scalars_;
  Column model_scalars_, expansion_scalars_;  // [n][scalars]
  Column least_, most_;                       // [scalars] of the realizations
  // Of evaluations x beyond these, c the nearer one: Σ |x − c|, and with m between both Σ (x − m)² − (c − m)², Σ x − c.
  struct Beyond {
    double distance = 0, square = 0, sum = 0;
  };
  std::vector<Beyond> beyond_;  // [scalars]
  // Of each limit: excesses of model and expansion, [times][n] and [n]; their mean distance; evaluations closer than that to the limit
  struct OfLimit {
    std::vector<Column> model, expansion;
    Column model_most, expansion_most;
    std::vector<double> distance, near;
    double distance_most = 0, near_most = 0;
  };
  std::vector<OfLimit> limits_;
  double evaluations_ = 0;
};

}  // namespace aleator::core::analysis
