// Which share of the variance comes from which cause: Sobol indices of independent groups of random quantities, estimated by
// pick-freeze. With f(A), f(B) of two independent samples and f(A_g) of the first with group g taken from the second:
//   variance     V   = ½ E{(f(A) − f(B))²},
//   first-order  V_g = V − ½ E{(f(B) − f(A_g))²},
//   total        T_g = ½ E{(f(A) − f(A_g))²}            (Jansen 1999).
// With V from the same pairs, a cause that does nothing has exactly 0, and one that does everything exactly 1.
// Integrated over time: ∫V_g dt / ∫V dt, with the standard error of the ratio from the scatter between realizations. A
// realization of which any part failed, or has a value that is not finite, is left out as a whole.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "results/study.hpp"

namespace aleator::analysis {

class ShareEstimator {
 public:
  // Values are [times][channels].
  ShareEstimator(std::vector<std::string> groups, std::span<const double> times, int channels);

  void begin(bool ok, std::span<const double> a);          // f(A)
  void second(bool ok, std::span<const double> b);         // f(B)
  void group(int g, bool ok, std::span<const double> ag);  // f(A_g), all groups in their order; the last one ends the realization

  results::Shares finish() const;

  void save(std::vector<double>& to) const;  // with the realization under way
  const double* load(const double* from);

 private:
  void accept();

  std::vector<std::string> groups_;
  std::vector<double> weights_;  // [times] of the trapezoidal rule
  int channels_;
  // the realization under way
  bool complete_ = true;
  std::vector<double> a_, b_;
  std::vector<std::vector<double>> ag_;
  // sums over realizations
  double n_ = 0;
  std::vector<double> variance_;                    // [times][channels]
  std::vector<std::vector<double>> first_, total_;  // [groups][times][channels]
  // of time integrals, per channel: Σv, Σv²; per group and channel: Σa, Σa², Σav, Σt, Σt², Σtv
  std::vector<double> v_, vv_;
  struct Ratio {
    double x = 0, xx = 0, xv = 0;
  };
  std::vector<std::vector<Ratio>> of_first_, of_total_;  // [groups][channels]
};

}  // namespace aleator::analysis
