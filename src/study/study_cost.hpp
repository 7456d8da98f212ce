// What a study whose size is open may cost, and what it would take to reach its accuracy.
//
// Decisions rest on realizations alone; a time does not. So the budget becomes a number of rows at one moment, which is recorded:
// whoever goes on with the journal, on whatever machine, stops at the same row.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "design/plan.hpp"
#include "propagation/method.hpp"

namespace aleator::core {

class StudyCost {
 public:
  // What a realization takes where all are kept: bytes of memory, of the file, or of the journal alone.
  struct Kept {
    enum class Where { nowhere, memory, file, journal } where = Where::nowhere;
    double bytes_per_row = 0;
  };
  StudyCost(const Study& study, const Model& model, const Plan& plan, bool whole_study, Kept kept);

  void begin_measuring();                 // simulations begin now
  void count_row() { ++measured_rows_; }  // one of them is there

  // Finds the limit when the next row is this one; false: there is none, or it is known already.
  bool find_limit(long next_row);
  void take_limit(double rows, double pace);  // of an earlier run
  long limit() const { return limit_; }       // rows; 0: not known
  double pace() const { return pace_; }       // seconds per row when that was found

  // What more realizations will take, once, when `more` are about to be asked for; empty: nothing to say.
  std::string forecast(long next_row, long done, const analysis::Accumulator& so_far);
  // Why the accuracy was not reached; empty where it was.
  std::string shortfall(long next_row, long done, const results::StudyStatistics& statistics) const;

 private:
  std::string cost_words(double realizations) const;
  std::string budget_words() const;
  std::string demand_words(const Reached& r) const;

  const Study& study_;
  const Model& model_;
  const Plan& plan_;
  bool open_;  // it is not known beforehand how many realizations there will be
  Kept kept_;
  std::vector<double> goals_;  // [channels] of the accuracy
  long limit_ = 0;
  double pace_ = 0;
  std::chrono::steady_clock::time_point measured_since_ = std::chrono::steady_clock::now();
  long measured_rows_ = 0;  // since then
  bool forecast_told_ = false;
};

}  // namespace aleator::core
