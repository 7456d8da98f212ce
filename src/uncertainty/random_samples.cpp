// Samples of a random model: quantity by quantity, each for some realizations at once. A realization has the same bits beside any others.
#include <algorithm>
#include <cmath>

#include "uncertainty/follow.hpp"
#include "uncertainty/random_model.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core {
namespace {

// What is known of some realizations on the way; of one thread.
struct Scratch {
  std::vector<Place> places;  // [quantities][rows] of scalars
  std::vector<double> u, x;   // [rows]
  std::vector<double> of_one;
};

}  // namespace

std::vector<double> RandomModel::sample(std::uint64_t seed, std::uint64_t realization, std::span<const int> replicate,
                                        const Placement& placement) const {
  std::vector<double> out(columns_.size());
  PlacementOfRow of_row;
  if (placement) of_row = [&placement](std::size_t, int variable, int copy, double u) { return placement(variable, copy, u); };
  samples({seed, {&realization, 1}, replicate}, of_row, out);
  return out;
}

void RandomModel::samples(const Rows& rows, const PlacementOfRow& placement, std::span<double> to) const {
  const size_t n = rows.realizations.size(), width = columns_.size();
  if (draws_bodies_ && n > 1) {
    for (size_t k = 0; k < n; ++k) {
      PlacementOfRow own;
      if (placement) own = [&, k](size_t, int variable, int copy, double u) { return placement(k, variable, copy, u); };
      const std::span<const int> replicates =
          rows.replicates.empty() ? rows.replicates : rows.replicates.subspan(k * groups_.size(), groups_.size());
      samples({rows.seed, rows.realizations.subspan(k, 1), replicates}, own, to.subspan(k * width, width));
    }
    return;
  }
  const auto copy_of = [&](size_t row, const Quantity& q) {
    return rows.replicates.empty() ? 0 : rows.replicates[row * groups_.size() + size_t(q.group)];
  };
  const auto stream = [&](size_t row, const Quantity& q) {
    return Stream(rows.seed, rows.realizations[row], q.key, std::uint64_t(copy_of(row, q)));
  };
  const auto place = [&](size_t row, size_t quantity, int coordinate, Stream& s) -> Place {
    const double u = s.uniform();
    if (!placement || first_variable_[quantity] < 0) return {u};
    return placement(row, first_variable_[quantity] + coordinate, copy_of(row, quantities_[quantity]), u);
  };
  static thread_local Scratch scratch;
  std::vector<Place>& places = scratch.places;
  std::vector<double>&u = scratch.u, &x = scratch.x, &of_one = scratch.of_one;
  places.resize(quantities_.size() * n), u.resize(n), x.resize(n);
  for (size_t i = 0; i < quantities_.size(); ++i)
    for (size_t k = 0; quantities_[i].scalar && k < n; ++k) {
      Stream s = stream(k, quantities_[i]);
      places[i * n + k] = place(k, i, 0, s);
    }
  for (const Dependence& d : dependences_)
    for (size_t k = 0; k < n; ++k) {
      of_one.clear();
      for (const int q : d.quantities) of_one.push_back(places[size_t(q) * n + k].u);
      d.copula->map(of_one);
      for (size_t i = 0; i < of_one.size(); ++i) places[size_t(d.quantities[i]) * n + k] = {of_one[i]};
    }
  // What is shared follows its source, also where a copula changed that.
  for (size_t i = 0; i < quantities_.size(); ++i) {
    if (!quantities_[i].scalar) continue;
    size_t source = i;
    if (!quantities_[i].same_as.empty())
      while (quantities_[source].name != quantities_[i].same_as) --source;
    const Distribution& law = *quantities_[i].scalar;
    const Place* const own = &places[source * n];
    for (size_t k = 0; k < n; ++k) u[k] = own[k].u;
    const auto by_u = [](const Place& p) { return !std::isfinite(p.value) && !std::isfinite(p.z); };
    if (std::all_of(own, own + n, by_u))
      law.quantiles(u, x);
    else
      for (size_t k = 0; k < n; ++k)
        if (const Place& p = own[k]; std::isfinite(p.value))
          x[k] = source == i ? p.value : law.quantile(quantities_[source].scalar->cdf(p.value));
        else
          x[k] = std::isfinite(p.z) ? law.at_normal(p.z) : law.quantile(p.u);
    for (size_t k = 0; k < n; ++k) to[k * width + size_t(quantities_[i].first_column)] = x[k];
  }
  const int normal = model_->topology.normal;
  const std::vector<BodyProperties>& nominal = model_->bodies;
  // The bodies as the random parameters draw them, before their own random quantities: of one realization, the first (below).
  std::vector<BodyProperties> realized;
  if (draws_bodies_) realized = realize_bodies(*model_, parameters_of(to.first(width)));
  const std::vector<BodyProperties>& drawn = draws_bodies_ ? realized : nominal;
  for (const Quantity& q : quantities_)
    if (q.is_mass() && body_varies_[q.body])
      to[size_t(q.first_column)] = follow_mass(to[size_t(q.first_column)], nominal[q.body], drawn[q.body]);
  const auto uniforms = [&](size_t row, size_t quantity, int count, Stream& s) -> std::span<const double> {
    of_one.clear();
    for (int c = 0; c < count; ++c) of_one.push_back(place(row, quantity, c, s).u);
    return of_one;
  };
  for (size_t i = 0; i < quantities_.size(); ++i) {
    const Quantity& q = quantities_[i];
    if (!q.center_of_mass) continue;
    const bool placed = placement && first_variable_[i] >= 0;
    for (size_t k = 0; k < n; ++k) {
      Stream s = stream(k, q);
      Vec3<double> a =
          placed ? q.center_of_mass->map(uniforms(k, i, q.center_of_mass->uniforms(), s)) : q.center_of_mass->draw(s);
      if (body_varies_[q.body]) a = follow_center_of_mass(a, nominal[q.body], drawn[q.body]);
      double* column = &to[k * width + size_t(q.first_column)];
      for (int axis = 0; axis < 3; ++axis)
        if (axis != normal) *column++ = a[axis];
    }
  }
  for (size_t i = 0; i < quantities_.size(); ++i) {
    const Quantity& q = quantities_[i];
    if (!q.inertia) continue;
    const bool placed = placement && first_variable_[i] >= 0;
    for (size_t k = 0; k < n; ++k) {
      Stream s = stream(k, q);
      Mat3<double> z = placed ? q.inertia->map_z(uniforms(k, i, q.inertia->uniforms(), s)) : q.inertia->draw_z(s);
      if (body_varies_[q.body]) z = follow_second_moments(z, nominal[q.body], drawn[q.body], normal);
      const Mat3<double> J = q.inertia->inertia(mass_of(q.body, to.subspan(k * width, width), drawn), z);
      double* column = &to[k * width + size_t(q.first_column)];
      for (int e = 0; e < 6; ++e)
        if (normal < 0 || e == normal) *column++ = J[tensor_row[e]][tensor_column[e]];
    }
  }
}

}  // namespace aleator::core
