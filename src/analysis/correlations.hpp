// How each output goes with each random number, from realizations that are there anyway. At every time, over the realizations:
//   Pearson       the correlation coefficient: how far the output is a line of this number alone,
//   Spearman      the same of ranks (equal values share the average of theirs): how far it is monotone,
//   partial rank  the same after the ranks of all other numbers have been taken out of both by regression. With R the correlations of
//                 the ranks of inputs, s those of inputs with the output, b = R⁻¹ s and e = 1 − sᵀ b, bordering R gives
//                   r_i = b_i / √(e (R⁻¹)_ii + b_i²),
//                 so that all times and outputs are one matrix product.
// Standard errors are those of artanh r (Fisher): 1/√(n − 3), for ranks √(1.06/(n − 3)) (Fieller, Hartley & Pearson 1957), for partial
// ones with one realization less for every other column. They are exact for normal samples only, a guide for others.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/read.hpp"
#include "results/study.hpp"

namespace aleator::core::analysis {

class Correlator {
 public:
  // inputs is [rows][columns]; rows with used = 0 do not count. Those used must be finite.
  Correlator(std::vector<std::string> columns, std::span<const double> inputs, std::span<const char> used);
  ~Correlator();

  // The next channels, whose points are [times][channels] of each row: begin, each point once, end.
  void begin(std::size_t times, std::size_t channels);
  // Neighbouring points from `first` on: those of row k begin at values + k stride.
  void add(const double* values, std::size_t stride, std::size_t first, std::size_t count);
  void end(std::span<const double> times);
  // One channel, [times] of each row.
  void add(std::span<const double> times, const double* values) {
    begin(times.size(), 1);
    add(values, times.size(), 0, times.size());
    end(times);
  }
  const results::Correlations& finish() const { return out_; }

 private:
  // A channel in the making: variances and what becomes of each column, at times that are there.
  struct InTheMaking {
    std::vector<double> variance;
    std::vector<results::Correlations::OfColumn> of;
  };
  void add_tile(const double* values, std::size_t stride, std::size_t first, std::size_t count);
  std::size_t points_at_once() const;

  struct Prepared;  // matrices
  std::vector<std::size_t> rows_;
  std::unique_ptr<Prepared> inputs_;
  std::vector<InTheMaking> making_;  // [channels]
  results::Correlations out_;
};

struct Interval {
  double lower, upper;
};
Interval correlation_interval(double r, double error, double sigmas = 1.959963984540054);  // 95 %; of artanh r

// Of a study whose realizations are kept, while its points are gone through for other statistics. `usable` says which realizations have all
// of their numbers; the others do not count.
class StudyCorrelations {
 public:
  StudyCorrelations(const results::StudyResult& study, std::span<const char> usable);
  void add(std::size_t first, std::size_t count, const double* values, std::size_t stride);  // as of a Correlator
  results::Correlations finish(const results::StudyStatistics& statistics);                  // no columns if there are none

 private:
  std::span<const double> times_;
  std::optional<Correlator> all_;
};

// Of a study in a file. Throws ReadError when it keeps statistics alone.
results::Correlations correlations(const results::StudyReader& file);

}  // namespace aleator::core::analysis
