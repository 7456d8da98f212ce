// What a study finds: statistics over time with their standard errors, samples, responses.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <aleator/model.hpp>
#include <aleator/reliability.hpp>

namespace aleator {

namespace core {
struct StudyData;
}

// A number with its standard error; NaN: not known.
struct Estimate {
  double value = 0, error = 0;
};

// Of one output, per time.
struct OutputStatistics {
  std::string name, unit;
  std::vector<double> nominal, mean, std, lower, upper, minimum, maximum;  // lower, upper: the probability band
  std::vector<double> mean_error, std_error, lower_error, upper_error;     // standard errors; NaN: none is known
};

struct ScalarStatistics {
  std::string name, unit, kind, output;
  double nominal = 0;
  Estimate mean, std, lower, upper;
  double minimum = 0, maximum = 0;
  long count = 0;              // realizations that have a value (a level may never be crossed)
  std::vector<double> values;  // per realization, NaN where there is none; empty when only statistics were kept
};

// Power spectral density of an output that has `spectrum`: one-sided, per Hz (Welch).
struct Spectrum {
  std::string output, unit;
  double from = 0, segment = 0;  // s: what is before does not count; length of segments
  long segments = 0;             // averaged in each realization
  std::vector<double> frequency, nominal;
  std::vector<double> density, error, lower, upper;  // mean over realizations, its standard error, its 95 % confidence interval
};

// A probability with its standard error and its 95 % confidence interval: of independent realizations that of Clopper and Pearson, which
// holds where none of them fails, too; else ± two standard errors. NaN: not known.
struct Probability : Estimate {
  double lower = std::numeric_limits<double>::quiet_NaN(), upper = lower;
};

// The probability that an output passes a limit, at each time and ever; or that a scalar does.
struct LimitStatistics {
  std::string output;  // empty: of a scalar
  double value = 0;
  bool above = true;
  std::vector<double> probability, error;  // per time; none of a scalar
  Probability ever;
  std::string scalar = {};  // empty: of an output
  std::string name() const { return (scalar.empty() ? output : scalar) + (above ? ".above" : ".below"); }
};

// Variance-based sensitivity: of each group of random quantities, per time and integrated over time.
struct SobolIndices {
  struct OfGroup {
    std::string group;
    std::vector<double> first, total;              // per time; NaN where nothing scatters
    std::vector<double> first_error, total_error;  // standard errors; empty: from an expansion
    Estimate integrated_first, integrated_total;
  };
  std::string output;
  std::vector<OfGroup> groups;
};

// How the bodies move: position x y z (m) and quaternion qw qx qy qz, in the inertial frame, of the frames that what is drawn hangs on.
struct BodyMotion {
  std::vector<std::string> bodies;       // names of the frames: a body, or a node of a beam (NAME.0, NAME.1, …)
  std::span<const double> nominal;       // [time][body][7]
  std::vector<long> kept;                // realizations whose motion was kept: the first few
  std::span<const double> realizations;  // [kept][time][body][7]
};

struct Failure {
  long realization = 0;
  std::string reason;
  double time = std::numeric_limits<double>::quiet_NaN();  // up to which it could be computed; NaN: it did not begin
  std::vector<double> sample;                              // a number per random quantity
};

enum class Outcome {
  complete,
  interrupted,  // by the stop token; what was finished is kept, and the study can be resumed
  stopped,      // by failed realizations (on_failure, failed_at_most); it can be resumed
};

struct StudyResult {
  Outcome outcome = Outcome::complete;
  std::string reason;     // why it was stopped, or why the method could conclude nothing
  bool concluded = true;  // false: the realizations are there, but the method could make nothing of them, or all failed
  std::string file;       // results.h5, or partial.h5 of one that is not complete; empty: in memory
  std::string method;
  std::uint64_t seed = 1;
  long planned = 0, done = 0;  // realizations
  bool fixed_size = false;     // the method takes as many realizations as it needs, whatever `samples` says
  long simulated = 0;          // rows simulated by this run
  long failed = 0;             // simulations that failed, of cheaper models too
  double seconds = 0;          // it took
  double confidence = 0.9;     // of the probability band
  bool is_sample = true;       // the realizations are a sample; nodes of a quadrature and trajectories of morris are not

  std::vector<double> time;
  std::vector<Channel> outputs;
  std::vector<std::string> inputs;           // names of the random quantities
  std::vector<OutputStatistics> statistics;  // [outputs]
  std::vector<ScalarStatistics> scalars;
  std::vector<LimitStatistics> limits;
  std::vector<Spectrum> spectra;
  std::vector<SobolIndices> sobol;  // [outputs]; none: not computed
  std::vector<Failure> failures;
  std::vector<std::string> evidence;               // how the method went about it, and what to know about the numbers
  std::shared_ptr<const Reliability> reliability;  // of methods for rare events; null: another method

  const OutputStatistics& operator[](std::string_view output) const;  // throws std::out_of_range

  // Realizations, where they were kept; both stay valid as long as this result or a copy of it lives.
  std::span<const double> samples() const;  // [done][inputs]
  // [done][time][output]; NaN where a realization failed. Of a study that wrote more than 64 MB of them they are read from `file` when
  // they are first asked for: throws ReadError.
  std::span<const double> responses() const;
  // Valid as long; that of a file is read when it is first asked for: throws ReadError.
  BodyMotion motion() const;

  // The probability that an output is ever above (or below) a value, or at the output time nearest to `at`. Of `limits` it is the number
  // there; otherwise realizations are counted in the same way, extremes between output times included, with an error in the same way.
  // Throws std::out_of_range for an output that is not there, and std::invalid_argument where the realizations are no sample or were not
  // kept.
  Probability probability(std::string_view output, double value, bool above = true,
                          double at = std::numeric_limits<double>::quiet_NaN()) const;

  std::shared_ptr<const core::StudyData> data;  // for the library itself
};

// From results.h5 of a study, or its folder (partial.h5 of an interrupted one); without responses they stay in the file. Throw
// ReadError.
StudyResult read_results(const std::string& path, bool with_responses = true);
std::vector<double> read_responses(const std::string& path, const std::string& output);  // [done][time]

// --- two studies compared; the first is the reference (docs/propagation.md) ---

// Integrated over time, relative to the reference; NaN: nothing to measure. `noise`: what sampling alone would give.
struct Difference {
  double value = 0, noise = 0;
};
struct Comparison {
  struct Line {
    std::string name, unit;
    Difference mean, std, lower, upper;  // of scalars no band
    double p = 0;                        // of the hypothesis that the distributions are the same; NaN: without realizations
  };
  std::vector<Line> outputs, scalars;
  std::vector<std::string> only_a, only_b;  // outputs and scalars that the other does not have
  std::string significance;                 // which distributions differ, in words
  std::string text;                         // all of it, as `aleator compare` prints it
};
// Of results files or folders; `names` of outputs and scalars, none: all. Throws ReadError, and Error where they cannot be compared.
Comparison compare_results(const std::string& a, const std::string& b, const std::vector<std::string>& names = {});

}  // namespace aleator
