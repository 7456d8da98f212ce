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
  static Outcome rows(const Model& model, long count, const std::string& device, int threads = 2) {
    const RandomModel random(model);
    Outcome out;
    EnsembleOptions options{.threads = threads, .device = device, .wait_for_device = true};
    options.on_note = [&](const std::string& text) { out.notes.push_back(text); };
    const Ensemble ensemble(model, random, {count, 0}, 3);
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
      ASSERT_EQ(a.rows[k].values, b.rows[k].values) << "realization " << k;  // bitwise
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

// Every example with its own settings: what a device cannot do is left to the processor, and said.
TEST_F(Devices, leave_to_the_processor_what_they_cannot_do) {
  const Model turns = shortened("andrews", "runge-kutta", 8);  // measured angles
  const Outcome there = rows(turns, 40, "gpu");
  EXPECT_EQ(there.device.rows, 0);
  EXPECT_EQ(there.notes,
            std::vector<std::string>{"the study runs on the processor: the model is not for GPUs: it computes atan2 of "
                                     "numbers that differ between realizations"});
  expect_same(rows(turns, 40, "cpu"), there);

  Model adapted = shortened("five-body", "dormand-prince", 8);
  adapted.settings.step_tolerance = 1e-4;
  EXPECT_EQ(rows(adapted, 40, "gpu").notes,
            std::vector<std::string>{
                "the study runs on the processor: the model is not for GPUs: its steps are adapted to their error"});

  const Model pulse = shortened("pulse", "runge-kutta", 8);  // realizations have functions of time of their own
  const Outcome own = rows(pulse, 40, "gpu");
  EXPECT_EQ(own.device.rows, 0);
  expect_same(rows(pulse, 40, "cpu"), own);
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
