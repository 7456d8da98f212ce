// A model with parameters that are free: its responses at any values of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <aleator/study.hpp>

#include "dynamics/compiled_simulation.hpp"
#include "ensemble/ensemble.hpp"
#include "inference/identification_file.hpp"
#include "inference/responses.hpp"
#include "model/model.hpp"
#include "results/identification.hpp"
#include "study/loaded_model.hpp"

namespace aleator::core {

class FreeModel {
 public:
  // Loads the model, and gives every free parameter a range. Throws InputError.
  FreeModel(inference::IdentificationStudy& study, const RunOptions& options, const std::vector<std::string>& allowed,
            const std::atomic<bool>* stop);

  const Model& model() const { return *model_; }  // as written, with what the study sets
  std::vector<std::string> outputs() const;       // names of its channels
  const std::vector<results::FreeParameter>& parameters() const { return parameters_; }
  int dimensions() const { return int(parameters_.size()); }
  int random_variables() const { return random_variables_; }  // behind its laws

  // Responses are kept of these outputs alone.
  void observe(const std::vector<std::string>& channels);

  // Realizations 0 … samples − 1 of the seed: the same random numbers at all values. Throws ImpossibleLaw where the laws or the
  // model itself do not exist, and Cancelled when it was stopped.
  inference::Responses responses(std::span<const double> values, long samples, std::uint64_t seed) const;
  // What the nominal models of these points do, one row each; empty rows where they fail.
  std::vector<std::vector<double>> nominal(const std::vector<std::vector<double>>& points) const;  // [points][times × channels]
  const std::vector<double>& times() const { return times_; }

  // Inputs: the random numbers of the model as such, where they are independent numbers with densities and only those densities depend
  // on the free parameters, so that a response to inputs is the same at all values. Otherwise why they are not; empty: they are.
  const std::string& why_no_inputs() const { return why_no_inputs_; }
  // Their distributions. Throws ImpossibleLaw.
  std::vector<std::shared_ptr<const Distribution>> laws(std::span<const double> values) const;
  // What realizations 0 … samples − 1 draw.
  std::vector<std::vector<double>> draw_inputs(std::span<const double> values, long samples, std::uint64_t seed) const;
  // Responses to inputs, [inputs][times × channels]; empty rows where the simulation fails.
  std::vector<std::vector<double>> responses_to(const std::vector<std::vector<double>>& inputs) const;

  // As `--set` would have it.
  std::vector<Override> overrides(std::span<const double> values) const;

  // From the unit cube to the ranges: by the logarithm where a range spans a factor of twenty or more.
  std::vector<double> values(std::span<const double> place) const;
  double value(int parameter, double place) const;
  double place(int parameter, double value) const;
  double log_slope(int parameter, double place) const;  // log d value/d place
  // Where the model itself is, or the middle of the range.
  std::vector<double> written() const;

  double failed() const { return simulated_ > 0 ? double(failed_) / double(simulated_) : 0; }  // share of realizations

 private:
  inference::Responses simulated(const std::vector<Override>& set, long samples, std::uint64_t seed) const;
  void add_parameter(const inference::IdentificationStudy& study, const inference::FreeName& free);
  bool logarithmic(int parameter) const;
  std::shared_ptr<const Model> model_at(std::span<const Override> overrides) const;
  Parameters numbers_at(std::span<const double> values) const;
  void compile_one() const;

  int threads_;
  const std::atomic<bool>* stop_;
  input::Description description_;
  std::shared_ptr<const Model> model_;
  std::vector<Override> set_;
  bool in_laws_alone_ = true;  // all free parameters are those of laws: the model stays the same
  std::vector<results::FreeParameter> parameters_;
  std::vector<int> observed_;  // channels
  std::vector<double> times_;
  int random_variables_ = 0;
  std::string why_no_inputs_;
  std::unique_ptr<const RandomModel> random_;              // as written
  mutable std::unique_ptr<const Ensemble> compiled_;       // for responses to inputs; none before the first
  mutable std::unique_ptr<const CompiledSimulation> one_;  // for nominal models; none before the first, or where it does not pay
  mutable std::atomic<long> simulated_{0}, failed_{0};
};

}  // namespace aleator::core
