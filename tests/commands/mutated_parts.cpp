// Files of parts, and journals of unfinished studies, with a right checksum and wrong contents: `merge` and `resume` take them or
// say what is wrong with them. Nothing else is thrown.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include "cli/unstable.hpp"
#include "commands/silence.hpp"
#include "results/journal.hpp"
#include "results/part.hpp"
#include "results/study_store.hpp"
#include "support/model_text.hpp"
#include "support/results_mutation.hpp"
#include "support/sealed_file.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

std::string model(const std::string& study) { return replaced(unstable(study), "duration: 4", "duration: 0.4"); }

// Two parts of a study.
struct Parts {
  test::TemporaryFolder folder;
  std::string first = folder / "out/parts/1-of-2.h5", second = folder / "out/parts/2-of-2.h5";
  explicit Parts(const std::string& study) {
    std::ofstream(folder / "m.yaml") << model(study);
    for (const char* part : {"1/2", "2/2"}) {
      const Silence silence;
      code = std::max(code, run_command({"run", folder / "m.yaml", "--out", folder / "out", "--threads", "1", "--part", part}));
    }
  }
  int code = 0;
};

using Codes = std::map<int, long>;
// 0 and 5: something else was computed; 2, 3 and 6: refused.
void expect_taken_or_refused(Codes& codes, long count) {
  for (const auto& [code, n] : codes)
    EXPECT_TRUE(code == 0 || code == 2 || code == 3 || code == 5 || code == 6) << code << ": " << n;
  EXPECT_GT(codes[0] + codes[5], count / 50);
  EXPECT_GT(codes[3] + codes[6], count / 10);
}

void merge_mutated(const std::string& study) {
  const Parts parts(study);
  ASSERT_EQ(parts.code, 5);  // some realizations fail
  const std::vector<unsigned char> good = unsealed(parts.first);
  const std::string wrong = parts.folder / "wrong.h5";
  Codes codes;
  std::mt19937 random(20261116);
  const long count = mutations(200);
  for (long k = 0; k < count; ++k) {
    std::vector<std::uint8_t> decisions(2 + random() % 8);
    for (std::uint8_t& d : decisions) d = std::uint8_t(random());
    Choices choices(decisions);
    std::string what;
    write_sealed(wrong, k == 0 ? good : mutated(good, choices, what));
    try {
      const Silence silence;
      ++codes[run_command({"merge", wrong, parts.second, "-o", parts.folder / "joined/results.h5", "--no-report"})];
    } catch (const std::exception& e) {
      ADD_FAILURE() << k << ": " << e.what() << what;
    }
  }
  expect_taken_or_refused(codes, count);
}

TEST(MutatedParts, of_realizations) { merge_mutated("samples: 12"); }
TEST(MutatedParts, of_statistics) { merge_mutated("samples: 3000, keep: statistics"); }
TEST(MutatedParts, of_shares) { merge_mutated("samples: 12, sensitivity: true"); }

void mutate(results::JournalRecord& r, std::mt19937& random) {
  const double odd[] = {-1, 0.5, std::nan(""), INFINITY, 1e300, 1e15, 7, 0, 3, 1};
  const auto number = [&] { return odd[random() % std::size(odd)]; };
  const auto numbers = [&](std::vector<double>& x) {
    switch (random() % 4) {
      case 0:
        x.resize(random() % 20, number());
        break;
      case 1:
        x.push_back(number());
        break;
      case 2:
        x.clear();
        break;
      default:
        if (!x.empty()) x[random() % std::min<std::size_t>(x.size(), random() % 2 ? 8 : x.size())] = number();
    }
  };
  switch (random() % 6) {
    case 0:
      r.row = std::array<std::int64_t, 6>{-1, -2, 0, 5, 1'000'000, INT64_MAX}[random() % 6];
      break;
    case 1:
      r.ok = !r.ok;
      break;
    case 2:
      numbers(r.sample);
      break;
    case 3:
      numbers(r.poses);
      break;
    default:
      numbers(r.values);
  }
}

// A line of what the run was asked for.
std::string mutated_record(std::string text, std::mt19937& random) {
  const char* const odd[] = {"argument isa: abacus",
                             "argument part: 3/0",
                             "argument method: guessing",
                             "argument samples: 1e9",
                             "argument samples: -5",
                             "argument seed: 99999999999999999999",
                             "argument on-failure: cry",
                             "argument failed-at-most: 900 %",
                             "argument set: nobody=1",
                             "argument accuracy: none",
                             "text 99999999 m.yaml",
                             "nonsense",
                             "setting seed: 7"};
  const std::size_t begin = text.find("argument "), end = text.find('\n', begin);
  if (random() % 3 == 0) {
    text[random() % text.size()] = char(random());
  } else if (random() % 2 == 0) {
    text.resize(random() % text.size());
  } else {
    text.replace(begin, end - begin, odd[random() % std::size(odd)]);
  }
  return text;
}

// The journal that the first part had before it was finished.
void resume_mutated(const std::string& study) {
  const Parts parts(study);
  ASSERT_EQ(parts.code, 5);  // some realizations fail
  const results::PartFile part = results::read_part(parts.first);
  const std::string folder = parts.folder / "out/parts/1-of-2", path = results::StudyStore::file_in(folder);
  Codes codes;
  std::mt19937 random(20261116);
  const long count = mutations(200);
  for (long k = 0; k < count; ++k) {
    std::vector<results::JournalRecord> records = part.rows;
    if (!part.state.empty()) {
      std::vector<double> state = {double(part.header.end_row), 0, 0, 0};  // as session.cpp saves it: no budget was met
      state.insert(state.end(), part.state.begin(), part.state.end());
      records.push_back(
          {.row = -1, .ok = true, .why = "", .sample = {double(part.header.end_row)}, .values = state, .poses = {}});
    }
    if (random() % 3 == 0) records.resize(1 + random() % records.size());
    if (random() % 8 == 0) std::swap(records[random() % records.size()], records[random() % records.size()]);
    for (unsigned changes = 1 + random() % 2; k > 0 && changes > 0; --changes) mutate(records[random() % records.size()], random);
    std::filesystem::create_directories(folder);
    {
      const std::string& record = part.header.record;
      results::Journal journal = results::Journal::create(path, random() % 4 == 0 ? mutated_record(record, random) : record);
      for (const results::JournalRecord& r : records) journal.append(r);
    }
    try {
      const Silence silence;
      ++codes[run_command({"resume", folder, "--threads", "1", "--no-report"})];
    } catch (const std::exception& e) {
      ADD_FAILURE() << k << ": " << e.what();
    }
    std::filesystem::remove_all(folder);
  }
  expect_taken_or_refused(codes, count);
}

TEST(MutatedJournals, of_realizations) { resume_mutated("samples: 12"); }
TEST(MutatedJournals, of_statistics) { resume_mutated("samples: 3000, keep: statistics"); }
TEST(MutatedJournals, of_shares) { resume_mutated("samples: 12, sensitivity: true"); }

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
