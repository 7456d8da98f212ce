#include "import/urdf_elements.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace aleator::core::importing::urdf {

namespace {

using Names = std::vector<std::string>;

struct UrdfElement {
  std::string_view name;
  Names attributes;
  Names once;   // elements in it that may be given once
  Names often;  // and those that may be repeated
};

// As wiki.ros.org/urdf/XML has them; <capsule> and 'quat_xyzw' came later. What <robot> has is told apart by the reader.
const UrdfElement* known_element(std::string_view name) {
  static const std::vector<UrdfElement> all = {
      {"robot", {"name", "version"}, {}, {}},
      {"link", {"name"}, {"inertial"}, {"visual", "collision"}},
      {"inertial", {}, {"origin", "mass", "inertia"}, {}},
      {"mass", {"value"}, {}, {}},
      {"inertia", {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"}, {}, {}},
      {"origin", {"xyz", "rpy", "quat_xyzw"}, {}, {}},
      {"visual", {"name"}, {"origin", "geometry", "material"}, {}},
      {"collision", {"name"}, {"origin", "geometry", "material"}, {}},
      {"geometry", {}, {}, {"box", "cylinder", "sphere", "capsule", "mesh"}},
      {"box", {"size"}, {}, {}},
      {"cylinder", {"radius", "length"}, {}, {}},
      {"sphere", {"radius"}, {}, {}},
      {"capsule", {"radius", "length"}, {}, {}},
      {"mesh", {"filename", "scale"}, {}, {}},
      {"material", {"name"}, {"color"}, {}},
      {"color", {"rgba"}, {}, {}},
      {"joint", {"name", "type"}, {"parent", "child", "origin", "axis", "limit", "dynamics", "mimic"}, {}},
      {"parent", {"link"}, {}, {}},
      {"child", {"link"}, {}, {}},
      {"axis", {"xyz"}, {}, {}},
      {"limit", {"lower", "upper", "effort", "velocity"}, {}, {}},
      {"dynamics", {"damping", "friction"}, {}, {}},
      {"mimic", {"joint", "multiplier", "offset"}, {}, {}},
  };
  const auto it = std::find_if(all.begin(), all.end(), [&](const UrdfElement& k) { return k.name == name; });
  return it == all.end() ? nullptr : &*it;
}

bool has_name(const Names& names, std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); }

// Those of other programs: `xmlns:xacro`, `drake:acceleration`.
bool has_namespace(std::string_view name) { return name.find(':') != std::string_view::npos || name == "xmlns"; }

constexpr std::size_t most_of_one = 20;  // mistakes and notes of one element: nobody reads more, and each takes a search

class UrdfCheck {
 public:
  explicit UrdfCheck(std::vector<Note>& notes) : notes_(notes) {}

  void raise() {
    if (!mistakes_.empty()) throw input::InputError(std::move(mistakes_));
  }

  void look_at_attributes(const Element& e) {
    const UrdfElement* known = known_element(e.name());
    std::size_t found = 0;
    for (const pugi::xml_attribute a : e.node.attributes()) {
      const std::string name = a.name();
      if (has_namespace(name)) continue;
      const bool is_known = has_name(known->attributes, name);
      if (is_known && e.node.attribute(a.name()) == a) continue;
      if (++found > most_of_one) return;
      if (is_known)
        refuse(e.place(name), fmt::format("<{}>: the attribute '{}' is given twice", e.name(), name));
      else if (const std::string near = near_miss(name, known->attributes); !near.empty())
        refuse(e.place(name), fmt::format("<{}>: unknown attribute '{}'{}", e.name(), name, near));
      else
        notes_.push_back({e.place(name), fmt::format("<{}>: the attribute '{}' is left out", e.name(), name)});
    }
  }

  void look_at_children(const Element& e, bool in_depth) {
    const UrdfElement* known = known_element(e.name());
    Names names = known->once;
    names.insert(names.end(), known->often.begin(), known->often.end());
    std::map<std::string_view, int> first;  // line of each that may be given once
    std::size_t found = 0;
    for (const Element& child : e.children()) {
      const std::string_view name = child.name();
      if (has_name(known->once, name) && !first.emplace(name, child.place().line).second) {
        if (++found <= most_of_one)
          refuse(child.place(), fmt::format("{}: <{}> is given twice (first in line {})", title(e), name, first.at(name)));
      } else if (!has_name(names, name)) {
        if (++found <= most_of_one) attempt([&] { leave_out(child, names, notes_); });
      } else if (in_depth) {
        look_at_attributes(child);
        look_at_children(child, true);
      }
    }
  }

 private:
  static std::string title(const Element& e) {
    if (e.name() == "link" || e.name() == "joint") return fmt::format("{} '{}'", e.name(), e.text("name"));
    return fmt::format("<{}>", e.name());
  }

  void refuse(const Place& place, const std::string& message) { add(error_at(place, message)); }

  void add(const input::InputError& error) {
    mistakes_.insert(mistakes_.end(), error.mistakes().begin(), error.mistakes().end());
  }

  template <class F>
  void attempt(F&& f) {
    try {
      f();
    } catch (const input::InputError& error) {
      add(error);
    }
  }

  std::vector<Note>& notes_;
  std::vector<Mistake> mistakes_;
};

}  // namespace

std::string near_miss(const std::string& name, const Names& known) {
  // First the same letters in another order: 'izy' is 'iyz' rather than 'izz'.
  const auto sorted = [](std::string text) {
    std::sort(text.begin(), text.end());
    return text;
  };
  for (const std::string& k : known)
    if (k.size() == name.size() && sorted(k) == sorted(name)) return fmt::format(" (did you mean '{}'?)", k);
  const std::string near = input::suggestion(name, known);
  return near.starts_with(" (did you mean") ? near : "";
}

void leave_out(const Element& e, const Names& known, std::vector<Note>& notes) {
  const std::string name(e.name());
  if (name.find("xacro") != std::string::npos)
    throw error_at(e.place(), fmt::format("<{}> is a macro; expand it first: xacro robot.urdf.xacro > robot.urdf", name));
  const std::string near = has_namespace(name) ? "" : near_miss(name, known);
  if (!near.empty()) throw error_at(e.place(), fmt::format("unknown element <{}>{}", name, near));
  notes.push_back({e.place(), fmt::format("<{}> is left out", name)});
}

void check_attributes(const Element& e, std::vector<Note>& notes) {
  UrdfCheck check(notes);
  check.look_at_attributes(e);
  check.raise();
}

void check_element(const Element& e, std::vector<Note>& notes) {
  UrdfCheck check(notes);
  check.look_at_attributes(e);
  check.look_at_children(e, false);
  check.raise();
}

void check_tree(const Element& e, std::vector<Note>& notes) {
  UrdfCheck check(notes);
  check.look_at_attributes(e);
  check.look_at_children(e, true);
  check.raise();
}

}  // namespace aleator::core::importing::urdf
