// Bounds of sampling tests. Seeds are fixed, so a test that passes once passes always; the false-alarm probabilities say how
// surprising a failure is after a change that alters the numbers.
#pragma once

#include <functional>
#include <vector>

namespace aleator::core {

// P(|z| > 5) = 5.7e-7 for a standard normal z.
constexpr double five_sigma = 5;

// Kolmogorov–Smirnov: √n sup|F_n − F|. Above 2.7 with probability 2 exp(−2 · 2.7²) = 9e-7.
constexpr double kolmogorov_bound = 2.7;
double kolmogorov(std::vector<double> sample, const std::function<double(double)>& cdf);
// The same of numbers that should be uniform between 0 and 1.
double kolmogorov(std::vector<double> sample);

// √n times the correlation coefficient of two samples: standard normal for independent ones.
double correlation_score(const std::vector<double>& x, const std::vector<double>& y);
double lag_score(const std::vector<double>& x);

// χ² of `cells` free counts as a standard normal (Wilson & Hilferty).
double chi_square_score(double chi_square, double cells);

}  // namespace aleator::core
