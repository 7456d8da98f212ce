// aleator import FILE: a robot description as a model.
#include <filesystem>

#include <aleator/import.hpp>

#include "api/mesh_names.hpp"
#include "base/atomic_file.hpp"
#include "cli/arguments.hpp"
#include "cli/colour.hpp"

namespace aleator::app {
namespace {

namespace fs = std::filesystem;

struct ImportArguments {
  std::string file, out = "-";
  std::vector<std::string> positions;
  bool no_limits = false, no_meshes = false, overwrite = false;
  ImportOptions options;
};

int import_command(const ImportArguments& o) {
  const bool printed = o.out == "-";
  ImportOptions options = o.options;
  options.limits = !o.no_limits;
  options.meshes = !o.no_meshes;
  options.positions = read_settings(o.positions, "--position", "JOINT");
  options.out = printed ? "model.yaml" : o.out;  // printed, it is for the folder the program runs in
  options.copy_meshes = !printed;
  if (!printed && !o.overwrite && fs::is_regular_file(o.out))
    throw WriteError(o.out, "it is there already, and may have been edited; --overwrite replaces it");
  const ImportedText model = import_text(o.file, options);
  for (const std::string& note : model.notes) say(stderr, "{}\n", note);
  const std::string copied = core::copy_meshes(model.copies, o.overwrite);
  core::write_file(o.out, model.text);
  if (!printed) say("{}wrote {}: `aleator check {}` says what was understood\n", copied, o.out, o.out);
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
  c.flag("--overwrite", o->overwrite, "Replace a model that is there, and copies of meshes beside it");
  c.run([o] { return import_command(*o); });
}

}  // namespace aleator::app
