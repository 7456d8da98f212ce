#include "processes/normals.hpp"

#include <Random123/philox.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "base/array_functions.hpp"

namespace aleator::core::processes {

namespace {

std::uint64_t hash(std::string_view name) {  // FNV-1a
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return h;
}

double uniform(std::uint64_t word) { return (static_cast<double>(word >> 12) + 0.5) * 0x1p-52; }

}  // namespace

void fill_normals(double draw, std::string_view name, std::span<double> out) {
  constexpr std::size_t pairs = 64;
  std::array<double, pairs> radius, angle, sine, cosine;
  const std::uint64_t key = std::bit_cast<std::uint64_t>(draw), who = hash(name);
  for (std::size_t first = 0; first < out.size(); first += 2 * pairs) {
    for (std::size_t i = 0; i < pairs; i += 2) {
      const auto words =
          r123::Philox4x64{}(r123::Philox4x64::ctr_type{{(first + 2 * i) / 4, who, 0, 0}}, r123::Philox4x64::key_type{{key, 1}});
      for (std::size_t k = 0; k < 2; ++k) {
        radius[i + k] = std::sqrt(-2 * std::log(uniform(words[2 * k])));
        angle[i + k] = 2 * std::numbers::pi * uniform(words[2 * k + 1]);
      }
    }
    sines(angle.data(), sine.data(), pairs);
    cosines(angle.data(), cosine.data(), pairs);
    for (std::size_t i = 0; i < pairs && first + 2 * i < out.size(); ++i) {
      out[first + 2 * i] = radius[i] * cosine[i];
      if (first + 2 * i + 1 < out.size()) out[first + 2 * i + 1] = radius[i] * sine[i];
    }
  }
}

}  // namespace aleator::core::processes
