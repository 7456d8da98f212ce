// What an expression of time is, if it is a line and a sum of exponentials:  f(t) = c + b t + Re Σ A exp(z t),
// A sin(ωt + φ) = Re(−iA exp(iφ) exp(iωt)).
#pragma once

#include <complex>
#include <optional>
#include <vector>

namespace aleator::core::input {

struct ExponentialForm {
  struct Term {
    std::complex<double> amplitude, rate;  // A, z
  };
  double constant = 0, slope = 0;  // c, b
  std::vector<Term> terms = {};
};

ExponentialForm sine_form(double angular_frequency, double phase);
ExponentialForm operator*(double factor, ExponentialForm f);
ExponentialForm operator+(ExponentialForm f, const ExponentialForm& g);
// Nothing where it is of another form, or has more than 16 terms.
std::optional<ExponentialForm> product(const ExponentialForm& f, const ExponentialForm& g);

}  // namespace aleator::core::input
