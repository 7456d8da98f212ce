// The journal of a running study: what was finished is there again, whatever happened to the end of the file.
#include "results/journal.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>

#include "base/errors.hpp"
#include "support/message_of.hpp"
#include "support/model_text.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::results {
namespace ALEATOR_FILE {

using test::message_of;
using test::TemporaryFolder;
using test::text_of_file;

const std::string identity = "version 1\nmodel: a\n";

JournalRecord record(int k) {
  JournalRecord r{.row = k, .ok = k % 3 != 1, .why = "", .sample = {0.5 * k}, .values = {}, .poses = {}};
  if (!r.ok) r.why = "broke at t = 0." + std::to_string(k);
  for (int i = 0; r.ok && i < 2 + k; ++i) r.values.push_back(k + 0.1 * i);
  if (k == 0) r.poses = {1, 2, 3, 4, 5, 6, 7};
  return r;
}
bool operator==(const JournalRecord& a, const JournalRecord& b) {
  return a.row == b.row && a.ok == b.ok && a.why == b.why && a.sample == b.sample && a.values == b.values && a.poses == b.poses;
}

// A journal of n records; where each of them ends.
std::vector<std::size_t> write(const std::string& path, int n) {
  Journal j = Journal::create(path, identity);
  std::vector<std::size_t> ends = {text_of_file(path).size()};
  for (int k = 0; k < n; ++k) {
    j.append(record(k));
    ends.push_back(text_of_file(path).size());
  }
  return ends;
}
void put(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

std::vector<JournalRecord> read_all(const std::string& path) {
  std::vector<JournalRecord> all;
  EXPECT_EQ(Journal::read(path, [&](JournalRecord&& r) { all.push_back(std::move(r)); }), identity);
  return all;
}
void expect_records(const std::vector<JournalRecord>& found, std::size_t n, const std::string& where) {
  ASSERT_EQ(found.size(), n) << where;
  for (std::size_t k = 0; k < n; ++k) EXPECT_TRUE(found[k] == record(int(k))) << where << " " << k;
}
const auto ignore = [](JournalRecord&&) {};

// Where the numbers of a record are, of one that is appended and of one that is read: they need not be held.
TEST(Journal, numbers_can_be_read_from_where_they_are) {
  const TemporaryFolder folder;
  const std::string path = folder / "j";
  const auto check = [](const Journal& j, const std::vector<std::int64_t>& places) {
    for (int k = 0; k < int(places.size()); ++k) {
      const std::vector<double> values = record(k).values;
      std::vector<double> found(values.size());
      j.read_numbers(places[std::size_t(k)], found);
      EXPECT_EQ(found, values) << k;
      if (values.size() < 3) continue;
      found.resize(2);
      j.read_numbers(places[std::size_t(k)] + 8, found);
      EXPECT_EQ(found, (std::vector<double>{values[1], values[2]})) << k;
    }
  };
  std::vector<std::int64_t> places, again;
  {
    Journal j = Journal::create(path, identity);
    for (int k = 0; k < 9; ++k) {
      const JournalRecord r = record(k);
      places.push_back(j.append_soon(r.row, r.ok, r.why, r.sample, r.values, r.poses));
      if (k == 4) j.flush();
    }
    j.flush();
    check(j, places);
    std::vector<double> beyond(1000);
    EXPECT_THROW(j.read_numbers(places.back(), beyond), WriteError);
  }
  {
    Journal j = Journal::open(path, [&](JournalRecord&& r) { again.push_back(r.values_at); });
    EXPECT_EQ(again, places);
    for (int k = 9; k < 12; ++k) {
      const JournalRecord r = record(k);
      again.push_back(j.append_soon(r.row, r.ok, r.why, r.sample, r.values, r.poses));
    }
    j.flush();
    check(j, again);
  }
  expect_records(read_all(path), 12, "afterwards");
}

// A record that is put in pieces, larger than what is written at once, is the same as one that is put whole.
TEST(Journal, numbers_in_pieces) {
  const TemporaryFolder folder;
  std::vector<double> values(100001);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.5 * double(i);
  {
    Journal whole = Journal::create(folder / "whole", identity), pieces = Journal::create(folder / "pieces", identity);
    whole.append({.row = -1, .ok = true, .why = "", .sample = {7}, .values = values, .poses = {}});
    const double sample = 7;
    pieces.append_numbers(-1, {&sample, 1}, [&](const Journal::PutNumbers& put) {
      put(std::span(values).first(1));
      put({});
      put(std::span(values).subspan(1));
    });
    for (Journal* j : {&whole, &pieces}) j->append(record(2));
  }
  EXPECT_EQ(text_of_file(folder / "whole"), text_of_file(folder / "pieces"));
  EXPECT_EQ(read_all(folder / "pieces").size(), 2u);
}

TEST(Journal, gives_back_what_was_written) {
  const TemporaryFolder folder;
  const std::string path = folder / "j";
  write(path, 5);
  expect_records(read_all(path), 5, "all");
  std::vector<JournalRecord> found;
  Journal j = Journal::open(path, [&](JournalRecord&& r) { found.push_back(std::move(r)); });
  EXPECT_EQ(j.identity(), identity);
  expect_records(found, 5, "opened");
  j.append(record(5));
  j.sync();
  expect_records(read_all(path), 6, "appended");
  j.remove();
  EXPECT_TRUE(folder.files().empty());
  j.remove();  // gone already is as good
}

TEST(Journal, keeps_numbers_bit_by_bit) {
  const TemporaryFolder folder;
  JournalRecord r{.row = -1, .ok = true, .why = "", .sample = {}, .values = {}, .poses = {}};
  r.values = {std::numeric_limits<double>::quiet_NaN(), -0.0, std::numeric_limits<double>::denorm_min(),
              -std::numeric_limits<double>::infinity()};
  Journal::create(folder / "j", identity).append(r);
  const JournalRecord back = read_all(folder / "j").at(0);
  EXPECT_EQ(back.row, -1);
  ASSERT_EQ(back.values.size(), r.values.size());
  EXPECT_EQ(std::memcmp(back.values.data(), r.values.data(), r.values.size() * sizeof(double)), 0);
}

TEST(Journal, cut_at_any_byte_keeps_the_whole_records_before_and_goes_on) {
  const TemporaryFolder folder;
  const std::string path = folder / "j";
  const std::vector<std::size_t> ends = write(path, 3);
  const std::string bytes = text_of_file(path);
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    put(path, bytes.substr(0, cut));
    const std::string at = "cut at " + std::to_string(cut);
    if (cut < ends[0]) {  // not even its identity
      const std::string expected = "cannot write '" + path + "': its beginning is damaged; start again with --overwrite";
      EXPECT_EQ(message_of<WriteError>([&] { Journal::open(path, ignore); }), expected) << at;
      EXPECT_EQ(message_of<WriteError>([&] { Journal::read(path, ignore); }), expected) << at;
      EXPECT_EQ(text_of_file(path).size(), cut);  // nothing was touched
      continue;
    }
    const std::size_t whole = std::size_t(std::upper_bound(ends.begin(), ends.end(), cut) - ends.begin()) - 1;
    expect_records(read_all(path), whole, at);
    EXPECT_EQ(text_of_file(path).size(), cut) << at;  // looking changes nothing
    std::vector<JournalRecord> found;
    {
      Journal j = Journal::open(path, [&](JournalRecord&& r) { found.push_back(std::move(r)); });
      EXPECT_EQ(text_of_file(path).size(), ends[whole]) << at;
      for (int k = int(whole); k < 3; ++k) j.append(record(k));
    }
    expect_records(found, whole, at);
    EXPECT_EQ(text_of_file(path), bytes) << at;
  }
}

TEST(Journal, any_flipped_bit_is_noticed) {
  const TemporaryFolder folder;
  const std::string path = folder / "j";
  const std::vector<std::size_t> ends = write(path, 3);
  const std::string bytes = text_of_file(path);
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  const auto set = [&](std::size_t i, char byte) { file.seekp(std::streamoff(i)).put(byte).flush(); };
  for (std::size_t i = 0; i < bytes.size(); set(i, bytes[i]), ++i)
    for (int bit = 0; bit < 8; ++bit) {
      set(i, char(bytes[i] ^ (1 << bit)));
      const std::string at = "byte " + std::to_string(i) + " bit " + std::to_string(bit);
      if (i < ends[0]) {
        EXPECT_THROW(Journal::read(path, ignore), WriteError) << at;
        continue;
      }
      const std::size_t whole = std::size_t(std::upper_bound(ends.begin(), ends.end(), i) - ends.begin()) - 1;
      expect_records(read_all(path), whole, at);
    }
}

// What a power failure may leave of blocks that were promised but not written.
TEST(Journal, zeros_at_the_end_are_no_records) {
  const TemporaryFolder folder;
  const std::string path = folder / "j";
  write(path, 2);
  const std::string bytes = text_of_file(path);
  put(path, bytes + std::string(4096, '\0'));
  expect_records(read_all(path), 2, "zeros");
  Journal::open(path, ignore);
  EXPECT_EQ(text_of_file(path), bytes);
}

TEST(Journal, a_huge_length_asks_for_no_memory) {
  const TemporaryFolder folder;
  const std::string path = folder / "j";
  write(path, 2);
  const std::string bytes = text_of_file(path);
  for (const std::uint64_t length : {std::uint64_t(1) << 38, std::uint64_t(1) << 62, ~std::uint64_t(0), ~std::uint64_t(7)}) {
    put(path, bytes + std::string(reinterpret_cast<const char*>(&length), 8) + "rest");
    expect_records(read_all(path), 2, std::to_string(length));
  }
}

TEST(Journal, what_is_none_is_said_to_be_none) {
  const TemporaryFolder folder;
  put(folder / "j", "time,angle\n0,0\n1,1\n2,2\n3,3\n");
  EXPECT_EQ(message_of<WriteError>([&] { Journal::open(folder / "j", ignore); }),
            "cannot write '" + folder / "j" + "': it is not a journal of this program");
  EXPECT_EQ(message_of<WriteError>([&] { Journal::read(folder / "none", ignore); }),
            "cannot write '" + folder / "none" + "': No such file or directory");
  EXPECT_EQ(message_of<WriteError>([&] { Journal::create(folder / "none/j", identity); }),
            "cannot write '" + folder / "none/j" + "': No such file or directory");
}

TEST(Journal, one_at_a_time) {
  const TemporaryFolder folder;
  const std::string path = folder / "j", refused = "cannot write '" + path + "': another run is writing into this folder";
  {
    Journal first = Journal::create(path, identity);
    first.append(record(0));
    EXPECT_EQ(message_of<WriteError>([&] { Journal::open(path, ignore); }), refused);
    EXPECT_EQ(message_of<WriteError>([&] { Journal::create(path, "other"); }), refused);
    const pid_t child = fork();
    if (child == 0) _exit(message_of<WriteError>([&] { Journal::open(path, ignore); }) == refused ? 0 : 1);
    int status = -1;
    waitpid(child, &status, 0);
    // In the child the lock of the parent is inherited with its descriptor, and another opening conflicts with it all the same.
    EXPECT_EQ(status, 0);
    expect_records(read_all(path), 1, "looking is allowed, and nothing was lost");
    const Journal moved = std::move(first);
    EXPECT_EQ(message_of<WriteError>([&] { Journal::open(path, ignore); }), refused);
  }
  EXPECT_EQ(message_of<WriteError>([&] { Journal::open(path, ignore); }), "no error");
  EXPECT_EQ(Journal::create(path, identity).identity(), identity);
  EXPECT_TRUE(read_all(path).empty());
}

// A full disk, played by a limit on the size of files.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(std::size_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit{bytes, old_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit old_{};
  void (*handler_)(int);
};

TEST(Journal, a_full_disk_is_an_error_and_leaves_whole_records) {
  const TemporaryFolder folder;
  const std::string path = folder / "j", reason = "cannot write '" + path + "': File too large";
  const std::vector<std::size_t> ends = write(path, 3);
  for (std::size_t room = ends[2]; room < ends[3]; ++room) {
    write(path, 2);
    Journal j = Journal::open(path, ignore);
    {
      const FileSizeLimit limit(room);
      EXPECT_EQ(message_of<WriteError>([&] { j.append(record(2)); }), reason) << room;
    }
    EXPECT_EQ(text_of_file(path).size(), ends[2]) << room;
    j.append(record(2));  // when there is room again
    expect_records(read_all(path), 3, std::to_string(room));
  }
  std::filesystem::remove(path);
  const FileSizeLimit limit(10);
  EXPECT_EQ(message_of<WriteError>([&] { Journal::create(path, identity); }), reason);
  EXPECT_TRUE(folder.files().empty());  // nothing that would be in the way of the next run
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::results
