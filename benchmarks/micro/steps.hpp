// Benchmarks whose names are made of models and integrators.
#pragma once

namespace aleator::bench {

void register_steps();

}  // namespace aleator::bench
