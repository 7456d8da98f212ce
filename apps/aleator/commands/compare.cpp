// aleator compare A B: how far the statistics of A are from those of the reference B, and whether that is more than noise.
#include "analysis/compare.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "analysis/significance.hpp"
#include "base/atomic_file.hpp"
#include "base/text_table.hpp"
#include "base/words.hpp"
#include "cli/arguments.hpp"
#include "input/error.hpp"
#include "report/text.hpp"
#include "results/read.hpp"

namespace aleator::app {
namespace {

using namespace core;

using analysis::Comparison, analysis::percent;

struct CompareArguments {
  std::string a, b, tolerance, band_tolerance, csv;
  std::vector<std::string> outputs;
};

std::optional<double> tolerance_of(const char* option, const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(share_of(option, text, std::numeric_limits<double>::max()));
}

std::string probability(double p) { return std::isnan(p) ? "–" : p < 1e-4 ? "< 0.0001" : fmt::format("{:.4f}", p); }

std::string with_unit(const auto& x) {
  return report::printable(x.unit.empty() ? x.name : fmt::format("{} [{}]", x.name, x.unit));
}
std::string of_mean(const auto& x) { return percent(x.mean.value) + (x.by_scatter ? "*" : ""); }

void print_outputs(const Comparison& c) {
  if (c.outputs.empty()) return;
  TextTable table;
  table.row({"output", "e_mu", "noise", "e_sigma", "noise", "e_lower", "noise", "e_upper", "noise"});
  for (const auto& x : c.outputs)
    table.row({with_unit(x), of_mean(x), percent(x.mean.noise), percent(x.std.value), percent(x.std.noise),
               percent(x.lower.value), percent(x.lower.noise), percent(x.upper.value), percent(x.upper.noise)});
  fmt::print("{}\n", table.text());
}

void print_samples(const Comparison& c) {
  TextTable table;
  table.row({"p-values of realizations", "at t [s]", "distribution", "mean", "spread", "distribution, any time"});
  bool any = false;
  for (const auto& x : c.outputs) {
    if (!x.samples) continue;
    const auto& s = *x.samples;
    table.row({report::printable(x.name), number(s.time), probability(s.distribution.p), probability(s.mean.p),
               probability(s.spread.p), probability(std::min(1.0, s.smallest))});
    any = true;
  }
  if (any) fmt::print("{}\n", table.text());
}

void print_scalars(const Comparison& c) {
  if (c.scalars.empty()) return;
  TextTable table;
  table.row({"scalar", "mean A", "mean B", "e_mu", "noise", "std A", "std B", "e_sigma", "noise", "p-value"});
  const auto value = [](double x) { return std::isnan(x) ? std::string("–") : number(x); };
  for (const auto& x : c.scalars)
    table.row({with_unit(x), value(x.mean_a.value), value(x.mean_b.value), of_mean(x), percent(x.mean.noise),
               value(x.std_a.value), value(x.std_b.value), percent(x.std.value), percent(x.std.noise), probability(x.p)});
  fmt::print("{}\n", table.text());
}

std::string joined(const std::vector<std::string>& words) { return report::printable(fmt::format("{}", fmt::join(words, ", "))); }

void print_notes(const Comparison& c, const results::StudyReader& a, const results::StudyReader& b) {
  const auto starred = [](const auto& x) { return x.by_scatter; };
  if (std::any_of(c.outputs.begin(), c.outputs.end(), starred) || std::any_of(c.scalars.begin(), c.scalars.end(), starred))
    fmt::print("* relative to the standard deviation: the mean of B is not significantly different from zero\n");
  if (!c.only_a.empty()) fmt::print("only in A: {}\n", joined(c.only_a));
  if (!c.only_b.empty()) fmt::print("only in B: {}\n", joined(c.only_b));
  if (c.interpolated) fmt::print("A is interpolated onto the times of B\n");
  if (!c.bands) fmt::print("the probability bands are of different confidence and not compared\n");
  if (a.seed() == b.seed() && a.method() == b.method())
    fmt::print("A and B have the same seed: their noise has much in common, and differences by noise are smaller than stated\n");
  for (const auto* r : {&a, &b})
    if (!r->complete()) fmt::print("{} is of a run that is not complete\n", r->path());
}

// Every name that was asked for is in both files.
void check_names(const std::vector<std::string>& names, const results::StudyReader& r) {
  std::vector<std::string> known;
  for (const auto& list : {r.outputs(), r.scalars()})
    for (const std::string& n : list) {
      known.push_back(n);
      const std::string vector = n.substr(0, n.rfind('.'));
      if (vector != n && (known.size() < 2 || std::find(known.begin(), known.end(), vector) == known.end()))
        known.push_back(vector);
    }
  for (const std::string& n : names)
    if (std::find(known.begin(), known.end(), n) == known.end())
      throw ReadError(r.path(), fmt::format("it has no output '{}'{}", n, input::suggestion(n, known)));
}

int compare_command(const CompareArguments& o) {
  const auto allowed = tolerance_of("--tolerance", o.tolerance),
             allowed_band = tolerance_of("--band-tolerance", o.band_tolerance);
  const results::StudyReader a(o.a), b(o.b);
  for (const auto* r : {&a, &b}) check_names(o.outputs, *r);
  Comparison c;
  try {
    c = analysis::compare(a, b, o.outputs);
    if (allowed_band && !c.bands) throw analysis::CannotCompare("their probability bands are of different confidence");
  } catch (const analysis::CannotCompare& e) {
    fmt::print(stderr, "aleator: cannot compare '{}' with '{}': {}\n", a.path(), b.path(), e.what());
    return exit_code::wrong_model;
  }
  const analysis::Verdict v = analysis::verdict(c, allowed, allowed_band);
  if (!o.csv.empty()) {
    AtomicFile out(o.csv);
    out.write(analysis::comparison_csv(c));
    out.commit();
  }
  if (o.csv == "-") {
    fmt::print(stderr, "{}\n", report::printable(v.words));
    return v.exceeded ? exit_code::differs : exit_code::done;
  }
  const auto realizations = [](const results::StudyReader& r) { return r.realizations(); };
  fmt::print("A: {} ({:.0f} realizations)\nB: {} ({:.0f} realizations), the reference\n\n", a.path(), realizations(a), b.path(),
             realizations(b));
  print_outputs(c);
  print_scalars(c);
  print_samples(c);
  print_notes(c, a, b);
  fmt::print("{}\n", analysis::significance(c));
  fmt::print("{}\n", report::printable(v.words));
  return v.exceeded ? exit_code::differs : exit_code::done;
}

}  // namespace

void add_compare(Command& c) {
  auto o = std::make_shared<CompareArguments>();
  c.option("A", o->a, "results.h5 of a study, or its folder").required();
  c.option("B", o->b, "The reference: results.h5 of a study, or its folder").required();
  c.option("--tolerance", o->tolerance, "Largest e_mu and e_sigma allowed, as 0.01 or 1%; above it the exit code is 1").type("X");
  c.option("--band-tolerance", o->band_tolerance, "Largest e_lower and e_upper allowed").type("X");
  c.option("--output", o->outputs, "Only these outputs and scalars").type("NAME");
  c.option("--csv", o->csv, "Also write the numbers as CSV; - prints them alone").type("FILE");
  add_trust(c);
  c.run([o] { return compare_command(*o); });
}

}  // namespace aleator::app
