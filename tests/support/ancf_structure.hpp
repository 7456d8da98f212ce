// A chain of elements of absolute nodal coordinates with fixed coordinates and loads, solved by a dense Newton iteration; its
// matrices of mass and stiffness. Small and plain: what the elements do, without the rest of the program.
#pragma once

#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "support/ancf_samples.hpp"
#include "support/linear_algebra.hpp"

namespace aleator::core::test {

template <class Case>
struct AncfChain {
  using Element = typename Case::Element;
  static constexpr int D = Element::dimension, node_size = D * Element::node_vectors;
  using Vector = Eigen::Matrix<double, D, 1>;
  using Frame = Eigen::Matrix<double, D, D>;  // columns: r_x, r_y (, r_z)

  std::vector<typename Element::template Parameters<double>> elements;
  Eigen::VectorXd e;          // coordinates, node after node
  std::vector<bool> is_free;  // coordinate by coordinate

  // Through n + 1 nodes, given by position and frame at s = 0 … 1, each element of length l/n.
  AncfChain(int n, double length, const ancf::Station& station, const std::function<void(double, Vector&, Frame&)>& node) {
    e.setZero((n + 1) * node_size);
    is_free.assign(e.size(), true);
    for (int k = 0; k <= n; ++k) {
      Vector r;
      Frame frame;
      node(double(k) / n, r, frame);
      e.segment<D>(k * node_size) = r;
      for (int v = 1; v < Element::node_vectors; ++v) e.segment<D>(k * node_size + D * v) = frame.col(v - 1);
    }
    ancf::Station stations[ancf::points];
    for (ancf::Station& s : stations) s = station;
    for (int k = 0; k < n; ++k) {
      const Coordinates<Element> reference(e.segment(k * node_size, Element::size));
      elements.push_back(Case::parameters(length / n, stations, reference.e, 0, 0));
    }
  }
  // Straight along the first axis.
  AncfChain(int n, double length, const ancf::Station& station)
      : AncfChain(n, length, station, [length](double s, Vector& r, Frame& frame) {
          r = s * length * Vector::Unit(0);
          frame.setIdentity();
        }) {}

  int nodes() const { return int(elements.size()) + 1; }
  int at(int node, int vector = 0, int component = 0) const { return node * node_size + D * vector + component; }
  Vector vector(int node, int v) const { return e.segment<D>(at(node, v)); }

  void fix(int node, int v) {
    for (int i = 0; i < D; ++i) is_free[at(node, v, i)] = false;
  }
  void clamp(int node) {  // the whole node
    for (int v = 0; v < Element::node_vectors; ++v) fix(node, v);
  }
  void clamp_section(int node) {  // position and directors: what a wall holds; the slope of the axis may shear
    for (int v = 0; v < Element::node_vectors; ++v)
      if (v != 1) fix(node, v);
  }
  void clamp_turn(int node) {  // position and direction of directors (of the slope of a cable) along the axes; lengths stay free
    fix(node, 0);
    for (int v = 1; v < Element::node_vectors; ++v)
      for (int i = 0; i < D; ++i)
        if (i != v - 1 && (v > 1 || !Case::is_beam)) is_free[at(node, v, i)] = false;
  }

  Eigen::VectorXd force() const {
    Eigen::VectorXd f = Eigen::VectorXd::Zero(e.size());
    for (int k = 0; k < nodes() - 1; ++k) {
      const Coordinates<Element> c(e.segment(k * node_size, Element::size));
      Coordinates<Element> part;
      Element::elastic_force(elements[k], c.e, part.e);
      f.segment(k * node_size, Element::size) += part.column();
    }
    return f;
  }

  Eigen::MatrixXd stiffness() const {
    return assembled([this](int k, const Coordinates<Element>& c, double* K) {
      const Coordinates<Element> still;
      Element::tangent(elements[k], c.e, still.e, 1.0, 0.0, K);
    });
  }
  Eigen::MatrixXd mass() const {
    return assembled([this](int k, const Coordinates<Element>&, double* K) { Element::add_mass(elements[k], 1.0, K); });
  }

  // Rows and columns of the free coordinates.
  std::vector<int> free() const {
    std::vector<int> r;
    for (int i = 0; i < int(is_free.size()); ++i)
      if (is_free[i]) r.push_back(i);
    return r;
  }

  // Circular frequencies of small vibrations about e, in increasing order.
  Eigen::VectorXd frequencies() const {
    const std::vector<int> f = free();
    const Eigen::MatrixXd K = stiffness()(f, f), M = mass()(f, f);
    return generalized_eigenvalues(0.5 * (K + K.transpose()), M).cwiseMax(0).cwiseSqrt();
  }

  // First order: e + K⁻¹ load.
  Eigen::VectorXd small_displacement(const Eigen::VectorXd& load) const {
    const std::vector<int> f = free();
    Eigen::VectorXd u = Eigen::VectorXd::Zero(e.size());
    const Eigen::VectorXd solution = solve_definite(stiffness()(f, f), load(f));
    u(f) = solution;
    return u;
  }

  // Equilibrium under load(factor), factor = 1/steps … 1; the load may follow the coordinates. Its derivative is by differences at
  // the last node, where all loads of these tests act.
  using Load = std::function<Eigen::VectorXd(double factor, const Eigen::VectorXd& e)>;
  void solve(const Load& load, int steps) {
    const std::vector<int> f = free();
    for (int step = 1; step <= steps; ++step) {
      const double factor = double(step) / steps;
      bool done = false;
      for (int iteration = 0; iteration < 60 && !done; ++iteration) {
        const Eigen::VectorXd P = load(factor, e), residual = force() - P;
        Eigen::MatrixXd K = stiffness();
        for (int i = int(e.size()) - node_size; i < int(e.size()); ++i) {
          const double d = 1e-6;
          Eigen::VectorXd plus = e, minus = e;
          plus[i] += d, minus[i] -= d;
          K.col(i) -= (load(factor, plus) - load(factor, minus)) / (2 * d);
        }
        const Eigen::VectorXd change = solve_dense(K(f, f), residual(f));
        e(f) -= change;
        done = change.norm() < 1e-10 * e.norm();  // Newton squares this
      }
      if (!done) throw std::runtime_error("no equilibrium");
    }
  }
  void solve(const Eigen::VectorXd& load, int steps) {
    solve([&](double factor, const Eigen::VectorXd&) -> Eigen::VectorXd { return factor * load; }, steps);
  }

  Eigen::VectorXd unit_load(int node, int v, int component) const {
    return Eigen::VectorXd::Unit(e.size(), at(node, v, component));
  }

 private:
  template <class Add>
  Eigen::MatrixXd assembled(const Add& add) const {
    Eigen::MatrixXd r = Eigen::MatrixXd::Zero(e.size(), e.size());
    for (int k = 0; k < nodes() - 1; ++k) {
      const Coordinates<Element> c(e.segment(k * node_size, Element::size));
      std::vector<double> K(Element::size * Element::size, 0.0);
      add(k, c, K.data());
      for (int i = 0; i < Element::size; ++i)
        for (int j = 0; j < Element::size; ++j) r(k * node_size + i, k * node_size + j) += K[i * Element::size + j];
    }
    return r;
  }
};

// Tip of an inextensible cantilever of length 1 and EI = 1 along x under a force P along y that keeps its direction:
// θ'' = −P cos θ, θ(0) = 0, θ'(1) = 0, by shooting with Runge–Kutta of order 4 (error below 1e-12).
struct ElasticaTip {
  double x, y, angle;
};
inline ElasticaTip elastica(double P) {
  const auto shoot = [P](double curvature, ElasticaTip& tip) {
    const int steps = 2000;
    const double h = 1.0 / steps;
    double s[4] = {0, curvature, 0, 0};  // θ, θ', x, y
    const auto rate = [P](const double* u, double* r) {
      r[0] = u[1], r[1] = -P * std::cos(u[0]), r[2] = std::cos(u[0]), r[3] = std::sin(u[0]);
    };
    for (int k = 0; k < steps; ++k) {
      double r[4][4], u[4];
      rate(s, r[0]);
      for (int stage = 1; stage < 4; ++stage) {
        for (int i = 0; i < 4; ++i) u[i] = s[i] + (stage == 3 ? h : h / 2) * r[stage - 1][i];
        rate(u, r[stage]);
      }
      for (int i = 0; i < 4; ++i) s[i] += h / 6 * (r[0][i] + 2 * r[1][i] + 2 * r[2][i] + r[3][i]);
    }
    tip = {s[2], s[3], s[0]};
    return s[1];
  };
  ElasticaTip tip{};
  double low = 0, high = std::sqrt(2 * P);  // θ'(0)² = 2 P sin θ(1)
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (shoot(middle, tip) > 0 ? high : low) = middle;
  }
  return tip;
}

}  // namespace aleator::core::test
