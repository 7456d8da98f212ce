// Numbers of the model itself by least squares: the curves of the nominal model, as near to what was measured as they come.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "identification/identify.hpp"
#include "inference/hints.hpp"
#include "inference/least_squares.hpp"
#include "inference/observed_point.hpp"
#include "input/error.hpp"

namespace aleator::core {

using results::FreeParameter;

namespace {

constexpr double follows = 0.9;      // R² from which a curve is called a good fit where the noise is not known
constexpr double smallest_p = 0.01;  // as in inference/fit.cpp
constexpr long worth_keeping = 64;   // responses for hints

struct Measured {
  inference::ObservedPoint point;
  double value, weight;

  double predicted(const std::vector<double>& response, size_t channels) const {
    return point.of([&](int t) { return response[size_t(t) * channels + size_t(point.channel)]; });
  }
};

// How near the curves of one output are.
struct Nearness {
  double explained = 1;   // of the variance of what was measured
  double difference = 0;  // rms
};

class Calibration {
 public:
  explicit Calibration(IdentifyTask& task) : task_(task), channels_(task.found.measured.channels.size()) {
    const std::vector<double>& noise = task.found.measured.noise;
    noise_known_ = std::all_of(noise.begin(), noise.end(), [](double s) { return s > 0; });
    noise_partly_known_ = !noise_known_ && std::any_of(noise.begin(), noise.end(), [](double s) { return s > 0; });
    seen_ = {task.free.times(), int(channels_), {}};
  }

  void run() {
    collect();
    search();
    refuse_the_absurd();
    take_parameters();
    judge();
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw input::InputError(task_.study.data.at, why).in_file(task_.study.file);
  }

  // Of outputs with unknown noise all are taken to be as exact, relative to their size.
  double weight(size_t channel) const {
    const results::Measurements& measured = task_.found.measured;
    if (noise_known_) return 1 / measured.noise[channel];
    double square = 0;
    long count = 0;
    for (const results::Specimen& s : measured.specimens)
      for (size_t t = 0; t < s.times.size(); ++t)
        if (const double y = s.values[t * channels_ + channel]; std::isfinite(y)) square += y * y, ++count;
    return square > 0 ? std::sqrt(double(count) / square) : 1;
  }

  void collect() {
    for (size_t c = 0; c < channels_; ++c) {
      const double w = weight(c);
      for (const results::Specimen& s : task_.found.measured.specimens)
        for (size_t t = 0; t < s.times.size(); ++t)
          if (const double y = s.values[t * channels_ + c]; std::isfinite(y))
            measured_.push_back({inference::observed_point(task_.free.times(), s.times[t], int(c), s.name), y, w});
    }
  }

  std::vector<std::vector<double>> residuals(const inference::Points& points) {
    std::vector<std::vector<double>> out;
    for (const std::vector<double>& response : task_.free.nominal(points)) {
      std::vector<double>& r = out.emplace_back();
      if (response.empty()) continue;
      if (seen_.count() < worth_keeping) seen_.values.insert(seen_.values.end(), response.begin(), response.end());
      for (const Measured& m : measured_) r.push_back((m.predicted(response, channels_) - m.value) * m.weight);
    }
    return out;
  }

  void search() {
    std::vector<inference::BoundedParameter> parameters;
    const std::vector<double> written = task_.free.written();
    for (size_t i = 0; i < written.size(); ++i) {
      const FreeParameter& p = task_.free.parameters()[i];
      parameters.push_back({p.name, written[i], p.from, p.to});
    }
    inference::LeastSquaresSettings settings;
    settings.noise_known = noise_known_;
    settings.confidence = task_.study.confidence;
    try {
      fit_ = inference::least_squares([&](const inference::Points& points) { return residuals(points); }, parameters, settings);
    } catch (const std::runtime_error& e) {
      refuse(e.what());
    }
  }

  void refuse_the_absurd() const {
    const std::string reason = inference::absurd(seen_, task_.found.measured);
    if (!reason.empty()) refuse("the measurements cannot belong to this model: " + reason);
  }

  void take_parameters() {
    results::Identification& found = task_.found;
    task_.estimate = fit_.x;
    found.parameters = task_.free.parameters();
    found.evaluations = fit_.evaluations;
    found.samples = 1;
    found.correlation = fit_.correlation;
    for (size_t i = 0; i < found.parameters.size(); ++i) {
      FreeParameter& p = found.parameters[i];
      p.estimate = fit_.x[i];
      p.std = fit_.standard_error[i];
      p.lower = fit_.lower[i];
      p.upper = fit_.upper[i];
      p.open_below = fit_.open_below[i];
      p.open_above = fit_.open_above[i];
    }
    found.warnings = fit_.notes;
    if (noise_partly_known_)
      found.warnings.emplace_back(
          "noise is given of some outputs only, and so of none: outputs count as equally exact, relative to their size");
  }

  Nearness nearness(const std::vector<double>& curves, size_t channel) const {
    double mean = 0, count = 0, total = 0, rest = 0;
    for (const Measured& m : measured_)
      if (m.point.channel == int(channel)) mean += m.value, ++count;
    if (count == 0) return {};
    mean /= count;
    for (const Measured& m : measured_)
      if (m.point.channel == int(channel))
        total += std::pow(m.value - mean, 2), rest += std::pow(m.predicted(curves, channels_) - m.value, 2);
    return {total > 0 ? 1 - rest / total : 1, std::sqrt(rest / count)};
  }

  void judge() {
    results::Identification& found = task_.found;
    const std::vector<double> curves = task_.free.nominal({fit_.x})[0];
    found.times = task_.free.times();
    std::string near;
    double worst = 1;
    for (size_t c = 0; c < channels_; ++c) {
      results::PredictedBand& band = found.bands.emplace_back();
      for (size_t t = 0; t < found.times.size(); ++t) band.mean.push_back(curves[t * channels_ + c]);
      const Nearness n = nearness(curves, c);
      worst = std::min(worst, n.explained);
      near += fmt::format("{}{:.3g} % of the variance of {} (rms difference {:.3g})", near.empty() ? "" : ", ",
                          100 * std::max(0.0, n.explained), found.measured.channels[c], n.difference);
    }
    found.fit_p = fit_.p;
    found.explained = noise_known_ ? fit_.p >= smallest_p : worst >= follows;
    found.verdict = noise_known_ ? verdict_against_noise(near) : verdict_by_eye(near);
    if (found.explained) return;
    for (const std::string& hint : inference::hints(seen_, found.measured)) found.warnings.push_back(hint);
  }

  std::string verdict_against_noise(const std::string& near) const {
    if (task_.found.explained)
      return fmt::format(
          "The model explains the measurements: what remains is as large as the noise (chi-squared {:.3g} per degree of "
          "freedom, p = {:.2g}). The curves follow {}.",
          fit_.reduced, fit_.p, near);
    return fmt::format(
        "The model does not explain the measurements: what remains is larger than the noise (chi-squared {:.3g} per degree of "
        "freedom, p = {:.1g}). The curves follow {}. Do not use the identified values.",
        fit_.reduced, fit_.p, near);
  }

  std::string verdict_by_eye(const std::string& near) const {
    if (task_.found.explained)
      return fmt::format("The curves follow {}. How exact the measurements are is not given, and so taken from what remains.",
                         near);
    return fmt::format(
        "The model does not explain the measurements: the curves follow only {}. Do not use the identified values.", near);
  }

  IdentifyTask& task_;
  size_t channels_;
  bool noise_known_ = false, noise_partly_known_ = false;
  std::vector<Measured> measured_;
  inference::Responses seen_;
  inference::LeastSquaresFit fit_;
};

}  // namespace

void calibrate(IdentifyTask& task) { Calibration(task).run(); }

}  // namespace aleator::core
