// Statistics of a study by the names that formulas use. `any`: that any of the limits is passed.
#pragma once

#include <vector>

#include "model/model.hpp"
#include "optimisation/design_file.hpp"
#include "optimisation/formula.hpp"
#include "results/study.hpp"

namespace aleator::core::optimisation {

// Between a statistic and what is interpolated of it: Φ⁻¹(P) of a probability, others as they are.
double interpolated(const Statistic& statistic, double value);
double value_of(const Statistic& statistic, double z);
double error_of(const Statistic& statistic, double z, double error);                // of the value, from that of z
double error_interpolated(const Statistic& statistic, double value, double error);  // and back

class StatisticsReader {
 public:
  // Throws InputError, without the file, for scalars, outputs and limits that the model does not have.
  StatisticsReader(const Model& model, std::vector<Statistic> statistics);

  // The probability band of the study, so that it has the quantiles that are asked for.
  void ask(Study& study) const;

  // Values and standard errors. A probability of k out of n realizations is (k + ½)/(n + 1), which is never 0. Throws
  // std::invalid_argument where the method does not give them.
  std::vector<results::Estimate> read(const results::StudyResult& result) const;

  const std::vector<Statistic>& statistics() const { return statistics_; }

 private:
  struct Place {
    bool scalar = false;
    size_t index = 0;  // of the scalar, the channel or the limit
  };
  results::Estimate probability(const results::StudyResult& result, const Statistic& statistic, size_t limit) const;

  std::vector<Statistic> statistics_;
  std::vector<Place> places_;
  double band_ = 0;  // 0: no quantiles are asked for
};

}  // namespace aleator::core::optimisation
