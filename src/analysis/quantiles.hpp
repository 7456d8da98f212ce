// Quantiles of a sorted sample, and a sketch of many samples at once whose memory is bounded.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "analysis/sort_columns.hpp"
#include "analysis/state.hpp"
#include "base/aligned.hpp"
#include "results/study.hpp"

namespace aleator::core::analysis {

// By linear interpolation between order statistics (Hyndman & Fan type 7, as numpy.quantile); its standard error free of any
// assumption about the distribution: half the distance of the order statistics that many ranks to both sides; NaN of a single
// value. Values may be infinite, not NaN.
results::Estimate quantile(std::span<const double> sorted, double p, double ranks);
results::Estimate quantile(std::span<const double> sorted, double p);  // of independent values

// The error of a quantile's rank: that of the number of values below it, √(n p (1−p)) of independent ones, and its bias, as the
// mean of F at the rank p (n−1) is p + (1 − 2p)/(n + 1).
double ranks_of_quantile(double n, double p, double ranks_below);
double ranks_of_quantile(double n, double p);

// Sketch of Munro & Paterson (1980): buffers of k sorted values; two of a level become one of the next by keeping every other
// value. The rank of an answer is wrong by at most rank_error() times the number of values.
class QuantileSketch {
 public:
  QuantileSketch(std::size_t quantities, std::size_t buffer);

  void add(std::span<const double> x);  // a value of every quantity
  results::Estimate quantile(std::size_t quantity, double p) const { return quantiles(quantity, {&p, 1})[0]; }
  // `ranks`: of their errors, one for each p; none: of independent values.
  std::vector<results::Estimate> quantiles(std::size_t quantity, std::span<const double> p,
                                           std::span<const double> ranks = {}) const;
  double rank_error() const;

  // A buffer size, a power of two from 64 to 1024, that keeps all levels of this many values within the given memory; 64 even if
  // that is more.
  static std::size_t buffer_for(std::size_t quantities, long values, std::size_t bytes);

  void append(const QuantileSketch& later);  // as if its values had been added; of the same size

  void save(const PutState& put) const;
  void save(std::vector<double>& to) const { save(to_end_of(to)); }
  void load(StateReader& from);

 private:
  // A buffer of sorted columns joins a level; while there is one already, both become one of the next.
  using Columns = AlignedVector<double>;  // [k][columns_at_once]
  template <class Fill>
  void join(std::size_t level, Fill&& fill);  // fill(tile, columns)
  void collapse();                            // the full base buffer joins the lowest level
  std::size_t columns_in(std::size_t tile) const { return std::min(columns_at_once, quantities_ - tile * columns_at_once); }
  std::size_t quantities_, tiles_, k_, fill_ = 0;
  double count_ = 0;
  std::vector<double> base_;  // [k][quantities]
  struct Level {
    AlignedVector<double> values;  // [tiles][k][columns_at_once], columns sorted, of weight 2^level
    bool occupied = false;
    double kept[2] = {0, 0};  // collapses that kept the first value of each pair, and the second
    std::size_t next() const { return kept[0] > kept[1] ? 1 : 0; }
  };
  std::vector<Level> levels_;
};

}  // namespace aleator::core::analysis
