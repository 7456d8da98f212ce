#include "support/results_mutation.hpp"

#include <hdf5.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace aleator::core::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
constexpr double odd_numbers[] = {0,      -1,     1,    2,   3,    0.5,  nan,  infinity, -infinity, 1e300,
                                  -1e300, 1e-300, 1e18, 4e9, -0.0, 1e15, 1e17, 7,        100,       -2e9};
const std::string odd_texts[] = {"",     "x",    "..",         "a/b",      "/",      "<script>alert(1)</script>",
                                 "é",    "time", "\xff\xfe",   "\x1b[31m", "nan",    std::string(5000, 'y'),
                                 "mean", "\n",   "polynomial", "value",    "normal", "uniform"};

struct Item {
  std::string path, attribute;  // no attribute: the object itself
  bool dataset = false;
};

struct Collected {
  std::vector<Item> items;
  std::string at;
};

herr_t take_attribute(hid_t, const char* name, const H5A_info_t*, void* to) {
  auto& c = *static_cast<Collected*>(to);
  c.items.push_back({c.at, name});
  return 0;
}

herr_t take_object(hid_t root, const char* name, const H5O_info_t* info, void* to) {
  auto& c = *static_cast<Collected*>(to);
  c.at = name == std::string(".") ? "/" : "/" + std::string(name);
  if (c.at != "/") c.items.push_back({c.at, "", info->type == H5O_TYPE_DATASET});
  H5Aiterate_by_name(root, c.at.c_str(), H5_INDEX_NAME, H5_ITER_INC, nullptr, take_attribute, to, H5P_DEFAULT);
  return 0;
}

std::vector<Item> items_of(hid_t file) {
  Collected c;
  H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, take_object, &c, H5O_INFO_BASIC);
  return std::move(c.items);
}

hid_t text_type() {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

hid_t space_of(Choices& c, std::size_t& count) {
  const std::size_t rank = c.below(5);
  if (rank == 4 && c.below(4) == 0) {
    count = 0;
    return H5Screate(H5S_NULL);
  }
  hsize_t sizes[4] = {};
  count = 1;
  for (std::size_t i = 0; i < rank; ++i) count *= sizes[i] = c.below(5);
  return rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(int(rank), sizes, nullptr);
}

std::vector<double> some_numbers(Choices& c, std::size_t count) {
  std::vector<double> out(count);
  for (double& x : out) x = odd_numbers[c.below(std::size(odd_numbers))];
  return out;
}

void put_attribute(hid_t file, const Item& item, Choices& c, std::string& what) {
  H5Adelete_by_name(file, item.path.c_str(), item.attribute.c_str(), H5P_DEFAULT);
  const std::size_t kind = c.below(4);
  what += " with kind " + std::to_string(kind);
  if (kind == 0) return;
  std::size_t count = 0;
  const hid_t space = space_of(c, count);
  const hid_t text = text_type(), fixed = H5Tcopy(H5T_C_S1);
  H5Tset_size(fixed, 8);
  const hid_t type = kind == 1 ? H5T_NATIVE_DOUBLE : kind == 2 ? text : fixed;
  const hid_t created =
      H5Acreate_by_name(file, item.path.c_str(), item.attribute.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  if (kind == 1 && count > 0) H5Awrite(created, type, some_numbers(c, count).data());
  if (kind == 2 && count > 0) {
    std::vector<const char*> texts(count);
    for (const char*& t : texts) t = odd_texts[c.below(std::size(odd_texts))].c_str();
    H5Awrite(created, type, texts.data());
  }
  H5Aclose(created);
  H5Tclose(text);
  H5Tclose(fixed);
  H5Sclose(space);
}

// Another dataset under the same name.
void put_dataset(hid_t file, const Item& item, Choices& c, std::string& what) {
  H5Ldelete(file, item.path.c_str(), H5P_DEFAULT);
  const std::size_t kind = c.below(7);
  what += " as dataset of kind " + std::to_string(kind);
  std::size_t count = 0;
  hid_t space = space_of(c, count);
  const hid_t creation = H5Pcreate(H5P_DATASET_CREATE), text = text_type(), pair = H5Tcreate(H5T_COMPOUND, 16);
  H5Tinsert(pair, "x", 0, H5T_NATIVE_DOUBLE);
  const hid_t type = kind == 1 ? H5T_NATIVE_SCHAR : kind == 2 ? text : kind == 3 ? pair : H5T_NATIVE_DOUBLE;
  if (kind >= 4) {  // more than there is, compressed or not, or elsewhere
    const hsize_t huge[] = {hsize_t(1) << (10 + c.below(40)), hsize_t(1) << c.below(30)}, chunk[] = {1024, 1};
    H5Sclose(space);
    space = H5Screate_simple(2, huge, nullptr);
    if (kind == 5) H5Pset_chunk(creation, 2, chunk), H5Pset_deflate(creation, 9);
    if (kind == 6) H5Pset_external(creation, "/proc/self/exe", 0, H5F_UNLIMITED);
    count = 0;
  }
  const hid_t created = H5Dcreate2(file, item.path.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  if (kind == 0 && count > 0) H5Dwrite(created, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, some_numbers(c, count).data());
  if (kind == 2 && count > 0) {
    std::vector<const char*> texts(count);
    for (const char*& t : texts) t = odd_texts[c.below(std::size(odd_texts))].c_str();
    H5Dwrite(created, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data());
  }
  if (created >= 0) H5Dclose(created);
  H5Tclose(text);
  H5Tclose(pair);
  H5Pclose(creation);
  H5Sclose(space);
}

// The same shape, with other numbers here and there; or everywhere.
void put_numbers(hid_t file, const Item& item, Choices& c, std::string& what) {
  what += " with other numbers";
  const hid_t set = H5Dopen2(file, item.path.c_str(), H5P_DEFAULT), space = H5Dget_space(set), type = H5Dget_type(set);
  std::vector<double> values(std::size_t(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space))));
  const bool numbers = H5Tget_class(type) == H5T_FLOAT || H5Tget_class(type) == H5T_INTEGER;
  if (numbers && !values.empty() && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) >= 0) {
    if (c.below(3) == 0) std::fill(values.begin(), values.end(), odd_numbers[c.below(std::size(odd_numbers))]);
    for (std::size_t k = c.below(4); k-- > 0;)
      values[c.below(std::min<std::size_t>(65536, values.size()))] = odd_numbers[c.below(std::size(odd_numbers))];
    H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  }
  H5Tclose(type);
  H5Sclose(space);
  H5Dclose(set);
}

void put_link(hid_t file, const Item& item, Choices& c, std::string& what) {
  const std::string parent = item.path.substr(0, std::max<std::size_t>(1, item.path.rfind('/')));
  const std::size_t kind = c.below(6);
  what += " as link of kind " + std::to_string(kind);
  H5Ldelete(file, item.path.c_str(), H5P_DEFAULT);
  if (kind == 1) H5Gclose(H5Gcreate2(file, item.path.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  if (kind == 2) H5Lcreate_soft(c.below(2) ? "/" : "/nowhere/at/all", file, item.path.c_str(), H5P_DEFAULT, H5P_DEFAULT);
  if (kind == 3) H5Lcreate_external("/proc/self/exe", "/time", file, item.path.c_str(), H5P_DEFAULT, H5P_DEFAULT);
  if (kind == 4) H5Lcreate_hard(file, parent.c_str(), file, item.path.c_str(), H5P_DEFAULT, H5P_DEFAULT);  // a circle
  if (kind == 5) H5Lcreate_hard(file, "/time", file, item.path.c_str(), H5P_DEFAULT, H5P_DEFAULT);
}

}  // namespace

std::size_t Choices::below(std::size_t n) {
  std::size_t x = 0;
  for (int i = 0; i < (n > 256 ? 2 : 1) && !bytes_.empty(); ++i, bytes_ = bytes_.subspan(1)) x = 256 * x + bytes_[0];
  return n == 0 ? 0 : x % n;
}

std::vector<unsigned char> mutated(std::span<const unsigned char> file, Choices& choices, std::string& what) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(access, 1 << 16, false);
  std::vector<unsigned char> copy(file.begin(), file.end());
  H5Pset_file_image(access, copy.data(), copy.size());
  const hid_t h5 = H5Fopen("mutated", H5F_ACC_RDWR, access);
  H5Pclose(access);
  for (int k = 0; k < 8 && (k == 0 || !choices.is_empty()); ++k) {
    const std::vector<Item> items = items_of(h5);
    if (items.empty()) break;
    const Item& item = items[choices.below(std::min<std::size_t>(65536, items.size()))];
    what += "; " + item.path + (item.attribute.empty() ? "" : " @" + item.attribute);
    const std::size_t how = choices.below(4);
    if (!item.attribute.empty())
      put_attribute(h5, item, choices, what);
    else if (item.dataset && how <= 1)
      put_numbers(h5, item, choices, what);
    else if (item.dataset && how == 2)
      put_dataset(h5, item, choices, what);
    else
      put_link(h5, item, choices, what);
  }
  H5Fflush(h5, H5F_SCOPE_GLOBAL);
  std::vector<unsigned char> bytes(std::size_t(std::max<ssize_t>(0, H5Fget_file_image(h5, nullptr, 0))));
  H5Fget_file_image(h5, bytes.data(), bytes.size());
  H5Fclose(h5);
  return bytes;
}

long mutations(long usual) {
  const char* const asked = std::getenv("ALEATOR_MUTATIONS");
  return asked ? std::atol(asked) : usual;
}

std::vector<std::vector<std::string>> reading_commands(const std::string& file, const std::string& other,
                                                       const std::string& spare) {
  std::vector<std::vector<std::string>> all = {{"report", file, "--out", "/dev/null"},
                                               {"report", other, file, "--out", "/dev/null"},
                                               {"compare", file, other},
                                               {"compare", other, file, "--csv", "/dev/null"},
                                               {"evaluate", file, "--out", "/dev/null"},
                                               {"evaluate", file, "--density", "x", "--out", "/dev/null"},
                                               {"animate", file, "--gltf", spare + "/a.glb"},
                                               {"animate", file, "--realization", "1", "--frames", "3", "--vtk", spare + "/vtk"},
                                               {"plot", file},
                                               {"plot", file, "--realizations", "3", "--svg", "/dev/null"},
                                               {"export", file, "realization", "1", "--out", "/dev/null"},
                                               {"plot", file, "--with", other, "--side-by-side", "--svg", "/dev/null"}};
  for (const char* what : {"statistics", "samples", "scalars", "sensitivity", "correlations", "screening", "variability",
                           "expansion", "convergence", "probabilities", "curve", "failure-samples"})
    all.push_back({"export", file, what, "--out", "/dev/null"});
  for (const char* what : {"distribution", "sensitivity", "correlations", "convergence", "profile", "measured"})
    all.push_back({"plot", file, "--what", what, "--svg", "/dev/null"});
  return all;
}

}  // namespace aleator::core::test
