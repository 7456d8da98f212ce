// Does the model explain the measurements? They are compared with fresh specimens of the model itself at the estimate, observed as the
// measured ones were (same times, same gaps, same noise): how likely they are, whether they are all off to one side, what of them is
// outside the principal components, and how much of them is inside the predicted band, neither too little nor too much.
#pragma once

#include <string>
#include <vector>

#include "inference/likelihood.hpp"
#include "inference/random.hpp"
#include "inference/reduction.hpp"
#include "results/identification.hpp"

namespace aleator::core::inference {

struct FitSettings {
  Density density = Density::kernel;
  double confidence = 0.9;  // of the predicted band
  // Where it is known: probability that noise leaves as much of the specimens unexplained as the model does at its best, with other
  // random numbers for each of them; and what is left, rms, in units of the noise.
  double misfit_p = 1, misfit = 1;
};

struct Fit {
  // Both sides: too unlikely is a wrong model; too likely, specimens more alike than those of the model (copies, say).
  double likelihood_p = 1;
  bool too_alike = false;                     // the smaller side is that one
  double side_p = 1;                          // one side: their middle is farther from that of the model than by chance
  double residual_p = 1;                      // one side: more outside the components than the model has there
  double residual_ratio = 1;                  // rms of it, to that of the model
  double coverage_p = 1;                      // both sides: of the output whose share inside the band surprises most
  double misfit_p = 1, misfit = 1;            // as given
  double p = 1;                               // the smallest of the first three together (Bonferroni), coverage and misfit
  bool explained = true;                      // p ≥ 0.01
  std::vector<results::PredictedBand> bands;  // [channels]
  std::vector<results::Coverage> coverage;    // [channels]
  std::string verdict;
};

// `simulated` and `fresh`: responses at the estimate, independent of each other. `uniform`: of noise and of permutations.
Fit check_fit(const Reduction& reduction, const results::Measurements& measured, const Responses& simulated,
              const Responses& fresh, const Uniform& uniform, const FitSettings& settings = {});

}  // namespace aleator::core::inference
