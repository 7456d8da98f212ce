#include "study/run_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>

#include "base/text_difference.hpp"
#include "input/limits.hpp"
#include "results/read.hpp"
#include "results/version.hpp"

namespace aleator::core {
namespace {

// One line per entry, `kind key: value`, in which line ends are written \n; then the texts, each after a line with its length and
// its name. The first text is the model.
constexpr std::string_view first_line = "aleator run 2\n";

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

// --- studies as entries ---

namespace {

std::string text(double x) { return fmt::format("{:.17g}", x); }
std::string text(bool x) { return x ? "yes" : "no"; }

double number_in(const RunRecord& r, const std::string& key) {
  const std::string value = value_of(r.settings, key);
  char* end = nullptr;
  const double x = std::strtod(value.c_str(), &end);
  if (value.empty() || *end != 0) damaged();
  return x;
}
template <class T>
void whole_in(const RunRecord& r, const std::string& key, T& to) {
  const std::string value = value_of(r.settings, key);
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), to);
  if (error != std::errc{} || end != value.data() + value.size()) damaged();
}

}  // namespace

ModalRequest modal_request(const Study& s) {
  ModalRequest out{.number = s.modes.number, .about = s.modes.about, .frame = s.modes.frame, .shapes = s.modes.shapes};
  for (const ModeLimit& l : s.modes.limits) out.limits.push_back({l.quantity, l.above, l.value});
  return out;
}

// "frequency_1.below=20 damping_1.below=0.01"
std::string text_of(const std::vector<ModeLimit>& limits) {
  std::string out;
  for (const ModeLimit& l : limits)
    out += fmt::format("{}{}.{}={}", out.empty() ? "" : " ", l.quantity, l.above ? "above" : "below", text(l.value));
  return out;
}

std::vector<ModeLimit> mode_limits(const std::string& text) {
  std::vector<ModeLimit> out;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const size_t dot = word.find('.'), equals = word.find('=');
    if (dot == std::string::npos || equals == std::string::npos || equals < dot) damaged();
    char* end = nullptr;
    out.push_back(
        {word.substr(0, dot), word.compare(dot, equals - dot, ".above") == 0, std::strtod(word.c_str() + equals + 1, &end)});
    if (*end != 0 || !std::isfinite(out.back().value)) damaged();
  }
  return out;
}

std::vector<RunRecord::Entry> entries_of(const Study& s) {
  std::vector<RunRecord::Entry> out = {{"method", s.method},
                                       {"seed", std::to_string(s.seed)},
                                       {"samples", std::to_string(s.samples)},
                                       {"confidence", text(s.confidence)},
                                       {"keep", s.keep_all ? "all" : "statistics"},
                                       {"sensitivity", text(s.sensitivity)},
                                       {"accuracy", text(s.accuracy)},
                                       {"accuracy of mean", text(s.accuracy_of_mean)},
                                       {"accuracy of std", text(s.accuracy_of_std)},
                                       {"accuracy of band", text(s.accuracy_of_band)},
                                       {"hypercube", s.hypercube},
                                       {"replicates", std::to_string(s.replicates)},
                                       {"chaos coefficients", s.chaos.coefficients},
                                       {"chaos order", std::to_string(s.chaos.order)},
                                       {"chaos basis", s.chaos.basis},
                                       {"chaos q", text(s.chaos.q)},
                                       {"chaos design", s.chaos.design},
                                       {"chaos evaluations", std::to_string(s.chaos.evaluations)},
                                       {"levels coarsen", s.levels.coarsen},
                                       {"levels factor", std::to_string(s.levels.factor)},
                                       {"levels count", std::to_string(s.levels.count)},
                                       {"screening trajectories", std::to_string(s.screening.trajectories)},
                                       {"screening levels", std::to_string(s.screening.levels)},
                                       {"variability field", s.variability.field},
                                       {"univariate order", std::to_string(s.univariate.order)},
                                       {"univariate checks", std::to_string(s.univariate.checks)},
                                       {"variability wave numbers", std::to_string(s.variability.wave_numbers)},
                                       {"variability phases", std::to_string(s.variability.phases)},
                                       {"variability largest", text(s.variability.largest)},
                                       {"reliability sets", std::to_string(s.reliability.sets)},
                                       {"reliability level probability", text(s.reliability.level_probability)},
                                       {"reliability smallest", text(s.reliability.smallest)}};
  if (s.what != "motion") {
    out.insert(out.end(), {{"what", s.what},
                           {"modes number", std::to_string(s.modes.number)},
                           {"modes about", s.modes.about},
                           {"modes frame", s.modes.frame},
                           {"modes shapes", text(s.modes.shapes)}});
    if (!s.modes.limits.empty()) out.emplace_back("modes limits", text_of(s.modes.limits));
  }
  for (const std::string& limit : s.reliability.failure) out.emplace_back("failure", limit);
  if (s.on_failure == "skip") out.emplace_back("smaller steps", "no");  // all else about failures changes no numbers
  for (const auto& [name, accuracy] : s.accuracy_of_output) out.emplace_back("accuracy of output", name + "=" + text(accuracy));
  for (const long n : s.stages) out.emplace_back("stage", std::to_string(n));
  return out;
}

Study study_of(const RunRecord& r) {
  Study s;
  const auto word = [&](const char* key) { return value_of(r.settings, key); };
  s.method = word("method");
  whole_in(r, "seed", s.seed);
  whole_in(r, "samples", s.samples);
  s.confidence = number_in(r, "confidence");
  s.keep_all = word("keep") == "all";
  s.sensitivity = word("sensitivity") == "yes";
  s.accuracy = number_in(r, "accuracy");
  s.accuracy_of_mean = word("accuracy of mean") == "yes";
  s.accuracy_of_std = word("accuracy of std") == "yes";
  s.accuracy_of_band = word("accuracy of band") == "yes";
  s.hypercube = word("hypercube");
  whole_in(r, "replicates", s.replicates);
  s.chaos.coefficients = word("chaos coefficients");
  whole_in(r, "chaos order", s.chaos.order);
  s.chaos.basis = word("chaos basis");
  s.chaos.q = number_in(r, "chaos q");
  s.chaos.design = word("chaos design");
  whole_in(r, "chaos evaluations", s.chaos.evaluations);
  s.levels.coarsen = word("levels coarsen");
  whole_in(r, "levels factor", s.levels.factor);
  whole_in(r, "levels count", s.levels.count);
  whole_in(r, "screening trajectories", s.screening.trajectories);
  whole_in(r, "screening levels", s.screening.levels);
  s.variability.field = word("variability field");
  whole_in(r, "univariate order", s.univariate.order);
  whole_in(r, "univariate checks", s.univariate.checks);
  whole_in(r, "variability wave numbers", s.variability.wave_numbers);
  whole_in(r, "variability phases", s.variability.phases);
  s.variability.largest = number_in(r, "variability largest");
  whole_in(r, "reliability sets", s.reliability.sets);
  s.reliability.level_probability = number_in(r, "reliability level probability");
  s.reliability.smallest = number_in(r, "reliability smallest");
  if (const std::string what = word("what"); !what.empty()) {
    s.what = what;
    whole_in(r, "modes number", s.modes.number);
    s.modes.about = word("modes about"), s.modes.frame = word("modes frame");
    s.modes.shapes = word("modes shapes") == "yes";
    s.modes.limits = mode_limits(word("modes limits"));
    if (what != "modes" || s.modes.number < 1 || s.modes.number > input::limits::modes) damaged();
  }
  for (const auto& [key, value] : r.settings)
    if (key == "failure")
      s.reliability.failure.push_back(value);
    else if (key == "stage")
      s.stages.push_back(std::atol(value.c_str()));
    else if (const size_t at = value.rfind('='); key == "accuracy of output" && at != std::string::npos)
      s.accuracy_of_output[value.substr(0, at)] = std::strtod(value.c_str() + at + 1, nullptr);
  if (const std::string budget = value_of(r.arguments, "budget"); !budget.empty()) {
    char* end = nullptr;
    s.budget_seconds = std::strtod(budget.c_str(), &end);
    s.budget_bytes = std::strtod(end, nullptr);
  }
  s.on_failure = value_of(r.arguments, "on-failure");
  s.failed_at_most = std::strtod(value_of(r.arguments, "failed-at-most").c_str(), nullptr);
  const bool sound = s.samples > 0 && s.samples <= input::limits::samples && s.confidence > 0 && s.confidence < 1 &&
                     s.accuracy >= 0 && s.accuracy < 1 && s.budget_seconds > 0 && s.budget_bytes > 0 && s.replicates > 0 &&
                     s.replicates <= 1024 && s.chaos.order >= 0 && s.chaos.order <= input::limits::chaos_order &&
                     s.chaos.evaluations > 1 && s.chaos.evaluations <= input::limits::chaos_evaluations && s.chaos.q > 0 &&
                     s.chaos.q <= 1 && s.levels.factor >= 0 && s.levels.count >= 0 && s.levels.count <= 8 &&
                     s.screening.trajectories > 0 && s.screening.trajectories <= input::limits::trajectories &&
                     s.screening.levels > 0 && s.screening.levels % 2 == 0 && s.univariate.order >= 2 &&
                     s.univariate.order <= input::limits::univariate_order && s.univariate.checks >= 0 &&
                     s.univariate.checks != 1 && s.univariate.checks <= input::limits::univariate_checks &&
                     s.variability.wave_numbers >= 3 && s.variability.wave_numbers <= 1000 && s.variability.phases >= 4 &&
                     s.variability.phases <= 1000 && s.variability.largest >= 0 && s.reliability.sets >= 1 &&
                     s.reliability.sets <= 1000 && s.reliability.level_probability > 0 && s.reliability.level_probability < 1 &&
                     s.reliability.smallest > 0 && s.reliability.smallest < 1 && s.failed_at_most >= 0 && s.failed_at_most <= 1 &&
                     std::all_of(s.stages.begin(), s.stages.end(), [&](long n) { return n > 0 && n <= s.samples; });
  if (!sound) damaged();
  return s;
}

std::vector<Override> overrides_of(const RunRecord& r) {
  std::vector<Override> out;
  for (const auto& [key, value] : r.settings) {
    if (key != "set") continue;
    const size_t equals = value.find('=');
    char* end = nullptr;
    const double x = equals == std::string::npos ? 0 : std::strtod(value.c_str() + equals + 1, &end);
    if (equals == 0 || !end || *end != 0 || !std::isfinite(x)) damaged();
    out.push_back({value.substr(0, equals), x});
  }
  return out;
}

std::shared_ptr<const Model> with_stepping(const Model& model, const RunRecord& record) {
  Model out = model;
  out.settings.accuracy = 0;  // settled
  out.settings.integrator = value_of(record.settings, "integrator");
  out.settings.step = number_in(record, "step");
  const std::string adapted = value_of(record.settings, "step tolerance");
  out.settings.step_tolerance = adapted.empty() ? 0 : number_in(record, "step tolerance");
  if (const Study s = study_of(record); s.what == "modes") out = modal_model(model, modal_request(s));
  return std::make_shared<const Model>(std::move(out));
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

}  // namespace aleator::core
