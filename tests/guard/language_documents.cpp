// One description feeds reader, schema and documentation: what is in the repository is what the field tables say.
// docs/update-reference.sh writes the files anew.
#include <gtest/gtest.h>

#include "inference/identification_file.hpp"
#include "input/schema.hpp"
#include "model/language.hpp"
#include "optimisation/design_file.hpp"
#include "support/model_text.hpp"
#include "support/places.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const std::string root = source_folder();
const char* const remedy = " differs from what the program says of its language; run docs/update-reference.sh";

struct Documents {
  const char *page, *schema;
  const input::Language& language;
};

class LanguageDocuments : public testing::TestWithParam<Documents> {};

TEST_P(LanguageDocuments, the_schema_is_that_of_the_reader) {
  const Documents& d = GetParam();
  EXPECT_TRUE(text_of_file(root + "/" + d.schema) == input::json_schema(d.language)) << d.schema << remedy;
}

TEST_P(LanguageDocuments, the_reference_is_that_of_the_reader) {
  const Documents& d = GetParam();
  const std::string page = text_of_file(root + "/" + d.page), begin = "<!-- reference: begin -->\n",
                    end = "<!-- reference: end -->\n";
  const size_t from = page.find(begin), to = page.find(end);
  ASSERT_NE(from, std::string::npos);
  ASSERT_NE(to, std::string::npos);
  EXPECT_TRUE(page.substr(from + begin.size(), to - from - begin.size()) == input::markdown_reference(d.language))
      << d.page << remedy;
}

INSTANTIATE_TEST_SUITE_P(all, LanguageDocuments,
                         testing::Values(Documents{"docs/model-language.md", "schema/aleator.schema.json", language()},
                                         Documents{"docs/identification-file.md", "schema/identification.schema.json",
                                                   inference::identification_language()},
                                         Documents{"docs/design-file.md", "schema/design.schema.json",
                                                   optimisation::design_language()}));

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
