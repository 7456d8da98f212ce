// Responses as a few numbers. A measured response y of a specimen, seen at its own times and with its own gaps, becomes
//   η = A (y − Hȳ)   in scaled units,   A = (Φ_sᵀ W Φ_s)⁻¹ Φ_sᵀ W,   Φ_s = HΦ,
// with principal components Φ of reference responses, H the linear interpolation from the model's times to the measured points and
// W = 1/(noise² + truncated variance). Simulated responses go through the same A H: the likelihood of η is then that of the
// model, whatever was truncated and whatever is missing. Components and operators are fixed once for a search, or
// likelihoods could not be compared.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "inference/observed_point.hpp"
#include "inference/responses.hpp"
#include "results/measurements.hpp"

namespace aleator::core::inference {

struct ReductionSettings {
  double energy = 0.99;  // share of the variance that the components must have …
  int most = 3;          // … with no more of them than this
};

// Where specimens were measured: those with the same times and the same gaps share a pattern.
struct Pattern {
  std::vector<ObservedPoint> points;
  Eigen::VectorXd mean;        // [points] Hȳ, scaled
  Eigen::VectorXd noise;       // [points] standard deviation of the measuring error, scaled
  Eigen::VectorXd weights;     // [points] W
  Eigen::MatrixXd basis;       // [points][components] Φ_s
  Eigen::MatrixXd projection;  // [components][points] A
  Eigen::MatrixXd covariance;  // [components][components] of the noise in η: A diag(noise²) Aᵀ
};

struct ReducedSpecimen {
  int pattern = 0;
  Eigen::VectorXd deviation;  // [points of the pattern] y − Hȳ, scaled
  Eigen::VectorXd reduced;    // [components] η
};

// Simulated responses, reduced for every pattern.
struct Reduced {
  int components = 0;
  Eigen::MatrixXd values;  // [realizations][patterns × components]

  auto pattern(int p) const { return values.middleCols(Eigen::Index(p) * components, components); }
};

class Reduction {
 public:
  // Throws std::invalid_argument if the data cannot be reduced: times beyond those of the model, too few points, nothing scatters.
  Reduction(const Responses& reference, const results::Measurements& measured, const ReductionSettings& settings = {});

  int components() const { return components_; }
  const std::vector<double>& energy() const { return energy_; }  // shares in falling order, at most 50
  double captured() const { return captured_; }                  // share of the components used
  Reduced reduce(const Responses& responses) const;              // at the reference's times

  const std::vector<Pattern>& patterns() const { return patterns_; }
  const std::vector<ReducedSpecimen>& specimens() const { return specimens_; }  // as measured
  const Eigen::VectorXd& scale() const { return scale_; }                       // [channels]

 private:
  void add_specimen(const results::Specimen& specimen, int pattern);
  void make_operators();

  std::vector<double> times_;
  int channels_ = 0, components_ = 0;
  std::vector<double> energy_;
  double captured_ = 0;
  Eigen::VectorXd scale_;
  std::vector<Pattern> patterns_;
  std::vector<ReducedSpecimen> specimens_;
  Eigen::MatrixXd operators_;  // [times × channels][patterns × components] (A H / s)ᵀ: one product reduces all
  Eigen::VectorXd offsets_;    // [patterns × components] A Hȳ
};

}  // namespace aleator::core::inference
