#include "base/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/errors.hpp"

namespace aleator::core {

FolderLock::FolderLock(std::string folder) : folder_(std::move(folder)) { take(); }

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void FolderLock::take() {
  if (descriptor_ >= 0) return;
  descriptor_ = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0) return;  // whoever writes into it will hear why
  // Some file systems have no locks for folders: there the journal of a study has one of its own.
  if (flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(std::exchange(descriptor_, -1));
  throw WriteError(folder_, "another run is writing into this folder");
}

}  // namespace aleator::core
