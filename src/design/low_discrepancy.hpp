// Quasi-Monte Carlo: the points of a Sobol or Halton sequence fill the cube more evenly than random ones. They are randomised,
// so that every point is uniform and estimates have no bias, several times independently, so that their scatter tells the error:
//   Sobol    Owen's nested scrambling of the binary digits (hashed: Laine & Karras 2011, Burley 2020); errors then fall
//            as n^(−3/2) for smooth responses
//   Halton   a random shift modulo 1 (Cranley & Patterson 1976)
// Realization k is point k/R of randomisation k mod R: more realizations keep the first ones.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "design/design.hpp"

namespace aleator::core {

class LowDiscrepancy final : public Design {
 public:
  // Throws std::invalid_argument when the sequence has fewer dimensions than variables (times copies).
  LowDiscrepancy(const std::string& sequence, std::uint64_t seed, long samples, int replicates,
                 const std::vector<std::uint64_t>& keys, int copies);

  double at(int variable, int copy, long realization, double u) const override;
  int replicates() const override { return replicates_; }

 private:
  bool binary_;  // digits are scrambled
  int replicates_, dimension_, variables_;
  std::vector<double> points_;         // [index][dimension]
  std::vector<std::uint64_t> random_;  // [replicate][dimension]
};

}  // namespace aleator::core
