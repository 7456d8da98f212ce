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
    if (const int* dof = &structure.dof[6 * c]; first) places_.push_back({dof[0], dof[1], dof[2]});
  }
  find_links(model, lead_of);
  for (auto* x : {&sum_, &turned_}) x->resize(leads_.size());
  std::vector<char> is_linked(leads_.size(), 0);
  for (const Link& l : links_) is_linked[size_t(l.parent)] = is_linked[size_t(l.child)] = 1;
  for (int c = rigid; c < count; ++c)
    for (int half = 0; half < t.carriers[c].vectors; ++half) {
      const int* dof = &structure.dof[6 * c + 3 * half];
      const bool is_place = half == 0 && t.carriers[c].is_place;
      if (!is_place || !is_linked[size_t(lead_of[c])]) add(lead_of[c], {dof[0], dof[1], dof[2]});
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

template <class T>
void NodeAxes<T>::leave_rows(int first) {
  const auto is_row = [&](const Turning& t) {
    return std::any_of(t.unknown.begin(), t.unknown.end(), [&](int u) { return u >= first; });
  };
  turning_.erase(std::remove_if(turning_.begin(), turning_.end(), is_row), turning_.end());
}

// Elements between two nodes each, from the one node that joints hold (or the first) outwards.
template <class T>
void NodeAxes<T>::find_links(const Model& model, const std::vector<int>& node_of) {
  const Topology& t = model.topology;
  const size_t nodes = leads_.size();
  std::vector<std::vector<int>> neighbours(nodes);
  for (const GroupData& g : t.groups)
    for (int i = 0; g.kernel->carriers && i < g.count; ++i) {
      std::vector<int> ends;
      for (const int c : g.kernel->carriers(g.topology.data() + i * g.kernel->topology_size))
        if (const int n = node_of[size_t(c)]; n >= 0 && std::find(ends.begin(), ends.end(), n) == ends.end()) ends.push_back(n);
      if (ends.size() != 2) continue;
      neighbours[size_t(ends[0])].push_back(ends[1]), neighbours[size_t(ends[1])].push_back(ends[0]);
    }
  std::vector<char> is_held(nodes, 0), seen(nodes, 0);
  for (size_t k = 0; k < t.block_row.size(); ++k)
    if (const int n = node_of[size_t(t.block_carrier[k])]; n >= 0 && model.structure.row_active[size_t(t.block_row[k])])
      is_held[size_t(n)] = 1;
  const auto is_whole = [&](int n) {  // r moves in all directions, or not at all
    int free = 0, all = 0;
    for (int i = 0; i < 3; ++i)
      if (i != normal_) ++all, free += places_[size_t(n)][size_t(i)] >= 0;
    if (free == 0) is_held[size_t(n)] = 1;
    return free == 0 || free == all;
  };
  for (size_t start = 0; start < nodes; ++start) {
    if (seen[start] || neighbours[start].empty()) continue;
    std::vector<int> part = {int(start)};
    int held = 0, root = int(start);
    size_t edges = 0;
    bool whole = true;
    seen[start] = 1;
    for (size_t k = 0; k < part.size(); ++k) {
      const int n = part[k];
      whole = is_whole(n) && whole;
      if (is_held[size_t(n)]) ++held, root = n;
      edges += neighbours[size_t(n)].size();
      for (const int m : neighbours[size_t(n)])
        if (!seen[size_t(m)]) seen[size_t(m)] = 1, part.push_back(m);
    }
    if (!whole || held > 1 || edges != 2 * (part.size() - 1)) continue;  // no chain or tree
    roots_.push_back(root);
    std::vector<Link> open = {{-1, root}};
    for (size_t k = 0; k < open.size(); ++k) {
      const Link l = open[k];
      if (l.parent >= 0) links_.push_back(l);
      for (const int m : neighbours[size_t(l.child)])
        if (m != l.parent) open.push_back({l.child, m});
    }
  }
}

template <class T>
Vec3<T> NodeAxes<T>::place(const T* x, int node) const {
  Vec3<T> v;
  for (int k = 0; k < 3; ++k)
    if (const int u = places_[size_t(node)][size_t(k)]; u >= 0) v[k] = x[u];
  return v;
}
template <class T>
void NodeAxes<T>::set_place(T* x, int node, const Vec3<T>& v) const {
  for (int k = 0; k < 3; ++k)
    if (const int u = places_[size_t(node)][size_t(k)]; u >= 0) x[u] = v[k];
}

template <class T>
Vec3<T> NodeAxes<T>::slope(const T* q, int n) const {
  const T* r = q + 7 * leads_[n] + 3;
  return {r[0], r[1], r[2]};
}

// Right-angled axes along r_x and r_y (in the plane: r_x and the normal).
template <class T>
Mat3<T> NodeAxes<T>::at(const T* q, int n) const {
  const T* d = q + 7 * std::max(second_[n], 0);
  const Vec3<T> x = slope(q, n);
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
Mat3<T> NodeAxes<T>::made_at(const T* q, int n) const {
  Mat3<T> F = at(q, n);
  if (normal_ < 0) return F;
  const Vec3<T> x = slope(q, n);
  const T scale = T(1) / sqrt(dot(x, x));
  F[0] = scale * F[0], F[2] = scale * F[2];
  return F;
}

template <class T>
Mat3<T> NodeAxes<T>::turn_since(const Mat3<T>& made, const T* q, int n) const {
  if (normal_ < 0) return turn(n, made, at(q, n));
  const Vec3<T> x = slope(q, n), normal = {T(normal_ == 0), T(normal_ == 1), T(normal_ == 2)};
  Mat3<T> S = transposed_times(Mat3<T>{{x, normal, cross(x, normal)}}, made);
  const int i = (normal_ + 1) % 3, j = (normal_ + 2) % 3;
  const T scale = multiply_add(T(-0.5), multiply_add(S[i][i], S[i][i], S[j][i] * S[j][i]), T(1.5));
  for (const int r : {i, j})
    for (const int c : {i, j}) S[r][c] = scale * S[r][c];
  return S;
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
  if (links_.empty()) return;
  // forces of all that hangs on a node, then what they are on each link
  for (const int n : roots_) sum_[size_t(n)] = place(x, n);
  for (const Link& l : links_) sum_[size_t(l.child)] = place(x, l.child);
  for (auto l = links_.rbegin(); l != links_.rend(); ++l) sum_[size_t(l->parent)] += sum_[size_t(l->child)];
  for (const int n : roots_) turned_[size_t(n)] = transposed_times(S[n], sum_[size_t(n)]);
  for (const Link& l : links_) {
    const Vec3<T> f = transposed_times(T(0.5) * (S[l.parent] + S[l.child]), sum_[size_t(l.child)]);
    turned_[size_t(l.child)] = f;
    turned_[size_t(l.parent)] -= f;
  }
  for (const int n : roots_) set_place(x, n, turned_[size_t(n)]);
  for (const Link& l : links_) set_place(x, l.child, turned_[size_t(l.child)]);
}
template <class T>
void NodeAxes<T>::out_of(const Mat3<T>* S, T* x) const {
  each(x, [&](int n, const Vec3<T>& v) { return S[n] * v; });
  if (links_.empty()) return;
  AlignedVector<Vec3<T>>& before = turned_;
  for (const int n : roots_) before[size_t(n)] = place(x, n), set_place(x, n, S[n] * before[size_t(n)]);
  for (const Link& l : links_) {
    before[size_t(l.child)] = place(x, l.child);
    const Vec3<T> apart = before[size_t(l.child)] - before[size_t(l.parent)];
    set_place(x, l.child, place(x, l.parent) + (T(0.5) * (S[l.parent] + S[l.child])) * apart);
  }
}

template class NodeAxes<double>;
template class NodeAxes<Traced>;

}  // namespace aleator::core
