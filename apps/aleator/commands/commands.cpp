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
void add_design(Command& command);
void add_sample(Command& command);
void add_twin(Command& command);
void add_report(Command& command);
void add_view(Command& command);
void add_export(Command& command);
void add_plot(Command& command);
void add_evaluate(Command& command);
void add_compare(Command& command);
void add_serve(Command& command);
void add_dakota(Command& command);
void add_import(Command& command);
void add_export_urdf(Command& command);
void add_check(Command& command);
void add_equilibrium(Command& command);
void add_modes(Command& command);
void add_spectrum(Command& command);
void add_schema(Command& command);

std::span<const CommandEntry> commands() {
  static constexpr CommandEntry all[] = {
      {"simulate",
       "Simulate the nominal model; writes nominal.h5 and nominal.csv",
       add_simulate,
       {{"simulate examples/pendulum.yaml", "the nominal motion, into out/pendulum"},
        {"simulate examples/pendulum.yaml --set rod.mass=2 --csv -", "with another mass, printed as CSV"}}},
      {"animate",
       "Write the motion for other viewers: glTF, ParaView",
       add_animate,
       {{"animate examples/pendulum.yaml --gltf pendulum.glb", "the nominal motion, for any viewer of glTF"},
        {"animate out/five-body --realization 3 --vtk frames", "a realization of a study, for ParaView"}}},
      {"run",
       "Run the study: compute the distribution of the motion; writes results.h5 and report.html",
       add_run,
       {{"run examples/five-body.yaml", "the study of the model, into out/five-body"},
        {"run examples/five-body.yaml -n 2000 -j 4 -o out/many", "2000 realizations on four threads, into another folder"}}},
      {"resume",
       "Continue the unfinished run in a folder",
       add_resume,
       {{"resume out/five-body", "go on where the run was interrupted"},
        {"resume out/five-body --failed-at-most 10%", "and accept more failed realizations than it did"}}},
      {"merge",
       "Join the parts of a study (run --part) to its results",
       add_merge,
       {{"merge out/five-body/parts/*.h5", "all parts in one: out/five-body/results.h5"},
        {"merge out/five-body/parts/*.h5 -o out/merged.h5 --no-report", "into another file, without a report"}}},
      {"rerun",
       "Simulate one realization of a study again and describe it in full",
       add_rerun,
       {{"rerun out/five-body 17", "realization 17 with a full log"},
        {"rerun out/five-body 17 -o out/seventeen", "with its files in another folder"}}},
      {"slurm",
       "Write a job script that computes the study on a cluster",
       add_slurm,
       {{"slurm examples/five-body.yaml --nodes 4 --time 1h", "write five-body.slurm: an array of four parts"},
        {"slurm examples/five-body.yaml --nodes 4 --time 1h --form mpi -n 100000",
         "one job of four processes that talk by MPI"}}},
      {"identify",
       "Identify distributions or parameters from measurements; writes results.h5 and report.html",
       add_identify,
       {{"identify examples/identify-five-body/identify.yaml", "the search and a report, in out/identify"},
        {"identify examples/identify-five-body/identify.yaml --resume -j 4",
         "go on with an interrupted search, on four threads"}}},
      {"design",
       "Choose parameters that minimise a cost while failures stay improbable; writes results.h5 and report.html",
       add_design,
       {{"design examples/design-suspension/design.yaml", "the search, its verification and a report, in out/design"},
        {"design examples/design-suspension/design.yaml --resume -j 4", "go on with an interrupted search, on four threads"}}},
      {"sample",
       "Print samples of what is uncertain as CSV, without simulating",
       add_sample,
       {{"sample examples/five-body.yaml -n 1000", "a thousand samples as CSV"},
        {"sample examples/five-body.yaml -n 1000 --seed 7 -o samples.csv", "others, into a file"}}},
      {"twin",
       "Generate synthetic measurements from the model, for testing an identification",
       add_twin,
       {{"twin examples/five-body.yaml -n 20 --noise 2%", "20 specimens with 2 % of noise, into out/five-body-twin"},
        {"twin examples/five-body.yaml -n 20 --outputs accel_z --every 2 -o measured",
         "one output at every second time, into another folder"}}},
      {"report",
       "Write a report of results: one HTML file for any browser",
       add_report,
       {{"report out/five-body", "out/five-body/report.html once more"},
        {"report out/few out/many -o compared.html", "two studies compared in one report"}}},
      {"view",
       "Show results in the browser, with all realizations, from this machine",
       add_view,
       {{"view out/five-body", "open the report in a browser, with all realizations"},
        {"view out/five-body --port 8080 --no-browser", "serve it under this port, for a tunnel by ssh"}}},
      {"export",
       "Print parts of results.h5 as CSV",
       add_export,
       {{"export out/five-body statistics", "mean, standard deviation and band over time, as CSV"},
        {"export out/five-body realization 17 -o 17.csv", "one realization, into a file"}}},
      {"plot",
       "Figures of results: as SVG, or as a preview in the terminal",
       add_plot,
       {{"plot out/five-body", "all outputs, in the terminal"},
        {"plot out/five-body accel_z --what distribution -o peak.svg", "a distribution as SVG"}}},
      {"evaluate",
       "Evaluate the expansion of a study, or its variability response, without simulating",
       add_evaluate,
       {{"evaluate out/five-body-mass --set rb5.mass=45", "the response at this mass, after run --method polynomial-chaos"},
        {"evaluate out/five-body-mass --density accel_z --time 0.02", "the density of an output at a time"}}},
      {"compare",
       "Compare the statistics of one study with those of another",
       add_compare,
       {{"compare out/few out/many", "how far the statistics are apart, and whether that is noise"},
        {"compare out/few out/many --tolerance 5%", "exit code 1 where a difference is larger"}}},
      {"serve",
       "Serve the model to UM-Bridge clients: inputs in, outputs and derivatives out",
       add_serve,
       {{"serve examples/five-body.yaml", "what is uncertain as inputs, under http://127.0.0.1:4242"},
        {"serve examples/five-body.yaml --inputs rb5.mass --outputs accel_z@0.02", "another input, and an output at a time"}}},
      {"dakota",
       "Evaluate the model for Dakota: reads its parameters file, writes its results file",
       add_dakota,
       {{"dakota examples/five-body.yaml params.in results.out", "as an analysis driver of Dakota"},
        {"dakota examples/five-body.yaml params.in results.out --outputs peak", "whatever its response is called"}}},
      {"import",
       "Make a model of a robot description: URDF, MJCF",
       add_import,
       {{"import examples/robots/arm.urdf -o arm.yaml", "a model to read, edit and simulate"},
        {"import examples/robots/arm.urdf --position elbow=1.2 -o bent.yaml", "drawn with its elbow bent"}}},
      {"export-urdf",
       "Write a tree of rigid bodies as a robot description (URDF)",
       add_export_urdf,
       {{"export-urdf examples/pendulum.yaml -o pendulum.urdf", "for ROS, Gazebo, Drake, Pinocchio"},
        {"export-urdf examples/pendulum.yaml --set rod.mass=2", "with another mass, printed"}}},
      {"check",
       "Check a model and print its properties",
       add_check,
       {{"check examples/five-body.yaml", "what was understood of a model"},
        {"check examples/five-body.yaml --json", "the same for other programs"}}},
      {"equilibrium",
       "Find the static equilibrium",
       add_equilibrium,
       {{"equilibrium examples/pendulum.yaml", "where it comes to rest"},
        {"equilibrium examples/pendulum.yaml --set rod.mass=2", "with another mass"}}},
      {"modes",
       "Frequencies, damping ratios and shapes of small vibrations",
       add_modes,
       {{"modes examples/pendulum.yaml --about equilibrium", "small vibrations about the position of rest"},
        {"modes examples/pendulum.yaml --about equilibrium --count 5 --json", "the first five for other programs"}}},
      {"spectrum",
       "Spectra and variances of a linear model under random processes, without sampling",
       add_spectrum,
       {{"spectrum examples/quarter-car-road.yaml", "rms values, transfer functions and spectra, into out/quarter-car-road"},
        {"spectrum examples/shaker.yaml --to 500 --set foam=3e4 -o out/stiffer",
         "up to 500 Hz, with another stiffness, into another folder"}}},
      {"schema",
       "Print the JSON Schema of the model language",
       add_schema,
       {{"schema", "for an editor that completes and checks model files"},
        {"schema --reference", "the reference of the language as Markdown"}}},
  };
  return all;
}

}  // namespace aleator::app
