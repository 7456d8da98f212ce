#include "analysis/correction.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/constants.hpp"

namespace aleator::core::analysis {

Correction::Column Correction::column(const std::vector<double>& rows, std::size_t width, std::size_t i) {
  Column out;
  for (std::size_t k = i; k < rows.size(); k += width) out.push_back(rows[k]);
  return out;
}

Correction::Correction(const StatisticsRequest& questions, Judges judges)
    : q_(questions),
      judges_(std::move(judges)),
      points_(q_.times.size() * q_.channels.size()),
      scalars_(q_.scalars.size()),
      beyond_(scalars_),
      limits_(q_.limits.size()) {
  const std::size_t nt = q_.times.size(), nl = q_.limits.size();
  for (std::size_t k = 0; k < std::size_t(judges_.n); ++k)
    for (std::size_t s = 0; s < scalars_; ++s) {
      const ReductionSettings& settings =
          judges_.reductions.empty() ? q_.scalars[s].settings : judges_.reductions[k * scalars_ + s];
      const auto of = [&](const std::vector<double>& rows) {
        const double x = reduce(settings, q_.times, &rows[k * points_] + q_.scalars[s].channel, int(q_.channels.size()));
        return std::isfinite(x) ? x : infinity;
      };
      model_scalars_.push_back(of(judges_.model));
      expansion_scalars_.push_back(of(judges_.expansion));
    }
  for (std::size_t s = 0; s < scalars_; ++s) {
    double least = infinity, most = -infinity;
    for (std::size_t k = s; k < model_scalars_.size(); k += scalars_)
      if (std::isfinite(model_scalars_[k])) least = std::min(least, model_scalars_[k]), most = std::max(most, model_scalars_[k]);
    least_.push_back(most >= least ? least : -infinity);
    most_.push_back(most >= least ? most : infinity);
    for (std::size_t k = s; k < expansion_scalars_.size(); k += scalars_)
      expansion_scalars_[k] = believed(s, expansion_scalars_[k]);
  }
  for (std::size_t l = 0; l < nl; ++l) {
    OfLimit& of = limits_[l];
    const std::size_t at_times = q_.limits[l].scalar < 0 ? nt : 0;
    of.model.resize(at_times), of.expansion.resize(at_times), of.near.resize(at_times);
    for (std::size_t k = 0; k < std::size_t(judges_.n); ++k) {
      const double* own = judges_.limits.empty() ? nullptr : &judges_.limits[k * nl];
      const Excess f = excess(l, &judges_.model[k * points_], model_scalars_.data() + k * scalars_, own),
                   g = excess(l, &judges_.expansion[k * points_], expansion_scalars_.data() + k * scalars_, own);
      for (std::size_t t = 0; t < at_times; ++t) of.model[t].push_back(f.at_times[t]), of.expansion[t].push_back(g.at_times[t]);
      of.model_most.push_back(f.most), of.expansion_most.push_back(g.most);
    }
    for (std::size_t t = 0; t < at_times; ++t) of.distance.push_back(mean_distance(of.model[t], of.expansion[t]));
    of.distance_most = mean_distance(of.model_most, of.expansion_most);
  }
}

Correction::Excess Correction::excess(std::size_t limit, const double* values, const double* scalars,
                                      const double* own_limits) const {
  const StatisticsRequest::Limit& l = q_.limits[limit];
  const double sign = l.above ? 1 : -1, level = own_limits ? own_limits[limit] : l.value;
  Excess out{{}, -infinity};
  if (l.scalar >= 0) {
    const double x = scalars[l.scalar];
    return {{}, std::isfinite(x) ? sign * (x - level) : -infinity};  // no value: it passes nothing
  }
  for (std::size_t t = 0; t < q_.times.size(); ++t) {
    out.at_times.push_back(sign * (values[t * q_.channels.size() + std::size_t(l.channel)] - level));
    out.most = std::max(out.most, out.at_times.back());
  }
  return out;
}

double Correction::believed(std::size_t s, double x) const {
  if (is_exact(s)) return x;
  const double range = most_[s] - least_[s];
  return std::isfinite(x) ? std::clamp(x, least_[s] - range, most_[s] + range) : x;
}

double Correction::take_scalar(std::size_t s, double value) {
  const double x = believed(s, value);
  if (!std::isfinite(x) || !std::isfinite(most_[s]) || is_exact(s)) return x;
  const double c = std::clamp(x, least_[s], most_[s]), m = 0.5 * least_[s] + 0.5 * most_[s];
  beyond_[s].distance += std::abs(x - c);
  beyond_[s].square += (x - c) * (x - m + (c - m));
  beyond_[s].sum += x - c;
  return x;
}

double Correction::missed(std::size_t s) const {
  const Column f = column(model_scalars_, scalars_, s), g = column(expansion_scalars_, scalars_, s);
  double n = 0, mean = 0, scatter = 0, difference = 0;
  for (const double x : f)
    if (std::isfinite(x)) mean += x, ++n;
  for (std::size_t k = 0; k < f.size(); ++k) {
    if (std::isfinite(f[k]) != std::isfinite(g[k])) return 1;  // whether there is one at all
    if (!std::isfinite(f[k])) continue;
    scatter += (f[k] - mean / n) * (f[k] - mean / n);
    difference += (f[k] - g[k]) * (f[k] - g[k]);
  }
  return scatter > 0 ? difference / scatter : 0;
}

void Correction::add(std::span<const double> values, std::span<const double> scalars, std::span<const double> limits) {
  ++evaluations_;
  for (std::size_t l = 0; l < limits_.size(); ++l) {
    OfLimit& of = limits_[l];
    const Excess x = excess(l, values.data(), scalars.data(), limits.empty() ? nullptr : limits.data());
    for (std::size_t t = 0; t < of.near.size(); ++t) of.near[t] += std::abs(x.at_times[t]) < of.distance[t] ? 1 : 0;
    of.near_most += std::abs(x.most) < of.distance_most ? 1 : 0;
  }
}

namespace {

results::Estimate at_limit(const results::Estimate& g, std::span<const double> model, std::span<const double> expansion,
                           double near, double distance, double evaluations) {
  const double density = distance > 0 ? near / (2 * distance * evaluations) : 0;
  return corrected_probability(g, disagreement(model, expansion, 0, density), double(model.size()));
}

}  // namespace

results::Estimate Correction::probability(std::size_t l, std::size_t t, const results::Estimate& g) const {
  const OfLimit& of = limits_[l];
  return at_limit(g, of.model[t], of.expansion[t], of.near[t], of.distance[t], evaluations_);
}

results::Estimate Correction::ever(std::size_t l, const results::Estimate& g) const {
  const OfLimit& of = limits_[l];
  return at_limit(g, of.model_most, of.expansion_most, of.near_most, of.distance_most, evaluations_);
}

results::Estimate Correction::scalar_mean(std::size_t s, const results::Estimate& g, double share) const {
  results::Estimate e = corrected_mean(g, column(model_scalars_, scalars_, s), column(expansion_scalars_, scalars_, s), share);
  e.error = std::hypot(e.error, beyond_[s].distance / (evaluations_ * share));
  return e;
}

results::Estimate Correction::scalar_std(std::size_t s, const results::Estimate& g, double mean, double share) const {
  results::Estimate e =
      corrected_std(g, mean, column(model_scalars_, scalars_, s), column(expansion_scalars_, scalars_, s), share);
  const double m = 0.5 * least_[s] + 0.5 * most_[s], squares = beyond_[s].square - 2 * (mean - m) * beyond_[s].sum;
  if (g.value > 0) e.error = std::hypot(e.error, squares / (2 * g.value * evaluations_ * share));
  return e;
}

}  // namespace aleator::core::analysis
