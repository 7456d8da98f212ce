// Studies: how the uncertainty of a model propagates to its motion.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <aleator/model.hpp>
#include <aleator/results.hpp>
#include <aleator/simulation.hpp>

namespace aleator {

namespace core {
class RankSession;
}

// --- what is asked: plain data, as `study:` of a model says it (docs/model-language.md) ---

// What is empty or 0 is chosen.
struct ChaosSettings {
  std::string coefficients;  // quadrature, sparse-quadrature, least-squares, sparse
  int order = 0;
  std::string basis;  // tensor, total-degree, hyperbolic
  double q = 0.75;
  std::string design = "sobol";
  long evaluations = 10000;

  bool by_quadrature() const { return coefficients.ends_with("quadrature"); }
};

struct LevelSettings {
  std::string coarsen = "step";  // or elements
  int factor = 0, count = 0;     // 0: chosen
};

struct ScreeningSettings {
  long trajectories = 20;
  int levels = 4;
};

struct UnivariateSettings {
  int order = 5;    // Gauss points of each variable
  int checks = 20;  // realizations beside them that tell the error
};

struct VariabilitySettings {
  std::string field;      // "link.E"; empty: the only one
  int wave_numbers = 24;  // from 0 to the largest
  int phases = 16;        // of each
  double largest = 0;     // rad/m; 0: chosen
};

// Of the methods for rare events.
struct ReliabilitySettings {
  std::vector<std::string>
      failure;                     // limits, "drift.above": failure is that any of these is passed; empty: any limit of the model
  int sets = 4;                    // independent sets of chains, of subset-simulation
  double level_probability = 0.1;  // of its levels
  double smallest = 1e-12;         // a probability below this is not looked for
};

// A natural frequency or damping ratio that a mode should not have: "frequency_1" below 20 Hz.
struct ModeLimit {
  std::string quantity;
  bool above = false;
  double value = 0;
};

// Of a study of modes.
struct ModesSettings {
  int number = 6;       // of modes, those with the lowest natural frequencies; rigid motions do not count
  std::string about;    // start, equilibrium, steady, rotation; empty: start, or equilibrium where simulations begin there
  std::string frame;    // of a rotation: the body with which everything turns; empty: the only one that is driven from the ground
  bool shapes = false;  // also the displacements of bodies in each mode
  std::vector<ModeLimit> limits;  // whose probabilities are computed
};

struct Study {
  std::string what = "motion";  // or modes: natural frequencies, damping ratios and shapes instead of outputs over time
  ModesSettings modes;
  std::string method = "monte-carlo";  // one of methods()
  long samples = 500;
  double accuracy = 0;  // relative standard error to reach; 0: as many realizations as `samples`
  bool accuracy_of_mean = true, accuracy_of_std = true, accuracy_of_band = false;
  std::map<std::string, double> accuracy_of_output;  // not empty: only these outputs count; `accuracy` is the smallest of them
  // Where `accuracy` or the method leaves open how many realizations there are, it stops here at the latest; infinite: no limit. Seconds
  // are turned into a number of realizations once, after the first ones.
  double budget_seconds = 120, budget_bytes = 2e9;
  double confidence = 0.9;  // of the probability band
  std::uint64_t seed = 1;
  bool keep_all = true;              // otherwise statistics alone
  std::string on_failure = "retry";  // or stop, skip
  double failed_at_most = 1;         // of the planned realizations
  bool sensitivity = false;          // Sobol indices by sampling
  std::string hypercube = "random";  // or centred, optimised
  std::vector<long> stages;          // sizes a Latin hypercube had before it was extended
  int replicates = 8;                // independent randomisations of a sequence
  ChaosSettings chaos;
  LevelSettings levels;
  ScreeningSettings screening;
  VariabilitySettings variability;
  UnivariateSettings univariate;
  ReliabilitySettings reliability;
};

Study study_of(const Model& model);  // what `study:` of the model says; throws InputError
// The same, changed by what is written as there: "{method: sobol, samples: 2048}". Throws InputError.
Study study_of(const Model& model, const std::string& changes);
std::vector<std::string> study_methods();  // names of all methods
// Another method, with the number of samples that is usual for it where the study has the usual one of its method.
void choose_method(Study& study, const std::string& method);

// --- how it is run ---

struct Progress {
  std::string phase;  // "realizations", "simulations", "level 2 of 3 (step 0.001 s)", …
  long done = 0, planned = 0;
  long failed = 0;
  double per_second = 0;
  double seconds_left = 0;  // 0: not known
};

// A share of the realizations, computed by a process that knows nothing of the others: 3 of 16.
struct StudyPart {
  long number = 0, of = 0;  // from 1; of 0: the whole study
};

// The processes that mpirun or srun started together. Rank 0 leads and runs the study; the others serve it, and need no files:
//   Ranks ranks;
//   if (!ranks.leads()) return ranks.serve();
//   options.ranks = &ranks; … run_study(…) …; ranks.end(code);
class Ranks {
 public:
  Ranks();  // throws SimulationError when this process is one of several and this program was built without MPI
  ~Ranks();
  bool several() const;
  bool leads() const;                           // also where there is one process alone
  int serve(const std::stop_token& stop = {});  // until the leader has ended; returns its exit code
  void end(int exit_code);                      // the leader: the others end with this code

  core::RankSession& session() const { return *session_; }  // for the library itself

 private:
  std::unique_ptr<core::RankSession> session_;
};

struct RunOptions {
  std::string folder;      // journal, resume, results.h5; empty: everything stays in memory
  bool resume = false;     // continue an unfinished study in the folder
  bool overwrite = false;  // drop it
  bool force = false;      // with resume: with the model as it was, whatever changed since
  int threads = 0;         // 0: all
  std::string isa;         // instruction set: portable, x86-64-v2, avx2, avx512; empty: the widest this processor has
  std::string device;      // beside the processor: gpu (gpu:1 is the second), auto (if there is one), cpu or empty: none
  bool fast_math =
      false;  // quotients and roots on a GPU to the last bit or two: faster, but not bitwise what the processor computes
  StudyPart part;
  Ranks* ranks = nullptr;            // other processes that take part
  bool profile = false;              // fill StudyResult::profile
  std::string report;                // also write a report: its path, or a name ("report.html") beside the results; empty: none
  std::string command_line;          // recorded in the results
  std::vector<std::string> remarks;  // recorded in the results, to be read with the numbers

  std::function<void(const Progress&)> on_progress;    // some times a second, from a thread of the study
  std::function<void(std::string_view note)> on_note;  // what a user should know
  std::stop_token stop;                                // noticed within half a second; what is finished is kept
};

// Throw InputError, SimulationError, WriteError (an unfinished study is in the way, the disk is full), ReadError.
StudyResult run_study(const Model& model, const Study& study, const RunOptions& options = {});
// Continues the unfinished study in options.folder with what it recorded when it began; on_failure and failed_at_most may be
// replaced (empty, negative: as they were). A complete one is read.
StudyResult resume_study(const RunOptions& options, const std::string& on_failure = "", double failed_at_most = -1);
// Joins the parts of a study to its results in `file`; empty: results.h5 beside the folder of the parts.
StudyResult merge_study(const std::vector<std::string>& parts, const std::string& file, const RunOptions& options = {});

// --- one realization of a finished study once more ---

struct Attempt {
  double step = 0;
  std::string reason;    // why it failed; empty: it finished
  double failed_at = 0;  // NaN: it did not begin
  long steps = 0, iterations = 0;
};

struct Rerun {
  std::vector<double> sample;  // a number per random quantity
  bool drawn_again = false;    // the sample is not in the file
  bool ok = false;
  std::string reason;  // why it failed
  double failed_at = 0;
  bool as_recorded = false;  // bit for bit the numbers, or the failure, in the file
  Trajectory trajectory;     // as far as it came
  std::vector<Attempt> attempts;
};
Rerun rerun(const std::string& results, long realization);  // throws ReadError

// --- the expansion of a finished study (polynomial-chaos, auto) evaluated again, without simulating ---

// At given values of what is random; what is not given is at its mean. Throws ReadError when there is no expansion, and
// std::invalid_argument for names and values that are not possible.
Trajectory evaluate_expansion(const std::string& results, const Settings& at);

// --- the variability response of a finished study (variability) for another correlation of its field, without simulating ---

struct PredictedVariability {
  std::vector<double> time;
  std::vector<Channel> outputs;
  std::vector<double> mean, std;  // [times][outputs] for that correlation
  std::vector<double> bound;      // [times][outputs] of std, whatever the correlation
};
// The correlation as in a model: "{exponential: 0.4}", or "exponential:0.4"; empty: that of the model. Throws ReadError when there is no variability response,
// and std::invalid_argument when it is no correlation.
PredictedVariability predict_variability(const std::string& results, const std::string& correlation);

}  // namespace aleator
