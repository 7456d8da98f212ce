// aleator import FILE: a robot description as a model.
#include <filesystem>

#include <fmt/format.h>

#include <aleator/import.hpp>

#include "base/atomic_file.hpp"
#include "base/words.hpp"
#include "cli/arguments.hpp"
#include "cli/colour.hpp"
#include "input/text.hpp"

namespace aleator::app {
namespace {

namespace fs = std::filesystem;

struct ImportArguments {
  std::string file, out = "-";
  std::vector<std::string> positions;
  bool no_limits = false, no_meshes = false, overwrite = false;
  ImportOptions options;
};

void write_file(const std::string& path, const std::string& bytes) {
  core::AtomicFile out(path);
  out.write(bytes);
  out.commit();
}

int import_command(const ImportArguments& o) {
  ImportOptions options = o.options;
  options.limits = !o.no_limits;
  options.meshes = !o.no_meshes;
  options.positions = read_settings(o.positions);
  options.out = o.out == "-" ? "model.yaml" : o.out;
  if (o.out != "-" && !o.overwrite && fs::is_regular_file(o.out))
    throw WriteError(o.out, "it is there already, and may have been edited; --overwrite replaces it");
  const ImportedText model = import_text(o.file, options);
  for (const std::string& note : model.notes) say(stderr, "{}\n", note);
  for (const auto& [from, to] : model.copies) {
    core::create_folder(fs::path(to).parent_path().string());
    write_file(to, core::input::read_bytes(from, core::input::Source::ordinary_file));
  }
  write_file(o.out, model.text);
  if (o.out == "-") return exit_code::done;
  if (!model.copies.empty())
    say("copied {} mesh{} into {}\n", model.copies.size(), model.copies.size() == 1 ? "" : "es",
        fs::path(model.copies[0].second).parent_path().string());
  say("wrote {}: `aleator check {}` says what was understood\n", o.out, o.out);
  return exit_code::done;
}

}  // namespace

void add_import(Command& c) {
  auto o = std::make_shared<ImportArguments>();
  c.option("FILE", o->file, "Robot description: URDF or MJCF").required();
  c.option("-o,--out", o->out, "The model (default: printed)").type("FILE");
  c.option("--package-path", o->options.packages, "Folder in which package:// is looked for; may be repeated").each().type("DIR");
  c.option("--base", o->options.base, "Root link of URDF: fixed to the ground, or floating")
      .one_of({"fixed", "floating"})
      .type("HOW");
  c.option("--position", o->positions, "Position of a joint at t = 0, in rad or m; may be repeated").each().type("JOINT=VALUE");
  c.flag("--repair", o->options.repair, "Replace inertias that no body can have by the nearest possible ones");
  c.flag("--no-limits", o->no_limits, "No stops at the limits of joints");
  c.flag("--no-meshes", o->no_meshes, "Leave out shapes from files");
  c.option("--duration", o->options.duration, "Duration of the simulation (default 1)").real(1e-9, 1e9).type("S");
  c.flag("--overwrite", o->overwrite, "Replace a model that is there");
  c.run([o] { return import_command(*o); });
}

}  // namespace aleator::app
