#include "results/trailer.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "base/cancellation.hpp"
#include "base/checksum.hpp"
#include "results/read.hpp"

namespace aleator::core::results {
namespace {

constexpr std::string_view magic = "aleator checksum";
constexpr std::string_view signature = "\x89HDF\r\n\x1a\n";  // of HDF5
constexpr std::size_t head_size = 64;

struct Trailer {
  char magic[16];
  std::uint64_t length, checksum;  // of what comes before
};
static_assert(sizeof(Trailer) == trailer_size && magic.size() == sizeof(Trailer::magic));

std::string system_words(int code) { return std::generic_category().message(code); }

// So many bytes from a place on; fewer at the end of the file.
std::size_t read_at(int file, const std::string& path, std::uint64_t at, std::span<unsigned char> to) {
  std::size_t done = 0;
  while (done < to.size()) {
    const ssize_t n = pread(file, to.data() + done, to.size() - done, off_t(at + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw ReadError(path, system_words(errno));
    if (n == 0) break;
    done += std::size_t(n);
  }
  return done;
}

// How long HDF5 says that its part of the file is; 0 where it is not known.
std::uint64_t promised_length(std::span<const unsigned char> head) {
  const int version = head[8];
  const std::size_t at = version == 0 ? 40 : version == 1 ? 44 : 28;
  const std::size_t bytes_of_address = head[version < 2 ? 13 : 9];
  std::uint64_t length = 0;
  if (version <= 3 && bytes_of_address == sizeof length) std::memcpy(&length, head.data() + at, sizeof length);
  return length;
}

// Read in portions, not mapped: a file that is cut off meanwhile would end the program.
std::uint64_t checksum_of(int file, const std::string& path, std::uint64_t length) {
  std::vector<unsigned char> portion(std::size_t(1) << 20);
  Checksum sum;
  for (std::uint64_t at = 0; at < length;) {
    const std::size_t n = read_at(file, path, at, std::span(portion).first(std::min<std::uint64_t>(portion.size(), length - at)));
    if (n == 0) throw ReadError(path, "it was cut off while it was read");
    throw_if_cancelled();
    sum.add(std::span(portion).first(n));
    at += n;
  }
  return sum.value();
}

void check(int file, const std::string& path, std::uint64_t size, bool trust) {
  std::array<unsigned char, head_size> head{};
  read_at(file, path, 0, head);
  if (std::memcmp(head.data(), signature.data(), signature.size()) != 0) throw ReadError(path, "it is not an HDF5 file");
  Trailer t{};
  if (size >= sizeof t) read_at(file, path, size - sizeof t, {reinterpret_cast<unsigned char*>(&t), sizeof t});
  if (std::memcmp(t.magic, magic.data(), magic.size()) != 0) {
    const std::uint64_t promised = promised_length(head);
    if (promised > size || (!trust && promised + trailer_size > size && promised < size))
      throw ReadError(path, fmt::format("it was cut off: {} of {} bytes are there", size, promised + trailer_size));
    if (!trust)
      throw ReadError(path,
                      "it has no checksum: it was not written by this version of Aleator, or was rewritten by another program; "
                      "--trust reads it all the same");
    return;
  }
  if (t.length != size - sizeof t)
    throw ReadError(path, fmt::format("it is damaged: its checksum is of {} bytes, and it has {}", t.length, size - sizeof t));
  if (t.checksum != checksum_of(file, path, t.length)) throw ReadError(path, "it is damaged: its checksum differs");
}

}  // namespace

std::array<unsigned char, trailer_size> trailer_of(std::uint64_t length, std::uint64_t checksum) {
  Trailer t{{}, length, checksum};
  std::copy(magic.begin(), magic.end(), t.magic);
  std::array<unsigned char, trailer_size> bytes;
  std::memcpy(bytes.data(), &t, sizeof t);
  return bytes;
}

std::array<unsigned char, trailer_size> trailer_of(std::span<const unsigned char> file) {
  return trailer_of(file.size(), core::checksum(file));
}

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

bool has_checksum(const Descriptor& file) {
  struct stat status {};
  Trailer t{};
  if (fstat(file.number(), &status) != 0 || status.st_size < off_t(sizeof t)) return false;
  read_at(file.number(), "", std::uint64_t(status.st_size) - sizeof t, {reinterpret_cast<unsigned char*>(&t), sizeof t});
  return std::memcmp(t.magic, magic.data(), magic.size()) == 0;
}

Descriptor open_checked(const std::string& path, bool trust) {
  Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // a pipe nobody writes into does not keep us waiting
  if (file.number() < 0) throw ReadError(path, errno == ENOENT ? "it does not exist" : system_words(errno));
  struct stat status {};
  if (fstat(file.number(), &status) != 0) throw ReadError(path, system_words(errno));
  if (!S_ISREG(status.st_mode)) throw ReadError(path, "it is not a file");
  check(file.number(), path, std::uint64_t(status.st_size), trust);
  return file;
}

}  // namespace aleator::core::results
