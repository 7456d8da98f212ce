#include "uncertainty/distribution.hpp"

#include <algorithm>
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

std::unique_ptr<const Distribution> make_distribution(const Law& law) { return distribution_module().make(law); }

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

}  // namespace aleator::core
