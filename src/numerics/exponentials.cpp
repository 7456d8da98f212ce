#include "numerics/exponentials.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "numerics/piecewise_pieces.hpp"

namespace aleator::core {

namespace {

using Complex = std::complex<double>;

constexpr std::size_t most_widths = 16;
constexpr int halvings = 6;
constexpr double tolerance = 1e-13;  // as that of fits
constexpr int nodes = piecewise::degree + 1, beyond = 8;
constexpr double farthest = 6;  // |z h|: beyond it 17 coefficients do not do

// I_0 and 2 I_k of z, k < nodes; `rest` bounds the coefficients that follow.
struct Bessel {
  std::array<double, nodes> re, im;
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
    if (k < nodes)
      b.re[std::size_t(k)] = sum.real(), b.im[std::size_t(k)] = sum.imag();
    else
      b.rest += std::abs(sum);
  }
  return b;
}

// A exp(z t), with the rounding of the product z t made good.
Complex at(const Exponentials::Term& term, double t) {
  const double angle = term.rate.imag() * t, lost = std::fma(term.rate.imag(), t, -angle);
  const double s = std::sin(angle), c = std::cos(angle);
  const double size = term.rate.real() == 0 ? 1 : std::exp(term.rate.real() * t);
  const Complex turned(size * (c - s * lost), size * (s + c * lost));
  return {term.amplitude.real() * turned.real() - term.amplitude.imag() * turned.imag(),
          term.amplitude.real() * turned.imag() + term.amplitude.imag() * turned.real()};
}

// The series of all terms for pieces of one half width.
struct OfWidth {
  double h;
  std::vector<Bessel> terms;
};

// Coefficients on the given pieces. Returns whether they do.
bool interpolate(const Exponentials& f, PiecewisePolynomial& r) {
  double widest = 0, size = 0, rest = 0, fastest = 0;
  for (int i = 0; i < r.pieces(); ++i) widest = std::max(widest, 0.5 * (r.knots[i + 1] - r.knots[i]));
  for (const Exponentials::Term& t : f.terms) fastest = std::max(fastest, std::abs(t.rate));
  if (!(fastest * widest < farthest)) return false;
  // Widths are halves of each other up to the rounding of knots, which is that of t.
  const double same = 2 * piecewise::epsilon * std::max(std::fabs(r.knots.front()), std::fabs(r.knots.back()));
  std::vector<OfWidth> widths;
  const auto of_width = [&](double h) -> const OfWidth& {
    for (const OfWidth& w : widths)
      if (std::fabs(w.h - h) <= same) return w;
    if (widths.size() == most_widths) widths.clear();
    OfWidth& w = widths.emplace_back(OfWidth{h, {}});
    for (const Exponentials::Term& t : f.terms) w.terms.push_back(bessel(t.rate * h));
    return w;
  };
  r.coefficients.assign(std::size_t(r.pieces()) * nodes, 0.0);
  for (int i = 0; i < r.pieces(); ++i) {
    const double m = 0.5 * r.knots[i] + 0.5 * r.knots[i + 1];
    double* const c = &r.coefficients[std::size_t(i) * nodes];
    const OfWidth& w = of_width(0.5 * (r.knots[i + 1] - r.knots[i]));
    c[0] = f.constant + f.slope * m;
    c[1] = f.slope * w.h;
    for (std::size_t k = 0; k < f.terms.size(); ++k) {
      const Complex a = at(f.terms[k], m);
      const Bessel& b = w.terms[k];
      for (int j = 0; j < nodes; ++j) c[j] += a.real() * b.re[std::size_t(j)] - a.imag() * b.im[std::size_t(j)];
      rest = std::max(rest, (std::fabs(a.real()) + std::fabs(a.imag())) * b.rest);
    }
    size = std::max({size, std::fabs(c[0]), std::fabs(c[1]), std::fabs(c[2])});
  }
  return double(f.terms.size()) * rest <= tolerance * size && std::isfinite(size);
}

}  // namespace

std::optional<PiecewisePolynomial> refit(const Exponentials& f, const PiecewisePolynomial& like) {
  if (!like.breakpoints.empty()) return std::nullopt;
  PiecewisePolynomial r{like.knots, piecewise::degree, {}, {}};
  for (int k = 0; k <= halvings; ++k) {
    if (interpolate(f, r)) return r;
    std::vector<double> knots = {r.knots[0]};
    for (int i = 0; i < r.pieces(); ++i) knots.insert(knots.end(), {0.5 * (r.knots[i] + r.knots[i + 1]), r.knots[i + 1]});
    r.knots = std::move(knots);
  }
  return std::nullopt;
}

}  // namespace aleator::core
