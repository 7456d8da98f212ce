#include "results/read.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "results/hdf5_file.hpp"
#include "results/study_store.hpp"

namespace aleator::results {

namespace {

std::string unfinished_words(const std::string& folder) {
  if (Journal::is_being_written(StudyStore::file_in(folder))) return "its run is still going on";
  return "its run was cut short after " + std::to_string(StudyStore::progress_in(folder).rows) +
         " simulations; nothing of it is lost, continue it with run --resume";
}

bool exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

std::string file_of(const std::string& path, bool any) {
  std::error_code unknown;  // a path that cannot be followed is none of a folder
  if (!std::filesystem::is_directory(path, unknown)) return path;
  for (const char* name : {"/partial.h5", "/results.h5"})  // the latest: a finished run removes what was partial
    if (exists(path + name)) return path + name;
  if (exists(StudyStore::file_in(path))) throw ReadError(path, unfinished_words(path));
  if (any && exists(path + "/nominal.h5")) return path + "/nominal.h5";
  throw ReadError(path, any ? "it has neither results.h5 (of aleator run) nor nominal.h5 (of aleator simulate)"
                            : "it has no results.h5 (of aleator run)");
}

Handle open(const std::string& path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  if (access(path.c_str(), R_OK) != 0)
    throw ReadError(path, errno == ENOENT ? "it does not exist" : std::generic_category().message(errno));
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (file < 0) throw ReadError(path, "it is not an HDF5 file, or part of it is missing");
  return file;
}

std::vector<std::string> read_texts(hid_t space, const auto& read) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  std::vector<char*> pointers(std::size_t(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space))));
  std::vector<std::string> out;
  if (pointers.empty() || read(type, pointers.data()) < 0) return out;
  for (const char* p : pointers) out.emplace_back(p ? p : "");
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
  return out;
}

// Rows and columns; none of what is no table.
std::array<hsize_t, 2> table_extent(hid_t space) {
  std::array<hsize_t, 2> extent{};
  if (H5Sget_simple_extent_ndims(space) == 2) H5Sget_simple_extent_dims(space, extent.data(), nullptr);
  return extent;
}

}  // namespace

ReadError::ReadError(const std::string& path, const std::string& reason)
    : std::runtime_error("cannot read '" + path + "': " + reason) {}

StudyReader::StudyReader(const std::string& path, Accept accept)
    : path_(file_of(path, accept == Accept::any)), file_(std::make_unique<Handle>(open(path_))) {
  const std::string layout = text_attribute("/", "layout");
  study_ = layout == "aleator study";
  const bool nominal = layout == "aleator nominal";
  if (accept == Accept::study && !study_) throw ReadError(path_, "it is not the result of a study (aleator run)");
  if (!study_ && !nominal) throw ReadError(path_, "it is not a results file (of aleator run or simulate)");
}

StudyReader::~StudyReader() = default;

bool StudyReader::complete() const { return number_attribute("/", "complete") != 0; }

bool StudyReader::rows_follow_law() const {
  return !has_attribute("/", "rows_follow_law") || number_attribute("/", "rows_follow_law") != 0;
}

bool StudyReader::has(const std::string& object) const {
  // H5Lexists wants every step of the way to exist.
  for (std::size_t end = object.find('/', 1);; end = object.find('/', end + 1)) {
    if (H5Lexists(*file_, object.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

std::vector<std::string> StudyReader::children(const std::string& group) const {
  std::vector<std::string> names;
  if (!has(group)) return names;
  const auto take = [](hid_t, const char* name, const H5L_info_t*, void* to) -> herr_t {
    static_cast<std::vector<std::string>*>(to)->emplace_back(name);
    return 0;
  };
  // Only groups made on purpose know the order of what they hold; those made on the way to a dataset have it by name.
  for (const H5_index_t index : {H5_INDEX_CRT_ORDER, H5_INDEX_NAME})
    if (H5Literate_by_name(*file_, group.c_str(), index, H5_ITER_INC, nullptr, take, &names, H5P_DEFAULT) >= 0) break;
  return names;
}

std::vector<std::string> StudyReader::outputs() const { return texts_attribute("/", "outputs"); }

long StudyReader::samples() const {
  const std::vector<std::string> names = outputs();
  if (names.empty() || !has("/responses/" + names[0])) return 0;
  const Handle set(H5Dopen2(*file_, ("/responses/" + names[0]).c_str(), H5P_DEFAULT), H5Dclose);
  return long(table_extent(Handle(H5Dget_space(set), H5Sclose))[0]);
}

std::vector<double> StudyReader::numbers(const std::string& dataset) const {
  const Handle set(H5Dopen2(*file_, dataset.c_str(), H5P_DEFAULT), H5Dclose);
  if (set < 0) throw ReadError(path_, "it has no " + dataset);
  const Handle space(H5Dget_space(set), H5Sclose);
  std::vector<double> out(std::size_t(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space))));
  if (!out.empty() && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) < 0)
    throw ReadError(path_, dataset + " is damaged");
  return out;
}

std::vector<double> StudyReader::slice(const std::string& dataset, int along, long k) const {
  const Handle set(H5Dopen2(*file_, dataset.c_str(), H5P_DEFAULT), H5Dclose);
  if (set < 0) throw ReadError(path_, "it has no " + dataset);
  const Handle space(H5Dget_space(set), H5Sclose);
  const auto extent = table_extent(space);
  if (k < 0 || hsize_t(k) >= extent[along])
    throw ReadError(path_, dataset + " has no " + (along == 0 ? "row " : "column ") + std::to_string(k));
  hsize_t start[2] = {0, 0}, count[2] = {extent[0], extent[1]};
  start[along] = hsize_t(k);
  count[along] = 1;
  const hsize_t length = extent[1 - along];
  if (length == 0) return {};
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
  const Handle line(H5Screate_simple(1, &length, nullptr), H5Sclose);
  std::vector<double> out(length);
  if (H5Dread(set, H5T_NATIVE_DOUBLE, line, space, H5P_DEFAULT, out.data()) < 0) throw ReadError(path_, dataset + " is damaged");
  return out;
}

std::vector<long> StudyReader::extent(const std::string& dataset) const {
  const Handle set(H5Dopen2(*file_, dataset.c_str(), H5P_DEFAULT), H5Dclose);
  if (set < 0) throw ReadError(path_, "it has no " + dataset);
  const Handle space(H5Dget_space(set), H5Sclose);
  std::vector<hsize_t> sizes(std::size_t(std::max(0, H5Sget_simple_extent_ndims(space))));
  H5Sget_simple_extent_dims(space, sizes.data(), nullptr);
  return {sizes.begin(), sizes.end()};
}

std::vector<double> StudyReader::rows(const std::string& dataset, long first, long count, long stride) const {
  const std::vector<long> all = extent(dataset);
  if (all.empty() || first < 0 || count < 0 || stride < 1 || (count > 0 && first + (count - 1) * stride >= all[0]))
    throw ReadError(path_, dataset + " has no rows " + std::to_string(first) + " to " + std::to_string(first + count - 1));
  std::vector<hsize_t> start(all.size()), step(all.size(), 1), size(all.begin(), all.end());
  start[0] = hsize_t(first);
  step[0] = hsize_t(stride);
  size[0] = hsize_t(count);
  std::size_t total = 1;
  for (const hsize_t n : size) total *= n;
  std::vector<double> out(total);
  if (total == 0) return out;
  const Handle set(H5Dopen2(*file_, dataset.c_str(), H5P_DEFAULT), H5Dclose);
  const Handle space(H5Dget_space(set), H5Sclose);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), step.data(), size.data(), nullptr);
  const Handle block(H5Screate_simple(int(size.size()), size.data(), nullptr), H5Sclose);
  if (H5Dread(set, H5T_NATIVE_DOUBLE, block, space, H5P_DEFAULT, out.data()) < 0) throw ReadError(path_, dataset + " is damaged");
  return out;
}

std::vector<double> StudyReader::row(const std::string& dataset, long k) const { return slice(dataset, 0, k); }

std::vector<double> StudyReader::column(const std::string& dataset, long k) const { return slice(dataset, 1, k); }

std::vector<std::string> StudyReader::texts(const std::string& dataset) const {
  const Handle set(H5Dopen2(*file_, dataset.c_str(), H5P_DEFAULT), H5Dclose);
  if (set < 0) throw ReadError(path_, "it has no " + dataset);
  const Handle space(H5Dget_space(set), H5Sclose);
  return read_texts(space, [&](hid_t type, char** to) { return H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to); });
}

std::vector<std::string> StudyReader::attributes(const std::string& object) const {
  std::vector<std::string> names;
  const auto take = [](hid_t, const char* name, const H5A_info_t*, void* to) -> herr_t {
    static_cast<std::vector<std::string>*>(to)->emplace_back(name);
    return 0;
  };
  H5Aiterate_by_name(*file_, object.c_str(), H5_INDEX_NAME, H5_ITER_INC, nullptr, take, &names, H5P_DEFAULT);
  return names;
}

bool StudyReader::has_attribute(const std::string& object, const std::string& name) const {
  return H5Aexists_by_name(*file_, object.c_str(), name.c_str(), H5P_DEFAULT) > 0;
}

std::vector<double> StudyReader::numbers_attribute(const std::string& object, const std::string& name) const {
  const Handle attribute(H5Aopen_by_name(*file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (attribute < 0) throw ReadError(path_, "it has no attribute " + name + " of " + object);
  const Handle space(H5Aget_space(attribute), H5Sclose);
  std::vector<double> out(std::size_t(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space))));
  if (!out.empty() && H5Aread(attribute, H5T_NATIVE_DOUBLE, out.data()) < 0) throw ReadError(path_, name + " is damaged");
  return out;
}

std::uint64_t StudyReader::whole_attribute(const std::string& object, const std::string& name) const {
  const Handle attribute(H5Aopen_by_name(*file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (attribute < 0) throw ReadError(path_, "it has no attribute " + name + " of " + object);
  std::uint64_t x = 0;
  if (H5Sget_simple_extent_npoints(Handle(H5Aget_space(attribute), H5Sclose)) != 1 ||
      H5Aread(attribute, H5T_NATIVE_UINT64, &x) < 0)
    throw ReadError(path_, name + " is damaged");
  return x;
}

double StudyReader::number_attribute(const std::string& object, const std::string& name) const {
  const std::vector<double> all = numbers_attribute(object, name);
  if (all.empty()) throw ReadError(path_, name + " is damaged");
  return all[0];
}

std::string StudyReader::text_attribute(const std::string& object, const std::string& name) const {
  const std::vector<std::string> all = texts_attribute(object, name);
  return all.empty() ? "" : all[0];
}

std::vector<std::string> StudyReader::texts_attribute(const std::string& object, const std::string& name) const {
  const Handle attribute(H5Aopen_by_name(*file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (attribute < 0) return {};
  const Handle space(H5Aget_space(attribute), H5Sclose);
  return read_texts(space, [&](hid_t type, char** to) { return H5Aread(attribute, type, to); });
}

}  // namespace aleator::results
