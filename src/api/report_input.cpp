#include "api/report_input.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <map>

#include "analysis/compare.hpp"
#include "analysis/significance.hpp"
#include "analysis/stored_expansion.hpp"
#include "base/json_reader.hpp"
#include "dynamics/modal.hpp"
#include "input/text.hpp"
#include "model/drawn_frames.hpp"
#include "propagation/expansion_draws.hpp"
#include "report/labels.hpp"
#include "results/campbell.hpp"
#include "study/recorded_study.hpp"

namespace aleator::core {
namespace {

namespace fs = std::filesystem;

// The rows of a quadrature follow no law: realizations are drawn from the expansion instead.
report::Drawn draw_expansion(const results::StudyReader& file, const report::PageLimits& limits) {
  report::Drawn d;
  if (!file.has_chaos() || file.rows_follow_law()) return d;
  const analysis::StoredExpansion s = analysis::read_expansion(file);
  const long fitting = long(limits.realizations / (sizeof(float) * std::max<std::size_t>(1, s.times.size() * s.outputs.size())));
  d.rows = std::clamp(fitting, 20L, 1000L);
  const Draws draws = draw_variables(s.variables, d.rows);
  const analysis::RowMatrix y = evaluate(s.expansion, draws.z);
  d.values.assign(y.data(), y.data() + y.size());
  const std::vector<std::string> columns = file.column_names();
  d.inputs.assign(columns.size() * std::size_t(d.rows), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < s.variables.size(); ++i) {
    const auto at = std::find(columns.begin(), columns.end(), s.variables[i].name);
    if (at == columns.end()) continue;
    const std::size_t c = std::size_t(at - columns.begin());
    for (std::size_t k = 0; k < std::size_t(d.rows); ++k)
      d.inputs[k * columns.size() + c] = draws.values[k * s.variables.size() + i];
  }
  return d;
}

// The search for a design lies beside the study that verified it; that of another study is not shown.
std::string design_beside(const results::StudyReader& file) {
  const std::string path = (fs::path(file.path()).parent_path() / "design.json").string();
  std::error_code ignored;
  if (!file.is_study() || !fs::exists(path, ignored)) return "";
  try {
    std::string text = input::read_bytes(path);
    const JsonInput found = read_json(text);
    const JsonInput *seed = found.find("verified_seed"), *samples = found.find("verified_samples");
    return seed && samples && seed->number == double(file.seed()) && samples->number == file.planned() ? text : "";
  } catch (const std::exception&) {  // it is not ours
    return "";
  }
}

// What --set gave but for one name: the parameter of a diagram takes other values there.
std::map<std::string, std::string> given_numbers(const results::Provenance& p, const std::string& but) {
  std::map<std::string, std::string> out;
  for (const auto& [name, value] : p.settings)
    if (name.starts_with("set ") && name != "set " + but) out[name] = value;
  return out;
}

bool same_model(const results::Provenance& a, const results::Provenance& b, const std::string& parameter) {
  return a.model_text == b.model_text && a.table_texts == b.table_texts &&
         given_numbers(a, parameter) == given_numbers(b, parameter);
}

// That of the file itself, or what lies beside the results of a study; that of another model, or with other numbers, is not shown.
std::optional<results::Campbell> campbell_for(const results::StudyReader& file) {
  if (results::has_campbell(file)) return results::read_campbell(file);
  const std::string path = (fs::path(file.path()).parent_path() / "campbell.h5").string();
  std::error_code ignored;
  if (!file.is_study() || !fs::exists(path, ignored)) return {};
  try {
    const results::StudyReader beside(path, results::StudyReader::Accept::any);
    if (!results::has_campbell(beside)) return {};
    results::Campbell found = results::read_campbell(beside);
    if (!same_model(beside.provenance(), file.provenance(), found.parameter)) return {};
    return found;
  } catch (const results::ReadError&) {  // it is not ours
    return {};
  }
}

// Those of the diagram that are there.
report::PageModes modes_of(const results::Campbell& d, const report::PageLimits& limits) {
  report::PageModes out;
  if (d.shapes.empty() || d.phases < 2) return out;
  const std::size_t one = d.shapes.size() / d.modes.size();
  const std::size_t at = std::size_t(std::find(d.values.begin(), d.values.end(), d.shapes_at) - d.values.begin());
  for (std::size_t k = 0; k < d.modes.size(); ++k) {
    const auto begin = d.shapes.begin() + std::ptrdiff_t(k * one);
    if (at == d.values.size() || !std::isfinite(*begin)) continue;
    if (sizeof(float) * (out.poses.size() + one) > limits.motion && !out.names.empty()) break;
    out.names.push_back(
        fmt::format("mode {}, {:.4g} Hz at {} = {:.4g}", k + 1, d.modes[k].frequency[at], d.parameter, d.shapes_at));
    out.poses.insert(out.poses.end(), begin, begin + std::ptrdiff_t(one));
  }
  out.phases = d.phases;
  return out;
}

// The shapes of a study of modes follow from the model in its file.
report::PageModes modes_in(const results::StudyReader& file, const report::PageLimits& limits) {
  report::PageModes out;
  if (results::has_campbell(file)) return modes_of(results::read_campbell(file), limits);
  if (!file.is_study() || file.setting("what") != "modes") return out;
  try {
    constexpr int phases = 25;
    const RecordedStudy recorded(file);
    const Model& model = recorded.model();
    std::size_t bytes = 0;
    for (const ModeMotion& m : mode_motions(model, phases)) {
      const std::vector<double> poses = frame_poses(model.topology, m.poses);
      bytes += sizeof(float) * poses.size();
      if (bytes > limits.motion && !out.names.empty()) break;
      out.names.push_back(fmt::format("mode {}, {:.4g} Hz", out.names.size() + 1, m.frequency));
      out.poses.insert(out.poses.end(), poses.begin(), poses.end());
    }
    out.phases = phases;
  } catch (const std::exception&) {  // of another version of the program: the report is complete without
    return {};
  }
  return out;
}

report::PageDifference as_page(const analysis::Difference& d) { return {d.value, d.noise}; }

report::PageComparison compare_for_page(const results::StudyReader& reference, const results::StudyReader& other) {
  report::PageComparison out;
  if (!reference.is_study() || !other.is_study()) {
    out.verdict = {"only studies have statistics that can be compared"};
    return out;
  }
  try {
    const analysis::Comparison c = analysis::compare(reference, other);
    for (const auto& x : c.outputs)
      out.outputs.push_back({x.name, x.unit, as_page(x.mean), as_page(x.std), as_page(x.lower), as_page(x.upper), x.by_scatter,
                             x.samples ? std::min(1.0, x.samples->smallest) : std::numeric_limits<double>::quiet_NaN()});
    for (const auto& x : c.scalars)
      out.scalars.push_back({x.name, x.unit, as_page(x.mean), as_page(x.std), {}, {}, x.by_scatter, x.p});
    out.only_first = c.only_a;
    out.only_second = c.only_b;
    out.interpolated = c.interpolated;
    out.bands = c.bands;
    out.verdict = {analysis::significance(c)};
  } catch (const analysis::CannotCompare& e) {
    out.verdict = {e.what()};
  }
  return out;
}

}  // namespace

std::string ReportInput::title() const { return report::page_title(sources); }

ReportInput read_for_report(const std::vector<std::string>& paths, const report::PageLimits& limits) {
  ReportInput in;
  using results::StudyReader;
  std::vector<std::string> read;
  for (const std::string& path : paths) {
    in.files.push_back(std::make_unique<const StudyReader>(path, StudyReader::Accept::any));
    read.push_back(in.files.back()->path());
  }
  const std::vector<std::string> labels = report::labels_of(read);
  for (std::size_t i = 0; i < in.files.size(); ++i)
    in.sources.push_back({in.files[i].get(), labels[i], draw_expansion(*in.files[i], limits), modes_in(*in.files[i], limits),
                          design_beside(*in.files[i]), campbell_for(*in.files[i])});
  for (std::size_t i = 1; i < in.files.size(); ++i) in.comparisons.push_back(compare_for_page(*in.files[0], *in.files[i]));
  return in;
}

std::string report_beside(const std::string& results, const std::string& name) {
  return fs::path(name).has_parent_path() || name == "-" ? name : (fs::path(results).parent_path() / name).string();
}

std::string default_report(const std::vector<std::string>& results) {
  constexpr std::size_t longest = 100;  // names of files have an end
  if (results.size() < 2) return report_beside(results.at(0));
  const std::vector<std::string> labels = report::labels_of(results);
  std::string name = "comparison";
  for (std::size_t i = 1; i < labels.size(); ++i) name += "-" + labels[i];
  std::replace(name.begin(), name.end(), '/', '-');  // of results that are called by their paths
  return report_beside(results[0], name.substr(0, longest) + ".html");
}

}  // namespace aleator::core
