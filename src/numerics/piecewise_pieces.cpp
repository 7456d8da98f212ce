#include "numerics/piecewise_pieces.hpp"

#include <algorithm>
#include <cstdio>
#include <numbers>

namespace aleator::core::piecewise {

std::string in_words(double t, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, t);
  return text;
}

std::vector<double> cosines(int n) {
  std::vector<double> r(4 * n);
  for (int m = 0; m < 4 * n; ++m) {
    const int fold = m <= 2 * n ? m : 4 * n - m;          // cos is even about 2 n
    const int quarter = fold <= n ? fold : 2 * n - fold;  // and odd about n
    const double angle = std::numbers::pi / (2 * n);
    const double c = 2 * quarter <= n ? std::cos(angle * quarter) : std::sin(angle * (n - quarter));
    r[m] = fold <= n ? c : -c;
  }
  return r;
}

std::vector<double> breaks_with(std::span<const double> given, double t0, double t1) {
  std::vector<double> breaks = {t0};
  for (double t : given)
    if (t > t0 && t < t1) breaks.push_back(t);
  breaks.push_back(t1);
  std::sort(breaks.begin(), breaks.end());
  breaks.erase(std::unique(breaks.begin(), breaks.end()), breaks.end());
  return breaks;
}

double value_at(const Piece& p, double t) {
  const double s = (t - p.a - (p.b - t)) / (p.b - p.a);
  double b1 = 0.0, b2 = 0.0;  // Clenshaw's recurrence, as in evaluate(), without derivatives
  for (int k = degree; k >= 1; --k) {
    const double b = p.c[k] + (2.0 * s * b1 - b2);
    b2 = b1, b1 = b;
  }
  return p.c[0] + (s * b1 - b2);
}

double rounding(const Piece& p) {
  double sum[4] = {};  // side by side: none waits for another
  for (int k = 1; k <= degree; ++k) sum[k % 4] += k * std::fabs(p.c[k]);
  const double slope = (sum[0] + sum[1]) + (sum[2] + sum[3]);
  return rounding(p.a, p.b, slope);
}

double error_at(const Piece& p, const double* checks, const std::vector<Sample>& samples) {
  double error = 0.0;
  for (double s : check_places) {
    const double t = 0.5 * (p.a + p.b) + 0.5 * s * (p.b - p.a);
    error = std::max(error, std::fabs(*checks++ - value_at(p, t)));
  }
  auto k = std::lower_bound(samples.begin(), samples.end(), p.a, [](const Sample& x, double t) { return x.t < t; });
  for (; k != samples.end() && k->t <= p.b; ++k)
    if (k->t > p.a && k->t < p.b) error = std::max(error, std::fabs(k->y - value_at(p, k->t)));
  return error;
}

void chop(Piece& p) {
  double largest = 0.0;
  for (double c : p.c) largest = std::max(largest, std::fabs(c));
  chop(p, largest, rounding(p));
}

void chop(Piece& p, double largest, double rounding) {
  const double noise = std::max(4.0 * epsilon * largest, 0.1 * rounding);
  for (int k = degree; k > 0 && std::fabs(p.c[k]) <= noise; --k) p.c[k] = 0.0;
}

PiecewisePolynomial joined(const std::vector<Piece>& pieces, int least_degree) {
  PiecewisePolynomial r;
  r.degree = least_degree;
  for (const Piece& p : pieces)
    for (int k = degree; k > r.degree; --k)
      if (p.c[k] != 0.0) r.degree = k;
  r.knots.reserve(pieces.size() + 1), r.coefficients.reserve(pieces.size() * std::size_t(r.degree + 1));
  r.knots.push_back(pieces.front().a);
  for (const Piece& p : pieces) {
    r.coefficients.insert(r.coefficients.end(), p.c.begin(), p.c.begin() + r.degree + 1);
    r.knots.push_back(p.b);
  }
  return r;
}

// At s = ±1:  T_k = (±1)^k,  T'_k = (±1)^(k+1) k²,  T''_k = (±1)^k k² (k² − 1)/3.  The right end of one piece and the left end of the next.
static Jet<TwoDoubles> at_ends(const double* before, const double* after, int last) {
  struct Factors {
    double first[degree + 1], second[degree + 1];
    constexpr Factors() : first(), second() {
      for (int k = 0; k <= degree; ++k) first[k] = double(k * k), second[k] = first[k] * (first[k] - 1) / 3;
    }
  };
  static constexpr Factors factors;
  TwoDoubles f{}, d1{}, d2{};
  const auto add = [&](int k, TwoDoubles x) { f += x, d1 += factors.first[k] * x, d2 += factors.second[k] * x; };
  for (int k = 0; k <= last; k += 2) {
    add(k, TwoDoubles{before[k], after[k]});
    if (k < last) add(k + 1, TwoDoubles{before[k + 1], -after[k + 1]});
  }
  return {f, d1 * TwoDoubles{1, -1}, d2};
}

double jump(const PiecewisePolynomial& r, int i) {
  const double before = r.knots[i] - r.knots[i - 1], after = r.knots[i + 1] - r.knots[i];
  const double h = 0.5 * std::min(before, after);
  const Jet<TwoDoubles> ends = at_ends(r.of_piece(i - 1), r.of_piece(i), r.degree);
  const double rate = 2 * h / before, next = 2 * h / after;  // ds/dt, times h
  const double d1 = std::fabs(rate * ends.d1[0] - next * ends.d1[1]),
               d2 = std::fabs(rate * rate * ends.d2[0] - next * next * ends.d2[1]);
  return std::max({std::fabs(ends.f[0] - ends.f[1]) / 1e-10, d1 / 1e-8, d2 / 1e-6});
}

}  // namespace aleator::core::piecewise
