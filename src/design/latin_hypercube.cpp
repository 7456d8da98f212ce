#include "design/latin_hypercube.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "base/cancellation.hpp"
#include "design/optimised_hypercube.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core {

namespace {

constexpr std::uint64_t of_permutations = quantity_key("latin hypercube");

// The order of n independent random numbers from `first` on, taken from a stream that no quantity uses.
std::vector<std::uint32_t> random_order(std::uint64_t seed, std::uint64_t key, int copy, long first, long n) {
  std::vector<double> random(n);
  long asked = 0;
  const auto ask = [&] {  // now and then: it may take many seconds
    if (++asked % 100000 == 0) throw_if_cancelled();
  };
  for (long k = 0; k < n; ++k, ask())
    random[k] = Stream(seed, std::uint64_t(first + k), key ^ of_permutations, std::uint64_t(copy)).uniform();
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    ask();
    return random[a] != random[b] ? random[a] < random[b] : a < b;
  });
  return order;
}

}  // namespace

LatinHypercube::LatinHypercube(std::uint64_t seed, std::vector<long> stages, std::vector<std::uint64_t> keys, Kind kind)
    : seed_(seed), stages_(std::move(stages)), keys_(std::move(keys)), kind_(kind) {
  for (size_t s = 1; s < stages_.size(); ++s) assert(stages_[s] % stages_[s - 1] == 0);
}

double LatinHypercube::place(long k, int variable, int copy) const {
  if (kind_ == Kind::centred) return 0.5;
  return Stream(seed_, std::uint64_t(k), keys_[variable], std::uint64_t(copy)).uniform();
}

std::vector<double> LatinHypercube::first_stage(int variable, int copy) const {
  const long n = stages_[0];
  std::vector<double> u(n);
  if (kind_ == Kind::optimised) {
    std::vector<double>& all = optimised_[copy];
    const int d = int(keys_.size());
    if (all.empty()) all = optimised_hypercube(d, n, seed_ + std::uint64_t(copy));
    for (long k = 0; k < n; ++k) u[k] = all[size_t(k) * d + variable];
    return u;
  }
  const std::vector<std::uint32_t> order = random_order(seed_, keys_[variable], copy, 0, n);
  for (long k = 0; k < n; ++k) u[k] = (double(order[k]) + place(k, variable, copy)) / double(n);
  return u;
}

std::vector<double> LatinHypercube::make(int variable, int copy) const {
  std::vector<double> u = first_stage(variable, copy);
  for (size_t s = 1; s < stages_.size(); ++s) {
    const long before = stages_[s - 1], n = stages_[s];
    std::vector<char> taken(n);
    for (const double x : u) taken[std::min(long(x * double(n)), n - 1)] = 1;
    std::vector<long> left;
    for (long i = 0; i < n; ++i)
      if (!taken[i]) left.push_back(i);
    // Rounding could put two points into one stratum of the finer division; then one stratum more is left than needed.
    const std::vector<std::uint32_t> order = random_order(seed_, keys_[variable], copy, before, long(left.size()));
    for (long k = before; k < n; ++k) u.push_back((double(left[order[k - before]]) + place(k, variable, copy)) / double(n));
  }
  return u;
}

const std::vector<double>& LatinHypercube::column(int variable, int copy) const {
  const std::lock_guard lock(mutex_);
  const auto [at, is_new] = columns_.try_emplace({variable, copy});
  if (is_new) try {
      at->second = make(variable, copy);
    } catch (...) {
      columns_.erase(at);
      throw;
    }
  return at->second;
}

double LatinHypercube::at(int variable, int copy, long realization, double) const { return column(variable, copy)[realization]; }

LatinHypercube::Kind hypercube_kind(const std::string& name) {
  using Kind = LatinHypercube::Kind;
  return name == "centred" ? Kind::centred : name == "optimised" ? Kind::optimised : Kind::random;
}

}  // namespace aleator::core
