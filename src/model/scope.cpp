#include "model/scope.hpp"

#include <optional>

namespace aleator::core {

namespace {

using NamedValues = std::vector<std::pair<std::string, double>>;

NamedValues parameters_in(std::span<const Override> overrides) {
  NamedValues parameters;
  for (const Override& o : overrides)
    if (o.name.find('.') == std::string::npos) parameters.emplace_back(o.name, o.value);
  return parameters;
}

// The scope of this thread that nobody uses. The expressions it was made for stay alive with it, so that their address says
// which they are.
struct Kept {
  std::shared_ptr<const input::Expressions> expressions;
  std::optional<input::Scope> scope;
};
thread_local Kept kept;

input::Scope borrow(const input::Description& d, std::span<const Override> overrides) {
  const NamedValues parameters = parameters_in(overrides);
  if (!d.expressions || kept.expressions != d.expressions || !kept.scope) return input::Scope(d, parameters);
  input::Scope scope = std::move(*kept.scope);
  kept.scope.reset();
  scope.reset(parameters);
  return scope;
}

}  // namespace

input::Scope scope_of(const input::Description& description, std::span<const Override> overrides) {
  return input::Scope(description, parameters_in(overrides));
}

BorrowedScope::BorrowedScope(const input::Description& description, std::span<const Override> overrides)
    : expressions_(description.expressions), scope_(borrow(description, overrides)) {}

BorrowedScope::~BorrowedScope() {
  kept.expressions = std::move(expressions_);
  kept.scope.emplace(std::move(scope_));
}

}  // namespace aleator::core
