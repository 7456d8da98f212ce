#include "results/dimension_scales.hpp"

#include <fmt/format.h>
#include <hdf5_hl.h>

#include <algorithm>

namespace aleator::core::results {
namespace {

// What refers to a scale, as HDF5 keeps it with the scale.
struct BackReference {
  hobj_ref_t dataset;
  int dimension;
};
constexpr std::size_t most_back_references = 4000;  // an attribute has at most 64 kB; readers do without them

std::string parent_of(const std::string& path) { return path.substr(0, std::max<std::size_t>(1, path.rfind('/'))); }

std::string in_group(const std::string& group, const std::string& name) { return group == "/" ? "/" + name : group + "/" + name; }

bool write_back_references(hid_t scale, const std::vector<BackReference>& all) {
  if (all.empty() || all.size() > most_back_references) return true;
  const Handle type(H5Tcreate(H5T_COMPOUND, sizeof(BackReference)), H5Tclose);
  H5Tinsert(type, "dataset", offsetof(BackReference, dataset), H5T_STD_REF_OBJ);
  H5Tinsert(type, "dimension", offsetof(BackReference, dimension), H5T_NATIVE_INT);
  const hsize_t count = all.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle list(H5Acreate2(scale, REFERENCE_LIST, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return list >= 0 && H5Awrite(list, type, all.data()) >= 0;
}

bool write_references(hid_t dataset, std::vector<hobj_ref_t> scales) {
  std::vector<hvl_t> lists;
  for (hobj_ref_t& scale : scales) lists.push_back({1, &scale});
  const hsize_t count = lists.size();
  const Handle type(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose), space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle list(H5Acreate2(dataset, DIMENSION_LIST, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return list >= 0 && H5Awrite(list, type, lists.data()) >= 0;
}

}  // namespace

bool write_whole_numbers(hid_t dataset, std::size_t count, const std::function<int(std::size_t)>& value) {
  constexpr std::size_t at_once = std::size_t(1) << 15;
  const Handle space(H5Dget_space(dataset), H5Sclose);
  std::vector<int> portion;
  for (std::size_t from = 0; from < count; from += at_once) {
    portion.resize(std::min(at_once, count - from));
    for (std::size_t i = 0; i < portion.size(); ++i) portion[i] = value(from + i);
    const hsize_t start = from, length = portion.size();
    const Handle own(H5Screate_simple(1, &length, nullptr), H5Sclose);
    if (H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, nullptr, &length, nullptr) < 0 ||
        H5Dwrite(dataset, H5T_NATIVE_INT, own, space, H5P_DEFAULT, portion.data()) < 0)
      return false;
  }
  return true;
}

struct DimensionScales::Scale {
  std::string group, label;
  std::size_t length = 0;
  Values values = {};
  bool has_values = false;
  bool there = false;        // in the file
  std::string name = {};     // its label, unless something else has this name
  Handle id{-1, H5Dclose};   // once it is used
  hobj_ref_t reference = 0;  // to it
  std::vector<BackReference> used_by = {};
};

DimensionScales::DimensionScales() = default;
DimensionScales::~DimensionScales() = default;

void DimensionScales::dataset(const std::string& path, std::vector<Dimension> shape, bool own_scale) {
  const std::string group = parent_of(path), name = path.substr(path.rfind('/') + 1);
  if (own_scale) {
    Scale& s = *scales_.emplace_back(std::make_unique<Scale>(Scale{group, name, shape[0].length}));
    s.name = name;
    s.there = true;
    declared_[{group, name}] = &s;
  } else {
    datasets_.push_back({group, path, std::move(shape)});
  }
}

void DimensionScales::scale(const std::string& group, const std::string& label, Values values) {
  const std::size_t length = std::visit([](const auto& v) { return v.size(); }, values);
  declared_[{group, label}] =
      scales_.emplace_back(std::make_unique<Scale>(Scale{group, label, length, std::move(values), true})).get();
}

bool DimensionScales::attach(hid_t file) {
  file_ = file;
  for (const Recorded& d : datasets_) {
    const Handle dataset(H5Dopen2(file_, d.path.c_str(), H5P_DEFAULT), H5Dclose);
    hobj_ref_t own = 0;
    if (dataset < 0 || H5Rcreate(&own, dataset, ".", H5R_OBJECT, -1) < 0) return false;
    std::vector<hobj_ref_t> references;
    for (const Dimension& dimension : d.shape) {
      Scale* const scale = find(d.group, dimension.label, dimension.length);
      if (!scale) return false;
      scale->used_by.push_back({own, int(references.size())});
      references.push_back(scale->reference);
    }
    if (!write_references(dataset, std::move(references))) return false;
  }
  return std::all_of(scales_.begin(), scales_.end(),
                     [](const auto& s) { return s->id < 0 || write_back_references(s->id, s->used_by); });
}

// What a dataset in this group has along a dimension; null: HDF5 failed.
DimensionScales::Scale* DimensionScales::find(const std::string& group, const std::string& label, std::size_t length) {
  Scale*& known = visible_[group][{label, length}];
  if (!known) known = around(group, label, length);
  if (!known) known = of_own_length(group, label, length);
  return known;
}

DimensionScales::Scale* DimensionScales::around(const std::string& group, const std::string& label, std::size_t length) {
  for (std::string g = group;; g = parent_of(g)) {
    const auto found = declared_.find({g, label});
    if (found != declared_.end() && found->second->length == length && create(*found->second))
      return link(*found->second, group) ? found->second : nullptr;
    if (g == "/") return nullptr;
  }
}

DimensionScales::Scale* DimensionScales::of_own_length(const std::string& group, const std::string& label, std::size_t length) {
  Scale& s = *scales_.emplace_back(std::make_unique<Scale>(Scale{group, label, length}));
  return create(s) ? &s : nullptr;
}

std::string DimensionScales::free_name(const std::string& group, const std::string& label, std::size_t length) const {
  std::string name = label;
  for (int k = 0; H5Lexists(file_, in_group(group, name).c_str(), H5P_DEFAULT) > 0; ++k)
    name = k == 0 ? fmt::format("{}_{}", label, length) : fmt::format("{}_{}_{}", label, length, k);
  return name;
}

// Under the name of the scale; false where something else has it.
bool DimensionScales::link(const Scale& s, const std::string& group) {
  if (group == s.group) return true;
  const std::string path = in_group(group, s.name);
  if (H5Lexists(file_, path.c_str(), H5P_DEFAULT) > 0) return false;
  return H5Lcreate_hard(s.id, ".", file_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT) >= 0;
}

bool DimensionScales::create(Scale& s) {
  if (s.id >= 0) return true;
  if (!s.there) s.name = free_name(s.group, s.label, s.length);
  const std::string path = in_group(s.group, s.name);
  std::string title = s.name;
  if (s.there) {
    s.id = Handle(H5Dopen2(file_, path.c_str(), H5P_DEFAULT), H5Dclose);
  } else {
    const hsize_t count = s.length;
    const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose), text = create_text_type(),
                                                                        transfer = create_text_transfer();
    const auto write = [&](hid_t type, hid_t in_memory, const void* data) {
      s.id = Handle(H5Dcreate2(file_, path.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
      return s.id >= 0 && (!data || count == 0 || H5Dwrite(s.id, in_memory, H5S_ALL, H5S_ALL, transfer, data) >= 0);
    };
    bool fine = false;
    if (!s.has_values) {
      title = fmt::format("This is a netCDF dimension but not a netCDF variable.{:10d}", s.length);  // as netCDF-4 marks it
      fine = write(H5T_IEEE_F32BE, H5T_NATIVE_FLOAT, nullptr);                                       // takes no room
    } else if (const auto* numbers = std::get_if<std::vector<double>>(&s.values)) {
      fine = write(H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, numbers->data());
    } else if (const auto* own = std::get_if<std::vector<int>>(&s.values)) {
      fine = write(H5T_STD_I32LE, H5T_NATIVE_INT, own->data());
    } else if (std::get_if<Counted>(&s.values)) {
      fine = write(H5T_STD_I32LE, H5T_NATIVE_INT, nullptr) &&
             write_whole_numbers(s.id, s.length, [](std::size_t i) { return int(i); });
    } else {
      std::vector<const char*> pointers;
      for (const std::string& t : std::get<std::vector<std::string>>(s.values)) pointers.push_back(t.c_str());
      fine = write(text, text, pointers.data());
    }
    if (!fine) return false;
  }
  return s.id >= 0 && H5DSset_scale(s.id, title.c_str()) >= 0 &&
         H5Rcreate(&s.reference, file_, path.c_str(), H5R_OBJECT, -1) >= 0;
}

}  // namespace aleator::core::results
