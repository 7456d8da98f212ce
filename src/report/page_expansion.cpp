// Expansions and random fields: how fast their terms fall off.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "report/page_parts.hpp"

namespace aleator::core::report {
namespace {

struct Term {
  double magnitude;
  std::uint32_t degree;
};

// (∫ c² dt)^½ of the terms but the mean, largest first. The common factor of the time step does not matter: they are relative.
std::vector<Term> terms_of(const results::StudyReader& file, const std::string& output,
                           const std::vector<std::uint32_t>& degree) {
  const std::vector<double> coefficients = file.numbers("/chaos/outputs/" + output + "/coefficients");
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
  if (!c.file.has("/chaos/degrees")) {
    c.json.key("chaos").null();
    return;
  }
  const std::vector<long> degrees = c.file.counts("/chaos/degrees");
  const std::vector<std::string> variables = c.file.texts_attribute("/chaos", "variables");
  std::vector<std::uint32_t> total;
  for (auto k = degrees.begin(); k != degrees.end(); k += long(variables.size()))
    total.push_back(std::uint32_t(std::accumulate(k, k + long(variables.size()), 0L)));
  c.json.key("chaos").object();
  c.put_texts("variables", variables);
  c.put_text("how", c.text("/chaos", "how"));
  c.put_number("points", c.attribute("/chaos", "points"));
  c.put_number("terms", double(total.size()));
  c.json.key("of").array();
  for (const std::string& name : c.outputs) {
    const std::string at = "/chaos/outputs/" + name;
    const std::vector<Term> terms = c.file.has(at) ? terms_of(c.file, name, total) : std::vector<Term>();
    std::vector<double> magnitudes;
    std::vector<std::uint32_t> of_degree;
    for (const Term& t : terms) {
      magnitudes.push_back(t.magnitude);
      of_degree.push_back(t.degree);
    }
    c.json.object();
    c.put_number("leaveOneOut", c.attribute(at, "leave_one_out"));
    c.json.key("decay");
    c.block.exact(c.json, c.file.has(at) ? c.file.numbers_attribute(at, "decay") : std::vector<double>());
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
  for (const std::string& name : c.file.children("/fields")) {
    const std::string at = "/fields/" + name;
    c.json.object().key("name").string(name);
    for (const char* key : {"law", "correlation", "method"}) c.put_text(key, c.text(at, key));
    c.put_number("terms", c.attribute(at, "terms"));
    const std::pair<const char*, const char*> curves[] = {
        {"errorCurve", "/error_curve"}, {"place", "/place"}, {"error", "/error"}};
    for (const auto& [key, dataset] : curves) {
      c.json.key(key);
      c.block.exact(c.json, c.file.numbers(at + dataset));
    }
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
