// Expansions and random fields: how fast their terms fall off.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/chaos_statistics.hpp"
#include "report/page_parts.hpp"

namespace aleator::core::report {
namespace {

struct Term {
  double magnitude;
  std::uint32_t degree;
};

// (∫ c² dt)^½ of the terms but the mean, largest first. The common factor of the time step does not matter: they are relative.
std::vector<Term> terms_of(const std::vector<double>& coefficients, const std::vector<std::uint32_t>& degree) {
  std::vector<Term> terms;
  const std::size_t times = degree.empty() ? 0 : coefficients.size() / degree.size();
  for (std::size_t k = 0; k < degree.size(); ++k) {
    double sum = 0;
    for (std::size_t t = 0; t < times; ++t) sum += coefficients[k * times + t] * coefficients[k * times + t];
    if (degree[k] > 0) terms.push_back({std::sqrt(sum), degree[k]});
  }
  std::stable_sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) { return a.magnitude > b.magnitude; });
  constexpr std::size_t most = 500;
  if (terms.size() > most) terms.resize(most);
  const double largest = terms.empty() || !(terms[0].magnitude > 0) ? 1 : terms[0].magnitude;
  for (Term& t : terms) t.magnitude /= largest;
  return terms;
}

void put_chaos(PageContext& c) {
  if (!c.file.has_chaos()) {
    c.json.key("chaos").null();
    return;
  }
  const results::Chaos chaos = c.file.chaos();
  std::vector<std::string> variables;
  for (const results::Chaos::Variable& v : chaos.variables) variables.push_back(v.name);
  std::vector<std::uint32_t> total;
  for (auto k = chaos.degrees.begin(); k != chaos.degrees.end(); k += long(variables.size()))
    total.push_back(std::uint32_t(std::accumulate(k, k + long(variables.size()), 0L)));
  c.json.key("chaos").object();
  c.put_texts("variables", variables);
  c.put_text("how", chaos.how);
  c.put_number("points", double(chaos.points));
  c.put_number("terms", double(total.size()));
  c.json.key("of").array();
  for (std::size_t i = 0; i < c.outputs.size(); ++i) {
    const bool there = c.file.has_chaos(c.outputs[i]);
    const std::vector<Term> terms = there ? terms_of(c.file.chaos_coefficients(c.outputs[i]), total) : std::vector<Term>();
    std::vector<double> magnitudes;
    std::vector<std::uint32_t> of_degree;
    for (const Term& t : terms) {
      magnitudes.push_back(t.magnitude);
      of_degree.push_back(t.degree);
    }
    c.json.object();
    c.put_number("leaveOneOut", chaos.loo[i]);
    c.put_text("verdict", there ? analysis::expansion_verdict(chaos, i) : "");
    c.json.key("decay");
    c.block.exact(c.json, chaos.decay[i]);
    c.json.key("magnitudes");
    c.block.exact(c.json, magnitudes);
    c.json.key("degrees");
    c.block.whole(c.json, of_degree);
    c.json.end();
  }
  c.json.end().end();
}

void put_fields(PageContext& c) {
  c.json.key("fields").array();
  for (const results::FieldSummary& f : c.file.fields()) {
    c.json.object().key("name").string(f.name);
    c.put_text("law", f.law);
    c.put_text("correlation", f.correlation);
    c.put_text("method", f.method);
    c.put_number("terms", f.terms);
    c.json.key("errorCurve");
    c.block.exact(c.json, f.error_curve);
    c.json.key("place");
    c.block.exact(c.json, f.place);
    c.json.key("error");
    c.block.exact(c.json, f.error);
    c.json.end();
  }
  c.json.end();
}

}  // namespace

void put_expansion(PageContext& c) {
  put_chaos(c);
  put_fields(c);
}

}  // namespace aleator::core::report
