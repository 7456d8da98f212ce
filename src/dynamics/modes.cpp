#include "dynamics/modes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dynamics/named_place.hpp"
#include "dynamics/sparse_modes.hpp"
#include "numerics/dense.hpp"

namespace aleator::core {

using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

bool hold_at_rest(Assembly<double>& a, State<double>& s, Solver<double>& solver, const double* more, const Turning* turning) {
  if (!turning) std::fill(s.velocities.begin(), s.velocities.begin() + 6 * a.carriers().first_state, 0.0);
  std::fill(s.accelerations.begin(), s.accelerations.end(), 0.0);
  std::vector<double> steady(a.velocities(), 0.0);
  if (turning) set_turning(a, *turning, s, steady.data());
  std::fill(s.lambda.begin(), s.lambda.end(), 0.0);
  a.kinematics(s.t, Side::right, s.positions.data(), s.velocities.data(), s.turns.data());
  a.constrain();
  a.forces();
  a.weigh_rows();
  a.regularize(1e-11);
  a.mass_matrix();
  if (!solver.prepared()) solver.prepare(a);
  if (solver.factor(a) || a.status().failed) return false;
  std::vector<double> loads(a.velocities()), rows(a.rows(), 0.0), x(a.model().structure.size);
  a.residual(steady.data(), s.lambda.data(), loads.data());
  for (double& f : loads) f = -f;
  // Bodies that spin where they are; what turns with a frame keeps its constraints.
  for (int r = 0; turning && !turning->all && r < a.rows(); ++r) rows[size_t(r)] = -a.evaluation().bias[r];
  a.gather(loads.data(), rows.data(), x.data());
  for (int i = 0; more && i < a.model().structure.dofs; ++i) x[i] += more[i];
  // The second solution takes back what ε adds to the first, G v̇ = ε λ: long arms on small inertias magnify it.
  for (int pass = 0; pass < 2; ++pass) {
    solver.solve(x.data());
    a.scatter(x.data(), loads.data(), rows.data());
    for (size_t i = 0; i < loads.size(); ++i) s.accelerations[i] += loads[i];
    for (size_t r = 0; r < rows.size(); ++r) {
      s.lambda[r] += rows[r];
      rows[r] *= -a.regularization()[r];
    }
    std::fill(loads.begin(), loads.end(), 0.0);
    a.gather(loads.data(), rows.data(), x.data());
  }
  return true;
}

// States x of elements follow the motion, δẋ = −C_xq δq̇: they add −C_qx C_xq to its stiffness. Their unknowns are the last ones.
static void take_out_states(const Assembly<double>& a, Linearised& l) {
  const int states = a.model().structure.states;
  if (states == 0) return;
  const Eigen::Index n = l.M.rows() - states;
  const MatrixXd K = l.K.topLeftCorner(n, n) - l.C.topRightCorner(n, states) * l.C.bottomLeftCorner(states, n);
  l.K = K;
  l.M = l.M.topLeftCorner(n, n).eval(), l.C = l.C.topLeftCorner(n, n).eval(), l.G = l.G.leftCols(n).eval();
}

namespace {

// Evaluates the assembly at rest, or in the steady motion, whose accelerations are returned. The assembly refers to the state from now on.
std::vector<double> evaluate_steady(Assembly<double>& a, State<double>& at, const Turning* turning) {
  std::vector<double> steady(a.velocities(), 0.0);
  if (turning)
    set_turning(a, *turning, at, steady.data());
  else
    std::fill_n(at.velocities.begin(), 6 * a.carriers().first_state, 0.0);
  a.kinematics(at.t, Side::right, at.positions.data(), at.velocities.data(), at.turns.data());
  a.constrain();
  a.forces();
  return steady;
}

}  // namespace

Linearised linearise(Assembly<double>& a, const State<double>& s, const Turning* turning) {
  const Structure& structure = a.model().structure;
  const int n = structure.dofs;
  State<double> at = s;
  const std::vector<double> steady = evaluate_steady(a, at, turning);

  const auto dense = [&](double cM, double cC, double cK) {
    a.tangent(cM, cC, cK, steady.data(), s.lambda.data(), nullptr);
    MatrixXd A = MatrixXd::Zero(structure.size, structure.size);
    for (int c = 0; c < structure.size; ++c)
      for (int k = structure.pattern.column_start[c]; k < structure.pattern.column_start[c + 1]; ++k)
        A(structure.pattern.row[k], c) = a.values()[k];
    return A;
  };
  Linearised l;
  l.M = dense(1, 0, 0).topLeftCorner(n, n);
  l.C = dense(0, 1, 0).topLeftCorner(n, n);
  const MatrixXd all = dense(0, 0, 1);
  l.K = all.topLeftCorner(n, n);
  l.G.resize(std::count(structure.row_active.begin(), structure.row_active.end(), char(1)), n);
  for (int r = 0, k = 0; r < structure.rows; ++r)
    if (structure.row_active[r]) l.G.row(k++) = all.row(n + r).head(n);
  if (turning) add_turning(a, *turning, l.M, l.C, l.K);
  take_out_states(a, l);
  // As the caller's state is, to which the assembly refers again
  a.kinematics(s.t, Side::right, s.positions.data(), s.velocities.data(), s.turns.data());
  return l;
}

MatrixXd free_motions(const MatrixXd& G) {
  MatrixXd transposed = G.transpose();
  for (int r = 0; r < transposed.cols(); ++r)
    if (const double length = transposed.col(r).norm(); length > 0) transposed.col(r) /= length;
  if (transposed.cols() == 0) return MatrixXd::Identity(G.cols(), G.cols());
  const auto [basis, rank] = dense::orthonormal_basis(transposed, 1e-9);
  return basis.rightCols(G.cols() - rank);
}

constexpr double least_mass = 1e-15;  // of the largest: less is none
VectorXd mass_scale(const MatrixXd& M) {
  const double heaviest = M.size() ? M.diagonal().maxCoeff() : 0;
  return M.diagonal().cwiseMax(least_mass * heaviest).cwiseSqrt().cwiseInverse();
}

namespace {

// Names the body whose motion has no inertia.
[[noreturn]] void refuse_massless(const Assembly<double>& a, const VectorXd& motion) {
  int worst = 0;
  motion.cwiseAbs().maxCoeff(&worst);
  throw SimulationError(
      fmt::format("vibrations are not defined: {} has a free motion without inertia",
                  named_body(a.model(), a.model().topology.carrier_name(a.model().structure.unknown_carrier[worst]))));
}

// The largest |K_ij| per mass of what moves, for round-off of NᵀKN. Where a place has no mass of its own, it is the part it has in motions of the mass 1
// that counts, and round-off of N itself, which is scaled by a small mass there.
double largest_stiffness(const Linearised& l, const VectorXd& scale, const MatrixXd& basis) {
  constexpr double round_off_of_basis = 0.01;  // 2e-16 of `scale`, as a part of rigid_below
  const double heaviest = l.M.diagonal().maxCoeff();
  VectorXd moved = scale;
  for (Eigen::Index i = 0; i < scale.size(); ++i)
    if (!(l.M(i, i) > least_mass * heaviest)) moved(i) = basis.row(i).norm();
  const auto largest = [&](const VectorXd& rows) { return (rows.asDiagonal() * l.K * moved.asDiagonal()).cwiseAbs().maxCoeff(); };
  return std::max(largest(moved), round_off_of_basis * largest(scale));
}

// Bᵀ A B
MatrixXd project(const MatrixXd& A, const MatrixXd& B) { return dense::times(dense::transposed_times(B, A), B); }

}  // namespace

Reduced reduce(const Assembly<double>& a, const Linearised& l) {
  if (!(l.M.allFinite() && l.C.allFinite() && l.K.allFinite() && l.G.allFinite()))
    throw SimulationError("vibrations are not defined: masses, forces or their derivatives are not finite here");
  const VectorXd scale = mass_scale(l.M);
  const MatrixXd N = scale.asDiagonal() * free_motions(l.G * scale.asDiagonal());
  if (N.cols() == 0) return {N, MatrixXd(0, 0), MatrixXd(0, 0)};
  const dense::SymmetricEigen mass = dense::symmetric_eigen(project(l.M, N));
  if (!(mass.values(0) > 1e-10 * mass.values.maxCoeff())) refuse_massless(a, N * mass.vectors.col(0));
  Reduced r;
  r.basis = dense::times(N, mass.vectors) * mass.values.cwiseSqrt().cwiseInverse().asDiagonal();
  r.C = project(l.C, r.basis);
  r.K = project(l.K, r.basis);
  r.stiffness = largest_stiffness(l, scale, r.basis);
  return r;
}

namespace {

Mode make_mode(std::complex<double> s, const VectorXcd& shape) {
  const double pi = std::acos(-1.0), size = std::abs(s);
  Mode m;
  m.eigenvalue = s;
  m.frequency = size / (2 * pi);
  m.damped_frequency = s.imag() / (2 * pi);
  m.rigid = size == 0;
  m.damping_ratio = s.real() == 0 ? 0 : -s.real() / size;
  m.oscillating = s.imag() > 0;
  m.unstable = s.real() > 1e-9 * size;
  m.shape = shape;
  return m;
}

// Round-off of K, below which a motion counts as rigid: σ is ω², so that slow vibrations of stiff structures need all digits.
constexpr double rigid_below = 3e-14;

// Without damping and with a symmetric stiffness: ω² are the eigenvalues of K. A negative one is a motion that grows, and one that decays.
std::vector<Mode> solve_symmetric(const Reduced& r) {
  const auto [squares, vectors] = dense::symmetric_eigen(0.5 * (r.K + r.K.transpose()));
  std::vector<Mode> out;
  for (Eigen::Index i = 0; i < r.K.rows(); ++i) {
    const double square = squares(i);
    const VectorXd shape = r.basis * vectors.col(i);
    if (std::abs(square) <= rigid_below * r.stiffness) {
      out.push_back(make_mode(0, shape));
    } else if (square > 0) {
      out.push_back(make_mode({0, std::sqrt(square)}, shape));
    } else {
      out.push_back(make_mode(std::sqrt(-square), shape));
      out.push_back(make_mode(-std::sqrt(-square), shape));
    }
  }
  return out;
}

}  // namespace

bool symmetric(const MatrixXd& K) { return (K - K.transpose()).cwiseAbs().maxCoeff() <= 1e-10 * K.cwiseAbs().maxCoeff(); }

namespace {

// Σ and V of K = U Σ Vᵀ, falling; of a symmetric matrix from its eigenvalues, which is many times faster.
dense::SingularValues singular_values(const MatrixXd& K) {
  if (!symmetric(K)) return dense::singular_values(K);
  const auto [values, vectors] = dense::symmetric_eigen(K);
  std::vector<Eigen::Index> order(size_t(K.rows()));
  std::iota(order.begin(), order.end(), Eigen::Index(0));
  std::stable_sort(order.begin(), order.end(), [&](auto i, auto j) { return std::abs(values(i)) > std::abs(values(j)); });
  return {values(order).cwiseAbs(), vectors(Eigen::all, order)};
}

}  // namespace

Decoupled decouple(const Reduced& r) {
  auto [sigma, V] = singular_values(r.K);
  Decoupled d{std::move(sigma), std::move(V)};
  while (d.elastic < d.sigma.size() && d.sigma(d.elastic) > rigid_below * r.stiffness) ++d.elastic;
  return d;
}

// z̈ + C ż + K z = 0. With K = U Σ Vᵀ, z = V ζ and ω = √σ the state (ω ζ, ζ̇) obeys
//   (ωζ)˙ = ω ζ̇,   ζ̈ = −VᵀKV ω⁻¹ (ωζ) − VᵀCV ζ̇,
// a matrix whose largest number is the largest ω, not its square, so that low frequencies keep their digits. Coordinates with
// σ = 0 appear by their rate only: s = 0 with the shape of the coordinate is split off exactly, and no double eigenvalue is left.
std::vector<Mode> vibrations_of(const Reduced& r) {
  const int n = int(r.K.rows());
  std::vector<Mode> out;
  if (n == 0) return out;
  if (r.C.isZero(0) && symmetric(r.K)) return solve_symmetric(r);
  const auto [sigma, V, elastic] = decouple(r);
  for (int i = elastic; i < n; ++i) out.push_back(make_mode(0, r.basis * V.col(i)));

  const VectorXd omega = sigma.head(elastic).cwiseSqrt();
  MatrixXd A = MatrixXd::Zero(elastic + n, elastic + n);
  A.topRightCorner(elastic, n).leftCols(elastic) = omega.asDiagonal();
  A.bottomLeftCorner(n, elastic) = -project(r.K, V).leftCols(elastic) * omega.cwiseInverse().asDiagonal();
  A.bottomRightCorner(n, n) = -project(r.C, V);
  const dense::GeneralEigen eigen = A.allFinite() ? dense::general_eigen(A) : dense::GeneralEigen();
  if (!eigen.converged)
    throw SimulationError("vibrations cannot be computed: stiffness or damping is too large beside the masses");
  const double noise = 1e-13 * eigen.values.cwiseAbs().maxCoeff();
  for (int i = 0; i < elastic + n; ++i) {
    std::complex<double> s = eigen.values(i);
    if (std::abs(s.real()) < noise) s.real(0);
    if (std::abs(s.imag()) < noise) s.imag(0);
    // The conjugates, and the rates of rigid motions that nothing damps
    if (s.imag() < 0 || s == 0.0) continue;
    out.push_back(make_mode(s, r.basis * (V * eigen.vectors.col(i).tail(n))));
  }
  return out;
}

namespace {

// [dofs] → [6 carriers], largest component 1
VectorXcd spread(const Structure& s, const VectorXcd& x) {
  VectorXcd full = VectorXcd::Zero(Eigen::Index(s.dof.size()));
  for (size_t i = 0; i < s.dof.size(); ++i)
    if (s.dof[i] >= 0 && s.dof[i] < x.size()) full(Eigen::Index(i)) = x(s.dof[i]);  // without states
  int largest = 0;
  full.cwiseAbs().maxCoeff(&largest);
  return full / full(largest);
}

}  // namespace

// Forces of springs on places of size 1 m leave round-off; so do those of dampers between parts that move alike, of their velocities, which
// constraints are met by to ε.
ModesReport check_balance(const Assembly<double>& a, const State<double>& rest, int freedoms, double stiffness, double damping) {
  ModesReport r;
  r.freedoms = freedoms;
  double forces = 0, fastest = 0;  // per mass; m/s
  for (int c = 0; c < a.carriers().count; ++c) {
    if (!a.model().topology.carriers[c].is_place) continue;
    // Of a body that turns, at its radius of gyration
    const double radius = c < a.carriers().rigid ? std::sqrt(1.5 * a.inertia(c, 1) / a.inertia(c, 0)) : 0;
    const auto size = [&](const double* v) {
      return norm(Vec3<double>{v[0], v[1], v[2]}) + radius * norm(Vec3<double>{v[3], v[4], v[5]});
    };
    const double acceleration = size(&rest.accelerations[6 * c]);
    if (acceleration > r.unbalanced) r.unbalanced = acceleration, r.unbalanced_body = a.model().topology.carrier_name(c);
    forces = std::max({forces, norm(a.evaluation().wrench[c].F) / a.inertia(c, 0), norm(a.gravity())});
    fastest = std::max(fastest, size(&rest.velocities[6 * c]));
  }
  r.balanced = r.unbalanced <= 1e-7 * forces + 1e-13 * stiffness + 1e-9 * damping * fastest;
  return r;
}

void refuse_large(const Assembly<double>& a, int most) {
  if (a.model().structure.dofs > most)
    throw SimulationError(
        fmt::format("vibrations are computed for models with up to {} velocities, this one has {}; use fewer elements", most,
                    a.model().structure.dofs));
}

namespace {

// A few modes of a large model.
LowestModes sparse_modes(Assembly<double>& a, const State<double>& rest, const Turning* turning, int number,
                         ModesReport* report) {
  const Structure& structure = a.model().structure;
  State<double> at = rest;
  const std::vector<double> steady = evaluate_steady(a, at, turning);
  const auto values = [&](double cM, double cC, double cK) {
    a.tangent(cM, cC, cK, steady.data(), rest.lambda.data(), nullptr);
    return std::vector<double>(a.values().begin(), a.values().end());
  };
  SparsePencil p{&structure.pattern, structure.dofs, values(1, 0, 0), values(0, 1, 0), values(0, 0, 1)};
  if (turning) add_turning(a, *turning, p.M.data(), p.C.data(), p.K.data());
  double stiffness = 0, damping = 0;
  for (int i = 0; i < p.unknowns; ++i) {
    const size_t own = size_t(structure.pattern.find(i, i));
    if (!(p.M[own] > 0)) continue;
    stiffness = std::max(stiffness, std::abs(p.K[own]) / p.M[own]);
    damping = std::max(damping, std::abs(p.C[own]) / p.M[own]);
  }
  const int rows = int(std::count(structure.row_active.begin(), structure.row_active.end(), char(1)));
  if (report) *report = check_balance(a, rest, structure.dofs - rows, stiffness, damping);
  return lowest_modes(p, number);
}

// Bodies that spin where they are, ξ = v t, must not be pulled back: K' v = 0 beside the constraints.
void check_spins(const Assembly<double>& a, const State<double>& s, const Linearised& l, const Reduced& r, ModesReport& report) {
  const Structure& structure = a.model().structure;
  VectorXd v = VectorXd::Zero(l.K.rows());
  for (int c = 0; c < a.carriers().first_state; ++c)
    for (int i = 0; i < 6; ++i)
      if (const int d = structure.dof[6 * c + i]; d >= 0)
        v(d) = c < a.carriers().rigid && i >= 3 ? a.frames()[c].w[i - 3] : s.velocities[6 * c + i];
  const VectorXd pull = r.basis.transpose() * (l.K * v);  // in coordinates of unit mass
  const double most = 1e-7 * r.stiffness * v.cwiseQuotient(mass_scale(l.M)).norm();
  if (!report.balanced || !(pull.norm() > most)) return;
  report.balanced = false;
  int worst = 0;
  (r.basis * pull).cwiseAbs().maxCoeff(&worst);
  report.unbalanced = pull.norm();
  report.unbalanced_body = a.model().topology.carrier_name(structure.unknown_carrier[worst]);
}

[[noreturn]] void refuse_unfinished(const LowestModes& found, int number) {
  const auto rigid = std::count_if(found.modes.begin(), found.modes.end(), [](const Mode& m) { return m.rigid; });
  throw SimulationError(fmt::format(
      "the lowest {} vibrations of this large model cannot be computed: {}", number,
      rigid >= most_rigid
          ? fmt::format("it has more than {} motions that nothing pulls back; hold them by joints or springs", most_rigid)
          : "the search for them does not converge; ask for fewer, or use fewer elements"));
}

}  // namespace

std::vector<Mode> modes(Assembly<double>& a, const State<double>& about, ModesReport* report, const Turning* turning, int number,
                        int above) {
  const Structure& structure = a.model().structure;
  // States of elements are taken out of dense matrices. Many modes are computed densely as fast, of small models.
  bool sparse = number > 0 && structure.states == 0 && structure.dofs > above &&
                (structure.dofs > largest_dense || 8 * number < structure.dofs);
  if (!sparse) refuse_large(a);
  State<double> rest = about;
  Solver<double> solver;
  if (!hold_at_rest(a, rest, solver, nullptr, turning))
    throw SimulationError("the forces and constraints have no value where vibrations are asked for");
  std::vector<Mode> out;
  if (sparse) {
    LowestModes lowest = sparse_modes(a, rest, turning, number, report);
    if (!lowest.complete && structure.dofs > largest_dense) refuse_unfinished(lowest, number);
    sparse = lowest.complete;
    if (report) report->left_out = lowest.left_out;
    out = std::move(lowest.modes);
  }
  if (!sparse) {
    const Linearised l = linearise(a, rest, turning);
    const Reduced r = reduce(a, l);
    const VectorXd scale = mass_scale(l.M);
    const double damping = l.C.size() > 0 ? (scale.asDiagonal() * l.C * scale.asDiagonal()).cwiseAbs().maxCoeff() : 0;
    if (report) *report = check_balance(a, rest, int(r.K.rows()), r.stiffness, damping);
    if (report && turning && !turning->all) check_spins(a, rest, l, r, *report);
    out = vibrations_of(r);
  }
  for (Mode& m : out) m.shape = spread(a.model().structure, m.shape);
  std::stable_sort(out.begin(), out.end(), [](const Mode& x, const Mode& y) { return x.frequency < y.frequency; });
  return out;
}

}  // namespace aleator::core
