// A number of a model before it is read: known, or the text of an expression. Sums and products of known ones are computed, of
// others written down.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "input/substitution.hpp"

namespace aleator::core::input {

struct Amount {
  std::optional<double> value = 0.0;
  std::string text = "";  // where it has no value

  Amount() = default;
  Amount(double v) : value(v) {}
  explicit Amount(std::string expression) : value(), text(std::move(expression)) {}

  bool is(double v) const { return value && *value == v; }
};

Amount operator+(const Amount& a, const Amount& b);
Amount operator*(const Amount& a, const Amount& b);
Amount operator-(const Amount& a);
Amount cosine(const Amount& angle);  // of quarter turns exactly
Amount sine(const Amount& angle);

using AmountVector = std::array<Amount, 3>;
using AmountMatrix = std::array<AmountVector, 3>;

AmountMatrix identity_amounts();
AmountVector operator*(const AmountMatrix& a, const AmountVector& x);
AmountMatrix operator*(const AmountMatrix& a, const AmountMatrix& b);
AmountVector operator+(const AmountVector& a, const AmountVector& b);
AmountMatrix transposed(const AmountMatrix& a);

Amount amount_of(const Tree& scalar, Arithmetic& arithmetic);
Tree tree_of(const Amount& amount, Position at);  // the key is to be set
Tree tree_of(const AmountVector& vector, Position at);

}  // namespace aleator::core::input
