#include "inference/read_measurements.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "inference/measured_table.hpp"
#include "inference/specimen_files.hpp"

namespace aleator::core::inference {

using input::InputError;
using results::Measurements;
using results::Specimen;

namespace {

InputError in_header(const MeasuredTable& table, const std::string& message) {
  return InputError({table.header_line, 0}, message).in_file(table.file);
}

std::string listed(std::span<const std::string> names) {
  constexpr std::size_t most = 20;  // that a message has room for
  if (names.size() <= most) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format("{}, .. ({} in all)", fmt::join(names.first(most), ", "), names.size());
}

int only_column(const MeasuredTable& table, const std::string& name) {
  const std::vector<int> found = table.find(name);
  if (found.size() > 1) throw in_header(table, fmt::format("{} columns are called '{}'", found.size(), name));
  return found.empty() ? -1 : found[0];
}

int time_column(const MeasuredTable& table, const MeasuredData& data) {
  const std::vector<std::string> names =
      data.time.empty() ? std::vector<std::string>{"time", "t", "Time", "TIME", "T"} : std::vector<std::string>{data.time};
  for (const std::string& name : names)
    if (const int column = only_column(table, name); column >= 0) return column;
  throw in_header(
      table, fmt::format("there is no column '{}' with the time; the columns are {} (choose one by 'time' in the study's 'data')",
                         names[0], listed(table.names())));
}

// `time [ms]` says itself what has to be done.
void check_unit_of_time(const MeasuredTable::Column& time, const MeasuredTable& table, const MeasuredData& data) {
  if (data.time_scale != 1) return;
  const std::pair<const char*, const char*> units[] = {{"ms", "1e-3"}, {"us", "1e-6"}, {"µs", "1e-6"}, {"μs", "1e-6"},
                                                       {"ns", "1e-9"}, {"min", "60"},  {"h", "3600"}};
  for (const auto& [unit, scale] : units)
    if (time.unit == unit)
      throw in_header(table,
                      fmt::format("'{}' is not in seconds; add 'time_scale: {}' to the study's 'data'", time.label, scale));
}

// What is read of a file: outputs and their columns, in the order of the outputs.
struct Selection {
  std::vector<int> outputs, columns;
};

Selection select_columns(const MeasuredTable& table, int time, const MeasuredData& data, std::span<const std::string> outputs) {
  Selection selection;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    std::string name = outputs[i];
    if (!data.columns.empty()) {
      const auto it = std::find_if(data.columns.begin(), data.columns.end(), [&](const NamedText& c) { return c.name == name; });
      if (it == data.columns.end()) continue;
      name = it->text;
    }
    const int column = only_column(table, name);
    if ((column < 0 || column == time) && data.columns.empty()) continue;
    if (column == time)
      throw in_header(table, fmt::format("the column '{}' is the time, and cannot be '{}' too", name, outputs[i]));
    if (column < 0)
      throw in_header(table, fmt::format("there is no column '{}', which the study assigns to '{}'{}", name, outputs[i],
                                         input::suggestion(name, table.names())));
    selection.outputs.push_back(int(i));
    selection.columns.push_back(column);
  }
  if (selection.outputs.empty())
    throw in_header(table, fmt::format("no column is an output of the model; the columns are {}, the outputs are {} (assign them "
                                       "by 'columns' in the study's 'data')",
                                       listed(table.names()), listed(outputs)));
  return selection;
}

// All specimens measure the same.
void require_same(const Selection& first, const Selection& other, const MeasuredTable& table, const std::string& first_file,
                  std::span<const std::string> outputs) {
  const auto lacks = [&](const Selection& a, const Selection& b) {
    for (const int o : a.outputs)
      if (std::find(b.outputs.begin(), b.outputs.end(), o) == b.outputs.end()) return o;
    return -1;
  };
  if (const int o = lacks(first, other); o >= 0)
    throw in_header(
        table, fmt::format("there is no column '{0}', which {1} has; add one with empty cells if '{0}' was not measured here",
                           outputs[std::size_t(o)], first_file));
  if (const int o = lacks(other, first); o >= 0)
    throw in_header(table,
                    fmt::format("there is a column '{0}', which {1} lacks; add one with empty cells there if '{0}' was not "
                                "measured, or choose by 'columns' in the study's 'data'",
                                outputs[std::size_t(o)], first_file));
}

double number_for(const std::vector<NamedNumber>& numbers, const std::string& name, double fallback) {
  for (const NamedNumber& n : numbers)
    if (n.name.empty() || n.name == name) return n.value;
  return fallback;
}

// "; the file ends at 1000: …" where its times are a thousand times those of the model.
std::string hint_of_milliseconds(double last, double duration) {
  if (!(last > 100 * duration)) return "";
  return fmt::format("; the file ends at {:g}: if its times are in milliseconds, add 'time_scale: 1e-3' to the study's 'data'",
                     last);
}

[[noreturn]] void refuse_time(double time, double in_file, double duration, double last, const MeasuredTable& table, int line) {
  const std::string at =
      time == in_file ? fmt::format("{:.6g} s", time) : fmt::format("{:.6g} s (in the file {:.6g})", time, in_file);
  const std::string message =
      time < 0 ? fmt::format(
                     "time {} is before the start of the model at 0; cut the data ('from: 0' in the study's 'data') or "
                     "shift it ('time_offset')",
                     at)
               : fmt::format(
                     "time {} is beyond the end of the simulation: the model is simulated to {:g} s; simulate longer "
                     "(simulation.duration) or cut the data ('to: {:g}' in the study's 'data'){}",
                     at, duration, duration, hint_of_milliseconds(last, duration));
  throw InputError({line, 0}, message).in_file(table.file);
}

// The time of the model at a row; true when the row is to be used.
bool take_time(double in_file, const MeasuredData& data, double duration, double last, const MeasuredTable& table, int line,
               double& time) {
  time = in_file * data.time_scale - data.time_offset;
  if (time < data.from || time > data.to) return false;
  const double rounding = 1e-6 * duration;  // of times written with six digits
  if (time < -rounding || time > duration + rounding) refuse_time(time, in_file, duration, last, table, line);
  time = std::clamp(time, 0.0, duration);
  return true;
}

void check_increasing(const TableRows& rows, std::size_t width, const MeasuredTable& table, const std::string& label) {
  for (std::size_t i = 1; i < rows.lines.size(); ++i)
    if (!(rows.values[i * width] > rows.values[(i - 1) * width]))
      throw InputError({rows.lines[i], 0}, fmt::format("'{}' must increase, found {} after {} (line {})", label,
                                                       rows.values[i * width], rows.values[(i - 1) * width], rows.lines[i - 1]))
          .in_file(table.file);
}

// Rows in which nothing was measured are left out.
Specimen make_specimen(const MeasuredTable& table, const TableRows& rows, const MeasuredData& data,
                       const std::vector<double>& scale, double duration) {
  const std::size_t width = scale.size() + 1;
  Specimen s;
  s.name = std::filesystem::path(table.file).stem().string();
  const double last = rows.lines.empty() ? 0 : rows.values[(rows.lines.size() - 1) * width] * data.time_scale;
  for (std::size_t i = 0; i < rows.lines.size(); ++i) {
    const double* row = &rows.values[i * width];
    double time = 0;
    if (!take_time(row[0], data, duration, last, table, rows.lines[i], time)) continue;
    if (std::all_of(row + 1, row + width, [](double x) { return std::isnan(x); })) continue;
    s.times.push_back(time);
    for (std::size_t c = 0; c < scale.size(); ++c) s.values.push_back(row[c + 1] * scale[c]);
  }
  if (s.times.size() < 2)
    throw InputError({}, fmt::format("a specimen needs at least 2 points in time, found {}{}{}", s.times.size(),
                                     std::isnan(data.from) ? "" : fmt::format(" from {:g} s", data.from),
                                     std::isnan(data.to) ? "" : fmt::format(" to {:g} s", data.to)))
        .in_file(table.file);
  return s;
}

// Two folders may have files of the same name.
void tell_apart(std::vector<Specimen>& specimens, const std::vector<std::string>& files) {
  std::set<std::string> names;
  for (const Specimen& s : specimens) names.insert(s.name);
  if (names.size() == specimens.size()) return;
  for (std::size_t i = 0; i < specimens.size(); ++i)
    specimens[i].name = (std::filesystem::path(files[i]).parent_path().filename() / specimens[i].name).string();
}

// Names in the study's data must be outputs of the model, and noise and scale those that are measured.
void check_names(const IdentificationStudy& study, std::span<const std::string> outputs) {
  for (const NamedText& c : study.data.columns)
    if (std::find(outputs.begin(), outputs.end(), c.name) == outputs.end())
      throw InputError(
          c.at, fmt::format("data: 'columns': the model has no output '{}'{}", c.name, input::suggestion(c.name, outputs)));
  for (const NamedText& a : study.data.columns)
    for (const NamedText& b : study.data.columns)
      if (&a < &b && a.text == b.text)
        throw InputError(b.at,
                         fmt::format("data: 'columns': '{}' and '{}' cannot both be the column '{}'", a.name, b.name, a.text));
}

void check_measured(const std::vector<NamedNumber>& numbers, const char* key, const std::vector<std::string>& channels) {
  for (const NamedNumber& n : numbers)
    if (!n.name.empty() && std::find(channels.begin(), channels.end(), n.name) == channels.end())
      throw InputError(
          n.at, fmt::format("data: '{}': no measured output is called '{}'{}", key, n.name, input::suggestion(n.name, channels)));
}

void check_not_empty(const Measurements& m, const MeasuredData& data) {
  for (std::size_t c = 0; c < m.channels.size(); ++c) {
    const bool any = std::any_of(m.specimens.begin(), m.specimens.end(), [&](const Specimen& s) {
      for (std::size_t i = c; i < s.values.size(); i += m.channels.size())
        if (!std::isnan(s.values[i])) return true;
      return false;
    });
    if (!any)
      throw InputError(data.specimens_at,
                       fmt::format("data: 'specimens': the column of '{}' has no value in any file; leave it out by 'columns'",
                                   m.channels[c]));
  }
}

// Columns that nobody asked for: with `columns` they were left out on purpose.
void note_unused(const MeasuredTable& table, int time, const Selection& used, const MeasuredData& data,
                 std::vector<std::string>& notes) {
  if (!data.columns.empty()) return;
  std::vector<std::string> unused;
  for (int c = 0; c < int(table.columns.size()); ++c)
    if (c != time && std::find(used.columns.begin(), used.columns.end(), c) == used.columns.end())
      unused.push_back(table.names()[std::size_t(c)]);
  if (!unused.empty())
    notes.push_back(
        fmt::format("{}:{}: note: column{} {} {} not used: no output of the model has {} (assign them by 'columns' in the "
                    "study's 'data')",
                    table.file, table.header_line, unused.size() == 1 ? "" : "s", listed(unused),
                    unused.size() == 1 ? "is" : "are", unused.size() == 1 ? "this name" : "these names"));
}

// What is assumed where noise is not given.
void note_noise(const IdentificationStudy& study, std::vector<std::string>& notes) {
  if (!study.data.noise.empty() || study.method == IdentificationStudy::Method::sweep) return;
  const std::string place =
      study.file.empty() ? "" : fmt::format("{}:{}:{}: ", study.file, study.data.at.line, study.data.at.column);
  notes.push_back(
      fmt::format("{}note: data: 'noise' is not given: {}", place,
                  study.method == IdentificationStudy::Method::least_squares
                      ? "outputs count as equally exact, relative to their size, and the error is estimated from what the "
                        "model leaves unexplained"
                      : "measured values are taken to be exact"));
}

Measurements read_all(const IdentificationStudy& study, std::span<const std::string> outputs, double duration,
                      std::vector<std::string>* notes) {
  check_names(study, outputs);
  const std::vector<std::string> files = specimen_files(study);
  Measurements m;
  Selection first;
  std::vector<double> scale;
  for (const std::string& file : files) {
    const MeasuredTable table = open_table(file);
    const int time = time_column(table, study.data);
    check_unit_of_time(table.columns[std::size_t(time)], table, study.data);
    const Selection selection = select_columns(table, time, study.data, outputs);
    if (m.specimens.empty()) {
      first = selection;
      if (notes) note_unused(table, time, selection, study.data, *notes);
      for (const int o : selection.outputs) m.channels.push_back(outputs[std::size_t(o)]);
      check_measured(study.data.noise, "noise", m.channels);
      check_measured(study.data.scale, "scale", m.channels);
      for (const std::string& c : m.channels) m.noise.push_back(number_for(study.data.noise, c, 0));
      for (const std::string& c : m.channels) scale.push_back(number_for(study.data.scale, c, 1));
    }
    require_same(first, selection, table, files[0], outputs);
    std::vector<int> columns = {time};
    columns.insert(columns.end(), selection.columns.begin(), selection.columns.end());
    const TableRows rows = read_columns(table, columns);
    check_increasing(rows, columns.size(), table, table.columns[std::size_t(time)].label);
    m.specimens.push_back(make_specimen(table, rows, study.data, scale, duration));
  }
  check_not_empty(m, study.data);
  tell_apart(m.specimens, files);
  return m;
}

}  // namespace

Measurements read_measurements(const IdentificationStudy& study, std::span<const std::string> outputs, double duration,
                               std::vector<std::string>* notes) {
  try {
    Measurements m = read_all(study, outputs, duration, notes);
    require_enough(study, m);
    if (notes) note_noise(study, *notes);
    return m;
  } catch (const InputError& error) {
    throw error.in_file(study.file);
  }
}

void require_enough(const IdentificationStudy& study, const Measurements& measured) {
  using Method = IdentificationStudy::Method;
  const std::size_t parameters = study.free.size(), specimens = measured.specimens.size();
  const auto plural = [](std::size_t n, const char* one) { return fmt::format("{} {}{}", n, one, n == 1 ? "" : "s"); };
  std::string message;
  if (study.method == Method::least_squares) {
    std::size_t values = 0;
    for (const Specimen& s : measured.specimens)
      values += std::size_t(std::count_if(s.values.begin(), s.values.end(), [](double x) { return !std::isnan(x); }));
    if (values <= parameters)
      message = fmt::format("{} cannot determine {} by least-squares: more values than parameters are needed",
                            plural(values, "measured value"), plural(parameters, "parameter"));
  } else if (study.method != Method::sweep && specimens <= parameters) {
    message = fmt::format(
        "{} cannot identify {}: {} needs at least {}, and better 20, because the parameters are identified from the scatter "
        "between "
        "specimens; measure more, or free fewer parameters",
        plural(specimens, "specimen"), plural(parameters, "parameter"), name_of(study.method), parameters + 1);
  }
  if (!message.empty()) throw InputError(study.data.specimens_at, "data: 'specimens': " + message).in_file(study.file);
}

}  // namespace aleator::core::inference
