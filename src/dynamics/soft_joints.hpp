// Joints that give way because masses differ too much. ε is 10⁻¹¹ of the inverse mass of the lightest body at a joint (index1.hpp); where that
// body carries one that is R times as heavy, G v̇ + bias = ε λ is 10⁻¹¹ R of the accelerations instead of zero, and reactions are off by as much.
#pragma once

#include <string>
#include <vector>

#include "dynamics/assembly.hpp"

namespace aleator::core {

// The lightest body that these joints hold, and the heaviest of the mechanism.
struct MassRange {
  std::string light, heavy;
  double light_mass = 0, heavy_mass = 0;
  double ratio() const { return light_mass > 0 ? heavy_mass / light_mass : 0; }
};
MassRange masses_at(const Model& model, const std::vector<std::string>& joints);
std::string too_different(const Model& model, const MassRange& masses);  // a sentence

class SoftJoints {
 public:
  // Of the accelerations. Joints that are closed by construction (relative_motion.hpp) do not open, and nothing else would end another motion.
  static constexpr double noticed = 1e-4, too_much = 0.2;

  explicit SoftJoints(const Model& model);
  // At a state with accelerations and multipliers.
  void look(const Assembly<double>& assembly, const State<double>& state);
  bool is_too_much() const { return part > too_much; }
  std::string message(const Model& model, double t) const;

  std::string joint;  // the one that gave way most so far; empty: none by more than `noticed`
  double part = 0;    // of the accelerations

 private:
  bool possible_;  // are there masses that differ so much?
  double size_;    // of the mechanism as drawn
};

}  // namespace aleator::core
