#include "report/page_block.hpp"

#include <bit>
#include <cstring>

namespace aleator::core::report {

static_assert(std::endian::native == std::endian::little, "pages are little-endian");

void PageBlock::put(Json& j, const void* data, std::size_t size, std::size_t length, std::string_view type) {
  const std::size_t at = (bytes_.size() + 7) / 8 * 8;
  bytes_.resize(at + size * length);
  if (length > 0) std::memcpy(bytes_.data() + at, data, size * length);
  j.object().key("at").number(double(at)).key("length").number(double(length)).key("type").string(type).end();
}

void PageBlock::exact(Json& j, std::span<const double> values) { put(j, values.data(), sizeof(double), values.size(), "f64"); }

void PageBlock::drawn(Json& j, std::span<const double> values) {
  const std::vector<float> small(values.begin(), values.end());
  put(j, small.data(), sizeof(float), small.size(), "f32");
}

void PageBlock::whole(Json& j, std::span<const std::uint32_t> values) {
  put(j, values.data(), sizeof(std::uint32_t), values.size(), "u32");
}

}  // namespace aleator::core::report
