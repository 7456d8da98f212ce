// Meshes a model refers to, and factors by which they are scaled.
#include <fmt/format.h>

#include "input/reading.hpp"
#include "meshes/solid.hpp"

namespace aleator::core::input {

namespace {

// Mistakes in the mesh itself have its name and line already.
std::shared_ptr<const meshes::SolidMesh> mesh_in(const std::string& bytes, const std::string& path) {
  try {
    meshes::SolidMesh m;
    m.mesh = meshes::read_mesh(bytes, path);
    m.solid = meshes::solid_of(m.mesh);
    return std::make_shared<const meshes::SolidMesh>(std::move(m));
  } catch (const aleator::InputError& error) {
    throw InputError(error.mistakes(), error.more());
  }
}

}  // namespace

void read_mesh_value(Reading& reading, const Tree& tree, const Place& place, Value& value) {
  if (!tree.is_scalar() || tree.text.empty()) throw place.wrong(tree, "the name of a file (STL or OBJ)");
  value.word = tree.text;
  const std::string name = referred_name(tree);
  const auto known = reading.meshes.find(name);
  if (known != reading.meshes.end()) {
    value.mesh = known->second;
    return;
  }
  const std::string& bytes = bytes_of_file(reading, tree, place);
  reading.mesh_bytes += bytes.size();
  if (reading.mesh_bytes > limits::mesh_files_mib << 20)
    throw LastError(
        place.error(tree.at, fmt::format("is too much: all meshes have at most {} MiB", limits::mesh_files_mib)).mistakes());
  value.mesh = mesh_in(bytes, reading.access.path_of(name));
  reading.meshes.emplace(name, value.mesh);
}

std::vector<Number> read_factors(Reading& reading, const Field& field, const Tree& tree, const Place& place) {
  if (tree.is_scalar()) return std::vector<Number>(3, read_number(reading, field, tree, place));
  if (!tree.is_list_of(3)) throw place.wrong(tree, "a number or a list of 3");
  std::vector<Number> numbers;
  for (const Tree& child : tree.children) numbers.push_back(read_number(reading, field, child, place));
  return numbers;
}

}  // namespace aleator::core::input
