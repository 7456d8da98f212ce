// One description feeds reader, schema and documentation: what is in the repository is what the field tables say.
// docs/update-reference.sh writes both files anew.
#include <gtest/gtest.h>

#include "input/schema.hpp"
#include "model/language.hpp"
#include "published/example_text.hpp"

namespace aleator::test {
namespace {

const std::string root = ALEATOR_SOURCE_DIR;
const char* const remedy = " differs from what the program says of its language; run docs/update-reference.sh";

TEST(LanguageDocuments, the_schema_is_that_of_the_reader) {
  EXPECT_TRUE(text_of_file(root + "/schema/aleator.schema.json") == input::json_schema(language()))
      << "schema/aleator.schema.json" << remedy;
}

TEST(LanguageDocuments, the_reference_is_that_of_the_reader) {
  const std::string page = text_of_file(root + "/docs/model-language.md"), begin = "<!-- reference: begin -->\n",
                    end = "<!-- reference: end -->\n";
  const size_t from = page.find(begin), to = page.find(end);
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  EXPECT_TRUE(page.substr(from + begin.size(), to - from - begin.size()) == input::markdown_reference(language()))
      << "docs/model-language.md" << remedy;
}

}  // namespace
}  // namespace aleator::test
