// Motions and forces of a body at a point, as six numbers (translation, rotation; force, moment about the point), and the inertia between
// them. All vectors in inertial axes. With r from a first point to a second one, a motion (v, ω) of the second is v + r × ω at the first, and a
// wrench (F, M) at the first has the moment M + F × r about the second.
#pragma once

#include <array>
#include <vector>

#include "elements/rigid_body.hpp"

namespace aleator::core {

template <class T>
using Six = std::array<T, 6>;

template <class T>
Six<T> six(const Vec3<T>& first, const Vec3<T>& second) {
  return {first.x, first.y, first.z, second.x, second.y, second.z};
}
template <class T>
Vec3<T> part(const Six<T>& x, int first) {
  return {x[first], x[first + 1], x[first + 2]};
}
template <class T>
void add_to(Six<T>& x, int first, const Vec3<T>& v) {
  for (int i = 0; i < 3; ++i) x[first + i] += v[i];
}
template <class T>
void add(Six<T>& x, const Six<T>& y) {
  for (int i = 0; i < 6; ++i) x[i] += y[i];
}
template <class T>
T dot(const Six<T>& a, const Six<T>& b) {
  T sum = a[0] * b[0];
  for (int i = 1; i < 6; ++i) sum += a[i] * b[i];
  return sum;
}
template <class T>
void subtract_multiple(Six<T>& x, const Six<T>& y, const T& factor) {
  for (int i = 0; i < 6; ++i) x[i] -= y[i] * factor;
}
template <class T>
Six<T> moved_wrench(Six<T> p, const Vec3<T>& r) {
  add_to(p, 3, cross(part(p, 0), r));
  return p;
}
template <class T>
Six<T> moved_motion(Six<T> x, const Vec3<T>& r) {
  add_to(x, 0, cross(r, part(x, 3)));
  return x;
}

// A symmetric 6×6 matrix: the inertia of a rigid body (mass m, h = m (point − centre of mass), W), a dense one once `dense`, and less
// U Uᵀ · inverse for each of a list. A rank-1 term is moved by 12 operations, a dense matrix by about 90: the list is kept while it is short.
template <class T>
class ArticulatedInertia {
 public:
  static constexpr size_t most = 2;  // terms in a list

  // Of a body with the inertia J in inertial axes, at the point `base` from its centre of mass.
  void set(const T& mass, const Mat3<T>& J, const Vec3<T>& base) {
    m_ = mass, h_ = {}, W_ = J;
    move_rigid(m_, h_, W_, base);
    dense_ = false;
    less_.clear();
  }
  // So many directions are eliminated next.
  void expect(int directions) {
    if (dense_ || less_.size() + directions > most) make_dense();
  }
  Six<T> times(const Six<T>& s) const {
    if (dense_) {
      Six<T> out;
      for (int i = 0; i < 6; ++i) {
        T sum = A_[i][0] * s[0];
        for (int j = 1; j < 6; ++j) sum += A_[i][j] * s[j];
        out[i] = sum;
      }
      return out;
    }
    const Vec3<T> v = part(s, 0), w = part(s, 3);
    Six<T> out = six(m_ * v + cross(h_, w), W_ * w - cross(h_, v));
    for (const Rank1& k : less_) subtract_multiple(out, k.U, dot(k.U, s) * k.inverse);
    return out;
  }
  // Without the direction s, U = A s, inverse = 1 / s·U. When s is unit vector `axis` (−1: it is not), row and column of that become zero.
  void eliminate(const Six<T>& U, const T& inverse, int axis) {
    less_.push_back({U, inverse});
    if (!dense_) return;
    make_dense();
    for (int i = 0; i < 6 && axis >= 0; ++i) A_[axis][i] = A_[i][axis] = T(0);
  }
  // Plus that of a child; r is from its point to ours.
  void add_moved(const ArticulatedInertia& child, const Vec3<T>& r) {
    if (child.dense_) {
      make_dense();
      add_moved_dense(child.A_, r);
      return;
    }
    for (const Rank1& k : child.less_) less_.push_back({moved_wrench(k.U, r), k.inverse});
    Vec3<T> h = child.h_;
    Mat3<T> W = child.W_;
    move_rigid(child.m_, h, W, r);
    if (dense_)
      add_rigid(child.m_, h, W);
    else
      m_ += child.m_, h_ += h, W_ += W;
  }

 private:
  struct Rank1 {
    Six<T> U;
    T inverse;
  };

  static void move_rigid(const T& m, Vec3<T>& h, Mat3<T>& W, const Vec3<T>& r) {
    const Vec3<T> after = h + m * r;
    const T both = dot(r, after + h);
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j) {
        T x = W[i][j] - after[i] * r[j] - r[i] * h[j];
        if (i == j) x += both;
        W[i][j] = W[j][i] = x;
      }
    h = after;
  }
  void add_rigid(const T& m, const Vec3<T>& h, const Mat3<T>& W) {
    const Mat3<T> H = skew(h);
    for (int i = 0; i < 3; ++i) {
      A_[i][i] += m;
      for (int j = 0; j < 3; ++j) {
        A_[i][3 + j] += H[i][j], A_[3 + j][i] = A_[i][3 + j];
        A_[3 + i][3 + j] += W[i][j];
      }
    }
  }
  void make_dense() {
    if (!dense_) {
      dense_ = true;
      for (Six<T>& row : A_) row.fill(T(0));
      add_rigid(m_, h_, W_);
    }
    for (const Rank1& k : less_) {
      Six<T> scaled;
      for (int i = 0; i < 6; ++i) scaled[i] = k.U[i] * k.inverse;
      for (int i = 0; i < 6; ++i)
        for (int j = i; j < 6; ++j) A_[i][j] = A_[j][i] = A_[i][j] - scaled[i] * k.U[j];
    }
    less_.clear();
  }
  void add_moved_dense(const std::array<Six<T>, 6>& A, const Vec3<T>& r) {
    Vec3<T> H[3], old_columns[3], columns[3];
    for (int i = 0; i < 3; ++i) H[i] = part(A[i], 3) + cross(part(A[i], 0), r);
    for (int j = 0; j < 3; ++j) {
      old_columns[j] = {A[0][3 + j], A[1][3 + j], A[2][3 + j]};
      columns[j] = {H[0][j], H[1][j], H[2][j]};
    }
    for (int i = 0; i < 3; ++i) {
      for (int j = i; j < 3; ++j) {
        A_[i][j] = A_[j][i] = A_[i][j] + A[i][j];
        const T W = A[3 + i][3 + j] + (cross(columns[j], r)[i] + cross(old_columns[i], r)[j]);
        A_[3 + i][3 + j] = A_[3 + j][3 + i] = A_[3 + i][3 + j] + W;
      }
      for (int j = 0; j < 3; ++j) A_[i][3 + j] = A_[3 + j][i] = A_[i][3 + j] + H[i][j];
    }
  }

  bool dense_ = false;
  T m_;
  Vec3<T> h_;
  Mat3<T> W_;
  std::array<Six<T>, 6> A_;
  std::vector<Rank1> less_;
};

}  // namespace aleator::core
