#include "design/standard_space.hpp"

#include <algorithm>

#include "uncertainty/distribution_module.hpp"

namespace aleator::core {

namespace {

// Inside ]0, 1[, also where Φ(z) rounds to an end.
double place_of(double z) { return std::clamp(distribution_module().normal_cdf(z), 0x1p-53, 1 - 0x1p-53); }

constexpr double some_draw = 0.5;  // of processes whose numbers are given: any but 0, which is to be at rest

}  // namespace

StandardSpace::StandardSpace(const Model& model, const RandomModel& random, std::uint64_t seed)
    : random_(random), seed_(seed), variables_(random.variables().size()), named_(variables_) {
  for (const Variable& v : random.variables()) {
    const Quantity& q = random.quantities()[size_t(v.quantity)];
    if (q.scalar && !q.scalar->has_density()) discrete_.push_back(int(names_.size()));
    names_.push_back(v.name);
  }
  for (const Quantity& q : random.quantities()) {
    if (!q.is_draw()) continue;
    const processes::Process& p = *model.processes[size_t(q.process)];
    const bool chooses = p.kind == processes::Process::Kind::recorded;
    draws_.push_back({q.first_column, named_, chooses});
    if (!chooses) processes_ += p.other_numbers();
    if (!chooses) continue;
    discrete_.push_back(int(named_++));
    names_.push_back(q.name);
  }
  for (const std::string& name : random.unmapped())
    if (std::none_of(random.quantities().begin(), random.quantities().end(),
                     [&](const Quantity& q) { return q.name == name && q.is_draw(); }))
      streams_.push_back(name);
}

std::vector<double> StandardSpace::sample(std::span<const double> u, std::uint64_t stream) const {
  std::vector<double> out = random_.sample(seed_, stream, {}, [&](int variable, int, double) -> Place {
    const double z = u[size_t(variable)];
    return {.u = place_of(z), .z = z};
  });
  for (const Record& d : draws_) out[size_t(d.column)] = d.chooses ? place_of(u[d.at]) : some_draw;
  out.insert(out.end(), u.begin() + long(named_), u.end());
  return out;
}

}  // namespace aleator::core
