// The corpus of the fuzz targets of results files, replayed without a fuzzer.
#include <gtest/gtest.h>

#include <filesystem>

#include "../fuzz/entry_results.hpp"
#include "support/places.hpp"

namespace aleator::core::fuzz {
namespace ALEATOR_FILE {

void replay(const char* target, void (*run)(std::string_view)) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::source_folder() + "/fuzz/corpus/" + target)) {
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(in), {});
    EXPECT_NO_THROW(run(bytes)) << entry.path();
    ++count;
  }
  EXPECT_GT(count, 2);
}

TEST(Corpus, of_results) { replay("results", results); }
TEST(Corpus, of_the_trailer) { replay("trailer", trailer); }
TEST(Corpus, of_the_journal) { replay("journal", journal); }
TEST(Corpus, of_requests) { replay("request", request); }

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::fuzz
