// The five studies that are measured, with what serves as their truth.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "contender.hpp"
#include "design/plan.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator::core::bench {

// How our own integrators are set.
struct Configuration {
  std::string integrator;
  double step = 0;       // 0: as in the file
  double tolerance = 0;  // 0: the integrator's own
  std::string words() const;
};

struct Case {
  std::string name;  // of its model
  bool flexible = false;
  Configuration reference;  // whose results count as exact
  Model model;
  std::unique_ptr<RandomModel> random;
  Plan plan{1'000'000};  // Monte Carlo: a row does not depend on how many there are
  std::uint64_t seed = 1;

  Model with(const Configuration& c) const;  // the model with other settings
};

constexpr long checked_rows = 50;            // accuracy is the worst of these
constexpr double displacement_bound = 1e-3;  // relative L2 error: all outputs of rigid mechanisms, displacements of flexible ones

const std::vector<std::string>& case_names();
std::unique_ptr<Case> make_case(const std::string& name);
// Everybody who takes part in a case. (contenders.cpp)
std::vector<Entry> contenders_of(const Case& c);
// The same and other settings of theirs, from which the fastest was taken: what --tune goes through.
std::vector<Entry> candidates_of(const Case& c);

}  // namespace aleator::core::bench
