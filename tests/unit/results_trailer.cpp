// The checksum at the end of results files: what was written is read, anything else is refused before HDF5 sees it.
#include "results/trailer.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "base/checksum.hpp"
#include "results/read.hpp"
#include "results/write.hpp"
#include "support/full_study.hpp"
#include "support/message_of.hpp"
#include "support/model_text.hpp"
#include "support/sealed_file.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::results {
namespace ALEATOR_FILE {

using test::TemporaryFolder;
using test::text_of_file;

using Bytes = std::vector<unsigned char>;

Bytes some_bytes(std::size_t n) {
  Bytes out(n);
  std::mt19937 random(unsigned(n) + 1);
  for (unsigned char& b : out) b = static_cast<unsigned char>(random());
  return out;
}

// Of no bytes 0; of one word w: 8 + mix(w + φ), by hand with splitmix64, whose first number after the seed 0 is 0xe220a8397b1dcdaf.
TEST(Checksum, is_what_its_formula_says) {
  EXPECT_EQ(checksum({}), 0u);
  EXPECT_EQ(checksum(Bytes(8, 0)), 8u + 0xe220a8397b1dcdafu);
  // the second number of splitmix64 after the seed 0 is 0x6e789e6aa1b965f4
  EXPECT_EQ(checksum(Bytes(16, 0)), 16u + 0xe220a8397b1dcdafu + 0x6e789e6aa1b965f4u);
  EXPECT_EQ(checksum(Bytes{1, 0, 0}) - 3, checksum(Bytes{1, 0, 0, 0, 0, 0, 0, 0}) - 8);  // filled with zeros
}

TEST(Checksum, is_the_same_in_portions) {
  const Bytes all = some_bytes(1003);
  for (const std::size_t portion : {8u, 64u, 1000u}) {
    Checksum sum;
    for (std::size_t at = 0; at < all.size(); at += portion)
      sum.add(std::span(all).subspan(at, std::min(portion, all.size() - at)));
    EXPECT_EQ(sum.value(), checksum(all)) << portion;
  }
}

TEST(Checksum, notices_every_bit_and_every_exchange_of_words) {
  Bytes all = some_bytes(203);
  const std::uint64_t right = checksum(all);
  for (std::size_t bit = 0; bit < 8 * all.size(); ++bit) {
    all[bit / 8] ^= static_cast<unsigned char>(1 << bit % 8);
    EXPECT_NE(checksum(all), right) << bit;
    all[bit / 8] ^= static_cast<unsigned char>(1 << bit % 8);
  }
  for (std::size_t word = 1; word < 25; ++word) {
    Bytes other = all;
    std::swap_ranges(other.begin(), other.begin() + 8, other.begin() + long(8 * word));
    EXPECT_NE(checksum(other), right) << word;
  }
  for (std::size_t n = 0; n < all.size(); ++n) EXPECT_NE(checksum(std::span(all).first(n)), right) << n;
}

std::string write_example(const TemporaryFolder& folder) {
  const test::FullStudy study;
  write_study(folder / "results.h5", study.result, study.provenance);
  return folder / "results.h5";
}

std::string refusal(const std::string& path, bool trust = false) {
  const std::string all = test::message_of<ReadError>([&] { open_checked(path, trust); });
  const std::string begin = "cannot read '" + path + "': ";
  return all.starts_with(begin) ? all.substr(begin.size()) : all;
}

void write_bytes(const std::string& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

const char* const none =
    "it has no checksum: it was not written by this version of Aleator, or was rewritten by another program; --trust reads it "
    "all "
    "the same";

TEST(Trailer, of_what_was_written_is_right) {
  const TemporaryFolder folder;
  const std::string path = write_example(folder), bytes = text_of_file(path);
  EXPECT_EQ(refusal(path), "no error");
  EXPECT_EQ(bytes.substr(bytes.size() - trailer_size, 16), "aleator checksum");
}

// Every bit of a small file would take minutes; these are spread over all of it, and those of the trailer are all there.
TEST(Trailer, notices_damage_everywhere) {
  const TemporaryFolder folder;
  const std::string bytes = text_of_file(write_example(folder)), path = folder / "damaged.h5";
  std::vector<std::size_t> places;
  for (std::size_t at = 8; at < bytes.size(); at += 1009) places.push_back(at);
  for (std::size_t at = bytes.size() - trailer_size; at < bytes.size(); ++at) places.push_back(at);
  for (const std::size_t at : places) {
    std::string wrong = bytes;
    wrong[at] = char(wrong[at] ^ (1 << at % 8));
    write_bytes(path, wrong);
    for (const bool trust : {false, true}) {
      const std::string why = refusal(path, trust);
      const bool in_magic = at >= bytes.size() - trailer_size && at < bytes.size() - 16;
      EXPECT_TRUE(in_magic ? why == (trust ? "no error" : none) : why.starts_with("it is damaged: its checksum")) << at << why;
    }
  }
}

TEST(Trailer, knows_how_much_is_missing) {
  const TemporaryFolder folder;
  const std::string bytes = text_of_file(write_example(folder)), path = folder / "cut.h5";
  for (std::size_t n :
       {std::size_t(64), std::size_t(4096), bytes.size() / 2, bytes.size() - trailer_size - 1, bytes.size() - 1}) {
    write_bytes(path, bytes.substr(0, n));
    EXPECT_EQ(refusal(path), "it was cut off: " + std::to_string(n) + " of " + std::to_string(bytes.size()) + " bytes are there");
  }
  write_bytes(path, bytes.substr(0, bytes.size() - trailer_size));  // all but the checksum: as an older version wrote it
  EXPECT_EQ(refusal(path), none);
  EXPECT_EQ(refusal(path, true), "no error");
  write_bytes(path, bytes + "more");
  EXPECT_EQ(refusal(path), none);
  write_bytes(path, bytes.substr(0, 7));
  EXPECT_EQ(refusal(path), "it is not an HDF5 file");
}

TEST(Trailer, of_a_file_that_another_program_has_changed_is_gone_or_wrong) {
  const TemporaryFolder folder;
  const std::string path = write_example(folder);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(H5Ldelete(file, "/motion", H5P_DEFAULT), 0);
  H5Fclose(file);
  EXPECT_NE(refusal(path), "no error");
  test::seal_again(path);
  EXPECT_EQ(refusal(path), "no error");
  EXPECT_FALSE(StudyReader(path).has("/motion"));
}

TEST(Trailer, is_not_looked_for_where_there_is_no_file) {
  const TemporaryFolder folder;
  EXPECT_EQ(refusal(folder / "none"), "it does not exist");
  EXPECT_EQ(refusal(folder / "."), "it is not a file");
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(refusal(folder / "pipe"), "it is not a file");  // at once, though nobody writes
}

// A reader has the file it has checked, whatever gets its name meanwhile.
TEST(Trailer, readers_and_a_writer_who_replaces_the_file) {
  const TemporaryFolder folder;
  const std::string path = write_example(folder);
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    const std::string bytes = text_of_file(path);
    while (!stop) {
      write_bytes(folder / "next", bytes);
      std::filesystem::rename(folder / "next", path);
    }
  });
  for (int k = 0; k < 200; ++k) EXPECT_EQ(StudyReader(path).numbers("/time"), (std::vector<double>{0, 0.5, 1}));
  stop = true;
  writer.join();
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::results
