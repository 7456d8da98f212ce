#include "model/derived.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "model/scope.hpp"

namespace aleator::core {

using input::InputError;
using input::Item;
using input::Value;

namespace {

constexpr std::array<std::pair<std::string_view, Reduction>, 7> reductions = {
    {{"maximum", Reduction::maximum},
     {"minimum", Reduction::minimum},
     {"largest_magnitude", Reduction::largest_magnitude},
     {"final", Reduction::final},
     {"rms", Reduction::rms},
     {"average", Reduction::average},
     {"first_crossing", Reduction::first_crossing}}};

int channel_named(const std::vector<Channel>& channels, const Item& item) {
  std::vector<std::string> known;
  for (const Channel& c : channels) known.push_back(c.name);
  const auto it = std::find(known.begin(), known.end(), item.subject.word);
  if (it != known.end()) return int(it - known.begin());
  const std::string hint = known.empty() ? " (the model has no outputs)" : input::suggestion(item.subject.word, known);
  throw InputError(item.subject.at, fmt::format("scalar '{}': unknown output '{}'{}", item.name, item.subject.word, hint));
}

}  // namespace

DerivedScalar derived_scalar(const Item& item, const input::Scope& scope, const std::vector<Channel>& channels) {
  DerivedScalar s;
  s.name = item.name;
  s.channel = channel_named(channels, item);
  s.settings.reduction =
      std::find_if(reductions.begin(), reductions.end(), [&](const auto& r) { return r.first == item.kind; })->second;
  s.unit = s.settings.reduction == Reduction::first_crossing ? "s" : channels[s.channel].unit;
  if (const Value* level = item.find("level")) s.settings.level = scope(level->number);
  if (const Value* direction = item.find("direction"))
    s.settings.direction = direction->word == "up" ? 1 : direction->word == "down" ? -1 : 0;
  return s;
}

Derived read_derived(const input::Description& d, const input::Scope& scope, const std::vector<Output>& outputs,
                     const std::vector<Channel>& channels) {
  Derived out;
  for (const Item& item : d.section("scalars")) out.scalars.push_back(derived_scalar(item, scope, channels));
  const std::vector<Item>& items = d.section("outputs");
  int channel = 0;
  for (const Output& o : outputs) {
    const auto item = std::find_if(items.begin(), items.end(), [&](const Item& i) { return i.name == o.name; });
    const Value* limits = item->find("limits");
    for (size_t c = 0; c < o.channels.size(); ++c, ++channel) {
      if (!limits) continue;
      for (const bool above : {true, false})
        if (const Value* v = limits->items[0].find(above ? "above" : "below"))
          out.limits.push_back({channel, scope(v->number), above});
    }
  }
  return out;
}

Derived realize_derived(const Model& model, std::span<const Override> overrides) {
  return read_derived(model.description, BorrowedScope(model.description, overrides), model.topology.outputs, model.channels);
}

bool derived_depends_on(const Model& model, std::span<const std::string> parameters) {
  const input::Description& d = model.description;
  for (const Item& item : d.section("scalars"))
    if (input::depends_on(item, d, parameters)) return true;
  for (const Item& item : d.section("outputs"))
    if (const Value* limits = item.find("limits"); limits && input::depends_on(limits->items[0], d, parameters)) return true;
  return false;
}

}  // namespace aleator::core
