#include "dynamics/linear_response.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "dynamics/named_place.hpp"
#include "numerics/dense.hpp"

namespace aleator::core {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

namespace {

// By values at four places, to the fourth order in the step.
template <class F>
VectorXd derivative(const F& f, double h) {
  const VectorXd near = f(h) - f(-h), far = f(2 * h) - f(-2 * h);
  return (8 * near - far) / (12 * h);
}

// Evaluates loads, gaps and outputs near a state at rest.
class Probe {
 public:
  Probe(Assembly<double>& a, const State<double>& rest) : a_(a), rest_(rest), zero_(size_t(a.velocities()), 0.0) {
    const Structure& s = a.model().structure;
    for (int r = 0; r < s.rows; ++r)
      if (s.row_active[r]) rows_.push_back(r);
    evaluate(rest_.positions, zero_);
    for (int c = 0; c < a.carriers().count; ++c)
      largest_force_ = std::max({largest_force_, norm(a.evaluation().wrench[c].F), norm(a.evaluation().wrench[c].M)});
    for (const double l : rest.lambda) largest_force_ = std::max(largest_force_, std::abs(l));
    // Unit motions of the unknowns, rotations in body axes; frames are those of the rest now.
    std::vector<double> unit(size_t(s.size), 0.0), ignored(size_t(s.rows));
    for (int i = 0; i < s.dofs; ++i) {
      unit[size_t(i)] = 1;
      moves_.emplace_back(size_t(a.velocities()));
      a.scatter(unit.data(), moves_.back().data(), ignored.data());
      unit[size_t(i)] = 0;
    }
    for (int c = 0; c < a.carriers().count; ++c)
      if (a.model().topology.carriers[c].is_place)
        for (int i = 0; i < 3; ++i) {
          const double x = rest.positions[7 * c + i];
          low_[i] = std::min(low_[i], x), high_[i] = std::max(high_[i], x);
        }
  }

  const std::vector<int>& rows() const { return rows_; }

  // −r and g, by each of u, u̇, ü
  void forces(const LinearInput& u, int order, VectorXd& loads, VectorXd& gaps) {
    const VectorXd both = derivative([&](double h) { return with_input(u, order, h, false); }, 0.01 * u.size);
    loads = both.head(a_.model().structure.dofs);
    gaps = both.tail(Index(rows_.size()));
  }
  VectorXd outputs_by_input(const LinearInput& u, int order) {
    return derivative([&](double h) { return with_input(u, order, h, true); }, 0.01 * u.size);
  }
  // Lengths are judged by the size of the model, turns and slopes by 1.
  VectorXd outputs_by_position(int dof) {
    const auto move = [&](double h) {
      std::vector<double> step = moves_[size_t(dof)];
      for (double& x : step) x *= h;
      AlignedVector<double> q = rest_.positions;
      a_.carriers().move(rest_.positions.data(), step.data(), q.data());
      evaluate(q, zero_);
      return observe(rest_.accelerations, rest_.lambda);
    };
    return derivative(move, 1e-4 * length(dof));
  }
  // Where the forces have another slope in each direction, as a damper that is softer in compression: the mean of the two, a column of K or C.
  // A kink is told from a curve by steps of two sizes: what is not odd in the step grows with it, not with its square.
  std::optional<VectorXd> slope_at_kink(int dof, bool velocity) {
    const double h = velocity ? 1e-5 : 1e-6 * length(dof);
    const VectorXd at = moved_loads(dof, velocity, 0);
    const auto both = [&](double step) { return std::pair(moved_loads(dof, velocity, step), moved_loads(dof, velocity, -step)); };
    const auto [above, below] = both(h);
    const double odd = (above - below).norm(), even = (above + below - 2 * at).norm();
    if (!(even > 0.02 * odd && even > 1e-10 * largest_force_)) return {};
    const auto [near_above, near_below] = both(h / 2);
    if (even > 2.8 * (near_above + near_below - 2 * at).norm()) return {};
    return VectorXd((below - above) / (2 * h));
  }

  VectorXd outputs_by_velocity(int dof) {
    const auto move = [&](double h) {
      AlignedVector<double> v = zero_;
      for (size_t i = 0; i < v.size(); ++i) v[i] = h * moves_[size_t(dof)][i];
      evaluate(rest_.positions, v);
      return observe(rest_.accelerations, rest_.lambda);
    };
    return derivative(move, 1e-4);
  }
  // Forces are linear in these two.
  VectorXd outputs_by_acceleration(int dof) {
    evaluate(rest_.positions, zero_);
    const auto move = [&](double h) {
      AlignedVector<double> v = rest_.accelerations;
      for (size_t i = 0; i < v.size(); ++i) v[i] += h * moves_[size_t(dof)][i];
      return observe(v, rest_.lambda);
    };
    return derivative(move, 1.0);
  }
  VectorXd outputs_by_multiplier(int row) {
    evaluate(rest_.positions, zero_);
    const auto move = [&](double h) {
      AlignedVector<double> l = rest_.lambda;
      l[size_t(row)] += h;
      return observe(rest_.accelerations, l);
    };
    return derivative(move, 1.0);
  }

 private:
  double length(int dof) const {
    const Topology& t = a_.model().topology;
    const auto& full = a_.model().structure.dof;
    const auto at = std::find(full.begin(), full.end(), dof) - full.begin();
    if (at % 6 >= 3 || !t.carriers[size_t(at / 6)].is_place) return 1;
    double size = 0;
    for (int i = 0; i < 3; ++i) size = std::max(size, high_[i] - low_[i]);
    return size > 0 ? std::min(size, 1.0) : 1;
  }

  void evaluate(const AlignedVector<double>& q, const AlignedVector<double>& v) {
    a_.set_signals(rest_.t, Side::right);
    finish(q, v);
  }
  void finish(const AlignedVector<double>& q, const AlignedVector<double>& v) {
    a_.kinematics(q.data(), v.data(), rest_.turns.data());
    a_.constrain();
    a_.forces();
  }

  VectorXd moved_loads(int dof, bool velocity, double h) {
    AlignedVector<double> v = zero_, q = rest_.positions;
    std::vector<double> step = moves_[size_t(dof)];
    for (double& x : step) x *= h;
    if (velocity)
      std::copy(step.begin(), step.end(), v.begin());
    else
      a_.carriers().move(rest_.positions.data(), step.data(), q.data());
    evaluate(q, v);
    return loads();
  }

  VectorXd with_input(const LinearInput& u, int order, double h, bool outputs) {
    a_.set_signals(rest_.t, Side::right);
    Jet<double>& jet = a_.signals()[u.signal];
    (order == 0 ? jet.f : order == 1 ? jet.d1 : jet.d2) += h;
    finish(rest_.positions, zero_);
    if (outputs) return observe(rest_.accelerations, rest_.lambda);
    VectorXd out(a_.model().structure.dofs + Index(rows_.size()));
    out.head(a_.model().structure.dofs) = loads();
    for (size_t k = 0; k < rows_.size(); ++k) out(a_.model().structure.dofs + Index(k)) = a_.evaluation().residual[rows_[k]];
    return out;
  }

  // −r, [dofs]
  VectorXd loads() const {
    const Structure& s = a_.model().structure;
    std::vector<double> r(size_t(a_.velocities())), none(size_t(s.rows), 0.0), gathered(size_t(s.size));
    a_.residual(rest_.accelerations.data(), rest_.lambda.data(), r.data());
    a_.gather(r.data(), none.data(), gathered.data());
    VectorXd out(s.dofs);
    for (int i = 0; i < s.dofs; ++i) out(i) = -gathered[size_t(i)];
    return out;
  }

  VectorXd observe(const AlignedVector<double>& accelerations, const AlignedVector<double>& lambda) const {
    VectorXd y(a_.channels());
    a_.observe(accelerations.data(), lambda.data(), y.data());
    return y;
  }

  Assembly<double>& a_;
  const State<double>& rest_;
  AlignedVector<double> zero_;
  std::vector<int> rows_;
  std::vector<std::vector<double>> moves_;  // [dofs][6 carriers]
  double low_[3] = {0, 0, 0}, high_[3] = {0, 0, 0};
  double largest_force_ = 0;  // or moment or multiplier, for round-off
};

// Rows of G in the metric of the masses, of length 1: G x = diag(length) Ĝ y with x = scale y. Its pseudo-inverse splits motions that drives
// enforce and reactions that carry loads, the least ones where rows are redundant.
class Rows {
 public:
  Rows(const MatrixXd& G, const VectorXd& scale) : scale_(scale), length_(VectorXd::Ones(G.rows())) {
    MatrixXd g = G * scale.asDiagonal();
    for (Index r = 0; r < g.rows(); ++r)
      if (const double l = g.row(r).norm(); l > 0) g.row(r) /= l, length_(r) = l;
    if (g.rows() == 0) return;
    const auto [basis, rank] = dense::orthonormal_basis(g.transpose(), 1e-9);
    span_ = basis.leftCols(rank);
    const MatrixXd W = dense::times(g, span_), Q = dense::orthonormal_columns(W);
    inverse_ = dense::times_transposed(dense::inverse_of_upper(dense::transposed_times(Q, W)), Q);
  }
  // The least x with G x = right.
  MatrixXd least_motion(const MatrixXd& right) const {
    if (inverse_.size() == 0) return MatrixXd::Zero(scale_.size(), right.cols());
    return scale_.asDiagonal() * dense::times(span_, dense::times(inverse_, length_.cwiseInverse().asDiagonal() * right));
  }
  // Y Λ, where λ = Λ r are the least reactions with Gᵀ λ = r, and Y is [channels][rows].
  MatrixXd times_reactions(const MatrixXd& Y) const {
    if (inverse_.size() == 0) return MatrixXd::Zero(Y.rows(), scale_.size());
    const MatrixXd a = Y * length_.cwiseInverse().asDiagonal();
    return dense::times_transposed(dense::times_transposed(a, inverse_), span_) * scale_.asDiagonal();
  }

 private:
  VectorXd scale_, length_;
  MatrixXd span_, inverse_;
};

// Everything in the coordinates x and z, before motions that are not excited are left out.
struct Derivatives {
  std::array<MatrixXd, 3> F;  // [dofs][inputs]
  MatrixXd gaps;              // [active rows][inputs]
  MatrixXd Yx, Yv, Ya, Yl;    // [channels][dofs], [channels][active rows]
  std::array<MatrixXd, 3> D;  // [channels][inputs]
};

// Replaces the columns of K and C of what has a kink at rest; which velocities these are.
std::vector<int> smooth_kinks(Probe& probe, Linearised& l) {
  std::vector<int> found;
  for (int i = 0; i < int(l.K.cols()); ++i) {
    const auto K = probe.slope_at_kink(i, false), C = probe.slope_at_kink(i, true);
    if (K) l.K.col(i) = *K;
    if (C) l.C.col(i) = *C;
    if (K || C) found.push_back(i);
  }
  return found;
}

Derivatives differentiate(Assembly<double>& a, Probe& probe, const std::vector<LinearInput>& inputs) {
  const int n = a.model().structure.dofs, channels = a.channels();
  const Index rows = Index(probe.rows().size()), count = Index(inputs.size());
  Derivatives d;
  d.gaps.resize(rows, count);
  for (int order = 0; order < 3; ++order) {
    d.F[order].resize(n, count), d.D[order].resize(channels, count);
    for (Index u = 0; u < count; ++u) {
      VectorXd loads, gaps;
      probe.forces(inputs[size_t(u)], order, loads, gaps);
      d.F[order].col(u) = loads;
      if (order == 0) d.gaps.col(u) = gaps;
      d.D[order].col(u) = probe.outputs_by_input(inputs[size_t(u)], order);
    }
  }
  d.Yx.resize(channels, n), d.Yv.resize(channels, n), d.Ya.resize(channels, n), d.Yl.resize(channels, rows);
  for (int i = 0; i < n; ++i) {
    d.Yx.col(i) = probe.outputs_by_position(i);
    d.Yv.col(i) = probe.outputs_by_velocity(i);
    d.Ya.col(i) = probe.outputs_by_acceleration(i);
  }
  for (Index r = 0; r < rows; ++r) d.Yl.col(r) = probe.outputs_by_multiplier(probe.rows()[size_t(r)]);
  return d;
}

// "body 'car' (model.yaml:3:3) along z" of what a motion of the unknowns moves most
std::string place_of(const Assembly<double>& a, const VectorXcd& x) {
  static const char* const directions[] = {"along x", "along y", "along z", "about x", "about y", "about z"};
  Index worst = 0;
  x.cwiseAbs().maxCoeff(&worst);
  const auto& full = a.model().structure.dof;
  const auto at = std::find(full.begin(), full.end(), int(worst)) - full.begin();
  const Topology& t = a.model().topology;
  return fmt::format("{} {}", named_body(a.model(), t.carrier_name(int(at / 6))),
                     t.carriers[size_t(at / 6)].vectors == 0 || at % 6 < 3 ? directions[at % 6] : "in its section");
}

// Size of the numbers of K per mass, as in Reduced.
double stiffness_of(const Linearised& l) {
  const VectorXd scale = mass_scale(l.M);
  return l.K.size() > 0 ? (scale.asDiagonal() * l.K * scale.asDiagonal()).cwiseAbs().maxCoeff() : 0;
}

[[noreturn]] void refuse_stiff() {
  throw SimulationError("linear responses cannot be computed: stiffness or damping is too large beside the masses");
}

// Numbers that are differences of others, and round-off of these, are 0.
void clear_round_off(MatrixXd& m, const MatrixXd& size) {
  for (Index i = 0; i < m.size(); ++i)
    if (std::abs(m.data()[i]) <= 1e-11 * size.data()[i]) m.data()[i] = 0;
}

class Compiler {
 public:
  Compiler(Assembly<double>& a, const State<double>& rest, const std::vector<LinearInput>& inputs)
      : a_(a), l_(linearise(a, rest)), balance_(check_balance(a, rest, 0, stiffness_of(l_))) {
    Probe probe(a, rest);
    kinks_ = smooth_kinks(probe, l_);
    r_ = reduce(a, l_);
    d_ = differentiate(a, probe, inputs);
  }

  LinearSystem operator()() {
    LinearSystem out;
    out.balance = balance_;
    out.balance.freedoms = int(r_.K.rows());
    project();
    if (r_.K.rows() > 0) choose_motions();
    refuse_rigid();
    state_space(out);
    return out;
  }

 private:
  static MatrixXd sizes(const MatrixXd& a, const MatrixXd& b) { return dense::times(a.cwiseAbs(), b.cwiseAbs()); }

  // b, and y in terms of z, ż, z̈ and u
  void project() {
    const Rows rows(l_.G, mass_scale(l_.M));
    const MatrixXd P = rows.least_motion(-d_.gaps), L = rows.times_reactions(d_.Yl);
    const MatrixXd* const matrices[] = {&l_.K, &l_.C, &l_.M};
    const MatrixXd* const direct[] = {&d_.Yx, &d_.Yv, &d_.Ya};
    std::array<MatrixXd, 3> size;
    for (int k = 0; k < 3; ++k) {
      load_[k] = dense::transposed_times(r_.basis, d_.F[k] - dense::times(*matrices[k], P));
      const MatrixXd by_motion = *direct[k] - dense::times(L, *matrices[k]);
      seen_[k] = dense::times(by_motion, r_.basis);
      seen_size_[k] = (*direct[k]).rowwise().norm() + by_motion.rowwise().norm();
      feed_[k] = d_.D[k] + dense::times(L, d_.F[k]) + dense::times(by_motion, P);
      size[size_t(k)] = d_.D[k].cwiseAbs() + sizes(L, d_.F[k]) + sizes(by_motion, P);
    }
    // z̈ = −K z − C ż + b u
    for (int k = 0; k < 3; ++k) {
      feed_[k] += dense::times(seen_[2], load_[k]);
      clear_round_off(feed_[k], size[size_t(k)] + sizes(seen_[2], load_[k]));
    }
  }

  // [coordinates] How far the inputs move each coordinate, compared with the one that each moves most; of rigid ones how much they pull.
  VectorXd excitation(const Decoupled& d) const {
    const Index n = d.sigma.size();
    VectorXd most = VectorXd::Zero(n);
    for (Index u = 0; u < load_[0].cols(); ++u) {
      VectorXd response = VectorXd::Zero(n);
      double pull = 0;
      for (int k = 0; k < 3; ++k) {
        const VectorXd b = d.V.transpose() * load_[k].col(u);
        pull = std::max(pull, load_[k].col(u).norm());
        for (Index i = 0; i < n; ++i)
          response(i) = std::max(response(i), std::abs(b(i)) * (i < d.elastic ? std::pow(d.sigma(i), 0.5 * k - 1) : 1));
      }
      const double largest = d.elastic > 0 ? response.head(d.elastic).maxCoeff() : 0;
      for (Index i = 0; i < n; ++i)
        if (const double unit = i < d.elastic ? largest : pull; unit > 0) most(i) = std::max(most(i), response(i) / unit);
    }
    return most;
  }

  // Motions of the same frequency can be combined so that as few of them as possible are loaded.
  void align(Decoupled& d) const {
    const Index n = d.sigma.size();
    for (Index i = 0, end = 0; i < n; i = end) {
      for (end = i + 1; end < n && (i >= d.elastic || (end < d.elastic && d.sigma(end) > (1 - 1e-8) * d.sigma(i)));) ++end;
      if (end == i + 1) continue;
      MatrixXd loads(end - i, 3 * load_[0].cols());
      for (Index k = 0; k < 3; ++k)
        loads.middleCols(k * load_[0].cols(), load_[0].cols()) =
            dense::transposed_times(d.V.middleCols(i, end - i), load_[size_t(k)]);
      for (Index c = 0; c < loads.cols(); ++c)
        if (const double size = load_[size_t(c / load_[0].cols())].col(c % load_[0].cols()).norm(); size > 0)
          loads.col(c) /= size;
      d.V.middleCols(i, end - i) =
          MatrixXd(dense::times(d.V.middleCols(i, end - i), dense::orthonormal_basis(loads, 1e-9).basis));
    }
  }

  // Those that are loaded, and those that they move by damping or by a stiffness that is not symmetric.
  void choose_motions() {
    Decoupled d = decouple(r_);
    align(d);
    const MatrixXd C = dense::times(dense::transposed_times(d.V, r_.C), d.V),
                   K = dense::times(dense::transposed_times(d.V, r_.K), d.V);
    const double damping = 1e-9 * C.cwiseAbs().maxCoeff(), stiffness = 1e-9 * K.cwiseAbs().maxCoeff();
    const bool coupled = !symmetric(r_.K);
    const VectorXd excited = excitation(d);
    std::vector<Index> kept;
    std::vector<char> in(size_t(d.sigma.size()), 0);
    const auto take = [&](Index i) {
      if (!in[size_t(i)]) in[size_t(i)] = 1, kept.push_back(i);
    };
    for (Index i = 0; i < d.sigma.size(); ++i)
      if (excited(i) > 1e-9) take(i);
    for (size_t k = 0; k < kept.size(); ++k)
      for (Index j = 0; j < d.sigma.size(); ++j)
        if (std::abs(C(j, kept[k])) > damping || (coupled && std::abs(K(j, kept[k])) > stiffness)) take(j);
    std::sort(kept.begin(), kept.end());
    sigma_ = d.sigma(kept);
    V_ = d.V(Eigen::all, kept);
    C_ = C(kept, kept), K_ = K(kept, kept);
    elastic_ = std::count_if(kept.begin(), kept.end(), [&](Index i) { return i < d.elastic; });
  }

  void refuse_rigid() const {
    if (elastic_ == V_.cols()) return;
    throw SimulationError(
        fmt::format("there is no stationary motion: nothing pulls {} back, and the functions of time move it; hold it "
                    "by a spring, or lock it by a joint",
                    place_of(a_, r_.basis * V_.col(elastic_))));
  }

  void state_space(LinearSystem& out) const {
    const Index m = V_.cols(), inputs = load_[0].cols();
    const VectorXd omega = sigma_.cwiseSqrt();
    out.A = MatrixXd::Zero(2 * m, 2 * m);
    out.A.topRightCorner(m, m) = omega.asDiagonal();
    out.A.bottomLeftCorner(m, m) = -K_ * omega.cwiseInverse().asDiagonal();
    out.A.bottomRightCorner(m, m) = -C_;
    // y = (Z_x − Z_a K) z + (Z_v − Z_a C) ż + …
    out.Y.resize(a_.channels(), 2 * m);
    if (m > 0) {
      out.Y.leftCols(m) = dense::times(seen_[0] - dense::times(seen_[2], r_.K), V_) * omega.cwiseInverse().asDiagonal();
      out.Y.rightCols(m) = dense::times(seen_[1] - dense::times(seen_[2], r_.C), V_);
    }
    for (int k = 0; k < 3; ++k) {
      out.B[k] = MatrixXd::Zero(2 * m, inputs);
      if (m > 0) out.B[k].bottomRows(m) = dense::transposed_times(V_, load_[k]);
      out.E[k] = feed_[k];
    }
    out.form = dense::schur(out.A);
    if (!out.form.converged) refuse_stiff();
    find_linear(out);
    name_motions(out);
    for (const int i : kinks_) {
      const Topology& t = a_.model().topology;
      const std::string body = named_body(a_.model(), t.carrier_name(a_.model().structure.unknown_carrier[i]));
      if (std::find(out.kinks.begin(), out.kinks.end(), body) == out.kinks.end()) out.kinks.push_back(body);
    }
  }

  // Energies and norms at rest, heights of pendulums: no part of first order, but for what is left of an equilibrium that is not exact.
  void find_linear(LinearSystem& out) const {
    const double size = r_.basis.size() > 0 ? r_.basis.colwise().norm().maxCoeff() : 0;
    for (Index c = 0; c < out.Y.rows(); ++c) {
      bool any = false;
      for (int k = 0; k < 3; ++k)
        any = any || !out.E[k].row(c).isZero(0) ||
              (V_.cols() > 0 && (seen_[k].row(c) * V_).norm() > 1e-7 * size * seen_size_[k](c));
      out.linear.push_back(any);
      if (!any) out.Y.row(c).setZero();
    }
  }

  void name_motions(LinearSystem& out) const {
    const Index m = V_.cols();
    if (m == 0) return;
    const dense::GeneralEigen eigen = dense::general_eigen(out.A);
    if (!eigen.converged || !eigen.values.allFinite()) refuse_stiff();
    const double largest = eigen.values.cwiseAbs().maxCoeff();
    for (Index i = 0; i < eigen.values.size(); ++i) {
      std::complex<double> s = eigen.values(i);
      if (std::abs(s.real()) < 1e-13 * largest) s.real(0);
      if (s.imag() < 0) continue;
      if (s == 0.0) refuse_stiff();  // none of them is rigid
      const VectorXcd x = r_.basis * (V_ * eigen.vectors.col(i).tail(m));
      out.motions.push_back({s, place_of(a_, x)});
      if (s.real() > 1e-9 * std::abs(s))
        throw SimulationError(
            fmt::format("there is no stationary motion: {} moves away from this state by itself; linearise about "
                        "a stable equilibrium",
                        out.motions.back().where));
    }
    std::stable_sort(out.motions.begin(), out.motions.end(),
                     [](const auto& x, const auto& y) { return std::abs(x.eigenvalue) < std::abs(y.eigenvalue); });
  }

  Assembly<double>& a_;
  Linearised l_;
  ModesReport balance_;
  std::vector<int> kinks_;
  Reduced r_;
  Derivatives d_;
  std::array<MatrixXd, 3> load_, seen_, feed_;  // b of u, u̇, ü; y of z, ż, z̈; y of u, u̇, ü
  std::array<VectorXd, 3> seen_size_;           // [channels] of what seen_ is made of
  VectorXd sigma_;
  MatrixXd V_, C_, K_;
  Index elastic_ = 0;
};

}  // namespace

LinearSystem linear_system(Assembly<double>& a, const State<double>& about, const std::vector<LinearInput>& inputs) {
  refuse_large(a, 1000);  // the Schur form of twice as many
  State<double> rest = about;
  Solver<double> solver;
  if (!hold_at_rest(a, rest, solver))
    throw SimulationError("the forces and constraints have no value where linear responses are asked for");
  LinearSystem out = Compiler(a, rest, inputs)();
  // Factors are evaluated first: Eigen compiles another product for each that is conjugated or converted.
  const MatrixXcd adjoint = out.form.U.adjoint(), Y = out.Y.cast<std::complex<double>>();
  out.YU_ = Y * out.form.U;
  for (int k = 0; k < 3; ++k) {
    const MatrixXcd B = out.B[k].cast<std::complex<double>>();
    out.UB_[k] = adjoint * B;
  }
  return out;
}

MatrixXcd LinearSystem::transfer(double omega) const {
  const std::complex<double> s(0, omega);
  MatrixXcd H =
      E[0].cast<std::complex<double>>() + s * E[1].cast<std::complex<double>>() + s * s * E[2].cast<std::complex<double>>();
  if (A.rows() == 0) return H;
  MatrixXcd x = UB_[0] + s * UB_[1] + s * s * UB_[2];
  dense::solve_shifted(form, s, x);
  H.noalias() += YU_ * x;
  return H;
}

}  // namespace aleator::core
