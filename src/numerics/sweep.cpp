#include "numerics/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/array_functions.hpp"
#include "base/wide.hpp"
#include "numerics/exact_product.hpp"
#include "numerics/piecewise_block.hpp"

namespace aleator::core {

namespace {

using piecewise::Block;
constexpr std::size_t nodes = Block::nodes;
constexpr std::size_t at_once = 32;  // pieces: their values stay in the nearest cache
constexpr double largest_phase = 1e6;
constexpr double accepted = 4;           // times the tolerance; a fit accepts eight times
constexpr double to_integer = 0x1.8p52;  // added and taken away, it leaves the nearest integer

// 2π in parts of 33 bits, whose products with whole numbers below 2²⁰ are exact.
constexpr double turn[] = {4 * 1.57079632673412561417e+00, 4 * 6.07710050630396597660e-11, 4 * 2.02226624879595063154e-21};

inline double within_a_turn(double phase) {
  const double n = phase * 0.15915494309189533577 + to_integer - to_integer;
  return ((phase - n * turn[0]) - n * turn[1]) - n * turn[2];
}

// The phase w m + q m² is thousands of turns: what rounding takes from the products and from their sum is made good. Returns the
// largest one.
ALEATOR_WIDE double phases(double w, double q, double start, const double* middle, std::size_t n, double* phase) {
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double m = middle[i], square = m * m, a = w * m, b = q * square, sum = a + b, from_b = sum - a;
    const double lost =
        ((a - (sum - from_b)) + (b - from_b)) + (product_error(w, m) + product_error(q, square) + q * product_error(m, m));
    const double size = std::fabs(sum);
    largest = largest < size ? size : largest;
    phase[i] = within_a_turn(sum) + (lost + start);
  }
  return largest;
}

// (rate + 2 bend m) h  and  bend h²
ALEATOR_WIDE void places(double rate, double bend, const double* middle, const double* half, std::size_t n, double* slope,
                         double* curve) {
  for (std::size_t i = 0; i < n; ++i) slope[i] = (rate + 2 * bend * middle[i]) * half[i], curve[i] = bend * half[i] * half[i];
}

// y[node][piece] times exp(x), x = s (slope + s bend), by its power series: |x| ≤ 1/16, x⁹/9! is 4e-17.
constexpr double slowly = 1.0 / 16;
ALEATOR_WIDE void grow_slowly(const double* slope, const double* bend, std::size_t n, double* y) {
  const double* const place = piecewise::node_places();
  for (std::size_t j = 0; j < nodes; ++j)
    for (std::size_t i = 0; i < n; ++i) {
      const double x = place[j] * (slope[i] + place[j] * bend[i]);
      double p = 1.0 / 40320;
      for (const double over : {1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5}) p = over + x * p;
      y[j * n + i] *= 1 + (x + x * x * p);
    }
}

double largest_sum(const std::vector<double>& a, const std::vector<double>& b) {
  double r = 0;
  for (std::size_t i = 0; i < a.size(); ++i) r = std::max(r, std::fabs(a[i]) + std::fabs(b[i]));
  return r;
}

constexpr int most_powers = 5, most_terms = 64;  // t⁰ ... t⁴

// The part of sⁿ = 2^{1−n} Σ_j C(n, j) T_{n−2j} in T_k, k ≥ first.
struct Parts {
  double of[most_powers][most_terms] = {};  // [nodes − first][n]
  double inverse[most_terms] = {};          // 1/n

  Parts() {
    for (int n = 1; n < most_terms; ++n) inverse[n] = 1.0 / n;
    for (int p = 0; p < most_powers; ++p)
      for (int n = 1; n < most_terms; ++n) {
        double sum = 0, choose = 1;
        for (int j = 0; n - 2 * j >= int(nodes) - p; ++j) sum += choose, choose *= double(n - j) / (j + 1);
        of[p][n] = std::ldexp(sum, 1 - n);
      }
  }
};
const Parts parts;

// Σ |c_k|, k ≥ nodes − power, of exp(B s + G s²) = Σ h_n sⁿ,  n h_n = B h_{n−1} + 2 G h_{n−2}
double tail(double b, double g, int power) {
  double before = 0, h = 1, sum = 0;
  for (int n = 1; n < most_terms; ++n) {
    const double next = (b * h + 2 * g * before) * parts.inverse[n], part = next * parts.of[power][n];
    before = h, h = next, sum += part;
    if (sum > 0 && part < 1e-3 * sum) break;  // each is a fraction of the one before
  }
  return sum;
}

// The same for B a little larger, computed once for each width of pieces.
class Tails {
 public:
  explicit Tails(int power) : power_(power) {}
  double operator()(double b, double g) {
    constexpr double step = 1.0 / 32, most = 8;
    if (!(b < most && g < most)) return std::numeric_limits<double>::infinity();
    const double least = g < 0.01 ? 1.5 : 0;  // below it there is nothing anyway
    std::vector<double>& known = of_width(g);
    const std::size_t i = std::size_t((std::max(b, least) - least) / step) + 1;
    if (i >= known.size()) known.resize(i + 1, -1);
    if (known[i] < 0) known[i] = tail(least + double(i) * step, g * (1 + same), power_);
    return known[i];
  }

 private:
  static constexpr double same = 1e-6;  // widths differ by the rounding of knots
  struct Width {
    double g;
    std::vector<double> known;
  };
  std::vector<double>& of_width(double g) {
    const auto is_own = [&](const Width& w) { return std::fabs(g - w.g) <= 0.5 * same * w.g; };
    if (last_ >= widths_.size() || !is_own(widths_[last_])) {
      last_ = std::size_t(std::find_if(widths_.begin(), widths_.end(), is_own) - widths_.begin());
      if (last_ == widths_.size()) widths_.push_back({g, {}});
    }
    return widths_[last_].known;
  }

  int power_;
  std::vector<Width> widths_;
  std::size_t last_ = 0;
};

// out[node][piece] = start + s (slope + s bend)
ALEATOR_WIDE void parabolas(const double* start, const double* slope, const double* bend, std::size_t n, double* out) {
  const double* const places = piecewise::node_places();
  for (std::size_t j = 0; j < nodes; ++j)
    for (std::size_t i = 0; i < n; ++i) out[j * n + i] = start[i] + places[j] * (slope[i] + places[j] * bend[i]);
}

}  // namespace

Sweep::Sweep(const Exponentials::Term& term, std::span<const double> middle, std::span<const double> half)
    : term_(term), middle_(middle), half_(half), grows_(term.rate.real() != 0 || term.bend.real() != 0) {
  const std::size_t n = middle.size();
  for (std::vector<double>* v : {&phase_, &slope_.im, &bend_.im}) v->resize(n);
  const double w = term.rate.imag(), q = term.bend.imag(), amplitude = std::abs(term.amplitude);
  known_ = phases(w, q, std::arg(term.amplitude), middle.data(), n, phase_.data()) < largest_phase;
  places(w, q, middle.data(), half.data(), n, slope_.im.data(), bend_.im.data());
  size_.assign(n, amplitude);
  if (!grows_) return;
  for (std::vector<double>* v : {&slope_.re, &bend_.re}) v->resize(n);
  const double rate = term.rate.real(), bend = term.bend.real();
  places(rate, bend, middle.data(), half.data(), n, slope_.re.data(), bend_.re.data());
  grows_slowly_ = largest_sum(slope_.re, bend_.re) <= slowly;
  for (std::size_t i = 0; i < n; ++i) size_[i] = middle[i] * (rate + bend * middle[i]);
  exponentials(size_.data(), size_.data(), n);
  for (double& s : size_) s *= amplitude;
}

// A factor (m + h s)ⁿ = Σ_j C(n, j) m^{n−j} (h s)^j, and s^j moves coefficients by up to j.
double Sweep::rest(double tolerance) const {
  const int power = term_.power;
  if (!known_ || power >= most_powers) return std::numeric_limits<double>::infinity();
  std::vector<Tails> tails;
  for (int j = 0; j <= power; ++j) tails.emplace_back(j);
  double r = 0;
  const double bend = std::abs(term_.bend);
  for (std::size_t i = 0; i < middle_.size(); ++i) {
    const double m = std::fabs(middle_[i]), h = half_[i], re = grows_ ? slope_.re[i] : 0;
    const double b = std::sqrt(re * re + slope_.im[i] * slope_.im[i]);
    double beyond = tails[0](b, bend * h * h);
    for (int j = 1, choose = 1; j <= power; ++j) {
      choose = choose * (power - j + 1) / j;
      beyond = beyond * m + choose * std::pow(h, j) * tails[std::size_t(j)](b, bend * h * h);
    }
    const double rounding = piecewise::epsilon * (m + h) * b / h;  // of t
    const double left_out = 2 * beyond * size_[i];                 // twice: it returns in lower ones
    r = std::max(r, left_out * tolerance / (accepted * (tolerance + rounding)));
  }
  return r;
}

// Values of n pieces from `first` on.
void Sweep::grow(std::size_t first, std::size_t n, std::vector<double>& y) const {
  const double *const slope = slope_.re.data() + first, *const bend = bend_.re.data() + first;
  if (grows_slowly_) return grow_slowly(slope, bend, n, y.data());
  const double zeros[at_once] = {};
  double growth[nodes * at_once];
  parabolas(zeros, slope, bend, n, growth);
  exponentials(growth, growth, nodes * n);
  for (std::size_t i = 0; i < nodes * n; ++i) y[i] *= growth[i];
}

void Sweep::add_to(std::span<double> coefficients) const {
  std::vector<double> y(Block::values * at_once);
  const double* const place = piecewise::node_places();
  Block block;
  for (std::size_t first = 0; first < middle_.size(); first += at_once) {
    const std::size_t n = std::min(at_once, middle_.size() - first);
    parabolas(phase_.data() + first, slope_.im.data() + first, bend_.im.data() + first, n, y.data());
    cosines(y.data(), y.data(), nodes * n);
    if (grows_) grow(first, n, y);
    for (std::size_t j = 0; term_.power > 0 && j < nodes; ++j)
      for (std::size_t i = 0; i < n; ++i)
        for (int k = 0; k < term_.power; ++k) y[j * n + i] *= middle_[first + i] + half_[first + i] * place[j];
    std::fill(y.begin() + std::ptrdiff_t(nodes * n), y.end(), 0.0);  // no checks
    for (std::size_t some = 0; some < n; some += Block::pieces) {
      const std::size_t count = std::min(Block::pieces, n - some);
      block.transform(y.data() + some, n, count);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t piece = first + some + i;
        double* const c = &coefficients[piece * nodes];
        const double size = size_[piece];
        for (std::size_t k = 0; k < nodes; ++k) c[k] += size * block.c[k][i];
      }
    }
  }
}

}  // namespace aleator::core
