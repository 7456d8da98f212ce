#include <cassert>
#include <utility>

#include "results/atomic_file.hpp"
#include "results/hdf5_file.hpp"
#include "results/write.hpp"

namespace aleator::results {
namespace {

constexpr int layout_version = 1;  // raised when a reader of the old layout would stumble
constexpr std::size_t pose_size = 7;

void write_provenance(Hdf5File& file, const Provenance& provenance) {
  file.attribute("/", "layout", "aleator nominal");
  file.attribute("/", "layout_version", layout_version);
  file.attribute("/", "version", provenance.version);
  file.attribute("/", "commit", provenance.commit);
  file.attribute("/", "model", provenance.model_text);
  file.attribute("/", "model_file", provenance.model_file);
  file.attribute("/", "command_line", provenance.command_line);
  file.attribute("/", "host", provenance.host);
  file.attribute("/", "created", provenance.created);
  file.group("/settings");
  for (const auto& [name, value] : provenance.settings) file.attribute("/settings", name, value);
}

void write_responses(Hdf5File& file, const Run& run) {
  const std::size_t times = run.time.size(), columns = run.channels.size();
  file.dataset("/time", {{times, "time"}}, run.time, "s");
  file.group("/responses");
  file.group("/statistics");
  std::vector<double> history(times);
  for (std::size_t column = 0; column < columns; ++column) {
    const auto& [name, unit] = run.channels[column];
    for (std::size_t row = 0; row < times; ++row) history[row] = run.values[row * columns + column];
    file.dataset("/responses/" + name, {{1, "sample"}, {times, "time"}}, history, unit);
    file.dataset("/statistics/" + name + "/nominal", {{times, "time"}}, history, unit);
  }
}

void write_geometry(Hdf5File& file, const std::vector<DrawnBody>& bodies) {
  file.group("/geometry");
  for (const DrawnBody& body : bodies) {
    const std::string folder = "/geometry/" + body.name;
    file.group(folder);
    for (std::size_t i = 0; i < body.shapes.size(); ++i) {
      const Shape& shape = body.shapes[i];
      const std::string name = folder + "/" + std::to_string(i);
      file.dataset(name, {{shape.size.size(), "size"}}, shape.size, "m");
      file.attribute(name, "kind", shape.kind);
      file.attribute(name, "position", shape.position);
      file.attribute(name, "quaternion", shape.quaternion);
    }
  }
}

void write_motion(Hdf5File& file, const Run& run) {
  std::vector<std::string> names;
  for (const DrawnBody& body : run.bodies) names.push_back(body.name);
  file.dataset("/motion/bodies", "body", names);
  file.dataset("/motion/nominal", {{run.time.size(), "time"}, {names.size(), "body"}, {pose_size, "pose"}}, run.poses, "");
  file.attribute("/motion/nominal", "columns", std::vector<std::string>{"x", "y", "z", "qw", "qx", "qy", "qz"});
}

}  // namespace

void write_nominal(const std::string& path, const Run& run, const Provenance& provenance) {
  assert(run.values.size() == run.time.size() * run.channels.size());
  assert(run.poses.size() == run.time.size() * run.bodies.size() * pose_size);
  AtomicFile target(path);  // first, so that an unwritable place is told before any work
  Hdf5File file(path, sizeof(double) * (2 * run.values.size() + run.poses.size() + run.time.size()));
  write_provenance(file, provenance);
  write_responses(file, run);
  write_geometry(file, run.bodies);
  write_motion(file, run);
  target.write(file.bytes());
  target.commit();
}

}  // namespace aleator::results
