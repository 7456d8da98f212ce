// What a study in the making leaves in its folder, so that nothing finished is ever lost: a journal of its rows or, when only
// statistics are kept, the latest state of these. It is gone when the study is finished.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "results/journal.hpp"
#include "results/response_source.hpp"

namespace aleator::core::results {

// How often a state, or what there is so far, is saved: every ten seconds, or every ALEATOR_SAVE_EVERY seconds.
std::chrono::steady_clock::duration save_every();

// How many numbers of responses are held in memory at most: 64 MB, or ALEATOR_HELD_RESPONSES megabytes.
std::size_t held_responses();

// Responses as they are in the journal of a store, which stays.
class JournalledResponses final : public ResponseSource {
 public:
  explicit JournalledResponses(std::size_t points) : points_(points) {}
  void read_through(Journal& journal) { journal_ = &journal; }
  void add(std::int64_t values_at) { values_at_.push_back(values_at); }  // of the next realization; 0: it failed

  std::size_t rows() const override { return values_at_.size(); }
  void read(std::size_t first_row, std::size_t rows, std::size_t first_point, std::size_t count, double* to) const override;

 private:
  Journal* journal_ = nullptr;
  std::size_t points_;
  std::vector<std::int64_t> values_at_;  // [rows]
};

class StudyStore {
 public:
  enum class Start { fresh, resume, overwrite };

  static std::string file_in(const std::string& folder) { return folder + "/unfinished.journal"; }

  // `identity` is everything that determines the numbers; an unfinished study is continued only when it is the same, as
  // `difference` says (lines; none when it is). Rows that are there already are handed to `replay` (keep_all), or the state is
  // handed to `restore` together with the rows beside it.
  // Throws WriteError: an unfinished study is in the way (fresh), or it is a different one (resume).
  struct Hooks {
    std::function<void(JournalRecord&&)> replay;
    std::function<void(long next_row, std::span<const double> state)> restore;
    std::function<std::string(const std::string& identity)> difference;
    std::function<std::string(long rows, const std::string& identity)> progress_words;  // "320 of 500 realizations"
    std::shared_ptr<JournalledResponses> responses = nullptr;  // can be read from before the first row is handed over
  };
  StudyStore(const std::string& folder, const std::string& identity, bool keep_all, Start start, const Hooks& hooks);

  // How many rows an unfinished study in this folder has, and what it is.
  struct Progress {
    long rows = 0;
    std::string identity;
  };
  static Progress progress_in(const std::string& folder);

  // keep_all: every row; otherwise failed ones, and those whose poses are kept.
  // Returns where in the journal its values are; 0 where they are not.
  std::int64_t append(const JournalRecord& r) { return append(r.row, r.ok, r.why, r.sample, r.values, r.poses); }
  std::int64_t append(std::int64_t row, bool ok, const std::string& why, const std::vector<double>& sample,
                      const std::vector<double>& values, const std::vector<double>& poses);
  // How far the study may go, found out on the way; kept with the rows. Not for keep_all = false: there it is part of the state.
  static constexpr std::int64_t limit_row = -2;
  bool state_due() const;  // not keep_all: some seconds have passed since the last state was saved
  void save_state(long next_row, const std::function<void(const Journal::PutNumbers&)>& state);
  void flush() { journal_->flush(); }
  void bring_back() { journal_->bring_back(); }
  void sync();
  bool is_there() const { return journal_->is_there(); }
  void remove();  // the study is finished

 private:
  std::string path_, identity_;
  bool keep_all_;
  std::unique_ptr<Journal> journal_;
  std::vector<JournalRecord> beside_;  // not keep_all: rows that are more than their part in the state
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  // Longer on a slow disk: a twentieth of the time.
  std::chrono::steady_clock::duration sync_pause_ = std::chrono::seconds(1), state_pause_ = save_every();
};

}  // namespace aleator::core::results
