#include "numerics/incomplete_gamma.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "base/wide.hpp"
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

// What functions of one a have in common.
struct Shape {
  explicit Shape(double shape) : a(shape), log_gamma_above(log_gamma(shape + 1)), stirling(stirling_error(shape)) {}
  double a, log_gamma_above, stirling;

  // xᵃ e⁻ˣ / Γ(a + 1). Of large a the powers cancel: a ln x − x − ln Γ(a + 1) = −a (t − ln(1 + t)) − …, t = x/a − 1 (Loader 2000).
  double front(double x) const {
    if (!(x > 0)) return 0;
    if (a < 16 || x < 0.1 * a) return std::exp(a * std::log(x) - x - log_gamma_above);
    return std::exp(-a * minus_log((x - a) / a) - stirling) / std::sqrt(2 * std::numbers::pi * a);
  }
};

// Eight sums at once; one that has ended stays as it is.
constexpr std::size_t at_once = 8;
using Eight = double __attribute__((vector_size(64), may_alias));
using EightFlags = std::int64_t __attribute__((vector_size(64)));
struct alignas(64) Lanes {
  double of[at_once];
};
constexpr int before_asking = 4;  // terms: to ask whether all sums have ended takes as long as a few of them

// P(a, x) = xᵃ e⁻ˣ / Γ(a+1) · (1 + x/(a+1) + x²/((a+1)(a+2)) + …), good for x < a + 1 (Abramowitz & Stegun 6.5.29): the sum.
ALEATOR_WIDE void lower_series(double a, const Lanes& arguments, Lanes& sums) {
  const Eight x = *reinterpret_cast<const Eight*>(arguments.of);
  Eight term = Eight{} + 1.0, sum = Eight{} + 1.0;
  for (int n = 1; n < most_terms; n += before_asking) {
    EightFlags going{};
    for (int k = 0; k < before_asking; ++k) {
      going = term > epsilon * sum;
      const Eight next = term * (x / (a + (n + k)));
      sum = going ? sum + next : sum;
      term = going ? next : term;
    }
    std::int64_t any = 0;
    for (std::size_t lane = 0; lane < at_once; ++lane) any |= going[lane];
    if (any == 0) break;
  }
  *reinterpret_cast<Eight*>(sums.of) = sum;
}

// Q(a, x) = a xᵃ e⁻ˣ / Γ(a+1) times a continued fraction (6.5.31), by Lentz's method; good for x > a + 1.
ALEATOR_WIDE void upper_fraction(double a, const Lanes& arguments, Lanes& fractions) {
  Eight b = *reinterpret_cast<const Eight*>(arguments.of) + 1.0 - a;
  Eight c = Eight{} + std::numeric_limits<double>::max(), d = 1.0 / b, fraction = d, factor{};
  for (int n = 1; n < most_terms; n += before_asking) {
    EightFlags going{};
    for (int k = 0; k < before_asking; ++k) {
      const Eight gap = factor - 1.0;
      going = (gap > epsilon) | (gap < -epsilon);
      const double numerator = -(n + k) * ((n + k) - a);
      b += 2.0;
      d = 1.0 / (numerator * d + b);
      c = b + numerator / c;
      factor = going ? c * d : factor;
      fraction = going ? fraction * factor : fraction;
    }
    std::int64_t any = 0;
    for (std::size_t lane = 0; lane < at_once; ++lane) any |= going[lane];
    if (any == 0) break;
  }
  *reinterpret_cast<Eight*>(fractions.of) = fraction;
}

// Of one x, with its front.
IncompleteGamma from_sum(const Shape& s, double x, double sum, double front) {
  if (x < s.a + 1) {
    const double lower = sum * front;
    return {lower, 1 - lower};
  }
  const double upper = sum * s.a * front;
  return {1 - upper, upper};
}

// Where the search begins: its cube root is nearly normal (Wilson & Hilferty 1931); far below, P is nearly a power.
double first_guess(const Shape& s, double lower, double upper) {
  const double a = s.a, z = lower < upper ? lower_normal_quantile(lower) : -lower_normal_quantile(upper);
  const double root = 1 - 1 / (9 * a) + z / (3 * std::sqrt(a));
  if (!(root < 0.4 || a < 0.5)) return a * root * root * root;
  const double power = std::exp((std::log(lower) + s.log_gamma_above) / a);
  return lower < upper || power < a ? power : a + 1 - std::log(upper);
}

// Newton's method on the logarithm of the smaller tail, which is nearly straight far out: ln P over ln x, ln Q over x.
struct Search {
  Search(const Shape& s, double lower, double upper)
      : from_below(lower < upper), wanted(std::log(from_below ? lower : upper)), x(first_guess(s, lower, upper)) {}
  bool from_below;
  double wanted, below = 0, above = std::numeric_limits<double>::infinity();  // of x, by the values seen
  double x;
  int steps = 0;

  // With the sum of the series at x, or the fraction. Whether it has ended.
  bool step(const Shape& s, double sum) {
    const double front = s.front(x);
    const IncompleteGamma there = from_sum(s, x, sum, front);
    const double tail = from_below ? there.lower : there.upper;
    const double gap = std::log(tail) - wanted, slope = front * s.a / x / tail;
    (from_below == (gap > 0) ? above : below) = x;
    double next = from_below ? x * std::exp(-gap / (slope * x)) : x + gap / slope;
    const bool inside = next >= below && next <= above && next < 10 * x;
    if (!inside) next = std::isfinite(above) ? below > 0 ? std::sqrt(below * above) : 0.1 * x : 10 * x;
    const double size = std::abs(next - x);
    x = next;
    if (inside && size < 1e-8 * x) return true;  // the next step would be its square
    return (std::isfinite(above) && above - below <= 2 * epsilon * above) || ++steps == 200 || !(x > 0);
  }
};

double sum_at(const Shape& s, double x) {
  Lanes in, out;
  std::fill(std::begin(in.of), std::end(in.of), x);
  x < s.a + 1 ? lower_series(s.a, in, out) : upper_fraction(s.a, in, out);
  return out.of[0];
}

}  // namespace

IncompleteGamma incomplete_gamma(double a, double x) {
  if (!(x > 0)) return {0, 1};
  const Shape s(a);
  return from_sum(s, x, sum_at(s, x), s.front(x));
}

double gamma_density(double a, double x) {
  if (x > 0) return Shape(a).front(x) * a / x;
  return a < 1 ? std::numeric_limits<double>::infinity() : a == 1 ? 1 : 0;
}

double incomplete_gamma_inverse(double a, double lower, double upper) {
  double x = 0;
  incomplete_gamma_inverse(a, {&lower, 1}, {&upper, 1}, {&x, 1});
  return x;
}

// Searches that have not ended take a step together: those below a + 1 by the series, eight at a time, then the others by the fraction.
void incomplete_gamma_inverse(double a, std::span<const double> lower, std::span<const double> upper, std::span<double> x) {
  const Shape shape(a);
  static thread_local std::vector<Search> searches;
  static thread_local std::vector<std::size_t> going, left, sides[2];
  searches.clear(), going.clear();
  for (std::size_t i = 0; i < lower.size(); ++i) {
    searches.emplace_back(shape, lower[i], upper[i]);
    if (searches[i].x > 0) going.push_back(i);
  }
  while (!going.empty()) {
    left.clear();
    for (std::vector<std::size_t>& side : sides) side.clear();
    for (const std::size_t i : going) sides[searches[i].x < a + 1 ? 0 : 1].push_back(i);
    for (const bool by_series : {true, false}) {
      const std::vector<std::size_t>& side = sides[by_series ? 0 : 1];
      for (std::size_t first = 0; first < side.size(); first += at_once) {
        const std::size_t own = std::min(at_once, side.size() - first);
        Lanes in, sums;
        for (std::size_t k = 0; k < at_once; ++k) in.of[k] = searches[side[first + std::min(k, own - 1)]].x;
        by_series ? lower_series(a, in, sums) : upper_fraction(a, in, sums);
        for (std::size_t k = 0; k < own; ++k)
          if (const std::size_t i = side[first + k]; !searches[i].step(shape, sums.of[k])) left.push_back(i);
      }
    }
    going.swap(left);
  }
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = searches[i].x;
}

}  // namespace aleator::core
