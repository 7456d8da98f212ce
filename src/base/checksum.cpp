#include "base/checksum.hpp"

#include <bit>
#include <cassert>
#include <cstring>

namespace aleator::core {
namespace {

static_assert(std::endian::native == std::endian::little, "words are taken as they lie in memory");

constexpr std::uint64_t golden = 0x9e3779b97f4a7c15u;  // 2⁶⁴ over the golden ratio

// The end of splitmix64 (Steele, Lea and Flood 2014).
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

std::uint64_t word_at(const unsigned char* from, std::size_t size = sizeof(std::uint64_t)) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, size);
  return word;
}

}  // namespace

void Checksum::add(std::span<const unsigned char> bytes) {
  constexpr std::size_t size = sizeof(std::uint64_t);
  assert(length_ % size == 0);
  std::uint64_t place = (length_ / size + 1) * golden;
  length_ += bytes.size();
  const unsigned char *at = bytes.data(), *end = at + bytes.size() / size * size;
  for (; at != end; at += size, place += golden) sum_ += mix(word_at(at) + place);
  if (const std::size_t rest = bytes.size() % size; rest > 0) sum_ += mix(word_at(at, rest) + place);
}

std::uint64_t checksum(std::span<const unsigned char> bytes) {
  Checksum all;
  all.add(bytes);
  return all.value();
}

}  // namespace aleator::core
