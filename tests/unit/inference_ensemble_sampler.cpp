// The ensemble sampler: densities with known moments. Tolerances are five standard errors, std/√n with the n effective draws the sampler
// claims (std²√(2/n) for variances): a claim that is too good makes the tests fail.
#include "inference/ensemble_sampler.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <chrono>
#include <cmath>
#include <numbers>

#include "uncertainty/stream.hpp"

namespace aleator::inference {
namespace {

using Point = std::vector<double>;

Uniform uniforms(std::uint64_t seed) {
  return [s = Stream(seed, 3, 4)]() mutable { return s.uniform(); };
}

struct Timed {
  EnsembleSample sample;
  long evaluations = 0;
};

EnsembleSample sample(const LogDensity& f, const Point& centre, double scale, std::uint64_t seed = 1,
                      SamplerSettings settings = {}, const char* name = "") {
  const Uniform u = uniforms(seed);
  const Point scales(centre.size(), scale);
  const auto begin = std::chrono::steady_clock::now();
  const auto r = sample_ensemble(f, walkers_around(centre, scales, default_walkers(int(centre.size())), f, u), u, settings);
  const double t = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf("%s DE %.1f: steps %ld acc %.3f  ms %.1f  us/walkerstep %.3f\n", name, settings.differential, r.steps, r.acceptance,
              1e3 * t, 1e6 * t / double(r.steps * default_walkers(int(centre.size()))));
  for (const auto& p : r.parameters)
    std::printf("    mean %.4f std %.4f [%.4f %.4f] tau %.1f ess %.0f rhat %.4f\n", p.mean, p.std, p.lower, p.upper, p.tau,
                p.effective, p.r_hat);
  return r;
}

TEST(EnsembleSampler, measure) {
  const LogDensity ridge = [](std::span<const double> x) {
    double sum = 0, rest = 0;
    for (const double v : x) sum += v - 0.5;
    for (std::size_t j = 1; j < x.size(); ++j) rest += (x[j] - x[0]) * (x[j] - x[0]);
    return -sum * sum / (2 * 1e-6) - rest / (2 * 0.0025);
  };
  const LogDensity banana = [](std::span<const double> x) {
    const double a = (x[0] - 0.5) / 0.1, b = (x[1] - 0.4) / 0.05;
    return -a * a / 2 - (b - a * a) * (b - a * a) / 2 / 0.01;
  };
  const LogDensity half = [](std::span<const double> x) { return -x[0] * x[0] / 0.02 - x[1] * x[1] / 0.0002; };
  for (const double de : {0.0, 0.5, 0.8, 1.0}) {
    SamplerSettings s;
    s.differential = de;
    sample(ridge, Point(2, 0.5), 0.01, 1, s, "ridge2");
    sample(ridge, Point(4, 0.5), 0.01, 1, s, "ridge4");
    sample(ridge, Point(8, 0.5), 0.01, 1, s, "ridge8");
    sample(banana, Point{0.5, 0.4}, 0.01, 1, s, "banana");
    sample(half, Point{0, 0}, 0.01, 1, s, "half");
  }
}

}  // namespace
}  // namespace aleator::inference
