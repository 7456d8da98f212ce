#include "inference/input_modes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "numerics/dense.hpp"

namespace aleator::core::inference {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double step = 1e-3;    // of differences, in standard deviations of the inputs
constexpr double farthest = 1;   // step of an input, likewise
constexpr double enough = 1e-3;  // decrease of the cost that is not worth a step
constexpr int most_steps = 20;
constexpr double worse = 15;  // cost: e⁻¹⁵ of the best contributes nothing
constexpr std::array<double, 3> damping_factors = {0.1, 1, 10};
constexpr double hopeless = 1e8;      // damping
constexpr std::size_t at_once = 256;  // problems: bounds the memory for their residuals

struct Problem {
  InputMode at;
  VectorXd residuals;
  MatrixXd jacobian;
  double damping = 1e-2;
  bool active = true;
  VectorXd anchor;
  double weight = 0;

  VectorXd gradient() const { return jacobian.transpose() * residuals + weight * (at.z - anchor); }
  double cost(const VectorXd& r, const VectorXd& z) const {
    if (r.size() == 0) return std::numeric_limits<double>::infinity();
    return 0.5 * r.squaredNorm() + 0.5 * weight * (z - anchor).squaredNorm();
  }
};

void move(Problem& p, const VectorXd& z, VectorXd r) {
  p.at.z = z;
  p.at.cost = p.cost(r, z);
  p.at.misfit = r.squaredNorm();
  p.residuals = std::move(r);
}

// Residuals of the problems' own specimens at places [problems][any number], all simulated at once.
std::vector<std::vector<VectorXd>> residuals(const std::vector<Problem*>& problems,
                                             const std::vector<std::vector<VectorXd>>& places, const NoiseDensity& noise,
                                             const InputScale& scale, const Simulate& simulate) {
  std::vector<Inputs> inputs;
  for (const auto& own : places)
    for (const VectorXd& z : own) inputs.push_back(scale.inputs_at(z));
  const auto responses = simulate(inputs);
  std::vector<std::vector<VectorXd>> out(places.size());
  std::size_t next = 0;
  for (std::size_t k = 0; k < places.size(); ++k)
    for (std::size_t j = 0; j < places[k].size(); ++j)
      out[k].push_back(noise.residuals(problems[k]->at.specimen, responses[next++]));
  return out;
}

// Central differences; to one side where the other failed, none where both did.
void differentiate(const std::vector<Problem*>& problems, const NoiseDensity& noise, const InputScale& scale,
                   const Simulate& simulate) {
  std::vector<std::vector<VectorXd>> places;
  const Index d = Index(scale.inputs());
  for (const Problem* p : problems) {
    places.emplace_back();
    for (Index c = 0; c < d; ++c)
      for (const double h : {-step, step}) {
        places.back().push_back(p->at.z);
        places.back().back()[c] += h;
      }
  }
  const auto r = residuals(problems, places, noise, scale, simulate);
  for (std::size_t k = 0; k < problems.size(); ++k) {
    Problem& p = *problems[k];
    p.jacobian = MatrixXd::Zero(p.residuals.size(), d);
    for (Index c = 0; c < d; ++c) {
      const VectorXd &below = r[k][std::size_t(2 * c)], &above = r[k][std::size_t(2 * c + 1)];
      const bool has_below = below.size() > 0, has_above = above.size() > 0;
      if (has_below || has_above)
        p.jacobian.col(c) = ((has_above ? above : p.residuals) - (has_below ? below : p.residuals)) /
                            (step * (double(has_below) + double(has_above)));
    }
    p.at.precision = dense::transposed_times(p.jacobian, p.jacobian) + p.weight * MatrixXd::Identity(d, d);
  }
}

VectorXd damped_step(const Problem& p, double damping) {
  MatrixXd A = p.at.precision;
  A.diagonal() *= 1 + damping;
  VectorXd s = -dense::solve_symmetric(A, p.gradient());
  const double longest = s.cwiseAbs().maxCoeff();
  return longest > farthest ? VectorXd(s * (farthest / longest)) : s;
}

// The best of several dampings, for all problems at once; those that gained nothing are damped more, or are done.
void advance(const std::vector<Problem*>& problems, const NoiseDensity& noise, const InputScale& scale,
             const Simulate& simulate) {
  std::vector<std::vector<VectorXd>> places;
  for (const Problem* p : problems) {
    places.emplace_back();
    for (const double factor : damping_factors) places.back().push_back(p->at.z + damped_step(*p, factor * p->damping));
  }
  auto r = residuals(problems, places, noise, scale, simulate);
  for (std::size_t k = 0; k < problems.size(); ++k) {
    Problem& p = *problems[k];
    std::size_t best = 0;
    for (std::size_t j = 1; j < damping_factors.size(); ++j)
      if (p.cost(r[k][j], places[k][j]) < p.cost(r[k][best], places[k][best])) best = j;
    const double gained = p.at.cost - p.cost(r[k][best], places[k][best]);
    if (gained > 0) {
      move(p, places[k][best], std::move(r[k][best]));
      p.damping *= damping_factors[best];
    } else {
      p.damping *= 1e3;
    }
    p.active = gained > enough || (gained <= 0 && p.damping < hopeless);
  }
}

void descend(std::vector<Problem>& problems, const NoiseDensity& noise, const InputScale& scale, const Simulate& simulate) {
  std::vector<Problem*> moved, active;
  for (Problem& p : problems) moved.push_back(&p);
  active = moved;
  for (int k = 0; k < most_steps && !active.empty(); ++k) {
    differentiate(moved, noise, scale, simulate);
    // Where a step would gain nothing there is none.
    std::erase_if(active, [](const Problem* p) { return -0.5 * p->gradient().dot(damped_step(*p, 0)) < enough; });
    if (active.empty()) return;
    std::vector<double> before;
    for (const Problem* p : active) before.push_back(p->at.cost);
    advance(active, noise, scale, simulate);
    moved.clear();
    for (std::size_t i = 0; i < active.size(); ++i)
      if (active[i]->at.cost < before[i]) moved.push_back(active[i]);
    std::erase_if(active, [](const Problem* p) { return !p->active; });
  }
  differentiate(moved, noise, scale, simulate);
}

}  // namespace

std::vector<InputMode> find_modes(const std::vector<ModeStart>& starts, const NoiseDensity& noise, const InputScale& scale,
                                  const Simulate& simulate) {
  std::vector<InputMode> found;
  for (std::size_t first = 0; first < starts.size(); first += at_once) {
    const std::size_t end = std::min(starts.size(), first + at_once);
    std::vector<Inputs> inputs;
    for (std::size_t k = first; k < end; ++k) inputs.push_back(scale.inputs_at(starts[k].z));
    const auto responses = simulate(inputs);
    std::vector<Problem> problems;
    for (std::size_t k = first; k < end; ++k) {
      if (responses[k - first].empty()) continue;
      Problem& p = problems.emplace_back();
      p.at.specimen = starts[k].specimen;
      p.anchor = starts[k].anchor, p.weight = starts[k].weight;
      move(p, starts[k].z, noise.residuals(starts[k].specimen, responses[k - first]));
    }
    descend(problems, noise, scale, simulate);
    for (Problem& p : problems) found.push_back(std::move(p.at));
  }
  return found;
}

std::vector<InputMode> distinct(std::vector<InputMode> modes, int most) {
  std::stable_sort(modes.begin(), modes.end(), [](const InputMode& a, const InputMode& b) {
    return a.specimen != b.specimen ? a.specimen < b.specimen : a.cost < b.cost;
  });
  std::vector<InputMode> kept;
  std::size_t first = 0;  // of this specimen
  for (InputMode& m : modes) {
    if (kept.size() > first && kept[first].specimen != m.specimen) first = kept.size();
    const bool is_new = std::all_of(kept.begin() + long(first), kept.end(), [&](const InputMode& k) {
      const VectorXd apart = m.z - k.z;
      return apart.dot(k.precision * apart) > 4;
    });
    if (kept.size() == first || (is_new && m.cost < kept[first].cost + worse && kept.size() < first + std::size_t(most)))
      kept.push_back(std::move(m));
  }
  return kept;
}

}  // namespace aleator::core::inference
