// Preloaded into the program (LD_PRELOAD): writes down, in its order, what it asks of the files below the folder RECORD_FOLDER, into the file
// RECORD_TO. tests/cli/power_loss_runs.cpp makes from it what a loss of power could leave.
//
// A line per request, with the number of the file (not its name: names change) and, of a write, its bytes:
//   create ID PATH | write ID OFFSET SIZE\n… | truncate ID SIZE | sync ID | rename ID FROM\nTO | unlink PATH | names
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>

namespace {

struct Recorder {
  std::mutex mutex;
  std::string folder;
  int to = -1;
  int next = 0;
  std::map<std::string, int> by_name;
  std::map<int, int> by_descriptor;  // of files
  std::map<int, bool> is_folder;     // descriptors of the folder itself

  Recorder() {
    const char *below = std::getenv("RECORD_FOLDER"), *file = std::getenv("RECORD_TO");
    if (!below || !file) return;
    folder = below;
    to = int(syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  }
  void put(const std::string& line, const void* data = nullptr, std::size_t size = 0) const {
    std::string all = line + "\n";
    if (data) all.append(static_cast<const char*>(data), size);
    for (std::size_t done = 0; done < all.size();)
      done += std::size_t(syscall(SYS_write, to, all.data() + done, all.size() - done));
  }
  // Empty: not one of ours.
  std::string ours(const char* path) const {
    if (to < 0) return "";
    const std::string full = std::filesystem::absolute(path).lexically_normal().string();
    return full == folder || full.starts_with(folder + "/") ? full : "";
  }
};

Recorder& recorder() {
  static auto* r = new Recorder;  // lives as long as anybody may write
  return *r;
}

template <class F>
F next(const char* name) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

int recorded_open(const char* path, int flags, mode_t mode) {
  static const auto real = next<int (*)(const char*, int, ...)>("open");
  Recorder& r = recorder();
  const std::lock_guard lock(r.mutex);
  const std::string full = r.ours(path);
  struct stat before {};
  const bool there = !full.empty() && stat(full.c_str(), &before) == 0;
  const int descriptor = real(path, flags, mode);
  if (full.empty() || descriptor < 0) return descriptor;
  if (full == r.folder) {
    r.is_folder[descriptor] = true;
    return descriptor;
  }
  if ((flags & O_ACCMODE) == O_RDONLY) return descriptor;
  if (!there || !r.by_name.contains(full)) {
    r.by_name[full] = r.next++;
    r.put("create " + std::to_string(r.by_name[full]) + " " + full);
  }
  r.by_descriptor[descriptor] = r.by_name[full];
  return descriptor;
}

// By the function of this name.
int removed(const char* function, const char* path) {
  const auto real = next<int (*)(const char*)>(function);
  Recorder& r = recorder();
  const std::lock_guard lock(r.mutex);
  const std::string full = r.ours(path);
  const int result = real(path);
  if (result == 0 && !full.empty()) {
    r.put("unlink " + full);
    r.by_name.erase(full);
  }
  return result;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = flags & O_CREAT ? mode_t(va_arg(list, int)) : 0;
  va_end(list);
  return recorded_open(path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = flags & O_CREAT ? mode_t(va_arg(list, int)) : 0;
  va_end(list);
  return recorded_open(path, flags, mode);
}

int close(int descriptor) {
  static const auto real = next<int (*)(int)>("close");
  Recorder& r = recorder();
  const std::lock_guard lock(r.mutex);
  r.by_descriptor.erase(descriptor);
  r.is_folder.erase(descriptor);
  return real(descriptor);
}

ssize_t write(int descriptor, const void* data, size_t size) {
  static const auto real = next<ssize_t (*)(int, const void*, size_t)>("write");
  Recorder& r = recorder();
  const std::lock_guard lock(r.mutex);
  const auto it = r.by_descriptor.find(descriptor);
  const off_t at = it == r.by_descriptor.end() ? 0 : lseek(descriptor, 0, SEEK_CUR);
  const ssize_t written = real(descriptor, data, size);
  if (it != r.by_descriptor.end() && written > 0)
    r.put("write " + std::to_string(it->second) + " " + std::to_string(at) + " " + std::to_string(written), data,
          size_t(written));
  return written;
}

static ssize_t recorded_write_at(int descriptor, const void* data, size_t size, off_t at) {
  static const auto real = next<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite");
  Recorder& r = recorder();
  const std::lock_guard lock(r.mutex);
  const ssize_t written = real(descriptor, data, size, at);
  if (const auto it = r.by_descriptor.find(descriptor); it != r.by_descriptor.end() && written > 0)
    r.put("write " + std::to_string(it->second) + " " + std::to_string(at) + " " + std::to_string(written), data,
          size_t(written));
  return written;
}
ssize_t pwrite(int descriptor, const void* data, size_t size, off_t at) { return recorded_write_at(descriptor, data, size, at); }
ssize_t pwrite64(int descriptor, const void* data, size_t size, off_t at) {
  return recorded_write_at(descriptor, data, size, at);
}

static int recorded_truncate(int descriptor, off_t size) {
  static const auto real = next<int (*)(int, off_t)>("ftruncate");
  Recorder& r = recorder();
  const std::lock_guard lock(r.mutex);
  if (const auto it = r.by_descriptor.find(descriptor); it != r.by_descriptor.end())
    r.put("truncate " + std::to_string(it->second) + " " + std::to_string(size));
  return real(descriptor, size);
}
int ftruncate(int descriptor, off_t size) noexcept { return recorded_truncate(descriptor, size); }
int ftruncate64(int descriptor, off_t size) noexcept { return recorded_truncate(descriptor, size); }

int fsync(int descriptor) {
  static const auto real = next<int (*)(int)>("fsync");
  Recorder& r = recorder();
  const std::lock_guard lock(r.mutex);
  const int result = real(descriptor);
  if (const auto it = r.by_descriptor.find(descriptor); it != r.by_descriptor.end())
    r.put("sync " + std::to_string(it->second));
  else if (r.is_folder.contains(descriptor))
    r.put("names");
  return result;
}

int rename(const char* from, const char* to) noexcept {
  static const auto real = next<int (*)(const char*, const char*)>("rename");
  Recorder& r = recorder();
  const std::lock_guard lock(r.mutex);
  const std::string old_name = r.ours(from), new_name = r.ours(to);
  const int result = real(from, to);
  if (result == 0 && !old_name.empty() && r.by_name.contains(old_name)) {
    const int id = r.by_name[old_name];
    r.put("rename " + std::to_string(id) + " " + old_name + "\n" + new_name);
    r.by_name.erase(old_name);
    r.by_name[new_name] = id;
  }
  return result;
}

int unlink(const char* path) noexcept { return removed("unlink", path); }
int remove(const char* path) noexcept { return removed("remove", path); }

}  // extern "C"
