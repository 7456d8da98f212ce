// Initial motions of several bodies together (`initial_motions:`): as if they were one rigid body,
//   v(p) = velocity + angular_velocity × (p − at)
// is added to the velocities of all their points. Joints between these bodies are then at rest, whatever they allow.
#pragma once

#include "elements/builder.hpp"

namespace aleator::core {

input::Section initial_motions_section();

// Adds one to the initial velocities of the blueprint's bodies, which must be there.
void add_initial_motion(const input::Item& item, const Builder& builder, Blueprint& blueprint);

}  // namespace aleator::core
