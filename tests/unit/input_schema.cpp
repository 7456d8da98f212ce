// The schema and the reference say the same as the field tables.
#include "input/schema.hpp"

#include "input/yaml_tree.hpp"
#include "input_language.hpp"

namespace aleator::core::input {
namespace ALEATOR_FILE {

// JSON is YAML, so the reader's own tree serves to look into the schema.
const Tree& schema() {
  static const Tree tree = yaml_tree(json_schema(small_language()));
  return tree;
}

const Tree& at(const Tree& tree, std::initializer_list<const char*> path) {
  const Tree* here = &tree;
  for (const char* key : path) {
    if (const Tree* shared = here->find("$ref"); shared && !here->find(key))
      here = schema().find("$defs")->find(shared->text.substr(std::string("#/$defs/").size()));
    const Tree* next = here->is_list() ? &here->children.at(static_cast<std::size_t>(std::stoi(key))) : here->find(key);
    if (!next) throw std::logic_error(std::string("no '") + key + "'");
    here = next;
  }
  return *here;
}

std::vector<std::string> keys(const Tree& tree) {
  std::vector<std::string> list;
  for (const Tree& child : tree.children) list.push_back(child.key);
  return list;
}

std::vector<std::string> texts(const Tree& tree) {
  std::vector<std::string> list;
  for (const Tree& child : tree.children) list.push_back(child.text);
  return list;
}

using Words = std::vector<std::string>;

TEST(InputSchema, knows_every_key_at_the_top_and_no_other) {
  EXPECT_EQ(at(schema(), {"$schema"}).text, "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(at(schema(), {"additionalProperties"}).text, "false");
  EXPECT_EQ(keys(at(schema(), {"properties"})),
            (Words{"title", "plane", "gravity", "simulation", "include", "urdf", "mjcf", "parameters", "templates", "points",
                   "instances", "frames", "functions", "bodies", "joints", "forces", "outputs", "repeat"}));
}

TEST(InputSchema, groups_have_required_keys_units_and_bounds) {
  const Tree& simulation = at(schema(), {"properties", "simulation"});
  EXPECT_EQ(texts(at(simulation, {"required"})), (Words{"duration", "step"}));
  EXPECT_EQ(at(simulation, {"properties", "step", "description"}).text, "Step. Unit: s.");
  EXPECT_EQ(at(simulation, {"properties", "step", "exclusiveMinimum"}).text, "0");
  EXPECT_EQ(texts(at(simulation, {"properties", "step", "type"})), (Words{"number", "string"}));
  EXPECT_EQ(at(simulation, {"properties", "iterations", "description"}).text, "At most. Default: 10.");
  EXPECT_EQ(texts(at(schema(), {"properties", "plane", "enum"})), (Words{"xy", "xz", "yz"}));
}

TEST(InputSchema, kinds_are_alternatives_with_their_tag_required) {
  const Tree& entry = at(schema(), {"properties", "joints", "additionalProperties"});
  EXPECT_EQ(texts(at(entry, {"oneOf", "0", "required"})), (Words{"revolute", "axis", "at"}));
  EXPECT_EQ(keys(at(entry, {"oneOf", "1", "properties"})), (Words{"gear", "ratio", "repeat", "in"}));
  EXPECT_EQ(at(entry, {"oneOf", "1", "additionalProperties"}).text, "false");
}

TEST(InputSchema, references_lead_somewhere) {
  std::vector<const Tree*> open = {&schema()};
  int references = 0;
  while (!open.empty()) {
    const Tree* tree = open.back();
    open.pop_back();
    for (const Tree& child : tree->children) {
      open.push_back(&child);
      if (child.key != "$ref") continue;
      ++references;
      EXPECT_TRUE(at(schema(), {"$defs"}).find(child.text.substr(std::string("#/$defs/").size()))) << child.text;
    }
  }
  EXPECT_GT(references, 20);
}

// A group in three places, and a kind that has it in two.
Language with_repeated_groups() {
  const auto group = [](const char* key, const char* doc) {
    return Field{.key = key,
                 .type = FieldType::group,
                 .doc = doc,
                 .fields = {{.key = "one", .doc = std::string_view("A description that is long enough to be worth sharing.")},
                            {.key = "two", .doc = std::string_view("Another description that is long enough for that.")}}};
  };
  const Kind wheel = {.key = "wheel", .doc = "It turns.", .subject = group("", "")},
             other = {.key = "bar", .doc = "It does not."};
  return {.top = {group("a", "First."),
                  group("b", "Second."),
                  group("c", "Second."),
                  {.key = "d", .type = FieldType::choice, .kinds = {wheel, other}},
                  {.key = "e", .type = FieldType::choices, .kinds = {wheel}}},
          .of_models = false};
}

TEST(InputSchema, what_is_repeated_is_defined_once) {
  const Tree tree = yaml_tree(json_schema(with_repeated_groups()));
  EXPECT_EQ(keys(at(tree, {"$defs"})), (Words{"number", "integer", "name", "wheel", "a-b-c-wheel"}));
  EXPECT_EQ(keys(at(tree, {"$defs", "a-b-c-wheel", "properties"})), (Words{"one", "two"}));
  EXPECT_EQ(at(tree, {"properties", "a", "$ref"}).text, "#/$defs/a-b-c-wheel");
  EXPECT_EQ(at(tree, {"properties", "a", "description"}).text, "First.");
  EXPECT_EQ(at(tree, {"properties", "c", "description"}).text, "Second.");
  EXPECT_EQ(keys(at(tree, {"properties", "d", "oneOf", "0"})), Words{"$ref"}) << "its description is in the definition";
  EXPECT_EQ(at(tree, {"$defs", "wheel", "description"}).text, "It turns.");
}

// A key of several tags, in two forms; a group in three places; alternatives that are the tags of a section.
TEST(InputReference, what_is_shared_is_stated_once) {
  const Field at = {.key = "at", .type = FieldType::point, .doc = "Where."}, other = {.key = "at", .doc = "When."};
  const Kind a = {.key = "a", .doc = "A.", .fields = {at}}, b = {.key = "b", .doc = "B.", .fields = {at}},
             c = {.key = "c", .doc = "C.", .fields = {other}};
  const auto group = [&](const char* key) {
    return Field{.key = key, .type = FieldType::group, .doc = "Group.", .fields = {{.key = "one", .doc = "Inside."}}};
  };
  const std::string page =
      markdown_reference({.top = {group("x"), group("y"), {.key = "z", .type = FieldType::choice, .kinds = {a, b, c}}},
                          .sections = {{.key = "things", .entry = "thing", .doc = "All.", .kinds = {a, b, c}}},
                          .of_models = false});
  const auto count = [&](const std::string& text) {
    int n = 0;
    for (std::size_t i = page.find(text); i != std::string::npos; i = page.find(text, i + 1)) ++n;
    return n;
  };
  EXPECT_EQ(count("| Where. |"), 1) << page;
  EXPECT_EQ(count("| `at` (`a`, `b`) | point |"), 1) << page;
  EXPECT_EQ(count("| `at` (`c`) | number |"), 1) << page;
  EXPECT_EQ(count("| Alternatives: `a`, `b`, `c`, written as in [`things`](#things). |") +
                count(" Alternatives: `a`, `b`, `c`, written as in [`things`](#things). |"),
            1)
      << page;
}

TEST(InputReference, has_a_row_for_every_key) {
  const std::string page = markdown_reference(small_language());
  for (const char* row : {"| `simulation.step` | number, positive | s | *required* | Step. |",
                          "| `plane` | word: `xy`, `xz`, `yz` |  |  | Plane of a planar model. |",
                          "| `shape.box` | vector, positive | m | *one of these* | A box. Edges. |",
                          "| `shape.sphere.radius` | number | m | *required* |  |",
                          "| `revolute` | two bodies: Two bodies. | A hinge. | `axis`, `at`, `motion` |\n",
                          "| [`joints`](#joints) | entries by name |  |  | What connects. |\n",
                          "| `stiffness` | number, not negative; by direction |  |  | Stiffness. |",
                          "| `ramp` | `{from, to, height, base}` |", "| `height` | number |  | *required* | The rise. |",
                          "| `value` | number or expression of `t` |  | *required* | The expression. |"})
    EXPECT_NE(page.find(row), std::string::npos) << row;
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::input
