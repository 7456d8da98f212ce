#include "results/read_study.hpp"

#include <cmath>

namespace aleator::core::results {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

double number_or_nan(const StudyReader& f, const std::string& object, const std::string& name) {
  return f.has_attribute(object, name) ? f.number_attribute(object, name) : unknown;
}
Estimate estimate(const StudyReader& f, const std::string& object, const std::string& name) {
  return {number_or_nan(f, object, name), number_or_nan(f, object, name + "_error")};
}

ChannelStatistics channel(const StudyReader& f, const std::string& name) {
  const std::string group = "/statistics/" + name + "/";
  ChannelStatistics s;
  const std::pair<const char*, std::vector<double>*> parts[] = {
      {"nominal", &s.nominal},       {"mean", &s.mean},           {"std", &s.std},
      {"lower", &s.lower},           {"upper", &s.upper},         {"minimum", &s.minimum},
      {"maximum", &s.maximum},       {"mean_error", &s.mean_error}, {"std_error", &s.std_error},
      {"lower_error", &s.lower_error}, {"upper_error", &s.upper_error}};
  for (const auto& [part, to] : parts) *to = f.numbers(group + part);
  return s;
}

void read_limits(const StudyReader& f, const std::string& name, int channel, std::vector<LimitStatistics>& out) {
  for (const char* side : {"above", "below"}) {
    const std::string group = "/statistics/" + name + "/limits/" + side;
    if (!f.has(group)) continue;
    out.push_back({channel, f.number_attribute(group, "value"), side == std::string("above"), f.numbers(group + "/probability"),
                   f.numbers(group + "/error"), estimate(f, group, "ever"), {}, {}});
  }
}

ScalarStatistics scalar(const StudyReader& f, const std::string& name) {
  const std::string group = "/scalars/" + name;
  ScalarStatistics s;
  s.name = name;
  s.unit = f.text_attribute(group, "units");
  s.kind = f.text_attribute(group, "kind");
  s.channel = f.text_attribute(group, "output");
  s.nominal = number_or_nan(f, group, "nominal");
  s.mean = estimate(f, group, "mean"), s.std = estimate(f, group, "std");
  s.lower = estimate(f, group, "lower"), s.upper = estimate(f, group, "upper");
  s.minimum = number_or_nan(f, group, "minimum"), s.maximum = number_or_nan(f, group, "maximum");
  s.count = f.count_attribute(group, "count");
  if (f.has(group + "/values")) s.values = f.numbers(group + "/values");
  return s;
}

// [groups][times] as rows.
std::vector<std::vector<double>> rows_of(const std::vector<double>& all, size_t groups) {
  std::vector<std::vector<double>> out(groups);
  const size_t each = groups > 0 ? all.size() / groups : 0;
  for (size_t g = 0; g < groups; ++g) out[g].assign(all.begin() + long(g * each), all.begin() + long((g + 1) * each));
  return out;
}

void read_sobol(const StudyReader& f, const std::vector<std::string>& outputs, Shares& s) {
  const std::string all = "/shares";
  if (!f.has(all)) return;
  s.groups = f.texts_attribute(all, "groups");
  s.of.resize(outputs.size(), std::vector<Shares::OfGroup>(s.groups.size()));
  for (size_t c = 0; c < outputs.size(); ++c) {
    const std::string group = all + "/" + outputs[c];
    const auto first = rows_of(f.numbers(group + "/first"), s.groups.size()),
               total = rows_of(f.numbers(group + "/total"), s.groups.size());
    const bool errors = f.has(group + "/first_error");
    const auto first_error = errors ? rows_of(f.numbers(group + "/first_error"), s.groups.size()) : first,
               total_error = errors ? rows_of(f.numbers(group + "/total_error"), s.groups.size()) : total;
    const auto integrated = [&](const char* name, size_t g) {
      return f.has_attribute(group, name) ? f.numbers_attribute(group, name).at(g) : unknown;
    };
    for (size_t g = 0; g < s.groups.size(); ++g) {
      Shares::OfGroup& x = s.of[c][g];
      x.first = first[g], x.total = total[g];
      if (errors) x.first_error = first_error[g], x.total_error = total_error[g];
      x.integrated_first = {integrated("integrated_first", g), integrated("integrated_first_error", g)};
      x.integrated_total = {integrated("integrated_total", g), integrated("integrated_total_error", g)};
    }
  }
}

void read_failures(const StudyReader& f, size_t columns, std::vector<Failure>& out) {
  const std::vector<long> which = f.counts("/samples/failures/realization");
  const std::vector<std::string> why = f.texts("/samples/failures/reason");
  const std::vector<double> time = f.numbers("/samples/failures/time"), inputs = f.numbers("/samples/failures/inputs");
  for (size_t i = 0; i < which.size(); ++i)
    out.push_back({which[i], why.at(i), time.at(i),
                   {inputs.begin() + long(i * columns), inputs.begin() + long((i + 1) * columns)}});
}

}  // namespace

StudyResult read_study(const StudyReader& f, std::vector<double>& responses) {
  StudyResult r;
  const std::vector<std::string> outputs = f.outputs();
  r.method = f.text_attribute("/", "method");
  r.seed = f.whole_attribute("/", "seed");
  r.planned = f.count_attribute("/", "samples");
  r.done = f.count_attribute("/", "done");
  r.evidence = f.texts_attribute("/", "evidence");
  r.rows_follow_law = f.rows_follow_law();
  r.nominal.time = f.numbers("/time");
  const size_t nt = r.nominal.time.size(), nc = outputs.size();
  r.nominal.values.resize(nt * nc);
  r.statistics.confidence = f.number_attribute("/statistics", "confidence");
  r.statistics.realizations = f.count_attribute("/statistics", "realizations");
  for (size_t c = 0; c < nc; ++c) {
    r.nominal.channels.push_back({outputs[c], f.text_attribute("/statistics/" + outputs[c] + "/nominal", "units")});
    r.statistics.channels.push_back(channel(f, outputs[c]));
    for (size_t t = 0; t < nt; ++t) r.nominal.values[t * nc + c] = r.statistics.channels[c].nominal[t];
    read_limits(f, outputs[c], int(c), r.statistics.limits);
  }
  for (const std::string& name : f.children("/scalars")) r.statistics.scalars.push_back(scalar(f, name));
  read_sobol(f, outputs, r.statistics.shares);
  const std::vector<std::string> names = f.texts_attribute("/samples/inputs", "columns"),
                                 units = f.texts_attribute("/samples/inputs", "column_units"),
                                 laws = f.texts_attribute("/samples/inputs", "laws");
  for (size_t c = 0; c < names.size(); ++c) r.columns.push_back({names[c], units.at(c), laws.at(c)});
  r.inputs = f.numbers("/samples/inputs");
  for (const double status : f.numbers("/samples/status")) r.ok.push_back(status == 0);
  read_failures(f, names.size(), r.failures);
  const size_t rows = size_t(f.samples());
  responses.assign(rows * nt * nc, unknown);
  for (size_t c = 0; c < nc && rows > 0; ++c) {
    const std::vector<double> y = f.numbers("/responses/" + outputs[c]);  // [rows][times]
    for (size_t i = 0; i < rows * nt; ++i) responses[i * nc + c] = y[i];
  }
  r.responses = responses;
  return r;
}

}  // namespace aleator::core::results
