// Rows of a plan before they are simulated.
#pragma once

#include <memory>
#include <vector>

#include "ensemble/ensemble.hpp"
#include "ensemble/lane_drawing.hpp"
#include "model/realize_masses.hpp"

namespace aleator::core {

// A row before it is simulated.
struct Draft {
  SimulatedRow realized;
  std::unique_ptr<Parameters> numbers;  // of masses alone when somebody asks for them; none otherwise: they make no mechanism
  bool of_masses = false;               // it differs from the model in masses, centres of mass and inertias alone (MassRealizer)
  // Drawn in lanes: its numbers as LaneDrawing::slots() has them, until other rows are drawn; null: they are none for lanes.
  const double* drawn = nullptr;
  bool with_poses = false;
};

// Where masses, centres of mass and inertias of rigid bodies alone are random: what makes mechanisms of samples.
std::unique_ptr<const MassRealizer> realizer_of(const ModelVariant& variant);

// Of a model: whoever has none of these is drawn and realized row by row.
struct DrawnTogether {
  const MassRealizer* masses = nullptr;
  const LaneDrawing* lanes = nullptr;
};

// Draws the rows of a plan, some at once; of one thread, which keeps the memory.
class RowDrawer {
 public:
  RowDrawer(const Plan& plan, std::uint64_t seed) : plan_(plan), seed_(seed) {}

  // Rows of one model: which they are, nothing else …
  void only_name(long first, long end, std::vector<Draft>& to);
  // … and what they are. Up to `limit` this thread is likely to be asked for the rows after them: many are drawn at once for less.
  void operator()(const ModelVariant& variant, const DrawnTogether& how, long limit, std::vector<Draft>& to);
  // Of one that was only named, its sample after all.
  void complete(const ModelVariant& variant, const DrawnTogether& how, Draft& d);
  // Whether rows may be drawn in lanes and on devices: by Monte Carlo, and not given.
  bool by_identity(long first, long end) const;
  RowIdentity identity(const RandomModel& random, const DesignPoint& point, long row, std::vector<int>& replicates) const;
  // Those of a row that are not there yet, or why they make no mechanism.
  void make_numbers(const ModelVariant& variant, Draft& d);
  void take_back(std::unique_ptr<Parameters> numbers) { spare_.push_back(std::move(numbers)); }

 private:
  std::unique_ptr<Parameters> spare();
  const double* samples(const RandomModel& random, long first, long end, long limit);  // null: they cannot be drawn together

  const Plan& plan_;
  std::uint64_t seed_;
  std::vector<double> samples_;      // [rows][columns] …
  long from_ = 0, to_ = 0;           // … of these rows …
  const RandomModel* of_ = nullptr;  // … of this model
  std::vector<std::unique_ptr<Parameters>> spare_;
  // In lanes.
  void draw_in_lanes(const ModelVariant& variant, const LaneDrawing& lanes, std::vector<Draft>& to);
  std::unique_ptr<LaneDrawing::Run> run_;
  const LaneDrawing* run_of_ = nullptr;
  std::vector<double> numbers_;  // [rows][slots]
  std::vector<int> replicates_;
};

}  // namespace aleator::core
