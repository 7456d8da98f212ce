#include "reliability/normal_numbers.hpp"

#include <Random123/philox.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/array_functions.hpp"

namespace aleator::core::reliability {
namespace {

enum NumberKind : std::uint64_t { of_normals, of_words };

// Distinct from those of other streams of the engine by the second word of the key.
r123::Philox4x64::ctr_type philox_block(const Source& s, NumberKind kind, std::uint64_t number) {
  return r123::Philox4x64{}(r123::Philox4x64::ctr_type{{number, s.stream, s.purpose, kind}},
                            r123::Philox4x64::key_type{{s.seed, 2}});
}

double uniform_of(std::uint64_t word) { return (static_cast<double>(word >> 12) + 0.5) * 0x1p-52; }

// 128 numbers at a time, from number `first` on, a multiple of 4.
constexpr std::size_t pairs_at_once = 64;
void next_normals(const Source& source, std::uint64_t first, std::array<double, 2 * pairs_at_once>& out) {
  std::array<double, pairs_at_once> radius, angle, sine, cosine;
  for (std::size_t i = 0; i < pairs_at_once; i += 2) {
    const auto words = philox_block(source, of_normals, first / 4 + i / 2);
    for (std::size_t k = 0; k < 2; ++k) {
      radius[i + k] = -2 * std::log(uniform_of(words[2 * k]));
      angle[i + k] = 2 * std::numbers::pi * uniform_of(words[2 * k + 1]);
    }
  }
  square_roots(radius.data(), radius.data(), pairs_at_once);
  sines(angle.data(), sine.data(), pairs_at_once);
  cosines(angle.data(), cosine.data(), pairs_at_once);
  for (std::size_t i = 0; i < pairs_at_once; ++i) {
    out[2 * i] = radius[i] * cosine[i];
    out[2 * i + 1] = radius[i] * sine[i];
  }
}

}  // namespace

void fill_normals(const Source& source, std::span<double> out, std::uint64_t first) {
  std::array<double, 2 * pairs_at_once> some;
  std::uint64_t from = first - first % 4;
  std::size_t skipped = first % 4;
  for (std::size_t done = 0; done < out.size(); from += some.size(), skipped = 0) {
    next_normals(source, from, some);
    const std::size_t count = std::min(some.size() - skipped, out.size() - done);
    std::copy_n(some.begin() + static_cast<std::ptrdiff_t>(skipped), count, out.begin() + static_cast<std::ptrdiff_t>(done));
    done += count;
  }
}

std::uint64_t random_word(const Source& source, std::uint64_t index) {
  return philox_block(source, of_words, index / 4)[index % 4];
}

double uniform_number(const Source& source, std::uint64_t index) { return uniform_of(random_word(source, index)); }

}  // namespace aleator::core::reliability
