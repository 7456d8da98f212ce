// variability: how the response depends on the wave number of a random field along a beam, and so on any correlation.
#include "analysis/variability.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "analysis/accuracy.hpp"
#include "base/text_table.hpp"
#include "propagation/method.hpp"
#include "uncertainty/distribution_module.hpp"
#include "uncertainty/spectrum.hpp"
#include "uncertainty/wave.hpp"

namespace aleator::core {
namespace {

constexpr double waves_along = 6;        // of the shortest wave, where nothing else is asked for
constexpr double grading = 1.5;          // of the wave numbers: κ_i = κ_max (i/n)^grading
constexpr double unseen = 0.01;          // power beyond the largest wave number that is worth a word
constexpr double theory_reaches = 0.25;  // standard deviations for which the integrals have been confirmed, roughly

std::vector<std::string> names_of_fields(const RandomModel& random) {
  std::vector<std::string> names;
  for (const BeamField& f : random.fields()) names.push_back(f.name);
  return names;
}

// The field that is asked for. Throws std::invalid_argument.
const BeamField& chosen_field(const RandomModel& random, const Study& study) {
  const std::vector<std::string> names = names_of_fields(random);
  const std::string& wanted = study.variability.field;
  if (names.empty())
    throw std::invalid_argument(
        "it needs a random field of a beam, and the model has none: give one as in uncertain: {BEAM: {E: {cov: 0.1, law: "
        "lognormal, "
        "correlation: {exponential: 0.4}}}}");
  if (wanted.empty() && names.size() > 1)
    throw std::invalid_argument(fmt::format("there are {} random fields ({}); say which one: variability: {{field: {}}}",
                                            names.size(), fmt::join(names, ", "), names[0]));
  for (const BeamField& f : random.fields())
    if (wanted.empty() || f.name == wanted) return f;
  throw std::invalid_argument(fmt::format("there is no random field '{}'{}", wanted, input::suggestion(wanted, names)));
}

class VariabilityResponse final : public Method {
 public:
  explicit VariabilityResponse(const Task& task) : task_(task), field_(wave_in(task.random)) {
    const VariabilitySettings& s = task_.study.variability;
    const double largest =
        s.largest > 0 ? s.largest
                      : std::min(2 * std::numbers::pi * waves_along / field_.beams[0].length, resolved_wave_number(field_));
    std::vector<std::vector<double>> table;
    for (int k = 0; k < s.wave_numbers; ++k) {
      wave_numbers_.push_back(largest * std::pow(double(k) / (s.wave_numbers - 1), grading));
      for (int j = 0; j < s.phases; ++j) table.push_back({wave_numbers_.back(), 2 * std::numbers::pi * j / s.phases});
    }
    plan_ = plan_of(std::move(table));
  }

  const Plan& plan() const override { return plan_; }
  bool needs_responses() const override { return true; }
  bool samples_the_law() const override { return false; }
  bool extends() const override { return false; }

  void conclude(const analysis::StatisticsRequest& q, const analysis::Accumulator& rows,
                results::StudyResult& result) const override {
    if (!result.failures.empty())
      throw NotPossible(fmt::format("variability response functions need all of their {} realizations, and {} failed",
                                    plan_.samples, result.failures.size()));
    results::Variability& v = result.variability;
    v.field = field_.name;
    for (const results::FieldSummary& f : result.fields)
      if (f.name == field_.name) v.correlation = f.correlation;
    v.sigma = field_.wave->sigma;
    v.level = field_.wave->level;
    v.phases = task_.study.variability.phases;
    v.wave_numbers = wave_numbers_;
    v.weights = spectral_weights(field_.correlation, wave_numbers_);
    analysis::add_response_functions([&](long row) { return rows.response(row); }, q.times.size(), q.channels.size(), v);
    const double quantile = distribution_module().normal_quantile((1 + q.confidence) / 2);
    result.statistics = analysis::variability_statistics(v, q.nominal, q.times.size(), q.confidence, quantile);
    result.statistics.realizations = plan_.samples;
    analysis::settle(q.times, q.units, result.statistics);
    tell(q, result);
  }

 private:
  static const BeamField& wave_in(const RandomModel& random) {
    for (const BeamField& f : random.fields())
      if (f.wave) return f;
    throw std::invalid_argument("it needs a random field of a beam");
  }

  void tell(const analysis::StatisticsRequest& q, results::StudyResult& result) const {
    const results::Variability& v = result.variability;
    const bool flexible = field_.property == "E";
    std::vector<std::string>& lines = result.evidence;
    lines.push_back(
        fmt::format("variability: {} wave numbers of {} from 0 to {:.4g} rad/m, {} phases each; {} has a standard deviation of "
                    "{:.4g} of its mean{}; "
                    "everything else has its nominal value",
                    v.wave_numbers.size(), v.field, v.wave_numbers.back(), v.phases, flexible ? "the flexibility 1/E" : v.field,
                    v.sigma, flexible ? fmt::format(", which is {:.4g} of the nominal one", v.level) : ""));
    lines.push_back(fmt::format(
        "mean and standard deviation are predicted for the correlation of the model ({}); the band is that of a normal "
        "distribution; the bound holds for every correlation, both for small scatter",
        v.correlation));
    const double beyond = 1 - power_below(field_.correlation, v.wave_numbers.back());
    if (beyond > unseen)
      lines.push_back(fmt::format("{:.2g} % of the variance of the field is at larger wave numbers, which count like the largest",
                                  100 * beyond));
    if (v.sigma > theory_reaches)
      lines.push_back(fmt::format("a standard deviation of {:.2g} is large for this theory: compare with monte-carlo", v.sigma));
    TextTable table(2);
    table.row({"output", "at", "std", "bound", "largest at"});
    for (size_t c = 0; c < q.channels.size(); ++c) {
      if (!result.statistics.channels[c].varies) {
        table.row({q.channels[c], "does not vary"});
        continue;
      }
      const results::Variability::OfChannel& of = v.of[c];
      const size_t t = size_t(std::max_element(of.bound.begin(), of.bound.end()) - of.bound.begin());
      size_t worst = 0;
      for (size_t k = 0; k < wave_numbers_.size(); ++k)
        if (of.dvrf[k * q.times.size() + t] > of.dvrf[worst * q.times.size() + t]) worst = k;
      table.row({q.channels[c], fmt::format("{:.4g} s", q.times[t]), fmt::format("{:.3g}", result.statistics.channels[c].std[t]),
                 fmt::format("{:.3g}", of.bound[t]), fmt::format("{:.3g} rad/m", wave_numbers_[worst])});
    }
    for (const std::string& line : table.lines(page_width - 2)) lines.push_back("  " + line);
  }

  Task task_;
  const BeamField& field_;
  std::vector<double> wave_numbers_;
  Plan plan_;
};

}  // namespace

extern const MethodKind variability_method;
constinit const MethodKind variability_method = {
    .name = "variability",
    .make = [](const Task& task) -> std::unique_ptr<Method> { return std::make_unique<VariabilityResponse>(task); },
    .design = [](const Study&) -> std::string { return "monte-carlo"; },
    .to_accuracy = false,
    .inputs = [](const RandomModel& random, const Study& study) -> std::vector<std::string> {
      const BeamField& f = chosen_field(random, study);
      wave_of(f);  // that there is one
      return {wave_number_of(f.name), phase_of(f.name)};
    },
};

}  // namespace aleator::core
