// Adaptive Chebyshev interpolation with kinks. A function between two breakpoints is bisected until every piece
// resolves it. Around a kink bisection ends in a cluster of ever smaller pieces; then the kink is located between the
// extrapolations from both sides, made a breakpoint, and the neighbourhood is fitted again, now with few pieces.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "numerics/piecewise_pieces.hpp"

namespace aleator::core {

using namespace piecewise;

namespace {

constexpr int max_pieces = 200'000;
constexpr double narrowest = 1e-9;  // of the whole interval: bisection stops, there is a kink

using Function = std::function<double(double)>;

double finite_value(const Function& f, double t) {
  const double y = f(t);
  if (!std::isfinite(y)) throw std::domain_error("the function is not finite at t = " + in_words(t));
  return y;
}

// Interpolation at the roots of T_n, all inside the piece: c_k = 2/n sum_j f(s_j) cos(k theta_j), half of that for
// k = 0; theta_j = pi (2 j + 1)/(2 n), s_j = cos theta_j. The ends, where the function may jump, are not touched.
template <int n>
void interpolate(const Function& f, double a, double b, double* c) {
  static const std::vector<double> cosine = cosines(n);
  const double middle = 0.5 * a + 0.5 * b, half = 0.5 * (b - a);
  std::fill(c, c + n, 0.0);
  for (int j = 0; j < n; ++j) {
    const double y = finite_value(f, middle + half * cosine[2 * j + 1]);
    for (int k = 0; k < n; ++k) c[k] += y * cosine[k * (2 * j + 1) % (4 * n)];
  }
  for (int k = 0; k < n; ++k) c[k] *= (k == 0 ? 1.0 : 2.0) / n;
}

class Fit {
 public:
  Fit(const Function& f, double t0, double t1, double tolerance) : f_(f), t0_(t0), t1_(t1), tolerance_(tolerance) {}

  PiecewisePolynomial operator()(std::span<const double> given) {
    const std::vector<double> breaks = breaks_with(given, t0_, t1_);
    look(breaks);

    std::vector<Piece> pieces;
    for (std::size_t i = 0; i + 1 < breaks.size(); ++i) fit_smoothly(breaks[i], breaks[i + 1], 0, pieces);
    return collect(pieces, given);
  }

 private:
  // A first look at the function: its size, and points that the result must reproduce.
  void look(const std::vector<double>& breaks) {
    for (std::size_t i = 0; i + 1 < breaks.size(); ++i)
      for (int k = 0; k < first_look; ++k) {
        const double t = breaks[i] + (breaks[i + 1] - breaks[i]) * (k + 0.5) / first_look;
        samples_.push_back({t, finite_value(f_, t)});
        scale_ = std::max(scale_, std::fabs(samples_.back().y));
      }
  }

  Piece interpolated(double a, double b) {
    if (++made_ > 2 * max_pieces)
      throw std::domain_error("the function of time needs more than 200000 pieces; it is too rough near t = " + in_words(a));
    Piece p{a, b, {}, 0.0, false};
    interpolate<degree + 1>(f_, a, b, p.c.data());
    judge(p, tolerance_ * scale_, [&](const Piece& x) { return error_at_check_points(x); });
    return p;
  }

  double error_at_check_points(const Piece& p) const {
    double checks[std::size(check_places)], *y = checks;
    for (double place : check_places) *y++ = finite_value(f_, 0.5 * (p.a + p.b) + 0.5 * place * (p.b - p.a));
    return error_at(p, checks, samples_);
  }

  // Pieces of [a, b] by bisection, from left to right.
  std::vector<Piece> bisected(double a, double b) {
    std::vector<Piece> done, todo = {interpolated(a, b)};
    while (!todo.empty()) {
      const Piece p = todo.back();
      todo.pop_back();
      if (p.resolved || p.b - p.a < narrowest * (t1_ - t0_)) {
        done.push_back(p);
        continue;
      }
      const double middle = 0.5 * (p.a + p.b);
      todo.push_back(interpolated(middle, p.b));
      todo.push_back(interpolated(p.a, middle));
    }
    return done;
  }

  // Pieces of [a, b], with new breakpoints where there are kinks. Appends to `pieces`.
  void fit_smoothly(double a, double b, int depth, std::vector<Piece>& pieces) {
    std::vector<Piece> found = bisected(a, b);
    const std::vector<double> kinks = depth < 3 ? kinks_in(found) : std::vector<double>{};
    if (kinks.empty()) {
      pieces.insert(pieces.end(), found.begin(), found.end());
      if (pieces.size() > static_cast<std::size_t>(max_pieces))
        throw std::domain_error("the function of time needs more than 200000 pieces; it is too rough near t = " + in_words(a));
      return;
    }
    double from = a;
    for (double t : kinks) {
      fit_smoothly(from, t, depth + 1, pieces);
      from = t;
    }
    fit_smoothly(from, b, depth + 1, pieces);
  }

  // Kinks: where bisection gave up, and where pieces get much smaller from both sides and a break makes them needless.
  std::vector<double> kinks_in(const std::vector<Piece>& p) {
    std::vector<double> kinks;
    const int n = static_cast<int>(p.size());
    for (int i = 0; i < n; ++i) {
      int j = i;  // [i, j]: pieces of the smallest width around here
      while (j + 1 < n && width(p[j + 1]) < 1.5 * width(p[i]) && width(p[j + 1]) > width(p[i]) / 1.5) ++j;
      const bool dip = (i == 0 || width(p[i - 1]) > width(p[i])) && (j == n - 1 || width(p[j + 1]) > width(p[i]));
      const bool gave_up = std::any_of(p.begin() + i, p.begin() + j + 1, [](const Piece& x) { return !x.resolved; });
      if (gave_up || (dip && i > 0 && j < n - 1 && j - i < 4 && is_graded(p, i, j))) {
        const double t = located(p[i].a, p[j].b, p.front().a, p.back().b);
        if (t > p.front().a && t < p.back().b && (gave_up || break_helps(p, i, j, t))) kinks.push_back(t);
      }
      i = j;
    }
    return kinks;
  }

  static double width(const Piece& p) { return p.b - p.a; }

  // Do widths grow 16 times within a dozen pieces on both sides?
  static bool is_graded(const std::vector<Piece>& p, int i, int j) {
    double left = 0.0, right = 0.0;
    for (int k = std::max(0, i - 12); k < i; ++k) left = std::max(left, width(p[k]));
    for (int k = j + 1; k < std::min<int>(j + 13, static_cast<int>(p.size())); ++k) right = std::max(right, width(p[k]));
    return std::min(left, right) >= 16.0 * width(p[i]);
  }

  // Is the neighbourhood, eight times the cluster to both sides, resolved by one piece on each side of t?
  bool break_helps(const std::vector<Piece>& p, int i, int j, double t) {
    const double reach = 8.0 * (p[j].b - p[i].a);
    const double a = std::max(p.front().a, p[i].a - reach), b = std::min(p.back().b, p[j].b + reach);
    return a < t && t < b && interpolated(a, t).resolved && interpolated(t, b).resolved;
  }

  // The place of a kink in [a, b]: by bisection, a point belongs to the side whose extrapolation is nearer.
  double located(double a, double b, double first, double last) const {
    constexpr int n = 6;  // points of the extrapolation: noise is amplified about 100 times, to 1e-14
    const double w = 4.0 * (b - a);
    const double l = std::max(first, a - w), r = std::min(last, b + w);
    if (l >= a) return a;
    if (r <= b) return b;
    double left[n], right[n];
    interpolate<n>(f_, l, a, left);
    interpolate<n>(f_, b, r, right);
    const auto misses = [&](double t) {  // of the extrapolations from the left and from the right
      const double y = finite_value(f_, t);
      return std::pair{std::fabs(y - evaluate(left, n - 1, (t - l - (a - t)) / (a - l), a - l).f),
                       std::fabs(y - evaluate(right, n - 1, (t - b - (r - t)) / (r - b), r - b).f)};
    };
    double low = a, high = b;
    for (int k = 0; k < 80; ++k) {
      const double t = 0.5 * (low + high);
      if (!(low < t && t < high)) break;
      const auto [from_left, from_right] = misses(t);
      (from_left <= from_right ? low : high) = t;
    }
    // Where the two sides meet smoothly many places are as good, and people write short decimals.
    for (int digits = 1; digits <= 15; ++digits) {
      const double t = std::stod(in_words(high, digits));
      if (!(a < t && t < b)) continue;
      const auto [from_left, from_right] = misses(t);
      if (std::max(from_left, from_right) <= 0.1 * tolerance_ * scale_) return t;
    }
    return high;
  }

  PiecewisePolynomial collect(std::vector<Piece>& pieces, std::span<const double> given) const {
    for (const Piece& p : pieces)
      if (!p.resolved && p.error > 1e-3 * scale_)
        throw std::domain_error("the function of time has no limit near t = " + in_words(p.a, 8));
    for (Piece& p : pieces) chop(p);
    PiecewisePolynomial r = joined(pieces);
    for (double t : given)
      if (t > t0_ && t < t1_) r.breakpoints.push_back(t);
    for (int i = 1; i < r.pieces(); ++i)
      if (jumps(r, i, scale_)) r.breakpoints.push_back(r.knots[i]);
    std::sort(r.breakpoints.begin(), r.breakpoints.end());
    r.breakpoints.erase(std::unique(r.breakpoints.begin(), r.breakpoints.end()), r.breakpoints.end());
    return r;
  }

  const Function& f_;
  const double t0_, t1_, tolerance_;
  double scale_ = 0.0;           // largest |f| seen
  int made_ = 0;                 // pieces tried
  std::vector<Sample> samples_;  // rising in t
};

}  // namespace

PiecewisePolynomial fit(const std::function<double(double)>& f, double t0, double t1, std::span<const double> breakpoints,
                        double tolerance) {
  if (!(t0 < t1) || !std::isfinite(t1 - t0)) throw std::invalid_argument("fit: empty or infinite interval of time");
  return Fit(f, t0, t1, tolerance)(breakpoints);
}

double fit_on_pieces(const std::function<double(double)>& f, const PiecewisePolynomial& pieces, std::span<double> coefficients) {
  double error = 0.0;
  for (int i = 0; i < pieces.pieces(); ++i) {
    Piece p{pieces.knots[i], pieces.knots[i + 1], {}, 0.0, false};
    double* const c = coefficients.data() + i * (pieces.degree + 1);
    if (pieces.degree > degree) throw std::invalid_argument("fit_on_pieces: degree too high");
    interpolate<degree + 1>(f, p.a, p.b, p.c.data());
    for (int k = pieces.degree + 1; k <= degree; ++k) error = std::max(error, std::fabs(p.c[k]));
    error = std::max(error, std::fabs(p.c[degree]));
    chop(p);
    std::copy_n(p.c.begin(), pieces.degree + 1, c);
  }
  return error;
}

}  // namespace aleator::core
