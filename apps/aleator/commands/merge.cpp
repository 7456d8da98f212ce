// aleator merge PARTS: joins the parts of a study, each computed for itself (`run --part K/N`), to its results.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "results/part.hpp"
#include "results/read.hpp"
#include "results/version.hpp"
#include "study_run.hpp"

namespace aleator::core::app {
namespace {

namespace fs = std::filesystem;

struct MergeArguments {
  std::vector<std::string> files;
  std::string out;
  long threads = 0;
  bool no_report = false;
};

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
      throw results::ReadError(next->file, fmt::format("it is part {} of {}, as {} is", k, of, again->file));
  }
  if (missing.empty()) return;
  throw results::ReadError(fs::absolute(all.front().file).parent_path().string(),
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
    throw results::ReadError(
        first.file, fmt::format("it was computed by version {} of aleator, and this is {}", study.version, results::version()));
  for (const Found& f : all) {
    if (f.header.of != first.header.of)
      throw results::ReadError(
          f.file, fmt::format("it is one of {} parts, and {} is one of {}", f.header.of, first.file, first.header.of));
    if (const std::string change = difference(study, read_record(f.header.record)); !change.empty())
      throw results::ReadError(f.file, fmt::format("it does not belong to {}:\n{}", first.file, change));
  }
  expect_all(all);
  return all;
}

int merge_command(const MergeArguments& m, const std::string& command_line) {
  const std::vector<Found> parts = sorted(m.files);
  RunArguments o = arguments_of(read_record(parts.front().header.record));
  o.part = {};
  for (const Found& p : parts) o.parts.push_back(p.file);
  // OUT/parts/K-of-N.h5 belong to OUT/results.h5.
  const fs::path beside = fs::absolute(parts.front().file).parent_path();
  o.file = !m.out.empty() ? m.out : ((beside.filename() == "parts" ? beside.parent_path() : beside) / "results.h5").string();
  o.out = fs::path(o.file).parent_path().string();
  if (o.out.empty()) o.out = ".";
  o.threads = m.threads;
  o.no_report = m.no_report;
  return run_command(o, command_line);
}

}  // namespace

void add_merge(CLI::App& app, Action& action) {
  auto o = std::make_shared<MergeArguments>();
  CLI::App* c = app.add_subcommand("merge", "Join the parts of a study (run --part) to its results");
  c->add_option("PARTS", o->files, "Files of all parts (out/NAME/parts/*.h5)")->required();
  c->add_option("-o,--out", o->out, "File of the results (default results.h5 beside the folder of the parts)")->type_name("FILE");
  c->add_option("--threads", o->threads, "Number of threads (default all)")->check(whole_number(1, 1024))->type_name("N");
  c->add_flag("--no-report", o->no_report, "Write the results alone");
  c->callback([o, &action] { action.run = [o, &action] { return merge_command(*o, action.command_line); }; });
}

}  // namespace aleator::core::app
