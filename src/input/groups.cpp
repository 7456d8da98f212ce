// Mappings: with known fields, and with one tag that says what they are.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "input/reading.hpp"

namespace aleator::core::input {

namespace {

template <class Keyed>
const Keyed* find_key(std::span<const Keyed> list, std::string_view key) {
  const auto it = std::find_if(list.begin(), list.end(), [&](const Keyed& k) { return k.key == key; });
  return it == list.end() ? nullptr : &*it;
}

template <class Keyed>
std::vector<std::string> keys_of(std::span<const Keyed> list) {
  std::vector<std::string> keys;
  for (const Keyed& k : list) keys.emplace_back(k.key);
  return keys;
}

// Whether there is one. A key that is only misspelt is not missing: what was `said` of unknown keys names it.
bool refuse_missing(Reading& reading, std::span<const Field> fields, const Tree& tree, const Place& place,
                    std::span<const std::string> said) {
  std::vector<std::string> missing;
  bool some = false;
  for (const Field& field : fields) {
    if (!field.required || tree.find(field.key)) continue;
    some = true;
    const std::string quoted = fmt::format("'{}", field.key);
    const bool misspelt =
        std::any_of(said.begin(), said.end(), [&](const std::string& s) { return s.find(quoted) != std::string::npos; });
    if (!misspelt) missing.push_back(fmt::format("'{}'", place.at(field.key).path));
  }
  if (missing.empty()) return some;
  std::string list = missing[0];
  for (std::size_t i = 1; i < missing.size(); ++i) list += (i + 1 == missing.size() ? " and " : ", ") + missing[i];
  reading.errors.add(place.remark(tree.at, fmt::format("{} {} missing", list, missing.size() == 1 ? "is" : "are")));
  return true;
}

// The fields of a mapping apart from its tag; unknown keys are left out. Whether all are right.
bool read_fields(Reading& reading, std::span<const Field> fields, const Tree& tree, const Place& place, std::string_view tag,
                 Item& item) {
  bool fine = true;
  for (const Tree& child : tree.children) {
    const Field* field = child.key == tag ? nullptr : find_key(fields, child.key);
    if (!field) continue;
    fine &= reading.errors.attempt(
        [&] { item.fields.emplace_back(child.key, read_value(reading, *field, child, place.at(child.key))); });
  }
  return fine;
}

// What stands in a mapping in which something is wrong, all of which has been told.
Consequence spoilt(const Tree& tree, const Place& place) { return Consequence(place.error(tree.at, "is wrong")); }

// The fields of a group; `known` also has keys that are none, for suggestions.
Item read_group_among(Reading& reading, std::span<const Field> fields, std::span<const std::string> known, const Tree& tree,
                      const Place& outside) {
  const Place place = outside.inside();
  Item item;
  item.at = tree.at;
  const std::vector<std::string> said = refuse_unknown_keys(reading, tree, known, place);
  const bool missing = refuse_missing(reading, fields, tree, place, said);
  if (read_fields(reading, fields, tree, place, "", item) && !missing && said.empty()) return item;
  reading.salvaged = std::move(item);
  throw spoilt(tree, outside);
}

// A key that belongs one level further in, `{cov: 10%}` for `{normal: {cov: 10%}}`: how that is written; empty if it is none.
std::string written_inside(std::string_view key, std::span<const Kind> kinds, std::span<const Field> untagged) {
  std::vector<std::string> ways;
  const auto has = [&](const Field& f) { return find_key(std::span<const Field>(f.fields), key) != nullptr; };
  const auto add = [&](std::string_view outer) { ways.push_back(fmt::format("{{{}: {{{}: …}}}}", outer, key)); };
  if (const auto f = std::find_if(untagged.begin(), untagged.end(), has); f != untagged.end()) add(f->key);
  if (const auto k = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& kind) { return has(kind.subject); });
      k != kinds.end())
    add(k->key);
  return ways.empty() ? "" : fmt::format("; it stands inside of another one, as in {}", fmt::join(ways, " or "));
}

// The tag of a mapping, null when it has none. A word may be the tag of one kind and a field of another: `{force: ..,
// position: ..}` is a force with a position when positions are among the fields of forces.
const Kind* find_tag(std::span<const Kind> kinds, const Tree& tree, const Place& place) {
  std::vector<const Kind*> tags;
  for (const Tree& child : tree.children)
    if (const Kind* kind = find_key(kinds, child.key)) tags.push_back(kind);
  if (tags.size() < 2) return tags.empty() ? nullptr : tags[0];

  const Kind* only = nullptr;
  for (const Kind* kind : tags) {
    const bool owns_the_others = std::all_of(tags.begin(), tags.end(), [&](const Kind* other) {
      return other == kind || find_key(std::span<const Field>(kind->fields), other->key);
    });
    if (owns_the_others) {
      only = kind;
      break;
    }
  }
  if (only) return only;
  throw place.remark(tree.find(tags[1]->key)->key_at,
                     fmt::format("{}both '{}' and '{}' give its type, only one may",
                                 place.path.empty() ? "" : fmt::format("'{}': ", place.path), tags[0]->key, tags[1]->key));
}

}  // namespace

std::vector<std::string> refuse_unknown_keys(Reading& reading, const Tree& tree, std::span<const std::string> known,
                                             const Place& place) {
  std::vector<std::string> said;
  for (const Tree& child : tree.children)
    if (std::find(known.begin(), known.end(), child.key) == known.end()) {
      const InputError error = unknown_key(reading, child, known, place);
      said.push_back(error.message());
      reading.errors.add(error);
    }
  return said;
}

Item read_group(Reading& reading, std::span<const Field> fields, const Tree& tree, const Place& outside) {
  if (!tree.is_mapping()) throw outside.wrong(tree, "a mapping");
  return read_group_among(reading, fields, keys_of(fields), tree, outside);
}

Item read_tagged(Reading& reading, std::span<const Kind> kinds, std::span<const Field> untagged, const Tree& tree,
                 const Place& outside) {
  const std::vector<std::string> tags = keys_of(kinds);
  const bool needs_tag = untagged.empty() && !tags.empty();
  if (!tree.is_mapping())
    throw outside.wrong(tree, needs_tag ? fmt::format("a mapping with one of {}", fmt::join(tags, ", ")) : "a mapping");
  const Place place = outside.inside();

  const Kind* kind = find_tag(kinds, tree, place);
  std::vector<std::string> known = keys_of(kind ? std::span<const Field>(kind->fields) : untagged);
  if (kind)
    known.emplace_back(kind->key);
  else
    known.insert(known.end(), tags.begin(), tags.end());

  if (!kind && needs_tag) {
    // A mistyped tag is the likely reason why there is none.
    for (const Tree& child : tree.children)
      if (const std::string hint = suggestion(child.key, tags); hint.find("did you mean") != std::string::npos)
        throw place.remark(child.key_at, fmt::format("unknown key '{}'{}", place.at(child.key).path, hint));
    for (const Tree& child : tree.children)
      if (child.shape == Tree::Shape::null) throw unknown_key(reading, child, tags, place);  // {revolute [a, b]}
    throw outside.error(tree.at, fmt::format("must have one of the keys {}", fmt::join(tags, ", ")));
  }
  if (!kind) {
    for (const Tree& child : tree.children)
      if (const std::string inside = written_inside(child.key, kinds, untagged);
          !inside.empty() && std::find(known.begin(), known.end(), child.key) == known.end())
        throw place.remark(child.key_at, fmt::format("unknown key '{}'{}", place.at(child.key).path, inside));
    return read_group_among(reading, untagged, known, tree, place);
  }

  const std::vector<std::string> said = refuse_unknown_keys(reading, tree, known, place);
  Item item;
  item.at = tree.at;
  item.kind = kind->key;
  bool fine = !refuse_missing(reading, kind->fields, tree, place, said) && said.empty();
  fine &= reading.errors.attempt(
      [&] { item.subject = read_value(reading, kind->subject, *tree.find(kind->key), place.at(kind->key)); });
  fine &= read_fields(reading, kind->fields, tree, place, kind->key, item);
  if (!fine) throw spoilt(tree, outside);
  return item;
}

}  // namespace aleator::core::input
