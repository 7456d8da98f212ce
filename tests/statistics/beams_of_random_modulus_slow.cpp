// Natural frequencies of beams with a random Young's modulus, turning and loaded, against the transformation of its distribution by closed
// forms: a frequency that rises with E has at each value x the probability P(f < x) = P(E < f⁻¹(x)).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "dynamics/modal.hpp"
#include "ensemble/ensemble.hpp"
#include "support/run.hpp"
#include "support/sample_tests.hpp"
#include "support/turning_beam.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const double pi = std::acos(-1.0);

struct Sample {
  std::vector<double> E;
  std::vector<std::vector<double>> frequency;  // [mode][realization]
};

// Of a study of modes whose only random number is E.
Sample sampled(const std::string& yaml, const ModalRequest& request, long n) {
  const Model model = model_from(yaml), modal = modal_model(model, request);
  const RandomModel random(model);
  Sample out;
  out.frequency.resize(modal.channels.size() / 2);
  Ensemble(modal, random, Plan{n, 0}, 1).run({}, [&](SimulatedRow&& r) {
    ASSERT_TRUE(r.ok) << r.why;
    out.E.push_back(r.sample.at(0));
    for (size_t k = 0; k < out.frequency.size(); ++k) out.frequency[k].push_back(r.values.at(2 * k));
  });
  return out;
}

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::sqrt(2)); }

// A function of ln E that rises, and its inverse, by values between which it is straight.
struct Rising {
  std::vector<double> x, y;
  double at(double to) const { return between(x, y, to); }
  double inverse(double to) const { return between(y, x, to); }
  static double between(const std::vector<double>& x, const std::vector<double>& y, double to) {
    const size_t i = std::clamp<size_t>(size_t(std::upper_bound(x.begin(), x.end(), to) - x.begin()), 1, x.size() - 1);
    return y[i - 1] + (y[i] - y[i - 1]) * (to - x[i - 1]) / (x[i] - x[i - 1]);
  }
};

// A blade whose hub turns with ten times the unit of speed of the mean modulus. Centrifugal forces hold it, too, so that its frequencies
// scatter less than √E: by Southwell's rule f² = f₀² + a Ω², of which f₀² alone is proportional to E.
TEST(TurningBeams, frequencies_of_a_random_modulus) {
  constexpr int elements = 8;
  const double mean = 2e11, cov = 0.2, h = 0.004, density = 7800;
  const auto unit = [&](double E) { return std::sqrt(E * std::pow(h, 4) / 12 / (density * h * h)); };  // √(EI/m), L = 1
  const double speed = 10 * unit(mean);
  const Sample s = sampled("parameters: {E: 2e11, speed: " + text(speed) +
                               "}\nbodies:\n"
                               "  hub: {shape: {cylinder: {radius: 0.05, length: 0.1}}, mass: 5}\n"
                               "  blade: {beam: [[0, 0, 0], [1, 0, 0]], elements: 8, section: {rectangle: {height: 0.004, width: "
                               "0.004}}, height_along: [0, 0, "
                               "1], E: E, nu: 0, density: 7800}\n"
                               "joints:\n"
                               "  shaft: {revolute: [ground, hub], axis: z, at: [0, 0, 0], motion: speed*t}\n"
                               "  root: {fixed: [hub, blade], at: [0, 0, 0]}\n"
                               "uncertain: {E: {lognormal: {cov: 20%}}}\nsimulation: {duration: 1}\n",
                           {.number = 4, .about = "rotation"}, 300);
  const double sigma = std::sqrt(std::log(1 + cov * cov)), mu = std::log(mean) - 0.5 * sigma * sigma;
  // The lowest four: lag and flap of the first shape, lag and flap of the second.
  for (int mode = 0; mode < 4; ++mode) {
    SCOPED_TRACE(mode);
    // Elements of bending err by (wave number · their length)⁴/720 of f² of the flap. The wave numbers are λ of the beam at rest, and that of
    // the boundary layer at the root, which the tension ½ η² holds: η/√2. Shear, rotary inertia and the strain of the axis are less than
    // 1e-4. Of the lag, f² = f_flap² − Ω², all of this is as much larger as the flap's f² is.
    Rising closed, error;  // straight lines over 0.0125 of ln E: errors of 1e-5
    for (double z = -5; z <= 5; z += 0.0625) {
      const double E = std::exp(mu + sigma * z), eta = speed / unit(E), flap = flap_frequencies(eta, size_t(mode / 2) + 1).back();
      const double lag = std::sqrt(flap * flap - eta * eta), own = mode % 2 == 1 ? flap : lag;
      const double lambda = mode < 2 ? 1.875 : 4.694;
      const double of_square = (std::pow(eta / std::sqrt(2) / elements, 4) + std::pow(lambda / elements, 4)) / 720 + 1e-4;
      closed.x.push_back(std::log(E)), closed.y.push_back(unit(E) * own / (2 * pi));
      error.x.push_back(std::log(E)), error.y.push_back(0.5 * of_square * std::pow(flap / own, 2));
    }
    const std::vector<double>& f = s.frequency[size_t(mode)];
    for (size_t k = 0; k < f.size(); ++k) {
      const double x = std::log(s.E[k]);
      ASSERT_NEAR(f[k] / closed.at(x), 1, error.at(x)) << s.E[k];
    }
    // As a distribution: a relative error of f moves ln E by so much of its derivative, and probabilities by the density of that.
    double moved = 0;
    for (size_t i = 1; i < closed.x.size(); ++i) {
      const double slope = std::log(closed.y[i] / closed.y[i - 1]) / (closed.x[i] - closed.x[i - 1]),
                   z = (closed.x[i] - mu) / sigma;
      moved = std::max(moved, std::exp(-0.5 * z * z) / (std::sqrt(2 * pi) * sigma) * error.y[i] / slope);
    }
    EXPECT_LT(moved, 0.05);
    EXPECT_LT(kolmogorov(f, [&](double x) { return normal_cdf((closed.inverse(x) - mu) / sigma); }),
              kolmogorov_bound + std::sqrt(double(f.size())) * moved);
  }
}

// A column under two thirds of the load at which one of the mean modulus buckles: ω² = (π/L)⁴ I/m (E − E_c), E_c = P L²/(π² I). Its frequency
// falls to zero where the modulus is E_c; of a frequency the scatter is E/(E − E_c) = 3 times that of the unloaded column.
TEST(BucklingBeams, frequencies_of_a_random_modulus) {
  const double mean = 2e11, cov = 0.06, L = 2, area = 0.01 * 0.02, second = 0.02 * 1e-6 / 12, mass = 7800 * area;
  const double critical = 2. / 3 * mean, P = critical * pi * pi * second / (L * L);
  const std::string column =
      "plane: xy\nparameters: {E: 2e11}\n"
      "bodies: {column: {cable: [[0, 0], [2, 0]], elements: 12, section: {rectangle: {height: 0.01, width: 0.02}}, E: E, nu: "
      "0.3, "
      "density: 7800}}\n"
      "joints:\n  foot: {revolute: [ground, column], at: [0, 0]}\n"
      "  head: {point_on_line: [ground, column], axis: x, at: [2, 0]}\n"
      "forces: {press: {force: column, at: [2, 0], value: [" +
      text(-P) + ", 0]}}\nuncertain: {E: {normal: {cov: 6%}}}\nsimulation: {duration: 1}\n";
  const Sample s = sampled(column, {.number = 1, .about = "equilibrium"}, 2000);
  const double factor = std::pow(pi / L, 4) * second / mass;
  const auto closed = [&](double E) { return std::sqrt(factor * (E - critical)) / (2 * pi); };
  for (size_t k = 0; k < s.E.size(); ++k) {
    // As of the column in tests/analytic: 1e-4 of the ω² of the unloaded one
    const double f = s.frequency[0][k], w = std::pow(2 * pi * f, 2), w0 = factor * s.E[k];
    ASSERT_NEAR(w, std::pow(2 * pi * closed(s.E[k]), 2), 1e-4 * w0) << s.E[k];
  }
  const auto cdf = [&](double x) { return normal_cdf(((std::pow(2 * pi * x, 2) / factor + critical) / mean - 1) / cov); };
  // An error of 1e-4 ω₀² moves E by 1e-4 E, which is 1/600 of its standard deviation: less than 0.7e-3 of a probability.
  EXPECT_LT(kolmogorov(s.frequency[0], cdf), kolmogorov_bound + std::sqrt(2000) * 0.7e-3);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
