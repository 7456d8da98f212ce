// Rows of a study in their order, from the journal or from the ensemble: what they mean for statistics and results.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "analysis/accumulate.hpp"
#include "design/plan.hpp"
#include "model/derived.hpp"
#include "results/journal.hpp"
#include "results/study.hpp"

namespace aleator::core {

// A realization, with limits and scalars of its own where numbers in them are random. `kept`: its values already are.
template <class DerivedOf>
void add_realization(analysis::Accumulator& statistics, const DerivedOf& derived, bool ok, const std::vector<double>& sample,
                     const std::vector<double>& values, bool kept = false) {
  const Derived own = derived && ok ? derived(sample) : Derived{};
  std::vector<double> limits;
  std::vector<ReductionSettings> reductions;
  for (const Limit& l : own.limits) limits.push_back(l.value);
  for (const DerivedScalar& x : own.scalars) reductions.push_back(x.settings);
  statistics.add(ok, values, limits, reductions, kept);
}

class Collector {
 public:
  // `derived` gives limits and scalars of a sample, where numbers in them are random; empty where they are not.
  using DerivedOf = std::function<Derived(const std::vector<double>& sample)>;
  // `digested`: of rows aside the method keeps what it likes.
  Collector(const Plan& plan, bool keep_all, DerivedOf derived, analysis::Accumulator& statistics, results::StudyResult& result,
            bool digested = false)
      : plan_(plan),
        keep_all_(keep_all),
        derived_(std::move(derived)),
        statistics_(statistics),
        result_(result),
        digested_(digested),
        first_row_(statistics.questions().first * plan.per_realization()),
        next_row_(first_row_) {}

  // `digested`: its statistics come with those of its block.
  void take(long row, bool ok, const std::string& why, const std::vector<double>& sample, const std::vector<double>& values,
            const std::vector<double>& poses, bool digested = false) {
    const DesignPoint p = plan_.point(row);
    next_row_ = row + 1;
    if (!ok) ++failed_rows_;
    if (p.source == DesignPoint::first) {
      digested ? statistics_.keep(ok, values) : add_realization(statistics_, derived_, ok, sample, values);
      ++result_.done;
      result_.ok.push_back(ok);
      if (!ok) note_failure(p.realization, why, sample, values);
      if (keep_all_) result_.inputs.insert(result_.inputs.end(), sample.begin(), sample.end());
      if (ok && !poses.empty()) {
        result_.motion_of.push_back(p.realization);
        result_.motion.insert(result_.motion.end(), poses.begin(), poses.end());
      }
    }
    if (analysis::ShareEstimator* shares = statistics_.shares()) {
      if (p.source == DesignPoint::first)
        shares->begin(ok, values);
      else if (p.source == DesignPoint::second)
        shares->second(ok, values);
      else
        shares->group(p.source, ok, values);
    }
  }

  // To the statistics alone, of a row that was taken.
  void add(bool ok, const std::vector<double>& sample, const std::vector<double>& values) {
    add_realization(statistics_, derived_, ok, sample, values, true);
  }

  // A row that is no part of the sample.
  void skip(long row, bool ok) {
    next_row_ = row + 1;
    if (!ok) ++failed_rows_;
  }

  // Whether a row that was read from somewhere can be one of this study: the next one, or one beside the statistics.
  bool fits(const results::JournalRecord& r) const {
    const long end = plan_.blocks ? plan_.blocks->end() : plan_.is_open() ? plan_.aside->end() : plan_.rows();
    const bool in_place = (keep_all_ ? r.row == next_row_ : r.row >= first_row_) && r.row < end;
    const size_t numbers = keep_all_ ? result_.nominal.values.size() : 0;
    const bool without_poses = keep_all_ || !r.ok;  // beside the statistics it is there for these
    const bool any_values = digested_ && in_place && plan_.point(r.row).source == DesignPoint::aside;
    return in_place && r.sample.size() == result_.columns.size() &&
           (any_values || (r.ok ? r.values.size() == numbers : r.values.size() <= 1)) &&
           ((without_poses && r.poses.empty()) || r.poses.size() == result_.nominal.poses.size());
  }

  // From a saved state: the rows before `next_row` are in the statistics already. Throws DamagedState, as does the next.
  void restore(long next_row, std::span<const double> state) {
    statistics_.load(state);
    settle(next_row);
  }
  // The same of the rows from the present one on.
  void append(long next_row, std::span<const double> state) {
    statistics_.append(state);
    settle(next_row);
  }
  void restore_failure(const results::JournalRecord& r) {
    const DesignPoint p = plan_.point(r.row);
    ++failed_rows_;
    if (p.source == DesignPoint::first) note_failure(p.realization, r.why, r.sample, r.values);
  }

  void restore_motion(const results::JournalRecord& r) {
    const DesignPoint p = plan_.point(r.row);
    if (p.source != DesignPoint::first) return;
    result_.motion_of.push_back(p.realization);
    result_.motion.insert(result_.motion.end(), r.poses.begin(), r.poses.end());
  }

  long first_row() const { return first_row_; }
  long next_row() const { return next_row_; }
  long failed_rows() const { return failed_rows_; }

 private:
  void settle(long next_row) {
    analysis::StateReader::require(next_row >= next_row_ && next_row <= plan_.rows());
    next_row_ = next_row;
    const long per = plan_.per_realization();
    result_.done = (next_row - first_row_ + per - 1) / per;  // also one of which some rows are missing
    result_.ok.resize(size_t(result_.done), 1);
    for (const results::Failure& f : result_.failures) {
      analysis::StateReader::require(f.realization < first_row_ / per + result_.done);
      result_.ok[size_t(f.realization - first_row_ / per)] = 0;
    }
  }

  // In place of values a failed row has the time at which it did.
  void note_failure(long realization, const std::string& why, const std::vector<double>& sample,
                    const std::vector<double>& values) {
    result_.failures.push_back({realization, why, values.empty() ? std::numeric_limits<double>::quiet_NaN() : values[0], sample});
  }

  const Plan& plan_;
  bool keep_all_;
  DerivedOf derived_;
  analysis::Accumulator& statistics_;
  results::StudyResult& result_;
  bool digested_;
  long first_row_, next_row_, failed_rows_ = 0;
};

}  // namespace aleator::core
