#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "base/atomic_file.hpp"
#include "base/parallel.hpp"
#include "results/statistics_columns.hpp"
#include "results/write.hpp"
#include "results/write_parts.hpp"

namespace aleator::core::results {
namespace {

using Counted = DimensionScales::Counted;

void write_samples(Hdf5File& file, const StudyResult& r) {
  std::vector<std::string> names, units, laws;
  for (const InputColumn& c : r.columns) {
    names.push_back(c.name);
    units.push_back(c.unit);
    laws.push_back(c.law);
  }
  const std::size_t kept = r.columns.empty() ? 0 : r.inputs.size() / r.columns.size();
  file.dataset("/samples/inputs", {kept, names.size()}, r.inputs);
  file.attribute("/samples/inputs", "columns", names);
  file.scale("/samples", "quantity", names);
  file.attribute("/samples/inputs", "column_units", units);
  file.attribute("/samples/inputs", "laws", laws);
  file.scale("/", "sample", Counted{r.ok.size()});
  file.dataset("/samples/status", r.ok.size(), [&](std::size_t k) { return r.ok[k] ? 0 : 1; });
  file.attribute("/samples/status", "meaning", std::vector<std::string>{"ok", "failed"});
}

void write_failures(Hdf5File& file, const StudyResult& r) {
  std::vector<int> realizations;
  std::vector<double> times, inputs;
  std::vector<std::string> reasons;
  for (const Failure& f : r.failures) {
    realizations.push_back(int(f.realization));
    times.push_back(f.time);
    reasons.push_back(f.why);
    inputs.insert(inputs.end(), f.sample.begin(), f.sample.end());
    inputs.resize(times.size() * r.columns.size(), std::numeric_limits<double>::quiet_NaN());  // it may not even be drawn
  }
  file.dataset("/samples/failures/realization", realizations);
  file.dataset("/samples/failures/time", {times.size()}, times);
  file.dataset("/samples/failures/reason", reasons);
  file.dataset("/samples/failures/inputs", {times.size(), r.columns.size()}, inputs);
}

// All outputs of some realizations at a time, by all threads.
void write_stored_responses(Hdf5File& file, const StudyResult& r, const ResponseSource& source) {
  constexpr std::size_t numbers_at_once = std::size_t(1) << 15;
  const std::size_t times = r.nominal.time.size(), columns = r.nominal.channels.size(), points = times * columns;
  std::vector<std::uint64_t> to;
  for (const Channel& c : r.nominal.channels)
    to.push_back(file.place_of_dataset("/responses/" + c.name, source.rows(), times, c.unit));
  const std::size_t at_once = std::max<std::size_t>(numbers_at_once / points, 1);
  const auto write_from = [&](std::size_t row) {
    const std::size_t rows = std::min(at_once, source.rows() - row);
    std::vector<double> block(rows * points), of_one(rows * times);
    source.read(row, rows, 0, points, block.data());
    for (std::size_t c = 0; c < columns; ++c) {
      for (std::size_t i = 0; i < of_one.size(); ++i) of_one[i] = block[i * columns + c];
      file.put(to[c] + row * times * sizeof(double), of_one);
    }
  };
  if (source.rows() > 0) write_from(0);  // alone: a source may have to get ready
  const std::size_t portions = (source.rows() + at_once - 1) / at_once;
  if (portions > 1) each_in_parallel(portions - 1, [&](std::size_t k) { write_from((k + 1) * at_once); });
}

void write_responses(Hdf5File& file, const StudyResult& r) {
  const std::size_t times = r.nominal.time.size(), columns = r.nominal.channels.size();
  file.dataset("/time", {times}, r.nominal.time);
  file.group("/responses");
  const std::size_t points = times * columns;
  if (points == 0) return;
  if (r.stored_responses) return write_stored_responses(file, r, *r.stored_responses);
  const std::size_t samples = r.responses.size() / points;
  if (samples == 0) return;
  for (std::size_t c = 0; c < columns; ++c)
    file.strided_dataset("/responses/" + r.nominal.channels[c].name, samples, times, r.responses.subspan(c), columns,
                         r.nominal.channels[c].unit);
}

// Only of studies in which realizations are missing.
void write_with_missing(Hdf5File& file, const std::string& folder, const ChannelStatistics& s, const std::string& unit) {
  const std::pair<const char*, const Ranges*> all[] = {{"mean", &s.with_missing.mean},
                                                       {"std", &s.with_missing.std},
                                                       {"lower", &s.with_missing.lower},
                                                       {"upper", &s.with_missing.upper}};
  for (const auto& [name, ranges] : all) {
    if (ranges->low.empty()) continue;
    const std::string path = folder + "/missing/" + name;
    file.dataset(path + "_low", {ranges->low.size()}, ranges->low, unit);
    file.dataset(path + "_high", {ranges->high.size()}, ranges->high, unit);
  }
}

void write_limits(Hdf5File& file, const StudyResult& r) {
  for (const LimitStatistics& l : r.statistics.limits) {
    const std::string folder = (l.scalar >= 0 ? "/scalars/" : "/statistics/") + limited(l, r.nominal.channels, r.statistics) +
                               "/limits/" + (l.above ? "above" : "below");
    if (l.scalar >= 0) {
      file.group(folder);
    } else {
      file.dataset(folder + "/probability", {l.probability.size()}, l.probability);
      file.dataset(folder + "/error", {l.error.size()}, l.error);
    }
    file.attribute(folder, "value", l.value);
    file.attribute(folder, "ever", l.ever.value);
    file.attribute(folder, "ever_error", l.ever.error);
    file.attribute(folder, "ever_lower", l.ever.interval.low);
    file.attribute(folder, "ever_upper", l.ever.interval.high);
    if (std::isnan(l.ever_with_missing.low)) continue;
    if (l.scalar < 0) {
      file.dataset(folder + "/missing/probability_low", {l.with_missing.low.size()}, l.with_missing.low);
      file.dataset(folder + "/missing/probability_high", {l.with_missing.high.size()}, l.with_missing.high);
    }
    file.attribute(folder, "ever_low", l.ever_with_missing.low);
    file.attribute(folder, "ever_high", l.ever_with_missing.high);
  }
}

void write_channels(Hdf5File& file, const StudyResult& r) {
  file.group("/statistics");
  file.attribute("/statistics", "confidence", r.statistics.confidence);
  file.attribute("/statistics", "realizations", double(r.statistics.realizations));
  file.attribute("/statistics", "missing", double(r.statistics.missing));
  file.attribute("/statistics", "rank_error", r.statistics.rank_error);
  for (std::size_t c = 0; c < r.statistics.channels.size(); ++c) {
    const ChannelStatistics& s = r.statistics.channels[c];
    const std::string folder = "/statistics/" + r.nominal.channels[c].name, &unit = r.nominal.channels[c].unit;
    for (const auto& [name, column] : statistics_columns)
      file.dataset(folder + "/" + name, {(s.*column).size()}, s.*column, unit);
    file.attribute(folder, "mean_accuracy", s.accuracy.mean);
    file.attribute(folder, "std_accuracy", s.accuracy.std);
    file.attribute(folder, "band_accuracy", s.accuracy.band);
    write_with_missing(file, folder, s, unit);
  }
}

void write_scalars(Hdf5File& file, const StudyResult& r) {
  if (r.statistics.scalars.empty()) return;
  file.group("/scalars");
  for (const ScalarStatistics& s : r.statistics.scalars) {
    const std::string folder = "/scalars/" + s.name;
    file.group(folder);
    if (!s.values.empty()) file.dataset(folder + "/values", {s.values.size()}, s.values, s.unit);
    file.attribute(folder, "kind", s.kind);
    file.attribute(folder, "output", s.channel);
    file.attribute(folder, "units", s.unit);
    file.attribute(folder, "nominal", s.nominal);
    file.attribute(folder, "count", double(s.count));
    const auto put = [&](const std::string& name, const Estimate& e) {
      file.attribute(folder, name, e.value);
      file.attribute(folder, name + "_error", e.error);
    };
    put("mean", s.mean);
    put("std", s.std);
    put("lower", s.lower);
    put("upper", s.upper);
    file.attribute(folder, "minimum", s.minimum);
    file.attribute(folder, "maximum", s.maximum);
    const std::pair<const char*, const Range*> ranges[] = {{"lower", &s.lower_with_missing}, {"upper", &s.upper_with_missing}};
    for (const auto& [name, range] : ranges) {
      if (std::isnan(range->low)) continue;  // none is missing
      file.attribute(folder, std::string(name) + "_low", range->low);
      file.attribute(folder, std::string(name) + "_high", range->high);
    }
  }
}

void write_spectra(Hdf5File& file, const StudyResult& r) {
  if (!r.statistics.spectra.empty()) file.group("/spectra");  // in the order of the model
  for (const Spectrum& s : r.statistics.spectra) {
    const Channel& c = r.nominal.channels[std::size_t(s.channel)];
    const std::string folder = "/spectra/" + c.name, unit = density_unit(c.unit);
    file.group(folder);
    file.dataset(folder + "/frequency", {s.frequency.size()}, s.frequency, "Hz");
    const std::pair<const char*, const std::vector<double>*> all[] = {
        {"nominal", &s.nominal}, {"mean", &s.mean}, {"error", &s.error}, {"lower", &s.lower}, {"upper", &s.upper}};
    for (const auto& [name, values] : all) file.dataset(folder + "/" + name, {values->size()}, *values, unit);
    file.attribute(folder, "from", s.from);
    file.attribute(folder, "segment", s.segment);
    file.attribute(folder, "segments", double(s.segments));
  }
}

void write_convergence(Hdf5File& file, const StudyResult& r) {
  const Convergence& c = r.statistics.convergence;
  file.group("/convergence");
  file.attribute("/convergence", "realizations", c.realizations);  // no dataset: an output may have this name
  file.scale("/convergence", "count", c.realizations);
  const bool instant = r.nominal.time.size() == 1;
  for (std::size_t i = 0; i < c.values.size(); ++i) {
    const std::string& unit = r.nominal.channels[i].unit;
    file.dataset("/convergence/" + r.nominal.channels[i].name, {c.values[i].size()}, c.values[i],
                 instant        ? unit
                 : unit.empty() ? "s^(1/2)"
                                : unit + " s^(1/2)");
  }
}

void write_shares(Hdf5File& file, const StudyResult& r) {
  const SobolIndices& s = r.statistics.shares;
  if (s.groups.empty()) return;
  const std::size_t times = r.nominal.time.size();
  file.group("/sobol");
  file.attribute("/sobol", "groups", s.groups);
  file.scale("/sobol", "group", s.groups);
  file.attribute("/sobol", "realizations", double(s.realizations));
  for (std::size_t c = 0; c < s.of.size(); ++c) {
    const std::string folder = "/sobol/" + r.nominal.channels[c].name;
    std::vector<double> values[4];
    const auto put = [&](const char* name, std::vector<double> SobolIndices::OfGroup::*member) {
      std::vector<double> all;
      for (const SobolIndices::OfGroup& g : s.of[c]) all.insert(all.end(), (g.*member).begin(), (g.*member).end());
      if (!all.empty()) file.dataset(folder + "/" + name, {s.groups.size(), times}, all);
    };
    put("first", &SobolIndices::OfGroup::first);
    put("total", &SobolIndices::OfGroup::total);
    put("first_error", &SobolIndices::OfGroup::first_error);
    put("total_error", &SobolIndices::OfGroup::total_error);
    for (const SobolIndices::OfGroup& g : s.of[c]) {
      values[0].push_back(g.integrated_first.value);
      values[1].push_back(g.integrated_first.error);
      values[2].push_back(g.integrated_total.value);
      values[3].push_back(g.integrated_total.error);
    }
    const char* const names[] = {"integrated_first", "integrated_first_error", "integrated_total", "integrated_total_error"};
    for (int i = 0; i < 4; ++i) file.attribute(folder, names[i], values[i]);
  }
}

void write_chaos(Hdf5File& file, const StudyResult& r) {
  const Chaos& x = r.chaos;
  if (x.variables.empty()) return;
  const std::size_t d = x.variables.size(), terms = x.degrees.size() / d, times = r.nominal.time.size();
  file.group("/chaos");
  file.attribute("/chaos", "how", x.how);
  file.attribute("/chaos", "points", double(x.points));
  std::vector<std::string> names;
  for (const Chaos::Variable& v : x.variables) names.push_back(v.name);
  file.attribute("/chaos", "variables", names);
  file.scale("/chaos", "variable", names);
  file.scale("/chaos", "term", Counted{terms});
  file.scale("/chaos", "coefficient", std::vector<std::string>{"a", "b", "c"});
  file.dataset("/chaos/degrees", {terms, d}, std::vector<double>(x.degrees.begin(), x.degrees.end()));
  for (std::size_t i = 0; i < d; ++i) {  // by number: a name may hold anything
    const Chaos::Variable& v = x.variables[i];
    const std::string folder = "/chaos/variables/" + std::to_string(i);
    file.dataset(folder + "/recurrence", {v.recurrence.size() / 3, 3}, v.recurrence);
    file.attribute(folder, "name", v.name);
    file.attribute(folder, "family", v.family);
    file.attribute(folder, "germ", v.germ);
    file.attribute(folder, "law", v.law);
    file.attribute(folder, "law_name", v.law_name);
    file.attribute(folder, "law_parameters", v.parameters);
    file.attribute(folder, "law_values", v.values);
    file.attribute(folder, "law_cut", std::vector<double>{v.lower, v.upper});
    file.attribute(folder, "center", v.center);
    file.attribute(folder, "scale", v.scale);
  }
  const std::size_t channels = r.nominal.channels.size();
  for (std::size_t c = 0; c < channels; ++c) {
    const std::string folder = "/chaos/outputs/" + r.nominal.channels[c].name;
    file.strided_dataset(folder + "/coefficients", terms, times, std::span(x.coefficients).subspan(c), channels,
                         r.nominal.channels[c].unit);
    file.attribute(folder, "leave_one_out", x.loo[c]);
    file.attribute(folder, "decay", x.decay[c]);
  }
}

void write_correlations(Hdf5File& file, const StudyResult& r) {
  const Correlations& c = r.correlations;
  if (c.columns.empty()) return;
  file.group("/correlations");
  file.attribute("/correlations", "columns", c.columns);
  file.scale("/correlations", "quantity", c.columns);
  file.attribute("/correlations", "determined_by", c.determined_by);
  file.attribute("/correlations", "realizations", double(c.realizations));
  const struct {
    const char* name;
    Correlations::Measure Correlations::OfColumn::*measure;
    double error;
  } kinds[] = {{"pearson", &Correlations::OfColumn::pearson, c.pearson_error},
               {"spearman", &Correlations::OfColumn::spearman, c.spearman_error},
               {"partial_rank", &Correlations::OfColumn::partial_rank, c.partial_rank_error}};
  for (const auto& k : kinds) file.attribute("/correlations", std::string(k.name) + "_error", k.error);
  for (std::size_t i = 0; i < c.of.size(); ++i)
    for (const auto& k : kinds) {
      const std::string folder = "/correlations/" + r.nominal.channels[i].name;
      std::vector<double> values, integrated;
      for (const Correlations::OfColumn& x : c.of[i]) {
        const Correlations::Measure& m = x.*k.measure;
        values.insert(values.end(), m.at_times.begin(), m.at_times.end());
        integrated.push_back(m.integrated);
      }
      file.dataset(folder + "/" + k.name, {c.columns.size(), r.nominal.time.size()}, values);
      file.attribute(folder, std::string("integrated_") + k.name, integrated);
    }
}

void write_screening(Hdf5File& file, const StudyResult& r) {
  const Screening& s = r.screening;
  if (s.variables.empty()) return;
  file.group("/screening");
  file.attribute("/screening", "variables", s.variables);
  file.scale("/screening", "variable", s.variables);
  file.attribute("/screening", "trajectories", double(s.trajectories));
  using Of = Screening::OfVariable;
  const std::pair<const char*, std::vector<double> Of::*> parts[] = {
      {"mu", &Of::mu}, {"mu_star", &Of::mu_star}, {"mu_star_error", &Of::mu_star_error}, {"sigma", &Of::sigma}};
  for (std::size_t c = 0; c < s.of.size(); ++c) {
    const std::string folder = "/screening/" + r.nominal.channels[c].name;
    for (const auto& [name, part] : parts) {
      std::vector<double> values;
      for (const Of& v : s.of[c]) values.insert(values.end(), (v.*part).begin(), (v.*part).end());
      file.dataset(folder + "/" + name, {s.variables.size(), r.nominal.time.size()}, values, r.nominal.channels[c].unit);
    }
    std::vector<double> effects, mu_star, mu_star_error, sigma;
    for (const Of& v : s.of[c]) {
      effects.push_back(double(v.effects));
      mu_star.push_back(v.integrated_mu_star.value);
      mu_star_error.push_back(v.integrated_mu_star.error);
      sigma.push_back(v.integrated_sigma);
    }
    file.attribute(folder, "effects", effects);
    file.attribute(folder, "integrated_mu_star", mu_star);
    file.attribute(folder, "integrated_mu_star_error", mu_star_error);
    file.attribute(folder, "integrated_sigma", sigma);
  }
}

std::string squared(const std::string& unit) {
  if (unit.empty()) return "";
  return unit.find_first_of(" /^") == std::string::npos ? unit + "^2" : "(" + unit + ")^2";
}

void write_variability(Hdf5File& file, const StudyResult& r) {
  const Variability& v = r.variability;
  if (v.field.empty()) return;
  file.group("/variability");
  file.attribute("/variability", "field", v.field);
  file.attribute("/variability", "correlation", v.correlation);
  file.attribute("/variability", "sigma", v.sigma);
  file.attribute("/variability", "level", v.level);
  file.attribute("/variability", "phases", double(v.phases));
  file.attribute("/variability", "weights", v.weights);
  file.dataset("/variability/wave_number", {v.wave_numbers.size()}, v.wave_numbers, "rad/m");
  for (std::size_t c = 0; c < v.of.size(); ++c) {
    const std::string folder = "/variability/" + r.nominal.channels[c].name, &unit = r.nominal.channels[c].unit;
    const std::size_t times = r.nominal.time.size();
    file.dataset(folder + "/dvrf", {v.wave_numbers.size(), times}, v.of[c].dvrf, squared(unit));
    file.dataset(folder + "/dmrf", {v.wave_numbers.size(), times}, v.of[c].dmrf, unit);
    file.dataset(folder + "/bound", {times}, v.of[c].bound, unit);
  }
}

void write_fields(Hdf5File& file, const StudyResult& r) {
  for (const FieldSummary& f : r.fields) {
    const std::string folder = "/fields/" + f.name;
    file.dataset(folder + "/error_curve", {f.error_curve.size()}, f.error_curve);
    file.dataset(folder + "/place", {f.place.size()}, f.place);
    file.dataset(folder + "/error", {f.error.size()}, f.error);
    file.attribute(folder, "terms", f.terms);
    file.attribute(folder, "law", f.law);
    file.attribute(folder, "correlation", f.correlation);
    file.attribute(folder, "method", f.method);
  }
}

void write_processes(Hdf5File& file, const StudyResult& r) {
  if (!r.processes.empty()) file.group("/processes");
  for (const ProcessSummary& p : r.processes) {
    const std::string folder = "/processes/" + p.name;
    file.group(folder);
    const std::pair<const char*, const std::vector<double>*> all[] = {
        {"asked", &p.asked}, {"estimated", &p.estimated}, {"lower", &p.lower}, {"upper", &p.upper}};
    file.dataset(folder + "/frequency", {p.frequency.size()}, p.frequency, "Hz");
    for (const auto& [name, values] : all)
      if (!values->empty()) file.dataset(folder + "/" + name, {values->size()}, *values);
    file.dataset(folder + "/time", {p.time.size()}, p.time, "s");
    std::vector<double> shown;
    for (const std::vector<double>& y : p.realizations) shown.insert(shown.end(), y.begin(), y.end());
    file.dataset(folder + "/values", {p.realizations.size(), p.time.size()}, shown);
    file.attribute(folder, "words", p.words);
    file.attribute(folder, "realizations", double(p.counted));
  }
}

void write_numbers(Hdf5File& file, const std::string& folder, const QuantityLaw& q) {
  for (const LawNumber& n : q.numbers) {
    const std::string path = folder + "/" + n.name;
    const std::size_t axes = n.axes.size();
    if (axes == 0) {
      file.dataset(path, {}, n.values, n.unit);
      continue;
    }
    for (const char* label : {"axis", "row", "column"}) file.scale(folder, label, n.axes);
    if (n.matrix)
      file.dataset(path, {axes, axes}, n.values, n.unit);
    else
      file.dataset(path, {axes}, n.values, n.unit);
  }
}

void write_laws(Hdf5File& file, const StudyResult& r) {
  for (const char* group : {"/laws", "/laws/columns", "/laws/quantities"}) file.group(group);
  for (const ColumnLaw& c : r.laws.columns) {
    const std::string folder = "/laws/columns/" + c.name;
    file.group(folder);
    file.dataset(folder + "/x", {c.x.size()}, c.x, c.unit);
    file.dataset(folder + "/density", {c.density.size()}, c.density, c.unit.empty() ? "" : "1/(" + c.unit + ")");
    file.attribute(folder + "/density", "coordinates", std::string("x"));
    file.attribute(folder, "quantity", c.quantity);
    file.attribute(folder, "unit", c.unit);
    file.attribute(folder, "law", c.law);
    file.attribute(folder, "mean", c.mean);
    file.attribute(folder, "std", c.std);
    file.attribute(folder, "nominal", c.nominal);
    file.attribute(folder, "exact", c.exact ? 1 : 0);
  }
  for (const QuantityLaw& q : r.laws.quantities) {
    const std::string folder = "/laws/quantities/" + q.name;
    file.group(folder);
    file.attribute(folder, "kind", q.kind);
    file.attribute(folder, "words", q.words);
    file.attribute(folder, "unit", q.unit);
    file.attribute(folder, "group", q.group);
    file.attribute(folder, "same_as", q.same_as);
    file.attribute(folder, "facts", q.facts);
    file.attribute(folder, "values", q.values);
    if (!q.distribution.empty()) file.attribute(folder, "distribution", q.distribution);
    write_numbers(file, folder, q);
  }
}

void write_motions(Hdf5File& file, const StudyResult& r) {
  write_motion(file, r.nominal);
  if (r.motion_of.empty()) return;
  file.dataset("/motion/realizations",
               {r.motion_of.size(), r.nominal.time.size(), frame_names(r.nominal.bodies).size(), pose_size}, r.motion);
  file.scale("/motion", "sample", std::vector<int>(r.motion_of.begin(), r.motion_of.end()));
  file.attribute("/motion/realizations", "coordinates", std::string("bodies"));
  file.attribute("/motion/realizations", "realization", std::vector<double>(r.motion_of.begin(), r.motion_of.end()));
}

}  // namespace

void write_study(const std::string& path, const StudyResult& r, const Provenance& provenance) {
  AtomicFile target(path);
  Hdf5File file(target, path);
  write_provenance(file, "aleator study", provenance);
  std::vector<std::string> outputs;
  for (const Channel& c : r.nominal.channels) outputs.push_back(c.name);
  file.attribute("/", "outputs", outputs);
  file.attribute("/", "method", r.method);
  file.attribute("/", "seed", r.seed);
  file.attribute("/", "samples", double(r.planned));
  file.attribute("/", "done", double(r.done));
  if (!r.evidence.empty()) file.attribute("/", "evidence", r.evidence);
  if (!r.identity.empty()) file.attribute("/", "identity", r.identity);
  file.attribute("/", "stages", std::vector<double>(r.stages.begin(), r.stages.end()));
  file.attribute("/", "rows_follow_law", r.rows_follow_law ? 1 : 0);
  file.attribute("/", "replicates", r.replicates);
  file.attribute("/", "complete", r.done == r.planned ? 1 : 0);
  write_samples(file, r);
  write_failures(file, r);
  write_responses(file, r);
  write_channels(file, r);
  write_scalars(file, r);
  write_limits(file, r);
  write_spectra(file, r);
  write_convergence(file, r);
  write_shares(file, r);
  write_chaos(file, r);
  write_correlations(file, r);
  write_screening(file, r);
  write_variability(file, r);
  if (r.reliability) write_reliability(file, *r.reliability, r.nominal, r.columns.size());
  write_fields(file, r);
  write_processes(file, r);
  write_laws(file, r);
  write_geometry(file, r.nominal.bodies);
  write_connections(file, r.nominal);
  write_motions(file, r);
  if (r.identification) write_identification(file, *r.identification, r.nominal.channels);
  file.attach_scales();
  file.finish();
  target.commit();
}

}  // namespace aleator::core::results
