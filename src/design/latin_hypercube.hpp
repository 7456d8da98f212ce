// Latin hypercube: of n realizations each variable has exactly one in each of n strata of equal probability,
//   u_k = (π(k) + v_k) / n,
// with a random permutation π of its own and v_k the uniform number plain Monte Carlo would have used.
// One of n points is extended to a whole multiple n' = m n: the n points lie in different strata of the n', and the new ones
// take those that are left, in random order. So n' = 300 may have come from 100, then 300: its stages.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "design/design.hpp"

namespace aleator::core {

class LatinHypercube final : public Design {
 public:
  enum class Kind { random, centred, optimised };  // v_k random; ½; π such that points keep apart

  // `keys` of the variables' random numbers; each stage a whole multiple of the one before.
  LatinHypercube(std::uint64_t seed, std::vector<long> stages, std::vector<std::uint64_t> keys, Kind kind = Kind::random);

  double at(int variable, int copy, long realization, double u) const override;

 private:
  const std::vector<double>& column(int variable, int copy) const;
  std::vector<double> make(int variable, int copy) const;
  std::vector<double> first_stage(int variable, int copy) const;
  double place(long k, int variable, int copy) const;  // v_k

  std::uint64_t seed_;
  std::vector<long> stages_;
  std::vector<std::uint64_t> keys_;
  Kind kind_;
  // Made when first needed, by any thread.
  mutable std::mutex mutex_;
  mutable std::map<std::pair<int, int>, std::vector<double>> columns_;
  mutable std::map<int, std::vector<double>> optimised_;  // [copy], of all variables
};

LatinHypercube::Kind hypercube_kind(const std::string& name);  // random, centred, optimised

}  // namespace aleator::core
