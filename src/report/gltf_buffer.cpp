#include "report/gltf_buffer.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace aleator::core::report {

static_assert(std::endian::native == std::endian::little, "glTF is little-endian");

template <class T>
int GltfBuffer::add(std::span<const T> values, int width, Component component, Target target) {
  const std::size_t offset = bytes_.size(), length = values.size_bytes();
  bytes_.resize((offset + length + 3) / 4 * 4);
  if (length > 0) std::memcpy(bytes_.data() + offset, values.data(), length);
  accessors_.push_back({offset, length, values.size() / std::size_t(width), width, component, target, {}, {}});
  return int(accessors_.size()) - 1;
}

int GltfBuffer::floats(std::span<const float> values, int width, Target target) {
  const int number = add(values, width, Component::single, target);
  Accessor& a = accessors_.back();
  const std::size_t w = std::size_t(width);
  a.minimum.assign(values.begin(), values.begin() + width);
  a.maximum = a.minimum;
  for (std::size_t i = 0; i < values.size(); ++i) {
    a.minimum[i % w] = std::min(a.minimum[i % w], values[i]);
    a.maximum[i % w] = std::max(a.maximum[i % w], values[i]);
  }
  return number;
}

int GltfBuffer::indices(std::span<const std::uint32_t> values) {
  const bool small = std::all_of(values.begin(), values.end(), [](std::uint32_t k) { return k < 65535; });
  if (!small) return add(values, 1, Component::unsigned_int, Target::indices);
  const std::vector<std::uint16_t> narrow(values.begin(), values.end());
  return add(std::span(narrow), 1, Component::unsigned_short, Target::indices);
}

int GltfBuffer::joints(std::span<const std::uint32_t> values) {
  const std::vector<std::uint16_t> narrow(values.begin(), values.end());
  return add(std::span(narrow), 4, Component::unsigned_short, Target::vertices);
}

void GltfBuffer::write_views(Json& j) const {
  j.array();
  for (const Accessor& a : accessors_) {
    j.object().key("buffer").number(0).key("byteOffset").number(double(a.offset)).key("byteLength").number(double(a.length));
    if (a.target != Target::none) j.key("target").number(int(a.target));
    j.end();
  }
  j.end();
}

void GltfBuffer::write_accessors(Json& j) const {
  j.array();
  for (std::size_t k = 0; k < accessors_.size(); ++k) {
    const Accessor& a = accessors_[k];
    const char* type = a.width == 16 ? "MAT4" : a.width == 4 ? "VEC4" : a.width == 3 ? "VEC3" : "SCALAR";
    j.object().key("bufferView").number(double(k)).key("componentType").number(int(a.component));
    j.key("count").number(double(a.count)).key("type").string(type);
    if (!a.minimum.empty()) j.key("min").numbers(a.minimum).key("max").numbers(a.maximum);
    j.end();
  }
  j.end();
}

}  // namespace aleator::core::report
