// A study under way: from the nominal model to the results file.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "collector.hpp"
#include "commands.hpp"
#include "company.hpp"
#include "earlier.hpp"
#include "ensemble/ensemble.hpp"
#include "failure_policy.hpp"
#include "method.hpp"
#include "part.hpp"
#include "results/study_store.hpp"
#include "run_record.hpp"

namespace aleator::core::app {

struct RunArguments {
  ModelArguments model;
  std::string out, method, isa, accuracy;
  FailureArguments failures;
  long samples = 0, threads = 0;
  long long seed = -1;
  bool resume = false, overwrite = false, force = false, shares = false, no_report = false, profile = false;

  std::vector<std::string> remarks;  // to be told with the results
  Part part;
  std::vector<std::string> parts;  // files that hold all realizations: none is simulated
  std::string file;                // of the results; empty: as usual

  void add_study_to(CLI::App& command);  // MODEL, --out, and what the study is
  // Of a part it holds what is unfinished, and is gone in the end.
  std::string folder() const {
    const std::string whole = out.empty() ? "out/" + stem(model.file) : out;
    return part.whole() ? whole : whole + "/parts/" + part.name();
  }
  std::string results() const { return !file.empty() ? file : part.whole() ? folder() + "/results.h5" : folder() + ".h5"; }
};

inline const std::vector<std::string> isa_names = {"portable", "x86-64-v2", "avx2", "avx512"};
Isa isa_of(const std::string& name);
Study study_of(const RunArguments& arguments, const Model& model);  // of the model, with what the arguments say otherwise

inline constexpr char row_of_another_study[] = "it is damaged: row {} does not fit the study";

using Clock = std::chrono::steady_clock;
inline double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Sizes that the Latin hypercube of the unfinished study in a folder had before it was extended; none where there is none.
std::vector<long> stages_of_unfinished(const std::string& folder);

analysis::StatisticsRequest questions_of(const Model& model, const Study& study, const std::vector<std::string>& groups,
                                         const results::Run& nominal);
int threads_of(const RunArguments& arguments);
// Of a study: what it was computed with, in the settings.
results::Provenance study_provenance(const Task& task, const RunArguments& arguments, const std::string& command_line,
                                     bool keep_all);
RunRecord record_of(const RunArguments& arguments, const Task& task);
results::StudyResult empty_result(const Task& task, results::Run nominal);
results::Run nominal_run(const Model& model);
// All of it; returns the exit code. `identification`: where the laws come from, if they were identified; `company`: the
// processes that take part, if there are others.
int run_study(const RunArguments& arguments, const std::string& command_line, Model& model, const RandomModel& random,
              std::shared_ptr<const results::Identification> identification = nullptr, RankSession* company = nullptr);
// The same, and when something cannot be written (a full disk), the message says what to do then.
int kept_when_it_cannot_write(const RunArguments& arguments, const std::function<int()>& steps);
int run_command(RunArguments arguments, const std::string& command_line);  // aleator run

// What the unfinished run in a folder was asked for, to go on with it. Throws ReadError when there is none, WriteError when the
// model file or the version of the program changed since; not with `force`: then it goes on with the model as it was.
RunArguments unfinished_in(const std::string& folder, bool force);

// Its steps, in their order: nominal, open, simulate, finish.
class StudyRun {
 public:
  StudyRun(const RunArguments& arguments, const std::string& command_line, const Task& task, Method& method,
           std::optional<Earlier> earlier, RankSession* company);

  void nominal();
  void open();      // begins, or goes on where an earlier run ended
  void simulate();  // until the method has enough
  void merge();     // or, instead of simulating: takes the realizations from files
  int finish();     // returns the exit code

 private:
  void take(long row, bool ok, const std::string& why, const std::vector<double>& sample, const std::vector<double>& values,
            const std::vector<double>& poses);
  void take_saved(const results::JournalRecord& row, const std::string& file);  // throws ReadError: it is of another study
  void end_by_failures(long of);                                                // if too many of so many realizations have failed
  void look();                                                                  // whether there is enough
  void take_earlier(const Earlier& earlier);                                    // realizations of a smaller study
  int finish_part();
  long finished() const {  // with all their rows
    return (collector_->next_row() - collector_->first_row()) / plan_.per_realization();
  }
  long own_samples() const { return (end_row_ - o_.part.first_row(plan_)) / plan_.per_realization(); }
  std::string partial() const { return folder_ + "/partial.h5"; }
  void write(const std::string& file);
  void write_partial();
  bool conclude();  // false: the method could not
  void save_state();

  const RunArguments& o_;
  const Task& task_;
  Method& method_;
  const Model& model_;
  const Study& study_;
  const Plan& plan_;
  std::optional<Earlier> earlier_;
  RankSession* company_;  // other processes that take part; or none
  std::string folder_;
  RunRecord record_;
  bool keep_;  // all realizations, at least until the end
  results::Provenance provenance_;
  results::StudyResult result_;
  std::unique_ptr<analysis::Accumulator> statistics_;
  std::unique_ptr<Collector> collector_;
  std::unique_ptr<results::StudyStore> store_;
  std::unique_ptr<const Ensemble> ensemble_;
  EnsembleProfile profile_;
  long end_row_ = 0;                 // of this part
  long target_ = 0;                  // rows to be simulated before looking again
  bool enough_ = false;              // the method said so
  std::atomic<bool> ended_ = false;  // by realizations that failed …
  std::string ended_by_;             // … like this
  long first_row_ = 0;
  double seconds_ = 0;
};

}  // namespace aleator::core::app
