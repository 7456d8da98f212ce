#include "input/amount.hpp"

#include <cmath>

#include <fmt/format.h>

namespace aleator::core::input {
namespace {

std::string factor_text(const Amount& t) {
  if (t.value) return *t.value < 0 ? fmt::format("({})", number_text(*t.value)) : number_text(*t.value);
  return fmt::format("({})", t.text);
}

// Where a quarter turn is meant, sine and cosine are 0, 1 or −1; what the library gives is off by at most 2e-16.
double tidy(double x) {
  constexpr double round_off = 4e-16;
  const double whole = std::round(x);
  return std::abs(x - whole) < round_off ? whole + 0.0 : x;
}

}  // namespace

Amount operator+(const Amount& a, const Amount& b) {
  if (a.is(0)) return b;
  if (b.is(0)) return a;
  if (a.value && b.value) return *a.value + *b.value;
  return Amount(fmt::format("{}+{}", factor_text(a), factor_text(b)));
}

Amount operator*(const Amount& a, const Amount& b) {
  if (a.is(0) || b.is(0)) return 0.0;
  if (a.is(1)) return b;
  if (b.is(1)) return a;
  if (a.value && b.value) return *a.value * *b.value;
  if (a.is(-1)) return -b;
  if (b.is(-1)) return -a;
  return Amount(fmt::format("{}*{}", factor_text(a), factor_text(b)));
}

Amount operator-(const Amount& a) {
  if (a.value) return a.is(0) ? 0.0 : -*a.value;
  return Amount(fmt::format("-({})", a.text));
}

Amount cosine(const Amount& a) { return a.value ? Amount(tidy(std::cos(*a.value))) : Amount(fmt::format("cos({})", a.text)); }
Amount sine(const Amount& a) { return a.value ? Amount(tidy(std::sin(*a.value))) : Amount(fmt::format("sin({})", a.text)); }

AmountMatrix identity_amounts() { return {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}}; }

AmountVector operator*(const AmountMatrix& a, const AmountVector& x) {
  AmountVector y;
  for (std::size_t i = 0; i < 3; ++i) y[i] = a[i][0] * x[0] + a[i][1] * x[1] + a[i][2] * x[2];
  return y;
}

AmountMatrix operator*(const AmountMatrix& a, const AmountMatrix& b) {
  AmountMatrix c;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
  return c;
}

AmountVector operator+(const AmountVector& a, const AmountVector& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }

AmountMatrix transposed(const AmountMatrix& a) {
  AmountMatrix t;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) t[i][j] = a[j][i];
  return t;
}

Amount amount_of(const Tree& scalar, Arithmetic& arithmetic) {
  if (const std::optional<double> value = arithmetic(scalar.text)) return *value;
  return Amount(scalar.text);
}

Tree tree_of(const Amount& amount, Position at) {
  Tree tree;
  tree.shape = Tree::Shape::scalar;
  tree.at = at;
  tree.plain = true;
  tree.text = amount.value ? number_text(*amount.value) : amount.text;
  return tree;
}

Tree tree_of(const AmountVector& vector, Position at) {
  Tree tree;
  tree.shape = Tree::Shape::list;
  tree.at = at;
  for (const Amount& amount : vector) tree.children.push_back(tree_of(amount, at));
  return tree;
}

}  // namespace aleator::core::input
