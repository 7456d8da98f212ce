// Realizations computed on a device are those of lanes, to the last bit. The driver is the one of tests (fake_gpu/driver.cpp): kernels are parsed, checked and
// run by a machine of our own, and everything around them is what a study does with a GPU.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/gpu_driver.hpp"
#include "ensemble/ensemble.hpp"
#include "support/model_text.hpp"
#include "support/run.hpp"
#include "support/sanitized.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

class Devices : public ::testing::Test {
 protected:
  Devices() {
    use_gpu_driver(ALEATOR_FAKE_DRIVER);
    setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
    unsetenv("ALEATOR_FAKE_GPU");
  }
  ~Devices() override {
    unsetenv("ALEATOR_FAKE_GPU");
    use_gpu_driver("libcuda.so.1");
  }
  struct Outcome {
    std::vector<SimulatedRow> rows;
    std::vector<std::string> notes;
    DeviceReport device;
  };
  static Outcome rows(const Model& model, long count, const std::string& device, int threads = 2,
                      EnsembleProfile* profile = nullptr, bool fast_math = false, int rank = 0) {
    return rows(model, Plan{count, 0}, device, threads, profile, fast_math, rank);
  }
  static Outcome rows(const Model& model, const Plan& plan, const std::string& device, int threads = 2,
                      EnsembleProfile* profile = nullptr, bool fast_math = false, int rank = 0) {
    const RandomModel random(model);
    Outcome out;
    EnsembleOptions options{.threads = threads,
                            .profile = profile,
                            .device = device,
                            .fast_math = fast_math,
                            .rank_here = rank,
                            .wait_for_device = true};
    options.on_note = [&](const std::string& text) { out.notes.push_back(text); };
    const Ensemble ensemble(model, random, plan, 3);
    ensemble.run(options, [&](SimulatedRow&& r) { out.rows.push_back(std::move(r)); });
    out.device = ensemble.device();
    return out;
  }
  static void expect_same(const Outcome& a, const Outcome& b) {
    ASSERT_EQ(a.rows.size(), b.rows.size());
    for (size_t k = 0; k < a.rows.size(); ++k) {
      EXPECT_EQ(a.rows[k].row, long(k));
      EXPECT_EQ(a.rows[k].ok, b.rows[k].ok);
      EXPECT_EQ(a.rows[k].tried_alone, b.rows[k].tried_alone);
      ASSERT_EQ(a.rows[k].sample, b.rows[k].sample) << "realization " << k;  // bitwise …
      ASSERT_EQ(a.rows[k].values, b.rows[k].values) << "realization " << k;  // … likewise
    }
  }
  TemporaryFolder folder_;
};

// Kernels are interpreted, which sanitizers make slow: they see one model of each kind.
#if defined(ALEATOR_ADDRESS_SANITIZER)
constexpr bool brief = true;
#else
constexpr bool brief = false;
#endif

// A mass on a spring, shaken with an amplitude and pushed by a force that differ between realizations.
const char* const driven =
    "parameters: {size: 1, push: 1}\n"
    "bodies:\n  a: {shape: {sphere: {radius: 0.1}}, mass: 1, at: [0, 0, 0]}\n"
    "joints:\n  guide: {prismatic: [ground, a], axis: x, spring: {stiffness: 200}, damper: 1}\n"
    "forces:\n  shake: {force: a, at: [0, 0, 0], value: [\"size * sin(9 * t) + push * t^2\", 0, 0]}\n"
    "outputs:\n  x: {position: a, component: x}\n"
    "simulation: {duration: 1, step: 0.02, output_step: 0.1, integrator: runge-kutta}\n"
    "uncertain:\n  size: {normal: {std: 0.1}}\n  push: {normal: {std: 0.2}}\n"
    "study: {samples: 40}\n";

// A short piece of an example, with few steps.
Model shortened(const std::string& file, const std::string& integrator, int steps) {
  Model m = model_of_file("examples/" + file + ".yaml");
  m.settings.integrator = integrator;
  m.settings.step_tolerance = 0;
  if (!(m.settings.step > 0)) m.settings.step = m.settings.duration / 2000;
  m.settings.duration = std::min(m.settings.duration, steps * m.settings.step);
  m.settings.output_step = std::min(m.settings.output_step, m.settings.duration / 4);
  return m;
}

// 75 rows: two packs and a part of one.
TEST_F(Devices, have_the_bits_of_lanes_for_explicit_methods) {
  for (const char* file : {"five-body", "quarter-car", "pendulum", "slider-crank-rigid", "top"})
    for (const char* integrator : {"runge-kutta", "dormand-prince", "adams-bashforth"}) {
      SCOPED_TRACE(std::string(file) + ", " + integrator);
      if (brief && std::string(file) != "quarter-car") continue;
      const Model m = shortened(file, integrator, 24);
      const Outcome here = rows(m, 75, "cpu"), there = rows(m, 75, "gpu");
      EXPECT_EQ(there.notes, std::vector<std::string>{});
      EXPECT_EQ(there.device.rows, 75);
      expect_same(here, there);
    }
}

// Random bodies: masses, centres of mass in boxes, inertia tensors by rejection.
TEST_F(Devices, draw_realizations_themselves) {
  for (const char* file : {"five-body", "five-body-mass", "five-body-center-of-mass", "five-body-inertia", "leg"}) {
    SCOPED_TRACE(file);
    if (brief && std::string(file) != "five-body") continue;
    const Model m = shortened(file, "runge-kutta", 2);
    for (const int groups : {0, int(RandomModel(m).groups().size())}) {  // and rows for Sobol indices
      const Plan plan{groups > 0 ? 20 : 75, groups};
      const Outcome here = rows(m, plan, "cpu"), there = rows(m, plan, "gpu");
      EXPECT_EQ(there.notes, std::vector<std::string>{});
      EXPECT_EQ(there.device.rows, plan.rows());
      EXPECT_EQ(there.device.drawn, plan.rows());
      expect_same(here, there);
    }
  }
}

// A plate so thin that lanes cannot tell whether its tensors are those of bodies: full builds say so, and lanes go on from there.
TEST_F(Devices, leave_doubtful_bodies_to_full_builds) {
  const Model m = model_from(R"(gravity: [0, 0, -9.81]
bodies:
  a: {shape: {box: [1, 1, 5e-5]}, mass: 2, at: [0, 0, 0], angular_velocity: [1, 2, 3]}
uncertain:
  a: {mass: {cov: 0.2}, inertia: {lambda_l: -5, lambda_u: -5, z_max: bounding-box}}
outputs:
  w: {angular_velocity: a}
simulation: {duration: 0.02, step: 1e-2, integrator: runge-kutta}
)");
  const Outcome here = rows(m, 40, "cpu"), there = rows(m, 40, "gpu");
  EXPECT_EQ(there.device.drawn, 40);
  for (const SimulatedRow& r : there.rows) EXPECT_TRUE(r.ok && r.tried_alone == 0);
  expect_same(here, there);
}

// A design places the numbers: the host draws.
TEST_F(Devices, take_realizations_of_a_design) {
  const Model m = shortened("five-body", "runge-kutta", 2);
  const RandomModel random(m);
  const Plan plan = make_plan({.name = "latin-hypercube", .samples = 70, .seed = 3}, random);
  const Outcome here = rows(m, plan, "cpu"), there = rows(m, plan, "gpu");
  EXPECT_EQ(there.device.rows, 70);
  EXPECT_EQ(there.device.drawn, 0);
  expect_same(here, there);
}

// Iterations, new factors and failures are decided lane by lane there as here.
TEST_F(Devices, have_the_bits_of_lanes_for_newton_methods) {
  for (const auto& [file, integrator] :
       {std::pair("five-body", "generalized-alpha"), std::pair("slider-crank-rigid", "generalized-alpha"),
        std::pair("quarter-car", "generalized-alpha"), std::pair("quarter-car", "radau"), std::pair("slider-crank", "radau"),
        std::pair("slider-crank", "generalized-alpha")}) {
    SCOPED_TRACE(std::string(file) + ", " + integrator);
    const bool large = std::string(file) == "slider-crank";
    if (brief && std::string(file) != "quarter-car") continue;
    const Model m = shortened(file, integrator, large ? 4 : 60);
    const Outcome here = rows(m, 40, "cpu"), there = rows(m, 40, "gpu");
    EXPECT_EQ(there.notes, std::vector<std::string>{});
    EXPECT_EQ(there.device.rows, 40);
    expect_same(here, there);
  }
}

// With a loose tolerance factors are kept for long, and renewed where second corrections were needed.
TEST_F(Devices, renew_factors_as_lanes_do) {
  Model m = shortened("slider-crank-rigid", "generalized-alpha", 70);
  m.settings.tolerance = 1e-4;
  EnsembleProfile profile;
  const Outcome here = rows(m, 40, "cpu", 1, &profile), there = rows(m, 40, "gpu");
  EXPECT_GT(profile.lanes.factorisations, profile.lanes.packs);  // not only at the start
  EXPECT_EQ(there.notes, std::vector<std::string>{});
  EXPECT_EQ(there.device.rows, 40);
  expect_same(here, there);
}

// Measured angles, friction, hysteresis: their functions are arithmetic.
TEST_F(Devices, have_the_bits_of_lanes_where_angles_are_measured) {
  for (const auto& [file, integrator] : {std::pair("andrews", "runge-kutta"), std::pair("leg", "dormand-prince"),
                                         std::pair("base-isolation", "runge-kutta"), std::pair("base-isolation", "radau")}) {
    SCOPED_TRACE(std::string(file) + ", " + integrator);
    if (brief && std::string(file) != "base-isolation") continue;
    const Model m = shortened(file, integrator, 6);
    const Outcome here = rows(m, 40, "cpu"), there = rows(m, 40, "gpu");
    EXPECT_EQ(there.notes, std::vector<std::string>{});
    EXPECT_EQ(there.device.rows, 40);
    expect_same(here, there);
  }
}

// Each realization has steps of its own, which end together where outputs are due.
TEST_F(Devices, adapt_steps_as_lanes_do) {
  for (const auto& [file, integrator, tolerance] :
       {std::tuple("five-body", "dormand-prince", 1e-9), std::tuple("andrews", "dormand-prince", 1e-11),
        std::tuple("slider-crank-rigid", "dormand-prince", 1e-12), std::tuple("five-body", "radau", 1e-8),
        std::tuple("pendulum", "radau", 1e-11)}) {
    SCOPED_TRACE(std::string(file) + ", " + integrator);
    if (brief && std::string(file) != "pendulum") continue;
    Model m = shortened(file, integrator, 24);
    m.settings.step *= 8;
    m.settings.step_tolerance = tolerance;
    EnsembleProfile profile;
    const Outcome here = rows(m, 40, "cpu", 1, &profile), there = rows(m, 40, "gpu");
    EXPECT_GT(profile.lanes.reduced, 0);
    EXPECT_EQ(there.notes, std::vector<std::string>{});
    EXPECT_EQ(there.device.rows, 40);
    expect_same(here, there);
  }
}

// Coefficients that differ come with the realization; pieces that do leave it to the processor.
TEST_F(Devices, take_functions_of_time_of_a_realization) {
  for (const char* integrator : {"runge-kutta", "generalized-alpha", "radau", "dormand-prince"})
    for (const double tolerance : {0.0, 1e-7}) {
      if (tolerance > 0 && integrator != std::string("radau") && integrator != std::string("dormand-prince")) continue;
      if (brief && tolerance == 0) continue;
      SCOPED_TRACE(std::string(integrator) + ", " + std::to_string(tolerance));
      Model m = model_from(driven);
      m.settings.integrator = integrator, m.settings.step_tolerance = tolerance;
      const Outcome here = rows(m, 40, "cpu"), there = rows(m, 40, "gpu");
      EXPECT_EQ(there.notes, std::vector<std::string>{});
      EXPECT_EQ(there.device.rows, 40);
      expect_same(here, there);
    }
  const Model pulse = shortened("pulse", "runge-kutta", 8);  // its breakpoints are uncertain
  const Outcome own = rows(pulse, 40, "gpu");
  EXPECT_LE(own.device.rows, 1);  // the one whose pieces were taken as a pattern
  EXPECT_EQ(own.notes,
            std::vector<std::string>{
                "realizations whose functions of time have breakpoints or pieces of their own are computed by the processor"});
  expect_same(rows(pulse, 40, "cpu"), own);
}

// Not the bits of lanes, but nearly; nothing else is different.
TEST_F(Devices, divide_faster_when_asked) {
  for (const auto& [file, integrator] :
       {std::pair("five-body", "dormand-prince"), std::pair("slider-crank-rigid", "generalized-alpha")}) {
    SCOPED_TRACE(std::string(file) + ", " + integrator);
    const Model m = shortened(file, integrator, 24);
    const Outcome here = rows(m, 40, "cpu"), there = rows(m, 40, "gpu", 2, nullptr, true);
    EXPECT_TRUE(there.device.fast_math);
    EXPECT_EQ(there.device.rows, 40);
    bool differs = false;
    double largest = 0, error = 0;
    for (size_t k = 0; k < here.rows.size(); ++k)
      for (size_t i = 0; i < here.rows[k].values.size(); ++i) {
        const double a = here.rows[k].values[i], b = there.rows[k].values.at(i);
        differs = differs || a != b;
        largest = std::max(largest, std::abs(a)), error = std::max(error, std::abs(a - b));
      }
    EXPECT_TRUE(differs);
    EXPECT_LT(error, 1e-9 * largest);  // quotients to 2⁻⁵², and a condition of at most 10⁵
  }
}

TEST_F(Devices, that_fail_cost_nothing_but_a_note) {
  const Model m = shortened("quarter-car", "dormand-prince", 8);
  const Outcome here = rows(m, 200, "cpu");
  const auto note = [&](const char* mood, const std::string& device = "gpu", int threads = 2) {
    setenv("ALEATOR_FAKE_GPU", mood, 1);
    const Outcome there = rows(m, 200, device, threads);
    expect_same(here, there);
    return there.notes.empty() ? std::string() : there.notes[0];
  };
  EXPECT_EQ(note("none"), "the study runs on the processor: there is no GPU of NVIDIA in this machine");
  EXPECT_EQ(note("none", "auto"), "");
  EXPECT_EQ(note("old"), "the study runs on the processor: the driver is too old: it has CUDA 10.2, and 11.0 is needed");
  EXPECT_EQ(note("compile"), "the study runs on the processor: the kernel does not compile: a PTX JIT compilation failed (218)");
  EXPECT_EQ(note("load"),
            "the study runs on the processor: the kernel does not load: no kernel image is available for execution on the device "
            "(209)");
  EXPECT_NE(note("memory").find("MB of the GPU's memory: out of memory (2)"), std::string::npos);
  EXPECT_EQ(note("lost=0"), "the study goes on with the processor: copying from the GPU: unknown error (999)");
  EXPECT_EQ(note("", "gpu:3"), "the study runs on the processor: there is no gpu:3: this machine has one, gpu:0");
  use_gpu_driver("libnothing.so.1");
  EXPECT_NE(note("").find("there is no driver of NVIDIA on this machine"), std::string::npos);
}

// A device that computes something else is found out before anybody has a number of it.
TEST_F(Devices, are_compared_with_the_processor_first) {
  const Model m = shortened("five-body", "runge-kutta", 2);
  const Outcome here = rows(m, 200, "cpu");
  const auto note = [&](const std::string& mood, bool fast_math = false) {
    setenv("ALEATOR_FAKE_GPU", mood.c_str(), 1);
    const Outcome there = rows(m, 200, "gpu", 2, nullptr, fast_math);
    if (!there.notes.empty()) {
      EXPECT_EQ(there.device.rows, 0) << mood;
      expect_same(here, there);
    }
    return there.notes.empty() ? std::string() : there.notes[0];
  };
  EXPECT_EQ(note(""), "");
  // Of realization 7 the first output after the start, then the first random number: before that come failures, energies and whether it fits.
  const std::string differs = "the study goes on with the processor: the GPU does not compute what the processor does: ";
  EXPECT_EQ(note("wrong=" + std::to_string(2 * 32 + 7)).rfind(differs + "accel_z of realization 7 is ", 0), 0u);
  EXPECT_EQ(note("wrong=" + std::to_string(4 * 32 + 7)), differs + "it draws other random numbers for realization 7");
  // Bits may be others if they need not be the same, but not by much.
  EXPECT_EQ(note("wrong=" + std::to_string(2 * 32 + 7), true), "");
  EXPECT_EQ(note("far=" + std::to_string(2 * 32 + 7), true).rfind(differs + "accel_z of realization 7 is ", 0), 0u);
}

// Processes on one machine.
TEST_F(Devices, are_taken_in_turn) {
  const Model m = shortened("quarter-car", "dormand-prince", 8);
  setenv("ALEATOR_FAKE_GPU", "two", 1);
  const Outcome here = rows(m, 40, "cpu");
  for (int rank = 0; rank < 4; ++rank) {
    const Outcome there = rows(m, 40, "gpu", 2, nullptr, false, rank);
    EXPECT_EQ(there.device.name, rank % 2 == 0 ? "a device of tests" : "another device of tests");
    expect_same(here, there);
  }
}

// In the middle: what was finished there stays, the rest is computed here.
TEST_F(Devices, may_be_lost_in_mid_run) {
  const Model m = shortened("quarter-car", "dormand-prince", 8);
  setenv("ALEATOR_FAKE_GPU", "lost=2", 1);
  const Outcome there = rows(m, 1200, "gpu");
  EXPECT_GT(there.device.rows, 0);
  EXPECT_LT(there.device.rows, 1200);
  EXPECT_EQ(there.notes.size(), 1u);
  expect_same(rows(m, 1200, "cpu"), there);
}

TEST_F(Devices, keep_kernels_and_compile_again_what_is_damaged) {
  const Model m = shortened("quarter-car", "dormand-prince", 8);
  const auto was_kept = [&] { return rows(m, 40, "gpu").device.was_kept; };
  EXPECT_FALSE(was_kept());
  EXPECT_TRUE(was_kept());
  std::string kernel;
  for (const std::string& file : folder_.files())
    if (file.ends_with(".cubin")) kernel = file;
  ASSERT_FALSE(kernel.empty());
  const std::string path = kernel[0] == '/' ? kernel : folder_ / kernel;
  for (const long at : {5L, 400L, -3L}) {  // in its title, in the code, in the sum
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    at < 0 ? file.seekp(at, std::ios::end) : file.seekp(at);
    file.put('~');
    file.close();
    EXPECT_FALSE(was_kept()) << at;
    EXPECT_TRUE(was_kept());
  }
  std::filesystem::resize_file(path, 100);
  EXPECT_FALSE(was_kept());
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
