#include "api/mesh_names.hpp"

#include <fmt/format.h>

#include <aleator/model.hpp>

#include "base/atomic_file.hpp"
#include "input/text.hpp"

namespace aleator::core {

namespace fs = std::filesystem;

MeshNames::MeshNames(const fs::path& out, MeshCopies* copies)
    : folder_(out.has_parent_path() ? out.parent_path() : fs::path(".")),
      beside_(out.stem().string() + "-meshes"),
      copies_(copies) {}

std::string MeshNames::operator()(const std::string& file) {
  const auto known = names_.find(file);
  if (known != names_.end()) return known->second;
  std::error_code error;
  fs::path inside = fs::relative(file, folder_, error);  // links are followed, as they are when the file is read
  if (error || inside.empty()) inside = fs::absolute(file, error);
  const bool out = inside.is_absolute() || *inside.begin() == "..";
  const std::string name = out && copies_ ? copied(file) : inside.generic_string();
  taken_.insert(name);
  lead_out_ = lead_out_ || (out && !copies_);
  names_.emplace(file, name);
  return name;
}

std::string MeshNames::copied(const fs::path& file) {
  fs::path copy = beside_ / file.filename();
  for (int k = 2; taken_.contains(copy.generic_string()); ++k)
    copy = beside_ / fmt::format("{}-{}{}", file.stem().string(), k, file.extension().string());
  copies_->emplace_back(file.string(), (folder_ / copy).lexically_normal().string());
  return copy.generic_string();
}

namespace {

std::string bytes_of(const std::string& file) { return input::read_bytes(file, input::Source::ordinary_file); }

bool in_the_way(const std::string& from, const std::string& to) {
  std::error_code error;
  return fs::exists(to, error) && !(fs::is_regular_file(to, error) && bytes_of(to) == bytes_of(from));
}

}  // namespace

std::string copy_meshes(const MeshCopies& copies, bool overwrite) {
  for (const auto& [from, to] : copies)
    if (!overwrite && in_the_way(from, to))
      throw WriteError(to, fmt::format("another file is there already; --overwrite replaces it by a copy of {}", from));
  for (const auto& [from, to] : copies) {
    create_folder(fs::path(to).parent_path().string());
    AtomicFile out(to);
    out.write(bytes_of(from));
    out.commit();
  }
  if (copies.empty()) return "";
  return fmt::format("copied {} mesh{} into {}\n", copies.size(), copies.size() == 1 ? "" : "es",
                     fs::path(copies[0].second).parent_path().string());
}

}  // namespace aleator::core
