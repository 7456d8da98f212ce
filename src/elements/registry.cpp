#include "elements/registry.hpp"

#include "elements/forces_between.hpp"
#include "elements/forces_hysteresis.hpp"
#include "elements/forces_loads.hpp"
#include "elements/joint_lower_pairs.hpp"
#include "elements/joint_relations.hpp"
#include "elements/outputs_acting.hpp"
#include "elements/outputs_beam.hpp"
#include "elements/outputs_forces.hpp"
#include "elements/outputs_hysteresis.hpp"
#include "elements/outputs_jacobian.hpp"
#include "elements/outputs_motion.hpp"

namespace aleator::core {

static std::vector<ElementType> joined(std::vector<std::vector<ElementType>> lists) {
  std::vector<ElementType> all;
  for (auto& list : lists)
    for (auto& type : list) all.push_back(std::move(type));
  return all;
}

const std::vector<ElementType>& joint_types() {
  static const auto types = joined({lower_pair_joints(), relation_joints()});
  return types;
}

const std::vector<ElementType>& force_types() {
  static const auto types = joined({forces_between(), forces_hysteresis(), forces_loads()});
  return types;
}

const std::vector<ElementType>& output_types() {
  static const auto types =
      joined({motion_outputs(), force_outputs(), acting_outputs(), jacobian_outputs(), hysteresis_outputs(), beam_outputs()});
  return types;
}

}  // namespace aleator::core
