#include "numerics/frequency_weighting.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "numerics/fourier.hpp"

namespace aleator::core {

namespace {

constexpr double none = std::numeric_limits<double>::infinity();

// ISO 2631-1:1997, tables A.1 and A.2.
constexpr FrequencyWeighting table[] = {{"Wk", 0.4, 100, 12.5, 12.5, 0.63, 2.37, 0.91, 3.35, 0.91, 80},
                                        {"Wd", 0.4, 100, 2, 2, 0.63, none, 1, none, 1, 80},
                                        {"Wf", 0.08, 0.63, none, 0.25, 0.86, 0.0625, 0.80, 0.1, 0.80, 0.5},
                                        {"Wc", 0.4, 100, 8, 8, 0.63, none, 1, none, 1, 80},
                                        {"We", 0.4, 100, 1, 1, 0.63, none, 1, none, 1, 80},
                                        {"Wj", 0.4, 100, none, none, 1, 3.75, 0.91, 5.32, 0.91, 80}};

}  // namespace

std::span<const FrequencyWeighting> frequency_weightings() { return table; }

const FrequencyWeighting* frequency_weighting(std::string_view name) {
  const auto it = std::find_if(std::begin(table), std::end(table), [&](const auto& w) { return w.name == name; });
  return it == std::end(table) ? nullptr : it;
}

std::complex<double> transfer(const FrequencyWeighting& w, double hertz) {
  using Complex = std::complex<double>;
  if (hertz == 0) return 0;
  const auto p = [&](double corner) { return Complex(0, hertz / corner); };  // p/ω; 0 of an infinite corner
  const auto second_order = [&](double corner, double q) { return 1.0 + p(corner) / q + p(corner) * p(corner); };
  const Complex below = 1.0 / p(w.f1);
  const Complex limits = 1.0 / (1.0 + std::numbers::sqrt2 * below + below * below) / second_order(w.f2, 1 / std::numbers::sqrt2);
  const Complex transition = (1.0 + p(w.f3)) / second_order(w.f4, w.q4);
  if (w.f5 == none) return limits * transition;
  const double gain = w.f5 / w.f6;
  return limits * transition * second_order(w.f5, w.q5) / second_order(w.f6, w.q6) * (gain * gain);
}

std::vector<double> weighted(const FrequencyWeighting& w, double step, std::span<const double> x) {
  // The slowest part, of the lower band limit, decays as e^{−√½ ω1 t}: to 10⁻⁶.
  const double forgotten = 14 / (std::numbers::sqrt2 * std::numbers::pi * w.f1);
  const std::size_t n = fourier_length(x.size() + std::size_t(std::ceil(forgotten / step)));
  std::vector<std::complex<double>> signal(n), spectrum(n);
  std::copy(x.begin(), x.end(), signal.begin());
  fourier(signal, spectrum);
  const double resolution = 1 / (double(n) * step);
  for (std::size_t k = 0; k <= n / 2; ++k) {
    const std::complex<double> gain = transfer(w, double(k) * resolution) / double(n);
    spectrum[k] *= 2 * k == n ? gain.real() : gain;
    if (k > 0 && 2 * k < n) spectrum[n - k] = std::conj(spectrum[k]);
  }
  inverse_fourier(spectrum, signal);
  std::vector<double> out(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) out[i] = signal[i].real();
  return out;
}

}  // namespace aleator::core
