#include "propagation/expansion_draws.hpp"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>

#include "results/read.hpp"
#include "uncertainty/distribution_module.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core {

using ChaosVariable = results::Chaos::Variable;

std::unique_ptr<const Distribution> distribution_of(const ChaosVariable& v) {
  Law law{v.law_name, {}, v.law, v.lower, v.upper};
  for (size_t i = 0; i < v.parameters.size(); ++i) law.parameters.push_back({v.parameters[i], v.values[i]});
  try {
    return make_distribution(law);
  } catch (const std::logic_error& e) {  // no such law, or no such parameters: the file is not what it was
    throw results::ReadError("the expansion", fmt::format("the distribution of {} is invalid: {}", v.name, e.what()));
  }
}

Draws draw_variables(const std::vector<ChaosVariable>& variables, long n) {
  std::vector<std::unique_ptr<const Distribution>> laws;
  for (const ChaosVariable& v : variables) laws.push_back(v.law_name.empty() ? nullptr : distribution_of(v));
  Draws out;
  for (long k = 0; k < n; ++k)
    for (size_t i = 0; i < variables.size(); ++i) {
      const ChaosVariable& v = variables[i];
      const double u = Stream(1, std::uint64_t(k), quantity_key(v.name)).uniform();
      const double value = laws[i] && v.germ != "uniform" ? laws[i]->quantile(u) : std::numeric_limits<double>::quiet_NaN();
      const double x = v.germ == "value" ? value : v.germ == "normal" ? distribution_module().normal_quantile(u) : 2 * u - 1;
      out.z.push_back((x - v.center) / v.scale);
      out.values.push_back(value);
    }
  return out;
}

}  // namespace aleator::core
