// Do two samples come from the same distribution? Tests whose p-values are uniform when they do, if realizations are independent.
// A p-value is NaN where a test says nothing: a sample too small, or nothing scatters.
#pragma once

#include <vector>

namespace aleator::core::analysis {

struct TestResult {
  double statistic, p;
};

// Kolmogorov–Smirnov, any difference: D = sup |F_a − F_b|. With n = n_a n_b / (n_a + n_b),
//   p = Q((√n + 0.12 + 0.11/√n) D),  Q(λ) = 2 Σ_j (−1)^(j−1) exp(−2 j² λ²)            (Stephens 1970).
TestResult kolmogorov_smirnov(std::vector<double> a, std::vector<double> b);
double kolmogorov_tail(double lambda);  // Q

// Welch, the means: t = (m_a − m_b) / √(s_a²/n_a + s_b²/n_b), degrees of freedom by Satterthwaite.
TestResult welch(const std::vector<double>& a, const std::vector<double>& b);

// Brown & Forsythe (1974), the spread: t of the distances from the medians, with a common variance; its square is their F. Right
// for distributions that are not normal, where the quotient of variances is not.
TestResult brown_forsythe(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace aleator::core::analysis
