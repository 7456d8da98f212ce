#include "report/page_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "report/failure_groups.hpp"
#include "report/page_parts.hpp"
#include "report/source.hpp"
#include "results/version.hpp"

namespace aleator::core::report {

std::vector<double> PageContext::thinned(const std::vector<double>& all) const {
  if (stride == 1 || time.empty()) return all;
  std::vector<double> out;
  out.reserve(all.size() / std::size_t(stride) + 1);
  for (std::size_t row = 0; row + time.size() <= all.size(); row += time.size())
    for (std::size_t t = 0; t < time.size(); t += std::size_t(stride)) out.push_back(all[row + t]);
  return out;
}

double PageContext::known(const std::function<double()>& read) const {
  try {
    return read();
  } catch (const results::ReadError&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

void put_texts(Json& j, const char* key, const std::vector<std::string>& list) {
  j.key(key).array();
  for (const std::string& x : list) j.string(x);
  j.end();
}

void PageContext::put(const char* key, bool there, const Read& read, void (PageBlock::*as)(Json&, std::span<const double>)) {
  json.key(key);
  if (there)
    (block.*as)(json, thinned(read()));
  else
    json.null();
}

void PageContext::put_list(const char* key, const Read& read) {
  json.key(key);
  try {
    block.exact(json, read());
  } catch (const results::ReadError&) {
    json.null();
  }
}

namespace {

void put_provenance(PageContext& c) {
  c.put_text("label", c.source.label);
  c.put_text("file", c.file.path());
  c.json.key("study").boolean(c.file.is_study());
  const results::Provenance p = c.file.provenance();
  c.put_text("title", p.title);
  c.put_text("model", p.model_text);
  c.put_text("modelFile", p.model_file);
  c.put_text("version", p.version);
  c.put_text("commit", p.commit);
  c.put_text("host", p.host);
  c.put_text("commandLine", p.command_line);
  c.put_text("processor", p.processor);
  c.put_text("created", p.created);
  c.put_text("method", c.file.method());
  c.json.key("settings").object();
  for (const auto& [name, value] : p.settings) c.put_text(name.c_str(), value);
  c.json.end();
  const std::string seconds = c.file.setting("seconds");
  c.put_number("seconds", seconds.empty() ? std::numeric_limits<double>::quiet_NaN() : std::strtod(seconds.c_str(), nullptr));
}

void put_failures(PageContext& c) {
  const std::vector<results::Failure> failed = c.file.failures();
  c.json.key("failures").object();
  c.put_number("count", double(failed.size()));
  c.json.key("groups").array();
  const std::vector<FailureGroup> groups = failure_groups(failed);
  for (std::size_t i = 0; i < std::min<std::size_t>(groups.size(), 20); ++i) {
    const FailureGroup& g = groups[i];
    c.json.object().key("reason").string(g.reason).key("count").number(double(g.count));
    c.json.key("realizations").array();
    for (const long k : g.realizations) c.json.number(double(k));
    c.json.end().key("last").number(double(g.last));
    c.put_number("from", g.from);
    c.put_number("to", g.to);
    c.json.end();
  }
  c.json.end().end();
}

void put_progress(PageContext& c) {
  const bool study = c.file.is_study();
  const auto count = [&](double (results::StudyReader::*number)() const) {
    return study ? c.known([&] { return (c.file.*number)(); }) : 0;
  };
  c.put_text("seed", study ? std::to_string(c.file.seed()) : "");
  c.put_number("planned", count(&results::StudyReader::planned));
  c.put_number("done", count(&results::StudyReader::done));
  c.json.key("complete").boolean(!study || c.file.complete());
  c.json.key("followsLaw").boolean(!study || c.file.rows_follow_law());
  c.put_number("confidence", study ? count(&results::StudyReader::confidence) : 0.9);
  c.put_number("realizations", count(&results::StudyReader::realizations));
  c.put_number("rankError", count(&results::StudyReader::rank_error));
  c.put_texts("evidence", c.file.evidence());
  put_failures(c);
}

// How many numbers the page has at each time, in bytes.
std::size_t bytes_per_time(const PageContext& c) {
  const std::size_t outputs = c.outputs.size();
  std::size_t bytes = sizeof(double) * (1 + 13 * outputs);
  using Causes = results::StudyReader::Causes;
  bytes += sizeof(float) * outputs * 4 * c.file.causes(Causes::sobol).size();
  bytes += sizeof(float) * outputs * 3 * c.file.causes(Causes::correlations).size();
  bytes += sizeof(float) * outputs * 3 * c.file.causes(Causes::screening).size();
  return bytes;
}

void put_result(PageContext& c) {
  c.json.object();
  c.outputs = c.file.outputs();
  c.time = c.file.time();
  c.stride = 1 + long(bytes_per_time(c) * c.time.size() / std::max<std::size_t>(1, c.limits.statistics));
  if (c.stride > 1)
    c.notes.push_back(fmt::format("{} of the {} times are shown, evenly spaced.", c.shown_times(), c.time.size()));
  put_provenance(c);
  put_progress(c);
  c.json.key("time");
  c.block.exact(c.json, c.thinned(c.time));
  put_statistics(c);
  put_spectra(c);
  put_processes(c);
  put_laws(c);
  put_causes(c);
  put_expansion(c);
  put_variability(c);
  put_campbell(c);
  put_reliability(c);
  put_motion(c);
  put_identification(c);
  c.json.key("design");
  c.source.design.empty() ? c.json.null() : c.json.string(c.source.design);
  c.put_texts("notes", c.notes);
  c.json.end();
}

void put_difference(Json& j, const char* key, const PageDifference& d) {
  j.key(key).object().key("value").number(d.value).key("noise").number(d.noise).end();
}

void put_lines(Json& j, const char* key, const std::vector<PageComparison::Line>& lines) {
  j.key(key).array();
  for (const PageComparison::Line& l : lines) {
    j.object().key("name").string(l.name).key("unit").string(l.unit);
    put_difference(j, "mean", l.mean);
    put_difference(j, "std", l.std);
    put_difference(j, "lower", l.lower);
    put_difference(j, "upper", l.upper);
    j.key("byScatter").boolean(l.by_scatter).key("p").number(l.p).end();
  }
  j.end();
}

void put_comparison(Json& j, const PageComparison& c) {
  j.object();
  put_lines(j, "outputs", c.outputs);
  put_lines(j, "scalars", c.scalars);
  put_texts(j, "onlyFirst", c.only_first);
  put_texts(j, "onlySecond", c.only_second);
  j.key("interpolated").boolean(c.interpolated).key("bands").boolean(c.bands);
  put_texts(j, "verdict", c.verdict);
  j.end();
}

}  // namespace

std::string page_title(const std::vector<PageSource>& sources) {
  std::string first = title_of(*sources.at(0).file);
  const std::size_t n = sources.size();
  if (n == 1) return first;
  constexpr std::size_t most = 3;
  const std::size_t named = n > most ? most - 1 : n - 1;
  std::string names = sources[0].label;
  for (std::size_t k = 1; k < named; ++k) names += ", " + sources[k].label;
  names += n > most ? fmt::format(" and {} more", n - named) : " and " + sources[n - 1].label;
  const auto same = [&](const PageSource& s) { return title_of(*s.file) == first; };
  return std::all_of(sources.begin(), sources.end(), same) && !first.empty() ? first + ": " + names : names;
}

PageData page_data(const std::vector<PageSource>& sources, const std::vector<PageComparison>& comparisons, PageLimits limits,
                   bool live) {
  Json j;
  PageBlock block;
  limits.statistics /= sources.size();
  limits.realizations /= sources.size();
  limits.motion /= sources.size();
  limits.measured /= sources.size();
  std::vector<long> strides;
  j.object().key("version").string(results::version()).key("title").string(page_title(sources)).key("live").boolean(live);
  j.key("results").array();
  for (const PageSource& s : sources) {
    PageContext context{s, *s.file, limits, j, block, {}, {}, 1, {}};
    put_result(context);
    strides.push_back(context.stride);
  }
  j.end().key("comparisons").array();
  for (const PageComparison& c : comparisons) put_comparison(j, c);
  j.end().end();
  return {j.take(), block.bytes(), strides.at(0)};
}

}  // namespace aleator::core::report
