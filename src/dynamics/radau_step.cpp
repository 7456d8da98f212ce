#include "dynamics/radau_step.hpp"

#include <algorithm>
#include <complex>
#include <limits>

#include "dynamics/turn_limit.hpp"
#include "numerics/sparse_ldl.hpp"

namespace aleator::core {

namespace {

using Pair = std::complex<double>;
constexpr int s = 3;

// The method: nodes c, matrix A, its inverse W, eigenvalues μ of W with right eigenvectors (columns) and left ones (rows, scaled so that
// left · right = 1), and the extrapolation of a step's velocities to the stages of the next.
struct Table {
  double c[s], A[s][s], W[s][s];
  double real;   // μ of the real system
  Pair complex;  // μ of the complex one; its conjugate belongs to the conjugate system
  double right[s], left[s];
  Pair right_complex[s], left_complex[s];
  double ahead[s][s + 1];
};

// Null vector of B − μ: the cross product of two of its rows (the best conditioned pair).
template <class N>
std::array<N, s> null_vector(const double (&B)[s][s], N mu, bool left) {
  N m[s][s];
  for (int i = 0; i < s; ++i)
    for (int j = 0; j < s; ++j) m[i][j] = N(left ? B[j][i] : B[i][j]) - (i == j ? mu : N(0));
  std::array<N, s> best{};
  double largest = -1;
  for (int k = 0; k < s; ++k) {
    const N *a = m[k], *b = m[(k + 1) % s];
    const std::array<N, s> x = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    const double size = std::abs(x[0]) + std::abs(x[1]) + std::abs(x[2]);
    if (size > largest) largest = size, best = x;
  }
  for (N& x : best) x /= largest;
  return best;
}

template <class N>
void eigenvectors(const double (&W)[s][s], N& mu, N (&right)[s], N (&left)[s]) {
  for (int k = 0; k < 3; ++k) mu -= (((mu - 9.0) * mu + 36.0) * mu - 60.0) / ((3.0 * mu - 18.0) * mu + 36.0);
  const auto r = null_vector(W, mu, false), l = null_vector(W, mu, true);
  N product(0);
  for (int i = 0; i < s; ++i) product += l[i] * r[i];
  for (int i = 0; i < s; ++i) right[i] = r[i], left[i] = l[i] / product;
}

Table make_table() {
  Table t;
  const double r = std::sqrt(6.0);
  const double c[s] = {(4 - r) / 10, (4 + r) / 10, 1};
  const double A[s][s] = {{(88 - 7 * r) / 360, (296 - 169 * r) / 1800, (-2 + 3 * r) / 225},
                          {(296 + 169 * r) / 1800, (88 + 7 * r) / 360, (-2 - 3 * r) / 225},
                          {(16 - r) / 36, (16 + r) / 36, 1.0 / 9}};
  double determinant = 0;
  for (int j = 0; j < s; ++j)
    determinant += A[0][j] * (A[1][(j + 1) % s] * A[2][(j + 2) % s] - A[1][(j + 2) % s] * A[2][(j + 1) % s]);
  for (int i = 0; i < s; ++i) {
    t.c[i] = c[i];
    for (int j = 0; j < s; ++j) {
      t.A[i][j] = A[i][j];
      const int a = (j + 1) % s, b = (j + 2) % s, p = (i + 1) % s, q = (i + 2) % s;
      t.W[i][j] = (A[a][p] * A[b][q] - A[a][q] * A[b][p]) / determinant;
    }
  }
  t.real = 3.6378342527444957;
  t.complex = {2.6810828736277523, 3.0504301992474105};
  eigenvectors(t.W, t.real, t.right, t.left);
  eigenvectors(t.W, t.complex, t.right_complex, t.left_complex);
  const double node[s + 1] = {0, c[0], c[1], c[2]};
  for (int i = 0; i < s; ++i)
    for (int j = 0; j <= s; ++j) {
      t.ahead[i][j] = 1;
      for (int k = 0; k <= s; ++k)
        if (k != j) t.ahead[i][j] *= (1 + c[i] - node[k]) / (node[j] - node[k]);
    }
  return t;
}

const Table table = make_table();

// Lanes do less than a single realization, whose numbers are rounded as they have always been.
template <class T>
constexpr bool recorded = std::is_same_v<T, Traced>;

template <class T>
void set_where(const MaskOf<T>& mask, const Mat3<T>& value, Mat3<T>& to) {
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) to[r][c] = select(mask, value[r][c], to[r][c]);
}

}  // namespace

template <class T>
double RadauStep<T>::node(int stage) {
  return table.c[stage];
}

template <class T>
RadauStep<T>::RadauStep(Assembly<T>& assembly, double tolerance)
    : assembly_(assembly), structure_(assembly.model().structure), axes_(assembly.model()), tolerance_(tolerance) {
  const int n = assembly.velocities(), rows = assembly.rows();
  positions.resize(size_t(7) * assembly.carriers().count), velocities.resize(n), accelerations.resize(n), lambda.resize(rows),
      open.resize(rows), gap.resize(rows);
  turns.resize(assembly.model().topology.turns);
  for (int i = 0; i < stages; ++i) {
    for (auto* x : {&rate_[i], &coordinate_[i], &velocity_[i], &acceleration_[i], &correction_[i], &turn_[i], &before_[i]})
      x->resize(n);
    position_[i].resize(positions.size());
    multiplier_[i].resize(rows);
    for (auto* x : {&right_[i], &give_[i], &change_[i], &moved_[i], &speed_[i]}) x->resize(structure_.size);
  }
  before_[stages].resize(n);
  for (auto* x : {&step_now_, &step_before_, &plain_before_}) x->resize(size_t(stages) * (n + rows));
  for (int m = 0; m < memory; ++m) steps_[m].resize(step_now_.size()), differences_[m].resize(step_now_.size());
  full_.resize(n), rows_.resize(rows);
  real_.resize(structure_.size), complex_.resize(structure_.size);
  const SparsePattern& p = structure_.pattern;
  for (auto* x : {&damping_, &stiffness_, &real_values_}) x->resize(p.nonzeros());
  complex_values_.resize(p.nonzeros());
  border_.resize(p.nonzeros());
  for (int c = 0; c < p.n; ++c)
    for (int k = p.column_start[c]; k < p.column_start[c + 1]; ++k)
      border_[k] = c >= structure_.dofs || p.row[k] >= structure_.dofs;
  for (const auto& m : assembly.model().nominal.markers)
    length_ = std::max({length_, std::abs(m.offset.x), std::abs(m.offset.y), std::abs(m.offset.z)});
  made_.resize(axes_.nodes());
  for (auto& x : spin_) x.resize(axes_.nodes());
}

template <class T>
void RadauStep<T>::find_turns(const MaskOf<T>& which) {
  for (int i = 0; i < stages; ++i)
    for (int n = 0; n < axes_.nodes(); ++n)
      set_where(which, axes_.turn(n, made_[n], axes_.at(position_[i].data(), n)), spin_[i][n]);
}

template <class T>
void RadauStep<T>::use(std::shared_ptr<const LuProgram> program, bool symmetric) {
  program_ = std::move(program);
  symmetric_ = symmetric;
  for (auto* x : {&real_factors_, &new_real_factors_}) x->resize(*program_);
  for (auto* x : {&complex_factors_, &new_complex_factors_}) x->resize(*program_);
}

template <class T>
void RadauStep<T>::use(std::shared_ptr<const NewtonBorder> border) {
  use(border->lu, true);
  bordered_ = std::move(border);
  if constexpr (recorded<T>) gradients_ = std::make_unique<BorderGradients<T>>(assembly_.model(), *bordered_);
  axes_.leave_rows(structure_.dofs);
}

template <class T>
void RadauStep<T>::find_gradients(int stage) {
  if constexpr (recorded<T>)
    if (bordered_) gradients_->find(assembly_, axes_, spin_[stage].data());
}

template <class T>
void RadauStep<T>::forget() {
  for (auto& x : before_) std::copy(velocities.begin(), velocities.end(), x.begin());
  for (auto& x : multiplier_) std::copy(lambda.begin(), lambda.end(), x.begin());
}

template <class T>
void RadauStep<T>::predict(const MaskOf<T>& constant) {
  for (int i = 0; i < stages; ++i) {
    for (size_t k = 0; k < velocities.size(); ++k) {
      T sum(0);
      for (int j = 0; j <= stages; ++j) sum += T(table.ahead[i][j]) * before_[j][k];
      const T guess = select(constant, velocities[k], sum);
      velocity_[i][k] = select(frozen, velocity_[i][k], guess);
      rate_[i][k] = select(frozen, rate_[i][k], guess);
    }
    for (size_t r = 0; r < lambda.size(); ++r) multiplier_[i][r] = select(frozen, multiplier_[i][r], lambda[r]);
  }
  // Rotations: ẏ = T⁻¹(y) Ω, y = h A ẏ, twice.
  for (int sweep = 0; sweep < 2; ++sweep) {
    for (int i = 0; i < stages; ++i)
      for (int b = 0; b < assembly_.carriers().rigid; ++b)
        for (int k = 6 * b + 3; k < 6 * b + 6; ++k) {
          T sum(0);
          for (int j = 0; j < stages; ++j) sum += T(table.A[i][j]) * rate_[j][k];
          coordinate_[i][k] = h * sum;
        }
    for (int i = 0; i < stages; ++i)
      for (int b = 0; b < assembly_.carriers().rigid; ++b) {
        const T *y = &coordinate_[i][6 * b + 3], *w = &velocity_[i][6 * b + 3];
        const Vec3<T> rate = inverse_tangent_times(Vec3<T>{y[0], y[1], y[2]}, Vec3<T>{w[0], w[1], w[2]});
        for (int k = 6 * b + 3; k < 6 * b + 6; ++k) rate_[i][k] = select(frozen, rate_[i][k], rate[k - 6 * b - 3]);
      }
  }
  find_stages();
  find_turns(!frozen);
}

template <class T>
void RadauStep<T>::find_stages() {
  const size_t n = velocities.size();
  const T per_step = T(1) / h;
  T hA[stages][stages], per_step_W[stages][stages];
  for (int i = 0; i < stages; ++i)
    for (int j = 0; j < stages; ++j) hA[i][j] = h * T(table.A[i][j]), per_step_W[i][j] = per_step * T(table.W[i][j]);
  for (int i = 0; i < stages; ++i) {
    for (size_t k = 0; k < n; ++k) {
      T sum(0);
      for (int j = 0; j < stages; ++j) sum += (recorded<T> ? hA[i][j] : T(table.A[i][j])) * rate_[j][k];
      coordinate_[i][k] = recorded<T> ? sum : h * sum;
      velocity_[i][k] = rate_[i][k];
    }
    for (int b = 0; b < assembly_.carriers().rigid; ++b) {
      const T *y = &coordinate_[i][6 * b + 3], *u = &rate_[i][6 * b + 3];
      const Vec3<T> w = tangent_times(Vec3<T>{y[0], y[1], y[2]}, Vec3<T>{u[0], u[1], u[2]});
      for (int k = 0; k < 3; ++k) velocity_[i][6 * b + 3 + k] = w[k];
    }
    assembly_.carriers().move(positions.data(), coordinate_[i].data(), position_[i].data());
  }
  for (int i = 0; i < stages; ++i)
    for (size_t k = 0; k < n; ++k) {
      T sum(0);
      for (int j = 0; j < stages; ++j)
        sum += (recorded<T> ? per_step_W[i][j] : T(table.W[i][j])) * (velocity_[j][k] - velocities[k]);
      acceleration_[i][k] = recorded<T> ? sum : per_step * sum;
    }
}

template <class T>
void RadauStep<T>::set_signals(int i) {
  if (signals[i].empty())
    assembly_.set_signals(time[i], Side::left);
  else
    std::copy(signals[i].begin(), signals[i].end(), assembly_.signals());
}

template <class T>
void RadauStep<T>::evaluate(int i) {
  set_signals(i);
  assembly_.kinematics(position_[i].data(), velocity_[i].data(), turns.data());
  assembly_.constrain();
  assembly_.forces();
}

template <class T>
void RadauStep<T>::renew(const MaskOf<T>& which) {
  evaluate(1);
  const T *a = acceleration_[1].data(), *l = multiplier_[1].data();
  const T real = h * T(1 / table.real);
  const Pair inverse = 1.0 / table.complex;
  const Complex<T> complex{h * T(inverse.real()), h * T(inverse.imag())};
  assembly_.tangent(T(0), T(1), T(0), a, l, nullptr);
  std::copy(assembly_.values().begin(), assembly_.values().end(), damping_.begin());
  assembly_.tangent(T(0), T(0), T(1), a, l, nullptr);
  std::copy(assembly_.values().begin(), assembly_.values().end(), stiffness_.begin());
  assembly_.tangent(T(1), T(0), T(0), a, l, nullptr);
  for (size_t k = 0; k < real_values_.size(); ++k) {
    const T mass = assembly_.values()[k];
    T r = mass;
    Complex<T> z{mass, T(0)};
    if (!border_[k]) {
      r += real * (damping_[k] + real * stiffness_[k]);
      z += complex * (Complex<T>{damping_[k], T(0)} + complex * Complex<T>{stiffness_[k], T(0)});
    }
    real_values_[k] = r;
    complex_values_[k] = z;
  }
  for (int n = 0; n < axes_.nodes(); ++n) set_where(which, axes_.at(position_[1].data(), n), made_[n]);
  find_turns(which);
  const auto factorise = [&](const auto& values, auto& factors) {
    // Pivots against those of the index-1 form; stiffness makes those of multipliers small.
    if constexpr (recorded<T>)
      return bordered_    ? factor_inside(*bordered_, 1e-14, values.data(), factors)
             : symmetric_ ? factor_symmetric_against(*program_, 1e-14, values.data(), factors)
                          : factor_against(*program_, 1e-14, values.data(), factors);
    return aleator::core::factor(*program_, values.data(), factors);
  };
  const MaskOf<T> bad = factorise(real_values_, new_real_factors_) | factorise(complex_values_, new_complex_factors_);
  for (size_t k = 0; k < real_factors_.entry.size(); ++k) {
    real_factors_.entry[k] = select(which, new_real_factors_.entry[k], real_factors_.entry[k]);
    const Complex<T>&z = new_complex_factors_.entry[k], &old = complex_factors_.entry[k];
    complex_factors_.entry[k] = {select(which, z.re, old.re), select(which, z.im, old.im)};
  }
  failed = (bad | assembly_.status().failed) & which;
}

template <class T>
void RadauStep<T>::gather_right_sides(int i) {
  assembly_.residual(acceleration_[i].data(), multiplier_[i].data(), full_.data());
  for (T& x : full_) x = -x;
  assembly_.velocity_residual(rows_.data());
  for (T& x : rows_) x = -x;
  assembly_.gather(full_.data(), rows_.data(), right_[i].data());
  axes_.into(spin_[i].data(), right_[i].data());
  assembly_.gather(full_.data(), multiplier_[i].data(), give_[i].data());
  axes_.into(spin_[i].data(), give_[i].data());
}

template <class T>
template <class N>
void RadauStep<T>::solve(LuFactors<N>& factors, N* x) {
  if constexpr (recorded<T>)
    if (bordered_) return solve_bordered(*bordered_, structure_, *gradients_, factors, x);
  symmetric_ ? solve_symmetric(*program_, factors, x) : aleator::core::solve(*program_, factors, x);
}

// right_ → the two systems → change_ and moved_
template <class T>
void RadauStep<T>::solve() {
  const int dofs = structure_.dofs;
  const T per_step = T(1) / h;
  const Complex<T> rate{per_step * T(table.complex.real()), per_step * T(table.complex.imag())};
  for (int k = 0; k < structure_.size; ++k) {
    T r(0);
    Complex<T> z(0.0);
    for (int j = 0; j < stages; ++j) {
      r += T(table.left[j]) * right_[j][k];
      z.re += T(table.left_complex[j].real()) * right_[j][k];
      z.im += T(table.left_complex[j].imag()) * right_[j][k];
    }
    if (k >= dofs) {
      r = per_step * T(table.real) * r;
      z = rate * z;
      for (int j = 0; j < stages; ++j) {
        const T give = assembly_.regularization()[k - dofs] * give_[j][k];
        r += T(table.left[j]) * give;
        z.re += T(table.left_complex[j].real()) * give;
        z.im += T(table.left_complex[j].imag()) * give;
      }
    }
    real_[k] = r;
    complex_[k] = z;
  }
  solve(real_factors_, real_.data());
  solve(complex_factors_, complex_.data());

  const Pair inverse = 1.0 / (table.complex * table.complex);
  const T real = h * h * T(1 / (table.real * table.real));
  const Complex<T> complex{h * h * T(inverse.real()), h * h * T(inverse.imag())};
  if constexpr (recorded<T>) find_rates();
  for (int k = 0; k < structure_.size; ++k) {
    const Complex<T> z = complex_[k], scaled = complex * z;
    const T scaled_real = real * real_[k];
    for (int i = 0; i < stages; ++i) {
      const T a(table.right[i]), x(2 * table.right_complex[i].real()), y(2 * table.right_complex[i].imag());
      change_[i][k] = a * real_[k] + (x * z.re - y * z.im);
      moved_[i][k] = a * scaled_real + (x * scaled.re - y * scaled.im);
    }
  }
  for (int i = 0; i < stages; ++i)
    axes_.out_of(spin_[i].data(), change_[i].data()), axes_.out_of(spin_[i].data(), moved_[i].data());
}

// In the systems a change x of v̇ is one of ẏ by (h/μ) x, where y is no turn of a body.
template <class T>
void RadauStep<T>::find_rates() {
  const Pair inverse = 1.0 / table.complex;
  for (int i = 0; i < stages; ++i) {
    const Pair both = 2.0 * table.right_complex[i] * inverse;
    const T a = h * T(table.right[i] / table.real), x = h * T(both.real()), y = h * T(both.imag());
    for (int k = 0; k < structure_.dofs; ++k) speed_[i][k] = a * real_[k] + (x * complex_[k].re - y * complex_[k].im);
    axes_.out_of(spin_[i].data(), speed_[i].data());
  }
}

// A bound of the corrections of all stages, from the systems: with nodes that turn this needs less arithmetic.
template <class T>
void RadauStep<T>::take_systems() {
  double largest = 0, largest_complex = 0;
  for (int i = 0; i < stages; ++i) {
    largest = std::max(largest, std::abs(table.right[i]));
    largest_complex = std::max(largest_complex, 2 * std::abs(table.right_complex[i]));
  }
  for (size_t k = 0; k < velocities.size(); ++k) {
    const int at = structure_.dof[k];
    for (int i = 0; i < stages; ++i) correction_[i][k] = T(0);
    if (at < 0) continue;
    correction_[0][k] = T(largest) * abs(real_[at]) + T(largest_complex) * (abs(complex_[at].re) + abs(complex_[at].im));
  }
}

template <class T>
void RadauStep<T>::correct() {
  for (size_t k = 0; k < velocities.size(); ++k) {
    const int at = structure_.dof[k];
    for (int i = 0; i < stages; ++i) {
      correction_[i][k] = at < 0 ? T(0) : change_[i][at];
      turn_[i][k] = at < 0 ? T(0) : moved_[i][at];
    }
  }
  // Turns in inertial axes → changes of the rotation vectors
  for (int i = 0; i < stages; ++i)
    for (int b = 0; b < assembly_.carriers().rigid; ++b) {
      T *d = &turn_[i][6 * b + 3], *y = &coordinate_[i][6 * b + 3];
      const Mat3<T> R = rotation_matrix(RigidBody::orientation(&position_[i][7 * b]));
      const Vec3<T> turned = inverse_tangent_times(Vec3<T>{y[0], y[1], y[2]}, transposed_times(R, Vec3<T>{d[0], d[1], d[2]}));
      for (int k = 0; k < 3; ++k) d[k] = turned[k];
    }
  if (recorded<T> && assembly_.carriers().flexible()) take_systems();
  measure();
  const T per_step = T(1) / h;
  const size_t n = velocities.size(), rows = lambda.size();
  for (int i = 0; i < stages; ++i) {
    T* out = &step_now_[i * (n + rows)];
    for (size_t k = 0; k < n; ++k) {
      const bool turns_body = int(k) < 6 * assembly_.carriers().rigid && k % 6 >= 3;
      if (recorded<T> && !turns_body) {
        out[k] = structure_.dof[k] < 0 ? T(0) : speed_[i][structure_.dof[k]];
        continue;
      }
      T sum(0);
      for (int j = 0; j < stages; ++j) sum += T(table.W[i][j]) * turn_[j][k];
      out[k] = per_step * sum;
    }
    for (size_t r = 0; r < rows; ++r) out[n + r] = change_[i][structure_.dofs + r];
  }
}

template <class T>
void RadauStep<T>::apply() {
  const size_t n = velocities.size(), rows = lambda.size();
  for (int i = 0; i < stages; ++i) {
    const T* change = &step_now_[i * (n + rows)];
    for (size_t k = 0; k < n; ++k) rate_[i][k] = select(frozen, rate_[i][k], rate_[i][k] + change[k]);
    for (size_t r = 0; r < rows; ++r) multiplier_[i][r] = select(frozen, multiplier_[i][r], multiplier_[i][r] + change[n + r]);
  }
}

// Anderson's acceleration. f(x) is the correction that the iteration computes at x. From x_j+1 − x_j and f_j+1 − f_j of earlier iterations,
//   x ← x + f − Σ γ_j ((x_j+1 − x_j) + (f_j+1 − f_j)),      γ = argmin |f − Σ γ_j (f_j+1 − f_j)| over the rates.
// What the matrices do badly in a few directions only is then done well after a few iterations.
template <class T>
void RadauStep<T>::combine(int remembered) {
  const size_t n = velocities.size(), rows = lambda.size();
  const int count = std::min(remembered, memory);
  if (remembered > 0) {
    AlignedVector<T>&x = steps_[(remembered - 1) % memory], &f = differences_[(remembered - 1) % memory];
    for (size_t k = 0; k < x.size(); ++k) x[k] = step_before_[k], f[k] = step_now_[k] - plain_before_[k];
  }
  std::copy(step_now_.begin(), step_now_.end(), plain_before_.begin());
  const auto product = [&](const AlignedVector<T>& a, const AlignedVector<T>& b) {
    T sum(0);
    for (int i = 0; i < stages; ++i)
      for (size_t k = i * (n + rows); k < i * (n + rows) + n; ++k) sum += a[k] * b[k];
    return sum;
  };
  // Normal equations by Cholesky; a direction that is no new one gets no weight.
  T L[memory][memory], gamma[memory];
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j <= i; ++j) {
      T sum = product(differences_[i], differences_[j]);
      const T whole = sum;
      for (int k = 0; k < j; ++k) sum -= L[i][k] * L[j][k];
      if (i == j) {
        const auto old = !(sum > T(1e-12) * whole);
        L[i][i] = select(old, T(1e150), sqrt(select(old, T(1), sum)));
      } else {
        L[i][j] = sum / L[j][j];
      }
    }
    gamma[i] = product(differences_[i], step_now_);
    for (int k = 0; k < i; ++k) gamma[i] -= L[i][k] * gamma[k];
    gamma[i] = gamma[i] / L[i][i];
  }
  for (int i = count - 1; i >= 0; --i) {
    for (int k = i + 1; k < count; ++k) gamma[i] -= L[k][i] * gamma[k];
    gamma[i] = gamma[i] / L[i][i];
  }
  for (int j = 0; j < count; ++j)
    for (size_t k = 0; k < step_now_.size(); ++k) step_now_[k] -= gamma[j] * (steps_[j][k] + differences_[j][k]);
  std::copy(step_now_.begin(), step_now_.end(), step_before_.begin());
}

// Size of the correction against that of the accelerations; below is round-off of positions of size `length_`.
template <class T>
void RadauStep<T>::measure() {
  const std::vector<Carrier>& carriers = assembly_.model().topology.carriers;
  const int bounded =
      recorded<T> && assembly_.carriers().flexible() ? 1 : stages;  // take_systems() leaves one number for all stages
  T moved(0), turned(0), changed(0), largest_move(0), largest_turn(0), largest_rate(0), sum(0);
  for (int c = 0; c < assembly_.carriers().count; ++c)
    for (int k = 0; k < 6; ++k) {
      if (structure_.dof[size_t(6 * c + k)] < 0) continue;
      const bool place = k < 3 && carriers[c].is_place, state = carriers[c].states > 0;
      T &change = state ? changed : place ? moved : turned, &largest = state ? largest_rate : place ? largest_move : largest_turn;
      for (int i = 0; i < bounded; ++i) change = max(change, abs(correction_[i][6 * c + k])), sum += correction_[i][6 * c + k];
      for (int i = 0; i < stages; ++i) largest = max(largest, abs(acceleration_[i][6 * c + k]));
    }
  const T round_off = T(64 * std::numeric_limits<double>::epsilon()) / (h * h);
  size =
      max(moved / (T(tolerance_) * largest_move + T(length_) * round_off), turned / (T(tolerance_) * largest_turn + round_off));
  if (assembly_.model().topology.states > 0)  // as they are of order one, their rates have round-off of 1/h
    size = max(size, changed / (T(tolerance_) * largest_rate + h * round_off));
  size = select(is_finite(sum), size, T(std::numeric_limits<double>::infinity()));  // max() does not see a NaN
}

template <class T>
void RadauStep<T>::find_correction() {
  failed = MaskOf<T>{};
  for (int i = 0; i < stages; ++i) {
    evaluate(i);
    gather_right_sides(i);
    if (i == 1) find_gradients(i);  // in the middle, for all
    failed = failed | assembly_.status().failed;
  }
  solve();
  correct();
}

template <class T>
void RadauStep<T>::move(const AlignedVector<T>& along, const T& part) {
  for (size_t k = 0; k < along.size(); ++k) step_now_[k] = part * along[k];
  apply();
  find_stages();
}

template <class T>
void RadauStep<T>::iterate(int remembered) {
  find_correction();
  if (remembered >= 0) combine(remembered);
  apply();
  find_stages();
}

// The embedded method of order 3 (Hairer & Wanner, section IV.8), γ₀ = 1/μ:
//   err = (I − hγ₀ J)⁻¹ (hγ₀ v̇₀ + Σ e_i (v_i − v₀)),    e = γ₀/3 (−13 − 7√6, −13 + 7√6, −1),
// (I − hγ₀ J)⁻¹ M⁻¹ being the real system, is the error of the velocities; what positions add on the right, −hγ₀ K δq, is of higher order.
// That of the positions is hγ₀ err.
template <class T>
void RadauStep<T>::begin_error() {
  const double g = 1 / table.real, r = std::sqrt(6.0), e[stages] = {g / 3 * (-13 - 7 * r), g / 3 * (-13 + 7 * r), -g / 3};
  for (size_t k = 0; k < velocities.size(); ++k) {
    T sum = h * T(g) * accelerations[k];
    for (int i = 0; i < stages; ++i) sum += T(e[i]) * (velocity_[i][k] - velocities[k]);
    error[k] = sum;
  }
}

template <class T>
void RadauStep<T>::finish_error() {
  assembly_.inertia_forces(error.data(), full_.data());
  std::fill(rows_.begin(), rows_.end(), T(0));
  assembly_.gather(full_.data(), rows_.data(), real_.data());
  axes_.into(spin_[stages - 1].data(), real_.data());
  solve(real_factors_, real_.data());
  axes_.out_of(spin_[stages - 1].data(), real_.data());
  assembly_.scatter(real_.data(), error.data(), rows_.data());
  for (int i = 0; i < 6 * assembly_.carriers().first_state; ++i) error[i] = h * T(1 / table.real) * error[i];
}

// h Σ b_i times the power at the stages, b being the last row of A.
template <class T>
void RadauStep<T>::add_work() {
  for (int i = 0; i < stages; ++i) {
    set_signals(i);
    assembly_.kinematics(position_[i].data(), velocity_[i].data(), turns.data());
    assembly_.constrain();
    work.add(h * T(table.A[stages - 1][i]), assembly_.power(multiplier_[i].data()));
  }
}

template <class T>
void RadauStep<T>::finish() {
  constexpr int last = stages - 1;
  if (assembly_.accounts()) add_work();
  if (!error.empty()) begin_error();
  std::copy(velocities.begin(), velocities.end(), before_[0].begin());
  for (int i = 0; i < stages; ++i) std::copy(velocity_[i].begin(), velocity_[i].end(), before_[i + 1].begin());
  std::copy(velocity_[last].begin(), velocity_[last].end(), velocities.begin());
  std::copy(acceleration_[last].begin(), acceleration_[last].end(), accelerations.begin());
  std::copy(multiplier_[last].begin(), multiplier_[last].end(), lambda.begin());

  set_signals(last);
  assembly_.kinematics(position_[last].data(), velocity_[last].data(), turns.data());
  assembly_.constrain();
  turn = max(largest_turn(assembly_, coordinate_[last].data()), h * h * fastest_rotation(assembly_));
  find_gradients(last);
  if (!error.empty()) finish_error();
  std::fill(full_.begin(), full_.end(), T(0));
  for (int r = 0; r < assembly_.rows(); ++r) gap[r] = assembly_.evaluation().residual[r], rows_[r] = -gap[r];
  assembly_.gather(full_.data(), rows_.data(), real_.data());
  axes_.into(spin_[last].data(), real_.data());
  solve(real_factors_, real_.data());
  axes_.out_of(spin_[last].data(), real_.data());
  assembly_.scatter(real_.data(), full_.data(), rows_.data());
  assembly_.carriers().move(position_[last].data(), full_.data(), positions.data());
  for (int r = 0; r < assembly_.rows(); ++r) open[r] = assembly_.regularization()[r] * rows_[r];
  assembly_.update_turns(turns.data());
}

template class RadauStep<double>;
template class RadauStep<Traced>;

}  // namespace aleator::core
