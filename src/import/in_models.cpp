// `urdf: robot.urdf` and `mjcf: robot.xml` in a model: what they describe is merged with the sections of the model.

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "import/model_text.hpp"
#include "input/conversion.hpp"
#include "input/include.hpp"
#include "input/referred_files.hpp"
#include "input/text.hpp"

namespace aleator::core::importing {

namespace fs = std::filesystem;

namespace {

using input::Field;
using input::FieldType;
using input::Tree;

std::vector<Field> options_of(bool urdf) {
  std::vector<Field> out = {
      {.key = "file", .type = FieldType::text, .doc = "The description, relative to the model.", .required = true}};
  if (urdf)
    out.push_back({.key = "base",
                   .type = FieldType::word,
                   .doc = "The root link is fixed to the ground, or moves.",
                   .fallback = "the ground where it has no mass, otherwise fixed",
                   .words = {"fixed", "floating"}});
  out.push_back({.key = "positions",
                 .type = FieldType::named_numbers,
                 .unit = "rad or m",
                 .doc = "Positions of joints at t = 0, counted as in the description. The model is drawn there: in the model, "
                        "coordinates of joints are 0 there.",
                 .fallback = "0, or the middle of limits that leave it out"});
  out.push_back({.key = "packages",
                 .type = FieldType::words,
                 .doc = "Folders in which `package://` is looked for, relative to the model."});
  out.push_back({.key = "repair",
                 .type = FieldType::flag,
                 .doc = "Replace inertias that no body can have by the nearest possible ones.",
                 .fallback = "false"});
  out.push_back({.key = "limits", .type = FieldType::flag, .doc = "Stops at the limits of joints.", .fallback = "true"});
  out.push_back({.key = "meshes", .type = FieldType::flag, .doc = "Shapes from files.", .fallback = "true"});
  return out;
}

bool flag_of(const Tree& t, const input::Place& place) {
  if (t.is_scalar() && (t.text == "true" || t.text == "false")) return t.text == "true";
  throw place.at(t.key).wrong(t, "true or false");
}

double angle_or_length(const Tree& t, const input::Place& place) {
  std::string_view text = t.text;
  double factor = 1;
  if (text.ends_with("deg")) {
    factor = 0.017453292519943295;
    text = input::trimmed(text.substr(0, text.size() - 3));
  }
  double x = 0;
  if (!t.is_scalar() || !input::parse_decimal(text, x)) throw place.wrong(t, "a number, such as 0.5 or '30 deg'");
  return factor * x;
}

// Fills the options; returns the name of the file.
const Tree& read_options(const Tree& value, const input::Place& place, const input::FileAccess& access, ImportOptions& o,
                         bool urdf) {
  if (value.is_scalar() && !value.text.empty()) return value;
  if (!value.is_mapping()) throw place.wrong(value, "the name of a file, or {file: .., ...}");
  std::vector<std::string> known;
  const std::vector<Field> fields = options_of(urdf);
  for (const Field& f : fields) known.emplace_back(f.key);
  const Tree* file = nullptr;
  for (const Tree& t : value.children) {
    const input::Place inside = place.at(t.key);
    if (std::find(known.begin(), known.end(), t.key) == known.end())
      throw place.inside().remark(t.key_at, fmt::format("unknown key '{}'{}", t.key, input::suggestion(t.key, known)));
    if (t.key == "file") {
      if (!t.is_scalar() || t.text.empty()) throw inside.wrong(t, "the name of a file");
      file = &t;
    } else if (t.key == "base") {
      if (t.text != "fixed" && t.text != "floating") throw inside.wrong(t, "fixed or floating");
      o.base = t.text == "fixed" ? Base::fixed : Base::floating;
    } else if (t.key == "positions") {
      if (!t.is_mapping()) throw inside.wrong(t, "a mapping of joints to positions");
      for (const Tree& p : t.children) o.positions[p.key] = angle_or_length(p, inside.at(p.key));
    } else if (t.key == "packages") {
      const auto add = [&](const Tree& p) { o.packages.push_back(access.path_of(input::referred_name(p))); };
      if (t.is_scalar()) add(t);
      for (const Tree& p : t.children) add(p);
    } else if (t.key == "repair") {
      o.repair = flag_of(t, place);
    } else if (t.key == "limits") {
      o.limits = flag_of(t, place);
    } else {
      o.meshes = flag_of(t, place);
    }
  }
  if (!file) throw place.inside().remark(value.at, "'file' is missing");
  return *file;
}

void set_place(Tree& tree, input::Position at) {
  tree.at = tree.key_at = at;
  tree.inside = -1;
  for (Tree& child : tree.children) set_place(child, at);
}

Tree mapping(const std::string& key, input::Position at) {
  Tree t;
  t.shape = Tree::Shape::mapping;
  t.key = key;
  t.at = t.key_at = at;
  return t;
}

void convert(const Tree& value, const input::Language& language, input::Sources& sources, Tree& top, input::ErrorList& errors,
             std::string_view key) {
  const input::Place place{"", std::string(key)};
  ImportOptions options;
  options.in_model = true;
  const Tree& reference = read_options(value, place, sources.access, options, key == "urdf");
  const std::string folder = sources.access.folder;
  // Files by their path, and by the name that the model has for them.
  const auto name_of = [&](const std::string& path) {
    return folder.empty() ? fs::path(path).lexically_normal().generic_string()
                          : fs::path(path).lexically_relative(folder).generic_string();
  };
  const auto named = [&](const std::string& name) {
    Tree t = reference;
    t.at.origin = nullptr;
    t.text = name;
    return t;
  };
  const FileSource files{[&](const std::string& path) {
                           std::error_code error;
                           if (!sources.given) return fs::is_regular_file(path, error);
                           const std::string name = name_of(path);
                           return std::any_of(sources.given->begin(), sources.given->end(),
                                              [&](const input::ReferredFile& f) { return f.name == name; });
                         },
                         [&](const std::string& path) {
                           return input::referred_bytes(sources.access, sources.given, sources.files, named(name_of(path)),
                                                        place);
                         }};
  const std::string path = sources.access.path_of(input::referred_name(reference));
  const std::string bytes = input::referred_bytes(sources.access, sources.given, sources.files, reference, place);
  Mechanism mechanism = read_description(path, bytes, files, options);
  if ((mechanism.format == "URDF") != (key == "urdf"))
    throw place.error(reference.at, fmt::format("must be {}, and this file is {}: write `{}:`", key == "urdf" ? "URDF" : "MJCF",
                                                mechanism.format, key == "urdf" ? "mjcf" : "urdf"));
  ImportedModel model;
  try {
    model = model_of(std::move(mechanism), options, name_of);
  } catch (const input::InputError& error) {
    if (!error.file().empty()) throw;
    throw input::InputError(value.at, error.message());
  }
  for (std::string& line : lines_of(model.notes, "note: ")) sources.notes.push_back(std::move(line));
  std::map<std::string, const input::Origin*> origins;
  const auto position = [&](const Place& p) {
    const input::Origin*& origin = origins[p.file];
    if (!origin) origin = sources.add({p.file.empty() ? path : p.file});
    return input::Position{std::max(p.line, 1), std::max(p.column, 1), origin};
  };
  Tree all = mapping("", value.at);
  const bool own_outputs = top.find("outputs") != nullptr;
  for (const ModelEntry& e : model.entries) {
    if (e.section == "outputs" && own_outputs) continue;
    auto section = std::find_if(all.children.begin(), all.children.end(), [&](const Tree& t) { return t.key == e.section; });
    if (section == all.children.end()) section = all.children.insert(all.children.end(), mapping(e.section, position(e.place)));
    Tree entry = input::yaml_tree(text_of(e)).children.at(0);
    set_place(entry, position(e.place));
    section->children.push_back(std::move(entry));
  }
  // URDF states none: beside MJCF, which is read later, that of MJCF counts.
  if (key != "urdf" || !top.find("mjcf")) {
    const Vector& g = model.gravity;
    Tree gravity = input::yaml_tree(fmt::format("gravity: [{}, {}, {}]\n", g.x, g.y, g.z)).children.at(0);
    set_place(gravity, value.at);
    all.children.push_back(std::move(gravity));
  }
  input::merge_sections(top, std::move(all), language, input::SingleKeys::into_wins, sources.file, errors);
}

void convert_urdf(const Tree& value, const input::Language& l, input::Sources& s, Tree& top, input::ErrorList& e) {
  convert(value, l, s, top, e, "urdf");
}
void convert_mjcf(const Tree& value, const input::Language& l, input::Sources& s, Tree& top, input::ErrorList& e) {
  convert(value, l, s, top, e, "mjcf");
}

}  // namespace

}  // namespace aleator::core::importing

namespace aleator::core::input {

const std::vector<Conversion>& conversions() {
  using namespace importing;
  static const std::vector<Conversion> all = {
      {"urdf",
       "A robot description in URDF, whose links and joints belong to the model. URDF states no gravity: it is that of the "
       "model or of `mjcf`, otherwise [0, 0, -9.81].",
       options_of(true), convert_urdf},
      {"mjcf",
       "A model of MuJoCo (MJCF), whose bodies and joints belong to the model, and its gravity where the model gives none.",
       options_of(false), convert_mjcf}};
  return all;
}

}  // namespace aleator::core::input
