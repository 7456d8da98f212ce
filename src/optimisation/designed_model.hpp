// A model with parameters to be chosen: what a study says of it at any values of them.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "optimisation/design_file.hpp"
#include "study/session.hpp"

namespace aleator::core::optimisation {

class DesignedModel {
 public:
  // Loads the model and checks what is chosen. Throws InputError.
  DesignedModel(const DesignStudy& study, const RunOptions& options, const std::vector<std::string>& allowed,
                const std::atomic<bool>* stop);

  const Model& model() const { return base_->model; }  // as written, with what the file sets
  const LoadedModel& loaded() const { return *base_; }
  const Study& search() const { return search_; }
  const Study& verification() const { return verification_; }
  double written(size_t parameter) const;  // in the model; NaN: unknown
  // A number of the model that does not change with the design; NaN: there is none of this name. Throws InputError where it does change.
  double constant(const std::string& name) const;

  std::vector<double> values(std::span<const double> place) const;
  // How time is stepped at all designs, to be found once where the model leaves it open.
  void choose_stepping(const Study& study);
  const Settings& stepping() const { return stepping_; }

  // A study at these values. Throws InputError and SimulationError where there is no such model or it cannot be simulated, Cancelled when it was
  // stopped.
  SessionResult study_at(std::span<const double> values, const Study& study, const RunOptions& options) const;
  std::shared_ptr<const LoadedModel> model_at(std::span<const double> values) const;

 private:
  std::vector<Override> overrides(std::span<const double> values) const;
  void check(const Chosen& chosen) const;

  const DesignStudy& study_;
  std::vector<std::string> allowed_;
  const std::atomic<bool>* stop_;
  RunOptions options_;
  std::shared_ptr<const LoadedModel> base_;
  Study search_, verification_;
  Settings stepping_;
};

}  // namespace aleator::core::optimisation
