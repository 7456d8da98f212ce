// A function of time that is known at some times, with polynomials through its values in between.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "numerics/scalar.hpp"

namespace aleator::core {

// The polynomial of degree four through the values at times center − 2 … center + 2; s in steps from there.
template <class T>
struct QuarticOf {
  T x, d1, d2, d3, d4;
  T at(const T& s) const { return x + s * (d1 + s * (d2 / T(2) + s * (d3 / T(6) + s * d4 / T(24)))); }
  T slope(const T& s) const { return d1 + s * (d2 + s * (d3 / T(2) + s * d4 / T(6))); }
  T bend(const T& s) const { return d2 + s * (d3 + s * d4 / T(2)); }

  static QuarticOf through(const T& a, const T& b, const T& m, const T& d, const T& e) {
    return {m, (a - T(8) * b + T(8) * d - e) / T(12), (-a + T(16) * b - T(30) * m + T(16) * d - e) / T(12),
            (-a + T(2) * b - T(2) * d + e) / T(2), a - T(4) * b + T(6) * m - T(4) * d + e};
  }
};
using Quartic = QuarticOf<double>;

// Whether five values, at equal distances, are those of a function that they resolve: third differences below 0.6 of the first ones.
template <class T>
MaskOf<T> resolved(const T& a, const T& b, const T& m, const T& d, const T& e) {
  const T x[] = {a, b, m, d, e};
  T first(0), third(0);
  for (int i = 0; i < 4; ++i) first = max(first, abs(x[i + 1] - x[i]));
  for (int i = 0; i < 2; ++i) third = max(third, abs(x[i + 3] - T(3) * x[i + 2] + T(3) * x[i + 1] - x[i]));
  return third <= T(0.6) * first;
}

// Where sign p' changes from positive at `low` to negative at `high`: Newton's iteration, halving where it leaves what is known. p is flat there, so that
// half of the digits of s are as good as all.
template <class T>
struct TopSearch {
  static constexpr int most_turns = 50;
  static constexpr double close = 1e-12;
  T low, high, s = T(0.5) * (low + high);
  // Whether that was close enough.
  MaskOf<T> turn(const QuarticOf<T>& p, const T& sign) {
    const T slope = sign * p.slope(s);
    const MaskOf<T> rises = T(0) < slope;
    low = select(rises, s, low), high = select(rises, high, s);
    const T newton = s - slope / (sign * p.bend(s));
    const T next = select((low < newton) & (newton < high), newton, T(0.5) * (low + high));
    const T moved = abs(next - s);
    s = next;
    return moved <= T(close);
  }
};

struct Sampled {
  std::span<const double> t;
  const double* values;
  int stride;
  double x(std::size_t i) const { return values[i * std::size_t(stride)]; }
  std::size_t count() const { return t.size(); }
  // Of the five times that are nearest to time i.
  std::size_t center(std::size_t i) const { return std::clamp<std::size_t>(i, 2, count() - 3); }
  bool resolves(std::size_t center) const;  // whether the times around a center resolve the function …
  bool is_even(std::size_t center) const;   // … which needs equal distances
  Quartic around(std::size_t center) const;
  // Of times in [from, to], up to round-off.
  Sampled within(double from, double to) const;
};

// Where f changes sign in [from, to], by bisection to the last bits that matter.
template <class F>
double root(double from, double to, F&& f) {
  const bool sign = f(from) < 0;
  for (int k = 0; k < 50; ++k) {
    const double middle = 0.5 * (from + to);
    ((f(middle) < 0) == sign ? from : to) = middle;
  }
  return 0.5 * (from + to);
}

// A largest value beside time i, which is not smaller than its neighbours: where, in steps from the center, and how large. (Of −x: sign
// −1.) With fewer than five times, the value at time i.
struct Peak {
  double s, value;
};
Peak peak_beside(const Sampled& f, std::size_t i, double sign);

// The largest value, between the times too (of −x: sign −1), and whether there is one above a level. Of finite values, one at least.
double largest(const Sampled& f, double sign);
bool passes(const Sampled& f, double sign, double level);

// x[0], x[stride], … one after the other: x itself, or a copy that is good until this thread asks again.
const double* contiguous(const double* x, std::size_t count, int stride);

// Times at which the function turns, neither first nor last: calls turn(i, sign), sign +1 at a maximum, −1 at a minimum. Of equal values
// the last one counts.
template <class F>
void each_turn(const Sampled& f, F&& turn) {
  double going = 0;
  for (std::size_t i = 0; i + 1 < f.count(); ++i) {
    const double d = f.x(i + 1) - f.x(i);
    if (d == 0) continue;
    if (going != 0 && (d > 0) != (going > 0)) turn(i, going);
    going = d > 0 ? 1 : -1;
  }
}

std::vector<double> local_maxima(const Sampled& f);    // in their order, between the times too
std::vector<double> turning_points(const Sampled& f);  // the same with minima, the first and the last value

}  // namespace aleator::core
