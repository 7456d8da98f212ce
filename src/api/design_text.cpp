#include "api/design_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/rounded.hpp"
#include "base/text_table.hpp"
#include "base/words.hpp"

namespace aleator::core {
namespace {

using results::FoundDesign;

std::string told(const FoundDesign::Number& x) {
  return std::isnan(x.value) ? "" : x.error > 0 ? with_error(x.value, x.error) : number(x.value);
}

std::string sure_words(double p) {
  if (std::isnan(p)) return "";
  return p > 0.9995 ? "> 99.9 %" : p < 0.0005 ? "< 0.1 %" : fmt::format("{:.1f} %", 100 * p);
}

std::string parameters_table(const FoundDesign& d) {
  TextTable table;
  table.row({"parameter", "chosen", "in the model", "range"});
  for (const FoundDesign::Parameter& p : d.parameters)
    table.row({p.name, fmt::format("{:.5g}", p.value), std::isnan(p.written) ? "" : number(p.written),
               fmt::format("{:.4g} … {:.4g}", p.from, p.to)});
  return table.text();
}

// The constraint on a line of its own: formulas are long.
std::string constraints_text(const FoundDesign& d) {
  std::string out;
  for (const FoundDesign::Constraint& c : d.constraints) {
    out += wrapped(c.text + (c.active ? "   active: it keeps the cost from becoming smaller" : ""));
    TextTable table(3);
    table.row({"  search", told(c.found), "holds with " + sure_words(c.sure)});
    if (!std::isnan(c.verified.value))
      table.row({"  fresh study", told(c.verified), "holds with " + sure_words(c.verified_sure)});
    out += table.text();
  }
  return out;
}

std::string trade_off_table(const FoundDesign& d) {
  TextTable table;
  std::vector<std::string> heading{"bound", "cost", "68 % interval"};
  for (const FoundDesign::Parameter& p : d.parameters) heading.push_back(p.name);
  table.row(heading);
  bool beyond = false;
  for (const FoundDesign::TradeOff& t : d.trade_off) {
    std::vector<std::string> cells{fmt::format("{:.3g}", t.target)};
    if (!t.possible) {
      cells.insert(cells.end(), {"not reached", ""});
    } else {
      beyond = beyond || t.beyond;
      cells.push_back(fmt::format("{:.4g}{}", t.cost, t.beyond ? " ?" : ""));
      cells.push_back(fmt::format("{:.4g} … {}", t.lower, std::isinf(t.upper) ? "not reached" : fmt::format("{:.4g}", t.upper)));
      for (const double x : t.values) cells.push_back(fmt::format("{:.4g}", x));
    }
    table.row(std::move(cells));
  }
  return fmt::format("\nLikely cost with other bounds of {}:\n", d.constraints[size_t(d.trade_off_of)].text) + table.text() +
         "Interpolated, without the margin for errors that the chosen design has.\n" +
         (beyond ? "? extrapolated: no design that was looked at goes so far\n" : "");
}

}  // namespace

std::string design_text(const FoundDesign& d) {
  std::string out = d.title.empty() ? "" : d.title + "\n\n";
  out += wrapped(d.verdict) + "\n" + parameters_table(d);
  const std::string cost = fmt::format("cost {} = {}{}", d.cost_text, told(d.cost),
                                       d.verified_cost.error > 0 ? fmt::format("; fresh study {}", told(d.verified_cost)) : "");
  out += "\n" + wrapped(cost);
  if (!d.constraints.empty()) out += "\n" + constraints_text(d);
  if (!d.trade_off.empty()) out += trade_off_table(d);
  out += "\n" +
         wrapped(fmt::format(
             "{} designs of {} realizations each ({}, seed {}){}", d.evaluations.size(), d.samples, d.method, d.seed,
             d.verifications == 0 ? std::string()
                                  : fmt::format("; fresh study: {} realizations, seed {}", d.verified_samples, d.verified_seed)));
  for (const std::string& note : d.notes) out += wrapped("note: " + note);
  return out;
}

std::vector<std::string> design_files(const DesignResult& r, const RunOptions& options) {
  if (options.folder.empty()) return {};
  std::vector<std::string> out{options.folder + "/design.json", options.folder + "/evaluations.csv"};
  if (!r.trade_off.empty()) out.push_back(options.folder + "/tradeoff.csv");
  if (r.study.file.empty()) return out;
  out.push_back(r.study.file);
  if (!options.report.empty()) out.push_back(options.folder + "/" + options.report);
  return out;
}

}  // namespace aleator::core
