#include "study/resume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "input/text.hpp"
#include "results/part.hpp"
#include "results/read.hpp"
#include "results/study_store.hpp"
#include "results/version.hpp"

namespace aleator::core {
namespace {

namespace fs = std::filesystem;

// The text of a file as it is now. One that is gone has not changed: the record is enough to go on.
std::string text_now(const fs::path& file, const std::string& then, const Note& note) {
  std::error_code ignored;
  if (!fs::exists(file, ignored)) {
    tell(note, fmt::format("{}: note: it no longer exists; continuing with its text at the start of the run", file.string()));
    return then;
  }
  return input::read_bytes(file.string());
}

RunRecord as_it_is_now(const RunRecord& then, const Note& note) {
  RunRecord now = then;
  now.version = results::version();
  now.sources.text = text_now(then.model_file, then.sources.text, note);
  const fs::path folder = fs::path(then.model_file).parent_path();
  for (input::ReferredFile& f : now.sources.files) f.text = text_now(folder / f.name, f.text, note);
  return now;
}

Isa isa_in(const RunRecord& record) {
  try {
    return isa_named(value_of(record.settings, "instruction set").c_str());
  } catch (const std::invalid_argument&) {
    throw ReadError("record of the run", "it is damaged, or of another version of aleator");
  }
}

// What was asked for, with the model as it was then.
StudyRequest request_of(const RunRecord& record, const RunOptions& options) {
  StudyRequest q;
  q.model = load(record.model_file, record.sources, overrides_of(record));
  q.study = study_of(record);
  q.options = options;
  q.options.isa = name(isa_in(record));
  if (const std::string part = value_of(record.arguments, "part"); !part.empty()) try {
      q.part = part_of(part);
    } catch (const std::invalid_argument&) {
      throw ReadError("record of the run", "it is damaged, or of another version of aleator");
    }
  return q;
}

// --- parts ---

struct Found {
  std::string file;
  results::PartHeader header;
};

// "3, 7 and 11"
std::string list(const std::vector<long>& numbers) {
  constexpr size_t most = 12;
  std::string out;
  for (size_t i = 0; i < std::min(most, numbers.size()); ++i)
    out += (i == 0 ? "" : i + 1 == numbers.size() ? " and " : ", ") + std::to_string(numbers[i]);
  return out + (numbers.size() > most ? fmt::format(" and {} more", numbers.size() - most) : "");
}

// Each of them once.
void expect_all(const std::vector<Found>& all) {
  const long of = all.front().header.of;
  std::vector<long> missing;
  auto next = all.begin();
  for (long k = 1; k <= of; ++k) {
    if (next == all.end() || next->header.number != k) {
      missing.push_back(k);
      continue;
    }
    const auto again = next++;
    if (next != all.end() && next->header.number == k)
      throw ReadError(next->file, fmt::format("it is part {} of {}, as {} is", k, of, again->file));
  }
  if (missing.empty()) return;
  throw ReadError(fs::absolute(all.front().file).parent_path().string(),
                  fmt::format("of {} parts, {} {} missing", of, list(missing), missing.size() == 1 ? "is" : "are"));
}

// They are all of one study. In their order.
std::vector<Found> sorted(const std::vector<std::string>& files) {
  std::vector<Found> all;
  for (const std::string& f : files) all.push_back({f, results::read_part_header(f)});
  std::stable_sort(all.begin(), all.end(), [](const Found& a, const Found& b) { return a.header.number < b.header.number; });
  const Found& first = all.front();
  const RunRecord study = read_record(first.header.record);
  if (study.version != results::version())
    throw ReadError(first.file,
                    fmt::format("it was computed by version {} of aleator, and this is {}", study.version, results::version()));
  for (const Found& f : all) {
    if (f.header.of != first.header.of)
      throw ReadError(f.file,
                      fmt::format("it is one of {} parts, and {} is one of {}", f.header.of, first.file, first.header.of));
    if (const std::string change = difference(study, read_record(f.header.record)); !change.empty())
      throw ReadError(f.file, fmt::format("it does not belong to {}:\n{}", first.file, change));
  }
  expect_all(all);
  return all;
}

}  // namespace

StudyRequest unfinished_in(const std::string& folder, const RunOptions& options) {
  const RunRecord then = read_record(results::StudyStore::progress_in(folder).identity);
  if (!value_of(then.arguments, "identify").empty())
    throw ReadError(folder, "its unfinished run belongs to a search; `aleator identify STUDY --resume` continues it");
  const RunRecord now = as_it_is_now(then, options.on_note);
  const std::string change = difference(then, now);
  if (!change.empty() && !options.force)
    throw WriteError(folder,
                     "something changed since its run began; --force continues it with the model as it was then, "
                     "`aleator run` with --overwrite starts again:\n" +
                         change);
  StudyRequest q = request_of(then, options);
  q.options.folder = q.part.whole() ? folder : fs::path(folder).parent_path().parent_path().string();
  q.options.resume = true;
  if (!available(isa_of(q.options.isa)))
    throw WriteError(folder, fmt::format("its run began with {}, which this processor does not have", q.options.isa));
  if (then.sources.text != now.sources.text || then.sources.files != now.sources.files)
    q.options.remarks.push_back(
        "the model file has changed since the run began; all realizations are of the model as it was then, whose text is here");
  if (then.version != now.version)
    q.options.remarks.push_back(
        fmt::format("the run began with version {} of aleator and ended with version {}", then.version, now.version));
  for (const std::string& remark : q.options.remarks) tell(options.on_note, fmt::format("{}: note: {}", folder, remark));
  return q;
}

StudyRequest study_of_parts(const std::vector<std::string>& files, const std::string& file, const RunOptions& options) {
  if (files.empty()) throw ReadError("parts", "there are none");
  const std::vector<Found> all = sorted(files);
  StudyRequest q = request_of(read_record(all.front().header.record), options);
  q.part = {};
  for (const Found& p : all) q.parts.push_back(p.file);
  // OUT/parts/K-of-N.h5 belong to OUT/results.h5.
  const fs::path beside = fs::absolute(all.front().file).parent_path();
  q.file = !file.empty() ? file : ((beside.filename() == "parts" ? beside.parent_path() : beside) / "results.h5").string();
  q.options.folder = fs::path(q.file).parent_path().string();
  if (q.options.folder.empty()) q.options.folder = ".";
  return q;
}

}  // namespace aleator::core
