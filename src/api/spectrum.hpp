// The answer of a linear model to its random processes: transfer functions, spectra and stationary variances of the outputs, without sampling.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <aleator/model.hpp>

#include "report/figure.hpp"

namespace aleator::core {

struct LinearSpectrumRequest {
  bool about_equilibrium = true;
  double from = 0, to = 0;  // Hz; 0: where something is to be seen
  int points = 400;
};

struct LinearSpectrum {
  struct Process {
    std::string name, words;
  };
  struct Output {
    std::string name, unit;
    bool linear = true;                     // otherwise it has no part of first order, and nothing of it is known
    double rms = 0;                         // infinite: it sees white noise itself
    double peak = 0;                        // Hz: where its density is largest
    std::vector<double> share;              // [processes] of its variance
    std::vector<double> density;            // [frequencies] one-sided, unit²/Hz
    std::vector<std::vector<double>> gain;  // [processes][frequencies] of an amplitude; over places and delays that a process has
  };
  struct Motion {
    double frequency = 0, damping_ratio = 0;  // Hz
    std::string where;
  };

  std::string title;
  bool about_equilibrium = true;
  std::vector<Process> processes;
  std::vector<Output> outputs;
  std::vector<double> frequency;  // Hz
  std::vector<Motion> motions;    // that are excited, lowest first
  double decay = 0;               // 1/s, of the slowest motion; infinite without one
  double duration = 0;            // s, of a simulation
  std::vector<std::string> notes;
};

// Throws InputError where no process excites the model, and SimulationError where there is no stationary motion.
LinearSpectrum spectrum_of(const aleator::Model& model, const LinearSpectrumRequest& request);

// Standard deviations over the second half of the time of a study, compared with those of the stationary motion.
struct SampledSpectrum {
  struct Output {
    double rms = 0, error = 0;  // NaN: the study does not have it
  };
  std::string file;
  double realizations = 0;
  double felt = 0;                 // share of the variance that is still missing in the middle of the time
  std::vector<Output> outputs;     // [outputs]
  std::vector<std::string> other;  // what is uncertain beside the processes
};
// Throws ReadError.
SampledSpectrum sampled_spectrum(const LinearSpectrum& spectrum, const std::string& results);
// Whether results are those of this model, with no numbers set.
bool results_of(const std::string& results, const aleator::Model& model);

std::string spectrum_text(const LinearSpectrum& spectrum, const std::optional<SampledSpectrum>& sampled);
std::string spectrum_csv(const LinearSpectrum& spectrum);
report::Figure linear_spectrum_figure(const LinearSpectrum& spectrum);

}  // namespace aleator::core
