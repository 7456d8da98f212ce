// Coordinates of random inputs in which searches and normal densities are at home: z = (T(x) − centre)/scale of each, T the
// logarithm of what is positive, so that the distributions under consideration together have mean 0 and variance 1.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <vector>

namespace aleator::core::inference {

using Inputs = std::vector<double>;  // [inputs] x

class InputScale {
 public:
  InputScale() = default;
  // `positive`: [inputs]; from a sample, two points or more.
  InputScale(const std::vector<bool>& positive, const std::vector<Inputs>& sample) : positive_(positive) {
    for (std::size_t c = 0; c < positive.size(); ++c) {
      double mean = 0, square = 0;
      for (const Inputs& x : sample) mean += curved(c, x[c]) / double(sample.size());
      for (const Inputs& x : sample) square += std::pow(curved(c, x[c]) - mean, 2) / double(sample.size());
      centre_.push_back(mean);
      scale_.push_back(square > 0 ? std::sqrt(square) : 1);
    }
  }

  std::size_t inputs() const { return centre_.size(); }
  Eigen::VectorXd place(const Inputs& x) const {
    Eigen::VectorXd z(Eigen::Index(x.size()));
    for (std::size_t c = 0; c < x.size(); ++c) z[Eigen::Index(c)] = (curved(c, x[c]) - centre_[c]) / scale_[c];
    return z;
  }
  Inputs inputs_at(const Eigen::VectorXd& z) const {
    Inputs x(inputs());
    for (std::size_t c = 0; c < x.size(); ++c) {
      const double t = centre_[c] + scale_[c] * z[Eigen::Index(c)];
      x[c] = positive_[c] ? std::exp(t) : t;
    }
    return x;
  }
  // log |dz/dx|
  double log_slope(const Inputs& x) const {
    double sum = 0;
    for (std::size_t c = 0; c < x.size(); ++c) sum -= std::log(scale_[c]) + (positive_[c] ? std::log(x[c]) : 0);
    return sum;
  }

 private:
  double curved(std::size_t c, double x) const { return positive_[c] ? std::log(x) : x; }

  std::vector<bool> positive_;
  std::vector<double> centre_, scale_;
};

}  // namespace aleator::core::inference
