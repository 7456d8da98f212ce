// aleator export RESULTS statistics|samples|realization K|scalars|shares|correlations|screening|expansion|convergence|failures|
// missing: results as CSV.
#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <initializer_list>
#include <memory>

#include "analysis/correlations.hpp"
#include "analysis/stored_expansion.hpp"
#include "base/atomic_file.hpp"
#include "commands.hpp"
#include "results/read.hpp"

namespace aleator::core::app {
namespace {

struct ExportArguments {
  std::string file, what, out = "-";
  long realization = -1;
};

void append(std::string& text, double x) { text += std::isnan(x) ? "," : fmt::format(",{:.17g}", x); }

std::string statistics_csv(const results::StudyReader& r) {
  const char* const columns[] = {"nominal", "mean", "std", "lower", "upper"};
  std::vector<std::vector<double>> values;
  std::string text = "time";
  for (const std::string& name : r.outputs())
    for (const char* c : columns) {
      text += fmt::format(",{}.{}", name, c);
      values.push_back(r.numbers("/statistics/" + name + "/" + c));
    }
  text += "\n";
  const std::vector<double> time = r.numbers("/time");
  for (size_t t = 0; t < time.size(); ++t) {
    text += fmt::format("{:.17g}", time[t]);
    for (const auto& v : values) append(text, v[t]);
    text += "\n";
  }
  return text;
}

std::string samples_csv(const results::StudyReader& r) {
  const std::vector<std::string> columns = r.texts_attribute("/samples/inputs", "columns");
  const std::vector<double> inputs = r.numbers("/samples/inputs");
  const std::vector<double> status = r.numbers("/samples/status");
  if (inputs.empty() && !status.empty())
    throw results::ReadError(r.path(), "it keeps statistics alone; `aleator sample` gives the samples again");
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
  const std::vector<double> time = r.numbers("/time");
  std::vector<std::vector<double>> values;
  std::string text = "time";
  const long done = r.samples();
  if (k < 0 || k >= done)
    throw results::ReadError(r.path(), done > 0 ? fmt::format("it has the realizations 0 to {}, not {}", done - 1, k)
                                                : "it keeps no realizations, only their statistics");
  for (const std::string& name : r.outputs()) {
    text += "," + name;
    values.push_back(r.row("/responses/" + name, k));
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
  const std::vector<std::string> names = r.children("/scalars");
  std::vector<std::vector<double>> values;
  std::string text = "realization";
  for (const std::string& name : names) {
    text += "," + name;
    if (!r.has("/scalars/" + name + "/values"))
      throw results::ReadError(r.path(), "it keeps statistics alone, no scalars of realizations");
    values.push_back(r.numbers("/scalars/" + name + "/values"));
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
  const std::vector<double> time = r.numbers("/time");
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

auto stored(const results::StudyReader& r, const std::string& group) {
  return [&r, group](size_t, const std::string& name, const std::string& kind) {
    return r.numbers(group + "/" + name + "/" + kind);
  };
}

std::string shares_csv(const results::StudyReader& r) {
  if (!r.has("/sobol")) throw results::ReadError(r.path(), "it has no shares of the variance; compute them with run --shares");
  return causes_csv(r, r.texts_attribute("/sobol", "groups"), {"first", "total"}, stored(r, "/sobol"));
}

std::string screening_csv(const results::StudyReader& r) {
  if (!r.has("/screening")) throw results::ReadError(r.path(), "it has no screening");
  return causes_csv(r, r.texts_attribute("/screening", "variables"), {"mu", "mu_star", "mu_star_error", "sigma"},
                    stored(r, "/screening"));
}

void tell_dependent(const std::vector<std::string>& columns, const std::vector<std::string>& by) {
  for (size_t i = 0; i < columns.size() && i < by.size(); ++i)
    if (!by[i].empty()) fmt::print(stderr, "note: '{}' has no partial rank correlation: it follows from {}\n", columns[i], by[i]);
}

// From the file, or from its realizations.
std::string correlations_csv(const results::StudyReader& r) {
  const auto kinds = {"pearson", "spearman", "partial_rank"};
  if (r.has("/correlations")) {
    const std::vector<std::string> columns = r.texts_attribute("/correlations", "columns");
    tell_dependent(columns, r.texts_attribute("/correlations", "determined_by"));
    return causes_csv(r, columns, kinds, stored(r, "/correlations"));
  }
  const results::Correlations all = analysis::correlations(r);
  tell_dependent(all.columns, all.determined_by);
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
    values.push_back(r.numbers("/convergence/" + name));
  }
  text += "\n";
  const std::vector<double> counts = r.numbers_attribute("/convergence", "realizations");
  for (size_t i = 0; i < counts.size(); ++i) {
    text += fmt::format("{:.0f}", counts[i]);
    for (const auto& v : values) append(text, v[i]);
    text += "\n";
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
  if (!r.has("/samples/failures/inputs"))
    throw results::ReadError(r.path(), "it is of an earlier version, which kept less about failures; `export samples` has it");
  const std::vector<double> realizations = r.numbers("/samples/failures/realization"),
                            times = r.numbers("/samples/failures/time"), inputs = r.numbers("/samples/failures/inputs");
  const std::vector<std::string> reasons = r.texts("/samples/failures/reason"),
                                 columns = r.texts_attribute("/samples/inputs", "columns");
  std::string text = "realization,time,reason";
  for (const std::string& c : columns) text += "," + c;
  text += "\n";
  for (size_t i = 0; i < realizations.size(); ++i) {
    text += fmt::format("{:.0f}", realizations[i]);
    append(text, times.at(i));
    text += "," + quoted(reasons.at(i));
    for (size_t c = 0; c < columns.size(); ++c) append(text, inputs.at(i * columns.size() + c));
    text += "\n";
  }
  return text;
}

// Between which numbers statistics would lie with the realizations that are missing.
std::string missing_csv(const results::StudyReader& r) {
  std::string text = "time";
  std::vector<std::vector<double>> values;
  for (const std::string& name : r.outputs())
    for (const char* what :
         {"mean_low", "mean_high", "std_low", "std_high", "lower_low", "lower_high", "upper_low", "upper_high"}) {
      const std::string dataset = "/statistics/" + name + "/missing/" + what;
      if (!r.has(dataset)) continue;  // an expansion says nothing about them
      text += fmt::format(",{}.{}", name, what);
      values.push_back(r.numbers(dataset));
    }
  if (values.empty()) throw results::ReadError(r.path(), "no realization is missing, or its method states no bounds");
  text += "\n";
  const std::vector<double> time = r.numbers("/time");
  for (size_t t = 0; t < time.size(); ++t) {
    text += fmt::format("{:.17g}", time[t]);
    for (const auto& v : values) append(text, v.at(t));
    text += "\n";
  }
  return text;
}

int export_command(const ExportArguments& o) {
  const results::StudyReader reader(o.file);
  if (!reader.complete())
    fmt::print(stderr, "{}: note: the run is not complete: {:.0f} of {:.0f} realizations\n", o.file,
               reader.number_attribute("/", "done"), reader.number_attribute("/", "samples"));
  std::string text;
  if (o.what == "statistics") text = statistics_csv(reader);
  if (o.what == "samples") text = samples_csv(reader);
  if (o.what == "scalars") text = scalars_csv(reader);
  if (o.what == "shares") text = shares_csv(reader);
  if (o.what == "correlations") text = correlations_csv(reader);
  if (o.what == "screening") text = screening_csv(reader);
  if (o.what == "expansion") text = expansion_csv(reader);
  if (o.what == "convergence") text = convergence_csv(reader);
  if (o.what == "failures") text = failures_csv(reader);
  if (o.what == "missing") text = missing_csv(reader);
  if (o.what == "realization") {
    if (o.realization < 0) throw CLI::ValidationError("realization", "needs its number: export RESULTS realization K");
    text = realization_csv(reader, o.realization);
  }
  AtomicFile out(o.out);
  out.write(text);
  out.commit();
  return exit_code::done;
}

}  // namespace

void add_export(CLI::App& app, Action& action) {
  auto o = std::make_shared<ExportArguments>();
  CLI::App* c = app.add_subcommand("export", "Print parts of results.h5 as CSV");
  c->add_option("RESULTS", o->file, "results.h5 of a study, or its folder")->required();
  c->add_option("WHAT", o->what,
                "statistics, samples, realization K, scalars, shares, correlations, screening, expansion, convergence, failures "
                "or missing")
      ->required()
      ->check(CLI::IsMember({"statistics", "samples", "realization", "scalars", "shares", "correlations", "screening",
                             "expansion", "convergence", "failures", "missing"}));
  c->add_option("K", o->realization, "Number of the realization, from 0")->check(whole_number(0, most_samples));
  c->add_option("--out", o->out, "Write into a file instead")->type_name("FILE");
  c->callback([o, &action] { action.run = [o] { return export_command(*o); }; });
}

}  // namespace aleator::core::app
