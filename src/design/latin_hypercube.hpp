// Latin hypercube: of n realizations each random scalar has exactly one in each of n strata of equal probability,
//   u_k = (π(k) + v_k) / n,
// with a random permutation π of its own and v_k the uniform number plain Monte Carlo would have used.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace aleator {

class LatinHypercube {
 public:
  LatinHypercube(std::uint64_t seed, long samples) : seed_(seed), samples_(samples) {}

  // `quantity` is the key of its random numbers. Any thread may ask; a permutation is made when it is first needed.
  double operator()(std::uint64_t quantity, int replicate, long realization, double v) const;

 private:
  const std::vector<std::uint32_t>& permutation(std::uint64_t quantity, int replicate) const;

  std::uint64_t seed_;
  long samples_;
  mutable std::mutex mutex_;
  mutable std::map<std::pair<std::uint64_t, int>, std::vector<std::uint32_t>> permutations_;
};

}  // namespace aleator
