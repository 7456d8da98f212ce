// The model language as a page for people, out of the field tables.
#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "input/schema.hpp"

namespace aleator::core::input {

namespace {

constexpr std::string_view introduction =
    R"(# Model language

*Written by the program from the tables its reader checks against; do not edit.*

A model is a YAML file. Units are SI. Angles are radians, or written `30 deg`. Points, axes and orientations are given in
the inertial frame at t = 0 unless a key says otherwise.

## How values are written

| type | written as |
|---|---|
| number | `1.5`, `2e-3`, or an expression of the parameters: `length/2 + 0.1`, `30 deg`, `sqrt(2)*a` |
| integer | a whole number, or an expression that gives one |
| flag | `true` or `false` |
| text | any text |
| word | one of the words listed |
| words | a list of some of the words listed, or a single one |
| numbers | a list of numbers |
| vector | `[x, y, z]`; in a planar model also `[x, y]` (the two components in the plane) |
| point | a vector, or the name of an entry of `points:` |
| two points | `[point, point]` |
| direction | `x`, `y`, `z`, `-x`, `-y`, `-z`, or a vector of any length but zero |
| spin | a vector; in a planar model also a number, about the normal |
| orientation | `{rpy: [roll, pitch, yaw]}` meaning R = Rz(yaw) Ry(pitch) Rx(roll), `{quaternion: {w: .., x: .., y: .., z: ..}}`, `{axis_angle: {axis: z, angle: 30 deg}}`, `{matrix: [[..], [..], [..]]}` by rows; in a planar model also an angle |
| tensor | `{xx: .., yy: .., zz: .., xy: .., xz: .., yz: ..}`, off-diagonal entries default to 0; in a planar model also a number, the entry of the normal |
| body | the name of a body, or `ground` |
| two bodies | `[body, body]`, two different ones |
| joint, force | the name of an entry of `joints:` or `forces:` |
| two joints | `[joint, joint]`, two different ones |
| polygon | its corners `[[x, y], [x, y], ..]` in order, three or more |
| list of points | `[point, point, ..]` |
| numbers by name | `{name: number, ..}` |
| table | `[[x, y], [x, y], ..]` with increasing x, or `{file: name.csv}` with two columns, relative to the model |
| function | of time: a number, an expression of `t`, or one of the [functions of time](#functions-of-time) |
| three functions | `[fx, fy, fz]`; in a planar model also two, or, about the normal, a single one |
| group | a mapping with the keys listed below it |
| choice | a mapping with exactly one of the keys listed below it as *one of these*, and possibly others; or one of the words listed |
| list of choices | a list of such mappings |

"By direction" in the column of types means that a value may be given once, or for each direction by name:
`{x: 1e6, rz: 20}` out of `x`, `y`, `z` (along the axes), `rx`, `ry`, `rz` (about them), `along` and `about` (the axis of the element).

Expressions know the parameters, `pi` and `e`, `+ - * / ^`, comparisons and `condition ? a : b` (in quotes, YAML has its own
use for `? :`), and the functions `sin cos tan asin acos atan atan2 sinh cosh tanh exp log ln log10 sqrt abs sign min max
pow floor ceil`; `log` is natural. `deg` after a number or a parenthesis turns degrees into radians, `%` divides
by a hundred.

YAML's anchors, aliases and merge keys (`<<: *other`) may be used to say a thing once.
)";

constexpr std::string_view always_known = R"(
## `parameters`

Numbers with names, to be used in expressions: `parameters: {length: 0.3, half: length/2}`. They may use each other in any
order. A name has letters, digits and `_`, and is not that of a function or constant, nor `t`.

## `points`

Points with names: `points: {A: [0, 0, 0.5]}`. A name has letters, digits, `_` and `-`.
)";

std::string type_name(FieldType type) {
  using enum FieldType;
  switch (type) {
    case number:
      return "number";
    case integer:
      return "integer";
    case flag:
      return "flag";
    case text:
      return "text";
    case word:
      return "word";
    case words:
      return "words";
    case numbers:
      return "numbers";
    case vector:
      return "vector";
    case point:
      return "point";
    case point_pair:
      return "two points";
    case direction:
      return "direction";
    case spin:
      return "spin";
    case orientation:
      return "orientation";
    case tensor:
      return "tensor";
    case body:
      return "body";
    case body_pair:
      return "two bodies";
    case joint:
      return "joint";
    case joint_pair:
      return "two joints";
    case force:
      return "force";
    case polygon:
      return "polygon";
    case points:
      return "list of points";
    case named_numbers:
      return "numbers by name";
    case named_texts:
      return "texts by name";
    case named_groups:
      return "groups by name";
    case number_by_name:
      return "number, or numbers by name";
    case table:
      return "table";
    case function:
      return "function";
    case functions:
      return "three functions";
    case group:
      return "group";
    case choice:
      return "choice";
    case choices:
      return "list of choices";
  }
  return "";
}

// Inside a table cell a bar would end it.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string type_of(const Field& field) {
  std::string type = type_name(field.type);
  if (field.of_time) type += " or expression of `t`";
  if (field.bound == Bound::positive) type += ", positive";
  if (field.bound == Bound::not_negative) type += ", not negative";
  for (std::size_t i = 0; i < field.words.size(); ++i) type += fmt::format("{}`{}`", i == 0 ? ": " : ", ", field.words[i]);
  if (field.per_direction) type += "; by direction";
  return type;
}

void add_row(std::string& out, const std::string& key, const Field& field, std::string_view fallback, std::string_view meaning) {
  out +=
      fmt::format("| `{}` | {} | {} | {} | {} |\n", key, cell(type_of(field)), cell(field.unit), cell(fallback), cell(meaning));
}

void add_fields(std::string& out, const std::string& prefix, std::span<const Field> fields);
void add_choice(std::string& out, const std::string& prefix, std::span<const Kind> kinds);

bool same_keys(std::span<const Kind> a, std::span<const Kind> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Kind& x, const Kind& y) { return x.key == y.key; });
}

// Rows for fields and for what may be written inside them, by path: `motion.ramp.height`.
void add_fields(std::string& out, const std::string& prefix, std::span<const Field> fields) {
  for (const Field& field : fields) {
    const std::string key = prefix + std::string(field.key);
    std::string meaning(field.doc);
    // `shape` and `shapes` have the same kinds: they are listed once.
    const auto twin = std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return same_keys(f.kinds, field.kinds); });
    const bool listed = !field.kinds.empty() && &*twin != &field;
    if (listed) meaning += fmt::format(" Keys as in `{}{}`.", prefix, twin->key);
    add_row(out, key, field, field.required ? "*required*" : field.fallback, meaning);
    add_fields(out, key + (field.type == FieldType::named_groups ? ".NAME." : "."), field.fields);
    if (!listed) add_choice(out, key + ".", field.kinds);
  }
}

// A tag: its value, what is inside that, and the keys beside it.
void add_kind(std::string& out, const std::string& prefix, const Kind& kind, std::string_view fallback, std::string_view meaning,
              std::span<const Field> beside) {
  const std::string key = prefix + std::string(kind.key);
  add_row(out, key, kind.subject, fallback, meaning);
  add_fields(out, key + ".", kind.subject.fields);
  add_choice(out, key + ".", kind.subject.kinds);
  add_fields(out, prefix, beside);
}

// The alternatives of a choice; keys that may stand beside every one of them come once, at the end.
void add_choice(std::string& out, const std::string& prefix, std::span<const Kind> kinds) {
  const auto in_all = [&](const Field& field) {
    return std::all_of(kinds.begin(), kinds.end(), [&](const Kind& kind) {
      return std::any_of(kind.fields.begin(), kind.fields.end(),
                         [&](const Field& f) { return f.key == field.key && f.doc == field.doc; });
    });
  };
  std::vector<Field> shared;
  for (const Kind& kind : kinds) {
    std::vector<Field> own;
    for (const Field& field : kind.fields)
      if (!in_all(field))
        own.push_back(field);
      else if (&kind == &kinds.front())
        shared.push_back(field);
    std::string meaning(kind.doc);
    if (!kind.doc.starts_with(kind.subject.doc)) meaning += fmt::format(" {}", kind.subject.doc);
    add_kind(out, prefix, kind, "*one of these*", meaning, own);
  }
  add_fields(out, prefix, shared);
}

constexpr std::string_view table_head = "\n| key | type | unit | default | meaning |\n|---|---|---|---|---|\n";

void add_kinds(std::string& out, std::span<const Kind> kinds) {
  for (const Kind& kind : kinds) {
    out += fmt::format("\n### `{}`\n\n{}\n{}", kind.key, kind.doc, table_head);
    add_kind(out, "", kind, "", kind.subject.doc, kind.fields);
  }
}

void add_section(std::string& out, const Section& section) {
  out += fmt::format("\n## `{}`\n\n{}\n", section.key, section.doc);
  if (!section.fields.empty()) {
    if (!section.kinds.empty()) out += "\n### Without a tag\n";
    out += table_head;
    add_fields(out, "", section.fields);
  }
  add_kinds(out, section.kinds);
}

}  // namespace

std::string markdown_reference(const Language& language) {
  std::string out(language.of_models ? introduction : language.introduction);
  if (!language.top.empty()) {
    out += "\n## Keys at the top\n";
    out += table_head;
    add_fields(out, "", language.top);
  }
  if (language.of_models) out += always_known;
  for (const Section& section : language.sections) add_section(out, section);
  if (!language.of_models) return out;
  out +=
      "\n## Functions of time\n\nForms of a value of type function besides a number and an expression of `t`; "
      "the unit is that of the quantity it drives.\n";
  add_kinds(out, function_kinds());
  return out;
}

}  // namespace aleator::core::input
