#include "text/identification.hpp"

#include <algorithm>
#include <cmath>

#include "base/rounded.hpp"
#include "base/text_table.hpp"
#include "base/words.hpp"
#include "cli/colour.hpp"

namespace aleator::app {

using namespace core;
using results::FreeParameter;

namespace {

// In the digits that tell the ends of its interval apart.
std::string told(const FreeParameter& p, double x) { return rounded(x, (p.upper - p.lower) / 20); }

// An end that is that of the admissible range is no bound.
std::string limits(const FreeParameter& p) {
  if (std::isnan(p.lower)) return "at the end of its range";
  if (p.open_below && p.open_above) return "not bounded";
  if (p.open_below) return "≤ " + told(p, p.upper);
  if (p.open_above) return "≥ " + told(p, p.lower);
  return fmt::format("{} … {}", told(p, p.lower), told(p, p.upper));
}

// Numbers of the model itself, by least squares: one simulation for each evaluation.
bool fitted(const results::Identification& f) { return f.samples == 1; }

std::string label(const FreeParameter& p) {
  return p.unit.empty() || p.unit == "-" ? p.name : fmt::format("{} [{}]", p.name, p.unit);
}

void print_parameters(const results::Identification& f) {
  const bool posterior = !f.draws.empty(), least_squares = fitted(f);
  TextTable table, sampled;
  table.row({"parameter", "in the model",
             posterior       ? "mode"
             : least_squares ? "estimate"
                             : "most likely",
             fmt::format("{:g} % interval", 100 * f.confidence),
             posterior       ? ""
             : least_squares ? "standard error"
                             : "admissible"});
  sampled.row({"parameter", "posterior", fmt::format("{:g} % credible", 100 * f.confidence)});
  for (const FreeParameter& p : f.parameters) {
    const std::string written = std::isnan(p.written) ? "" : number(p.written);
    table.row({label(p), written, told(p, p.estimate), limits(p),
               posterior       ? ""
               : least_squares ? rounded(p.std, p.std / 10)
                               : fmt::format("{:.4g} … {:.4g}", p.from, p.to)});
    sampled.row(
        {label(p), with_error(p.mean, p.std), fmt::format("{} … {}", told(p, p.credible_lower), told(p, p.credible_upper))});
  }
  say("\n{}", table.text());
  if (f.surrogate_error > 0.3)  // it moves the ends of intervals
    tell("The log-likelihood is known to ± {:.1g} only: the ends of the intervals are rough.", f.surrogate_error);
  if (posterior) say("\n{}", sampled.text());
}

// As many outputs beside each other as a terminal has room for.
void print_sweeps(const results::Identification& f) {
  constexpr size_t beside = 3;
  const std::vector<std::string>& channels = f.measured.channels;
  for (size_t p = 0; p < f.sweeps.size(); ++p)
    for (size_t first = 0; first < channels.size(); first += beside) {
      const results::Sweep& s = f.sweeps[p];
      const size_t last = std::min(channels.size(), first + beside);
      std::vector<std::string> head = {f.parameters[p].name};
      for (size_t c = first; c < last; ++c) head.push_back(channels[c]);
      TextTable table;
      table.row(head);
      for (size_t k = 0; k < s.at.size(); ++k) {
        std::vector<std::string> row = {number(s.at[k])};
        for (size_t c = first; c < last; ++c) row.push_back(with_error(s.spread[c][k], s.spread_error[c][k]));
        table.row(row);
      }
      say("\n{}", table.text());
    }
}

}  // namespace

void print_found(const results::Identification& f) {
  const size_t n = f.measured.specimens.size();
  if (!f.sweeps.empty()) {
    tell("Spread of the responses, {} realizations for each value", f.samples);
    print_sweeps(f);
    tell("\n{}", f.verdict);
  } else {
    tell("{} specimen{}, {} output{}, {}{}", n, n == 1 ? "" : "s", f.measured.channels.size(),
         f.measured.channels.size() == 1 ? "" : "s", f.method, f.likelihood.empty() ? "" : " (" + f.likelihood + ")");
    if (f.components > 0)
      tell("{} principal component{} hold{} {:.1f} % of the energy", f.components, f.components == 1 ? "" : "s",
           f.components == 1 ? "s" : "", 100 * f.captured);
    if (fitted(f))
      tell("{} simulations", f.evaluations);
    else if (f.likelihood == "integral")
      tell("{} evaluations of the likelihood of the whole responses, {} simulations in all", f.evaluations, f.samples);
    else
      tell("{} evaluations of the likelihood, {} realizations each", f.evaluations, f.samples);
    print_parameters(f);
    if (!std::isnan(f.written_drop))
      tell(
          "\nThe values in the model are {} the joint {:g} % region: their log-likelihood is {:.2f} below the largest (limit "
          "{:.2f}).",
          f.written_drop <= f.region_drop ? "inside" : "outside", 100 * f.confidence, f.written_drop, f.region_drop);
    tell(f.explained ? Colour::good : Colour::bad, "\n{}", f.verdict);
  }
  for (const std::string& w : f.warnings) tell("warning: {}", w);
  say("\n");
}

}  // namespace aleator::app
