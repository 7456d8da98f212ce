// What results files hold, as plain data: the only place, beside the writers, that knows where it is in the file.
#include <fmt/format.h>

#include <cmath>

#include "base/base64.hpp"
#include "base/constants.hpp"
#include "results/read.hpp"
#include "results/statistics_columns.hpp"

namespace aleator::core::results {
namespace {

std::string response_of(const std::string& output) { return "/responses/" + output; }
std::string statistics_of(const std::string& output) { return "/statistics/" + output; }
std::string scalar_of(const std::string& name) { return "/scalars/" + name; }
std::string chaos_of(const std::string& output) { return "/chaos/outputs/" + output; }
std::string coefficients_of(const std::string& output) { return chaos_of(output) + "/coefficients"; }

const std::string chaos_degrees = "/chaos/degrees";

}  // namespace

double StudyReader::number_or_nan(const std::string& object, const std::string& name) const {
  return has_attribute(object, name) ? number_attribute(object, name) : nan;
}

std::vector<double> StudyReader::time() const { return numbers("/time"); }

Provenance StudyReader::provenance() const {
  const auto text = [&](const char* name) { return text_attribute("/", name); };
  Provenance p;
  p.version = text("version");
  p.commit = text("commit");
  p.title = text("title");
  p.processor = text("processor");
  p.model_text = text("model");
  p.model_file = text("model_file");
  p.table_files = texts_attribute("/", "table_files");
  for (const std::string& text : texts_attribute("/", "table_texts")) p.table_texts.push_back(bytes_of_text(text));
  p.command_line = text("command_line");
  p.host = text("host");
  p.created = text("created");
  p.settings = settings();
  return p;
}

std::string StudyReader::title() const { return text_attribute("/", "title"); }
std::string StudyReader::model_file() const { return text_attribute("/", "model_file"); }
std::string StudyReader::method() const { return text_attribute("/", "method"); }
std::uint64_t StudyReader::seed() const { return whole_attribute("/", "seed"); }
double StudyReader::planned() const { return number_attribute("/", "samples"); }
double StudyReader::done() const { return number_attribute("/", "done"); }
std::vector<std::string> StudyReader::evidence() const { return texts_attribute("/", "evidence"); }
std::string StudyReader::identity() const { return text_attribute("/", "identity"); }
std::vector<long> StudyReader::stages() const {
  return has_attribute("/", "stages") ? counts_attribute("/", "stages") : std::vector<long>();
}

std::string StudyReader::setting(const std::string& name) const { return text_attribute("/settings", name); }

std::map<std::string, std::string> StudyReader::settings() const {
  std::map<std::string, std::string> all;
  for (const std::string& name : attributes("/settings")) all[name] = setting(name);
  return all;
}

// Samples

bool StudyReader::has_inputs() const { return has("/samples/inputs"); }

std::vector<std::string> StudyReader::column_names() const { return texts_attribute("/samples/inputs", "columns"); }

std::vector<InputColumn> StudyReader::columns() const {
  if (!has_inputs()) return {};
  const std::vector<std::string> names = column_names(), units = texts_attribute("/samples/inputs", "column_units"),
                                 laws = texts_attribute("/samples/inputs", "laws");
  std::vector<InputColumn> all;
  for (std::size_t i = 0; i < names.size(); ++i)
    all.push_back({names[i], units.empty() ? "" : units[i], laws.empty() ? "" : laws[i]});
  return all;
}

long StudyReader::input_rows() const { return extent("/samples/inputs").at(0); }
std::vector<double> StudyReader::inputs() const { return numbers("/samples/inputs"); }
std::vector<double> StudyReader::inputs(long realization) const { return row("/samples/inputs", realization); }
std::vector<double> StudyReader::status() const { return numbers("/samples/status"); }
bool StudyReader::has_failed_inputs() const { return has("/samples/failures/inputs"); }
std::vector<double> StudyReader::failed_inputs() const { return numbers("/samples/failures/inputs"); }

std::vector<double> StudyReader::failed_times() const {
  if (has("/samples/failures/time")) return numbers("/samples/failures/time");
  return std::vector<double>(std::size_t(extent("/samples/failures/realization").at(0)), nan);
}

std::vector<Failure> StudyReader::failures() const {
  if (!has("/samples/failures/realization")) return {};
  const std::vector<long> realizations = counts("/samples/failures/realization");
  if (realizations.empty()) return {};
  const std::vector<std::string> reasons = texts("/samples/failures/reason");
  const std::vector<double> times = failed_times(), drawn = has_failed_inputs() ? failed_inputs() : std::vector<double>();
  const std::size_t columns = drawn.size() / realizations.size();
  std::vector<Failure> all;
  for (std::size_t i = 0; i < realizations.size(); ++i)
    all.push_back({realizations[i],
                   reasons.at(i),
                   times.at(i),
                   {drawn.begin() + long(i * columns), drawn.begin() + long((i + 1) * columns)}});
  return all;
}

// Responses

bool StudyReader::has_responses(const std::string& output) const { return has(response_of(output)); }
std::vector<double> StudyReader::responses(const std::string& output) const { return numbers(response_of(output)); }
std::vector<double> StudyReader::responses(const std::string& output, long first, long count) const {
  return rows(response_of(output), first, count);
}
std::vector<double> StudyReader::response(const std::string& output, long realization) const {
  return row(response_of(output), realization);
}
std::vector<double> StudyReader::responses_at(const std::string& output, long time_index) const {
  return column(response_of(output), time_index);
}

// Statistics

double StudyReader::confidence() const { return number_attribute("/statistics", "confidence"); }
double StudyReader::realizations() const { return number_attribute("/statistics", "realizations"); }
double StudyReader::rank_error() const { return number_attribute("/statistics", "rank_error"); }

bool StudyReader::has_statistics(const std::string& output, StatisticsColumn column) const {
  return has(statistics_of(output) + "/" + name_of(column));
}

std::vector<double> StudyReader::statistics(const std::string& output, StatisticsColumn column) const {
  return numbers(statistics_of(output) + "/" + name_of(column));
}

ChannelStatistics StudyReader::statistics(const std::string& output) const {
  ChannelStatistics s;
  for (const auto& [name, column] : statistics_columns)
    if (has_statistics(output, column)) s.*column = statistics(output, column);
  s.accuracy = accuracy(output);
  const auto bounds = [&](Bounded what) { return with_missing(output, what).value_or(Ranges{}); };
  s.with_missing = {bounds(Bounded::mean), bounds(Bounded::std), bounds(Bounded::lower), bounds(Bounded::upper)};
  return s;
}

Accuracy StudyReader::accuracy(const std::string& output) const {
  const std::string at = statistics_of(output);
  return {number_or_nan(at, "mean_accuracy"), number_or_nan(at, "std_accuracy"), number_or_nan(at, "band_accuracy")};
}

std::string StudyReader::unit(const std::string& output) const {
  return text_attribute(statistics_of(output) + "/nominal", "units");
}

std::optional<Ranges> StudyReader::with_missing(const std::string& output, Bounded what) const {
  constexpr const char* names[] = {"mean", "std", "lower", "upper"};
  const std::string at = fmt::format("{}/missing/{}", statistics_of(output), names[int(what)]);
  if (!has(at + "_low")) return std::nullopt;
  return Ranges{numbers(at + "_low"), numbers(at + "_high")};
}

std::optional<LimitStatistics> StudyReader::limit(const std::string& output, bool above) const {
  const std::string at = statistics_of(output) + "/limits/" + (above ? "above" : "below");
  if (!has(at)) return std::nullopt;
  LimitStatistics l = limit_at(at, above);
  l.probability = numbers(at + "/probability");
  l.error = numbers(at + "/error");
  if (has(at + "/missing/probability_low"))
    l.with_missing = {numbers(at + "/missing/probability_low"), numbers(at + "/missing/probability_high")};
  return l;
}

std::optional<LimitStatistics> StudyReader::scalar_limit(const std::string& scalar, bool above) const {
  const std::string at = scalar_of(scalar) + "/limits/" + (above ? "above" : "below");
  if (!has(at)) return std::nullopt;
  LimitStatistics l = limit_at(at, above);
  l.channel = -1;
  return l;
}

LimitStatistics StudyReader::limit_at(const std::string& at, bool above) const {
  LimitStatistics l;
  l.above = above;
  l.value = number_attribute(at, "value");
  l.ever = {{number_attribute(at, "ever"), number_attribute(at, "ever_error")},
            {number_or_nan(at, "ever_lower"), number_or_nan(at, "ever_upper")}};
  l.ever_with_missing = {number_or_nan(at, "ever_low"), number_or_nan(at, "ever_high")};
  return l;
}

std::vector<std::string> StudyReader::scalars() const { return children("/scalars"); }
bool StudyReader::has_scalar(const std::string& name) const { return has(scalar_of(name)); }
bool StudyReader::has_scalar_values(const std::string& name) const { return has(scalar_of(name) + "/values"); }
std::vector<double> StudyReader::scalar_values(const std::string& name) const { return numbers(scalar_of(name) + "/values"); }

ScalarStatistics StudyReader::scalar(const std::string& name) const {
  const std::string at = scalar_of(name);
  const auto estimate = [&](const std::string& what) -> Estimate {
    return {number_attribute(at, what), number_attribute(at, what + "_error")};
  };
  ScalarStatistics s;
  s.name = name;
  s.unit = text_attribute(at, "units");
  s.kind = text_attribute(at, "kind");
  s.channel = text_attribute(at, "output");
  s.nominal = number_attribute(at, "nominal");
  s.mean = estimate("mean"), s.std = estimate("std");
  s.lower = estimate("lower"), s.upper = estimate("upper");
  s.minimum = number_attribute(at, "minimum"), s.maximum = number_attribute(at, "maximum");
  s.count = count_attribute(at, "count");
  s.lower_with_missing = {number_or_nan(at, "lower_low"), number_or_nan(at, "lower_high")};
  s.upper_with_missing = {number_or_nan(at, "upper_low"), number_or_nan(at, "upper_high")};
  return s;
}

std::vector<std::string> StudyReader::spectra() const { return children("/spectra"); }
std::string StudyReader::spectrum_unit(const std::string& output) const {
  return text_attribute("/spectra/" + output + "/mean", "units");
}

Spectrum StudyReader::spectrum(const std::string& output) const {
  const std::string at = "/spectra/" + output;
  Spectrum s;
  s.from = number_attribute(at, "from");
  s.segment = number_attribute(at, "segment");
  s.segments = count_attribute(at, "segments");
  s.frequency = numbers(at + "/frequency");
  const std::pair<const char*, std::vector<double>*> all[] = {
      {"nominal", &s.nominal}, {"mean", &s.mean}, {"error", &s.error}, {"lower", &s.lower}, {"upper", &s.upper}};
  for (const auto& [name, values] : all) {
    *values = numbers(at + "/" + name);
    if (values->size() != s.frequency.size())
      throw ReadError(path(), at + "/" + name + " has not as many numbers as there are frequencies");
  }
  return s;
}

bool StudyReader::has_convergence(const std::string& output) const { return has("/convergence/" + output); }
std::vector<long> StudyReader::convergence_counts() const { return counts_attribute("/convergence", "realizations"); }
std::vector<double> StudyReader::convergence(const std::string& output) const { return numbers("/convergence/" + output); }
std::string StudyReader::convergence_unit(const std::string& output) const {
  return text_attribute("/convergence/" + output, "units");
}

// Causes

std::string StudyReader::group_of(Causes kind) const {
  if (kind == Causes::sobol) return has("/shares") ? "/shares" : "/sobol";  // the name in files of layout 1
  return kind == Causes::correlations ? "/correlations" : "/screening";
}

bool StudyReader::has(Causes kind) const { return has(group_of(kind)); }

std::vector<std::string> StudyReader::causes(Causes kind) const {
  constexpr const char* lists[] = {"groups", "columns", "variables"};
  return texts_attribute(group_of(kind), lists[int(kind)]);
}

std::vector<std::string> StudyReader::determined_by() const {
  return texts_attribute(group_of(Causes::correlations), "determined_by");
}

double StudyReader::number(Causes kind, const std::string& what) const { return number_attribute(group_of(kind), what); }

bool StudyReader::has_curves(Causes kind, const std::string& output, const std::string& what) const {
  return has(fmt::format("{}/{}/{}", group_of(kind), output, what));
}

std::vector<double> StudyReader::curves(Causes kind, const std::string& output, const std::string& what) const {
  return numbers(fmt::format("{}/{}/{}", group_of(kind), output, what));
}

std::vector<double> StudyReader::integrals(Causes kind, const std::string& output, const std::string& what) const {
  return numbers_attribute(fmt::format("{}/{}", group_of(kind), output), "integrated_" + what);
}

// Expansions

bool StudyReader::has_chaos() const { return has(chaos_degrees); }
bool StudyReader::has_chaos(const std::string& output) const { return has(chaos_of(output)); }

std::vector<double> StudyReader::chaos_coefficients(const std::string& output) const { return numbers(coefficients_of(output)); }
void StudyReader::check_chaos_coefficients(const std::string& output) const { extent(coefficients_of(output)); }

Chaos StudyReader::chaos() const {
  Chaos all;
  const std::size_t d = texts_attribute("/chaos", "variables").size();
  for (std::size_t v = 0; v < d; ++v) {
    const std::string folder = "/chaos/variables/" + std::to_string(v);
    const auto text = [&](const char* name) { return text_attribute(folder, name); };
    Chaos::Variable& x = all.variables.emplace_back();
    x.name = text("name");
    x.family = text("family");
    x.germ = text("germ");
    x.law = text("law");
    x.law_name = text("law_name");
    x.center = number_attribute(folder, "center");
    x.scale = number_attribute(folder, "scale");
    x.recurrence = numbers(folder + "/recurrence");
    x.parameters = texts_attribute(folder, "law_parameters");
    x.values = numbers_attribute(folder, "law_values");
    const std::vector<double> cut = numbers_attribute(folder, "law_cut");
    x.lower = cut[0], x.upper = cut[1];
    if (x.parameters.size() != x.values.size()) throw ReadError(path(), "law_values do not fit law_parameters of " + folder);
  }
  for (const long degree : counts(chaos_degrees)) {
    const std::size_t known = all.variables[all.degrees.size() % d].recurrence.size() / 3;
    if (std::size_t(degree) > known) throw ReadError(path(), chaos_degrees + " has a degree without a polynomial");
    all.degrees.push_back(int(degree));
  }
  all.how = text_attribute("/chaos", "how");
  all.points = has_attribute("/chaos", "points") ? count_attribute("/chaos", "points") : 0;
  for (const std::string& output : outputs()) {
    const bool there = has_chaos(output);
    all.loo.push_back(there ? number_or_nan(chaos_of(output), "leave_one_out") : nan);
    all.decay.push_back(there ? numbers_attribute(chaos_of(output), "decay") : std::vector<double>());
  }
  return all;
}

// Distributions

std::optional<ColumnLaw> StudyReader::column_law(const std::string& column) const {
  const std::string at = "/laws/columns/" + column;
  if (!has(at)) return std::nullopt;
  ColumnLaw c;
  c.name = column;
  c.quantity = text_attribute(at, "quantity");
  c.unit = text_attribute(at, "unit");
  c.law = text_attribute(at, "law");
  c.mean = number_or_nan(at, "mean");
  c.std = number_or_nan(at, "std");
  c.nominal = number_or_nan(at, "nominal");
  c.exact = number_or_nan(at, "exact") == 1;
  c.x = numbers(at + "/x");
  c.density = numbers(at + "/density");
  return c;
}

std::vector<LawNumber> StudyReader::law_numbers(const std::string& group, const std::string& prefix) const {
  std::vector<LawNumber> all;
  for (const std::string& name : children(group)) {
    const std::string at = std::string(group).append("/").append(name);
    if (name == "parameters" && prefix.empty()) {
      for (LawNumber& n : law_numbers(at, name + "/")) all.push_back(std::move(n));
      continue;
    }
    const std::size_t rank = extent(at).size();
    LawNumber n{prefix + name, text_attribute(at, "units"), numbers(at)};
    n.matrix = rank == 2;
    if (rank > 0) n.axes = texts(group + (n.matrix ? "/row" : "/axis"));
    all.push_back(std::move(n));
  }
  return all;
}

std::vector<QuantityLaw> StudyReader::quantity_laws() const {
  std::vector<QuantityLaw> all;
  for (const std::string& name : children("/laws/quantities")) {
    const std::string at = "/laws/quantities/" + name;
    const auto text = [&](const char* what) { return text_attribute(at, what); };
    all.push_back({name, text("kind"), text("words"), text("unit"), text("group"), text("same_as"), texts_attribute(at, "facts"),
                   texts_attribute(at, "values"), text("distribution"), law_numbers(at, "")});
  }
  return all;
}

std::vector<FieldSummary> StudyReader::fields() const {
  std::vector<FieldSummary> all;
  for (const std::string& name : children("/fields")) {
    const std::string at = "/fields/" + name;
    FieldSummary f;
    f.name = name;
    f.law = text_attribute(at, "law");
    f.correlation = text_attribute(at, "correlation");
    f.method = text_attribute(at, "method");
    f.terms = int(std::min(count_attribute(at, "terms"), 1000000L));
    f.error_curve = numbers(at + "/error_curve");
    f.place = numbers(at + "/place");
    f.error = numbers(at + "/error");
    all.push_back(std::move(f));
  }
  return all;
}

std::vector<ProcessSummary> StudyReader::processes() const {
  std::vector<ProcessSummary> all;
  for (const std::string& name : children("/processes")) {
    const std::string at = "/processes/" + name;
    ProcessSummary p;
    p.name = name;
    p.words = text_attribute(at, "words");
    p.counted = count_attribute(at, "realizations");
    p.frequency = numbers(at + "/frequency");
    const std::pair<const char*, std::vector<double>*> curves[] = {
        {"asked", &p.asked}, {"estimated", &p.estimated}, {"lower", &p.lower}, {"upper", &p.upper}};
    for (const auto& [what, values] : curves) {
      if (values == &p.asked && !has(at + "/asked")) continue;
      *values = numbers(at + "/" + what);
      if (values->size() != p.frequency.size())
        throw ReadError(path(), at + "/" + what + " has not as many numbers as there are frequencies");
    }
    p.time = numbers(at + "/time");
    const std::vector<double> shown = numbers(at + "/values");
    if (p.time.empty() ? !shown.empty() : shown.size() % p.time.size() != 0)
      throw ReadError(path(), at + "/values has not as many numbers as there are times");
    for (std::size_t i = 0; i < shown.size(); i += p.time.size())
      p.realizations.emplace_back(shown.begin() + long(i), shown.begin() + long(i + p.time.size()));
    all.push_back(std::move(p));
  }
  return all;
}

bool StudyReader::has_identification() const { return has("/identification"); }

std::string StudyReader::identified_unit(const std::string& output) const {
  return text_attribute("/identification/outputs/" + output, "units");
}

}  // namespace aleator::core::results
