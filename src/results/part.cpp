#include "results/part.hpp"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/atomic_file.hpp"
#include "results/hdf5_file.hpp"
#include "results/read.hpp"

namespace aleator::core::results {

namespace {

constexpr char layout[] = "aleator part";

// Rows below each other; those that are empty are left out, `has` says which are there.
struct Table {
  std::vector<double> has, values, widths;
  bool equal() const { return std::adjacent_find(widths.begin(), widths.end(), std::not_equal_to<>()) == widths.end(); }
};

Table table_of(const std::vector<JournalRecord>& rows, std::vector<double> JournalRecord::*member, bool ok = true) {
  Table t;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::vector<double>& own = rows[k].*member;
    if (own.empty() || (member == &JournalRecord::values && rows[k].ok != ok)) continue;
    t.widths.push_back(double(own.size()));
    t.has.push_back(double(k));
    t.values.insert(t.values.end(), own.begin(), own.end());
  }
  return t;
}

void write_table(Hdf5File& file, const std::string& path, const Table& t) {
  file.dataset(path + "/index", {t.has.size()}, t.has);
  if (t.equal()) {
    file.dataset(path + "/values", {t.has.size(), t.has.empty() ? 0 : t.values.size() / t.has.size()}, t.values);
  } else {
    file.dataset(path + "/widths", {t.widths.size()}, t.widths);
    file.dataset(path + "/values", {t.values.size(), 1}, t.values);
  }
}

void read_table(const StudyReader& file, const std::string& path, std::vector<JournalRecord>& rows,
                std::vector<double> JournalRecord::*member) {
  const std::vector<double> has = file.numbers(path + "/index"), values = file.numbers(path + "/values");
  std::vector<long> widths(has.size(), has.empty() ? 0 : long(values.size() / has.size()));
  if (file.has(path + "/widths")) widths = file.counts(path + "/widths");
  const bool positive = std::all_of(widths.begin(), widths.end(), [&](long w) { return w >= 0 && w <= long(values.size()); });
  if (widths.size() != has.size() || !positive || std::accumulate(widths.begin(), widths.end(), 0L) != long(values.size()))
    throw ReadError(file.path(), path + " is damaged");
  auto next = values.begin();
  for (std::size_t i = 0; i < has.size(); ++i) {
    if (!(has[i] >= 0 && has[i] < double(rows.size()))) throw ReadError(file.path(), path + "/index is damaged");
    (rows[std::size_t(has[i])].*member).assign(next, next + widths[i]);
    next += widths[i];
  }
}

PartHeader header_of(const StudyReader& file) {
  PartHeader h;
  h.record = file.text_attribute("/", "record");
  h.number = file.count_attribute("/", "part");
  h.of = file.count_attribute("/", "parts");
  h.first_row = file.count_attribute("/", "first_row");
  h.end_row = file.count_attribute("/", "end_row");
  h.seconds = file.number_attribute("/", "seconds");
  h.host = file.text_attribute("/", "host");
  if (h.number < 1 || h.of < h.number || h.end_row < h.first_row) throw ReadError(file.path(), "its attributes are damaged");
  return h;
}

}  // namespace

void write_part(const std::string& path, const PartFile& part) {
  AtomicFile out(path);
  Hdf5File file(out, path);
  file.attribute("/", "layout", std::string(layout));
  file.attribute("/", "record", part.header.record);
  file.attribute("/", "part", double(part.header.number));
  file.attribute("/", "parts", double(part.header.of));
  file.attribute("/", "first_row", double(part.header.first_row));
  file.attribute("/", "end_row", double(part.header.end_row));
  file.attribute("/", "seconds", part.header.seconds);
  file.attribute("/", "host", part.header.host);
  std::vector<double> row, ok;
  std::vector<std::string> why;
  for (const JournalRecord& r : part.rows) {
    row.push_back(double(r.row));
    ok.push_back(r.ok ? 1 : 0);
    why.push_back(r.why);
  }
  file.dataset("/rows/row", {row.size()}, row);
  file.dataset("/rows/ok", {ok.size()}, ok);
  if (std::any_of(why.begin(), why.end(), [](const std::string& w) { return !w.empty(); })) file.dataset("/rows/why", why);
  write_table(file, "/rows/inputs", table_of(part.rows, &JournalRecord::sample));
  write_table(file, "/rows/outputs", table_of(part.rows, &JournalRecord::values));
  write_table(file, "/rows/failed_at", table_of(part.rows, &JournalRecord::values, false));  // in place of outputs
  write_table(file, "/rows/poses", table_of(part.rows, &JournalRecord::poses));
  file.dataset("/state", {part.state.size()}, part.state);
  file.finish();
  out.commit();
}

PartHeader read_part_header(const std::string& path) { return header_of(StudyReader(path, StudyReader::Accept::part)); }

PartFile read_part(const std::string& path) {
  const StudyReader file(path, StudyReader::Accept::part);
  PartFile part;
  part.header = header_of(file);
  const std::vector<long> row = file.counts("/rows/row");
  const std::vector<double> ok = file.numbers("/rows/ok");
  const std::vector<std::string> why = file.has("/rows/why") ? file.texts("/rows/why") : std::vector<std::string>(row.size());
  if (ok.size() != row.size() || why.size() != row.size()) throw ReadError(path, "/rows is damaged");
  part.rows.resize(row.size());
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (row[k] < part.header.first_row || row[k] >= part.header.end_row) throw ReadError(path, "/rows/row is damaged");
    part.rows[k].row = row[k];
    part.rows[k].ok = ok[k] != 0;
    part.rows[k].why = why[k];
  }
  read_table(file, "/rows/inputs", part.rows, &JournalRecord::sample);
  read_table(file, "/rows/outputs", part.rows, &JournalRecord::values);
  read_table(file, "/rows/failed_at", part.rows, &JournalRecord::values);
  read_table(file, "/rows/poses", part.rows, &JournalRecord::poses);
  part.state = file.numbers("/state");
  return part;
}

}  // namespace aleator::core::results
