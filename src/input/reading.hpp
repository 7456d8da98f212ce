// What the parts of the reader share: the state of reading one model, the place a message is about, and one function
// per kind of value.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "input/compiler.hpp"
#include "input/description.hpp"
#include "input/file_access.hpp"
#include "input/limits.hpp"
#include "input/place.hpp"
#include "input/referred_files.hpp"
#include "input/yaml_tree.hpp"

namespace aleator::core::input {

std::string in_brackets(std::string_view text);  // "(0, 0, 1)" as a list: [0, 0, 1]

// The names of one section, to resolve references to them.
struct Names {
  std::vector<std::string> list;
  std::unordered_set<std::string> set;
  bool complete = true;  // otherwise names are missing because the section is wrong
};

// The state of reading one model.
struct Reading {
  const Language& language;
  ErrorList& errors;
  std::unordered_set<std::string> misplaced;     // names of entries that stand where none belongs
  std::unordered_set<std::string> emptied = {};  // sections that have no entries because those stand elsewhere
  std::unordered_set<const Tree*> nested = {};   // sections that stand below another one
  FileAccess access;
  int normal;  // of the plane, -1 in space
  Compiler compiler;
  Names bodies, joints, forces, processes;
  std::unordered_map<std::string, std::vector<Number>> points;
  bool points_complete = true, parameters_complete = true;  // otherwise names are missing because something is wrong
  const std::vector<ReferredFile>* given;                   // files in place of those on the disk; null: there are none
  std::vector<ReferredFile> files;                          // that were read
  std::unordered_set<std::string> variables = {};           // of repeats and templates: they are written with a $

  std::optional<Item> salvaged = {};  // what is right of the group that was given up last

  std::size_t table_rows = 0, table_bytes = 0;                                            // of all tables; of those in files
  std::size_t mesh_bytes = 0;                                                             // of all meshes
  std::unordered_map<std::string, std::shared_ptr<const meshes::SolidMesh>> meshes = {};  // by name, each read once

  bool planar() const { return normal >= 0; }
};

// groups.cpp: mappings
Item read_group(Reading& reading, std::span<const Field> fields, const Tree& tree, const Place& place);
Item read_tagged(Reading& reading, std::span<const Kind> kinds, std::span<const Field> untagged, const Tree& tree,
                 const Place& place);
// What is said of each of them.
std::vector<std::string> refuse_unknown_keys(Reading& reading, const Tree& tree, std::span<const std::string> known,
                                             const Place& place);

// misplaced.cpp: keys that are not known where they stand, and what may be meant
InputError unknown_key(const Reading& reading, const Tree& child, std::span<const std::string> known, const Place& place);
bool is_section_below(const Reading& reading, const Section& section, const Tree& entry);  // `outputs:` as an entry of `joints:`
InputError unknown_top_key(Reading& reading, const Tree& top, const Tree& child, std::span<const std::string> known);

// values.cpp: any value, and the simple ones
Value read_value(Reading& reading, const Field& field, const Tree& tree, const Place& place);
Number read_number(Reading& reading, const Field& field, const Tree& tree, const Place& place);

// geometry.cpp: values with three components
std::vector<Number> read_vector(Reading& reading, const Field& field, const Tree& tree, const Place& place);
std::vector<Number> read_point(Reading& reading, const Field& field, const Tree& tree, const Place& place);
std::vector<Number> read_point_pair(Reading& reading, const Field& field, const Tree& tree, const Place& place);
void read_direction(Reading& reading, const Field& field, const Tree& tree, const Place& place, Value& value);
std::vector<Number> read_spin(Reading& reading, const Field& field, const Tree& tree, const Place& place);
std::vector<Number> read_polygon(Reading& reading, const Field& field, const Tree& tree, const Place& place);
std::vector<Number> read_tensor(Reading& reading, const Field& field, const Tree& tree, const Place& place);

// mesh_values.cpp
void read_mesh_value(Reading& reading, const Tree& tree, const Place& place, Value& value);
std::vector<Number> read_factors(Reading& reading, const Field& field, const Tree& tree, const Place& place);

// orientation.cpp
void read_orientation(Reading& reading, const Tree& tree, const Place& place, Value& value);

// functions.cpp: functions of time and tables
std::vector<Number> read_table(Reading& reading, const Field& field, const Tree& tree, const Place& place);
void read_records(Reading& reading, const Field& field, const Tree& tree, const Place& place, Value& value);
// The bytes of a file that the model refers to, from where it takes its files; remembered, for they belong to the model.
const std::string& bytes_of_file(Reading& reading, const Tree& reference, const Place& place);
Item read_function(Reading& reading, const Field& field, const Tree& tree, const Place& place);
std::vector<Item> read_functions(Reading& reading, const Field& field, const Tree& tree, const Place& place);

}  // namespace aleator::core::input
