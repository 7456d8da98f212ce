// Beams and cables of absolute nodal coordinates at rest: how many elements it takes. Cantilevers of small and large deflection,
// torsion, a full circle; all references are closed forms or an ordinary differential equation.
#include <gtest/gtest.h>

#include "numerics/dense.hpp"
#include "support/ancf_structure.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// --- small deflections: the link of the slider-crank, and a flat bar ----------------------------------------------------

constexpr double bar_length = 0.6, bar_E = 69e9, bar_nu = 0.34, bar_G = bar_E / (2 * (1 + bar_nu));
ancf::Station bar(double h, double b) { return {rectangle_section(h, b), bar_E, bar_nu, 2700}; }

// Deflection at the tip under a force there, over that of bending alone, P l³/3EI. Direction 1: y, 2: z.
template <class Case>
double cantilever(int n, bool whole_node, const ancf::Station& s, int direction = 1) {
  AncfChain<Case> chain(n, bar_length, s);
  whole_node ? chain.clamp(0) : chain.clamp_section(0);
  const double u = chain.small_displacement(chain.unit_load(n, 0, direction))[chain.at(n, 0, direction)];
  return u * 3 * s.young * s.section.second[direction - 1] / std::pow(bar_length, 3);
}
// What shear adds: P l/kGA over P l³/3EI.
double shear_share(const ancf::Station& s, double k, int direction = 1) {
  return 3 * s.young * s.section.second[direction - 1] / (k * bar_G * s.section.area * bar_length * bar_length);
}

constexpr double solved = 1e-8;  // round-off times the condition of the stiffness, about (length/height)² · 12

// Linear directors leave out 1/4n² of the bending, and the modulus of bending is λ + 2G instead of E.
TEST(AncfStatics, continuum_locks_as_predicted) {
  const ancf::Station s = bar(0.01, 0.01);
  const double modulus = (1 + bar_nu) * (1 - 2 * bar_nu) / (1 - bar_nu);  // E/(λ + 2G)
  for (const int n : {1, 2, 3, 8, 32}) {
    const double expected = modulus * (1 - 1 / (4.0 * n * n)) + shear_share(s, 1);
    EXPECT_NEAR(cantilever<PlanarContinuum>(n, false, s), expected, solved) << n;
    EXPECT_NEAR(cantilever<SpatialContinuum>(n, false, s), expected, solved) << n;
  }
  // With the slope of the axis clamped too: the numbers known for this link, to their digits.
  EXPECT_NEAR(cantilever<PlanarContinuum>(3, true, s), 0.632, 5e-4);
  EXPECT_NEAR(cantilever<PlanarContinuum>(64, true, s), 0.650, 5e-4);
}

TEST(AncfStatics, enhanced_cantilever_is_exact_with_one_element) {
  for (const ancf::Station& s : {bar(0.01, 0.01), bar(0.06, 0.02)})  // slender and stocky
    for (const int n : {1, 2, 5}) {
      EXPECT_NEAR(cantilever<PlanarEnhanced>(n, false, s), 1 + shear_share(s, 5.0 / 6), solved);
      for (const int direction : {1, 2})
        EXPECT_NEAR(cantilever<SpatialEnhanced>(n, false, s, direction), 1 + shear_share(s, 5.0 / 6, direction), solved);
    }
}

// A wall that also holds r_x forbids shear in its section. In the first element the best quadratic angle of shear that starts from zero
// has 8/9 of the effect of a constant one; the residual flexibility of that element is 1/4n³ of the whole, its shear 1/n.
TEST(AncfStatics, enhanced_cantilever_with_its_slope_clamped) {
  const ancf::Station s = bar(0.01, 0.01);
  const double share = shear_share(s, 5.0 / 6);
  EXPECT_NEAR(cantilever<PlanarEnhanced>(1, true, s), 1 - 1.0 / 36 + 8.0 / 9 * share, solved);
  for (const int n : {2, 4, 8, 16}) {
    const double error = 1 + share - cantilever<PlanarEnhanced>(n, true, s);
    EXPECT_GT(error, 0);
    EXPECT_NEAR(error / ((0.25 / (n * n * n) + share / n) / 9), 1, 0.1);  // the slope is shared with the next element: 6 % more
  }
}

TEST(AncfStatics, enhanced_resultants_are_those_of_the_load) {
  const int n = 3;
  const double P = 1e-3;  // small deflection: 1e-8 of the length
  AncfChain<PlanarEnhanced> chain(n, bar_length, bar(0.01, 0.01));
  chain.clamp_section(0);
  chain.e += chain.small_displacement(P * chain.unit_load(n, 0, 1));
  const Coordinates<PlanarBeam> still;
  for (int k = 0; k < n; ++k) {
    const Coordinates<PlanarBeam> c(chain.e.segment(k * chain.node_size, PlanarBeam::size));
    for (const double xi : {0.0, 0.5, 1.0}) {
      const auto r = PlanarBeam::resultants(chain.elements[k], c.e, still.e, xi);
      EXPECT_NEAR(r.force[1], P, 1e-5 * P);  // round-off of strains of 1e-9 and second order in the deflection
      EXPECT_NEAR(r.moment[0], P * bar_length * (1 - (k + 0.5) / n), 1e-5 * P);
    }
  }
}

// Rigid motions are the only ones without energy: 3 in the plane, 6 in space; a straight cable in space does not feel its spin.
template <class Case>
int motions_without_energy() {
  AncfChain<Case> chain(2, 1.0, {rectangle_section(0.2, 0.3), 1, 0.3, 1});
  const Eigen::VectorXd w = dense::symmetric_eigenvalues(chain.stiffness());
  return int((w.array().abs() < 1e-12 * w.maxCoeff()).count());
}
TEST(AncfStatics, only_rigid_motions_have_no_energy) {
  EXPECT_EQ(motions_without_energy<PlanarContinuum>(), 3);
  EXPECT_EQ(motions_without_energy<PlanarEnhanced>(), 3);
  EXPECT_EQ(motions_without_energy<SpatialContinuum>(), 6);
  EXPECT_EQ(motions_without_energy<SpatialEnhanced>(), 6);
  EXPECT_EQ(motions_without_energy<CableCase<2>>(), 3);
  EXPECT_EQ(motions_without_energy<CableCase<3>>(), 5);
}

// Torque T: the virtual work T δφ, δφ = ½(δd_2·e_z − δd_3·e_y).
template <class Case>
double torsion(int n, const ancf::Station& s, double torsion_constant) {
  AncfChain<Case> chain(n, bar_length, s);
  chain.clamp(0);
  const Eigen::VectorXd load = 0.5 * (chain.unit_load(n, 2, 2) - chain.unit_load(n, 3, 1));
  const Eigen::VectorXd u = chain.small_displacement(load);
  return load.dot(u) * bar_G * torsion_constant / bar_length;
}
TEST(AncfStatics, torsion) {
  const ancf::Station square = bar(0.01, 0.01), flat = bar(0.01, 0.02);
  EXPECT_NEAR(torsion<SpatialEnhanced>(1, square, square.section.torsion), 1, solved);
  EXPECT_NEAR(torsion<SpatialContinuum>(1, square, square.section.second[0] + square.section.second[1]), 1, solved);
  // A section that is not square shears a little in its plane where the torque acts: of the order (height/length)²
  EXPECT_NEAR(torsion<SpatialEnhanced>(8, flat, flat.section.torsion), 1, 1e-3);
}

TEST(AncfStatics, axial_stiffness_is_EA) {
  const ancf::Station s = bar(0.01, 0.01);
  const auto stretch = [&](auto chain) {
    chain.fix(0, 0);  // free to contract at the ends
    for (int k = 0; k < chain.nodes(); ++k)
      for (int v = 0; v < decltype(chain)::Element::node_vectors; ++v)
        for (int i = 0; i < chain.D; ++i)
          if (i != (v < 2 ? 0 : v - 1)) chain.is_free[chain.at(k, v, i)] = false;
    const int n = chain.nodes() - 1;
    return chain.small_displacement(chain.unit_load(n, 0, 0))[chain.at(n, 0, 0)] * bar_E * s.section.area / bar_length;
  };
  EXPECT_NEAR(stretch(AncfChain<PlanarEnhanced>(2, bar_length, s)), 1, solved);
  EXPECT_NEAR(stretch(AncfChain<SpatialEnhanced>(2, bar_length, s)), 1, solved);
  EXPECT_NEAR(stretch(AncfChain<SpatialContinuum>(2, bar_length, s)), 1, solved);
  EXPECT_NEAR(stretch(AncfChain<CableCase<3>>(2, bar_length, s)), 1, solved);
  EXPECT_NEAR(stretch(AncfChain<PlanarContinuum>(2, bar_length, s)), 1 - bar_nu * bar_nu, solved);  // plane strain
}

// --- large deflections: length 1, EI = 1, 1000 times as long as high --------------------------------------------------

constexpr double thin = 1e-3;  // axial and shear flexibility change the tip by about P · thin²
ancf::Station strip() { return {rectangle_section(thin, thin), 12 / std::pow(thin, 4), 0.3, 1}; }

// Distance of the tip from that of the elastica; the force acts along y, or in space along the diagonal of the section.
template <class Case>
double elastica_error(int n, double P) {
  AncfChain<Case> chain(n, 1.0, strip());
  Case::is_beam ? chain.clamp_section(0) : chain.clamp(0);
  Eigen::VectorXd load = P * chain.unit_load(n, 0, 1);
  if (chain.D == 3) load = std::sqrt(0.5) * (load + P * chain.unit_load(n, 0, 2));
  chain.solve(load, 10);
  const auto r = chain.vector(n, 0);
  const ElasticaTip tip = elastica(P);
  return std::hypot(r[0] - tip.x, r.tail(chain.D - 1).norm() - tip.y);
}

// The reference itself: Mattiasson, Int. J. Num. Meth. Eng. 17 (1981), elliptic integrals, all digits of his table.
TEST(AncfStatics, elastica_is_the_published_one) {
  const double published[][3] = {{1, 0.05643, 0.30172}, {2, 0.16064, 0.49346}, {5, 0.38763, 0.71379}, {10, 0.55500, 0.81061}};
  for (const auto& [P, shortening, deflection] : published) {
    EXPECT_NEAR(1 - elastica(P).x, shortening, 6e-6);
    EXPECT_NEAR(elastica(P).y, deflection, 6e-6);
  }
}

// Directors are linear: second order in large turns. Constants measured, with a margin of a third.
template <class Case>
void expect_second_order(double P, double constant) {
  const double coarse = elastica_error<Case>(8, P), fine = elastica_error<Case>(16, P);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.15) << P;
  EXPECT_LT(fine, constant / 256) << P;
}
TEST(AncfStatics, elastica_planar) {
  expect_second_order<PlanarEnhanced>(1, 0.05);
  expect_second_order<PlanarEnhanced>(2, 0.2);
  expect_second_order<PlanarEnhanced>(5, 0.6);
  expect_second_order<PlanarEnhanced>(10, 0.95);
}
TEST(AncfStatics, elastica_spatial_along_the_diagonal) {
  expect_second_order<SpatialEnhanced>(1, 0.05);
  expect_second_order<SpatialEnhanced>(5, 0.6);
}

// Cubic centreline, no directors: fourth order.
TEST(AncfStatics, elastica_cable) {
  for (const double P : {1.0, 2.0, 5.0, 10.0}) {
    const double coarse = elastica_error<CableCase<2>>(4, P), fine = elastica_error<CableCase<2>>(8, P);
    EXPECT_NEAR(std::log2(coarse / fine), 4, 0.3) << P;
    EXPECT_LT(fine, 5e-5) << P;
    EXPECT_NEAR(elastica_error<CableCase<3>>(8, P), fine, 1e-8) << P;  // the same curve in a turned plane; Newton's last change
  }
}

// An end moment 2π EI/l closes the strip to a circle. On the director: δθ = (ẑ × d)·δd/|d|².
double circle_error(int n) {
  AncfChain<PlanarEnhanced> chain(n, 1.0, strip());
  chain.clamp_section(0);
  const int i = chain.at(n, 2);
  chain.solve(
      [&](double factor, const Eigen::VectorXd& e) {
        const double M = factor * 2 * std::numbers::pi / (e[i] * e[i] + e[i + 1] * e[i + 1]);
        Eigen::VectorXd load = Eigen::VectorXd::Zero(e.size());
        load[i] = -M * e[i + 1], load[i + 1] = M * e[i];
        return load;
      },
      20);
  EXPECT_NEAR(chain.vector(n, 2).norm(), 1, 1e-5);  // the director turns and keeps its length
  return chain.vector(n, 0).norm();
}
TEST(AncfStatics, end_moment_bends_to_a_circle) {
  const double coarse = circle_error(16), fine = circle_error(32);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
  EXPECT_LT(fine, 0.012);  // of a length of 1; measured 0.0105
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
