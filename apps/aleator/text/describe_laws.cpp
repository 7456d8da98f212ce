#include "text/describe_laws.hpp"

#include <algorithm>
#include <cmath>

#include "base/rounded.hpp"
#include "base/text_table.hpp"
#include "base/utf8.hpp"
#include "base/words.hpp"
#include "cli/colour.hpp"
#include "processes/facts.hpp"
#include "study/law_facts.hpp"
#include "study/law_words.hpp"
#include "study/study_laws.hpp"

namespace aleator::app {
namespace {

using namespace core;

// Some laws have no mean or no variance. What comes from draws is marked, and has the digits that these give.
std::string existing(double x, double error) {
  if (!std::isfinite(x)) return "none";
  return error > 0 ? "≈" + rounded(x, error) : number(x);
}

void print_facts(const std::vector<Fact>& facts) {
  for (const Fact& f : facts) tell("    {}: {}", f.name, f.value);
}

void print_column(const std::string& label, const Spread& s, const std::vector<double>& draws, const std::string& unit) {
  const auto padded = [](const std::string& text) { return text + std::string(9 - std::min<size_t>(9, characters(text)), ' '); };
  say("    {:<2} mean {} std {} {}{}\n", label, padded(existing(s.mean, s.mean_error)), padded(existing(s.std, s.std_error)),
      histogram(draws), unit.empty() ? "" : " " + unit);
}

}  // namespace

void print_laws(const CheckedModel& checked) {
  const RandomModel& random = checked.random();
  if (random.empty()) return;
  say(Colour::heading, "\nuncertain ({} random {}, {} number{}; histograms and ≈ are of {} draws)\n", random.quantities().size(),
      random.quantities().size() == 1 ? "quantity" : "quantities", random.columns().size(),
      random.columns().size() == 1 ? "" : "s", checked.draws.front().size());
  for (const BeamField& f : random.fields()) {
    tell("  {}: random field, {}", f.name, summary_of(f).law);
    print_facts(facts_of(f));
  }
  for (const auto& p : checked.model().processes) {
    tell("  {}: random process, {}", p->name, p->words);
    for (const auto& [name, value] : processes::facts(*p)) tell("    {}: {}", name, value);
  }
  for (const core::Quantity& q : random.quantities()) {
    if (q.process >= 0) continue;
    tell("  {}: {}", q.name, law_words(q));
    if (!q.scalar && q.same_as.empty()) print_facts(facts_of(q));  // of a scalar the words say it
    for (size_t c = 0; c < q.columns.size(); ++c) {
      const auto& x = checked.draws[size_t(q.first_column) + c];
      const Spread s = spread_of(checked.model(), random, q, c, x);
      const std::string label = q.columns.size() == 1 ? "" : q.columns[c].substr(q.columns[c].rfind('.') + 1);
      print_column(label, s, x, q.unit);
    }
  }
  for (const Dependence& d : random.dependences()) {
    std::string names;
    for (const int q : d.quantities) names += (names.empty() ? "" : ", ") + random.quantities()[size_t(q)].name;
    tell("  {}: {}", names, d.words);
  }
}

}  // namespace aleator::app
