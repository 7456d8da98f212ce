#include "uncertainty/quantile_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace aleator::core {

namespace {

// Gauss–Legendre on [−1, 1], 10 points: the positive ones (Abramowitz & Stegun, table 25.4).
constexpr std::array<double, 5> node = {0.1488743389816312, 0.4333953941292472, 0.6794095682990244, 0.8650633666889845,
                                        0.9739065285171717};
constexpr std::array<double, 5> weight = {0.2955242247147529, 0.2692667193099964, 0.2190863625159820, 0.1494513491505806,
                                          0.0666713443086881};

}  // namespace

QuantileTable::QuantileTable(std::function<double(double)> density, double first, double last, int panels)
    : density_(std::move(density)), first_(first), last_(last), below_(panels + 1), above_(panels + 1) {
  std::vector<double> part(panels);
  for (int k = 0; k < panels; ++k) part[k] = integral(end(k), end(k + 1));
  for (int k = 0; k < panels; ++k) below_[k + 1] = below_[k] + part[k];
  for (int k = panels; k-- > 0;) above_[k] = above_[k + 1] + part[k];
  total_ = below_.back();
  for (double& p : below_) p /= total_;
  for (double& p : above_) p /= total_;
}

double QuantileTable::end(std::size_t k) const {
  const std::size_t panels = below_.size() - 1;
  return k == panels ? last_ : first_ + (last_ - first_) * (double(k) / double(panels));
}

double QuantileTable::integral(double from, double to) const {
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  double sum = 0;
  for (std::size_t i = 0; i < node.size(); ++i)
    sum += weight[i] * (density_(middle - half * node[i]) + density_(middle + half * node[i]));
  return half * sum / total_;
}

double QuantileTable::operator()(double u) const {
  if (!(u > 0)) return first_;
  if (!(u < 1)) return last_;
  // In the tail that is smaller: what is missing of it at the end of a panel, away from the tail's end, is found by Newton.
  const bool lower = u < 0.5;
  const double p = lower ? u : 1 - u;
  std::size_t k;  // panel
  if (lower)
    k = std::size_t(std::upper_bound(below_.begin() + 1, below_.end() - 1, p) - below_.begin()) - 1;
  else
    k = std::size_t(std::partition_point(above_.begin() + 1, above_.end() - 1, [&](double q) { return q > p; }) -
                    above_.begin()) -
        1;
  const double left = end(k), right = end(k + 1), outer = lower ? left : right, sign = lower ? 1 : -1;
  const double wanted = p - (lower ? below_[k] : above_[k + 1]);
  const double all = lower ? below_[k + 1] - below_[k] : above_[k] - above_[k + 1];
  double low = 0, high = right - left, r = high * std::clamp(all > 0 ? wanted / all : 0.5, 0.0, 1.0);  // distance from `outer`
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double x = outer + sign * r, missing = wanted - (lower ? integral(outer, x) : integral(x, outer));
    (missing > 0 ? low : high) = r;
    double next = r + missing / (density_(x) / total_);
    if (!(next >= low && next <= high)) next = 0.5 * (low + high);
    const bool done = std::abs(next - r) <= 4e-16 * (right - left);
    r = next;
    if (done) break;
  }
  return std::clamp(outer + sign * r, left, right);
}

}  // namespace aleator::core
