// What methods for rare events found, as `/reliability` of a results file.
#include <functional>

#include "results/write_parts.hpp"

namespace aleator::core::results {
namespace {

const std::string reliability_group = "/reliability";

// One number of each of several things.
template <class T>
void put_member(Hdf5File& file, const std::string& path, const std::vector<T>& all, const auto& member,
                const std::string& unit = "") {
  std::vector<double> values;
  for (const T& x : all) values.push_back(double(std::invoke(member, x)));
  file.dataset(path, {values.size()}, values, unit);
}

void write_probabilities(Hdf5File& file, const Reliability& r) {
  using Of = Reliability::Probability;
  std::vector<std::string> names, units;
  for (const Of& p : r.of) {
    names.push_back(p.limit);
    units.push_back(p.unit);
  }
  file.attribute(reliability_group, "limits", names);
  file.attribute(reliability_group, "units", units);
  file.scale(reliability_group, "limit", names);
  put_member(file, reliability_group + "/value", r.of, &Of::value);
  put_member(file, reliability_group + "/probability", r.of, &Of::probability);
  put_member(file, reliability_group + "/cov", r.of, &Of::cov);
  put_member(file, reliability_group + "/lower", r.of, &Of::lower);
  put_member(file, reliability_group + "/upper", r.of, &Of::upper);
  put_member(file, reliability_group + "/beta", r.of, &Of::beta);
}

void write_curves(Hdf5File& file, const Reliability& r) {
  for (std::size_t k = 0; k < r.curves.size(); ++k) {
    const Reliability::Curve& c = r.curves[k];
    const std::string folder = reliability_group + "/curves/" + std::to_string(k);
    file.dataset(folder + "/b", {c.b.size()}, c.b, c.unit);
    file.dataset(folder + "/probability", {c.probability.size()}, c.probability);
    file.dataset(folder + "/lower", {c.lower.size()}, c.lower);
    file.dataset(folder + "/upper", {c.upper.size()}, c.upper);
    file.attribute(folder, "limit", c.limit);
    file.attribute(folder, "unit", c.unit);
  }
}

void write_levels(Hdf5File& file, const Reliability& r) {
  if (r.levels.empty()) return;
  using Level = Reliability::Level;
  const std::string folder = reliability_group + "/levels";
  put_member(file, folder + "/excess", r.levels, &Level::excess);
  put_member(file, folder + "/probability", r.levels, &Level::probability);
  put_member(file, folder + "/cov", r.levels, &Level::cov);
  put_member(file, folder + "/realizations", r.levels, &Level::realizations);
  put_member(file, folder + "/accepted", r.levels, &Level::accepted);
  put_member(file, folder + "/correlation", r.levels, &Level::correlation);
  put_member(file, folder + "/rho", r.levels, &Level::rho);
}

void write_design_points(Hdf5File& file, const Reliability& r) {
  file.attribute(reliability_group, "variables", r.variables);
  for (std::size_t k = 0; k < r.design_points.size(); ++k) {
    const Reliability::DesignPoint& d = r.design_points[k];
    const std::string folder = reliability_group + "/design_points/" + std::to_string(k);
    file.dataset(folder + "/u", {d.u.size()}, d.u);
    file.dataset(folder + "/importance", {d.importance.size()}, d.importance);
    file.dataset(folder + "/inputs", {d.inputs.size()}, d.inputs);
    file.attribute(folder, "limit", d.limit);
    file.attribute(folder, "beta", d.beta);
    file.attribute(folder, "form", d.form);
    file.attribute(folder, "sorm", d.sorm);
    file.attribute(folder, "converged", d.converged ? 1 : 0);
    file.attribute(folder, "curvatures", d.curvatures);
  }
}

void write_tails(Hdf5File& file, const Reliability& r) {
  for (std::size_t k = 0; k < r.tails.size(); ++k) {
    const Reliability::Tail& t = r.tails[k];
    const std::string folder = reliability_group + "/tails/" + std::to_string(k);
    file.dataset(folder + "/lambda", {t.lambda.size()}, t.lambda);
    file.dataset(folder + "/estimate", {t.estimate.size()}, t.estimate);
    file.dataset(folder + "/lower", {t.lower.size()}, t.lower);
    file.dataset(folder + "/upper", {t.upper.size()}, t.upper);
    for (const auto& [name, value] : {std::pair("q", t.q), std::pair("a", t.a), std::pair("b", t.b), std::pair("c", t.c),
                                      std::pair("from", t.from), std::pair("to", t.to)})
      file.attribute(folder, name, value);
  }
}

void write_failing(Hdf5File& file, const Reliability::Failures& f, const Run& nominal, std::size_t columns) {
  if (f.weights.empty()) return;
  const std::string folder = reliability_group + "/failures";
  const std::size_t times = nominal.time.size(), channels = nominal.channels.size();
  file.dataset(folder + "/inputs", {f.weights.size(), columns}, f.inputs);
  file.dataset(folder + "/weights", {f.weights.size()}, f.weights);
  file.dataset(folder + "/excess", {f.excess.size()}, f.excess);
  file.dataset(folder + "/limit", f.limit);
  file.dataset(folder + "/kept", std::vector<int>(f.kept.begin(), f.kept.end()));
  if (f.kept.empty()) return;
  if (!f.histories.empty())
    for (std::size_t c = 0; c < channels; ++c)
      file.strided_dataset(folder + "/histories/" + nominal.channels[c].name, f.kept.size(), times,
                           std::span(f.histories).subspan(c), channels, nominal.channels[c].unit);
  if (!f.poses.empty())
    file.dataset(folder + "/poses", {f.kept.size(), times, f.poses.size() / (f.kept.size() * times * pose_size), pose_size},
                 f.poses);
  if (!f.normals.empty()) file.dataset(folder + "/normals", {f.kept.size(), f.normals.size() / f.kept.size()}, f.normals);
}

void write_causes(Hdf5File& file, const Reliability& r) {
  if (r.causes.empty()) return;
  using Cause = Reliability::Cause;
  const std::string folder = reliability_group + "/causes";
  std::vector<std::string> names, units;
  for (const Cause& c : r.causes) {
    names.push_back(c.column);
    units.push_back(c.unit);
  }
  file.group(folder);
  file.attribute(folder, "columns", names);
  file.attribute(folder, "units", units);
  file.scale(folder, "cause", names);
  put_member(file, folder + "/mean", r.causes, &Cause::mean);
  put_member(file, folder + "/std", r.causes, &Cause::std);
  put_member(file, folder + "/mean_failing", r.causes, &Cause::mean_failing);
  put_member(file, folder + "/std_failing", r.causes, &Cause::std_failing);
  put_member(file, folder + "/shift", r.causes, &Cause::shift);
  put_member(file, folder + "/importance", r.causes, &Cause::importance);
}

}  // namespace

void write_reliability(Hdf5File& file, const Reliability& r, const Run& nominal, std::size_t columns) {
  file.group(reliability_group);
  file.attribute(reliability_group, "method", r.method);
  file.attribute(reliability_group, "simulations", double(r.simulations));
  file.attribute(reliability_group, "failed", double(r.failed));
  file.attribute(reliability_group, "agreement", r.agreement);
  file.attribute(reliability_group, "doubts", r.doubts);
  write_probabilities(file, r);
  file.dataset(reliability_group + "/sets", {r.sets.size()}, r.sets);
  write_curves(file, r);
  write_levels(file, r);
  write_design_points(file, r);
  write_tails(file, r);
  write_failing(file, r.failures, nominal, columns);
  write_causes(file, r);
}

}  // namespace aleator::core::results
