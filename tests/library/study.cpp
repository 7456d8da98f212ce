// Studies through the public headers alone: the same numbers in memory, in a folder, after a stop, and beside another study.
#include <gtest/gtest.h>
#include <aleator/aleator.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "support/temporary_folder.hpp"

namespace {

using namespace aleator;
using aleator::core::test::TemporaryFolder;

std::string oscillator(const std::string& study) {
  return R"(
title: Oscillator
parameters: {k: 100}
bodies: {block: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1, velocity: [1, 0, 0]}}
joints: {guide: {prismatic: [ground, block], axis: x, spring: {stiffness: k}}}
outputs: {x: {position: block, component: x, limits: {above: 0.105}}, v: {velocity: block, component: x}}
scalars: {peak: {maximum: x}}
uncertain: {k: {lognormal: {mean: 100, cov: 0.1}}, block: {mass: {cov: 0.1}}}
simulation: {duration: 0.4, step: 0.004, output_step: 0.02, integrator: runge-kutta}
study: {)" +
         study + "}\n";
}

// A method that needs a random field.
std::string cantilever(const std::string& study) {
  return R"(
title: Cantilever
plane: xy
bodies: {link: {beam: [[0, 0], [1, 0]], section: {rectangle: {height: 0.02, width: 0.01}}, material: steel, elements: 2}}
joints: {wall: {fixed: [ground, link], at: [0, 0]}}
forces: {load: {force: link, at: [1, 0], value: [0, 5]}}
outputs: {x: {displacement: link, at: [1, 0], component: y}}
uncertain: {link: {E: {cov: 0.1, correlation: {exponential: 0.5}, terms: 2}}}
simulation: {duration: 0.04, step: 0.004}
study: {variability: {wave_numbers: 6, phases: 5}, )" +
         study + "}\n";
}
std::string model_for(const std::string& method) {
  if (method == "variability") return cantilever("seed: 5");
  return oscillator(method == "enhanced-monte-carlo" ? "samples: 600, seed: 5" : "samples: 96, seed: 5");  // a tail takes some
}

// NaN is NaN: bits, not values.
bool same(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

void expect_same(const StudyResult& a, const StudyResult& b) {
  EXPECT_EQ(a.done, b.done);
  EXPECT_TRUE(same(a.samples(), b.samples()));
  EXPECT_TRUE(same(a.responses(), b.responses()));
  ASSERT_EQ(a.statistics.size(), b.statistics.size());
  for (size_t c = 0; c < a.statistics.size(); ++c) {
    const OutputStatistics &x = a.statistics[c], &y = b.statistics[c];
    EXPECT_TRUE(same(x.mean, y.mean) && same(x.std, y.std) && same(x.lower, y.lower) && same(x.upper, y.upper) &&
                same(x.mean_error, y.mean_error) && same(x.upper_error, y.upper_error))
        << x.name;
  }
  ASSERT_EQ(a.limits.size(), b.limits.size());
  for (size_t i = 0; i < a.limits.size(); ++i) EXPECT_EQ(a.limits[i].ever.value, b.limits[i].ever.value);
  ASSERT_EQ(a.scalars.size(), b.scalars.size());
  for (size_t i = 0; i < a.scalars.size(); ++i) EXPECT_TRUE(same(a.scalars[i].values, b.scalars[i].values));
}

class EveryMethod : public testing::TestWithParam<std::string> {};

TEST_P(EveryMethod, gives_the_same_in_memory_in_a_folder_and_from_the_file) {
  const Model model = model_from_text(model_for(GetParam()));
  Study study = study_of(model);
  study.method = GetParam();
  const StudyResult memory = run_study(model, study);
  EXPECT_EQ(memory.outcome, Outcome::complete);
  EXPECT_TRUE(memory.concluded) << memory.reason;
  EXPECT_TRUE(memory.file.empty());
  const TemporaryFolder folder;
  RunOptions options;
  options.folder = folder.path() + "/out";
  options.threads = 1;
  const StudyResult kept = run_study(model, study, options);
  expect_same(memory, kept);
  expect_same(kept, read_results(kept.file));
  const bool waves = study.method == "variability";
  EXPECT_EQ(kept.inputs, waves ? (std::vector<std::string>{"link.E.wave_number", "link.E.phase"})
                               : (std::vector<std::string>{"k", "block.mass"}));
  EXPECT_TRUE(rerun(kept.file, std::min(7L, kept.done - 1)).as_recorded);
}

// Stopped at its first realizations, and gone on with again and again.
TEST_P(EveryMethod, stopped_and_resumed_gives_the_same) {
  const Model model = model_from_text(model_for(GetParam()));
  Study study = study_of(model);
  study.method = GetParam();
  const StudyResult whole = run_study(model, study);
  const TemporaryFolder folder;
  RunOptions options;
  options.folder = folder.path() + "/out";
  options.threads = 1;
  StudyResult r;
  int stops = 0;
  for (long after = 1;; after += 16) {
    std::stop_source source;
    options.stop = source.get_token();
    std::atomic<bool> ended{false};
    // From another thread, at any time: what a signal or a button does.
    std::jthread other([&] {
      for (long i = 0; i < after && !ended; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      source.request_stop();
    });
    const bool begun = std::filesystem::exists(options.folder + "/unfinished.journal");
    r = begun ? resume_study(options) : run_study(model, study, options);
    ended = true;
    if (r.outcome == Outcome::complete) break;
    EXPECT_EQ(r.outcome, Outcome::interrupted);
    ASSERT_LT(++stops, 200);
  }
  if (!r.data) r = read_results(options.folder);
  expect_same(whole, r);
}

INSTANTIATE_TEST_SUITE_P(Library, EveryMethod, testing::ValuesIn(study_methods()), [](const auto& parameter) {
  std::string name = parameter.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(LibraryStudy, an_ensemble_gives_the_responses_of_the_study) {
  const Model model = model_from_text(oscillator("samples: 40, seed: 9"));
  const StudyResult study = run_study(model, study_of(model));
  const Ensemble forward(model);
  EXPECT_EQ(forward.inputs(), study.inputs);
  const std::vector<double> x = forward.draw(40, 9);
  EXPECT_TRUE(same(x, study.samples()));
  const Responses y = forward.evaluate(x);
  EXPECT_TRUE(same(y.values, study.responses()));
  EXPECT_EQ(y.samples, 40u);
  // In any number and order.
  const Responses one = forward.evaluate(std::span(x).subspan(2 * 7, 2));
  EXPECT_TRUE(same(one.values, std::span(y.values).subspan(7 * y.time.size() * 2, y.time.size() * 2)));
}

TEST(LibraryStudy, samples_that_make_no_sense_are_refused_or_marked) {
  const Model model = model_from_text(oscillator("samples: 4"));
  const Ensemble forward(model);
  EXPECT_THROW(forward.evaluate(std::vector<double>{1, 2, 3}), std::invalid_argument);
  EXPECT_THROW(forward.evaluate(std::vector<double>{100, std::nan("")}), std::invalid_argument);
  const Responses y = forward.evaluate(std::vector<double>{100, 1, 100, -1, 90, 1});  // a mass of -1 kg
  ASSERT_EQ(y.failures.size(), 1u);
  EXPECT_EQ(y.failures[0].sample, 1u);
  EXPECT_FALSE(y.failures[0].reason.empty());
  EXPECT_TRUE(std::isfinite(y.at(0, 3)[0]) && std::isnan(y.at(1, 3)[0]) && std::isfinite(y.at(2, 3)[1]));
  EXPECT_EQ(forward.evaluate({}).samples, 0u);
}

TEST(LibraryStudy, two_at_the_same_time_do_not_disturb_each_other) {
  const Model a = model_from_text(oscillator("samples: 400, seed: 1")),
              b = model_from_text(oscillator("samples: 300, seed: 2, method: polynomial-chaos, chaos: {coefficients: sparse}"));
  const StudyResult alone_a = run_study(a, study_of(a)), alone_b = run_study(b, study_of(b));
  for (int round = 0; round < 3; ++round) {
    StudyResult at_once_a, at_once_b;
    {
      std::jthread first([&] { at_once_a = run_study(a, study_of(a)); });
      std::jthread second([&] { at_once_b = run_study(b, study_of(b)); });
    }
    expect_same(alone_a, at_once_a);
    expect_same(alone_b, at_once_b);
  }
}

// One is stopped, the other goes on to its end.
TEST(LibraryStudy, a_stop_is_for_one_study_alone) {
  const Model model = model_from_text(oscillator("samples: 3000"));
  std::stop_source source;
  RunOptions stopped;
  stopped.stop = source.get_token();
  source.request_stop();
  StudyResult other;
  std::jthread beside([&] { other = run_study(model, study_of(model)); });
  EXPECT_EQ(run_study(model, study_of(model), stopped).outcome, Outcome::interrupted);
  beside.join();
  EXPECT_EQ(other.outcome, Outcome::complete);
  EXPECT_EQ(other.done, 3000);
}

TEST(LibraryStudy, progress_and_notes_go_through_the_options) {
  const Model model = model_from_text(oscillator("samples: 20000, accuracy: 1e-9, method: morris"));
  std::vector<std::string> notes;
  RunOptions options;
  options.on_note = [&](std::string_view text) { notes.emplace_back(text); };
  run_study(model, study_of(model), options);
  ASSERT_FALSE(notes.empty());
  EXPECT_NE(notes[0].find("morris has a fixed number of realizations"), std::string::npos) << notes[0];
}

TEST(LibraryStudy, what_is_wrong_is_told_as_data) {
  const auto error_of = [](const std::string& text) -> InputError {
    try {
      const Model m = model_from_text(text, {}, "m.yaml");
      run_study(m, study_of(m));
    } catch (const InputError& e) {
      return e;
    }
    return InputError("", 0, 0, "accepted");
  };
  const InputError body = error_of(
      "bodies: {rb5: {mass: 1, shape: {box: [1, 1, 1]}}}\njoints: {h: {revolute: [ground, rb55], axis: x, at: [0, 0, 0]}}\n"
      "simulation: {duration: -1}\n");
  EXPECT_EQ(body.file(), "m.yaml");
  EXPECT_EQ(body.line(), 2);
  EXPECT_EQ(body.column(), 33);
  EXPECT_EQ(body.key(), "joints.h.revolute");
  EXPECT_EQ(body.remedy(), "did you mean 'rb5'?");
  EXPECT_EQ(std::string(body.what()).substr(0, 12), "m.yaml:2:33:");
  ASSERT_EQ(body.mistakes().size(), 2U);
  EXPECT_EQ(body.mistakes()[1].key, "simulation.duration");
  EXPECT_EQ(body.mistakes()[1].remedy, "must be positive");
  EXPECT_EQ(body.more(), 0U);
  const InputError study = error_of(oscillator("samples: 0"));
  EXPECT_EQ(study.key(), "study.samples");
  EXPECT_EQ(study.line(), 10);
  EXPECT_EQ(study.remedy().substr(0, 4), "must");
  const InputError method = error_of(oscillator("method: multilevel, levels: {coarsen: elements}"));
  EXPECT_EQ(method.line(), 10);
  EXPECT_EQ(method.remedy(), "coarsen the step instead, or give `elements`");
  EXPECT_EQ(error_of("bodies: {a: {shape: {box: [1, 1, 1]}, mass: 1}}\noutputs: {x: {position: a, component: x}}\nsimulation: "
                     "{duration: 1}\n")
                .message()
                .substr(0, 20),
            "nothing is uncertain");
  EXPECT_THROW(load_model("/nowhere/m.yaml"), InputError);
  EXPECT_THROW(read_results("/nowhere"), ReadError);
  RunOptions options;
  options.folder = "/proc/nowhere";
  const Model model = model_from_text(oscillator("samples: 4"));
  EXPECT_THROW(run_study(model, study_of(model), options), WriteError);
  Study unknown = study_of(model);
  unknown.method = "monte-carl";
  try {
    run_study(model, unknown);
    FAIL() << "accepted";
  } catch (const InputError& e) {
    EXPECT_EQ(e.remedy(), "did you mean 'monte-carlo'?");
  }
}

// A report that is stopped is not written; the results are.
TEST(LibraryStudy, a_report_may_be_stopped) {
  const Model model = model_from_text(oscillator("samples: 40"));
  const StudyResult r = run_study(model, study_of(model));
  const TemporaryFolder folder;
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(write_report({r}, folder.path() + "/report.html", source.get_token()), 0u);
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/report.html"));
  EXPECT_GT(write_report({r}, folder.path() + "/report.html"), 100000u);
}

TEST(LibraryStudy, parts_are_merged_and_realizations_rerun) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() + "/m.yaml") << oscillator("samples: 30, seed: 4");
  const Model model = load_model(folder.path() + "/m.yaml", {{"k.cov", 0.2}});
  const StudyResult whole = run_study(model, study_of(model));
  RunOptions options;
  options.folder = folder.path() + "/out";
  std::vector<std::string> parts;
  for (long k = 1; k <= 3; ++k) {
    options.part = {k, 3};
    parts.push_back(run_study(model, study_of(model), options).file);
  }
  const StudyResult merged = merge_study(parts, "");
  EXPECT_EQ(merged.file, folder.path() + "/out/results.h5");
  expect_same(whole, merged);
  const Rerun again = rerun(merged.file, 17);
  EXPECT_TRUE(again.ok && again.as_recorded);
  EXPECT_TRUE(same(again.trajectory.values,
                   whole.responses().subspan(17 * again.trajectory.values.size(), again.trajectory.values.size())));
  EXPECT_THROW(rerun(merged.file, 30), ReadError);
}

}  // namespace
