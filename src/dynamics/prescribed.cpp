#include "dynamics/prescribed.hpp"

namespace aleator::core {

template <class T>
Prescribed<T>::Prescribed(const Model& model, const NewtonPattern& pattern) : dofs_(model.structure.dofs) {
  const Structure& s = model.structure;
  const Topology& t = model.topology;
  for (const PrescribedBody& p : pattern.bodies) {
    Body body{p, {}, {}};
    std::vector<char> is_own(size_t(s.rows), 0);
    for (const int r : p.rows) is_own[size_t(r)] = 1;
    for (size_t k = 0; k < t.block_row.size(); ++k) {
      const int row = t.block_row[k];
      if (t.block_carrier[k] != p.carrier || !s.row_active[size_t(row)]) continue;
      for (int i = 0; i < 6; ++i)
        if (const int unknown = s.dof[size_t(6 * p.carrier + i)]; unknown >= 0)
          (is_own[size_t(row)] ? body.own : body.others).push_back({int(k), i, row, unknown});
    }
    bodies_.push_back(std::move(body));
  }
  for (int c = 0; c < s.dofs; ++c)
    for (int k = s.pattern.column_start[size_t(c)]; k < s.pattern.column_start[size_t(c) + 1]; ++k) {
      const int r = s.pattern.row[size_t(k)];
      if (r >= s.dofs || (!pattern.apart[size_t(r)] && !pattern.apart[size_t(c)])) continue;
      entries_.push_back({k, r, c});
      is_row_.push_back(pattern.apart[size_t(r)]);
    }
  kept_.resize(entries_.size());
  forces_.resize(size_t(s.size));
}

template <class T>
void Prescribed<T>::keep(const T* values, const MaskOf<T>& which) {
  for (size_t k = 0; k < entries_.size(); ++k) kept_[k] = select(which, values[entries_[k].at], kept_[k]);
}

template <class T>
T Prescribed<T>::gradient(const Assembly<T>& a, const Gradient& g) {
  const Wrench<T>& w = a.evaluation().jacobian[g.block];
  return g.component < 3 ? w.F[g.component] : w.M[g.component - 3];
}

template <class T>
typename Prescribed<T>::Factors Prescribed<T>::factor(const Assembly<T>& a, const Body& body) const {
  const size_t n = body.which.rows.size();
  Factors f;
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j) f.e[i][j] = T(0);
  for (const Gradient& g : body.own)
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < n; ++j)
        if (body.which.rows[i] == g.row && body.which.unknowns[j] == g.unknown) f.e[i][j] += gradient(a, g);
  for (size_t k = 0; k < n; ++k) {
    f.e[k][k] = T(1) / f.e[k][k];
    for (size_t i = k + 1; i < n; ++i) {
      f.e[i][k] = f.e[i][k] * f.e[k][k];
      for (size_t j = k + 1; j < n; ++j) f.e[i][j] = multiply_add(-f.e[i][k], f.e[k][j], f.e[i][j]);
    }
  }
  return f;
}

template <class T>
void Prescribed<T>::before(const Assembly<T>& a, T* x) {
  const PartScope<T> scope(Part::solution);
  for (const Body& b : bodies_) {
    const Factors f = factor(a, b);
    const int n = int(b.which.rows.size());
    T w[6];
    for (int i = 0; i < n; ++i) {
      w[i] = x[dofs_ + b.which.rows[size_t(i)]];
      for (int k = 0; k < i; ++k) w[i] = multiply_add(-f.e[i][k], w[k], w[i]);
    }
    for (int i = n - 1; i >= 0; --i) {
      for (int k = i + 1; k < n; ++k) w[i] = multiply_add(-f.e[i][k], w[k], w[i]);
      w[i] = w[i] * f.e[i][i];
    }
    for (int i = 0; i < n; ++i) {
      const int unknown = b.which.unknowns[size_t(i)];
      forces_[size_t(unknown)] = x[unknown];
      x[unknown] = w[i];
      x[dofs_ + b.which.rows[size_t(i)]] = T(0);
    }
    for (const Gradient& g : b.others) x[dofs_ + g.row] = multiply_add(-gradient(a, g), x[g.unknown], x[dofs_ + g.row]);
  }
  for (size_t k = 0; k < entries_.size(); ++k)
    if (const Entry& e = entries_[k]; !is_row_[k]) x[e.row] = multiply_add(-kept_[k], x[e.column], x[e.row]);
}

template <class T>
void Prescribed<T>::after(const Assembly<T>& a, T* x) {
  const PartScope<T> scope(Part::solution);
  for (size_t k = 0; k < entries_.size(); ++k)
    if (const Entry& e = entries_[k]; is_row_[k])
      forces_[size_t(e.row)] = multiply_add(-kept_[k], x[e.column], forces_[size_t(e.row)]);
  for (auto b = bodies_.rbegin(); b != bodies_.rend(); ++b) {
    for (const Gradient& g : b->others)
      forces_[size_t(g.unknown)] = multiply_add(-gradient(a, g), x[dofs_ + g.row], forces_[size_t(g.unknown)]);
    const Factors f = factor(a, *b);
    const int n = int(b->which.rows.size());
    T w[6];
    for (int j = 0; j < n; ++j) {  // Uᵀ, then Lᵀ
      w[j] = forces_[size_t(b->which.unknowns[size_t(j)])];
      for (int k = 0; k < j; ++k) w[j] = multiply_add(-f.e[k][j], w[k], w[j]);
      w[j] = w[j] * f.e[j][j];
    }
    for (int j = n - 1; j >= 0; --j)
      for (int k = j + 1; k < n; ++k) w[j] = multiply_add(-f.e[k][j], w[k], w[j]);
    for (int j = 0; j < n; ++j) x[dofs_ + b->which.rows[size_t(j)]] = w[j];
  }
}

template class Prescribed<double>;
template class Prescribed<Traced>;

}  // namespace aleator::core
