// A result could not be written: exit code 6.
#pragma once

#include <stdexcept>
#include <string>

namespace aleator::core {

// what() is the complete message: "cannot write 'out/five-body/nominal.h5': No space left on device".
class WriteError : public std::runtime_error {
 public:
  WriteError(std::string path, std::string reason);
  static WriteError from_errno(std::string path, int code);  // the reason in the system's words

  const std::string& path() const { return path_; }
  const std::string& reason() const { return reason_; }

 private:
  std::string path_;
  std::string reason_;
};

}  // namespace aleator::core
