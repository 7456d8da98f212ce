// Time of one element of absolute nodal coordinates, one realization at a time: internal force and tangent. For the planar beam also
// two other ways to the same force: 5 × 3 quadrature with the deformation gradient, and the papers' (K1 + K2(e)) e from precomputed
// invariants. They live here only.
#include <benchmark/benchmark.h>

#include <cmath>
#include <random>
#include <vector>

#include "elements/ancf_beam.hpp"
#include "elements/ancf_cable.hpp"

namespace aleator::core {
namespace {

constexpr int elements = 3;  // the link of the slider-crank: stays in the first-level cache

template <class Element, class T>
struct Body {
  static constexpr int D = Element::dimension;
  std::vector<typename Element::template Parameters<T>> p;
  std::vector<Vec<T, D>> e, v, f;
  std::vector<T> K;

  template <class Make>
  explicit Body(const Make& make)
      : p(elements), e(elements * Element::vectors), v(e.size()), f(e.size()), K(Element::size * Element::size) {
    std::mt19937 generator(1);
    std::normal_distribution<double> normal;
    for (int k = 0; k < elements; ++k)
      for (int lane = 0; lane < ScalarTraits<T>::lanes; ++lane) {
        ancf::Station stations[ancf::points];
        for (ancf::Station& s : stations) s = {rectangle_section(0.01, 0.01), 69e9 * (1 + 0.01 * normal(generator)), 0.34, 2700};
        Vec<double, D> r[Element::vectors];
        for (int m = 0; m < Element::vectors; ++m) {
          r[m] = Vec<double, D>::zero();
          const int kind = m % Element::node_vectors;
          if (kind > 0) r[m][kind - 1] = 1;
          if (kind == 0 && m > 0) r[m][0] = 0.2;
        }
        const typename Element::template Parameters<double> one = make(0.2, stations, r);
        for (int i = 0; i < Element::parameter_count; ++i)
          ScalarTraits<T>::set_lane(reinterpret_cast<T*>(&p[k])[i], lane, reinterpret_cast<const double*>(&one)[i]);
        for (int m = 0; m < Element::vectors; ++m)
          for (int i = 0; i < D; ++i) {
            ScalarTraits<T>::set_lane(e[k * Element::vectors + m][i], lane, r[m][i] + 1e-3 * normal(generator));
            ScalarTraits<T>::set_lane(v[k * Element::vectors + m][i], lane, normal(generator));
          }
      }
    for (T& x : K) x = T(0);
  }
};

template <class Element, class T>
struct Made;
template <int D, int N, class T>
struct Made<AncfBeam<D, N>, T> : Body<AncfBeam<D, N>, T> {
  using Element = AncfBeam<D, N>;
  Made()
      : Body<Element, T>([](double l, const auto& s, const auto& r) {
          return Element::parameters(ancf::Elasticity::enhanced, l, s, r, 0, 1e-5);
        }) {}
};
template <int D, class T>
struct Made<AncfCable<D>, T> : Body<AncfCable<D>, T> {
  using Element = AncfCable<D>;
  Made() : Body<Element, T>([](double l, const auto& s, const auto&) { return Element::parameters(l, s, 0, 1e-5); }) {}
};

template <class T>
void count(benchmark::State& state) {
  state.counters["ns/element"] = benchmark::Counter(1e-9 * elements * ScalarTraits<T>::lanes * double(state.iterations()),
                                                    benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

template <class Element, class T>
void elastic_force(benchmark::State& state) {
  Made<Element, T> b;
  for (auto _ : state) {
    for (int k = 0; k < elements; ++k) Element::elastic_force(b.p[k], &b.e[k * Element::vectors], &b.f[k * Element::vectors]);
    benchmark::ClobberMemory();
  }
  count<T>(state);
}
template <class Element, class T>
void damped_force(benchmark::State& state) {
  Made<Element, T> b;
  for (auto _ : state) {
    for (int k = 0; k < elements; ++k)
      Element::force(b.p[k], &b.e[k * Element::vectors], &b.v[k * Element::vectors], &b.f[k * Element::vectors]);
    benchmark::ClobberMemory();
  }
  count<T>(state);
}
template <class Element, class T>
void inertia(benchmark::State& state) {
  Made<Element, T> b;
  for (auto _ : state) {
    for (int k = 0; k < elements; ++k) Element::add_inertia(b.p[k], &b.v[k * Element::vectors], &b.f[k * Element::vectors]);
    benchmark::ClobberMemory();
  }
  count<T>(state);
}
template <class Element, class T>
void tangent(benchmark::State& state) {
  Made<Element, T> b;
  for (auto _ : state) {
    for (int k = 0; k < elements; ++k)
      Element::tangent(b.p[k], &b.e[k * Element::vectors], &b.v[k * Element::vectors], T(1e-9), T(1e-9), b.K.data());
    benchmark::ClobberMemory();
  }
  count<T>(state);
}

template <class Element, class T>
void elastic_tangent(benchmark::State& state) {
  Made<Element, T> b;
  for (auto _ : state) {
    for (int k = 0; k < elements; ++k) Element::elastic_tangent(b.p[k], &b.e[k * Element::vectors], T(1e-9), b.K.data());
    benchmark::ClobberMemory();
  }
  count<T>(state);
}

// --- other ways to the planar force --------------------------------------------------------------------------------------

// 5 × 3 points, λ and G of each point along x.
template <class T>
struct Quadrature {
  T length, material[5][2];  // λ, G, times weights
};
constexpr double across_y[3] = {-0.0038729833462074170, 0, 0.0038729833462074170},
                 across_weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};

template <class T>
void force_by_quadrature(const Quadrature<T>& p, const Vec<T, 2>* e, Vec<T, 2>* f) {
  const T inverse = T(1) / p.length;
  for (int k = 0; k < 6; ++k) f[k] = Vec<T, 2>::zero();
  for (int g = 0; g < 5; ++g) {
    const double xi = ancf::gauss_xi[g], bump = 6 * xi * (1 - xi);
    const T s[4] = {T(-bump) * inverse, T(ancf::slope_first(xi)), T(bump) * inverse, T(ancf::slope_second(xi))};
    const Vec<T, 2> slope = s[0] * e[0] + s[1] * e[1] + s[2] * e[3] + s[3] * e[4];
    const Vec<T, 2> turn = inverse * (e[5] - e[2]), ry = e[2] + T(xi) * (e[5] - e[2]);
    for (int j = 0; j < 3; ++j) {
      const T y(across_y[j]), lambda = T(across_weight[j]) * p.material[g][0], G = T(across_weight[j]) * p.material[g][1];
      const Vec<T, 2> rx = slope + y * turn;
      const T xx = T(0.5) * (dot(rx, rx) - T(1)), yy = T(0.5) * (dot(ry, ry) - T(1));
      const T trace = lambda * (xx + yy), sxx = trace + T(2) * G * xx, syy = trace + T(2) * G * yy, sxy = G * dot(rx, ry);
      const Vec<T, 2> px = sxx * rx + sxy * ry, py = sxy * rx + syy * ry;
      f[0] += s[0] * px;
      f[1] += s[1] * px;
      f[3] += s[2] * px;
      f[4] += s[3] * px;
      f[2] += T(1 - xi) * py - (y * inverse) * px;
      f[5] += T(xi) * py + (y * inverse) * px;
    }
  }
}

// f_k = Σ_m (K1 + K2)_km e_m,  K2_km = Σ_ab I_kmab (e_a·e_b): 21 pairs ab, 21 entries km.
template <class T>
struct Invariants {
  T first[21], second[21][21];
};
template <class T>
void force_by_invariants(const Invariants<T>& p, const Vec<T, 2>* e, Vec<T, 2>* f) {
  T product[21];
  for (int a = 0, n = 0; a < 6; ++a)
    for (int b = a; b < 6; ++b) product[n++] = dot(e[a], e[b]);
  for (int k = 0; k < 6; ++k) f[k] = Vec<T, 2>::zero();
  for (int k = 0, n = 0; k < 6; ++k)
    for (int m = k; m < 6; ++m, ++n) {
      T K = p.first[n];
      for (int i = 0; i < 21; ++i) K += p.second[n][i] * product[i];
      f[k] += K * e[m];
      if (m != k) f[m] += K * e[k];
    }
}

template <class P, class T>
void other_force(benchmark::State& state, void (*force)(const P&, const Vec<T, 2>*, Vec<T, 2>*)) {
  Made<PlanarBeam, T> b;
  std::vector<P> p(elements);
  for (P& x : p)  // the time does not depend on the numbers
    for (unsigned i = 0; i < sizeof(P) / sizeof(T); ++i) reinterpret_cast<T*>(&x)[i] = T(1.0 + 1e-3 * i);
  for (auto _ : state) {
    for (int k = 0; k < elements; ++k) force(p[k], &b.e[k * PlanarBeam::vectors], &b.f[k * PlanarBeam::vectors]);
    benchmark::ClobberMemory();
  }
  count<T>(state);
}
template <class T>
void quadrature_5_by_3(benchmark::State& state) {
  other_force<Quadrature<T>, T>(state, force_by_quadrature<T>);
}
template <class T>
void invariants(benchmark::State& state) {
  other_force<Invariants<T>, T>(state, force_by_invariants<T>);
}

using Cable2 = AncfCable<2>;
using Cable3 = AncfCable<3>;

BENCHMARK(elastic_force<PlanarBeam, double>);
BENCHMARK(quadrature_5_by_3<double>);
BENCHMARK(invariants<double>);
BENCHMARK(damped_force<PlanarBeam, double>);
BENCHMARK(inertia<PlanarBeam, double>);
BENCHMARK(tangent<PlanarBeam, double>);
BENCHMARK(elastic_tangent<PlanarBeam, double>);
BENCHMARK(elastic_force<SpatialBeam, double>);
BENCHMARK(tangent<SpatialBeam, double>);
BENCHMARK(elastic_tangent<SpatialBeam, double>);
BENCHMARK(elastic_force<Cable2, double>);
BENCHMARK(elastic_force<Cable3, double>);
BENCHMARK(tangent<Cable3, double>);

}  // namespace
}  // namespace aleator::core
