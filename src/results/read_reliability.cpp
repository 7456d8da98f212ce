#include "results/read_reliability.hpp"

#include <algorithm>
#include <cmath>

namespace aleator::core::results {
namespace {

const std::string reliability_folder = "/reliability";

// Reads below a group, and refuses what cannot be.
class Part {
 public:
  Part(const StudyReader& file, std::string group) : file_(file), group_(std::move(group)) {}

  bool has(const std::string& name) const { return file_.has(group_ + "/" + name); }
  Part part(const std::string& name) const { return {file_, group_ + "/" + name}; }
  // Groups 0, 1, … in this one.
  std::vector<Part> parts(const std::string& name) const {
    std::vector<Part> all;
    for (std::size_t k = 0; has(name + "/" + std::to_string(k)); ++k) all.push_back(part(name + "/" + std::to_string(k)));
    return all;
  }
  std::vector<double> numbers(const std::string& name) const { return file_.numbers(group_ + "/" + name); }
  std::vector<double> finite(const std::string& name) const {
    return checked(
        name, [](double x) { return std::isfinite(x); }, "has a number that is not finite");
  }
  std::vector<double> probabilities(const std::string& name) const {  // NaN: not known
    return checked(
        name, [](double x) { return !(x < 0 || x > 1); }, "has a number that is no probability");
  }
  std::vector<double> not_negative(const std::string& name) const {
    return checked(
        name, [](double x) { return x >= 0 && std::isfinite(x); }, "has a number that is negative or not finite");
  }
  std::vector<long> counts(const std::string& name, std::size_t below) const {
    std::vector<long> all = file_.counts(group_ + "/" + name);
    for (const long k : all)
      if (k >= long(below)) fail(name, "names more than there are");
    return all;
  }
  double number(const std::string& name) const { return file_.number_attribute(group_, name); }
  double finite_number(const std::string& name) const {
    const double x = number(name);
    if (!std::isfinite(x)) throw ReadError(file_.path(), "attribute " + name + " of " + group_ + " is not finite");
    return x;
  }
  std::string text(const std::string& name) const { return file_.text_attribute(group_, name); }
  std::vector<std::string> texts(const std::string& name) const { return file_.texts_attribute(group_, name); }
  const StudyReader& file() const { return file_; }
  const std::string& group() const { return group_; }

 private:
  [[noreturn]] void fail(const std::string& name, const std::string& why) const {
    throw ReadError(file_.path(), group_ + "/" + name + " " + why);
  }
  std::vector<double> checked(const std::string& name, bool (*sound)(double), const char* why) const {
    std::vector<double> all = numbers(name);
    if (!std::all_of(all.begin(), all.end(), sound)) fail(name, why);
    return all;
  }

  const StudyReader& file_;
  std::string group_;
};

void read_probabilities(const Part& in, Reliability& r) {
  const std::vector<std::string> names = in.texts("limits"), units = in.texts("units");
  const std::vector<double> value = in.numbers("value"), probability = in.probabilities("probability"), cov = in.numbers("cov"),
                            lower = in.probabilities("lower"), upper = in.probabilities("upper");
  for (std::size_t k = 0; k < names.size(); ++k)
    r.of.push_back({names[k], value[k], units[k], probability[k], cov[k], lower[k], upper[k]});
}

void read_curves(const Part& in, Reliability& r) {
  for (const Part& c : in.parts("curves"))
    r.curves.push_back({c.text("limit"), c.text("unit"), c.finite("b"), c.probabilities("probability"), c.probabilities("lower"),
                        c.probabilities("upper")});
  for (const Reliability::Curve& c : r.curves)
    for (const auto* y : {&c.probability, &c.lower, &c.upper})
      if (y->size() != c.b.size()) throw ReadError(in.file().path(), in.group() + "/curves is damaged");
}

void read_levels(const Part& in, Reliability& r) {
  if (!in.has("levels")) return;
  const Part at = in.part("levels");
  const std::vector<double> excess = at.numbers("excess"), probability = at.probabilities("probability"), cov = at.numbers("cov"),
                            accepted = at.probabilities("accepted"), correlation = at.numbers("correlation"),
                            rho = at.numbers("rho");
  const std::vector<long> realizations = in.file().counts(at.group() + "/realizations");
  for (std::size_t k = 0; k < excess.size(); ++k)
    r.levels.push_back({excess[k], probability[k], cov[k], realizations[k], accepted[k], correlation[k], rho[k]});
}

void read_design_points(const Part& in, Reliability& r) {
  r.variables = in.texts("variables");
  for (const Part& d : in.parts("design_points")) {
    Reliability::DesignPoint p;
    p.limit = d.text("limit");
    p.beta = d.finite_number("beta");
    p.u = d.finite("u");
    p.inputs = d.numbers("inputs");
    p.importance = d.numbers("importance");
    p.curvatures = d.file().numbers_attribute(d.group(), "curvatures");
    p.form = d.number("form");
    p.sorm = d.number("sorm");
    p.converged = d.number("converged") != 0;
    if (p.importance.size() != p.u.size()) throw ReadError(d.file().path(), d.group() + " is damaged");
    r.design_points.push_back(std::move(p));
  }
}

void read_tails(const Part& in, Reliability& r) {
  for (const Part& t : in.parts("tails")) {
    r.tails.push_back({t.number("q"), t.number("a"), t.number("b"), t.number("c"), t.finite("lambda"),
                       t.probabilities("estimate"), t.probabilities("lower"), t.probabilities("upper"), t.number("from"),
                       t.number("to")});
    for (const auto* y : {&r.tails.back().estimate, &r.tails.back().lower, &r.tails.back().upper})
      if (y->size() != r.tails.back().lambda.size()) throw ReadError(in.file().path(), t.group() + " is damaged");
  }
}

// Histories are by output in the file.
std::vector<double> histories_of(const Part& in, std::size_t kept) {
  const std::vector<std::string> outputs = in.file().outputs();
  const std::size_t times = in.file().time().size(), channels = outputs.size();
  std::vector<double> all(kept * times * channels);
  for (std::size_t c = 0; c < channels; ++c) {
    const std::vector<double> own = in.numbers("histories/" + outputs[c]);
    for (std::size_t i = 0; i < own.size(); ++i) all[i * channels + c] = own[i];
  }
  return all;
}

void read_failing(const Part& in, Reliability& r) {
  if (!in.has("failures")) return;
  const Part at = in.part("failures");
  Reliability::Failures& f = r.failures;
  f.weights = at.not_negative("weights");
  f.inputs = at.numbers("inputs");
  f.excess = at.numbers("excess");
  for (const long k : at.counts("limit", std::max<std::size_t>(r.of.size(), 1))) f.limit.push_back(int(k));
  f.kept = at.counts("kept", f.weights.size());
  if (at.has("histories")) f.histories = histories_of(at, f.kept.size());
  if (at.has("poses")) f.poses = at.finite("poses");
  if (at.has("normals")) f.normals = at.numbers("normals");
}

void read_causes(const Part& in, Reliability& r) {
  if (!in.has("causes")) return;
  const Part at = in.part("causes");
  const std::vector<std::string> names = at.texts("columns"), units = at.texts("units");
  const std::vector<double> mean = at.numbers("mean"), std = at.numbers("std"), mean_failing = at.numbers("mean_failing"),
                            std_failing = at.numbers("std_failing"), shift = at.numbers("shift"),
                            importance = at.numbers("importance");
  for (std::size_t k = 0; k < names.size(); ++k)
    r.causes.push_back({names[k], units[k], mean[k], std[k], mean_failing[k], std_failing[k], shift[k], importance[k]});
}

}  // namespace

bool has_reliability(const StudyReader& file) { return file.has(reliability_folder); }

Reliability read_reliability(const StudyReader& file) {
  if (!has_reliability(file))
    throw ReadError(
        file.path(),
        "it has no failure probabilities of a method for rare events; compute them with run --method subset-simulation");
  const Part in(file, reliability_folder);
  Reliability r;
  r.method = in.text("method");
  r.simulations = file.count_attribute(reliability_folder, "simulations");
  r.failed = file.count_attribute(reliability_folder, "failed");
  r.agreement = in.number("agreement");
  r.doubts = in.texts("doubts");
  read_probabilities(in, r);
  r.sets = in.probabilities("sets");
  read_curves(in, r);
  read_levels(in, r);
  read_design_points(in, r);
  read_tails(in, r);
  read_failing(in, r);
  read_causes(in, r);
  return r;
}

}  // namespace aleator::core::results
