#include "numerics/fourier.hpp"

#include <algorithm>

#include <unsupported/Eigen/FFT>

namespace aleator::core {

namespace {

// Its tables of roots, by length, are kept for the next one of this thread.
Eigen::FFT<double>& plans() {
  thread_local Eigen::FFT<double> fft(Eigen::default_fft_impl<double>(), Eigen::FFT<double>::Unscaled);
  return fft;
}

}  // namespace

// kissfft knows no transforms of less than two.
void fourier(std::span<const std::complex<double>> in, std::span<std::complex<double>> out) {
  if (in.size() < 2) return void(std::copy(in.begin(), in.end(), out.begin()));
  plans().fwd(out.data(), in.data(), Eigen::Index(in.size()));
}

void inverse_fourier(std::span<const std::complex<double>> in, std::span<std::complex<double>> out) {
  if (in.size() < 2) return void(std::copy(in.begin(), in.end(), out.begin()));
  plans().inv(out.data(), in.data(), Eigen::Index(in.size()));
}

std::vector<std::complex<double>> real_fourier(std::span<const double> in) {
  const std::vector<std::complex<double>> values(in.begin(), in.end());
  std::vector<std::complex<double>> out(in.size());
  if (!in.empty()) fourier(values, out);
  out.resize(in.size() / 2 + 1);
  return out;
}

std::size_t fourier_length(std::size_t n) {
  std::size_t best = 2;
  while (best < n) best *= 2;
  for (std::size_t five = 1; five <= best; five *= 5)
    for (std::size_t three = five; three <= best; three *= 3)
      for (std::size_t two = 2 * three; two <= best; two *= 2)
        if (two >= n) best = std::min(best, two);
  return best;
}

}  // namespace aleator::core
