#include "results/hdf5_file.hpp"

#include <hdf5_hl.h>

#include <algorithm>
#include <cassert>
#include <stdexcept>

#include "base/atomic_file.hpp"
#include "base/cancellation.hpp"
#include "base/errors.hpp"
#include "results/layout.hpp"
#include "results/trailer.hpp"

namespace aleator::core::results {
namespace {

Handle create_in_memory(const std::string& name, std::size_t expected_bytes) {
  // HDF5 prints every failure on stderr by itself; ours become exceptions. The setting is per thread.
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  const std::size_t growth = std::max<std::size_t>(expected_bytes / 4, 1 << 16);
  H5Pset_fapl_core(access, growth, false);  // false: no file behind it
  return {H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), H5Fclose};
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

Hdf5File::Hdf5File(std::string path, std::size_t expected_bytes)
    : path_(std::move(path)),
      file_(create_in_memory(path_, expected_bytes)),
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
  const Handle created = create_dataset(path, H5T_IEEE_F64LE, {rows, columns}, unit);
  const Handle file_space(H5Dget_space(created), H5Sclose);
  // Portions that fit into a cache: no second copy of everything.
  const std::size_t at_once = std::max<std::size_t>(1, (std::size_t(1) << 15) / std::max<std::size_t>(columns, 1));
  std::vector<double> portion;
  for (std::size_t row = 0; row < rows; row += at_once) {
    throw_if_cancelled();
    const hsize_t start[] = {row, 0}, count[] = {std::min(at_once, rows - row), columns};
    portion.resize(count[0] * count[1]);
    const double* from = values.data() + row * columns * stride;
    for (double& x : portion) x = *from, from += stride;
    const Handle memory_space(H5Screate_simple(2, count, nullptr), H5Sclose);
    check(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, nullptr, count, nullptr) >= 0 &&
              H5Dwrite(created, H5T_NATIVE_DOUBLE, memory_space, file_space, H5P_DEFAULT, portion.data()) >= 0,
          path);
  }
}

void Hdf5File::dataset(const std::string& path, const std::vector<std::string>& values) {
  const Handle created = create_dataset(path, text_type_, {values.size()}, "");
  check(values.empty() || H5Dwrite(created, text_type_, H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers(values).data()) >= 0, path);
}

void Hdf5File::dataset(const std::string& path, const std::vector<int>& values) {
  const Handle created = create_dataset(path, H5T_STD_I32LE, {values.size()}, "");
  check(values.empty() || H5Dwrite(created, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0, path);
}

Handle Hdf5File::create_dataset(const std::string& path, hid_t type, Extent lengths, const std::string& unit) {
  const LayoutRow* const row = layout_row(path, "", lengths.size());
  if (!row || row->dimensions.size() != lengths.size() || (has_fixed_unit(*row) && unit != row->unit && !unit.empty()))
    throw std::logic_error(path + " is not in the layout of results files as it is written");
  const std::vector<hsize_t> extent(lengths.begin(), lengths.end());
  const Handle space = extent.empty()
                           ? scalar_space()
                           : Handle(H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose);
  Handle created(H5Dcreate2(file_, path.c_str(), type, space, with_groups_, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
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

std::span<const unsigned char> Hdf5File::bytes() {
  check(H5Fflush(file_, H5F_SCOPE_GLOBAL) >= 0, "its end");
  const ssize_t size = H5Fget_file_image(file_, nullptr, 0);
  void** memory = nullptr;  // what the driver for files in memory has for a handle
  check(size > 0 && H5Fget_vfd_handle(file_, H5P_DEFAULT, reinterpret_cast<void**>(&memory)) >= 0, "its end");
  return {static_cast<const unsigned char*>(*memory), static_cast<std::size_t>(size)};
}

void Hdf5File::write_to(AtomicFile& target) {
  const std::span<const unsigned char> all = bytes();
  constexpr std::size_t at_once = std::size_t(16) << 20;
  for (std::size_t from = 0; from < all.size(); from += at_once) {
    throw_if_cancelled();
    target.write(all.subspan(from, std::min(at_once, all.size() - from)));
  }
  target.write(trailer_of(all));
}

void Hdf5File::check(bool ok, const std::string& what) const {
  if (!ok) throw WriteError(path_, "HDF5 could not create " + what);
}

}  // namespace aleator::core::results
