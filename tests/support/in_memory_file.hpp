// A file that has a path but no place on a disk.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <span>
#include <string>

namespace aleator::test {

class InMemoryFile {
 public:
  InMemoryFile() : number_(memfd_create("aleator-test", MFD_CLOEXEC)) {}
  ~InMemoryFile() { close(number_); }
  InMemoryFile(const InMemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(number_); }
  void add(std::span<const unsigned char> bytes) const {
    while (!bytes.empty()) {
      const ssize_t n = write(number_, bytes.data(), bytes.size());
      if (n <= 0) return;
      bytes = bytes.subspan(std::size_t(n));
    }
  }

 private:
  int number_;
};

}  // namespace aleator::test
