// The counter-based generator: published vectors, and what a stream depends on.
#include "uncertainty/stream.hpp"

#include <Random123/philox.h>
#include <gtest/gtest.h>

#include <set>

namespace aleator::core {
namespace ALEATOR_FILE {

// Known answers of Philox4x64-10: kat_vectors of Random123 (Salmon et al. 2011).
struct KnownAnswer {
  std::array<std::uint64_t, 4> counter;
  std::array<std::uint64_t, 2> key;
  std::array<std::uint64_t, 4> words;
};
constexpr std::uint64_t ones = ~std::uint64_t{0};
const KnownAnswer known_answers[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b}},
    {{ones, ones, ones, ones}, {ones, ones}, {0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0}},
    {{0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89},
     {0x452821e638d01377, 0xbe5466cf34e90c6c},
     {0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6}},
};

std::array<std::uint64_t, 4> philox(const std::array<std::uint64_t, 4>& c, const std::array<std::uint64_t, 2>& k) {
  const auto r =
      r123::Philox4x64{}(r123::Philox4x64::ctr_type{{c[0], c[1], c[2], c[3]}}, r123::Philox4x64::key_type{{k[0], k[1]}});
  return {r[0], r[1], r[2], r[3]};
}

TEST(UncertaintyStream, generator_gives_the_published_words) {
  for (const KnownAnswer& a : known_answers) EXPECT_EQ(philox(a.counter, a.key), a.words);
}

// A uniform number is its word over 2⁶⁴, to the spacing of the numbers (2⁻⁵³) and the half that keeps it off 0.
constexpr double spacing = 0x1p-52;

TEST(UncertaintyStream, numbers_are_the_words_of_counter_and_key) {
  Stream zero(0, 0, 0);
  for (const std::uint64_t word : known_answers[0].words)
    EXPECT_NEAR(zero.uniform(), static_cast<double>(word) * 0x1p-64, spacing);
  Stream stream(11, 12, 13, 14);
  for (std::uint64_t block = 0; block < 3; ++block)
    for (const std::uint64_t word : philox({block, 12, 13, 14}, {11, 0}))
      EXPECT_NEAR(stream.uniform(), static_cast<double>(word) * 0x1p-64, spacing);
}

TEST(UncertaintyStream, every_part_of_its_name_gives_another_stream) {
  std::set<double> first;
  for (const std::uint64_t seed : {0u, 1u, 7u})
    for (const std::uint64_t realization : {0u, 1u, 7u})
      for (const std::uint64_t quantity : {std::uint64_t{0}, quantity_key("mass"), quantity_key("length")})
        for (const std::uint64_t replicate : {0u, 1u, 7u}) first.insert(Stream(seed, realization, quantity, replicate).uniform());
  EXPECT_EQ(first.size(), 81u);
}

TEST(UncertaintyStream, streams_do_not_affect_each_other) {
  Stream alone(1, 2, quantity_key("mass"));
  std::vector<double> expected;
  for (int i = 0; i < 50; ++i) expected.push_back(alone.uniform());
  Stream mass(1, 2, quantity_key("mass")), length(1, 2, quantity_key("length"));
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(mass.uniform(), expected[i]);
    for (int j = 0; j < i % 4; ++j) length.gamma(0.3 + j);
  }
  // A copy goes on where its original was.
  Stream original(3, 4, 5);
  original.normal();
  Stream copy = original;
  for (int i = 0; i < 20; ++i) EXPECT_EQ(copy.uniform(), original.uniform());
}

TEST(UncertaintyStream, keys_of_names_are_the_published_hash) {
  // FNV-1a, 64 bit: vectors of its authors.
  EXPECT_EQ(quantity_key(""), 0xcbf29ce484222325u);
  EXPECT_EQ(quantity_key("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(quantity_key("foobar"), 0x85944171f73967e8u);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
