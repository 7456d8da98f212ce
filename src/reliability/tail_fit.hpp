// The tail of a sample, P(λ) = q exp(−a (λ − b)^c) (Naess, Leira & Batsevych 2009), fitted to the levels of a sample by least squares of ln P with the covariance that
// counts beyond several levels have. For given b and c that is a straight line; these two are searched for. At P that are not small, −ln(1 − P) stands for P.
#pragma once

#include <cstdint>
#include <vector>

namespace aleator::core::reliability {

struct TailLevels {
  double n = 0;                // realizations
  std::vector<double> lambda;  // rising
  std::vector<double> counts;  // [lambda] realizations beyond it
};

struct TailCurve {
  bool good = false;
  double q = 0, a = 0, b = 0, c = 1;
  double misfit = 0;  // χ²
  double at(double lambda) const;
};

// Levels from where a share `from` of the sample is beyond to where the last few are. Empty, where the sample has no tail.
TailLevels tail_levels(const std::vector<double>& sorted, double from);
TailCurve fit_tail(const TailLevels& levels);

// What is said of P(at): the spread of ln P and its quantiles over resampled counts (bootstrap).
struct TailError {
  double cov = 0, lower = 0, upper = 1;
};
TailError tail_error(const TailLevels& levels, const TailCurve& fit, double at, std::uint64_t seed);

}  // namespace aleator::core::reliability
