#include "elements/coordinate_inertia.hpp"

namespace aleator::core {

namespace {

using Topology = CoordinateInertia::Topology;

template <class T>
const T& inertia_of(const Group& g, const Evaluation<T>& e, int i) {
  return detail::parameters_of<CoordinateInertia, T>(g, e, i).inertia;
}
template <class T>
const Topology& topology_of(const Group& g, int i) {
  return detail::topology_of<CoordinateInertia, T>(g, i);
}

template <class T>
PairWrench<T> operator*(const T& x, const PairWrench<T>& w) {
  return {{x * w.a.F, x * w.a.M}, {x * w.b.F, x * w.b.M}};
}
template <class T>
void add(PairWrench<T>& sum, const PairWrench<T>& w) {
  sum.a.F += w.a.F, sum.a.M += w.a.M;
  sum.b.F += w.b.F, sum.b.M += w.b.M;
}

// What is known of a marker's body.
template <class T>
struct End {
  int carrier;
  const MarkerFrame<T>* marker;
  bool moves;       // it is not the ground
  Vec3<T> a, turn;  // accelerations of the body, inertial axes
};
template <class T>
End<T> end_of(int m, const Evaluation<T>& e, const T* accelerations) {
  End<T> s{e.marker_carrier[m], &e.marker[m], e.marker_carrier[m] != e.ground, {}, {}};
  if (!s.moves || !accelerations) return s;
  const T* a = accelerations + 6 * s.carrier;
  s.a = {a[0], a[1], a[2]};
  s.turn = e.frame[s.carrier].R * Vec3<T>{a[3], a[4], a[5]};
  return s;
}
// A gradient by a marker, as one by its body.
template <class T>
Wrench<T> on_body(const MarkerFrame<T>& m, const Wrench<T>& w) {
  return {w.F, w.M + cross(m.arm, w.F)};
}

// ġ·v
template <class T>
T bias_of(const Topology& t, const Evaluation<T>& e, const PairScalar<T>& q) {
  return q.bias + e.bias_of(t.coordinate.a, q.gradient.a) + e.bias_of(t.coordinate.b, q.gradient.b);
}
// g·v̇
template <class T>
T along(const End<T>& s, const Wrench<T>& g) {
  const Wrench<T> w = on_body(*s.marker, g);
  return dot(w.F, s.a) + dot(w.M, s.turn);
}

template <class T>
void force(const Group& g, Evaluation<T>& e) {
  for (int i = 0; i < g.count; ++i) {
    const Topology& t = topology_of<T>(g, i);
    const PairScalar<T> q = measure(t.coordinate, e);
    const PairWrench<T> w = -(inertia_of(g, e, i) * bias_of(t, e, q)) * q.gradient;
    e.apply(t.coordinate.a, w.a);
    e.apply(t.coordinate.b, w.b);
  }
}

template <class T>
void inertia(const Group& g, const Evaluation<T>& e, const T* accelerations, T* r) {
  for (int i = 0; i < g.count; ++i) {
    const Topology& t = topology_of<T>(g, i);
    const PairWrench<T> gradient = measure(t.coordinate, e).gradient;
    const End<T> end[2] = {end_of(t.coordinate.a, e, accelerations), end_of(t.coordinate.b, e, accelerations)};
    const T force = inertia_of(g, e, i) * (along(end[0], gradient.a) + along(end[1], gradient.b));
    for (int k = 0; k < 2; ++k) {
      if (!end[k].moves) continue;
      const Wrench<T> w = on_body(*end[k].marker, k == 0 ? gradient.a : gradient.b);
      T* out = r + 6 * end[k].carrier;
      for (int j = 0; j < 3; ++j) out[j] += force * w.F[j], out[3 + j] += force * w.M[j];
    }
  }
}

// block += x yᵀ
template <class T>
void add_product(T* block, const Wrench<T>& x, const Wrench<T>& y) {
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) block[6 * i + j] += (i < 3 ? x.F[i] : x.M[i - 3]) * (j < 3 ? y.F[j] : y.M[j - 3]);
}

template <class T>
void mass(const Group& g, const Evaluation<T>& e, const T& factor, T* blocks) {
  for (int i = 0; i < g.count; ++i) {
    const Topology& t = topology_of<T>(g, i);
    const PairWrench<T> q = measure(t.coordinate, e).gradient;
    const Wrench<T> w[2] = {on_body(e.marker[t.coordinate.a], q.a), on_body(e.marker[t.coordinate.b], q.b)};
    const T a = factor * inertia_of(g, e, i);
    const int* ids = g.pair_blocks + g.pair_start[i];
    for (int k = 0; k < 2; ++k)
      for (int l = 0; l < 2; ++l) add_product(blocks + 36 * ids[2 * k + l], {a * w[k].F, a * w[k].M}, w[l]);
  }
}

template <class T>
T kinetic_energy(const Group& g, int i, const Evaluation<T>& e) {
  const Coordinate& c = topology_of<T>(g, i).coordinate;
  const T dq = rate(measure(c, e).gradient, e.marker[c.a], e.marker[c.b]);
  return T(0.5) * inertia_of(g, e, i) * dq * dq;
}

template <class T>
DirectionInertia<T> direction_inertia(const Group& g, int i, const Evaluation<T>& e) {
  const Coordinate& c = topology_of<T>(g, i).coordinate;
  const bool turns = c.kind == Coordinate::angle;
  const PairWrench<T> q = measure(c, e).gradient;
  return {inertia_of(g, e, i), turns, turns ? q.b.M : q.b.F};
}

// --- the derivative of a q̈ g ------------------------------------------------------------------------------------------------

// A product a·b of axes of the two markers, with w = ω_a − ω_b: its rates, and their derivatives by turns of the markers.
template <class T>
struct ProductRates {
  T value, first, second;  // the second at zero angular accelerations
  Vec3<T> of_value[2], of_first[2], of_second[2];

  ProductRates(const Vec3<T>& a, const Vec3<T>& wa, const Vec3<T>& b, const Vec3<T>& wb) {
    const Vec3<T> w = wa - wb, n = cross(a, b), Y = cross(cross(b, w), wa) + cross(cross(wb, b), w),
                  Z = cross(w, cross(wa, a)) + cross(cross(w, a), wb);
    value = dot(a, b), first = dot(n, w), second = dot(a, Y);
    of_value[0] = n, of_value[1] = -n;
    of_first[0] = cross(a, cross(b, w)), of_first[1] = cross(b, cross(w, a));
    of_second[0] = cross(a, Y), of_second[1] = cross(b, Z);
  }
};

// ∂β/∂z. An angle with sine s and cosine c, k = 1/(s² + c²), has β = k N − 2 k² P D with N = c s̈ − s c̈, P = c ṡ − s ċ, D = c ċ + s ṡ.
template <class T>
PairWrench<T> bias_by_place(const Coordinate& q, const Evaluation<T>& e) {
  const MarkerFrame<T>&A = e.marker[q.a], &B = e.marker[q.b];
  if (q.kind == Coordinate::translation) {
    const Vec3<T> a = A.R.column(q.axis), r = B.p - A.p, X = cross(A.w, cross(A.w, r) - T(2) * (B.v - A.v)),
                  Y = cross(A.w, cross(A.w, a));
    return {{-Y, cross(a, X)}, {Y, {}}};
  }
  const ProductRates<T> s(A.R.column(q.sine[0]), A.w, B.R.column(q.sine[1]), B.w),
      c(A.R.column(q.cosine[0]), A.w, B.R.column(q.cosine[1]), B.w);
  const T k = T(1) / (s.value * s.value + c.value * c.value), k2 = k * k;
  const T N = c.value * s.second - s.value * c.second, P = c.value * s.first - s.value * c.first,
          D = c.value * c.first + s.value * s.first, common = T(8) * k * k2 * P * D - T(2) * k2 * N;
  const T by_s = common * s.value - k * c.second - T(2) * k2 * (P * s.first - D * c.first),
          by_c = common * c.value + k * s.second - T(2) * k2 * (P * c.first + D * s.first),
          by_ds = -T(2) * k2 * (c.value * D + s.value * P), by_dc = -T(2) * k2 * (c.value * P - s.value * D);
  const auto turn = [&](int end) {
    return by_s * s.of_value[end] + by_c * c.of_value[end] + by_ds * s.of_first[end] + by_dc * c.of_first[end] +
           k * c.value * s.of_second[end] - k * s.value * c.of_second[end];
  };
  return {{{}, turn(0)}, {{}, turn(1)}};
}

// Of q̈, by the markers: at constant velocities and accelerations of theirs; and by their velocities, (H + Hᵀ) ż with the curvature H of q.
template <class T>
struct SecondRate {
  PairWrench<T> by_place, by_velocity;
};
template <class T>
SecondRate<T> derivatives(const Coordinate& q, const Evaluation<T>& e, const PairTangent<T>& H, const End<T>* end) {
  const MarkerFrame<T>&A = e.marker[q.a], &B = e.marker[q.b];
  const Vec3<T> velocity[4] = {A.v, A.w, B.v, B.w};
  Vec3<T> acceleration[4];
  for (int k = 0; k < 2; ++k) {
    const MarkerFrame<T>& m = *end[k].marker;
    acceleration[2 * k] = end[k].a + cross(end[k].turn, m.arm) + m.a;
    acceleration[2 * k + 1] = end[k].turn;
  }
  Vec3<T> place[4], rate[4];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      place[j] += transposed_times(H.K[i][j], acceleration[i]);
      rate[j] += transposed_times(H.K[i][j], velocity[i]) + H.K[j][i] * velocity[i];
    }
  SecondRate<T> out{{{place[0], place[1]}, {place[2], place[3]}}, {{rate[0], rate[1]}, {rate[2], rate[3]}}};
  add(out.by_place, bias_by_place(q, e));
  return out;
}

// As derivatives by the motion of a body, whose velocities and accelerations keep their components in its axes when it is turned:
// all vectors fixed to it turn, p̈ = ẍ + α×arm + ω×(ω×arm).
template <class T>
Wrench<T> by_body_place(const End<T>& s, const Wrench<T>& g, const Wrench<T>& place, const Wrench<T>& velocity) {
  const MarkerFrame<T>& m = *s.marker;
  Wrench<T> out = on_body(m, place);
  out.M += cross(cross(m.w, m.arm), velocity.F) + cross(m.w, velocity.M);
  out.M += cross(cross(s.turn, m.arm) + m.a, g.F) + cross(s.turn, g.M);
  return out;
}
template <class T>
Wrench<T> by_body_velocity(const End<T>& s, const Wrench<T>& g, const Wrench<T>& velocity) {
  const MarkerFrame<T>& m = *s.marker;
  Wrench<T> out = on_body(m, velocity);
  out.M += cross(cross(m.w, m.arm), g.F) + cross(m.arm, cross(g.F, m.w));
  return out;
}

template <class T>
void inertia_tangent(const Group& g, const Evaluation<T>& e, const T& cM, const T* accelerations, const T* increments,
                     TangentSink<T>& sink) {
  for (int i = 0; i < g.count; ++i) {
    const Topology& t = topology_of<T>(g, i);
    const Coordinate& c = t.coordinate;
    const T a = inertia_of(g, e, i);
    const PairScalar<T> q = measure(c, e);
    const End<T> end[2] = {end_of(c.a, e, accelerations), end_of(c.b, e, accelerations)};
    const T force = -a * (along(end[0], q.gradient.a) + along(end[1], q.gradient.b) + bias_of(t, e, q));
    PairTangent<T> H;
    add_curvature(c, e, T(1), H);
    const SecondRate<T> d = derivatives(c, e, H, end);

    Wrench<T> rows[2], columns[2];
    for (int k = 0; k < 2; ++k) {
      const auto of = [k](const PairWrench<T>& w) -> const Wrench<T>& { return k == 0 ? w.a : w.b; };
      rows[k] = on_body(*end[k].marker, of(q.gradient));
      const Wrench<T> v = by_body_velocity(end[k], of(q.gradient), of(d.by_velocity)),
                      x = by_body_place(end[k], of(q.gradient), of(d.by_place), of(d.by_velocity));
      Vec3<T> turn = cM * rows[k].M + sink.velocity_factor * v.M;
      if (increments && end[k].moves) {
        const T* D = increments + 6 * end[k].carrier + 3;
        const Mat3<T>& R = e.frame[end[k].carrier].R;
        turn = R * transposed_times(inverse_tangent(Vec3<T>{D[0], D[1], D[2]}), transposed_times(R, turn));
      }
      columns[k] = {a * (cM * rows[k].F + sink.velocity_factor * v.F + sink.position_factor * x.F),
                    a * (turn + sink.position_factor * x.M)};
    }
    sink.pair_block = g.pair_blocks + g.pair_start[i];
    for (int k = 0; k < 2; ++k)
      for (int l = 0; l < 2; ++l) add_product(sink.blocks + 36 * sink.pair_block[2 * k + l], rows[k], columns[l]);
    for (auto& row : H.K)
      for (Mat3<T>& K : row) K = force * K;
    sink.add(c.a, c.b, H, force * q.gradient, false);
  }
}

template <class T>
KernelFunctions<T> functions() {
  KernelFunctions<T> f;
  f.force = force<T>;
  f.inertia = inertia<T>;
  f.mass = mass<T>;
  f.inertia_tangent = inertia_tangent<T>;
  f.kinetic_energy = kinetic_energy<T>;
  f.direction_inertia = direction_inertia<T>;
  return f;
}

Kernel make() {
  Kernel k = {"armature",
              int(sizeof(Topology) / sizeof(int)),
              1,
              1,
              [](const int* topology, MarkerPair* out) {
                const Coordinate& c = reinterpret_cast<const Topology*>(topology)->coordinate;
                *out = {c.a, c.b};
              },
              nullptr,
              functions<double>(),
              functions<Traced>(),
              functions<Dual>()};
  k.joint_direction = [](const int* topology) { return reinterpret_cast<const Topology*>(topology)->joint; };
  return k;
}

}  // namespace

const Kernel coordinate_inertia_kernel = make();

}  // namespace aleator::core
