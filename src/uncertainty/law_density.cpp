#include "uncertainty/law_density.hpp"

#include <algorithm>
#include <cmath>

namespace aleator::core {
namespace {

// Where a curve of this law begins and ends.
std::array<double, 2> range_of(const Distribution& law) {
  const double first = law.quantile(0.25), third = law.quantile(0.75), far = 8 * (third - first);
  double low = std::max(law.quantile(0.0005), std::min(law.quantile(0.01), first - far));
  double high = std::min(law.quantile(0.9995), std::max(law.quantile(0.99), third + far));
  const double margin = 0.05 * (high - low);
  // Some laws end without saying so (Pareto): nothing is beyond.
  low = law.lower() > low - 2 * margin ? law.lower() : law.pdf(low - margin) > 0 ? low - margin : low;
  high = law.upper() < high + 2 * margin ? law.upper() : law.pdf(high + margin) > 0 ? high + margin : high;
  return {low, high};
}

// The domain axis along an inertial axis; −1 where there is none.
int domain_axis(const Domain& d, int axis) {
  for (int k = 0; k < 3; ++k)
    if (std::abs(std::abs(d.axes[axis][k]) - 1) < 1e-12) return k;
  return -1;
}

}  // namespace

LawDensity law_density(const Distribution& law, int places) {
  LawDensity d;
  if (!law.has_density()) return d;
  const auto [low, high] = range_of(law);
  const double step = (high - low) / (places - 1);
  if (!(step > 0) || !std::isfinite(step)) return d;
  for (int i = 0; i < places; ++i) {
    const double x = i + 1 == places ? high : low + i * step;
    // Laws differ in whether an end belongs to them.
    const double inwards = x == law.lower() ? 1 : x == law.upper() ? -1 : 0;
    const double little = std::max(1e-9 * step, 1e-15 * std::abs(x));
    const double p = law.pdf(x + inwards * little);
    if (inwards != 0 && !(p <= 1.5 * law.pdf(x + inwards * 1000 * little))) continue;  // it grows towards the end
    d.x.push_back(x);
    d.density.push_back(p);
  }
  return d;
}

LawDensity law_density(const CenterOfMassLaw& law, int axis, int places) {
  LawDensity d;
  const Domain& domain = law.domain();
  if (domain.kind != Domain::Kind::box || domain_axis(domain, axis) < 0) return d;
  // exp(−λ (x − low)) on an interval, relative to its larger end so that nothing overflows
  const auto [low, high] = extent(domain, axis);
  const double lambda = law.lambda()[axis], length = high - low, steep = std::abs(lambda) * length;
  const double integral = steep < 1e-12 ? length : length * -std::expm1(-steep) / steep;
  for (int i = 0; i < places; ++i) {
    const double s = double(i) / (places - 1);
    d.x.push_back(low + s * length);
    d.density.push_back(std::exp(-steep * (lambda > 0 ? s : 1 - s)) / integral);
  }
  return d;
}

std::array<double, 2> extent(const Domain& d, int axis) {
  const Vec3<double> a = d.axes[axis];  // the inertial axis in those of the domain
  const auto within = [&](double reach) -> std::array<double, 2> {
    return {d.position[axis] - d.scale * reach, d.position[axis] + d.scale * reach};
  };
  switch (d.kind) {
    case Domain::Kind::box:
      return within(0.5 * (std::abs(a.x) * d.size.x + std::abs(a.y) * d.size.y + std::abs(a.z) * d.size.z));
    case Domain::Kind::ball:
      return within(d.size.x);
    case Domain::Kind::ellipsoid:
      return within(std::hypot(a.x * d.size.x, a.y * d.size.y, a.z * d.size.z));
    case Domain::Kind::cylinder:
      return within(d.size.x * std::hypot(a.x, a.y) + 0.5 * d.size.y * std::abs(a.z));
    case Domain::Kind::polyhedron:
      break;
  }
  std::array<double, 2> ends = {HUGE_VAL, -HUGE_VAL};
  for (const Vec3<double>& v : d.vertices) {
    const double x = d.position[axis] + d.scale * dot(a, v);
    ends = {std::min(ends[0], x), std::max(ends[1], x)};
  }
  return ends;
}

}  // namespace aleator::core
