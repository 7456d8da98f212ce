#include "inference/autocorrelation.hpp"

#include <Eigen/Core>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace aleator::core::inference {
namespace {

struct Summary {
  double mean, variance;
};

// Of values first, first + stride, …
Summary summary(const double* first, std::size_t count, std::size_t stride) {
  double mean = 0, squares = 0;
  for (std::size_t k = 0; k < count; ++k) mean += first[k * stride];
  mean /= double(count);
  for (std::size_t k = 0; k < count; ++k) squares += (first[k * stride] - mean) * (first[k * stride] - mean);
  return {mean, squares / double(count - 1)};
}

}  // namespace

double autocorrelation_time(std::span<const double> values, int walkers) {
  const std::size_t w = std::size_t(walkers), steps = values.size() / w;
  const Summary all = summary(values.data(), values.size(), 1);
  if (!(all.variance > 0)) return 0;
  const Eigen::ArrayXd centred = Eigen::Map<const Eigen::ArrayXd>(values.data(), long(values.size())) - all.mean;
  double tau = 0, before = 1;
  for (std::size_t lag = 1, gap = 1; lag <= steps / 10; lag += gap) {
    const long pairs = long((steps - lag) * w);  // of all walkers at once
    const double rho = (centred.head(pairs) * centred.tail(pairs)).mean() / all.variance;
    tau += double(gap) * (before + rho);
    if (double(lag) >= 5 * tau) return tau;
    before = rho;
    gap = 1 + lag / 32;  // ρ is smooth where it takes so long to fall
  }
  return std::numeric_limits<double>::infinity();
}

double split_r_hat(std::span<const double> values, int walkers) {
  const std::size_t w = std::size_t(walkers), half = values.size() / w / 2;
  if (half < 2) return std::numeric_limits<double>::quiet_NaN();
  std::vector<double> means;
  double within = 0;
  for (std::size_t chain = 0; chain < 2 * w; ++chain) {
    const Summary s = summary(values.data() + chain / w * half * w + chain % w, half, w);
    means.push_back(s.mean);
    within += s.variance / double(2 * w);
  }
  return std::sqrt(double(half - 1) / double(half) + summary(means.data(), means.size(), 1).variance / within);
}

}  // namespace aleator::core::inference
