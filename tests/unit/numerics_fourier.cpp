#include "numerics/fourier.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace ALEATOR_FILE {

using namespace aleator::core;
using Complex = std::complex<double>;

TEST(Fourier, is_the_sum_it_stands_for) {
  for (const std::size_t n : {1u, 2u, 7u, 30u, 96u}) {
    std::vector<Complex> x(n), forward(n), back(n);
    for (std::size_t j = 0; j < n; ++j) x[j] = {std::sin(1.0 + double(j * j)), std::cos(3.0 * double(j))};
    fourier(x, forward);
    for (std::size_t k = 0; k < n; ++k) {
      Complex sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += x[j] * std::polar(1.0, -2 * std::numbers::pi * double(j * k % n) / double(n));
      EXPECT_NEAR(std::abs(forward[k] - sum), 0, 1e-13 * double(n)) << n << " " << k;
    }
    inverse_fourier(forward, back);
    for (std::size_t j = 0; j < n; ++j) EXPECT_NEAR(std::abs(back[j] / double(n) - x[j]), 0, 1e-14 * double(n));
  }
}

TEST(Fourier, of_real_signals_keeps_half) {
  const std::vector<double> x = {1, 2, 0, -1, 4};
  const std::vector<Complex> c = real_fourier(x);
  ASSERT_EQ(c.size(), 3u);
  EXPECT_NEAR(c[0].real(), 6, 1e-14);
  EXPECT_NEAR(c[0].imag(), 0, 1e-14);
}

TEST(Fourier, lengths_have_small_factors) {
  EXPECT_EQ(fourier_length(1), 2u);
  EXPECT_EQ(fourier_length(7), 8u);
  EXPECT_EQ(fourier_length(4097), 4320u);
  EXPECT_EQ(fourier_length(4500), 4500u);
}

}  // namespace ALEATOR_FILE
