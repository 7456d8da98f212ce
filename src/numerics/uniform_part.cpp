#include "numerics/uniform_part.hpp"

#include <algorithm>
#include <limits>

namespace aleator::core {

namespace {

bool is_comparison(Operation op) { return op == Operation::less || op == Operation::less_equal || op == Operation::equal; }
bool is_bitwise(Operation op) { return op == Operation::both || op == Operation::either || op == Operation::unlike; }

// Steps behind a number that are worth more than reading it from a row; a quotient or a root is.
constexpr int many = 12;
bool is_slow(Operation op) { return op == Operation::divide || op == Operation::square_root; }

}  // namespace

Operands operands_of(const Program& p, const Program::Step& s) {
  Operands o;
  const int least = -int(p.places.size());
  const auto add = [&](int operand) {
    if (operand >= least) o.at[o.count++] = operand;
  };
  add(s.a);
  if (s.op == Operation::store) return o;
  add(s.b);
  if (s.op == Operation::fused || s.op == Operation::fused_negated || s.op == Operation::fused_less || s.op == Operation::select)
    add(s.c);
  return o;
}

std::vector<char> masks_of(const Program& p) {
  std::vector<char> mask(p.steps.size(), 0);
  for (size_t i = 0; i < p.steps.size(); ++i) {
    const Program::Step& s = p.steps[i];
    if (is_comparison(s.op)) mask[i] = 1;
    if (is_bitwise(s.op)) mask[i] = (s.a >= 0 && mask[size_t(s.a)]) || (s.b >= 0 && mask[size_t(s.b)]);
  }
  return mask;
}

UniformPart::UniformPart(const Program& p, const std::vector<char>& uniform)
    : program_(p),
      by_host_(p.steps.size(), 0),
      in_lanes_(p.steps.size(), 0),
      of_place_(p.places.size(), -1),
      of_step_(p.steps.size(), -1) {
  const size_t n = p.steps.size();
  const std::vector<char> is_mask = masks_of(p);
  std::vector<char> same(n, 0), hoisted(n, 0);
  std::vector<int> behind(n, 0);  // steps, at most `many`
  const auto is_same = [&](int operand) {
    if (operand >= 0) return same[size_t(operand)] != 0;
    const Program::Place& place = p.places[size_t(-1 - operand)];
    return place.is_constant || uniform[size_t(place.slot)] != 0;
  };
  for (size_t i = 0; i < n; ++i) {
    const Program::Step& s = p.steps[i];
    if (s.op == Operation::store) continue;
    const Operands o = operands_of(p, s);
    same[i] = std::all_of(o.begin(), o.end(), is_same);
    for (const int operand : o)
      if (operand >= 0) behind[i] += behind[size_t(operand)];
    behind[i] = std::min(many, behind[i] + 1);
    hoisted[i] = same[i] && !is_mask[i] && (is_slow(s.op) || behind[i] == many);
  }
  // Backwards: lanes compute what is stored and what that needs; the host what is hoisted and what that needs.
  for (size_t i = n; i-- > 0;) {
    const Program::Step& s = p.steps[i];
    if (s.op == Operation::store) in_lanes_[i] = 1;
    if (in_lanes_[i] && hoisted[i]) {
      in_lanes_[i] = 0, by_host_[i] = 1;
      of_step_[i] = columns_++;
    }
    for (const int operand : operands_of(p, s)) {
      if (operand >= 0) {
        if (in_lanes_[i]) in_lanes_[size_t(operand)] = 1;
        if (by_host_[i]) by_host_[size_t(operand)] = 1;
      } else if (const Program::Place& place = p.places[size_t(-1 - operand)];
                 in_lanes_[i] && !place.is_constant && uniform[size_t(place.slot)]) {
        if (int& column = of_place_[size_t(-1 - operand)]; column < 0) column = columns_++;
      }
    }
  }
}

void UniformPart::evaluate(const std::vector<double>& slots, std::vector<double>& row) const {
  row.assign(size_t(columns_), 0);
  for (size_t k = 0; k < of_place_.size(); ++k)
    if (of_place_[k] >= 0) row[size_t(of_place_[k])] = slots[size_t(program_.places[k].slot)];
  values_.resize(program_.steps.size());
  const int least = -int(program_.places.size());
  const auto at = [&](int operand) {
    if (operand >= 0) return values_[size_t(operand)];
    if (operand < least) return 0.0;
    const Program::Place& p = program_.places[size_t(-1 - operand)];
    return p.is_constant ? p.value : slots[size_t(p.slot)];
  };
  for (size_t i = 0; i < program_.steps.size(); ++i) {
    if (!by_host_[i]) continue;
    const Program::Step& s = program_.steps[i];
    values_[i] = detail::operate(s.op, at(s.a), at(s.b), at(s.c));
    if (of_step_[i] >= 0) row[size_t(of_step_[i])] = values_[i];
  }
}

}  // namespace aleator::core
