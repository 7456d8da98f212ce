// A function of time that is known at some times, with polynomials through its values in between.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace aleator::core {

// The polynomial of degree four through the values at times center − 2 … center + 2; s in steps from there.
struct Quartic {
  double x, d1, d2, d3, d4;
  double at(double s) const { return x + s * (d1 + s * (d2 / 2 + s * (d3 / 6 + s * d4 / 24))); }
  double slope(double s) const { return d1 + s * (d2 + s * (d3 / 2 + s * d4 / 6)); }
};

struct Sampled {
  std::span<const double> t;
  const double* values;
  int stride;
  double x(std::size_t i) const { return values[i * std::size_t(stride)]; }
  std::size_t count() const { return t.size(); }
  // Of the five times that are nearest to time i.
  std::size_t center(std::size_t i) const { return std::clamp<std::size_t>(i, 2, count() - 3); }
  bool resolves(std::size_t center) const;  // whether the times around a center resolve the function
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
