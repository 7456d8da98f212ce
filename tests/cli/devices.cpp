// run --device as a user meets it, with a driver of our own in place of NVIDIA's.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "program.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const char* const oscillator =
    "title: Oscillator\nparameters: {k: 100, m: 1}\n"
    "bodies:\n  a: {shape: {sphere: {radius: 0.1}}, mass: m, velocity: [1, 0, 0]}\n"
    "joints:\n  guide: {prismatic: [ground, a], axis: x, spring: {stiffness: k}}\n"
    "outputs:\n  x: {position: a, component: x}\n"
    "simulation: {duration: 0.1, step: 1e-2, output_step: 0.02, integrator: runge-kutta}\n"
    "uncertain:\n  a: {mass: {cov: 0.1}}\n"
    "study: {samples: 20000, seed: 5}\n";

Outcome run(const Folder& folder, const std::string& device, const std::string& out) {
  return aleator_after(
      [&] {
        setenv("LD_LIBRARY_PATH", folder.path().c_str(), 1);
        setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
      },
      {"run", "osc.yaml", "--device", device, "--profile", "--no-report", "--out", out}, folder.path());
}

TEST(DeviceOption, same_results_and_the_name_of_the_device) {
  const Folder folder;
  folder.write("osc.yaml", oscillator);
  std::filesystem::create_symlink(ALEATOR_FAKE_DRIVER, folder / "libcuda.so.1");
  const Outcome gpu = run(folder, "gpu", "there"), cpu = run(folder, "cpu", "here");
  EXPECT_EQ(gpu.code, 0) << gpu.err;
  EXPECT_EQ(gpu.err, "");
  EXPECT_EQ(cpu.code, 0) << cpu.err;
  EXPECT_EQ(cpu.out.find("a device of tests"), std::string::npos);
  for (const char* what : {"statistics", "samples"})
    EXPECT_EQ(aleator({"export", "there/results.h5", what}, folder.path()).out,
              aleator({"export", "here/results.h5", what}, folder.path()).out);
  if (gpu.out.find("a device of tests") == std::string::npos)
    GTEST_SKIP() << "the processor was done before the kernel was there";
  EXPECT_NE(gpu.out.find("computed on a device of tests (1 GB, driver 12.4), kernel compiled in "), std::string::npos) << gpu.out;
}

TEST(DeviceOption, without_a_device_the_processor_does_it) {
  const Folder folder;
  folder.write("osc.yaml", oscillator);
  folder.write("libcuda.so.1", "this is no library");
  const Outcome gpu = run(folder, "gpu", "out");
  EXPECT_EQ(gpu.code, 0);
  EXPECT_TRUE(
      gpu.err.starts_with("osc.yaml: note: the study runs on the processor: there is no driver of NVIDIA on this machine"))
      << gpu.err;
  const Outcome automatic = run(folder, "auto", "again");
  EXPECT_EQ(automatic.code, 0);
  EXPECT_EQ(automatic.err, "");
}

TEST(DeviceOption, names_are_checked) {
  const Folder folder;
  folder.write("osc.yaml", oscillator);
  const Outcome o = run(folder, "tpu", "out");
  EXPECT_EQ(o.code, 2);
  EXPECT_NE(o.err.find("expects cpu, gpu, gpu:N or auto"), std::string::npos) << o.err;
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
