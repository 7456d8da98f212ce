#include "dynamics/equilibrium.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dynamics/modes.hpp"
#include "dynamics/named_place.hpp"
#include "numerics/dense.hpp"
#include "numerics/sparse_solve.hpp"

namespace aleator::core {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// K bordered by the constraints, on the sparse pattern; of a steady motion K'.
std::vector<double> stiffness_values(Assembly<double>& a, const State<double>& s, const double* accelerations,
                                     const Turning* turning) {
  const auto values = [&](double cM, double cC, double cK) {
    a.tangent(cM, cC, cK, accelerations, s.lambda.data(), nullptr);
    return std::vector<double>(a.values().begin(), a.values().end());
  };
  if (!turning) return values(0, 0, 1);
  const std::vector<double> M = values(1, 0, 0);
  std::vector<double> C = values(0, 1, 0), K = values(0, 0, 1);
  add_turning(a, *turning, M.data(), C.data(), K.data());
  return K;
}

constexpr double largest_turn = 0.3;  // of one step, rad …
constexpr double largest_move = 0.3;  // … and its displacement, by the size of the model
constexpr int dense_limit = 500;      // velocities up to which stability is looked at

double largest(const VectorXd& x) { return x.size() ? x.cwiseAbs().maxCoeff() : 0; }

// The state under way, with everything that is evaluated there.
class Search {
 public:
  Search(Assembly<double>& assembly, const State<double>& start, const Turning* turning);

  // λ, r and g at the state, and the measures of what is acceptable. λ are always the least multipliers that hold the loads,
  // so that r is what they cannot hold.
  void evaluate();
  // Solves [K + θD, Gᵀ; G, −ε] [δ; ·] = [−r; −g] at the state last evaluated; false when it cannot be done.
  bool solve(double theta);
  void move(double part);  // goes a part of the step

  double step_size() const;   // of δ, 1 = the largest allowed
  double unbalanced() const;  // largest force of r, moments by the size of the model; infinite where nothing has a value
  bool balanced() const { return unbalanced() <= tolerance_ && largest(gap) <= 1e-11 * length; }
  int worst_body(const VectorXd& x) const;
  // Whether velocity i belongs to a place, and not to a turn or a direction.
  bool is_place(int i) const { return i % 6 < 3 && a.model().topology.carriers[i / 6].is_place; }
  std::string named_body(int b) const { return core::named_body(a.model(), a.model().topology.carrier_name(b)); }

  // Smallest eigenvalue of the stiffness against D on the constraints, its motion, and whether it is negative beyond round-off.
  struct Softest {
    bool negative = false;
    double value = 0;
    VectorXd motion;
  };
  Softest softest();

  Assembly<double>& a;
  State<double> state;
  VectorXd held;        // [dofs] loads that a load step still holds in addition
  VectorXd force, gap;  // r [dofs] and g [rows]
  VectorXd step;        // δ [dofs] by solve()
  bool uphill = false;  // the step goes against the forces: K + θD is not positive
  VectorXd inertia;     // D, [dofs]
  double length = 1;    // size of the model
  double scale = 1;     // largest K_ii / D_ii
  int iterations = 0;

 private:
  void read_forces();
  void read_stiffness();

  const Turning* turning_;
  std::vector<double> accelerations_;  // of the steady motion: zero at rest
  Solver<double> masses_;
  std::vector<double> values_;  // of K, bordered, by read_stiffness
  double forces_ = 0;           // largest force seen, for what is round-off
  double tolerance_ = 0;
  bool valid_ = true;  // forces and constraints have values
};

Search::Search(Assembly<double>& assembly, const State<double>& start, const Turning* turning)
    : a(assembly), state(start), turning_(turning), accelerations_(assembly.velocities(), 0.0) {
  const Structure& s = a.model().structure;
  held = VectorXd::Zero(s.dofs);
  if (!hold_at_rest(a, state, masses_, nullptr, turning_))
    throw SimulationError("the forces and constraints have no value where the search for an equilibrium starts");

  // The box that holds centres of mass and points of joints and forces
  Vec3<double> low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  const auto include = [&](const Vec3<double>& p) {
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
  };
  for (int c = 0; c < a.carriers().count; ++c)
    if (is_place(6 * c)) include(a.frames()[c].x);
  // Points of outputs are not among them: one that is far away must not make the tolerances large.
  for (const GroupData& g : a.model().topology.groups) {
    std::vector<MarkerPair> pairs(size_t(g.kernel->pairs));
    for (int i = 0; i < g.count; ++i) {
      g.kernel->marker_pairs(g.topology.data() + i * g.kernel->topology_size, pairs.data());
      for (const MarkerPair& p : pairs) include(a.evaluation().marker[p.a].p), include(a.evaluation().marker[p.b].p);
    }
  }
  if (const double size = norm(high - low); size > 0) length = size;

  inertia.resize(s.dofs);
  for (int i = 0; i < a.velocities(); ++i) {
    const int c = i / 6, half = i % 6 / 3;
    if (s.dof[i] < 0) continue;
    inertia(s.dof[i]) = c >= a.carriers().rigid || half == 0
                            ? a.inertia(c, half)
                            : std::max(a.inertia(c, 1), 1e-4 * a.inertia(c, 0) * length * length);
  }
  force.resize(s.dofs), gap.resize(s.rows);
  evaluate();
}

double Search::unbalanced() const {
  const Structure& s = a.model().structure;
  double worst = 0;
  if (!valid_ || !force.allFinite()) return HUGE_VAL;
  for (size_t i = 0; i < s.dof.size(); ++i)
    if (s.dof[i] >= 0) worst = std::max(worst, std::abs(force(s.dof[i])) / (is_place(int(i)) ? 1 : length));
  return worst;
}

// The body with the largest of these, each in proportion to its inertia.
int Search::worst_body(const VectorXd& x) const {
  int worst = 0;
  x.cwiseQuotient(inertia.cwiseSqrt()).cwiseAbs().maxCoeff(&worst);
  return a.model().structure.unknown_carrier[worst];
}

void Search::read_forces() {
  const Structure& s = a.model().structure;
  std::vector<double> full(a.velocities());
  if (turning_) set_turning(a, *turning_, state, accelerations_.data());
  a.residual(accelerations_.data(), state.lambda.data(), full.data());
  for (size_t i = 0; i < full.size(); ++i)
    if (s.dof[i] >= 0) force(s.dof[i]) = full[i] - held(s.dof[i]);
  for (int r = 0; r < s.rows; ++r) gap(r) = s.row_active[r] ? a.evaluation().residual[r] : 0;

  std::fill(full.begin(), full.end(), 0.0);
  a.add_reactions(state.lambda.data(), full.data());
  for (int c = 0; c < a.carriers().count; ++c) {
    const Wrench<double>& w = a.evaluation().wrench[c];
    forces_ = std::max({forces_, norm(w.F) / (is_place(6 * c) ? 1 : length), norm(w.M) / length});
    if (c < a.carriers().rigid) forces_ = std::max(forces_, a.body_parameters()[c].mass * norm(a.gravity()));
    for (int i = 6 * c; i < 6 * c + 6; ++i) forces_ = std::max(forces_, std::abs(full[i]) / (is_place(i) ? 1 : length));
  }
}

void Search::read_stiffness() {
  const Structure& s = a.model().structure;
  values_ = stiffness_values(a, state, accelerations_.data(), turning_);
  double stiffest = 0;
  scale = 0;
  for (size_t i = 0; i < s.dof.size(); ++i) {
    if (s.dof[i] < 0) continue;
    const double k = std::abs(values_[size_t(s.pattern.find(s.dof[i], s.dof[i]))]);
    stiffest = std::max(stiffest, k / (is_place(int(i)) ? 1 : length * length));
    scale = std::max(scale, k / inertia(s.dof[i]));
  }
  if (scale == 0) scale = s.dofs > 0 ? std::max(forces_ / (inertia.maxCoeff() * length), 1e-12) : 1;
  tolerance_ = 1e-10 * forces_ + 1e-14 * stiffest * length;
}

void Search::evaluate() {
  valid_ = hold_at_rest(a, state, masses_, held.data(), turning_);
  a.update_turns(state.turns.data());
  read_forces();
  read_stiffness();
}

// Forces are divided by `scale`, so that K has the size of masses, for which ε is made.
bool Search::solve(double theta) {
  const Structure& s = a.model().structure;
  std::vector<double> A = values_;
  for (int c = 0; c < s.dofs; ++c)
    for (int k = s.pattern.column_start[c]; k < s.pattern.column_start[c + 1]; ++k)
      if (const int r = s.pattern.row[k]; r < s.dofs) A[k] = (A[k] + (r == c ? theta * inertia(c) : 0)) / scale;
  MatrixXd right = MatrixXd::Zero(s.size, 2);  // along the constraints by forces, and onto them
  right.col(0).head(s.dofs) = -force / scale;
  right.col(1).tail(s.rows) = -gap;
  const MatrixXd x = solve_once(s.pattern, A, right);
  if (x.size() == 0 || !x.allFinite()) return false;
  uphill = x.col(0).head(s.dofs).dot(force) > 0;
  step = x.topRows(s.dofs).rowwise().sum();
  ++iterations;
  return true;
}

double Search::step_size() const {
  const Structure& s = a.model().structure;
  double size = 0;
  for (int c = 0; c < a.carriers().count; ++c) {
    double moved = 0, turned = 0;
    for (int i = 6 * c; i < 6 * c + 6; ++i)
      if (const int d = s.dof[i]; d >= 0) (is_place(i) ? moved : turned) += step(d) * step(d);
    size = std::max({size, std::sqrt(moved) / (largest_move * length), std::sqrt(turned) / largest_turn});
  }
  return size;
}

void Search::move(double part) {
  const Structure& s = a.model().structure;
  std::vector<double> x(s.size, 0.0), full(a.velocities()), rows(s.rows);
  for (int i = 0; i < s.dofs; ++i) x[i] = part * step(i);
  a.scatter(x.data(), full.data(), rows.data());
  a.carriers().move(state.positions.data(), full.data(), state.positions.data());
}

Search::Softest Search::softest() {
  const int n = a.model().structure.dofs;
  Softest out;
  if (n > dense_limit || n == 0) return out;
  const Linearised l = linearise(a, state, turning_);
  const VectorXd unit = inertia.head(l.M.rows()).cwiseSqrt().cwiseInverse();  // without states
  const MatrixXd N = unit.asDiagonal() * free_motions(l.G * unit.asDiagonal());
  if (N.cols() == 0) return out;
  const MatrixXd K = dense::times(dense::transposed_times(N, l.K), N);
  if (!K.allFinite()) return out;  // the forces will not be, either
  const double round_off = 1e-11 * (unit.asDiagonal() * l.K * unit.asDiagonal()).cwiseAbs().maxCoeff();
  // Following loads make K unsymmetric; then the real parts count.
  int lowest = 0;
  if ((K - K.transpose()).cwiseAbs().maxCoeff() < 1e-6 * K.cwiseAbs().maxCoeff()) {
    const auto [values, vectors] = dense::symmetric_eigen(0.5 * (K + K.transpose()));
    out.value = values.minCoeff(&lowest);
    out.motion = N * vectors.col(lowest);
  } else {
    const dense::GeneralEigen eigen = dense::general_eigen(K);
    if (!eigen.converged) return out;
    out.value = eigen.values.real().minCoeff(&lowest);
    out.motion = N * eigen.vectors.col(lowest).real();
  }
  out.motion.conservativeResizeLike(VectorXd::Zero(n));
  out.negative = out.value < -round_off;
  return out;
}

// --- Newton's method ----------------------------------------------------------------------------------------------------------

// To r = held. The last load step goes on until round-off ends the progress.
bool newton(Search& s, bool last) {
  State<double> best = s.state;
  double smallest = HUGE_VAL;
  // Round-off in the stiff directions of a beam hides forces that its soft ones would follow far: there the step counts, too.
  const bool flexible = s.a.carriers().flexible();
  double moved = flexible ? HUGE_VAL : 0;
  const auto keep_best = [&] {
    s.state = best;
    s.evaluate();
    return true;
  };
  for (int k = 0; k < 50; ++k) {
    const double size = s.unbalanced();
    if (!std::isfinite(size)) return false;
    if (s.balanced()) {
      if (!last) return true;
      if (size >= 0.5 * smallest && moved < 1e-9) return size < smallest || flexible ? true : keep_best();
      best = s.state, smallest = size;
      if (size == 0) return true;
    }
    if (!s.solve((flexible ? 1e-15 : 1e-10) * s.scale)) return false;
    const double step = s.step_size();
    if (flexible) moved = step;
    s.move(std::min(1.0, 1 / step));
    s.evaluate();
  }
  return smallest < HUGE_VAL && keep_best();
}

bool with_load_steps(Search& s, int& load_steps) {
  const State<double> start = s.state;
  const VectorXd unbalanced = s.force;
  for (load_steps = 1; load_steps <= 64; load_steps *= 2) {
    bool good = true;
    for (int k = 1; good && k <= load_steps; ++k) {
      s.held = (1 - double(k) / load_steps) * unbalanced;
      s.evaluate();
      good = newton(s, k == load_steps);
    }
    if (good) return true;
    s.state = start;
  }
  s.held.setZero();
  load_steps = 0;
  return false;
}

// --- downhill -------------------------------------------------------------------------------------------------------------------

// How far each body has come; stops the search when one leaves.
class Travel {
 public:
  explicit Travel(const Search& s) : sum_(VectorXd::Zero(s.step.size())) {}
  void add(const Search& s) {
    sum_ += s.step;
    const Structure& structure = s.a.model().structure;
    for (size_t i = 0; i < structure.dof.size(); ++i) {
      if (structure.dof[i] < 0) continue;
      const double moved = std::abs(sum_(structure.dof[i]));
      if (moved <= (s.is_place(int(i)) ? 100 * s.length : 300)) continue;
      throw SimulationError(fmt::format("there is no static equilibrium: {} keeps {}, nothing holds it against its load",
                                        s.named_body(int(i / 6)), s.is_place(int(i)) ? "moving" : "turning"));
    }
  }

 private:
  VectorXd sum_;
};

void downhill(Search& s) {
  constexpr int most = 5000;
  s.step = VectorXd::Zero(s.force.size());
  Travel travel(s);
  // A first step that forces alone would make half as long as allowed
  double theta = 2 * s.force.cwiseQuotient(s.inertia).cwiseAbs().maxCoeff() / (largest_move * s.length);
  for (int kicks = 0, k = 0; k < most; ++k) {
    if (s.balanced()) {
      const State<double> here = s.state;
      if (!newton(s, true)) s.state = here, s.evaluate();
      const Search::Softest softest = s.softest();
      if (!softest.negative || kicks == 20) return;
      // A saddle or a top: away from it
      ++kicks;
      s.step = softest.motion;
      s.move(0.05 / s.step_size());
      s.evaluate();
      theta = -2 * softest.value;
    }
    // Steps that are too long, and those that go uphill, are not made.
    const bool solved = s.solve(theta);
    const double size = solved ? s.step_size() : HUGE_VAL;
    if (!(size <= 1) || s.uphill) {
      theta = std::max(4 * theta, 1e-9 * s.scale);
      if (theta > 1e30 * s.scale) break;
      continue;
    }
    const State<double> before = s.state;
    s.move(1);
    s.evaluate();
    if (!std::isfinite(s.unbalanced())) {
      s.state = before;
      s.evaluate();
      theta *= 4;
      continue;
    }
    travel.add(s);
    if (size < 0.5) theta = std::max(theta / 3, 1e-12 * s.scale);
  }
  if (s.balanced()) return;
  throw SimulationError(
      fmt::format("no static equilibrium was found after {} iterations: {} is still unbalanced (largest force {:.3g} N). "
                  "Start closer to it",
                  s.iterations, s.named_body(s.worst_body(s.force)), s.unbalanced()));
}

}  // namespace

Equilibrium equilibrium(Assembly<double>& a, const State<double>& start, const Turning* turning) {
  Search s(a, start, turning);
  Equilibrium out;
  const State<double> rest = s.state;
  const bool flexible = a.carriers().flexible();
  if ((flexible || !s.balanced()) && (!with_load_steps(s, out.load_steps) || s.softest().negative)) {
    out.load_steps = 0;
    s.state = rest;
    s.evaluate();
    downhill(s);
  }
  out.stable = !s.softest().negative;
  out.iterations = s.iterations;
  out.residual = largest(s.force);
  out.state = std::move(s.state);
  std::fill(out.state.accelerations.begin(), out.state.accelerations.end(), 0.0);
  return out;
}

}  // namespace aleator::core
