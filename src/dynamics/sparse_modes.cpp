#include "dynamics/sparse_modes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/cancellation.hpp"
#include "numerics/dense.hpp"
#include "numerics/sparse_solve.hpp"

namespace aleator::core {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

namespace {

constexpr double shift = 1e-12;     // σ² by the largest number of K: A⁻¹ keeps four digits of rigid motions
constexpr double soft = 1e-13;      // of constraints beside K: redundant ones leave A regular
constexpr double converged = 1e-8;  // w by x, both measured by M
constexpr double dependent = 1e-8;  // of a vector that is in the subspace already: what is left beside it
constexpr int widest = 64, growth = 8, patient = 8;

// The pencil in coordinates x = scale z, in which metres and radians weigh what they weigh in the kinetic energy, M_ii = 1.
struct Scaled {
  const SparsePattern& pattern;
  int n;
  VectorXd scale;               // [unknowns], then what rows are multiplied by, so that they are of the size of K
  std::vector<double> M, C, K;  // [nonzeros]
  double stiffness = 0;         // the largest number of K
  bool undamped = true, symmetric = true;

  explicit Scaled(const SparsePencil& p) : pattern(*p.pattern), n(p.unknowns), scale(pattern.n), M(p.M), C(p.C), K(p.K) {
    scale_unknowns();
    scale_rows();
    for (Index c = n; c < pattern.n; ++c) set_softness(int(c));
    for (int c = 0; c < n; ++c)
      for (int k = pattern.column_start[c]; k < pattern.column_start[c + 1] && pattern.row[k] < n; ++k) {
        undamped = undamped && C[size_t(k)] == 0;
        const int other = pattern.find(c, pattern.row[k]);
        symmetric = symmetric && std::abs(K[size_t(k)] - (other < 0 ? 0 : K[size_t(other)])) <= 1e-10 * stiffness;
      }
  }

  // out = A z of the unknowns alone
  void multiply(const std::vector<double>& A, const double* z, double* out) const {
    std::fill_n(out, n, 0.0);
    for (int c = 0; c < n; ++c)
      for (int k = pattern.column_start[c]; k < pattern.column_start[c + 1] && pattern.row[k] < n; ++k)
        out[pattern.row[k]] += z[c] * A[size_t(k)];
  }
  MatrixXd multiply(const std::vector<double>& A, const MatrixXd& Z) const {
    MatrixXd out(n, Z.cols());
    for (Index c = 0; c < Z.cols(); ++c) multiply(A, Z.col(c).data(), out.col(c).data());
    return out;
  }

 private:
  void scale_unknowns() {
    double heaviest = 0;
    const auto mass = [&](int i) { return M[size_t(pattern.find(i, i))]; };
    for (int i = 0; i < n; ++i) heaviest = std::max(heaviest, mass(i));
    for (int i = 0; i < n; ++i) scale(i) = 1 / std::sqrt(std::max(mass(i), 1e-15 * heaviest));
    for (int c = 0; c < n; ++c)
      for (int k = pattern.column_start[c]; k < pattern.column_start[c + 1] && pattern.row[k] < n; ++k) {
        const double by = scale(c) * scale(pattern.row[k]);
        M[size_t(k)] *= by, C[size_t(k)] *= by, K[size_t(k)] *= by;
        if (!std::isfinite(M[size_t(k)] + C[size_t(k)] + K[size_t(k)]))
          throw SimulationError("vibrations are not defined: masses, forces or their derivatives are not finite here");
        stiffness = std::max(stiffness, std::abs(K[size_t(k)]));
      }
  }

  void scale_rows() {
    VectorXd squares = VectorXd::Zero(pattern.n);
    const auto each = [&](auto&& of_row, auto&& of_column) {
      for (int c = 0; c < pattern.n; ++c)
        for (int k = pattern.column_start[c]; k < pattern.column_start[c + 1]; ++k) {
          const int r = pattern.row[k];
          if (r >= n && c < n) of_row(r, c, K[size_t(k)]);
          if (r < n && c >= n) of_column(r, c, K[size_t(k)]);
        }
    };
    each([&](int r, int c, double g) { squares(r) += g * g * scale(c) * scale(c); }, [](int, int, double) {});
    for (int r = n; r < pattern.n; ++r) scale(r) = squares(r) > 0 ? size_of_stiffness() / std::sqrt(squares(r)) : 0;
    each([&](int r, int c, double& g) { g *= scale(r) * scale(c); }, [&](int r, int c, double& g) { g *= scale(r) * scale(c); });
  }

  double size_of_stiffness() const { return stiffness > 0 ? stiffness : 1; }

  // A row without entries holds nothing.
  void set_softness(int row) {
    for (int k = pattern.column_start[row]; k < pattern.column_start[row + 1]; ++k)
      if (pattern.row[k] >= n)
        K[size_t(k)] = pattern.row[k] != row ? 0 : scale(row) > 0 ? -soft * size_of_stiffness() : size_of_stiffness();
  }
};

// A⁻¹ beside the constraints.
class Inverse {
 public:
  explicit Inverse(const Scaled& p) : n_(p.n), size_(p.pattern.n) {
    double sigma2 = p.stiffness > 0 ? shift * p.stiffness : 1;
    for (int attempt = 0; attempt < 6 && !(factors_ && factors_->good()); ++attempt, sigma2 *= 7) {
      std::vector<double> A = p.K;
      for (int c = 0; c < n_; ++c)
        for (int k = p.pattern.column_start[c]; k < p.pattern.column_start[c + 1] && p.pattern.row[k] < n_; ++k)
          A[size_t(k)] += sigma2 * p.M[size_t(k)];
      factors_.emplace(p.pattern, A);
    }
    if (!factors_->good())
      throw SimulationError("vibrations cannot be computed: the stiffness is singular beside the constraints");
  }
  MatrixXd of(const MatrixXd& right) const {
    MatrixXd out(n_, right.cols());
    VectorXd x(size_);
    for (Index c = 0; c < right.cols(); ++c) {
      throw_if_cancelled();
      x << right.col(c), VectorXd::Zero(size_ - n_);
      factors_->solve(x.data());
      out.col(c) = x.head(n_);
    }
    return out;
  }

 private:
  int n_, size_;
  std::optional<SparseFactors> factors_;
};

// V, what M, C and K make of it, and what is left of them in it.
struct Subspace {
  const Scaled& p;
  MatrixXd V, MV, CV, KV;  // [unknowns][columns]
  MatrixXd C, K;           // [columns][columns]

  explicit Subspace(const Scaled& pencil) : p(pencil), V(p.n, 0), MV(p.n, 0), CV(p.n, 0), KV(p.n, 0), C(0, 0), K(0, 0) {}

  // w without its part in V, and what size it has then.
  double separate(VectorXd& w, VectorXd& Mw) const {
    for (int pass = 0; pass < 2; ++pass) w -= V * (MV.transpose() * w);
    p.multiply(p.M, w.data(), Mw.data());
    return std::sqrt(std::max(0.0, w.dot(Mw)));
  }

  // Adds columns of which more than `least` is beside V and the columns before, and says how many. What is left of a vector that is
  // nearly in V is round-off, and does not keep to the constraints.
  int add(const MatrixXd& W, double least) {
    const Index before = V.cols();
    VectorXd w(p.n), Mw(p.n);
    for (Index c = 0; c < W.cols(); ++c) {
      w = W.col(c);
      double left = separate(w, Mw);
      if (!(left > least) || !std::isfinite(left)) continue;
      w /= left;
      left = separate(w, Mw);
      V.conservativeResize(p.n, V.cols() + 1), MV.conservativeResize(p.n, V.cols());
      V.rightCols(1) = w / left, MV.rightCols(1) = Mw / left;
    }
    project(before);
    return int(V.cols() - before);
  }
  // The same of columns of any size.
  int add_directions(MatrixXd W) {
    const MatrixXd MW = p.multiply(p.M, W);
    for (Index c = 0; c < W.cols(); ++c)
      if (const double square = W.col(c).dot(MW.col(c)); square > 0) W.col(c) /= std::sqrt(square);
    return add(W, dependent);
  }

  MatrixXd newest(int columns) const { return V.rightCols(columns); }

 private:
  void project(Index before) {
    const MatrixXd added = V.rightCols(V.cols() - before);
    extend(K, KV, p.K, added, before);
    if (p.symmetric) K = (0.5 * (K + K.transpose())).eval();
    if (p.undamped)
      C = MatrixXd::Zero(V.cols(), V.cols());
    else
      extend(C, CV, p.C, added, before);
  }
  void extend(MatrixXd& small, MatrixXd& product, const std::vector<double>& A, const MatrixXd& added, Index before) const {
    product.conservativeResize(p.n, V.cols());
    product.rightCols(added.cols()) = p.multiply(A, added);
    small.conservativeResize(V.cols(), V.cols());
    small.rightCols(added.cols()) = dense::transposed_times(V, product.rightCols(added.cols()));
    small.bottomRows(added.cols()).leftCols(before) = dense::transposed_times(added, product.leftCols(before));
  }
};

// Always the same numbers: bits are the same in every run.
MatrixXd arbitrary(Index rows, Index columns, unsigned& state) {
  MatrixXd out(rows, columns);
  for (Index c = 0; c < columns; ++c)
    for (Index r = 0; r < rows; ++r) state = state * 1664525u + 1013904223u, out(r, c) = double(state >> 8) / (1 << 24) - 0.5;
  return out;
}

bool vibrates(const Mode& m) { return !m.rigid && (m.oscillating || m.unstable); }

// Of rising modes: rigid ones, the first `number` of the others, and the first ones that vibrate. Large dampers make many overdamped ones.
std::vector<Mode> wanted(const std::vector<Mode>& modes, int number) {
  std::vector<Mode> out;
  int moving = 0, vibrating = 0;
  for (const Mode& m : modes) {
    moving += !m.rigid, vibrating += vibrates(m);
    if (m.rigid || moving <= number || (vibrates(m) && vibrating <= number)) out.push_back(m);
  }
  return out;
}

int vibrations(const std::vector<Mode>& modes) { return int(std::count_if(modes.begin(), modes.end(), vibrates)); }

// Vibrations of the subspace, rising; shapes are [columns].
std::vector<Mode> projected(const Subspace& s) {
  const Index m = s.V.cols();
  std::vector<Mode> out = vibrations_of({MatrixXd::Identity(m, m), s.C, s.K, s.p.stiffness});
  std::stable_sort(out.begin(), out.end(), [](const Mode& x, const Mode& y) { return x.frequency < y.frequency; });
  return out;
}

struct Corrections {
  MatrixXd columns;               // [unknowns]
  bool vibrations = false;        // some are of modes that vibrate
  std::vector<char> unconverged;  // [modes] looked at
};

// w = A⁻¹ (s²M + sC + K) x beside V of those modes that have not converged, the lowest first, about `most` columns.
Corrections corrections(const Subspace& s, const Inverse& inverse, const std::vector<Mode>& modes, int most) {
  std::vector<VectorXd> out;
  Corrections found;
  VectorXd w(s.p.n), Mw(s.p.n);
  for (const Mode& mode : modes) {
    if (int(out.size()) >= most) break;
    const VectorXcd x = mode.shape.normalized();
    const std::complex<double> rate = mode.eigenvalue;
    VectorXcd residual = s.KV * x;
    if (rate != 0.0) residual += s.MV * (rate * rate * x);
    if (rate != 0.0 && !s.p.undamped) residual += s.CV * (rate * x);
    MatrixXd parts(s.p.n, residual.imag().isZero(0) ? 1 : 2);
    parts.col(0) = residual.real();
    if (parts.cols() > 1) parts.col(1) = residual.imag();
    const MatrixXd solved = inverse.of(parts);
    const size_t before = out.size();
    for (Index c = 0; c < solved.cols(); ++c) {
      w = solved.col(c);
      if (s.separate(w, Mw) > converged) out.push_back(w);
    }
    found.unconverged.push_back(out.size() > before);
    found.vibrations = found.vibrations || (out.size() > before && vibrates(mode));
  }
  MatrixXd columns(s.p.n, Index(out.size()));
  for (size_t c = 0; c < out.size(); ++c) columns.col(Index(c)) = out[c];
  found.columns = std::move(columns);
  return found;
}

// Dampers like K make overdamped modes without end about one frequency, which A⁻¹ does not tell apart: of these only those are kept that
// have converged. Whether some are left out.
bool keep_converged(std::vector<Mode>& modes, const std::vector<char>& unconverged) {
  std::vector<Mode> kept;
  for (size_t i = 0; i < modes.size(); ++i)
    if (modes[i].rigid || vibrates(modes[i]) || (i < unconverged.size() && !unconverged[i])) kept.push_back(std::move(modes[i]));
  const bool left_out = kept.size() < modes.size();
  modes = std::move(kept);
  return left_out;
}

// With blocks of `width` vectors, which see as many modes of the same frequency.
LowestModes search(const Scaled& p, const Inverse& inverse, int number, int width) {
  Subspace s(p);
  unsigned state = 12345;
  int added = s.add_directions(inverse.of(arbitrary(p.n, width, state)));
  const int start = 2 * (number + width) + 16, most = growth * start;
  while (added > 0 && s.V.cols() < start) added = s.add_directions(inverse.of(p.multiply(p.M, s.newest(added))));
  LowestModes out;
  int patience = patient;
  do {
    const std::vector<Mode> all = projected(s);
    out.modes = wanted(all, number);
    const Corrections next = corrections(s, inverse, out.modes, 2 * width);
    if (!next.columns.cols() || next.vibrations) patience = patient;
    if (next.columns.cols() && patience-- == 0) {
      out.left_out = keep_converged(out.modes, next.unconverged);
      out.complete = true;
      break;
    }
    added = s.add(next.columns, converged);
    if (added == 0 && vibrations(all) < number) added = s.add_directions(inverse.of(arbitrary(p.n, width, state)));
    out.complete = added == 0;
  } while (added > 0 && s.V.cols() <= most);
  // The last additions have not been looked at.
  for (Mode& m : out.modes) m.shape = p.scale.head(p.n).asDiagonal() * (s.V.leftCols(m.shape.size()) * m.shape);
  return out;
}

}  // namespace

LowestModes lowest_modes(const SparsePencil& pencil, int number) {
  if (pencil.unknowns == 0) return {{}, true};
  const Scaled p(pencil);
  const Inverse inverse(p);
  for (int width = std::min(number + 8, widest);; width *= 2) {
    LowestModes found = search(p, inverse, number, width);
    // More rigid motions than a block has vectors: there may be others, and other ones than these.
    const int rigid = int(std::count_if(found.modes.begin(), found.modes.end(), [](const Mode& m) { return m.rigid; }));
    if (rigid < width) return found;
    found.complete = false;
    if (2 * width > most_rigid || width >= p.n) return found;
  }
}

}  // namespace aleator::core
