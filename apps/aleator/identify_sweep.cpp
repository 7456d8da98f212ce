// The spread of the responses against each free parameter, the others as the model has them: "sensitivity with respect to the
// level of uncertainties".
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "identify.hpp"
#include "inference/predicted_bands.hpp"
#include "progress_line.hpp"
#include "results/atomic_file.hpp"
#include "uncertainty/hyper_parameters.hpp"

namespace aleator::app {

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

// "rb5.mass.cov changes the spread most: over its range that of left grows 1.9 times, …"
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
  results::AtomicFile file(task.arguments.folder() + "/sweep.csv");
  file.write(text);
  file.commit();
}

}  // namespace

void sweep(IdentifyTask& task) {
  const inference::IdentificationStudy& study = task.study;
  results::Identification& found = task.found;
  const FreeModel& free = task.free;
  const size_t channels = found.measured.channels.size();
  const std::vector<double> no_noise(channels, 0.0);
  found.parameters = free.parameters();
  found.samples = study.samples;
  found.band_confidence = study.band;
  task.estimate = free.written();
  ProgressLine progress;
  for (int i = 0; i < free.dimensions(); ++i) {
    results::Sweep s;
    s.spread.resize(channels), s.spread_error.resize(channels), s.width.resize(channels);
    for (long k = 0; k < study.places; ++k) {
      std::vector<double> values = free.written();
      values[size_t(i)] = free.value(i, double(k) / double(study.places - 1));
      progress([&] { return fmt::format("{} = {:.4g}", found.parameters[size_t(i)].name, values[size_t(i)]); });
      Responses r;
      try {
        r = free.responses(values, study.samples, study.seed);
      } catch (const ImpossibleLaw& e) {
        found.warnings.push_back(
            fmt::format("{} = {:.4g} is left out: {}", found.parameters[size_t(i)].name, values[size_t(i)], e.message()));
        continue;
      }
      ++found.evaluations;
      if (r.count() < 2) {
        found.warnings.push_back(
            fmt::format("{} = {:.4g} is left out: the simulations failed", found.parameters[size_t(i)].name, values[size_t(i)]));
        continue;
      }
      s.at.push_back(values[size_t(i)]);
      const std::vector<results::PredictedBand> bands = inference::predicted_bands(r, no_noise, study.band);
      for (size_t c = 0; c < channels; ++c) {
        s.spread[c].push_back(spread(r, int(c), 0, r.count()));
        s.spread_error[c].push_back(spread_error(r, int(c), s.spread[c].back()));
        s.width[c].push_back(mean_width(bands[c]));
      }
    }
    found.sweeps.push_back(std::move(s));
  }
  if (free.failed() > 0.001)
    found.warnings.push_back(fmt::format("{:.2g} % of all simulations failed and were left out", 100 * free.failed()));
  found.verdict = most_influential(found);
  results::create_folder(task.arguments.folder());
  write_csv(task);
}

}  // namespace aleator::app
