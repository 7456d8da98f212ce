#include "inference/likelihood.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>

namespace aleator::inference {
namespace {

using Eigen::Index;

// Cholesky factor. What does not scatter in some direction gets 1e-12 of the mean variance there: its density is finite, and
// so low elsewhere that a search turns back.
Eigen::LLT<Eigen::MatrixXd> factor(Eigen::MatrixXd covariance) {
  const double mean = std::max(covariance.trace() / double(covariance.rows()), 1e-200);
  for (double more = 1e-12;; more *= 100) {
    covariance.diagonal().array() += more * mean;
    Eigen::LLT<Eigen::MatrixXd> llt(covariance);
    if (llt.info() == Eigen::Success) return llt;
  }
}

}  // namespace

std::vector<double> log_densities(const Eigen::MatrixXd& simulated, const Eigen::MatrixXd& noise, const Eigen::MatrixXd& observed,
                                  Density density) {
  const Index n = simulated.rows(), q = simulated.cols();
  if (n < q + 2) throw std::invalid_argument(fmt::format("{} simulations are too few for a density of {} components", n, q));
  const Eigen::RowVectorXd mean = simulated.colwise().mean();
  const Eigen::MatrixXd centred = simulated.rowwise() - mean;
  const Eigen::MatrixXd covariance = centred.transpose() * centred / double(n - 1);
  const bool kernel = density == Density::kernel;
  const double s = std::pow(4 / (double(n) * double(q + 2)), 1 / double(q + 4));
  const double narrow = s / std::sqrt(s * s + double(n - 1) / double(n));  // ŝ

  // All in coordinates in which the kernel is a standard normal density.
  const auto llt = factor((kernel ? narrow * narrow : 1) * covariance + noise);
  const double level = -0.5 * double(q) * std::log(2 * std::numbers::pi) - llt.matrixLLT().diagonal().array().log().sum();
  const Eigen::MatrixXd at = llt.matrixL().solve((observed.rowwise() - mean).transpose());
  Eigen::MatrixXd centres;
  if (kernel) centres = llt.matrixL().solve((narrow / s) * centred.transpose()).transpose();

  std::vector<double> logs(std::size_t(observed.rows()));
  Eigen::ArrayXd distance(n);
  for (Index k = 0; k < observed.rows(); ++k) {
    if (!kernel) {
      logs[std::size_t(k)] = level - 0.5 * at.col(k).squaredNorm();
      continue;
    }
    distance = (centres.col(0).array() - at(0, k)).square();
    for (Index j = 1; j < q; ++j) distance += (centres.col(j).array() - at(j, k)).square();
    const double least = distance.minCoeff();  // the largest term of the sum is taken out of it
    logs[std::size_t(k)] = level - 0.5 * least + std::log((-0.5 * (distance - least)).exp().sum() / double(n));
  }
  return logs;
}

std::vector<double> log_densities(const Reduction& reduction, const Reduced& simulated, Density density) {
  const auto& specimens = reduction.specimens();
  std::vector<double> logs(specimens.size());
  for (std::size_t p = 0; p < reduction.patterns().size(); ++p) {
    std::vector<std::size_t> members;
    for (std::size_t k = 0; k < specimens.size(); ++k)
      if (specimens[k].pattern == int(p)) members.push_back(k);
    Eigen::MatrixXd observed(members.size(), reduction.components());
    for (std::size_t i = 0; i < members.size(); ++i) observed.row(Index(i)) = specimens[members[i]].reduced.transpose();
    const auto values = log_densities(simulated.pattern(int(p)), reduction.patterns()[p].covariance, observed, density);
    for (std::size_t i = 0; i < members.size(); ++i) logs[members[i]] = values[i];
  }
  return logs;
}

double log_likelihood(const Reduction& reduction, const Reduced& simulated, Density density) {
  const std::vector<double> logs = log_densities(reduction, simulated, density);
  return std::accumulate(logs.begin(), logs.end(), 0.0);
}

}  // namespace aleator::inference
