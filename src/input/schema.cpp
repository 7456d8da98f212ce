#include "input/schema.hpp"

#include <span>

#include <fmt/format.h>

#include "base/json.hpp"
#include "input/conversion.hpp"
#include "input/expand.hpp"
#include "input/frames.hpp"
#include "input/shared_schemas.hpp"

namespace aleator::core::input {

namespace {

constexpr const char* identifier = "^[A-Za-z_][A-Za-z0-9_]*$";
// Parts joined by dots are entries of instances; `${i}` is a variable of a repeat or template.
constexpr const char* entry_name = "^([A-Za-z_]|\\$\\{[^}]*\\})([A-Za-z0-9_.-]|\\$\\{[^}]*\\})*$";
constexpr const char* with_variable = "\\$\\{[^}]*\\}";

JsonValue value_schema(const Field& field);

JsonValue reference(std::string_view name) { return JsonValue::object({{"$ref", fmt::format("#/$defs/{}", name)}}); }

JsonValue described(std::string_view text, JsonValue schema) {
  if (!text.empty()) schema.set("description", text);
  return schema;
}

JsonValue any_of(std::vector<JsonValue> alternatives) {
  return JsonValue::object({{"anyOf", JsonValue::array(std::move(alternatives))}});
}

JsonValue list_of(JsonValue items, int least, int most) {
  JsonValue json = JsonValue::object({{"type", "array"}, {"items", std::move(items)}, {"minItems", least}});
  if (most > 0) json.set("maxItems", most);
  return json;
}

JsonValue closed_object(JsonValue properties, JsonValue required) {
  return JsonValue::object({{"type", "object"},
                            {"properties", std::move(properties)},
                            {"required", std::move(required)},
                            {"additionalProperties", false}});
}

// "The mass. Unit: kg. Default: 1."
std::string description(const Field& field) {
  std::string text(field.doc);
  const auto add = [&](std::string_view label, std::string_view what) {
    if (what.empty()) return;
    text += fmt::format("{}{}: {}.", text.empty() ? "" : " ", label, what);
  };
  if (field.unit != "-") add("Unit", field.unit);
  add("Default", field.fallback);
  return text;
}

JsonValue or_text(const char* type) { return JsonValue::object({{"type", JsonValue::array({type, "string"})}}); }

// Bounds hold for numbers; a text is an expression, whose value is not known here.
JsonValue number_schema(const Field& field) {
  if (field.bound == Bound::none) return reference(field.type == FieldType::integer ? "integer" : "number");
  return or_text(field.type == FieldType::integer ? "integer" : "number")
      .set(field.bound == Bound::positive ? "exclusiveMinimum" : "minimum", 0);
}

JsonValue words_schema(const Field& field) {
  if (field.words.empty()) return JsonValue::object({{"type", "string"}});
  JsonValue words = JsonValue::array();
  for (const std::string_view word : field.words) words.push(word);
  return JsonValue::object({{"enum", std::move(words)}});
}

// What `${…}` may stand for.
JsonValue or_variable(JsonValue schema) { return any_of({std::move(schema), reference("variable")}); }

JsonValue group_schema(std::span<const Field> fields) {
  JsonValue properties = JsonValue::object(), required = JsonValue::array();
  for (const Field& field : fields) {
    properties.set(field.key, value_schema(field));
    if (field.required) required.push(field.key);
  }
  return closed_object(std::move(properties), std::move(required));
}

JsonValue kind_schema(const Kind& kind) {
  JsonValue properties = JsonValue::object(), required = JsonValue::array();
  properties.set(kind.key, value_schema(kind.subject));
  required.push(kind.key);
  for (const Field& field : kind.fields) {
    properties.set(field.key, value_schema(field));
    if (field.required) required.push(field.key);
  }
  return described(kind.doc, closed_object(std::move(properties), std::move(required)).set("title", kind.key));
}

JsonValue choice_schema(std::span<const Kind> kinds) {
  JsonValue alternatives = JsonValue::array();
  for (const Kind& kind : kinds) alternatives.push(kind_schema(kind));
  return JsonValue::object({{"oneOf", std::move(alternatives)}});
}

JsonValue by_name(JsonValue each) { return JsonValue::object({{"type", "object"}, {"additionalProperties", std::move(each)}}); }

JsonValue direct_schema(const Field& field) {
  using enum FieldType;
  switch (field.type) {
    case number:
    case integer:
      return number_schema(field);
    case flag:
      return JsonValue::object({{"type", "boolean"}});
    case text:
      return JsonValue::object({{"type", JsonValue::array({"string", "number", "boolean"})}});
    case word:
      return words_schema(field);
    case words:
      return any_of({words_schema(field), list_of(words_schema(field), 1, 0).set("uniqueItems", true)});
    case numbers:
      return list_of(number_schema({.bound = field.bound}), 1, 0);
    case vector:
      return field.bound == Bound::none ? reference("vector") : list_of(number_schema({.bound = field.bound}), 2, 3);
    case point:
      return reference("point");
    case point_pair:
      return list_of(reference("point"), 2, 2);
    case direction:
      return reference("direction");
    case spin:
      return reference("spin");
    case orientation:
      return reference("orientation");
    case tensor:
      return reference("tensor");
    case body:
    case joint:
    case force:
    case process:
      return reference("name");
    case body_pair:
    case joint_pair:
      return list_of(reference("name"), 2, 2).set("uniqueItems", true);
    case polygon:
      return list_of(list_of(reference("number"), 2, 2), 3, 0);
    case points:
      return list_of(reference("point"), 1, 0);
    case named_numbers:
      return by_name(number_schema({.bound = field.bound}));
    case named_texts:
      return by_name(direct_schema({.type = text}));
    case named_groups:
      return by_name(any_of({group_schema(field.fields), JsonValue::object({{"type", "null"}})}));
    case number_by_name:
      return any_of({number_schema({.bound = field.bound}), by_name(number_schema({.bound = field.bound}))});
    case table:
      return reference("table");
    case mesh:
      return JsonValue::object({{"type", "string"}});
    case factors:
      return any_of({number_schema({.bound = field.bound}), list_of(number_schema({.bound = field.bound}), 3, 3)});
    case records:
      return any_of({list_of(list_of(reference("number"), 2, 0), 1, 0),
                     JsonValue::object({{"type", "object"},
                                        {"properties", JsonValue::object({{"file", JsonValue::object({{"type", "string"}})}})},
                                        {"required", JsonValue::array({"file"})},
                                        {"additionalProperties", false}})});
    case function:
      return reference("function");
    case functions:
      return JsonValue::object({{"anyOf", JsonValue::array({list_of(reference("function"), 2, 3), reference("function")})}});
    case group:
      return group_schema(field.fields);
    case choice:
      return field.words.empty() ? choice_schema(field.kinds) : any_of({words_schema(field), choice_schema(field.kinds)});
    case choices:
      return list_of(choice_schema(field.kinds), 0, 0);
  }
  return JsonValue::object();
}

JsonValue value_schema(const Field& field) {
  if (!field.per_direction) return described(description(field), direct_schema(field));
  JsonValue by_direction =
      JsonValue::object({{"type", "object"},
                         {"propertyNames", words_schema({.words = {std::begin(directions), std::end(directions)}})},
                         {"additionalProperties", direct_schema(field)},
                         {"minProperties", 1}});
  return described(description(field), any_of({direct_schema(field), std::move(by_direction)}));
}

JsonValue orientation_schema() {
  const auto form = [](const char* key, JsonValue value) {
    return closed_object(JsonValue::object({{key, std::move(value)}}), JsonValue::array({key}));
  };
  const JsonValue number = reference("number");
  const JsonValue quaternion = closed_object(JsonValue::object({{"w", number}, {"x", number}, {"y", number}, {"z", number}}),
                                             JsonValue::array({"w", "x", "y", "z"}));
  const JsonValue axis_angle = closed_object(JsonValue::object({{"axis", reference("direction")}, {"angle", number}}),
                                             JsonValue::array({"axis", "angle"}));
  return described("rpy: R = Rz(yaw) Ry(pitch) Rx(roll). In a planar model also an angle.",
                   any_of({number, form("rpy", list_of(number, 3, 3)), form("quaternion", quaternion),
                           form("axis_angle", axis_angle), form("matrix", list_of(list_of(number, 3, 3), 3, 3))}));
}

JsonValue repeat_schema() {
  const JsonValue any = JsonValue::object();
  JsonValue properties = JsonValue::object();
  for (const Field& field : repeat_fields())
    properties.set(field.key, described(description(field), field.key == "in" ? list_of(any, 1, 0) : direct_schema(field)));
  const JsonValue one = closed_object(std::move(properties), JsonValue::array({"for"}));
  return described("Makes an entry for every value of a variable, which is written ${i} in names and values.",
                   any_of({one, list_of(one, 1, 0)}));
}

// Values that occur everywhere. Where a planar model has a shorter form, that one is accepted too.
JsonValue definitions(bool of_models) {
  JsonValue all =
      JsonValue::object({{"number", described("A number, or an expression of the parameters.", or_text("number"))},
                         {"integer", described("A whole number, or an expression of the parameters.", or_text("integer"))},
                         {"name", JsonValue::object({{"type", "string"}, {"pattern", entry_name}})}});
  if (!of_models) return all;

  const JsonValue number = reference("number");
  const JsonValue axis = JsonValue::object({{"enum", JsonValue::array({"x", "y", "z", "-x", "-y", "-z"})}});
  JsonValue entries = JsonValue::object();
  for (const char* entry : {"xx", "yy", "zz", "xy", "xz", "yz"}) entries.set(entry, number);
  const JsonValue tensor = closed_object(std::move(entries), JsonValue::array());
  const JsonValue file =
      closed_object(JsonValue::object({{"file", JsonValue::object({{"type", "string"}})}}), JsonValue::array({"file"}));

  JsonValue functions = JsonValue::array({number});
  for (const Kind& kind : function_kinds()) functions.push(kind_schema(kind));

  all.set("variable", described("A variable of a repeat, or a parameter of a template.",
                                JsonValue::object({{"type", "string"}, {"pattern", with_variable}})));
  all.set("vector",
          described("[x, y, z]; in a planar model also the two components in the plane.", or_variable(list_of(number, 2, 3))));
  all.set("point", described("A vector, or the name of an entry of points.", any_of({reference("vector"), reference("name")})));
  all.set("direction", described("An axis, or a vector of any length but zero.", any_of({axis, reference("vector")})));
  all.set("repeat", repeat_schema());
  all.set("spin",
          described("A vector; in a planar model also a number, about the normal.", any_of({number, list_of(number, 3, 3)})));
  all.set("orientation", orientation_schema());
  all.set("tensor", described("Entries of a symmetric tensor; in a planar model also a number, about the normal.",
                              any_of({number, tensor})));
  all.set("table", described("Rows [x, y] with increasing x, or a CSV file of two columns.",
                             any_of({list_of(list_of(number, 2, 2), 2, 0), file})));
  all.set("function", described("A function of time: a number, an expression of t, or one of the named forms.",
                                JsonValue::object({{"anyOf", std::move(functions)}})));
  return all;
}

JsonValue named_entries(std::string_view doc, JsonValue entry, const char* pattern) {
  return described(doc, JsonValue::object({{"type", "object"},
                                           {"propertyNames", JsonValue::object({{"pattern", pattern}})},
                                           {"additionalProperties", std::move(entry)}}));
}

// Entries of models may be repeated, and some may have positions relative to a frame.
JsonValue with_reuse(JsonValue schema, const Section& section) {
  JsonValue* properties = schema.find("properties");
  properties->set("repeat", reference("repeat"));
  if (is_placeable(section.key) && !properties->find("in"))
    properties->set("in", described("A frame, body, joint or point that positions are relative to.", reference("name")));
  return schema;
}

JsonValue entry_schema(const Section& section, bool of_models) {
  JsonValue alternatives = JsonValue::array();
  const auto add = [&](JsonValue schema) {
    alternatives.push(of_models ? with_reuse(std::move(schema), section) : std::move(schema));
  };
  if (section.kinds.empty()) return of_models ? with_reuse(group_schema(section.fields), section) : group_schema(section.fields);
  if (!section.fields.empty()) add(group_schema(section.fields).set("title", section.entry));
  for (const Kind& kind : section.kinds) add(kind_schema(kind));
  return JsonValue::object({{"oneOf", std::move(alternatives)}});
}

JsonValue instance_schema() {
  JsonValue properties = JsonValue::object();
  for (const Field& field : instance_fields())
    properties.set(field.key, described(description(field), field.key == "with" ? JsonValue::object({{"type", "object"}})
                                                            : field.type == FieldType::word ? or_variable(words_schema(field))
                                                                                            : direct_schema(field)));
  properties.set("repeat", reference("repeat"));
  return closed_object(std::move(properties), JsonValue::array({"template"}));
}

// `repeat:` beside sections.
JsonValue block_schema(const JsonValue& sections) {
  JsonValue properties = sections;
  for (const Field& field : repeat_fields())
    properties.set(field.key,
                   described(description(field), field.key == "in" ? list_of(JsonValue::object(), 1, 0) : direct_schema(field)));
  properties.set("repeat", JsonValue::object());  // blocks in blocks
  const JsonValue one = closed_object(std::move(properties), JsonValue::array({"for"}));
  return described(
      "Makes the entries of all sections in it for every value of a variable, which is written ${i} in names and values.",
      any_of({one, list_of(one, 1, 0)}));
}

// Sections that a template may have, too.
JsonValue reusable_sections(const Language& language) {
  JsonValue sections = JsonValue::object();
  sections.set("points", named_entries("Points with names, in the inertial frame at t = 0.", reference("vector"), entry_name));
  sections.set("instances", named_entries("Templates at their places.", instance_schema(), entry_name));
  sections.set("frames", named_entries("Frames that positions may be relative to.", group_schema(frame_fields()), entry_name));
  sections.set("functions", named_entries("Functions of time with names.", reference("function"), entry_name));
  for (const Section& section : language.sections)
    sections.set(section.key, named_entries(section.doc, entry_schema(section, language.of_models), entry_name));
  return sections;
}

void add_reusable(JsonValue& properties, const Language& language, bool of_template) {
  const JsonValue sections = reusable_sections(language);
  for (const auto& [key, schema] : sections.members()) properties.set(key, schema);
  JsonValue repeated = sections;
  if (!of_template)
    repeated.set("parameters", named_entries("Numbers with names, to be used in expressions.", reference("number"), entry_name));
  properties.set("repeat", block_schema(repeated));
}

JsonValue template_schema(const Language& language) {
  JsonValue properties = JsonValue::object();
  properties.set("parameters", described("Its parameters and their defaults; without a value: to be given by every instance.",
                                         JsonValue::object({{"type", "object"}})));
  add_reusable(properties, language, true);
  return closed_object(std::move(properties), JsonValue::array());
}

}  // namespace

std::string json_schema(const Language& language) {
  JsonValue properties = JsonValue::object(), required = JsonValue::array();
  for (const Field& field : language.top) {
    properties.set(field.key, value_schema(field));
    if (field.required) required.push(field.key);
  }
  if (language.of_models) {
    const JsonValue file = JsonValue::object({{"type", "string"}});
    properties.set("include", described("Files whose sections belong to the model, relative to the folder of this one.",
                                        any_of({file, list_of(file, 1, 0)})));
    for (const Conversion& c : conversions()) properties.set(c.key, described(c.doc, any_of({file, group_schema(c.options)})));
    properties.set("parameters",
                   named_entries("Numbers with names, to be used in expressions.", reference("number"), identifier));
    properties.set("templates", named_entries("Parts that instances are made of.", template_schema(language), entry_name));
    add_reusable(properties, language, false);
  } else {
    for (const Section& section : language.sections)
      properties.set(section.key, named_entries(section.doc, entry_schema(section, false), entry_name));
  }

  JsonValue schema = JsonValue::object({{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                                        {"title", fmt::format("Aleator {}", language.what)},
                                        {"type", "object"},
                                        {"properties", std::move(properties)},
                                        {"required", std::move(required)},
                                        {"additionalProperties", false},
                                        {"$defs", definitions(language.of_models)}});
  share_repeated(schema);
  return schema.text(Json::Layout::readable) + "\n";
}

}  // namespace aleator::core::input
