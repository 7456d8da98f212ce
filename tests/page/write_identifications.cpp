// Results files with identifications and studies of rare events that are made up, for the tests of the page (web/tests/identification.test.mjs,
// reliability.test.mjs), and one
// with hostile texts (web/tests/hostile.test.mjs): FOLDER/NAME.h5.
#include <cstdio>

#include "results/write.hpp"
#include "support/full_study.hpp"
#include "support/identification.hpp"
#include "support/reliability.hpp"

namespace {

// Names cannot have slashes: they are places in the file.
constexpr char bad[] = "</script><script>window.hacked=1</script><img src=x onerror=\"window.hacked=2\">'\u2028&amp;";
std::string bad_name(const std::string& plain) { return plain + "<img src=x onerror=\"window.hacked=3\"><script>'&lt;"; }

// Every text that a results file can have, as somebody would write it who wants to be executed.
void write_hostile(const std::string& path) {
  aleator::core::test::FullStudy study;
  aleator::core::results::StudyResult& r = study.result;
  r.method = bad;
  r.evidence = {bad};
  r.failures[0].why = bad;
  for (auto& c : r.nominal.channels) c = {bad_name(c.name), bad};
  for (auto& b : r.nominal.bodies) b.name = bad_name(b.name);
  for (auto& c : r.nominal.connections) c.name = bad_name(c.name), c.kind = c.role = bad;
  for (auto& c : r.columns) c = {bad_name(c.name), bad, bad};
  for (auto& f : r.fields) f.name = bad_name(f.name), f.law = f.correlation = f.method = bad;
  for (auto& c : r.laws.columns) c.name = bad_name(c.name), c.unit = c.law = bad, c.quantity = bad_name("k");
  for (auto& q : r.laws.quantities)
    q.name = bad_name(q.name), q.kind = q.words = q.unit = q.group = q.same_as = bad, q.facts = q.values = {bad};
  for (auto& s : r.statistics.scalars) s.name = bad_name(s.name), s.unit = s.kind = bad, s.channel = bad_name("x");
  r.statistics.shares.groups = r.correlations.columns = r.correlations.determined_by = r.screening.variables = {bad, bad};
  r.chaos.how = bad;
  for (auto& v : r.chaos.variables) v.name = v.family = v.law = bad;
  auto found = std::make_shared<aleator::core::results::Identification>(*r.identification);
  found->likelihood = found->verdict = bad;
  found->warnings = {bad};
  for (auto& p : found->parameters) p.name = p.unit = bad;
  found->measured.channels = {bad_name("x")};
  for (auto& s : found->measured.specimens) s.name = bad;
  r.identification = found;
  auto rare = std::make_shared<aleator::core::results::Reliability>(*r.reliability);
  rare->method = bad;
  rare->doubts = rare->variables = {bad, bad};
  for (auto& p : rare->of) p.limit = p.unit = bad;
  for (auto& c : rare->curves) c.limit = c.unit = bad;
  for (auto& d : rare->design_points) d.limit = bad;
  for (auto& c : rare->causes) c.column = c.unit = bad;
  r.reliability = rare;
  aleator::core::results::Provenance p;
  p.version = p.commit = p.title = p.processor = p.model_text = p.model_file = p.command_line = p.host = p.created = bad;
  p.settings = {{"seconds", bad}, {bad_name("step"), bad}};
  write_study(path, r, p);
}

}  // namespace

int main(int count, char** words) {
  using namespace aleator::core::results;
  if (count != 2) return std::fputs("one word is needed: a folder that exists\n", stderr), 2;
  const std::pair<const char*, MadeUp> files[] = {
      {"bayesian", {}},
      {"likelihood", {.method = "maximum-likelihood", .parameters = 2}},
      {"single", {.parameters = 1, .specimens = 5, .irregular = true}},
      {"not-explained", {.method = "maximum-likelihood", .explained = false}},
      {"six", {.parameters = 6}},
      {"many", {.method = "maximum-likelihood", .parameters = 8, .irregular = true}},
      {"large", {.specimens = 200, .times = 5000}},
      {"sweep", {.method = "sweep"}},
  };
  Provenance origin = provenance_here();
  origin.title = "Made up";
  origin.model_file = "made-up.yaml";
  const auto path = [&](const std::string& name) { return words[1] + ("/" + name + ".h5"); };
  for (const auto& [name, what] : files)
    write_study(path(name), MadeUpStudy(std::make_shared<const Identification>(made_up_identification(what))).result, origin);
  const Identification fitted =
      made_up_identification({.method = "least-squares", .parameters = 2, .specimens = 1, .irregular = true});
  write_nominal(path("least-squares"), MadeUpStudy(nullptr).result.nominal, origin, &fitted);
  for (const char* kind : {"subset-simulation", "form", "enhanced-monte-carlo", "doubtful", "none"})
    write_study(path(std::string("reliability-") + kind), aleator::core::test::made_up_reliability(kind), origin);
  write_hostile(path("hostile"));
}
