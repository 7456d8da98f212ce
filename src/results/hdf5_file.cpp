#include "results/hdf5_file.hpp"

#include <hdf5_hl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cerrno>
#include <stdexcept>

#include "base/atomic_file.hpp"
#include "base/cancellation.hpp"
#include "base/errors.hpp"
#include "base/parallel.hpp"
#include "results/layout.hpp"

namespace aleator::core::results {
namespace {

constexpr std::size_t portion_of_rows = std::size_t(1) << 15;     // numbers
constexpr std::uint64_t summed_at_once = std::uint64_t(1) << 18;  // bytes, whole words

Handle create_file(const std::string& name, Hdf5Target& target) {
  // HDF5 prints every failure on stderr by itself; ours become exceptions. The setting is per thread.
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  return {H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access_through(target)), H5Fclose};
}

Handle create_link_properties() {
  Handle properties(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(properties, 1);
  H5Pset_char_encoding(properties, H5T_CSET_UTF8);
  return properties;
}

Handle scalar_space() { return {H5Screate(H5S_SCALAR), H5Sclose}; }

Handle line_space(std::size_t length) {
  const hsize_t extent = length;
  return {H5Screate_simple(1, &extent, nullptr), H5Sclose};
}

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> result;
  for (const std::string& text : texts) result.push_back(text.c_str());
  return result;
}

}  // namespace

Handle create_text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

Handle create_text_transfer() {
  Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
  H5Pset_buffer(transfer, std::size_t(1) << 14, nullptr, nullptr);
  return transfer;
}

Hdf5File::Hdf5File(AtomicFile& target, std::string path)
    : atomic_(target),
      path_(std::move(path)),
      scratch_(target.descriptor() < 0 ? memfd_create("aleator", MFD_CLOEXEC) : -1),
      target_{target.descriptor() < 0 ? scratch_.number() : target.descriptor()},
      file_(create_file(path_, target_)),
      text_type_(create_text_type()),
      with_groups_(create_link_properties()) {
  check(file_ >= 0, "a new file");
}

void Hdf5File::group(const std::string& path) {
  const Handle ordered(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);  // readers find the order of the model, not of the alphabet
  H5Pset_link_creation_order(ordered, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  const Handle created(H5Gcreate2(file_, path.c_str(), with_groups_, ordered, H5P_DEFAULT), H5Gclose);
  check(created >= 0, path);
}

void Hdf5File::dataset(const std::string& path, Extent extent, std::span<const double> values, const std::string& unit) {
  const Handle created = create_dataset(path, H5T_IEEE_F64LE, extent, unit);
  assert(static_cast<std::size_t>(H5Sget_simple_extent_npoints(Handle(H5Dget_space(created), H5Sclose))) == values.size());
  check(values.empty() || H5Dwrite(created, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0, path);
}

void Hdf5File::strided_dataset(const std::string& path, std::size_t rows, std::size_t columns, std::span<const double> values,
                               std::size_t stride, const std::string& unit) {
  const std::uint64_t place = place_of_dataset(path, rows, columns, unit);
  // Portions that fit into a cache: no second copy of everything.
  const std::size_t at_once = std::max<std::size_t>(1, portion_of_rows / std::max<std::size_t>(columns, 1));
  each_in_parallel((rows + at_once - 1) / at_once, [&](std::size_t k) {
    const std::size_t first = k * at_once, numbers = std::min(at_once, rows - first) * columns;
    std::vector<double> portion(numbers);
    const double* from = values.data() + first * columns * stride;
    for (double& x : portion) x = *from, from += stride;
    put(place + first * columns * sizeof(double), portion);
  });
  check(true, path);
}

// Numbers lie next to each other in the file, which HDF5 makes room for and then leaves alone: its own buffers know nothing of what is put there.
std::uint64_t Hdf5File::place_of_dataset(const std::string& path, std::size_t rows, std::size_t columns,
                                         const std::string& unit) {
  static_assert(std::endian::native == std::endian::little, "numbers are put into the file as they lie in memory");
  const Handle at_once(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_alloc_time(at_once, H5D_ALLOC_TIME_EARLY);
  H5Pset_fill_time(at_once, H5D_FILL_TIME_NEVER);
  const Handle created = create_dataset(path, H5T_IEEE_F64LE, {rows, columns}, unit, at_once);
  const haddr_t place = H5Dget_offset(created);
  check(place != HADDR_UNDEF || rows * columns == 0, path);
  return place;
}

void Hdf5File::put(std::uint64_t at, std::span<const double> values) {
  const std::scoped_lock lock(putting_);  // a file system lets one thread write into a file; the others would be busy waiting
  write_at(target_, at, values.data(), values.size_bytes());
}

void Hdf5File::dataset(const std::string& path, const std::vector<std::string>& values) {
  const Handle created = create_dataset(path, text_type_, {values.size()}, "");
  check(values.empty() || H5Dwrite(created, text_type_, H5S_ALL, H5S_ALL, create_text_transfer(), pointers(values).data()) >= 0,
        path);
}

void Hdf5File::dataset(const std::string& path, const std::vector<int>& values) {
  const Handle created = create_dataset(path, H5T_STD_I32LE, {values.size()}, "");
  check(values.empty() || H5Dwrite(created, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0, path);
}

void Hdf5File::dataset(const std::string& path, std::size_t count, const std::function<int(std::size_t)>& value) {
  check(write_whole_numbers(create_dataset(path, H5T_STD_I32LE, {count}, ""), count, value), path);
}

Handle Hdf5File::create_dataset(const std::string& path, hid_t type, Extent lengths, const std::string& unit, hid_t how) {
  const LayoutRow* const row = layout_row(path, "", lengths.size());
  if (!row || row->dimensions.size() != lengths.size() || (has_fixed_unit(*row) && unit != row->unit && !unit.empty()))
    throw std::logic_error(path + " is not in the layout of results files as it is written");
  const std::vector<hsize_t> extent(lengths.begin(), lengths.end());
  const Handle space = extent.empty()
                           ? scalar_space()
                           : Handle(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose);
  Handle created(H5Dcreate2(file_, path.c_str(), type, space, with_groups_, how, H5P_DEFAULT), H5Dclose);
  check(created >= 0, path);
  std::vector<Dimension> shape;
  for (std::size_t i = 0; i < extent.size(); ++i) {
    shape.push_back({extent[i], row->dimensions[i].label});
    check(H5DSset_label(created, static_cast<unsigned>(i), shape[i].label) >= 0, path);
  }
  if (!shape.empty()) scales_.dataset(path, shape, is_own_scale(*row));
  if (const std::string units = has_fixed_unit(*row) ? row->unit : unit; !units.empty()) attribute(path, "units", units);
  return created;
}

void Hdf5File::scale(const std::string& group, const std::string& label, DimensionScales::Values values) {
  if (!has_scale(group, label)) throw std::logic_error("the layout of results files has no scale " + label + " in " + group);
  scales_.scale(group, label, std::move(values));
}

void Hdf5File::attach_scales() { check(scales_.attach(file_), "dimension scales"); }

void Hdf5File::attribute(const std::string& object, const std::string& name, const std::string& text) {
  const char* pointer = text.c_str();
  write_attribute(object, name, text_type_, scalar_space(), &pointer);
}

void Hdf5File::attribute(const std::string& object, const std::string& name, std::span<const double> values) {
  write_attribute(object, name, H5T_NATIVE_DOUBLE, line_space(values.size()), values.data());
}

void Hdf5File::attribute(const std::string& object, const std::string& name, const std::vector<std::string>& texts) {
  write_attribute(object, name, text_type_, line_space(texts.size()), pointers(texts).data());
}

void Hdf5File::attribute(const std::string& object, const std::string& name, int number) {
  write_attribute(object, name, H5T_NATIVE_INT, scalar_space(), &number);
}

void Hdf5File::attribute(const std::string& object, const std::string& name, std::uint64_t number) {
  write_attribute(object, name, H5T_NATIVE_UINT64, scalar_space(), &number);
}

void Hdf5File::attribute(const std::string& object, const std::string& name, double number) {
  write_attribute(object, name, H5T_NATIVE_DOUBLE, scalar_space(), &number);
}

void Hdf5File::write_attribute(const std::string& object, const std::string& name, hid_t type, hid_t space, const void* data) {
  const Handle created(H5Acreate_by_name(file_, object.c_str(), name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                       H5Aclose);
  const bool empty = H5Sget_simple_extent_npoints(space) == 0;  // HDF5 refuses to write nothing
  check(created >= 0 && (empty || H5Awrite(created, type, data) >= 0), "attribute " + name + " of " + object);
}

void Hdf5File::finish() {
  const std::string end = "its end";
  check(H5Fflush(file_, H5F_SCOPE_GLOBAL) >= 0, end);
  file_ = Handle(-1, H5Fclose);
  check(true, end);
  const Checksum sum = sum_of_target();
  if (scratch_.number() >= 0) copy_scratch();
  const auto trailer = trailer_of(sum.length(), sum.value());
  if (scratch_.number() < 0 && lseek(target_.descriptor, off_t(sum.length()), SEEK_SET) < 0)
    throw WriteError::from_errno(path_, errno);
  atomic_.write(trailer);
}

// Over what the system has now, in portions of whole words by all threads.
Checksum Hdf5File::sum_of_target() const {
  const off_t end = lseek(target_.descriptor, 0, SEEK_END);
  if (end < 0) throw WriteError::from_errno(path_, errno);
  const std::uint64_t length = std::uint64_t(end);
  std::vector<Checksum> sums;
  for (std::uint64_t at = 0; at < length; at += summed_at_once) sums.emplace_back(at);
  each_in_parallel(sums.size(), [&](std::size_t k) {
    std::vector<unsigned char> bytes(std::min<std::uint64_t>(summed_at_once, length - k * summed_at_once));
    read_target(k * summed_at_once, bytes);
    sums[k].add(bytes);
  });
  Checksum all;
  for (const Checksum& one : sums) all.join(one);
  return all;
}

void Hdf5File::read_target(std::uint64_t at, std::span<unsigned char> to) const {
  while (!to.empty()) {
    const ssize_t n = pread(target_.descriptor, to.data(), to.size(), off_t(at));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw WriteError::from_errno(path_, n < 0 ? errno : EIO);
    at += std::uint64_t(n), to = to.subspan(std::size_t(n));
  }
}

// To the target, in its order.
void Hdf5File::copy_scratch() {
  const std::uint64_t length = std::uint64_t(lseek(target_.descriptor, 0, SEEK_END));
  std::vector<unsigned char> portion;
  for (std::uint64_t at = 0; at < length; at += portion.size()) {
    throw_if_cancelled();
    portion.resize(std::min<std::uint64_t>(summed_at_once, length - at));
    read_target(at, portion);
    atomic_.write(portion);
  }
}

void Hdf5File::check(bool ok, const std::string& what) const {
  if (target_.error != 0) throw WriteError::from_errno(path_, target_.error);
  if (!ok) throw WriteError(path_, "HDF5 could not create " + what);
}

}  // namespace aleator::core::results
