// A folder of its own for each test that writes, removed with everything in it.
#pragma once

#include <string>
#include <vector>

namespace aleator::core::test {

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  std::string write(const std::string& name, const std::string& text) const;  // returns the path
  std::vector<std::string> files() const;                                     // all below it, hidden ones too, sorted

 private:
  std::string path_;
};

}  // namespace aleator::core::test
