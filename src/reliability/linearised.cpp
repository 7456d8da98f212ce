#include "reliability/linearised.hpp"

#include <cmath>

#include "numerics/dense.hpp"
#include "reliability/normal_law.hpp"
#include "reliability/normal_numbers.hpp"
#include "reliability/vectors.hpp"

namespace aleator::core::reliability {

double probability_of_union(const std::vector<HalfSpace>& spaces, std::uint64_t seed) {
  if (spaces.empty()) return 0;
  std::vector<double> tail;
  double total = 0;
  for (const HalfSpace& s : spaces) {
    tail.push_back(normal_tail(s.beta));
    total += tail.back();
  }
  if (spaces.size() == 1) return total;
  // Only the products α·u matter: they have the covariance αᵢ·αⱼ. A point of half space i: its own product x is beyond βᵢ, the others are
  // correlated with it.
  const dense::Index n = static_cast<dense::Index>(spaces.size());
  dense::MatrixXd r(n, n);
  for (dense::Index i = 0; i < n; ++i) {
    for (dense::Index j = 0; j < n; ++j)
      r(i, j) = dot(spaces[static_cast<std::size_t>(i)].alpha, spaces[static_cast<std::size_t>(j)].alpha);
  }
  const dense::SymmetricEigen eigen = dense::symmetric_eigen(r);
  dense::MatrixXd root = eigen.vectors;
  for (dense::Index k = 0; k < n; ++k) root.col(k) *= std::sqrt(std::max(0.0, eigen.values(k)));
  const int samples = 20000;
  double mean = 0;
  std::vector<double> z(spaces.size());
  for (int k = 0; k < samples; ++k) {
    const Source source{seed, static_cast<std::uint64_t>(k), 0x756e696f6e};
    double left = uniform_number(source, 0) * total;
    std::size_t i = 0;
    while (i + 1 < spaces.size() && left > tail[i]) left -= tail[i++];
    fill_normals(source, z);
    const dense::VectorXd y = root * Eigen::Map<const dense::VectorXd>(z.data(), n);
    const dense::Index own = static_cast<dense::Index>(i);
    const double shift = beyond(spaces[i].beta, uniform_number(source, 1)) - y(own);
    int inside = 1;
    for (dense::Index j = 0; j < n; ++j) {
      if (j != own && y(j) + shift * r(own, j) > spaces[static_cast<std::size_t>(j)].beta) ++inside;
    }
    mean += 1.0 / inside;
  }
  return total * mean / samples;
}

}  // namespace aleator::core::reliability
