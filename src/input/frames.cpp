#include "input/frames.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "input/expand.hpp"
#include "input/limits.hpp"
#include "input/place.hpp"

namespace aleator::core::input {
namespace {

// Outputs have one of their own, a body in whose axes they are.
constexpr std::string_view placeable[] = {"bodies", "joints", "forces", "outputs", "initial_motions"};

const Tree* entry_named(const Tree& sections, std::string_view section, std::string_view name) {
  const Tree* all = sections.find(section);
  return all && all->is_mapping() ? all->find(name) : nullptr;
}

class Frames {
 public:
  Frames(const Tree& sections, int normal, Arithmetic& arithmetic)
      : sections_(sections), normal_(normal), arithmetic_(arithmetic) {}

  // What `in: name` means.
  Placement named(const Tree& name, std::size_t depth = 0) {
    refuse_ambiguous(name);
    return first_named(name, depth);
  }

  // The first of this name: a frame, before all others.
  Placement first_named(const Tree& name, std::size_t depth = 0) {
    if (!name.is_scalar()) throw Place{"", "in"}.wrong(name, "the name of a frame, body, joint or point");
    if (name.text == "ground") return of_pose(nullptr, nullptr);
    if (depth > limits::instance_depth) throw InputError(name.at, fmt::format("frame '{}' depends on itself", name.text));
    if (const Tree* frame = entry_named(sections_, "frames", name.text)) return of_frame(*frame, depth);
    if (const Tree* point = entry_named(sections_, "points", name.text)) return of_pose(point, nullptr);
    if (const Tree* body = entry_named(sections_, "bodies", name.text)) {
      const Tree* const at = body->find("at") ? body->find("at") : body->find("center_of_mass");  // without both the origin
      if (!at && (body->find("beam") || body->find("cable"))) throw no_place(name, "body");
      return relative(*body, of_pose(at, body->find("orientation")), depth);
    }
    if (const Tree* joint = entry_named(sections_, "joints", name.text)) {
      if (!joint->find("at")) throw no_place(name, "joint");
      return relative(*joint, of_pose(joint->find("at"), nullptr), depth);
    }
    std::vector<std::string> known;
    for (const char* section : {"frames", "points", "bodies", "joints"})
      if (const Tree* all = sections_.find(section))
        for (const Tree& entry : all->children) known.push_back(entry.key);
    throw InputError(name.at, fmt::format("unknown frame, body, joint or point '{}'{}", name.text, suggestion(name.text, known)));
  }

 private:
  void refuse_ambiguous(const Tree& name) const {
    if (!name.is_scalar()) return;
    constexpr std::string_view kinds[][2] = {{"frames", "frame"}, {"points", "point"}, {"bodies", "body"}, {"joints", "joint"}};
    std::string_view found;
    for (const auto& [section, kind] : kinds) {
      if (!entry_named(sections_, section, name.text)) continue;
      if (!found.empty())
        throw InputError(name.at,
                         fmt::format("'in: {}' may mean the {} or the {} of this name; rename one", name.text, found, kind));
      found = kind;
    }
  }

  static InputError no_place(const Tree& name, std::string_view what) {
    return {name.at, fmt::format("{} '{}' has no 'at' that positions could be relative to", what, name.text)};
  }

  Placement of_pose(const Tree* at, const Tree* orientation) {
    if (at && at->is_scalar()) at = &named_point(*at, sections_);
    return placement_of(at, orientation, normal_, arithmetic_);
  }

  Placement relative(const Tree& entry, const Placement& placement, std::size_t depth) {
    const Tree* in = entry.find("in");
    return in ? composed(named(*in, depth + 1), placement) : placement;
  }

  Placement of_frame(const Tree& frame, std::size_t depth) {
    if (!frame.is_mapping())
      throw Place{fmt::format("frame '{}'", frame.key), ""}.wrong(frame, "a mapping with at, orientation, in");
    std::vector<std::string> known;
    for (const Field& f : frame_fields()) known.emplace_back(f.key);
    for (const Tree& child : frame.children)
      if (std::find(known.begin(), known.end(), child.key) == known.end())
        throw InputError(child.key_at,
                         fmt::format("frame '{}': unknown key '{}'{}", frame.key, child.key, suggestion(child.key, known)));
    return relative(frame, of_pose(frame.find("at"), frame.find("orientation")), depth);
  }

  const Tree& sections_;
  const int normal_;
  Arithmetic& arithmetic_;
};

// Whether `in` of an entry is a frame; of an output it may be a body.
bool is_frame(const Tree& in, std::string_view section, const Tree& sections) {
  return section != "outputs" || entry_named(sections, "frames", in.text);
}

void remove_in(Tree& entry) {
  std::erase_if(entry.children, [](const Tree& c) { return c.key == "in"; });
}

}  // namespace

bool is_placeable(std::string_view section) {
  return std::find(std::begin(placeable), std::end(placeable), section) != std::end(placeable);
}

const Tree& named_point(const Tree& name, const Tree& sections) {
  const Tree* points = sections.find("points");
  if (const Tree* point = points && points->is_mapping() ? points->find(name.text) : nullptr) return *point;
  std::vector<std::string> known;
  if (points)
    for (const Tree& p : points->children) known.push_back(p.key);
  throw InputError(name.at, fmt::format("unknown point '{}'{}", name.text,
                                        known.empty() ? " (there are no points)" : suggestion(name.text, known)));
}

Placement frame_named(const Tree& name, const Tree& sections, int normal, Arithmetic& arithmetic) {
  return Frames(sections, normal, arithmetic).named(name);
}

void apply_frames(Tree& sections, const Language& language, int normal, Arithmetic& arithmetic) {
  if (const Tree* frames = sections.find("frames"); frames && !frames->is_mapping())
    throw Place{"", "frames"}.wrong(*frames, "a mapping of names");
  if (!sections.find("frames") && !uses_frames(sections, language)) return;
  const Tree before = sections;  // what is relative to others refers to them as they were written
  Frames all(before, normal, arithmetic);
  for (Tree& section : sections.children) {
    if (section.key == "frames") {
      for (Tree& frame : section.children) {
        const Tree name = [&] {
          Tree t;
          t.shape = Tree::Shape::scalar, t.text = frame.key, t.at = frame.key_at;
          return t;
        }();
        const Placement placement = all.first_named(name);
        frame.shape = Tree::Shape::mapping;
        frame.children.clear();
        place_fields(frame_fields(), frame, placement, arithmetic);
      }
      continue;
    }
    const auto s = std::find_if(language.sections.begin(), language.sections.end(),
                                [&](const Section& known) { return known.key == section.key; });
    if (s == language.sections.end() || !is_placeable(section.key)) continue;
    for (Tree& entry : section.children) {
      const Tree* in = entry.is_mapping() ? entry.find("in") : nullptr;
      if (!in || !is_frame(*in, section.key, before)) continue;
      Placement placement = all.named(*in);
      placement.at = in->at;
      remove_in(entry);
      place_entry(*s, entry, placement, arithmetic);
    }
  }
}

bool uses_frames(const Tree& sections, const Language& language) {
  for (const Section& s : language.sections) {
    if (s.key == "outputs" || !is_placeable(s.key)) continue;
    const Tree* section = sections.find(s.key);
    if (!section || !section->is_mapping()) continue;
    for (const Tree& entry : section->children)
      if (entry.is_mapping() && entry.find("in")) return true;
  }
  return false;
}

}  // namespace aleator::core::input
