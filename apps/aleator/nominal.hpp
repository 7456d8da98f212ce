// The nominal simulation and what is recorded of it, for simulate and run.
#pragma once

#include "commands.hpp"
#include "dynamics/choose.hpp"
#include "dynamics/simulate.hpp"
#include "results/run.hpp"

namespace aleator::core::app {

// Set by Ctrl-C and SIGTERM once watched.
const std::atomic<bool>& interrupted();
void watch_interrupts();

results::Run as_run(const Model& model, const Trajectory<double>& trajectory);

// Everything that is needed to compute it again. Notes about outputs that are not unique go to stderr.
results::Provenance provenance_of(const Model& model, const ModelArguments& arguments, const std::string& command_line);

// Of the nominal model, with poses. Shows progress, stops at Ctrl-C.
Trajectory<double> simulate_nominal(const Model& model);

// How time is stepped from now on; says so, and why, on stderr.
void take(const Choice& choice, Model& model);

// "assembly moved 'crank' by 0.1 m …" on stderr, when it did.
void note_assembly(const Model& model, const AssemblyReport& report);

}  // namespace aleator::core::app
