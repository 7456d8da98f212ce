// The values of all parameters with some of a model's numbers replaced.
#pragma once

#include <span>

#include "input/expression.hpp"
#include "model/mass_properties.hpp"

namespace aleator::core {

// Those of the overrides that are parameters count; numbers of bodies have a dot in their names.
input::Scope scope_of(const input::Description& description, std::span<const Override> overrides);

// The same for as long as this lives. The thread's compiled expressions are kept for its next realization: to compile them takes
// far longer than to evaluate them.
class BorrowedScope {
 public:
  BorrowedScope(const input::Description& description, std::span<const Override> overrides);
  ~BorrowedScope();
  BorrowedScope(const BorrowedScope&) = delete;
  BorrowedScope& operator=(const BorrowedScope&) = delete;

  operator const input::Scope&() const { return scope_; }

 private:
  std::shared_ptr<const input::Expressions> expressions_;
  input::Scope scope_;
};

}  // namespace aleator::core
