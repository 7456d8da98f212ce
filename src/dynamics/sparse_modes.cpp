#include "dynamics/sparse_modes.hpp"

#include <algorithm>
#include <cmath>

#include "base/cancellation.hpp"
#include "numerics/dense.hpp"
#include "numerics/sparse_solve.hpp"

namespace aleator::core {

using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

namespace {

constexpr double shift = 1e-6;  // σ by the largest frequency of a single unknown: K + σ²M keeps four digits of rigid motions
constexpr double rigid = 1e-3;  // |s|/σ below which a motion is rigid: its double eigenvalue is known to the root of round-off
constexpr double converged = 1e-9;  // of 1/(s − σ), relative

// out = A x of the unknowns alone.
void multiply(const SparsePencil& p, const std::vector<double>& A, const double* x, double factor, double* out) {
  const SparsePattern& s = *p.pattern;
  for (int c = 0; c < p.unknowns; ++c) {
    const double by = factor * x[c];
    if (by == 0) continue;
    for (int k = s.column_start[c]; k < s.column_start[c + 1] && s.row[k] < p.unknowns; ++k) out[s.row[k]] += by * A[size_t(k)];
  }
}

struct Krylov {
  const SparsePencil& p;
  double sigma;
  SparseFactors factors;
  VectorXd scale;  // [unknowns] √M_ii: what is orthogonalised is scale x, scale u / σ
  MatrixXd V;      // [2 unknowns][steps + 1]
  MatrixXd H;      // [steps + 1][steps]
  int steps = 0;
  bool exhausted = false;  // the space is invariant

  // w = T v in scaled coordinates
  void apply(const double* v, VectorXd& w) const {
    const int n = p.unknowns;
    VectorXd x(n), u(n), right = VectorXd::Zero(p.pattern->n);
    for (int i = 0; i < n; ++i) x(i) = v[i] / scale(i), u(i) = v[n + i] * sigma / scale(i);
    multiply(p, p.C, x.data(), -1, right.data());
    multiply(p, p.M, x.data(), -2 * sigma, right.data());
    multiply(p, p.M, u.data(), -1, right.data());
    factors.solve(right.data());
    for (int i = 0; i < n; ++i) w(i) = right(i) * scale(i), w(n + i) = x(i) * scale(i) / sigma;
  }

  void extend(int to) {
    const int n2 = 2 * p.unknowns;
    V.conservativeResize(n2, to + 1);
    const int before = int(H.cols());
    H.conservativeResize(to + 1, to);
    for (int j = before; j < to; ++j) H.col(j).setZero();
    H.bottomRows(to - before).leftCols(before).setZero();
    VectorXd w(n2);
    for (; steps < to; ++steps) {
      throw_if_cancelled();
      apply(V.col(steps).data(), w);
      const double size = w.norm();
      for (int pass = 0; pass < 2; ++pass)
        for (int j = 0; j <= steps; ++j) {
          const double h = V.col(j).dot(w);
          H(j, steps) += h;
          w -= h * V.col(j);
        }
      const double left = w.norm();
      H(steps + 1, steps) = left;
      if (!(left > 1e-13 * size)) {
        ++steps;
        exhausted = true;
        return;
      }
      V.col(steps + 1) = w / left;
    }
  }
};

}  // namespace

std::vector<Eigenpair> lowest_eigenpairs(const SparsePencil& p, int number) {
  const int n = p.unknowns;
  if (n == 0) return {};
  VectorXd scale(n);
  double heaviest = 0, fastest = 0;
  for (int i = 0; i < n; ++i) heaviest = std::max(heaviest, p.M[size_t(p.pattern->find(i, i))]);
  for (int i = 0; i < n; ++i) {
    const double m = std::max(p.M[size_t(p.pattern->find(i, i))], 1e-15 * heaviest);
    scale(i) = std::sqrt(m);
    fastest = std::max(fastest, std::sqrt(std::abs(p.K[size_t(p.pattern->find(i, i))]) / m));
  }
  const double sigma = fastest > 0 ? shift * fastest : 1;
  std::vector<double> A = p.K;
  for (int c = 0; c < n; ++c)
    for (int k = p.pattern->column_start[c]; k < p.pattern->column_start[c + 1]; ++k)
      if (p.pattern->row[k] < n) A[size_t(k)] += sigma * p.C[size_t(k)] + sigma * sigma * p.M[size_t(k)];
  Krylov krylov{p, sigma, SparseFactors(*p.pattern, A), scale, MatrixXd(2 * n, 1), MatrixXd(1, 0)};
  if (!krylov.factors.good()) return {};
  // Always the same start: bits are the same in every run.
  VectorXd start(2 * n), w(2 * n);
  unsigned state = 12345;
  for (int i = 0; i < 2 * n; ++i) state = state * 1664525u + 1013904223u, start(i) = double(state >> 8) / (1 << 24) - 0.5;
  krylov.apply(start.data(), w);  // onto the constraints
  if (!(w.norm() > 0)) return {};
  krylov.V.col(0) = w / w.norm();

  std::vector<Eigenpair> out;
  const int most = std::min(2 * n, 20 * number + 400);
  for (int steps = std::min(most, 4 * number + 40);; steps = std::min(most, steps + 2 * number + 40)) {
    krylov.extend(steps);
    const int m = krylov.steps;
    const dense::GeneralEigen eigen = dense::general_eigen(krylov.H.topLeftCorner(m, m));
    if (!eigen.converged) return {};
    out.clear();
    int vibrations = 0;
    double unfinished = HUGE_VAL;  // |s| of the lowest one that has not converged
    for (int i = 0; i < m; ++i) {
      const std::complex<double> theta = eigen.values(i);
      if (std::abs(theta) == 0) continue;
      std::complex<double> s = sigma + 1.0 / theta;
      const double residual = krylov.exhausted ? 0 : krylov.H(m, m - 1) * std::abs(eigen.vectors(m - 1, i));
      if (!(residual <= converged * std::abs(theta))) {
        if (std::abs(s) > sigma * rigid) unfinished = std::min(unfinished, std::abs(s));
        continue;
      }
      if (std::abs(s) < rigid * sigma) s = 0;
      if (std::abs(s.imag()) < 1e-9 * std::abs(s)) s.imag(0);
      if (s.imag() < 0) continue;
      const VectorXcd y = eigen.vectors.col(i);
      VectorXcd x(n);
      x.real() = krylov.V.topLeftCorner(n, m) * y.real(), x.imag() = krylov.V.topLeftCorner(n, m) * y.imag();
      out.push_back({s, x.cwiseQuotient(scale.cast<std::complex<double>>())});
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const Eigenpair& a, const Eigenpair& b) { return std::abs(a.s) < std::abs(b.s); });
    for (const Eigenpair& e : out) vibrations += e.s != 0.0 && std::abs(e.s) < unfinished;
    if (vibrations >= number || krylov.exhausted || steps == most) {
      std::erase_if(out, [&](const Eigenpair& e) { return std::abs(e.s) >= unfinished; });
      int kept = 0;  // the highest ones of a small space are round-off
      std::erase_if(out, [&](const Eigenpair& e) { return e.s != 0.0 && ++kept > number; });
      return out;
    }
  }
}

}  // namespace aleator::core
