#include "propagation/evaluate_expansion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "analysis/chaos_statistics.hpp"
#include "input/error.hpp"
#include "propagation/expansion_draws.hpp"
#include "uncertainty/distribution_module.hpp"

namespace aleator::core {
namespace {

constexpr long evaluations = 100000;  // for a density

using Variable = results::Chaos::Variable;

// z of a value of the variable, or of a place u of a coordinate of a block.
double standard(const Variable& v, double value) {
  const auto refuse = [&](const std::string& why) { throw std::invalid_argument(fmt::format("{}: {}", v.name, why)); };
  const auto z = [&](double x) { return (x - v.center) / v.scale; };
  if (v.germ == "uniform") {
    if (!(value > 0 && value < 1)) refuse(fmt::format("is a coordinate between 0 and 1, found {:g}", value));
    return z(2 * value - 1);
  }
  if (v.law_name.empty()) refuse(fmt::format("depends on others; set the standard normal variable behind it: {}.z=…", v.name));
  const auto law = distribution_of(v);
  if (!(value >= law->lower() && value <= law->upper()))
    refuse(fmt::format("{:g} is impossible under its distribution ({}): between {:g} and {:g}", value, v.law, law->lower(),
                       law->upper()));
  return z(v.germ == "value" ? value : distribution_module().normal_quantile(law->cdf(value)));
}

// Where the polynomial of degree one vanishes.
double mean_of(const Variable& v) { return v.recurrence.size() < 3 ? 0 : -v.recurrence[1] / v.recurrence[0]; }

std::vector<double> point_of(const std::vector<Variable>& variables, std::span<const Override> settings) {
  std::vector<double> z;
  std::vector<std::string> names;
  for (const Variable& v : variables) {
    z.push_back(mean_of(v));
    names.push_back(v.name);
  }
  for (const Override& o : settings) {
    bool found = false;
    for (size_t i = 0; i < variables.size(); ++i) {
      if (o.name == variables[i].name) z[i] = standard(variables[i], o.value), found = true;
      if (o.name == variables[i].name + ".z") z[i] = o.value, found = true;
    }
    if (!found)
      throw std::invalid_argument(fmt::format("the expansion has no variable '{}'{}", o.name, input::suggestion(o.name, names)));
  }
  return z;
}

}  // namespace

std::vector<double> response_at(const analysis::StoredExpansion& s, std::span<const Override> values) {
  const analysis::RowMatrix y = evaluate(s.expansion, point_of(s.variables, values));
  return {y.data(), y.data() + y.size()};
}

DensityAt density_at(const analysis::StoredExpansion& s, const std::string& output, double time) {
  const auto found = std::find(s.outputs.begin(), s.outputs.end(), output);
  if (found == s.outputs.end())
    throw std::invalid_argument(fmt::format("there is no output '{}'{}", output, input::suggestion(output, s.outputs)));
  const size_t nc = s.outputs.size(), c = size_t(found - s.outputs.begin());
  const std::vector<double> variance = analysis::variance(s.expansion);
  size_t best = 0;
  for (size_t t = 0; t < s.times.size(); ++t)
    if (std::isnan(time) ? variance[t * nc + c] > variance[best * nc + c]
                         : std::abs(s.times[t] - time) < std::abs(s.times[best] - time))
      best = t;
  analysis::Expansion one = s.expansion;
  one.coefficients = analysis::RowMatrix(s.expansion.coefficients.col(Eigen::Index(best * nc + c)));
  const analysis::RowMatrix y = evaluate(one, draw_variables(s.variables, evaluations).z);
  return {s.times[best], analysis::density_of({y.data(), y.data() + y.size()})};
}

}  // namespace aleator::core
