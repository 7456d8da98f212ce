// aleator animate MODEL --gltf FILE --vtk FOLDER: the motion of the mechanism for other viewers.
#include <cmath>
#include <filesystem>

#include "api/motion_source.hpp"
#include "base/words.hpp"
#include "cli/arguments.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress_line.hpp"

namespace aleator::app {
namespace {

using namespace core;

namespace fs = std::filesystem;

constexpr std::size_t most_frames = 601;  // unless told otherwise: 600 steps

struct AnimateArguments {
  ModelArguments model;
  std::string gltf, vtk;
  long long realization = report::nominal, frames = 0;
  int mode = 0;      // 0: the motion
  double speed = 0;  // 0: chosen
};

bool is_results(const std::string& file) {
  std::error_code unknown;  // what is wrong with a path is told when it is opened
  return fs::path(file).extension() == ".h5" || fs::is_directory(file, unknown);
}

// Everything that can be said before anything is computed.
void check_arguments(const AnimateArguments& o) {
  const std::string ending = fs::path(o.gltf).extension().string();
  if (o.gltf.empty() && o.vtk.empty()) throw UsageError("animate", "needs --gltf FILE, --vtk FOLDER, or both");
  if (!o.gltf.empty() && ending != ".gltf" && ending != ".glb")
    throw UsageError("--gltf", fmt::format("expects a file that ends in .gltf or .glb, found '{}'", o.gltf));
  if (is_results(o.model.file) && !o.model.settings.empty())
    throw UsageError("--set", "is for model files; the motion of results is what it was");
  if (!is_results(o.model.file) && o.realization != report::nominal)
    throw UsageError("--realization", "is for results (a .h5 file or its folder); a model file gives the nominal motion");
  if (o.mode > 0 && o.realization != report::nominal)
    throw UsageError("--mode", "is drawn of the nominal model, not of a realization");
}

Motion simulate(const AnimateArguments& o) {
  const aleator::Model loaded = o.model.load();
  ProgressLine line;
  stop_on_signal();
  Motion m = motion_of(loaded.compiled(), stem(o.model.file), &interrupted(), [&](std::string_view text) { line.note(text); });
  if (interrupted() && !m.run.time.empty())
    say(stderr, "interrupted at t = {:.6g} s of {:.6g} s; what was finished is written\n", m.run.time.back(), m.duration);
  return m;
}

Motion mode_of(const AnimateArguments& o) {
  return usage_of("--mode", [&] {
    return is_results(o.model.file) ? mode_in(o.model.file, o.mode)
                                    : motion_of_mode(o.model.load().compiled(), stem(o.model.file), o.mode);
  });
}

report::Playback playback_of(const AnimateArguments& o, const Motion& m) {
  const std::vector<double>& time = m.run.time;
  const double duration = time.back() - time.front();
  report::Playback p;
  p.frames = report::key_frames(time.size(), o.frames > 0 ? std::size_t(o.frames) : most_frames);
  constexpr double period = 2;  // s, of a mode: a viewer begins again after it
  p.speed = o.speed > 0 ? o.speed : o.mode > 0 ? duration / period : report::comfortable_speed(duration);
  if (p.frames.size() < time.size())
    say(stderr, "{}: note: {} of {} times are key frames; --frames changes that\n", o.model.file, p.frames.size(), time.size());
  if (const double turn = report::largest_turn(m.run, p.frames); turn > std::acos(-1.0))
    say(stderr, "{}: note: between two key frames a body turns by {:.0f}°, and viewers show the shorter way; {}\n", o.model.file,
        turn * 180 / std::acos(-1.0), p.frames.size() < time.size() ? "take more --frames" : "a smaller output_step is needed");
  return p;
}

void write_gltf(const std::string& path, const Motion& m, const report::Playback& p) {
  const std::size_t size = report::write_gltf(path, m.run, p, m.title, m.up);
  const double duration = m.run.time[p.frames.back()] - m.run.time[p.frames.front()];
  say("wrote {} ({} key frames, {:.0f} kB): {} s in {} s, speed {:g}\n", path, p.frames.size(), std::ceil(double(size) / 1000),
      number(duration), number(duration / p.speed), p.speed);
}

// Bodies without a shape move, but nobody sees them.
void note_unseen(const AnimateArguments& o, const results::Run& run) {
  std::string names;
  for (const results::DrawnBody& body : run.bodies)
    if (body.shapes.empty()) names += (names.empty() ? "'" : ", '") + body.name + "'";
  if (!names.empty()) say(stderr, "{}: note: these have no shape that could be seen: {}\n", o.model.file, names);
}

int animate_command(const AnimateArguments& o) {
  check_arguments(o);
  const Motion m = o.mode > 0                 ? mode_of(o)
                   : is_results(o.model.file) ? motion_in(o.model.file, long(o.realization))
                                              : simulate(o);
  if (m.run.time.empty()) throw ReadError(o.model.file, "it has no times");
  note_unseen(o, m.run);
  const report::Playback p = playback_of(o, m);
  if (!o.gltf.empty()) write_gltf(o.gltf, m, p);
  if (!o.vtk.empty()) {
    const report::VtkFiles written = report::write_vtk(o.vtk, m.run, p, m.name);
    say("wrote {} ({} files in {})\n", written.list, written.count, written.folder);
  }
  return interrupted() && m.duration > 0 ? exit_code::interrupted : exit_code::done;
}

}  // namespace

void add_animate(Command& c) {
  auto o = std::make_shared<AnimateArguments>();
  o->model.add_to(c, "Model file (YAML), or results: a .h5 file or its folder");
  c.option("--gltf", o->gltf, "Write glTF 2.0 here: FILE.glb, or FILE.gltf as text").type("FILE");
  c.option("--vtk", o->vtk, "Write a series for ParaView: a folder, or FILE.pvd").type("FOLDER");
  c.option("--realization", o->realization, "Of results: this realization instead of the nominal model")
      .type("K")
      .whole(0, most_samples);
  c.option("--mode", o->mode, "One period of this mode of vibration of the nominal model, from 1, drawn large enough to be seen")
      .type("K")
      .whole(1, 1000);
  c.option("--frames", o->frames, "At most so many key frames (default 601)").type("N").whole(2, 1000000);
  c.option("--speed", o->speed, "Playback, 1 being real time (default: so that it lasts from 4 to 20 s)")
      .type("X")
      .real(1e-9, 1e9);
  add_trust(c);
  c.run([o] { return animate_command(*o); });
}

}  // namespace aleator::app
