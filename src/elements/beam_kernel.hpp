// The kernel of an element E of beams and cables. Each element is instantiated in a file of its own: they take long to compile.
#pragma once

#include "elements/beam_kernels.hpp"

namespace aleator::core {

// Recordings and derivatives are made once or in tests only: beam_recordings.cpp has them for all elements, with less optimisation.
struct BeamRecordings {
  KernelFunctions<Traced> traced;
  KernelFunctions<Dual> dual;
};
template <class E>
BeamRecordings beam_recordings();

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
        for (int j = 0; j < E::dimension; ++j) sum -= p.mass_moment[k] * (*e.static_gravity)[axis(t, j)] * x[k][j];
    }
    return sum;
  }

  // Of damping, what its forces are besides those of strain; of a ground that accelerates, Σ m_k a(t) · v_k.
  template <class T>
  static void power(const Group& g, const Evaluation<T>& e, bool dissipation, Energies<T>& out) {
    for (int i = 0; e.shaken && i < g.count; ++i) {
      const Topology& t = topology(g, i);
      V<T> v[E::vectors];
      load(t, e.velocity, 6, v);
      const Vec3<T> a = e.base_load();
      T sum(0);
      for (int k = 0; k < E::vectors; ++k)
        for (int j = 0; j < E::dimension; ++j) sum += parameters(g, e, i).mass_moment[k] * a[axis(t, j)] * v[k][j];
      out.supply(sum);
    }
    for (int i = 0; dissipation && i < g.count; ++i) {
      const Topology& t = topology(g, i);
      if (t.damped == 0) continue;
      V<T> x[E::vectors], v[E::vectors], f[E::vectors], strain[E::vectors];
      load(t, e.position, 7, x);
      load(t, e.velocity, 6, v);
      E::force(parameters(g, e, i), x, v, f);
      E::elastic_force(parameters(g, e, i), x, strain);
      for (int k = 0; k < E::vectors; ++k)
        for (int j = 0; j < E::dimension; ++j) out.dissipated += (f[k][j] - strain[k][j]) * v[k][j];
    }
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
  // What the rest of the beam exerts on the second node of the element is what the element's equations leave there,
  //   F_k = f_k + (M v̇)_k − m_k g,
  // a force F_r and a moment Σ e_k × F_k. Between a cross-section c and that node act weight, inertia and damping of the mass: per length
  // μ b with b = g − v̇ − α v, and −J_i d_i × (d̈_i + α ḋ_i) of the directors. So
  //   n = F_r + ∫ μ b dx,      m = Σ e_k × F_k + (r_2 − c) × F_r + ∫ (r − c) × μ b dx − Σ ∫ J_i d_i × (d̈_i + α ḋ_i) dx.
  // (What joints and forces exert between the nodes of an element is still at its nodes: outputs_beam.cpp puts it where it belongs.)
  template <class T>
  static void section(const Group& g, int i, double xi, const Evaluation<T>& e, const T* accelerations, SectionState<T>& out) {
    const Topology& t = topology(g, i);
    const P<T>& p = parameters(g, e, i);
    constexpr int second = E::node_vectors;  // r of node 2
    V<T> x[E::vectors], v[E::vectors], a[E::vectors], F[E::vectors];
    load(t, e.position, 7, x);
    load(t, e.velocity, 6, v);
    load(t, accelerations, 6, a);
    E::force(p, x, v, F);
    E::add_inertia(p, a, F);
    for (int k = 0; k < E::vectors; ++k)
      for (int j = 0; j < E::dimension; ++j) F[k][j] -= p.mass_moment[k] * (*e.gravity)[axis(t, j)];
    for (int k = 0; k < E::vectors; ++k) a[k] += p.mass_damping * v[k];
    const Vec3<T> c = in_space(t, on_axis(p, T(xi), x));
    out.place = c;
    out.force = in_space(t, F[second]);
    out.moment = cross(in_space(t, x[second]) - c, out.force);
    for (int k = second + 1; k < E::vectors; ++k) out.moment += cross(in_space(t, x[k]), in_space(t, F[k]));
    add_between(t, p, xi, x, a, c, *e.gravity, out);
    const auto s = E::strains(p, x, xi);
    for (T& strain : out.strain) strain = T(0);
    out.strain[SectionState<T>::axial] = s.axial;
    strains(s, out);
  }
  template <class T>
  static V<T> on_axis(const P<T>& p, const T& xi, const V<T>* vectors) {
    T n[4];
    ancf::hermite(p.length, xi, n);
    V<T> sum = V<T>::zero();
    for (int k = 0; k < 4; ++k) sum += n[k] * vectors[k / 2 * E::node_vectors + k % 2];
    return sum;
  }
  // The integrals, by four Gauss points: exact where the mass per length is constant. Otherwise μ is the linear function that has the mass of the
  // element, m, and its share of node 2:  m_2 = ∫ μ N_r2 dx  with  ∫ N_r2 dξ = ½,  ∫ (ξ − ½) N_r2 dξ = 0.1.
  template <class T>
  static void add_between(const Topology& t, const P<T>& p, double xi, const V<T>* x, const V<T>* a, const Vec3<T>& c,
                          const Vec3<T>& gravity, SectionState<T>& out) {
    constexpr double node[4] = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563, 0.8611363115940526};
    constexpr double weight[4] = {0.3478548451374538, 0.6521451548625461, 0.6521451548625461, 0.3478548451374538};
    const T mass = p.mass_moment[0] + p.mass_moment[E::node_vectors];
    const T slope = T(10) * (p.mass_moment[E::node_vectors] - T(0.5) * mass);
    for (int q = 0; q < 4; ++q) {
      const double at = xi + (1 - xi) * 0.5 * (1 + node[q]), part = 0.5 * weight[q] * (1 - xi);
      const Vec3<T> load = (T(part) * (mass + T(at - 0.5) * slope)) * (gravity - in_space(t, on_axis(p, T(at), a)));
      out.force += load;
      out.moment += cross(in_space(t, on_axis(p, T(at), x)) - c, load);
      if constexpr (E::node_vectors > 2)
        for (int i = 0; i < E::node_vectors - 2; ++i) {
          const auto& m = p.director_mass[i];
          const int d1 = 2 + i, d2 = E::node_vectors + 2 + i;
          const V<T> d = T(1 - at) * x[d1] + T(at) * x[d2], rate = T(1 - at) * a[d1] + T(at) * a[d2];
          out.moment -= (T(part) * (m[0] + T(2) * m[1] + m[2])) * cross(in_space(t, d), in_space(t, rate));
        }
    }
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
    f.power = power<T>;
    f.inertia = inertia<T>;
    f.mass = mass<T>;
    f.kinetic_energy = kinetic_energy<T>;
    f.section = section<T>;
    return f;
  }
  static std::vector<int> carriers_of(const int* topology) { return {topology, topology + carriers}; }
  static Kernel kernel(std::string_view name) {
    const BeamRecordings other = beam_recordings<E>();
    return {name,
            int(sizeof(Topology) / sizeof(int)),
            E::parameter_count,
            0,
            [](const int*, MarkerPair*) {},
            carriers_of,
            functions<double>(),
            other.traced,
            other.dual};
  }
};

}  // namespace aleator::core
