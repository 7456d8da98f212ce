// Robot descriptions as models: which files they may have, and what their meshes are called.
#include <filesystem>
#include <map>
#include <set>

#include <fmt/format.h>

#include <aleator/import.hpp>

#include "import/model_text.hpp"
#include "input/text.hpp"
#include "study/loaded_model.hpp"

namespace aleator {

namespace fs = std::filesystem;

namespace {

core::importing::ImportOptions inner(const ImportOptions& o) {
  using core::importing::Base;
  if (!o.base.empty() && o.base != "fixed" && o.base != "floating")
    throw core::input::InputError({}, fmt::format("the base must be fixed or floating, found '{}'", o.base));
  core::importing::ImportOptions out;
  out.base = o.base == "fixed" ? Base::fixed : o.base == "floating" ? Base::floating : Base::decided;
  out.repair = o.repair;
  out.limits = o.limits;
  out.meshes = o.meshes;
  out.duration = o.duration;
  out.packages = o.packages;
  out.positions = o.positions;
  return out;
}

// Names of meshes in a model of this folder: as they are where they lie in it, otherwise those of copies in a folder beside it.
class MeshNames {
 public:
  MeshNames(const fs::path& model, std::vector<std::pair<std::string, std::string>>& copies)
      : folder_(model.parent_path()), beside_(model.stem().string() + "-meshes"), copies_(copies) {}

  std::string operator()(const std::string& file) {
    const auto known = names_.find(file);
    if (known != names_.end()) return known->second;
    std::error_code error;
    const fs::path inside = fs::relative(file, folder_.empty() ? fs::path(".") : folder_, error);
    std::string name = inside.generic_string();
    if (error || inside.empty() || *inside.begin() == "..") {
      fs::path copy = beside_ / fs::path(file).filename();
      for (int k = 2; taken_.contains(copy.string()); ++k)
        copy = beside_ / fmt::format("{}-{}{}", fs::path(file).stem().string(), k, fs::path(file).extension().string());
      taken_.insert(copy.string());
      name = copy.generic_string();
      copies_.emplace_back(file, (folder_ / copy).string());
    }
    names_.emplace(file, name);
    return name;
  }

  const std::map<std::string, std::string>& all() const { return names_; }  // by file

 private:
  fs::path folder_, beside_;
  std::vector<std::pair<std::string, std::string>>& copies_;
  std::map<std::string, std::string> names_;
  std::set<std::string> taken_;
};

}  // namespace

namespace {

ImportedText imported(const std::string& file, const ImportOptions& options, MeshNames& names, std::string_view before = "") {
  using namespace core::importing;
  const FileSource files{
      [](const std::string& name) {
        std::error_code error;
        return fs::is_regular_file(name, error);
      },
      [](const std::string& name) { return core::input::read_bytes(name, core::input::Source::ordinary_file); }};
  const core::importing::ImportOptions inside = inner(options);
  const ImportedModel model =
      model_of(read_description(file, core::input::read_bytes(file), files, inside), inside, std::ref(names));
  ImportedText out;
  out.text = text_of(model);
  out.notes = lines_of(model.notes, before);
  return out;
}

}  // namespace

ImportedText import_text(const std::string& file, const ImportOptions& options) {
  std::vector<std::pair<std::string, std::string>> copies;
  MeshNames names(options.out.empty() ? fs::path(file) : fs::path(options.out), copies);
  ImportedText out = imported(file, options, names);
  out.copies = std::move(copies);
  return out;
}

Model import_model(const std::string& file, const Settings& set, const ImportOptions& options) {
  std::vector<std::pair<std::string, std::string>> copies;
  MeshNames names(file, copies);
  ImportedText text = imported(file, options, names, "note: ");
  core::ModelSources sources{std::move(text.text), {}, std::move(text.notes)};
  for (const auto& [path, name] : names.all())
    sources.files.push_back({name, core::input::read_bytes(path, core::input::Source::ordinary_file)});
  std::vector<core::Override> overrides;
  for (const auto& [key, value] : set) overrides.push_back({key, value});
  const fs::path beside = fs::path(file).replace_extension(".yaml");
  return Model(core::load(beside.string(), sources, overrides));
}

}  // namespace aleator
