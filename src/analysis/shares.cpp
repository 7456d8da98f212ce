#include "analysis/shares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/time_weights.hpp"
#include "numerics/series.hpp"

namespace aleator::analysis {

ShareEstimator::ShareEstimator(std::vector<std::string> groups, std::span<const double> times, int channels)
    : groups_(std::move(groups)), weights_(time_weights(times)), channels_(channels) {
  const std::size_t g = groups_.size(), points = times.size() * std::size_t(channels);
  ag_.resize(g);
  variance_.assign(points, 0);
  first_.assign(g, std::vector<double>(points));
  total_ = first_;
  v_.assign(std::size_t(channels), 0);
  vv_ = v_;
  of_first_.assign(g, std::vector<Ratio>(std::size_t(channels)));
  of_total_ = of_first_;
}

namespace {
// One value that is not finite would spoil the sums for good.
bool usable(bool ok, std::span<const double> x) { return ok && all_finite(x); }
}  // namespace

void ShareEstimator::begin(bool ok, std::span<const double> a) {
  complete_ = usable(ok, a);
  a_.assign(a.begin(), a.end());
}

void ShareEstimator::second(bool ok, std::span<const double> b) {
  complete_ = complete_ && usable(ok, b);
  b_.assign(b.begin(), b.end());
}

void ShareEstimator::group(int g, bool ok, std::span<const double> ag) {
  complete_ = complete_ && usable(ok, ag);
  ag_[std::size_t(g)].assign(ag.begin(), ag.end());
  if (std::size_t(g) + 1 == groups_.size() && complete_) accept();
}

void ShareEstimator::accept() {
  ++n_;
  const std::size_t nc = std::size_t(channels_);
  std::vector<double> v(nc), x(nc), t(nc);
  const std::size_t nt = weights_.size();
  for (std::size_t time = 0, i = 0; time < nt; ++time)
    for (std::size_t c = 0; c < nc; ++c, ++i) {
      const double d = a_[i] - b_[i], term = 0.5 * d * d;
      variance_[i] += term;
      v[c] += weights_[time] * term;
    }
  for (std::size_t c = 0; c < nc; ++c) v_[c] += v[c], vv_[c] += v[c] * v[c];
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    std::fill(x.begin(), x.end(), 0);
    std::fill(t.begin(), t.end(), 0);
    const double* const ag = ag_[g].data();
    double *const first_sum = first_[g].data(), *const total_sum = total_[g].data();
    for (std::size_t time = 0, i = 0; time < nt; ++time)
      for (std::size_t c = 0; c < nc; ++c, ++i) {
        const double whole = b_[i] - a_[i], rest = b_[i] - ag[i], own = ag[i] - a_[i];
        const double first = 0.5 * (whole * whole - rest * rest), total = 0.5 * own * own;
        first_sum[i] += first;
        total_sum[i] += total;
        x[c] += weights_[time] * first;
        t[c] += weights_[time] * total;
      }
    const auto note = [](Ratio& r, double value, double of) {
      r.x += value;
      r.xx += value * value;
      r.xv += value * of;
    };
    for (std::size_t c = 0; c < nc; ++c) {
      note(of_first_[g][c], x[c], v[c]);
      note(of_total_[g][c], t[c], v[c]);
    }
  }
}

results::Shares ShareEstimator::finish() const {
  results::Shares out;
  out.groups = groups_;
  out.realizations = long(n_);
  const std::size_t nc = std::size_t(channels_), nt = weights_.size();
  // Var(x̄/v̄) ≈ (var x − 2 R cov(x, v) + R² var v) / (n v̄²), variances with n − 1
  const auto ratio = [&](const Ratio& r, std::size_t c) -> results::Estimate {
    const double n = n_, xm = r.x / n, vm = v_[c] / n;
    if (!(vm > 0)) return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
    const double R = xm / vm;
    const double var_x = r.xx / n - xm * xm, var_v = vv_[c] / n - vm * vm, cov = r.xv / n - xm * vm;
    if (n < 2) return {R, std::numeric_limits<double>::quiet_NaN()};
    return {R, std::sqrt(std::max(0.0, var_x - 2 * R * cov + R * R * var_v) / (n - 1)) / vm};
  };
  for (std::size_t c = 0; c < nc; ++c) {
    out.of.emplace_back();
    double largest = 0;
    for (std::size_t t = 0; t < nt; ++t) largest = std::max(largest, variance_[t * nc + c]);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      results::Shares::OfGroup s;
      for (std::size_t t = 0; t < nt; ++t) {
        const double v = variance_[t * nc + c];
        const bool scatters = v > 1e-14 * largest;  // round-off has no causes
        s.first.push_back(scatters ? first_[g][t * nc + c] / v : std::numeric_limits<double>::quiet_NaN());
        s.total.push_back(scatters ? total_[g][t * nc + c] / v : std::numeric_limits<double>::quiet_NaN());
      }
      s.integrated_first = ratio(of_first_[g][c], c);
      s.integrated_total = ratio(of_total_[g][c], c);
      out.of.back().push_back(std::move(s));
    }
  }
  return out;
}

void ShareEstimator::save(std::vector<double>& to) const {
  to.push_back(n_);
  for (const auto* v : {&variance_, &v_, &vv_}) to.insert(to.end(), v->begin(), v->end());
  for (const auto* sums : {&first_, &total_})
    for (const auto& v : *sums) to.insert(to.end(), v.begin(), v.end());
  for (const auto* sums : {&of_first_, &of_total_})
    for (const auto& v : *sums)
      for (const Ratio& r : v) to.insert(to.end(), {r.x, r.xx, r.xv});
  to.push_back(complete_ ? 1 : 0);
  const auto put = [&](const std::vector<double>& v) {
    to.push_back(double(v.size()));
    to.insert(to.end(), v.begin(), v.end());
  };
  put(a_);
  put(b_);
  for (const auto& v : ag_) put(v);
}

const double* ShareEstimator::load(const double* from) {
  n_ = *from++;
  const auto take = [&](std::vector<double>& v) {
    std::copy(from, from + v.size(), v.begin());
    from += v.size();
  };
  for (auto* v : {&variance_, &v_, &vv_}) take(*v);
  for (auto* sums : {&first_, &total_})
    for (auto& v : *sums) take(v);
  for (auto* sums : {&of_first_, &of_total_})
    for (auto& v : *sums)
      for (Ratio& r : v) {
        r = {from[0], from[1], from[2]};
        from += 3;
      }
  complete_ = *from++ != 0;
  const auto get = [&](std::vector<double>& v) {
    const auto size = std::ptrdiff_t(*from++);
    v.assign(from, from + size);
    from += size;
  };
  get(a_);
  get(b_);
  for (auto& v : ag_) get(v);
  return from;
}

}  // namespace aleator::analysis
