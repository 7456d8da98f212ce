#include "results/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <utility>

#include "base/atomic_file.hpp"
#include "base/bytes.hpp"
#include "base/checksum.hpp"
#include "base/errors.hpp"

namespace aleator::core::results {

namespace {

// File: magic, then records { length of payload, payload, checksum }; the payload of the first is the identity.
constexpr char magic[] = "ALEATOR JOURNAL 1\n";
constexpr std::size_t magic_size = sizeof(magic) - 1;
constexpr char written_by_another[] = "another run is writing into this folder";
constexpr char new_suffix[] = ".new";  // of one in the making

// Records that come faster than this are written together: what a process that is killed loses costs no more to compute again.
constexpr std::chrono::milliseconds flush_every{20};
constexpr std::size_t flush_size = std::size_t(1) << 18;

bool parse(std::span<const unsigned char> payload, JournalRecord& r) {
  ByteReader from(payload);
  r.row = from.whole();
  r.ok = from.whole() != 0;
  r.why = from.text();
  r.sample = from.numbers();
  r.values = from.numbers();
  r.poses = from.numbers();
  return from.good() && from.at_end();
}

// Reads from the beginning; `length` is where the last whole record ends.
struct Contents {
  std::string identity;
  long long length = 0;
};

// The next record that is whole, of a file that is `end` bytes long.
std::optional<Bytes> next_payload(std::FILE* file, long long end) {
  std::uint64_t size = 0, sum = 0;
  if (std::fread(&size, sizeof size, 1, file) != 1) return std::nullopt;
  if (size > std::uint64_t(end - std::min<long long>(end, std::ftell(file)))) return std::nullopt;  // a damaged length
  Bytes payload(size);
  if (std::fread(payload.data(), 1, size, file) != size) return std::nullopt;
  if (std::fread(&sum, sizeof sum, 1, file) != 1 || sum != checksum(payload)) return std::nullopt;
  return payload;
}

Contents read_contents(const std::string& path, const std::function<void(JournalRecord&&)>& each,
                       const std::function<void(const std::string& identity)>& check = {}) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (!file) throw WriteError::from_errno(path, errno);
  const struct Closer {
    std::FILE* f;
    ~Closer() { std::fclose(f); }
  } closer{file};
  struct stat status {};
  if (fstat(fileno(file), &status) != 0) throw WriteError::from_errno(path, errno);
  // An unreadable disk is not a damaged end: nothing may be cut off then.
  const auto next = [&] {
    errno = 0;
    auto payload = next_payload(file, status.st_size);
    if (std::ferror(file)) throw WriteError::from_errno(path, errno != 0 ? errno : EIO);
    return payload;
  };
  char head[magic_size];
  const std::size_t size = std::fread(head, 1, magic_size, file);
  if (std::ferror(file)) throw WriteError::from_errno(path, errno);
  if (std::memcmp(head, magic, size) != 0) throw WriteError(path, "it is not a journal of this program");
  Contents out;
  const auto identity = size == magic_size ? next() : std::nullopt;
  if (!identity.has_value()) throw WriteError(path, "its beginning is damaged; start again with --overwrite");
  out.identity.assign(identity.value().begin(), identity.value().end());
  out.length = std::ftell(file);
  if (check) check(out.identity);
  for (;;) {
    const auto payload = next();
    JournalRecord record;
    if (!payload.has_value() || !parse(payload.value(), record)) break;
    // After the length: row, ok, text, sample and the number of values.
    record.values_at =
        std::int64_t(out.length + long(6 * sizeof(std::uint64_t) + record.why.size() + sizeof(double) * record.sample.size()));
    each(std::move(record));
    out.length = std::ftell(file);
  }
  return out;
}

void write_all(int descriptor, const Bytes& bytes, const std::string& path) {
  const off_t start = lseek(descriptor, 0, SEEK_CUR);
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      const int code = n < 0 ? errno : ENOSPC;
      // Half a record helps nobody.
      if (start >= 0 && ftruncate(descriptor, start) == 0) lseek(descriptor, start, SEEK_SET);
      throw WriteError::from_errno(path, code);
    }
    done += std::size_t(n);
  }
}

std::size_t begin_record(Bytes& buffer, std::size_t size) {
  buffer.reserve(buffer.size() + size + 16);
  ByteWriter(buffer).whole(std::int64_t(size));
  return buffer.size();
}

void end_record(Bytes& buffer, std::size_t begin, [[maybe_unused]] std::size_t size) {
  assert(buffer.size() == begin + size);
  ByteWriter(buffer).whole(std::int64_t(checksum(std::span(buffer).subspan(begin))));
}

// A record around what `put_payload` puts. (An assertion in here would name the lambda by the folder it was compiled in.)
template <class F>
void append_payload(Bytes& buffer, std::size_t size, F&& put_payload) {
  const std::size_t begin = begin_record(buffer, size);
  put_payload();
  end_record(buffer, begin, size);
}

// `name`: what messages call it.
int open_locked(const std::string& path, int flags, const std::string& name) {
  for (;;) {
    const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
    if (descriptor < 0) throw WriteError::from_errno(name, errno);
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      const int code = errno;
      ::close(descriptor);
      if (code == EWOULDBLOCK) throw WriteError(name, written_by_another);
      throw WriteError::from_errno(name, code);
    }
    // Between opening and locking, its owner may have replaced or removed it: then this is the lock of a file without a name.
    struct stat locked {
    }, named{};
    if (fstat(descriptor, &locked) == 0 && stat(path.c_str(), &named) == 0 && locked.st_ino == named.st_ino &&
        locked.st_dev == named.st_dev)
      return descriptor;
    ::close(descriptor);
  }
}

}  // namespace

Journal::Journal(std::string path, std::string identity, int descriptor)
    : path_(std::move(path)), identity_(std::move(identity)), descriptor_(descriptor) {}

Journal::Journal(Journal&& other) noexcept
    : path_(std::move(other.path_)),
      identity_(std::move(other.identity_)),
      final_path_(std::exchange(other.final_path_, "")),
      descriptor_(std::exchange(other.descriptor_, -1)),
      buffer_(std::move(other.buffer_)),
      length_(other.length_),
      flushed_(other.flushed_) {}

Journal::~Journal() {
  if (descriptor_ < 0) return;
  try {
    flush();
  } catch (const WriteError&) {  // whoever wants to know calls flush() or sync()
  }
  if (!final_path_.empty()) ::unlink(path_.c_str());  // never published
  ::close(descriptor_);
}

Journal Journal::create(const std::string& path, const std::string& identity) {
  const bool there = access(path.c_str(), F_OK) == 0;
  const Journal replaced(path, "", there ? open_locked(path, O_RDWR, path) : -1);  // held until it is replaced
  Journal j = begin(path, identity);
  if (!there && access(path.c_str(), F_OK) == 0) throw WriteError(path, written_by_another);  // since a moment ago
  j.publish();
  return j;
}

Journal Journal::begin(const std::string& path, const std::string& identity) {
  const std::string fresh = path + new_suffix;
  Journal j(fresh, identity, open_locked(fresh, O_RDWR | O_CREAT, path));
  j.final_path_ = path;
  if (ftruncate(j.descriptor_, 0) != 0) throw WriteError::from_errno(path, errno);
  j.buffer_.assign(magic, magic + magic_size);
  append_payload(j.buffer_, identity.size(), [&] { j.buffer_.insert(j.buffer_.end(), identity.begin(), identity.end()); });
  return j;
}

void Journal::publish() {
  sync();
  if (std::rename(path_.c_str(), final_path_.c_str()) != 0) throw WriteError::from_errno(final_path_, errno);
  path_ = std::exchange(final_path_, "");
  sync_folder_of(path_);
}

bool Journal::is_there() const {
  struct stat own {
  }, named{};
  return fstat(descriptor_, &own) == 0 && stat(path_.c_str(), &named) == 0 && own.st_ino == named.st_ino &&
         own.st_dev == named.st_dev;
}

void Journal::bring_back() {
  flush();
  if (is_there()) return;
  if (access(path_.c_str(), F_OK) == 0) throw WriteError(path_, "it was removed, and another run has begun in its place");
  const std::string fresh = path_ + new_suffix;
  const int copy = open_locked(fresh, O_RDWR | O_CREAT | O_TRUNC, path_);
  Bytes portion(std::size_t(1) << 20);
  try {
    for (off_t at = 0;;) {
      const ssize_t n = pread(descriptor_, portion.data(), portion.size(), at);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) throw WriteError::from_errno(path_, errno);
      if (n == 0) break;
      write_all(copy, Bytes(portion.begin(), portion.begin() + n), path_);
      at += n;
    }
    // link, not rename: a journal that another run has begun since stays
    if (fsync(copy) != 0 && errno != EINVAL) throw WriteError::from_errno(path_, errno);
    if (link(fresh.c_str(), path_.c_str()) != 0) throw WriteError::from_errno(path_, errno);
  } catch (...) {
    ::unlink(fresh.c_str());
    ::close(copy);
    throw;
  }
  ::unlink(fresh.c_str());
  ::close(std::exchange(descriptor_, copy));
  sync_folder_of(path_);
}

Journal Journal::open(const std::string& path, const std::function<void(JournalRecord&&)>& each,
                      const std::function<void(const std::string& identity)>& check) {
  Journal j = lock(path);
  j.replay(each, check);
  return j;
}

Journal Journal::lock(const std::string& path) { return {path, "", open_locked(path, O_RDWR, path)}; }

void Journal::replay(const std::function<void(JournalRecord&&)>& each,
                     const std::function<void(const std::string& identity)>& check) {
  const Contents contents = read_contents(path_, each, check);
  identity_ = contents.identity;
  if (ftruncate(descriptor_, contents.length) != 0 || lseek(descriptor_, 0, SEEK_END) < 0)
    throw WriteError::from_errno(path_, errno);
  length_ = contents.length;
}

bool Journal::is_being_written(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool locked = flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(descriptor);
  return locked;
}

std::string Journal::read(const std::string& path, const std::function<void(JournalRecord&&)>& each) {
  return read_contents(path, each).identity;
}

void Journal::append(const JournalRecord& r) {
  put_record(r.row, r.ok, r.why, r.sample, r.values, r.poses);
  flush();
}

std::int64_t Journal::append_soon(std::int64_t row, bool ok, std::string_view why, std::span<const double> sample,
                                  std::span<const double> values, std::span<const double> poses) {
  const std::int64_t values_at = put_record(row, ok, why, sample, values, poses);
  if (buffer_.size() >= flush_size || std::chrono::steady_clock::now() - flushed_ >= flush_every) flush();
  return values_at;
}

void Journal::read_numbers(std::int64_t at, std::span<double> to) const {
  auto* next = reinterpret_cast<unsigned char*>(to.data());
  for (std::size_t left = to.size_bytes(); left > 0;) {
    const ssize_t n = pread(descriptor_, next, left, off_t(at));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw WriteError::from_errno(name(), errno);
    if (n == 0) throw WriteError(name(), "it was cut off while it was in use");
    next += n, at += n, left -= std::size_t(n);
  }
}

std::int64_t Journal::put_record(std::int64_t row, bool ok, std::string_view why, std::span<const double> sample,
                                 std::span<const double> values, std::span<const double> poses) {
  const std::size_t size =
      6 * sizeof(std::uint64_t) + why.size() + sizeof(double) * (sample.size() + values.size() + poses.size());
  append_payload(buffer_, size, [&] {
    ByteWriter(buffer_).whole(row).whole(ok ? 1 : 0).text(why).numbers(sample).numbers(values).numbers(poses);
  });
  const std::size_t after =
      sizeof(double) * (values.size() + poses.size()) + 2 * sizeof(std::uint64_t);  // poses' number, checksum
  return length_ + std::int64_t(buffer_.size() - after);
}

void Journal::append_numbers(std::int64_t row, std::span<const double> sample,
                             const std::function<void(const PutNumbers&)>& state) {
  flush();
  std::size_t count = 0;
  state([&](std::span<const double> piece) { count += piece.size(); });
  ByteWriter to(buffer_);
  to.whole(std::int64_t(sizeof(std::uint64_t) * (6 + sample.size() + count)));
  Checksum sum;
  std::size_t summed = buffer_.size();  // its length does not belong to it
  const auto hand_on = [&] {
    sum.add(std::span(buffer_).subspan(std::exchange(summed, 0)));
    flush();
  };
  to.whole(row).whole(1).text("").numbers(sample).whole(std::int64_t(count));
  state([&](std::span<const double> piece) {
    for (const double x : piece) {
      to.number(x);
      if (buffer_.size() >= flush_size) hand_on();
    }
  });
  to.whole(0);  // poses
  hand_on();
  ByteWriter(buffer_).whole(std::int64_t(sum.value()));
  flush();
}

void Journal::flush() {
  flushed_ = std::chrono::steady_clock::now();
  if (buffer_.empty()) return;
  const struct Emptied {  // also when it cannot be written: it was cut off, and would not fit the next time either
    Bytes& buffer;
    ~Emptied() {
      buffer.clear();
      if (buffer.capacity() > 16 * flush_size) buffer.shrink_to_fit();
    }
  } emptied{buffer_};
  write_all(descriptor_, buffer_, name());
  length_ += std::int64_t(buffer_.size());
}

void Journal::sync() {
  flush();
  // Some file systems cannot synchronise and say so; that is no reason to stop.
  if (fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOSYS && errno != ENOTSUP)
    throw WriteError::from_errno(name(), errno);
}

void Journal::remove() {
  buffer_.clear();
  ::unlink((path_ + new_suffix).c_str());  // of a process that was killed while it began another
  if (::unlink(path_.c_str()) != 0 && errno != ENOENT) throw WriteError::from_errno(path_, errno);
}

}  // namespace aleator::core::results
