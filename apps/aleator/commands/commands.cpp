#include "commands/commands.hpp"

namespace aleator::app {

void add_simulate(Command& command);
void add_animate(Command& command);
void add_run(Command& command);
void add_resume(Command& command);
void add_merge(Command& command);
void add_rerun(Command& command);
void add_slurm(Command& command);
void add_identify(Command& command);
void add_sample(Command& command);
void add_twin(Command& command);
void add_report(Command& command);
void add_view(Command& command);
void add_export(Command& command);
void add_plot(Command& command);
void add_evaluate(Command& command);
void add_compare(Command& command);
void add_check(Command& command);
void add_equilibrium(Command& command);
void add_modes(Command& command);
void add_schema(Command& command);

std::span<const CommandEntry> commands() {
  static constexpr CommandEntry all[] = {
      {"simulate", "Simulate the nominal model; writes nominal.h5 and nominal.csv", add_simulate},
      {"animate", "Write the motion for other viewers: glTF, ParaView", add_animate},
      {"run", "Run the study: compute the distribution of the motion; writes results.h5 and report.html", add_run},
      {"resume", "Continue the unfinished run in a folder", add_resume},
      {"merge", "Join the parts of a study (run --part) to its results", add_merge},
      {"rerun", "Simulate one realization of a study again and describe it in full", add_rerun},
      {"slurm", "Write a job script that computes the study on a cluster", add_slurm},
      {"identify", "Identify distributions or parameters from measurements; writes results.h5 and report.html", add_identify},
      {"sample", "Print samples of what is uncertain as CSV, without simulating", add_sample},
      {"twin", "Generate synthetic measurements from the model, for testing an identification", add_twin},
      {"report", "Write a report of results: one HTML file for any browser", add_report},
      {"view", "Show results in the browser, with all realizations, from this machine", add_view},
      {"export", "Print parts of results.h5 as CSV", add_export},
      {"plot", "Figures of results: as SVG, or as a preview in the terminal", add_plot},
      {"evaluate", "Evaluate the expansion of a study, without simulating", add_evaluate},
      {"compare", "Compare the statistics of one study with those of another", add_compare},
      {"check", "Check a model and print its properties", add_check},
      {"equilibrium", "Find the static equilibrium", add_equilibrium},
      {"modes", "Frequencies, damping ratios and shapes of small vibrations", add_modes},
      {"schema", "Print the JSON Schema of the model language", add_schema},
  };
  return all;
}

}  // namespace aleator::app
