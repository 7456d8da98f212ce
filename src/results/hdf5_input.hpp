// HDF5 files read with care: bytes are checked before HDF5 sees them, and what HDF5 offers is checked before it is taken. All is
// in the file itself (no links, no data elsewhere), and nothing is larger than the file could hold. Failures throw ReadError.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results/hdf5_file.hpp"

namespace aleator::core::results {

class Hdf5Input {
 public:
  Hdf5Input(std::string path, bool trust);  // trust: also without a checksum

  const std::string& path() const { return path_; }

  // Paths are absolute.
  bool has(const std::string& object) const;
  bool has_attribute(const std::string& object, const std::string& name) const;
  // In the order they were written, without scales of dimensions; none if it is no group.
  std::vector<std::string> children(const std::string& group) const;
  std::vector<std::string> attributes(const std::string& object) const;  // their names

  // Where numbers or texts are.
  enum class Kind { numbers, texts, any };
  Handle dataset(const std::string& object, Kind kind) const;
  Handle attribute(const std::string& object, const std::string& name, Kind kind) const;

  std::vector<std::string> texts(hid_t dataset, const std::string& object) const;
  std::vector<std::string> attribute_texts(hid_t attribute, const std::string& what) const;

  [[noreturn]] void fail(const std::string& what) const;

 private:
  void check_type(hid_t type, Kind kind, const std::string& what) const;
  void check_storage(hid_t dataset, const std::string& object) const;
  Handle open_object(const std::string& object) const;

  std::string path_;
  Handle file_;
  std::uint64_t size_ = 0;  // bytes
};

std::vector<hsize_t> extent_of(hid_t space);

}  // namespace aleator::core::results
