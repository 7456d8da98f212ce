// Numbers as expressions: their values, their errors, and the parameters they depend on.
#include <cmath>
#include <locale>
#include <numbers>

#include "input_language.hpp"
#include "support/message_of.hpp"

namespace aleator::core::input {
namespace ALEATOR_FILE {

using Overrides = std::vector<std::pair<std::string, double>>;

double constant(const std::string& text) {
  const Description model = read("parameters: {p: \"" + text + "\"}\n");
  EXPECT_EQ(model.parameters[0].value.program, -1) << text << " is not folded";
  return model.parameters[0].value.constant;
}

// The message about parameter p given as this plain text, after "m.yaml:2:6: " (where the text begins).
std::string error_in(const std::string& text) { return error_of("parameters:\n  p: " + text + "\n"); }

TEST(InputExpression, constants_are_folded) {
  EXPECT_EQ(constant("1e-3"), 1e-3);
  EXPECT_EQ(constant(".5"), 0.5);
  EXPECT_EQ(constant("5."), 5);
  EXPECT_EQ(constant("+2"), 2);
  EXPECT_EQ(constant("-1.5E+2"), -150);
  EXPECT_EQ(constant("010"), 10) << "not octal";
  EXPECT_EQ(constant("0.1"), 0.1);
  EXPECT_EQ(constant("2 + 3*4^2"), 50);
  EXPECT_EQ(constant("-2^2"), -4);
  EXPECT_EQ(constant("2^3^2"), 512);
  EXPECT_EQ(constant("1 < 2 ? 10 : 20"), 10);
  EXPECT_EQ(constant("1 > 2 || 3 >= 3 && 1 != 2"), 1);
}

// Where numbers have commas, models still have points.
TEST(InputExpression, the_locale_does_not_matter) {
  struct Comma : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Comma));
  EXPECT_EQ(constant("1234.5"), 1234.5);
  EXPECT_EQ(constant("2*1234.5"), 2469);
  EXPECT_EQ(error_of("simulation: {duration: -1234.5, step: 1}\n"),
            "m.yaml:1:24: simulation: 'duration' must be positive, found -1234.5");
  std::locale::global(before);
}

TEST(InputExpression, degrees_become_radians) {
  const double pi = std::numbers::pi;
  EXPECT_DOUBLE_EQ(constant("30 deg"), pi / 6);
  EXPECT_DOUBLE_EQ(constant("30deg"), pi / 6);
  EXPECT_DOUBLE_EQ(constant("-30 deg"), -pi / 6);
  EXPECT_DOUBLE_EQ(constant("(10+20) deg"), pi / 6);
  EXPECT_DOUBLE_EQ(constant("2*30 deg"), pi / 3);
  EXPECT_DOUBLE_EQ(constant("sin(30 deg)"), 0.5);
}

TEST(InputExpression, functions_have_their_usual_values) {
  const std::vector<std::pair<std::string, double>> expected = {{"sin(1)", std::sin(1)},
                                                                {"cos(1)", std::cos(1)},
                                                                {"tan(1)", std::tan(1)},
                                                                {"asin(0.5)", std::asin(0.5)},
                                                                {"acos(0.5)", std::acos(0.5)},
                                                                {"atan(2)", std::atan(2)},
                                                                {"atan2(1, -1)", std::atan2(1, -1)},
                                                                {"sinh(1)", std::sinh(1)},
                                                                {"cosh(1)", std::cosh(1)},
                                                                {"tanh(1)", std::tanh(1)},
                                                                {"exp(1)", std::exp(1)},
                                                                {"log(e)", 1},
                                                                {"ln(e^2)", 2},
                                                                {"log10(100)", 2},
                                                                {"sqrt(16)", 4},
                                                                {"abs(-3)", 3},
                                                                {"sign(-3)", -1},
                                                                {"sign(0)", 0},
                                                                {"min(3, 1, 2)", 1},
                                                                {"max(3, 1, 2)", 3},
                                                                {"pow(2, 10)", 1024},
                                                                {"floor(-1.5)", -2},
                                                                {"ceil(1.2)", 2},
                                                                {"pi", std::numbers::pi},
                                                                {"e", std::numbers::e}};
  for (const auto& [text, value] : expected) EXPECT_DOUBLE_EQ(constant(text), value) << text;
}

TEST(InputExpression, parameters_may_use_each_other_in_any_order) {
  const Description model = read("parameters: {a: 2*b, b: c + 1, c: 3, d: a + c}\n");
  const Scope scope(model);
  std::vector<std::string> order;
  for (const Parameter& p : model.parameters) order.push_back(p.name);
  EXPECT_EQ(order, (std::vector<std::string>{"c", "b", "a", "d"}));
  EXPECT_EQ(scope.parameter(2), 8);
  EXPECT_EQ(scope.parameter(3), 11);
}

TEST(InputExpression, long_chains_of_parameters_are_fine) {
  std::string text = "parameters:\n";
  for (int i = 0; i < 19'999; ++i) text += "  p" + std::to_string(i) + ": p" + std::to_string(i + 1) + " + 1\n";
  text += "  p19999: 0\n";
  const Description model = read(text);
  EXPECT_EQ(Scope(model).parameter(19'999), 19'999);
}

TEST(InputExpression, circles_are_named) {
  EXPECT_EQ(error_of("parameters:\n  x: 1\n  a: b\n  b: x + c\n  c: 2*a\n"),
            "m.yaml:3:6: parameter 'a' depends on itself: a -> b -> c -> a");
  EXPECT_EQ(error_of("parameters: {a: a + 1}\n"), "m.yaml:1:17: parameter 'a' depends on itself: a -> a");
}

TEST(InputExpression, overrides_reach_everything_that_depends_on_them) {
  const Description model = read("parameters: {length: 2, half: length/2}\nbodies: {rb1: {mass: half*3, at: [length, 0, 0]}}\n");
  const Number mass = field(model, "bodies", "mass").number;
  EXPECT_EQ(Scope(model)(mass), 3);
  EXPECT_EQ(Scope(model, Overrides{{"length", 8}})(mass), 12);
  EXPECT_EQ(Scope(model, Overrides{{"half", 5}})(mass), 15) << "an override replaces the parameter's own expression";

  Scope scope(model, Overrides{{"length", 8}});
  scope.reset(Overrides{{"half", 2}});
  EXPECT_EQ(scope(mass), 6);
  EXPECT_EQ(scope(field(model, "bodies", "at").numbers[0]), 2) << "overrides of before are forgotten";
}

TEST(InputExpression, scopes_are_independent_and_may_move) {
  const Description model = read("parameters: {a: 1}\nbodies: {rb1: {mass: 2*a, at: [0, 0, 0]}}\n");
  const Number mass = field(model, "bodies", "mass").number;
  Scope one(model, Overrides{{"a", 1}}), two(model, Overrides{{"a", 2}});
  EXPECT_EQ(one(mass), 2);
  EXPECT_EQ(two(mass), 4);
  const Scope moved(std::move(one));
  EXPECT_EQ(moved(mass), 2);
}

TEST(InputExpression, wrong_overrides_are_refused) {
  const Description model = read("parameters: {length: 2}\n");
  const auto error = [&](const Overrides& overrides) -> std::string {
    return test::message_of<InputError>([&] { Scope scope(model, overrides); });
  };
  EXPECT_EQ(error({{"lenght", 1}}), "m.yaml: unknown parameter 'lenght' (did you mean 'length'?)");
  EXPECT_EQ(error({{"length", NAN}}), "m.yaml:1:22: parameter 'length' must be finite, set to nan");
}

TEST(InputExpression, results_that_are_not_finite_name_the_values) {
  EXPECT_EQ(error_in("1/0"), "m.yaml:2:6: parameter 'p' is not finite: '1/0'");
  EXPECT_EQ(error_in("sqrt(-1)"), "m.yaml:2:6: parameter 'p' is not finite: 'sqrt(-1)'");
  const Description model = read("parameters: {a: 1, b: 2}\nbodies:\n  rb1: {mass: 1/(a - b), at: [0, 0, 0]}\n");
  const Scope scope(model, Overrides{{"a", 2}});
  try {
    scope(field(model, "bodies", "mass").number);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "m.yaml:3:15: '1/(a - b)' is not finite for a = 2, b = 2");
  }
}

TEST(InputExpression, bounds_hold_whenever_an_expression_is_evaluated) {
  const Description model = read("parameters: {a: 1, n: 2.5}\nbodies:\n  rb1: {mass: a - 3, at: [n, 0, 0]}\n");
  const Number mass = field(model, "bodies", "mass").number, count = field(model, "bodies", "at").numbers[0];
  Scope scope(model);
  EXPECT_EQ(test::message_of<InputError>([&] { scope(mass); }),
            "m.yaml:3:15: body 'rb1': 'mass' must be positive, found -2 = a - 3 for a = 1");
  scope.reset(Overrides{{"a", 3}});
  EXPECT_EQ(test::message_of<InputError>([&] { scope(mass); }),
            "m.yaml:3:15: body 'rb1': 'mass' must be positive, found 0 = a - 3 for a = 3");
  scope.reset(Overrides{{"a", 5}});
  EXPECT_EQ(scope(mass), 2);
  EXPECT_EQ(test::message_of<InputError>([&] { whole(scope, count, "'n'"); }),
            "3:27: 'n' must be a whole number, found 2.5 = n for n = 2.5");
  EXPECT_EQ(whole(Scope(model, Overrides{{"n", 4}}), count, "'n'"), 4);
}

TEST(InputExpression, what_depends_on_a_parameter) {
  const Description model =
      read("parameters: {a: b*2, b: 1, c: 3}\nbodies:\n  rb1: {mass: c, at: [0, a, 0]}\n  rb2: {mass: 1, at: [c, 0, 0]}\n");
  const auto depends = [&](int body, const std::string& name) {
    return depends_on(model.section("bodies")[size_t(body)], model, std::vector{name});
  };
  EXPECT_TRUE(depends(0, "a"));
  EXPECT_TRUE(depends(0, "b"));
  EXPECT_TRUE(depends(0, "c"));
  EXPECT_FALSE(depends(1, "a"));
  EXPECT_FALSE(depends(1, "b"));
  EXPECT_TRUE(depends(1, "c"));
}

TEST(InputExpression, numbers_that_yaml_or_c_know_but_a_model_does_not) {
  for (const std::string text : {".inf", "-.inf", ".nan", "inf", "NaN", "-Infinity"})
    EXPECT_EQ(error_in(text), "m.yaml:2:6: parameter 'p' must be finite, found '" + text + "'");
  EXPECT_EQ(error_in("1_000"), "m.yaml:2:6: parameter 'p' has '1_000', which is neither a number nor a name");
  EXPECT_EQ(error_in("0x10"), "m.yaml:2:6: parameter 'p' has '0x10', which is neither a number nor a name");
  EXPECT_EQ(error_in("1e400"), "m.yaml:2:6: parameter 'p' has '1e400', which is out of the range of numbers");
  EXPECT_EQ(error_in("2*1e"), "m.yaml:2:8: parameter 'p' has '1e', which is neither a number nor a name");
}

TEST(InputExpression, unknown_names_are_pointed_at) {
  const std::string known = "parameters: {length: 1, width: 2}\nbodies:\n  rb1: {at: [0, 0, 0], mass: ";
  EXPECT_EQ(error_of(known + "2*lenght}\n"),
            "m.yaml:3:32: body 'rb1': 'mass' uses the unknown name 'lenght' (did you mean 'length'?)");
  EXPECT_EQ(error_of(known + "\"2*lenght\"}\n"),
            "m.yaml:3:33: body 'rb1': 'mass' uses the unknown name 'lenght' (did you mean 'length'?)");
  EXPECT_EQ(error_of(known + "sinn(width)}\n"),
            "m.yaml:3:30: body 'rb1': 'mass' uses the unknown name 'sinn' (did you mean 'sin'?)");
  EXPECT_EQ(error_of(known + "heavy}\n"), "m.yaml:3:30: body 'rb1': 'mass' uses the unknown name 'heavy'");
  EXPECT_EQ(error_of(known + "\"2*\\x6Cenght\"}\n"),
            "m.yaml:3:30: body 'rb1': 'mass' uses the unknown name 'lenght' (did you mean 'length'?)")
      << "with escapes only the scalar's own place is known";
}

TEST(InputExpression, units_are_not_written) {
  EXPECT_EQ(error_in("4 kg"),
            "m.yaml:2:8: parameter 'p' has 'kg' after a number (numbers are in SI units, without naming them; only deg or % may "
            "follow)");
}

TEST(InputExpression, broken_syntax_is_explained) {
  EXPECT_EQ(error_in("1 +"), "m.yaml:2:6: parameter 'p' ends too early");
  EXPECT_EQ(error_in("(1 + 2"), "m.yaml:2:6: parameter 'p' has a parenthesis that is not closed");
  EXPECT_EQ(error_in("1 + 2)"), "m.yaml:2:11: parameter 'p' has an unexpected ')'");
  EXPECT_EQ(error_in("1 2"), "m.yaml:2:8: parameter 'p' has an unexpected '2'");
  EXPECT_EQ(error_in("2**3"), "m.yaml:2:7: parameter 'p' has '**' (a power is written ^)");
  EXPECT_EQ(error_in("2 = 3"), "m.yaml:2:8: parameter 'p' has a single '=' (a comparison is written ==)");
  EXPECT_EQ(error_in("2 $ 3"), "m.yaml:2:8: parameter 'p' has an unexpected '$'");
  EXPECT_EQ(error_in("1 é"), "m.yaml:2:8: parameter 'p' has an unexpected character");
  EXPECT_EQ(error_in("1, 2"), "m.yaml:2:6: parameter 'p' must be one number, found several separated by commas");
  EXPECT_EQ(error_in("sin(1, 2)"), "m.yaml:2:14: parameter 'p' gives too many arguments to 'sin'");
  EXPECT_EQ(error_in("atan2(1)"), "m.yaml:2:13: parameter 'p' gives too few arguments to 'atan2'");
  EXPECT_EQ(error_in("sin"), "m.yaml:2:6: parameter 'p' has the function 'sin' without arguments in parentheses");
  EXPECT_EQ(error_in("\"\""), "m.yaml:2:6: parameter 'p' has no value");
  EXPECT_EQ(error_in("\"1 ? 2\""), "m.yaml:2:6: parameter 'p' has a '?' without its ':'");
  EXPECT_EQ(error_in(std::string(20'000, '1')),
            "m.yaml:2:6: parameter 'p' is too long for an expression: 20000 characters, at most 10000 are read");
}

TEST(InputExpression, time_is_refused_where_it_makes_no_sense) {
  EXPECT_EQ(error_in("2*t"), "m.yaml:2:8: parameter 'p' may not depend on the time t");
}

TEST(InputExpression, names_of_parameters_are_checked) {
  EXPECT_EQ(error_of("parameters: {2a: 1}\n"),
            "m.yaml:1:14: parameter '2a': a name has letters, digits and _ and does not begin with a digit");
  EXPECT_EQ(error_of("parameters: {a-b: 1}\n"),
            "m.yaml:1:14: parameter 'a-b': a name has letters, digits and _ and does not begin with a digit");
  EXPECT_EQ(error_of("parameters: {t: 1}\n"), "m.yaml:1:14: parameter 't': this name is reserved for time");
  for (const std::string name : {"pi", "e", "sin", "deg", "max", "inf"})
    EXPECT_EQ(error_of("parameters: {" + name + ": 1}\n"),
              "m.yaml:1:14: parameter '" + name + "': this name already has a meaning in expressions");
  EXPECT_EQ(error_of("parameters: {" + std::string(65, 'a') + ": 1}\n"),
            "m.yaml:1:14: parameter '" + std::string(65, 'a') + "': a name has at most 64 characters");
  EXPECT_EQ(error_of("parameters: {a: }\n"), "m.yaml:1:14: parameter 'a' has no value");
  EXPECT_EQ(error_of("parameters: {a: [1]}\n"), "m.yaml:1:17: parameter 'a' must be a number, found a list of 1");
  EXPECT_EQ(error_of("parameters: 3\n"), "m.yaml:1:13: 'parameters' must be a mapping of names, found '3'");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::input
