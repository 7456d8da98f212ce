// How often the truth is inside the stated intervals and the joint region: the table of docs/identification.md. ALEATOR_SEEDS is another
// number of sets of specimens than 20. Beside it, of the same sets, what the random numbers themselves say, of which the specimens only
// show the motion: no identification knows more.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <aleator/aleator.hpp>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "results/identification.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::test {
namespace {

struct KnownTruth {
  const char *name, *model, *free, *noise;
  long specimens;
  bool normal_numbers;  // two columns, the first normal and the second lognormal, of mean and spread free
};

const KnownTruth cases[] = {{"pendulum", R"yaml(
gravity: [0, 0, -9.81]
parameters: {L: 1, d: 0.2}
bodies: {bob: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1, at: [0, 0, 0]}}
joints: {pivot: {revolute: [ground, bob], axis: y, at: ["-L*sin(0.6)", 0, "L*cos(0.6)"], damper: d}}
outputs: {angle: {coordinate: pivot}}
uncertain: {L: {normal: {mean: 1, std: 0.05}}, d: {lognormal: {mean: 0.2, cov: 0.3}}}
simulation: {duration: 4, step: 0.01, output_step: 0.05, integrator: runge-kutta}
)yaml",
                             "{L.mean: {}, L.std: {}, d.mean: {}, d.cov: {}}", "2%", 20, true},
                            {"quarter_car", R"yaml(
parameters: {ks: 2e4, kt: 2e5, mc: 350}
bodies:
  wheel: {shape: {box: [0.2, 0.2, 0.2]}, mass: 40, at: [0, 0, 0.3], velocity: [0, 0, 0.5]}
  car: {shape: {box: [1, 0.8, 0.3]}, mass: mc, at: [0, 0, 0.8]}
joints:
  hub: {prismatic: [ground, wheel], axis: z, spring: {stiffness: kt}, damper: 100}
  ride: {prismatic: [ground, car], axis: z}
forces: {suspension: {spring_damper: [wheel, car], points: [[0, 0, 0.3], [0, 0, 0.8]], stiffness: ks, damping: 1500}}
outputs: {wheel: {coordinate: hub}, car: {coordinate: ride}}
uncertain: {ks: {lognormal: {mean: 2e4, cov: 0.15}}, kt: {lognormal: {mean: 2e5, cov: 0.1}}, mc: {gamma: {mean: 350, cov: 0.2}}}
simulation: {duration: 1.5, step: 0.001, output_step: 0.01, integrator: runge-kutta}
)yaml",
                             "{ks.cov: {}, kt.cov: {}, mc.cov: {}}", "3%", 25, false}};

// 2ΔL of the mean and the spread of normal numbers.
double known(const std::vector<double>& x, double mean, double std) {
  const double n = double(x.size());
  double m = 0, c = 0;
  for (const double v : x) m += v / n;
  for (const double v : x) c += (v - m) * (v - m) / (std * std);
  return n * std::log(n / c) - n + c + n * (m - mean) * (m - mean) / (std * std);
}

double known_numbers(const std::string& file) {
  std::vector<double> length, damping;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    double specimen, realization, a, b;
    char comma;
    std::istringstream words(line);
    if (line[0] != '#' && words >> specimen >> comma >> realization >> comma >> a >> comma >> b)
      length.push_back(a), damping.push_back(std::log(b));
  }
  const double spread = std::sqrt(std::log1p(0.3 * 0.3));
  return known(length, 1, 0.05) + known(damping, std::log(0.2) - spread * spread / 2, spread);
}

class IdentificationCampaign : public testing::TestWithParam<int> {};

TEST_P(IdentificationCampaign, holds_the_truth) {
  const KnownTruth& of = cases[GetParam()];
  const core::test::TemporaryFolder folder;
  const std::string at = folder.path();
  std::ofstream(at + "/model.yaml") << of.model;
  const char* const asked = std::getenv("ALEATOR_SEEDS");
  const int sets = asked ? std::atoi(asked) : 20;
  int inside = 0, explained = 0, known_inside = 0;
  double mean = 0, known_mean = 0;
  std::vector<int> held;
  for (int set = 1; set <= sets; ++set) {
    RunOptions options;
    options.folder = at + "/measured";
    options.threads = 1;
    const Model model = load_model(at + "/model.yaml");
    const auto made =
        write_synthetic_data(model, {.specimens = of.specimens, .noise = {of.noise}, .seed = std::uint64_t(1000 + set)}, options);
    std::string noise;
    for (const SyntheticOutput& o : made) noise += fmt::format("{}{}: {}", noise.empty() ? "" : ", ", o.name, o.noise);
    std::ofstream(at + "/identify.yaml") << fmt::format(
        "model: model.yaml\ndata:\n  specimens: measured\n  noise: {{{}}}\nfree: {}\n", noise, of.free);
    IdentificationStudy study = read_identification(at + "/identify.yaml");
    study.seed = set;
    RunOptions in_memory;
    in_memory.threads = 1;
    const IdentificationResult r = identify(study, in_memory);
    held.resize(r.parameters.size());
    std::string words;
    for (std::size_t i = 0; i < r.parameters.size(); ++i) {
      const IdentifiedParameter& p = r.parameters[i];
      held[i] += p.written >= p.lower && p.written <= p.upper;
      words += fmt::format("  {} {:.4g} [{:.4g}, {:.4g}]", p.name, p.estimate, p.lower, p.upper);
    }
    inside += r.data->written_drop <= r.data->region_drop;
    explained += r.explained;
    mean += 2 * r.data->written_drop / sets;
    const double exact = of.normal_numbers ? known_numbers(at + "/measured/truth.txt") : 0;
    known_inside += exact <= 2 * r.data->region_drop;
    known_mean += exact / sets;
    fmt::print("{} {:2}: 2ΔL {:5.2f} (numbers known {:5.2f}, limit {:.2f}), ± {:.2f}{}\n", of.name, set, 2 * r.data->written_drop,
               exact, 2 * r.data->region_drop, r.data->surrogate_error, words);
    std::fflush(stdout);
  }
  fmt::print("{}: {} of {} in the region, mean 2ΔL {:.2f} (numbers known: {}, {:.2f}), explained {}; in the intervals", of.name,
             inside, sets, mean, known_inside, known_mean, explained);
  for (const int x : held) fmt::print(" {}", x);
  fmt::print("\n");
  // Some sets are unlikely ones: of 20, fewer than 18 hold the truth in 8 % of all cases where 95 % are meant. Where the numbers are known,
  // the identification must not do worse than they do, by more than one set at the edge.
  EXPECT_GE(inside, of.normal_numbers ? known_inside - 1 : 0.9 * sets);
}

INSTANTIATE_TEST_SUITE_P(Coverage, IdentificationCampaign, testing::Range(0, 2),
                         [](const auto& p) { return cases[p.param].name; });

}  // namespace
}  // namespace aleator::test
