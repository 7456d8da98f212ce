// What rounding takes from a product.
#pragma once

namespace aleator::core {

// a b − round(a b), exactly (Dekker): a fused operation is not everywhere, and slow where it is not.
inline double product_error(double a, double b) {
  const auto upper = [](double x) {
    const double c = 134217729.0 * x;
    return c - (c - x);
  };
  const double p = a * b, a1 = upper(a), a2 = a - a1, b1 = upper(b), b2 = b - b1;
  return ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2;
}

}  // namespace aleator::core
