// A model as written: every key checked against the field tables, names resolved to exist, numbers kept as
// expressions of the parameters. Nothing is computed yet.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "input/error_list.hpp"
#include "input/fields.hpp"

namespace aleator::core::meshes {
struct SolidMesh;
}

namespace aleator::core::input {

// A number as written. Constant numbers are folded when read; the others are programs of Expressions.
struct Number {
  double constant = 0;
  int program = -1;  // index into Description::expressions, -1 when constant
  Position at;
};

struct Item;
struct Entry;

// The value of one field; which members are filled depends on the type:
//   number, integer            number
//   numbers, vector, point     numbers (vectors always 3; point_pair 6)
//   direction, spin            numbers (3); a named direction also has word
//   orientation                word = rpy | quaternion (w x y z) | axis_angle (x y z angle) | matrix (by rows) | angle (planar); numbers
//   tensor                     numbers: xx yy zz xy xz yz (planar, given as a number: the entry of the normal filled, the others 0)
//   flag                       flag
//   text, word, body, joint, force, process  word
//   words, body_pair, joint_pair       words
//   table                      numbers: x0 y0 x1 y1 ... (also from a CSV file)
//   mesh                       word, the name of the file; mesh
//   factors                    numbers (3)
//   records                    numbers row by row; number.constant = how many rows
//   polygon                    numbers: x0 y0 x1 y1 ...
//   points                     numbers: x0 y0 z0 x1 y1 z1 ...
//   named_numbers, named_texts by_direction: a name and its number or text each
//   named_groups               by_direction: a name and its group each, whose `at` is that of the name
//   number_by_name             by_direction: the same as named_numbers, with an empty name when it is one for all
//   function                   items[0]: an Item of one of function_kinds(); plain numbers become `constant`,
//                              plain text that contains t becomes `expression`
//   functions                  items (3; one in a planar model: about the normal)
//   group, choice              items[0]; a choice given as a word: word
//   choices                    items
//   per_direction              by_direction: one pair with an empty direction when it was given directly
struct Value {
  FieldType type = FieldType::number;
  Position at;
  Number number;
  std::vector<Number> numbers;
  std::string word;
  std::vector<std::string> words;
  bool flag = false;
  std::vector<Item> items;
  std::vector<Entry> by_direction;
  std::shared_ptr<const meshes::SolidMesh> mesh = nullptr;
};

// A key and its value.
struct Entry {
  std::string key;
  Value value;
};

// One mapping: a body, a joint, a shape, a motion, the simulation settings.
struct Item {
  std::string name;  // its name in the section, empty for nested ones
  std::string kind;  // its tag, empty for plain groups
  Position at;
  Value subject;              // the value of the tag
  std::vector<Entry> fields;  // those that were given, in order

  // A field, or, when the subject is a group (`ramp: {from: .., to: ..}`), a field of that.
  const Value* find(std::string_view key) const {
    for (const auto& [k, v] : fields)
      if (k == key) return &v;
    return subject.type == FieldType::group && !subject.items.empty() ? subject.items[0].find(key) : nullptr;
  }
};

class Expressions;  // compiled programs, see expression.hpp

struct Parameter {
  std::string name;
  Number value;
};

struct Point {
  std::string name;
  std::vector<Number> numbers;  // 3
  Position at;
};

// A file that a model refers to: its name as the model has it, and its bytes.
struct ReferredFile {
  std::string name, text;
  bool operator==(const ReferredFile&) const = default;
};

struct Description {
  std::string file;                                   // as the user named it
  std::string text;                                   // the bytes of the file
  std::vector<ReferredFile> files;                    // each once, in the order they were read: included ones, tables, meshes
  std::shared_ptr<const std::deque<Origin>> origins;  // positions outside the file point into it
  Item top;                                           // title, plane, gravity, simulation ...
  int normal = -1;                                    // planar models: 0, 1, 2 = axis normal to the plane; -1 in space
  std::vector<Parameter> parameters;                  // in an order in which they can be evaluated
  std::vector<Point> points;
  std::vector<std::pair<std::string, std::vector<Item>>> sections;  // in the order of the language
  std::shared_ptr<const Expressions> expressions;
  std::vector<std::string> notes;  // what was decided or left out of files of other programs: complete lines
  ErrorList errors;                // of a draft; empty when all is right
  std::vector<std::string>
      suspect;  // of a draft: entries and keys at the top that are wrong and left out; wrong parameters are 1

  const std::vector<Item>& section(std::string_view key) const;
};

// Reads and checks a file or a text. Throws InputError, whatever the bytes. File references inside the
// model are relative to the folder of `file`, and refused where they lead out of it and of the folders `allowed`; with `given`
// they are taken from there instead of the disk.
Description read_file(const std::string& file, const Language& language, const std::vector<std::string>& allowed = {});
Description read_text(std::string text, const std::string& file, const Language& language,
                      const std::vector<std::string>& allowed = {}, const std::vector<ReferredFile>* given = nullptr);

// The same, but for mistakes after which something is left to look at: they are in `errors` of what is returned, so that whoever
// goes on can tell them together with its own.
Description draft_of_file(const std::string& file, const Language& language, const std::vector<std::string>& allowed = {});
Description draft_of_text(std::string text, const std::string& file, const Language& language,
                          const std::vector<std::string>& allowed = {}, const std::vector<ReferredFile>* given = nullptr);

}  // namespace aleator::core::input
