// What a study asks for (`study:`), and which points of the space of random numbers that takes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "design/latin_hypercube.hpp"
#include "model/model.hpp"

namespace aleator {

struct Study {
  std::string method = "monte-carlo";
  long samples = 500;
  double confidence = 0.9;
  std::uint64_t seed = 1;
  bool keep_all = true;  // otherwise statistics alone
  bool shares = false;   // of the variance, by random quantity
};

// Throws InputError.
Study read_study(const Model& model, std::span<const Override> overrides = {});

// Where one row of a plan is: a realization of the first replicate, or, for variance shares (pick-freeze), of the second, or of
// the first with one group of quantities taken from the second.
struct DesignPoint {
  static constexpr int first = -2, second = -1;
  long realization = 0;
  int source = first;  // first, second, or the group that is taken from the second replicate
};

// The rows of a study in their order. Without shares: one per realization. With shares of G groups: 2 + G per realization.
struct Plan {
  long samples = 0;
  int groups = 0;                                             // 0: no shares
  std::shared_ptr<const LatinHypercube> hypercube = nullptr;  // where scalars are sampled; none: Monte Carlo

  int per_realization() const { return groups > 0 ? 2 + groups : 1; }
  long rows() const { return samples * per_realization(); }
  DesignPoint point(long row) const {
    const int j = int(row % per_realization());
    return {row / per_realization(), j == 0 ? DesignPoint::first : j == 1 ? DesignPoint::second : j - 2};
  }
};

Plan make_plan(const Study& study, int groups);  // groups of random quantities

}  // namespace aleator
