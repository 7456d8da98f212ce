#include "input/exponential_form.hpp"

#include <cmath>

namespace aleator::core::input {

namespace {

constexpr std::size_t most_terms = 16;

}  // namespace

ExponentialForm sine_form(double angular_frequency, double phase) {
  return {0, 0, {{std::complex<double>(std::sin(phase), -std::cos(phase)), {0, angular_frequency}}}};
}

ExponentialForm operator*(double factor, ExponentialForm f) {
  f.constant *= factor, f.slope *= factor;
  for (ExponentialForm::Term& t : f.terms) t.amplitude *= factor;
  return f;
}

ExponentialForm operator+(ExponentialForm f, const ExponentialForm& g) {
  f.constant += g.constant, f.slope += g.slope;
  f.terms.insert(f.terms.end(), g.terms.begin(), g.terms.end());
  return f;
}

std::optional<ExponentialForm> product(const ExponentialForm& f, const ExponentialForm& g) {
  if (f.terms.empty() && f.slope == 0) return f.constant * g;
  if (g.terms.empty() && g.slope == 0) return g.constant * f;
  if (f.slope != 0 || g.slope != 0 || 2 * f.terms.size() * g.terms.size() > most_terms) return std::nullopt;
  ExponentialForm r = f.constant * g;
  r.constant = 0;
  r = r + g.constant * f;
  r.constant = f.constant * g.constant;
  // Re a Re b = ½ Re(a b) + ½ Re(a b*)
  for (const ExponentialForm::Term& a : f.terms)
    for (const ExponentialForm::Term& b : g.terms) {
      r.terms.push_back({0.5 * a.amplitude * b.amplitude, a.rate + b.rate});
      r.terms.push_back({0.5 * a.amplitude * std::conj(b.amplitude), a.rate + std::conj(b.rate)});
    }
  return r.terms.size() > most_terms ? std::nullopt : std::optional(std::move(r));
}

}  // namespace aleator::core::input
