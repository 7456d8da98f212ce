// Functions of time as piecewise polynomials, evaluated with their first two derivatives.
//
// On piece i the function is a Chebyshev series in the place s of t within the piece,
//
//        f(t) = sum_k c_k T_k(s),     s = (t - (a + b)/2) / ((b - a)/2),     a = knots[i], b = knots[i + 1],
//
// which keeps f'' accurate at degrees where powers of t would not. The first and the last piece extend outwards.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "numerics/scalar.hpp"

namespace aleator::core {

template <class T>
struct Jet {
  T f, d1, d2;  // value, first and second derivative with respect to time
};

struct PiecewisePolynomial {
  std::vector<double> knots;         // [pieces + 1] rising
  int degree = 0;                    // of every piece
  std::vector<double> coefficients;  // [series][degree + 1] Chebyshev
  std::vector<double> breakpoints;   // the knots at which f, f' or f'' jumps: an integrator lands there
  std::vector<int> series = {};      // [pieces] which one a piece has: periods share theirs. Empty: each its own, in their order
  int of_period = 0;                 // pieces after which they come again, up to a factor; 0: they do not

  int pieces() const { return static_cast<int>(knots.size()) - 1; }
  // Of its coefficients among those of all.
  int offset(int piece) const { return (series.empty() ? piece : series[piece]) * (degree + 1); }
  const double* of_piece(int piece) const { return coefficients.data() + offset(piece); }
};

// They differ by their coefficients alone.
inline bool same_pieces(const PiecewisePolynomial& a, const PiecewisePolynomial& b) {
  return a.degree == b.degree && a.knots == b.knots && a.series == b.series;
}

enum class Side { left, right };  // which limit at a knot

// The piece that holds t; at a knot the one on the given side. The hint is tried first.
int find_piece(const PiecewisePolynomial& function, double t, Side side = Side::right, int hint = 0);

// The place s of t in a piece, -1 to 1.
inline double place_in_piece(const PiecewisePolynomial& function, int piece, double t) {
  const double a = function.knots[piece], b = function.knots[piece + 1];
  return (t - a - (b - t)) / (b - a);
}

// For kernels: coefficients of one piece (they may differ between lanes), place s and width b - a of the piece.
// Clenshaw's recurrence for the series, differentiated twice:
//        b_k = c_k + 2 s b_{k+1} - b_{k+2},   b'_k = 2 b_{k+1} + 2 s b'_{k+1} - b'_{k+2},   b''_k = 4 b'_{k+1} + ...
template <class T, class S>
ALEATOR_HD Jet<T> evaluate(const T* coefficients, int degree, S s, S width) {
  T b1(0.0), b2(0.0), p1(0.0), p2(0.0), q1(0.0), q2(0.0);  // b, b', b'' with indices k+1 and k+2
  for (int k = degree; k >= 1; --k) {
    const T b = coefficients[k] + (2.0 * s * b1 - b2);
    const T p = 2.0 * b1 + (2.0 * s * p1 - p2);
    const T q = 4.0 * p1 + (2.0 * s * q1 - q2);
    b2 = b1, p2 = p1, q2 = q1;
    b1 = b, p1 = p, q1 = q;
  }
  const S rate = 2.0 / width;  // ds/dt
  return {coefficients[0] + (s * b1 - b2), rate * (b1 + (s * p1 - p2)), rate * rate * (2.0 * p1 + (s * q1 - q2))};
}

Jet<double> evaluate(const PiecewisePolynomial& function, double t, Side side = Side::right);

// The same of two functions at once, each with coefficients, place and width of its own; the bits are those of one after the other.
using TwoDoubles [[gnu::vector_size(16)]] = double;
inline Jet<TwoDoubles> evaluate_two(const double* first, const double* second, int degree, TwoDoubles s, TwoDoubles width) {
  TwoDoubles b1{}, b2{}, p1{}, p2{}, q1{}, q2{};
  for (int k = degree; k >= 1; --k) {
    const TwoDoubles c = {first[k], second[k]};
    const TwoDoubles b = c + (2.0 * s * b1 - b2), p = 2.0 * b1 + (2.0 * s * p1 - p2), q = 4.0 * p1 + (2.0 * s * q1 - q2);
    b2 = b1, p2 = p1, q2 = q1;
    b1 = b, p1 = p, q1 = q;
  }
  const TwoDoubles rate = 2.0 / width, c = {first[0], second[0]};
  return {c + (s * b1 - b2), rate * (b1 + (s * p1 - p2)), rate * rate * (2.0 * p1 + (s * q1 - q2))};
}

// --- functions given by a formula -----------------------------------------------------------------------------

PiecewisePolynomial constant(double value);
// base until t0, base + height from t1 on, linear between.
PiecewisePolynomial ramp(double t0, double t1, double base, double height);
// Through the points (x, y), x rising; constant beyond the ends. One point is a constant.
PiecewisePolynomial piecewise_linear(std::span<const double> x, std::span<const double> y);
// sum_k c_k t^k; most accurate for t in [t0, t1].
PiecewisePolynomial polynomial(std::span<const double> c, double t0 = 0.0, double t1 = 1.0);
// offset + amplitude sin(2 pi frequency t + phase) for t in [0, duration]. `like`: another one, whose knots may do.
PiecewisePolynomial sine(double amplitude, double frequency, double phase, double offset, double duration,
                         const PiecewisePolynomial* like = nullptr);

// --- any function of time -------------------------------------------------------------------------------------

// Adaptive Chebyshev interpolation on [t0, t1]: f to `tolerance` relative to the largest |f|, f' to about 1e-10 and
// f'' to about 1e-8 where they are smooth. Kinks and steps are given as breakpoints, or found: located as far as the
// values of f tell, and listed in the breakpoints of the result. Features narrower than 1/256 of the distance between
// breakpoints can be missed.
// Throws std::domain_error, naming t, where f is not finite or when it takes more than 200,000 pieces.
PiecewisePolynomial fit(const std::function<double(double)>& f, double t0, double t1, std::span<const double> breakpoints = {},
                        double tolerance = 1e-13);

// Coefficients of another function on the pieces of a fit (another realization, whose kinks are at the same places).
// Returns the estimated error, absolute; coefficients has room for pieces * (degree + 1).
double fit_on_pieces(const std::function<double(double)>& f, const PiecewisePolynomial& pieces, std::span<double> coefficients);

}  // namespace aleator::core
