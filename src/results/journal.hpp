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

namespace aleator::core::results {

struct JournalRecord {
  std::int64_t row = 0;
  bool ok = false;
  std::string why;
  std::vector<double> sample;
  std::vector<double> values;  // of a row that failed: the time up to which it could be computed, alone
  std::vector<double> poses;
  std::int64_t values_at = 0;  // where in the file they are; of one that was read
};

class Journal {
 public:
  // Begins a new one, replacing what is there unless somebody writes it. `identity` says what is being computed; going on needs
  // the same. It is on the disk, with its identity, before it has its name.
  static Journal create(const std::string& path, const std::string& identity);

  // The same in two steps: it is written beside the one that is there, and takes its place by publish().
  static Journal begin(const std::string& path, const std::string& identity);
  void publish();

  // Reads an existing one, record by record, and cuts off what is damaged at its end; then it can be appended to. Throws
  // WriteError when it cannot be read, or is being written by another process. `check` sees the identity before any record, and
  // may refuse it by throwing: the file stays as it is.
  static Journal open(const std::string& path, const std::function<void(JournalRecord&&)>& each,
                      const std::function<void(const std::string& identity)>& check = {});

  // The same in two steps, so that numbers can be read meanwhile.
  static Journal lock(const std::string& path);
  void replay(const std::function<void(JournalRecord&&)>& each, const std::function<void(const std::string& identity)>& check);

  static bool is_being_written(const std::string& path);  // by a process that is alive

  // The same for looking only: never changes the file. Returns the identity.
  static std::string read(const std::string& path, const std::function<void(JournalRecord&&)>& each);

  ~Journal();
  Journal(Journal&& other) noexcept;
  Journal& operator=(Journal&&) = delete;

  const std::string& identity() const { return identity_; }
  void append(const JournalRecord& record);  // in the hands of the system when it returns
  // The same, or some milliseconds later when records come quickly: they are then written together. Returns where in the file its
  // values are.
  std::int64_t append_soon(std::int64_t row, bool ok, std::string_view why, std::span<const double> sample,
                           std::span<const double> values, std::span<const double> poses);
  // Numbers at such a place, once they are in the hands of the system. Throws WriteError.
  void read_numbers(std::int64_t at, std::span<double> to) const;
  // A record of the numbers that `state` puts, as they come; it is called twice, and puts the same.
  using PutNumbers = std::function<void(std::span<const double>)>;
  void append_numbers(std::int64_t row, std::span<const double> sample, const std::function<void(const PutNumbers&)>& state);
  void flush();  // all is in the hands of the system when it returns
  bool is_flushed() const { return buffer_.empty(); }
  void sync();            // on the disk when it returns
  void remove();          // the study is finished
  bool is_there() const;  // under its name: nobody has removed it meanwhile
  // Where somebody has: writes it again under its name, from what the system still holds of it. Throws WriteError when another run has
  // taken the place.
  void bring_back();

 private:
  Journal(std::string path, std::string identity, int descriptor);
  std::int64_t put_record(std::int64_t row, bool ok, std::string_view why, std::span<const double> sample,
                          std::span<const double> values, std::span<const double> poses);

  std::string path_, identity_;
  std::string final_path_;                                                               // until it is published
  const std::string& name() const { return final_path_.empty() ? path_ : final_path_; }  // for messages
  int descriptor_ = -1;
  std::vector<unsigned char> buffer_;  // records that are not yet written
  std::int64_t length_ = 0;            // of those that are
  std::chrono::steady_clock::time_point flushed_;
};

}  // namespace aleator::core::results
