// What the coefficients of a chaos expansion say. With orthonormal polynomials
//   mean = C_0,   variance V = Σ_{k>0} C_k²,
// and the part of V that a set of variables causes is the sum over the terms in which those variables occur.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/chaos.hpp"
#include "results/study.hpp"

namespace aleator::core::analysis {

std::vector<double> mean(const Expansion& expansion);      // [outputs]
std::vector<double> variance(const Expansion& expansion);  // [outputs]

// Sobol indices of groups of variables, each variable being in one of them: first-order from terms in variables of that group
// alone, total from all in which one occurs. They are exact for the expansion: standard errors are NaN.
results::SobolIndices shares(const Expansion& expansion, std::vector<std::string> groups, std::span<const int> group_of_variable,
                             std::span<const double> times, int channels);

// Mean square errors.
struct FitError {
  std::vector<double> relative;    // [outputs] to the variance; NaN where nothing scatters
  std::vector<double> integrated;  // [channels] ∫ mean square error dt / ∫ variance dt; NaN where nothing scatters
};

// Of differences between responses and what expansions that have not seen them say, against the variance of the responses.
FitError difference_error(const Responses& differences, const Responses& y, std::span<const double> times, int channels);
// At points the expansion has not seen.
FitError held_out_error(const Expansion& expansion, std::span<const double> points, const Responses& y,
                        std::span<const double> times, int channels);
FitError leave_one_out_error(const Expansion& expansion, std::span<const double> times, int channels);

// [channels][highest total degree]: shares of ∫ V dt by total degree 1, 2, …, which fall fast when the response is smooth.
std::vector<std::vector<double>> decay(const Expansion& expansion, std::span<const double> times, int channels);

// The highest total degree of which, and below which, a basis has all terms. Of the degrees above it a tensor has ever fewer: their
// shares of the variance fall whether the expansion converges or not.
int complete_degree(std::span<const int> degrees, int variables);

// How good the expansion of a channel is, in words: a fit by its leave-one-out error, a projection by the share of the variance in the
// two highest complete degrees (of an even or odd response one of them is 0).
std::string expansion_verdict(const results::Chaos& chaos, std::size_t channel);

// The same of all channels that vary, in one sentence: for which it is good, for which not, and by how much.
std::string expansion_summary(const results::Chaos& chaos, const std::vector<std::string>& channels,
                              const std::vector<char>& varies);

}  // namespace aleator::core::analysis
