#include "results/study_store.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "results/error.hpp"

namespace aleator::results {

namespace {

constexpr std::int64_t state_row = -1;  // the record of a state; its sample is the next row
constexpr char new_suffix[] = ".new";   // of a state in the making
constexpr std::chrono::seconds state_every{10};

const std::string another_study =
    "the unfinished run there is of another model, other settings or another version; `aleator resume` with --force continues it "
    "as it began, --overwrite starts again:\n";

}  // namespace

StudyStore::StudyStore(const std::string& folder, const std::string& identity, bool keep_all, Start start, const Hooks& hooks)
    : path_(file_in(folder)), identity_(identity), keep_all_(keep_all) {
  std::error_code unreadable;  // opening it says why
  const bool there = std::filesystem::exists(path_, unreadable);
  if (there && start == Start::fresh) {
    if (Journal::is_being_written(path_)) throw WriteError(folder, "another run is writing into this folder");
    const Progress p = progress_in(folder);
    const std::string difference = hooks.difference(p.identity);
    throw WriteError(folder, "it holds an unfinished run (" + hooks.progress_words(p.rows, p.identity) + "); " +
                                 (difference.empty() ? "continue it with --resume, or start again with --overwrite"
                                                     : another_study + difference));
  }
  if (!there || start == Start::overwrite) {
    journal_ = std::make_unique<Journal>(Journal::create(path_, identity));
    return;
  }
  const auto check = [&](const std::string& there) {
    if (const std::string difference = hooks.difference(there); !difference.empty())
      throw WriteError(folder, another_study + difference);
    identity_ = there;  // goes on as it began
  };
  const auto replay = [&](JournalRecord&& r) {
    if (r.row == state_row) {
      hooks.restore(long(r.sample.at(0)), r.values);
    } else {
      if (!keep_all_) failures_.push_back(r);
      hooks.replay(std::move(r));
    }
  };
  journal_ = std::make_unique<Journal>(Journal::open(path_, replay, check));
}

StudyStore::Progress StudyStore::progress_in(const std::string& folder) {
  Progress p;
  p.identity = Journal::read(file_in(folder), [&](JournalRecord&& r) {
    if (r.row == state_row)
      p.rows = long(r.sample.at(0));
    else if (r.row >= p.rows)
      p.rows = long(r.row) + 1;
  });
  return p;
}

void StudyStore::append(std::int64_t row, bool ok, const std::string& why, const std::vector<double>& sample,
                        const std::vector<double>& values, const std::vector<double>& poses) {
  if (!keep_all_) {
    failures_.push_back({row, ok, why, sample, values, poses});  // they go with the next state
    return;
  }
  journal_->append_soon(row, ok, why, sample, values, poses);
  if (std::chrono::steady_clock::now() - last_ > sync_pause_) sync();
}

bool StudyStore::state_due() const { return std::chrono::steady_clock::now() - last_ > state_every; }

void StudyStore::save_state(long next_row, std::vector<double> state) {
  const std::string fresh = path_ + new_suffix;
  Journal next = Journal::create(fresh, identity_);
  try {
    for (const JournalRecord& f : failures_) next.append(f);
    next.append({.row = state_row, .ok = true, .why = "", .sample = {double(next_row)}, .values = std::move(state), .poses = {}});
    next.sync();
    if (std::rename(fresh.c_str(), path_.c_str()) != 0) throw WriteError::from_errno(path_, errno);
  } catch (const WriteError&) {
    std::remove(fresh.c_str());  // the state before this one is still there
    throw;
  }
  next.moved_to(path_);
  journal_ = std::make_unique<Journal>(std::move(next));
  last_ = std::chrono::steady_clock::now();
}

void StudyStore::sync() {
  const auto start = std::chrono::steady_clock::now();
  journal_->sync();
  last_ = std::chrono::steady_clock::now();
  sync_pause_ = std::max<std::chrono::steady_clock::duration>(std::chrono::seconds(1), 20 * (last_ - start));
}

void StudyStore::remove() {
  std::remove((path_ + new_suffix).c_str());  // of a run that was killed while it saved its state
  journal_->remove();
}

}  // namespace aleator::results
