#include "results/read.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <set>

#include "results/hdf5_input.hpp"
#include "results/layout.hpp"
#include "results/study_store.hpp"

namespace aleator::core::results {

namespace {

using Kind = Hdf5Input::Kind;

bool trusted = false;  // files without a checksum, by the user of this process

std::string unfinished_words(const std::string& folder) {
  if (Journal::is_being_written(StudyStore::file_in(folder))) return "its run is still going on";
  return "its run was cut short after " + std::to_string(StudyStore::progress_in(folder).rows) +
         " simulations; nothing of it is lost, continue it with run --resume";
}

bool exists(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

// Rows and columns; none of what is no table.
std::array<hsize_t, 2> table_extent(hid_t space) {
  const std::vector<hsize_t> extent = extent_of(space);
  return extent.size() == 2 ? std::array<hsize_t, 2>{extent[0], extent[1]} : std::array<hsize_t, 2>{};
}

std::vector<long> lengths_of(hid_t space) {
  const std::vector<hsize_t> extent = extent_of(space);
  return {extent.begin(), extent.end()};
}

}  // namespace

std::string StudyReader::file_of(const std::string& path, Accept accept) {
  std::error_code unknown;  // a path that cannot be followed is none of a folder
  if (!std::filesystem::is_directory(path, unknown)) return path;
  for (const char* name : {"/partial.h5", "/results.h5"})  // the latest: a finished run removes what was partial
    if (exists(path + name)) return path + name;
  if (exists(StudyStore::file_in(path))) throw ReadError(path, unfinished_words(path));
  const bool any = accept == Accept::any;
  for (const char* name : {"/nominal.h5", "/campbell.h5"})
    if (any && exists(path + name)) return path + name;
  throw ReadError(path, any ? "it has neither results.h5 (of aleator run) nor nominal.h5 (of aleator simulate) nor campbell.h5 "
                              "(of aleator modes --over)"
                            : "it has no results.h5 (of aleator run)");
}

void StudyReader::trust_files() { trusted = true; }

StudyReader::StudyReader(const std::string& path, Accept accept)
    : file_(std::make_unique<Hdf5Input>(file_of(path, accept), trusted)) {
  const std::string layout = text_attribute("/", "layout");
  study_ = layout == "aleator study";
  const bool one_motion = layout == "aleator nominal";
  if (layout == "aleator part" && accept != Accept::part)
    file_->fail("it is a part of a study; `aleator merge` joins it with the others");
  if (layout == "aleator part") return;
  if (accept == Accept::part) file_->fail("it is not a part of a study (aleator run --part)");
  if (accept == Accept::study && !study_) file_->fail("it is not the result of a study (aleator run)");
  if (!study_ && !one_motion) file_->fail("it is not a results file (of aleator run or simulate)");
}

StudyReader::~StudyReader() = default;

const std::string& StudyReader::path() const { return file_->path(); }

bool StudyReader::complete() const { return number_attribute("/", "complete") != 0; }

bool StudyReader::rows_follow_law() const {
  return !has_attribute("/", "rows_follow_law") || number_attribute("/", "rows_follow_law") != 0;
}

int StudyReader::replicates() const {
  const double n = has_attribute("/", "replicates") ? number_attribute("/", "replicates") : 1;
  return n >= 1 && n <= 1024 ? int(n) : 1;
}

bool StudyReader::has(const std::string& object) const { return file_->has(object); }

bool StudyReader::has_attribute(const std::string& object, const std::string& name) const {
  return file_->has_attribute(object, name);
}

std::vector<std::string> StudyReader::children(const std::string& group) const { return file_->children(group); }

std::vector<std::string> StudyReader::attributes(const std::string& object) const { return file_->attributes(object); }

// As many as the file says elsewhere.
long StudyReader::length(const Count& count) const {
  if (count.fixed >= 0) return count.fixed;
  if (const auto known = lengths_.find(&count); known != lengths_.end()) return known->second;
  long n = 0;
  if (count.attribute) {
    const Handle list = file_->attribute(count.object, count.attribute, Kind::any);
    n = long(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(Handle(H5Aget_space(list), H5Sclose))));
  } else {
    const std::vector<long> sizes = lengths_of(Handle(H5Dget_space(file_->dataset(count.object, Kind::any)), H5Sclose));
    n = sizes.empty() ? 0 : sizes[0];
  }
  return lengths_[&count] = n;
}

void StudyReader::check_shape(const std::string& object, const std::string& attribute, const std::vector<long>& found) const {
  const LayoutRow* const expected = layout_row(object, attribute, found.size());
  if (!expected || (!attribute.empty() && expected->dimensions.empty())) return;
  const std::string what = attribute.empty() ? object : fmt::format("attribute {} of {}", attribute, object);
  if (found.size() != expected->dimensions.size())
    file_->fail(fmt::format("{} has {} dimensions instead of {}", what, found.size(), expected->dimensions.size()));
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Count* const count = expected->dimensions[i].count;
    const bool only_one = count && count->object == std::string_view("/samples/status") && !study_;
    if (!count || only_one || (count->or_none && found[i] == 0) || found[i] == length(*count)) continue;
    file_->fail(fmt::format("{} has {} of {} {}", what, found[i], length(*count), count->what));
  }
}

std::vector<std::string> StudyReader::outputs() const {
  std::vector<std::string> names = texts_attribute("/", "outputs");
  std::set<std::string> once(names.begin(), names.end());
  if (once.size() != names.size()) file_->fail("attribute outputs of / has a name twice");
  return names;
}

long StudyReader::samples() const {
  const std::vector<std::string> names = outputs();
  if (names.empty() || !has("/responses/" + names[0])) return 0;
  return extent("/responses/" + names[0])[0];
}

std::vector<double> StudyReader::numbers(const std::string& dataset) const {
  const Handle set = file_->dataset(dataset, Kind::numbers);
  const Handle space(H5Dget_space(set), H5Sclose);
  check_shape(dataset, "", lengths_of(space));
  std::vector<double> out(std::size_t(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space))));
  if (!out.empty() && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()) < 0)
    file_->fail(dataset + " is damaged");
  return out;
}

std::vector<long> StudyReader::as_counts(const std::vector<double>& values, const std::string& what) const {
  std::vector<long> out;
  for (const double x : values) {
    if (!(x >= 0 && x <= 9e15 && x == std::floor(x))) file_->fail(fmt::format("{} has {} where it counts", what, x));
    out.push_back(long(x));
  }
  return out;
}

std::vector<long> StudyReader::counts(const std::string& dataset) const { return as_counts(numbers(dataset), dataset); }

std::vector<double> StudyReader::slice(const std::string& dataset, int along, long k) const {
  const Handle set = file_->dataset(dataset, Kind::numbers);
  const Handle space(H5Dget_space(set), H5Sclose);
  const auto extent = table_extent(space);
  if (k < 0 || hsize_t(k) >= extent[along])
    file_->fail(dataset + " has no " + (along == 0 ? "row " : "column ") + std::to_string(k));
  check_shape(dataset, "", lengths_of(space));
  hsize_t start[2] = {0, 0}, count[2] = {extent[0], extent[1]};
  start[along] = hsize_t(k);
  count[along] = 1;
  const hsize_t length = extent[1 - along];
  if (length == 0) return {};
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
  const Handle line(H5Screate_simple(1, &length, nullptr), H5Sclose);
  std::vector<double> out(length);
  if (H5Dread(set, H5T_NATIVE_DOUBLE, line, space, H5P_DEFAULT, out.data()) < 0) file_->fail(dataset + " is damaged");
  return out;
}

std::vector<long> StudyReader::extent(const std::string& dataset) const {
  std::vector<long> found = lengths_of(Handle(H5Dget_space(file_->dataset(dataset, Kind::any)), H5Sclose));
  check_shape(dataset, "", found);
  return found;
}

std::vector<double> StudyReader::rows(const std::string& dataset, long first, long count, long stride) const {
  const std::vector<long> all = extent(dataset);
  if (all.empty() || first < 0 || count < 0 || stride < 1 ||
      (count > 0 && (first >= all[0] || (count - 1) > (all[0] - 1 - first) / stride)))
    file_->fail(fmt::format("{} has no rows {} to {}", dataset, first, first + count - 1));
  std::vector<hsize_t> start(all.size()), step(all.size(), 1), size(all.begin(), all.end());
  start[0] = hsize_t(first);
  step[0] = hsize_t(stride);
  size[0] = hsize_t(count);
  std::size_t total = 1;
  for (const hsize_t n : size) total *= n;
  std::vector<double> out(total);
  if (total == 0) return out;
  const Handle set = file_->dataset(dataset, Kind::numbers);
  const Handle space(H5Dget_space(set), H5Sclose);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), step.data(), size.data(), nullptr);
  const Handle block(H5Screate_simple(int(size.size()), size.data(), nullptr), H5Sclose);
  if (H5Dread(set, H5T_NATIVE_DOUBLE, block, space, H5P_DEFAULT, out.data()) < 0) file_->fail(dataset + " is damaged");
  return out;
}

std::vector<double> StudyReader::row(const std::string& dataset, long k) const { return slice(dataset, 0, k); }

std::vector<double> StudyReader::column(const std::string& dataset, long k) const { return slice(dataset, 1, k); }

std::vector<std::string> StudyReader::texts(const std::string& dataset) const {
  const Handle set = file_->dataset(dataset, Kind::texts);
  check_shape(dataset, "", lengths_of(Handle(H5Dget_space(set), H5Sclose)));
  return file_->texts(set, dataset);
}

std::vector<double> StudyReader::numbers_attribute(const std::string& object, const std::string& name) const {
  const Handle attribute = file_->attribute(object, name, Kind::numbers);
  const Handle space(H5Aget_space(attribute), H5Sclose);
  check_shape(object, name, lengths_of(space));
  std::vector<double> out(std::size_t(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space))));
  if (!out.empty() && H5Aread(attribute, H5T_NATIVE_DOUBLE, out.data()) < 0)
    file_->fail(fmt::format("attribute {} of {} is damaged", name, object));
  return out;
}

double StudyReader::number_attribute(const std::string& object, const std::string& name) const {
  const std::vector<double> all = numbers_attribute(object, name);
  if (all.size() != 1) file_->fail(fmt::format("attribute {} of {} is not one number", name, object));
  return all[0];
}

std::uint64_t StudyReader::whole_attribute(const std::string& object, const std::string& name) const {
  const Handle attribute = file_->attribute(object, name, Kind::numbers);
  std::uint64_t x = 0;
  if (H5Sget_simple_extent_npoints(Handle(H5Aget_space(attribute), H5Sclose)) != 1 ||
      H5Aread(attribute, H5T_NATIVE_UINT64, &x) < 0)
    file_->fail(fmt::format("attribute {} of {} is not one whole number", name, object));
  return x;
}

std::vector<long> StudyReader::counts_attribute(const std::string& object, const std::string& name) const {
  return as_counts(numbers_attribute(object, name), fmt::format("attribute {} of {}", name, object));
}

long StudyReader::count_attribute(const std::string& object, const std::string& name) const {
  return as_counts({number_attribute(object, name)}, fmt::format("attribute {} of {}", name, object))[0];
}

std::string StudyReader::text_attribute(const std::string& object, const std::string& name) const {
  const std::vector<std::string> all = texts_attribute(object, name);
  return all.empty() ? "" : all[0];
}

std::vector<std::string> StudyReader::texts_attribute(const std::string& object, const std::string& name) const {
  if (!has_attribute(object, name)) return {};
  const Handle attribute = file_->attribute(object, name, Kind::texts);
  check_shape(object, name, lengths_of(Handle(H5Aget_space(attribute), H5Sclose)));
  return file_->attribute_texts(attribute, fmt::format("attribute {} of {}", name, object));
}

}  // namespace aleator::core::results
