// A file that appears complete or not at all.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace aleator::core {

// Bytes go to a temporary file in the folder of `path`; commit() makes them durable and gives them their
// name in one step, replacing an older file. Without commit() nothing is left behind. Every failure throws
// WriteError. Links are followed; what is not a regular file (a pipe, a terminal, /dev/null) is written
// directly, and "-" is standard output: there is nothing to replace there.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void write(std::span<const unsigned char> bytes);
  // To be written to anywhere; −1 where what is written goes on directly.
  int descriptor() const { return temporary_.empty() ? -1 : descriptor_; }
  // Throws Cancelled where that is asked for before the file has its name: a disk may take long.
  void commit();

 private:
  void open_temporary();
  [[noreturn]] void fail(int code) const;

  std::string path_;       // as the user named it, for messages
  std::string target_;     // where it is, links followed
  std::string temporary_;  // empty when written directly
  int descriptor_ = -1;
};

// All of a file at once.
void write_file(const std::string& path, std::string_view bytes);

// Creates a folder and its parents, durably; it may be there already.
void create_folder(const std::string& path);

// Names in the folder of `path` are on the disk when it returns, where the file system can do that.
void sync_folder_of(const std::string& path);

// Removes what processes that were killed left unfinished in a folder.
void remove_leftovers(const std::string& folder);

}  // namespace aleator::core
