// Which share of the variance comes from which cause: Sobol indices of independent groups of random quantities, estimated by
// pick-freeze. With f(A), f(B) of two independent samples and f(A_g) of the first with group g taken from the second:
//   variance     V   = ½ E{(f(A) − f(B))²},
//   first-order  V_g = V − ½ E{(f(B) − f(A_g))²},
//   total        T_g = ½ E{(f(A) − f(A_g))²}            (Jansen 1999).
// With V from the same pairs, a cause that does nothing has exactly 0, and one that does everything exactly 1.
// Integrated over time: ∫V_g dt / ∫V dt. Standard errors are those of a ratio of means, from the scatter between realizations.
// A realization of which any part failed, or has a value that is not finite, is left out as a whole.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/state.hpp"
#include "results/study.hpp"

namespace aleator::core::analysis {

class ShareEstimator {
 public:
  // Values are [times][channels].
  ShareEstimator(std::vector<std::string> groups, std::span<const double> times, int channels);

  void begin(bool ok, std::span<const double> a);          // f(A)
  void second(bool ok, std::span<const double> b);         // f(B)
  void group(int g, bool ok, std::span<const double> ag);  // f(A_g), all groups in their order; the last one ends the realization

  results::SobolIndices finish() const;

  void append(const ShareEstimator& later);  // as if its realizations had followed; none may be under way

  void save(const PutState& put) const;  // with the realization under way
  void save(std::vector<double>& to) const { save(to_end_of(to)); }
  void load(StateReader& from);

 private:
  void accept();

  std::vector<std::string> groups_;
  std::vector<double> weights_;  // [times] of the trapezoidal rule
  int channels_;
  // the realization under way
  bool complete_ = true;
  std::vector<double> a_, b_;
  std::vector<std::vector<double>> ag_;
  // Sums over realizations of terms x of a numerator and v of the denominator: Σx, Σx², Σxv.
  struct Ratio {
    double x = 0, xx = 0, xv = 0;
    void add(double value, double of) { x += value, xx += value * value, xv += value * of; }
    void add(const Ratio& r) { x += r.x, xx += r.xx, xv += r.xv; }
  };
  results::Estimate estimate(const Ratio& of, const Ratio& v) const;
  double n_ = 0;
  // [times][channels], and integrated over time [channels]: of the variance, and by group
  std::vector<Ratio> variance_, integrated_variance_;
  std::vector<std::vector<Ratio>> first_, total_, integrated_first_, integrated_total_;
};

}  // namespace aleator::core::analysis
