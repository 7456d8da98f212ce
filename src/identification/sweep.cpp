// The spread of the responses against each free parameter, the others as the model has them: "sensitivity with respect to the
// level of uncertainties".
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/atomic_file.hpp"
#include "identification/identify.hpp"
#include "inference/predicted_bands.hpp"
#include "uncertainty/hyper_parameters.hpp"

namespace aleator::core {

using inference::Responses;

namespace {

constexpr int batches = 10;  // for standard errors

// (1/T ∫ variance dt)^½ of a channel over some realizations; the times are evenly spaced.
double spread(const Responses& r, int channel, long first, long count) {
  const size_t times = r.times.size(), channels = size_t(r.channels);
  double sum = 0;
  for (size_t t = 0; t < times; ++t) {
    double mean = 0, square = 0;
    for (long k = first; k < first + count; ++k) mean += r.values[(size_t(k) * times + t) * channels + size_t(channel)];
    mean /= double(count);
    for (long k = first; k < first + count; ++k) {
      const double d = r.values[(size_t(k) * times + t) * channels + size_t(channel)] - mean;
      square += d * d;
    }
    sum += square / double(count - 1);
  }
  return std::sqrt(sum / double(times));
}

// From the scatter of the variance over batches: s = √v, error(s) = error(v) / 2s.
double spread_error(const Responses& r, int channel, double s) {
  const long each = r.count() / batches;
  if (each < 2 || !(s > 0)) return results::FreeParameter::unknown;
  double mean = 0, square = 0;
  for (int b = 0; b < batches; ++b) {
    const double v = std::pow(spread(r, channel, b * each, each), 2);
    mean += v / batches;
    square += v * v / batches;
  }
  return std::sqrt(std::max(0.0, square - mean * mean) / (batches - 1)) / (2 * s);
}

double mean_width(const results::PredictedBand& band) {
  double sum = 0;
  for (size_t t = 0; t < band.mean.size(); ++t) sum += band.upper[t] - band.lower[t];
  return sum / double(band.mean.size());
}

// "rb5.mass.cov changes the spread most: over its range that of accel_z lies between 0.2 and 3.1."
std::string most_influential(const results::Identification& found) {
  std::string out;
  double strongest = 0;
  for (size_t p = 0; p < found.sweeps.size(); ++p)
    for (size_t c = 0; c < found.measured.channels.size(); ++c) {
      const std::vector<double>& s = found.sweeps[p].spread[c];
      if (s.size() < 2) continue;
      const auto [least, most] = std::minmax_element(s.begin(), s.end());
      if (!(*most > 0) || 1 - *least / *most <= strongest) continue;
      strongest = 1 - *least / *most;
      out = fmt::format("{} changes the spread most: over its range that of {} lies between {:.4g} and {:.4g}.",
                        found.parameters[p].name, found.measured.channels[c], *least, *most);
    }
  return out.empty() ? "None of the parameters changes the spread." : out;
}

void write_csv(const IdentifyTask& task) {
  const results::Identification& found = task.found;
  std::string text = "parameter,value";
  for (const std::string& c : found.measured.channels)
    text += fmt::format(",spread of {0},standard error of it,width of the {1:g} % band of {0}", c, 100 * found.band_confidence);
  text += "\n";
  for (size_t p = 0; p < found.sweeps.size(); ++p)
    for (size_t k = 0; k < found.sweeps[p].at.size(); ++k) {
      text += fmt::format("{},{:.10g}", found.parameters[p].name, found.sweeps[p].at[k]);
      for (size_t c = 0; c < found.measured.channels.size(); ++c)
        text += fmt::format(",{:.10g},{:.3g},{:.10g}", found.sweeps[p].spread[c][k], found.sweeps[p].spread_error[c][k],
                            found.sweeps[p].width[c][k]);
      text += "\n";
    }
  AtomicFile file(task.options.folder + "/sweep.csv");
  file.write(text);
  file.commit();
}

// The responses at one place; none where it is left out, which a warning tells.
Responses responses_at(IdentifyTask& task, const std::vector<double>& values, size_t parameter) {
  const auto leave_out = [&](const std::string& why) {
    task.found.warnings.push_back(
        fmt::format("{} = {:.4g} is left out: {}", task.found.parameters[parameter].name, values[parameter], why));
    return Responses{};
  };
  try {
    Responses r = task.free.responses(values, task.study.samples, task.study.seed);
    ++task.found.evaluations;
    return r.count() < 2 ? leave_out("the simulations failed") : r;
  } catch (const ImpossibleLaw& e) {
    return leave_out(e.message());
  }
}

void add_place(results::Sweep& s, double at, const Responses& r, double band) {
  s.at.push_back(at);
  const size_t channels = s.spread.size();
  const std::vector<results::PredictedBand> bands = inference::predicted_bands(r, std::vector<double>(channels, 0.0), band);
  for (size_t c = 0; c < channels; ++c) {
    s.spread[c].push_back(spread(r, int(c), 0, r.count()));
    s.spread_error[c].push_back(spread_error(r, int(c), s.spread[c].back()));
    s.width[c].push_back(mean_width(bands[c]));
  }
}

}  // namespace

void sweep(IdentifyTask& task) {
  const inference::IdentificationStudy& study = task.study;
  results::Identification& found = task.found;
  const FreeModel& free = task.free;
  const size_t channels = found.measured.channels.size();
  found.parameters = free.parameters();
  found.samples = study.samples;
  found.band_confidence = study.band;
  task.estimate = free.written();
  for (size_t i = 0; i < found.parameters.size(); ++i) {
    results::Sweep s;
    s.spread.resize(channels), s.spread_error.resize(channels), s.width.resize(channels);
    for (long k = 0; k < study.places; ++k) {
      std::vector<double> values = free.written();
      values[i] = free.value(int(i), double(k) / double(study.places - 1));
      if (task.options.on_progress)
        task.options.on_progress({.phase = fmt::format("values ({} = {:.4g})", found.parameters[i].name, values[i]),
                                  .done = long(i) * study.places + k,
                                  .planned = long(found.parameters.size()) * study.places});
      if (const Responses r = responses_at(task, values, i); r.count() > 0) add_place(s, values[i], r, study.band);
    }
    found.sweeps.push_back(std::move(s));
  }
  warn_of_failures(task);
  found.verdict = most_influential(found);
  if (!task.options.folder.empty()) write_csv(task);
}

}  // namespace aleator::core
