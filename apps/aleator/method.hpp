// How a method of propagation goes about a study: where its realizations are, when there are enough of them, and what it makes
// of them. One file per method.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "analysis/accumulate.hpp"
#include "design/study.hpp"
#include "input/error.hpp"
#include "model/derived.hpp"
#include "results/study.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator::core::app {

// Realizations before it is first looked whether they are enough.
constexpr long first_look = 64;

// What is asked, of what.
struct Task {
  const Model& model;
  const RandomModel& random;
  Study study;
  int threads = 0;
  // Limits and levels of a sample, where they are random; empty where they are not.
  std::function<Derived(const std::vector<double>& sample)> derived = nullptr;
  std::shared_ptr<const results::Identification> identification = nullptr;  // where the laws come from, if they were identified
};

class Method {
 public:
  Method() = default;
  virtual ~Method() = default;
  Method(const Method&) = delete;
  Method& operator=(const Method&) = delete;

  virtual const Plan& plan() const = 0;
  // As many rows of the plan as are needed to begin with; then, when `done` are there, as many as should be: `done` when that
  // is enough. The answer follows from the realizations alone.
  virtual long first_rows() const { return plan().rows(); }
  virtual long enough(long done, const analysis::Accumulator& so_far, results::StudyResult& result) {
    (void)so_far, (void)result;
    return done;
  }
  // A row that the plan set aside, for the method alone.
  virtual void take_aside(const DesignPoint& point, bool ok, const std::vector<double>& values) {
    (void)point, (void)ok, (void)values;
  }
  // Whether responses must be at hand in the end, also when they are not to be written.
  virtual bool needs_responses() const { return false; }
  // Whether the rows of the plan follow the random law: their statistics are those of the response.
  virtual bool samples_the_law() const { return true; }
  // Whether more samples later can build on these.
  virtual bool extends() const { return true; }
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

// Throws std::invalid_argument when the method cannot do it: the reason, and what can.
std::unique_ptr<Method> make_method(const Task& task);
input::InputError not_studied(const Model& model, const Study& study, const std::string& why);  // that, for the user

std::unique_ptr<Method> make_sampling(const Task& task);     // monte-carlo, latin-hypercube, sobol, halton
std::unique_ptr<Method> make_chaos(const Task& task);        // polynomial-chaos
std::unique_ptr<Method> make_first_order(const Task& task);  // first-order
std::unique_ptr<Method> make_morris(const Task& task);       // morris
std::unique_ptr<Method> make_automatic(const Task& task);    // auto

// Whether the accuracy asked for is reached by every output, in words; and the samples that would reach it.
struct Reached {
  bool enough = false;
  double wanted_samples = 0;
};
Reached reached(const Study& study, const results::StudyStatistics& statistics);

}  // namespace aleator::core::app
