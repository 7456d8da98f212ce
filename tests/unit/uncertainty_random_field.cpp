// Discretisation of random fields: closed forms, optimality, invariance, and what is refused.
#include "support/message_of.hpp"
#include "uncertainty/random_field.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace aleator::core {
namespace ALEATOR_FILE {

using enum Correlation::Kind;
using enum RandomField::Method;

constexpr double span = 0.6;  // m

FieldDomain line(int nodes, double length = span) {
  FieldDomain domain;
  domain.add_line({0, 0, 0}, {length, 0, 0}, nodes);
  return domain;
}

// One of each kind; the table is a triangle, which is a correlation along a line.
std::vector<Correlation> all_kinds() {
  return {{squared_exponential, 0.4}, {exponential, 0.4}, {matern32, 0.4}, {matern52, 0.4}, {table, 1, {0.9}, {0}}};
}

std::string refusal(const Correlation& correlation, const FieldDomain& domain, RandomField::Method method, int terms,
                    double error = 0.05) {
  return test::message_of<std::invalid_argument>([&] { const RandomField field(correlation, domain, method, terms, error); });
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Karhunen–Loève of exp(−|x − x'|/a) on [−T, T] (Ghanem & Spanos 1991): λ = 2c/(ω² + c²), c = 1/a, in turn
//   even  f = cos ωx / √(T + sin 2ωT/(2ω)),  c cos ωT = ω sin ωT
//   odd   f = sin ωx / √(T − sin 2ωT/(2ω)),  ω cos ωT = −c sin ωT
// with one root in every quarter turn ωT of the form ]iπ/2, (i+1)π/2[, i = 0 even, 1 odd, …
struct ExactTerm {
  double eigenvalue;
  double omega, scale;
  bool even;
  double function(double x) const { return scale * (even ? std::cos(omega * x) : std::sin(omega * x)); }
};

ExactTerm exact_term(int i, double c, double T) {
  const bool even = i % 2 == 0;
  const auto f = [&](double w) {
    return even ? c * std::cos(w * T) - w * std::sin(w * T) : w * std::cos(w * T) + c * std::sin(w * T);
  };
  const double quarter = std::acos(-1.0) / 2 / T;
  double low = i * quarter, high = (i + 1) * quarter;
  const bool rising = f(high) > 0;
  for (int k = 0; k < 200; ++k) {
    const double middle = (low + high) / 2;
    ((f(middle) > 0) == rising ? high : low) = middle;
  }
  const double w = low, part = std::sin(2 * w * T) / (2 * w);
  return {2 * c / (w * w + c * c), w, 1 / std::sqrt(even ? T + part : T - part), even};
}

TEST(UncertaintyRandomField, karhunen_loeve_of_the_exponential_correlation) {
  const double a = 0.5, T = span / 2;
  const int terms = 4;
  double last = 0;
  for (const int nodes : {51, 101, 201}) {
    const RandomField field({exponential, a}, line(nodes), karhunen_loeve, terms);
    const double h = span / (nodes - 1);
    double worst = 0;
    for (int i = 0; i < terms; ++i) {
      const ExactTerm exact = exact_term(i, 1 / a, T);
      // Truncation: the kernel's slope jumps by 2/a at x = x', which costs the trapezoidal rule h²/12 · 2/a of λ; the ends add
      // to it or take from it. Measured for the fourth term: 0.9 of that. Half as much again is allowed.
      EXPECT_NEAR(field.eigenvalue(i), exact.eigenvalue, 1.5 * h * h / 6 / a);
      double difference = 0, sign = exact.function(-T) < 0 ? -1 : 1;
      for (double x = 0; x <= span; x += h) {  // at the nodes
        const double w = sign * std::sqrt(exact.eigenvalue) * exact.function(x - T);
        difference = std::max(difference, std::abs(field.weights({x, 0, 0})[i] - w));
      }
      worst = std::max(worst, difference);
    }
    EXPECT_LT(worst, 3 * h * h);  // truncation; measured: 2.55 h²/m², the fourth term
    if (last > 0) {
      EXPECT_NEAR(last / worst, 4, 0.2);  // second order
    }
    last = worst;
  }
}

TEST(UncertaintyRandomField, exponential_with_all_terms_is_exact_at_the_nodes_and_known_between) {
  // A Markov process: midway between two nodes only these two count, 1 − 2 r²/(1 + r²) with r = exp(−h/(2a)): tanh(h/(2a)).
  const double a = 0.1;
  const int nodes = 31;
  for (const RandomField::Method method : {eole, karhunen_loeve}) {
    const RandomField field({exponential, a}, line(nodes), method, nodes);
    EXPECT_NEAR(field.largest_variance_error(), std::tanh(span / (nodes - 1) / (2 * a)), 1e-13);  // round-off
    for (int k = 0; k < nodes; ++k) EXPECT_NEAR(field.variance_error({span * k / (nodes - 1), 0, 0}), 0, 1e-13);
  }
}

TEST(UncertaintyRandomField, each_method_is_optimal_in_its_own_mean_over_the_nodes) {
  const int nodes = 41;
  const FieldDomain domain = line(nodes);
  for (const Correlation& correlation : all_kinds())
    for (int terms = 1; terms <= 4; ++terms) {
      const RandomField e(correlation, domain, eole, terms), k(correlation, domain, karhunen_loeve, terms);
      double sum_e = 0, sum_k = 0, integral_e = 0, integral_k = 0, kept_e = 0, kept_k = 0;
      for (int n = 0; n < nodes; ++n) {
        const double error_e = e.variance_error(domain.nodes[n]), error_k = k.variance_error(domain.nodes[n]);
        sum_e += error_e, sum_k += error_k;
        integral_e += domain.weights[n] * error_e, integral_k += domain.weights[n] * error_k;
      }
      for (int i = 0; i < terms; ++i) kept_e += e.eigenvalue(i), kept_k += k.eigenvalue(i);
      EXPECT_LT(sum_e, sum_k);
      EXPECT_LT(integral_k, integral_e);
      // What is lost is the eigenvalues that are left out, whose sum is the trace. Round-off of 41 terms.
      EXPECT_NEAR(sum_e, nodes - kept_e, 1e-12);
      EXPECT_NEAR(integral_k, span - kept_k, 1e-13);
    }
}

TEST(UncertaintyRandomField, the_rest_is_a_covariance) {
  // ρ(x, x') − Σ w_i(x) w_i(x') is the covariance of the error: it is bounded by its variances, everywhere.
  for (const Correlation& correlation : all_kinds())
    for (const RandomField::Method method : {eole, karhunen_loeve}) {
      const RandomField field(correlation, line(31), method, 3);
      for (double x = 0; x <= span; x += 0.017)
        for (double y = 0; y <= x; y += 0.023) {
          const std::vector<double> u = field.weights({x, 0, 0}), v = field.weights({y, 0, 0});
          double rest = correlation(x - y);
          for (int i = 0; i < 3; ++i) rest -= u[i] * v[i];
          EXPECT_LE(std::abs(rest), std::sqrt(field.variance_error({x, 0, 0}) * field.variance_error({y, 0, 0})) + 1e-13);
        }
    }
}

TEST(UncertaintyRandomField, curve_of_errors_and_the_choice_of_terms) {
  for (const Correlation& correlation : all_kinds())
    for (const RandomField::Method method : {eole, karhunen_loeve}) {
      const RandomField field(correlation, line(51), method, 0, 0.1);
      const std::vector<double> curve = field.error_curve(12);
      ASSERT_EQ(curve.size(), 12u);
      for (std::size_t i = 1; i < curve.size(); ++i) EXPECT_LE(curve[i], curve[i - 1]);
      ASSERT_LE(field.terms(), 12);
      EXPECT_LT(curve[field.terms() - 1], 0.1);
      if (field.terms() > 1) {
        EXPECT_GE(curve[field.terms() - 2], 0.1);
      }
      EXPECT_EQ(field.largest_variance_error(), curve[field.terms() - 1]);
      for (const int terms : {1, 2, 7}) {  // the same problem is solved: bitwise
        const RandomField other(correlation, line(51), method, terms);
        EXPECT_EQ(other.largest_variance_error(), curve[terms - 1]);
        EXPECT_EQ(other.eigenvalue(0), field.eigenvalue(0));
      }
      // Nowhere on a finer grid is the error larger: with few terms it is largest at an end or midway between nodes. Round-off.
      for (double x = 0; x <= span; x += 0.0007)
        EXPECT_LT(field.variance_error({x, 0, 0}), field.largest_variance_error() + 1e-13);
      EXPECT_TRUE(field.error_curve(0).empty());
    }
}

TEST(UncertaintyRandomField, eigenvalues_fall_and_terms_begin_positive) {
  for (const Correlation& correlation : all_kinds())
    for (const RandomField::Method method : {eole, karhunen_loeve}) {
      const RandomField field(correlation, line(51), method, 6);
      const std::vector<double> begin = field.weights({0, 0, 0}), end = field.weights({span, 0, 0});
      for (int i = 0; i < 6; ++i) {
        if (i > 0) {
          EXPECT_LT(field.eigenvalue(i), field.eigenvalue(i - 1));
        }
        EXPECT_GT(begin[i], 0);
        EXPECT_NEAR(end[i], i % 2 == 0 ? begin[i] : -begin[i], 1e-8);  // round-off over the gaps of eigenvalues
      }
    }
}

TEST(UncertaintyRandomField, depends_on_distances_alone) {
  FieldDomain moved;
  const Vec3<double> begin{1, -2, 0.5}, along{0.48, 0.6, 0.64};  // a unit vector
  moved.add_line(begin, begin + span * along, 31);
  for (const Correlation& correlation : all_kinds())
    for (const RandomField::Method method : {eole, karhunen_loeve}) {
      const RandomField here(correlation, line(31), method, 3), there(correlation, moved, method, 3);
      for (double x = 0; x <= span; x += 0.05) {
        const std::vector<double> u = here.weights({x, 0, 0}), v = there.weights(begin + x * along);
        for (int i = 0; i < 3; ++i) EXPECT_NEAR(u[i], v[i], 1e-11);  // round-off over the gaps of eigenvalues
      }
    }
}

TEST(UncertaintyRandomField, several_beams_share_a_field) {
  // Two beams that meet at a pin, which is a node of both, and one far away that does not know of them.
  FieldDomain domain;
  domain.add_line({0, 0, 0}, {0.3, 0, 0}, 16);
  domain.add_line({0.3, 0, 0}, {0.3, 0.4, 0}, 21);
  domain.add_line({{50, 0, 0}, {50.1, 0, 0}, {50.1, 0, 0.2}});
  EXPECT_EQ(domain.first, (std::vector<int>{0, 16, 37}));
  double length = 0;
  for (const double w : domain.weights) length += w;
  EXPECT_NEAR(length, 1.0, 1e-14);
  EXPECT_NEAR(domain.weights[38], 0.15, 1e-14);  // half of each of its intervals
  for (const RandomField::Method method : {eole, karhunen_loeve}) {
    const RandomField field({squared_exponential, 0.5}, domain, method, 0, 0.01);
    EXPECT_LT(field.largest_variance_error(), 0.01);
    EXPECT_GT(field.variance_error({25, 0, 0}), 0.999);  // between the beams there is nothing
    double covariance = 0;
    const std::vector<double> near = field.weights({0.1, 0, 0}), far = field.weights({50.05, 0, 0});
    for (int i = 0; i < field.terms(); ++i) covariance += near[i] * far[i];
    EXPECT_NEAR(covariance, 0, 1e-12);
  }
}

TEST(UncertaintyRandomField, a_constant_field_is_one_term) {
  for (const RandomField::Method method : {eole, karhunen_loeve}) {
    const RandomField field({table, 1, {1}, {1}}, line(51), method, 0, 1e-6);
    EXPECT_EQ(field.terms(), 1);
    EXPECT_EQ(field.error_curve(51).size(), 1u);  // all other eigenvalues are round-off
    EXPECT_NEAR(field.weights({0.123, 0, 0})[0], 1, 1e-13);
  }
  const RandomField point({exponential, 0.5}, {.nodes = {{0, 0, 0}}}, eole, 1);
  EXPECT_NEAR(point.weights({0.5, 0, 0})[0], std::exp(-1.0), 1e-15);
}

TEST(UncertaintyRandomField, a_table_with_three_digits_serves) {
  // Rounding makes some eigenvalues negative, −1.3e-4 of the largest; the terms that count are not touched.
  const Correlation exact{squared_exponential, 0.3};
  Correlation rounded{table};
  for (int k = 0; k <= 60; ++k) {
    rounded.distances.push_back(0.01 * k);
    rounded.values.push_back(std::round(1000 * exact(0.01 * k)) / 1000);
  }
  const RandomField a(exact, line(51), eole, 4), b(rounded, line(51), eole, 4);
  for (double x = 0; x <= span; x += 0.05)
    EXPECT_NEAR(a.variance_error({x, 0, 0}), b.variance_error({x, 0, 0}), 1e-3);  // half a digit, and the lines between entries
}

TEST(UncertaintyRandomField, refusals) {
  const Correlation smooth{squared_exponential, 2};
  EXPECT_EQ(refusal(smooth, line(5), eole, 6),
            "a random field with 5 nodes has at most 5 terms, not 6; more terms need more nodes");
  EXPECT_EQ(refusal(smooth, line(5), eole, -1), "the number of terms of a random field must be positive, not -1");
  EXPECT_EQ(refusal(smooth, line(5), eole, 0, 0), "the variance error of a random field is between 0 and 1, not 0");
  EXPECT_EQ(refusal({exponential, -1}, line(5), eole, 1), "the correlation length must be positive, not -1 m");
  EXPECT_EQ(refusal(smooth, {}, eole, 1), "a random field needs a node");
  EXPECT_EQ(refusal(smooth, {.nodes = {{0, 0, 0}, {1, 0, 0}}}, karhunen_loeve, 1),
            "a Karhunen-Loève expansion needs a weight for each of its 2 nodes, not 0");
  EXPECT_EQ(refusal(smooth, {{{0, 0, 0}, {1, 0, 0}}, {0, 0}}, karhunen_loeve, 1), "the nodes of a random field have no weight");
  EXPECT_EQ(refusal(smooth, {{{0, 0, 0}, {1, 0, 0}}, {1, -1}}, karhunen_loeve, 1),
            "weights of the nodes of a random field are 0 or more, not -1");
  EXPECT_TRUE(contains(refusal(smooth, line(51), eole, 20), "only 6 eigenvalues of this random field are above round-off"));
  EXPECT_THROW(FieldDomain().add_line({{0, 0, 0}}), std::invalid_argument);
}

TEST(UncertaintyRandomField, an_error_out_of_reach_says_what_would_reach_it) {
  EXPECT_EQ(
      refusal({exponential, 0.1}, line(51), eole, 0),
      "51 nodes are too few for a variance error below 0.05: with all 51 terms it is 0.06; 101 nodes would reach it, with 32 "
      "terms");
  EXPECT_EQ(RandomField({exponential, 0.1}, line(101), eole, 0).terms(), 32);  // and that is true
  EXPECT_TRUE(contains(refusal({exponential, 0.01}, line(51), eole, 0, 1e-3), "nodes would not either"));
}

TEST(UncertaintyRandomField, what_is_no_correlation_is_refused) {
  // A box: its spectrum is sin(k)/k, of both signs.
  const std::string box = refusal({table, 1, {0.2, 0.2001}, {1, 0}}, line(51), eole, 1);
  EXPECT_TRUE(contains(box, "no random field has this correlation: its matrix for the 51 nodes has an eigenvalue of -0.18 times"))
      << box;
  // Right at the nodes, 12 mm apart, and wrong between them.
  const std::string dip = refusal({table, 1, {0.006, 0.012}, {-0.9, 0}}, line(51), eole, 1);
  EXPECT_TRUE(contains(dip, "between the nodes")) << dip;
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
