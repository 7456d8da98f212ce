#include "numerics/exponentials.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/array_functions.hpp"
#include "numerics/exact_product.hpp"
#include "numerics/piecewise_pieces.hpp"
#include "numerics/sweep.hpp"

namespace aleator::core {

namespace {

using Complex = std::complex<double>;

constexpr std::size_t most_widths = 64;
constexpr int halvings = 6;
constexpr double tolerance = 1e-13;  // as that of fits
constexpr int nodes = piecewise::degree + 1, beyond = 8;
constexpr double farthest = 6;  // |z h|: beyond it 17 coefficients do not do

// I_0 and 2 I_k of z; `rest` bounds the coefficients from `nodes` on.
struct Bessel {
  std::array<double, nodes + beyond> re, im;
  double rest = 0;
};

// I_k(z) = (z/2)^k Σ_j (z²/4)^j / (j! (k + j)!)
Bessel bessel(Complex z) {
  Bessel b;
  const Complex half = 0.5 * z, square = half * half;
  Complex front = 1;  // (z/2)^k / k!
  for (int k = 0; k < nodes + beyond; ++k) {
    if (k > 0) front *= half / double(k);
    Complex term = front, sum = front;
    for (int j = 1; j < 60; ++j) {
      term *= square / (double(j) * double(k + j));
      sum += term;
      if (std::abs(term.real()) + std::abs(term.imag()) <= 1e-18 * (std::abs(sum.real()) + std::abs(sum.imag()))) break;
    }
    if (k > 0) sum *= 2;
    b.re[std::size_t(k)] = sum.real(), b.im[std::size_t(k)] = sum.imag();
    if (k >= nodes) b.rest += std::abs(sum);
  }
  return b;
}

// A exp(z t) at all times, with the rounding of the product z t made good.
struct Turning {
  std::vector<double> re, im;
};
Turning turning(const Exponentials::Term& term, const std::vector<double>& t) {
  const std::size_t n = t.size();
  const double w = term.rate.imag(), d = term.rate.real(), a = term.amplitude.real(), b = term.amplitude.imag();
  Turning r{std::vector<double>(n), std::vector<double>(n)};
  std::vector<double> lost(n), size(n);
  for (std::size_t i = 0; i < n; ++i) r.re[i] = w * t[i], lost[i] = product_error(w, t[i]), size[i] = d * t[i];
  sines(r.re.data(), r.im.data(), n);
  cosines(r.re.data(), r.re.data(), n);
  if (d == 0)
    std::fill(size.begin(), size.end(), 1.0);
  else
    exponentials(size.data(), size.data(), n);
  for (std::size_t i = 0; i < n; ++i) {
    const double c = size[i] * (r.re[i] - r.im[i] * lost[i]), s = size[i] * (r.im[i] + r.re[i] * lost[i]);
    r.re[i] = a * c - b * s, r.im[i] = a * s + b * c;
  }
  return r;
}

// The series times t = m + h s; what comes after the last coefficient is lost.
void times_t(std::array<double, nodes + beyond>& c, double m, double h) {
  std::array<double, nodes + beyond> r;
  constexpr int n = nodes + beyond;
  r[0] = m * c[0] + 0.5 * h * c[1];
  r[1] = m * c[1] + h * c[0] + 0.5 * h * c[2];
  for (int k = 2; k + 1 < n; ++k) r[k] = m * c[k] + 0.5 * h * (c[k - 1] + c[k + 1]);
  r[n - 1] = m * c[n - 1] + 0.5 * h * c[n - 2];
  c = r;
}

// Of z t + q t², its real part: at one end, or where its slope is zero.
double largest_exponent(const Exponentials::Term& term, double first, double last) {
  const double z = term.rate.real(), q = term.bend.real();
  const auto at = [&](double t) { return z * t + q * t * t; };
  const double top = q < 0 ? std::clamp(-z / (2 * q), first, last) : first;
  return std::max({at(first), at(last), at(top)});
}

// Coefficients of all terms on given pieces.
class OnPieces {
 public:
  OnPieces(const Exponentials& f, PiecewisePolynomial& r) : f_(f), r_(r), pieces_(std::size_t(r.pieces())) {
    for (std::size_t i = 0; i < pieces_; ++i) {
      middle_.push_back(0.5 * r.knots[i] + 0.5 * r.knots[i + 1]);
      half_.push_back(0.5 * (r.knots[i + 1] - r.knots[i]));
    }
  }

  // Returns whether they do.
  bool operator()() {
    const double widest = *std::max_element(half_.begin(), half_.end());
    for (const Exponentials::Term& t : f_.terms)
      if (t.bend == 0.0 && !(std::abs(t.rate) * widest < farthest)) return false;
    if (!find_widths()) return false;
    const double bound = upper_bound();
    r_.coefficients.assign(pieces_ * nodes, 0.0);
    for (std::size_t i = 0; i < pieces_; ++i)
      r_.coefficients[i * nodes] = f_.constant + f_.slope * middle_[i], r_.coefficients[i * nodes + 1] = f_.slope * half_[i];
    double rest = 0;
    for (const Exponentials::Term& t : f_.terms) {
      const auto too_much = [&] { return !(double(f_.terms.size()) * rest <= tolerance * bound); };
      if (t.bend == 0.0) {
        rest = std::max(rest, add(t));
        if (too_much()) return false;  // before the others are computed in vain
      } else {
        const Sweep sweep(t, middle_, half_);
        rest = std::max(rest, sweep.rest(tolerance));
        if (too_much()) return false;
        sweep.add_to(r_.coefficients);
      }
    }
    double size = 0;
    for (std::size_t i = 0; i < pieces_; ++i)
      for (int k = 0; k < 3; ++k) size = std::max(size, std::fabs(r_.coefficients[i * nodes + std::size_t(k)]));
    return double(f_.terms.size()) * rest <= tolerance * size && std::isfinite(size);
  }

 private:
  // Widths are halves of each other up to the rounding of knots, which is that of t.
  bool find_widths() {
    const double same = 2 * piecewise::epsilon * std::max(std::fabs(r_.knots.front()), std::fabs(r_.knots.back()));
    for (const double h : half_) {
      std::size_t k = widths_.size();
      while (k > 0 && !(std::fabs(widths_[k - 1] - h) <= same)) --k;
      if (k == 0) widths_.push_back(h), k = widths_.size();
      width_of_.push_back(k - 1);
      if (widths_.size() > most_widths) return false;
    }
    return true;
  }

  // No value is larger.
  double upper_bound() const {
    const double first = r_.knots.front(), last = r_.knots.back(), farthest_time = std::max(std::fabs(first), std::fabs(last));
    double sum = std::fabs(f_.constant) + std::fabs(f_.slope) * farthest_time;
    for (const Exponentials::Term& t : f_.terms)
      sum += std::abs(t.amplitude) * std::pow(farthest_time, t.power) * std::exp(largest_exponent(t, first, last));
    return 2 * sum;  // a coefficient is at most twice the function
  }

  // Adds a term. Returns a bound of what its series leaves out.
  double add(const Exponentials::Term& term) {
    const Turning a = turning(term, middle_);
    std::vector<Bessel> series;
    for (const double h : widths_) series.push_back(bessel(term.rate * h));
    double rest = 0;
    for (std::size_t i = 0; i < pieces_; ++i) {
      const Bessel& b = series[width_of_[i]];
      double* const c = &r_.coefficients[i * nodes];
      const double re = a.re[i], im = a.im[i];
      if (term.power == 0) {
        for (int k = 0; k < nodes; ++k) c[k] += re * b.re[std::size_t(k)] - im * b.im[std::size_t(k)];
        rest = std::max(rest, (std::fabs(re) + std::fabs(im)) * b.rest);
        continue;
      }
      std::array<double, nodes + beyond> own;
      for (int k = 0; k < nodes + beyond; ++k) own[std::size_t(k)] = re * b.re[std::size_t(k)] - im * b.im[std::size_t(k)];
      for (int k = 0; k < term.power; ++k) times_t(own, middle_[i], half_[i]);
      for (int k = 0; k < nodes; ++k) c[k] += own[std::size_t(k)];
      double left = 0;
      for (int k = nodes; k < nodes + beyond; ++k) left += std::fabs(own[std::size_t(k)]);
      rest = std::max(rest, left);
    }
    return rest;
  }

  const Exponentials& f_;
  PiecewisePolynomial& r_;
  const std::size_t pieces_;
  std::vector<double> middle_, half_, widths_;
  std::vector<std::size_t> width_of_;
};

bool is_polynomial(const Exponentials& f) {
  return std::all_of(f.terms.begin(), f.terms.end(), [](const Exponentials::Term& t) { return t.rate == 0.0 && t.bend == 0.0; });
}

}  // namespace

std::optional<PiecewisePolynomial> refit(const Exponentials& f, const PiecewisePolynomial& like) {
  if (!like.breakpoints.empty() || is_polynomial(f)) return std::nullopt;
  PiecewisePolynomial r{like.knots, piecewise::degree, {}, {}};
  for (int k = 0; k <= halvings; ++k) {
    if (OnPieces(f, r)()) return r;
    std::vector<double> knots = {r.knots[0]};
    for (int i = 0; i < r.pieces(); ++i) knots.insert(knots.end(), {0.5 * (r.knots[i] + r.knots[i + 1]), r.knots[i + 1]});
    r.knots = std::move(knots);
  }
  return std::nullopt;
}

}  // namespace aleator::core
