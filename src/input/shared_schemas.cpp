#include "input/shared_schemas.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace aleator::core::input {
namespace {

constexpr std::size_t least_length = 200;  // a reference takes some 40 characters

// Calls visit(schema, key) for a schema and those in it; the key is that of the property it is the schema of, or in which it stands.
void for_each_schema(JsonValue& schema, const std::string& key,
                     const std::function<void(JsonValue&, const std::string&)>& visit) {
  visit(schema, key);
  for (auto& [keyword, value] : schema.members()) {
    if (keyword == "additionalProperties" || keyword == "items" || keyword == "propertyNames") for_each_schema(value, key, visit);
    if (keyword == "anyOf" || keyword == "oneOf")
      for (auto& [unused, alternative] : value.members()) for_each_schema(alternative, key, visit);
    if (keyword == "properties" || keyword == "$defs")
      for (auto& [name, property] : value.members()) for_each_schema(property, name, visit);
  }
}

std::string description_of(const JsonValue& schema) {
  const JsonValue* description = schema.find("description");
  return description ? description->as_string() : "";
}

JsonValue without_description(JsonValue schema) {
  schema.remove("description");
  return schema;
}

struct Place {
  JsonValue* schema;
  std::string key;
};
using Places = std::vector<Place>;

// The places of the longest schema that is there more than once; none when there is no such schema.
Places longest_repeated(JsonValue& root) {
  std::map<std::string, Places> places;
  for_each_schema(root, "", [&](JsonValue& schema, const std::string& key) {
    if (!schema.is_object() || schema.find("$ref")) return;
    const std::string content = without_description(schema).text(Json::Layout::compact);
    if (content.size() >= least_length) places[content].push_back({&schema, key});
  });
  const std::string* longest = nullptr;
  for (const auto& [content, where] : places)
    if (where.size() > 1 && (!longest || content.size() > longest->size())) longest = &content;
  return longest ? places.at(*longest) : Places{};
}

// What it is called: its title (of a kind), or the keys it is found under: "E-nu-density-height".
std::string name_for(const Places& places, const JsonValue& definitions) {
  std::string name;
  if (const JsonValue* title = places[0].schema->find("title")) name = title->as_string();
  std::vector<std::string> keys;
  for (const Place& place : places)
    if (std::find(keys.begin(), keys.end(), place.key) == keys.end()) keys.push_back(place.key);
  if (name.empty())
    for (const std::string& key : keys) name += (name.empty() ? "" : "-") + key;
  const std::string first = name;
  for (int k = 2; definitions.find(name); ++k) name = first + "-" + std::to_string(k);
  return name;
}

}  // namespace

void share_repeated(JsonValue& root) {
  for (Places places; !(places = longest_repeated(root)).empty();) {
    JsonValue& definitions = *root.find("$defs");
    const std::string name = name_for(places, definitions), description = description_of(*places[0].schema);
    const bool described_alike =
        std::all_of(places.begin(), places.end(), [&](const Place& p) { return description_of(*p.schema) == description; });
    JsonValue shared = described_alike ? *places[0].schema : without_description(*places[0].schema);
    for (const Place& place : places) {
      JsonValue reference = JsonValue::object({{"$ref", "#/$defs/" + name}});
      if (!described_alike && !description_of(*place.schema).empty()) reference.set("description", description_of(*place.schema));
      *place.schema = std::move(reference);
    }
    definitions.set(name, std::move(shared));
  }
}

}  // namespace aleator::core::input
