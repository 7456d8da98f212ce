// Methods for rare events through the public headers: the same numbers however they are computed, right answers, and what is refused.
#include <gtest/gtest.h>
#include <aleator/aleator.hpp>

#include <atomic>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <thread>

#include "api/model_check.hpp"
#include "results/read.hpp"
#include "results/read_reliability.hpp"
#include "support/message_of.hpp"
#include "support/temporary_folder.hpp"

namespace ALEATOR_FILE {
namespace {

using namespace aleator;
using aleator::core::results::Reliability;
using aleator::core::test::TemporaryFolder;

// The oscillator of Au and Beck (2001), shorter.
std::string oscillator(const std::string& limits, const std::string& study, const std::string& more = "") {
  return R"(
title: Oscillator
plane: xz
parameters: {k: 61.6225, r: 1}
processes: {noise: {white_noise: {S0: 1, step: 0.02}}}
bodies: {mass: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1}}
joints: {guide: {prismatic: [ground, mass], axis: x, spring: {stiffness: k}, damper: 0.314}}
forces: {push: {force: mass, at: [0, 0], value: [{process: noise}, 0]}}
outputs: {x: {coordinate: guide)" +
         limits + "}}\n" + more + "simulation: {duration: 6, step: 0.02, output_step: 0.02, integrator: runge-kutta}\nstudy: {" +
         study + "}\n";
}
const std::string beyond = ", limits: {above: 1, below: -1}";

Reliability reliability_in(const StudyResult& r) { return core::results::read_reliability(core::results::StudyReader(r.file)); }

bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}
void expect_same(const Reliability& a, const Reliability& b) {
  ASSERT_EQ(a.of.size(), b.of.size());
  for (size_t i = 0; i < a.of.size(); ++i) EXPECT_EQ(a.of[i].probability, b.of[i].probability);
  EXPECT_EQ(a.simulations, b.simulations);
  EXPECT_TRUE(same(a.sets, b.sets));
  EXPECT_TRUE(same(a.failures.inputs, b.failures.inputs) && same(a.failures.histories, b.failures.histories) &&
              same(a.failures.normals, b.failures.normals) && same(a.failures.poses, b.failures.poses));
  ASSERT_EQ(a.curves.size(), b.curves.size());
  for (size_t i = 0; i < a.curves.size(); ++i) EXPECT_TRUE(same(a.curves[i].probability, b.curves[i].probability));
}

StudyResult run(const std::string& text, const std::string& folder, int threads = 0) {
  const Model model = model_from_text(text);
  RunOptions options;
  options.folder = folder;
  options.threads = threads;
  return run_study(model, study_of(model), options);
}

// Processes have 300 random numbers here; none of them is in a column.
TEST(RareEvents, are_the_same_on_any_number_of_threads_and_after_stops) {
  const std::string text =
      oscillator(beyond, "method: subset-simulation, samples: 200, seed: 3", "uncertain: {k: {lognormal: {cov: 0.1}}}\n");
  const TemporaryFolder folder;
  const Reliability whole = reliability_in(run(text, folder.path() + "/one", 1));
  EXPECT_GT(whole.simulations, 300);
  expect_same(whole, reliability_in(run(text, folder.path() + "/two", 2)));
  RunOptions options;
  options.folder = folder.path() + "/stopped";
  const Model model = model_from_text(text);
  StudyResult r;
  int stops = 0;
  for (long after = 5;; after += 5) {
    std::stop_source source;
    options.stop = source.get_token();
    std::atomic<bool> ended{false};
    std::jthread other([&] {
      for (long i = 0; i < after && !ended; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      source.request_stop();
    });
    const bool begun = std::filesystem::exists(options.folder + "/unfinished.journal");
    r = begun ? resume_study(options) : run_study(model, study_of(model), options);
    ended = true;
    if (r.outcome == Outcome::complete) break;
    ASSERT_LT(++stops, 200);
  }
  expect_same(whole, core::results::read_reliability(core::results::StudyReader(options.folder + "/results.h5")));
  // Also what is drawn again has its numbers of processes.
  EXPECT_TRUE(rerun(options.folder + "/results.h5", 7).as_recorded);
}

// Failures are kept with their course: each passes the limit that it is said to pass.
TEST(RareEvents, keep_failures_that_fail) {
  const TemporaryFolder folder;
  const StudyResult study = run(oscillator(beyond, "method: subset-simulation, samples: 400"), folder.path() + "/o");
  const Reliability r = reliability_in(study);
  ASSERT_EQ(r.of.size(), 3u);
  EXPECT_EQ(r.of[0].limit, "x.above");
  EXPECT_EQ(r.of[1].limit, "x.below");
  EXPECT_EQ(r.of[2].limit, "any");
  EXPECT_LE(std::max(r.of[0].probability, r.of[1].probability), r.of[2].probability * (1 + 1e-12));
  ASSERT_GT(r.failures.kept.size(), 0u);
  const size_t times = r.failures.histories.size() / r.failures.kept.size();
  EXPECT_EQ(times, 301u);
  EXPECT_EQ(r.failures.poses.size(), r.failures.kept.size() * times * 7);
  for (size_t k = 0; k < r.failures.kept.size(); ++k) {
    double most = 0;
    for (size_t t = 0; t < times; ++t) most = std::max(most, std::abs(r.failures.histories[k * times + t]));
    EXPECT_GT(most, 1 - 0.01);  // between the times it is a little more
  }
}

// A quantity that is drawn by rejection, and a limit that is random: P(x0 > r) of a body at rest is that of two normal numbers.
TEST(RareEvents, have_random_limits) {
  const std::string text = R"(
plane: xz
parameters: {r: 2, d: 1}
bodies: {mass: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1, at: [d, 0]}}
joints: {wall: {fixed: [ground, mass], at: [0, 0]}}
outputs: {x: {position: mass, component: x, limits: {above: r}}}
uncertain: {r: {normal: {std: 0.2}}, d: {normal: {std: 0.1}}}
simulation: {duration: 0.01, step: 0.01, output_step: 0.01}
study: {method: METHOD, samples: 1000}
)";
  const double exact = 0.5 * std::erfc(1 / std::sqrt(0.05) / std::sqrt(2.0));  // Φ(−4.47) = 3.87e-6
  for (const char* method : {"subset-simulation", "form", "sorm", "importance-sampling", "line-sampling"}) {
    std::string own = text;
    own.replace(own.find("METHOD"), 6, method);
    const TemporaryFolder folder;
    const Reliability r = reliability_in(run(own, folder.path() + "/o"));
    const double p = r.of.back().probability, cov = r.of.back().cov;
    EXPECT_LT(std::abs(std::log(p / exact)), 3 * std::sqrt(std::log1p(cov * cov)) + 1e-3) << method << " " << p << " cov " << cov;
    EXPECT_TRUE(r.doubts.empty()) << method << ": " << r.doubts[0];
  }
}

// What `check` says: samples are not always all realizations.
TEST(RareEvents, say_what_samples_are_of) {
  const auto size = [](const std::string& study) {
    const Model model = model_from_text(oscillator(beyond, study, "uncertain: {k: {normal: {std: 3}}}\n"));
    return core::planned(model, study_of(model)).size;
  };
  EXPECT_EQ(size("method: subset-simulation"), "1000 samples per level in 4 sets");
  EXPECT_EQ(size("method: subset-simulation, accuracy: 10%"), "at most 100000 samples in all");
  EXPECT_EQ(size("method: enhanced-monte-carlo"), "20000 samples");
  EXPECT_EQ(size("method: importance-sampling"), "1000 samples, after a search for design points");
  EXPECT_EQ(size("method: monte-carlo"), "500 samples");
}

TEST(RareEvents, refuse_what_they_cannot_answer) {
  const auto refusal = [](const std::string& text) {
    return core::test::message_of<InputError>([&] {
      const Model model = model_from_text(text, {}, "m.yaml");
      run_study(model, study_of(model));
    });
  };
  EXPECT_EQ(refusal(oscillator("", "method: subset-simulation")),
            "m.yaml:11:17: study: method 'subset-simulation': it needs limits, and the model has none. Say what failure is, as "
            "in outputs: "
            "{x: {position: body, limits: {above: 0.3}}}");
  EXPECT_EQ(refusal(oscillator(beyond, "method: subset-simulation, failure: [x.abov]")),
            "m.yaml:11:45: study: 'failure' names the limit 'x.abov', which the model does not have (did you mean 'x.above'?)");
  EXPECT_EQ(
      refusal(oscillator(beyond, "method: form", "uncertain: {r: {openturns: {name: Poisson, parameters: {lambda: 3}}}}\n")),
      "m.yaml:12:17: study: method 'form': 'r' takes single values only, so that failure is no smooth function of it and has no "
      "design point. Use subset-simulation, which needs none, or fix it (--set)");
}

}  // namespace
}  // namespace ALEATOR_FILE
