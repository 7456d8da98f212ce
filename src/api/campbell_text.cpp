// A Campbell diagram as tables.
#include <fmt/format.h>

#include <cmath>

#include "api/campbell.hpp"
#include "base/text_table.hpp"

namespace aleator::core {

using results::Campbell;

std::string campbell_text(const Campbell& d) {
  const std::string parameter = d.unit.empty() ? d.parameter : fmt::format("{} [{}]", d.parameter, d.unit);
  TextTable table;
  std::vector<std::string> heading = {parameter};
  for (size_t k = 0; k < d.modes.size(); ++k) heading.push_back(fmt::format("mode {}", k + 1));
  table.row(heading);
  for (size_t i = 0; i < d.values.size(); ++i) {
    std::vector<std::string> row = {fmt::format("{:.6g}", d.values[i])};
    for (const Campbell::Mode& m : d.modes)
      row.push_back(std::isnan(m.frequency[i]) ? "–" : fmt::format("{:.5g}", m.frequency[i]));
    table.row(row);
  }
  std::string out = "natural frequencies [Hz]\n" + table.text();
  if (d.orders.empty()) return out;
  if (d.crossings.empty()) return out + "\nno mode crosses an order line in this range\n";
  TextTable critical;
  critical.row({"order", "mode", "at " + parameter, "frequency [Hz]", "damping ratio"});
  for (const Campbell::Crossing& c : d.crossings)
    critical.row({fmt::format("{:g}", c.order), fmt::format("{}", c.mode + 1), fmt::format("{:.6g}", c.value),
                  fmt::format("{:.5g}", c.frequency), fmt::format("{:.3g}", c.damping)});
  return out + "\ncritical speeds: a mode has the frequency of an order line\n" + critical.text();
}

namespace {

std::string cell(double x) { return std::isnan(x) ? "," : fmt::format(",{:.17g}", x); }

}  // namespace

std::string campbell_csv(const Campbell& d) {
  std::string out = d.parameter;
  for (size_t k = 1; k <= d.modes.size(); ++k) out += fmt::format(",frequency_{0},damping_{0},mac_{0}", k);
  out += "\n";
  for (size_t i = 0; i < d.values.size(); ++i) {
    out += fmt::format("{:.17g}", d.values[i]);
    for (const Campbell::Mode& m : d.modes) out += cell(m.frequency[i]) + cell(m.damping[i]) + cell(m.mac[i]);
    out += "\n";
  }
  return out;
}

std::string critical_csv(const Campbell& d) {
  std::string out = "order,mode," + d.parameter + ",frequency,damping\n";
  for (const Campbell::Crossing& c : d.crossings)
    out += fmt::format("{:.17g},{}{}{}{}\n", c.order, c.mode + 1, cell(c.value), cell(c.frequency), cell(c.damping));
  return out;
}

}  // namespace aleator::core
