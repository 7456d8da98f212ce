// Solving the law of a centre of mass, its closed forms, and what is refused.
#include "support/message_of.hpp"
#include "uncertainty/center_of_mass_law.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace aleator::core {
namespace ALEATOR_FILE {

using enum Domain::Kind;

const std::vector<Vec3<double>> cube = {{-1, -1, -1}, {1, 1, 1},   {1, -1, -1}, {-1, 1, -1},
                                        {1, 1, -1},   {-1, -1, 1}, {1, -1, 1},  {-1, 1, 1}};

std::string refusal(const Domain& domain, const Vec3<double>& mean) {
  return test::message_of<std::invalid_argument>([&] { const CenterOfMassLaw law(domain, mean); });
}

// Mean of the density exp(−l x) on [−a, a], l > 0.
double truncated_mean(double l, double a) { return 1 / l - a / std::tanh(l * a); }

TEST(UncertaintyCenterOfMassLaw, box_is_a_product_of_truncated_exponentials) {
  const Domain domain{.kind = box, .size = {2, 4, 1}};
  const CenterOfMassLaw law(domain, {truncated_mean(1.5, 1), -truncated_mean(0.25, 2), truncated_mean(40, 0.5)});
  // Round-off of the mean over the slope of the mean, which is 6e-4 for the steepest.
  EXPECT_NEAR(law.lambda().x, 1.5, 1e-13);
  EXPECT_NEAR(law.lambda().y, -0.25, 1e-13);
  EXPECT_NEAR(law.lambda().z, 40, 1e-11);
  EXPECT_NEAR(law.log_c0(), std::log(1.5 / (2 * std::sinh(1.5)) * 0.25 / (2 * std::sinh(0.5)) * 40 / (2 * std::sinh(20.0))),
              1e-12);
  for (int i = 0; i < 3; ++i) {
    const double l = std::abs(law.lambda()[i]), a = domain.size[i] / 2;
    EXPECT_NEAR(law.covariance()[i][i], 1 / (l * l) - std::pow(a / std::sinh(l * a), 2), 1e-13);
  }
  // The inverse distribution: P(x ≤ map(u)) = u, rising in each u.
  ASSERT_EQ(law.uniforms(), 3);
  for (const double u : {1e-9, 0.1, 0.5, 0.9, 1 - 1e-9}) {
    const Vec3<double> a = law.map(std::vector<double>{u, u, u});
    for (int i = 0; i < 3; ++i) {
      const double l = law.lambda()[i], half = domain.size[i] / 2;
      EXPECT_NEAR(std::expm1(-l * (a[i] + half)) / std::expm1(-2 * l * half), u, 1e-13);
    }
  }
  Stream drawn(1, 2, 3), copied(1, 2, 3);
  const double u[3] = {copied.uniform(), copied.uniform(), copied.uniform()};
  const Vec3<double> a = law.draw(drawn), b = law.map(u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(a[i], b[i]);
}

TEST(UncertaintyCenterOfMassLaw, mean_at_the_barycentre_gives_the_uniform_law) {
  const double pi = std::numbers::pi;
  const std::vector<Vec3<double>> simplex = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<std::tuple<Domain, Vec3<double>, double>> central = {
      {{.kind = box, .size = {1, 2, 3}, .position = {4, 5, 6}}, {4, 5, 6}, 6},
      {{.kind = ball, .size = {2, 0, 0}, .position = {4, 5, 6}}, {4, 5, 6}, 4 * pi / 3 * 8},
      {{.kind = ellipsoid, .size = {1, 2, 3}, .scale = 2}, {0, 0, 0}, 4 * pi / 3 * 6 * 8},
      {{.kind = cylinder, .size = {2, 3, 0}}, {0, 0, 0}, 12 * pi},
      {{.kind = polyhedron, .vertices = cube}, {0, 0, 0}, 8},
      {{.kind = polyhedron, .vertices = simplex}, {0.25, 0.25, 0.25}, 1.0 / 6},
      {{.kind = polyhedron, .vertices = simplex, .normal = 1}, {1.0 / 3, 0, 1.0 / 3}, 0.5},
      {{.kind = ellipsoid, .size = {1, 2, 3}, .normal = 0}, {0, 0, 0}, 6 * pi},
  };
  for (const auto& [domain, mean, volume] : central) {
    const CenterOfMassLaw law(domain, mean);
    EXPECT_LT(norm(law.lambda()), 1e-14);  // round-off of the barycentre
    EXPECT_NEAR(law.log_c0(), -std::log(volume), 1e-13);
  }
  const CenterOfMassLaw exact({.kind = box, .size = {1, 2, 3}}, {0, 0, 0});
  EXPECT_EQ(norm(exact.lambda()), 0);
  EXPECT_EQ(norm(exact.map(std::vector<double>{0.5, 0.5, 0.5})), 0);
}

TEST(UncertaintyCenterOfMassLaw, ball_and_disc_have_the_means_of_bessel_functions) {
  // E{s} = I_{d/2+1}(k)/I_{d/2}(k); variance 1 − E² − (d + 1) E/k; ∫ exp(k s) = (2π/k)^(d/2) I_{d/2}(k).
  for (const int d : {1, 2, 3})
    for (const double k : {1e-3, 0.3, 1.0, 1.1, 5.0, 24.9, 25.1, 100.0, 400.0}) {
      SCOPED_TRACE(std::to_string(d) + " dimensions, tilt " + std::to_string(k));
      const BallMoments m = ball_moments(d, k);
      const double bessel = std::cyl_bessel_i(0.5 * d, k), mean = std::cyl_bessel_i(0.5 * d + 1, k) / bessel;
      // The library's Bessel functions are good to some 1e-13.
      EXPECT_NEAR(m.mean / mean, 1, 1e-11);
      EXPECT_NEAR(m.mean + m.depth, 1, 1e-15);
      EXPECT_NEAR(m.variance, 1 - mean * mean - (d + 1) * mean / k, 1e-11);
      EXPECT_NEAR(m.log_integral, 0.5 * d * std::log(2 * std::numbers::pi / k) + std::log(bessel) - k, 1e-11);
      EXPECT_NEAR(m.across, d > 1 ? mean / k : 0, 1e-11);
      // Solving: round-off of the mean over its slope.
      EXPECT_NEAR(ball_tilt(d, m.mean), k, 1e-15 / m.variance + 1e-14 * k);
    }
}

// k E{t} → (d + 1)/2 and k² Var{t} → (d + 1)/2 towards the boundary (a Gamma law); corrections are of order 1/k.
TEST(UncertaintyCenterOfMassLaw, tilts_grow_as_the_mean_nears_the_boundary) {
  for (const int d : {1, 2, 3})
    for (const double depth : {1e-3, 1e-6, 1e-9, 1e-12}) {
      const double k = ball_tilt(d, 1 - depth), given = 1 - (1 - depth);
      const BallMoments m = ball_moments(d, k);
      EXPECT_NEAR(m.depth / given, 1, 1e-13);
      EXPECT_NEAR(k * given, 0.5 * (d + 1), 2 * depth);
      EXPECT_NEAR(k * k * m.variance, 0.5 * (d + 1), 4 * depth + 1e-13);
    }
}

TEST(UncertaintyCenterOfMassLaw, exponentials_over_a_simplex) {
  const auto over = [](std::vector<double> z) { return exponential_over_simplex(z); };
  EXPECT_NEAR(over({0, 0, 0, 0}), 1.0 / 6, 1e-16);
  EXPECT_NEAR(over({3, 3, 3, 3, 3, 3}), 1.0 / 120, 1e-17);  // exp(−z_0) left out
  // Two nodes, and three of which two are equal: ∫ exp(−b z) and ∫ (1 − b) exp(−b z), of which 1/z − (1 − exp(−z))/z².
  for (const double z : {1e-12, 1e-3, 0.5, 7.9, 8.1, 50.0, 1e6, 1e12}) {
    EXPECT_NEAR(over({0, z}) * z / -std::expm1(-z), 1, 1e-14) << z;
    if (z < 0.1) continue;  // where this closed form cancels
    EXPECT_NEAR(over({0, 0, z}) * z / (1 + std::expm1(-z) / z), 1, 2e-14) << z;
  }
  // Distinct nodes: Σ_i exp(−z_i)/Π_{j≠i} (z_j − z_i), whose cancellation long double bears.
  for (const std::vector<double>& z :
       {std::vector<double>{0, 1, 2.5, 4, 5.5, 7.5}, {0, 2, 4, 6, 7.9, 8.1}, {0, 1, 9, 10, 19, 20}}) {
    long double sum = 0;
    for (std::size_t i = 0; i < z.size(); ++i) {
      long double product = 1;
      for (std::size_t j = 0; j < z.size(); ++j)
        if (j != i) product *= static_cast<long double>(z[j]) - z[i];
      sum += std::exp(-static_cast<long double>(z[i])) / product;
    }
    EXPECT_NEAR(over(z) / static_cast<double>(sum), 1, 1e-13);
  }
}

// The same law two ways: a cube as a box in closed form, and as a polyhedron; far inside and next to a face, edge, corner.
TEST(UncertaintyCenterOfMassLaw, polyhedron_agrees_with_the_box) {
  for (const double h : {0.5, 0.1, 1e-3, 1e-6})
    for (const Vec3<double>& mean : {Vec3<double>{0.3, -0.2, 1 - h}, {0.3, h - 1, 1 - h}, {1 - h, h - 1, 1 - h}}) {
      SCOPED_TRACE("1 - " + std::to_string(h));
      const CenterOfMassLaw closed({.kind = box, .size = {2, 2, 2}}, mean), hull({.kind = polyhedron, .vertices = cube}, mean);
      // |E{a} − mean| ≤ 1e-10 and the slope of the mean, the covariance.
      for (int i = 0; i < 3; ++i) {
        EXPECT_NEAR(hull.lambda()[i], closed.lambda()[i], 1e-13 / closed.covariance()[i][i] + 1e-12);
        for (int j = 0; j < 3; ++j) EXPECT_NEAR(hull.covariance()[i][j], closed.covariance()[i][j], 1e-13);
      }
      // log p at the mean: stationary in λ, so of second order in its error.
      EXPECT_NEAR(hull.log_c0() - dot(hull.lambda(), mean), closed.log_c0() - dot(closed.lambda(), mean), 1e-8);
    }
}

// The same with faces oblique to the axes the polyhedron is given in.
TEST(UncertaintyCenterOfMassLaw, oblique_polyhedron_agrees_with_the_turned_box) {
  const Mat3<double> turn = Mat3<double>{{{0.36, 0.48, -0.8}, {-0.8, 0.6, 0}, {0.48, 0.64, 0.6}}};
  std::vector<Vec3<double>> vertices;
  for (const Vec3<double>& v : cube) vertices.push_back(turn * v);
  for (const double h : {0.3, 1e-3, 1e-6})
    for (const Vec3<double>& local : {Vec3<double>{0.3, -0.2, 1 - h}, {0.3, h - 1, 1 - h}, {1 - h, h - 1, 1 - h}}) {
      SCOPED_TRACE("1 - " + std::to_string(h));
      const Vec3<double> mean = turn * local;
      const CenterOfMassLaw closed({.kind = box, .size = {2, 2, 2}, .axes = turn}, mean),
          hull({.kind = polyhedron, .vertices = vertices}, mean);
      // Round-off of the mean, 1e-16 of the size, is 1e-16/h of its distance and of λ: 1e-10 for the nearest; ten times that.
      EXPECT_LT(norm(hull.lambda() - closed.lambda()), 1e-15 / h * norm(closed.lambda()) + 1e-12);
      for (int i = 0; i < 3; ++i) EXPECT_LT(norm(hull.covariance()[i] - closed.covariance()[i]), 1e-15 / h);
    }
}

TEST(UncertaintyCenterOfMassLaw, mean_too_near_a_face_is_refused_not_missed) {
  // Next to an oblique face λ has 16 digits at most: either the law has its mean, or it says so.
  const std::vector<Vec3<double>> tetrahedron = {{0, 0, 0}, {1, 0.1, 0.2}, {0.3, 1, 0.1}, {0.2, 0.4, 0.9}};
  const Vec3<double> on_face = 0.2 * tetrahedron[1] + 0.5 * tetrahedron[2] + 0.3 * tetrahedron[3];
  EXPECT_EQ(refusal({.kind = polyhedron, .vertices = tetrahedron}, (1 - 1e-6) * on_face), "no error");
  EXPECT_NE(refusal({.kind = polyhedron, .vertices = tetrahedron}, (1 - 1e-11) * on_face).find("too near for double precision"),
            std::string::npos);
}

TEST(UncertaintyCenterOfMassLaw, inner_and_repeated_points_and_points_on_faces_do_not_matter) {
  std::vector<Vec3<double>> more = cube;
  for (const Vec3<double>& p : {Vec3<double>{0, 0, 0}, {1, 0, 0}, {1, 1, 0.5}, {-1, -1, -1}, {0.2, -0.3, 1}, {0, 0, 1}})
    more.push_back(p);
  const Vec3<double> mean{0.3, 0.6, -0.7};
  const CenterOfMassLaw plain({.kind = polyhedron, .vertices = cube}, mean), rich({.kind = polyhedron, .vertices = more}, mean);
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(plain.lambda()[i], rich.lambda()[i], 1e-11);  // 1e-13 of the mean, slope 0.03
  EXPECT_NEAR(plain.log_c0(), rich.log_c0(), 1e-11);
}

// Points of a sphere and of a turned prism with many coplanar points: volumes of hulls.
TEST(UncertaintyCenterOfMassLaw, hulls_of_many_points) {
  std::vector<Vec3<double>> prism, sphere;
  const int n = 24;
  for (int i = 0; i < n; ++i)
    for (const double z : {0.0, 0.5, 2.0}) {
      const double a = 2 * std::numbers::pi * i / n;
      // A turn about x by 0.3 makes all faces oblique, coplanar up to round-off.
      prism.push_back(
          {std::cos(a), std::sin(a) * std::cos(0.3) - z * std::sin(0.3), std::sin(a) * std::sin(0.3) + z * std::cos(0.3)});
    }
  const CenterOfMassLaw round({.kind = polyhedron, .vertices = prism}, {0, -std::sin(0.3), std::cos(0.3)});
  EXPECT_NEAR(round.log_c0(), -std::log(2 * n * 0.5 * std::sin(2 * std::numbers::pi / n)), 1e-12);
  for (int i = 0; i < 100; ++i) {  // spiral
    const double z = 1 - (2 * i + 1) / 100.0, a = 2.4 * i, r = std::sqrt(1 - z * z);
    sphere.push_back({r * std::cos(a), r * std::sin(a), z});
  }
  const CenterOfMassLaw ball_like({.kind = polyhedron, .vertices = sphere}, {0.3, 0, 0.2});
  const CenterOfMassLaw smooth({.kind = ball, .size = {1, 0, 0}}, {0.3, 0, 0.2});
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(ball_like.lambda()[i], smooth.lambda()[i], 0.3);  // the hull is some 5 % smaller
}

TEST(UncertaintyCenterOfMassLaw, mean_outside_is_refused_with_its_distance) {
  const std::string need = "; the maximum entropy distribution needs a mean inside";
  const Domain unit{.kind = box, .size = {1, 1, 1}};
  EXPECT_EQ(refusal(unit, {0.3, 0, 0.55}), "the mean [0.3, 0, 0.55] is outside the domain, 0.05 m from its boundary" + need);
  EXPECT_EQ(refusal(unit, {0.8, 0.9, 0}), "the mean [0.8, 0.9, 0] is outside the domain, 0.5 m from its boundary" + need);
  EXPECT_EQ(refusal(unit, {0.3, -0.0, 0.5}), "the mean [0.3, 0, 0.5] is on the boundary of the domain" + need);
  EXPECT_EQ(refusal({.kind = ball, .size = {2, 0, 0}, .scale = 0.5}, {0, 3, 4}),
            "the mean [0, 3, 4] is outside the domain, 4 m from its boundary" + need);
  EXPECT_EQ(refusal({.kind = ball, .size = {5, 0, 0}}, {0, 3, 4}), "the mean [0, 3, 4] is on the boundary of the domain" + need);
  EXPECT_EQ(refusal({.kind = cylinder, .size = {1, 2, 0}}, {4, 0, 5}),
            "the mean [4, 0, 5] is outside the domain, 5 m from its boundary" + need);
  // Ellipse of semi-axes 2 and 1: at 45° of its parameter, the normal is (1, 2)/√5.
  const double s = std::sqrt(0.5), f = 0.25 / std::sqrt(5.0);
  EXPECT_NE(refusal({.kind = ellipsoid, .size = {2, 1, 1}}, {2 * s + f, s + 2 * f, 0}).find("outside the domain, 0.25 m from"),
            std::string::npos);
  EXPECT_EQ(refusal({.kind = polyhedron, .vertices = cube}, {0, 0, 1.25}),
            "the mean [0, 0, 1.25] is outside the domain, 0.25 m from its boundary" + need);
  EXPECT_EQ(refusal({.kind = polyhedron, .vertices = cube}, {4, -5, 0}),
            "the mean [4, -5, 0] is outside the domain, 5 m from its boundary" + need);
  EXPECT_EQ(refusal({.kind = polyhedron, .vertices = cube}, {1, 0, 0}),
            "the mean [1, 0, 0] is on the boundary of the domain" + need);
  EXPECT_EQ(refusal({.kind = polyhedron, .vertices = cube, .normal = 2}, {4, 5, 0}),
            "the mean [4, 5, 0] is outside the domain, 5 m from its boundary" + need);
  EXPECT_EQ(refusal({.kind = ball, .size = {1, 0, 0}, .normal = 1}, {0, 0.5, 0}),
            "the mean [0, 0.5, 0] is outside the domain, 0.5 m from its boundary" + need);
  EXPECT_EQ(refusal({.kind = ball, .size = {1, 0, 0}, .normal = 1}, {0, 4, -4}),
            "the mean [0, 4, -4] is outside the domain, 5 m from its boundary" + need)
      << "4 m off the plane and 3 m beside the disc";
  EXPECT_EQ(refusal(unit, {NAN, 0, 0}), "the mean is not finite");
}

TEST(UncertaintyCenterOfMassLaw, domain_without_volume_is_refused) {
  EXPECT_EQ(refusal({.kind = box, .size = {1, 0, 1}}, {}), "the domain has no volume: its edge y is 0 m");
  EXPECT_EQ(refusal({.kind = ball, .size = {-1, 0, 0}}, {}), "the domain has no volume: its radius is -1 m");
  EXPECT_EQ(refusal({.kind = cylinder, .size = {1, 0, 0}}, {}), "the domain has no volume: its length is 0 m");
  EXPECT_EQ(refusal({.kind = ellipsoid, .size = {1, 2, NAN}}, {}), "the domain has no volume: its semi-axis z is nan m");
  EXPECT_EQ(refusal({.kind = box, .size = {1, 1, 1}, .scale = 0}, {}), "the domain has no volume: its scale is 0");
  EXPECT_EQ(refusal({.kind = box, .size = {1, 1, 0}, .normal = 2}, {}), "no error") << "no edge along the normal of the plane";
  const auto hull = [](std::vector<Vec3<double>> v, int normal = -1) {
    return refusal({.kind = polyhedron, .vertices = std::move(v), .normal = normal}, {0.3, 0.3, 0.3});
  };
  EXPECT_EQ(hull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), "the domain has no volume: 3 vertices are too few, 4 are needed");
  EXPECT_EQ(hull({{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {3, 2, 1}}),
            "the domain has no volume: its 5 vertices lie in a plane");
  EXPECT_EQ(hull({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {5, 5, 5}}), "the domain has no volume: its 4 vertices lie on a line");
  EXPECT_EQ(hull({{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}}), "the domain has no volume: its 4 vertices coincide");
  EXPECT_EQ(hull({{0, 0, 0}, {1, 0, 1}, {2, 0, 5}}, 2), "the domain has no volume: its 3 vertices lie on a line");
}

TEST(UncertaintyCenterOfMassLaw, planar_domains_keep_to_their_plane) {
  EXPECT_EQ(refusal({.kind = cylinder, .size = {1, 1, 0}, .normal = 2}, {}),
            "a planar model has no cylinder as a domain: use box or ball");
  const Mat3<double> tipped{{{1, 0, 0}, {0, 0.8, -0.6}, {0, 0.6, 0.8}}};
  EXPECT_EQ(refusal({.kind = box, .size = {1, 1, 1}, .axes = tipped, .normal = 2}, {}),
            "the axes of the domain are rotated out of the plane");
  EXPECT_EQ(refusal({.kind = box, .size = {1, 1, 1}, .axes = tipped, .normal = 0}, {}), "no error");
  const Mat3<double> skewed{{{1, 0.1, 0}, {0, 1, 0}, {0, 0, 1}}};
  EXPECT_EQ(refusal({.kind = box, .size = {1, 1, 1}, .axes = skewed}, {}), "the axes of the domain are not orthonormal");
  const CenterOfMassLaw law({.kind = box, .size = {1, 9, 2}, .position = {3, 4, 5}, .normal = 1}, {3.2, 4, 4.5});
  ASSERT_EQ(law.uniforms(), 2);
  const Vec3<double> low = law.map(std::vector<double>{0, 0}), high = law.map(std::vector<double>{1, 1});
  EXPECT_DOUBLE_EQ(low.x, 2.5);
  EXPECT_DOUBLE_EQ(low.z, 4);
  EXPECT_DOUBLE_EQ(high.x, 3.5);
  EXPECT_DOUBLE_EQ(high.z, 6);
  EXPECT_EQ(low.y, 4);
  EXPECT_EQ(law.lambda().y, 0);
  EXPECT_FALSE(law.contains({3.2, 4.001, 4.5}));
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
