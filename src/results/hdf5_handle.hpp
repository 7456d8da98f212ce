// Owned identifiers of HDF5.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <utility>

namespace aleator::core::results {

// Any HDF5 identifier, closed by the function that belongs to its kind.
class Handle {
 public:
  using Closer = herr_t (*)(hid_t);
  Handle(hid_t id, Closer closer) : id_(id), closer_(closer) {}
  ~Handle() {
    if (id_ >= 0) closer_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), closer_(other.closer_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(closer_, other.closer_);
    return *this;
  }
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
  Closer closer_;
};

Handle create_text_type();  // of any length, UTF-8, as h5py reads it into str
// How texts are written: converted in a small buffer. The library's own is a megabyte, cleared for every dataset.
Handle create_text_transfer();

// One dimension of a dataset: how long, and what it counts ("time", "sample").
struct Dimension {
  std::size_t length;
  const char* label;
};

}  // namespace aleator::core::results
