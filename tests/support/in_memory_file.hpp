// A file that has a name but no place on a disk.
#pragma once

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <span>
#include <string>

namespace aleator::core::test {

class InMemoryFile {
 public:
  InMemoryFile() : number_(mkostemp(path_.data(), O_CLOEXEC)) {}
  ~InMemoryFile() {
    close(number_);
    unlink(path_.c_str());
  }
  InMemoryFile(const InMemoryFile&) = delete;

  const std::string& path() const { return path_; }
  void add(std::span<const unsigned char> bytes) const {
    while (!bytes.empty()) {
      const ssize_t n = write(number_, bytes.data(), bytes.size());
      if (n <= 0) return;
      bytes = bytes.subspan(std::size_t(n));
    }
  }

 private:
  std::string path_ = "/dev/shm/aleator-test-XXXXXX";
  int number_;
};

}  // namespace aleator::core::test
