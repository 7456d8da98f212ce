#include "base/atomic_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/cancellation.hpp"
#include "base/errors.hpp"

namespace aleator::core {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view temporary_prefix = ".aleator-", temporary_suffix = ".partial";

// The file behind a chain of links, so that the link stays and its target is replaced.
std::string follow_links(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  return error || real.empty() ? path : real.string();
}

std::string folder_of(const std::string& path) {
  const std::string folder = fs::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

// Some file systems cannot synchronise and say so; that is no reason to lose a result.
bool synchronise(int descriptor) { return fsync(descriptor) == 0 || errno == EINVAL || errno == ENOSYS || errno == ENOTSUP; }

// Portion by portion, so that a stop is heard between two of them; some are under way while the first is waited for. What is left is for
// synchronise(), which does not hear of a failure twice. Returns its errno, or 0.
int write_out(int descriptor) {
  constexpr off_t portion = off_t(8) << 20, ahead = 8 * portion;
  constexpr unsigned wait = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
  const off_t end = lseek(descriptor, 0, SEEK_END);
  const auto failed = [&](off_t at, unsigned how) {
    return at >= 0 && at < end && sync_file_range(descriptor, at, portion, how) != 0 &&
           (errno == EIO || errno == ENOSPC || errno == EDQUOT);
  };
  for (off_t at = -ahead; at < end; at += portion) {
    throw_if_cancelled();
    if (failed(at + ahead, SYNC_FILE_RANGE_WRITE) || failed(at, wait)) return errno;
  }
  throw_if_cancelled();
  return 0;
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  if (path_ == "-") {
    path_ = "standard output";
    std::fflush(stdout);  // what was printed before comes before
    descriptor_ = dup(STDOUT_FILENO);
    if (descriptor_ < 0) fail(errno);
    return;
  }
  if (path_.empty()) fail(ENOENT);
  target_ = follow_links(path_);
  struct stat existing {};
  const bool exists = stat(path_.c_str(), &existing) == 0;
  if (exists && S_ISDIR(existing.st_mode)) fail(EISDIR);
  if (exists && !S_ISREG(existing.st_mode)) {
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(errno);
    return;
  }
  open_temporary();
}

void AtomicFile::open_temporary() {
  static std::atomic<unsigned> counter{0};  // several writers in one process, also into one folder
  do {
    temporary_ = fmt::format("{}/{}{}-{}{}", folder_of(target_), temporary_prefix, getpid(), counter++, temporary_suffix);
    descriptor_ = open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && errno == EEXIST);  // left over by a process that was killed
  if (descriptor_ < 0) {
    const int code = errno;
    temporary_.clear();
    fail(code);
  }
  flock(descriptor_, LOCK_EX | LOCK_NB);  // says that somebody is writing it; where there are no locks, its name does
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::write(std::span<const unsigned char> bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void AtomicFile::commit() {
  // The data must be on the disk before the name points at it; then the name itself.
  if (const int code = temporary_.empty() ? 0 : write_out(descriptor_); code != 0) fail(code);
  if (!temporary_.empty() && !synchronise(descriptor_)) fail(errno);
  if (close(std::exchange(descriptor_, -1)) != 0) fail(errno);
  if (temporary_.empty()) return;
  if (rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
  temporary_.clear();
  sync_folder_of(target_);
}

void AtomicFile::fail(int code) const { throw WriteError::from_errno(path_, code); }

void write_file(const std::string& path, std::string_view bytes) {
  AtomicFile out(path);
  out.write(bytes);
  out.commit();
}

void create_folder(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) return;
  const std::string parent = fs::path(path).lexically_normal().parent_path().string();
  if (!parent.empty() && parent != path) create_folder(parent);
  fs::create_directory(path, error);
  if ((!error || error == std::errc::file_exists) && !fs::is_directory(path))
    error = std::make_error_code(std::errc::not_a_directory);
  if (error) throw WriteError(path, error.message());
  sync_folder_of(path);
}

void sync_folder_of(const std::string& path) {
  const int folder = open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;  // not readable perhaps: the file is complete all the same
  fsync(folder);
  close(folder);
}

void remove_leftovers(const std::string& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(temporary_prefix) || !name.ends_with(temporary_suffix)) continue;
    const int descriptor = open(entry.path().c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) continue;
    // Whoever writes it holds its lock; and a process of this number may be about to take it.
    const int writer = std::atoi(&name[temporary_prefix.size()]);
    if (kill(writer, 0) != 0 && errno == ESRCH && flock(descriptor, LOCK_EX | LOCK_NB) == 0) unlink(entry.path().c_str());
    close(descriptor);
  }
}

}  // namespace aleator::core
