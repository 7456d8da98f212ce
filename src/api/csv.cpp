#include "api/csv.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "analysis/stored_expansion.hpp"
#include "input/error.hpp"
#include "propagation/evaluate_expansion.hpp"
#include "propagation/method.hpp"
#include "results/read.hpp"
#include "study/loaded_model.hpp"

namespace aleator::core {

void write_samples(const aleator::Model& loaded, const Study& asked, AtomicFile& to) {
  const LoadedModel& model = loaded.compiled();
  const RandomModel& random = model.random();
  if (random.empty())
    throw input::InputError(model.model.description.top.at, "nothing is uncertain: there is nothing to sample")
        .in_file(model.file);
  Study study = asked;
  study.sensitivity = false;
  const Plan plan = sampling_plan(study, random);
  std::string text = "realization";
  for (const std::string& c : random.columns()) text += "," + c;
  text += "\n";
  for (long k = 0; k < study.samples; ++k) {
    text += fmt::format("{}", k);
    for (const double x : sample_of(random, plan, study.seed, k)) text += fmt::format(",{:.17g}", x);
    text += "\n";
    if (text.size() < (std::size_t(1) << 20)) continue;
    to.write(text);
    text.clear();
  }
  to.write(text);
}

std::string response_csv(const std::string& results, const aleator::Settings& at) {
  const aleator::Trajectory y = evaluate_expansion(results, at);
  std::string text = "time";
  for (const aleator::Channel& c : y.outputs) text += "," + c.name;
  text += "\n";
  for (std::size_t t = 0; t < y.time.size(); ++t) {
    text += fmt::format("{:.17g}", y.time[t]);
    for (std::size_t c = 0; c < y.outputs.size(); ++c) text += fmt::format(",{:.17g}", y.values[t * y.outputs.size() + c]);
    text += "\n";
  }
  return text;
}

std::string prediction_csv(const std::string& results, const std::string& correlation) {
  const aleator::PredictedVariability y = predict_variability(results, correlation);
  std::string text = "time";
  for (const aleator::Channel& c : y.outputs) text += fmt::format(",{0}.mean,{0}.std,{0}.bound", c.name);
  text += "\n";
  for (std::size_t t = 0; t < y.time.size(); ++t) {
    text += fmt::format("{:.17g}", y.time[t]);
    for (std::size_t i = t * y.outputs.size(); i < (t + 1) * y.outputs.size(); ++i)
      text += fmt::format(",{:.17g},{:.17g},{:.17g}", y.mean[i], y.std[i], y.bound[i]);
    text += "\n";
  }
  return text;
}

DensityTable density_csv(const std::string& results, const std::string& output, double time) {
  const analysis::StoredExpansion s = analysis::read_expansion(results::StudyReader(results));
  if (time < s.times.front() || time > s.times.back())
    throw std::invalid_argument(fmt::format("the time is outside of {:g} … {:g} s", s.times.front(), s.times.back()));
  const DensityAt d = density_at(s, output, time);
  std::string text = fmt::format("{},density at t = {:.17g}\n", output, d.time);
  for (std::size_t i = 0; i < d.density.values.size(); ++i)
    text += fmt::format("{:.17g},{:.17g}\n", d.density.values[i], d.density.density[i]);
  return {text, d.time, !d.density.values.empty()};
}

}  // namespace aleator::core
