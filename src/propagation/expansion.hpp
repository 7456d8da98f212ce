// Expansions of a study's responses: fitted to its realizations, and what follows from them.
#pragma once

#include <limits>

#include "analysis/chaos.hpp"
#include "design/germ.hpp"
#include "propagation/method.hpp"

namespace aleator::core {

// Realizations that did not fail: where their variables are, and their responses.
struct Training {
  std::vector<double> points;     // [n][variables], of z
  analysis::RowMatrix responses;  // [n][times x channels]
  long size() const { return responses.rows(); }
};
// Those of the first `rows` of a plan of single realizations.
Training training_of(const Task& task, const Germ& germ, const Plan& plan, const analysis::Accumulator& rows,
                     const results::StudyResult& result, long most = std::numeric_limits<long>::max());
// One part in `parts` aside, the `part`-th: those to fit, those to judge by.
std::pair<Training, Training> split(const Training& all, long parts, long part, int variables);

// By least squares, of the basis the settings ask for, or one that this many realizations allow.
analysis::Expansion fit(const ChaosSettings& settings, const Germ& germ, const Training& training, int channels);
// High degrees of few variables at a time (hyperbolic), or lower ones of all (total-degree): what fits better.
std::string better_basis(const ChaosSettings& settings, const Germ& germ, const Training& training, int channels);
analysis::Truncation truncation_of(const ChaosSettings& settings, int variables, long realizations);
std::vector<PolynomialFamily> families_of(const Germ& germ, int degree);

// What tells the errors of an expansion: realizations that it has not seen, and for fits how mean and standard deviation change with
// the realizations they rest on.
struct Evidence {
  analysis::Judges judges;                    // none: nothing is known
  std::vector<double> mean_error, std_error;  // [outputs]; empty: by the judges alone
  std::vector<analysis::Expansion> parts;     // fits to parts of the realizations, or none
};
// Of a projection: realizations beside it.
Evidence evidence_of(const Task& task, const Germ& germ, const Training& beside, const analysis::Expansion& expansion);

// Fits to all realizations but one part in `folds`, each part in turn.
struct Validation {
  analysis::RowMatrix differences;  // [n][outputs] of each realization to the fit that has not seen it; nothing: not possible
  std::vector<double> mean_error, std_error;  // [outputs] by the jackknife
  std::vector<analysis::Expansion> parts;     // [folds]
};
constexpr int folds = 4;
Validation validate(const ChaosSettings& settings, const Germ& germ, const Training& training, int channels);
Evidence evidence_of(const Task& task, const Germ& germ, const Training& training, const analysis::Expansion& fit,
                     const Validation& validation);

// The statistics an expansion implies: mean, standard deviation and shares from its coefficients; bands, limits and scalars from
// evaluating it at many points, corrected by realizations.
results::StudyStatistics statistics_of(const analysis::Expansion& expansion, const Task& task, const Germ& germ,
                                       analysis::StatisticsRequest questions, const Evidence& evidence);
// A scalar whose expansion misses more than a tenth of its variance, where a fit as a whole is called not accurate, has the statistics
// of the realizations instead, and so have its limits: a line of the evidence says so.
struct SampledScalars {
  std::vector<results::ScalarStatistics> scalars;  // of the realizations; none: there is nothing to replace
  std::vector<results::LimitStatistics> limits;    // all of them, in their order
};
void take_sampled_scalars(const SampledScalars& sampled, results::StudyResult& result);
// Mean, standard deviation and their errors alone, quickly.
results::StudyStatistics moments_of(const analysis::Expansion& expansion, const Evidence& evidence,
                                    const analysis::StatisticsRequest& questions);
results::Chaos as_result(const analysis::Expansion& expansion, const Task& task, const Germ& germ,
                         const analysis::StatisticsRequest& questions);

}  // namespace aleator::core
