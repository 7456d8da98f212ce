// The random inertia of one body (Batou & Soize, (11)–(21)). Z is the second-moment matrix of the mass distribution per unit
// mass about the centre of mass, J = M (tr Z I − Z); J is that of a real body if and only if Z is positive definite.
//   space:  Z̲ = L̲ᵀ L̲ (L̲ upper triangular),  Z = L̲ᵀ G L̲,  Gmax = L̲⁻ᵀ Zmax L̲⁻¹,  G of the Kummer–Beta law with E{G} = I
//   plane:  z = J/m, the polar second moment,  0 < z < z_max,  z = z̲ g
#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "numerics/vec3.hpp"
#include "uncertainty/kummer_beta.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core {

// Entries of a tensor as samples have them: xx, yy, zz, xy, xz, yz.
inline constexpr int tensor_row[] = {0, 1, 2, 0, 0, 1}, tensor_column[] = {0, 1, 2, 1, 2, 2};

struct InertiaLawSettings {
  Mat3<double> nominal;  // Z̲, m², inertial axes; in a planar model only the entry of the normal counts: J/m
  Mat3<double> z_max;    // likewise
  double lambda_l = -5, lambda_u = -5;
  int normal = -1;  // planar models: 0, 1, 2 = axis of the plane's normal
};

class InertiaLaw {
 public:
  // Solves the law. Throws std::invalid_argument with the reason: a body without extent in some direction, z_max not above the
  // nominal in every direction, λ for which the law or a response of second order does not exist.
  explicit InertiaLaw(const InertiaLawSettings& settings);
  // The same G for another body: Z = L̲ᵀ G L̲ with the nominal of that body.
  InertiaLaw(const InertiaLaw& other, const Mat3<double>& nominal);

  const InertiaLawSettings& settings() const { return settings_; }
  const std::vector<std::string>& warnings() const { return warnings_; }

  Mat3<double> draw_z(Stream& stream) const;  // space: Z; plane: z in the entry of the normal
  // How many independent uniform numbers map_z() takes to a z of the law: plane 1; space 0, draws only.
  int uniforms() const { return planar() ? 1 : 0; }
  Mat3<double> map_z(std::span<const double> u) const;  // plane: the quantile, rising in u; any thread
  Mat3<double> inertia(double mass, const Mat3<double>& z) const { return tensor(mass, z); }  // J, likewise
  template <class T>
  Mat3<T> tensor(const T& mass, const Mat3<T>& z) const {
    return planar() ? mass * z : mass * (trace(z) * Mat3<T>::identity() - z);
  }
  // Space: Z from B of the law in its simplest form.
  template <class T>
  Mat3<T> z_of(const Mat3<T>& b) const {
    return congruent(factor_of_z_, space_->scaled(b));
  }
  const Mat3<double>& mean() const { return settings_.nominal; }         // of Z
  const Mat3<double>& standard_deviation() const { return deviation_; }  // of the entries of Z

  bool planar() const { return settings_.normal >= 0; }
  const KummerBeta<3>* space_law() const { return space_.get(); }  // of G: one of the two, the other is null
  const KummerBeta<1>* planar_law() const { return plane_.get(); }

 private:
  void factor_nominal();
  void spread();  // standard deviations

  InertiaLawSettings settings_;
  std::vector<std::string> warnings_;
  Eigen::Matrix3d factor_ = Eigen::Matrix3d::Zero();  // L̲ᵀ
  Mat3<double> factor_of_z_;
  Mat3<double> deviation_;
  std::shared_ptr<const KummerBeta<3>> space_;
  std::shared_ptr<const KummerBeta<1>> plane_;
};

}  // namespace aleator::core
