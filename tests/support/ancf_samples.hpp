// Elements of absolute nodal coordinates to test with: random material, straight or curved reference, deformed and moving.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <random>

#include "elements/ancf_beam.hpp"
#include "elements/ancf_cable.hpp"

namespace aleator::core::test {

// The elements under one name: how each is made, with its stations and reference configuration.
template <class Beam, ancf::Elasticity elasticity>
struct BeamCase {
  using Element = Beam;
  static constexpr bool is_beam = true;
  static auto parameters(double length, const ancf::Station (&s)[ancf::points],
                         const Vec<double, Beam::dimension> (&reference)[Beam::vectors], double alpha, double tau) {
    return Beam::parameters(elasticity, length, s, reference, alpha, tau);
  }
};
template <int D>
struct CableCase {
  using Element = AncfCable<D>;
  static constexpr bool is_beam = false;
  static auto parameters(double length, const ancf::Station (&s)[ancf::points], const Vec<double, D> (&)[4], double alpha,
                         double tau) {
    return Element::parameters(length, s, alpha, tau);
  }
};
using PlanarContinuum = BeamCase<PlanarBeam, ancf::Elasticity::continuum>;
using PlanarEnhanced = BeamCase<PlanarBeam, ancf::Elasticity::enhanced>;
using SpatialContinuum = BeamCase<SpatialBeam, ancf::Elasticity::continuum>;
using SpatialEnhanced = BeamCase<SpatialBeam, ancf::Elasticity::enhanced>;

// Vectors of an element as one column and back; all scalars.
template <class T, int D>
T& entry(Vec<T, D>* e, int k) {
  return e[k / D][k % D];
}
template <class Element>
struct Coordinates {
  Vec<double, Element::dimension> e[Element::vectors];

  Coordinates() {
    for (auto& x : e) x = Vec<double, Element::dimension>::zero();
  }
  explicit Coordinates(const Eigen::VectorXd& x) {
    for (int k = 0; k < Element::size; ++k) entry(e, k) = x[k];
  }
  Eigen::VectorXd column() const {
    Eigen::VectorXd r(Element::size);
    for (int k = 0; k < Element::size; ++k) r[k] = e[k / Element::dimension][k % Element::dimension];
    return r;
  }
};

template <class Element, class T>
typename Element::template Parameters<T> converted(const typename Element::template Parameters<double>& p) {
  typename Element::template Parameters<T> r;
  static_assert(sizeof r == Element::parameter_count * sizeof(T));
  for (int k = 0; k < Element::parameter_count; ++k) reinterpret_cast<T*>(&r)[k] = reinterpret_cast<const double*>(&p)[k];
  return r;
}

// A turn of the plane or of space by the given angles.
template <int D>
Eigen::Matrix<double, D, D> turned(double a, double b, double c) {
  if constexpr (D == 2) {
    return Eigen::Rotation2Dd(a).toRotationMatrix();
  } else {
    using Eigen::AngleAxisd, Eigen::Vector3d;
    return (AngleAxisd(a, Vector3d::UnitZ()) * AngleAxisd(b, Vector3d::UnitY()) * AngleAxisd(c, Vector3d::UnitX()))
        .toRotationMatrix();
  }
}

struct SampleOptions {
  bool curved = false, same_material = false;
  double mass_damping = 0, stiffness_damping = 0;
};

template <class Case>
struct Sample {
  using Element = typename Case::Element;
  static constexpr int D = Element::dimension;
  static constexpr double length = 1.3, density = 2.2;

  std::mt19937 generator;
  ancf::Station stations[ancf::points];
  Coordinates<Element> reference, e, v;
  typename Element::template Parameters<double> p;

  double normal() { return std::normal_distribution<double>()(generator); }

  Sample(int seed, const SampleOptions& o) : generator(seed) {
    // Orders of magnitude around one, so that no term hides behind another.
    for (ancf::Station& s : stations) {
      const double change = o.same_material ? 0 : 0.1;
      s = {rectangle_section(0.5 * (1 + change * normal()), 0.4 * (1 + change * normal())), 9 * (1 + change * normal()),
           0.3 * (1 + change * normal()), density * (1 + change * normal())};
    }
    reference = placed(turned<D>(0.3, -0.4, 0.7), o.curved ? turned<D>(0.5, 0.3, -0.4) : turned<D>(0, 0, 0));
    p = Case::parameters(length, stations, reference.e, o.mass_damping, o.stiffness_damping);
    e = reference;
    for (int k = 0; k < Element::size; ++k) {
      entry(e.e, k) += 0.15 * normal();
      entry(v.e, k) = normal();
    }
  }

  // Node 1 anywhere with frame A, node 2 with frame A B, about the length apart; frames hold r_x and the directors.
  Coordinates<Element> placed(const Eigen::Matrix<double, D, D>& A, const Eigen::Matrix<double, D, D>& B) {
    Coordinates<Element> r;
    const Eigen::Matrix<double, D, D> frame[2] = {A, A * B};
    Eigen::Matrix<double, D, 1> at = Eigen::Matrix<double, D, 1>::Constant(0.4);
    for (int node = 0; node < 2; ++node) {
      for (int i = 0; i < D; ++i) r.e[node * Element::node_vectors][i] = at[i];
      for (int k = 1; k < Element::node_vectors; ++k)
        for (int i = 0; i < D; ++i) r.e[node * Element::node_vectors + k][i] = frame[node](i, k - 1);
      at += 0.5 * length * (frame[0].col(0) + frame[1].col(0));
    }
    return r;
  }
};

// Every vector turned; positions moved as well, by the same shift along all axes.
template <class Element, int D = Element::dimension>
Coordinates<Element> moved(const Coordinates<Element>& c, const Eigen::Matrix<double, D, D>& R, double shift) {
  Coordinates<Element> r;
  for (int k = 0; k < Element::vectors; ++k)
    for (int i = 0; i < D; ++i) {
      r.e[k][i] = k % Element::node_vectors == 0 ? shift : 0;
      for (int j = 0; j < D; ++j) r.e[k][i] += R(i, j) * c.e[k][j];
    }
  return r;
}

}  // namespace aleator::core::test
