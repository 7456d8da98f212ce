// Every file of the corpora of fuzz/, findings among them, goes through the function that is fuzzed with it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "../../fuzz/entry.hpp"
#include "support/model_text.hpp"
#include "support/places.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

TEST(FuzzCorpus, is_read_or_refused) {
  for (const fuzz::Target& target : fuzz::targets) {
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(source_folder() + "/fuzz/corpus/" + target.name)) {
      SCOPED_TRACE(entry.path());
      EXPECT_NO_THROW(target.run(text_of_file(entry.path().string())));
      ++files;
    }
    EXPECT_GT(files, 0) << target.name;
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
