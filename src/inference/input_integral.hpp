// The likelihood of whole measured responses through their noise, where few inputs x are random and the parameters w are those of
// their distributions:
//   p(y_k; w) = ∫ p(y_k | x) p(x; w) dx
// The response to x does not depend on w. One pool of N simulated inputs x_i therefore serves all w and all specimens:
//   p(y_k; w) ≈ (1/N) Σ_i f_ki − b_k ((1/N) Σ_i g_i − 1),   g_i = p(x_i; w)/q(x_i),   f_ki = g_i p(y_k | x_i)
// with q the density of the pool: a mixture of the distributions under consideration (scouts) and, for every specimen, normal densities
// around the inputs at which the model follows it best, several of them where these are not a point but a ridge. The second term is a control variate, ∫ p(x; w) dx = 1 being known, with
// b_k = cov(f, g)/(var g + 1): where the noise is large and p(x; w) narrow, what a few x_i miss of p(x; w) is the same for all specimens.
// The points are of a low-discrepancy sequence.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <span>
#include <vector>

#include "inference/input_modes.hpp"
#include "inference/input_scale.hpp"
#include "inference/noise_density.hpp"

namespace aleator::core::inference {

using LogInputDensity = std::function<double(const Inputs&)>;  // log p(x; w); −∞: impossible. Any thread

class InputIntegral {
 public:
  static constexpr int most_inputs = 4;  // beyond, normal densities cover too little of what they are to cover

  // `scouts`: inputs drawn from the density `scout_density`, all over the distributions under consideration; `positive`: [inputs] may
  // be taken logarithms of.
  InputIntegral(NoiseDensity noise, Simulate simulate, const std::vector<bool>& positive, const std::vector<Inputs>& scouts,
                LogInputDensity scout_density);

  // Up to a constant that is the same for all w; −∞ where a specimen is impossible.
  double log_likelihood(const LogInputDensity& p) const;
  // Standard error of log_likelihood(p) − log_likelihood(other), as if the points were independent.
  double error_of_difference(const LogInputDensity& p, const LogInputDensity& other) const;
  // Adds points for the specimens whose integrals rest on few of them with one of these densities. True: some were added.
  bool refine(const std::vector<LogInputDensity>& densities);

  long simulations() const { return simulations_; }  // those of the searches included
  // Of each specimen the least |r|² found, and the number of its points, which it should be about.
  const std::vector<double>& misfits() const { return misfits_; }
  const NoiseDensity& noise() const { return noise_; }

 private:
  struct Part {  // points with the normal density N(mean, wide² P⁻¹), P = L Lᵀ
    Eigen::VectorXd mean;
    Eigen::MatrixXd factor;  // L
    double wide = 1;
    long points = 0;

    double density(const Eigen::VectorXd& z) const;
  };
  struct Ridge {  // inputs that follow a specimen about equally well
    int specimen = 0;
    Eigen::VectorXd peak;
    Eigen::MatrixXd along;  // [inputs][directions], none: a peak alone
  };
  struct Term {  // what a point contributes to a specimen
    int point = 0;
    double log_density = 0;  // log p(y_k | x_i)
  };
  struct Sums;

  Simulate counted();
  void find_peaks(const Eigen::MatrixXd& scouted);
  static Ridge ridge_of(const InputMode& m);
  void add_stations(const std::vector<const Ridge*>& ridges);
  std::vector<ModeStart> starts(const Eigen::VectorXd& log_densities, int specimen, std::size_t first, std::size_t count) const;
  void add_parts(const Eigen::VectorXd& mean, const Eigen::MatrixXd& precision, long points);
  void add_points(const std::vector<Inputs>& inputs);
  void simulate_parts(std::size_t first);
  void weigh();
  Sums sums(const LogInputDensity& p) const;
  Eigen::VectorXd influences(const Sums& s) const;

  NoiseDensity noise_;
  Simulate simulate_;
  LogInputDensity scout_density_;
  InputScale scale_;
  long scouts_ = 0, simulations_ = 0, drawn_ = 0, stationed_ = 0;
  std::vector<Part> parts_;
  std::vector<Ridge> ridges_;             // one for each specimen that has a peak, in their order
  std::vector<Inputs> x_;                 // [points], the scouts first
  std::vector<Eigen::VectorXd> z_;        // [points]
  std::vector<double> log_q_;             // [points]
  std::vector<std::vector<Term>> terms_;  // [specimens] those that may count
  std::vector<double> best_, misfits_;    // [specimens] largest log p(y_k | x_i)
};

}  // namespace aleator::core::inference
