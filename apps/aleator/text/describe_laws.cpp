#include "text/describe_laws.hpp"

#include <algorithm>
#include <cmath>

#include "base/text_table.hpp"
#include "base/words.hpp"
#include "cli/colour.hpp"
#include "study/law_facts.hpp"
#include "study/law_words.hpp"
#include "study/study_laws.hpp"

namespace aleator::app {
namespace {

using namespace core;

// Some laws have no mean or no variance.
std::string existing(double x) { return std::isfinite(x) ? number(x) : "none"; }

void print_facts(const std::vector<Fact>& facts) {
  for (const Fact& f : facts) say("      {}: {}\n", f.name, f.value);
}

}  // namespace

void print_laws(const CheckedModel& checked) {
  const RandomModel& random = checked.random();
  if (random.empty()) return;
  say(Colour::heading, "\nuncertain ({} random {}, {} number{})\n", random.quantities().size(),
      random.quantities().size() == 1 ? "quantity" : "quantities", random.columns().size(),
      random.columns().size() == 1 ? "" : "s");
  for (const BeamField& f : random.fields()) {
    say("  {}: random field, {}\n", f.name, summary_of(f).law);
    print_facts(facts_of(f));
  }
  for (const core::Quantity& q : random.quantities()) {
    say("  {}: {}\n", q.name, law_words(q));
    if (!q.scalar && q.same_as.empty()) print_facts(facts_of(q));  // of a scalar the words say it
    for (size_t c = 0; c < q.columns.size(); ++c) {
      const auto& x = checked.draws[size_t(q.first_column) + c];
      const Spread s = spread_of(checked.model(), random, q, c, x);
      const std::string label = q.columns.size() == 1 ? "" : q.columns[c].substr(q.columns[c].rfind('.') + 1);
      say("      {:<3} mean {:>10}  std {:>10}  {}{}\n", label, existing(s.mean), existing(s.std), histogram(x),
          q.unit.empty() ? "" : " " + q.unit);
    }
  }
  for (const Dependence& d : random.dependences()) {
    std::string names;
    for (const int q : d.quantities) names += (names.empty() ? "" : ", ") + random.quantities()[size_t(q)].name;
    say("  {}: {}\n", names, d.words);
  }
}

}  // namespace aleator::app
