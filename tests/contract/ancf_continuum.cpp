// The continuum element is the continuum: force, energy and resultants against the Green strain and the law of the material at
// 5 × 3 (× 3) points, and against the form of the papers, (K1 + K2(e)) e.
#include <gtest/gtest.h>

#include <functional>

#include "support/ancf_samples.hpp"
#include "support/gauss.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr double round_off = 1e-13;  // sums of a few hundred products of numbers around one

// S_k,α at a point of a straight reference: derivatives of the weights along x, y, z.
template <class Element>
Eigen::MatrixXd gradients(double length, double xi, double y, double z) {
  constexpr int D = Element::dimension;
  Eigen::MatrixXd g(Element::vectors, D);
  for (int a = 0; a < D; ++a) {
    Dual w[Element::vectors];
    Element::position_weights(Dual(length), Dual(xi, a == 0 ? 1 / length : 0), Dual(y, a == 1), Dual(z, a == 2), w);
    for (int k = 0; k < Element::vectors; ++k) g(k, a) = w[k].d;
  }
  return g;
}

struct Lame {
  double lambda, shear;
  explicit Lame(const ancf::Station& s)
      : lambda(s.young * s.poisson / ((1 + s.poisson) * (1 - 2 * s.poisson))), shear(s.young / (2 * (1 + s.poisson))) {}
};

// Calls f(weight of volume, derivatives of the shape, station) at the points of an element h × b.
using AtPoint = std::function<void(double, const Eigen::MatrixXd&, const ancf::Station&)>;
template <class Case>
void over_volume(const Sample<Case>& s, double h, double b, const AtPoint& f) {
  using Element = typename Case::Element;
  const bool spatial = Element::dimension == 3;
  for (int g = 0; g < ancf::points; ++g)
    for (const GaussPoint& y : gauss_points(3, -h / 2, h / 2))
      for (const GaussPoint& z : spatial ? gauss_points(3, -b / 2, b / 2) : std::vector<GaussPoint>{{0, b}})
        f(ancf::gauss_weight[g] * s.length * y.weight * z.weight, gradients<Element>(s.length, ancf::gauss_xi[g], y.x, z.x),
          s.stations[g]);
}

// A straight element h × b whose material varies from point to point, deformed at random.
constexpr double h = 0.5, b = 0.4;
template <class Case>
Sample<Case> varying(int seed, double variation) {
  using Element = typename Case::Element;
  constexpr int D = Element::dimension;
  Sample<Case> s(seed, {.same_material = true});
  for (ancf::Station& t : s.stations) {
    t.young *= 1 + variation * s.normal();
    t.poisson *= 1 + variation * s.normal();
  }
  s.reference = s.placed(turned<D>(0, 0, 0), turned<D>(0, 0, 0));
  s.p = Case::parameters(s.length, s.stations, s.reference.e, 0, 0);
  s.e = s.reference;
  for (int k = 0; k < Element::size; ++k) entry(s.e.e, k) += 0.15 * s.normal();
  return s;
}

template <class Case>
void expect_quadrature() {
  using Element = typename Case::Element;
  constexpr int D = Element::dimension;
  for (int seed = 1; seed <= 3; ++seed) {
    const Sample<Case> s = varying<Case>(seed, 0.1);
    const Eigen::Map<const Eigen::MatrixXd> e(s.e.e[0].x, D, Element::vectors);
    Eigen::MatrixXd f = Eigen::MatrixXd::Zero(D, Element::vectors);
    double energy = 0;
    over_volume(s, h, b, [&](double dV, const Eigen::MatrixXd& S, const ancf::Station& station) {
      const Lame m(station);
      const Eigen::MatrixXd F = e * S, I = Eigen::MatrixXd::Identity(D, D), strain = 0.5 * (F.transpose() * F - I);
      const Eigen::MatrixXd stress = m.lambda * strain.trace() * I + 2 * m.shear * strain;
      f += dV * F * stress * S.transpose();
      energy += 0.5 * dV * (stress * strain).trace();
    });
    Coordinates<Element> ours;
    Element::elastic_force(s.p, s.e.e, ours.e);
    const Eigen::Map<const Eigen::MatrixXd> mine(ours.e[0].x, D, Element::vectors);
    EXPECT_LT((mine - f).cwiseAbs().maxCoeff(), round_off * f.cwiseAbs().maxCoeff());
    EXPECT_NEAR(Element::energy(s.p, s.e.e), energy, round_off * energy);
  }
}

TEST(AncfContinuum, planar_force_is_the_quadrature) { expect_quadrature<PlanarContinuum>(); }
TEST(AncfContinuum, spatial_force_is_the_quadrature) { expect_quadrature<SpatialContinuum>(); }

// K1 = −(λ+G) ∫ Σ S,αᵀS,α dV,
// K2 = ∫ Σ_α S,αᵀS,α [ (λ+2G)/2 |r,α|² + λ/2 |r,β|² ] + G Σ_{α≠β} S,αᵀS,β (r,α·r,β) dV     (α, β = x, y)
TEST(AncfContinuum, planar_force_has_the_form_of_the_papers) {
  using Element = PlanarBeam;
  const Sample<PlanarContinuum> s = varying<PlanarContinuum>(5, 0);
  const Eigen::Map<const Eigen::MatrixXd> e(s.e.e[0].x, 2, Element::vectors);
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(Element::vectors, Element::vectors);
  over_volume(s, h, b, [&](double dV, const Eigen::MatrixXd& S, const ancf::Station& station) {
    const Lame m(station);
    const Eigen::MatrixXd F = e * S, gram = F.transpose() * F;
    for (int a = 0; a < 2; ++a) {
      K -= dV * (m.lambda + m.shear) * S.col(a) * S.col(a).transpose();
      K += dV * (0.5 * (m.lambda + 2 * m.shear) * gram(a, a) + 0.5 * m.lambda * gram(1 - a, 1 - a)) * S.col(a) *
           S.col(a).transpose();
      K += dV * m.shear * gram(a, 1 - a) * S.col(a) * S.col(1 - a).transpose();
    }
  });
  const Eigen::MatrixXd f = e * K;
  Coordinates<Element> ours;
  Element::elastic_force(s.p, s.e.e, ours.e);
  const Eigen::Map<const Eigen::MatrixXd> mine(ours.e[0].x, 2, Element::vectors);
  EXPECT_LT((mine - f).cwiseAbs().maxCoeff(), 10 * round_off * f.cwiseAbs().maxCoeff());  // K1 and K2 cancel
}

// n = ∫ F S e_1 dA, m = ∫ (y d_2 + z d_3) × F S e_1 dA over the section.
template <class Case>
void expect_resultants() {
  using Element = typename Case::Element;
  constexpr int D = Element::dimension;
  const Sample<Case> s = varying<Case>(3, 0);
  const Eigen::Map<const Eigen::MatrixXd> e(s.e.e[0].x, D, Element::vectors);
  const Coordinates<Element> still;
  for (const double xi : {0.0, 0.3, 0.5, 1.0}) {
    Vec<double, D> n = Vec<double, D>::zero();
    Vec<double, Element::turns> moment = Vec<double, Element::turns>::zero();
    for (const GaussPoint& y : gauss_points(3, -h / 2, h / 2))
      for (const GaussPoint& z : D == 3 ? gauss_points(3, -b / 2, b / 2) : std::vector<GaussPoint>{{0, b}}) {
        const Lame m(s.stations[0]);
        const Eigen::MatrixXd F = e * gradients<Element>(s.length, xi, y.x, z.x), I = Eigen::MatrixXd::Identity(D, D);
        const Eigen::MatrixXd strain = 0.5 * (F.transpose() * F - I);
        const Eigen::VectorXd t = y.weight * z.weight * F * (m.lambda * strain.trace() * I + 2 * m.shear * strain).col(0);
        double at[Element::vectors], centre[Element::vectors];
        Element::position_weights(s.length, xi, y.x, z.x, at);
        Element::position_weights(s.length, xi, 0, 0, centre);
        Vec<double, D> arm = Vec<double, D>::zero(), force;
        for (int k = 0; k < Element::vectors; ++k) arm += (at[k] - centre[k]) * s.e.e[k];
        for (int i = 0; i < D; ++i) force[i] = t[i];
        n += force;
        moment += cross(arm, force);
      }
    const auto r = Element::resultants(s.p, s.e.e, still.e, xi);
    for (int i = 0; i < D; ++i) EXPECT_NEAR(r.force[i], n[i], round_off);
    for (int i = 0; i < Element::turns; ++i) EXPECT_NEAR(r.moment[i], moment[i], round_off);
  }
}

TEST(AncfContinuum, planar_resultants_are_those_of_the_stress) { expect_resultants<PlanarContinuum>(); }
TEST(AncfContinuum, spatial_resultants_are_those_of_the_stress) { expect_resultants<SpatialContinuum>(); }

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
