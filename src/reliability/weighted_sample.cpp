#include "reliability/weighted_sample.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/chi_squared.hpp"

namespace aleator::core::reliability {
namespace {

// The mean of all likelihood ratios w is known to be 1. Of failures that are not rare, P = mean(w [fails]) − c (mean(w) − 1) with
// c = cov(w [fails], w)/var(w) has a smaller error, and is 1 where all fail (control variate; Hesterberg 1995).
constexpr double not_rare = 0.1;
double share_of_weights(const Harvest& harvest, int limit) {
  const double n = static_cast<double>(harvest.members.size());
  double p = 0, mean = 0, both = 0, squares = 0;
  for (const auto& m : harvest.members) {
    const double w = m.weight * n, x = excess_of(m.excess, limit) > 0 ? w : 0;
    p += x / n;
    mean += w / n;
    both += x * w / n;
    squares += w * w / n;
  }
  const double variance = squares - mean * mean;
  return p > not_rare && variance > 1e-12 ? (both - p * mean) / variance : 0;
}

// Mean and its standard error of what every parts-th member from `first` on contributes; n: of all members of that part.
struct Part {
  double mean = 0, error = 0;
};
Part part_of(const Harvest& harvest, int limit, std::size_t first, std::size_t parts) {
  const double c = share_of_weights(harvest, limit), all = static_cast<double>(harvest.members.size());
  double sum = 0, squares = 0, n = 0;
  for (std::size_t i = first; i < harvest.members.size(); i += parts) {
    const auto& m = harvest.members[i];
    const double w = m.weight * all, x = (excess_of(m.excess, limit) > 0 ? w : 0) - c * (w - 1);
    sum += x;
    squares += x * x;
    n += 1;
  }
  const double mean = sum / n;
  return {mean, std::sqrt(std::max(0.0, squares / n - mean * mean) / std::max(1.0, n - 1))};
}

}  // namespace

double excess_of(const std::vector<double>& excess, int limit) {
  return limit >= 0 ? excess[static_cast<std::size_t>(limit)] : *std::max_element(excess.begin(), excess.end());
}

WeightedEstimate estimate(const Harvest& harvest, int limit) {
  WeightedEstimate e;
  if (harvest.members.empty()) return e;
  double squares = 0, largest = 0;
  for (const auto& m : harvest.members) {
    if (!(excess_of(m.excess, limit) > 0)) continue;
    e.probability += m.weight;
    squares += m.weight * m.weight;
    largest = std::max(largest, m.weight);
    ++e.failing;
  }
  if (e.probability <= 0) {
    e.cov = std::numeric_limits<double>::quiet_NaN();
    return e;
  }
  e.effective = e.probability * e.probability / squares;
  e.largest = largest / e.probability;
  const Part all = part_of(harvest, limit, 0, 1);
  e.probability = all.mean;
  e.cov = all.error / all.mean;
  return e;
}

results::Reliability::Probability probability_of(double probability, double cov) {
  results::Reliability::Probability p;
  p.probability = std::clamp(probability, 0.0, 1.0);
  p.cov = cov;
  if (!std::isfinite(cov)) return p;
  const double width = std::exp(1.96 * std::sqrt(std::log1p(cov * cov)));
  p.lower = p.probability / width;
  p.upper = std::min(1.0, p.probability * width);
  return p;
}

double agreement_of(const std::vector<double>& estimates, const std::vector<double>& errors) {
  double weights = 0, mean = 0, chi = 0;
  int n = 0;
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    if (!(errors[i] > 0)) continue;
    weights += 1 / (errors[i] * errors[i]);
    mean += estimates[i] / (errors[i] * errors[i]);
    ++n;
  }
  if (n < 2) return 1;
  mean /= weights;
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    if (errors[i] > 0) chi += (estimates[i] - mean) * (estimates[i] - mean) / (errors[i] * errors[i]);
  }
  return chi_squared_tail(chi, n - 1);
}

void compare_parts(const Harvest& harvest, int parts, results::Reliability& found) {
  found.sets.clear();
  const Part whole = part_of(harvest, event, 0, 1);
  if (parts < 2 || harvest.members.size() < 8 * static_cast<std::size_t>(parts) || !(whole.error > 0)) return;
  std::vector<double> errors;
  for (int p = 0; p < parts; ++p) {
    found.sets.push_back(part_of(harvest, event, static_cast<std::size_t>(p), static_cast<std::size_t>(parts)).mean);
    errors.push_back(whole.error *
                     std::sqrt(static_cast<double>(parts)));  // that of the whole: a part with few failures does not know its own
  }
  found.agreement = agreement_of(found.sets, errors);
}

}  // namespace aleator::core::reliability
