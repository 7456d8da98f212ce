// Statistics that a device takes of blocks of realizations are those of the processor, to the last bit, whoever computes which block.
#include <gtest/gtest.h>
#include <aleator/aleator.hpp>

#include <bit>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "analysis/accumulate.hpp"
#include "base/gpu_driver.hpp"
#include "ensemble/ensemble.hpp"
#include "study/block_statistics.hpp"
#include "study/collector.hpp"
#include "study/study_request.hpp"
#include "support/run.hpp"
#include "support/sanitized.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// Extremes between output times, a level that some pass between them only, and an output that begins with zeros.
const char* const oscillator = R"(
bodies: {a: {shape: {sphere: {radius: 0.1}}, mass: 1, velocity: [1, 0, 0]}}
joints: {guide: {prismatic: [ground, a], axis: x, spring: {stiffness: 100}, damper: 0.5}}
outputs:
  x: {position: a, component: x, limits: {above: 0.09, below: -0.075}}
  v: {velocity: a, component: x}
scalars:
  peak: {maximum: x}
  least: {minimum: v}
  size: {largest_magnitude: x}
  rms: {rms: v}
  mean: {average: x}
  end: {final: v}
uncertain: {a: {mass: {cov: 0.2}}}
simulation: {duration: 0.6, step: 0.05, output_step: 0.05, integrator: runge-kutta}
)";

class DeviceStatistics : public ::testing::Test {
 protected:
  DeviceStatistics() {
    use_gpu_driver(ALEATOR_FAKE_DRIVER);
    setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
    unsetenv("ALEATOR_FAKE_GPU");
  }
  ~DeviceStatistics() override {
    unsetenv("ALEATOR_FAKE_GPU");
    use_gpu_driver("libcuda.so.1");
  }
  struct Outcome {
    std::vector<double> state;
    long rows = 0, failed = 0;
    std::vector<std::string> notes;
    DeviceReport device;
  };
  // As a study does it: `first` rows, then the others of `count`.
  static Outcome study(const Model& m, long count, const std::string& device, int threads = 2, long first = 0,
                       bool fast_math = false) {
    const RandomModel random(m);
    const Plan plan{count, 0};
    const Result nominal = run(m);
    Study settings;
    settings.keep_all = false;
    analysis::StatisticsRequest wanted = questions_of(m, settings, {}, {});
    wanted.times = nominal.times;
    wanted.nominal.resize(wanted.times.size() * wanted.channels.size());
    analysis::Accumulator statistics(wanted);
    Outcome out;
    EnsembleOptions options{.threads = threads, .device = device, .fast_math = fast_math, .wait_for_device = true};
    options.digest = block_statistics(wanted, plan, {});
    options.on_note = [&](const std::string& text) { out.notes.push_back(text); };
    const Ensemble ensemble(m, random, plan, 3);
    const auto deliver = [&](SimulatedRow&& r) {
      EXPECT_EQ(r.row, out.rows);
      EXPECT_TRUE(r.of_block.empty());
      ++out.rows, out.failed += r.ok ? 0 : 1;
      if (!r.digested) add_realization(statistics, Collector::DerivedOf{}, r.ok, r.sample, r.values);
      if (!r.digest.empty()) statistics.append_block(r.digest);
    };
    if (first > 0) options.end_row = first, ensemble.run(options, deliver);
    options.first_row = first, options.end_row = count;
    ensemble.run(options, deliver);
    out.device = ensemble.device();
    out.state = statistics.save();
    return out;
  }
  static void expect_same(const Outcome& a, const Outcome& b) {
    EXPECT_EQ(a.rows, b.rows);
    EXPECT_EQ(a.failed, b.failed);
    ASSERT_EQ(a.state.size(), b.state.size());
    for (size_t i = 0; i < a.state.size(); ++i)
      ASSERT_EQ(std::bit_cast<std::uint64_t>(a.state[i]), std::bit_cast<std::uint64_t>(b.state[i])) << "number " << i;
  }
  TemporaryFolder folder_;
};

constexpr long many = 22000;  // from 16,384 on values of a block are halved

// Kernels are interpreted, which takes long under a sanitizer: one test goes all ways there.
#if defined(ALEATOR_ADDRESS_SANITIZER)
constexpr const char* losses[] = {"lost=90"};
#define ALEATOR_TOO_SLOW_HERE GTEST_SKIP() << "kernels are interpreted: too slow"
#else
constexpr const char* losses[] = {"lost=90", "lost=1", "memory"};
#define ALEATOR_TOO_SLOW_HERE
#endif

TEST_F(DeviceStatistics, have_the_bits_of_the_processor) {
  ALEATOR_TOO_SLOW_HERE;
  const Model m = model_from(oscillator);
  const Outcome here = study(m, many, "cpu");
  for (const int threads : {1, 3}) {
    const Outcome there = study(m, many, "gpu", threads);
    EXPECT_EQ(there.notes, std::vector<std::string>{});
    EXPECT_GT(there.device.rows, 0) << there.device.why_not;
    EXPECT_GT(there.device.added_up, 0);
    EXPECT_EQ(there.device.added_up % 256, 0);
    expect_same(here, there);
  }
}

// A part ends within a block, and the study goes on from there.
TEST_F(DeviceStatistics, go_on_within_a_block) {
  ALEATOR_TOO_SLOW_HERE;
  const Model m = model_from(oscillator);
  const Outcome there = study(m, many, "gpu", 2, 16700);
  EXPECT_GT(there.device.added_up, 0);
  expect_same(study(m, many, "cpu"), there);
}

// Realizations that fail are computed again by the processor, and their blocks added up there.
TEST_F(DeviceStatistics, leave_blocks_with_failures_to_the_processor) {
  ALEATOR_TOO_SLOW_HERE;
  std::string text = oscillator;
  text.replace(text.find("stiffness: 100"), 14, "stiffness: \"100 + u + 1e9 * u^5000\"");
  text.replace(text.find("a: {mass: {cov: 0.2}}"), 21, "u: {uniform: {lower: 0, upper: 1}}");
  const Model m = model_from("parameters: {u: 0.5}" + text);
  const Outcome here = study(m, many, "cpu"), there = study(m, many, "gpu");
  EXPECT_GT(here.failed, many / 2000);  // u > 0.9985
  EXPECT_EQ(there.notes, std::vector<std::string>{});
  EXPECT_EQ(there.device.rows, many) << there.device.why_not;
  EXPECT_EQ(there.device.drawn, 0);
  EXPECT_GT(there.device.added_up, 0);
  EXPECT_LT(there.device.added_up, many - 17000);  // of those that are halved
  expect_same(here, there);
}

TEST_F(DeviceStatistics, survive_the_loss_of_the_device) {
  const Model m = model_from(oscillator);
  const Outcome here = study(m, many, "cpu");
  for (const char* mood : losses) {
    SCOPED_TRACE(mood);
    setenv("ALEATOR_FAKE_GPU", mood, 1);
    const Outcome there = study(m, many, "gpu");
    EXPECT_EQ(there.notes.size(), 1u);
    expect_same(here, there);
  }
}

// A device that adds up wrongly is found out before anybody has a sum of it; one that differs in last bits on purpose is not.
TEST_F(DeviceStatistics, are_compared_with_the_processor_first) {
  ALEATOR_TOO_SLOW_HERE;
  const Model m = model_from(oscillator);
  const Outcome here = study(m, many, "cpu");
  for (const char* mood : {"sums=0", "sums=70", "sums=160", "sums=200", "sums=300", "told=33", "told=2949"}) {
    SCOPED_TRACE(mood);
    setenv("ALEATOR_FAKE_GPU", mood, 1);
    const Outcome there = study(m, many, "gpu");
    EXPECT_EQ(there.device.rows, 0);
    EXPECT_EQ(there.notes, std::vector<std::string>{"the study goes on with the processor: the GPU does not compute what the "
                                                    "processor does: statistics of the same realizations differ"});
    expect_same(here, there);
  }
  unsetenv("ALEATOR_FAKE_GPU");
  const Outcome fast = study(m, many, "gpu", 2, 0, true);
  EXPECT_EQ(fast.notes, std::vector<std::string>{});
  EXPECT_GT(fast.device.added_up, 0);
}

// Whole studies: results of the processor, of a device, and of one that was stopped and resumed.
TEST_F(DeviceStatistics, of_studies_are_the_same_stopped_and_resumed) {
  ALEATOR_TOO_SLOW_HERE;
  const aleator::Model m = aleator::model_from_text(oscillator + std::string("study: {keep: statistics, seed: 3, samples: ") +
                                                    std::to_string(many) + "}\n");
  const aleator::Study study = aleator::study_of(m);
  setenv("ALEATOR_WAIT_FOR_DEVICE", "1", 1);
  setenv("ALEATOR_SAVE_EVERY", "0", 1);
  const auto options_for = [&](const char* name, const char* device) {
    aleator::RunOptions o;
    o.folder = folder_ / name, o.device = device, o.threads = 2;
    o.on_note = [](std::string_view text) { ADD_FAILURE() << text; };
    return o;
  };
  const aleator::StudyResult here = aleator::run_study(m, study, options_for("here", "cpu")),
                             there = aleator::run_study(m, study, options_for("there", "gpu"));
  aleator::RunOptions options = options_for("stopped", "gpu");
  std::stop_source source;
  options.stop = source.get_token();
  options.on_progress = [&](const aleator::Progress& p) { p.done > 16500 ? source.request_stop() : false; };
  aleator::StudyResult resumed = aleator::run_study(m, study, options);
  EXPECT_EQ(resumed.outcome, aleator::Outcome::interrupted);
  options = options_for("stopped", "gpu");
  options.on_note = {};  // that it goes on
  resumed = aleator::resume_study(options);
  unsetenv("ALEATOR_WAIT_FOR_DEVICE"), unsetenv("ALEATOR_SAVE_EVERY");
  const auto same = [](std::span<const double> a, std::span<const double> b) {
    return a.size() == b.size() && !a.empty() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
  };
  for (const aleator::StudyResult* const r : {&there, &std::as_const(resumed)}) {
    EXPECT_EQ(r->outcome, aleator::Outcome::complete);
    EXPECT_EQ(r->done, many);
    ASSERT_EQ(r->statistics.size(), here.statistics.size());
    for (size_t c = 0; c < here.statistics.size(); ++c) {
      const aleator::OutputStatistics &x = here.statistics[c], &y = r->statistics[c];
      EXPECT_TRUE(same(x.mean, y.mean) && same(x.std, y.std) && same(x.lower, y.lower) && same(x.upper, y.upper)) << x.name;
      EXPECT_TRUE(same(x.mean_error, y.mean_error) && same(x.upper_error, y.upper_error)) << x.name;
    }
    ASSERT_EQ(r->limits.size(), here.limits.size());
    for (size_t i = 0; i < here.limits.size(); ++i) EXPECT_EQ(r->limits[i].ever.value, here.limits[i].ever.value);
    ASSERT_EQ(r->scalars.size(), here.scalars.size());
    for (size_t i = 0; i < here.scalars.size(); ++i) {
      EXPECT_EQ(r->scalars[i].mean.value, here.scalars[i].mean.value) << i;
      EXPECT_EQ(r->scalars[i].upper.value, here.scalars[i].upper.value) << i;
    }
  }
}

// What a device has no program for comes as realizations.
TEST_F(DeviceStatistics, of_other_kinds_are_those_of_realizations) {
  ALEATOR_TOO_SLOW_HERE;
  std::string text = oscillator;
  text.replace(text.find("{maximum: x}"), 12, "{crossings: x, level: 0.01}");
  const Model m = model_from(text);
  const Outcome there = study(m, many, "gpu");
  EXPECT_GT(there.device.rows, 0);
  EXPECT_EQ(there.device.added_up, 0);
  expect_same(study(m, many, "cpu"), there);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
