#include "uncertainty/read_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "elements/ancf_axis.hpp"
#include "input/expression.hpp"
#include "model/beams.hpp"
#include "model/language.hpp"
#include "model/scope.hpp"
#include "uncertainty/wave.hpp"

namespace aleator::core {

using input::InputError;
using input::Item;
using input::Value;

namespace {

Correlation read_correlation(const Item& form, const input::Scope& scope, const Builder& builder) {
  Correlation r;
  if (form.kind == "table") {
    r.kind = Correlation::Kind::table;
    const std::vector<double> xy = builder.numbers(form.subject);
    for (size_t i = 0; i + 1 < xy.size(); i += 2) r.distances.push_back(xy[i]), r.values.push_back(xy[i + 1]);
    return r;
  }
  r.kind = form.kind == "squared_exponential" ? Correlation::Kind::squared_exponential
           : form.kind == "exponential"       ? Correlation::Kind::exponential
           : form.kind == "matern32"          ? Correlation::Kind::matern32
                                              : Correlation::Kind::matern52;
  r.length = scope(form.subject.number);
  return r;
}

FieldLaw read_marginal(const Item& law, const std::string& key, const LawContext& c, double nominal) {
  FieldLaw out;
  const Value *kind = law.find("law"), *cov = law.find("cov"), *deviation = law.find("std");
  if (kind && !kind->items.empty()) {
    for (const Value* other : {cov, deviation})
      if (other)
        throw InputError(other->at, fmt::format("'{}': the distribution given defines its own spread; omit cov and std", key));
    out.kind = FieldLaw::Kind::distribution;
    out.relative = false;
    out.distribution = read_scalar_law(kind->items[0], c, nominal);
    return out;
  }
  if ((cov != nullptr) == (deviation != nullptr))
    throw InputError(law.at, fmt::format("'{}' needs {} of 'cov' and 'std'", key, cov ? "only one" : "one"));
  out.kind = kind && kind->word == "lognormal" ? FieldLaw::Kind::lognormal : FieldLaw::Kind::gaussian;
  out.relative = cov != nullptr;
  out.spread = c.scope((cov ? cov : deviation)->number);
  return out;
}

// The beams a field serves: its own, and those of `also`.
std::vector<int> served(const Item& law, const std::string& key, const LawContext& c, int body) {
  std::vector<int> bodies = {body};
  if (const Value* also = law.find("also"))
    for (const std::string& name : also->words) {
      const int other = body_index(c.model, name);
      if (c.suspects.contain(name) || (other < 0 && c.suspects.contain("bodies")))
        throw input::Consequence(InputError(also->at, fmt::format("'{}.also' names '{}', which is wrong", key, name)));
      if (other < 0 || !(c.model.bodies[other].length > 0)) {
        std::vector<std::string> beams;
        for (size_t b = 0; b < c.model.bodies.size(); ++b)
          if (c.model.bodies[b].length > 0) beams.push_back(c.model.topology.body_names[b]);
        throw InputError(also->at, fmt::format("'{}.also': there is no beam '{}'{}", key, name, input::suggestion(name, beams)));
      }
      if (std::find(bodies.begin(), bodies.end(), other) != bodies.end())
        throw InputError(also->at, fmt::format("'{}.also' names '{}' twice", key, name));
      bodies.push_back(other);
    }
  return bodies;
}

}  // namespace

bool is_field(std::string_view key) {
  return std::find(std::begin(beam_properties), std::end(beam_properties), key) != std::end(beam_properties);
}

Correlation correlation_of(std::string text) {
  if (const size_t colon = text.find(':'); !text.starts_with("{")) {  // as on a command line
    if (colon != std::string::npos) text.insert(colon + 1, " ");
    text = "{" + text + "}";
  }
  try {
    // As it would be written in a model.
    const input::Description d = input::read_text("uncertain: {beam: {E: {cov: 1, correlation: " + text + "}}}", "", language());
    const input::Scope scope = scope_of(d, {});
    Blueprint empty;
    const Builder builder(scope, empty, 0);
    const Correlation r =
        read_correlation(d.section("uncertain")[0].find("E")->items[0].find("correlation")->items[0], scope, builder);
    r.check();
    return r;
  } catch (const InputError& e) {
    // Not about the model that it was put into.
    std::string what = e.without_place().what();
    for (const std::string_view frame : {"uncertain 'beam': ", "E.correlation."})
      if (const size_t place = what.find(frame); place != std::string::npos) what.erase(place, frame.size());
    throw std::invalid_argument(what);
  }
}

BeamField read_field(const Item& law, const std::string& key, const LawContext& c, int body, std::vector<std::string>& notes) {
  BeamField f;
  f.property = key;
  f.name = c.model.topology.body_names[body] + "." + key;
  const Value* correlation = law.find("correlation");
  const Value* terms = law.find("terms");
  const Value* error = law.find("error");
  const Value* nodes = law.find("nodes");
  if (terms && error)
    throw InputError(error->at, fmt::format("'{}': give the number of 'terms' or the 'error' that determines it, not both", key));
  f.correlation = read_correlation(correlation->items[0], c.scope, c.builder);
  if (const Value* m = law.find("method"); m && m->word == "karhunen-loeve") f.method = RandomField::Method::karhunen_loeve;
  const long count = nodes ? input::whole(c.scope, nodes->number, "'nodes'") : 51;
  if (count < 2 || count > 1000)
    throw InputError(nodes->at, fmt::format("'{}.nodes' must be between 2 and 1000, found {}", key, count));
  const long wanted = terms ? input::whole(c.scope, terms->number, "'terms'") : 0;
  const double largest = error ? c.scope(error->number) : 0.05;
  if (error && !(largest > 0 && largest < 1))
    throw InputError(error->at, fmt::format("'{}.error' must lie between 0 and 1, found {:g}", key, largest));

  FieldDomain domain;
  const std::vector<int> bodies = served(law, key, c, body);
  for (const int b : bodies) domain.add_line(c.model.bodies[b].axis_points(int(count)));
  try {
    f.correlation.check();
    f.field = std::make_shared<const RandomField>(f.correlation, domain, f.method, int(wanted), largest);
  } catch (const std::invalid_argument& e) {
    throw InputError(correlation->at, fmt::format("'{}': {}", key, e.what()));
  }
  const int m = f.field->terms();
  for (const int b : bodies) {
    BeamField::Beam beam{b, c.model.topology.body_names[b], c.model.bodies[b].axis, c.model.bodies[b].profile(key), {}, {}};
    beam.length = c.model.bodies[b].length;
    const size_t elements = c.model.bodies[b].stations.size() / ancf::points;
    for (size_t i = 0; i < elements * ancf::points; ++i)
      beam.places.push_back((double(i / ancf::points) + ancf::gauss_xi[i % ancf::points]) * beam.length / double(elements));
    if (beam.mean.empty())
      throw InputError(law.at, fmt::format("'{}': the section of '{}' is given by its values and has no height", key, beam.name));
    for (const Vec3<double>& x : c.model.bodies[b].stations)
      for (const double w : f.field->weights(x)) beam.weights.push_back(w);
    f.beams.push_back(std::move(beam));
  }
  f.terms.resize(m);
  const double mean = f.beams[0].mean[0];
  f.law = read_marginal(law, key, c, mean);
  if (f.law.kind == FieldLaw::Kind::distribution)
    for (const BeamField::Beam& beam : f.beams)
      if (std::any_of(beam.mean.begin(), beam.mean.end(), [&](double x) { return x != mean; }))
        throw InputError(
            law.find("law")->at,
            fmt::format(
                "'{}': this distribution has one mean, but the nominal value varies along the beams; use normal or lognormal",
                key));
  try {
    for (const BeamField::Beam& beam : f.beams)
      for (const double x : beam.mean) f.law.check(x);
  } catch (const std::invalid_argument& e) {
    throw InputError(law.at, fmt::format("'{}': {}", key, e.what()));
  }
  if (f.law.kind == FieldLaw::Kind::gaussian) {
    // One-sided distance to the nearest unphysical value, in standard deviations
    const double deviation = f.law.relative ? f.law.spread * std::abs(mean) : f.law.spread;
    const double room = key == "nu" ? std::min(mean + 1, 0.5 - mean) : mean;
    const double probability = 0.5 * std::erfc(room / deviation / std::sqrt(2.0));
    if (probability > 1e-6)
      notes.push_back(fmt::format(
          "uncertain '{}': a Gaussian field is unphysical at a given point in {:.2g} % of all realizations, which then fail; {}",
          f.name, 100 * probability, key == "nu" ? "use a bounded distribution" : "'law: lognormal' is always positive"));
  }
  return f;
}

std::vector<double> BeamField::values(const Beam& beam, std::span<const double> mean, std::span<const double> xi) const {
  std::vector<double> out(mean.size());
  if (wave) return wave_values(*this, beam, mean, xi[0], xi[1]);
  for (size_t k = 0; k < out.size(); ++k) {
    double y = 0;
    for (size_t i = 0; i < xi.size(); ++i) y += beam.weights[k * xi.size() + i] * xi[i];
    out[k] = law.value(mean[k], y);
  }
  return out;
}

}  // namespace aleator::core
