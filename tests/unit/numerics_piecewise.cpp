// Functions of time: formulas, fits of smooth functions with their derivatives, kinks that are found.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "numerics/piecewise.hpp"
#include "numerics/refit.hpp"
#include "support/in_lanes.hpp"
#include "support/message_of.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

using Function = std::function<double(double)>;

void expect_jet(const PiecewisePolynomial& p, double t, double f, double d1, double d2, Side side = Side::right) {
  const Jet<double> j = evaluate(p, t, side);
  // A few operations on numbers of size one.
  EXPECT_NEAR(j.f, f, 1e-13) << "t = " << t;
  EXPECT_NEAR(j.d1, d1, 1e-12) << "t = " << t;
  EXPECT_NEAR(j.d2, d2, 1e-11) << "t = " << t;
}

TEST(NumericsPiecewise, constants_ramps_and_tables) {
  const PiecewisePolynomial c = constant(3.0);
  for (const double t : {-1e9, 0.0, 0.5, 1.0, 1e9}) expect_jet(c, t, 3.0, 0.0, 0.0);
  EXPECT_TRUE(c.breakpoints.empty());

  const PiecewisePolynomial r = ramp(1.0, 3.0, 5.0, -4.0);
  EXPECT_EQ(r.breakpoints, (std::vector<double>{1.0, 3.0}));
  expect_jet(r, -1e6, 5.0, 0.0, 0.0);
  expect_jet(r, 1.0, 5.0, 0.0, 0.0, Side::left);
  expect_jet(r, 1.0, 5.0, -2.0, 0.0, Side::right);
  expect_jet(r, 2.5, 2.0, -2.0, 0.0);
  expect_jet(r, 3.0, 1.0, -2.0, 0.0, Side::left);
  expect_jet(r, 3.0, 1.0, 0.0, 0.0, Side::right);
  expect_jet(r, 1e6, 1.0, 0.0, 0.0);

  const double x[] = {0.0, 1.0, 2.0, 4.0}, y[] = {1.0, 1.0, 3.0, 7.0};
  const PiecewisePolynomial table = piecewise_linear(x, y);
  EXPECT_EQ(table.breakpoints, (std::vector<double>{1.0, 4.0})) << "where the slope changes";
  expect_jet(table, 3.0, 5.0, 2.0, 0.0);
  expect_jet(table, 0.5, 1.0, 0.0, 0.0);
  expect_jet(table, 9.0, 7.0, 0.0, 0.0);
  EXPECT_EQ(piecewise_linear(std::span(x, 1), std::span(y, 1)).degree, 0);
  EXPECT_THROW(piecewise_linear(y, x), std::invalid_argument) << "x must rise";
  EXPECT_THROW(piecewise_linear({}, {}), std::invalid_argument);
}

TEST(NumericsPiecewise, polynomials) {
  const double c[] = {1.0, -2.0, 0.5, 3.0};
  const PiecewisePolynomial p = polynomial(c, -1.0, 2.0);
  for (const double t : {-1.0, 0.0, 0.7, 2.0, 3.0})
    expect_jet(p, t, 1 - 2 * t + 0.5 * t * t + 3 * t * t * t, -2 + t + 9 * t * t, 1 + 18 * t);
  expect_jet(polynomial({}, 0.0, 1.0), 0.3, 0.0, 0.0, 0.0);
}

TEST(NumericsPiecewise, pieces_are_found_on_either_side_of_a_knot) {
  const double x[] = {0.0, 1.0, 2.0, 3.0}, y[] = {0.0, 1.0, 0.0, 1.0};
  const PiecewisePolynomial p = piecewise_linear(x, y);  // piece 0 and 4 are the constants at the ends
  for (int hint = -1; hint <= p.pieces(); ++hint) {
    EXPECT_EQ(find_piece(p, 1.0, Side::left, hint), 1);
    EXPECT_EQ(find_piece(p, 1.0, Side::right, hint), 2);
    EXPECT_EQ(find_piece(p, 1.5, Side::left, hint), 2);
    EXPECT_EQ(find_piece(p, -100.0, Side::left, hint), 0);
    EXPECT_EQ(find_piece(p, 100.0, Side::right, hint), 4);
    EXPECT_EQ(find_piece(p, p.knots.front(), Side::left, hint), 0);
    EXPECT_EQ(find_piece(p, p.knots.back(), Side::right, hint), 4);
  }
}

TEST(NumericsPiecewise, kernels_take_other_coefficients_in_every_lane) {
  const PiecewisePolynomial p = fit([](double t) { return std::sin(t); }, 0.0, 1.0);
  const double s = place_in_piece(p, 0, 0.3);
  const Jet<double> alone = evaluate(p.of_piece(0), p.degree, s, 1.0);
  for (const Isa isa : test::available_isas()) {
    test::InLanes run(isa, p.degree + 1, [&](const Traced* c, std::vector<Traced>& out) {
      const Jet<Traced> j = evaluate(c, p.degree, s, 1.0);
      out = {j.f, j.d1, j.d2};
    });
    for (int k = 0; k <= p.degree; ++k)
      for (int lane = 0; lane < run.width(); ++lane) run.in(k, lane) = p.of_piece(0)[k] * (lane + 1);
    run();
    for (int lane = 0; lane < run.width(); ++lane) {
      EXPECT_NEAR(run.out(0, lane), (lane + 1) * std::sin(0.3), 1e-13 * (lane + 1));
      EXPECT_NEAR(run.out(2, lane), -(lane + 1) * std::sin(0.3), 1e-9 * (lane + 1));
    }
    EXPECT_EQ(run.out(0, 0), alone.f);
    EXPECT_EQ(run.out(1, 0), alone.d1);
    EXPECT_EQ(run.out(2, 0), alone.d2);
  }
}

struct Smooth {
  const char* name;
  Function f, d1, d2;
  double t0, t1;
};

TEST(NumericsPiecewise, fits_smooth_functions_with_two_derivatives) {
  const double w = 2.0 * std::numbers::pi * 50.0;
  std::vector<Smooth> functions = {
      {"sine", [=](double t) { return std::sin(w * t); }, [=](double t) { return w * std::cos(w * t); },
       [=](double t) { return -w * w * std::sin(w * t); }, 0, 1},
      {"exponential", [](double t) { return std::exp(t); }, [](double t) { return std::exp(t); },
       [](double t) { return std::exp(t); }, 0, 3},
      {"rational", [](double t) { return 1 / (1 + 25 * t * t); }, [](double t) { return -50 * t / std::pow(1 + 25 * t * t, 2); },
       [](double t) { return (3750 * t * t - 50) / std::pow(1 + 25 * t * t, 3); }, -1, 1},
      {"line", [](double t) { return 3 * t - 1; }, [](double) { return 3.0; }, [](double) { return 0.0; }, 0, 10},
  };
  for (const double k : {1.0, 1e2, 1e4, 1e6})
    functions.push_back({"step", [=](double t) { return std::tanh(k * (t - 0.3)); },
                         [=](double t) { return k / std::pow(std::cosh(k * (t - 0.3)), 2); },
                         [=](double t) { return -2 * k * k * std::tanh(k * (t - 0.3)) / std::pow(std::cosh(k * (t - 0.3)), 2); },
                         0, 1});
  for (const Smooth& g : functions) {
    const PiecewisePolynomial p = fit(g.f, g.t0, g.t1);
    double e0 = 0, e1 = 0, e2 = 0, m0 = 0, m1 = 0, m2 = 0;
    for (int i = 0; i < 100 * p.pieces(); ++i) {  // 100 in each piece, so that narrow ones are seen
      const double a = p.knots[i / 100], b = p.knots[i / 100 + 1];
      const double t = a + (b - a) * (i % 100) / 99.0;
      const Jet<double> j = evaluate(p, t);
      e0 = std::max(e0, std::fabs(j.f - g.f(t))), m0 = std::max(m0, std::fabs(g.f(t)));
      e1 = std::max(e1, std::fabs(j.d1 - g.d1(t))), m1 = std::max(m1, std::fabs(g.d1(t)));
      e2 = std::max(e2, std::fabs(j.d2 - g.d2(t))), m2 = std::max(m2, std::fabs(g.d2(t)));
    }
    const double rounding = 2.2e-16 * g.t1 * m1 / m0;        // of t, as it shows in f: only for the steepest step
    EXPECT_LE(e0, (1e-12 + rounding) * m0) << g.name;        // asked for 1e-13; a few times that in between
    EXPECT_LE(e1, (1e-10 + 256 * rounding) * m1) << g.name;  // degree^2 = 256 times more
    EXPECT_LE(e2, (1e-8 + 2e4 * rounding) * m2) << g.name;   // degree^4 / 3 = 2e4 times more
    EXPECT_TRUE(p.breakpoints.empty()) << g.name;
    EXPECT_LE(p.pieces(), 130) << g.name;
  }
}

struct Kinked {
  const char* name;
  Function f;
  std::vector<double> kinks;
  int pieces;
  double place;  // how far off a kink may be: where the sides differ by less than 1e-14, they cannot be told apart
};

TEST(NumericsPiecewise, finds_steps_and_kinks) {
  const std::vector<Kinked> functions = {
      {"kink", [](double t) { return std::fabs(t - 0.3); }, {0.3}, 2, 0.0},
      {"kink at a place of bisection", [](double t) { return std::fabs(t - 0.5); }, {0.5}, 2, 0.0},
      {"kink at no decimal", [](double t) { return std::fabs(t - std::sqrt(0.5)); }, {std::sqrt(0.5)}, 2, 1e-13},
      {"weak kink", [](double t) { return std::cos(t) + 1e-5 * std::fabs(t - 0.37); }, {0.37}, 2, 1e-8},
      {"step", [](double t) { return t < 0.37 ? 0.0 : 1.0; }, {0.37}, 2, 0.0},
      {"step at a place of bisection", [](double t) { return t < 0.5 ? 0.0 : 1.0; }, {0.5}, 2, 0.0},
      {"jump of the second derivative", [](double t) { return (t - 0.37) * std::fabs(t - 0.37); }, {0.37}, 2, 1e-7},
      {"ramp", [](double t) { return std::clamp((t - 0.1) / 0.2, 0.0, 1.0); }, {0.1, 0.3}, 3, 1e-13},
      {"smooth step",
       [](double t) {
         const double s = std::clamp((t - 0.2) / 0.33, 0.0, 1.0);
         return s * s * (3 - 2 * s);
       },
       {0.2, 0.53},
       3,
       1e-7},
      {"pulse", [](double t) { return t > 0.4 && t < 0.41 ? 5.0 : 0.0; }, {0.4, 0.41}, 3, 1e-15},
  };
  for (const Kinked& g : functions) {
    SCOPED_TRACE(g.name);
    const PiecewisePolynomial p = fit(g.f, 0.0, 1.0);
    ASSERT_EQ(p.breakpoints.size(), g.kinks.size());
    for (std::size_t k = 0; k < g.kinks.size(); ++k) EXPECT_NEAR(p.breakpoints[k], g.kinks[k], g.place);
    EXPECT_LE(p.pieces(), g.pieces);
    for (int i = 0; i < 10000; ++i) {
      const double t = (i + 0.37) / 10000.0;
      ASSERT_NEAR(evaluate(p, t).f, g.f(t), 1e-12 * 5.0) << t;
    }
  }
}

TEST(NumericsPiecewise, finds_many_kinks) {
  const double w = 2.0 * std::numbers::pi * 50.0;
  const PiecewisePolynomial rectified = fit([=](double t) { return std::fabs(std::sin(w * t)); }, 0.0, 1.0);
  ASSERT_EQ(rectified.breakpoints.size(), 99u);
  // The sides of a zero of sin(314 t) are 628 d apart: 1e-13 is reached at d = 2e-16; places of t are 1e-16 apart.
  for (int k = 0; k < 99; ++k) EXPECT_NEAR(rectified.breakpoints[k], 0.01 * (k + 1), 1e-14);
  const PiecewisePolynomial square = fit([=](double t) { return std::sin(w * t + 0.1) < 0 ? -1.0 : 1.0; }, 0.0, 1.0);
  EXPECT_EQ(square.breakpoints.size(), 100u);
  EXPECT_EQ(square.pieces(), 101);
}

TEST(NumericsPiecewise, takes_given_breakpoints) {
  const double given[] = {0.25, 0.75, 2.0};
  const PiecewisePolynomial p = fit([](double t) { return t < 0.25 ? t : 2 * t; }, 0.0, 1.0, given);
  EXPECT_EQ(p.breakpoints, (std::vector<double>{0.25, 0.75})) << "those inside, even where nothing happens";
  expect_jet(p, 0.25, 0.25, 1.0, 0.0, Side::left);
  expect_jet(p, 0.25, 0.5, 2.0, 0.0, Side::right);
  expect_jet(p, 1.0 + 1e-12, 2.0 + 2e-12, 2.0, 0.0);
}

TEST(NumericsPiecewise, another_function_on_the_same_pieces) {
  const auto f = [](double scale) { return [=](double t) { return scale * std::sin(7.0 * t * scale) + std::fabs(t - 0.3); }; };
  const PiecewisePolynomial nominal = fit(f(1.0), 0.0, 1.0);
  PiecewisePolynomial other = nominal;
  const double error = fit_on_pieces(f(1.02), nominal, other.coefficients);
  EXPECT_LT(error, 1e-11) << "a little rougher than the function the pieces were made for";
  for (int i = 0; i < 1000; ++i) EXPECT_NEAR(evaluate(other, i / 1000.0).f, f(1.02)(i / 1000.0), 1e-11);
  EXPECT_GT(fit_on_pieces(f(20.0), nominal, other.coefficients), 1e-3) << "says when the pieces do not fit";
}

std::string message_of(const Function& f) {
  return test::message_of<std::domain_error>([&] { fit(f, 0.0, 1.0); });
}

TEST(NumericsPiecewise, says_why_a_function_cannot_be_fitted) {
  EXPECT_EQ(message_of([](double t) { return 1.0 / (t - 0.5); }), "the function is not finite at t = 0.5");
  EXPECT_EQ(message_of([](double t) { return 1.0 / (t * t - 0.5); }), "the function of time has no limit near t = 0.70710678");
  EXPECT_NE(message_of([](double t) { return std::sqrt(0.5 - t); }).find("the function is not finite at t = 0.50"),
            std::string::npos);
  EXPECT_NE(message_of([](double t) { return std::fmod(std::sin(1e9 * t) * 43758.5453, 1.0); }).find("more than 200000 pieces"),
            std::string::npos);
  EXPECT_THROW(fit([](double) { return 0.0; }, 1.0, 1.0), std::invalid_argument);
}

// --- functions of other realizations ---

struct Counted {
  Function f;
  mutable long points = 0;
  ValuesAt values() const {
    return [this](std::span<const double> t, std::span<double> y) {
      points += long(t.size());
      std::transform(t.begin(), t.end(), y.begin(), f);
    };
  }
};

void expect_follows(const PiecewisePolynomial& p, const Function& f, double size) {
  double worst = 0;
  for (int i = 0; i <= 5000; ++i) {
    const double t = p.knots.front() + (p.knots.back() - p.knots.front()) * (i + 0.5) / 5001;
    worst = std::max(worst, std::abs(evaluate(p, t).f - f(t)));
  }
  EXPECT_LT(worst, 1e-12 * size);  // ten times the tolerance of the fit, relative to the size of the function
}

// The values at the nodes and a first look: nothing is searched for.
TEST(NumericsPiecewise, a_realization_keeps_the_knots_where_they_do) {
  const auto wave = [](double a, double w) { return [=](double t) { return a * std::exp(-t) * std::sin(w * t); }; };
  const PiecewisePolynomial nominal = fit(wave(1, 800), 0, 5);
  const Counted other{wave(1.3, 795)};
  const auto r = refit(other.values(), nominal);
  ASSERT_TRUE(r.has_value());
  // Those that only just resolve the nominal function are halved beforehand, in all realizations alike.
  EXPECT_TRUE(std::includes(r->knots.begin(), r->knots.end(), nominal.knots.begin(), nominal.knots.end()));
  EXPECT_EQ(other.points, 256 + 20 * r->pieces());
  const Counted third{wave(0.8, 830)};
  const auto s = refit(third.values(), nominal);
  ASSERT_TRUE(s.has_value());
  EXPECT_EQ(s->knots, r->knots);
  expect_follows(*r, other.f, 1.3);
}

TEST(NumericsPiecewise, realizations_share_knots_also_where_those_of_the_nominal_function_do_not_do) {
  const auto wave = [](double w) { return [=](double t) { return std::sin(w * t); }; };
  const PiecewisePolynomial nominal = fit(wave(100), 0, 5);
  const Counted one{wave(131)}, two{wave(138)};
  const auto a = refit(one.values(), nominal), b = refit(two.values(), nominal);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->knots, b->knots);
  EXPECT_EQ(a->degree, b->degree);
  expect_follows(*a, one.f, 1);
  expect_follows(*b, two.f, 1);
}

// Where it goes is solved for, not searched: to the last bit where it is a number of the model.
TEST(NumericsPiecewise, a_breakpoint_moves_with_its_realization) {
  const auto ramp_from = [](double a) { return [=](double t) { return std::max(0.0, t - a) * std::cos(t); }; };
  const PiecewisePolynomial nominal = fit(ramp_from(0.3), 0, 2);
  for (const double a : {0.3, 0.31234567, 0.2, 1.99}) {
    const Counted moved{ramp_from(a)}, sign{[=](double t) { return t - a; }};
    const Switch switches[] = {{sign.values()}};
    const auto r = refit(moved.values(), nominal, {}, switches);
    ASSERT_TRUE(r.has_value()) << a;
    EXPECT_EQ(r->breakpoints, std::vector<double>{a});
    expect_follows(*r, moved.f, 2);
    EXPECT_LT(moved.points + sign.points, 1500) << a;
  }
}

TEST(NumericsPiecewise, many_breakpoints_move_at_once) {
  const auto rectified = [](double w) { return [=](double t) { return std::abs(std::sin(w * t)); }; };
  const PiecewisePolynomial nominal = fit(rectified(20), 0, 5);
  const double w = 21.7;
  const Counted moved{rectified(w)}, sign{[=](double t) { return std::sin(w * t); }};
  const Switch switches[] = {{sign.values()}};
  const auto r = refit(moved.values(), nominal, {}, switches);
  ASSERT_TRUE(r.has_value());
  ASSERT_EQ(r->breakpoints.size(), std::size_t(w * 5 / std::numbers::pi));
  // where sin is a rounding of t away from zero
  for (std::size_t k = 0; k < r->breakpoints.size(); ++k)
    EXPECT_NEAR(r->breakpoints[k], double(k + 1) * std::numbers::pi / w, 4e-15) << k;
  expect_follows(*r, moved.f, 1);
}

// The old places are no knots any more, and where a switch is zero need not be looked for if it is known.
TEST(NumericsPiecewise, breakpoints_that_are_known_are_taken) {
  const auto rectified = [](double w) { return [=](double t) { return std::abs(std::sin(w * t)); }; };
  const PiecewisePolynomial nominal = fit(rectified(20), 0, 5);
  const double w = 21.7;
  std::vector<double> known;
  for (int k = 1; k * std::numbers::pi / w < 5; ++k) known.push_back(k * std::numbers::pi / w);
  const Counted moved{rectified(w)}, sign{[=](double t) { return std::sin(w * t); }};
  const Switch switches[] = {{sign.values(), known}};
  const auto r = refit(moved.values(), nominal, {}, switches);
  ASSERT_TRUE(r.has_value());
  EXPECT_EQ(sign.points, 0);
  EXPECT_EQ(r->breakpoints, known);
  for (const double t : nominal.breakpoints) EXPECT_FALSE(std::binary_search(r->knots.begin(), r->knots.end(), t)) << t;
  expect_follows(*r, moved.f, 1);
}

// Half periods that move are pieces, as those of the nominal function are: also where one of them has left.
TEST(NumericsPiecewise, pieces_move_with_their_breakpoints) {
  const auto rectified = [](double w) { return [=](double t) { return 2 + std::exp(-t) * std::abs(std::sin(w * t)); }; };
  const PiecewisePolynomial nominal = fit(rectified(200), 0, 5);
  for (const double w : {192.3, 211.7}) {
    const Counted moved{rectified(w)}, sign{[=](double t) { return std::sin(w * t); }};
    const Switch switches[] = {{sign.values()}};
    const auto r = refit(moved.values(), nominal, {}, switches);
    ASSERT_TRUE(r.has_value());
    EXPECT_EQ(r->breakpoints.size(), std::size_t(w * 5 / std::numbers::pi));
    EXPECT_LT(r->knots.size(), r->breakpoints.size() + 10) << w;
    expect_follows(*r, moved.f, 3);
  }
}

TEST(NumericsPiecewise, what_moves_without_a_switch_is_left_to_the_fit) {
  const auto kink = [](double a) { return [=](double t) { return std::sqrt((t - a) * (t - a)); }; };
  const PiecewisePolynomial nominal = fit(kink(0.3), 0, 1);
  const Counted moved{kink(0.37)};
  EXPECT_FALSE(refit(moved.values(), nominal).has_value());
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
