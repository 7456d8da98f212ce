// Dimension scales of HDF5, as netCDF-4 reads them: xarray and others find named dimensions and coordinates.
//
// A scale is looked for in the group of a dataset, then in those around it, by name and length. Readers of netCDF see the
// coordinates of one group alone: each group that uses a scale has it under the same name, as a hard link and not as a copy.
// A dimension that counts nothing with a value of its own gets a scale that is a length only.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "results/hdf5_handle.hpp"

namespace aleator::core::results {

// Numbers of a dataset of one dimension, a portion at a time: realizations may be many. False: HDF5 could not.
bool write_whole_numbers(hid_t dataset, std::size_t count, const std::function<int(std::size_t)>& value);

class DimensionScales {
 public:
  struct Counted {  // 0, 1, …
    std::size_t count = 0;
    std::size_t size() const { return count; }
  };
  using Values = std::variant<Counted, std::vector<int>, std::vector<double>, std::vector<std::string>>;

  DimensionScales();
  ~DimensionScales();

  // A dataset that is in the file, or is itself the scale of its only dimension, whose name it has.
  void dataset(const std::string& path, std::vector<Dimension> shape, bool own_scale);
  // The values along a dimension, for all datasets in a group and the groups in it.
  void scale(const std::string& group, const std::string& label, Values values);

  bool attach(hid_t file);  // once, when all datasets are there; false: HDF5 could not

 private:
  struct Scale;
  struct Recorded {
    std::string group, path;
    std::vector<Dimension> shape;
  };
  Scale* find(const std::string& group, const std::string& label, std::size_t length);
  Scale* around(const std::string& group, const std::string& label, std::size_t length);
  Scale* of_own_length(const std::string& group, const std::string& label, std::size_t length);
  bool create(Scale& scale);
  bool link(const Scale& scale, const std::string& group);
  std::string free_name(const std::string& group, const std::string& label, std::size_t length) const;

  hid_t file_ = -1;
  std::vector<Recorded> datasets_;
  std::vector<std::unique_ptr<Scale>> scales_;
  std::map<std::pair<std::string, std::string>, Scale*> declared_;                        // by group and label
  std::map<std::string, std::map<std::pair<std::string, std::size_t>, Scale*>> visible_;  // by group, label and length
};

}  // namespace aleator::core::results
