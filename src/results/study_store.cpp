#include "results/study_store.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <utility>

#include "base/cancellation.hpp"
#include "base/errors.hpp"

namespace aleator::core::results {

namespace {

constexpr std::int64_t state_row = -1;          // the record of a state; its sample is the next row
constexpr double most_rows = 9007199254740992;  // that a double can count
constexpr int seldom = 20;                      // what is written now and then takes no more than one part in so many of the time

const std::string another_study =
    "the unfinished run there is of another model, other settings or another version; `aleator resume` with --force continues it "
    "as it began, --overwrite starts again:\n";

// Without anybody who knows better they are the same or not.
std::string difference_of(const StudyStore::Hooks& hooks, const std::string& identity, const std::string& there) {
  if (hooks.difference) return hooks.difference(there);
  return there == identity ? "" : "identity: " + there + " → " + identity + "\n";
}

WriteError damaged(const std::string& path) { return {path, "it is damaged; start again with --overwrite"}; }

// The row that follows a record.
long next_row_of(const JournalRecord& r, const std::string& path) {
  const double next = r.row != state_row ? double(r.row) + 1 : r.sample.size() == 1 ? r.sample[0] : -1;
  if (!(next >= 0 && next < most_rows)) throw damaged(path);
  return long(next);
}

}  // namespace

std::chrono::steady_clock::duration save_every() {
  const char* text = std::getenv("ALEATOR_SAVE_EVERY");
  const double seconds = text ? std::atof(text) : 0;
  return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
      std::chrono::duration<double>(seconds > 0 && seconds < 1e6 ? seconds : 10));
}

std::size_t held_responses() {
  const char* const text = std::getenv("ALEATOR_HELD_RESPONSES");
  const double megabytes = text ? std::atof(text) : -1;
  return megabytes >= 0 && megabytes < 1e6 ? std::size_t(megabytes * 1e6 / 8) : response_block;
}

StudyStore::StudyStore(const std::string& folder, const std::string& identity, bool keep_all, Start start, const Hooks& hooks)
    : path_(file_in(folder)), identity_(identity), keep_all_(keep_all) {
  std::error_code unreadable;  // opening it says why
  const bool there = std::filesystem::exists(path_, unreadable);
  if (there && start == Start::fresh) {
    if (Journal::is_being_written(path_)) throw WriteError(folder, "another run is writing into this folder");
    const Progress p = progress_in(folder);
    const std::string difference = difference_of(hooks, identity, p.identity);
    throw WriteError(folder, "it holds an unfinished run (" + hooks.progress_words(p.rows, p.identity) + "); " +
                                 (difference.empty() ? "continue it with --resume, or start again with --overwrite"
                                                     : another_study + difference));
  }
  if (!there || start == Start::overwrite) {
    journal_ = std::make_unique<Journal>(Journal::create(path_, identity));
    if (hooks.responses) hooks.responses->read_through(*journal_);
    return;
  }
  const auto check = [&](const std::string& found) {
    if (const std::string difference = difference_of(hooks, identity, found); !difference.empty())
      throw WriteError(folder, another_study + difference);
    identity_ = found;  // goes on as it began
  };
  bool has_state = false;
  const auto replay = [&](JournalRecord&& r) {
    if (r.row == limit_row) {
      hooks.replay(std::move(r));
    } else if (r.row == state_row) {
      if (keep_all_ || std::exchange(has_state, true)) throw damaged(path_);
      hooks.restore(next_row_of(r, path_), r.values);
    } else {
      if (!keep_all_) beside_.push_back(r);
      hooks.replay(std::move(r));
    }
  };
  journal_ = std::make_unique<Journal>(Journal::lock(path_));
  if (hooks.responses) hooks.responses->read_through(*journal_);
  journal_->replay(replay, check);
  if (!beside_.empty() && !has_state) throw damaged(path_);  // both are written together
}

StudyStore::Progress StudyStore::progress_in(const std::string& folder) {
  Progress p;
  p.identity = Journal::read(file_in(folder), [&](JournalRecord&& r) {
    if (r.row == limit_row) return;
    p.rows = r.row == state_row ? next_row_of(r, file_in(folder)) : std::max(p.rows, next_row_of(r, file_in(folder)));
  });
  return p;
}

std::int64_t StudyStore::append(std::int64_t row, bool ok, const std::string& why, const std::vector<double>& sample,
                                const std::vector<double>& values, const std::vector<double>& poses) {
  if (!keep_all_) {
    // They go with the next state; of values only what a failed row has in their place, its time.
    beside_.push_back({row, ok, why, sample, ok ? std::vector<double>() : values, poses});
    return 0;
  }
  const std::int64_t values_at = journal_->append_soon(row, ok, why, sample, values, poses);
  if (std::chrono::steady_clock::now() - last_ > sync_pause_) sync();
  return values_at;
}

bool StudyStore::state_due() const { return std::chrono::steady_clock::now() - last_ > state_pause_; }

void StudyStore::save_state(long next_row, const std::function<void(const Journal::PutNumbers&)>& state) {
  const auto start = std::chrono::steady_clock::now();
  Journal next = Journal::begin(path_, identity_);  // until it is published, the state before this one is there
  for (const JournalRecord& r : beside_) next.append_soon(r.row, r.ok, r.why, r.sample, r.values, r.poses);
  const double at = double(next_row);
  next.append_numbers(state_row, {&at, 1}, state);
  next.publish();
  journal_ = std::make_unique<Journal>(std::move(next));
  last_ = std::chrono::steady_clock::now();
  // A twentieth of the time, unless somebody has said how often.
  state_pause_ = std::getenv("ALEATOR_SAVE_EVERY") ? save_every() : std::max(save_every(), seldom * (last_ - start));
}

void StudyStore::sync() {
  const auto start = std::chrono::steady_clock::now();
  journal_->sync();
  last_ = std::chrono::steady_clock::now();
  sync_pause_ = std::max<std::chrono::steady_clock::duration>(std::chrono::seconds(1), seldom * (last_ - start));
}

void StudyStore::remove() { journal_->remove(); }

void JournalledResponses::read(std::size_t first_row, std::size_t rows, std::size_t first_point, std::size_t count,
                               double* to) const {
  assert(first_row + rows <= values_at_.size() && first_point + count <= points_);
  if (count == 0) return;
  if (!journal_->is_flushed()) journal_->flush();  // by whoever reads first, while nothing is appended
  for (std::size_t k = first_row; k < first_row + rows; ++k, to += count) {
    if (k % 1024 == 0) throw_if_cancelled();
    if (values_at_[k] == 0) {
      std::fill_n(to, count, std::numeric_limits<double>::quiet_NaN());
      continue;
    }
    journal_->read_numbers(values_at_[k] + std::int64_t(first_point * sizeof(double)), {to, count});
  }
}

}  // namespace aleator::core::results
