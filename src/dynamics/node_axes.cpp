#include "dynamics/node_axes.hpp"

#include <algorithm>

namespace aleator::core {

template <class T>
NodeAxes<T>::NodeAxes(const Model& model) : normal_(model.topology.normal) {
  const Topology& t = model.topology;
  const Structure& structure = model.structure;
  const int rigid = t.rigid, count = t.all_carriers().first_state;
  std::vector<int> lead_of(t.carriers.size() + 1, -1);
  const auto add = [&](int lead, std::array<int, 3> unknown) {
    for (int i = 0; i < 3; ++i)
      if (i != t.normal && unknown[i] < 0) return;  // partly locked: it stays in inertial axes
    turning_.push_back({lead, unknown});
  };
  for (int c = rigid; c < count; ++c) {
    const bool first = c == rigid || t.carriers[c].node != t.carriers[c - 1].node;
    if (first)
      leads_.push_back(c), second_.push_back(-1);
    else if (second_.back() < 0)
      second_.back() = c;
    lead_of[c] = int(leads_.size()) - 1;
    for (int half = 0; half < t.carriers[c].vectors; ++half) {
      const int* dof = &structure.dof[6 * c + 3 * half];
      add(lead_of[c], {dof[0], dof[1], dof[2]});
    }
  }
  // Rows of one joint that lock all translations, one of its points being on a node.
  const int directions = t.normal < 0 ? 3 : 2;
  for (const JointRecord& j : t.joints) {
    int locked = 0, lead = -1;
    for (int r = j.row; r < j.row + j.rows; ++r) locked += t.rows[r].what.rfind("translation", 0) == 0 && structure.row_active[r];
    for (size_t k = 0; k < t.block_row.size(); ++k)
      if (t.block_row[k] == j.row && lead < 0) lead = lead_of[t.block_carrier[k]];
    if (lead < 0 || locked != directions) continue;
    std::array<int, 3> unknown = {-1, -1, -1};
    for (int i = 0, r = structure.dofs + j.row; i < 3; ++i)
      if (i != t.normal) unknown[i] = r++;
    add(lead, unknown);
  }
}

// Right-angled axes along r_x and r_y (in the plane: r_x and the normal).
template <class T>
Mat3<T> NodeAxes<T>::at(const T* q, int n) const {
  const T *r = q + 7 * leads_[n] + 3, *d = q + 7 * std::max(second_[n], 0);
  const Vec3<T> x = {r[0], r[1], r[2]};
  const Vec3<T> a = (T(1) / sqrt(dot(x, x))) * x;
  if (normal_ < 0 && second_[n] < 0) return {{a, {}, {}}};
  Vec3<T> side = {d[0], d[1], d[2]};
  if (normal_ >= 0) side = {T(normal_ == 0), T(normal_ == 1), T(normal_ == 2)};
  const Vec3<T> across = side - dot(a, side) * a;
  const Vec3<T> b = (T(1) / sqrt(dot(across, across))) * across;
  return {{a, b, cross(a, b)}};
}

template <class T>
Mat3<T> NodeAxes<T>::turn(int n, const Mat3<T>& made, const Mat3<T>& now) const {
  if (normal_ >= 0 || second_[n] >= 0) return transposed_times(now, made);
  // the least turn that takes one tangent to the other; 1 + cos is kept from zero
  const Mat3<T> across = skew(cross(made[0], now[0]));
  return Mat3<T>::identity() + across + (T(1) / max(T(0.1), T(1) + dot(made[0], now[0]))) * (across * across);
}

template <class T>
template <class Turn>
void NodeAxes<T>::each(T* x, Turn&& turned) const {
  for (const Turning& t : turning_) {
    Vec3<T> v;
    for (int k = 0; k < 3; ++k)
      if (t.unknown[k] >= 0) v[k] = x[t.unknown[k]];
    v = turned(t.node, v);
    for (int k = 0; k < 3; ++k)
      if (t.unknown[k] >= 0) x[t.unknown[k]] = v[k];
  }
}

template <class T>
void NodeAxes<T>::into(const Mat3<T>* S, T* x) const {
  each(x, [&](int n, const Vec3<T>& v) { return transposed_times(S[n], v); });
}
template <class T>
void NodeAxes<T>::out_of(const Mat3<T>* S, T* x) const {
  each(x, [&](int n, const Vec3<T>& v) { return S[n] * v; });
}

template class NodeAxes<double>;
template class NodeAxes<Traced>;

}  // namespace aleator::core
