#include "numerics/periodic.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

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

PiecewisePolynomial repeated(const PiecewisePolynomial& one, double duration) {
  const double period = one.knots.back(), end = duration * (1 - same_time);
  const std::size_t n = std::size_t(one.pieces());
  const double periods = duration / period;
  if (!(periods * double(n) <= double(most_pieces)))
    throw std::domain_error("the function of time needs more than 200000 pieces: " + piecewise::in_words(periods, 4) +
                            " periods of " + piecewise::in_words(double(n)));
  PiecewisePolynomial r{{0.0}, one.degree, one.coefficients, {}, {}};
  const std::size_t about = std::size_t(periods + 2) * n;
  r.knots.reserve(about), r.series.reserve(about);
  for (double k = 0; r.knots.back() < end; ++k)
    for (std::size_t i = 0; i < n && r.knots.back() < end; ++i) {
      const double next = i + 1 < n ? k * period + one.knots[i + 1] : (k + 1) * period;
      if (!(next > r.knots.back())) continue;  // narrower than the rounding of t
      r.knots.push_back(next), r.series.push_back(int(i));
    }

  std::vector<char> breaks(n, 0);  // [pieces of one] at their beginning
  for (const double t : one.breakpoints)
    breaks[std::size_t(std::lower_bound(one.knots.begin(), one.knots.end(), t) - one.knots.begin())] = 1;
  breaks[0] = piecewise::jumps(r, int(n), largest_coefficient(one));
  for (std::size_t i = 1; i < r.series.size(); ++i)
    if (breaks[std::size_t(r.series[i])]) r.breakpoints.push_back(r.knots[i]);
  return r;
}

std::optional<PiecewisePolynomial> first_period(const PiecewisePolynomial& function, double period) {
  if (function.series.empty()) return std::nullopt;
  const std::size_t n = function.coefficients.size() / std::size_t(function.degree + 1);
  const double old = function.knots[n], factor = period / old;
  PiecewisePolynomial r{{}, function.degree, function.coefficients, {}, {}};
  for (std::size_t i = 0; i < n; ++i) r.knots.push_back(factor * function.knots[i]);
  r.knots.push_back(period);
  for (const double t : function.breakpoints)
    if (t < old) r.breakpoints.push_back(factor * t);
  return r;
}

}  // namespace aleator::core
