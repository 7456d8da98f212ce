// Mean and central moments of many quantities at once, one realization after the other or by blocks of them (Pébay 2008); memory does not grow.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "analysis/state.hpp"
#include "results/study.hpp"

namespace aleator::core::analysis {

class Moments {
 public:
  explicit Moments(std::size_t quantities);

  void add(std::span<const double> x) { add(0, x); }       // a value of every quantity
  void add(std::size_t first, std::span<const double> x);  // of those from `first` on
  void add(std::size_t quantity, double x);                // of one alone
  // All values of at most columns_at_once quantities of which there are none yet: a tile [rows][columns_at_once] (sort_columns.hpp), in two
  // passes, without a division for each of them.
  void set(std::size_t first, std::size_t count, const double* tile, std::size_t rows);

  // Of n values of all quantities: mean, Σ (x − mean)², …³, …⁴, the least and the most of each.
  void set(double n, const double* sums);

  double count(std::size_t i) const { return n_[i]; }
  results::Estimate mean(std::size_t i) const;                   // s/√n
  results::Estimate standard_deviation(std::size_t i) const;     // unbiased variance; its error from the fourth moment
  double mean_square_about(std::size_t i, double center) const;  // NaN of no value
  double minimum(std::size_t i) const { return min_[i]; }
  double maximum(std::size_t i) const { return max_[i]; }

  void append(const Moments& later);  // as if its values had been added
  void clear();

  void save(const PutState& put) const;
  void save(std::vector<double>& to) const { save(to_end_of(to)); }
  void load(StateReader& from);

 private:
  std::vector<double> n_, mean_, m2_, m3_, m4_, min_, max_;
};

}  // namespace aleator::core::analysis
