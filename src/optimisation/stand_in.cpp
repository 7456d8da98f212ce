#include "optimisation/stand_in.hpp"

#include <algorithm>
#include <cmath>

namespace aleator::core::optimisation {

using inference::Surrogate;

namespace {

constexpr double unbent = 1e100;  // these are no log-likelihoods: no value is too low to be taken as it is

// As shares of the mean square error, so that one number, which the fit finds, says how much of the errors differs between neighbours: with
// common random numbers little does.
std::vector<double> weights_of(const std::vector<const Observed*>& good, size_t statistic) {
  double mean = 0;
  for (const Observed* o : good) mean += o->error[statistic] * o->error[statistic] / double(good.size());
  std::vector<double> out;
  for (const Observed* o : good)
    out.push_back(mean > 0 ? std::clamp(o->error[statistic] * o->error[statistic] / mean, 0.01, 100.0) : 1.0);
  return out;
}

Eigen::MatrixXd matrix_of(const std::vector<const Observed*>& points, int dimensions) {
  Eigen::MatrixXd out(dimensions, Eigen::Index(points.size()));
  for (size_t i = 0; i < points.size(); ++i)
    for (int k = 0; k < dimensions; ++k) out(k, Eigen::Index(i)) = points[i]->at[size_t(k)];
  return out;
}

double spread_of(const std::vector<double>& values) {
  double least = INFINITY, most = -INFINITY;
  for (const double x : values)
    if (std::isfinite(x)) least = std::min(least, x), most = std::max(most, x);
  return most > least ? most - least : 0;
}

}  // namespace

StandIn::At corrected(const Observed& o, const std::vector<Correction>& corrections) {
  StandIn::At out{o.z, o.error, std::vector<double>(o.z.size(), 0.0), 1};
  for (size_t j = 0; j < corrections.size(); ++j) out.z[j] += corrections[j].shift, out.error[j] *= corrections[j].factor;
  return out;
}

StandIn::StandIn(const Problem& problem, const std::vector<Observed>& observed, std::vector<Correction> corrections,
                 const StandIn* earlier)
    : corrections_(std::move(corrections)), of_(size_t(problem.statistics)) {
  std::vector<const Observed*> all;
  std::vector<double> simulates;
  for (const Observed& o : observed) {
    all.push_back(&o);
    simulates.push_back(o.ok ? 1 : 0);
    if (o.ok) good_.push_back(&o);
  }
  all_simulate_ = good_.size() == all.size();
  if (!all_simulate_ && all.size() > 1) simulates_ = Surrogate(matrix_of(all, problem.dimensions), simulates, unbent);
  const Eigen::MatrixXd points = matrix_of(good_, problem.dimensions);
  for (size_t j = 0; j < of_.size(); ++j) {
    std::vector<double> z;
    for (const Observed* o : good_) z.push_back(o->z[j]);
    of_[j].center = z.empty() ? 0 : z[0];
    of_[j].scale = spread_of(z);
    of_[j].constant = z.size() < 2 || !(of_[j].scale > 1e-13 * std::abs(of_[j].center));
    if (of_[j].constant) continue;
    for (double& x : z) x = (x - of_[j].center) / of_[j].scale;
    const Surrogate* start = earlier && !earlier->of_[j].constant ? &earlier->of_[j].kriging : nullptr;
    of_[j].kriging = Surrogate(points, z, unbent, start, weights_of(good_, j));
  }
  const auto spread = [&](const Problem::Function& f) {
    std::vector<double> values;
    for (const Observed* o : good_) values.push_back(f(o->at, o->z));
    return spread_of(values);
  };
  for (const Problem::Function& g : problem.constraints) spreads_.push_back(std::max(spread(g), 1e-300));
  cost_spread_ = spread(problem.cost);
}

StandIn::At StandIn::at(std::span<const double> place, bool with_deviation) const {
  At out;
  const size_t n = of_.size();
  out.z.resize(n), out.error.resize(n), out.deviation.assign(n, 0.0);
  if (!all_simulate_) out.simulates = simulates_.value(place);
  for (size_t j = 0; j < n; ++j) {
    const OfStatistic& s = of_[j];
    out.z[j] = s.center + (s.constant ? 0 : s.scale * s.kriging.value(place));
    if (with_deviation && !s.constant) out.deviation[j] = s.scale * s.kriging.deviation(place);
    // Standard errors change slowly: weighted by distance (Shepard).
    double sum = 0, weights = 0;
    for (const Observed* o : good_) {
      double squared = 1e-9;
      for (size_t k = 0; k < place.size(); ++k) {
        const double r = (place[k] - o->at[k]) / (s.constant ? 1 : s.kriging.lengths()[Eigen::Index(k)]);
        squared += r * r;
      }
      const double w = 1 / (squared * squared);
      sum += w * o->error[j], weights += w;
    }
    out.error[j] = weights > 0 ? sum / weights : 0;
    if (j < corrections_.size()) out.z[j] += corrections_[j].shift, out.error[j] *= corrections_[j].factor;
  }
  return out;
}

// By first order in the statistics.
Predicted StandIn::of(const Problem::Function& f, std::span<const double> place, const At& at) {
  Predicted out;
  out.value = f(place, at.z);
  std::vector<double> z = at.z;
  double error = 0, deviation = 0;
  for (size_t j = 0; j < z.size(); ++j) {
    const double reach = std::max(at.error[j], at.deviation[j]);
    if (!(reach > 0)) continue;
    const double h = 0.1 * reach;
    z[j] = at.z[j] + h;
    const double above = f(place, z);
    z[j] = at.z[j] - h;
    const double slope = (above - f(place, z)) / (2 * h);
    z[j] = at.z[j];
    if (!std::isfinite(slope)) continue;
    error += std::pow(slope * at.error[j], 2);
    deviation += std::pow(slope * at.deviation[j], 2);
  }
  out.error = std::sqrt(error);
  out.deviation = std::sqrt(deviation);
  return out;
}

}  // namespace aleator::core::optimisation
