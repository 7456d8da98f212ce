// Every example with every integrator, a few steps of a few realizations: on a device of tests with the bits of lanes, or left to the processor for a
// reason that is known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/gpu_driver.hpp"
#include "ensemble/ensemble.hpp"
#include "support/places.hpp"
#include "support/run.hpp"
#include "support/sanitized.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

class DeviceExamples : public ::testing::TestWithParam<std::string> {};

std::vector<std::string> examples() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(source_folder() + "/examples"))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

// Kernels are interpreted: of large models, a step with the example's own integrator.
constexpr size_t large = 16;  // carriers

TEST_P(DeviceExamples, have_the_bits_of_lanes) {
#if defined(ALEATOR_ADDRESS_SANITIZER)
  GTEST_SKIP() << "kernels are interpreted: too slow";
#endif
  const TemporaryFolder folder;
  use_gpu_driver(ALEATOR_FAKE_DRIVER);
  setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
  const Model example = model_of_file("examples/" + GetParam() + ".yaml");
  const bool is_large = example.topology.carriers.size() > large;
  for (const auto& [integrator, tolerance] :
       {std::pair("runge-kutta", 0.0), std::pair("dormand-prince", 0.0), std::pair("adams-bashforth", 0.0),
        std::pair("generalized-alpha", 0.0), std::pair("radau", 0.0), std::pair("dormand-prince", 1e-6),
        std::pair("radau", 1e-6)}) {
    SCOPED_TRACE(std::string(integrator) + (tolerance > 0 ? ", adapted" : ""));
    if (is_large && integrator != std::string("generalized-alpha")) continue;
    Model m = example;
    m.settings.integrator = integrator, m.settings.step_tolerance = tolerance;
    if (!(m.settings.step > 0)) m.settings.step = m.settings.duration / 2000;
    m.settings.duration = (is_large ? 1 : 3) * m.settings.step, m.settings.output_step = m.settings.step;
    if (m.modal) continue;
    const RandomModel random(m);
    const Ensemble ensemble(m, random, {34, 0}, 3);
    const auto rows = [&](const std::string& device, std::vector<std::string>& notes) {
      std::vector<SimulatedRow> out;
      EnsembleOptions options{.threads = 1, .device = device, .wait_for_device = true};
      options.on_note = [&](const std::string& text) { notes.push_back(text); };
      ensemble.run(options, [&](SimulatedRow&& r) { out.push_back(std::move(r)); });
      return out;
    };
    std::vector<std::string> notes;
    const std::vector<SimulatedRow> here = rows("cpu", notes), there = rows("gpu", notes);
    ASSERT_EQ(here.size(), there.size());
    for (size_t k = 0; k < here.size(); ++k) {
      EXPECT_EQ(here[k].ok, there[k].ok) << k;
      ASSERT_EQ(here[k].sample, there[k].sample) << "realization " << k;  // bitwise
      ASSERT_EQ(here[k].values, there[k].values) << "realization " << k;  // bitwise
    }
    if (notes.empty()) EXPECT_GE(ensemble.device().rows, 32);
    for (const std::string& note : notes) {
      const auto says = [&](const char* words) { return note.find(words) != std::string::npos; };
      EXPECT_TRUE(
          says("realizations whose functions of time have breakpoints or pieces of their own are computed by the processor") ||
          says("its equations make a kernel of") || says("its realizations have functions of time of") ||
          says("a function of time has many pieces within a step that is adapted to its error"))
          << note;
    }
  }
  use_gpu_driver("libcuda.so.1");
}

INSTANTIATE_TEST_SUITE_P(Examples, DeviceExamples, ::testing::ValuesIn(examples()), [](const auto& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
