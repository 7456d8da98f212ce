#include "uncertainty/distribution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/errors.hpp"
#include "base/load_module.hpp"
#include "input/error.hpp"
#include "uncertainty/distribution_module.hpp"
#include "uncertainty/given.hpp"
#include "uncertainty/laws.hpp"
#include "uncertainty/own_laws.hpp"

namespace aleator::core {

namespace {

const DistributionModule& load() {
  // Its ninety libraries are not to take part in the look-up of our own symbols: local.
  const Module module = load_module("aleator_openturns.so", distribution_module_entry);
  if (!module.entry)
    throw SimulationError(fmt::format(
        "random distributions need the module aleator_openturns.so, which is in none of these folders: {}", module.looked_in));
  using Entry = const DistributionModule* (*)();
  return *reinterpret_cast<Entry>(module.entry)();
}

std::string unknown_name(const std::string& name, const std::vector<std::string>& names) {
  const std::string hint = input::suggestion(name, names);
  return fmt::format("OpenTURNS has no one-dimensional distribution '{}'{}", name,
                     hint.empty() ? fmt::format(" (known: {})", fmt::join(names, ", ")) : hint);
}

}  // namespace

const DistributionModule& distribution_module() {
  static const DistributionModule& module = load();
  return module;
}

std::unique_ptr<const Distribution> make_distribution(std::string_view kind, std::span<const Argument> arguments,
                                                      double nominal) {
  return make_distribution(law_of(kind, arguments, nominal));
}

std::unique_ptr<const Distribution> make_distribution(const Law& law) {
  if (auto own = make_own_law(law)) return own;
  return distribution_module().make(law);
}

std::unique_ptr<const Distribution> make_openturns_distribution(const std::string& name, std::span<const Argument> arguments) {
  const DistributionModule& module = distribution_module();
  const std::vector<std::string> names = module.names();
  if (std::find(names.begin(), names.end(), name) == names.end()) throw std::invalid_argument(unknown_name(name, names));
  const std::vector<std::string> parameters = module.parameters(name);
  std::vector<input::Field> fields;
  for (const auto& p : parameters) fields.push_back({.key = p});
  const Given given(fields, arguments, std::numeric_limits<double>::quiet_NaN());
  Law law = {name, {}, name};
  for (const auto& p : parameters) {
    if (!given.has(p))
      throw std::invalid_argument(
          fmt::format("'{}' is missing ({} has the parameters {})", p, name, fmt::join(parameters, ", ")));
    law.parameters.push_back({p, given.at(p)});
    law.words += fmt::format(", {} {:.6g}", p, given.at(p));
  }
  return module.make(law);
}

std::unique_ptr<const Distribution> make_tabulated_distribution(std::span<const double> points) {
  constexpr std::size_t most = 1001;  // as many as files keep beside an expansion
  const std::size_t n = points.size() / 2;
  const auto refuse = [](const std::string& what) { throw std::invalid_argument(what); };
  if (n < 2 || n > most) refuse(fmt::format("must have from 2 to {} points, found {}", most, n));
  Law law = {"Histogram", {}, fmt::format("tabulated, {} points from {:.6g} to {:.6g}", n, points[0], points[2 * n - 2])};
  for (std::size_t i = 0; i < n; ++i) {
    const double x = points[2 * i], p = points[2 * i + 1];
    if (!std::isfinite(x) || !std::isfinite(p)) refuse(fmt::format("point {}: the numbers must be finite", i + 1));
    if (i > 0 && !(x > points[2 * i - 2]))
      refuse(fmt::format("the values must increase, found {} after {}", x, points[2 * i - 2]));
    if (i > 0 && !(p >= points[2 * i - 1]))
      refuse(fmt::format("the probabilities must not decrease, found {} after {}", p, points[2 * i - 1]));
    law.parameters.push_back({fmt::format("x{}", i), x});
    law.parameters.push_back({fmt::format("p{}", i), p});
  }
  if (points[1] != 0 || points[2 * n - 1] != 1)
    refuse(fmt::format("the probabilities must begin with 0 and end with 1, found {} and {}", points[1], points[2 * n - 1]));
  return make_distribution(law);
}

}  // namespace aleator::core
