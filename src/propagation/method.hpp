// How a method of propagation goes about a study: where its realizations are, when there are enough of them, and what it makes
// of them. A method is a file and a line in method.cpp; what it can do is in its MethodKind, and nobody compares its name.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "analysis/accumulate.hpp"
#include "design/plan.hpp"
#include "ensemble/ensemble.hpp"
#include "input/error.hpp"
#include "model/derived.hpp"
#include "propagation/settings.hpp"
#include "results/study.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator::core {

// Realizations before it is first looked whether they are enough.
constexpr long first_look = 64;

// What is asked, of what.
struct Task {
  const Model& model;
  const RandomModel& random;
  Study study;
  int threads = 0;
  std::vector<Override> settings = {};  // what was set when the model was made: other models are made alike
  // Limits and scalars of a sample, where they are random; empty where they are not.
  std::function<Derived(const std::vector<double>& sample)> derived = nullptr;
  StudyPart part = {};  // for methods of which a part decides itself what it takes; number 0 of n: all parts, which are joined
};

class Method {
 public:
  Method() = default;
  virtual ~Method() = default;
  Method(const Method&) = delete;
  Method& operator=(const Method&) = delete;

  virtual const Plan& plan() const = 0;
  // The models its rows are of, by their number in the plan; the model of the study alone where there are no others.
  virtual std::vector<ModelVariant> models() const { return {}; }
  // As many rows of the plan as are needed to begin with; then, when `done` are there, as many as should be: `done` when that
  // is enough. The answer follows from the realizations alone.
  virtual long first_rows() { return plan().rows(); }
  virtual long enough(long done, const analysis::Accumulator& so_far, results::StudyResult& result) {
    (void)so_far, (void)result;
    return done;
  }
  // From now on no more rows than these are asked for, as if `samples` were fewer.
  virtual void limit(long rows) { (void)rows; }
  // A row that the plan set aside, for the method alone. `values` are what digest() left of them; poses, where the plan wanted them.
  virtual void take_aside(long row, bool ok, const std::string& why, const std::vector<double>& values,
                          const std::vector<double>& poses) {
    (void)row, (void)ok, (void)why, (void)values, (void)poses;
  }
  // What of the response of such a row is worth keeping in the journal: all of it, unless the method needs less.
  virtual bool digests() const { return false; }
  virtual void digest(long row, const std::vector<double>& sample, std::vector<double>& values) const {
    (void)row, (void)sample, (void)values;
  }
  // Realizations that failed among the rows set aside: how many of how many.
  struct AsideFailures {
    long failed = 0, of = 0;
    std::string why;  // of the first
  };
  virtual AsideFailures aside_failures() const { return {}; }
  // Where a row of joined parts comes from, for methods of which a part decides itself what it takes.
  struct Origin {
    long part = -1;       // from 0; -1: no part has it, it is simulated
    long row = 0;         // of that part
    bool common = false;  // all parts have simulated it, and must have found the same
  };
  virtual Origin origin(long row) const { return (void)row, Origin{}; }
  // What a part of it does, for the user; empty: its share of the realizations. Throws NotPossible where it could not go on.
  virtual std::string about_part() const { return ""; }
  virtual void check_part() const {}
  // What is being done, beside so many of so many realizations: "level 2 of 3 (step 0.001 s)"; empty: nothing to add.
  virtual std::string phase(long row) const { return (void)row, ""; }
  // Whether responses must be at hand in the end, also when they are not to be written.
  virtual bool needs_responses() const { return false; }
  // Whether the rows of the plan follow the random law: their statistics are those of the response.
  virtual bool samples_the_law() const { return true; }
  // Whether more samples later can build on these.
  virtual bool extends() const { return true; }
  // The sample of a realization of the study, again.
  virtual std::vector<double> sample(const Task& task, long realization) const {
    return sample_of(task.random, plan(), task.study.seed, realization * plan().per_realization());
  }
  // From the statistics of the rows to those of the study. Throws NotPossible.
  virtual void conclude(const analysis::StatisticsRequest& questions, const analysis::Accumulator& rows,
                        results::StudyResult& result) const {
    (void)questions, (void)rows, (void)result;
  }
};

// The realizations are there, but the method can make nothing of them (some failed that it cannot do without).
struct NotPossible : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct MethodKind {
  enum class Sensitivity { none, by_sampling, always };  // Sobol indices: where they were asked for, or in any case

  const char* name;
  std::unique_ptr<Method> (*make)(const Task& task);
  std::string (*design)(const Study& study);  // which design its realizations are placed by
  Sensitivity sensitivity = Sensitivity::none;
  bool divisible = true;               // which rows there are is known before the first is simulated: parts may be computed apart
  bool in_shares = false;              // that is not known, but a part may take a share by itself (Task::part)
  const char* undivided = nullptr;     // why there are no parts, where it is not that the method decides on the way
  bool to_accuracy = true;             // it goes on until an accuracy is reached; otherwise it takes the realizations it takes
  bool decides_size = false;           // how many realizations there will be is never known beforehand
  bool shared_variables = false;       // expansions place the variables of blocks one by one
  bool spectra = false;                // its rows are the sample that statistics rest on: spectra of outputs may, too
  const char* motion_alone = nullptr;  // why it cannot study modes; null: it can
  long usual_samples = 500;            // where nothing is said
  std::string (*size)(const Study& study) = nullptr;  // how many realizations, in words, where that is not simply `samples`
  bool numbers_of_processes = false;                  // its samples have all numbers of random processes, after the columns
  // The random numbers of its realizations, by the names of `--set`, where they are not those of the model (RandomModel's `inputs`).
  // Throws std::invalid_argument.
  std::vector<std::string> (*inputs)(const RandomModel& random, const Study& study) = nullptr;
};

std::span<const MethodKind* const> method_kinds();
const MethodKind& method_kind(const std::string& name);  // throws std::invalid_argument
std::string monte_carlo_design(const Study& study);      // of methods that draw theirs
DesignSettings design_of(const Study& study);
Plan sampling_plan(const Study& study, const RandomModel& random);  // of its design alone

// Why a study cannot be computed in so many parts; empty when it can.
std::string indivisible(const Study& study, long parts = 1);

// Throws std::invalid_argument when the method cannot do it: the reason, and what can.
std::unique_ptr<Method> make_method(const Task& task);
input::InputError not_studied(const Model& model, const Study& study, const std::string& why);  // that, for the user

// [channels] the accuracy each one must reach; infinite: none. Throws std::invalid_argument where the study names an output that is
// not there.
std::vector<double> accuracy_goals(const Study& study, const Model& model);

// Whether the accuracy asked for is reached by every output; the samples that would reach it, and the output that asks for most.
struct Reached {
  bool enough = false;
  double wanted_samples = 0;
  std::size_t channel = 0;
  double error = 0;  // of that one
};
Reached reached(const Study& study, const std::vector<double>& goals, const results::StudyStatistics& statistics);

}  // namespace aleator::core
