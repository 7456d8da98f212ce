// The kernel of an element E of beams and cables. Each element is instantiated in a file of its own: they take long to compile.
#pragma once

#include "elements/beam_kernels.hpp"

namespace aleator::core {

template <class E>
struct BeamKernel {
  using Topology = BeamElementTopology;
  template <class T>
  using P = typename E::template Parameters<T>;
  template <class T>
  using V = Vec<T, E::dimension>;
  static constexpr int node_carriers = (E::node_vectors + 1) / 2;
  static constexpr int carriers = 2 * node_carriers;

  static const Topology& topology(const Group& g, int i) { return reinterpret_cast<const Topology*>(g.topology)[i]; }
  template <class T>
  static const P<T>& parameters(const Group& g, const Evaluation<T>& e, int i) {
    return *reinterpret_cast<const P<T>*>(e.number + g.parameters + i * E::parameter_count);
  }
  // Inertial axis of component j of a vector: in the plane the two after the normal.
  static int axis(const Topology& t, int j) { return E::dimension == 3 ? j : (t.normal + 1 + j) % 3; }
  // Where vector k stands among the carriers of the element: carrier and half.
  static constexpr int carrier_of(int k) { return k / E::node_vectors * node_carriers + k % E::node_vectors / 2; }
  static constexpr int half_of(int k) { return k % E::node_vectors % 2; }

  // Vectors of the element out of an array with `stride` numbers per carrier.
  template <class T>
  static void load(const Topology& t, const T* from, int stride, V<T>* out) {
    for (int k = 0; k < E::vectors; ++k)
      for (int j = 0; j < E::dimension; ++j) out[k][j] = from[stride * t.carrier[carrier_of(k)] + 3 * half_of(k) + axis(t, j)];
  }

  template <class T>
  static void force(const Group& g, Evaluation<T>& e) {
    for (int i = 0; i < g.count; ++i) {
      const Topology& t = topology(g, i);
      const P<T>& p = parameters(g, e, i);
      V<T> x[E::vectors], v[E::vectors], f[E::vectors];
      load(t, e.position, 7, x);
      if (t.damped != 0) {
        load(t, e.velocity, 6, v);
        E::force(p, x, v, f);
      } else {
        E::elastic_force(p, x, f);
      }
      for (int k = 0; k < E::vectors; ++k) {
        Wrench<T>& w = e.wrench[t.carrier[carrier_of(k)]];
        Vec3<T>& sum = half_of(k) == 0 ? w.F : w.M;
        for (int j = 0; j < E::dimension; ++j) sum[axis(t, j)] += p.mass_moment[k] * (*e.gravity)[axis(t, j)] - f[k][j];
      }
    }
  }

  // An element matrix into the blocks of its carriers.
  template <class T>
  static void put(const Topology& t, const int* ids, const T* K, T* blocks) {
    for (int k = 0; k < E::vectors; ++k)
      for (int l = 0; l < E::vectors; ++l) {
        T* block = blocks + 36 * ids[carriers * carrier_of(k) + carrier_of(l)];
        for (int i = 0; i < E::dimension; ++i)
          for (int j = 0; j < E::dimension; ++j)
            block[6 * (3 * half_of(k) + axis(t, i)) + 3 * half_of(l) + axis(t, j)] +=
                K[(E::dimension * k + i) * E::size + E::dimension * l + j];
      }
  }

  template <class T>
  static void tangent(const Group& g, const Evaluation<T>& e, TangentSink<T>& sink) {
    for (int i = 0; i < g.count; ++i) {
      const Topology& t = topology(g, i);
      V<T> x[E::vectors], v[E::vectors];
      load(t, e.position, 7, x);
      T K[E::size * E::size];
      for (T& k : K) k = T(0);
      if (t.damped != 0) {
        load(t, e.velocity, 6, v);
        E::tangent(parameters(g, e, i), x, v, sink.position_factor, sink.velocity_factor, K);
      } else {
        E::elastic_tangent(parameters(g, e, i), x, sink.position_factor, K);
      }
      put(t, g.pair_blocks + g.pair_start[i], K, sink.blocks);
    }
  }

  template <class T>
  static void mass(const Group& g, const Evaluation<T>& e, const T& factor, T* blocks) {
    for (int i = 0; i < g.count; ++i) {
      T K[E::size * E::size];
      for (T& k : K) k = T(0);
      E::add_mass(parameters(g, e, i), factor, K);
      put(topology(g, i), g.pair_blocks + g.pair_start[i], K, blocks);
    }
  }

  template <class T>
  static void inertia(const Group& g, const Evaluation<T>& e, const T* accelerations, T* r) {
    for (int i = 0; i < g.count; ++i) {
      const Topology& t = topology(g, i);
      V<T> a[E::vectors], f[E::vectors];
      load(t, accelerations, 6, a);
      for (V<T>& x : f) x = V<T>::zero();
      E::add_inertia(parameters(g, e, i), a, f);
      for (int k = 0; k < E::vectors; ++k)
        for (int j = 0; j < E::dimension; ++j) r[6 * t.carrier[carrier_of(k)] + 3 * half_of(k) + axis(t, j)] += f[k][j];
    }
  }

  // Of strain and gravity.
  template <class T>
  static T energy(const Group& g, const Evaluation<T>& e) {
    T sum(0);
    for (int i = 0; i < g.count; ++i) {
      const Topology& t = topology(g, i);
      const P<T>& p = parameters(g, e, i);
      V<T> x[E::vectors];
      load(t, e.position, 7, x);
      sum += E::energy(p, x);
      for (int k = 0; k < E::vectors; ++k)
        for (int j = 0; j < E::dimension; ++j) sum -= p.mass_moment[k] * (*e.gravity)[axis(t, j)] * x[k][j];
    }
    return sum;
  }

  template <class T>
  static T kinetic_energy(const Group& g, int i, const Evaluation<T>& e) {
    V<T> v[E::vectors];
    load(topology(g, i), e.velocity, 6, v);
    return E::kinetic_energy(parameters(g, e, i), v);
  }

  template <class T>
  static Vec3<T> in_space(const Topology& t, const V<T>& v) {
    Vec3<T> out;
    for (int j = 0; j < E::dimension; ++j) out[axis(t, j)] = v[j];
    return out;
  }
  // What the rest of the beam exerts on the second node of the element balances: internal forces f of its vectors are a force f_r and a
  // moment Σ e_k × f_k about the node, the same as at the node of the next element, or as the reaction there. Between the nodes the
  // force is constant and the moment follows,  m(x) = m_2 + (r_2 − c(x)) × f_r2.  (Loads and inertia within the element are at its nodes.)
  template <class T>
  static void section(const Group& g, int i, double xi, const Evaluation<T>& e, SectionState<T>& out) {
    const Topology& t = topology(g, i);
    const P<T>& p = parameters(g, e, i);
    V<T> x[E::vectors], v[E::vectors], f[E::vectors];
    load(t, e.position, 7, x);
    load(t, e.velocity, 6, v);
    E::force(p, x, v, f);
    constexpr int second = E::node_vectors;  // r of node 2
    T n[4];
    ancf::hermite(p.length, T(xi), n);
    V<T> arm = x[second];
    for (int a = 0; a < 4; ++a) arm -= n[a] * x[a / 2 * E::node_vectors + a % 2];
    out.force = in_space(t, f[second]);
    out.moment = cross(in_space(t, arm), out.force);
    for (int k = second + 1; k < E::vectors; ++k) out.moment += cross(in_space(t, x[k]), in_space(t, f[k]));
    const auto s = E::strains(p, x, xi);
    for (T& strain : out.strain) strain = T(0);
    out.strain[SectionState<T>::axial] = s.axial;
    strains(s, out);
  }
  template <class T, class Strains>
  static void strains(const Strains& s, SectionState<T>& out) {
    using S = SectionState<T>;
    if constexpr (E::node_vectors == 2) {
      if constexpr (E::turns == 1)
        out.strain[S::bending_y] = -s.curvature[0];
      else
        out.strain[S::bending_y] = sqrt(dot(s.curvature, s.curvature));
    } else {
      out.strain[S::bending_y] = s.bending[0];
      out.strain[S::shear_y] = s.shear[0];
      out.strain[S::twist] = s.twist;
      if constexpr (E::node_vectors == 4) out.strain[S::bending_z] = s.bending[1], out.strain[S::shear_z] = s.shear[1];
    }
  }

  template <class T>
  static KernelFunctions<T> functions() {
    KernelFunctions<T> f;
    f.force = force<T>;
    f.tangent = tangent<T>;
    f.energy = energy<T>;
    f.inertia = inertia<T>;
    f.mass = mass<T>;
    f.kinetic_energy = kinetic_energy<T>;
    f.section = section<T>;
    return f;
  }
  static std::vector<int> carriers_of(const int* topology) { return {topology, topology + carriers}; }
  static Kernel kernel(std::string_view name) {
    return {name,
            int(sizeof(Topology) / sizeof(int)),
            E::parameter_count,
            0,
            [](const int*, MarkerPair*) {},
            carriers_of,
            functions<double>(),
            functions<Traced>(),
            functions<Dual>()};
  }
};

}  // namespace aleator::core
