// Numbers of the model itself by least squares: the curves of the nominal model, as near to what was measured as they come.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "identify.hpp"
#include "inference/hints.hpp"
#include "inference/least_squares.hpp"
#include "input/error.hpp"

namespace aleator::app {

using results::FreeParameter;

namespace {

constexpr double follows = 0.9;      // R² from which a curve is called a good fit where the noise is not known
constexpr double smallest_p = 0.01;  // as in inference/fit.cpp

// A measured point, and where it is among the model's times.
struct Point {
  int before, channel;
  double beyond, value, weight;
};

std::vector<Point> points_of(const results::Measurements& measured, const std::vector<double>& times, bool noise_known) {
  std::vector<Point> out;
  const size_t channels = measured.channels.size();
  std::vector<double> weights(channels, 1.0);
  for (size_t c = 0; c < channels; ++c) {
    // Of outputs with unknown noise all are taken to be as exact, relative to their size.
    double square = 0;
    long count = 0;
    for (const results::Specimen& s : measured.specimens)
      for (size_t t = 0; t < s.times.size(); ++t)
        if (const double y = s.values[t * channels + c]; std::isfinite(y)) square += y * y, ++count;
    weights[c] = noise_known ? 1 / measured.noise[c] : square > 0 ? std::sqrt(double(count) / square) : 1;
  }
  for (const results::Specimen& s : measured.specimens)
    for (size_t t = 0; t < s.times.size(); ++t)
      for (size_t c = 0; c < channels; ++c) {
        const double y = s.values[t * channels + c];
        if (!std::isfinite(y)) continue;
        const auto after = std::upper_bound(times.begin(), times.end() - 1, s.times[t]);
        const int before = std::max(0, int(after - times.begin()) - 1);
        const double step = times[size_t(before) + 1] - times[size_t(before)];
        out.push_back({before, int(c), (s.times[t] - times[size_t(before)]) / step, y, weights[c]});
      }
  return out;
}

double at(const Point& p, const std::vector<double>& response, size_t channels) {
  const double a = response[size_t(p.before) * channels + size_t(p.channel)],
               b = response[size_t(p.before + 1) * channels + size_t(p.channel)];
  return a + p.beyond * (b - a);
}

std::string percent(double x) { return fmt::format("{:.3g} %", 100 * x); }

}  // namespace

void calibrate(IdentifyTask& task) {
  results::Identification& found = task.found;
  const FreeModel& free = task.free;
  const results::Measurements& measured = found.measured;
  const size_t channels = measured.channels.size();
  const bool noise_known = std::all_of(measured.noise.begin(), measured.noise.end(), [](double s) { return s > 0; });
  const std::vector<Point> points = points_of(measured, free.times(), noise_known);

  inference::Responses seen{free.times(), int(channels), {}};  // for hints
  const inference::Residuals residuals = [&](const inference::Points& at_points) {
    std::vector<std::vector<double>> out;
    for (const std::vector<double>& response : free.nominal(at_points)) {
      std::vector<double>& r = out.emplace_back();
      if (response.empty()) continue;
      if (seen.count() < 64) seen.values.insert(seen.values.end(), response.begin(), response.end());
      for (const Point& p : points) r.push_back((at(p, response, channels) - p.value) * p.weight);
    }
    return out;
  };
  std::vector<inference::BoundedParameter> parameters;
  const std::vector<double> written = free.written();
  for (int i = 0; i < free.dimensions(); ++i) {
    const FreeParameter& p = free.parameters()[size_t(i)];
    parameters.push_back({p.name, written[size_t(i)], p.from, p.to});
  }
  inference::LeastSquaresSettings settings;
  settings.noise_known = noise_known;
  settings.confidence = task.study.confidence;
  inference::LeastSquaresFit fit;
  try {
    fit = inference::least_squares(residuals, parameters, settings);
  } catch (const std::runtime_error& e) {
    throw input::InputError(task.study.data.at, e.what()).in_file(task.study.file);
  }
  const std::vector<std::string> hints = inference::hints(seen, measured);
  if (const std::string reason = inference::absurd(seen, measured); !reason.empty())
    throw input::InputError(task.study.data.at, "the measurements cannot belong to this model: " + reason)
        .in_file(task.study.file);

  task.estimate = fit.x;
  found.parameters = free.parameters();
  found.evaluations = fit.evaluations;
  found.samples = 1;
  found.correlation = fit.correlation;
  for (size_t i = 0; i < found.parameters.size(); ++i) {
    FreeParameter& p = found.parameters[i];
    p.estimate = fit.x[i];
    p.std = fit.standard_error[i];
    p.lower = fit.lower[i];
    p.upper = fit.upper[i];
    p.open_below = fit.open_below[i];
    p.open_above = fit.open_above[i];
  }
  found.warnings = fit.notes;

  // The curve, and how near it is.
  const std::vector<double> best = free.nominal({fit.x})[0];
  found.times = free.times();
  for (size_t c = 0; c < channels; ++c) {
    results::PredictedBand& band = found.bands.emplace_back();
    for (size_t t = 0; t < found.times.size(); ++t) band.mean.push_back(best[t * channels + c]);
  }
  std::string near;
  double worst = 1;
  for (size_t c = 0; c < channels; ++c) {
    double mean = 0, total = 0, rest = 0;
    long count = 0;
    for (const Point& p : points)
      if (p.channel == int(c)) mean += p.value, ++count;
    if (count == 0) continue;
    mean /= double(count);
    for (const Point& p : points)
      if (p.channel == int(c)) total += std::pow(p.value - mean, 2), rest += std::pow(at(p, best, channels) - p.value, 2);
    const double explained = total > 0 ? 1 - rest / total : 1;
    worst = std::min(worst, explained);
    near += fmt::format("{}{} of the variance of {} (rms difference {:.3g})", near.empty() ? "" : ", ",
                        percent(std::max(0.0, explained)), measured.channels[c], std::sqrt(rest / double(count)));
  }
  found.fit_p = fit.p;
  found.explained = noise_known ? fit.p >= smallest_p : worst >= follows;
  if (noise_known)
    found.verdict = found.explained
                        ? fmt::format(
                              "The model explains the measurements: what remains is as large as the noise (chi-squared {:.3g} "
                              "per degree of freedom, p = {:.2g}). The curves follow {}.",
                              fit.reduced, fit.p, near)
                        : fmt::format(
                              "The model does not explain the measurements: what remains is larger than the noise "
                              "(chi-squared {:.3g} per degree of freedom, p = {:.1g}). The curves follow {}. Do not use the "
                              "identified values.",
                              fit.reduced, fit.p, near);
  else
    found.verdict = found.explained ? fmt::format(
                                          "The curves follow {}. How exact the measurements are is not given, and so taken from "
                                          "what remains.",
                                          near)
                                    : fmt::format(
                                          "The model does not explain the measurements: the curves follow only {}. Do not use "
                                          "the identified values.",
                                          near);
  if (!found.explained) found.warnings.insert(found.warnings.end(), hints.begin(), hints.end());
}

}  // namespace aleator::app
