// The space of independent standard normal numbers u behind all that is random in a model, for methods that look for rare events there:
//   one behind each variable of named quantities (a scalar is F⁻¹(Φ(u)), also where a copula follows),
//   one behind the draw of a process that chooses among records,
//   and all numbers of the other processes.
// Blocks without a map from uniform numbers are drawn by rejection from a stream of their own, whose number is chosen instead.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "uncertainty/random_model.hpp"

namespace aleator::core {

class StandardSpace {
 public:
  StandardSpace(const Model& model, const RandomModel& random, std::uint64_t seed);

  std::size_t dimension() const { return named_ + processes_; }
  std::size_t named() const { return named_; }                          // the first ones
  const std::vector<std::string>& names() const { return names_; }      // [named]
  const std::vector<std::string>& streams() const { return streams_; }  // blocks that are drawn by rejection
  const std::vector<int>& discrete() const { return discrete_; }        // coordinates whose quantity has no density

  // A number per column, then those of the processes (RandomModel::overrides).
  std::vector<double> sample(std::span<const double> u, std::uint64_t stream) const;

 private:
  struct Record {
    int column;      // of the draw
    std::size_t at;  // of u; none: it has numbers of its own
    bool chooses;
  };
  const RandomModel& random_;
  std::uint64_t seed_;
  std::size_t variables_ = 0, named_ = 0, processes_ = 0;
  std::vector<std::string> names_, streams_;
  std::vector<int> discrete_;
  std::vector<Record> draws_;
};

}  // namespace aleator::core
