#include "propagation/quadrature_ladder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/chaos_statistics.hpp"
#include "analysis/time_integral.hpp"
#include "propagation/expansion.hpp"

namespace aleator::core {

double GermQuadrature::size(const Germ& germ, bool tensor, int order) {
  return tensor ? tensor_quadrature_size(germ.size(), order + 1) : smolyak_quadrature_size(germ.size(), order);
}

GermQuadrature GermQuadrature::make(const Germ& germ, bool tensor, int order) {
  const GaussRule rule = [&](int variable, int n) -> const GaussQuadrature& { return germ.rule(variable, n); };
  return {order, tensor, tensor ? tensor_quadrature(germ.size(), order + 1, rule) : smolyak_quadrature(germ.size(), order, rule)};
}

std::vector<std::vector<double>> GermQuadrature::samples(const Germ& germ) const {
  std::vector<std::vector<double>> out;
  const size_t d = size_t(germ.size());
  for (long k = 0; k < rule.size(); ++k) out.push_back(germ.sample({&rule.points[size_t(k) * d], d}));
  return out;
}

analysis::Expansion GermQuadrature::expansion(const Germ& germ, const analysis::Truncation& basis,
                                              const analysis::Responses& y) const {
  analysis::Expansion e = project(make_basis(families_of(germ, order), basis), rule.points, rule.weights, y);
  e.how = fmt::format("{} quadrature of order {}, {} points", tensor ? "tensor" : "Smolyak", order, rule.size());
  return e;
}

int QuadratureLadder::order_within(double points, int above) const {
  int order = 0;
  for (int n = above + 1; n <= std::clamp(2 * above, 4, 30) && points_of(n) <= points; ++n) order = n;
  return order;
}

std::vector<std::vector<double>> QuadratureLadder::add(int order) {
  const size_t first = stages_.empty() ? 0 : stages_.back().first + size_t(points());
  stages_.push_back({GermQuadrature::make(germ_, tensor_, order), first, {}});
  return stages_.back().quadrature.samples(germ_);
}

void QuadratureLadder::take(bool ok, const std::vector<double>& values) {
  responses_.push_back(values);
  failed_ = failed_ || !ok;
}

void QuadratureLadder::expand() {
  for (Stage& s : stages_) {
    if (s.expansion.basis.terms > 0) continue;
    analysis::RowMatrix y(s.quadrature.rule.size(), Eigen::Index(responses_[s.first].size()));
    for (Eigen::Index k = 0; k < y.rows(); ++k) {
      const std::vector<double>& row = responses_[s.first + size_t(k)];
      std::copy(row.begin(), row.end(), y.row(k).data());
    }
    s.expansion = s.quadrature.expansion(germ_, {s.quadrature.order, tensor_ ? analysis::Truncation::tensor : 1.0}, y);
  }
}

// What a stage changed.
Errors QuadratureLadder::changes(size_t stage, const analysis::StatisticsRequest& q) const {
  const analysis::Expansion &before = stages_[stage - 1].expansion, &now = stages_[stage].expansion;
  const std::vector<double> m0 = mean(before), m1 = mean(now), v0 = variance(before), v1 = variance(now),
                            w = analysis::trapezoidal_weights(q.times);
  const size_t nc = q.channels.size();
  Errors out;
  for (size_t c = 0; c < nc; ++c) {
    double dm = 0, ds = 0, size = 0, sigma = 0;
    for (size_t t = 0; t < w.size(); ++t) {
      const size_t i = t * nc + c;
      dm += w[t] * std::abs(m1[i] - m0[i]);
      ds += w[t] * std::abs(std::sqrt(v1[i]) - std::sqrt(v0[i]));
      size += w[t] * std::hypot(m1[i], std::sqrt(v1[i]));
      sigma += w[t] * std::sqrt(v1[i]);
    }
    out.push_back(sigma > 0 ? dm / size + ds / sigma : std::numeric_limits<double>::quiet_NaN());
  }
  return out;
}

Errors QuadratureLadder::errors(double points, const analysis::StatisticsRequest& q) const {
  const size_t k = stages_.size() - 1;
  const Errors before = changes(k - 1, q), now = changes(k, q);
  const double n0 = double(stages_[k - 2].quadrature.rule.size()), n1 = double(stages_[k - 1].quadrature.rule.size());
  Errors out;
  for (size_t c = 0; c < now.size(); ++c) {
    const double rate = now[c] > 0 ? std::clamp(std::log(before[c] / now[c]) / std::log(n1 / n0), 0.0, 8.0) : 0;
    out.push_back(now[c] * std::pow(n1 / points, rate / 2));
  }
  return out;
}

std::string QuadratureLadder::words() const {
  const size_t k = stages_.size() - 1;
  return fmt::format("{}; its error from the change since orders {} and {}", stages_[k].expansion.how,
                     stages_[k - 2].quadrature.order, stages_[k - 1].quadrature.order);
}

}  // namespace aleator::core
