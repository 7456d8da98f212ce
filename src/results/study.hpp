// What a study leaves behind: plain data, whoever computed it.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "results/response_source.hpp"
#include "results/run.hpp"

namespace aleator {
struct Reliability;
}

namespace aleator::core::results {

// One realization that failed.
struct Failure {
  long realization;
  std::string why;
  double time = std::numeric_limits<double>::quiet_NaN();  // up to which it could be computed; NaN: it did not begin
  std::vector<double> sample = {};                         // a number per column
};

// A number with its standard error.
struct Estimate {
  double value = 0, error = 0;
};

// Standard errors integrated over time: of the mean relative to the size of the response, of the standard deviation relative to
// it, of the ends of the band relative to its width (analysis/accuracy.hpp). NaN: not known.
struct Accuracy {
  double mean = std::numeric_limits<double>::quiet_NaN(), std = mean, band = mean;
};

// Between which numbers something lies.
struct Range {
  double low = std::numeric_limits<double>::quiet_NaN(), high = low;
};
struct Ranges {
  std::vector<double> low, high;
};

// Of one channel, per time.
struct ChannelStatistics {
  std::vector<double> nominal, mean, std, lower, upper, minimum, maximum;
  std::vector<double> mean_error, std_error, lower_error, upper_error;  // standard errors
  Accuracy accuracy;
  bool varies = true;  // more than by round-off (analysis/accuracy.hpp)
  // Where these would lie with the realizations that are missing (analysis/missing.hpp); empty when none is.
  struct {
    Ranges mean, std, lower, upper;
  } with_missing;
};

// A probability with its standard error and its 95 % confidence interval (analysis/exceedance.hpp); NaN: not known.
struct Probability : Estimate {
  Range interval;
};

// Of one limit: the probability that it is exceeded, at each time, and at any time. A scalar has one value: at any time alone.
struct LimitStatistics {
  int channel = 0;  // -1: of a scalar
  double value = 0;
  bool above = true;
  std::vector<double> probability, error;
  Probability ever;
  Ranges with_missing;  // the probabilities; empty when no realization is missing
  Range ever_with_missing;
  int scalar = -1;  // -1: of a channel
};

struct ScalarStatistics {
  std::string name, unit, kind, channel;  // no channel: a number made of parameters
  double nominal = 0;
  Estimate mean, std;     // of those that have a value
  Estimate lower, upper;  // of all: infinite when too many have none
  double minimum = 0, maximum = 0;
  long count = 0;              // realizations that have a value (a level may never be crossed)
  std::vector<double> values;  // per realization, NaN where there is none; empty when only statistics were kept
  Range lower_with_missing, upper_with_missing;
  // Of an expansion: the fraction of the variance that it misses at realizations it has not seen; NaN: not known, or no expansion.
  double missed = std::numeric_limits<double>::quiet_NaN();
};

// Power spectral density of a channel: one-sided, per Hz.
struct Spectrum {
  int channel = 0;
  double from = 0, segment = 0;              // s: where it begins, length of segments
  long segments = 0;                         // averaged in each realization
  std::vector<double> frequency;             // Hz, equidistant; without 0
  std::vector<double> nominal, mean, error;  // of the nominal response; mean over realizations, its standard error
  std::vector<double> lower, upper;          // between these the expected density lies with 95 %; NaN of a single realization
};

// Sobol indices of groups of random quantities: the share of the variance of each channel that is due to a group.
struct SobolIndices {
  std::vector<std::string> groups;
  long realizations = 0;  // pairs they rest on; 0: an expansion, or a linearisation
  struct OfGroup {
    std::vector<double> first, total;              // per time; NaN where nothing scatters
    std::vector<double> first_error, total_error;  // standard errors; empty: they come from an expansion
    Estimate integrated_first, integrated_total;   // ∫V_g dt / ∫V dt
  };
  std::vector<std::vector<OfGroup>> of;  // [channels][groups]
};

// How each output goes with each random number: correlation coefficients over the realizations.
struct Correlations {
  std::vector<std::string> columns;        // random numbers
  std::vector<std::string> determined_by;  // [columns] those whose ranks give its ranks: then it has no partial ones; or ""
  long realizations = 0;                   // they rest on
  // Standard errors of artanh r (Fisher), alike at all times: the 95 % interval is tanh(artanh r ± 1.96 error).
  double pearson_error = 0, spearman_error = 0, partial_rank_error = 0;
  struct Measure {
    std::vector<double> at_times;  // NaN where nothing scatters, or the column is constant
    double integrated = 0;         // (∫ r² σ² dt / ∫ σ² dt)^½
  };
  struct OfColumn {
    Measure pearson, spearman, partial_rank;
  };
  std::vector<std::vector<OfColumn>> of;  // [channels][columns]
};

// Elementary effects of each variable (Morris): how much an output would change over the whole range of probabilities.
struct Screening {
  std::vector<std::string> variables;
  long trajectories = 0;
  struct OfVariable {
    long effects = 0;                        // how many there are: one per trajectory, less what failed
    std::vector<double> mu, mu_star, sigma;  // per time: mean, mean magnitude, scatter
    std::vector<double> mu_star_error;       // its standard error
    Estimate integrated_mu_star;             // E{(∫ effect² dt)^½} / (∫ V dt)^½, V the variance of the output
    double integrated_sigma = 0;             // (∫ sigma² dt / ∫ V dt)^½
  };
  std::vector<std::vector<OfVariable>> of;  // [channels][variables]
};

// Dynamic variability response to a random field along a beam (analysis/variability.hpp).
struct Variability {
  std::string field;                 // "link.E"; empty: not computed
  std::string correlation;           // of the model, in words: that of the statistics
  double sigma = 0;                  // coefficient of variation of the flexibility (E), or of the property
  double level = 1;                  // mean of the flexibility, relative to 1/E of the model; of other properties 1
  long phases = 0;                   // realizations per wave number
  std::vector<double> wave_numbers;  // rad/m, from 0 on
  std::vector<double> weights;       // [wave numbers] of the spectrum of the correlation of the model
  struct OfChannel {
    std::vector<double> dvrf, dmrf;  // [wave numbers][times]
    std::vector<double> bound;       // [times] of the standard deviation, whatever the spectrum is
  };
  std::vector<OfChannel> of;  // [channels]
};

// n ↦ ((1/n) Σ_k ∫ u_k² dt)^½ of each channel.
struct Convergence {
  std::vector<double> realizations;         // n
  std::vector<std::vector<double>> values;  // [channels][n]
};

// Of the density of something: "(m/s²)²/Hz", "N²/Hz".
inline std::string density_unit(const std::string& unit) {
  if (unit.empty() || unit == "-") return "1/Hz";
  return (unit.find_first_of("/ ^²³·") == std::string::npos ? unit : "(" + unit + ")") + "²/Hz";
}

struct StudyStatistics {
  double confidence = 0.9;
  long realizations = 0;  // that statistics rest on
  long missing = 0;       // that failed
  double rank_error = 0;  // of quantiles, as a share of the realizations: 0 when all were kept
  std::vector<ChannelStatistics> channels;
  std::vector<LimitStatistics> limits;
  std::vector<ScalarStatistics> scalars;
  std::vector<Spectrum> spectra;  // none: not asked for
  Convergence convergence;
  SobolIndices shares;  // no groups when they were not asked for
};

// What a limit is of, and its name: OUTPUT.above, SCALAR.below.
inline std::string limited(const LimitStatistics& l, const std::vector<Channel>& channels, const StudyStatistics& s) {
  return l.scalar >= 0 ? s.scalars[std::size_t(l.scalar)].name : channels[std::size_t(l.channel)].name;
}
inline std::string limit_name(const LimitStatistics& l, const std::vector<Channel>& channels, const StudyStatistics& s) {
  return limited(l, channels, s) + (l.above ? ".above" : ".below");
}

// A response as a sum of products of orthonormal polynomials (analysis/chaos.hpp).
struct Chaos {
  struct Variable {
    std::string name, family;
    std::string germ;  // "value": z = (value − center)/scale; "normal", "uniform": of a standard variable behind it
    double center = 0, scale = 1;
    std::vector<double> recurrence;  // [degree][3]
    std::string law;                 // in words; empty: a coordinate of a block
    // The same as OpenTURNS has it, for values behind a "normal" germ; no name: a copula ties it to others.
    std::string law_name;
    std::vector<std::string> parameters;
    std::vector<double> values;
    double lower = 0, upper = 0;  // where it is cut off
  };
  std::vector<Variable> variables;         // none: there is no expansion
  std::string how;                         // "quadrature, 125 points"
  std::vector<int> degrees;                // [terms][variables]
  std::vector<double> coefficients;        // [terms][times][channels]
  long points = 0;                         // it rests on
  std::vector<double> loo;                 // [channels] leave-one-out error, a share of the variance; NaN of a quadrature
  std::vector<std::vector<double>> decay;  // [channels][degree] shares of the variance
};

struct InputColumn {
  std::string name, unit, law;
};

// A random field: how much of its variance is lost, where it is most, by the number of terms.
struct FieldSummary {
  std::string name, law, correlation, method;
  int terms = 0;
  std::vector<double> error_curve;   // with 1, 2, … terms
  std::vector<double> place, error;  // along its first beam (m): the error with its terms
};

// The law of one column of the inputs.
struct ColumnLaw {
  std::string name, unit, law;
  std::string quantity;            // among Laws::quantities
  std::vector<double> x, density;  // of its own, whatever the others are; empty where it has none
  double mean = 0, std = 0;
  double nominal = std::numeric_limits<double>::quiet_NaN();
  bool exact = true;  // the density is in closed form; otherwise estimated from draws
};

// A parameter or a moment of a distribution, with all its digits: a number, a vector or a matrix.
struct LawNumber {
  std::string name, unit;  // "lambda_l"; "parameters/k" of a scalar distribution, by the name of the parameter
  std::vector<double> values;
  std::vector<std::string> axes = {};  // "x", "y", "z" of a vector, or of rows and columns of a matrix; none: one number
  bool matrix = false;                 // by rows
};

// What a reader may want to know about one random quantity: name and value of each fact, in words; and its numbers.
struct QuantityLaw {
  std::string name, kind;  // scalar, center_of_mass, inertia, field
  std::string words, unit;
  std::string group;    // the cause it belongs to
  std::string same_as;  // the quantity it is shared with, or empty
  std::vector<std::string> facts, values;
  std::string distribution = {};  // of a scalar: the name of OpenTURNS' class
  std::vector<LawNumber> numbers = {};
};

struct Laws {
  std::vector<ColumnLaw> columns;
  std::vector<QuantityLaw> quantities;
};

// A random process: a few realizations, and densities, one-sided per Hz, in bands of frequencies.
struct ProcessSummary {
  std::string name, words;
  std::vector<double> frequency;                // middles of the bands, Hz
  std::vector<double> asked;                    // none of records
  std::vector<double> estimated, lower, upper;  // of `counted` realizations, with its 95 % confidence interval
  long counted = 0;
  std::vector<double> time;
  std::vector<std::vector<double>> realizations;  // [some][time]
};

struct Identification;       // results/identification.hpp
using aleator::Reliability;  // results/reliability.hpp

struct StudyResult {
  Run nominal;  // with bodies and poses
  std::vector<InputColumn> columns;
  std::vector<FieldSummary> fields;
  std::vector<ProcessSummary> processes;
  Laws laws;
  std::string method;
  std::uint64_t seed = 1;
  std::string identity;         // of everything that determines a realization: more of the same may be added
  std::vector<long> stages;     // sizes a Latin hypercube had before it was extended
  long planned = 0, done = 0;   // realizations
  std::vector<double> inputs;   // done x columns; empty when only statistics were kept
  std::vector<char> ok;         // done
  bool rows_follow_law = true;  // they are a sample; those of a quadrature or a screening are not
  int replicates = 1;           // independent randomisations of their design: realization k belongs to the (k mod replicates)-th
  std::vector<Failure> failures;
  std::span<const double> responses;  // done x times x channels (NaN where failed), kept elsewhere; or nothing
  std::shared_ptr<const ResponseSource> stored_responses;  // where they are when they are not in memory; or nothing
  std::vector<long> motion_of;                             // realizations whose poses are there
  std::vector<double> motion;                              // those x times x bodies x 7
  StudyStatistics statistics;
  Chaos chaos;
  std::vector<std::string> evidence;  // how the method was chosen, in words; and what else a reader of the numbers should know
  Correlations correlations;          // no columns: not computed
  Screening screening;                // no variables: not computed
  Variability variability;            // no field: not computed
  std::shared_ptr<const Identification> identification;  // where its laws come from; null: they were written
  std::shared_ptr<const Reliability> reliability;        // of methods for rare events; null: not computed
};

}  // namespace aleator::core::results
