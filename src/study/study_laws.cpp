#include "study/study_laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/density.hpp"
#include "base/constants.hpp"
#include "model/scope.hpp"
#include "processes/facts.hpp"
#include "study/law_facts.hpp"
#include "study/law_words.hpp"
#include "uncertainty/law_density.hpp"

namespace aleator::core {
namespace {

constexpr int most_draws = 4000, least_draws = 250;
constexpr double most_tries = 1.6e5;       // of rejections and chains: about 80 ms
constexpr double tries_of_a_drawing = 40;  // what it takes to draw the bodies anew

bool follows(const RandomModel& random, const Quantity& q) { return q.body >= 0 && q.field < 0 && random.body_varies(q.body); }

// Which entry of the inertia a column is: xx, yy, zz, xy, xz, yz.
struct Entry {
  int row, column;
};
Entry entry_of(const std::string& column) { return {column[column.size() - 2] - 'x', column.back() - 'x'}; }

int axis_of(const std::string& column) { return column.back() - 'x'; }

// As many draws as take a bearable time, whatever machine this is: results are the same on all.
int affordable_draws(const RandomModel& random) {
  double tries = 1;
  const auto count = [&](const auto& g) { tries += g.exact() ? 1 / g.acceptance() : double(g.chain().burn_in); };
  bool drawn = false;
  for (const Quantity& q : random.quantities()) {
    drawn = drawn || follows(random, q);
    if (q.center_of_mass) tries += 1 / q.center_of_mass->acceptance();
    if (q.inertia && q.inertia->planar()) count(*q.inertia->planar_law());
    if (q.inertia && !q.inertia->planar()) count(*q.inertia->space_law());
  }
  if (drawn) tries += tries_of_a_drawing;
  return int(std::clamp(most_tries / tries, double(least_draws), double(most_draws)));
}

// Of all columns; parameters as they are set.
std::vector<double> nominal_columns(const Model& model, const RandomModel& random) {
  const input::Scope scope = scope_of(model.description, random.nominal_overrides());
  const auto parameter = [&](const std::string& name) {
    const auto& all = model.description.parameters;
    for (size_t i = 0; i < all.size(); ++i)
      if (all[i].name == name) return scope.parameter(int(i));
    return nan;
  };
  std::vector<double> out;
  for (const Quantity& q : random.quantities())
    for (const std::string& column : q.columns) {
      if (q.field >= 0 || q.process >= 0) {
        out.push_back(0);
      } else if (q.is_parameter()) {
        out.push_back(parameter(q.name));
      } else {
        const BodyProperties& b = model.bodies[size_t(q.body)];
        const Entry e = q.inertia ? entry_of(column) : Entry{};
        out.push_back(q.is_mass() ? b.mass : q.inertia ? b.inertia[e.row][e.column] : b.center_of_mass[axis_of(column)]);
      }
    }
  return out;
}

// In closed form; empty where there is none.
LawDensity exact_density(const RandomModel& random, const Quantity& q, const std::string& column) {
  if (follows(random, q) || q.inertia) return {};
  return q.scalar ? law_density(*q.scalar) : law_density(*q.center_of_mass, axis_of(column));
}

void estimate_density(const Quantity& q, const std::vector<double>& draws, bool follows_drawing, results::ColumnLaw& c) {
  std::array<double, 2> bounds = {-infinity, infinity};
  if (q.center_of_mass && !follows_drawing) bounds = extent(q.center_of_mass->domain(), axis_of(c.name));
  if (const Entry e = entry_of(c.name); q.inertia && e.row == e.column) bounds[0] = 0;
  analysis::Density d = analysis::density_of(draws, 201, bounds[0], bounds[1]);
  c.x = std::move(d.values);
  c.density = std::move(d.density);
  c.exact = false;
}

results::QuantityLaw with_facts(results::QuantityLaw law, const std::vector<Fact>& facts) {
  for (const Fact& f : facts) {
    law.facts.push_back(f.name);
    law.values.push_back(f.value);
  }
  return law;
}

results::QuantityLaw describe(const Model& model, const RandomModel& random, size_t index) {
  const Quantity& q = random.quantities()[index];
  const std::string& group = random.groups()[size_t(q.group)];
  if (q.field >= 0) {
    const BeamField& f = random.fields()[size_t(q.field)];
    const std::string distribution = f.law.distribution ? f.law.distribution->law().name : "";
    return with_facts({f.name, "field", summary_of(f).law, "", group, "", {}, {}, distribution, numbers_of(f)}, facts_of(f));
  }
  if (q.process >= 0) {
    const processes::Process& p = *model.processes[size_t(q.process)];
    std::vector<Fact> facts;
    for (auto& [name, value] : processes::facts(p)) facts.push_back({std::move(name), std::move(value)});
    return with_facts({p.name, "process", p.words, "", group, "", {}, {}, "", {}}, facts);
  }
  std::vector<Fact> facts = facts_of(q);
  for (const Dependence& d : random.dependences()) {
    if (std::find(d.quantities.begin(), d.quantities.end(), int(index)) == d.quantities.end()) continue;
    std::string others;
    for (const int other : d.quantities)
      if (other != int(index)) others += (others.empty() ? "" : ", ") + random.quantities()[size_t(other)].name;
    facts.push_back({"dependence", fmt::format("{}, with {}", d.words, others)});
  }
  const char* const kind = q.scalar ? "scalar" : q.center_of_mass ? "center_of_mass" : "inertia";
  const std::string distribution = q.scalar ? q.scalar->law().name : "";
  return with_facts({q.name, kind, law_words(q), q.unit, group, q.same_as, {}, {}, distribution, numbers_of(q)}, facts);
}

// The mass of the body whose inertia this is: its mean.
double mean_mass(const RandomModel& random, const Model& model, int body) {
  for (const Quantity& q : random.quantities())
    if (q.body == body && q.is_mass()) return q.scalar->mean();
  return model.bodies[size_t(body)].mass;
}

}  // namespace

std::vector<std::vector<double>> draw_columns(const RandomModel& random, std::uint64_t seed, int draws) {
  std::vector<std::vector<double>> drawn(random.columns().size());
  for (int k = 0; k < draws; ++k) {
    const std::vector<double> sample = random.sample(seed, std::uint64_t(k));
    for (size_t c = 0; c < sample.size(); ++c) drawn[c].push_back(sample[c]);
  }
  return drawn;
}

Spread spread_of(const Model& model, const RandomModel& random, const Quantity& q, size_t column, const std::vector<double>& x) {
  if (q.scalar && !follows(random, q)) return {q.scalar->mean(), q.scalar->standard_deviation()};
  if (q.center_of_mass && !follows(random, q)) {
    const int axis = axis_of(q.columns[column]);
    return {q.center_of_mass->mean()[axis], std::sqrt(q.center_of_mass->covariance()[axis][axis])};
  }
  double mean = 0, square = 0;
  for (const double v : x) mean += v / double(x.size());
  for (const double v : x) square += (v - mean) * (v - mean) / double(x.size() - 1);
  const double n = double(std::max<size_t>(2, x.size())), std = std::sqrt(square);
  Spread s{mean, std, std / std::sqrt(n), std / std::sqrt(2 * n)};  // of the standard deviation as for a normal distribution
  if (q.inertia && !follows(random, q)) {                           // mass and shape are independent
    const Entry e = entry_of(q.columns[column]);
    s.mean = q.inertia->inertia(mean_mass(random, model, q.body), q.inertia->mean())[e.row][e.column], s.mean_error = 0;
  }
  return s;
}

results::Laws laws_of(const Model& model, const RandomModel& random, std::uint64_t seed) {
  results::Laws laws;
  const std::vector<double> nominal = nominal_columns(model, random);
  std::vector<std::vector<double>> drawn;  // when the first column needs them
  for (size_t i = 0; i < random.quantities().size(); ++i) {
    const Quantity& q = random.quantities()[i];
    results::QuantityLaw described = describe(model, random, i);
    const std::string name = described.name;
    if (laws.quantities.empty() || laws.quantities.back().name != name)  // the variables of a field are one quantity
      laws.quantities.push_back(std::move(described));
    for (size_t k = 0; k < q.columns.size(); ++k) {
      const size_t at = size_t(q.first_column) + k;
      results::ColumnLaw& c = laws.columns.emplace_back();
      c.name = q.columns[k], c.unit = q.unit, c.law = law_words(q), c.quantity = name;
      c.nominal = nominal[at];
      LawDensity d = exact_density(random, q, c.name);
      c.x = std::move(d.x), c.density = std::move(d.density);
      const bool draws_needed = q.inertia || follows(random, q) || (c.x.empty() && !q.scalar);
      if (draws_needed && drawn.empty()) drawn = draw_columns(random, seed, affordable_draws(random));
      if (draws_needed) estimate_density(q, drawn[at], follows(random, q), c);
      const Spread s = spread_of(model, random, q, k, draws_needed ? drawn[at] : std::vector<double>());
      c.mean = s.mean, c.std = s.std;
    }
  }
  return laws;
}

}  // namespace aleator::core
