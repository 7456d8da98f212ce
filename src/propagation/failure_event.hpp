// What failure means in a study of rare events: that one of some limits of outputs is passed at any time, or of scalars, and by how much a
// realization passes each.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "model/derived.hpp"
#include "propagation/method.hpp"

namespace aleator::core {

class FailureEvent {
 public:
  // Throws std::invalid_argument where the model has no limits, or none of a name that is asked for.
  explicit FailureEvent(const Task& task);

  struct Limit {
    std::string name, unit;  // "drift.above"
    std::size_t index = 0;   // of Model::limits
    int channel = 0;         // -1: of a scalar
    bool above = true;
    double value = 0;  // nominal
    double scale = 1;  // of the excess: the size of the limit, or of one that is 0 the scatter of extremes
    int scalar = -1;   // -1: of a channel
  };
  const std::vector<Limit>& limits() const { return limits_; }
  bool random() const { return static_cast<bool>(derived_); }  // limits differ between realizations

  // ±(extreme − limit)/scale of each limit, positive: passed. A scalar that has no value passes nothing, by far. `values` are
  // [times][channels].
  std::vector<double> excess(const std::vector<double>& sample, std::span<const double> values) const;
  // Finds the scales of limits that are 0, from the excesses of some realizations; these are divided by them.
  void settle_scales(std::span<std::vector<double>> excesses);

 private:
  std::vector<Limit> limits_;
  std::vector<DerivedScalar> scalars_;  // of the nominal model
  std::vector<double> times_;
  std::size_t channels_ = 0;
  std::function<Derived(const std::vector<double>& sample)> derived_;
};

// The names that `failure:` knows.
std::vector<std::string> limit_names(const Model& model);

}  // namespace aleator::core
