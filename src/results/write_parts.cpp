#include "results/write_parts.hpp"

#include <set>

#include "base/base64.hpp"

namespace aleator::core::results {

constexpr int layout_version = 2;  // raised when a reader of the old layout would stumble

void write_provenance(Hdf5File& file, const std::string& layout, const Provenance& provenance) {
  file.attribute("/", "layout", layout);
  file.attribute("/", "layout_version", layout_version);
  file.attribute("/", "version", provenance.version);
  file.attribute("/", "commit", provenance.commit);
  file.attribute("/", "title", provenance.title);
  file.attribute("/", "processor", provenance.processor);
  file.attribute("/", "model", provenance.model_text);
  file.attribute("/", "model_file", provenance.model_file);
  if (!provenance.table_files.empty()) {
    file.attribute("/", "table_files", provenance.table_files);
    std::vector<std::string> texts;
    for (const std::string& bytes : provenance.table_texts) texts.push_back(bytes_as_text(bytes));
    file.attribute("/", "table_texts", texts);
  }
  file.attribute("/", "command_line", provenance.command_line);
  file.attribute("/", "host", provenance.host);
  file.attribute("/", "created", provenance.created);
  file.group("/settings");
  for (const auto& [name, value] : provenance.settings) file.attribute("/settings", name, value);
}

std::vector<std::string> frame_names(const std::vector<DrawnBody>& bodies) {
  std::vector<std::string> names;
  for (const DrawnBody& body : bodies)
    for (int i = 0; i < body.nodes; ++i) names.push_back(body.nodes == 1 ? body.name : body.name + "." + std::to_string(i));
  return names;
}

void write_geometry(Hdf5File& file, const std::vector<DrawnBody>& bodies) {
  file.group("/geometry");
  for (const DrawnBody& body : bodies) {
    const std::string folder = "/geometry/" + body.name;
    file.group(folder);
    if (body.nodes > 1) file.attribute(folder, "nodes", body.nodes);
    if (!body.colour.empty()) file.attribute(folder, "color", body.colour);
    for (std::size_t i = 0; i < body.shapes.size(); ++i) {
      const Shape& shape = body.shapes[i];
      const std::string name = folder + "/" + std::to_string(i);
      file.dataset(name, {shape.size.size()}, shape.size);
      file.attribute(name, "kind", shape.kind);
      file.attribute(name, "position", shape.position);
      file.attribute(name, "quaternion", shape.quaternion);
    }
  }
}

void write_connections(Hdf5File& file, const Run& run) {
  file.group("/connections");
  std::set<std::string> taken;
  for (const Connection& c : run.connections) {
    // A force may have the name of a joint.
    const std::string folder = "/connections/" + (taken.insert(c.name).second ? c.name : c.name + " (" + c.role + ")");
    file.group(folder);
    file.attribute(folder, "kind", c.kind);
    file.attribute(folder, "role", c.role);
    file.attribute(folder, "frames", std::vector<double>(c.frames.begin(), c.frames.end()));
    file.attribute(folder, "points", c.points);
    if (!c.axis.empty()) file.attribute(folder, "axis", c.axis);
    if (!c.force.empty()) file.dataset(folder + "/force", {run.time.size(), 3}, c.force);
  }
}

void write_motion(Hdf5File& file, const Run& run) {
  const std::vector<std::string> names = frame_names(run.bodies);
  file.dataset("/motion/bodies", names);
  file.dataset("/motion/nominal", {run.time.size(), names.size(), pose_size}, run.poses);
  const std::vector<std::string> pose = {"x", "y", "z", "qw", "qx", "qy", "qz"};
  file.attribute("/motion/nominal", "columns", pose);
  file.attribute("/motion/nominal", "coordinates", std::string("bodies"));
  file.scale("/motion", "pose", pose);
  file.attribute("/motion", "gravity", run.gravity);
  file.group("/points");
  for (const ObservedPoint& p : run.points) {
    const std::string folder = "/points/" + p.output;
    file.group(folder);
    file.attribute(folder, "frame", p.frame);
    file.attribute(folder, "point", p.point);
  }
}

}  // namespace aleator::core::results
