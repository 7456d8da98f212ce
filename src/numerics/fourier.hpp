// The discrete Fourier transform (kissfft, in Eigen's form): any length whose factors are small; the same bits on every thread.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace aleator::core {

// out[k] = Σ_j in[j] e^{−2πi jk/n}. The spans have equal lengths and do not overlap.
void fourier(std::span<const std::complex<double>> in, std::span<std::complex<double>> out);
// out[j] = Σ_k in[k] e^{+2πi jk/n}: not divided by n.
void inverse_fourier(std::span<const std::complex<double>> in, std::span<std::complex<double>> out);

// The coefficients k = 0 … n/2 of a real signal of any length n.
std::vector<std::complex<double>> real_fourier(std::span<const double> in);

// The smallest length 2^a 3^b 5^c ≥ n that is even.
std::size_t fourier_length(std::size_t n);

}  // namespace aleator::core
