#include "support/results_contents.hpp"

#include <hdf5.h>
#include <hdf5_hl.h>

#include <set>
#include <stdexcept>
#include <vector>

namespace aleator::core::test {
namespace {

// What two runs of the same study may differ in.
const std::set<std::string> of_the_occasion = {"/@created",         "/@host",          "/@command_line",
                                               "/@model_file",      "/@checksum",      "/settings@seconds",
                                               "/settings@threads", "/settings@parts", "/settings@seconds of the parts"};

std::string shape_of(hid_t space) {
  const int n = H5Sget_simple_extent_ndims(space);
  std::vector<hsize_t> size(n > 0 ? size_t(n) : 0);
  H5Sget_simple_extent_dims(space, size.data(), nullptr);
  std::string out = "[";
  for (const hsize_t s : size) out += std::to_string(s) + " ";
  return out + "] ";
}

// `read` fills a buffer with values of a type.
template <class Read>
std::string values(hid_t type, hid_t space, Read&& read) {
  const size_t count = size_t(H5Sget_simple_extent_npoints(space));
  std::string out = shape_of(space);
  if (count == 0) return out;
  if (H5Tis_variable_str(type) > 0) {
    std::vector<char*> texts(count);
    if (read(texts.data()) < 0) throw std::runtime_error("cannot read text");
    for (char* text : texts) {
      out += text ? text : "";
      out += '\0';
    }
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts.data());
    return out;
  }
  const size_t header = out.size();
  out.resize(header + count * H5Tget_size(type));
  if (read(&out[header]) < 0) throw std::runtime_error("cannot read numbers");
  return out;
}

using Contents = std::map<std::string, std::string>;

// References are places in the file: what they name is compared instead.
herr_t add_scale(hid_t, unsigned dimension, hid_t scale, void* to) {
  char name[256] = {};
  H5Iget_name(scale, name, sizeof name);
  const std::string path = name;
  *static_cast<std::string*>(to) += std::to_string(dimension) + " " + path.substr(path.rfind('/') + 1) + " ";
  return 0;
}

std::string scales_of(hid_t dataset) {
  const hid_t space = H5Dget_space(dataset);
  std::string names;
  for (int k = 0; k < H5Sget_simple_extent_ndims(space); ++k)
    H5DSiterate_scales(dataset, unsigned(k), nullptr, add_scale, &names);
  H5Sclose(space);
  return names;
}

void add_attributes(hid_t object, const std::string& path, Contents& contents) {
  const int n = H5Aget_num_attrs(object);
  for (int k = 0; k < n; ++k) {
    const hid_t a = H5Aopen_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, hsize_t(k), H5P_DEFAULT, H5P_DEFAULT);
    char name[256];
    H5Aget_name(a, sizeof name, name);
    const hid_t type = H5Aget_type(a), space = H5Aget_space(a);
    const std::string key = path + "@" + name;
    if (name == std::string("DIMENSION_LIST"))
      contents[key] = scales_of(object);
    else if (!of_the_occasion.contains(key) && name != std::string("REFERENCE_LIST"))
      contents[key] = values(type, space, [&](void* to) { return H5Aread(a, type, to); });
    H5Sclose(space), H5Tclose(type), H5Aclose(a);
  }
}

herr_t add_object(hid_t root, const char* name, const H5O_info_t* info, void* to) {
  Contents& contents = *static_cast<Contents*>(to);
  const std::string path = std::string("/") + (std::string(name) == "." ? "" : name);
  const hid_t object = H5Oopen(root, name, H5P_DEFAULT);
  add_attributes(object, path, contents);
  if (info->type == H5O_TYPE_DATASET) {
    const hid_t type = H5Dget_type(object), space = H5Dget_space(object);
    contents[path] = values(type, space, [&](void* x) { return H5Dread(object, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, x); });
    H5Sclose(space), H5Tclose(type);
  } else {
    contents[path] = "group";
  }
  H5Oclose(object);
  return 0;
}

}  // namespace

Contents contents_of_results(const std::string& file) {
  const hid_t f = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (f < 0) throw std::runtime_error("cannot open " + file);
  Contents contents;
  H5Ovisit(f, H5_INDEX_NAME, H5_ITER_INC, add_object, &contents);
  H5Fclose(f);
  return contents;
}

std::string difference_of_results(const std::string& a, const std::string& b) {
  const Contents one = contents_of_results(a), other = contents_of_results(b);
  if (one.size() < 20) return "there is hardly anything in " + a;  // a comparison of nothing proves nothing
  for (const auto& [path, value] : one) {
    const auto it = other.find(path);
    if (it == other.end()) return path + " is missing in " + b;
    if (it->second != value) return path + " differs";
  }
  for (const auto& [path, value] : other)
    if (!one.contains(path)) return path + " is missing in " + a;
  return "";
}

}  // namespace aleator::core::test
