#include "report/reliability_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/exceedance.hpp"
#include "numerics/incomplete_beta.hpp"
#include "results/read_reliability.hpp"

namespace aleator::core::report {
namespace {

// An empty field where it is not known.
std::string field(double x) { return std::isnan(x) ? "," : fmt::format(",{:.17g}", x); }

std::string limit_line(const std::string& name, double probability, double cov, double lower, double upper, long realizations) {
  return name + field(probability) + field(cov) + field(lower) + field(upper) + fmt::format(",{}\n", realizations);
}

// --- of a study that only samples: limits are what they are of its statistics ---

struct SampledLimit {
  std::string output;  // or scalar
  results::LimitStatistics limit;
  bool scalar = false;
};

std::vector<SampledLimit> limits_of(const results::StudyReader& file) {
  std::vector<SampledLimit> all;
  for (const std::string& output : file.outputs())
    for (const bool above : {true, false})
      if (auto l = file.limit(output, above)) all.push_back({output, std::move(*l)});
  for (const std::string& scalar : file.scalars())
    for (const bool above : {true, false})
      if (auto l = file.scalar_limit(scalar, above)) all.push_back({scalar, std::move(*l), true});
  return all;
}

// Independent realizations, or a Latin hypercube: by their count. Others by their standard error.
CountInterval interval_of(const results::StudyReader& file, const results::Estimate& p) {
  const double n = file.realizations();
  if (file.rows_follow_law() && file.replicates() == 1) return clopper_pearson(std::round(p.value * n), n);
  if (p.value == 0) return clopper_pearson(0, n);
  return {std::max(0.0, p.value - 2 * p.error), std::min(1.0, p.value + 2 * p.error)};
}

// `known`: the interval that the study states.
std::string sampled_line(const results::StudyReader& file, const std::string& name, const results::Estimate& p,
                         const results::Range& known = {}) {
  const CountInterval i = std::isfinite(known.low) ? CountInterval{known.low, known.high} : interval_of(file, p);
  return limit_line(name, p.value, p.value > 0 ? p.error / p.value : std::nan(""), i.lower, i.upper, long(file.realizations()));
}

// At output times, or between them.
bool passes(const std::vector<double>& time, const double* x, const results::LimitStatistics& l) {
  const double sign = l.above ? 1 : -1;
  return std::any_of(x, x + time.size(), [&](double v) { return sign * v > sign * l.value; }) ||
         analysis::extreme_passes(time, x, 1, l.value, l.above);
}

// The realizations that pass a limit, added to those that pass another; returns how many pass this one.
long note_passing(const results::StudyReader& file, const SampledLimit& l, const std::vector<double>& time,
                  std::vector<char>& any) {
  constexpr long at_once = 256;
  long passing = 0;
  if (l.scalar) {
    const std::vector<double> values = file.has_scalar_values(l.output) ? file.scalar_values(l.output) : std::vector<double>();
    const double sign = l.limit.above ? 1 : -1;
    for (std::size_t k = 0; k < std::min(values.size(), any.size()); ++k)
      if (sign * values[k] > sign * l.limit.value) ++passing, any[k] = 1;
    return passing;
  }
  for (long first = 0; first < long(any.size()); first += at_once) {
    const long rows = std::min(at_once, long(any.size()) - first);
    const std::vector<double> y = file.responses(l.output, first, rows);
    for (long k = 0; k < rows; ++k) {
      const double* const x = &y[std::size_t(k) * time.size()];
      if (!std::isfinite(x[0]) || !passes(time, x, l.limit)) continue;
      ++passing;
      any[std::size_t(first + k)] = 1;
    }
  }
  return passing;
}

// That any limit is passed. Empty where it is not known: realizations were not kept, are no sample, or have limits of their own.
std::string line_of_any(const results::StudyReader& file, const std::vector<SampledLimit>& all) {
  if (all.size() == 1) return sampled_line(file, "any", all[0].limit.ever, all[0].limit.ever.interval);
  const double n = file.realizations();
  if (!file.rows_follow_law() || file.samples() == 0 || file.time().empty() || n <= 0) return "";
  std::vector<char> any(std::size_t(file.samples()), 0);
  const std::vector<double> time = file.time();
  for (const SampledLimit& l : all)
    if (double(note_passing(file, l, time, any)) != std::round(l.limit.ever.value * n)) return "";
  const double count = double(std::count(any.begin(), any.end(), char(1)));
  return sampled_line(file, "any", analysis::share_of(std::vector<double>{count}, std::vector<double>{n}, 1));
}

std::string sampled_probabilities(const results::StudyReader& file) {
  const std::vector<SampledLimit> all = limits_of(file);
  if (all.empty())
    throw ReadError(
        file.path(),
        "it has no limits; give outputs of the model the key 'limits', as in 'limits: {above: 0.1}', and run it again");
  std::string text;
  for (const SampledLimit& l : all)
    text += sampled_line(file, l.output + (l.limit.above ? ".above" : ".below"), l.limit.ever, l.limit.ever.interval);
  return text + line_of_any(file, all);
}

}  // namespace

std::string probabilities_csv(const results::StudyReader& file) {
  std::string text = "limit,probability,cov,lower,upper,realizations\n";
  if (!results::has_reliability(file)) return text + sampled_probabilities(file);
  const results::Reliability r = results::read_reliability(file);
  for (const auto& p : r.of) text += limit_line(p.limit, p.probability, p.cov, p.lower, p.upper, r.simulations);
  return text;
}

std::string exceedance_csv(const results::StudyReader& file) {
  const results::Reliability r = results::read_reliability(file);
  if (r.curves.empty()) throw ReadError(file.path(), "its method has no curves of probabilities");
  std::string text = "limit,b,probability,lower,upper\n";
  for (const auto& c : r.curves)
    for (std::size_t i = 0; i < c.b.size(); ++i)
      text += c.limit + field(c.b[i]) + field(c.probability[i]) + field(c.lower[i]) + field(c.upper[i]) + "\n";
  return text;
}

std::string failure_samples_csv(const results::StudyReader& file) {
  const results::Reliability r = results::read_reliability(file);
  const results::Reliability::Failures& f = r.failures;
  if (f.weights.empty()) throw ReadError(file.path(), "its method has found no failure samples");
  const std::vector<std::string> columns = file.column_names();
  std::string text = "weight,excess,limit";
  for (const std::string& c : columns) text += "," + c;
  text += "\n";
  for (std::size_t k = 0; k < f.weights.size(); ++k) {
    text += fmt::format("{:.17g}", f.weights[k]) + field(f.excess[k]) + "," + r.of[std::size_t(f.limit[k])].limit;
    for (std::size_t c = 0; c < columns.size(); ++c) text += field(f.inputs[k * columns.size() + c]);
    text += "\n";
  }
  return text;
}

}  // namespace aleator::core::report
