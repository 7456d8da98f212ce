// The plan of a study: which point of the space of random numbers each of its rows is, and which model it belongs to.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "design/design.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator::core {

// Where one row of a plan is: a realization of the first replicate, or, for Sobol indices (pick-freeze), of the second, or of
// the first with one group of quantities taken from the second.
struct DesignPoint {
  static constexpr int aside = -3, first = -2, second = -1;
  long realization = 0;
  int source = first;  // first, second, or the group that is taken from the second replicate; aside: no part of the sample
  int model = 0;       // which of the study's models
  bool poses = false;  // wanted, whatever its number
};

// Rows between those of the sample that serve another purpose: where they begin, and their samples. They may be added to while no
// row after them has been asked for. A sample may be longer than there are columns: then the numbers of all random processes follow (RandomModel::overrides).
struct Aside {
  long first = std::numeric_limits<long>::max();
  std::vector<std::vector<double>> samples;
  // A method that gives all rows itself, as many as it likes: the first ones are those of the sample, and from some on poses are wanted.
  bool open = false;
  long of_sample = 0, poses_from = std::numeric_limits<long>::max();
  long end() const { return first + long(samples.size()); }
};

// Rows that a method asks for on its way, of several models: blocks one after the other, each a range of realizations of one
// model with a seed of its own. More may be added at the end at any time.
struct Blocks {
  struct Block {
    long first_row = 0, rows = 0;
    int model = 0;
    std::uint64_t seed = 0;
    long first_realization = 0;
    bool of_sample = false;  // realizations of the model itself, which the statistics rest on; otherwise for the method alone
    long end_row() const { return first_row + rows; }
  };
  std::vector<Block> list;

  long end() const { return list.empty() ? 0 : list.back().end_row(); }
  void add(Block block) {
    block.first_row = end();
    list.push_back(block);
  }
  const Block& of(long row) const;
};

// The rows of a study in their order. Without Sobol indices: one per realization. With those of G groups: 2 + G per realization.
struct Plan {
  long samples = 0;
  int groups = 0;                                                           // 0: no Sobol indices
  std::shared_ptr<const Design> design = nullptr;                           // none: Monte Carlo
  std::shared_ptr<const std::vector<std::vector<double>>> table = nullptr;  // or the samples themselves
  std::shared_ptr<Aside> aside = nullptr;                                   // of plans without Sobol indices
  std::shared_ptr<Blocks> blocks = nullptr;                                 // instead of all of these

  int per_realization() const { return groups > 0 ? 2 + groups : 1; }
  bool is_open() const { return blocks || (aside && aside->open); }  // how many rows there will be is not known
  long rows() const { return is_open() ? std::numeric_limits<long>::max() : samples * per_realization(); }  // at most
  DesignPoint point(long row) const;
  long end_of_model(long row) const;  // the row after the last one in sequence that is of the same model
  int replicates() const { return design ? design->replicates() : 1; }
};

// How the rows of a sampling design are placed.
struct DesignSettings {
  std::string name = "monte-carlo";  // of design_names()
  long samples = 0;
  std::uint64_t seed = 1;
  bool sensitivity = false;          // rows for Sobol indices, too
  std::string hypercube = "random";  // of a Latin hypercube: random, centred, optimised …
  std::vector<long> stages;          // … its sizes before it was extended
  int replicates = 8;                // of a sequence
  bool shared_variables = false;     // variables of blocks are placed one by one, as expansions need it
};
std::vector<std::string> design_names();
bool grows_by_multiples(
    const std::string& design);  // a larger one keeps the points of a smaller one only at whole multiples of it

// Throws std::invalid_argument when the design cannot be made.
Plan make_plan(const DesignSettings& settings, const RandomModel& random);
// Of samples that are known beforehand.
Plan plan_of(std::vector<std::vector<double>> samples);

std::vector<std::uint64_t> keys_of(const RandomModel& random);  // of the random numbers of its variables

// From which replicate each group of quantities is taken at a point.
std::vector<int> copies_of(const RandomModel& random, const DesignPoint& point);

// The sample of a row: the numbers of all columns.
std::vector<double> sample_of(const RandomModel& random, const Plan& plan, std::uint64_t seed, long row);
// Those of `rows` rows of one model from `first` on, [rows][columns]; false where they are not all drawn: samples that are given, or that a
// realization may spoil for the others.
bool samples_of(const RandomModel& random, const Plan& plan, std::uint64_t seed, long first, std::size_t rows,
                std::span<double> to);
// Where the variables of a realization of the first replicate are.
std::vector<double> places_of(const RandomModel& random, const Plan& plan, std::uint64_t seed, long realization);

}  // namespace aleator::core
