#include "optimisation/design_tables.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/atomic_file.hpp"

namespace aleator::core::optimisation {

void write_trade_off(const std::string& path, const results::FoundDesign& d) {
  if (d.trade_off.empty()) {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    return;
  }
  std::string text = "bound,cost,lower,upper,reached,extrapolated";
  for (const auto& p : d.parameters) text += "," + p.name;
  text += "\n";
  for (const auto& t : d.trade_off) {
    text += fmt::format("{:.10g},{:.10g},{:.10g},{:.10g},{},{}", t.target, t.cost, t.lower, t.upper, t.possible ? 1 : 0,
                        t.beyond ? 1 : 0);
    for (const double x : t.values) text += fmt::format(",{:.10g}", x);
    text += "\n";
  }
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace aleator::core::optimisation
