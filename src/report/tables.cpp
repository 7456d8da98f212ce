#include "report/tables.hpp"

#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <stdexcept>

#include "analysis/correlations.hpp"
#include "analysis/stored_expansion.hpp"
#include "report/reliability_tables.hpp"
#include "results/read_variability.hpp"

namespace aleator::core::report {
namespace {

void append(std::string& text, double x) { text += std::isnan(x) ? "," : fmt::format(",{:.17g}", x); }

std::string statistics_csv(const results::StudyReader& r) {
  using Of = results::ChannelStatistics;
  const std::pair<const char*, std::vector<double> Of::*> columns[] = {
      {"nominal", &Of::nominal}, {"mean", &Of::mean}, {"std", &Of::std}, {"lower", &Of::lower}, {"upper", &Of::upper}};
  std::vector<std::vector<double>> values;
  std::string text = "time";
  for (const std::string& name : r.outputs())
    for (const auto& [c, column] : columns) {
      text += fmt::format(",{}.{}", name, c);
      values.push_back(r.statistics(name, column));
    }
  text += "\n";
  const std::vector<double> time = r.time();
  for (size_t t = 0; t < time.size(); ++t) {
    text += fmt::format("{:.17g}", time[t]);
    for (const auto& v : values) append(text, v[t]);
    text += "\n";
  }
  return text;
}

std::string samples_csv(const results::StudyReader& r) {
  const std::vector<std::string> columns = r.column_names();
  const std::vector<double> inputs = r.inputs();
  const std::vector<double> status = r.status();
  if (inputs.empty() && !status.empty())
    throw ReadError(r.path(), "it keeps only statistics; `aleator sample` gives the samples again");
  std::string text = "realization";
  for (const std::string& c : columns) text += "," + c;
  text += ",status\n";
  for (size_t k = 0; k < status.size(); ++k) {
    text += fmt::format("{}", k);
    for (size_t c = 0; c < columns.size(); ++c) append(text, inputs[k * columns.size() + c]);
    text += status[k] == 0 ? ",ok\n" : ",failed\n";
  }
  return text;
}

std::string realization_csv(const results::StudyReader& r, long k) {
  const std::vector<double> time = r.time();
  std::vector<std::vector<double>> values;
  std::string text = "time";
  const long done = r.samples();
  if (k < 0 || k >= done)
    throw ReadError(r.path(), done > 0 ? fmt::format("it has the realizations 0 to {}, not {}", done - 1, k)
                                       : "it keeps no realizations, only their statistics");
  for (const std::string& name : r.outputs()) {
    text += "," + name;
    values.push_back(r.response(name, k));
  }
  text += "\n";
  for (size_t t = 0; t < time.size(); ++t) {
    text += fmt::format("{:.17g}", time[t]);
    for (const auto& v : values) append(text, v[t]);
    text += "\n";
  }
  return text;
}

std::string scalars_csv(const results::StudyReader& r) {
  const std::vector<std::string> names = r.scalars();
  std::vector<std::vector<double>> values;
  std::string text = "realization";
  for (const std::string& name : names) {
    text += "," + name;
    if (!r.has_scalar_values(name)) throw ReadError(r.path(), "it keeps only statistics, no scalars of realizations");
    values.push_back(r.scalar_values(name));
  }
  text += "\n";
  for (size_t k = 0; !values.empty() && k < values[0].size(); ++k) {
    text += fmt::format("{}", k);
    for (const auto& v : values) append(text, v[k]);
    text += "\n";
  }
  return text;
}

// `time` and NAME.KIND.CAUSE of all outputs; `values` gives [causes][times] of an output (its number and name) and a kind.
std::string causes_csv(const results::StudyReader& r, const std::vector<std::string>& causes,
                       std::initializer_list<const char*> kinds,
                       const std::function<std::vector<double>(size_t, const std::string&, const std::string&)>& values_of) {
  const std::vector<double> time = r.time();
  std::string text = "time";
  std::vector<std::vector<double>> values;
  const std::vector<std::string> outputs = r.outputs();
  for (size_t c = 0; c < outputs.size(); ++c)
    for (const char* kind : kinds) {
      for (const std::string& g : causes) text += fmt::format(",{}.{}.{}", outputs[c], kind, g);
      values.push_back(values_of(c, outputs[c], kind));
    }
  text += "\n";
  for (size_t t = 0; t < time.size(); ++t) {
    text += fmt::format("{:.17g}", time[t]);
    for (const auto& v : values)
      for (size_t g = 0; g < causes.size(); ++g) append(text, v[g * time.size() + t]);
    text += "\n";
  }
  return text;
}

using Causes = results::StudyReader::Causes;

auto stored(const results::StudyReader& r, Causes causes) {
  return [&r, causes](size_t, const std::string& name, const std::string& kind) { return r.curves(causes, name, kind); };
}

std::string sobol_csv(const results::StudyReader& r) {
  if (!r.has(Causes::sobol)) throw ReadError(r.path(), "it has no Sobol indices; compute them with run --sensitivity");
  return causes_csv(r, r.causes(Causes::sobol), {"first", "total"}, stored(r, Causes::sobol));
}

std::string screening_csv(const results::StudyReader& r) {
  if (!r.has(Causes::screening)) throw ReadError(r.path(), "it has no screening");
  return causes_csv(r, r.causes(Causes::screening), {"mu", "mu_star", "mu_star_error", "sigma"}, stored(r, Causes::screening));
}

void note_dependent(const std::vector<std::string>& columns, const std::vector<std::string>& by, const TableNote& note) {
  for (size_t i = 0; i < columns.size() && i < by.size(); ++i)
    if (!by[i].empty() && note)
      note(fmt::format("note: '{}' has no partial rank correlation: it is determined by {}", columns[i], by[i]));
}

// From the file, or from its realizations.
std::string correlations_csv(const results::StudyReader& r, const TableNote& note) {
  const auto kinds = {"pearson", "spearman", "partial_rank"};
  if (r.has(Causes::correlations)) {
    const std::vector<std::string> columns = r.causes(Causes::correlations);
    note_dependent(columns, r.determined_by(), note);
    return causes_csv(r, columns, kinds, stored(r, Causes::correlations));
  }
  const results::Correlations all = analysis::correlations(r);
  note_dependent(all.columns, all.determined_by, note);
  return causes_csv(r, all.columns, kinds, [&](size_t c, const std::string&, const std::string& kind) {
    std::vector<double> values;
    for (size_t i = 0; i < all.columns.size(); ++i) {
      const auto& of = all.of[c][i];
      const auto& m = kind == "pearson" ? of.pearson : kind == "spearman" ? of.spearman : of.partial_rank;
      values.insert(values.end(), m.at_times.begin(), m.at_times.end());
    }
    return values;
  });
}

std::string convergence_csv(const results::StudyReader& r) {
  std::string text = "realizations";
  std::vector<std::vector<double>> values;
  for (const std::string& name : r.outputs()) {
    text += "," + name;
    values.push_back(r.convergence(name));
  }
  text += "\n";
  const std::vector<long> counts = r.convergence_counts();
  for (size_t i = 0; i < counts.size(); ++i) {
    text += fmt::format("{}", counts[i]);
    for (const auto& v : values) append(text, v[i]);
    text += "\n";
  }
  return text;
}

// A line per output and frequency: each output may have frequencies of its own.
std::string spectra_csv(const results::StudyReader& r) {
  if (r.spectra().empty())
    throw ReadError(
        r.path(),
        "it has no spectra; give outputs of the model the key 'spectrum', as in 'spectrum: {from: 2}', and run it again");
  std::string text = "output,frequency,mean,lower,upper,error,nominal\n";
  for (const std::string& name : r.spectra()) {
    const results::Spectrum s = r.spectrum(name);
    for (size_t i = 0; i < s.frequency.size(); ++i) {
      text += name;
      for (const auto* v : {&s.frequency, &s.mean, &s.lower, &s.upper, &s.error, &s.nominal}) append(text, (*v)[i]);
      text += "\n";
    }
  }
  return text;
}

// A line per output and term: the degrees in each variable, then the coefficient at each time.
std::string expansion_csv(const results::StudyReader& r) {
  const analysis::StoredExpansion s = analysis::read_expansion(r);
  std::string text = "output";
  for (const auto& v : s.variables) text += "," + v.name;
  for (const double t : s.times) text += fmt::format(",{:.17g}", t);
  text += "\n";
  for (size_t c = 0; c < s.outputs.size(); ++c)
    for (int k = 0; k < s.expansion.basis.terms; ++k) {
      text += s.outputs[c];
      for (const int degree : s.expansion.basis.degrees_of(k)) text += fmt::format(",{}", degree);
      for (size_t t = 0; t < s.times.size(); ++t)
        append(text, s.expansion.coefficients(k, Eigen::Index(t * s.outputs.size() + c)));
      text += "\n";
    }
  return text;
}

// A field of text: in quotes, which are doubled inside.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string failures_csv(const results::StudyReader& r) {
  if (!r.has_failed_inputs())
    throw ReadError(r.path(), "it is of an earlier version, which kept less about failures; `export samples` has it");
  std::string text = "realization,time,reason";
  for (const std::string& c : r.column_names()) text += "," + c;
  text += "\n";
  for (const results::Failure& f : r.failures()) {
    text += std::to_string(f.realization);
    append(text, f.time);
    text += "," + quoted(f.why);
    for (const double x : f.sample) append(text, x);
    text += "\n";
  }
  return text;
}

// Between which numbers statistics would lie with the realizations that are missing.
std::string missing_csv(const results::StudyReader& r) {
  std::string text = "time";
  std::vector<std::vector<double>> values;
  using Bounded = results::StudyReader::Bounded;
  const std::pair<const char*, Bounded> all[] = {
      {"mean", Bounded::mean}, {"std", Bounded::std}, {"lower", Bounded::lower}, {"upper", Bounded::upper}};
  for (const std::string& name : r.outputs())
    for (const auto& [what, bounded] : all) {
      const auto ranges = r.with_missing(name, bounded);
      if (!ranges) continue;  // an expansion says nothing about them
      text += fmt::format(",{0}.{1}_low,{0}.{1}_high", name, what);
      values.push_back(ranges->low);
      values.push_back(ranges->high);
    }
  if (values.empty()) throw ReadError(r.path(), "no realization failed, or its method has no bounds");
  text += "\n";
  const std::vector<double> time = r.time();
  for (size_t t = 0; t < time.size(); ++t) {
    text += fmt::format("{:.17g}", time[t]);
    for (const auto& v : values) append(text, v.at(t));
    text += "\n";
  }
  return text;
}

// A line per time and wave number.
std::string variability_csv(const results::StudyReader& r) {
  const results::Variability v = results::read_variability(r);
  const std::vector<double> time = r.time();
  std::string text = "time,wave_number";
  for (const std::string& name : r.outputs()) text += fmt::format(",{0}.dvrf,{0}.dmrf", name);
  text += "\n";
  for (size_t t = 0; t < time.size(); ++t)
    for (size_t k = 0; k < v.wave_numbers.size(); ++k) {
      text += fmt::format("{:.17g},{:.17g}", time[t], v.wave_numbers[k]);
      for (const auto& of : v.of) append(text, of.dvrf[k * time.size() + t]), append(text, of.dmrf[k * time.size() + t]);
      text += "\n";
    }
  return text;
}

// --- all tables: a line each ---

struct Asked {
  const results::StudyReader& file;
  long realization;
  const TableNote& note;
};
struct Table {
  const char* name;
  std::string (*make)(const Asked& asked);
};
template <std::string make(const results::StudyReader&)>
std::string of_file(const Asked& a) {
  return make(a.file);
}

constexpr Table tables[] = {
    {"statistics", of_file<statistics_csv>},
    {"samples", of_file<samples_csv>},
    {"realization", [](const Asked& a) { return realization_csv(a.file, a.realization); }},
    {"scalars", of_file<scalars_csv>},
    {"sensitivity", of_file<sobol_csv>},
    {"correlations", [](const Asked& a) { return correlations_csv(a.file, a.note); }},
    {"screening", of_file<screening_csv>},
    {"variability", of_file<variability_csv>},
    {"expansion", of_file<expansion_csv>},
    {"convergence", of_file<convergence_csv>},
    {"spectra", of_file<spectra_csv>},
    {"probabilities", of_file<probabilities_csv>},
    {"curve", of_file<exceedance_csv>},
    {"failure-samples", of_file<failure_samples_csv>},
    {"failures", of_file<failures_csv>},
    {"missing", of_file<missing_csv>},
};

}  // namespace

std::vector<std::string> table_names() {
  std::vector<std::string> names;
  for (const Table& t : tables) names.emplace_back(t.name);
  return names;
}

std::string table_csv(const results::StudyReader& file, const std::string& name, long realization, const TableNote& note) {
  for (const Table& t : tables)
    if (name == t.name) return t.make({file, realization, note});
  throw std::invalid_argument("there is no table '" + name + "'");
}

}  // namespace aleator::core::report
