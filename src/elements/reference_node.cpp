#include "elements/reference_node.hpp"

namespace aleator::core {

namespace {

using Node = ReferenceNode;

const Node::Topology& topology(const Group& g, int i) { return reinterpret_cast<const Node::Topology*>(g.topology)[i]; }
template <class T>
const Node::Parameters<T>& parameters(const Group& g, const Evaluation<T>& e, int i) {
  return detail::parameters_of<Node, T>(g, e, i);
}
template <class T>
Vec3<T> director(const Node::Topology& t, int i, const T* from, int stride) {
  const T* v = from + stride * t.carrier[Node::carrier_of(i)] + 3 * Node::half_of(i);
  return {v[0], v[1], v[2]};
}
template <class T>
Vec3<T>& part(Wrench<T>& w, int director) {
  return Node::half_of(director) == 0 ? w.F : w.M;
}

template <class T>
void force(const Group& g, Evaluation<T>& e) {
  for (int n = 0; n < g.count; ++n) e.wrench[topology(g, n).carrier[0]].F += parameters(g, e, n).mass * *e.gravity;
}

template <class T>
T energy(const Group& g, const Evaluation<T>& e) {
  T sum(0);
  for (int n = 0; n < g.count; ++n) {
    const T* r = e.position + 7 * topology(g, n).carrier[0];
    sum -= parameters(g, e, n).mass * dot(*e.static_gravity, Vec3<T>{r[0], r[1], r[2]});
  }
  return sum;
}

template <class T>
void power(const Group& g, const Evaluation<T>& e, bool, Energies<T>& out) {
  for (int n = 0; e.shaken && n < g.count; ++n) {
    const T* v = e.velocity + 6 * topology(g, n).carrier[0];
    out.supply(parameters(g, e, n).mass * dot(e.base_load(), Vec3<T>{v[0], v[1], v[2]}));
  }
}

// (k, l, mass) of each pair of vectors of the node; −1 is r.
template <class T, class F>
void each_mass(const Node::Topology& t, const Node::Parameters<T>& p, const F& f) {
  f(-1, -1, p.mass);
  for (int i = 0; i < t.directors; ++i)
    for (int j = 0; j < t.directors; ++j) f(i, j, p.second[i][j]);
}

template <class T>
void inertia(const Group& g, const Evaluation<T>& e, const T* accelerations, T* r) {
  for (int n = 0; n < g.count; ++n) {
    const Node::Topology& t = topology(g, n);
    each_mass(t, parameters(g, e, n), [&](int i, int j, const T& mass) {
      const Vec3<T> a = director(t, j, accelerations, 6);
      T* out = r + 6 * t.carrier[Node::carrier_of(i)] + 3 * Node::half_of(i);
      for (int k = 0; k < 3; ++k) out[k] += mass * a[k];
    });
  }
}

// blocks += value I between directors i and j
template <class T>
void add_diagonal(const int* ids, int i, int j, const T& value, T* blocks) {
  T* block = blocks + 36 * ids[2 * Node::carrier_of(i) + Node::carrier_of(j)];
  for (int k = 0; k < 3; ++k) block[6 * (3 * Node::half_of(i) + k) + 3 * Node::half_of(j) + k] += value;
}

template <class T>
void mass(const Group& g, const Evaluation<T>& e, const T& factor, T* blocks) {
  for (int n = 0; n < g.count; ++n) {
    const int* ids = g.pair_blocks + g.pair_start[n];
    each_mass(topology(g, n), parameters(g, e, n),
              [&](int i, int j, const T& m) { add_diagonal(ids, i, j, factor * m, blocks); });
  }
}

template <class T>
T kinetic_energy(const Group& g, int n, const Evaluation<T>& e) {
  const Node::Topology& t = topology(g, n);
  T sum(0);
  each_mass(t, parameters(g, e, n), [&](int i, int j, const T& m) {
    sum += T(0.5) * m * dot(director(t, i, e.velocity, 6), director(t, j, e.velocity, 6));
  });
  return sum;
}

template <class T>
void constrain(const Group& g, Evaluation<T>& e) {
  for (int n = 0; n < g.count; ++n) {
    const Node::Topology& t = topology(g, n);
    int block = t.block;
    for (int k = 0; k < Node::rows(t.directors); ++k) {
      const int i = Node::pairs_of[k][0], j = Node::pairs_of[k][1], row = t.row + k;
      const Vec3<T> a = director(t, i, e.position, 7), b = director(t, j, e.position, 7);
      const Vec3<T> da = director(t, i, e.velocity, 6), db = director(t, j, e.velocity, 6);
      const T scale(i == j ? 0.5 : 1);
      e.residual[row] = scale * (dot(a, b) - T(i == j ? 1 : 0));
      e.drift[row] = T(0);
      e.bias[row] = (scale + scale) * dot(da, db);
      const bool apart = Node::carrier_of(i) != Node::carrier_of(j);
      Wrench<T> first, second;
      part(first, i) += i == j ? a : b;
      if (i != j) part(apart ? second : first, j) += a;
      e.jacobian[block++] = first;
      if (apart) e.jacobian[block++] = second;
    }
  }
}

// Gᵀλ changes by λ I between the two directors.
template <class T>
void constraint_tangent(const Group& g, const Evaluation<T>&, const T* lambda, TangentSink<T>& sink) {
  for (int n = 0; n < g.count; ++n) {
    const Node::Topology& t = topology(g, n);
    const int* ids = g.pair_blocks + g.pair_start[n];
    for (int k = 0; k < Node::rows(t.directors); ++k) {
      const int i = Node::pairs_of[k][0], j = Node::pairs_of[k][1];
      const T value = sink.position_factor * lambda[t.row + k];
      add_diagonal(ids, i, j, value, sink.blocks);
      if (i != j) add_diagonal(ids, j, i, value, sink.blocks);
    }
  }
}

template <class T>
KernelFunctions<T> functions() {
  KernelFunctions<T> f;
  f.force = force<T>;
  f.energy = energy<T>;
  f.power = power<T>;
  f.inertia = inertia<T>;
  f.mass = mass<T>;
  f.kinetic_energy = kinetic_energy<T>;
  f.constrain = constrain<T>;
  f.constraint_tangent = constraint_tangent<T>;
  return f;
}

}  // namespace

const Kernel reference_node_kernel = {"reference node",
                                      int(sizeof(Node::Topology) / sizeof(int)),
                                      detail::scalars_in<Node::Parameters<double>, double>(),
                                      0,
                                      [](const int*, MarkerPair*) {},
                                      [](const int* t) {
                                        return std::vector<int>{t[0], t[1]};
                                      },
                                      functions<double>(),
                                      functions<Traced>(),
                                      functions<Dual>()};

}  // namespace aleator::core
