// The law of a centre of mass: its integrals by independent quadrature, its draws against it. All kinds of domains.
#include "uncertainty/center_of_mass_law.hpp"

#include <gtest/gtest.h>

#include "statistics/center_of_mass_domains.hpp"
#include "support/sample_tests.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

constexpr int draws = 40000;

// One realization per stream, as a study draws them.
std::vector<Vec3<double>> sample_of(const CenterOfMassLaw& law) {
  std::vector<Vec3<double>> sample;
  for (int k = 0; k < draws; ++k) {
    Stream stream(2024, k, quantity_key("body.center_of_mass"));
    sample.push_back(law.draw(stream));
  }
  return sample;
}

std::vector<double> along(const std::vector<Vec3<double>>& sample, const Vec3<double>& e) {
  std::vector<double> x;
  for (const Vec3<double>& a : sample) x.push_back(dot(e, a));
  return x;
}

double size_of(const DomainCase& c) {
  double size = 0;
  for (const Vec3<double>& v : c.domain.vertices) size = std::max(size, norm(v));
  return c.domain.scale * (c.simplices.empty() ? norm(c.domain.size) : size);
}

double density(const CenterOfMassLaw& law, const Vec3<double>& a) { return std::exp(law.log_c0() - dot(law.lambda(), a)); }

TEST(CenterOfMassLaw, integrates_to_one_with_its_mean_and_covariance) {
  for (const DomainCase& c : domain_cases()) {
    SCOPED_TRACE(c.name);
    const CenterOfMassLaw law(c.domain, c.mean());
    double total = 0;
    Vec3<double> mean;
    Mat3<double> covariance;
    for (const Node& n : nodes_of(c, 32)) {
      const double w = n.weight * density(law, n.point);
      total += w;
      mean += w * (n.point - c.mean());
      covariance += w * outer(n.point - c.mean(), n.point - c.mean());
    }
    // The quadrature is exact to about 1e-12 (tilts over a domain are below 30); the law is solved to 1e-10.
    EXPECT_NEAR(total, 1, 1e-9);
    EXPECT_LT(norm(mean), 1e-9 * size_of(c));
    for (int i = 0; i < 3; ++i) EXPECT_LT(norm(covariance[i] - law.covariance()[i]), 1e-9 * size_of(c) * size_of(c));
  }
}

TEST(CenterOfMassLaw, draws_are_inside_and_have_mean_and_covariance) {
  // 19 domains with 3 means and 6 covariances at 5.7e-7 each: false alarm 1e-4.
  for (const DomainCase& c : domain_cases()) {
    SCOPED_TRACE(c.name);
    const CenterOfMassLaw law(c.domain, c.mean());
    const auto sample = sample_of(law);
    int outside = 0;
    for (const Vec3<double>& a : sample) outside += !law.contains(a);
    EXPECT_EQ(outside, 0);
    // In a planar model the normal component is that of the domain, up to round-off of placing.
    const double round_off = 1e-14 * (size_of(c) + norm(c.mean()));
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j <= i; ++j) {
        double sum = 0, squares = 0;
        for (const Vec3<double>& a : sample) {
          const double y = (a[i] - c.mean()[i]) * (a[j] - c.mean()[j]);
          sum += y / draws, squares += y * y / draws;
        }
        EXPECT_NEAR(sum, law.covariance()[i][j], five_sigma * std::sqrt((squares - sum * sum) / draws) + round_off) << i << j;
      }
      double sum = 0;
      for (const Vec3<double>& a : sample) sum += (a[i] - c.mean()[i]) / draws;
      EXPECT_NEAR(sum, 0, five_sigma * std::sqrt(law.covariance()[i][i] / draws) + round_off) << i;
    }
  }
}

// The probability of a small box of inertial axes inside the domain is known in closed form, whatever the domain: counts in a
// grid of them show that log p is affine with the slope −λ.
TEST(CenterOfMassLaw, logarithm_of_the_density_is_affine) {
  // 19 chi-square tests, one-sided 5 sigma, 2.9e-7 each: false alarm 5e-6.
  for (const DomainCase& c : domain_cases()) {
    SCOPED_TRACE(c.name);
    const CenterOfMassLaw law(c.domain, c.mean());
    const int n = c.domain.normal;
    // The grid lies about a point between the mean and the middle of the domain, where there is more room.
    Vec3<double> middle = c.domain.position;
    const std::vector<Vec3<double>> vertices = inertial_vertices(c.domain);
    if (!vertices.empty()) middle = {};
    for (const Vec3<double>& v : vertices) middle += (1.0 / static_cast<double>(vertices.size())) * v;
    const Vec3<double> centre = 0.75 * c.mean() + 0.25 * middle;
    double half = size_of(c);
    const auto corner_inside = [&](int corner) {
      Vec3<double> a = centre;
      for (int i = 0; i < 3; ++i) a[i] += i == n ? 0 : (corner >> i & 1 ? half : -half);
      return law.contains(a);
    };
    for (bool inside = false; !inside;) {
      half *= 0.95, inside = true;
      for (int corner = 0; corner < 8; ++corner) inside = inside && corner_inside(corner);
    }
    constexpr int cells = 3;  // per axis
    std::vector<double> expected(27, draws * std::exp(law.log_c0() - dot(law.lambda(), centre))), counted(27, 0);
    const auto index = [](int cell, int axis) { return cell / (axis == 0 ? 1 : axis == 1 ? cells : cells * cells) % cells; };
    for (int i = 0; i < 3; ++i) {
      if (i == n) continue;
      for (int cell = 0; cell < 27; ++cell) {
        const double h = 2 * half / cells, x = h * index(cell, i) - half, l = law.lambda()[i];
        expected[cell] *= std::exp(-l * x) * (l == 0 ? h : -std::expm1(-l * h) / l);
      }
    }
    for (const Vec3<double>& a : sample_of(law)) {
      int cell = 0;
      bool inside = true;
      for (int i = 2; i >= 0; --i) {
        const double y = i == n ? 0 : (a[i] - centre[i] + half) / (2 * half) * cells;
        inside = inside && y >= 0 && y < cells;
        cell = cells * cell + (inside ? static_cast<int>(y) : 0);
      }
      if (inside) ++counted[cell];
    }
    // Neighbouring cells are merged until 10 are expected.
    double chi_square = 0, used = 0, merged = 0, found = 0;
    for (int cell = 0; cell < 27; ++cell) {
      if (n >= 0 && index(cell, n) > 0) continue;  // no cells along the normal
      merged += expected[cell], found += counted[cell];
      if (merged < 10) continue;
      chi_square += (found - merged) * (found - merged) / merged, ++used;
      merged = found = 0;
    }
    EXPECT_GE(used, 9);
    EXPECT_LT(chi_square_score(chi_square, used), five_sigma) << chi_square << " of " << used << " cells";
  }
}

// Marginals along each axis of the domain, the distribution function by nested quadrature on 64 parts.
TEST(CenterOfMassLaw, marginals_of_boxes_balls_and_cylinders) {
  // 36 tests at 9e-7: false alarm 3e-5 (less, as only 64 points of the distribution are compared).
  for (const DomainCase& c : domain_cases()) {
    if (!c.simplices.empty()) continue;
    const CenterOfMassLaw law(c.domain, c.mean());
    const auto sample = sample_of(law);
    for (const int axis : extended_axes(c.domain)) {
      SCOPED_TRACE(c.name + ", axis " + std::to_string(axis));
      const Vec3<double> e = c.domain.axes.column(axis);
      std::vector<double> x = along(sample, e);
      std::sort(x.begin(), x.end());
      double cdf = 0, largest = 0;
      constexpr int parts = 64;
      for (int part = 0; part < parts; ++part) {
        double upper = -1e300;
        // The end of the part: where quadrature of no width lies.
        for (const Node& n : product_nodes(c.domain, 1, axis, (part + 1.0) / parts, (part + 1.0) / parts))
          upper = dot(e, n.point);
        for (const Node& n : product_nodes(c.domain, 16, axis, part / double(parts), (part + 1.0) / parts))
          cdf += n.weight * density(law, n.point);
        const double below = static_cast<double>(std::upper_bound(x.begin(), x.end(), upper) - x.begin());
        largest = std::max(largest, std::abs(cdf - below / draws));
      }
      EXPECT_NEAR(cdf, 1, 1e-5);  // truncation of 16 points per inner axis
      EXPECT_LT(std::sqrt(draws) * largest, kolmogorov_bound);
    }
  }
}

// Density of ⟨e, x⟩ for x uniform in a simplex: the B-spline whose knots are the heights of its corners (Curry & Schoenberg).
double spline(double y, const std::vector<double>& knots, std::size_t first, std::size_t last) {
  const double width = knots[last] - knots[first];
  if (width <= 0 || y < knots[first] || y >= knots[last]) return 0;
  if (last == first + 1) return 1 / width;
  const double k = static_cast<double>(last - first);
  return k / (k - 1) *
         ((y - knots[first]) * spline(y, knots, first, last - 1) + (knots[last] - y) * spline(y, knots, first + 1, last)) / width;
}

TEST(CenterOfMassLaw, marginals_of_polyhedra_along_lambda) {
  // 6 tests at 9e-7: false alarm 5e-6.
  for (const DomainCase& c : domain_cases()) {
    if (c.simplices.empty()) continue;
    SCOPED_TRACE(c.name);
    const CenterOfMassLaw law(c.domain, c.mean());
    const double l = norm(law.lambda());
    const Vec3<double> oblique = (1 / std::sqrt(14.0)) * (c.domain.axes * Vec3<double>{1, 2, -3});
    const bool tilted = l * size_of(c) > 1e-9;
    const Vec3<double> e = tilted ? (1 / l) * law.lambda() : oblique;
    const auto vertices = inertial_vertices(c.domain);
    const int dimension = c.domain.normal < 0 ? 3 : 2;
    double low = 1e300, high = -1e300;
    for (const auto& v : vertices) low = std::min(low, dot(e, v)), high = std::max(high, dot(e, v));
    constexpr int parts = 2000;  // by the midpoint rule: 1e-6
    std::vector<double> cdf(parts + 1, 0);
    for (int i = 0; i < parts; ++i) {
      const double h = (high - low) / parts, y = low + (i + 0.5) * h;
      double content = 0;
      for (const auto& s : c.simplices) {
        std::vector<double> knots;
        for (int j = 0; j <= dimension; ++j) knots.push_back(dot(e, vertices[s[j]]));
        std::sort(knots.begin(), knots.end());
        content += simplex_content(vertices, s, dimension) / (dimension == 2 ? 2 : 6) *
                   spline(y, knots, 0, static_cast<std::size_t>(dimension));
      }
      cdf[i + 1] = cdf[i] + h * content * std::exp(law.log_c0() - (tilted ? l * y : 0.0));
    }
    EXPECT_NEAR(cdf.back(), 1, 1e-4);
    const auto at = [&](double y) {
      const double t = std::clamp((y - low) / (high - low) * parts, 0.0, parts - 1e-9);
      const int i = static_cast<int>(t);
      return cdf[i] + (t - i) * (cdf[i + 1] - cdf[i]);
    };
    EXPECT_LT(kolmogorov(along(sample_of(law), e), at), kolmogorov_bound);
  }
}

TEST(CenterOfMassLaw, draws_are_independent) {
  // 19 domains, 3 axes, 2 ways, and 3 pairs of axes where the law is uniform: about 120 tests at 5.7e-7: false alarm 7e-5.
  for (const DomainCase& c : domain_cases()) {
    SCOPED_TRACE(c.name);
    const CenterOfMassLaw law(c.domain, c.mean());
    const auto realizations = sample_of(law);
    std::vector<Vec3<double>> one_stream;
    Stream stream(7, 0, quantity_key("one"));
    for (int k = 0; k < draws; ++k) one_stream.push_back(law.draw(stream));
    for (const int axis : extended_axes(c.domain)) {
      const Vec3<double> e = c.domain.axes.column(axis);
      EXPECT_LT(std::abs(lag_score(along(realizations, e))), five_sigma);
      EXPECT_LT(std::abs(lag_score(along(one_stream, e))), five_sigma);
    }
  }
}

// A strongly tilted law near a face, an edge and a corner, and near a curved side: draws keep the mean.
TEST(CenterOfMassLaw, draws_of_steep_laws_have_their_mean) {
  using enum Domain::Kind;
  const std::vector<Vec3<double>> cube = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
  const double h = 1e-5;
  const std::vector<std::pair<Domain, Vec3<double>>> steep = {
      {{.kind = box, .size = {2, 2, 2}}, {1 - h, 0.3, -1 + h}},
      {{.kind = ball, .size = {1, 0, 0}}, {0.6 * (1 - h), 0, 0.8 * (1 - h)}},
      {{.kind = ellipsoid, .size = {1, 2, 3}}, {0.6 * (1 - h), 0, 2.4 * (1 - h)}},
      {{.kind = ball, .size = {1, 0, 0}, .normal = 2}, {0.6 * (1 - h), 0.8 * (1 - h), 0}},
      {{.kind = cylinder, .size = {1, 2, 0}}, {1 - h, 0, 1 - h}},
      {{.kind = polyhedron, .vertices = cube}, {0.4, 0.7, h}},
      {{.kind = polyhedron, .vertices = cube}, {0.4, 1 - h, h}},
      {{.kind = polyhedron, .vertices = cube}, {1 - h, 1 - h, h}},
  };
  // 24 tests at 5.7e-7: false alarm 1.4e-5.
  for (const auto& [domain, mean] : steep) {
    const CenterOfMassLaw law(domain, mean);
    const auto sample = sample_of(law);
    for (int i = 0; i < 3; ++i) {
      double sum = 0;
      for (const Vec3<double>& a : sample) sum += (a[i] - mean[i]) / draws;
      EXPECT_NEAR(sum, 0, five_sigma * std::sqrt(law.covariance()[i][i] / draws) + 1e-14) << "axis " << i;
    }
    EXPECT_GT(law.acceptance(), 0.3);
    for (const Vec3<double>& a : sample) ASSERT_TRUE(law.contains(a));
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
