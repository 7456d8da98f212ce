// Numbers of one or several realizations, flattened into what kernels read.
#include "model/realize_masses.hpp"

#include <algorithm>

namespace aleator::core {

namespace {

template <class T>
void set(T& x, int lane, double value) {
  ScalarTraits<T>::set_lane(x, lane, value);
}

template <class T>
void fill_lane(const Layout& l, const Parameters& n, int lane, Realization<T>& r) {
  const auto copy = [&](int offset, const double* from, size_t count) {
    for (size_t i = 0; i < count; ++i) set(r.numbers[offset + i], lane, from[i]);
  };
  copy(l.gravity, &n.gravity.x, 3);
  copy(l.bodies, reinterpret_cast<const double*>(n.bodies.data()), n.bodies.size() * sizeof(n.bodies[0]) / sizeof(double));
  copy(l.markers, reinterpret_cast<const double*>(n.markers.data()),
       n.markers.size() * sizeof(MarkerParameters<double>) / sizeof(double));
  copy(l.nodal, reinterpret_cast<const double*>(n.nodal.data()),
       n.nodal.size() * sizeof(NodalParameters<double>) / sizeof(double));
  for (size_t g = 0; g < n.groups.size(); ++g) copy(l.groups[g], n.groups[g].data(), n.groups[g].size());
  copy(l.pool, n.pool.data(), n.pool.size());
  for (size_t s = 0; s < n.signals.size(); ++s)
    copy(r.signals[s].coefficients, n.signals[s].coefficients.data(), n.signals[s].coefficients.size());
  for (size_t i = 0; i < n.positions.size(); ++i) set(r.positions[i], lane, n.positions[i]);
  for (size_t i = 0; i < n.velocities.size(); ++i) set(r.velocities[i], lane, n.velocities[i]);
}

}  // namespace

template <class T>
Realization<T> make_realization(const Model& model, std::span<const Parameters> lanes) {
  const Parameters& first = lanes[0];
  Realization<T> r;
  int next = model.structure.layout.signals;
  for (const PiecewisePolynomial& s : first.signals) {
    r.signals.push_back({s, next});
    next += int(s.coefficients.size());
  }
  r.numbers.resize(next);
  r.positions.resize(first.positions.size());
  r.velocities.resize(first.velocities.size());
  r.breakpoints = breakpoints(first, model.settings.duration);
  for (int lane = 0; lane < ScalarTraits<T>::lanes; ++lane) {
    const Parameters& n = lanes[std::min<size_t>(lane, lanes.size() - 1)];
    for (size_t s = 0; s < n.signals.size(); ++s)
      if (!same_pieces(n.signals[s], first.signals[s]))
        throw std::logic_error("realizations in lanes must share the knots of their functions of time");
    fill_lane(model.structure.layout, n, lane, r);
  }
  return r;
}

void fill_realization(const Model& model, const Parameters& numbers, Realization<double>& r) {
  const bool same = !r.numbers.empty() && r.signals.size() == numbers.signals.size() &&
                    std::equal(r.signals.begin(), r.signals.end(), numbers.signals.begin(), [](const Signal& a, const auto& b) {
                      return same_pieces(a.pieces, b) && a.pieces.coefficients.size() == b.coefficients.size() &&
                             a.pieces.breakpoints == b.breakpoints;
                    });
  if (same)
    fill_lane(model.structure.layout, numbers, 0, r);
  else
    r = make_realization<double>(model, std::span(&numbers, 1));
}

void fill_numbers(const Model& model, const Parameters& numbers, Realization<double>& to) {
  fill_lane(model.structure.layout, numbers, 0, to);
}

template Realization<double> make_realization(const Model&, std::span<const Parameters>);
template Realization<Traced> make_realization(const Model&, std::span<const Parameters>);
template Realization<Dual> make_realization(const Model&, std::span<const Parameters>);

}  // namespace aleator::core
