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

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::report
