// The slider-crank with a flexible link (Wu et al. 2017) by radau: how large may the step be? Errors are relative, in the mean over the run
// (Σ|x − x_ref| / Σ|x_ref|), against a tenth of the step. Generalized-alpha needs h = 5e-5 (strong spring) and 1e-5 (weak) for the same forces.
#include "support/run.hpp"

#include <gtest/gtest.h>

#include "dynamics/radau.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

double mean_error(const Result& r, const Result& reference, const std::string& name) {
  const auto x = r.channel(name), y = reference.channel(name);
  double off = 0, size = 0;
  for (size_t k = 0; k < x.size(); ++k) off += std::abs(x[k] - y[k]), size += std::abs(y[k]);
  return off / size;
}

struct Case {
  const char* file;
  double step, fx, fy, displacement;
};

TEST(RadauBeams, forces_of_the_slider_crank) {
  // Measured: 0.28 % and 0.32 %; 0.34 % and 0.46 %. Displacements: 3e-6 and 7e-7.
  for (const Case& c : {Case{"examples/slider-crank.yaml", 1e-3, 3.0e-3, 3.4e-3, 5e-6},
                        Case{"examples/slider-crank-long-low.yaml", 5e-4, 3.6e-3, 4.8e-3, 2e-6}}) {
    const Model model = model_of_file(c.file);
    const Result coarse = run(model, {.integrator = "radau", .step = c.step, .tolerance = 1e-5}),
                 fine = run(model, {.integrator = "radau", .step = c.step / 10, .tolerance = 1e-7});
    EXPECT_LT(mean_error(coarse, fine, "fx"), c.fx) << c.file;
    EXPECT_LT(mean_error(coarse, fine, "fy"), c.fy) << c.file;
    EXPECT_LT(mean_error(coarse, fine, "qx"), c.displacement) << c.file;
    EXPECT_LT(mean_error(coarse, fine, "qy"), c.displacement) << c.file;
  }
}

// Matrices that turn with the nodes last for 20 steps and more: the iteration contracts by 1e-2.
TEST(RadauBeams, matrices_are_kept) {
  const Model model = model_of_file("examples/slider-crank.yaml");
  const Realization<double> r = make_realization<double>(model, std::span(&model.nominal, 1));
  Assembly<double> a(model, r);
  State<double> s = assemble(a);
  Radau radau(a, 1e-5);
  constexpr int steps = 1000;
  radau.begin(s, 1e-3);
  for (int k = 1; k <= steps; ++k) EXPECT_FALSE(radau.step(s, 1e-3 * k));
  EXPECT_LT(radau.iterations(), 2.5 * steps);  // measured: 2.3
  EXPECT_LT(radau.renewals(), 1.2 * steps / 20);
}

// The independent integration of tests/published/slider_crank_flexible_slow.cpp, at t = 0.8 s.
TEST(RadauBeams, values_of_the_independent_integration) {
  const Result high = run(model_of_file("examples/slider-crank.yaml"), {.integrator = "radau", .step = 1e-4});
  EXPECT_NEAR(high.at("qx", 0.8), -0.16914161, 1e-8);
  EXPECT_NEAR(high.at("qy", 0.8), -0.06347892, 1e-8);
  EXPECT_NEAR(high.at("fx", 0.8), -41.20, 0.5);  // 0.5 N of the force lies above 4 kHz
  EXPECT_NEAR(high.at("fy", 0.8), -11.98, 0.5);
  const Result low = run(model_of_file("examples/slider-crank-long-low.yaml"), {.integrator = "radau", .step = 1e-4});
  EXPECT_NEAR(low.at("qx", 0.8), -0.16913792, 1e-8);
  EXPECT_NEAR(low.at("qy", 0.8), -0.06340960, 1e-8);
  EXPECT_NEAR(low.at("fx", 0.8), -83.5, 0.5);
  EXPECT_NEAR(low.at("fy", 0.8), -27.5, 0.5);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
