// The five-body mechanism of Batou & Soize with the numbers of examples/five-body.yaml. Expected: the table of known values
// of the case's data sheet, made by independent solvers that agree to about 1e-9 (docs: five rigid bodies on driven supports).
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "dynamics/ida.hpp"
#include "support/model_text.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const std::array<std::string, 4> channels = {"accel_z", "alpha_y", "point_z", "force"};

std::string model_text() {
  return with_outputs(replaced(example("five-body"), "step: 1e-4, output_step", "step: 2e-5, output_step"),
                      "  alpha_y: {angular_acceleration: rb5, component: y}\n"
                      "  point_z: {position: rb5, at: [0, 0, 0.55], component: z}\n"
                      "  force: {reaction: hinge35, component: z}\n");
}

struct Row {
  double t;
  std::array<double, 4> values;  // in the order of `channels`: m/s², rad/s², m, N
};
constexpr Row table[] = {{0.000, {-9.810000000, 0.000000000, 0.550000000000, 0.0000000}},
                         {0.001, {1.185792879, 19.090751218, 0.549995117411, 403.5528527}},
                         {0.003, {24.259421747, 57.383135640, 0.549993572606, 1233.7204232}},
                         {0.006, {44.713627276, 83.636191820, 0.550199278123, 1896.1153599}},
                         {0.009, {36.370480781, 52.902357439, 0.550800247462, 1434.1983552}},
                         {0.011, {39.644262971, 8.652020971, 0.551387277410, 1074.0842220}},
                         {0.014, {59.200085604, -86.097181758, 0.552572067064, 552.6330585}},
                         {0.016, {57.774453117, -119.608754950, 0.553646661392, 200.6536846}},
                         {0.020, {23.475754019, -112.366653528, 0.556433831639, -416.6352589}},
                         {0.025, {-22.483022857, -57.105186779, 0.560371758474, -803.9703072}},
                         {0.030, {-59.789461318, 20.083445414, 0.563765970470, -809.4830138}}};

// accel_z just before the kinks of the drives
constexpr std::array<double, 2> left_limits[] = {
    {0.001, -9.647540454}, {0.006, 55.546855802}, {0.011, 28.810429032}, {0.016, 68.608676037}};

// value(name, t) against the table, with a tolerance for each channel
template <class F>
void expect_table(F&& value, const std::array<double, 4>& tolerance) {
  for (const Row& row : table)
    for (size_t c = 0; c < channels.size(); ++c)
      EXPECT_NEAR(value(channels[c], row.t), row.values[c], tolerance[c]) << channels[c] << " at " << row.t;
}

// Half a unit of the table's last digit, plus what the integrator leaves.
constexpr std::array<double, 4> printed = {5e-10, 5e-10, 5e-13, 5e-8};
std::array<double, 4> printed_plus(const std::array<double, 4>& error) {
  std::array<double, 4> sum = printed;
  for (size_t i = 0; i < sum.size(); ++i) sum[i] += error[i];
  return sum;
}

// Order 4 at h = 2e-5; 1e-9 is what the regularisation of 1e-11 of the index-1 form makes of 60 m/s².
constexpr std::array<double, 4> runge_kutta_error = {1e-9, 1e-9, 0, 0};

TEST(FiveBody, runge_kutta) {
  const Result r = run(model_text(), {.integrator = "runge-kutta"});
  expect_table([&](const std::string& name, double t) { return r.at(name, t); }, printed_plus(runge_kutta_error));
}

// Order 2: at h = 2e-5 truncation leaves 7e-5 m/s², 3e-4 rad/s², 6e-9 m and 2e-3 N (observed; four times that at 4e-5).
TEST(FiveBody, generalized_alpha) {
  const Result r = run(model_text());
  expect_table([&](const std::string& name, double t) { return r.at(name, t); }, {1e-4, 4e-4, 1e-8, 3e-3});
}

// h = 4e-5 and 2e-5 extrapolated to h = 0. Positions have all digits. Accelerations are second differences of positions, whose
// round-off of 1e-16 m is 1e-16 / (β h²) ≈ 1e-6 m/s² at h = 2e-5, several times in a chain of joints.
TEST(FiveBody, generalized_alpha_extrapolated) {
  const Result coarse = run(model_text(), {.step = 4e-5}), fine = run(model_text(), {.step = 2e-5});
  const auto value = [&](const std::string& name, double t) {
    return fine.at(name, t) + (fine.at(name, t) - coarse.at(name, t)) / 3;
  };
  expect_table(value, printed_plus({3e-5, 4e-5, 5e-13, 6e-4}));
}

TEST(FiveBody, ida) {
  if (!have_ida()) GTEST_SKIP() << "built without SUNDIALS";
  const Result r = run(model_text(), {.integrator = "ida", .tolerance = 1e-12});
  expect_table([&](const std::string& name, double t) { return r.at(name, t); }, printed_plus({2e-9, 4e-9, 5e-13, 5e-8}));
}

// A run that ends at a kink has the limit from the left as its last value.
TEST(FiveBody, accelerations_before_the_kinks) {
  for (const auto& [t, expected] : left_limits) {
    const Model model = model_from(replaced(model_text(), "duration: 0.03", "duration: " + text(t)));
    EXPECT_NEAR(run(model, {.integrator = "runge-kutta"}).last("accel_z"), expected, printed[0] + runge_kutta_error[0]) << t;
    EXPECT_NEAR(run(model).last("accel_z"), expected, 1e-4) << t;  // truncation as above
  }
}

TEST(FiveBody, symmetry) {
  for (const char* integrator : {"generalized-alpha", "runge-kutta"})
    for (const double alpha_x : run(model_text(), {.integrator = integrator}).channel("alpha_x"))
      EXPECT_NEAR(alpha_x, 0, 1e-9);  // round-off
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
