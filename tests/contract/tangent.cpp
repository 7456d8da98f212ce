// Every joint, force and law: is the matrix of Assembly::tangent the derivative of the residual r = M v̇ + k − f + Gᵀλ?
// Reference: dual numbers through the residual, at random states, with random accelerations and multipliers. Turns are about
// inertial axes; angular velocities and accelerations keep their components in body axes when the body is turned.
#include "contract/workbench.hpp"
#include "support/linear_algebra.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr double round_off = 1e-12;  // against the largest entry of the matrix

// Derivative of the residual in all directions, by the given change of the state.
Eigen::MatrixXd derivative(const Model& model, const State<double>& s,
                           State<Dual> (*change)(const Model&, const State<double>&, int)) {
  Bench<Dual> dual(model);
  const std::vector<int> directions = directions_of(model);
  const int n = int(directions.size());
  Eigen::MatrixXd D(n, n);
  std::vector<Dual> r(6 * model.topology.carriers.size());
  for (int j = 0; j < n; ++j) {
    const State<Dual> d = change(model, s, directions[j]);
    evaluate(dual.assembly, d);
    dual.assembly.residual(d.accelerations.data(), d.lambda.data(), r.data());
    for (int i = 0; i < n; ++i) D(i, j) = r[directions[i]].d;
  }
  return D;
}

Eigen::MatrixXd tangent(const Model& model, const State<double>& s, double cM, double cC, double cK) {
  Bench<double> bench(model);
  evaluate(bench.assembly, s);
  bench.assembly.tangent(cM, cC, cK, s.accelerations.data(), s.lambda.data(), nullptr);
  return dense_matrix(bench.assembly);
}

template <class F>
void for_every_element(F&& check) {
  for (const Entry& entry : mechanical_entries()) {
    SCOPED_TRACE(entry.label);
    const Model model = entry.model();
    for (int seed = 1; seed <= entry.seeds(4); ++seed) check(model, random_state(model, seed));
  }
}

TEST(Tangent, by_accelerations) {
  for_every_element([](const Model& model, const State<double>& s) {
    const Eigen::MatrixXd expected = derivative(model, s, accelerated);
    const int n = int(expected.rows());
    EXPECT_LT(relative_difference(tangent(model, s, 1, 0, 0).topLeftCorner(n, n), expected), round_off);
  });
}

TEST(Tangent, by_velocities) {
  for_every_element([](const Model& model, const State<double>& s) {
    const Eigen::MatrixXd expected = derivative(model, s, faster);
    const int n = int(expected.rows());
    EXPECT_LT(relative_difference(tangent(model, s, 0, 1, 0).topLeftCorner(n, n), expected), round_off);
  });
}

TEST(Tangent, by_positions) {
  for_every_element([](const Model& model, const State<double>& s) {
    const Eigen::MatrixXd expected = derivative(model, s, moved);
    const int n = int(expected.rows());
    EXPECT_LT(relative_difference(tangent(model, s, 0, 0, 1).topLeftCorner(n, n), expected), round_off);
  });
}

// The three weights act together, and G and Gᵀ are the borders.
TEST(Tangent, weights_and_borders) {
  for_every_element([](const Model& model, const State<double>& s) {
    const Eigen::MatrixXd all = tangent(model, s, 0.7, 0.2, 0.03);
    const Eigen::MatrixXd sum =
        0.7 * tangent(model, s, 1, 0, 0) + 0.2 * tangent(model, s, 0, 1, 0) + 0.03 * tangent(model, s, 0, 0, 1);
    const int n = model.structure.dofs, rows = model.structure.rows;
    EXPECT_LT(relative_difference(all.topLeftCorner(n, n), sum.topLeftCorner(n, n)), round_off);
    Bench<double> bench(model);
    evaluate(bench.assembly, s);
    const Eigen::MatrixXd G = dense_jacobian(bench.assembly);
    for (const int direction : directions_of(model))
      for (int r = 0; r < rows; ++r) {
        EXPECT_EQ(all(n + r, model.structure.dof[direction]), G(r, direction));
        EXPECT_EQ(all(model.structure.dof[direction], n + r), G(r, direction));
      }
  });
}

// Within a step, q = q₀ ∘ exp(Δ) while v and v̇ change by cC/cK and cM/cK times the change of Δ. A turn δφ of the body then
// comes from δΔ = T(Δ)⁻¹ Rᵀ δφ. Exact for the inertia; forces that depend on velocities leave T⁻¹ = I + O(h) out, which costs
// Newton's iteration nothing that can be noticed. Hence bodies alone here.
TEST(Tangent, within_a_step) {
  Entry bare;
  const Model model = bare.model();
  const double cM = 0.7, cC = 0.2, cK = 0.03;
  const State<double> s = random_state(model, 5);
  const std::vector<double> increments = {0.1, 0.2, 0.3, 0.5, -0.4, 0.3, 0, 0, 0, -0.2, 0.9, 0.1, 0, 0, 0, 1e-3, 2e-3, -1e-3};
  Bench<double> bench(model);
  evaluate(bench.assembly, s);
  bench.assembly.tangent(cM, cC, cK, s.accelerations.data(), s.lambda.data(), increments.data());
  const int n = model.structure.dofs;

  Bench<Dual> dual(model);
  Eigen::MatrixXd expected(n, n);
  for (int j = 0; j < n; ++j) {
    const int b = j / 6;
    // δΔ = T⁻¹ δθ by solving T(Δ) δΔ = δθ with T from its definition: the body-fixed turn exp(−Δ) ∘ exp(Δ + δΔ)
    const Vec3<double> D = {increments[6 * b + 3], increments[6 * b + 4], increments[6 * b + 5]};
    Eigen::Matrix3d T;
    for (int k = 0; k < 3; ++k) {
      Vec3<Dual> changed = {D.x, D.y, D.z};
      changed[k].d = 1;
      const Quaternion<Dual> turn = exponential(Vec3<Dual>{-D.x, -D.y, -D.z}) * exponential(changed);
      for (int i = 0; i < 3; ++i) T(i, k) = 2 * turn.v[i].d;
    }
    State<Dual> d = moved(model, s, j);
    Eigen::Vector3d delta = Eigen::Vector3d::Zero();
    if (j % 6 >= 3) {
      const Vec3<double> theta = rotation_matrix(RigidBody::orientation(&s.positions[7 * b]))[j % 6 - 3];
      delta = solve_dense(T, Eigen::Vector3d(theta.x, theta.y, theta.z));
    }
    for (int k = 0; k < 3; ++k) {
      const double move = j % 6 == k ? 1 : 0;
      d.velocities[6 * b + k].d = cC / cK * move, d.velocities[6 * b + 3 + k].d = cC / cK * delta[k];
      d.accelerations[6 * b + k].d = cM / cK * move, d.accelerations[6 * b + 3 + k].d = cM / cK * delta[k];
    }
    evaluate(dual.assembly, d);
    std::vector<Dual> r(n);
    dual.assembly.residual(d.accelerations.data(), d.lambda.data(), r.data());
    for (int i = 0; i < n; ++i) expected(i, j) = cK * r[i].d;
  }
  EXPECT_LT(relative_difference(dense_matrix(bench.assembly).topLeftCorner(n, n), expected), round_off);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
