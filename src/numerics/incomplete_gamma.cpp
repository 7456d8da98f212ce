#include "numerics/incomplete_gamma.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "numerics/normal_quantile.hpp"

namespace aleator::core {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int most_terms = 1000000;  // the series and the fraction need some √a of them

double log_gamma(double x) {
  int sign;
  return ::lgamma_r(x, &sign);  // std::lgamma writes a global variable
}

// ln Γ(a + 1) − (a + ½) ln a + a − ½ ln 2π (Abramowitz & Stegun 6.1.41), exact to round-off from 16 on.
double stirling_error(double a) {
  const double y = 1 / (a * a);
  return (1.0 / 12 - y * (1.0 / 360 - y * (1.0 / 1260 - y * (1.0 / 1680 - y / 1188)))) / a;
}

// t − ln(1 + t), also where both nearly cancel: with r = t/(2 + t), ln(1 + t) = 2 (r + r³/3 + r⁵/5 + …) and t − 2r = r t.
double minus_log(double t) {
  if (std::abs(t) > 0.2) return t - std::log1p(t);
  const double r = t / (2 + t), square = r * r;
  double term = r * square, sum = 0;
  for (int n = 3; std::abs(term) > epsilon / 16 * std::abs(r * t) && n < 60; n += 2, term *= square) sum += term / n;
  return r * t - 2 * sum;
}

// xᵃ e⁻ˣ / Γ(a + 1). Of large a the powers cancel: a ln x − x − ln Γ(a + 1) = −a (t − ln(1 + t)) − …, t = x/a − 1 (Loader 2000).
double front(double a, double x) {
  if (!(x > 0)) return 0;
  if (a < 16 || x < 0.1 * a) return std::exp(a * std::log(x) - x - log_gamma(a + 1));
  return std::exp(-a * minus_log((x - a) / a) - stirling_error(a)) / std::sqrt(2 * std::numbers::pi * a);
}

// P(a, x) = xᵃ e⁻ˣ / Γ(a+1) · (1 + x/(a+1) + x²/((a+1)(a+2)) + …), good for x < a + 1 (Abramowitz & Stegun 6.5.29).
double lower_by_series(double a, double x) {
  double term = 1, sum = 1;
  for (int n = 1; term > epsilon * sum && n < most_terms; ++n) sum += term *= x / (a + n);
  return sum * front(a, x);
}

// Q(a, x) as a continued fraction (6.5.31), by Lentz's method; good for x > a + 1.
double upper_by_fraction(double a, double x) {
  double b = x + 1 - a, c = std::numeric_limits<double>::max(), d = 1 / b, fraction = d, factor = 0;
  for (int n = 1; std::abs(factor - 1) > epsilon && n < most_terms; ++n) {
    const double numerator = -n * (n - a);
    b += 2;
    d = 1 / (numerator * d + b);
    c = b + numerator / c;
    fraction *= factor = c * d;
  }
  return fraction * a * front(a, x);
}

// Where the search begins: its cube root is nearly normal (Wilson & Hilferty 1931); far below, P is nearly a power.
double first_guess(double a, double lower, double upper) {
  const double z = lower < upper ? lower_normal_quantile(lower) : -lower_normal_quantile(upper);
  const double root = 1 - 1 / (9 * a) + z / (3 * std::sqrt(a));
  const double power = std::exp((std::log(lower) + log_gamma(a + 1)) / a);
  if (root < 0.4 || a < 0.5) return lower < upper || power < a ? power : a + 1 - std::log(upper);
  return a * root * root * root;
}

}  // namespace

IncompleteGamma incomplete_gamma(double a, double x) {
  if (!(x > 0)) return {0, 1};
  if (x < a + 1) {
    const double lower = lower_by_series(a, x);
    return {lower, 1 - lower};
  }
  const double upper = upper_by_fraction(a, x);
  return {1 - upper, upper};
}

double gamma_density(double a, double x) {
  if (x > 0) return front(a, x) * a / x;
  return a < 1 ? std::numeric_limits<double>::infinity() : a == 1 ? 1 : 0;
}

// On the logarithm of the smaller tail, which is nearly straight far out: ln P over ln x, ln Q over x.
double incomplete_gamma_inverse(double a, double lower, double upper) {
  const bool from_below = lower < upper;
  const double wanted = std::log(from_below ? lower : upper);
  double below = 0, above = std::numeric_limits<double>::infinity();  // of x, by the values seen
  double x = first_guess(a, lower, upper);
  for (int i = 0; i < 200 && x > 0; ++i) {
    const IncompleteGamma there = incomplete_gamma(a, x);
    const double tail = from_below ? there.lower : there.upper;
    const double gap = std::log(tail) - wanted, slope = gamma_density(a, x) / tail;
    (from_below == (gap > 0) ? above : below) = x;
    double next = from_below ? x * std::exp(-gap / (slope * x)) : x + gap / slope;
    const bool inside = next >= below && next <= above && next < 10 * x;
    if (!inside) next = std::isfinite(above) ? below > 0 ? std::sqrt(below * above) : 0.1 * x : 10 * x;
    const double step = std::abs(next - x);
    x = next;
    if (inside && step < 1e-8 * x) break;  // the next step would be its square
    if (std::isfinite(above) && above - below <= 2 * epsilon * above) break;
  }
  return x;
}

}  // namespace aleator::core
