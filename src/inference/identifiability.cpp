#include "inference/identifiability.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "numerics/dense.hpp"

namespace aleator::core::inference {
namespace {

// As long as the function falls by less than a unit both ways, a quarter of the cube at most.
double step_along(const LogLikelihood& hill, int k) {
  double step = 0.25;
  for (; step > 1e-6; step /= 1.25) {
    Place up = hill.at, down = hill.at;
    up[k] = std::min(1.0, up[k] + step);
    down[k] = std::max(0.0, down[k] - step);
    if (std::min(hill.f(up), hill.f(down)) >= hill.largest - 1) break;
  }
  return step;
}

// Through the maximum, from rim to rim of the cube: a maximum at the rim can be sharp without any curvature.
struct Chord {
  double fall = 0;    // of the function, at most
  double length = 0;  // in units of the direction
};

Chord chord_along(const LogLikelihood& hill, const Eigen::VectorXd& direction) {
  Chord chord;
  for (const double sign : {-1.0, 1.0}) {
    double length = INFINITY;
    for (Eigen::Index k = 0; k < direction.size(); ++k)
      if (const double v = sign * direction[k]; v != 0) length = std::min(length, ((v > 0 ? 1 : 0) - hill.at[k]) / v);
    Place rim = hill.at;
    for (size_t k = 0; k < rim.size(); ++k) rim[k] = std::clamp(rim[k] + length * sign * direction[Eigen::Index(k)], 0.0, 1.0);
    chord.fall = std::max(chord.fall, hill.largest - hill.f(rim));
    chord.length += length;
  }
  return chord;
}

}  // namespace

Eigen::MatrixXd curvature(const LogLikelihood& hill) {
  const int d = int(hill.at.size());
  std::vector<double> step(d);
  Place centre = hill.at;
  for (int k = 0; k < d; ++k) {
    step[k] = step_along(hill, k);
    centre[k] = std::clamp(centre[k], step[k], 1 - step[k]);
  }
  const auto moved = [&](int k, double by_k, int l, double by_l) {
    Place x = centre;
    x[k] += by_k * step[k];
    x[l] += by_l * step[l];
    return hill.f(x);
  };
  const double here = hill.f(centre);
  Eigen::MatrixXd c(d, d);
  for (int k = 0; k < d; ++k) {
    c(k, k) = (2 * here - moved(k, 1, k, 0) - moved(k, -1, k, 0)) / (step[k] * step[k]);
    for (int l = 0; l < k; ++l)
      c(k, l) = c(l, k) =
          (moved(k, 1, l, -1) + moved(k, -1, l, 1) - moved(k, 1, l, 1) - moved(k, -1, l, -1)) / (4 * step[k] * step[l]);
  }
  return c;
}

Eigen::MatrixXd correlation(const Eigen::MatrixXd& curvature) {
  const double least = 12;  // 1 / variance of a uniform number
  const auto [values, vectors] = dense::symmetric_eigen(curvature);
  const Eigen::VectorXd variances = values.cwiseMax(least).cwiseInverse();
  const Eigen::MatrixXd covariance = dense::times_transposed(vectors * variances.asDiagonal(), vectors);
  const Eigen::VectorXd scale = covariance.diagonal().cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd r = scale.asDiagonal() * covariance * scale.asDiagonal();
  return (r + r.transpose()) / 2;  // symmetric in spite of round-off
}

Identifiability identifiability(const LogLikelihood& hill, const Eigen::MatrixXd& curvature, const std::vector<Profile>& profiles,
                                double drop) {
  Identifiability answer;
  const int d = int(curvature.rows());
  for (int k = 0; k < d; ++k)
    if (profiles[k].upper - profiles[k].lower > 0.95) answer.unbounded.push_back(k);

  const Eigen::MatrixXd r = correlation(curvature);
  for (int k = 0; k < d; ++k)
    for (int l = k + 1; l < d; ++l)
      if (std::abs(r(k, l)) > 0.95) answer.inseparable.push_back({k, l, r(k, l)});

  const auto [values, vectors] = dense::symmetric_eigen(curvature);
  for (int i = 0; i < d; ++i) {
    Eigen::Index largest = 0;
    Eigen::VectorXd v = vectors.col(i);
    v.cwiseAbs().maxCoeff(&largest);
    v /= v[largest];
    const Chord chord = chord_along(hill, v);
    double fall = chord.fall;
    // In a corner the chord is short; the curvature, which ripples spoil, must tell then. From the middle of the cube to its rim along v,
    // whose largest component is 1, it is |v| / 2.
    if (chord.length < 0.5) fall = std::max(fall, values[i] * v.squaredNorm() / 8);
    if (fall >= drop || (v.array().abs() > 0.2).count() < 2) continue;
    answer.flat.push_back({Place(v.data(), v.data() + d), fall});
  }
  return answer;
}

std::vector<std::string> in_words(const Identifiability& told, const std::vector<std::string>& names) {
  std::vector<std::string> words;
  for (const int i : told.unbounded)
    words.push_back(fmt::format("the data contain almost no information on {}: its interval is nearly the whole range",
                                names[std::size_t(i)]));
  for (const Inseparable& pair : told.inseparable)
    words.push_back(fmt::format("the data cannot distinguish {} and {}: their estimates have correlation {:.2f}",
                                names[std::size_t(pair.first)], names[std::size_t(pair.second)], pair.correlation));
  for (const FlatCombination& flat : told.flat) {
    std::string parts;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (std::abs(flat.direction[i]) > 0.1)
        parts += fmt::format("{}{} ({:+.2g} of its range)", parts.empty() ? "" : ", ", names[i], flat.direction[i]);
    words.push_back("the data determine only combinations of: " + parts);
  }
  return words;
}

}  // namespace aleator::core::inference
