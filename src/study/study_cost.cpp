#include "study/study_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/words.hpp"

namespace aleator::core {

StudyCost::StudyCost(const Study& study, const Model& model, const Plan& plan, bool whole_study, Kept kept)
    : study_(study),
      model_(model),
      plan_(plan),
      open_((study.accuracy > 0 || method_kind(study.method).decides_size) && whole_study),
      kept_(kept),
      goals_(accuracy_goals(study, model)) {}

void StudyCost::begin_measuring() { measured_since_ = std::chrono::steady_clock::now(); }

bool StudyCost::find_limit(long next_row) {
  if (limit_ != 0 || measured_rows_ == 0 || !open_ || plan_.is_open()) return false;
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - measured_since_).count();
  const double pace = elapsed / double(measured_rows_), here = double(next_row), round = 64.0 * plan_.per_realization();
  double rows = here + std::max(0.0, study_.budget_seconds - elapsed) / pace;
  if (kept_.where != Kept::Where::nowhere) rows = std::min(rows, study_.budget_bytes / kept_.bytes_per_row);
  take_limit(std::clamp(std::floor(rows / round) * round, here, 1e15), pace);
  return true;
}

void StudyCost::take_limit(double rows, double pace) {
  limit_ = long(rows);
  pace_ = pace;
}

// "about 12000 realizations: 4 min, a file of 1.2 GB"
std::string StudyCost::cost_words(double realizations) const {
  using Where = Kept::Where;
  const double rows = realizations * plan_.per_realization(), gigabytes = 1e-9 * rows * kept_.bytes_per_row;
  const std::string words = fmt::format("about {:.0f} realizations: {}", realizations, duration_words(pace_ * rows));
  if (kept_.where == Where::memory) return words + fmt::format(", {:.2g} GB of memory", gigabytes);
  if (kept_.where == Where::file) return words + fmt::format(", a file of {:.2g} GB", gigabytes);
  if (kept_.where == Where::journal) return words + fmt::format(", {:.2g} GB on the disk while it runs", gigabytes);
  return words;
}

std::string StudyCost::budget_words() const {
  return fmt::format("{}, {:.3g} GB", duration_words(study_.budget_seconds), 1e-9 * study_.budget_bytes);
}

std::string StudyCost::demand_words(const Reached& r) const {
  return fmt::format("output '{}' has a standard error of {:.2g} %, {:.2g} % takes {}", model_.channels[r.channel].name,
                     100 * r.error, 100 * goals_[r.channel], cost_words(r.wanted_samples));
}

std::string StudyCost::forecast(long next_row, long done, const analysis::Accumulator& so_far) {
  if (forecast_told_ || limit_ == 0 || !(study_.accuracy > 0) || plan_.is_open()) return "";
  if (plan_.point(next_row).source == DesignPoint::aside) return "";
  forecast_told_ = true;
  const Reached r = reached(study_, goals_, so_far.moments());
  const double rows = r.wanted_samples * plan_.per_realization();
  const bool beyond = rows > double(limit_);
  if (!beyond && pace_ * rows < 10) return "";
  return fmt::format("after {} realizations {}{}", done, demand_words(r),
                     beyond ? fmt::format("; the budget ({}) allows {} realizations, --budget changes it", budget_words(),
                                          limit_ / plan_.per_realization())
                            : "");
}

std::string StudyCost::shortfall(long next_row, long done, const results::StudyStatistics& statistics) const {
  const bool all = next_row >= plan_.rows(), limited = limit_ > 0 && limit_ < plan_.rows();
  if (!(study_.accuracy > 0) || plan_.is_open() || !(all || limited)) return "";
  const Reached r = reached(study_, goals_, statistics);
  if (r.enough) return "";
  if (all) return fmt::format("the accuracy is not reached with the {} realizations that `samples` allows", plan_.samples);
  return fmt::format("the study ended at its budget ({}) after {} realizations: {}", budget_words(), done, demand_words(r));
}

}  // namespace aleator::core
