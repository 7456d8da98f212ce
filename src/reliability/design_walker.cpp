#include "reliability/design_walker.hpp"

#include <algorithm>
#include <cmath>

#include "reliability/normal_numbers.hpp"
#include "reliability/vectors.hpp"

namespace aleator::core::reliability {
namespace {

// Steps of differences. Simulated responses have errors of 1e-6 and less of their size, one-sided differences of the curvature times half the step:
// near the design point central ones, whose step may be longer.
constexpr double forward_step = 0.02, central_step = 0.05;
constexpr double near_enough = 1e-3;      // of the limit, in standard deviations
constexpr double straight_enough = 5e-3;  // angle between u and ∇e; β is off by its square
constexpr double at_limit = 0.05;         // standard deviations per unit of β: near enough to have reached it
constexpr double longest_step = 4;
constexpr double flat = 50;  // the linearised limit is farther than this: its gradient says nothing

using dense::Index;
using dense::VectorXd;

std::vector<double> within_reach(std::vector<double> u) {
  const double r = norm(u);
  return r > DesignWalker::reach ? scaled(std::move(u), DesignWalker::reach / r) : u;
}

}  // namespace

double Bulge::at(const std::vector<double>& u) const {
  const double d = distance(u, centre), inside = radius * radius - d * d;
  return inside > 0 ? strength * inside * inside : 0;
}

// It is as wide as the distance of the point, and moves the limit outwards by three quarters of that.
Bulge bulge_on(const DesignPoint& p) {
  const double r = 1.1 * std::abs(p.beta), shift = 0.75 * std::abs(p.beta), inside = r * r - shift * shift;
  return {p.u, r, shift * p.slope / (inside * inside)};
}

DesignWalker::DesignWalker(std::size_t limit, std::vector<double> start, std::vector<Bulge> bulges, int iterations,
                           std::uint64_t seed)
    : limit_(limit), bulges_(std::move(bulges)), left_(iterations), seed_(seed), u_(std::move(start)), gradient_(u_.size(), 0.0) {
  found_.limit = limit;
}

std::optional<double> DesignWalker::value(const std::vector<double>& u, const Response& r) const {
  if (!r.ok() || !std::isfinite(r.excess[limit_])) return std::nullopt;
  double e = r.excess[limit_];
  for (const Bulge& b : bulges_) e -= b.at(u);
  return e;
}

std::vector<Point> DesignWalker::points() const {
  std::vector<Point> points;
  const auto add = [&](std::vector<double> u) { points.push_back({std::move(u), 0}); };
  if (phase_ == Phase::gradient) {
    add(u_);
    const double h = central_ ? central_step : forward_step;
    for (std::size_t i = 0; i < u_.size(); ++i) {
      for (const double side : {1.0, -1.0}) {
        if (side < 0 && !central_) continue;
        std::vector<double> beside = u_;
        beside[i] += side * h;
        add(std::move(beside));
      }
    }
  } else if (phase_ == Phase::line) {
    for (auto& u : candidates()) add(std::move(u));
  } else if (phase_ == Phase::probe) {
    for (auto& u : probes()) add(std::move(u));
  }
  return points;
}

void DesignWalker::take(const std::vector<Response>& responses) {
  if (phase_ == Phase::gradient) {
    take_gradient(responses);
  } else if (phase_ == Phase::line) {
    take_line(responses);
  } else if (phase_ == Phase::probe) {
    take_probe(responses);
  }
}

void DesignWalker::take_gradient(const std::vector<Response>& responses) {
  const std::optional<double> centre = value(u_, responses[0]);
  if (!centre) return stop(DesignSearch::End::failing, false);
  e_ = *centre;
  (e_ > 0 ? failure_seen_ : safe_seen_) = true;
  if (!at_start_) at_start_ = e_;
  const double h = central_ ? central_step : forward_step;
  std::size_t next = 1;
  const auto beside = [&](std::size_t i, double side) {
    std::vector<double> u = u_;
    u[i] += side * h;
    return value(u, responses[next++]);
  };
  for (std::size_t i = 0; i < u_.size(); ++i) {
    const std::optional<double> up = beside(i, 1), down = central_ ? beside(i, -1) : std::nullopt;
    const double above = up.value_or(e_),
                 below = down.value_or(e_);  // a side that failed is left out; where both did, the last gradient stays
    if (up || down) gradient_[i] = (above - below) / (up && down ? 2 * h : h);
  }
  slope_ = norm(gradient_);
  step();
}

// From the gradient: done, a step, or a look around where the gradient says nothing.
void DesignWalker::step() {
  const double away = std::abs(e_) / slope_;
  if (!(away < flat)) {
    if (probed_) return stop(slope_ > 0 ? DesignSearch::End::far : DesignSearch::End::flat, false);
    phase_ = Phase::probe;
    return;
  }
  const std::vector<double> alpha = scaled(gradient_, 1 / slope_);
  const double beta = dot(alpha, u_) - e_ / slope_;
  const std::vector<double> foot = scaled(alpha, beta);
  found_.u = u_;
  found_.alpha = alpha;
  found_.beta = std::copysign(norm(u_), dot(alpha, u_));
  found_.slope = slope_;
  const double tangential = norm(sum(u_, -dot(alpha, u_), alpha));
  if (away < near_enough * std::max(1.0, std::abs(beta)) && tangential < straight_enough * std::max(1.0, std::abs(beta))) {
    if (central_) {
      found_.u = foot;
      found_.beta = beta;
      return stop(DesignSearch::End::found, true);
    }
    central_ = true;  // and the gradient once more
    return;
  }
  at_limit_ = away < at_limit * std::max(1.0, std::abs(beta));
  settled_ = away < 10 * near_enough * std::max(1.0, std::abs(beta)) && tangential < 0.05 * std::max(1.0, std::abs(beta));
  if (left_-- <= 0) return give_up();
  if (away < 0.1 && tangential < 0.1 * std::max(1.0, std::abs(beta))) central_ = true;
  learn_curvature();
  choose_direction();
  const double length = norm(direction_);
  if (length > longest_step) direction_ = scaled(direction_, longest_step / length);
  penalty_ = std::max(norm(u_) / slope_, std::abs(multiplier_));
  if (std::abs(e_) > near_enough * slope_) penalty_ = std::max(penalty_, 0.5 * dot(foot, foot) / std::abs(e_));
  penalty_ = 2 * penalty_ + 1e-12;
  small_steps_ = false;
  phase_ = Phase::line;
}

// y = ∇L(u) − ∇L(last u) with L = ½|u|² − μ e: damped as Powell does, so that the matrix stays positive definite.
void DesignWalker::learn_curvature() {
  const Index n = static_cast<Index>(u_.size());
  if (last_u_.empty()) {
    hessian_ = dense::MatrixXd::Identity(n, n);
  } else {
    const VectorXd s = as_vector(sum(u_, -1, last_u_));
    VectorXd y = s - multiplier_ * as_vector(sum(gradient_, -1, last_gradient_));
    const VectorXd bs = hessian_ * s;
    const double sbs = s.dot(bs);
    if (s.norm() > 0.01) {  // shorter ones are as long as the steps of differences
      if (s.dot(y) < 0.2 * sbs) y += 0.8 * sbs / (sbs - s.dot(y)) * (bs - y);
      hessian_ += y * y.transpose() / s.dot(y) - bs * bs.transpose() / sbs;
    }
  }
  last_u_ = u_;
  last_gradient_ = gradient_;
}

// min ½ dᵀ B d + u·d  subject to  e + ∇e·d = 0;  with B = I that is the step of HL-RF.
void DesignWalker::choose_direction() {
  dense::MatrixXd l = dense::cholesky_factor(hessian_);
  if (l.size() == 0) {
    hessian_.setIdentity();
    l = hessian_;
  }
  const VectorXd u = as_vector(u_), a = as_vector(gradient_), hu = dense::solve_cholesky(l, u), ha = dense::solve_cholesky(l, a);
  multiplier_ = (a.dot(hu) - e_) / a.dot(ha);
  const VectorXd d = multiplier_ * ha - hu;
  direction_.assign(d.data(), d.data() + d.size());
}

std::vector<std::vector<double>> DesignWalker::candidates() const {
  std::vector<std::vector<double>> all;
  const std::vector<double> shares = small_steps_ ? std::vector<double>{0.1, 0.03, 0.01} : std::vector<double>{1, 0.5, 0.25};
  for (const double s : shares) all.push_back(within_reach(sum(u_, s, direction_)));
  return all;
}

void DesignWalker::take_line(const std::vector<Response>& responses) {
  const auto merit = [&](const std::vector<double>& u, double e) { return 0.5 * dot(u, u) + penalty_ * std::abs(e); };
  const std::vector<std::vector<double>> all = candidates();
  double least = merit(u_, e_);
  int best = -1;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::optional<double> e = value(all[i], responses[i]);
    if (!e) continue;
    (*e > 0 ? failure_seen_ : safe_seen_) = true;
    if (merit(all[i], *e) < least) {
      least = merit(all[i], *e);
      best = static_cast<int>(i);
    }
  }
  if (best >= 0) {
    u_ = all[static_cast<std::size_t>(best)];
    phase_ = Phase::gradient;
  } else if (!small_steps_) {
    small_steps_ = true;
  } else if (!central_) {
    central_ = true;  // perhaps the gradient was too rough
    phase_ = Phase::gradient;
  } else {
    give_up();
  }
}

// No step is better. That is the end too where the limit is so curved that its gradient is not known better than u.
void DesignWalker::give_up() {
  const bool reached = at_limit_ || (failure_seen_ && safe_seen_);
  stop(reached ? DesignSearch::End::found : DesignSearch::End::far, reached && settled_);
}

// Directions at random and their opposites, near and far.
std::vector<std::vector<double>> DesignWalker::probes() const {
  std::vector<std::vector<double>> all;
  std::vector<double> z(u_.size());
  for (std::uint64_t k = 0; k < 8; ++k) {
    fill_normals({seed_, k, 0x70726f6265}, z);
    const double length = norm(z);
    for (const double r : {2.0, -2.0, 4.0, -4.0}) all.push_back(scaled(z, r / length));
  }
  return all;
}

void DesignWalker::take_probe(const std::vector<Response>& responses) {
  probed_ = true;
  const std::vector<std::vector<double>> all = probes();
  int best = -1;
  double nearest = std::abs(e_);
  bool moves = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::optional<double> e = value(all[i], responses[i]);
    if (!e) continue;
    moves = moves || std::abs(*e - e_) > 1e-9 * std::abs(e_);
    (*e > 0 ? failure_seen_ : safe_seen_) = true;
    if (std::abs(*e) < nearest) {
      nearest = std::abs(*e);
      best = static_cast<int>(i);
    }
  }
  if (best < 0) return stop(moves ? DesignSearch::End::far : DesignSearch::End::flat, false);
  u_ = all[static_cast<std::size_t>(best)];
  phase_ = Phase::gradient;
}

void DesignWalker::stop(DesignSearch::End end, bool converged) {
  phase_ = Phase::done;
  end_ = found_.u.empty() && end == DesignSearch::End::found ? DesignSearch::End::far : end;
  found_.converged = converged;
}

}  // namespace aleator::core::reliability
