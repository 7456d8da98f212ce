// Kernels: the arithmetic of an element, written once on any scalar, and how the assembly calls it for all elements of a
// kind at once. A kernel K is a struct of static functions with
//   struct Topology        integers only, the same in all realizations
//   Parameters<T>          numbers only, one value per realization (may be empty)
//   pairs                  the number of marker pairs it acts between (0: a continuum, which acts on carriers itself)
// and, as far as they apply, force / tangent / energy / power and constrain / constraint_tangent; a continuum also has inertia,
// a force with a state (carrier.hpp) state_carrier / rates / state_tangent, a joint that says how it lets bodies move (joint_space.hpp)
// joint_rows / joint_space, an inertia in such a joint joint_direction / direction_inertia.
// Argument order: topology, parameters, evaluation, out.
#pragma once

#include <array>
#include <string_view>
#include <type_traits>
#include <vector>

#include "elements/energies.hpp"
#include "elements/joint_space.hpp"
#include "elements/tangent_sink.hpp"
#include "numerics/traced.hpp"

namespace aleator::core {

struct MarkerPair {
  int a, b;
};

// All elements of one kernel in a model, in flat storage.
struct Group {
  const struct Kernel* kernel;
  int count;
  const int* topology;    // [count][kernel->topology_size]
  int parameters;         // offset of [count][kernel->parameter_size] in the realization's flat array
  const int* pair_start;  // [count][kernel->pairs or 1] place in pair_blocks …
  const int*
      pair_blocks;  // … of the stiffness blocks of each marker pair: all carriers of a and b by all of them; then those of its state
};

// What can be read at a cross-section of a beam.
template <class T>
struct SectionState {
  enum { axial, bending_y, bending_z, shear_y, shear_z, twist, strains };
  Vec3<T> place;          // of its centre
  Vec3<T> force, moment;  // of the part beyond on the part before, inertial axes
  T strain[strains];      // relative to the initial shape
};

template <class T>
struct KernelFunctions {
  void (*force)(const Group&, Evaluation<T>&) = nullptr;
  void (*tangent)(const Group&, const Evaluation<T>&, TangentSink<T>&) = nullptr;
  T (*energy)(const Group&, const Evaluation<T>&) = nullptr;
  // What is not from the energy: power of functions of time, and of dissipation where asked for.
  void (*power)(const Group&, const Evaluation<T>&, bool dissipation, Energies<T>&) = nullptr;
  PairWrench<T> (*wrench)(const Group&, int element, const Evaluation<T>&) = nullptr;  // of one element, for outputs
  // of a continuum or an inertia in a joint: r += M a; blocks += factor M; the kinetic energy
  void (*inertia)(const Group&, const Evaluation<T>&, const T* accelerations, T* r) = nullptr;
  void (*mass)(const Group&, const Evaluation<T>&, const T& factor, T* blocks) = nullptr;
  // where M depends on positions: the derivative of M a and of the force that goes with it, cM M included; `increments` as in Assembly::tangent
  void (*inertia_tangent)(const Group&, const Evaluation<T>&, const T& cM, const T* accelerations, const T* increments,
                          TangentSink<T>&) = nullptr;
  T (*kinetic_energy)(const Group&, int element, const Evaluation<T>&) = nullptr;
  void (*section)(const Group&, int element, double xi, const Evaluation<T>&, const T* accelerations, SectionState<T>&) = nullptr;
  void (*constrain)(const Group&, Evaluation<T>&) = nullptr;
  void (*constraint_tangent)(const Group&, const Evaluation<T>&, const T* lambda, TangentSink<T>&) = nullptr;
  // After constrain; `normal` of planar models, −1 in space. Kernels without it close loops, and are never in a tree (pass_tree.hpp).
  void (*joint_space)(const Group&, int element, const Evaluation<T>&, int normal, JointSpace<T>&) = nullptr;
  DirectionInertia<T> (*direction_inertia)(const Group&, int element, const Evaluation<T>&) = nullptr;
};

// One kernel with its functions for the closed set of scalars: a realization, a recording for many, a derivative.
struct Kernel {
  std::string_view name;
  int topology_size;   // in ints
  int parameter_size;  // in scalars
  int pairs;
  void (*marker_pairs)(const int* topology, MarkerPair* out);
  std::vector<int> (*carriers)(const int* topology);  // of a continuum
  KernelFunctions<double> scalar;
  KernelFunctions<Traced> traced;
  KernelFunctions<Dual> dual;
  int (*state_carrier)(const int* topology) = nullptr;               // of a force with a state
  JointRows (*joint_rows)(const int* topology) = nullptr;            // of a joint with a joint space
  JointDirection (*joint_direction)(const int* topology) = nullptr;  // of an inertia in a joint

  template <class T>
  const KernelFunctions<T>& functions() const {
    if constexpr (std::is_same_v<T, double>)
      return scalar;
    else if constexpr (std::is_same_v<T, Traced>)
      return traced;
    else
      return dual;
  }
};

namespace detail {

// The number of scalars in a struct of parameters.
template <class P, class T>
constexpr int scalars_in() {
  if constexpr (std::is_empty_v<P>)
    return 0;
  else
    return int(sizeof(P) / sizeof(T));
}

template <class K>
concept has_state = requires(const typename K::Topology& t) {
  K::state_carrier(t);
};
template <class K>
concept has_joint_space = requires(const typename K::Topology& t) {
  K::joint_rows(t);
};

template <class K, class T>
const typename K::Topology& topology_of(const Group& g, int i) {
  return reinterpret_cast<const typename K::Topology*>(g.topology)[i];
}
template <class K, class T>
const typename K::template Parameters<T>& parameters_of(const Group& g, const Evaluation<T>& e, int i) {
  using P = typename K::template Parameters<T>;
  return *reinterpret_cast<const P*>(e.number + g.parameters + i * scalars_in<P, T>());
}

template <class K, class T>
void force_all(const Group& g, Evaluation<T>& e) {
  for (int i = 0; i < g.count; ++i) {
    const auto& t = topology_of<K, T>(g, i);
    const PairWrench<T> w = K::template force<T>(t, parameters_of<K, T>(g, e, i), e);
    const MarkerPair m = K::markers(t);
    e.apply(m.a, w.a);
    e.apply(m.b, w.b);
    if constexpr (has_state<K>) {
      const StateRates<T> r = K::template rates<T>(t, parameters_of<K, T>(g, e, i), e);
      Wrench<T>& sum = e.wrench[K::state_carrier(t)];
      sum.F.x += r.state, sum.M.x += r.integral;
    }
  }
}
template <class K, class T>
void tangent_all(const Group& g, const Evaluation<T>& e, TangentSink<T>& sink) {
  for (int i = 0; i < g.count; ++i) {
    const auto& t = topology_of<K, T>(g, i);
    PairTangent<T> d;
    PairWrench<T> w;
    K::template tangent<T>(t, parameters_of<K, T>(g, e, i), e, d, w);
    sink.pair_block = g.pair_blocks + g.pair_start[i];
    const MarkerPair m = K::markers(t);
    sink.add(m.a, m.b, d, w, true);
    if constexpr (has_state<K>) sink.add_state(m.a, m.b, K::template state_tangent<T>(t, parameters_of<K, T>(g, e, i), e));
  }
}
template <class K, class T>
T energy_all(const Group& g, const Evaluation<T>& e) {
  T sum(0);
  for (int i = 0; i < g.count; ++i) sum += K::template energy<T>(topology_of<K, T>(g, i), parameters_of<K, T>(g, e, i), e);
  return sum;
}
template <class K, class T>
void power_all(const Group& g, const Evaluation<T>& e, bool dissipation, Energies<T>& out) {
  for (int i = 0; i < g.count; ++i)
    K::template power<T>(topology_of<K, T>(g, i), parameters_of<K, T>(g, e, i), e, dissipation, out);
}
template <class K, class T>
PairWrench<T> wrench_of(const Group& g, int i, const Evaluation<T>& e) {
  return K::template force<T>(topology_of<K, T>(g, i), parameters_of<K, T>(g, e, i), e);
}
template <class K, class T>
void constrain_all(const Group& g, Evaluation<T>& e) {
  for (int i = 0; i < g.count; ++i) K::template constrain<T>(topology_of<K, T>(g, i), parameters_of<K, T>(g, e, i), e);
}
template <class K, class T>
void constraint_tangent_all(const Group& g, const Evaluation<T>& e, const T* lambda, TangentSink<T>& sink) {
  for (int i = 0; i < g.count; ++i) {
    const auto& t = topology_of<K, T>(g, i);
    if constexpr (requires { K::only_forces(t); }) {
      if (K::only_forces(t)) {
        sink.pair_block = g.pair_blocks + g.pair_start[i];
        const MarkerPair m = K::markers(t);
        sink.turn_arms(m.a, m.b, K::template pull<T>(t, lambda));
        continue;
      }
    }
    PairTangent<T> d[K::pairs];
    PairWrench<T> w[K::pairs];
    K::template constraint_tangent<T>(t, parameters_of<K, T>(g, e, i), e, lambda, d, w);
    MarkerPair m[K::pairs];
    K::marker_pairs(t, m);
    for (int p = 0; p < K::pairs; ++p) {
      sink.pair_block = g.pair_blocks + g.pair_start[K::pairs * i + p];
      sink.add(m[p].a, m[p].b, d[p], w[p], false);
    }
  }
}

template <class K, class T>
void joint_space_of(const Group& g, int i, const Evaluation<T>& e, int normal, JointSpace<T>& out) {
  K::template joint_space<T>(topology_of<K, T>(g, i), e, normal, out);
}

template <class K, class T>
KernelFunctions<T> functions_of() {
  KernelFunctions<T> f;
  if constexpr (K::is_force) {
    f.force = force_all<K, T>;
    f.tangent = tangent_all<K, T>;
    f.energy = energy_all<K, T>;
    f.wrench = wrench_of<K, T>;
    if constexpr (requires(const Evaluation<T>& e, Energies<T>& out) {
                    K::template power<T>(typename K::Topology{}, typename K::template Parameters<T>{}, e, true, out);
                  })
      f.power = power_all<K, T>;
  } else {
    f.constrain = constrain_all<K, T>;
    f.constraint_tangent = constraint_tangent_all<K, T>;
    if constexpr (has_joint_space<K>) f.joint_space = joint_space_of<K, T>;
  }
  return f;
}

template <class K>
void marker_pairs_of(const int* topology, MarkerPair* out) {
  const auto& t = *reinterpret_cast<const typename K::Topology*>(topology);
  if constexpr (K::is_force)
    out[0] = K::markers(t);
  else
    K::marker_pairs(t, out);
}

}  // namespace detail

// The kernel table of K; written once, in the .cpp of K.
template <class K>
Kernel make_kernel(std::string_view name) {
  using P = typename K::template Parameters<double>;
  static_assert(sizeof(typename K::Topology) % sizeof(int) == 0);
  Kernel kernel = {name,
                   int(sizeof(typename K::Topology) / sizeof(int)),
                   detail::scalars_in<P, double>(),
                   K::pairs,
                   detail::marker_pairs_of<K>,
                   nullptr,
                   detail::functions_of<K, double>(),
                   detail::functions_of<K, Traced>(),
                   detail::functions_of<K, Dual>()};
  if constexpr (detail::has_state<K>)
    kernel.state_carrier = [](const int* topology) {
      return K::state_carrier(*reinterpret_cast<const typename K::Topology*>(topology));
    };
  if constexpr (detail::has_joint_space<K>)
    kernel.joint_rows = [](const int* topology) {
      return K::joint_rows(*reinterpret_cast<const typename K::Topology*>(topology));
    };
  return kernel;
}

}  // namespace aleator::core
