// The numbers of a glTF file: one buffer, and accessors that say what is where in it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/json.hpp"

namespace aleator::core::report {

class GltfBuffer {
 public:
  enum class Target { none = 0, vertices = 34962, indices = 34963 };

  // Each returns the number of its accessor. `width` numbers make an element: 1, 3, 4, or 16 of a matrix.
  int floats(std::span<const float> values, int width, Target target);  // with minimum and maximum
  int indices(std::span<const std::uint32_t> values);                   // of triangles
  int joints(std::span<const std::uint32_t> values);                    // four for each vertex, below 65536

  std::span<const unsigned char> bytes() const { return bytes_; }  // a multiple of four
  void write_views(Json& j) const;                                 // the values of "bufferViews" and "accessors"
  void write_accessors(Json& j) const;

 private:
  enum class Component { unsigned_short = 5123, unsigned_int = 5125, single = 5126 };
  struct Accessor {
    std::size_t offset, length, count;
    int width;
    Component component;
    Target target;
    std::vector<float> minimum, maximum;
  };
  template <class T>
  int add(std::span<const T> values, int width, Component component, Target target);

  std::vector<unsigned char> bytes_;
  std::vector<Accessor> accessors_;  // each has a view of its own
};

}  // namespace aleator::core::report
