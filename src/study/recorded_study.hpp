// A study as its results file tells it: the model, what was in force, the samples; enough to compute a realization again.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <aleator/study.hpp>

#include "numerics/program.hpp"
#include "results/read.hpp"
#include "study/loaded_model.hpp"

namespace aleator::core {

// Files that the model of a results file referred to, as they were.
std::vector<input::ReferredFile> tables_in(const results::StudyReader& file);

class RecordedStudy {
 public:
  // Throws ReadError, and InputError when files that the model refers to are gone.
  explicit RecordedStudy(const results::StudyReader& file);

  const results::StudyReader& file() const { return file_; }
  const LoadedModel& loaded() const { return *loaded_; }
  const Model& model() const { return *model_; }  // with the integrator and the step of the study
  const RandomModel& random() const { return *random_; }
  const Study& study() const { return study_; }
  Isa isa() const { return isa_; }

  std::vector<std::string> differences() const;  // of this program and machine to those that computed it, in words

  struct Recorded {
    std::vector<double> sample;
    bool drawn_again = false;  // it is not in the file
    bool failed = false;
    double time = 0;  // of the failure; NaN: it did not begin, or an older file does not tell
    std::string why;
  };
  Recorded realization(long k) const;  // throws ReadError when there is none

 private:
  std::string setting(const std::string& name) const { return file_.setting(name); }
  std::vector<double> draw_again(long k) const;

  const results::StudyReader& file_;
  std::shared_ptr<const LoadedModel> loaded_;
  std::shared_ptr<const Model> model_;
  std::shared_ptr<const RandomModel> random_;  // of the study
  Study study_;
  Isa isa_;
};

}  // namespace aleator::core
