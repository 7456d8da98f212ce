// Figures of what results files hold. A file without what a figure needs throws results::ReadError, which says what to do.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "report/figure.hpp"
#include "results/read.hpp"

namespace aleator::core::report {

// A results file, and what it is called in legends.
struct Source {
  const results::StudyReader* file;
  std::string name;
};

struct View {
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();  // s
  long realizations = 0;                                                                                 // shown one by one
  bool side_by_side = false;  // sources in columns, not over each other
};

// Over time: confidence region, mean, nominal, limits. The first source is the subject, the others are shown with it.
Figure response_figure(std::span<const Source> sources, const std::vector<std::string>& outputs, const View& view);

// A density at some places.
struct Density {
  std::vector<double> values, density;
};
using DensityOf = std::function<Density(const std::vector<double>& sample)>;

// Those of the names that scatter, in all sources, at the time nearest to `at` (NaN: ever). Throws ReadError when none does.
std::vector<std::string> scattering(std::span<const Source> sources, std::vector<std::string> names, double at);

// Histogram and density of realizations: of outputs at the time nearest to `at` (NaN: where each scatters most), and of scalars.
Figure distribution_figure(std::span<const Source> sources, const std::vector<std::string>& names, double at,
                           const DensityOf& density_of);

// Sobol indices over time, on each other; what is left are interactions.
Figure shares_figure(const Source& source, const std::vector<std::string>& outputs, const View& view);

// Correlations with the random numbers that matter most, over time.
Figure correlations_figure(const Source& source, const std::vector<std::string>& outputs, const View& view);

// The mean square over time of the first n realizations, against n.
Figure convergence_figure(std::span<const Source> sources, const std::vector<std::string>& outputs);

// Power spectral densities, on logarithmic axes, with their confidence bands.
Figure spectrum_figure(std::span<const Source> sources, const std::vector<std::string>& outputs);

// Of an identification: the free parameters that have profile likelihoods, and these.
std::vector<std::string> with_profiles(const results::StudyReader& file);
Figure profile_figure(const Source& source, const std::vector<std::string>& parameters);

// Of an identification: the outputs that were measured, and each specimen over what is predicted for them.
std::vector<std::string> measured_outputs(const results::StudyReader& file);
Figure measured_figure(const Source& source, const std::vector<std::string>& outputs, const View& view);

}  // namespace aleator::core::report
