#include "api/reliability_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text_table.hpp"
#include "base/words.hpp"

namespace aleator::core {
namespace {

using results::Reliability;

constexpr std::size_t most_variables = 12;  // of a design point
constexpr double rejected = 0.01;           // sets that differ so improbably do not agree

std::string thousands(long n) {
  std::string text = std::to_string(n);
  for (long at = long(text.size()) - 3; at > 0; at -= 3) text.insert(std::size_t(at), ",");
  return text;
}

bool has_error(const Reliability::Probability& p) { return p.cov > 0 && std::isfinite(p.cov); }

std::string interval(const Reliability::Probability& p) {
  return fmt::format("{} to {}", probability_words(p.lower), probability_words(p.upper));
}

std::string answer_line(const Reliability& r) {
  const Reliability::Probability& any = r.of.back();
  const std::string from = fmt::format("from {} realizations", thousands(r.simulations));
  if (!(any.probability > 0))
    return fmt::format("P(failure) < {} with 95 % confidence: no failure was found, {}", probability_words(any.upper), from);
  if (any.probability >= 1 && any.lower > 0)
    return fmt::format("P(failure) > {:.4f} with 95 % confidence: every realization failed, {}", any.lower, from);
  const std::string error =
      has_error(any) ? fmt::format(" (cov {:.2f}, 95 %: {})", any.cov, interval(any)) : std::string(" (no error estimate)");
  return fmt::format("P(failure) = {}{}, β = {:.2f}, {}", probability_words(any.probability), error, any.beta(), from);
}

std::string limits_table(const Reliability& r) {
  if (r.of.size() < 2) return "";
  TextTable table;
  table.row({"limit", "at", "probability", "cov", "95 % confidence", "β"});
  for (const Reliability::Probability& p : r.of) {
    const bool only = r.of.size() == 2 && &p == &r.of.back();  // the same as the one limit
    if (only) continue;
    const std::string at = std::isnan(p.value) ? "" : number(p.value) + (p.unit.empty() ? "" : " " + p.unit);
    const bool none = !(p.probability > 0);
    table.row({p.limit, at, none ? "0" : probability_words(p.probability), has_error(p) ? fmt::format("{:.2f}", p.cov) : "",
               none           ? "below " + probability_words(p.upper)
               : has_error(p) ? interval(p)
                              : "",
               none ? "" : fmt::format("{:.2f}", p.beta())});
  }
  return "\n" + table.text();
}

std::string sets_line(const Reliability& r) {
  if (r.sets.size() < 2) return "";
  std::string all;
  for (const double p : r.sets) all += (all.empty() ? "" : ", ") + probability_words(p);
  const std::string verdict = r.agreement < rejected ? "they differ by more than chance allows" : "they agree";
  return "\n" + wrapped(fmt::format("{} independent sets: {}; {} (p = {:.2g})", r.sets.size(), all, verdict, r.agreement));
}

// What a smaller error takes: it falls with the root of the number of realizations.
std::string accuracy_line(const Reliability& r) {
  constexpr double wanted = 0.1;
  const Reliability::Probability& any = r.of.back();
  if (r.levels.size() < 2 || !has_error(any) || any.cov < 1.2 * wanted || !(any.probability > 0)) return "";
  const double realizations = double(r.simulations) * std::pow(any.cov / wanted, 2);
  const double digits = std::pow(10, std::floor(std::log10(realizations)) - 1);
  return wrapped(fmt::format(
      "a cov of {:.2f} takes about {} realizations: accuracy: 10%; fewer by importance-sampling where limits are smooth in up "
      "to 200 random numbers, or the model is linear",
      wanted, thousands(long(std::round(realizations / digits) * digits))));
}

std::string levels_table(const Reliability& r) {
  if (r.levels.empty()) return "";
  TextTable table(1);
  table.row({"level", "from excess", "realizations", "P(next)", "cov", "accepted", "correlation"});
  for (std::size_t k = 0; k < r.levels.size(); ++k) {
    const Reliability::Level& l = r.levels[k];
    table.row({std::to_string(k), std::isfinite(l.excess) ? fmt::format("{:.4g}", l.excess) : "all", thousands(l.realizations),
               fmt::format("{:.3g}", l.probability), fmt::format("{:.2g}", l.cov),
               k == 0 ? "" : fmt::format("{:.0f} %", 100 * l.accepted), k == 0 ? "" : fmt::format("{:.2f}", l.correlation)});
  }
  return "\n" + table.text();
}

// The value of a standard normal number in physical units, where it has a column of its name.
std::string value_of(const Reliability::DesignPoint& d, const std::string& variable,
                     const std::vector<results::InputColumn>& columns) {
  for (std::size_t c = 0; c < columns.size() && c < d.inputs.size(); ++c)
    if (columns[c].name == variable) return number(d.inputs[c]) + (columns[c].unit.empty() ? "" : " " + columns[c].unit);
  return "";
}

std::string design_point_table(const Reliability& r, const Reliability::DesignPoint& d,
                               const std::vector<results::InputColumn>& columns) {
  std::string text = fmt::format("\ndesign point of {}: β = {:.3f}, first order {}", d.limit, d.beta, probability_words(d.form));
  if (!std::isnan(d.sorm)) text += ", second order " + probability_words(d.sorm);
  text += d.converged ? "\n" : "; the search did not converge\n";
  std::vector<std::size_t> order(d.importance.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return d.importance[a] > d.importance[b]; });
  TextTable table;
  table.row({"variable", "value", "standard normal", "importance"});
  for (std::size_t i = 0; i < std::min(order.size(), most_variables); ++i) {
    const std::size_t k = order[i];
    const std::string name = variable_name(r, k);
    table.row({name, value_of(d, name, columns), fmt::format("{:.3f}", d.u[k]), fmt::format("{:.1f} %", 100 * d.importance[k])});
  }
  text += table.text();
  if (order.size() > most_variables) {
    double rest = 0;
    for (std::size_t i = most_variables; i < order.size(); ++i) rest += d.importance[order[i]];
    text += fmt::format("{} more have {:.1f} % together\n", order.size() - most_variables, 100 * rest);
  }
  return text;
}

std::string doubts_lines(const Reliability& r) {
  std::string text;
  for (const std::string& doubt : r.doubts) text += wrapped("doubt: " + doubt);
  return text.empty() ? "" : "\n" + text;
}

}  // namespace

std::string probability_words(double p) {
  if (std::isnan(p)) return "not known";
  if (p >= 1e-3 || p <= 0) return fmt::format("{:.3g}", p);
  int power = int(std::floor(std::log10(p)));
  double mantissa = p * std::pow(10, -power);
  if (mantissa >= 9.995) ++power, mantissa /= 10;
  return fmt::format("{:.3g}e{}", mantissa, power);
}

std::string variable_name(const Reliability& r, std::size_t k) {
  return k < r.variables.size() ? r.variables[k] : fmt::format("random process {}", k - r.variables.size() + 1);
}

std::string reliability_text(const Reliability& r, const std::vector<results::InputColumn>& columns, bool details) {
  if (r.of.empty()) return "";
  std::string text = "\n" + wrapped(answer_line(r)) + limits_table(r) + sets_line(r) + accuracy_line(r);
  for (const Reliability::DesignPoint& d : r.design_points) text += design_point_table(r, d, columns);
  if (details) text += levels_table(r);
  if (r.failed > 0)
    text += fmt::format("\n{} of {} simulations could not be completed\n", thousands(r.failed), thousands(r.simulations));
  return text + doubts_lines(r);
}

}  // namespace aleator::core
