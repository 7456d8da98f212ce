#include "design/low_discrepancy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "input/limits.hpp"
#include "uncertainty/distribution_module.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core {

namespace {

std::uint32_t reversed(std::uint32_t x) {
  x = (x >> 16) | (x << 16);
  x = ((x & 0x00ff00ffu) << 8) | ((x & 0xff00ff00u) >> 8);
  x = ((x & 0x0f0f0f0fu) << 4) | ((x & 0xf0f0f0f0u) >> 4);
  x = ((x & 0x33333333u) << 2) | ((x & 0xccccccccu) >> 2);
  return ((x & 0x55555555u) << 1) | ((x & 0xaaaaaaaau) >> 1);
}

// Each binary digit is flipped or not, by a hash of the digits before it: in reversed order these are the lower ones, and
// sums and products by odd or even numbers carry information upwards only. Multipliers by Vegdahl (2021).
std::uint32_t scrambled(std::uint32_t x, std::uint32_t seed) {
  x = reversed(x);
  x ^= x * 0x3d20adeau;
  x += seed;
  x *= (seed >> 16) | 1u;
  x ^= x * 0x05526c56u;
  x ^= x * 0x53a22864u;
  return reversed(x);
}

}  // namespace

LowDiscrepancy::LowDiscrepancy(const std::string& sequence, std::uint64_t seed, long samples, int replicates,
                               const std::vector<std::uint64_t>& keys, int copies)
    : binary_(sequence == "sobol"), replicates_(replicates), dimension_(int(keys.size()) * copies), variables_(int(keys.size())) {
  const DistributionModule& module = distribution_module();
  if (dimension_ > module.most_dimensions(sequence))
    throw std::invalid_argument(fmt::format("the {} sequence has at most {} dimensions, and {} are needed; use monte-carlo",
                                            sequence, module.most_dimensions(sequence), dimension_));
  if (samples / replicates > input::limits::sequence_numbers / std::max(1, dimension_))
    throw std::invalid_argument(
        fmt::format("the {} sequence has at most {} numbers in memory, and {:.3g} are needed; use monte-carlo, or fewer "
                    "samples",
                    sequence, input::limits::sequence_numbers, double(samples) / double(replicates) * dimension_));
  // The origin, with which 2^k points of a Sobol sequence make a net, is left out there.
  points_.assign(size_t(dimension_), 0);
  if (const long n = (samples + replicates - 1) / replicates; dimension_ > 0 && n > 1) {
    const std::vector<double> rest = module.low_discrepancy(sequence, dimension_, 0, n - 1);
    points_.insert(points_.end(), rest.begin(), rest.end());
  }
  for (int r = 0; r < replicates; ++r)
    for (int d = 0; d < dimension_; ++d) {
      Stream s(seed, std::uint64_t(r), keys[d % variables_] ^ quantity_key("low discrepancy"), std::uint64_t(d / variables_));
      random_.push_back(std::uint64_t(s.uniform() * 0x1p52));
    }
}

double LowDiscrepancy::at(int variable, int copy, long realization, double u) const {
  const int d = copy * variables_ + variable;
  const double x = points_[size_t(realization / replicates_) * dimension_ + d];
  const std::uint64_t random = random_[size_t(realization % replicates_) * dimension_ + d];
  // Below the last digit Monte Carlo's number decides, so that neither 0 nor 1 is reached.
  if (binary_) return (double(scrambled(std::uint32_t(x * 0x1p32), std::uint32_t(random))) + u) * 0x1p-32;
  const double shifted = x + double(random) * 0x1p-52;
  const double y = shifted - std::floor(shifted);
  return y > 0 ? y : 0x1p-53;
}

}  // namespace aleator::core
