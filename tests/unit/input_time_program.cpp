// Expressions of time on arrays: the values are muParser's, and what can make them discontinuous is known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "input/exponential_form.hpp"
#include "input/expression.hpp"
#include "model/language.hpp"
#include "model/model.hpp"
#include "numerics/exponentials.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// A model whose only function of time is this.
input::Description with(const std::string& expression) {
  const std::string text =
      "parameters: {a: 1.3, b: -0.7}\nbodies: {m: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\n"
      "joints: {g: {prismatic: [ground, m], axis: x, actuator: \"" +
      expression + "\"}}\nsimulation: {duration: 1, step: 0.1}\n";
  return input::read_text(text, "m.yaml", language());
}

const input::Number& number_of(const input::Description& d) {
  const input::Item& f = d.section("joints")[0].find("actuator")->by_direction.at(0).value.items.at(0);
  return (f.subject.items.empty() ? f : f.subject.items[0]).find("value")->number;
}

TEST(TimeProgram, has_the_values_of_the_expression) {
  int tried = 0;
  for (const char* text : {"a*sin(3*t + b)",
                           "-t^2",
                           "2^-t",
                           "2^3^t",
                           "-a^2*t",
                           "a - b - t",
                           "a/b/t",
                           "t > 0.5 ? a : b",
                           "t < 0.3 ? 0 : t < 0.6 ? 1 : a*t",
                           "min(t, a, 0.4) + max(t, b)",
                           "abs(sin(20*t)) * 30 deg",
                           "floor(5*t) + ceil(a*t)",
                           "t*50% + e^t + pi",
                           "sign(t - 0.5)*pow(t, 3)",
                           "atan2(sin(t), cos(t))",
                           "(t > 0.2 && t < 0.4) || t > 0.8 ? 1 : 0",
                           "exp(-t)*log(1 + t)*sqrt(t) + tanh(t) - log10(t + 1)",
                           "t == 0.5 ? 1 : t != a ? 2 : 3",
                           "t >= 0.5",
                           "-(-t)*+a"}) {
    input::Description d;
    try {
      d = with(text);
    } catch (const input::InputError&) {
      continue;  // nothing of the language
    }
    ++tried;
    const input::Number& n = number_of(d);
    ASSERT_GE(n.program, 0) << text;
    EXPECT_TRUE(d.expressions->programs[size_t(n.program)].on_arrays) << text;
    const input::Scope scope(d);
    std::vector<double> t, y(301);
    for (int i = 0; i < 301; ++i) t.push_back(0.001 + i / 299.0);
    scope(n, t, y);
    for (size_t i = 0; i < t.size(); ++i)  // the order of a few operations may differ
      EXPECT_NEAR(y[i], scope(n, t[i]), 1e-14 * (1 + std::abs(y[i]))) << text << " at " << t[i];
  }
  EXPECT_GE(tried, 18) << "two are perhaps nothing of the language";
}

TEST(TimeProgram, knows_where_it_can_be_discontinuous) {
  const auto switches = [](const char* text) {
    const input::Description d = with(text);
    return input::Scope(d).switches(number_of(d));
  };
  EXPECT_EQ(switches("a*sin(t)"), 0);
  EXPECT_EQ(switches("abs(t - a)"), 1);
  EXPECT_EQ(switches("max(0, t - a)"), 1);
  EXPECT_EQ(switches("max(a, b) * t"), 0) << "that does not change with time";
  EXPECT_GE(switches("t > a ? floor(t) : 0"), 2);
}

double value_of(const input::ExponentialForm& f, double t) {
  double y = f.constant + f.slope * t;
  for (const auto& term : f.terms)
    y += (term.amplitude * std::pow(t, term.power) * std::exp(term.rate * t + term.bend * t * t)).real();
  return y;
}

TEST(TimeProgram, knows_sums_of_sines_and_exponentials) {
  for (const char* text : {"a*sin(2*pi*3*t + b)", "a - t/2 + 3*cos(t)", "a*exp(-b*t)*sin(20*t)", "sin(3*t)*cos(5*t)",
                           "sin(4*t)^2", "e^(-t)*(1 + 2*sin(t))", "a*t", "(a + b*sin(t))*(1 - cos(2*t))", "sin((30*t) deg)",
                           "t*sin(t)", "(1 + a*t)^2*exp(-t)*cos(30*t)", "t^2", "t^3*sin(4*t)", "sin(t^2)", "2^(t*t)",
                           "sin(a + 3*t - b*t^2)*exp(-t)", "t*cos(5*t*t)^2", "exp(-(t - a)^2)*sin(9*t)"}) {
    const input::Description d = with(text);
    const input::Scope scope(d);
    const auto form = scope.exponentials(number_of(d));
    ASSERT_TRUE(form.has_value()) << text;
    for (const double t : {0.0, 0.17, 0.5, 1.0})  // a few operations in another order
      EXPECT_NEAR(value_of(*form, t), scope(number_of(d), t), 1e-14 * 8) << text << " at " << t;
  }
  for (const char* text : {"t^5*sin(t)", "sin(t^3)", "abs(sin(t))", "tanh(t)", "1/(2 + sin(t))", "t > 0.5 ? sin(t) : 0", "t^1.5",
                           "sin(t + sin(t))"}) {
    const input::Description d = with(text);
    EXPECT_FALSE(input::Scope(d).exponentials(number_of(d)).has_value()) << text;
  }
}

TEST(TimeProgram, knows_where_lines_and_sines_change_their_sign) {
  const auto found = [](const char* text) {
    const input::Description d = with(text);
    const auto form = input::Scope(d).switch_exponentials(number_of(d), 0);
    return form ? input::zeros(*form, 0, 1) : std::nullopt;
  };
  const double pi = std::acos(-1.0);
  ASSERT_TRUE(found("abs(t - 0.3)"));
  ASSERT_EQ(found("abs(t - 0.3)")->size(), 1u);
  EXPECT_DOUBLE_EQ(found("abs(t - 0.3)")->at(0), 0.3);
  auto sine = found("max(0, sin(20*t + 0.5) - 0.2)");
  ASSERT_TRUE(sine);
  std::sort(sine->begin(), sine->end());
  std::vector<double> right;
  for (int k = 0; k < 4; ++k)
    for (const double angle : {std::asin(0.2), pi - std::asin(0.2)})
      if (const double t = (angle + 2 * pi * k - 0.5) / 20; t > 0 && t < 1) right.push_back(t);
  std::sort(right.begin(), right.end());
  ASSERT_EQ(sine->size(), right.size());
  for (std::size_t i = 0; i < right.size(); ++i) EXPECT_NEAR((*sine)[i], right[i], 4e-16);
  EXPECT_TRUE(found("abs(2 + sin(t))") == std::nullopt) << "it never does, and others may know";
  EXPECT_FALSE(found("abs(sin(t) + sin(3*t))"));
  EXPECT_FALSE(found("abs(exp(-t)*sin(3*t))"));
  EXPECT_FALSE(found("abs(sin(3*t + t^2))"));
  const auto sum = found("abs(sin(5*t) + cos(5*t))");  // one sine
  ASSERT_TRUE(sum);
  ASSERT_EQ(sum->size(), 1u);
  EXPECT_NEAR(sum->at(0), 3 * pi / 20, 4e-16);
}

TEST(TimeProgram, knows_what_repeats_itself) {
  const auto repetition = [](const char* text) {
    const input::Description d = with(text);
    return input::Scope(d).repetition(number_of(d));
  };
  const double pi = std::acos(-1.0);
  const std::pair<const char*, double> periodic[] = {{"abs(sin(20*t))", 2 * pi / 20},
                                                     {"tanh(a*sin(2*pi*64*t + b))", 1 / 64.0},
                                                     {"abs(sin(-3*t) + cos(3*t))", 2 * pi / 3},
                                                     {"max(sin(2*t), cos(3*t))", 2 * pi},
                                                     {"abs(sin(pi*t/2)) + tanh(cos(pi*t/3))", 12},
                                                     {"sin(10*t + 0.3*sin(5*t))^2/(2 + cos(20*t))", 2 * pi / 5},
                                                     {"10*t - floor(10*t)", 0.1},
                                                     {"abs(sin((30*t) deg))", 12},
                                                     {"sin(t) > 0 ? 1 : a", 2 * pi},
                                                     {"exp(sin(a*t))^b", 2 * pi / 1.3},
                                                     {"floor(2*(3*t - floor(3*t)))", 1.0 / 3}};
  for (const auto& [text, expected] : periodic) {
    ASSERT_TRUE(repetition(text)) << text;
    EXPECT_NEAR(repetition(text)->period, expected, 4e-16 * expected) << text;
    EXPECT_EQ(repetition(text)->growth, 0) << text;
  }
  for (const char* text :
       {"t*abs(sin(t))", "exp(-t) + abs(sin(20*t))", "2 + exp(t)*abs(sin(20*t))", "sin(t^2)", "max(0.1, exp(-t)*sin(20*t))",
        "exp(-t)*sin(20*t) > 0.1 ? 1 : 0", "exp(-t) + exp(-2*t)*abs(sin(t))", "t*exp(-t)*abs(sin(t))", "tanh(exp(-t)*sin(20*t))",
        "exp(-t^2)*abs(sin(20*t))", "abs(sin(t)) + t", "abs(sin(t) + sin(pi*t))", "t > 0.5 ? sin(t) : 0", "floor(t)", "tanh(t)",
        "min(t, sin(t))", "abs(sin(100*t) + sin(101.3*t/7))"})
    EXPECT_FALSE(repetition(text)) << text;
}

TEST(TimeProgram, knows_what_repeats_itself_and_grows_or_decays) {
  struct Case {
    const char* text;
    double period, growth, offset = 0;
  };
  const double pi = std::acos(-1.0);
  const Case cases[] = {{"exp(-3*t)*abs(sin(20*t))", pi / 10, -3},
                        {"a*abs(exp(2*t + 1)*cos(20*t + b))/3", pi / 10, 2},
                        {"-max(0, exp(-t)*sin(4*t))", pi / 2, -1},
                        {"min(exp(-a*t), exp(-a*t)*2*sin(t))", 2 * pi, -1.3},
                        {"sqrt(abs(exp(-a*t)*sin(t)))", 2 * pi, -0.65},
                        {"abs(sin(t))^3*2^-t + abs(cos(t))/2^t", 2 * pi, -std::log(2.0)},
                        {"exp(-t)*sin(t) > 0 ? exp(-2*t) : exp(-2*t)*abs(cos(t))", 2 * pi, -2},
                        {"sign(exp(-t)*sin(t))", 2 * pi, 0},
                        {"a + exp(-t)*abs(sin(t))", 2 * pi, -1, 1.3},
                        {"exp(-t)*abs(sin(t)) - 5", 2 * pi, -1, -5},
                        {"5 - exp(-t)*abs(sin(t))", 2 * pi, -1, 5},
                        {"exp(-t + sin(3*t))*tanh(cos(6*t))", 2 * pi / 3, -1}};
  for (const Case& c : cases) {
    const input::Description d = with(c.text);
    const input::Scope scope(d);
    const auto r = scope.repetition(number_of(d));
    ASSERT_TRUE(r) << c.text;
    EXPECT_NEAR(r->period, c.period, 4e-16 * c.period) << c.text;
    EXPECT_NEAR(r->growth, c.growth, 4e-16 * std::abs(c.growth)) << c.text;
    EXPECT_EQ(r->offset, c.offset) << c.text;
    for (const double t : {0.01, 0.4, 0.9})  // the rounding of a few operations, at 20 rad
      EXPECT_NEAR(scope(number_of(d), t + r->period) - c.offset,
                  std::exp(r->growth * r->period) * (scope(number_of(d), t) - c.offset),
                  1e-13 * std::max(1.0, std::exp(r->growth * (t + r->period))))
          << c.text << " at " << t;
  }
}

// The series are those of one period, whatever their number; values are those of the expression.
TEST(TimeProgram, a_realization_of_what_repeats_itself_is_fitted_in_one_period) {
  struct Case {
    std::string text;  // P: periods in the duration
    int most;          // series
    double slope;      // largest, per radian: the rounding of an angle of 2π P times it is the error
  };
  const Case cases[] = {{"a*abs(sin(2*pi*P*a*t + b))", 12, 1.4},
                        {"abs(sin(2*pi*P*a*t) + a*cos(2*pi*P*a*t))", 12, 2},
                        {"a*tanh(3*sin(2*pi*P*a*t + b))", 64, 4},
                        {"max(b, sin(2*pi*P*a*t)*cos(4*pi*P*a*t))", 64, 3},
                        {"a/(1.5 + sin(2*pi*P*a*t))", 64, 5}};
  for (const auto& [text, most, slope] : cases)
    for (const int periods : {3, 64, 640}) {
      std::string own_text = text;
      for (std::size_t at; (at = own_text.find('P')) != std::string::npos;) own_text.replace(at, 1, std::to_string(periods));
      const Model model = make_model(with(own_text));
      for (const double a : {1.3, 1.37, 1.1}) {
        const Parameters own = realize(model, std::vector<Override>{{"a", a}, {"b", -0.7 + 0.1 * a}});
        const auto it = std::find_if(own.signals.begin(), own.signals.end(), [](const auto& s) { return s.pieces() > 1; });
        ASSERT_NE(it, own.signals.end());
        EXPECT_LE(it->coefficients.size(), size_t(most * (it->degree + 1))) << own_text;
        const input::Description d = with(own_text);
        const std::pair<std::string, double> changed[] = {{"a", a}, {"b", -0.7 + 0.1 * a}};
        const input::Scope scope(d, changed);
        double worst = 0;
        for (int i = 0; i <= 2000; ++i) {
          const double t = i / 2000.0;
          worst = std::max(worst, std::abs(evaluate(*it, t).f - scope(number_of(d), t)));
        }
        EXPECT_LT(worst, 1e-12 + slope * 4 * 2.2e-16 * 2 * 3.15 * periods * a) << own_text << " a = " << a;
      }
    }
}

double largest_error(const PiecewisePolynomial& p, const input::Scope& scope, const input::Number& n) {
  double worst = 0;
  for (int i = 0; i < 3000; ++i) {
    const double t = (i + 0.3719) / 3000;  // beside jumps
    worst = std::max(worst, std::abs(evaluate(p, t).f - scope(n, t)));
  }
  return worst;
}

// Neither its values nor its breakpoints are looked for in every period; where it has decayed to nothing, breakpoints are none.
TEST(TimeProgram, a_realization_of_what_decays_in_periods_is_fitted_in_one_of_them) {
  for (const char* text :
       {"a*exp(-3*a*t)*abs(sin(2*pi*640*a*t))", "10*exp(b*t)*abs(cos(2*pi*64*a*t + b))", "2 - a*exp(-3*t)*abs(sin(2*pi*640*a*t))",
        "max(0, exp(-60*t)*sin(2*pi*200*a*t))", "exp(2*t)*sign(sin(2*pi*30*a*t))"}) {
    const input::Description d = with(text);
    const Model model = make_model(d);
    for (const double a : {1.3, 1.37, 1.1}) {
      const std::pair<std::string, double> changed[] = {{"a", a}, {"b", -0.7 + 0.1 * a}};
      const Parameters own = realize(model, std::vector<Override>{{"a", a}, {"b", -0.7 + 0.1 * a}});
      const auto it = std::find_if(own.signals.begin(), own.signals.end(), [](const auto& s) { return s.pieces() > 1; });
      ASSERT_NE(it, own.signals.end());
      ASSERT_GT(it->of_period, 0) << text;
      EXPECT_LE(it->of_period, 4) << text;
      const input::Scope scope(d, changed);
      // ten times the tolerance, of values up to ten, and the rounding of 5500 rad where they are of size one
      EXPECT_LT(largest_error(*it, scope, number_of(d)), 1e-11) << text << " a = " << a;
    }
  }
  const Model fading = make_model(with("max(0, exp(-60*t)*sin(2*pi*100*t))"));
  for (const auto& s : fading.nominal.signals)
    if (s.pieces() > 1) {
      EXPECT_GT(s.breakpoints.size(), 50u);
      EXPECT_LT(s.breakpoints.back(), 0.5) << "at exp(-30) of the size";
    }
}

// Those of a sweep are not: its values at the nodes of the nominal pieces are enough.
TEST(TimeProgram, a_realization_of_a_sweep_keeps_the_nominal_pieces) {
  for (const char* text : {"a*sin(2*pi*300*a*t^2)", "sin(2*pi*200*a*t + 200*t^2)*exp(-3*t)", "t*cos(2*pi*(400 - 300*a*t)*t)"}) {
    const input::Description d = with(text);
    const Model model = make_model(d);
    const Parameters own = realize(model, std::vector<Override>{{"a", 1.35}});
    for (std::size_t i = 0; i < own.signals.size(); ++i) {
      if (own.signals[i].pieces() == 1) continue;
      EXPECT_EQ(own.signals[i].knots, model.nominal.signals[i].knots) << text;
      const std::pair<std::string, double> changed[] = {{"a", 1.35}};
      EXPECT_LT(largest_error(own.signals[i], input::Scope(d, changed), number_of(d)), 3e-12)  // of a phase of 3000 rad
          << text;
    }
  }
}

// Coefficients of a realization are those in closed form, bitwise: no value of the expression was asked for, and nothing was fitted.
TEST(TimeProgram, a_realization_of_a_fast_sine_is_not_fitted) {
  const Model model = make_model(with("a*sin(2*pi*640*a*t + b)"));
  const double a = 1.37, w = 2 * std::acos(-1.0) * 640 * a;
  const Parameters own = realize(model, std::vector<Override>{{"a", a}});
  const auto it = std::find_if(own.signals.begin(), own.signals.end(), [](const auto& s) { return s.pieces() > 1; });
  ASSERT_NE(it, own.signals.end());
  const PiecewisePolynomial& nominal = model.nominal.signals[std::size_t(it - own.signals.begin())];
  EXPECT_EQ(it->degree, 16);
  EXPECT_EQ((it->knots.size() - 1) % (nominal.knots.size() - 1), 0u) << "its pieces, or all of them halved";
  const input::Description d = with("a*sin(2*pi*640*a*t + b)");
  const std::pair<std::string, double> changed[] = {{"a", a}};
  const auto form = input::Scope(d, changed).exponentials(number_of(d));
  ASSERT_TRUE(form && form->terms.size() == 1);
  const auto direct =
      refit(Exponentials{form->constant, form->slope, {{form->terms[0].amplitude, form->terms[0].rate}}}, nominal);
  ASSERT_TRUE(direct.has_value());
  EXPECT_EQ(it->coefficients, direct->coefficients);
  for (const double t : {0.1234, 0.777})
    EXPECT_NEAR(evaluate(*it, t).f, a * std::sin(w * t - 0.7), 2e-12 * a);  // the phase is 5500 rad: half an ulp of it is 5e-13
}

TEST(TimeProgram, says_where_it_is_not_finite) {
  const input::Description d = with("1/(t - 0.5)");
  const input::Scope scope(d);
  const std::vector<double> t = {0.25, 0.5};
  std::vector<double> y(2);
  try {
    scope(number_of(d), t, y);
    FAIL();
  } catch (const input::InputError& e) {
    EXPECT_NE(std::string(e.what()).find("is not finite for t = 0.5"), std::string::npos) << e.what();
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
