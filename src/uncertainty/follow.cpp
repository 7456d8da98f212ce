#include "uncertainty/follow.hpp"

#include <Eigen/Cholesky>

namespace aleator::core {

namespace {

Eigen::Matrix3d as_eigen(const Mat3<double>& m) {
  Eigen::Matrix3d out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out(i, j) = m[i][j];
  return out;
}

// Second moments in body axes, factored.
Eigen::Matrix3d factor(const BodyProperties& p) {
  const Eigen::Matrix3d R = as_eigen(p.orientation);
  return Eigen::Matrix3d((R.transpose() * as_eigen(second_moments(p, -1)) * R).llt().matrixL());
}

}  // namespace

Mat3<double> second_moments(const BodyProperties& p, int normal) {
  if (normal >= 0) {
    Mat3<double> z;
    z[normal][normal] = p.inertia[normal][normal] / p.mass;
    return z;
  }
  return (1 / p.mass) * (0.5 * trace(p.inertia) * Mat3<double>::identity() - p.inertia);
}

double follow_mass(double mass, const BodyProperties& nominal, const BodyProperties& drawn) {
  return mass * drawn.mass / nominal.mass;
}

Vec3<double> follow_center_of_mass(const Vec3<double>& a, const BodyProperties& nominal, const BodyProperties& drawn) {
  return drawn.center_of_mass + drawn.orientation * transposed_times(nominal.orientation, a - nominal.center_of_mass);
}

Mat3<double> follow_second_moments(const Mat3<double>& z, const BodyProperties& nominal, const BodyProperties& drawn,
                                   int normal) {
  if (normal >= 0) return second_moments(drawn, normal)[normal][normal] / second_moments(nominal, normal)[normal][normal] * z;
  const Eigen::Matrix3d stretch = as_eigen(drawn.orientation) * factor(drawn) *
                                  factor(nominal).triangularView<Eigen::Lower>().solve(Eigen::Matrix3d::Identity()) *
                                  as_eigen(nominal.orientation).transpose();
  const Eigen::Matrix3d followed = stretch * as_eigen(z) * stretch.transpose();
  Mat3<double> out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out[i][j] = (followed(i, j) + followed(j, i)) / 2;
  return out;
}

}  // namespace aleator::core
