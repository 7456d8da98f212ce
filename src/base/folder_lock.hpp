// One process at a time writes into a folder. The lock goes with the process, however that ends.
#pragma once

#include <string>

namespace aleator::core {

class FolderLock {
 public:
  // Throws WriteError when another process has it. A folder that is not there is not locked yet.
  explicit FolderLock(std::string folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  void take();  // if it is not taken already: the folder may be there now

 private:
  std::string folder_;
  int descriptor_ = -1;
};

}  // namespace aleator::core
