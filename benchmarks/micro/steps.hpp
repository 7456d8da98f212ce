// Benchmarks whose names are made of models and integrators.
#pragma once

namespace aleator::core::bench {

void register_steps();

}  // namespace aleator::core::bench
