// What a study asks for (`study:`), and which points of the space of random numbers that takes.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "design/design.hpp"
#include "model/model.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator::core {

// What is empty or 0 is chosen (apps/aleator/chaos.hpp).
struct ChaosSettings {
  std::string coefficients;  // quadrature, sparse-quadrature, least-squares, sparse
  int order = 0;
  std::string basis;  // tensor, total-degree, hyperbolic
  double q = 0.75;
  std::string design = "sobol";
  long evaluations = 10000;

  bool by_quadrature() const { return coefficients.ends_with("quadrature"); }
};

struct LevelSettings {
  std::string coarsen = "step";  // or elements
  int factor = 0, count = 0;     // 0: chosen
};

struct ScreeningSettings {
  long trajectories = 20;
  int levels = 4;
};

struct Study {
  std::string method = "monte-carlo";
  long samples = 500;
  double accuracy = 0;  // 0: as many realizations as `samples`
  bool accuracy_of_mean = true, accuracy_of_std = true, accuracy_of_band = false;
  double confidence = 0.9;
  std::uint64_t seed = 1;
  bool keep_all = true;              // otherwise statistics alone
  std::string on_failure = "retry";  // or stop, skip
  double failed_at_most = 1;         // share of the planned realizations
  bool shares = false;               // of the variance, by random quantity, by sampling
  std::string hypercube = "random";
  std::vector<long> stages;  // of a Latin hypercube that was extended: its sizes before the last one
  int replicates = 8;
  ChaosSettings chaos;
  LevelSettings levels;
  ScreeningSettings screening;

  // Where realizations are placed: a name of monte-carlo, latin-hypercube, sobol, halton.
  const std::string& sampling() const;
};

// Throws InputError.
Study read_study(const Model& model, std::span<const Override> overrides = {});

// Where one row of a plan is: a realization of the first replicate, or, for variance shares (pick-freeze), of the second, or of
// the first with one group of quantities taken from the second.
struct DesignPoint {
  static constexpr int aside = -3, first = -2, second = -1;
  long realization = 0;
  int source = first;  // first, second, or the group that is taken from the second replicate; aside: no part of the sample
};

// Rows between those of the sample that serve another purpose: where they begin, and their samples. They may be added to while no
// row after them has been asked for.
struct Aside {
  long first = std::numeric_limits<long>::max();
  std::vector<std::vector<double>> samples;
  long end() const { return first + long(samples.size()); }
};

// The rows of a study in their order. Without shares: one per realization. With shares of G groups: 2 + G per realization.
struct Plan {
  long samples = 0;
  int groups = 0;                                                           // 0: no shares
  std::shared_ptr<const Design> design = nullptr;                           // none: Monte Carlo
  std::shared_ptr<const std::vector<std::vector<double>>> table = nullptr;  // or the samples themselves

  int per_realization() const { return groups > 0 ? 2 + groups : 1; }
  long rows() const { return samples * per_realization(); }
  std::shared_ptr<Aside> aside = nullptr;  // of plans without shares

  DesignPoint point(long row) const {
    if (aside && row >= aside->first) {
      if (row < aside->end()) return {row - aside->first, DesignPoint::aside};
      row -= long(aside->samples.size());
    }
    const int j = int(row % per_realization());
    return {row / per_realization(), j == 0 ? DesignPoint::first : j == 1 ? DesignPoint::second : j - 2};
  }
  int replicates() const { return design ? design->replicates() : 1; }
};

// Of the sampling methods. Throws std::invalid_argument when the design cannot be made.
Plan make_plan(const Study& study, const RandomModel& random);
// Of samples that are known beforehand.
Plan plan_of(std::vector<std::vector<double>> samples);

std::vector<std::uint64_t> keys_of(const RandomModel& random);  // of the random numbers of its variables

// The sample of a row: the numbers of all columns.
std::vector<double> sample_of(const RandomModel& random, const Plan& plan, std::uint64_t seed, long row);
// Where the variables of a realization of the first replicate are.
std::vector<double> places_of(const RandomModel& random, const Plan& plan, std::uint64_t seed, long realization);

}  // namespace aleator::core
