// Files of studies that hold less than usual, and files that are none.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "results/journal.hpp"
#include "results/read.hpp"
#include "results/study_store.hpp"
#include "results/write.hpp"
#include "support/message_of.hpp"
#include "support/model_text.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::results {
namespace ALEATOR_FILE {

using test::message_of;
using test::TemporaryFolder;
using test::text_of_file;

using Texts = std::vector<std::string>;

// Statistics alone: of two realizations nothing is kept but that they were there.
StudyResult statistics_alone() {
  StudyResult r;
  r.nominal.time = {0, 1};
  r.nominal.channels = {{"angle", "rad"}};
  r.nominal.values = {0, 1};
  r.columns = {{"mass", "kg", "gamma"}};
  r.planned = r.done = 2;
  r.ok = {1, 1};
  const std::vector<double> x = {0, 1};
  r.statistics.channels = {{x, x, x, x, x, x, x, x, x, x, x}};
  r.statistics.scalars = {{.name = "top", .unit = "rad", .kind = "maximum", .channel = "angle"}};
  return r;
}

std::string message_of(const std::string& path) {
  return message_of<ReadError>([&] { StudyReader{path}; });
}

TEST(StudyReader, finds_no_responses_where_statistics_alone_were_kept) {
  const TemporaryFolder folder;
  write_study(folder / "results.h5", statistics_alone(), {});
  const StudyReader file(folder / "results.h5");
  EXPECT_EQ(file.samples(), 0);
  EXPECT_TRUE(file.complete());
  EXPECT_TRUE(file.has("/responses"));
  EXPECT_FALSE(file.has("/responses/angle"));
  EXPECT_TRUE(file.children("/responses").empty());
  EXPECT_TRUE(file.numbers("/samples/inputs").empty());
  EXPECT_EQ(file.texts_attribute("/samples/inputs", "columns"), Texts{"mass"});
  EXPECT_EQ(file.numbers("/samples/status"), (std::vector<double>{0, 0}));
  EXPECT_EQ(file.numbers("/statistics/angle/upper"), (std::vector<double>{0, 1}));
  EXPECT_EQ(file.children("/scalars"), Texts{"top"});
  EXPECT_FALSE(file.has("/scalars/top/values"));
  EXPECT_FALSE(file.has("/sobol"));
  EXPECT_FALSE(file.has("/motion/realizations"));
  EXPECT_TRUE(file.texts("/samples/failures/reason").empty());
}

TEST(StudyReader, knows_what_is_there) {
  const TemporaryFolder folder;
  write_study(folder / "results.h5", statistics_alone(), {});
  const StudyReader file(folder / "results.h5");
  EXPECT_TRUE(file.has("/"));
  EXPECT_TRUE(file.has("/statistics/angle/mean"));
  EXPECT_FALSE(file.has("/none/at/all"));
  EXPECT_TRUE(file.children("/none").empty());
  EXPECT_EQ(file.children("/statistics"), Texts{"angle"});
  EXPECT_TRUE(file.texts_attribute("/", "none").empty());
  const std::string begin = "cannot read '" + folder / "results.h5" + "': ";
  EXPECT_EQ(message_of<ReadError>([&] { file.numbers("/none"); }), begin + "it has no /none");
  EXPECT_EQ(message_of<ReadError>([&] { file.texts("/none"); }), begin + "it has no /none");
  EXPECT_EQ(message_of<ReadError>([&] { file.row("/none", 0); }), begin + "it has no /none");
  EXPECT_EQ(message_of<ReadError>([&] { file.number_attribute("/", "none"); }), begin + "it has no attribute none of /");
  EXPECT_EQ(message_of<ReadError>([&] { file.row("/samples/inputs", 0); }), begin + "/samples/inputs has no row 0");
  EXPECT_EQ(message_of<ReadError>([&] { file.row("/motion/nominal", 0); }), begin + "/motion/nominal has no row 0");  // no table
}

// Names the file itself uses elsewhere; a study of hours should not end with a refusal.
TEST(StudyReader, outputs_and_scalars_may_have_any_name_of_the_language) {
  const TemporaryFolder folder;
  for (const char* name : {"realizations", "bodies", "limits", "values", "mean", "time", "-", "_", "e-1", "a--b__c"}) {
    StudyResult r = statistics_alone();
    r.nominal.channels[0].name = r.statistics.scalars[0].name = name;
    r.statistics.convergence = {{1, 2}, {{3, 4}}};
    r.statistics.shares.groups = {"mass"};
    r.statistics.shares.of = {{{{0, 1}, {0, 1}, {1, 0}, {1, 0}}}};
    write_study(folder / "results.h5", r, {});
    const StudyReader file(folder / "results.h5");
    EXPECT_EQ(file.numbers(std::string("/convergence/") + name), (std::vector<double>{3, 4})) << name;
    EXPECT_EQ(file.numbers(std::string("/sobol/") + name + "/first"), (std::vector<double>{0, 1})) << name;
    EXPECT_EQ(file.children("/scalars"), Texts{name});
  }
}

TEST(StudyReader, an_empty_study_is_still_a_file) {
  const TemporaryFolder folder;
  write_study(folder / "results.h5", StudyResult{}, {});
  const StudyReader file(folder / "results.h5");
  EXPECT_TRUE(file.outputs().empty());
  EXPECT_EQ(file.samples(), 0);
}

TEST(StudyReader, takes_a_folder) {
  const TemporaryFolder folder;
  StudyResult partial = statistics_alone();
  partial.planned = 5;
  write_study(folder / "partial.h5", partial, {});
  Journal::create(StudyStore::file_in(folder / "."), "a");  // an interrupted run leaves both
  EXPECT_EQ(StudyReader(folder / "").path(), folder / "/partial.h5");
  EXPECT_FALSE(StudyReader(folder / ".").complete());
  write_study(folder / "results.h5", statistics_alone(), {});
  EXPECT_EQ(StudyReader(folder / "").path(), folder / "/partial.h5");  // results of an earlier run: the latest counts
  std::filesystem::remove(folder / "partial.h5");
  EXPECT_EQ(StudyReader(folder / ".").path(), folder / "./results.h5");
  EXPECT_TRUE(StudyReader(folder / ".").complete());
}

TEST(StudyReader, says_what_is_wrong) {
  const TemporaryFolder folder;
  testing::internal::CaptureStderr();
  EXPECT_EQ(message_of(folder / "none.h5"), "cannot read '" + folder / "none.h5" + "': it does not exist");
  const std::string longest(5000, 'a');
  EXPECT_EQ(message_of(longest), "cannot read '" + longest + "': File name too long");
  EXPECT_THROW(StudyReader(folder / ".", StudyReader::Accept::any), ReadError);
  std::ofstream(folder / "text.h5") << "time,angle\n";
  EXPECT_EQ(message_of(folder / "text.h5"), "cannot read '" + folder / "text.h5" + "': it is not an HDF5 file");
  std::ofstream(folder / "empty.h5");
  EXPECT_EQ(message_of(folder / "empty.h5"), "cannot read '" + folder / "empty.h5" + "': it is not an HDF5 file");
  write_nominal(folder / "nominal.h5", results::Run{}, {});
  EXPECT_EQ(message_of(folder / "nominal.h5"),
            "cannot read '" + folder / "nominal.h5" + "': it is not the result of a study (aleator run)");
  EXPECT_EQ(message_of(folder / "."), "cannot read '" + folder / "." + "': it has no results.h5 (of aleator run)");
  Journal::create(StudyStore::file_in(folder / "."), "a");
  EXPECT_EQ(message_of(folder / "."),
            "cannot read '" + folder / "." +
                "': its run was cut short after 0 simulations; nothing of it is lost, continue it with run --resume");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");  // HDF5 likes to talk
}

// A file cut short, as a copy that was interrupted leaves it.
TEST(StudyReader, half_a_file_is_an_error) {
  const TemporaryFolder folder;
  write_study(folder / "results.h5", statistics_alone(), {});
  const std::string bytes = text_of_file(folder / "results.h5");
  for (const std::size_t size : {bytes.size() / 8, bytes.size() / 2, bytes.size() - 1}) {
    std::ofstream(folder / "half.h5", std::ios::binary) << bytes.substr(0, size);
    EXPECT_EQ(message_of(folder / "half.h5"), "cannot read '" + folder / "half.h5" +
                                                  "': it was cut off: " + std::to_string(size) + " of " +
                                                  std::to_string(bytes.size()) + " bytes are there");
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::results
