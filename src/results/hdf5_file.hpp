// The part of HDF5 that results need, with owned handles and failures as exceptions. Numbers go to the disk as they are given; what
// describes them is held until the file is finished.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "base/checksum.hpp"
#include "results/dimension_scales.hpp"
#include "results/hdf5_driver.hpp"
#include "results/hdf5_handle.hpp"
#include "results/trailer.hpp"

namespace aleator::core {
class AtomicFile;
}

namespace aleator::core::results {

class Hdf5File {
 public:
  // Written into `target`, which stays; `path` is for messages only.
  Hdf5File(AtomicFile& target, std::string path);

  // Paths are absolute; groups on the way are created. What datasets are called along their dimensions says the layout
  // (layout.hpp), which has to know them. `unit` is that of an output, say; where the layout itself names one it is the same.
  void group(const std::string& path);
  using Extent = std::initializer_list<std::size_t>;  // no dimensions: one number
  void dataset(const std::string& path, Extent extent, std::span<const double> values, const std::string& unit = "");
  // Two dimensions; of `values` every `stride`-th, from the first one on.
  void strided_dataset(const std::string& path, std::size_t rows, std::size_t columns, std::span<const double> values,
                       std::size_t stride, const std::string& unit);
  // The same portion by portion, by any thread: where in the file its numbers begin, and numbers that belong at such a place.
  std::uint64_t place_of_dataset(const std::string& path, std::size_t rows, std::size_t columns, const std::string& unit);
  void put(std::uint64_t at, std::span<const double> values);
  void dataset(const std::string& path, const std::vector<std::string>& values);
  void dataset(const std::string& path, const std::vector<int>& values);
  void dataset(const std::string& path, std::size_t count, const std::function<int(std::size_t)>& value);

  // The values along a dimension of what is in a group and the groups in it: the coordinate of that name.
  void scale(const std::string& group, const std::string& label, DimensionScales::Values values);
  void attach_scales();  // when all datasets are there

  // Attributes of the root ("/"), a group or a dataset. Text may have any length.
  void attribute(const std::string& object, const std::string& name, const std::string& text);
  void attribute(const std::string& object, const std::string& name, std::span<const double> values);
  void attribute(const std::string& object, const std::string& name, const std::vector<std::string>& texts);
  void attribute(const std::string& object, const std::string& name, int number);
  void attribute(const std::string& object, const std::string& name, std::uint64_t number);
  void attribute(const std::string& object, const std::string& name, double number);

  void finish();  // nothing may be added then; with the checksum at its end, ready for target.commit()

 private:
  Handle create_dataset(const std::string& path, hid_t type, Extent extent, const std::string& unit, hid_t how = H5P_DEFAULT);
  void write_attribute(const std::string& object, const std::string& name, hid_t type, hid_t space, const void* data);
  Checksum sum_of_target() const;
  void read_target(std::uint64_t at, std::span<unsigned char> to) const;
  void copy_scratch();
  void check(bool ok, const std::string& what) const;  // throws WriteError

  AtomicFile& atomic_;
  std::string path_;
  Descriptor scratch_;  // where the target takes bytes in their order only
  Hdf5Target target_;
  Handle file_;
  Handle text_type_;
  Handle with_groups_;  // link creation that makes missing groups
  std::mutex putting_;
  DimensionScales scales_;
};

}  // namespace aleator::core::results
