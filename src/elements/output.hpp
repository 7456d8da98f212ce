// Outputs: what is read off a state. An output is a function, the integers it needs, and one to four channels.
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "elements/carrier.hpp"
#include "elements/kernel.hpp"

namespace aleator::core {

// Everything an output may look at: a state with accelerations and multipliers, after an evaluation of forces and constraints.
template <class T>
struct Observation {
  const Evaluation<T>* evaluation;
  const BodyFrame<T>* carrier;                 // [carriers+1]
  const RigidBody::Parameters<T>* parameters;  // [rigid] of rigid bodies
  int rigid, ground;                           // number of rigid bodies, of all carriers
  const T* acceleration;                       // [6 carriers] v̇ (angular parts in body axes)
  const T* lambda;                             // [rows]
  int rows;
  const Group* groups;
  int group_count;
  Vec3<T> gravity;
  const Energies<T>* work = nullptr;  // since the start; null: nothing is known of it
  T start = T(0);                     // T + V then
};

struct Output;
template <class T>
using Observe = void (*)(const Output&, const Observation<T>&, T* out);

struct Output {
  std::string name;
  std::vector<std::string> channels;  // "" for a scalar; "x", "y", "z"
  std::string unit;
  bool angular = false;    // jumps of 2π are taken out before anything else is done with the values
  int component = -1;      // of a vector: 0, 1, 2; 3 = norm; −1 = all
  int frame = -1;          // marker in whose axes a vector is given, −1 = inertial
  int joint = -1;          // whose multipliers it reads, −1 for none
  bool of_work = false;    // it reads work
  std::vector<int> index;  // meaning depends on the function
  double place = 0;        // in an element of a beam, 0 … 1
  Observe<double> scalar = nullptr;
  Observe<Traced> traced = nullptr;
  // Of an integral over time since the start: its rate, and its place in Energies::each.
  Observe<double> scalar_rate = nullptr;
  Observe<Traced> traced_rate = nullptr;
  int integral = -1;

  template <class T>
  Observe<T> function() const {
    if constexpr (std::is_same_v<T, double>)
      return scalar;
    else
      return traced;
  }
  template <class T>
  Observe<T> rate() const {
    if constexpr (std::is_same_v<T, double>)
      return scalar_rate;
    else
      return traced_rate;
  }
};

// Writes a vector as the output asks for it: in its frame, all components, one, or the norm.
template <class T>
void put_vector(const Output& o, const Observation<T>& s, Vec3<T> v, T* out) {
  if (o.frame >= 0) v = transposed_times(s.evaluation->marker[o.frame].R, v);
  if (o.component == 3)
    out[0] = norm(v);
  else if (o.component >= 0)
    out[0] = v[o.component];
  else
    for (int i = 0; i < 3; ++i) out[i] = v[i];
}

}  // namespace aleator::core
