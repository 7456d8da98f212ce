// aleator export-urdf MODEL: a tree of rigid bodies as URDF.
#include <filesystem>

#include <aleator/import.hpp>

#include "api/mesh_names.hpp"
#include "base/atomic_file.hpp"
#include "cli/arguments.hpp"
#include "cli/colour.hpp"

namespace aleator::app {
namespace {

struct ExportUrdfArguments {
  ModelArguments model;
  std::string out = "-";
  bool overwrite = false;
};

int export_urdf_command(const ExportUrdfArguments& o) {
  const bool printed = o.out == "-";
  // Printed, it is for the folder the program runs in.
  const ExportedText robot = export_urdf(o.model.load(), {.out = printed ? "robot.urdf" : o.out, .copy_meshes = !printed});
  if (!printed && !o.overwrite && std::filesystem::is_regular_file(o.out))
    throw WriteError(o.out, "it is there already; --overwrite replaces it");
  for (const std::string& note : robot.notes) say(stderr, "note: {}\n", note);
  const std::string copied = core::copy_meshes(robot.copies, o.overwrite);
  core::write_file(o.out, robot.text);
  if (!printed) say("{}wrote {}\n", copied, o.out);
  return exit_code::done;
}

}  // namespace

void add_export_urdf(Command& c) {
  auto o = std::make_shared<ExportUrdfArguments>();
  o->model.add_to(c);
  c.option("-o,--out", o->out, "The robot description (default: printed)").type("FILE");
  c.flag("--overwrite", o->overwrite, "Replace a file that is there, and copies of meshes beside it");
  c.run([o] { return export_urdf_command(*o); });
}

}  // namespace aleator::app
