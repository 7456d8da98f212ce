#include "run_record.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>

#include "base/text_difference.hpp"
#include "results/read.hpp"
#include "results/version.hpp"
#include "study_run.hpp"

namespace aleator::core::app {
namespace {

// One line per entry, `kind key: value`, in which line ends are written \n; then the texts, each after a line with its length and
// its name. The first text is the model.
constexpr std::string_view first_line = "aleator run 1\n";

std::string in_one_line(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c == '\n')
      out += "\\n";
    else if (c == '\\')
      out += "\\\\";
    else
      out += c;
  }
  return out;
}

std::string in_lines(std::string_view value) {
  std::string out;
  for (size_t i = 0; i < value.size(); ++i) {
    if (value[i] != '\\' || i + 1 == value.size())
      out += value[i];
    else
      out += value[++i] == 'n' ? '\n' : value[i];
  }
  return out;
}

std::string text_lines(std::string_view name, std::string_view text) {
  return fmt::format("text {} {}\n{}\n", text.size(), in_one_line(name), text);
}

[[noreturn]] void damaged() { throw results::ReadError("record of the run", "it is damaged, or of another version of aleator"); }

// Up to `end`, which must be there; both are taken away.
std::string_view take_until(std::string_view& rest, std::string_view end) {
  const size_t at = rest.find(end);
  if (at == std::string_view::npos) damaged();
  const std::string_view part = rest.substr(0, at);
  rest.remove_prefix(at + end.size());
  return part;
}

input::ReferredFile take_text(std::string_view line, std::string_view& rest) {
  const std::string_view digits = take_until(line, " ");
  size_t size = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
  if (error != std::errc{} || end != digits.data() + digits.size() || size >= rest.size() || rest[size] != '\n') damaged();
  input::ReferredFile file{in_lines(line), std::string(rest.substr(0, size))};
  rest.remove_prefix(size + 1);
  return file;
}

// What has the same key, together.
std::string values_of(const std::vector<RunRecord::Entry>& entries, const std::string& key) {
  std::string all;
  for (const auto& [k, value] : entries)
    if (k == key) all += (all.empty() ? "" : ", ") + value;
  return all;
}

std::vector<std::string> keys_of(const std::vector<RunRecord::Entry>& a, const std::vector<RunRecord::Entry>& b) {
  std::vector<std::string> keys;
  for (const auto* entries : {&a, &b})
    for (const auto& [key, value] : *entries)
      if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
  return keys;
}

std::string settings_difference(const RunRecord& then, const RunRecord& now) {
  std::string out;
  for (const std::string& key : keys_of(then.settings, now.settings)) {
    const std::string before = values_of(then.settings, key), after = values_of(now.settings, key);
    if (before != after)
      out += fmt::format("{}: {} → {}\n", key, before.empty() ? "none" : before, after.empty() ? "none" : after);
  }
  return out;
}

const std::string* text_named(const std::vector<input::ReferredFile>& files, const std::string& name) {
  for (const input::ReferredFile& f : files)
    if (f.name == name) return &f.text;
  return nullptr;
}

std::string files_difference(const RunRecord& then, const RunRecord& now) {
  std::string out;
  for (const input::ReferredFile& f : then.sources.files)
    if (const std::string* text = text_named(now.sources.files, f.name))
      out += text_difference(f.text, *text, f.name);
    else
      out += fmt::format("{}: the model no longer refers to it\n", f.name);
  for (const input::ReferredFile& f : now.sources.files)
    if (!text_named(then.sources.files, f.name)) out += fmt::format("{}: the model did not refer to it\n", f.name);
  return out;
}

std::string difference_but_version(const RunRecord& then, const RunRecord& now) {
  return settings_difference(then, now) +
         text_difference(then.sources.text, now.sources.text, std::filesystem::path(then.model_file).filename().string()) +
         files_difference(then, now);
}

}  // namespace

RunRecord record_of(const RunArguments& o, const Model& model, std::vector<RunRecord::Entry> settings) {
  RunRecord r;
  r.version = results::version();
  std::error_code unknown;  // a path that cannot be made absolute stays as it is
  const std::filesystem::path file = std::filesystem::absolute(o.model.file, unknown);
  r.model_file = unknown ? o.model.file : file.lexically_normal().string();
  for (const std::string& set : o.model.settings) r.arguments.emplace_back("set", set);
  if (o.samples > 0) r.arguments.emplace_back("samples", std::to_string(o.samples));
  if (o.seed >= 0) r.arguments.emplace_back("seed", std::to_string(o.seed));
  if (!o.method.empty()) r.arguments.emplace_back("method", o.method);
  if (!o.accuracy.empty()) r.arguments.emplace_back("accuracy", o.accuracy);
  if (o.shares) r.arguments.emplace_back("shares", "yes");
  if (!o.part.whole()) r.arguments.emplace_back("part", o.part.text());
  if (!o.failures.on_failure.empty()) r.arguments.emplace_back("on-failure", o.failures.on_failure);
  if (!o.failures.failed_at_most.empty()) r.arguments.emplace_back("failed-at-most", o.failures.failed_at_most);
  r.arguments.emplace_back("isa", name(isa_of(o.isa)));
  r.settings = std::move(settings);
  r.sources = {model.description.text, model.description.files};
  return r;
}

RunArguments arguments_of(const RunRecord& r) {
  RunArguments o;
  o.model.file = r.model_file;
  o.model.sources = std::make_shared<const ModelArguments::Sources>(r.sources);
  for (const auto& [key, value] : r.arguments)
    if (key == "set") o.model.settings.push_back(value);
  const auto whole = [&](const std::string& key, long long otherwise) {
    const std::string text = value_of(r.arguments, key);
    long long x = otherwise;
    std::from_chars(text.data(), text.data() + text.size(), x);
    return x;
  };
  o.samples = long(whole("samples", o.samples));
  o.seed = whole("seed", o.seed);
  o.method = value_of(r.arguments, "method");
  o.accuracy = value_of(r.arguments, "accuracy");
  o.shares = !value_of(r.arguments, "shares").empty();
  o.failures.on_failure = value_of(r.arguments, "on-failure");
  o.failures.failed_at_most = value_of(r.arguments, "failed-at-most");
  o.isa = value_of(r.arguments, "isa");
  if (std::find(isa_names.begin(), isa_names.end(), o.isa) == isa_names.end()) damaged();
  try {
    if (const std::string part = value_of(r.arguments, "part"); !part.empty()) o.part = part_of(part);
  } catch (const CLI::ValidationError&) {
    damaged();
  }
  return o;
}

std::string value_of(const std::vector<RunRecord::Entry>& entries, const std::string& key) {
  std::string last;
  for (const auto& [k, value] : entries)
    if (k == key) last = value;
  return last;
}

std::string text_of(const RunRecord& r) {
  std::string out(first_line);
  out += fmt::format("version {}\n", in_one_line(r.version));
  for (const auto& [key, value] : r.arguments) out += fmt::format("argument {}: {}\n", key, in_one_line(value));
  for (const auto& [key, value] : r.settings) out += fmt::format("setting {}: {}\n", key, in_one_line(value));
  out += text_lines(r.model_file, r.sources.text);
  for (const input::ReferredFile& f : r.sources.files) out += text_lines(f.name, f.text);
  return out;
}

RunRecord read_record(const std::string& text) {
  std::string_view rest = text;
  if (!rest.starts_with(first_line)) damaged();
  rest.remove_prefix(first_line.size());
  RunRecord r;
  bool model = false;
  while (!rest.empty()) {
    std::string_view line = take_until(rest, "\n");
    const std::string_view kind = take_until(line, " ");
    if (kind == "version") {
      r.version = in_lines(line);
    } else if (kind == "argument" || kind == "setting") {
      const std::string key(take_until(line, ": "));
      (kind == "argument" ? r.arguments : r.settings).emplace_back(key, in_lines(line));
    } else if (kind == "text") {
      input::ReferredFile file = take_text(line, rest);
      if (model)
        r.sources.files.push_back(std::move(file));
      else
        r.model_file = std::move(file.name), r.sources.text = std::move(file.text);
      model = true;
    } else {
      damaged();
    }
  }
  if (!model) damaged();
  return r;
}

std::string difference(const RunRecord& then, const RunRecord& now) {
  const std::string version = then.version == now.version ? "" : fmt::format("version: {} → {}\n", then.version, now.version);
  return version + difference_but_version(then, now);
}

std::string difference_from(const std::string& then, const RunRecord& now, bool force) {
  try {
    const RunRecord record = read_record(then);
    return force ? difference_but_version(record, now) : difference(record, now);
  } catch (const results::ReadError&) {
    return fmt::format("version: another one → {}\n", now.version);
  }
}

}  // namespace aleator::core::app
