// Field tables: what may be written in a model, as plain data. They are declared by those who use the
// values (elements, model), and serve the reader, the schema and the documentation alike.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace aleator::core::input {

struct Kind;

enum class FieldType {
  number,      // an expression of the parameters
  integer,     // a whole number
  flag,        // true | false
  text,        // any text
  word,        // one of `words`
  words,       // a list of some of `words`
  numbers,     // a list of numbers
  vector,      // [x, y, z]; in a planar model also [x, y]
  point,       // a vector, or the name of an entry of `points:`
  point_pair,  // two points
  direction,   // x | y | z | -x | -y | -z, or a vector (not zero)
  spin,        // a vector about axes; in a planar model a number (about the normal)
  orientation,  // {rpy: [..]} | {quaternion: {w,x,y,z}} | {axis_angle: {axis, angle}} | {matrix: [[..],[..],[..]]}; planar: an angle
  tensor,       // symmetric: {xx, yy, zz, xy, xz, yz}, off-diagonals default to 0; planar: a number (zz)
  body,         // name of a body, or ground
  body_pair,       // two different bodies, one of which may be ground
  joint,           // name of a joint
  joint_pair,      // two different joints
  force,           // name of an entry of `forces:`
  process,         // name of an entry of `processes:`
  polygon,         // [[x, y], ...], at least three corners
  points,          // a list of points
  named_numbers,   // {name: number, ...}, any names
  named_texts,     // {name: text, ...}
  named_groups,    // {name: {..}, ...}, mappings with `fields`, which may be left empty
  number_by_name,  // a number for all, or {name: number, ...}
  table,           // [[x, y], ...] with increasing x, or {file: name.csv} with two columns
  mesh,            // name of a file with triangles (STL, OBJ), relative to the model
  factors,         // a number, or one for each axis [x, y, z]
  records,         // [[y, y, ...], ...], rows of equal length, or {file: name.csv}
  function,        // of time: a number, an expression of t, or one of function_kinds()
  functions,       // three of them, [fx, fy, fz]; in a planar model also two
  group,           // a mapping with `fields`
  choice,          // a mapping with exactly one key out of `kinds`; or one of `words`, when there are any
  choices,         // a list of such
};

enum class Bound { none, positive, not_negative };

// One key of a mapping.
struct Field {
  std::string_view key = "";
  FieldType type = FieldType::number;
  std::string_view unit = "";  // "kg", "m", "N/m"; "-" for pure numbers; "" where it makes no sense
  std::string_view doc = "";   // one sentence
  bool required = false;
  std::string_view fallback = "";  // what is assumed when it is absent, in words or as a value ("0", "x")
  Bound bound = Bound::none;
  std::vector<std::string_view> words = {};
  std::vector<Field> fields = {};  // of a group
  std::vector<Kind> kinds;         // of a choice
  bool per_direction = false;      // may be given once, or by direction: {x: .., rz: ..}
  bool of_time = false;            // of a number: may depend on t
};

// The directions a per_direction field may name.
inline constexpr std::string_view directions[] = {"x", "y", "z", "rx", "ry", "rz", "along", "about"};

// One alternative of a tagged mapping: `{revolute: [a, b], axis: z}` has the tag `revolute`, whose value is
// read as `subject`, and the further keys `fields`.
struct Kind {
  std::string_view key;
  std::string_view doc;
  Field subject;  // its key is ignored
  std::vector<Field> fields = {};
};

// A top-level section of named entries (`joints:`). An entry has exactly one tag of `kinds`, and that
// kind's fields; when `kinds` is empty, or no tag is given and `fields` is not empty, it has `fields`.
struct Section {
  std::string_view key;    // "joints"
  std::string_view entry;  // what messages call an entry: "joint"
  std::string_view doc;
  std::vector<Field> fields = {};
  std::vector<Kind> kinds = {};
};

// The whole language of a kind of file: that of models, and those of files beside them.
struct Language {
  std::vector<Field> top;              // single keys: title, plane, gravity, simulation (a group)
  std::vector<Section> sections = {};  // bodies, joints, forces, outputs
  std::string_view what = "model";     // messages and documents call such a file a …
  bool of_models = true;               // `parameters:` (name: expression) and `points:` (name: vector) are known too
  std::string_view introduction = "";  // of its reference; that of models is known
};

// constant, ramp, piecewise_linear, sine, polynomial, expression: what a `function` may be.
const std::vector<Kind>& function_kinds();

}  // namespace aleator::core::input
