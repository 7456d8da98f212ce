// Every joint: are its Jacobian, its velocity level and its acceleration level the derivatives of its residual?
// Reference: dual numbers, which differentiate the residual alone, to round-off. States are random: nothing is assembled, so
// that terms that vanish on the constraints cannot hide.
#include "contract/workbench.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr double round_off = 1e-12;  // some hundred operations on numbers of size 1 … 10

template <class F>
void for_every_joint(F&& check) {
  std::vector<Entry> entries = joint_entries();
  for (const Entry& e : planar_entries()) entries.push_back(e);
  for (const Entry& e : flexible_entries())
    if (!e.joint.empty()) entries.push_back(e);
  for (const Entry& entry : entries) {
    SCOPED_TRACE(entry.label);
    const Model model = entry.model();
    for (int seed = 1; seed <= entry.seeds(3); ++seed) check(model, random_state(model, seed));
  }
}

TEST(Constraints, jacobian_is_the_derivative_of_the_residual) {
  for_every_joint([](const Model& model, const State<double>& s) {
    Bench<double> bench(model);
    Bench<Dual> dual(model);
    evaluate(bench.assembly, s);
    const Eigen::MatrixXd G = dense_jacobian(bench.assembly);
    Eigen::MatrixXd expected = G;
    for (const int direction : directions_of(model)) {
      evaluate(dual.assembly, moved(model, s, direction));
      for (int r = 0; r < G.rows(); ++r) expected(r, direction) = dual.assembly.evaluation().residual[r].d;
    }
    EXPECT_LT(relative_difference(G, expected), round_off) << "G\n" << G << "\nexpected\n" << expected;
  });
}

// d/dt g = G v + drift
TEST(Constraints, velocity_level_is_the_rate_of_the_residual) {
  for_every_joint([](const Model& model, const State<double>& s) {
    Bench<double> bench(model);
    Bench<Dual> dual(model);
    let_time_run(dual.realization);
    evaluate(bench.assembly, s);
    evaluate(dual.assembly, in_time(model, s));
    std::vector<double> rate(model.structure.rows);
    bench.assembly.velocity_residual(rate.data());
    for (int r = 0; r < model.structure.rows; ++r)
      EXPECT_NEAR(rate[r], dual.assembly.evaluation().residual[r].d, 10 * round_off) << "row " << r;
  });
}

// d/dt (G v + drift) = G v̇ + bias
TEST(Constraints, acceleration_level_is_the_rate_of_the_velocity_level) {
  for_every_joint([](const Model& model, const State<double>& s) {
    Bench<double> bench(model);
    Bench<Dual> dual(model);
    let_time_run(dual.realization);
    evaluate(bench.assembly, s);
    evaluate(dual.assembly, in_time(model, s));
    const int rows = model.structure.rows;
    std::vector<Dual> rate(rows);
    dual.assembly.velocity_residual(rate.data());
    const int carriers = bench.assembly.carriers().count;
    Eigen::VectorXd acceleration(6 * carriers);  // inertial axes: α = R Ω̇
    for (int b = 0; b < carriers; ++b) {
      const double* a = &s.accelerations[6 * b];
      const Vec3<double> turning = bench.assembly.frames()[b].R * Vec3<double>{a[3], a[4], a[5]};
      for (int i = 0; i < 3; ++i) acceleration[6 * b + i] = a[i], acceleration[6 * b + 3 + i] = turning[i];
    }
    const Eigen::VectorXd expected = dense_jacobian(bench.assembly) * acceleration;
    // second derivatives of fitted functions of time: 1e-8 is promised, and all of these are entire functions
    for (int r = 0; r < rows; ++r)
      EXPECT_NEAR(expected[r] + bench.assembly.evaluation().bias[r], rate[r].d, 1e-10) << "row " << r;
  });
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
