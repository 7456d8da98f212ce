// Pieces of a fit and what tells whether one resolves its function: shared by piecewise_fit.cpp and piecewise_refit.cpp.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "numerics/piecewise.hpp"

namespace aleator::core::piecewise {

constexpr int degree = 16;
constexpr int first_look = 256;  // samples between two breakpoints that every accepted piece must reproduce
constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double check_places[] = {-0.93, 0.0537, 0.91};  // in a piece, between the nodes

struct Piece {
  double a, b;
  std::array<double, degree + 1> c;
  double error;   // what the last coefficients and the check points tell
  bool resolved;  // error within tolerance
};

struct Sample {
  double t, y;
};

std::string in_words(double t, int digits = 10);

// cos(pi m / (2 n)) for m = 0 ... 4 n - 1, from the first octants so that symmetric values are exact. The nodes of n points are
// those of odd m: s_j = cosines(n)[2 j + 1].
std::vector<double> cosines(int n);

// t0, the given times between, t1; rising.
std::vector<double> breaks_with(std::span<const double> given, double t0, double t1);
double value_at(const Piece& piece, double t);
// Error that rounding t makes in f, bounded by a few ulp times the largest slope of the series.
double rounding(const Piece& piece);
// The same of a piece from a to b, from Σ k |c_k|.
inline double rounding(double a, double b, double slope) {
  return 4.0 * epsilon * std::max(std::fabs(a), std::fabs(b)) * slope / (0.5 * (b - a));
}
// Of values at check_places and of the samples in it: the largest difference from the series.
double error_at(const Piece& piece, const double* checks, const std::vector<Sample>& samples);
// Judges a piece by its last coefficients and, if these are small, by `error_at`.
template <class ErrorAt>
void judge(Piece& p, double last, double limit, const ErrorAt& error_at) {
  p.error = last;
  if (p.error <= limit) p.error = std::max(p.error, error_at(p));
  p.resolved = p.error <= 8.0 * limit;
}
template <class ErrorAt>
void judge(Piece& p, double tolerance, const ErrorAt& error_at) {
  double last = 0;
  for (int k = degree - 2; k <= degree; ++k) last = std::max(last, std::fabs(p.c[k]));
  judge(p, last, std::max(tolerance, rounding(p)), error_at);
}
// Coefficients at the level of round-off would only add noise to f''.
void chop(Piece& piece);
void chop(Piece& piece, double largest_coefficient, double rounding);
// Knots and coefficients of pieces that follow each other; of at least the given degree. No breakpoints yet.
PiecewisePolynomial joined(const std::vector<Piece>& pieces, int least_degree = 0);
// Does f, f' or f'' jump at knot i, by clearly more than the errors of the fit (n^2 and n^4/3 times those of f)?  It does if this is more
// than the size of the function.
double jump(const PiecewisePolynomial& r, int i);
inline bool jumps(const PiecewisePolynomial& r, int i, double scale) { return jump(r, i) > scale; }

}  // namespace aleator::core::piecewise
