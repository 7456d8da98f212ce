// identify where the answer is known in closed form: all its methods, on a mass on a spring.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <random>
#include <sstream>

#include "identify_files.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const std::vector<double> times = [] {
  std::vector<double> out;
  for (int i = 1; i <= 20; ++i) out.push_back(0.05 * i);
  return out;
}();

// Independent normal numbers, the same on every machine.
class Normals {
 public:
  explicit Normals(unsigned seed) : generator_(seed) {}
  double operator()() {
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }
  double uniform() { return (generator_() + 0.5) / 4294967296.0; }

 private:
  std::mt19937 generator_;
};

// Lines of evaluations.csv after the remark.
Csv evaluations(const Folder& folder) {
  const std::string text = text_of_file(folder / "o/evaluations.csv");
  return parse_csv_text(text.substr(text.find('\n') + 1));
}

// Gamma of mean 1: of coefficient of variation d, by the closed form of its density.
double log_gamma_density(double m, double d) {
  const double shape = 1 / (d * d);
  return shape * std::log(shape) - std::lgamma(shape) + (shape - 1) * std::log(m) - shape * m;
}

// log of ∫ p(m; d) Π_t N(y_t; x(m, t), σ²) dm over all specimens and all measured points, by the trapezoidal rule.
double exact_log_likelihood(const std::vector<std::vector<double>>& y, double sigma, double d) {
  constexpr int steps = 1000;
  constexpr double least = 0.02, most = 5;  // P(m > 5) < 1e-7 for d up to 0.5
  std::vector<double> law(steps + 1);
  std::vector<std::vector<double>> x(steps + 1);
  for (int i = 0; i <= steps; ++i) {
    const double m = least + (most - least) * i / steps;
    law[i] = log_gamma_density(m, d);
    for (const double t : times) x[i].push_back(pushed_position(2, 0.1, m, t));
  }
  double sum = 0;
  for (const std::vector<double>& specimen : y) {
    std::vector<double> terms;
    for (int i = 0; i <= steps; ++i) {
      double square = 0;
      for (size_t t = 0; t < times.size(); ++t) square += std::pow((specimen[t] - x[i][t]) / sigma, 2);
      terms.push_back(law[i] - square / 2);
    }
    const double largest = *std::max_element(terms.begin(), terms.end());
    double integral = 0;
    for (const double term : terms) integral += std::exp(term - largest);
    sum += largest + std::log(integral * (most - least) / steps) -
           double(times.size()) * std::log(sigma * std::sqrt(2 * std::numbers::pi));
  }
  return sum;
}

// The likelihood of every measured point, found from simulations and one principal component, is the exact one: within ωt ≤ 0.3 the
// response is nearly f/m g(t), what the second component adds is far below the noise. The noise of η is as large as the scatter:
// with little noise, kernels would make specimens more likely that are far out in the tails.
TEST(Identify, likelihood_of_an_oscillator_with_gamma_mass_is_that_of_the_closed_form) {
  constexpr double sigma = 0.5;
  constexpr int specimens = 100;
  const Folder folder;
  folder.write("m.yaml", pushed_mass("uncertain:\n  a: {mass: {cov: 0.4}}\n", "f: 2, k: 0.1, c: 0, m: 1"));
  folder.write("id.yaml",
               "model: m.yaml\ndata: {specimens: measured, noise: {x: 0.5}}\n"
               "free:\n  a.mass.cov: {from: 0.1, to: 0.5}\nsamples: 10000\nevaluations: 12\nlikelihood: kernel\ncomponents: 1\n");
  Normals normal(7);
  std::vector<std::vector<double>> y;
  for (int s = 0; s < specimens; ++s) {
    // m of mean 1 and coefficient of variation 0.3, Wilson and Hilferty's Gamma: any data will do to compare likelihoods
    const double shape = 1 / 0.09, m = std::pow(1 - 1 / (9 * shape) + normal() / (3 * std::sqrt(shape)), 3);
    y.emplace_back();
    for (const double t : times) y.back().push_back(pushed_position(2, 0.1, m, t) + sigma * normal());
  }
  write_specimens(folder, specimens, times, [&](int s, double t) { return y[size_t(s)][size_t(std::lround(t / 0.05)) - 1]; });
  const Outcome o = identify(folder);
  ASSERT_EQ(o.code, 0) << o.out << o.err;

  const Csv table = evaluations(folder);
  ASSERT_EQ(table.names, (std::vector<std::string>{"a.mass.cov", "log_likelihood"}));
  ASSERT_GE(table.rows.size(), 8u);
  double best = 0, largest = -1e300, least = 1e300;
  for (int i = 0; i <= 100; ++i) {
    const double d = 0.2 + 0.002 * i, l = exact_log_likelihood(y, sigma, d);
    if (l > largest) largest = l, best = d;
  }
  std::vector<double> exact, difference;
  for (const auto& row : table.rows) {
    exact.push_back(exact_log_likelihood(y, sigma, row[0]));
    difference.push_back(row[1] - exact.back());
    least = std::min(least, exact.back());
  }
  // The reduced observation has another volume than the measured points: a constant. Of a specimen the likelihood is right to 1 %,
  // in the geometric mean; the kernels of 10,000 realizations, which make a skewed law a little more normal, are wrong by 0.5 %.
  std::vector<double> sorted = difference;
  std::sort(sorted.begin(), sorted.end());
  const double constant = sorted[sorted.size() / 2];
  for (size_t i = 0; i < exact.size(); ++i) EXPECT_NEAR(difference[i], constant, 0.01 * specimens) << "cov " << table.rows[i][0];
  EXPECT_GT(largest - least, 10) << "far more than that";
  const results::Identification found = found_in(folder);
  EXPECT_NEAR(found.parameters[0].estimate / best, 1, 0.01);
  // where the exact likelihood has fallen by half the quantile of χ²₁
  const auto falls_to = [&](double end) {
    double inside = best, outside = end;
    for (int i = 0; i < 30; ++i) {
      const double middle = (inside + outside) / 2;
      (largest - exact_log_likelihood(y, sigma, middle) < 3.8415 / 2 ? inside : outside) = middle;
    }
    return inside;
  };
  EXPECT_NEAR(found.parameters[0].lower / falls_to(0.1), 1, 0.02);
  EXPECT_NEAR(found.parameters[0].upper / falls_to(0.5), 1, 0.02);
  EXPECT_EQ(found.components, 1);
}

// Twenty specimens pushed by normal forces: linear, and so of one component, exactly. What is measured says f_s + noise of
// variance σ²/Σg²; the posterior of the mean force is normal (conjugate).
class PushedByRandomForces : public testing::Test {
 protected:
  static constexpr int specimens = 20;
  static constexpr double sigma = 0.1, std_f = 0.5;

  void SetUp() override {
    folder.write("m.yaml", pushed_mass("uncertain:\n  f: {normal: {mean: 2, std: 0.5}}\n"));
    Normals normal(3);
    double square = 0;
    for (const double t : times) square += std::pow(g(t), 2);
    scatter = std_f * std_f + sigma * sigma / square;
    std::vector<std::vector<double>> y;
    for (int s = 0; s < specimens; ++s) {
      const double f = 2.1 + std_f * normal();
      double fitted = 0;
      y.emplace_back();
      for (const double t : times) y.back().push_back(f * g(t) + sigma * normal()), fitted += g(t) * y.back().back() / square;
      mean += fitted / specimens;
    }
    write_specimens(folder, specimens, times, [&](int s, double t) { return y[size_t(s)][size_t(std::lround(t / 0.05)) - 1]; });
  }
  void write_study(const std::string& more) {
    folder.write(
        "id.yaml",
        "model: m.yaml\ndata: {specimens: measured, noise: 0.1}\nlikelihood: moments\nsamples: 4000\nevaluations: 20\n" + more);
  }
  static double g(double t) { return pushed_position(1, 1, 1, t); }

  Folder folder;
  double mean = 0, scatter = 0;  // of the forces fitted to the specimens; variance of one of them
};

// The mean of 4,000 realizations is wrong by 0.5/√4000 = 0.008, their variance by 2 %: of the posterior's standard deviation of 0.11,
// 7 % and 1 %. Thrice that, and the 2,000 draws.
TEST_F(PushedByRandomForces, posterior_of_a_mean_is_conjugate) {
  write_study("method: bayesian\nfree:\n  f.mean: {from: 0.5, to: 4, prior: {normal: {mean: 1.5, std: 0.2}}}\n");
  const Outcome o = identify(folder);
  ASSERT_EQ(o.code, 0) << o.out << o.err;
  const double of_data = specimens / scatter, of_prior = 1 / (0.2 * 0.2), std = 1 / std::sqrt(of_data + of_prior);
  const double expected = (mean * of_data + 1.5 * of_prior) * std * std;
  const results::Identification found = found_in(folder);
  const results::FreeParameter& p = found.parameters[0];
  EXPECT_NEAR(p.mean, expected, 0.25 * std);
  EXPECT_NEAR(p.estimate, expected, 0.25 * std) << "the mode";
  EXPECT_NEAR(p.std / std, 1, 0.06);
  EXPECT_NEAR(p.credible_lower, p.mean - 1.96 * p.std, 0.15 * std);
  EXPECT_NEAR(p.credible_upper, p.mean + 1.96 * p.std, 0.15 * std);
  EXPECT_GT(p.r_hat, 0.98);
  EXPECT_LT(p.r_hat, 1.03);
  EXPECT_GE(p.effective_draws, 2000);
  EXPECT_GT(found.acceptance, 0.2);
  EXPECT_LT(found.acceptance, 0.9);
  EXPECT_GE(found.draws.size(), 1000u);
  EXPECT_TRUE(says(o.out, "mode")) << o.out;
}

// Of both: the mean and standard deviation of the forces are those of the specimens.
TEST_F(PushedByRandomForces, moments_find_mean_and_standard_deviation) {
  write_study("free:\n  f.mean: {from: 1, to: 3}\n  f.std: {from: 0.2, to: 1.2}\n");
  const Outcome o = identify(folder, {"--evaluations", "60"});
  ASSERT_EQ(o.code, 0) << o.out << o.err;
  const results::Identification found = found_in(folder);
  EXPECT_EQ(found.likelihood, "moments");
  // as above, and maximum likelihood has s²/(N − 1) of the realizations: of the standard deviation 1.1 %, thrice that
  const double error = std::sqrt(scatter / specimens);
  EXPECT_NEAR(found.parameters[0].estimate, mean, 0.25 * error);
  EXPECT_TRUE(found.parameters[1].lower < 0.5 && found.parameters[1].upper > 0.5) << o.out;
  EXPECT_TRUE(says(o.out, "The values in the model are inside the joint 95 % region")) << o.out;
}

// The spread is std (∫ g² dt / T)^½ with every set of random numbers.
TEST_F(PushedByRandomForces, sweep_is_proportional_to_the_standard_deviation) {
  folder.write("id.yaml", "model: m.yaml\nmethod: sweep\nplaces: 4\nsamples: 4000\nfree:\n  f.std: {from: 0.2, to: 0.8}\n");
  const Outcome o = identify(folder);
  ASSERT_EQ(o.code, 0) << o.out << o.err;
  double square = 0, sum = 0;
  for (const double t : times)
    square += std::pow(g(t), 2) / 21, sum += g(t) / 21;  // 21 times of the model; at the first, nothing
  std::istringstream in(text_of_file(folder / "o/sweep.csv"));
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "parameter,value,spread of x,standard error of it,width of the 90 % band of x");
  for (int k = 0; k < 4; ++k) {
    ASSERT_TRUE(std::getline(in, line));
    double std, spread, error, width;
    ASSERT_EQ(std::sscanf(line.c_str(), "f.std,%lf,%lf,%lf,%lf", &std, &spread, &error, &width), 4) << line;
    EXPECT_NEAR(std, 0.2 + 0.2 * k, 1e-9);
    EXPECT_NEAR(spread / (std * std::sqrt(square)), 1, 4 / std::sqrt(2 * 4000.0));  // four standard errors
    EXPECT_NEAR(error / (spread / std::sqrt(2 * 4000.0)), 1, 0.7);                  // of ten batches: known to 24 %
    EXPECT_NEAR(width / (2 * 1.6449 * std * sum), 1, 4 * 0.0235);                   // √(p(1−p)/N)/φ/z·√2 of quantiles
    EXPECT_NEAR(spread / std, found_in(folder).sweeps[0].spread[0][0] / 0.2, 1e-6);
  }
  EXPECT_FALSE(std::getline(in, line));
  EXPECT_TRUE(says(o.out, "Spread of the responses, 4000 realizations for each value")) << o.out;
}

// Damped free response of the pushed mass: x = f/k (1 − e^(−ζωt) (cos ω₁t + ζω/ω₁ sin ω₁t)).
double damped_position(double k, double c, double t) {
  const double a = c / 2, w = std::sqrt(k - a * a);
  return 2 / k * (1 - std::exp(-a * t) * (std::cos(w * t) + a / w * std::sin(w * t)));
}

// Of a longer time, with stiffness and damping to be found.
void write_damped(const Folder& folder, const std::string& parameters, const std::string& stiffness) {
  std::string text = pushed_mass("", parameters);
  text = replaced(text, "stiffness: k", "stiffness: " + stiffness);
  folder.write("m.yaml", replaced(text, "duration: 1", "duration: 10"));
  Normals normal(11);
  std::vector<double> later;
  for (int i = 1; i <= 100; ++i) later.push_back(0.1 * i);
  write_specimens(folder, 1, later, [&](int, double t) { return damped_position(1.3, 0.25, t) + 0.05 * normal(); });
}

TEST(Identify, least_squares_finds_stiffness_and_damping_with_their_standard_errors) {
  const Folder folder;
  write_damped(folder, "f: 2, k: 1, c: 0.1, m: 1", "k");
  for (const bool known : {true, false}) {
    folder.write("id.yaml", std::string("model: m.yaml\nmethod: least-squares\ndata: {specimens: measured") +
                                (known ? ", noise: 0.05" : "") + "}\nfree:\n  k: {from: 0.5, to: 3}\n  c: {from: 0.01, to: 1}\n");
    const Outcome o = identify(folder);
    ASSERT_EQ(o.code, 0) << o.out << o.err;
    const results::Identification found = found_in(folder, "o/nominal.h5");
    // (JᵀJ)⁻¹ σ² of the closed form, by central differences
    double kk = 0, kc = 0, cc = 0;
    for (int i = 1; i <= 100; ++i) {
      const double t = 0.1 * i, h = 1e-5;
      const double dk = (damped_position(1.3 + h, 0.25, t) - damped_position(1.3 - h, 0.25, t)) / (2 * h);
      const double dc = (damped_position(1.3, 0.25 + h, t) - damped_position(1.3, 0.25 - h, t)) / (2 * h);
      kk += dk * dk, kc += dk * dc, cc += dc * dc;
    }
    const double determinant = kk * cc - kc * kc;
    const double error[] = {0.05 * std::sqrt(cc / determinant), 0.05 * std::sqrt(kk / determinant)}, truth[] = {1.3, 0.25};
    for (int i = 0; i < 2; ++i) {
      const results::FreeParameter& p = found.parameters[size_t(i)];
      // J is taken at the estimate, an error or two away. Of unknown noise its own estimate is wrong by 1/√196 = 7 %.
      EXPECT_NEAR(p.std / error[i], 1, known ? 0.03 : 0.2) << p.name;
      EXPECT_NEAR(p.estimate, truth[i], 3 * error[i]) << p.name;
      EXPECT_NEAR(p.upper - p.estimate, 1.984 * p.std, 0.01 * p.std) << "Student's law with 98 degrees of freedom";
    }
    EXPECT_NEAR(found.correlation[1], -kc / std::sqrt(kk * cc), 0.03);
    EXPECT_TRUE(says(o.out, known ? "The model explains the measurements" : "How exact the measurements are is not given"))
        << o.out;
  }
}

TEST(Identify, least_squares_says_what_cannot_be_told_apart) {
  const Folder folder;
  write_damped(folder, "f: 2, k: 0.5, k2: 0.5, c: 0.25, m: 1", "k + k2");
  folder.write("id.yaml",
               "model: m.yaml\nmethod: least-squares\ndata: {specimens: measured, noise: 0.05}\n"
               "free:\n  k: {from: 0.1, to: 2}\n  k2: {from: 0.1, to: 2}\n");
  const Outcome o = identify(folder);
  EXPECT_EQ(o.code, 0) << o.out << o.err;
  const results::Identification found = found_in(folder, "o/nominal.h5");
  EXPECT_NEAR(found.parameters[0].estimate + found.parameters[1].estimate, 1.3, 0.03);
  ASSERT_FALSE(found.warnings.empty()) << o.out;
  EXPECT_TRUE(says(found.warnings[0], "k") && says(found.warnings[0], "k2")) << found.warnings[0];
  EXPECT_TRUE(says(o.out, "warning: " + found.warnings[0])) << o.out;
}

TEST(Identify, correlation_length_of_a_field_may_be_free) {
  const Folder folder;
  folder.write(
      "m.yaml",
      "plane: xy\ngravity: [0, -9.81]\nbodies:\n"
      "  link: {beam: [[0, 0], [1, 0]], section: {rectangle: {height: 0.02, width: 0.02}}, E: 1e9, nu: 0.3, density: 1000, "
      "elements: 4}\n"
      "joints:\n  wall: {fixed: [ground, link], at: [0, 0]}\n"
      "outputs:\n  tip: {position: link, at: [1, 0], component: y}\n"
      "simulation: {duration: 0.1, step: 1e-2}\n"
      "uncertain:\n  link: {E: {cov: 0.1, correlation: {matern32: 0.5}, terms: 2}}\n");
  folder.write("id.yaml",
               "model: m.yaml\nmethod: sweep\nplaces: 2\nsamples: 400\nfree:\n"
               "  link.E.correlation_length: {from: 0.1, to: 2}\n");
  const Outcome o = identify(folder);
  ASSERT_EQ(o.code, 0) << o.out << o.err;
  const results::Identification found = found_in(folder);
  ASSERT_EQ(found.sweeps.size(), 1u);
  // Softness that changes along the beam is averaged: the longer the correlation, the wider the tip scatters.
  EXPECT_GT(found.sweeps[0].spread[0][1], 1.1 * found.sweeps[0].spread[0][0]);
  folder.write("id.yaml", "model: m.yaml\nmethod: sweep\nfree:\n  link.E.correlation_length: {}\n");
  EXPECT_TRUE(says(identify(folder).err, "needs a range; it has no default"));
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
