#include "dynamics/newton_symmetry.hpp"

#include <cmath>

namespace aleator::core {

std::vector<char> find_asymmetric(Assembly<double>& a, const State<double>& s) {
  constexpr double tolerance = 1e-10;  // of the largest entry of the row: sums of element matrices are rounded in different order
  unsigned long seed = 1;
  const auto fill = [&](AlignedVector<double>& x, double size) {
    for (double& v : x) {
      seed = seed * 6364136223846793005UL + 1442695040888963407UL;
      v = size * (2 * double(seed >> 11) * 0x1p-53 - 1);
    }
  };
  const size_t n = size_t(a.velocities());
  AlignedVector<double> increments(n), velocities(n), accelerations(n), lambda(size_t(a.rows())), positions(s.positions);
  fill(increments, 0.1), fill(velocities, 1), fill(accelerations, 1), fill(lambda, 1);
  a.carriers().move(s.positions.data(), increments.data(), positions.data());
  a.kinematics(s.t, Side::right, positions.data(), velocities.data(), s.turns.data());
  a.constrain();
  a.forces();

  const SparsePattern& p = a.model().structure.pattern;
  const int dofs = a.model().structure.dofs;
  std::vector<char> asymmetric(size_t(p.nonzeros()), 0);
  for (int part = 0; part < 3; ++part) {
    a.tangent(part == 0, part == 1, part == 2, accelerations.data(), lambda.data(), increments.data());
    const AlignedVector<double>& x = a.values();
    std::vector<double> largest(size_t(p.n), 0);
    for (int c = 0; c < p.n; ++c)
      for (int k = p.column_start[size_t(c)]; k < p.column_start[size_t(c) + 1]; ++k)
        largest[size_t(p.row[size_t(k)])] = std::max(largest[size_t(p.row[size_t(k)])], std::abs(x[size_t(k)]));
    for (int c = 0; c < dofs; ++c)
      for (int k = p.column_start[size_t(c)]; k < p.column_start[size_t(c) + 1]; ++k) {
        const int r = p.row[size_t(k)], mirror = p.find(c, r);
        if (r >= dofs) continue;
        const double other = mirror < 0 ? 0 : x[size_t(mirror)];
        const double size = std::max(largest[size_t(r)], largest[size_t(c)]);
        if (!(std::abs(x[size_t(k)] - other) <= tolerance * size)) asymmetric[size_t(k)] = 1;
      }
  }
  return asymmetric;
}

}  // namespace aleator::core
