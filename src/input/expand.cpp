#include "input/expand.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "input/frames.hpp"
#include "input/instance_names.hpp"
#include "input/limits.hpp"
#include "input/place.hpp"
#include "input/placement.hpp"
#include "input/repeat.hpp"
#include "input/text.hpp"

namespace aleator::core::input {
namespace {

std::size_t size_of(const Tree& tree) {
  std::size_t count = 1;
  for (const Tree& child : tree.children) count += size_of(child);
  return count;
}

bool is_written_out(const Tree& tree) {
  if (has_variables(tree.text) || has_variables(tree.key) || tree.key == "repeat") return false;
  if (tree.is_mapping() && tree.children.size() == 1 && tree.children[0].key == "function") return false;
  return std::all_of(tree.children.begin(), tree.children.end(), is_written_out);
}

Tree* section_in(Tree& sections, std::string_view key) {
  for (Tree& child : sections.children)
    if (child.key == key) return &child;
  return nullptr;
}

std::vector<std::string> keys_in(const Tree* mapping) {
  std::vector<std::string> keys;
  if (mapping)
    for (const Tree& child : mapping->children) keys.push_back(child.key);
  return keys;
}

// Takes a section out of the others; nothing where it is not there.
std::optional<Tree> taken(Tree& sections, std::string_view key) {
  const auto it = std::find_if(sections.children.begin(), sections.children.end(), [&](const Tree& c) { return c.key == key; });
  if (it == sections.children.end()) return {};
  Tree section = std::move(*it);
  sections.children.erase(it);
  return section;
}

class Expander {
 public:
  Expander(const Language& language, Sources& sources, ErrorList& errors, int normal)
      : language_(language), sources_(sources), errors_(errors), normal_(normal) {
    main_ = sources.add({sources.file});
  }

  void run(Tree& top) {
    if (std::optional<Tree> templates = taken(top, "templates")) {
      templates_ = std::move(*templates);
      attempt([&] { check_templates(); });
    }
    write_out(top, Variables{}, 0);
    attempt([&] { use_functions(top); });
    taken(top, "frames");
  }

  bool is_fine() const { return fine_; }

 private:
  template <class F>
  void attempt(F&& f) {
    if (!errors_.attempt(f)) fine_ = false;
  }

  // --- repeats and variables ---

  void count(const Tree& tree, Position at) {
    values_ += size_of(tree);
    if (values_ > limits::values)
      throw LastError(std::vector<Mistake>{
          InputError(at, fmt::format("repeats and instances make more than {} values", limits::values)).mistakes()[0]});
  }

  static void refuse_many(std::size_t entries, Position at) {
    if (entries > limits::entries)
      throw LastError(std::vector<Mistake>{
          InputError(at, fmt::format("repeats and instances make more than {} entries of one section", limits::entries))
              .mistakes()[0]});
  }

  // All of a tree was made by something at a place.
  void stamp(Tree& tree, const std::string& made_by, Position made_at) {
    if (!made_at.origin) made_at.origin = main_;
    std::unordered_map<const Origin*, const Origin*> known;
    stamp(tree, made_by, made_at, known);
  }
  void stamp(Tree& tree, const std::string& made_by, Position made_at, std::unordered_map<const Origin*, const Origin*>& known) {
    for (Position* at : {&tree.at, &tree.key_at}) {
      const Origin*& to = known[at->origin];
      if (!to) {
        const Origin& from = at->origin ? *at->origin : *main_;
        to = sources_.add({from.file, from.folder, made_by, made_at});
      }
      at->origin = to;
    }
    for (Tree& child : tree.children) stamp(child, made_by, made_at, known);
  }

  void expand(Tree& tree, const Variables& variables) {
    substitute_value(tree, variables, arithmetic_);
    if (tree.is_mapping() || tree.is_list()) expand_children(tree, variables);
  }

  void expand_children(Tree& tree, const Variables& variables) {
    std::vector<Tree> out;
    const bool is_mapping = tree.is_mapping();
    for (Tree& child : tree.children) {
      if (child.is_mapping() && child.find("repeat")) {
        repeat(std::move(child), variables, is_mapping, out);
        continue;
      }
      substitute_key(child, variables, arithmetic_);
      expand(child, variables);
      out.push_back(std::move(child));
    }
    tree.children = std::move(out);
    if (is_mapping) refuse_equal_names(tree);
  }

  void repeat(Tree entry, const Variables& variables, bool has_name, std::vector<Tree>& out) {
    Tree clause = std::move(*taken(entry, "repeat"));
    std::vector<Tree> clauses;
    if (clause.is_list() && !clause.children.empty())
      clauses = std::move(clause.children);
    else
      clauses.push_back(std::move(clause));
    const bool may_be_empty = has_variable_bounds(clauses[0]);
    expand(clauses[0],
           variables);  // bounds may have variables of an outer repeat; others follow when those before them are known
    const bool unwraps = !has_name && entry.children.size() == 1 && entry.children[0].key == "item";
    repeat(unwraps ? entry.children[0] : entry, clauses, 0, may_be_empty, variables, out);
  }

  void repeat(const Tree& entry, const std::vector<Tree>& clauses, std::size_t depth, bool may_be_empty,
              const Variables& variables, std::vector<Tree>& out) {
    const Tree& clause = clauses[depth];
    for (const std::vector<Tree>& values : repetitions_of(clause, may_be_empty, arithmetic_)) {
      const Variables inner{&variables, values};
      for (const Tree& v : values) sources_.variables.insert(v.key);
      if (depth + 1 < clauses.size()) {
        Tree next = clauses[depth + 1];
        count(next, clause.at);
        expand(next, inner);
        std::vector<Tree> rest = clauses;
        rest[depth + 1] = std::move(next);
        repeat(entry, rest, depth + 1, has_variable_bounds(clauses[depth + 1]), inner, out);
        continue;
      }
      count(entry, clause.at);
      refuse_many(out.size() + 1, clause.at);
      Tree copy = entry;
      stamp(copy, fmt::format("repeat with {}", words_of(inner, depth)), clause.at);
      substitute_key(copy, inner, arithmetic_);
      expand(copy, inner);
      out.push_back(std::move(copy));
    }
  }

  // "i = 3, j = 4" of the repeats that belong to one entry.
  static std::string words_of(const Variables& variables, std::size_t depth) {
    std::string outer = depth > 0 ? words_of(*variables.outer, depth - 1) : "";
    for (const Tree& v : variables.own)
      outer += fmt::format("{}{} = {}", outer.empty() ? "" : ", ", v.key, v.is_scalar() ? v.text : found(v));
    return outer;
  }

  static void refuse_equal_names(const Tree& mapping) {
    std::unordered_map<std::string_view, const Tree*> seen;
    for (const Tree& child : mapping.children) {
      const auto [first, is_new] = seen.try_emplace(child.key, &child);
      if (is_new) continue;
      const Position a = first->second->key_at, b = child.key_at;
      const bool same = a.line == b.line && a.column == b.column;
      if (!same) throw InputError(b, fmt::format("'{}' is given twice (first in line {})", child.key, a.line));
      const std::string stem = child.key.substr(0, child.key.find('$'));  // of link$i
      throw InputError(b, fmt::format("the repeat makes '{}' more than once: put its variable into the name, as in '{}${{i}}'",
                                      child.key, stem));
    }
  }

  // --- sections, of the model or of an instance ---

  std::vector<std::string> known_sections() const {
    std::vector<std::string> known = {"points", "instances", "frames", "functions", "repeat"};
    for (const Section& section : language_.sections) known.emplace_back(section.key);
    return known;
  }

  // `repeat:` beside sections: entries of all sections in it for every value of a variable, after those that are there.
  void repeat_blocks(const Tree& blocks, const Variables& variables, std::size_t depth, Tree& sections) {
    if (blocks.is_list() && !blocks.children.empty())
      for (const Tree& block : blocks.children) attempt([&] { repeat_block(block, variables, depth, sections); });
    else
      repeat_block(blocks, variables, depth, sections);
    for (const Tree& section : sections.children)
      if (section.is_mapping()) refuse_equal_names(section);
  }

  void repeat_block(const Tree& block, const Variables& variables, std::size_t depth, Tree& sections) {
    constexpr std::string_view example = "{for: i, from: 1, to: 40, bodies: {…}, joints: {…}}";
    if (!block.is_mapping()) throw Place{"", "repeat"}.wrong(block, fmt::format("a mapping with sections, as {}", example));
    Tree clause = block, inside = block;
    clause.children.clear(), inside.children.clear();
    std::vector<std::string> known = known_sections();
    if (depth == 0) known.emplace_back("parameters");  // those of a template have another meaning
    for (const Field& f : repeat_fields()) known.emplace_back(f.key);
    for (const Tree& child : block.children) {
      if (std::find(known.begin(), known.end(), child.key) == known.end())
        throw InputError(child.key_at, fmt::format("'repeat': unknown key '{}'{}", child.key, suggestion(child.key, known)));
      const auto is_it = [&](const Field& f) { return f.key == child.key; };
      (std::any_of(repeat_fields().begin(), repeat_fields().end(), is_it) ? clause : inside).children.push_back(child);
    }
    if (inside.children.empty())
      throw InputError(block.at,
                       fmt::format("'repeat' at the top has sections in it, as {}; that of one entry stands in it", example));
    for (const Tree& section : inside.children)
      if (!section.is_mapping() && section.key != "repeat")
        throw Place{"", "repeat." + section.key}.wrong(section, "a mapping of names");
    const bool may_be_empty = has_variable_bounds(clause);
    expand(clause, variables);
    for (const std::vector<Tree>& values : repetitions_of(clause, may_be_empty, arithmetic_)) {
      const Variables inner{&variables, values};
      for (const Tree& v : values) sources_.variables.insert(v.key);
      count(inside, clause.at);
      Tree copy = inside;
      stamp(copy, fmt::format("repeat with {}", words_of(inner, 0)), clause.at);
      const std::optional<Tree> nested = taken(copy, "repeat");
      for (Tree& section : copy.children) expand(section, inner);
      if (nested) repeat_blocks(*nested, inner, depth, copy);
      append(copy, sections);
    }
  }

  static void append(Tree& from, Tree& into) {
    for (Tree& section : from.children) {
      Tree* there = section_in(into, section.key);
      if (!there) {
        into.children.push_back(std::move(section));
        continue;
      }
      if (!there->is_mapping()) continue;  // what is wrong with it is told when it is read
      refuse_many(there->children.size() + section.children.size(), section.key_at);
      std::move(section.children.begin(), section.children.end(), std::back_inserter(there->children));
    }
  }

  void write_out(Tree& sections, const Variables& variables, std::size_t depth) {
    const std::optional<Tree> blocks = taken(sections, "repeat");
    for (Tree& section : sections.children)
      if (section.key != "title") attempt([&] { expand(section, variables); });
    if (blocks) attempt([&] { repeat_blocks(*blocks, variables, depth, sections); });
    if (const std::optional<Tree> instances = taken(sections, "instances")) {
      if (!instances->is_mapping())
        attempt([&] { throw Place{"", "instances"}.wrong(*instances, "a mapping of names"); });
      else
        for (const Tree& instance : instances->children) attempt([&] { add_instance(instance, sections, depth); });
    }
    attempt([&] { apply_frames(sections, language_, normal_, arithmetic_); });
  }

  void check_templates() {
    if (!templates_.is_mapping()) throw Place{"", "templates"}.wrong(templates_, "a mapping of names");
    for (const Tree& t : templates_.children) {
      if (!is_entry_name(t.key))
        throw InputError(
            t.key_at, fmt::format("template '{}': a name has letters, digits, _ and - and does not begin with a digit", t.key));
      if (!t.is_mapping()) throw Place{fmt::format("template '{}'", t.key), ""}.wrong(t, "a mapping of sections");
      std::vector<std::string> known = known_sections();
      known.emplace_back("parameters");
      for (const Tree& section : t.children)
        attempt([&] {
          if (std::find(known.begin(), known.end(), section.key) == known.end())
            throw InputError(section.key_at, fmt::format("template '{}': unknown section '{}'{}", t.key, section.key,
                                                         suggestion(section.key, known)));
          if (!section.is_mapping() && section.key != "repeat")
            throw Place{fmt::format("template '{}'", t.key), section.key}.wrong(section, "a mapping of names");
        });
    }
  }

  // The values of the parameters of a template, for one instance.
  Variables arguments(const Tree& part, const Tree& instance, const Place& place) {
    Variables variables;
    const Tree *formal = part.find("parameters"), *given = instance.find("with");
    if (given && !given->is_mapping()) throw place.at("with").wrong(*given, "a mapping of parameters to values");
    const std::vector<std::string> known = keys_in(formal);
    if (given)
      for (const Tree& value : given->children)
        if (std::find(known.begin(), known.end(), value.key) == known.end())
          throw place.remark(value.key_at, fmt::format("template '{}' has no parameter '{}'{}", part.key, value.key,
                                                       suggestion(value.key, known)));
    if (!formal) return variables;
    for (const Tree& parameter : formal->children) {
      if (!is_identifier(parameter.key))
        throw InputError(parameter.key_at, fmt::format("template '{}': parameter '{}': a name has letters, digits and _ and does "
                                                       "not begin with a digit",
                                                       part.key, parameter.key));
      const Tree* value = given ? given->find(parameter.key) : nullptr;
      if (!value && parameter.shape == Tree::Shape::null)
        throw place.remark(instance.key_at, fmt::format("parameter '{0}' of template '{1}' is missing: it has no default; write "
                                                        "with: {{{0}: …}}",
                                                        parameter.key, part.key));
      if (value && value->shape == Tree::Shape::null) throw place.at("with." + parameter.key).wrong(*value, "a value");
      Tree argument = value ? *value : parameter;
      if (!value) expand(argument, variables);  // a default may use the parameters before it
      sources_.variables.insert(argument.key);
      variables.own.push_back(std::move(argument));
    }
    return variables;
  }

  const Tree& template_of(const Tree& instance, const Place& place) {
    if (!instance.is_mapping()) throw place.wrong(instance, "a mapping such as {template: leg, at: [0, 0, 0]}");
    std::vector<std::string> known;
    for (const Field& f : instance_fields()) known.emplace_back(f.key);
    const Tree* name = instance.find("template");
    const Tree* part = name && name->is_scalar() ? templates_.find(name->text) : nullptr;
    for (const Tree& child : instance.children) {
      if (std::find(known.begin(), known.end(), child.key) != known.end()) continue;
      const std::vector<std::string> parameters = keys_in(part ? part->find("parameters") : nullptr);
      if (std::find(parameters.begin(), parameters.end(), child.key) != parameters.end())
        throw place.remark(
            child.key_at, fmt::format("unknown key '{0}'; it is a parameter of the template: write with: {{{0}: …}}", child.key));
      throw place.remark(child.key_at, fmt::format("unknown key '{}'{}", child.key, suggestion(child.key, known)));
    }
    if (!name) throw place.remark(instance.at, "'template' is missing");
    if (!name->is_scalar()) throw place.at("template").wrong(*name, "the name of a template");
    if (!part) {
      const std::vector<std::string> names = keys_in(&templates_);
      throw place.remark(name->at, fmt::format("unknown template '{}'{}", name->text,
                                               names.empty() ? " (the model has no templates)" : suggestion(name->text, names)));
    }
    return *part;
  }

  Placement place_of(const Tree& instance, Tree& sections) {
    const Tree* at = instance.find("at");
    if (at && at->is_scalar()) at = &named_point(*at, sections);
    Placement placement = placement_of(at, instance.find("orientation"), normal_, arithmetic_);
    if (const Tree* mirror = instance.find("mirror")) {
      constexpr std::array<std::string_view, 3> planes = {"yz", "xz", "xy"};  // and the axis across each
      const auto it = std::find(planes.begin(), planes.end(), mirror->text);
      if (it == planes.end()) throw Place{"", "mirror"}.wrong(*mirror, "the plane it is mirrored at, xy, xz or yz");
      placement.mirror = int(it - planes.begin());
      if (placement.mirror == normal_)
        throw InputError(mirror->at, "'mirror' must be a plane that is seen as a line in this planar model");
    }
    if (const Tree* in = instance.find("in")) {
      const int mirrored = placement.mirror;
      placement = composed(frame_named(*in, sections, normal_, arithmetic_), placement);
      placement.mirror = mirrored;
    }
    placement.at = instance.key_at;
    return placement;
  }

  void add_instance(const Tree& instance, Tree& sections, std::size_t depth) {
    const Place place{fmt::format("instance '{}'", instance.key), ""};
    if (!is_entry_name(instance.key))
      throw InputError(instance.key_at, place.owner + ": a name has letters, digits, _ and - and does not begin with a digit");
    const Tree& part = template_of(instance, place);
    if (depth >= limits::instance_depth)
      throw place.remark(instance.key_at, fmt::format("templates use each other more than {} deep; does '{}' contain itself?",
                                                      limits::instance_depth, part.key));
    for (const Tree& section : sections.children)
      if (section.is_mapping() && section.key != "uncertain" && section.key != "dependence" && section.key != "templates")
        if (const Tree* same = section.find(instance.key); same && section.key != "points" && section.key != "parameters")
          throw place.remark(instance.key_at, fmt::format("an entry of '{}' has this name, too (line {}); names of its parts, "
                                                          "'{}.…', would be ambiguous",
                                                          section.key, same->key_at.line, instance.key));
    const Variables variables = arguments(part, instance, place);
    Tree body = part;
    taken(body, "parameters");
    count(body, instance.key_at);
    stamp(body, fmt::format("instance '{}' of template '{}'", instance.key, part.key), instance.key_at);
    write_out(body, variables, depth + 1);
    const Placement placement = place_of(instance, sections);
    name_instance(body, instance.key, language_);
    for (Tree& section : body.children)
      for (Tree& entry : section.children) attempt([&] { place_in_section(section.key, entry, placement); });
    join(body, sections);
  }

  void place_in_section(std::string_view section, Tree& entry, const Placement& placement) {
    if (section == "points") return place_point(entry, placement, arithmetic_);
    if (section == "frames") return place_fields(frame_fields(), entry, placement, arithmetic_);
    for (const Section& s : language_.sections)
      if (s.key == section) place_entry(s, entry, placement, arithmetic_);
  }

  // Entries come after those that are there.
  void join(Tree& from, Tree& into) {
    for (Tree& section : from.children) {
      Tree* there = section_in(into, section.key);
      if (!there) {
        into.children.push_back(std::move(section));
        continue;
      }
      if (!there->is_mapping()) continue;  // what is wrong with it is told when it is read
      if (!section.children.empty()) refuse_many(there->children.size() + section.children.size(), section.children[0].key_at);
      std::unordered_map<std::string, Position> known;
      for (const Tree& entry : there->children)
        if (entry.key.find('.') != std::string::npos) known.emplace(entry.key, entry.key_at);
      for (Tree& entry : section.children) {
        if (const auto same = known.find(entry.key); same != known.end())
          throw InputError(entry.key_at,
                           fmt::format("'{}' is given twice (first in {})", entry.key, place_text(sources_.file, same->second)));
        there->children.push_back(std::move(entry));
      }
    }
  }

  // --- functions ---

  // `{function: name}` becomes what that is.
  void use_functions(Tree& top) {
    const Tree none;
    const Tree* functions = top.find("functions");
    const Tree known = functions ? *functions : none;  // as written: they may use each other
    if (functions && !functions->is_mapping()) throw Place{"", "functions"}.wrong(*functions, "a mapping of names");
    for (Tree& section : top.children)
      if (section.key != "title") attempt([&] { use_functions(section, known, 0); });
  }

  void use_functions(Tree& tree, const Tree& known, std::size_t depth) {
    if (tree.is_mapping() && tree.children.size() == 1 && tree.children[0].key == "function") {
      const Tree& name = tree.children[0];
      if (!name.is_scalar()) throw Place{"", "function"}.wrong(name, "the name of an entry of functions");
      const Tree* function = known.find(name.text);
      if (!function) {
        const std::vector<std::string> names = keys_in(&known);
        throw InputError(name.at, fmt::format("unknown function '{}'{}", name.text,
                                              names.empty() ? " (the model has no functions)" : suggestion(name.text, names)));
      }
      if (depth >= limits::instance_depth)
        throw InputError(function->key_at, fmt::format("function '{}' depends on itself", name.text));
      Tree copy = *function;
      count(copy, name.at);
      copy.key = tree.key, copy.key_at = tree.key_at;
      stamp(copy, fmt::format("function '{}'", name.text), name.at);
      tree = std::move(copy);
      return use_functions(tree, known, depth + 1);
    }
    for (Tree& child : tree.children) use_functions(child, known, depth);
  }

  const Language& language_;
  Sources& sources_;
  ErrorList& errors_;
  const int normal_;
  const Origin* main_ = nullptr;
  Arithmetic arithmetic_;
  Tree templates_;
  std::size_t values_ = 0;
  bool fine_ = true;
};

int plane_normal(const Tree& top) {
  const Tree* plane = top.find("plane");
  if (!plane) return -1;
  return plane->text == "xy" ? 2 : plane->text == "xz" ? 1 : plane->text == "yz" ? 0 : -1;
}

}  // namespace

const std::vector<std::string>& reuse_keys() {
  static const std::vector<std::string> keys = {"repeat", "templates", "instances", "frames", "functions"};
  return keys;
}

const std::vector<Field>& instance_fields() {
  static const std::vector<Field> fields = {
      {.key = "template", .type = FieldType::text, .doc = "The template it is made of.", .required = true},
      {.key = "with",
       .type = FieldType::named_texts,
       .doc = "Values of parameters of the template.",
       .fallback = "their defaults"},
      {.key = "at",
       .type = FieldType::point,
       .unit = "m",
       .doc = "Where the origin of the template is.",
       .fallback = "the origin"},
      {.key = "orientation",
       .type = FieldType::orientation,
       .doc = "How the axes of the template are turned.",
       .fallback = "inertial axes"},
      {.key = "mirror",
       .type = FieldType::word,
       .doc = "The plane, of the axes of the template, at which it is mirrored first.",
       .fallback = "none",
       .words = {"xy", "xz", "yz"}},
      {.key = "in",
       .type = FieldType::text,
       .doc = "A frame, body, joint or point that `at` and `orientation` are relative to.",
       .fallback = "the inertial frame"}};
  return fields;
}

const std::vector<Field>& frame_fields() {
  static const std::vector<Field> fields = {
      {.key = "at", .type = FieldType::point, .unit = "m", .doc = "Its origin.", .fallback = "the origin"},
      {.key = "orientation", .type = FieldType::orientation, .doc = "Its axes.", .fallback = "inertial axes"},
      {.key = "in",
       .type = FieldType::text,
       .doc = "A frame, body, joint or point that `at` and `orientation` are relative to.",
       .fallback = "the inertial frame"}};
  return fields;
}

bool expand_model(Tree& top, const Language& language, Sources& sources, ErrorList& errors) {
  if (!top.is_mapping()) return true;
  const bool nothing = std::none_of(reuse_keys().begin(), reuse_keys().end(), [&](const auto& key) { return top.find(key); });
  if (nothing && is_written_out(top) && !uses_frames(top, language)) return true;
  Expander expander(language, sources, errors, plane_normal(top));
  expander.run(top);
  return expander.is_fine();
}

}  // namespace aleator::core::input
