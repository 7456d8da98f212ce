#include "design/germ.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "uncertainty/distribution_module.hpp"

namespace aleator::core {

void refuse_processes(const RandomModel& random, std::string_view what) {
  for (const Quantity& q : random.quantities())
    if (q.is_draw()) {
      const std::string name = q.name.substr(0, q.name.rfind('.'));
      throw std::invalid_argument(fmt::format(
          "the random process '{}' has too many random numbers for {}. Use a sampling method (monte-carlo, latin-hypercube, "
          "sobol), or one realization of it (--set {}=0.5)",
          name, what, q.name));
    }
}

Germ::Germ(const RandomModel& random) : random_(random) {
  refuse_processes(random, "an expansion in polynomials");
  if (const auto& blocks = random.unmapped(); !blocks.empty())
    throw std::invalid_argument(fmt::format(
        "{} {} drawn by rejection: no map from independent variables to {} distribution{} is known, so that the response cannot "
        "be expanded in polynomials. Use a sampling method (sobol, latin-hypercube, monte-carlo), or fix {} (--set)",
        fmt::join(blocks, ", "), blocks.size() == 1 ? "is" : "are", blocks.size() == 1 ? "its" : "their",
        blocks.size() == 1 ? "" : "s", blocks.size() == 1 ? "it" : "them"));
  const Argument standard_normal[] = {{"mean", 0}, {"std", 1}}, between[] = {{"lower", -1}, {"upper", 1}};
  std::shared_ptr<const Distribution> normal, uniform;
  for (const Variable& v : random.variables()) {
    const Quantity& q = random.quantities()[size_t(v.quantity)];
    if (v.alone && q.scalar->smooth_germ()) {
      kinds_.push_back(Kind::value);
      laws_.push_back(q.scalar);
    } else if (q.scalar) {
      if (!normal) normal = make_distribution("normal", standard_normal, 0);
      kinds_.push_back(Kind::normal);
      laws_.push_back(normal);
    } else {
      if (!uniform) uniform = make_distribution("uniform", between, 0);
      kinds_.push_back(Kind::uniform);
      laws_.push_back(uniform);
    }
    scales_.push_back(laws_.back()->polynomials(1));
  }
}

const GaussQuadrature& Germ::rule(int variable, int n) const {
  const auto [at, is_new] = rules_.try_emplace({variable, n});
  if (is_new) at->second = laws_[variable]->gauss(n);
  return at->second;
}

Place Germ::place(int variable, double z) const {
  const double x = scales_[variable].variable(z);
  if (kinds_[variable] == Kind::value) return {.value = x};
  if (kinds_[variable] == Kind::uniform) return {.u = (1 + x) / 2};
  // Copulas take u: inside ]0, 1[, also where Φ(z) rounds to 1.
  return {.u = std::clamp(distribution_module().normal_cdf(x), 0x1p-53, 1 - 0x1p-53), .z = x};
}

double Germ::standard(int variable, double u) const { return scales_[variable].standard(laws_[variable]->quantile(u)); }

std::vector<double> Germ::sample(std::span<const double> z) const {
  return random_.sample(0, 0, {}, [&](int variable, int, double) { return place(variable, z[size_t(variable)]); });
}

}  // namespace aleator::core
