// Random numbers of one quantity in one realization. Counter-based (Philox4x64-10): the numbers depend on the seed, the
// realization, the quantity and the replicate alone, not on what was drawn before, on which thread, or how many others exist.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace aleator::core {

// Which quantity: a hash of its name (FNV-1a), so that adding another random quantity leaves the numbers of this one alone.
constexpr std::uint64_t quantity_key(std::string_view name) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return h;
}

class Stream {
 public:
  // Replicates are independent copies of the whole study (pick-freeze estimators of variance shares need two).
  Stream(std::uint64_t seed, std::uint64_t realization, std::uint64_t quantity, std::uint64_t replicate = 0);

  double uniform();            // in ]0, 1[: (k + 1/2) 2⁻⁵² with 52 bits k, so that neither end can be reached by rounding
  double normal();             // Box & Muller
  double gamma(double shape);  // rate 1; Marsaglia & Tsang (2000), shape > 0

 private:
  std::array<std::uint64_t, 4> counter_;  // block, realization, quantity, replicate
  std::array<std::uint64_t, 2> key_;
  std::array<std::uint64_t, 4> words_{};
  int used_ = 4;
};

}  // namespace aleator::core
