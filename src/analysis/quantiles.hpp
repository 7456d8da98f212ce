// Quantiles of a sorted sample, and a sketch of many samples at once whose memory is bounded.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

// Sketch of Karnin, Lang & Liberty (2016) in memory that does not grow: 4k rows, with a value of every quantity in each. Up to 4k values
// are all kept. Then a level is halved whenever a row is needed: its values are sorted, and every other one goes to the next level with twice the
// weight. The higher a level, the more rows it may have, by 3/2 each; whether the first or the second of each pair goes on is
// random (a hash of level and number of halvings: bitwise reproducible), so that the errors of ranks have the mean 0 and add up in squares.
class QuantileSketch {
 public:
  QuantileSketch(std::size_t quantities, std::size_t buffer);

  void add(std::span<const double> x);  // a value of every quantity
  results::Estimate quantile(std::size_t quantity, double p) const { return quantiles(quantity, {&p, 1})[0]; }
  // `ranks`: of their errors, one for each p; none: of independent values. The error of ranks by the sketch is added.
  std::vector<results::Estimate> quantiles(std::size_t quantity, std::span<const double> p,
                                           std::span<const double> ranks = {}) const;
  // Of the rank of an answer, as a share of the number of values: three standard deviations, or what is possible at most if that is less.
  double rank_error() const;

  // k, a power of two from 64 to 1024, whose rows are within the given memory; 64 even if that is more.
  static std::size_t buffer_for(std::size_t quantities, std::size_t bytes);

  void append(const QuantileSketch& later);  // as if its values had been added
  // Empty again, for another block of values: which of two values goes on depends on `block`, too.
  void begin(double block);
  // Takes `rows` rows at once, as if they had been added to an empty sketch and so many levels halved, the values of each going on to the next.
  // The caller writes them: those from `whole` on to `rest` as they are; the others, if `sorted` by every quantity, those with the numbers
  // first, first + step, … to `to`.
  struct Block {
    std::size_t whole = 0, first = 0, step = 1;
    bool sorted = false;
    std::vector<double*> to, rest;
  };
  Block begin_block(std::size_t rows, std::size_t halvings);
  static std::size_t first_of_block(double block, std::size_t halvings);  // what `first` is for whom begin(block) was called

  void save(const PutState& put) const;
  void save(std::vector<double>& to) const { save(to_end_of(to)); }
  void load(StateReader& from);

 private:
  using Row = std::uint32_t;
  struct Level {
    std::vector<Row> rows;  // of weight 2^level
    double halved = 0;      // how often
  };
  double* at(Row row) { return chunks_[row / rows_at_once].data() + row % rows_at_once * quantities_; }
  const double* at(Row row) const { return const_cast<QuantileSketch*>(this)->at(row); }
  Row next_row();  // one that is free, for which a level may have to be halved
  void put_row(std::size_t level, const double* x);
  void halve(std::size_t level);
  void count_halving(std::size_t level);
  double allowed(std::size_t level) const;  // rows

  static constexpr std::size_t rows_at_once = 256;
  std::size_t quantities_, most_rows_;
  double block_ = 0;
  double count_ = 0;
  double variance_ = 0, most_ = 0;             // of errors of ranks: the largest possible variance, and error
  std::vector<AlignedVector<double>> chunks_;  // [rows_at_once][quantities]
  std::size_t made_ = 0;                       // rows
  std::vector<Row> free_;
  std::vector<Level> levels_;
};

}  // namespace aleator::core::analysis
