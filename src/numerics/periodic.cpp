#include "numerics/periodic.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/array_functions.hpp"
#include "numerics/piecewise_pieces.hpp"

namespace aleator::core {

namespace {

constexpr std::size_t most_pieces = 200'000;  // as a fit has
constexpr double same_time = 1e-12;           // of the duration: a knot nearer to the end than that is the end

double largest_coefficient(const PiecewisePolynomial& f) {
  double r = 0;
  for (const double c : f.coefficients) r = std::max(r, std::fabs(c));
  return r;
}

}  // namespace

namespace {

// Knots and series of all periods, and in which one each piece is.
std::vector<int> repeat(const PiecewisePolynomial& one, double duration, PiecewisePolynomial& r) {
  const double period = one.knots.back(), end = duration * (1 - same_time);
  const std::size_t n = std::size_t(one.pieces()), about = std::size_t(duration / period + 2) * n;
  std::vector<int> number;
  r.knots.reserve(about), r.series.reserve(about), number.reserve(about);
  for (int k = 0; r.knots.back() < end; ++k)
    for (std::size_t i = 0; i < n && r.knots.back() < end; ++i) {
      const double next = i + 1 < n ? k * period + one.knots[i + 1] : (k + 1) * period;
      if (!(next > r.knots.back())) continue;  // narrower than the rounding of t
      r.knots.push_back(next), r.series.push_back(int(i)), number.push_back(k);
    }
  return number;
}

// exp(growth k period), k = 0, 1 ...
std::vector<double> factors(double growth, double period, int count) {
  std::vector<double> r(std::size_t(count), 1.0);
  if (growth == 0) return r;
  for (std::size_t k = 0; k < r.size(); ++k) r[k] = growth * (double(k) * period);
  exponentials(r.data(), r.data(), r.size());
  return r;
}

// Each piece has coefficients of its own.
void scale(PiecewisePolynomial& r, const std::vector<int>& number, const std::vector<double>& factor, double offset) {
  const std::size_t width = std::size_t(r.degree) + 1;
  std::vector<double> own(width * r.series.size());
  double* to = own.data();
  for (std::size_t i = 0; i < r.series.size(); ++i) {
    const double* const from = r.of_piece(int(i));
    const double by = factor[std::size_t(number[i])];
    *to++ = offset + by * (from[0] - offset);
    for (std::size_t k = 1; k < width; ++k) *to++ = by * from[k];
  }
  r.coefficients = std::move(own);
  r.series.clear();
}

}  // namespace

PiecewisePolynomial repeated(const PiecewisePolynomial& one, double duration, double growth, double offset) {
  const double period = one.knots.back(), periods = duration / period;
  const std::size_t n = std::size_t(one.pieces());
  if (!(periods * double(n) <= double(most_pieces)))
    throw std::domain_error("the function of time needs more than 200000 pieces: " + piecewise::in_words(periods, 4) +
                            " periods of " + piecewise::in_words(double(n)));
  PiecewisePolynomial r{{0.0}, one.degree, one.coefficients, {}, {}, one.pieces()};
  const std::vector<int> number = repeat(one, duration, r);
  const std::vector<int> series = r.series;
  const std::vector<double> factor = factors(growth, period, number.back() + 1);
  if (growth != 0) scale(r, number, factor, offset);

  // Jumps at the beginning of pieces, as they are in the first period, or after it; those that have decayed to nothing are none.
  const double first_size = largest_coefficient(one), size = first_size * std::max(1.0, factor.back());
  std::vector<double> jump(n, 0.0);
  for (const double t : one.breakpoints) {
    const auto i = std::lower_bound(one.knots.begin(), one.knots.end(), t) - one.knots.begin();
    jump[std::size_t(i)] = std::max(first_size, piecewise::jump(one, int(i)));
  }
  if (const double between = piecewise::jump(r, int(n)); between > first_size * factor[1]) jump[0] = between / factor[1];
  for (std::size_t i = 1; i < series.size(); ++i)
    if (const double x = jump[std::size_t(series[i])]; x > 0 && x * factor[std::size_t(number[i])] >= size)
      r.breakpoints.push_back(r.knots[i]);
  return r;
}

std::optional<PiecewisePolynomial> first_period(const PiecewisePolynomial& function, double period) {
  if (function.of_period == 0) return std::nullopt;
  const std::size_t n = std::size_t(function.of_period);
  const double old = function.knots[n], factor = period / old;
  const auto end = function.coefficients.begin() + std::ptrdiff_t(n * (std::size_t(function.degree) + 1));
  PiecewisePolynomial r{{}, function.degree, {function.coefficients.begin(), end}, {}, {}};
  for (std::size_t i = 0; i < n; ++i) r.knots.push_back(factor * function.knots[i]);
  r.knots.push_back(period);
  for (const double t : function.breakpoints)
    if (t < old) r.breakpoints.push_back(factor * t);
  return r;
}

}  // namespace aleator::core
