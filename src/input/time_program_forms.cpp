// What an expression of time is in a realization: a closed form, or a function that repeats itself.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "input/exponential_form.hpp"
#include "input/time_functions.hpp"
#include "input/time_program.hpp"

namespace aleator::core::input {

namespace {

constexpr double degree = std::numbers::pi / 180;

// fⁿ
std::optional<ExponentialForm> power(const ExponentialForm& f, double n) {
  if (!(n == 1 || n == 2 || n == 3 || n == 4)) return std::nullopt;
  ExponentialForm r = f;
  for (int k = 1; k < n; ++k) {
    std::optional<ExponentialForm> next = product(r, f);
    if (!next) return std::nullopt;
    r = std::move(*next);
  }
  return r;
}

// q of c + b t + q t²; nothing of other functions.
std::optional<double> quadratic_coefficient(const ExponentialForm& f) {
  if (f.is_line()) return 0.0;
  const ExponentialForm::Term& t = f.terms[0];
  if (f.terms.size() != 1 || t.power != 2 || t.rate != 0.0 || t.bend != 0.0 || t.amplitude.imag() != 0) return std::nullopt;
  return t.amplitude.real();
}

// g(f) where f is a line or a parabola: of a sine, a cosine or an exponential; g(f) = factor f of degrees.
std::optional<ExponentialForm> of_polynomial(std::string_view g, const ExponentialForm& f) {
  if (g == "deg") return degree * f;
  const std::optional<double> q = quadratic_coefficient(f);
  if (!q) return std::nullopt;
  if (g == "sin") return sine_form(f.slope, f.constant, *q);
  if (g == "cos") return sine_form(f.slope, f.constant + std::numbers::pi / 2, *q);
  if (g == "exp") return ExponentialForm{0, 0, {{std::exp(f.constant), f.slope, 0, *q}}};
  return std::nullopt;
}

}  // namespace

std::optional<ExponentialForm> TimeProgram::exponentials(std::span<const double> parameters) const {
  return exponentials_of(result_, parameters);
}
std::optional<ExponentialForm> TimeProgram::switch_exponentials(int number, std::span<const double> parameters) const {
  return exponentials_of(switches_[std::size_t(number)], parameters);
}

std::optional<ExponentialForm> TimeProgram::exponentials_of(int last, std::span<const double> parameters) const {
  thread_local Work work;
  const std::size_t count = std::size_t(last) + 1;
  run_constants(count, parameters, 1, work);
  std::vector<ExponentialForm> forms(count);
  std::vector<char> known(count, 1);
  for (std::size_t k = 0; k < count; ++k) {
    const Node& node = nodes_[k];
    if (!node.of_time) {
      forms[k].constant = *work.values[k];
      continue;
    }
    const auto usable = [&](int i) { return i < 0 || known[std::size_t(i)]; };
    std::optional<ExponentialForm> form;
    if (node.op == Op::time) {
      form = ExponentialForm{0, 1, {}};
    } else if (usable(node.a) && usable(node.b)) {
      const ExponentialForm &a = forms[std::size_t(std::max(node.a, 0))], &b = forms[std::size_t(std::max(node.b, 0))];
      const bool fixed_a = node.a >= 0 && !nodes_[std::size_t(node.a)].of_time;
      const bool fixed_b = node.b >= 0 && !nodes_[std::size_t(node.b)].of_time;
      if (node.op == Op::negate) form = -1.0 * a;
      if (node.op == Op::add) form = a + b;
      if (node.op == Op::subtract) form = a + -1.0 * b;
      if (node.op == Op::multiply) form = product(a, b);
      if (node.op == Op::divide && fixed_b && b.constant != 0) form = (1 / b.constant) * a;
      if (node.op == Op::power && fixed_b) form = power(a, b.constant);
      if (node.op == Op::power && fixed_a && a.constant > 0) form = of_polynomial("exp", std::log(a.constant) * b);
      if (node.op == Op::function) form = of_polynomial(node.function->name, a);
    }
    known[k] = form.has_value();
    if (form) forms[k] = std::move(*form);
  }
  if (!known.back()) return std::nullopt;
  return std::move(forms.back());
}

// In a realization: slope t + a function whose angular frequencies are multiples of these, or exp(growth t) times such a function.
struct TimeProgram::Oscillation {
  bool known = true;
  double slope = 0, growth = 0;
  std::vector<double> rates = {};
};

namespace {

// x = p/q, q at most 60, to the rounding of x.
struct Fraction {
  double p, q;
};
std::optional<Fraction> fraction(double x) {
  for (double q = 1; q <= 60; ++q)
    if (const double p = std::round(x * q); std::fabs(x * q - p) <= 1e-15 * p) return Fraction{p, q};
  return std::nullopt;
}

// All of them are multiples of one.
std::optional<double> common_period(const std::vector<double>& rates) {
  if (rates.empty()) return std::nullopt;
  const double least = *std::min_element(rates.begin(), rates.end());
  double q = 1;  // the period has so many of the slowest
  for (const double w : rates) {
    const std::optional<Fraction> f = fraction(w / least);
    if (!f || !std::isfinite(w)) return std::nullopt;
    q = std::lcm(long(q), long(f->q));
    if (q > 1000) return std::nullopt;
  }
  return 2 * std::numbers::pi * q / least;
}

}  // namespace

// Of operands that repeat themselves everything does. A line may be added, and taken away again.
std::optional<Repetition> TimeProgram::repetition(std::span<const double> parameters) const {
  thread_local Work work;
  const std::size_t count = std::size_t(result_) + 1;
  run_constants(count, parameters, 1, work);
  std::vector<Oscillation> all(count);
  for (std::size_t k = 0; k < count; ++k) {
    const Node& node = nodes_[k];
    if (!node.of_time) continue;
    Oscillation& r = all[k];
    r.slope = node.op == Op::time ? 1 : 0;
    bool is_bounded = true, is_steady = true;  // no operand has a slope; none grows
    for (const int i : {node.a, node.b, node.c})
      if (i >= 0) {
        const Oscillation& x = all[std::size_t(i)];
        r.known = r.known && x.known;
        r.rates.insert(r.rates.end(), x.rates.begin(), x.rates.end());
        is_bounded = is_bounded && x.slope == 0;
        is_steady = is_steady && x.growth == 0;
      }
    r.known = r.known && (is_bounded || is_steady);
    if (!is_bounded && r.known) add_line(node, work.values.data(), all, r);
    if (!is_steady && r.known) add_growth(node, work.values.data(), all, r);
  }
  // What decays may do so to a number that is added at last.
  const Node& last = nodes_[count - 1];
  const auto is_fixed = [&](int i) { return !nodes_[std::size_t(i)].of_time; };
  int decaying = result_;
  double offset = 0;
  if ((last.op == Op::add || last.op == Op::subtract) && !all.back().known) {
    if (is_fixed(last.a)) decaying = last.b, offset = *work.values[std::size_t(last.a)];
    if (is_fixed(last.b)) decaying = last.a, offset = (last.op == Op::add ? 1 : -1) * *work.values[std::size_t(last.b)];
  }
  const Oscillation& r = all[std::size_t(decaying)];
  const bool does = r.known && r.slope == 0 && (offset == 0 || r.growth < 0);
  const std::optional<double> period = does ? common_period(r.rates) : std::nullopt;
  return period ? std::optional<Repetition>({*period, r.growth, offset}) : std::nullopt;
}

// An operand has a slope: sin, cos and tan of it repeat themselves, floor(u) = u − a saw tooth, exp of it grows or decays.
void TimeProgram::add_line(const Node& node, const double* const* values, const std::vector<Oscillation>& all,
                           Oscillation& r) const {
  const double a = all[std::size_t(node.a)].slope, b = node.b < 0 ? 0 : all[std::size_t(node.b)].slope;
  const auto is_fixed = [&](int i) { return !nodes_[std::size_t(i)].of_time; };
  const auto value = [&](int i) { return *values[i]; };
  const std::string_view function = node.op == Op::function ? node.function->name : std::string_view();
  if (node.op == Op::negate)
    r.slope = -a;
  else if (node.op == Op::add)
    r.slope = a + b;
  else if (node.op == Op::subtract)
    r.slope = a - b;
  else if (node.op == Op::multiply && is_fixed(node.a))
    r.slope = value(node.a) * b;
  else if (node.op == Op::multiply && is_fixed(node.b))
    r.slope = a * value(node.b);
  else if (node.op == Op::divide && is_fixed(node.b))
    r.slope = a / value(node.b);
  else if (function == "deg")
    r.slope = a * degree;
  else if (function == "sin" || function == "cos" || function == "tan")
    r.rates.push_back(std::fabs(a));
  else if (function == "floor" || function == "ceil")
    r.slope = a, r.rates.push_back(2 * std::numbers::pi * std::fabs(a));
  else if (function == "exp")
    r.growth = a;
  else if (node.op == Op::power && is_fixed(node.a) && value(node.a) > 0)
    r.growth = std::log(value(node.a)) * b;
  else
    r.known = false;
}

// An operand grows or decays. What is larger, and which sign it has, is the same in all periods if all operands do so alike; zero does
// as any other.
void TimeProgram::add_growth(const Node& node, const double* const* values, const std::vector<Oscillation>& all,
                             Oscillation& r) const {
  const auto growth = [&](int i) { return i < 0 ? 0 : all[std::size_t(i)].growth; };
  const auto is_fixed = [&](int i) { return !nodes_[std::size_t(i)].of_time; };
  const auto is_zero = [&](int i) { return is_fixed(i) && *values[i] == 0; };
  const double a = growth(node.a), b = growth(node.b);
  const auto common = [&](int i, int j) -> double {  // of two operands
    if (is_zero(i)) return growth(j);
    if (!is_zero(j) && growth(i) != growth(j)) r.known = false;
    return growth(i);
  };
  const std::string_view function = node.op == Op::function ? node.function->name : std::string_view();
  switch (node.op) {
    case Op::negate:
      r.growth = a;
      break;
    case Op::multiply:
      r.growth = a + b;
      break;
    case Op::divide:
      r.growth = a - b;
      break;
    case Op::add:
    case Op::subtract:
    case Op::smaller:
    case Op::larger:
      r.growth = common(node.a, node.b);
      break;
    case Op::less:
    case Op::greater:
    case Op::at_most:
    case Op::at_least:
    case Op::equal:
    case Op::differs:
      common(node.a, node.b);
      break;
    case Op::both:
    case Op::either:
      break;
    case Op::select:
      r.growth = common(node.b, node.c);
      break;
    case Op::power:
      r.known = is_fixed(node.b);
      r.growth = a * *values[node.b];
      break;
    case Op::function:
      if (function == "abs" || function == "deg") r.growth = a;
      if (function == "sqrt") r.growth = 0.5 * a;
      r.known = function == "abs" || function == "deg" || function == "sqrt" || function == "sign";
      break;
    default:
      r.known = false;
  }
}

}  // namespace aleator::core::input
