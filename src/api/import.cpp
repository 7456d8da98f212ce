// Robot descriptions as models: which files they may have, and what their meshes are called.
#include <filesystem>

#include <fmt/format.h>

#include <aleator/import.hpp>

#include "api/mesh_names.hpp"
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

ImportedText imported(const std::string& file, const ImportOptions& options, core::MeshNames& names,
                      std::string_view before = "") {
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
  core::MeshCopies copies;
  core::MeshNames names(options.out.empty() ? file : options.out, options.copy_meshes ? &copies : nullptr);
  ImportedText out = imported(file, options, names);
  out.copies = std::move(copies);
  if (names.lead_out())
    out.notes.emplace_back(
        "some meshes are outside of the folder of the model, which reads them with --allow-files alone; with -o FILE they are "
        "copied beside it");
  return out;
}

Model import_model(const std::string& file, const Settings& set, const ImportOptions& options) {
  core::MeshCopies copies;
  core::MeshNames names(file, &copies);
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
