#include "results/read_study.hpp"

#include <algorithm>

#include "results/read_reliability.hpp"

namespace aleator::core::results {
namespace {

void read_sobol(const StudyReader& f, const std::vector<std::string>& outputs, SobolIndices& s) {
  using Causes = StudyReader::Causes;
  if (!f.has(Causes::sobol)) return;
  s.groups = f.causes(Causes::sobol);
  const size_t groups = s.groups.size();
  s.of.resize(outputs.size(), std::vector<SobolIndices::OfGroup>(groups));
  for (size_t c = 0; c < outputs.size(); ++c) {
    const auto put = [&](const char* what, std::vector<double> SobolIndices::OfGroup::*to) {
      if (!f.has_curves(Causes::sobol, outputs[c], what)) return;
      const std::vector<double> all = f.curves(Causes::sobol, outputs[c], what);
      const long each = long(all.size() / groups);
      for (size_t g = 0; g < groups; ++g) (s.of[c][g].*to).assign(all.begin() + long(g) * each, all.begin() + long(g + 1) * each);
    };
    put("first", &SobolIndices::OfGroup::first);
    put("total", &SobolIndices::OfGroup::total);
    put("first_error", &SobolIndices::OfGroup::first_error);
    put("total_error", &SobolIndices::OfGroup::total_error);
    const auto first = f.integrals(Causes::sobol, outputs[c], "first"), total = f.integrals(Causes::sobol, outputs[c], "total"),
               first_error = f.integrals(Causes::sobol, outputs[c], "first_error"),
               total_error = f.integrals(Causes::sobol, outputs[c], "total_error");
    for (size_t g = 0; g < groups; ++g) {
      s.of[c][g].integrated_first = {first.at(g), first_error.at(g)};
      s.of[c][g].integrated_total = {total.at(g), total_error.at(g)};
    }
  }
}

}  // namespace

StudyResult read_study(const StudyReader& f, std::vector<double>* responses) {
  StudyResult r;
  const std::vector<std::string> outputs = f.outputs();
  r.method = f.method();
  r.seed = f.seed();
  r.planned = long(f.planned());
  r.done = long(f.done());
  r.evidence = f.evidence();
  r.rows_follow_law = f.rows_follow_law();
  r.replicates = f.replicates();
  r.nominal.time = f.time();
  const size_t nt = r.nominal.time.size(), nc = outputs.size();
  r.nominal.values.resize(nt * nc);
  r.statistics.confidence = f.confidence();
  r.statistics.realizations = long(f.realizations());
  for (size_t c = 0; c < nc; ++c) {
    r.nominal.channels.push_back({outputs[c], f.unit(outputs[c])});
    r.statistics.channels.push_back(f.statistics(outputs[c]));
    for (size_t t = 0; t < nt; ++t) r.nominal.values[t * nc + c] = r.statistics.channels[c].nominal.at(t);
    for (const bool above : {true, false})
      if (auto limit = f.limit(outputs[c], above)) {
        limit->channel = int(c);
        r.statistics.limits.push_back(std::move(*limit));
      }
  }
  for (const std::string& name : f.scalars()) {
    r.statistics.scalars.push_back(f.scalar(name));
    if (f.has_scalar_values(name)) r.statistics.scalars.back().values = f.scalar_values(name);
    for (const bool above : {true, false})
      if (auto limit = f.scalar_limit(name, above)) {
        limit->scalar = int(r.statistics.scalars.size()) - 1;
        r.statistics.limits.push_back(std::move(*limit));
      }
  }
  for (const std::string& name : f.spectra()) {
    r.statistics.spectra.push_back(f.spectrum(name));
    r.statistics.spectra.back().channel = int(std::find(outputs.begin(), outputs.end(), name) - outputs.begin());
    if (r.statistics.spectra.back().channel == int(nc))
      throw ReadError(f.path(), "it has a spectrum of '" + name + "', which is no output");
  }
  read_sobol(f, outputs, r.statistics.shares);
  r.columns = f.columns();
  r.inputs = f.inputs();
  for (const double status : f.status()) r.ok.push_back(status == 0);
  r.failures = f.failures();
  if (has_reliability(f)) r.reliability = std::make_shared<const Reliability>(read_reliability(f));
  if (!responses) return r;
  const size_t rows = size_t(f.samples());
  responses->assign(rows * nt * nc, std::numeric_limits<double>::quiet_NaN());
  for (size_t c = 0; c < nc && rows > 0; ++c) {
    const std::vector<double> y = f.responses(outputs[c]);
    for (size_t i = 0; i < rows * nt; ++i) (*responses)[i * nc + c] = y.at(i);
  }
  r.responses = *responses;
  return r;
}

}  // namespace aleator::core::results
