#include "numerics/piecewise.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "numerics/exponentials.hpp"

namespace aleator::core {

int find_piece(const PiecewisePolynomial& function, double t, Side side, int hint) {
  const std::vector<double>& knots = function.knots;
  const int last = function.pieces() - 1;
  const auto holds = [&](int i) {
    return side == Side::right ? knots[i] <= t && t < knots[i + 1] : knots[i] < t && t <= knots[i + 1];
  };
  if (hint >= 0 && hint <= last && holds(hint)) return hint;
  if (hint >= 0 && hint < last && holds(hint + 1)) return hint + 1;
  // Pieces of equal width, as those of generated processes, are where their number says.
  const double width = (knots.back() - knots.front()) / (last + 1), place = (t - knots.front()) / width;
  if (place >= 0 && place < last) {
    const int guess = static_cast<int>(place);
    if (holds(guess)) return guess;
    if (holds(guess + 1)) return guess + 1;
    if (guess > 0 && holds(guess - 1)) return guess - 1;
  }
  const auto at =
      side == Side::right ? std::upper_bound(knots.begin(), knots.end(), t) : std::lower_bound(knots.begin(), knots.end(), t);
  return std::clamp(static_cast<int>(at - knots.begin()) - 1, 0, last);
}

Jet<double> evaluate(const PiecewisePolynomial& function, double t, Side side) {
  const int i = find_piece(function, t, side);
  return evaluate(function.of_piece(i), function.degree, place_in_piece(function, i, t),
                  function.knots[i + 1] - function.knots[i]);
}

PiecewisePolynomial constant(double value) { return {{0.0, 1.0}, 0, {value}, {}}; }

PiecewisePolynomial ramp(double t0, double t1, double base, double height) {
  const double x[] = {t0, t1}, y[] = {base, base + height};
  return piecewise_linear(x, y);
}

PiecewisePolynomial piecewise_linear(std::span<const double> x, std::span<const double> y) {
  if (x.empty() || x.size() != y.size()) throw std::invalid_argument("piecewise_linear: as many x as y, at least one");
  if (x.size() == 1) return constant(y[0]);
  for (std::size_t i = 1; i < x.size(); ++i)
    if (!(x[i - 1] < x[i])) throw std::invalid_argument("piecewise_linear: x must rise");

  PiecewisePolynomial r;
  r.degree = 1;
  const double margin = x.back() - x.front();  // width of the constant pieces at the ends; any will do
  r.knots.push_back(x.front() - margin);
  r.coefficients = {y.front(), 0.0};
  double slope_before = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool last = i + 1 == x.size();
    const double slope = last ? 0.0 : (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
    r.knots.push_back(x[i]);
    if (slope != slope_before) r.breakpoints.push_back(x[i]);
    slope_before = slope;
    if (last) break;
    r.coefficients.push_back(0.5 * y[i] + 0.5 * y[i + 1]);
    r.coefficients.push_back(0.5 * y[i + 1] - 0.5 * y[i]);
  }
  r.coefficients.insert(r.coefficients.end(), {y.back(), 0.0});
  r.knots.push_back(x.back() + margin);
  return r;
}

PiecewisePolynomial polynomial(std::span<const double> c, double t0, double t1) {
  if (!(t0 < t1)) throw std::invalid_argument("polynomial: empty interval");
  // Horner in the Chebyshev basis: p <- c_k + t p with t = middle + half s, s T_j = (T_{j-1} + T_{j+1})/2, s T_0 = T_1.
  const double middle = 0.5 * (t0 + t1), half = 0.5 * (t1 - t0);
  const int degree = std::max<int>(0, static_cast<int>(c.size()) - 1);
  std::vector<double> p(degree + 2, 0.0);
  for (int k = static_cast<int>(c.size()) - 1; k >= 0; --k) {
    std::vector<double> q(degree + 2, 0.0);
    for (int j = 0; j <= degree; ++j) {
      q[j] += middle * p[j];
      if (j == 0) q[1] += half * p[0];
      if (j > 0) q[j - 1] += 0.5 * half * p[j];
      if (j > 0) q[j + 1] += 0.5 * half * p[j];
    }
    q[0] += c[k];
    p = q;
  }
  p.resize(degree + 1);
  return {{t0, t1}, degree, p, {}};
}

PiecewisePolynomial sine(double amplitude, double frequency, double phase, double offset, double duration,
                         const PiecewisePolynomial* like) {
  const double omega = 2.0 * std::numbers::pi * frequency;
  if (like) {
    const Exponentials f{offset, 0, {{{amplitude * std::sin(phase), -amplitude * std::cos(phase)}, {0, omega}}}};
    if (std::optional<PiecewisePolynomial> r = refit(f, *like)) return std::move(*r);
  }
  return fit([=](double t) { return offset + amplitude * std::sin(omega * t + phase); }, 0.0, duration);
}

}  // namespace aleator::core
