// identify on data of the model itself, whose truth is known; interrupted and continued; with gaps.
#include <gtest/gtest.h>

#include <algorithm>

#include "identify_files.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// The five bodies with the three accelerometers of Batou & Soize, and other values than in the example; steps twice as long.
std::string five_bodies() {
  std::string text = example("five-body");
  text = text.substr(0, text.find("\noutputs:"));
  text = text.substr(0, text.find("\nuncertain:"));
  return text +
         "\nuncertain:\n  rb5:\n    mass: {cov: 0.3}\n    center_of_mass: {box: [0.5, 0.2, 0.02], scale: 0.8}\n"
         "    inertia: {lambda_l: -6, lambda_u: -4, z_max: bounding-box}\n"
         "outputs:\n"
         "  left: {acceleration: rb5, at: [-1.2, 0, 0.55], component: z}\n"
         "  right: {acceleration: rb5, at: [1.2, 0, 0.55], component: z}\n"
         "  front: {acceleration: rb5, at: [0, -0.2, 0.55], component: z}\n"
         "simulation: {duration: 0.03, step: 3e-4, output_step: 3e-4, integrator: runge-kutta}\n";
}

void measure_five_bodies(const Folder& folder, int seed) {
  folder.write("model.yaml", five_bodies());
  const Outcome made =
      aleator({"twin", "model.yaml", "--specimens", "50", "--noise", "2%", "--seed", std::to_string(seed), "--out", "measured"},
              folder.path());
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_TRUE(says(text_of_file(folder / "measured/truth.txt"), "# written rb5.center_of_mass.scale = 0.8")) << "the truth";
}

void write_study(const Folder& folder, int samples, int evaluations) {
  folder.write("id.yaml",
               "model: model.yaml\ndata: {specimens: measured, noise: {left: 1.86, right: 2.12, front: 0.78}}\n"
               "samples: " +
                   std::to_string(samples) + "\nevaluations: " + std::to_string(evaluations) +
                   "\nfree:\n  rb5.mass.cov: {from: 0.05, to: 0.65}\n  rb5.center_of_mass.scale: {from: 0.2, to: 2}\n"
                   "  rb5.inertia.lambda_l: {from: -20, to: -0.5}\n  rb5.inertia.lambda_u: {from: -20, to: -0.5}\n");
}

// 50 specimens: the scatter of their masses is known to 0.3/√100 = 0.03, that of the scale is much the same, relatively.
void expect_truth(const results::Identification& found, const std::string& out) {
  const results::FreeParameter &cov = found.parameters[0], &scale = found.parameters[1];
  EXPECT_NEAR(cov.estimate, 0.3, 0.09) << out;
  EXPECT_NEAR(scale.estimate, 0.8, 0.24) << out;
  for (const results::FreeParameter& p : {cov, scale}) {
    EXPECT_LT(p.upper - p.lower, 0.5 * p.estimate + 0.1) << p.name << "\n" << out;
    EXPECT_FALSE(p.open_below || p.open_above) << p.name;
  }
}

class FiveBodies : public testing::TestWithParam<int> {};

TEST_P(FiveBodies, truth_is_in_the_joint_region) {
  const Folder folder;
  measure_five_bodies(folder, GetParam());
  write_study(folder, 500, 70);
  const Outcome o = identify(folder);
  ASSERT_EQ(o.code, 0) << o.out << o.err;
  const results::Identification found = found_in(folder);
  EXPECT_TRUE(says(o.out, "The values in the model are inside the joint 95 % region")) << o.out;
  EXPECT_LT(found.written_drop, found.region_drop);
  // Half the quantile of χ²₄, times Bartlett's factor of mean and variance of 50 normal numbers, 1 + 11/(12·50) + O(1/50²)
  EXPECT_NEAR(found.region_drop, 9.4877 / 2 * (1 + 11.0 / 600), 3e-3);
  EXPECT_EQ(found.measured.specimens.size(), 50u);
  expect_truth(found, o.out);
}
INSTANTIATE_TEST_SUITE_P(repeated, FiveBodies, testing::Values(1, 2));

// A mass on a spring with random mass and stiffness.
class TwinOscillator : public testing::Test {
 protected:
  void SetUp() override {
    folder.write(
        "m.yaml",
        replaced(pushed_mass("uncertain:\n  a: {mass: {cov: 0.2}}\n  f: {normal: {std: 0.3}}\n", "f: 2, k: 10, c: 0, m: 1"),
                 "  x: {position: a, component: x}\n", "  x: {position: a, component: x}\n  v: {velocity: a, component: x}\n"));
  }
  void measure(const std::vector<std::string>& more = {}) {
    std::vector<std::string> all = {"twin", "m.yaml", "--specimens", "40", "--noise", "2%", "--out", "measured"};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome made = aleator(all, folder.path());
    ASSERT_EQ(made.code, 0) << made.err;
  }
  void write_study(int samples, const std::string& likelihood) {
    folder.write("id.yaml", "model: m.yaml\ndata: {specimens: measured, noise: {x: 0.005, v: 0.01}}\nsamples: " +
                                std::to_string(samples) + "\nlikelihood: " + likelihood +
                                "\nevaluations: 40\nfree:\n  a.mass.cov: {from: 0.05, to: 0.5}\n  f.std: {from: 0.1, to: 0.9}\n");
  }
  // The table of the terminal and all evaluations.
  std::string numbers(const std::string& out, const std::vector<std::string>& more = {}) {
    std::vector<std::string> all = {"identify", "id.yaml", "--no-report", "--out", out};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome o = aleator(all, folder.path());
    EXPECT_EQ(o.code, 0) << o.out << o.err;
    printed = o.out;
    const results::Identification found = found_in(folder, out + "/results.h5");
    std::string text = o.out.substr(0, o.out.find("realizations in"));
    for (const results::FreeParameter& p : found.parameters) {
      char line[200];
      std::snprintf(line, sizeof line, "%.17g %.17g %.17g\n", p.estimate, p.lower, p.upper);
      text += line;
    }
    return text;
  }
  Folder folder;
  std::string printed;
};

TEST_F(TwinOscillator, same_numbers_with_any_number_of_threads) {
  measure();
  for (const char* likelihood : {"kernel", "integral"}) {
    write_study(300, likelihood);
    EXPECT_EQ(numbers("one", {"--threads", "1"}), numbers("two", {"--threads", "2"}));
    EXPECT_EQ(text_of_file(folder / "one/evaluations.csv"), text_of_file(folder / "two/evaluations.csv"));
  }
}

// With little noise, what is found is what the masses and forces of the specimens themselves have, to a tenth with kernels (those of
// 2,000 realizations, and the noise; the search among 40 points ends within another fiftieth), to a fiftieth with the integral (the noise alone: in the variance its square, some 2 %): maximum
// likelihood of a Gamma law of mean 1, and of a normal one of mean 2.
TEST_F(TwinOscillator, gaps_and_irregular_times_do_no_harm) {
  measure({"--gaps", "0.1", "--irregular"});
  const Csv truth = [&] {
    const std::string text = text_of_file(folder / "measured/truth.txt");
    return parse_csv_text(text.substr(text.find("specimen,")));
  }();
  double square = 0, best = 0, largest = -1e300;
  for (const double f : truth.column("f")) square += std::pow(f - 2, 2) / 40;
  for (double cov = 0.1; cov < 0.3; cov += 0.001) {
    const double shape = 1 / (cov * cov);
    double sum = 0;
    for (const double m : truth.column("a.mass"))
      sum += shape * std::log(shape) - std::lgamma(shape) + (shape - 1) * std::log(m) - shape * m;
    if (sum > largest) largest = sum, best = cov;
  }
  for (const bool whole : {false, true}) {
    write_study(2000, whole ? "integral" : "kernel");
    numbers("o");
    const results::Identification found = found_in(folder);
    const double tolerance = whole ? 0.02 : 0.12;
    EXPECT_NEAR(found.parameters[0].estimate / best, 1, tolerance) << printed;
    EXPECT_NEAR(found.parameters[1].estimate / std::sqrt(square), 1, tolerance) << printed;
    EXPECT_EQ(found.components, whole ? 0 : 2) << "mass and force are all that is random";
    EXPECT_TRUE(says(printed, "The model explains the measurements")) << printed;
  }
}

TEST_F(TwinOscillator, resumed_search_ends_with_the_numbers_of_one_that_was_not_interrupted) {
  measure();
  write_study(4000, "kernel");
  const Outcome cut =
      aleator({"identify", "id.yaml", "--no-report", "--out", "cut"}, folder.path(), 0.3, SIGINT, "cut/evaluations.csv");
  ASSERT_EQ(cut.code, 130) << cut.out << cut.err;
  EXPECT_TRUE(says(cut.err, "interrupted; --resume continues with the evaluations in cut/evaluations.csv")) << cut.err;
  const std::string part = text_of_file(folder / "cut/evaluations.csv");
  const long lines = std::count(part.begin(), part.end(), '\n');
  EXPECT_GT(lines, 2) << part;
  EXPECT_LT(lines, 42) << part;
  const std::string resumed = numbers("cut", {"--resume"});
  const std::string whole = numbers("whole");
  EXPECT_EQ(resumed, whole);
  // killed, again and again, with a line that a loss of power has torn
  for (const double after : {0.2, 0.1, 0.3}) {
    std::vector<std::string> arguments = {"identify", "id.yaml", "--no-report", "--out", "killed", "--resume"};
    ASSERT_EQ(aleator(arguments, folder.path(), after, SIGKILL, "killed/evaluations.csv").code, 1000 + SIGKILL);
  }
  std::string torn = text_of_file(folder / "killed/evaluations.csv");
  torn.resize(torn.size() - 9);
  folder.write("killed/evaluations.csv", torn + std::string(8, '\0') + "\n");
  EXPECT_EQ(numbers("killed", {"--resume"}), whole);
  // another study begins anew
  const Outcome other =
      aleator({"identify", "id.yaml", "--no-report", "--out", "cut", "--resume", "--samples", "50"}, folder.path());
  EXPECT_FALSE(says(other.err, "going on")) << other.err;
}

// A mass on a spring from rest at −0.1 m, with ranges that nobody gave. The stiffness of a specimen is known to a thousandth, so that the
// likelihood of the distribution is that of the stiffnesses themselves, a lognormal law in closed form.
class TwinSpring : public testing::Test {
 protected:
  void SetUp() override {
    folder.write("m.yaml",
                 "parameters: {k: 100}\nbodies:\n  a: {shape: {sphere: {radius: 0.1}}, mass: 1, at: [-0.1, 0, 0]}\n"
                 "joints:\n  guide: {prismatic: [ground, a], axis: x, at: [-0.1, 0, 0]}\n"
                 "forces:\n  s: {spring_damper: [ground, a], points: [[-1.1, 0, 0], [-0.1, 0, 0]], stiffness: k, damping: 1.5, "
                 "length: 1.1}\n"
                 "outputs:\n  x: {position: a, component: x}\n"
                 "simulation: {duration: 3, step: 1e-2, output_step: 2e-2, integrator: runge-kutta}\n"
                 "uncertain:\n  k: {lognormal: {mean: 100, cov: 0.25}}\n");
    ASSERT_EQ(aleator({"twin", "m.yaml", "--specimens", "20", "--set", "k.cov=0.1", "--noise", "1%", "--seed", "3", "--out",
                       "measured"},
                      folder.path())
                  .code,
              0);
    const std::string text = text_of_file(folder / "measured/truth.txt");
    for (const double k : parse_csv_text(text.substr(text.find("specimen,"))).column("k")) logs.push_back(std::log(k));
  }
  Outcome identified(const std::string& more, const std::vector<std::string>& arguments = {}) {
    folder.write("id.yaml",
                 "model: m.yaml\ndata: {specimens: measured, noise: 0.000339}\nfree: {k.cov: {}, k.mean: {}}\n" + more);
    return identify(folder, arguments);
  }
  // Of log k: −n log s − Σ (log k − m)²/2s², s² = log(1 + cov²), m = log mean − s²/2.
  double exact(double cov, double mean) const {
    const double s2 = std::log1p(cov * cov), m = std::log(mean) - s2 / 2;
    double sum = 0;
    for (const double l : logs) sum -= 0.5 * std::log(s2) + (l - m) * (l - m) / (2 * s2);
    return sum;
  }
  Folder folder;
  std::vector<double> logs;
};

TEST_F(TwinSpring, distribution_is_that_of_the_closed_form_whatever_the_seed) {
  double m = 0, s2 = 0;
  for (const double l : logs) m += l / 20;
  for (const double l : logs) s2 += (l - m) * (l - m) / 20;
  const double mean = std::exp(m + s2 / 2), cov = std::sqrt(std::expm1(s2));
  for (const char* seed : {"1", "2"}) {
    const Outcome o = identified("", {"--seed", seed});
    ASSERT_EQ(o.code, 0) << o.out << o.err;
    EXPECT_TRUE(says(o.out, "The model explains the measurements")) << o.out;
    const results::Identification found = found_in(folder);
    EXPECT_EQ(found.likelihood, "integral");
    // The noise moves a stiffness by a few thousandths, of which the scatter is a tenth: squares of that.
    const results::FreeParameter &c = found.parameters[0], &e = found.parameters[1];
    EXPECT_NEAR(c.estimate / cov, 1, 0.01);
    EXPECT_NEAR(e.estimate / mean, 1, 0.002);
    // At the ends the likelihood, the other parameter at its best, is lower by half the quantile of χ²₁, times Bartlett's factor of a variance
    // from 20 normal numbers, 20 (ln 20 − E ln χ²₁₉) − 1; the surrogate is verified there to 0.15.
    constexpr double drop = 3.8415 / 2 * 1.097;
    const double largest = exact(cov, mean);
    const auto highest = [&](bool of_cov, double end) {
      double best = -1e300;
      for (int i = -400; i <= 400; ++i)
        best = std::max(best, of_cov ? exact(end, mean * (1 + 2e-4 * i)) : exact(cov * (1 + 2e-3 * i), end));
      return largest - best;
    };
    for (const double end : {c.lower, c.upper}) EXPECT_NEAR(highest(true, end), drop, 0.15) << o.out;
    for (const double end : {e.lower, e.upper}) EXPECT_NEAR(highest(false, end), drop, 0.15) << o.out;
    EXPECT_LT(found.surrogate_error, 0.3);
  }
}

TEST_F(TwinSpring, noise_that_is_stated_too_small_is_no_explanation) {
  folder.write("id.yaml", "model: m.yaml\ndata: {specimens: measured, noise: 0.0002}\nfree: {k.cov: {}}\n");
  const Outcome o = identify(folder);
  EXPECT_EQ(o.code, 1) << o.out << o.err;
  // 0.000339/0.0002, of 3,000 points: to 1.3 %
  EXPECT_TRUE(says(o.out, "what remains of the specimens where the model follows them best is 1.7 times as large as their noise"))
      << o.out;
  EXPECT_TRUE(says(o.out, "warning: 20 of 20 specimens cannot be followed by the model to within their noise")) << o.out;
}

// Kernels in four components blur the curve on which the responses to one random number lie: the spread that they find is too small, and
// with it the band.
TEST_F(TwinSpring, a_band_that_holds_too_few_points_is_no_explanation) {
  const Outcome o = identified("components: 4\n");
  EXPECT_EQ(o.code, 1) << o.out << o.err;
  EXPECT_TRUE(says(o.out, "\n4 principal components hold ")) << o.out;
  EXPECT_TRUE(says(o.out, "The model does not explain the measurements (p")) << o.out;
  EXPECT_TRUE(says(o.out, "% of the measured points of x, which is too few")) << o.out;
  EXPECT_TRUE(says(o.out, "warning: only 1 number of the model is random")) << o.out;
}

// A pendulum whose mean length is known to a fiftieth of its range: the search spends all of its evaluations in that narrow region, and the
// log-likelihood at the ends of the intervals was known to 6 only.
TEST(Pendulum, what_the_answer_rests_on_is_verified_beyond_the_search) {
  const Folder folder;
  folder.write("m.yaml", R"yaml(
gravity: [0, 0, -9.81]
parameters: {L: 1, d: 0.2}
bodies: {bob: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1, at: [0, 0, 0]}}
joints: {pivot: {revolute: [ground, bob], axis: y, at: ["-L*sin(0.6)", 0, "L*cos(0.6)"], damper: d}}
outputs: {angle: {coordinate: pivot}}
uncertain: {L: {normal: {mean: 1, std: 0.05}}, d: {lognormal: {mean: 0.2, cov: 0.3}}}
simulation: {duration: 4, step: 0.01, output_step: 0.05, integrator: runge-kutta}
)yaml");
  ASSERT_EQ(
      aleator({"twin", "m.yaml", "--specimens", "20", "--noise", "2%", "--seed", "1020", "--out", "measured"}, folder.path())
          .code,
      0);
  folder.write("id.yaml",
               "model: m.yaml\ndata: {specimens: measured, noise: 0.013927071185542959}\nseed: 20\n"
               "free: {L.mean: {}, L.std: {}, d.mean: {}, d.cov: {}}\n");
  const Outcome o = identify(folder);
  EXPECT_EQ(o.code, 0) << o.out << o.err;
  EXPECT_LE(found_in(folder).surrogate_error, 0.3) << o.out;  // the goal, beyond which there is a warning
  EXPECT_LT(found_in(folder).evaluations, 600);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
