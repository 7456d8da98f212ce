// With a GPU, where there is one: ctest -L gpu, or test_gpu alone, with the repository in ALEATOR_SOURCE. Elsewhere these tests are skipped; equivalence/devices.cpp does the same with a driver of our own.
#include <gtest/gtest.h>
#include <aleator/aleator.hpp>

#include <cstdlib>

#include "base/gpu_driver.hpp"
#include "ensemble/ensemble.hpp"
#include "support/places.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

class Gpu : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      const GpuDevice device(0);
    } catch (const GpuError& e) {
      GTEST_SKIP() << e.what();
    }
  }
  static std::vector<SimulatedRow> rows(const Model& m, const std::string& device, long count, int threads) {
    const RandomModel random(m);
    std::vector<SimulatedRow> out;
    const Ensemble ensemble(m, random, {count, 0}, 3);
    EnsembleOptions options{.threads = threads, .device = device, .wait_for_device = true};
    options.on_note = [](const std::string& text) { ADD_FAILURE() << text; };
    ensemble.run(options, [&](SimulatedRow&& r) { out.push_back(std::move(r)); });
    EXPECT_EQ(ensemble.device().rows, device == "gpu" ? count : 0);
    return out;
  }
  static void expect_same(const std::vector<SimulatedRow>& a, const std::vector<SimulatedRow>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (size_t k = 0; k < a.size(); ++k) {
      EXPECT_EQ(a[k].row, long(k));
      EXPECT_EQ(a[k].ok, b[k].ok);
      ASSERT_EQ(a[k].values, b[k].values) << "realization " << k;  // bitwise
    }
  }
};

TEST_F(Gpu, has_the_bits_of_lanes) {
  for (const auto& [file, integrator, step, duration] :
       {std::tuple("five-body", "runge-kutta", 1e-4, 0.03), std::tuple("five-body", "dormand-prince", 6e-4, 0.03),
        std::tuple("five-body", "adams-bashforth", 1e-4, 0.03), std::tuple("five-body", "generalized-alpha", 1e-4, 0.01),
        std::tuple("slider-crank", "radau", 9.5e-4, 0.02), std::tuple("slider-crank", "generalized-alpha", 9.5e-5, 0.005)}) {
    SCOPED_TRACE(std::string(file) + ", " + integrator);
    Model m = model_of_file("examples/" + std::string(file) + ".yaml");
    m.settings.integrator = integrator, m.settings.step = step, m.settings.duration = duration;
    m.settings.output_step = std::min(m.settings.output_step, duration / 4);
    expect_same(rows(m, "cpu", 3000, 0), rows(m, "gpu", 3000, 0));
  }
}

// Steps of their own in each realization, measured angles, friction, hysteresis.
TEST_F(Gpu, has_the_bits_of_lanes_with_steps_that_are_adapted) {
  for (const auto& [file, integrator, step, duration, tolerance] :
       {std::tuple("benchmarks/models/andrews-random", "dormand-prince", 1e-4, 0.03, 1e-5),
        std::tuple("examples/five-body", "dormand-prince", 2e-3, 0.03, 1e-8),
        std::tuple("examples/slider-crank-rigid", "dormand-prince", 1e-2, 0.2, 1e-7),
        std::tuple("examples/quarter-car", "radau", 1e-2, 1.0, 1e-6),
        std::tuple("examples/slider-crank", "radau", 2e-3, 0.02, 1e-4)}) {
    SCOPED_TRACE(std::string(file) + ", " + integrator);
    Model m = model_of_file(std::string(file) + ".yaml");
    m.settings.integrator = integrator, m.settings.step = step, m.settings.duration = duration,
    m.settings.step_tolerance = tolerance;
    m.settings.output_step = std::max(m.settings.output_step, step);
    expect_same(rows(m, "cpu", 2000, 0), rows(m, "gpu", 2000, 0));
  }
}

TEST_F(Gpu, has_the_bits_of_lanes_for_functions_and_own_drives) {
  for (const auto& [file, integrator, step, duration] :
       {std::tuple("andrews", "runge-kutta", 1e-5, 0.01), std::tuple("leg", "dormand-prince", 1e-4, 0.01),
        std::tuple("base-isolation", "radau", 1e-2, 1.0), std::tuple("quarter-car-road", "dormand-prince", 1e-3, 1.0)}) {
    SCOPED_TRACE(std::string(file) + ", " + integrator);
    Model m = model_of_file("examples/" + std::string(file) + ".yaml");
    m.settings.integrator = integrator, m.settings.step = step, m.settings.duration = duration, m.settings.step_tolerance = 0;
    m.settings.output_step = std::min(m.settings.output_step, duration / 4);
    expect_same(rows(m, "cpu", 2000, 0), rows(m, "gpu", 2000, 0));
  }
}

// Drawn, simulated and added up there.
TEST_F(Gpu, has_the_statistics_of_the_processor) {
  const aleator::Model m = aleator::load_model(source_folder() + "/examples/five-body.yaml");
  aleator::Study study = aleator::study_of(m);
  study.samples = 100000, study.keep_all = false;
  aleator::RunOptions options;
  options.on_note = [](std::string_view text) { ADD_FAILURE() << text; };
  const aleator::StudyResult here = aleator::run_study(m, study, options);
  setenv("ALEATOR_WAIT_FOR_DEVICE", "1", 1);
  options.device = "gpu";
  const aleator::StudyResult there = aleator::run_study(m, study, options);
  unsetenv("ALEATOR_WAIT_FOR_DEVICE");
  for (size_t c = 0; c < here.statistics.size(); ++c) {
    EXPECT_EQ(here.statistics[c].mean, there.statistics[c].mean);  // bitwise
    EXPECT_EQ(here.statistics[c].std, there.statistics[c].std);
    EXPECT_EQ(here.statistics[c].lower, there.statistics[c].lower);
    EXPECT_EQ(here.statistics[c].upper, there.statistics[c].upper);
  }
  for (size_t i = 0; i < here.scalars.size(); ++i) EXPECT_EQ(here.scalars[i].upper.value, there.scalars[i].upper.value);
}

TEST_F(Gpu, is_the_same_on_any_number_of_threads) {
  const Model m = model_of_file("examples/five-body.yaml");
  expect_same(rows(m, "gpu", 20000, 1), rows(m, "gpu", 20000, 5));
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
