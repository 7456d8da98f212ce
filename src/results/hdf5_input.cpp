#include "results/hdf5_input.hpp"

#include <sys/stat.h>

#include <algorithm>

#include <fmt/format.h>

#include "results/probe.hpp"
#include "results/read.hpp"
#include "results/trailer.hpp"

namespace aleator::core::results {
namespace {

// What others compressed: deflate makes zeros smaller by a factor of 1032 at most.
constexpr std::uint64_t most_compression = 1100;

// Whether HDF5 has opened, or failed to open, the file that was checked: another one may have got its name in between.
bool is_same(hid_t file, const std::string& path, int checked) {
  struct stat right {
  }, found{};
  const int* opened = nullptr;  // what the driver for files on disk has for a handle
  void* handle = nullptr;
  if (file >= 0 && H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) >= 0) opened = static_cast<const int*>(handle);
  if (fstat(checked, &right) != 0 || (opened ? fstat(*opened, &found) : stat(path.c_str(), &found)) != 0) return false;
  return right.st_dev == found.st_dev && right.st_ino == found.st_ino;
}

Handle open_file(const std::string& path, bool trust) {
  // HDF5 prints every failure on stderr by itself; ours become exceptions. The setting is per thread.
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5Lunregister(H5L_TYPE_EXTERNAL);  // a results file does not reach for others
  H5PLset_loading_state(0);          // nor for programs
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(access, false, true);  // files are replaced, never changed
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const Descriptor checked = open_checked(path, trust);
    if (!has_checksum(checked)) probe(path);
    Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access), H5Fclose);
    if (is_same(file, path, checked.number())) return file;
  }
  throw ReadError(path, "another process replaces it all the time");
}

// Bytes of so many elements; the largest number there is where it would not fit.
std::uint64_t bytes_of(const std::vector<hsize_t>& extent, std::uint64_t size) {
  std::uint64_t bytes = size;
  for (const hsize_t n : extent)
    if (__builtin_mul_overflow(bytes, n, &bytes)) return std::find(extent.begin(), extent.end(), 0u) == extent.end() ? ~0ull : 0;
  return bytes;
}

Handle text_type(hid_t like) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5Tget_cset(like));
  return type;
}

std::vector<std::string> take_texts(hid_t type, hid_t space, const auto& read, bool& fine) {
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  std::vector<char*> pointers(std::size_t(std::max<hssize_t>(0, count)));
  fine = count >= 0 && (pointers.empty() || read(pointers.data()) >= 0);
  if (!fine || pointers.empty()) return {};
  std::vector<std::string> out;
  for (const char* p : pointers) out.emplace_back(p ? p : "");
  H5Dvlen_reclaim(type, space, H5P_DEFAULT, pointers.data());
  return out;
}

}  // namespace

std::vector<hsize_t> extent_of(hid_t space) {
  std::vector<hsize_t> extent(std::size_t(std::max(0, H5Sget_simple_extent_ndims(space))));
  H5Sget_simple_extent_dims(space, extent.data(), nullptr);
  return extent;
}

Hdf5Input::Hdf5Input(std::string path, bool trust) : path_(std::move(path)), file_(open_file(path_, trust)) {
  hsize_t size = 0;
  if (file_ < 0 || H5Fget_filesize(file_, &size) < 0) fail("it is not an HDF5 file, or part of it is missing");
  size_ = size;
}

void Hdf5Input::fail(const std::string& what) const { throw ReadError(path_, what); }

bool Hdf5Input::has(const std::string& object) const {
  if (object == "/") return true;
  // Every step of the way: HDF5 wants it so, and a link could lead anywhere.
  for (std::size_t end = object.find('/', 1);; end = object.find('/', end + 1)) {
    const std::string step = object.substr(0, end);
    if (H5Lexists(file_, step.c_str(), H5P_DEFAULT) <= 0) return false;
    H5L_info_t link{};
    if (H5Lget_info(file_, step.c_str(), &link, H5P_DEFAULT) < 0) fail(step + " is damaged");
    if (link.type != H5L_TYPE_HARD) fail(step + " is a link; results files have none");
    if (end == std::string::npos) return true;
  }
}

Handle Hdf5Input::open_object(const std::string& object) const {
  if (!has(object)) fail("it has no " + object);
  Handle opened(H5Oopen(file_, object.c_str(), H5P_DEFAULT), H5Oclose);
  if (opened < 0) fail(object + " is damaged");
  return opened;
}

std::vector<std::string> Hdf5Input::children(const std::string& group) const {
  std::vector<std::string> names;
  if (!has(group)) return names;
  const Handle opened = open_object(group);
  if (H5Iget_type(opened) != H5I_GROUP) return names;
  const auto take = [](hid_t, const char* name, const H5L_info_t*, void* to) -> herr_t {
    static_cast<std::vector<std::string>*>(to)->emplace_back(name);
    return 0;
  };
  // Only groups made on purpose know the order of what they hold; those made on the way to a dataset have it by name.
  for (const H5_index_t index : {H5_INDEX_CRT_ORDER, H5_INDEX_NAME}) {
    names.clear();
    if (H5Literate(opened, index, H5_ITER_INC, nullptr, take, &names) < 0) continue;
    std::erase_if(names, [&](const std::string& name) {
      return H5Aexists_by_name(opened, name.c_str(), "CLASS", H5P_DEFAULT) > 0;  // the scale of a dimension
    });
    return names;
  }
  fail(group + " is damaged");
}

std::vector<std::string> Hdf5Input::attributes(const std::string& object) const {
  std::vector<std::string> names;
  const auto take = [](hid_t, const char* name, const H5A_info_t*, void* to) -> herr_t {
    static_cast<std::vector<std::string>*>(to)->emplace_back(name);
    return 0;
  };
  if (has(object)) H5Aiterate2(open_object(object), H5_INDEX_NAME, H5_ITER_INC, nullptr, take, &names);
  return names;
}

bool Hdf5Input::has_attribute(const std::string& object, const std::string& name) const {
  return has(object) && H5Aexists(open_object(object), name.c_str()) > 0;
}

void Hdf5Input::check_type(hid_t type, Kind kind, const std::string& what) const {
  const H5T_class_t found = H5Tget_class(type);
  if (kind == Kind::numbers && found != H5T_INTEGER && found != H5T_FLOAT) fail(what + " does not hold numbers");
  if (kind == Kind::texts && (found != H5T_STRING || H5Tis_variable_str(type) <= 0))
    fail(what + " does not hold texts of any length");
}

Handle Hdf5Input::dataset(const std::string& object, Kind kind) const {
  Handle opened = open_object(object);
  if (H5Iget_type(opened) != H5I_DATASET) fail(object + " is not a dataset");
  check_type(Handle(H5Dget_type(opened), H5Tclose), kind, object);
  check_storage(opened, object);
  return opened;
}

// Before memory is taken for it.
void Hdf5Input::check_storage(hid_t dataset, const std::string& object) const {
  const Handle space(H5Dget_space(dataset), H5Sclose), type(H5Dget_type(dataset), H5Tclose),
      creation(H5Dget_create_plist(dataset), H5Pclose);
  const H5D_layout_t layout = H5Pget_layout(creation);
  if (layout == H5D_VIRTUAL || layout == H5D_LAYOUT_ERROR || H5Pget_external_count(creation) != 0)
    fail(object + " has its numbers in another file");
  const std::uint64_t claimed = bytes_of(extent_of(space), H5Tget_size(type)), stored = H5Dget_storage_size(dataset);
  std::uint64_t chunk = 0;
  if (layout == H5D_CHUNKED) {
    hsize_t sizes[H5S_MAX_RANK] = {};
    const int rank = H5Pget_chunk(creation, H5S_MAX_RANK, sizes);
    chunk = claimed == 0 ? 0 : bytes_of({sizes, sizes + std::clamp(rank, 0, H5S_MAX_RANK)}, H5Tget_size(type));
  }
  const std::uint64_t factor = layout == H5D_CHUNKED ? most_compression : 1;
  if (stored > size_ || std::max(claimed, chunk) > factor * stored)
    fail(fmt::format("{} claims to be larger than what the file holds of it ({} bytes)", object, stored));
}

Handle Hdf5Input::attribute(const std::string& object, const std::string& name, Kind kind) const {
  const std::string what = fmt::format("attribute {} of {}", name, object);
  const Handle of = open_object(object);
  if (H5Aexists(of, name.c_str()) <= 0) fail("it has no " + what);
  Handle opened(H5Aopen(of, name.c_str(), H5P_DEFAULT), H5Aclose);
  if (opened < 0) fail(what + " is damaged");
  const Handle type(H5Aget_type(opened), H5Tclose);
  check_type(type, kind, what);
  if (bytes_of(extent_of(Handle(H5Aget_space(opened), H5Sclose)), H5Tget_size(type)) > size_) fail(what + " is damaged");
  return opened;
}

std::vector<std::string> Hdf5Input::texts(hid_t dataset, const std::string& object) const {
  const Handle space(H5Dget_space(dataset), H5Sclose), type = text_type(Handle(H5Dget_type(dataset), H5Tclose));
  hsize_t bytes = 0;  // many texts may lie in the same place
  if (H5Dvlen_get_buf_size(dataset, type, space, &bytes) < 0 || bytes > size_) fail(object + " is damaged");
  bool fine = false;
  auto out = take_texts(
      type, space, [&](char** to) { return H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to); }, fine);
  if (!fine) fail(object + " is damaged");
  return out;
}

std::vector<std::string> Hdf5Input::attribute_texts(hid_t attribute, const std::string& what) const {
  const Handle space(H5Aget_space(attribute), H5Sclose), type = text_type(Handle(H5Aget_type(attribute), H5Tclose));
  bool fine = false;
  auto out = take_texts(
      type, space, [&](char** to) { return H5Aread(attribute, type, to); }, fine);
  if (!fine) fail(what + " is damaged");
  return out;
}

}  // namespace aleator::core::results
