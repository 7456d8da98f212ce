#include "text/identification.hpp"

#include <algorithm>
#include <cmath>

#include "base/utf8.hpp"
#include "base/words.hpp"
#include "cli/colour.hpp"

namespace aleator::app {

using namespace core;
using results::FreeParameter;

namespace {

// With as many digits as tell the ends of its interval apart.
std::string told(const FreeParameter& p, double x) {
  const double width = p.upper - p.lower, size = std::max(std::abs(p.lower), std::abs(p.upper));
  const int digits = width > 0 ? std::clamp(3 + int(std::floor(std::log10(size / width))), 4, 10) : 4;
  const double power = std::pow(10, std::floor(std::log10(std::max(std::abs(x), 1e-300))) - digits + 1);
  return fmt::format("{:.12g}", std::round(x / power) * power);
}

// An end that is that of the admissible range is no bound.
std::string limits(const FreeParameter& p) {
  if (std::isnan(p.lower)) return "at the end of its range";
  if (p.open_below && p.open_above) return "not bounded";
  if (p.open_below) return "≤ " + told(p, p.upper);
  if (p.open_above) return "≥ " + told(p, p.lower);
  return fmt::format("{} … {}", told(p, p.lower), told(p, p.upper));
}

// Columns as wide as people see them: "…" is one letter and three bytes.
std::string padded(const std::string& text, size_t width) {
  const size_t letters = characters(text);
  return text + std::string(letters < width ? width - letters : 1, ' ');
}

// Numbers of the model itself, by least squares: one simulation for each evaluation.
bool fitted(const results::Identification& f) { return f.samples == 1; }

void print_parameters(const results::Identification& f) {
  const bool posterior = !f.draws.empty(), least_squares = fitted(f);
  size_t width = 12;
  for (const FreeParameter& p : f.parameters) width = std::max(width, p.name.size() + p.unit.size() + 5);
  // An error of the log-likelihood that moves the ends of intervals is told beside them.
  const bool rough = f.surrogate_error > 0.3;
  const std::string interval = fmt::format("{:g} % interval", 100 * f.confidence) +
                               (rough ? fmt::format(" (log-likelihood ± {:.1g})", f.surrogate_error) : "");
  const size_t wide = std::max<size_t>(24, characters(interval) + 2);
  say("\n{}{:>12}{:>12}   {}{}\n", padded("parameter", width), "in the model",
      posterior       ? "mode"
      : least_squares ? "estimate"
                      : "most likely",
      padded(interval, wide),
      posterior       ? padded("posterior", 24) + "credible"
      : least_squares ? "standard error"
                      : "admissible");
  for (const FreeParameter& p : f.parameters) {
    const std::string name = p.unit.empty() || p.unit == "-" ? p.name : fmt::format("{} [{}]", p.name, p.unit);
    say("{}{:>12}{:>12}   {}", padded(name, width), std::isnan(p.written) ? "" : number(p.written), told(p, p.estimate),
        padded(limits(p), wide));
    if (posterior)
      say("{}{} … {}", padded(fmt::format("{} ± {:.2g}", told(p, p.mean), p.std), 24), told(p, p.credible_lower),
          told(p, p.credible_upper));
    else if (least_squares)
      say("{:.3g}", p.std);
    else
      say("{:.4g} … {:.4g}", p.from, p.to);
    say("\n");
  }
}

void print_sweeps(const results::Identification& f) {
  for (size_t p = 0; p < f.sweeps.size(); ++p) {
    const results::Sweep& s = f.sweeps[p];
    say("\n{}", padded(f.parameters[p].name, 28));
    for (const std::string& c : f.measured.channels) say("{}", padded("spread of " + c, 24));
    say("\n");
    for (size_t k = 0; k < s.at.size(); ++k) {
      say("{}", padded(number(s.at[k]), 28));
      for (size_t c = 0; c < f.measured.channels.size(); ++c)
        say("{}", padded(std::isnan(s.spread_error[c][k]) ? fmt::format("{:.4g}", s.spread[c][k])
                                                          : fmt::format("{:.4g} ± {:.1g}", s.spread[c][k], s.spread_error[c][k]),
                         24));
      say("\n");
    }
  }
}

}  // namespace

void print_found(const results::Identification& f) {
  const size_t n = f.measured.specimens.size();
  if (!f.sweeps.empty()) {
    say("Spread of the responses, {} realizations for each value\n", f.samples);
    print_sweeps(f);
    say("\n{}\n", f.verdict);
  } else {
    say("{} specimen{}, {} output{}, {}{}\n", n, n == 1 ? "" : "s", f.measured.channels.size(),
        f.measured.channels.size() == 1 ? "" : "s", f.method, f.likelihood.empty() ? "" : " (" + f.likelihood + ")");
    if (f.components > 0)
      say("{} principal component{} hold{} {:.1f} % of the energy\n", f.components, f.components == 1 ? "" : "s",
          f.components == 1 ? "s" : "", 100 * f.captured);
    if (fitted(f))
      say("{} simulations\n", f.evaluations);
    else if (f.likelihood == "integral")
      say("{} evaluations of the likelihood of the whole responses, {} simulations in all\n", f.evaluations, f.samples);
    else
      say("{} evaluations of the likelihood, {} realizations each\n", f.evaluations, f.samples);
    print_parameters(f);
    if (!std::isnan(f.written_drop))
      say("\nThe values in the model are {} the joint {:g} % region: their log-likelihood is {:.2f} below the largest (limit "
          "{:.2f}).\n",
          f.written_drop <= f.region_drop ? "inside" : "outside", 100 * f.confidence, f.written_drop, f.region_drop);
    say(f.explained ? Colour::good : Colour::bad, "\n{}\n", f.verdict);
  }
  for (const std::string& w : f.warnings) say("warning: {}\n", w);
  say("\n");
}

}  // namespace aleator::app
