#include "design/latin_hypercube.hpp"

#include <algorithm>
#include <numeric>

#include "uncertainty/stream.hpp"

namespace aleator {

// The order of n independent random numbers, taken from a stream that no quantity uses.
const std::vector<std::uint32_t>& LatinHypercube::permutation(std::uint64_t quantity, int replicate) const {
  const std::lock_guard lock(mutex_);
  const auto [at, is_new] = permutations_.try_emplace({quantity, replicate});
  std::vector<std::uint32_t>& order = at->second;
  if (!is_new) return order;
  constexpr std::uint64_t of_permutations = quantity_key("latin hypercube");
  std::vector<double> random(samples_);
  for (long k = 0; k < samples_; ++k)
    random[k] = Stream(seed_, std::uint64_t(k), quantity ^ of_permutations, std::uint64_t(replicate)).uniform();
  order.resize(samples_);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return random[a] != random[b] ? random[a] < random[b] : a < b; });
  return order;
}

double LatinHypercube::operator()(std::uint64_t quantity, int replicate, long realization, double v) const {
  return (double(permutation(quantity, replicate)[realization]) + v) / double(samples_);
}

}  // namespace aleator
