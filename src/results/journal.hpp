// What a running study has finished, on disk at once: an append-only file of checked records. It survives the end of the
// process at any moment; a record that was not written whole is recognised and cut off.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aleator::results {

struct JournalRecord {
  std::int64_t row = 0;
  bool ok = false;
  std::string why;
  std::vector<double> sample, values, poses;
};

class Journal {
 public:
  // Begins a new one, replacing what is there. `identity` says what is being computed; going on needs the same.
  static Journal create(const std::string& path, const std::string& identity);

  // Reads an existing one, record by record, and cuts off what is damaged at its end; then it can be appended to. Throws
  // WriteError when it cannot be read, or is being written by another process. `check` sees the identity before any record, and
  // may refuse it by throwing: the file stays as it is.
  static Journal open(const std::string& path, const std::function<void(JournalRecord&&)>& each,
                      const std::function<void(const std::string& identity)>& check = {});

  static bool is_being_written(const std::string& path);  // by a process that is alive

  // The same for looking only: never changes the file. Returns the identity.
  static std::string read(const std::string& path, const std::function<void(JournalRecord&&)>& each);

  ~Journal();
  Journal(Journal&& other) noexcept;
  Journal& operator=(Journal&&) = delete;

  const std::string& identity() const { return identity_; }
  void append(const JournalRecord& record);  // in the hands of the system when it returns
  // The same, or some milliseconds later when records come quickly: they are then written together.
  void append_soon(std::int64_t row, bool ok, std::string_view why, std::span<const double> sample,
                   std::span<const double> values, std::span<const double> poses);
  void flush();                                                 // all is in the hands of the system when it returns
  void sync();                                                  // on the disk when it returns
  void remove();                                                // the study is finished
  void moved_to(std::string path) { path_ = std::move(path); }  // it was renamed

 private:
  Journal(std::string path, std::string identity, int descriptor);
  void put_record(std::int64_t row, bool ok, std::string_view why, std::span<const double> sample, std::span<const double> values,
                  std::span<const double> poses);

  std::string path_, identity_;
  int descriptor_ = -1;
  std::vector<unsigned char> buffer_;  // records that are not yet written
  std::chrono::steady_clock::time_point flushed_;
};

}  // namespace aleator::results
