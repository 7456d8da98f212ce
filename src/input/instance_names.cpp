#include "input/instance_names.hpp"

#include <algorithm>
#include <unordered_set>

#include "input/field_walk.hpp"

namespace aleator::core::input {
namespace {

using Set = std::unordered_set<std::string>;

Set names_in(const Tree& sections, std::string_view key) {
  Set names;
  if (const Tree* section = sections.find(key); section && section->is_mapping())
    for (const Tree& entry : section->children) names.insert(entry.key);
  return names;
}

class Namer {
 public:
  Namer(const Tree& sections, const std::string& name) : prefix_(name + ".") {
    bodies_ = names_in(sections, "bodies");
    joints_ = names_in(sections, "joints");
    forces_ = names_in(sections, "forces");
    processes_ = names_in(sections, "processes");
    points_ = names_in(sections, "points");
    for (const Tree& section : sections.children)
      if (section.key != "points" && section.key != "uncertain" && section.key != "dependence")
        for (const Tree& entry : section.children) all_.insert(entry.key);
  }

  void entry_name(Tree& entry, std::string_view section) const {
    if (section != "uncertain" || all_.contains(entry.key)) entry.key = prefix_ + entry.key;
  }

  void value(const Field& field, Tree& tree) const {
    using enum FieldType;
    switch (field.type) {
      case body:
        return one(tree, bodies_);
      case body_pair:
        return each(tree, bodies_);
      case joint:
        return one(tree, joints_);
      case joint_pair:
        return each(tree, joints_);
      case force:
        return one(tree, forces_);
      case process:
        return one(tree, processes_);
      case point:
        return one(tree, points_);
      case point_pair:
      case points:
        return each(tree, points_);
      case text:
      case word:
      case words:
        if (!field.words.empty() || field.key == "color" || field.key == "unit") return;
        any(tree);
        for (Tree& child : tree.children) any(child);
        return;
      default:
        return;
    }
  }

 private:
  void one(Tree& tree, const Set& names) const {
    if (tree.is_scalar() && names.contains(tree.text)) tree.text = prefix_ + tree.text;
  }
  void each(Tree& tree, const Set& names) const {
    for (Tree& child : tree.children) one(child, names);
  }
  // A name of whatever section, or a part of what it names: `tip.x`, `thigh.mass`.
  void any(Tree& tree) const {
    if (!tree.is_scalar()) return;
    const std::string_view text = tree.text;
    for (std::size_t dot = text.find('.');; dot = text.find('.', dot + 1)) {
      if (all_.contains(std::string(text.substr(0, dot)))) {
        tree.text = prefix_ + tree.text;
        return;
      }
      if (dot == std::string_view::npos) return;
    }
  }

  std::string prefix_;
  Set bodies_, joints_, forces_, processes_, points_, all_;
};

// A motion of all bodies is one of all bodies of the instance.
void name_bodies_of_motions(Tree& sections) {
  std::vector<std::string> bodies;
  if (const Tree* all = sections.find("bodies"))
    for (const Tree& body : all->children) bodies.push_back(body.key);
  for (Tree& section : sections.children) {
    if (section.key != "initial_motions") continue;
    for (Tree& motion : section.children) {
      if (!motion.is_mapping() || motion.find("bodies") || bodies.empty()) continue;
      Tree list;
      list.shape = Tree::Shape::list;
      list.at = motion.at;
      list.key = "bodies";
      list.key_at = motion.at;
      for (const std::string& name : bodies) {
        Tree body;
        body.shape = Tree::Shape::scalar;
        body.text = name;
        body.at = motion.at;
        list.children.push_back(std::move(body));
      }
      motion.children.push_back(std::move(list));
    }
  }
}

}  // namespace

void name_instance(Tree& sections, const std::string& name, const Language& language) {
  name_bodies_of_motions(sections);
  const Namer namer(sections, name);
  const FieldVisitor visitor{[&](const Field& field, Tree& value, const Walked&) { namer.value(field, value); }};
  for (Tree& section : sections.children) {
    const auto s = std::find_if(language.sections.begin(), language.sections.end(),
                                [&](const Section& known) { return known.key == section.key; });
    for (Tree& entry : section.children) {
      if (s != language.sections.end()) walk_fields(*s, entry, visitor);
      namer.entry_name(entry, section.key);
    }
  }
}

}  // namespace aleator::core::input
