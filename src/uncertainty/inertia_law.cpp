#include "uncertainty/inertia_law.hpp"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "numerics/dense.hpp"

namespace aleator::core {

namespace {

using Eigen::Matrix3d, Eigen::Vector3d;

Matrix3d to_eigen(const Mat3<double>& m) {
  Matrix3d out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out(i, j) = 0.5 * (m[i][j] + m[j][i]);
  return out;
}

std::string direction(Vector3d d) {
  d.normalize();
  for (int i = 0; i < 3; ++i)
    if (std::abs(d[i]) < 1e-9) d[i] = 0;
  const double first = d[0] != 0 ? d[0] : d[1] != 0 ? d[1] : d[2];
  if (first < 0) d = -d;
  for (int i = 0; i < 3; ++i) d[i] += 0.0;  // no -0
  return fmt::format("({:.3g}, {:.3g}, {:.3g})", d[0], d[1], d[2]);
}

// Where the distribution does not exist, and where E{‖J⁻¹‖²}, without which the response has no second moments, is infinite.
// Space: J is singular only where two eigenvalues of Z vanish; over z1, z2 ~ ε the integral of ε⁻² z1^(−λl) z2^(−λl) |z1 − z2|
// behaves like ∫ ε^(−2 λl) dε: λl < 1/2. Plane: ∫ z⁻² z^(−λl) dz: λl < −1.
void check_shape(double lambda_l, double lambda_u, bool planar, std::vector<std::string>& warnings) {
  for (const double lambda : {lambda_l, lambda_u})
    if (lambda < -1e8)
      throw std::invalid_argument(fmt::format(
          "lambda_l and lambda_u must be above -1e8, found {}: with less scatter the inertia is deterministic", lambda));
  if (!(lambda_u < 1) || !std::isfinite(lambda_u))
    throw std::invalid_argument(fmt::format("lambda_u must be below 1, found {}: the distribution does not exist", lambda_u));
  const double limit = planar ? -1 : 0.5;
  if (!(lambda_l < limit) || !std::isfinite(lambda_l))
    throw std::invalid_argument(
        fmt::format("lambda_l must be below {}{}, found {}: E{{|J^-1|^2}} would be infinite and the response would have no "
                    "second moments",
                    limit, planar ? " in a planar model" : "", lambda_l));
  if (!planar && lambda_l >= -2)
    warnings.push_back(
        fmt::format("lambda_l = {} does not meet the sufficient condition lambda_l < -2 for a finite E{{|J^-1|^2}} (Batou and "
                    "Soize, (20d)); it is nevertheless finite; the actual limit is 1/2",
                    lambda_l));
}

// To solve it takes longer than all other laws together, and a search over hyper-parameters of these asks for the same one
// hundreds of times: the last few are kept.
std::shared_ptr<const KummerBeta<3>> solved(const Matrix3d& gmax, double lambda_l, double lambda_u) {
  static std::mutex access;
  static std::deque<std::shared_ptr<const KummerBeta<3>>> kept;
  const auto same = [&](const auto& law) {
    return law->gmax() == gmax && law->lambda_l() == lambda_l && law->lambda_u() == lambda_u;
  };
  const auto find = [&] {
    const std::lock_guard lock(access);
    const auto it = std::find_if(kept.begin(), kept.end(), same);
    return it == kept.end() ? nullptr : *it;
  };
  if (auto law = find()) return law;
  auto law = std::make_shared<const KummerBeta<3>>(gmax, lambda_l, lambda_u);
  const std::lock_guard lock(access);
  kept.push_back(law);
  if (kept.size() > 16) kept.pop_front();
  return law;
}

}  // namespace

InertiaLaw::InertiaLaw(const InertiaLawSettings& settings) : settings_(settings) {
  check_shape(settings_.lambda_l, settings_.lambda_u, planar(), warnings_);
  factor_nominal();
  if (planar()) {
    const int n = settings_.normal;
    const double z = settings_.nominal[n][n], z_max = settings_.z_max[n][n];
    if (!(z_max > z) || !std::isfinite(z_max))
      throw std::invalid_argument(fmt::format(
          "z_max must exceed the nominal J/m = {:.6g} m^2, found {:.6g} m^2 ({:.4g} times the nominal)", z, z_max, z_max / z));
    plane_ = std::make_shared<KummerBeta<1>>(Eigen::Matrix<double, 1, 1>(z_max / z), settings_.lambda_l, settings_.lambda_u);
  } else {
    const Matrix3d z_max = to_eigen(settings_.z_max);
    if (!z_max.allFinite()) throw std::invalid_argument("z_max is not a number");
    const auto lower = factor_.triangularView<Eigen::Lower>();
    Matrix3d gmax = lower.solve(lower.solve(z_max).transpose());
    gmax = (0.5 * (gmax + gmax.transpose())).eval();
    const dense::SymmetricEigen3 eigen = dense::symmetric_eigen3(gmax);
    if (!(eigen.values[0] > 1)) {
      // Gmax v = γ v means wᵀ Zmax w = γ wᵀ Z̲ w for w = L̲⁻¹ v
      const Vector3d w = factor_.transpose().triangularView<Eigen::Upper>().solve(Vector3d(eigen.vectors.col(0)));
      throw std::invalid_argument(
          fmt::format("z_max must exceed the nominal second moments Z in every direction: along {} it is {:.4g} times the "
                      "nominal, and must be more",
                      direction(w), eigen.values[0]));
    }
    space_ = solved(gmax, settings_.lambda_l, settings_.lambda_u);
    if (space_->mean_error() > 1e-4)
      warnings_.push_back(fmt::format("the mean of the random inertia agrees with the nominal only to a relative error of {:.1g}",
                                      space_->mean_error()));
    if (!space_->exact() && space_->chain().split_r_hat > 1.05)
      warnings_.push_back(
          fmt::format("the Markov chains that draw the inertia mix slowly (split R-hat {:.3f}, autocorrelation "
                      "time {:.0f} steps)",
                      space_->chain().split_r_hat, space_->chain().autocorrelation_time));
  }
  spread();
}

InertiaLaw::InertiaLaw(const InertiaLaw& other, const Mat3<double>& nominal)
    : settings_(other.settings_), warnings_(other.warnings_), space_(other.space_), plane_(other.plane_) {
  settings_.nominal = nominal;
  factor_nominal();
  if (planar()) {
    const int n = settings_.normal;
    settings_.z_max[n][n] = plane_->gmax()(0, 0) * nominal[n][n];
  } else {
    settings_.z_max = from_eigen(factor_ * space_->gmax() * factor_.transpose());
  }
  spread();
}

void InertiaLaw::factor_nominal() {
  if (planar()) {
    const double z = settings_.nominal[settings_.normal][settings_.normal];
    if (!(z > 0) || !std::isfinite(z))
      throw std::invalid_argument(fmt::format("a random inertia needs a body with extent: its nominal J/m is {:.6g} m^2", z));
    return;
  }
  const Matrix3d z = to_eigen(settings_.nominal);
  if (!z.allFinite()) throw std::invalid_argument("the nominal inertia is not a number");
  const dense::SymmetricEigen3 eigen = dense::symmetric_eigen3(z);
  constexpr double flat = 1e-9;  // relative: thinner than 3e-5 of its largest extent
  if (!(eigen.values[0] > flat * eigen.values[2]))
    throw std::invalid_argument(
        fmt::format("a random inertia needs a body with extent in every direction: its second moment of mass along {} is {:.3g} "
                    "m^2 per unit mass (rods, plates without thickness and points are limits whose inertia cannot be random)",
                    direction(eigen.vectors.col(0)), eigen.values[0]));
  factor_ = z.llt().matrixL();
  factor_of_z_ = from_eigen(factor_);
}

void InertiaLaw::spread() {
  if (planar()) {
    const int n = settings_.normal;
    deviation_[n][n] = settings_.nominal[n][n] * plane_->dispersion();
  } else {
    deviation_ = from_eigen(space_->variance(factor_).cwiseSqrt());
  }
}

Mat3<double> InertiaLaw::draw_z(Stream& stream) const {
  if (!planar()) return z_of(space_->sampler().draw(stream));
  const int n = settings_.normal;
  Mat3<double> z;
  z[n][n] = settings_.nominal[n][n] * plane_->draw(stream)(0, 0);
  return z;
}

Mat3<double> InertiaLaw::map_z(std::span<const double> u) const {
  if (!planar()) throw std::logic_error("the distribution of an inertia in space has no map");
  const int n = settings_.normal;
  Mat3<double> z;
  z[n][n] = settings_.nominal[n][n] * plane_->quantile(u[0]);
  return z;
}

}  // namespace aleator::core
