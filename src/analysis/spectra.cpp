#include "analysis/spectra.hpp"

#include <cmath>

#include "analysis/replicates.hpp"
#include "base/constants.hpp"

namespace aleator::core::analysis {

SpectrumEstimator::SpectrumEstimator(std::span<const SpectrumSettings> settings, std::span<const double> times,
                                     std::size_t channels, std::size_t replicates)
    : channels_(channels) {
  for (const SpectrumSettings& s : settings) {
    const Welch welch(times, s.from, s.segment);
    if (!welch.possible()) continue;
    const Moments none(welch.frequencies().size());
    of_.push_back({s, welch, none, std::vector<Moments>(replicates > 1 ? replicates : 0, none)});
  }
}

void SpectrumEstimator::add(std::span<const double> values, std::size_t replicate) {
  for (One& s : of_) {
    const std::vector<double> density = s.welch.density(values.data() + s.settings.channel, int(channels_));
    s.all.add(density);
    if (!s.parts.empty()) s.parts[replicate].add(density);
  }
}

namespace {

// Standard errors times this: ± two of them cover 95 %, however few realizations or randomisations they rest on.
double error_factor(const Moments& all, const std::vector<Moments>& parts) {
  if (!parts.empty()) return replicate_factor(parts.size());
  return all.count(0) > 1 ? student_factor(all.count(0) - 1) : nan;
}

double error_of_mean(const Moments& all, const std::vector<Moments>& parts, std::size_t i) {
  if (parts.empty()) return all.mean(i).error;
  std::vector<double> values;
  for (const Moments& m : parts) values.push_back(m.mean(i).value);
  return scatter_of_mean(values);
}

}  // namespace

std::vector<results::Spectrum> SpectrumEstimator::finish(std::span<const double> nominal) const {
  std::vector<results::Spectrum> out;
  for (const One& s : of_) {
    results::Spectrum& to = out.emplace_back();
    to.channel = s.settings.channel;
    to.from = s.settings.from;
    to.segment = s.welch.segment();
    to.segments = long(s.welch.segments());
    to.frequency = s.welch.frequencies();
    to.nominal = s.welch.density(nominal.data() + s.settings.channel, int(channels_));
    const double wider = error_factor(s.all, s.parts);
    for (std::size_t i = 0; i < to.frequency.size(); ++i) {
      const double mean = s.all.mean(i).value, error = wider * error_of_mean(s.all, s.parts, i);
      const double factor = mean > 0 ? std::exp(2 * error / mean) : 1;
      to.mean.push_back(mean);
      to.error.push_back(error);
      to.lower.push_back(mean / factor);
      to.upper.push_back(mean * factor);
    }
  }
  return out;
}

void SpectrumEstimator::save(const PutState& put) const {
  for (const One& s : of_) {
    s.all.save(put);
    for (const Moments& m : s.parts) m.save(put);
  }
}

void SpectrumEstimator::load(StateReader& from) {
  for (One& s : of_) {
    s.all.load(from);
    for (Moments& m : s.parts) m.load(from);
  }
}

void SpectrumEstimator::append(const SpectrumEstimator& later) {
  for (std::size_t k = 0; k < of_.size(); ++k) {
    of_[k].all.append(later.of_[k].all);
    for (std::size_t r = 0; r < of_[k].parts.size(); ++r) of_[k].parts[r].append(later.of_[k].parts[r]);
  }
}

void SpectrumEstimator::clear() {
  for (One& one : of_) {
    one.all.clear();
    for (Moments& m : one.parts) m.clear();
  }
}

}  // namespace aleator::core::analysis
