#include "input/exponential_form.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace aleator::core::input {

namespace {

constexpr std::size_t most_terms = 16;
constexpr int highest_power = 4;
using Term = ExponentialForm::Term;

// The line as terms too.
std::vector<Term> all_terms(const ExponentialForm& f) {
  std::vector<Term> r = f.terms;
  if (f.constant != 0) r.push_back({f.constant, 0, 0});
  if (f.slope != 0) r.push_back({f.slope, 0, 1});
  return r;
}

bool is_power(const Term& t) { return t.rate == 0.0 && t.bend == 0.0 && t.amplitude.imag() == 0; }

void add(ExponentialForm& f, const Term& t) {
  if (is_power(t) && t.power == 0)
    f.constant += t.amplitude.real();
  else if (is_power(t) && t.power == 1)
    f.slope += t.amplitude.real();
  else if (const auto same =
               std::find_if(f.terms.begin(), f.terms.end(),
                            [&](const Term& x) { return x.rate == t.rate && x.bend == t.bend && x.power == t.power; });
           same != f.terms.end())
    same->amplitude += t.amplitude;
  else
    f.terms.push_back(t);
}

}  // namespace

ExponentialForm sine_form(double angular_frequency, double phase, double bend) {
  return {0, 0, {{std::complex<double>(std::sin(phase), -std::cos(phase)), {0, angular_frequency}, 0, {0, bend}}}};
}

ExponentialForm operator*(double factor, ExponentialForm f) {
  f.constant *= factor, f.slope *= factor;
  for (Term& t : f.terms) t.amplitude *= factor;
  return f;
}

ExponentialForm operator+(ExponentialForm f, const ExponentialForm& g) {
  f.constant += g.constant, f.slope += g.slope;
  for (const Term& t : g.terms) add(f, t);
  return f;
}

std::optional<ExponentialForm> product(const ExponentialForm& f, const ExponentialForm& g) {
  ExponentialForm r;
  const std::vector<Term> of_f = all_terms(f), of_g = all_terms(g);
  for (const Term& a : of_f)
    for (const Term& b : of_g) {
      const int power = a.power + b.power;
      if (is_power(a) || is_power(b)) {
        add(r, {a.amplitude * b.amplitude, a.rate + b.rate, power, a.bend + b.bend});
      } else {  // Re a Re b = ½ Re(a b) + ½ Re(a b*)
        add(r, {0.5 * a.amplitude * b.amplitude, a.rate + b.rate, power, a.bend + b.bend});
        add(r, {0.5 * a.amplitude * std::conj(b.amplitude), a.rate + std::conj(b.rate), power, a.bend + std::conj(b.bend)});
      }
      if (power > highest_power || r.terms.size() > most_terms) return std::nullopt;
    }
  return r;
}

// c + |A| cos(ωt + φ) = 0:  ωt + φ = ±acos(−c/|A|) + 2πk
std::optional<std::vector<double>> zeros(const ExponentialForm& f, double from, double to) {
  std::vector<double> r;
  const auto add_if_inside = [&](double t) {
    if (t > from && t < to) r.push_back(t);
  };
  if (f.is_line()) {
    if (f.slope == 0) return std::nullopt;
    add_if_inside(-f.constant / f.slope);
    return r;
  }
  constexpr double turn = 2 * std::numbers::pi, most = 1e5;
  if (f.slope != 0 || f.terms.size() != 1 || f.terms[0].power != 0 || f.terms[0].rate.real() != 0 || f.terms[0].bend != 0.0)
    return std::nullopt;
  const double w = f.terms[0].rate.imag(), size = std::abs(f.terms[0].amplitude), phase = std::arg(f.terms[0].amplitude);
  const double cosine = -f.constant / size;
  if (!(std::fabs(cosine) < 1 - 1e-6) || !(std::fabs(w) * (to - from) < most)) return std::nullopt;
  const double angle = std::acos(cosine);
  const double first = std::floor((std::min(w * from, w * to) + phase) / turn) - 1,
               last = std::ceil((std::max(w * from, w * to) + phase) / turn) + 1;
  for (double k = first; k <= last; ++k)
    for (const double a : {-angle, angle}) add_if_inside((turn * k + a - phase) / w);
  return r;
}

}  // namespace aleator::core::input
