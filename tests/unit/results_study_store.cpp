// What a study in the making leaves in its folder: new, continued, begun again, refused.
#include "results/study_store.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/errors.hpp"
#include "support/model_text.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::results {
namespace ALEATOR_FILE {

using test::TemporaryFolder;
using test::text_of_file;

using Start = StudyStore::Start;
using Texts = std::vector<std::string>;

// What the hooks were told.
struct Heard {
  std::vector<std::int64_t> rows;
  std::vector<std::string> why;
  long next_row = -1;
  std::vector<double> state;
  StudyStore::Hooks hooks() {
    return {.replay =
                [this](JournalRecord&& r) {
                  EXPECT_EQ(next_row, -1) << "failed rows come before the state";
                  rows.push_back(r.row);
                  why.push_back(r.why);
                },
            .restore =
                [this](long next, std::span<const double> s) {
                  next_row = next;
                  state.assign(s.begin(), s.end());
                },
            .progress_words = [](long n, const std::string&) { return std::to_string(n) + " of 9 realizations"; }};
  }
};

// A state of these numbers.
auto numbers(const std::vector<double>& all) {
  return [all](const Journal::PutNumbers& put) { put(all); };
}

JournalRecord row(int k, const std::string& why = "") {
  return {.row = k, .ok = why.empty(), .why = why, .sample = {1.0 * k}, .values = {2.0 * k}, .poses = {}};
}

std::string message(const std::string& folder, const std::string& identity, bool keep_all, Start start) {
  Heard heard;
  try {
    const StudyStore store(folder, identity, keep_all, start, heard.hooks());
  } catch (const WriteError& e) {
    EXPECT_TRUE(heard.rows.empty() && heard.next_row == -1) << "nothing of a study that is refused";
    return e.what();
  }
  return "nothing was thrown";
}

class StudyStoreTest : public testing::Test {
 protected:
  TemporaryFolder temporary;
  const std::string folder = temporary / "out", file = StudyStore::file_in(folder);
  StudyStoreTest() { std::filesystem::create_directory(folder); }
  StudyStore open(bool keep_all, Start start, Heard& heard, const std::string& identity = "a") const {
    return {folder, identity, keep_all, start, heard.hooks()};
  }
};

TEST_F(StudyStoreTest, a_new_study_leaves_a_journal_until_it_is_finished) {
  Heard heard;
  StudyStore store = open(true, Start::fresh, heard);
  EXPECT_EQ(file, folder + "/unfinished.journal");
  EXPECT_TRUE(std::filesystem::exists(file));
  store.append(row(0));
  store.sync();
  store.remove();
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  EXPECT_TRUE(heard.rows.empty());
}

TEST_F(StudyStoreTest, a_study_is_continued_with_all_its_rows) {
  Heard first, second, third;
  open(true, Start::fresh, first).append(row(0));
  {
    StudyStore store = open(true, Start::resume, second);
    store.append(row(1, "it broke"));
    store.append(row(2));
  }
  EXPECT_EQ(second.rows, std::vector<std::int64_t>{0});
  open(true, Start::resume, third);
  EXPECT_EQ(third.rows, (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(third.why, (Texts{"", "it broke", ""}));
  EXPECT_EQ(third.next_row, -1);
}

TEST_F(StudyStoreTest, to_continue_what_is_not_there_is_to_begin) {
  Heard heard;
  open(true, Start::resume, heard).append(row(0));
  EXPECT_TRUE(heard.rows.empty());
  EXPECT_TRUE(std::filesystem::exists(file));
}

TEST_F(StudyStoreTest, an_unfinished_study_is_not_dropped_unasked) {
  Heard heard;
  {
    StudyStore store = open(true, Start::fresh, heard);
    for (int k = 0; k < 3; ++k) store.append(row(k));
  }
  const std::string before = text_of_file(file);
  EXPECT_EQ(
      message(folder, "a", true, Start::fresh),
      "cannot write '" + folder +
          "': it holds an unfinished run (3 of 9 realizations); continue it with --resume, or start again with --overwrite");
  EXPECT_EQ(
      message(folder, "b", true, Start::resume),
      "cannot write '" + folder +
          "': the unfinished run there is of another model, other settings or another version; `aleator resume` with --force "
          "continues it as it began, --overwrite starts again:\nidentity: a → b\n");
  EXPECT_EQ(text_of_file(file), before);
  open(true, Start::overwrite, heard, "b");
  EXPECT_TRUE(heard.rows.empty());
  open(true, Start::resume, heard, "b");  // nothing of the older one
  EXPECT_TRUE(heard.rows.empty());
}

TEST_F(StudyStoreTest, two_runs_do_not_share_a_folder) {
  Heard heard;
  StudyStore store = open(false, Start::fresh, heard);
  const std::string refused = "cannot write '" + file + "': another run is writing into this folder";
  EXPECT_EQ(message(folder, "a", false, Start::resume), refused);
  EXPECT_EQ(message(folder, "a", false, Start::overwrite), refused);
  store.save_state(4, numbers({1, 2}));  // replaces the file: the new one is locked too
  EXPECT_EQ(message(folder, "a", false, Start::resume), refused);
  EXPECT_EQ(message(folder, "a", false, Start::overwrite), refused);
}

TEST_F(StudyStoreTest, a_state_is_continued_with_its_failed_rows) {
  Heard first, second, third;
  {
    StudyStore store = open(false, Start::fresh, first);
    store.append(row(1, "one"));
    store.save_state(4, numbers({1, 2, 3}));
    store.append(row(5, "five"));
    store.save_state(8, numbers({4, 5}));
    store.append(row(8, "after the state: it will fail again"));
  }
  EXPECT_EQ(
      message(folder, "a", false, Start::fresh),
      "cannot write '" + folder +
          "': it holds an unfinished run (8 of 9 realizations); continue it with --resume, or start again with --overwrite");
  {
    StudyStore store = open(false, Start::resume, second);
    EXPECT_EQ(second.rows, (std::vector<std::int64_t>{1, 5}));
    EXPECT_EQ(second.why, (Texts{"one", "five"}));
    EXPECT_EQ(second.next_row, 8);
    EXPECT_EQ(second.state, (std::vector<double>{4, 5}));
    store.append(row(8, "eight"));
    store.save_state(9, numbers({6}));
  }
  open(false, Start::resume, third);
  EXPECT_EQ(third.why, (Texts{"one", "five", "eight"}));
  EXPECT_EQ(third.next_row, 9);
  EXPECT_EQ(third.state, std::vector<double>{6});
}

TEST_F(StudyStoreTest, before_the_first_state_there_is_nothing) {
  Heard first, second;
  open(false, Start::fresh, first).append(row(0, "lost with the rest"));
  StudyStore store = open(false, Start::resume, second);
  EXPECT_TRUE(second.rows.empty());
  EXPECT_EQ(second.next_row, -1);
  EXPECT_FALSE(store.state_due());  // only some seconds after it began
}

// Killed while it wrote the next state, before the renaming: the one before counts.
TEST_F(StudyStoreTest, a_state_in_the_making_is_ignored_and_cleared_away) {
  Heard first, second, third;
  open(false, Start::fresh, first).save_state(4, numbers({1, 2}));
  std::ofstream(file + ".new") << "half a st";
  {
    StudyStore store = open(false, Start::resume, second);
    EXPECT_EQ(second.next_row, 4);
    store.save_state(6, numbers({3}));
    EXPECT_FALSE(std::filesystem::exists(file + ".new"));
  }
  std::ofstream(file + ".new") << "half a st";
  StudyStore store = open(false, Start::resume, third);
  EXPECT_EQ(third.next_row, 6);
  store.remove();
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

TEST_F(StudyStoreTest, a_state_that_cannot_be_written_leaves_the_one_before) {
  Heard first, second;
  {
    StudyStore store = open(false, Start::fresh, first);
    store.save_state(4, numbers({1, 2}));
    std::filesystem::create_directory(file + ".new");  // no file can have this name
    EXPECT_THROW(store.save_state(6, numbers({3})), WriteError);
    std::filesystem::remove(file + ".new");
  }
  open(false, Start::resume, second);
  EXPECT_EQ(second.next_row, 4);
}

TEST_F(StudyStoreTest, a_folder_that_is_not_there_is_an_error) {
  EXPECT_EQ(message(temporary / "none", "a", true, Start::fresh),
            "cannot write '" + temporary / "none/unfinished.journal" + "': No such file or directory");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::results
