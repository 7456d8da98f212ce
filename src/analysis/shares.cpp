#include "analysis/shares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/time_integral.hpp"
#include "numerics/series.hpp"

namespace aleator::core::analysis {

ShareEstimator::ShareEstimator(std::vector<std::string> groups, std::span<const double> times, int channels)
    : groups_(std::move(groups)), weights_(trapezoidal_weights(times)), channels_(channels) {
  const std::size_t g = groups_.size(), nc = std::size_t(channels), points = times.size() * nc;
  a_.resize(points);
  b_.resize(points);
  ag_.assign(g, a_);
  variance_.resize(points);
  integrated_variance_.resize(nc);
  first_.assign(g, std::vector<Ratio>(points));
  total_ = first_;
  integrated_first_.assign(g, std::vector<Ratio>(nc));
  integrated_total_ = integrated_first_;
}

namespace {
// Keeps a response, if it can be used: one value that is not finite would spoil the sums for good.
bool keep(bool ok, std::span<const double> x, std::vector<double>& to) {
  if (!ok || x.size() != to.size() || !all_finite(x)) return false;
  std::copy(x.begin(), x.end(), to.begin());
  return true;
}
}  // namespace

void ShareEstimator::begin(bool ok, std::span<const double> a) { complete_ = keep(ok, a, a_); }

void ShareEstimator::second(bool ok, std::span<const double> b) { complete_ = keep(ok, b, b_) && complete_; }

void ShareEstimator::group(int g, bool ok, std::span<const double> ag) {
  complete_ = keep(ok, ag, ag_[std::size_t(g)]) && complete_;
  if (std::size_t(g) + 1 == groups_.size() && complete_) accept();
}

void ShareEstimator::accept() {
  ++n_;
  const std::size_t nc = std::size_t(channels_), nt = weights_.size();
  std::vector<double> terms(nt * nc), v(nc), x(nc), t(nc);
  for (std::size_t time = 0, i = 0; time < nt; ++time)
    for (std::size_t c = 0; c < nc; ++c, ++i) {
      const double d = a_[i] - b_[i], term = terms[i] = 0.5 * d * d;
      variance_[i].add(term, term);
      v[c] += weights_[time] * term;
    }
  for (std::size_t c = 0; c < nc; ++c) integrated_variance_[c].add(v[c], v[c]);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    std::fill(x.begin(), x.end(), 0);
    std::fill(t.begin(), t.end(), 0);
    const double* const ag = ag_[g].data();
    Ratio *const first_sum = first_[g].data(), *const total_sum = total_[g].data();
    for (std::size_t time = 0, i = 0; time < nt; ++time)
      for (std::size_t c = 0; c < nc; ++c, ++i) {
        const double rest = b_[i] - ag[i], own = ag[i] - a_[i];
        const double first = terms[i] - 0.5 * rest * rest, total = 0.5 * own * own;
        first_sum[i].add(first, terms[i]);
        total_sum[i].add(total, terms[i]);
        x[c] += weights_[time] * first;
        t[c] += weights_[time] * total;
      }
    for (std::size_t c = 0; c < nc; ++c) {
      integrated_first_[g][c].add(x[c], v[c]);
      integrated_total_[g][c].add(t[c], v[c]);
    }
  }
}

// Var(x̄/v̄) ≈ (var x − 2 R cov(x, v) + R² var v) / (n v̄²), variances with n − 1
results::Estimate ShareEstimator::estimate(const Ratio& of, const Ratio& v) const {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const double n = n_, xm = of.x / n, vm = v.x / n;
  if (!(vm > 0)) return {none, none};
  const double R = xm / vm;
  const double var_x = of.xx / n - xm * xm, var_v = v.xx / n - vm * vm, cov = of.xv / n - xm * vm;
  if (n < 2) return {R, none};
  return {R, std::sqrt(std::max(0.0, var_x - 2 * R * cov + R * R * var_v) / (n - 1)) / vm};
}

results::SobolIndices ShareEstimator::finish() const {
  results::SobolIndices out;
  out.groups = groups_;
  out.realizations = long(n_);
  const std::size_t nc = std::size_t(channels_), nt = weights_.size();
  for (std::size_t c = 0; c < nc; ++c) {
    out.of.emplace_back();
    double largest = 0;
    for (std::size_t t = 0; t < nt; ++t) largest = std::max(largest, variance_[t * nc + c].x);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      results::SobolIndices::OfGroup s;
      for (std::size_t t = 0; t < nt; ++t) {
        const std::size_t i = t * nc + c;
        const Ratio v = variance_[i].x > 1e-14 * largest ? variance_[i] : Ratio{};  // round-off has no causes
        const results::Estimate first = estimate(first_[g][i], v), total = estimate(total_[g][i], v);
        s.first.push_back(first.value);
        s.first_error.push_back(first.error);
        s.total.push_back(total.value);
        s.total_error.push_back(total.error);
      }
      s.integrated_first = estimate(integrated_first_[g][c], integrated_variance_[c]);
      s.integrated_total = estimate(integrated_total_[g][c], integrated_variance_[c]);
      out.of.back().push_back(std::move(s));
    }
  }
  return out;
}

void ShareEstimator::append(const ShareEstimator& later) {
  n_ += later.n_;
  const auto add = [](std::vector<Ratio>& to, const std::vector<Ratio>& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i].add(from[i]);
  };
  add(variance_, later.variance_);
  add(integrated_variance_, later.integrated_variance_);
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    add(first_[g], later.first_[g]);
    add(total_[g], later.total_[g]);
    add(integrated_first_[g], later.integrated_first_[g]);
    add(integrated_total_[g], later.integrated_total_[g]);
  }
}

void ShareEstimator::save(const PutState& put) const {
  const auto put_number = [&](double x) { put({&x, 1}); };
  put_number(n_);
  std::vector<double> numbers;
  const auto put_sums = [&](const std::vector<Ratio>& sums) {
    numbers.clear();
    for (const Ratio& r : sums) numbers.insert(numbers.end(), {r.x, r.xx, r.xv});
    put(numbers);
  };
  put_sums(variance_);
  put_sums(integrated_variance_);
  for (const auto* groups : {&first_, &total_, &integrated_first_, &integrated_total_})
    for (const auto& sums : *groups) put_sums(sums);
  put_number(complete_ ? 1 : 0);
  put(a_);
  put(b_);
  for (const auto& v : ag_) put(v);
}

void ShareEstimator::load(StateReader& from) {
  n_ = from.count(most_values);
  const auto take_sums = [&](std::vector<Ratio>& sums) {
    for (Ratio& r : sums) {
      const auto own = from.numbers(3);
      r = {own[0], own[1], own[2]};
    }
  };
  take_sums(variance_);
  take_sums(integrated_variance_);
  for (auto* groups : {&first_, &total_, &integrated_first_, &integrated_total_})
    for (auto& sums : *groups) take_sums(sums);
  complete_ = from.number() != 0;
  from.numbers_into(a_);
  from.numbers_into(b_);
  for (auto& v : ag_) from.numbers_into(v);
}

}  // namespace aleator::core::analysis
