// Draws from a density on [0,1]^d, of which only the logarithm up to a constant is known, by an ensemble of walkers.
// Two moves, both invariant to affine maps, so that narrow, oblique ridges cost no more than a ball. A walker x of one half of the
// ensemble moves with the help of the other half (the halves in turn):
//   stretch (Goodman & Weare 2010):           x' = x_j + z (x − x_j),  z of density ~ 1/√z on [1/2, 2],  accepted with z^(d−1) p(x')/p(x)
//   differential evolution (ter Braak 2006):  x' = x + γ (x_i − x_j),  γ = 2.38/√(2d), sometimes 1,      accepted with p(x')/p(x)
// Measured: four of five moves of the second kind make draws worth 2 to 4 times those of stretches alone (narrow ridges in 2, 4 and 8
// dimensions, bananas, walls), and walkers change between maxima; without any stretches, far ends of bananas are found late.
// It goes on until the autocorrelation time τ is known, that is, until the chain is 50 τ long (Foreman-Mackey et al. 2013); its first
// quarter is left out. Maxima where no walker begins may never be found: start some everywhere if there may be several.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <vector>

#include "inference/random.hpp"
#include "inference/unit_cube.hpp"

namespace aleator::core::inference {

struct SamplerSettings {
  long most_steps = 20000;         // each moves all walkers once
  long effective = 2000;           // go on until the chain is worth so many independent draws
  long draws = 2000;               // kept, about
  double level = 0.95;             // of the credible intervals
  double differential = 0.8;       // share of moves by differential evolution
  std::vector<std::string> names;  // for warnings
};

struct SampledParameter {
  double mean, std;
  double lower, upper;  // credible interval with equal tails
  double tau;           // integrated autocorrelation time in steps, with Sokal's window; of all walkers about their common mean
  double effective;     // walkers × steps / τ
  double r_hat;         // split R̂ (Gelman et al. 2013), the two halves in time of each walker being chains
};

struct EnsembleSample {
  std::vector<Place> draws;  // [draws][d], thinned
  std::vector<SampledParameter> parameters;
  double acceptance = 0;
  long steps = 0, left_out = 0;  // all, and at the beginning
  bool long_enough = false;      // 50 τ and as effective as asked for
  std::vector<std::string> warnings;
};

int default_walkers(int dimension);  // max(16, 6 d)

// Scattered normally about a point, with a standard deviation per coordinate, reflected into the cube, and closer where the density
// vanishes. Throws std::runtime_error when it vanishes at the point itself.
std::vector<Place> walkers_around(std::span<const double> centre, std::span<const double> scale, int walkers,
                                  const Function& log_density, const Uniform& uniform);

// Walkers: an even number, at least 2 d and 6, in general position.
EnsembleSample sample_ensemble(const Function& log_density, std::vector<Place> walkers, const Uniform& uniform,
                               const SamplerSettings& settings = {});

}  // namespace aleator::core::inference
