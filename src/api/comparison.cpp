#include "api/comparison.hpp"

#include <aleator/results.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/errors.hpp"
#include "base/rounded.hpp"
#include "base/text_table.hpp"
#include "base/words.hpp"
#include "input/error.hpp"

namespace aleator::core {
namespace {

using analysis::Comparison, analysis::percent, results::StudyReader;

// Every name that was asked for is in both files.
void check_names(const std::vector<std::string>& names, const StudyReader& r) {
  std::vector<std::string> known;
  for (const auto& list : {r.outputs(), r.scalars()})
    for (const std::string& n : list) {
      known.push_back(n);
      const std::string vector = n.substr(0, n.rfind('.'));
      if (vector != n && std::find(known.begin(), known.end(), vector) == known.end()) known.push_back(vector);
    }
  for (const std::string& n : names)
    if (std::find(known.begin(), known.end(), n) == known.end())
      throw ReadError(r.path(), fmt::format("it has no output '{}'{}", n, input::suggestion(n, known)));
}

std::string probability(double p) { return std::isnan(p) ? "–" : p < 1e-4 ? "< 0.0001" : fmt::format("{:.4f}", p); }
std::string with_unit(const auto& x) { return x.unit.empty() ? x.name : fmt::format("{} [{}]", x.name, x.unit); }
std::string of_mean(const auto& x) { return percent(x.mean.value) + (x.by_scatter ? "*" : ""); }

std::string outputs_table(const Comparison& c) {
  if (c.outputs.empty()) return "";
  TextTable table;
  table.row({"output", "e_mu", "noise", "e_sigma", "noise", "e_lower", "noise", "e_upper", "noise"});
  for (const auto& x : c.outputs)
    table.row({with_unit(x), of_mean(x), percent(x.mean.noise), percent(x.std.value), percent(x.std.noise),
               percent(x.lower.value), percent(x.lower.noise), percent(x.upper.value), percent(x.upper.noise)});
  return table.text() + "\n";
}

// By how much B is above A, with the standard error of the difference.
std::string difference_words(const results::Estimate& a, const results::Estimate& b) {
  const double error = std::isnan(a.error) ? b.error : std::isnan(b.error) ? a.error : std::hypot(a.error, b.error);
  const std::string value = rounded(b.value - a.value, error);
  const bool positive = b.value > a.value && value.find_first_of("123456789∞") != std::string::npos;
  return (positive ? "+" : "") + with_error(b.value - a.value, error);
}

std::string scalars_table(const Comparison& c) {
  if (c.scalars.empty()) return "";
  TextTable table(2);
  table.row({"scalar", "", "A", "B − A", "e", "noise", "p-value"});
  for (const auto& x : c.scalars) {
    table.row({with_unit(x), "mean", rounded(x.mean_a.value, x.mean_a.error), difference_words(x.mean_a, x.mean_b), of_mean(x),
               percent(x.mean.noise), probability(x.p)});
    table.row({"", "std", rounded(x.std_a.value, x.std_a.error), difference_words(x.std_a, x.std_b), percent(x.std.value),
               percent(x.std.noise)});
  }
  return table.text() + "\n";
}

std::string samples_table(const Comparison& c) {
  TextTable table;
  table.row({"p-values", "at t [s]", "distribution", "mean", "spread", "distribution, any time"});
  bool any = false;
  for (const auto& x : c.outputs) {
    if (!x.samples) continue;
    const auto& s = *x.samples;
    table.row({x.name, number(s.time), probability(s.distribution.p), probability(s.mean.p), probability(s.spread.p),
               probability(std::min(1.0, s.smallest))});
    any = true;
  }
  return any ? table.text() + "\n" : "";
}

std::string notes(const ComparedFiles& f) {
  const Comparison& c = f.found;
  std::string text;
  const auto add = [&](bool applies, const std::string& line) { text += applies ? wrapped(line) : ""; };
  const auto starred = [](const auto& x) { return x.by_scatter; };
  add(std::any_of(c.outputs.begin(), c.outputs.end(), starred) || std::any_of(c.scalars.begin(), c.scalars.end(), starred),
      "* relative to the standard deviation: the mean of A is not significantly different from zero");
  add(!c.only_a.empty(), fmt::format("only in A: {}", fmt::join(c.only_a, ", ")));
  add(!c.only_b.empty(), fmt::format("only in B: {}", fmt::join(c.only_b, ", ")));
  add(c.interpolated, "B is interpolated onto the times of A");
  add(!c.bands, "the probability bands are of different confidence and not compared");
  add(f.a.seed() == f.b.seed() && f.a.method() == f.b.method(),
      "A and B have the same seed: their noise has much in common, and differences by noise are smaller than stated");
  for (const StudyReader* r : {&f.a, &f.b}) add(!r->complete(), r->path() + " is of a run that is not complete");
  return text;
}

}  // namespace

ComparedFiles::ComparedFiles(const std::string& path_a, const std::string& path_b, const std::vector<std::string>& names,
                             std::optional<double> allowed, std::optional<double> allowed_band)
    : a(path_a), b(path_b), tolerance(allowed), band_tolerance(allowed_band) {
  for (const StudyReader* r : {&a, &b}) check_names(names, *r);
  try {
    found = analysis::compare(a, b, names);
    if (band_tolerance && !found.bands) throw analysis::CannotCompare("their probability bands are of different confidence");
  } catch (const analysis::CannotCompare& e) {
    throw Error(fmt::format("cannot compare '{}' with the reference '{}': {}", b.path(), a.path(), e.what()));
  }
  verdict = analysis::verdict(found, tolerance, band_tolerance);
}

std::string comparison_text(const ComparedFiles& f) {
  return fmt::format("A: {} ({:.0f} realizations), the reference\nB: {} ({:.0f} realizations)\n\n{}{}{}{}", f.a.path(),
                     f.a.realizations(), f.b.path(), f.b.realizations(), outputs_table(f.found), scalars_table(f.found),
                     samples_table(f.found), notes(f));
}

}  // namespace aleator::core

namespace aleator {

Comparison compare_results(const std::string& a, const std::string& b, const std::vector<std::string>& names) {
  const core::ComparedFiles files(a, b, names, {}, {});
  const core::analysis::Comparison& found = files.found;
  const auto difference = [](const core::analysis::Difference& d) { return Difference{d.value, d.noise}; };
  Comparison out;
  for (const core::analysis::ComparedOutput& x : found.outputs)
    out.outputs.push_back({x.name, x.unit, difference(x.mean), difference(x.std), difference(x.lower), difference(x.upper),
                           x.samples ? std::min(1.0, x.samples->smallest) : std::nan("")});
  const Difference none{std::nan(""), std::nan("")};
  for (const core::analysis::ComparedScalar& x : found.scalars)
    out.scalars.push_back({x.name, x.unit, difference(x.mean), difference(x.std), none, none, x.p});
  out.only_a = found.only_a;
  out.only_b = found.only_b;
  out.significance = core::analysis::significance(found);
  out.text = core::comparison_text(files);
  return out;
}

}  // namespace aleator
