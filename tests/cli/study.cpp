// run, sample and export as a user meets them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "program.hpp"
#include "results/write.hpp"
#include "support/model_text.hpp"
#include "support/places.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// An oscillator with random stiffness and mass: a study of milliseconds.
const char* const oscillator =
    "title: Oscillator\nparameters: {k: 100, m: 1}\n"
    "bodies:\n  a: {shape: {sphere: {radius: 0.1}}, mass: m, velocity: [1, 0, 0]}\n"
    "joints:\n  guide: {prismatic: [ground, a], axis: x, spring: {stiffness: k}}\n"
    "outputs:\n  x: {position: a, component: x, limits: {above: 0.11}}\n  v: {velocity: a}\n"
    "scalars:\n  peak: {maximum: x}\n  back: {first_crossing: x, level: 0.09, direction: up}\n"
    "simulation: {duration: 0.4, step: 4e-3, output_step: 0.02, integrator: runge-kutta}\n"
    "uncertain:\n  k: {lognormal: {cov: 0.2}}\n  a: {mass: {cov: 0.1}}\n"
    "study: {samples: 50, seed: 5}\n";

TEST(Study, from_the_model_to_statistics) {
  const Folder folder;
  folder.write("osc.yaml", oscillator);
  const Outcome o = aleator({"run", "osc.yaml"}, folder.path());
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"osc.yaml", "out/osc/report.html", "out/osc/results.h5"}));
  EXPECT_TRUE(o.out.starts_with("Oscillator: 50 realizations in ")) << o.out;

  const Csv s = parse_csv_text(aleator({"export", "out/osc/results.h5", "statistics"}, folder.path()).out);
  EXPECT_EQ(s.rows.size(), 21u);
  EXPECT_EQ(s.names.size(), 1 + 4 * 5u);
  EXPECT_EQ((std::vector<std::string>{s.names.begin(), s.names.begin() + 7}),
            (std::vector<std::string>{"time", "x.nominal", "x.mean", "x.std", "x.lower", "x.upper", "v.x.nominal"}));
  // the statistics are those of the realizations
  std::vector<double> at_end;
  for (int k = 0; k < 50; ++k) {
    const Csv r = parse_csv_text(aleator({"export", "out/osc", "realization", std::to_string(k)}, folder.path()).out);
    EXPECT_EQ(r.names, (std::vector<std::string>{"time", "x", "v.x", "v.y", "v.z"}));
    at_end.push_back(r.at("x", 0.4));
  }
  double mean = 0, square = 0;
  for (const double x : at_end) mean += x / 50;
  for (const double x : at_end) square += (x - mean) * (x - mean) / 49;
  EXPECT_NEAR(s.at("x.mean", 0.4), mean, 1e-14);  // round-off
  EXPECT_NEAR(s.at("x.std", 0.4), std::sqrt(square), 1e-14);
  std::sort(at_end.begin(), at_end.end());
  EXPECT_NEAR(s.at("x.lower", 0.4), at_end[2] + 0.45 * (at_end[3] - at_end[2]), 1e-14);  // rank 0.05 · 49 = 2.45

  const std::vector<std::string> samples = lines_of(aleator({"export", "out/osc", "samples"}, folder.path()).out);
  const std::vector<std::string> drawn = lines_of(aleator({"sample", "osc.yaml", "-n", "50"}, folder.path()).out);
  ASSERT_EQ(samples.size(), 51u);
  ASSERT_EQ(drawn.size(), 51u);
  EXPECT_EQ(samples[0], "realization,k,a.mass,status");
  EXPECT_EQ(drawn[0], "realization,k,a.mass");
  for (int i = 1; i <= 50; ++i) EXPECT_EQ(samples[i], drawn[i] + ",ok");  // bit for bit

  const Outcome scalars = aleator({"export", "out/osc", "scalars"}, folder.path());
  EXPECT_EQ(lines_of(scalars.out)[0], "realization,peak,back");
}

TEST(Study, seed_samples_threads_and_settings_from_outside) {
  const Folder folder;
  folder.write("osc.yaml", oscillator);
  const auto statistics = [&](std::vector<std::string> extra) {
    std::vector<std::string> arguments = {"run", "osc.yaml", "--out", "o"};
    arguments.insert(arguments.end(), extra.begin(), extra.end());
    const Outcome o = aleator(arguments, folder.path());
    EXPECT_EQ(o.code, 0) << o.err;
    return aleator({"export", "o", "statistics"}, folder.path()).out;
  };
  const std::string plain = statistics({});
  EXPECT_EQ(statistics({"--threads", "1"}), plain);
  EXPECT_EQ(statistics({"--threads", "3"}), plain);
  EXPECT_EQ(statistics({"--seed", "5"}), plain);
  EXPECT_EQ(statistics({"--sensitivity"}), plain);
  EXPECT_NE(statistics({"--seed", "6"}), plain);
  EXPECT_NE(statistics({"--samples", "51"}), plain);
  EXPECT_NE(statistics({"--set", "a.mass.cov=0.05"}), plain);
  EXPECT_NE(statistics({"--set", "k=90"}), plain);
  EXPECT_NE(aleator({"run", "osc.yaml", "--set", "k=90"}, folder.path()).err.find("'k' is set, and therefore no longer random"),
            std::string::npos);
}

// An uncertain strength: the limit and the level are random themselves. x(t) peaks at v0 √(m/k) = 0.1 in every realization.
TEST(Study, limits_and_levels_may_be_random) {
  const Folder folder;
  std::string model = replaced(oscillator, "k: 100, m: 1", "k: 100, m: 1, strength: 0.1");
  model = replaced(model, "limits: {above: 0.11}", "limits: {above: strength}");
  model = replaced(model, "level: 0.09, direction: up", "level: strength, direction: up");
  folder.write("m.yaml", replaced(model, "k: {lognormal: {cov: 0.2}}\n  a: {mass: {cov: 0.1}}",
                                  "strength: {uniform: {lower: 0.08, upper: 0.12}}"));
  ASSERT_EQ(aleator({"run", "m.yaml", "--samples", "400"}, folder.path()).code, 0);
  const std::vector<std::string> samples = lines_of(aleator({"export", "out/m", "samples"}, folder.path()).out);
  const std::vector<std::string> scalars = lines_of(aleator({"export", "out/m", "scalars"}, folder.path()).out);
  int weak = 0;
  for (size_t i = 1; i < samples.size(); ++i) {
    const double strength = std::stod(samples[i].substr(samples[i].find(',') + 1));
    const bool crossed = !scalars[i].ends_with(",");
    if (std::abs(strength - 0.1) < 5e-4) continue;  // the peak falls between output times
    EXPECT_EQ(crossed, strength < 0.1) << samples[i] << " " << scalars[i];
    weak += crossed;
  }
  EXPECT_NEAR(weak, 200, 50);  // five standard errors of a binomial share
}

TEST(Study, a_level_that_makes_no_sense_fails_its_realization_alone) {
  const Folder folder;
  std::string model = replaced(oscillator, "k: 100, m: 1", "k: 100, m: 1, strength: 0.01");
  model = replaced(model, "limits: {above: 0.11}", "limits: {above: sqrt(strength)}");
  folder.write("m.yaml", replaced(model, "k: {lognormal: {cov: 0.2}}\n  a: {mass: {cov: 0.1}}",
                                  "strength: {uniform: {lower: -0.01, upper: 0.03}}"));
  const Outcome o = aleator({"run", "m.yaml"}, folder.path());
  EXPECT_EQ(o.code, 5) << o.err;
  EXPECT_NE(o.err.find("'sqrt(strength)' is not finite for strength = -"), std::string::npos) << o.err;
}

TEST(Study, statistics_alone) {
  const Folder folder;
  folder.write("all.yaml", oscillator);
  folder.write("few.yaml", replaced(oscillator, "seed: 5}", "seed: 5, keep: statistics}"));
  EXPECT_EQ(aleator({"run", "all.yaml", "--samples", "300"}, folder.path()).code, 0);
  EXPECT_EQ(aleator({"run", "few.yaml", "--samples", "300"}, folder.path()).code, 0);
  // more realizations than a block has whose sums are added up by itself, fewer than a buffer of the sketch has places: the same numbers
  EXPECT_EQ(aleator({"export", "out/few", "statistics"}, folder.path()).out,
            aleator({"export", "out/all", "statistics"}, folder.path()).out);
  const Outcome o = aleator({"export", "out/few", "realization", "3"}, folder.path());
  EXPECT_EQ(o.code, 3);
  EXPECT_EQ(o.err, "aleator: cannot read 'out/few/results.h5': it keeps no realizations, only their statistics\n");
}

TEST(Study, without_anything_uncertain_it_is_the_nominal_model) {
  const Folder folder;
  const Outcome o = aleator({"run", source_folder() + "/examples/pendulum.yaml"}, folder.path());
  EXPECT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.err.find("nothing is uncertain; computing the nominal model"), std::string::npos) << o.err;
  EXPECT_EQ(folder.files(),
            (std::vector<std::string>{"out/pendulum/nominal.csv", "out/pendulum/nominal.h5", "out/pendulum/report.html"}));
}

TEST(Study, failed_realizations_are_told_and_change_the_exit_code) {
  const Folder folder;
  folder.write("some.yaml", replaced(oscillator, "k: {lognormal: {cov: 0.2}}\n  a: {mass: {cov: 0.1}}",
                                     "m: {uniform: {lower: -1, upper: 3}}"));
  folder.write("none.yaml", replaced(oscillator, "k: {lognormal: {cov: 0.2}}\n  a: {mass: {cov: 0.1}}",
                                     "m: {uniform: {lower: -3, upper: -1}}"));
  const Outcome some = aleator({"run", "some.yaml"}, folder.path()), none = aleator({"run", "none.yaml"}, folder.path());
  EXPECT_EQ(some.code, 5) << some.err;
  EXPECT_NE(some.err.find(" of 50 realizations failed and are excluded from the statistics; the first: "), std::string::npos)
      << some.err;
  const Outcome samples = aleator({"export", "out/some", "samples"}, folder.path());
  for (const std::string& line : lines_of(samples.out)) {
    if (line.starts_with("realization")) continue;
    EXPECT_EQ(line.ends_with(",failed"), line.find(",-") != std::string::npos) << line;
  }
  EXPECT_EQ(none.code, 4) << none.err;
  EXPECT_EQ(aleator({"export", "out/none", "statistics"}, folder.path()).code, 0);
  // The page is always of the results beside it.
  ASSERT_TRUE(std::filesystem::remove(folder / "out/none/report.html"));
  EXPECT_EQ(aleator({"report", "out/none"}, folder.path()).code, 0);
  EXPECT_EQ(aleator({"run", "none.yaml", "--no-report"}, folder.path()).code, 4);
  EXPECT_FALSE(std::filesystem::exists(folder / "out/none/report.html"));
  EXPECT_EQ(aleator({"plot", "out/none", "--what", "distribution"}, folder.path()).err,
            "aleator: cannot read 'out/none/results.h5': all its realizations failed; there is nothing to show the distribution "
            "of\n");
}

// x goes down with the stiffness near its first peak and up with the mass; nothing scatters at t = 0.
TEST(Study, correlations_of_what_is_there) {
  const Folder folder;
  std::string twice = replaced(oscillator, "joints:\n", "  b: {shape: {sphere: {radius: 0.1}}, mass: 1}\njoints:\n");
  twice = replaced(twice, "  a: {mass: {cov: 0.1}}\n", "  a: {mass: {cov: 0.1}}\n  b: {mass: {same_as: a}}\n");
  folder.write("twice.yaml", twice);
  folder.write("plain.yaml", oscillator);
  folder.write("few.yaml", replaced(oscillator, "seed: 5}", "seed: 5, keep: statistics}"));
  for (const char* name : {"plain", "few", "twice"})
    ASSERT_EQ(aleator({"run", std::string(name) + ".yaml"}, folder.path()).code, 0);
  const Outcome o = aleator({"export", "out/plain", "correlations"}, folder.path());
  EXPECT_EQ(o.code, 0) << o.err;
  const std::vector<std::string> lines = lines_of(o.out);
  ASSERT_EQ(lines.size(), 22u);
  EXPECT_TRUE(lines[0].starts_with("time,x.pearson.k,x.pearson.a.mass,x.spearman.k,x.spearman.a.mass,x.partial_rank.k,"));
  EXPECT_TRUE(lines[1].starts_with("0,,,,,,,")) << lines[1];
  const auto at = [&](const std::string& line, int column) {
    std::istringstream in(line);
    std::string cell;
    for (int i = 0; i <= column; ++i) std::getline(in, cell, ',');
    return std::stod(cell);
  };
  // at t = 0.2 (line 11): x = sin(ωt)/ω falls with ω² = k/m in all realizations, so that k and m explain its order
  EXPECT_LT(at(lines[11], 1), -0.8);
  EXPECT_LT(at(lines[11], 5), -0.95);
  EXPECT_GT(at(lines[11], 6), 0.8);
  const Outcome few = aleator({"export", "out/few", "correlations"}, folder.path());
  EXPECT_EQ(few.code, 3);
  EXPECT_EQ(few.err, "aleator: cannot read 'out/few/results.h5': it keeps only statistics, no realizations to correlate\n");
  const Outcome same = aleator({"export", "out/twice", "correlations"}, folder.path());
  EXPECT_EQ(same.code, 0);
  EXPECT_EQ(same.err, "note: 'b.mass' has no partial rank correlation: it is determined by a.mass\n");
  const Outcome none = aleator({"export", "out/plain", "screening"}, folder.path());
  EXPECT_EQ(none.code, 3);
  EXPECT_EQ(none.err, "aleator: cannot read 'out/plain/results.h5': it has no screening\n");
}

TEST(Study, a_screening_that_is_there) {
  const Folder folder;
  results::StudyResult r;
  r.nominal.time = {0, 0.5};
  r.nominal.channels = {{"x", "m"}};
  r.screening.variables = {"k", "m"};
  r.screening.of = {{{1, {1, 2}, {3, 4}, {5, 6}, {7, 8}}, {1, {9, 10}, {11, 12}, {13, 14}, {15, NAN}}}};
  results::write_study(folder / "results.h5", r, {});
  EXPECT_EQ(aleator({"export", "results.h5", "screening"}, folder.path()).out,
            "time,x.mu.k,x.mu.m,x.mu_star.k,x.mu_star.m,x.mu_star_error.k,x.mu_star_error.m,x.sigma.k,x.sigma.m\n"
            "0,1,9,3,11,7,15,5,13\n0.5,2,10,4,12,8,,6,14\n");
}

TEST(Study, wrong_results_files_are_told) {
  const Folder folder;
  folder.write("text.h5", "no HDF5");
  EXPECT_EQ(aleator({"simulate", source_folder() + "/examples/pendulum.yaml"}, folder.path()).code, 0);
  for (const char* file : {"missing.h5", "text.h5", "out", "out/pendulum/nominal.h5", "out/pendulum/report.html"}) {
    const Outcome o = aleator({"export", file, "statistics"}, folder.path());
    EXPECT_EQ(o.code, 3) << file;
    EXPECT_TRUE(o.err.starts_with("aleator: cannot read '")) << o.err;
  }
  EXPECT_EQ(aleator({"export", "missing.h5", "everything"}, folder.path()).code, 2);
}

// The statements of Batou & Soize about the case with all three causes: the scatter of the vertical acceleration comes mainly
// from the mass, that of the angular acceleration from the centre of mass and the inertia. With 150 pairs the standard errors
// are below 0.1; the shares themselves are in docs/five-body.md.
TEST(Study, causes_of_the_five_body_scatter) {
  const Folder folder;
  const std::string model = source_folder() + "/examples/five-body.yaml";
  const Outcome o = aleator({"run", model, "--sensitivity", "--samples", "150"}, folder.path());
  ASSERT_EQ(o.code, 0) << o.err;
  const auto share = [&](const std::string& output, const std::string& cause) {
    bool inside = false;
    for (const std::string& line : lines_of(o.out.substr(o.out.find("Sobol indices")))) {
      if (!line.empty() && line[0] != ' ') inside = line.starts_with(output);
      const size_t at = line.find(cause);
      if (inside && at != std::string::npos) return std::stod(line.substr(at + cause.size()));
    }
    return std::nan("");
  };
  EXPECT_GT(share("accel_z", "rb5.mass"), 0.5);
  EXPECT_LT(share("accel_z", "rb5.inertia"), 0.1);
  EXPECT_LT(share("alpha_x", "rb5.mass"), 0.2);
  EXPECT_GT(share("alpha_x", "rb5.center_of_mass") + share("alpha_x", "rb5.inertia"), 0.4);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
