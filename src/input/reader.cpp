// A model file from the outside in: its text, its keys, the parameters and points, then every section.
#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "input/conversion.hpp"
#include "input/expand.hpp"
#include "input/include.hpp"
#include "input/parameters.hpp"
#include "input/reading.hpp"
#include "input/text.hpp"

namespace aleator::core::input {

namespace {

std::vector<std::string> top_keys(const Language& language) {
  std::vector<std::string> keys;
  if (language.of_models) {
    keys = {"include", "parameters", "points"};
    keys.insert(keys.end(), reuse_keys().begin(), reuse_keys().end());
  }
  for (const Field& field : language.top) keys.emplace_back(field.key);
  for (const Section& section : language.sections) keys.emplace_back(section.key);
  if (language.of_models)
    for (const Conversion& conversion : conversions()) keys.emplace_back(conversion.key);
  return keys;
}

// The entries of a section; none when it is absent.
std::span<const Tree> entries_of(const Reading& reading, const Tree& top, std::string_view key) {
  const Tree* section = top.find(key);
  if (!section) return {};
  const Place place{"", std::string(key)};
  if (section->shape == Tree::Shape::null) {
    const InputError error = place.error(section->key_at, "has no entries: indent them below it by spaces, or remove this line");
    if (reading.emptied.contains(std::string(key))) throw Consequence(error);
    throw error;
  }
  if (section->is_list())
    throw place.error(section->at, "is a list, but its entries have names: write 'name: …' instead of '- …'");
  if (!section->is_mapping()) throw place.wrong(*section, "a mapping of names");
  if (section->children.size() > limits::entries)
    throw LastError(std::vector<Mistake>{
        InputError(section->children[limits::entries].key_at,
                   fmt::format("'{}' has {} entries, at most {} are read", key, section->children.size(), limits::entries))
            .mistakes()[0]});
  return section->children;
}

void check_entry_name(const Tree& entry, std::string_view what) {
  const std::size_t brace = entry.key.find('{');
  if (brace != std::string::npos && entry.key.find('}', brace) != std::string::npos)
    throw InputError(entry.key_at, fmt::format("{} '{}': a variable in a name has a $, as in '{}${}'", what, entry.key,
                                               entry.key.substr(0, brace), entry.key.substr(brace)));
  if (!is_dotted_name(entry.key))  // with dots: an entry of an instance, and what is about it
    throw InputError(entry.key_at, fmt::format("{} '{}': a name has letters, digits, _ and - and does not begin with a digit",
                                               what, entry.key));
  if (what == "body" && entry.key == "ground")
    throw InputError(entry.key_at, "body 'ground': this name is reserved for the ground");
  if (what == "output" && entry.key == "time")
    throw InputError(entry.key_at,
                     "output 'time': this name is reserved for the time, the first column of every table; use another one");
}

// References may point forward, so the names are collected before anything is read.
Names names_of(const Tree& top, const Language& language, std::string_view key) {
  Names names;
  const bool known =
      std::any_of(language.sections.begin(), language.sections.end(), [&](const Section& s) { return s.key == key; });
  if (!known) return names;
  const Tree* section = top.find(key);
  if (section && !section->is_mapping()) names.complete = false;
  if (!section || !section->is_mapping()) return names;
  for (const Tree& entry : section->children) {
    names.list.push_back(entry.key);
    names.set.insert(entry.key);
    if (!is_dotted_name(entry.key) || entry.key == "ground") names.complete = false;  // it will get another name
  }
  return names;
}

// The axis normal to `plane: xy`, -1 when there is none or the word is wrong.
int normal_of(const Tree& top) {
  const Tree* plane = top.find("plane");
  if (!plane) return -1;
  return plane->text == "xy" ? 2 : plane->text == "xz" ? 1 : plane->text == "yz" ? 0 : -1;
}

// The entries of a section; none, and the mistake in the list, where it has none.
std::span<const Tree> listed_entries(Reading& reading, const Tree& top, std::string_view key, Description& description) {
  std::span<const Tree> entries;
  if (!reading.errors.attempt([&] { entries = entries_of(reading, top, key); })) description.suspect.emplace_back(key);
  return entries;
}

// They are in the places where they are used; here is looked at those that nobody uses, too.
void check_functions(Reading& reading, const Tree& top, Description& description) {
  const Field function{.key = "", .type = FieldType::function};
  for (const Tree& entry : listed_entries(reading, top, "functions", description))
    reading.errors.attempt([&] {
      check_entry_name(entry, "function");
      read_value(reading, function, entry, Place{fmt::format("function '{}'", entry.key), ""});
    });
}

void read_points(Reading& reading, const Tree& top, Description& description) {
  const Field vector{.key = "", .type = FieldType::vector};
  for (const Tree& entry : listed_entries(reading, top, "points", description))
    if (!reading.errors.attempt([&] {
          check_entry_name(entry, "point");
          const Place place{fmt::format("point '{}'", entry.key), ""};
          Point point{entry.key, read_vector(reading, vector, entry, place), entry.key_at};
          reading.points.emplace(point.name, point.numbers);
          description.points.push_back(std::move(point));
        })) {
      reading.misplaced.insert(entry.key);
      description.suspect.push_back(entry.key);
    }
}

// Whether something is left of the group that begins here.
bool salvaged_at(const Reading& reading, Position at) {
  return reading.salvaged && reading.salvaged->at.line == at.line && reading.salvaged->at.column == at.column;
}

void read_top(Reading& reading, const Tree& top, Description& description) {
  description.top.at = top.at;
  std::vector<std::string>& suspect = description.suspect;
  for (const Field& field : reading.language.top) {
    const Tree* tree = top.find(field.key);
    reading.salvaged.reset();
    const bool fine = reading.errors.attempt([&] {
      if (tree)
        description.top.fields.emplace_back(std::string(field.key),
                                            read_value(reading, field, *tree, Place{"", std::string(field.key)}));
      else if (field.required && std::find(suspect.begin(), suspect.end(), field.key) == suspect.end())  // it may be misspelt
        throw InputError(top.at, fmt::format("'{}' is missing", field.key));
    });
    if (fine) continue;
    suspect.emplace_back(field.key);
    if (field.key == "study" && tree && salvaged_at(reading, tree->at)) {
      Value right;  // what is right of it can be judged
      right.at = tree->at;
      right.items.push_back(std::move(*reading.salvaged));
      description.top.fields.emplace_back("study", std::move(right));
    }
  }
}

// `a.mass` is the mass of body `a`, and would be a body, too.
void refuse_ambiguous(const Reading& reading, const Tree& body) {
  for (std::size_t dot = body.key.find('.'); dot != std::string::npos; dot = body.key.find('.', dot + 1))
    if (const std::string before = body.key.substr(0, dot); reading.bodies.set.contains(before))
      throw InputError(body.key_at, fmt::format("body '{}': what is before the dot is the name of a body, '{}'; numbers of both "
                                                "would have the same names",
                                                body.key, before));
}

std::vector<Item> read_section(Reading& reading, const Tree& top, const Section& section, Description& description) {
  // Its entries have the names of what they are about, which is not wrong because they are.
  const bool about_others = section.key == "uncertain" || section.key == "dependence";
  std::vector<Item> items;
  for (const Tree& entry : listed_entries(reading, top, section.key, description)) {
    if (reading.nested.contains(&entry)) continue;
    reading.salvaged.reset();
    const bool fine = reading.errors.attempt([&] {
      check_entry_name(entry, section.entry);
      if (section.key == "bodies") refuse_ambiguous(reading, entry);
      const Place place{fmt::format("{} '{}'", section.entry, entry.key), ""};
      Item item = read_tagged(reading, section.kinds, section.fields, entry, place);
      item.name = entry.key;
      item.at = entry.key_at;
      items.push_back(std::move(item));
    });
    if (!fine) description.suspect.push_back(fmt::format("{}.{}", section.key, entry.key));
    if (!fine && !about_others) description.suspect.push_back(entry.key);
    if (!fine && about_others && salvaged_at(reading, entry.at) && !reading.salvaged->fields.empty()) {
      items.push_back(std::move(*reading.salvaged));  // what is right of it can be judged
      items.back().name = entry.key;
      items.back().at = entry.key_at;
    }
  }
  return items;
}

// A section whose entries are not known, although there are some: nobody misses what is in it.
void give_up(Reading& reading, const std::string& key, Description& description) {
  description.suspect.push_back(key);
  if (key == "bodies") reading.bodies.complete = false;
  if (key == "joints") reading.joints.complete = false;
  if (key == "forces") reading.forces.complete = false;
  if (key == "processes") reading.processes.complete = false;
  if (key == "points") reading.points_complete = false;
  if (key == "parameters") reading.parameters_complete = false;
}

void refuse_unknown_top(Reading& reading, const Tree& top, Description& description) {
  const std::vector<std::string> known = top_keys(reading.language);
  const Tree* before = nullptr;
  for (const Tree& child : top.children) {
    const Tree* const above = std::exchange(before, &child);
    if (std::find(known.begin(), known.end(), child.key) != known.end()) continue;
    const InputError error = unknown_top_key(reading, top, child, known);
    reading.errors.add(error);
    description.suspect.push_back(child.key);
    // What it should have been, and the entry from which it may be missing.
    for (const std::string& key : known)
      if (!top.find(key) && error.message().find(fmt::format("'{}'", key)) != std::string::npos)
        give_up(reading, key, description);
    if (above && above->is_mapping() && !above->children.empty()) description.suspect.push_back(above->children.back().key);
  }
}

void refuse_nested_sections(Reading& reading, const Tree& top, Description& description) {
  for (const Section& section : reading.language.sections) {
    const Tree* tree = top.find(section.key);
    if (!tree || !tree->is_mapping()) continue;
    for (const Tree& entry : tree->children) {
      if (!is_section_below(reading, section, entry)) continue;
      reading.errors.add(
          InputError(entry.key_at, fmt::format("'{0}' stands below '{1}:', as if it were a {2}: begin its line in the "
                                               "first column",
                                               entry.key, section.key, section.entry)));
      reading.nested.insert(&entry);
      give_up(reading, entry.key, description);
    }
  }
}

// Files of other programs become entries; their keys are gone then.
void convert_files(Tree& top, const Language& language, Sources& sources, Description& description) {
  for (const Conversion& conversion : conversions()) {
    const auto it =
        std::find_if(top.children.begin(), top.children.end(), [&](const Tree& c) { return c.key == conversion.key; });
    if (it == top.children.end()) continue;
    const Tree value = std::move(*it);
    top.children.erase(it);
    conversion.convert(value, language, sources, top, description.errors);
  }
}

// False where nothing is left to look at.
bool read_tree(Tree top, Sources sources, const Language& language, Description& description) {
  description.origins = sources.origins;
  if (!top.is_mapping())
    throw InputError(top.at,
                     fmt::format("a {} must be a mapping of sections, found {}: its lines begin with keys, such as 'title:'",
                                 language.what, found(top)));
  if (language.of_models) {
    include_files(top, language, sources, description.errors);
    convert_files(top, language, sources, description);
    description.notes = std::move(sources.notes);
    if (!expand_model(top, language, sources, description.errors)) return false;
  }
  const Tree* section = top.find("parameters");
  std::span<const Tree> entries;
  if (section && section->is_mapping() && section->children.size() <= limits::entries) entries = section->children;
  const SortedParameters parameters = sorted_parameters(entries, description.errors);
  Reading reading{.language = language,
                  .errors = description.errors,
                  .misplaced = parameters.misnamed,
                  .access = std::move(sources.access),
                  .normal = normal_of(top),
                  .compiler = Compiler(parameter_names(parameters.entries)),
                  .bodies = names_of(top, language, "bodies"),
                  .joints = names_of(top, language, "joints"),
                  .forces = names_of(top, language, "forces"),
                  .processes = names_of(top, language, "processes"),
                  .points = {},
                  .given = sources.given,
                  .files = std::move(sources.files),
                  .variables = std::move(sources.variables)};
  const Tree* points = top.find("points");
  reading.points_complete = !points || points->is_mapping();
  reading.parameters_complete = !section || section->is_mapping();
  description.normal = reading.normal;
  refuse_unknown_top(reading, top, description);
  refuse_nested_sections(reading, top, description);
  // In a plane that does not exist vectors have other lengths: no more can be said.
  for (const Field& field : language.top)
    if (const Tree* tree = top.find(field.key); tree && field.key == "plane")
      read_value(reading, field, *tree, Place{"", "plane"});
  if (language.of_models) {
    listed_entries(reading, top, "parameters", description);
    description.parameters = read_parameters(reading, parameters, description.suspect);
    read_points(reading, top, description);
    check_functions(reading, top, description);
  }
  read_top(reading, top, description);
  for (const Section& s : language.sections) description.sections.emplace_back(s.key, read_section(reading, top, s, description));
  description.expressions = reading.compiler.finish();
  description.files = std::move(reading.files);
  return true;
}

}  // namespace

Description draft_of_text(std::string text, const std::string& file, const Language& language,
                          const std::vector<std::string>& allowed, const std::vector<ReferredFile>* given) {
  Description description;
  description.file = file;
  bool finished = false;
  description.errors.collect([&] {
    const FileAccess access{std::filesystem::path(file).parent_path().string(), allowed};
    finished = read_tree(yaml_tree(text, &description.errors), {file, access, given}, language, description);
  });
  if (!finished) description.errors.raise(file);
  description.text = std::move(text);
  return description;
}

Description draft_of_file(const std::string& file, const Language& language, const std::vector<std::string>& allowed) {
  return draft_of_text(read_bytes(file), file, language, allowed);
}

Description read_text(std::string text, const std::string& file, const Language& language,
                      const std::vector<std::string>& allowed, const std::vector<ReferredFile>* given) {
  Description description = draft_of_text(std::move(text), file, language, allowed, given);
  description.errors.raise(file);
  return description;
}

Description read_file(const std::string& file, const Language& language, const std::vector<std::string>& allowed) {
  return read_text(read_bytes(file), file, language, allowed);
}

const std::vector<Item>& Description::section(std::string_view key) const {
  static const std::vector<Item> none;
  for (const auto& [name, items] : sections)
    if (name == key) return items;
  return none;
}

}  // namespace aleator::core::input
