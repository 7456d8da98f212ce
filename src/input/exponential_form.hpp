// What an expression of time is, if it is a line and a sum of exponentials times powers of time:
// f(t) = c + b t + Re Σ A tⁿ exp(z t + q t²),  A sin(ωt + φ) = Re(−iA exp(iφ) exp(iωt)); sweeps of frequency have a q.
#pragma once

#include <complex>
#include <optional>
#include <vector>

namespace aleator::core::input {

struct ExponentialForm {
  struct Term {
    std::complex<double> amplitude, rate;  // A, z
    int power = 0;                         // n
    std::complex<double> bend = 0;         // q
  };
  double constant = 0, slope = 0;  // c, b
  std::vector<Term> terms = {};

  bool is_line() const { return terms.empty(); }
};

// sin(phase + angular_frequency t + bend t²)
ExponentialForm sine_form(double angular_frequency, double phase, double bend = 0);
ExponentialForm operator*(double factor, ExponentialForm f);
ExponentialForm operator+(ExponentialForm f, const ExponentialForm& g);
// Nothing where it has more than 16 terms, or more than the fourth power of time.
std::optional<ExponentialForm> product(const ExponentialForm& f, const ExponentialForm& g);

// All zeros between two times at which f changes its sign, of a line and of one sine about a constant. Nothing where it is neither, or
// hardly reaches zero.
std::optional<std::vector<double>> zeros(const ExponentialForm& f, double from, double to);

}  // namespace aleator::core::input
