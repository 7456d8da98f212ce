#include "model/suspects.hpp"

#include <algorithm>
#include <vector>

namespace aleator::core {

using input::Item;
using input::Value;

static std::vector<std::string_view> views(const std::vector<std::string>& names) { return {names.begin(), names.end()}; }

Suspects::Suspects(const input::Description& draft)
    : names_(draft.suspect.begin(), draft.suspect.end()), dependents_(draft, views(draft.suspect)) {}

bool Suspects::contain_uncertain(std::string_view name) const {
  return contain("uncertain") || contain("uncertain." + std::string(name));
}

bool Suspects::touch(const Item& item) const {
  return !names_.empty() && (contain(item.name) || named_in(item) || dependents_.contain(item));
}

bool Suspects::named_in(const Value& v) const {
  const auto in = [&](const auto& x) { return named_in(x); };
  return named_in(v.word) || std::any_of(v.words.begin(), v.words.end(), in) || std::any_of(v.items.begin(), v.items.end(), in) ||
         std::any_of(v.by_direction.begin(), v.by_direction.end(), [&](const auto& e) { return named_in(e.value); });
}

bool Suspects::named_in(const Item& item) const {
  return named_in(item.subject) ||
         std::any_of(item.fields.begin(), item.fields.end(), [&](const auto& e) { return named_in(e.value); });
}

}  // namespace aleator::core
