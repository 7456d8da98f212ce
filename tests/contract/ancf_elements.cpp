// Every element of absolute nodal coordinates: force = gradient of the energy, tangent = derivative of the force, lanes = scalars, rigid
// motions strain nothing, damping dissipates, mass is that of the material. Straight and curved, with material that varies.
#include <gtest/gtest.h>

#include <vector>

#include "numerics/dense.hpp"
#include "support/ancf_samples.hpp"
#include "support/gauss.hpp"
#include "support/in_lanes.hpp"
#include "support/same_numbers.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// Sums of a few hundred products of numbers around one, against the largest entry.
constexpr double round_off = 1e-13;

double relative(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
  return (a - b).cwiseAbs().maxCoeff() / b.cwiseAbs().maxCoeff();
}

template <class Case>
struct AncfElement : testing::Test {
  using E = typename Case::Element;

  static Eigen::VectorXd force(const Sample<Case>& s, const Coordinates<E>& e, const Coordinates<E>& v) {
    Coordinates<E> f;
    E::force(s.p, e.e, v.e, f.e);
    return f.column();
  }
  static Eigen::VectorXd elastic_force(const Sample<Case>& s, const Coordinates<E>& e) {
    Coordinates<E> f;
    E::elastic_force(s.p, e.e, f.e);
    return f.column();
  }
  static Eigen::MatrixXd mass(const Sample<Case>& s) {
    std::vector<double> K(E::size * E::size, 0.0);
    E::add_mass(s.p, 1.0, K.data());
    return Eigen::Map<Eigen::MatrixXd>(K.data(), E::size, E::size).transpose();
  }
  template <class F>
  static void for_samples(const SampleOptions& o, F&& check) {
    for (int seed = 1; seed <= 4; ++seed) {
      SampleOptions varied = o;
      varied.curved = seed % 2 == 0;
      Sample<Case> s(seed, varied);
      check(s);
    }
  }
};

using Cases = testing::Types<PlanarContinuum, PlanarEnhanced, SpatialContinuum, SpatialEnhanced, CableCase<2>, CableCase<3>>;
struct CaseNames {
  template <class Case>
  static std::string GetName(int k) {
    const char* names[] = {"planar_continuum", "planar_enhanced", "spatial_continuum", "spatial_enhanced", "cable_2", "cable_3"};
    return names[k];
  }
};
TYPED_TEST_SUITE(AncfElement, Cases, CaseNames);

TYPED_TEST(AncfElement, force_is_the_gradient_of_the_energy) {
  using Element = typename TypeParam::Element;
  this->for_samples({}, [&](auto& s) {
    const auto p = converted<Element, Dual>(s.p);
    Eigen::VectorXd gradient(Element::size);
    for (int k = 0; k < Element::size; ++k) {
      Vec<Dual, Element::dimension> e[Element::vectors];
      for (int i = 0; i < Element::size; ++i) entry(e, i) = Dual(entry(s.e.e, i), i == k ? 1 : 0);
      const Dual u = Element::energy(p, e);
      EXPECT_EQ(u.v, Element::energy(s.p, s.e.e));
      gradient[k] = u.d;
    }
    EXPECT_LT(relative(this->elastic_force(s, s.e), gradient), round_off);
    EXPECT_LT(relative(this->force(s, s.e, s.v), gradient), round_off);  // without damping the same
  });
}

TYPED_TEST(AncfElement, tangent_is_the_derivative_of_the_force) {
  using Element = typename TypeParam::Element;
  const double cK = 0.7, cC = 0.4;
  for (const double damping : {0.0, 0.3})
    this->for_samples({.mass_damping = damping, .stiffness_damping = 0.5 * damping}, [&](auto& s) {
      const auto p = converted<Element, Dual>(s.p);
      Eigen::MatrixXd expected(Element::size, Element::size), K(Element::size, Element::size);
      for (int k = 0; k < Element::size; ++k) {
        Vec<Dual, Element::dimension> e[Element::vectors], v[Element::vectors], f[Element::vectors];
        for (int i = 0; i < Element::size; ++i) {
          entry(e, i) = Dual(entry(s.e.e, i), i == k ? cK : 0);
          entry(v, i) = Dual(entry(s.v.e, i), i == k ? cC : 0);
        }
        Element::force(p, e, v, f);
        for (int i = 0; i < Element::size; ++i) expected(i, k) = entry(f, i).d;
      }
      std::vector<double> rows(Element::size * Element::size, 1.0);
      Element::tangent(s.p, s.e.e, s.v.e, cK, cC, rows.data());
      for (int i = 0; i < Element::size; ++i)
        for (int k = 0; k < Element::size; ++k) K(i, k) = rows[i * Element::size + k] - 1;  // it adds to what is there
      EXPECT_LT(relative(K, expected), 10 * round_off);                                     // the cable divides by |c'|⁴
    });
}

// It is also the derivative without damping, and that one is symmetric.
TYPED_TEST(AncfElement, elastic_tangent_is_the_tangent_without_damping) {
  using Element = typename TypeParam::Element;
  constexpr int size = Element::size;
  this->for_samples({}, [&](auto& s) {
    std::vector<double> whole(size * size, 1.0), elastic(size * size, 1.0);
    Element::tangent(s.p, s.e.e, s.v.e, 0.7, 0.0, whole.data());
    Element::elastic_tangent(s.p, s.e.e, 0.7, elastic.data());
    const Eigen::Map<const Eigen::MatrixXd> K(elastic.data(), size, size), expected(whole.data(), size, size);
    EXPECT_LT(relative(K, expected), 10 * round_off);
    EXPECT_LT(relative(K, K.transpose()), 10 * round_off);
  });
}

// Everything an element computes, in lanes with different elements, is what each gives alone: bitwise but for the sign of zero.
template <class Element, class T>
std::vector<T> everything(const typename Element::template Parameters<T>& p, const Vec<T, Element::dimension>* e,
                          const Vec<T, Element::dimension>* v) {
  constexpr int size = Element::size;
  Vec<T, Element::dimension> f[Element::vectors], elastic[Element::vectors];
  std::vector<T> K(size * size, T(0)), out;
  Element::force(p, e, v, f);
  Element::elastic_force(p, e, elastic);
  Element::tangent(p, e, v, T(0.7), T(0.3), K.data());
  Element::elastic_tangent(p, e, T(0.7), K.data());
  for (int k = 0; k < size; ++k) out.push_back(entry(f, k)), out.push_back(entry(elastic, k));
  out.insert(out.end(), K.begin(), K.end());
  out.push_back(Element::energy(p, e));
  out.push_back(Element::kinetic_energy(p, v));
  const auto resultants = Element::resultants(p, e, v, 0.3);
  for (int i = 0; i < Element::dimension; ++i) out.push_back(resultants.force[i]);
  for (int i = 0; i < Element::turns; ++i) out.push_back(resultants.moment[i]);
  return out;
}

TYPED_TEST(AncfElement, lanes_are_scalars) {
  using Element = typename TypeParam::Element;
  constexpr int size = Element::size, parameters = Element::parameter_count;
  const SampleOptions options{.curved = true, .mass_damping = 0.2, .stiffness_damping = 0.1};
  for (const Isa isa : available_isas()) {
    InLanes run(isa, parameters + 2 * size, [&](const Traced* in, std::vector<Traced>& out) {
      typename Element::template Parameters<Traced> p;
      Vec<Traced, Element::dimension> e[Element::vectors], v[Element::vectors];
      std::copy_n(in, parameters, reinterpret_cast<Traced*>(&p));
      for (int k = 0; k < size; ++k) entry(e, k) = in[parameters + k], entry(v, k) = in[parameters + size + k];
      out = everything<Element, Traced>(p, e, v);
    });
    std::vector<Sample<TypeParam>> samples;
    for (int lane = 0; lane < run.width(); ++lane) {
      auto& s = samples.emplace_back(lane, options);
      for (int k = 0; k < parameters; ++k) run.in(k, lane) = reinterpret_cast<const double*>(&s.p)[k];
      for (int k = 0; k < size; ++k)
        run.in(parameters + k, lane) = entry(s.e.e, k), run.in(parameters + size + k, lane) = entry(s.v.e, k);
    }
    run();
    for (int lane = 0; lane < run.width(); ++lane) {
      const std::vector<double> alone = everything<Element, double>(samples[lane].p, samples[lane].e.e, samples[lane].v.e);
      ASSERT_EQ(int(alone.size()), run.outputs());
      int different = 0;
      for (int i = 0; i < run.outputs(); ++i) different += !same_but_for_zeros(alone[i], run.out(i, lane));
      EXPECT_EQ(different, 0) << name(isa) << ", lane " << lane;
    }
  }
}

// Velocities of a rigid motion of e: ω × every vector, and a velocity for the positions.
template <class Element>
Coordinates<Element> rigid_velocity(const Coordinates<Element>& e) {
  constexpr int D = Element::dimension;
  Eigen::Matrix<double, D, D> spin = turned<D>(0.7, 0.4, -0.6);
  spin = (spin - spin.transpose()).eval();
  return moved<Element>(e, spin, 0.8);
}

TYPED_TEST(AncfElement, rigid_motion_strains_nothing) {
  using Element = typename TypeParam::Element;
  constexpr int D = Element::dimension;
  this->for_samples({.stiffness_damping = 0.4}, [&](auto& s) {
    if (!TypeParam::is_beam)
      s.reference = s.placed(turned<D>(0.3, -0.4, 0.7), turned<D>(0, 0, 0));  // a cable is naturally straight
    const auto R = turned<D>(2.1, 0.8, -1.4);
    const auto e = moved<Element>(s.reference, R, 3);
    const double scale = this->force(s, s.e, s.v).cwiseAbs().maxCoeff();
    EXPECT_LT(this->force(s, e, rigid_velocity(e)).cwiseAbs().maxCoeff(), round_off * scale);
    EXPECT_LT(Element::energy(s.p, e.e), round_off * Element::energy(s.p, s.e.e));

    // and of a deformed element: the force turns with it, the Kelvin–Voigt stress does not see the turning
    const auto turned_e = moved<Element>(s.e, R, 3);
    auto turned_v = moved<Element>(s.v, R, 0);
    const auto with = rigid_velocity(turned_e);
    for (int k = 0; k < Element::vectors; ++k) turned_v.e[k] += with.e[k];
    const Coordinates<Element> f(this->force(s, s.e, s.v));
    const Eigen::VectorXd expected = moved<Element>(f, R, 0).column();
    EXPECT_LT(relative(this->force(s, turned_e, turned_v), expected), 10 * round_off);
  });
}

TYPED_TEST(AncfElement, damping_dissipates) {
  this->for_samples({.stiffness_damping = 0.4}, [&](auto& s) {
    const Eigen::VectorXd rest = this->elastic_force(s, s.e), moving = this->force(s, s.e, s.v);
    EXPECT_GT(s.v.column().dot(moving - rest), 0);
  });
  this->for_samples({.mass_damping = 0.4}, [&](auto& s) {  // α M v
    const Eigen::VectorXd drag = this->force(s, s.e, s.v) - this->elastic_force(s, s.e);
    EXPECT_LT(relative(drag, 0.4 * this->mass(s) * s.v.column()), 100 * round_off);  // difference of forces ten times as large
  });
}

TYPED_TEST(AncfElement, mass_is_that_of_the_material) {
  using Element = typename TypeParam::Element;
  constexpr int D = Element::dimension;
  this->for_samples({}, [&](auto& s) {
    const Eigen::MatrixXd M = this->mass(s);
    EXPECT_LT((M - M.transpose()).cwiseAbs().maxCoeff(), 1e-300);
    EXPECT_GT(dense::symmetric_eigenvalues(M)[0], 0);
    Coordinates<Element> momentum;
    Element::add_inertia(s.p, s.v.e, momentum.e);
    EXPECT_LT(relative(momentum.column(), M * s.v.column()), round_off);
    EXPECT_NEAR(Element::kinetic_energy(s.p, s.v.e), 0.5 * s.v.column().dot(M * s.v.column()), round_off * M.norm());
    double mass = 0, moment = 0;  // ∫ρA dx
    for (int g = 0; g < ancf::points; ++g)
      mass += ancf::gauss_weight[g] * s.length * s.stations[g].density * s.stations[g].section.area;
    for (int node = 0; node < 2; ++node) moment += s.p.mass_moment[node * Element::node_vectors];
    EXPECT_NEAR(moment, mass, round_off * mass);
    for (int k = 0; k < Element::vectors; ++k) {  // all of the beam accelerated along x
      double along = 0;
      for (int node = 0; node < 2; ++node) along += M(D * k, D * node * Element::node_vectors);
      EXPECT_NEAR(along, s.p.mass_moment[k], round_off * mass);
    }
  });
}

// ∫ρ SᵀS dV and ∫ρ S dV with more points than the element has, for a homogeneous element.
TYPED_TEST(AncfElement, mass_is_the_integral_over_the_body) {
  using Element = typename TypeParam::Element;
  constexpr int D = Element::dimension;
  Sample<TypeParam> s(1, {.same_material = true});
  const double h = 0.5, b = 0.4;
  Eigen::MatrixXd M = Eigen::MatrixXd::Zero(Element::vectors, Element::vectors);
  Eigen::VectorXd moment = Eigen::VectorXd::Zero(Element::vectors);
  for (const GaussPoint& x : gauss_points(8, 0, 1))
    for (const GaussPoint& y : gauss_points(4, -h / 2, h / 2))
      for (const GaussPoint& z : gauss_points(4, -b / 2, b / 2)) {
        double w[Element::vectors];
        if constexpr (TypeParam::is_beam) {
          Element::position_weights(s.length, x.x, y.x, D == 3 ? z.x : 0, w);
        } else {
          Element::position_weights(s.length, x.x, w);
        }
        const Eigen::Map<Eigen::VectorXd> S(w, Element::vectors);
        const double dm = s.density * s.length * x.weight * y.weight * z.weight;
        M += dm * S * S.transpose();
        moment += dm * S;
      }
  const Eigen::MatrixXd ours = this->mass(s);
  for (int k = 0; k < Element::vectors; ++k) {
    EXPECT_NEAR(s.p.mass_moment[k], moment[k], round_off);
    for (int m = 0; m < Element::vectors; ++m)
      for (int i = 0; i < D; ++i)
        for (int j = 0; j < D; ++j) EXPECT_NEAR(ours(D * k + i, D * m + j), i == j ? M(k, m) : 0, round_off);
  }
}

// Weights of positions, slopes and directors: derivatives and ends.
TYPED_TEST(AncfElement, weights_are_those_of_the_shape) {
  using Element = typename TypeParam::Element;
  const double length = 1.7;
  const auto position = [&](auto xi, auto y, auto z, auto& w) {
    using T = std::remove_reference_t<decltype(w[0])>;
    if constexpr (TypeParam::is_beam) {
      Element::position_weights(T(length), xi, y, z, w);
    } else {
      Element::position_weights(T(length), xi, w);
    }
  };
  for (const double xi : {0.0, 0.2, 0.7, 1.0}) {
    double slope[Element::vectors], director[Element::vectors];
    Dual w[Element::vectors];
    position(Dual(xi, 1 / length), Dual(0.0), Dual(0.0), w);
    Element::slope_weights(length, xi, slope);
    for (int k = 0; k < Element::vectors; ++k) EXPECT_NEAR(slope[k], w[k].d, round_off);
    if constexpr (TypeParam::is_beam)
      for (int i = 0; i < Element::dimension - 1; ++i) {
        position(Dual(xi), Dual(0.3, i == 0), Dual(-0.2, i == 1), w);
        Element::director_weights(xi, i, director);
        for (int k = 0; k < Element::vectors; ++k) EXPECT_NEAR(director[k], w[k].d, round_off);
      }
  }
  for (int node = 0; node < 2; ++node) {
    double w[Element::vectors];
    position(double(node), 0.0, 0.0, w);
    for (int k = 0; k < Element::vectors; ++k) EXPECT_EQ(w[k], k == node * Element::node_vectors ? 1 : 0);
  }
}

// The reference has no strain anywhere, not only at the Gauss points.
TYPED_TEST(AncfElement, strains_are_relative_to_the_reference) {
  using Element = typename TypeParam::Element;
  if constexpr (TypeParam::is_beam)
    this->for_samples({}, [&](auto& s) {
      for (const double xi : {0.0, 0.1, 0.55, 1.0}) {
        const auto z = Element::strains(s.p, s.reference.e, xi);
        EXPECT_NEAR(z.axial, 0, round_off);
        EXPECT_NEAR(z.twist, 0, round_off);
        for (int i = 0; i < Element::dimension - 1; ++i) {
          EXPECT_NEAR(z.bending[i], 0, round_off);
          EXPECT_NEAR(z.shear[i], 0, round_off);
          EXPECT_NEAR(z.thickness[i], 0, round_off);
        }
      }
    });
}

// A homogeneous stretch: no force on slopes, opposite forces on the ends, equal to the resultant.
TYPED_TEST(AncfElement, homogeneous_stretch_is_balanced) {
  using Element = typename TypeParam::Element;
  constexpr int D = Element::dimension, nodes = Element::node_vectors;
  Sample<TypeParam> s(1, {.same_material = true});
  s.reference = s.placed(turned<D>(0, 0, 0), turned<D>(0, 0, 0));
  s.p = TypeParam::parameters(s.length, s.stations, s.reference.e, 0, 0);
  auto e = s.reference;
  for (auto& x : e.e) x[0] *= 1.1;
  const Coordinates<Element> f(this->elastic_force(s, e)), still;
  for (int i = 0; i < D; ++i) {
    EXPECT_NEAR(f.e[0][i], -f.e[nodes][i], 10 * round_off);
    EXPECT_NEAR(f.e[1][i], 0, 10 * round_off);
    EXPECT_NEAR(f.e[nodes + 1][i], 0, 10 * round_off);
  }
  for (const double xi : {0.0, 0.4, 1.0}) {
    const auto r = Element::resultants(s.p, e.e, still.e, xi);
    for (int i = 0; i < D; ++i) EXPECT_NEAR(r.force[i], f.e[nodes][i], 10 * round_off);
    for (int i = 0; i < Element::turns; ++i) EXPECT_NEAR(r.moment[i], 0, 10 * round_off);
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
