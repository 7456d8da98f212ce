#include "base/base64.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace aleator::core::report {
namespace ALEATOR_FILE {

std::string encoded(std::string_view text) { return base64({reinterpret_cast<const unsigned char*>(text.data()), text.size()}); }

// The examples of RFC 4648, section 10.
TEST(Base64, ExamplesOfTheStandard) {
  EXPECT_EQ(encoded(""), "");
  EXPECT_EQ(encoded("f"), "Zg==");
  EXPECT_EQ(encoded("fo"), "Zm8=");
  EXPECT_EQ(encoded("foo"), "Zm9v");
  EXPECT_EQ(encoded("foob"), "Zm9vYg==");
  EXPECT_EQ(encoded("fooba"), "Zm9vYmE=");
  EXPECT_EQ(encoded("foobar"), "Zm9vYmFy");
}

TEST(Base64, UsesAllDigits) {
  std::vector<unsigned char> bytes;  // the six-bit numbers 0 to 63 in a row
  for (unsigned k = 0; k < 64; k += 4) {
    const unsigned group = k << 18 | (k + 1) << 12 | (k + 2) << 6 | (k + 3);
    for (const int shift : {16, 8, 0}) bytes.push_back(static_cast<unsigned char>(group >> shift));
  }
  EXPECT_EQ(base64(bytes), "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
}

TEST(Base64, ThereAndBack) {
  std::string all, back;
  for (int k = 0; k < 256; ++k) {
    EXPECT_TRUE(from_base64(encoded(all), back)) << k;
    EXPECT_EQ(back, all) << k;
    all += static_cast<char>(k);
  }
  for (const char* wrong : {"Zg=", "Zg==Zg==", "Z===", "Zm8!", "====", "Z\xC3\xA9=="})
    EXPECT_FALSE(from_base64(wrong, back)) << wrong;
}

// Files of a model in a results file: text as it is, other bytes as a data URI.
TEST(Base64, BytesAsText) {
  using namespace std::string_literals;
  EXPECT_EQ(bytes_as_text("0, 1\n2, 3\n"), "0, 1\n2, 3\n");
  EXPECT_EQ(bytes_as_text("a\0b"s), "data:application/octet-stream;base64,YQBi");
  for (const std::string& bytes : {"plain"s, "Würfel"s, "\xFF\xFE"s, "a\0b"s, ""s, "data:application/octet-stream;base64,YQBi"s})
    EXPECT_EQ(bytes_of_text(bytes_as_text(bytes)), bytes);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::report
