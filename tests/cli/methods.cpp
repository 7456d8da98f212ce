// Every method of propagation as a user meets it: numbers, accuracy, messages, what is exported.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/language_study.hpp"
#include "program.hpp"
#include "study_files.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

using results::StudyReader;

Outcome run(const Folder& folder, std::vector<std::string> extra) {
  std::vector<std::string> arguments = {"run", "m.yaml", "--out", "o"};
  arguments.insert(arguments.end(), extra.begin(), extra.end());
  return aleator(arguments, folder.path());
}

// One that ends well.
StudyReader study(const std::string& text, const Folder& folder, std::vector<std::string> extra = {}) {
  folder.write("m.yaml", text);
  extra.push_back("--overwrite");
  const Outcome o = run(folder, extra);
  EXPECT_EQ(o.code, 0) << o.err;
  return StudyReader(folder / "o");
}

std::string evidence_of(const StudyReader& r) {
  std::string all;
  for (const std::string& line : r.texts_attribute("/", "evidence")) all += line + "\n";
  return all;
}

// For a method that needs a random field.
std::string cantilever() {
  return "plane: xy\nbodies:\n"
         "  link: {beam: [[0, 0], [1, 0]], section: {rectangle: {height: 0.02, width: 0.01}}, material: steel, elements: 2}\n"
         "joints:\n  wall: {fixed: [ground, link], at: [0, 0]}\nforces:\n  load: {force: link, at: [1, 0], value: [0, 5]}\n"
         "outputs:\n  x: {displacement: link, at: [1, 0], component: y, limits: {above: 0.02}}\nscalars:\n  peak: {maximum: x}\n"
         "uncertain:\n  link: {E: {cov: 0.1, correlation: {exponential: 0.5}, terms: 2}}\n"
         "simulation: {duration: 0.04, step: 0.004}\nstudy: {variability: {wave_numbers: 6, phases: 5}}\n";
}

// Methods for rare events that take no sample of the distributions.
bool looks_at_failures_alone(const std::string& method) {
  return method == "form" || method == "sorm" || method == "importance-sampling" || method == "line-sampling";
}

double largest(const std::vector<double>& x) { return *std::max_element(x.begin(), x.end()); }

// Each method against 4000 realizations of Monte Carlo (standard errors σ/63 and σ/89): within five of them, and those of 400
// realizations (σ/20, σ/28); first order leaves out the curvature, which shifts the mean by 0.2 σ.
TEST(Methods, all_give_the_same_statistics) {
  const Folder folder;
  const StudyReader reference = study(oscillator("samples: 4000, seed: 9"), folder);
  const std::vector<double> mean = reference.numbers("/statistics/x/mean"), std = reference.numbers("/statistics/x/std");
  for (const std::string_view name : study_methods()) {
    const std::string method(name);
    if (method == "morris" || method == "variability" || looks_at_failures_alone(method))
      continue;  // no statistics; needs a random field
    const StudyReader r =
        study(oscillator(method == "enhanced-monte-carlo" ? "samples: 600" : "samples: 400"), folder, {"--method", method});
    EXPECT_EQ(r.texts_attribute("/", "method"), std::vector<std::string>{method});
    const std::vector<double> m = r.numbers("/statistics/x/mean"), s = r.numbers("/statistics/x/std"),
                              low = r.numbers("/statistics/x/lower"), high = r.numbers("/statistics/x/upper");
    ASSERT_EQ(m.size(), mean.size());
    const double tolerance = method == "first-order" ? 0.3 : 5 * std::hypot(1.0 / 63, 1.0 / 20);
    for (size_t i = 0; i < m.size(); ++i) {
      EXPECT_NEAR(m[i], mean[i], tolerance * largest(std)) << method << i;
      EXPECT_NEAR(s[i], std[i], tolerance * largest(std)) << method << i;
      // the band of 90 % is 3.3 σ wide of a normal law, and here not far from it
      if (i <= 5) continue;
      EXPECT_NEAR((high[i] - low[i]) / s[i], 3.29, 0.5) << method << i;
    }
  }
}

TEST(Methods, the_same_bits_on_any_number_of_threads) {
  const Folder one, two;
  for (const std::string_view method : study_methods()) {
    const std::string model = method == "variability"            ? cantilever()
                              : method == "enhanced-monte-carlo" ? oscillator("samples: 600, seed: 5")
                                                                 : oscillator();
    study(model, one, {"--method", std::string(method), "--threads", "1"});
    study(model, two, {"--method", std::string(method), "--threads", "2"});
    const Bits a = bits_of(one / "o"), b = bits_of(two / "o");
    EXPECT_GE(a.size(), 10u) << method;
    EXPECT_TRUE(a == b) << method;
  }
}

// Errors are stated and below what was asked for, with few realizations; the largest of all outputs counts.
TEST(Methods, an_accuracy_is_reached_early) {
  const Folder folder;
  const auto accuracy = [&](const StudyReader& r, const char* of) {
    return r.number_attribute("/statistics/x", std::string(of) + "_accuracy");
  };
  for (const std::string_view name : study_methods()) {
    const std::string method(name);
    // They have no errors of statistics to state, or reach another accuracy.
    if (method == "univariate-reduction") continue;  // it takes what it takes
    if (method == "first-order" || method == "morris" || method == "variability" || looks_at_failures_alone(method) ||
        method == "subset-simulation" || method == "enhanced-monte-carlo")
      continue;
    const StudyReader r = study(oscillator("accuracy: 5%"), folder, {"--method", method});
    EXPECT_LE(accuracy(r, "mean"), 0.05) << method;
    EXPECT_LE(accuracy(r, "std"), 0.05) << method;
    EXPECT_GT(accuracy(r, "std"), 0) << method;
    // of independent values 1/√(2 · 0.05²) = 200 realizations
    EXPECT_LE(r.number_attribute("/", "done"), 600) << method;
    EXPECT_EQ(evidence_of(r).find("the accuracy is not reached"), std::string::npos) << method;
  }
  // of the mean alone, that is less; of the band alone, more
  const double both = study(oscillator("accuracy: 5%"), folder).number_attribute("/", "done");
  const StudyReader mean = study(oscillator("accuracy: 5%, accuracy_of: [mean]"), folder);
  EXPECT_LT(mean.number_attribute("/", "done"), both);
  for (const char* method : {"monte-carlo", "auto"}) {
    std::string text = oscillator(std::string("accuracy: 2%, accuracy_of: [band], method: ") + method);
    if (method == std::string("auto"))
      text = replaced(text, "stiffness: k}", "stiffness: 100*(1 + 0.5*(floor(k) - 2*floor(k/2)))}");
    const StudyReader band = study(text, folder);
    EXPECT_LE(accuracy(band, "band"), 0.02) << method;
    EXPECT_GT(band.number_attribute("/", "done"), 64) << method;
  }
}

TEST(Methods, an_accuracy_that_is_not_reached_is_told) {
  const Folder folder;
  for (const char* method : {"monte-carlo", "sobol", "latin-hypercube", "polynomial-chaos"}) {
    const std::string wanted = method == std::string("polynomial-chaos") ? "1e-9" : "1%";
    folder.write("m.yaml", oscillator());
    const Outcome o = run(folder, {"--method", method, "--accuracy", wanted, "--samples", "100", "--overwrite"});
    EXPECT_EQ(o.code, 0) << o.err;
    const StudyReader r(folder / "o");
    const long n = long(r.number_attribute("/", "done"));
    EXPECT_EQ(n, method == std::string("latin-hypercube") ? 64 : 100);  // it grows by doubling
    const std::string words = "the accuracy is not reached with the " + std::to_string(n) + " realizations that `samples` allows";
    EXPECT_NE(o.out.find(words), std::string::npos) << o.out;
    EXPECT_NE(evidence_of(r).find(words), std::string::npos);
  }
}

// What an accuracy asks of an expansion: a quadrature takes all its points and says that it does not know; least squares with more terms than
// the first 64 realizations go on.
TEST(Methods, accuracy_of_expansions) {
  const Folder folder;
  const StudyReader q =
      study(oscillator("method: polynomial-chaos, accuracy: 1%, chaos: {coefficients: quadrature, order: 9}"), folder);
  EXPECT_EQ(q.number_attribute("/", "done"), 100);
  EXPECT_NE(evidence_of(q).find("whether the accuracy is reached is not known"), std::string::npos);
  const StudyReader l =
      study(oscillator("method: polynomial-chaos, accuracy: 1%, chaos: {coefficients: least-squares, order: 11}"), folder);
  EXPECT_GE(l.number_attribute("/", "done"), 78);  // terms
}

// --sensitivity with an expansion: it has them anyway, and its statistics are the same.
TEST(Methods, shares_of_an_expansion_cost_nothing) {
  const Folder plain, shares;
  for (const char* method : {"polynomial-chaos", "first-order", "univariate-reduction"}) {
    study(oscillator(), plain, {"--method", method});
    study(oscillator(), shares, {"--method", method, "--sensitivity"});
    EXPECT_TRUE(bits_of(plain / "o") == bits_of(shares / "o")) << method;
    EXPECT_TRUE(StudyReader(plain / "o").has("/sobol/x/first"));
  }
  shares.write("m.yaml", oscillator());
  const Outcome o = run(shares, {"--method", "morris", "--sensitivity", "--overwrite"});
  EXPECT_EQ(o.err, "m.yaml: note: morris does not compute Sobol indices\n");
  EXPECT_FALSE(StudyReader(shares / "o").has("/sobol"));
}

TEST(Methods, an_expansion_with_statistics_alone) {
  const Folder all, few;
  study(oscillator("samples: 100, method: polynomial-chaos"), all);
  const StudyReader r = study(oscillator("samples: 100, method: polynomial-chaos, keep: statistics"), few);
  EXPECT_FALSE(r.has("/responses/x"));
  EXPECT_TRUE(r.numbers("/samples/inputs").empty());
  Bits a = bits_of(all / "o"), b = bits_of(few / "o");
  for (const char* name : {"mean", "std", "lower", "upper", "mean_error"}) {
    const std::string at = std::string("/statistics/x/") + name;
    EXPECT_TRUE(!a[at].empty() && a[at] == b[at]) << at;
  }
  EXPECT_TRUE(a["/chaos/outputs/x/coefficients"] == b["/chaos/outputs/x/coefficients"]);
  EXPECT_EQ(few.files(), (std::vector<std::string>{"m.yaml", "o/report.html", "o/results.h5"}));
}

TEST(Methods, a_quadrature_cannot_do_without_a_realization) {
  const Folder folder;
  folder.write("m.yaml",
               replaced(oscillator("method: polynomial-chaos, chaos: {coefficients: quadrature, order: 3}"),
                        "k: {uniform: {lower: 80, upper: 120}}\n  a: {mass: {cov: 0.1}}", "m: {uniform: {lower: -1, upper: 3}}"));
  const Outcome o = run(folder, {});
  EXPECT_EQ(o.code, 4);
  EXPECT_TRUE(o.err.starts_with(
      "m.yaml: polynomial-chaos: a quadrature needs all of its 4 realizations, and 1 failed; `coefficients: "
      "sparse` or `least-squares` tolerate failures\n"
      "1 of 4 realizations failed and are excluded from the statistics; the first: 0: m.yaml:4:45: body 'a': 'mass' may "
      "not be negative"))
      << o.err;
  const StudyReader r(folder / "o");
  EXPECT_EQ(r.numbers("/samples/status"), (std::vector<double>{1, 0, 0, 0}));
  for (const double x : r.numbers("/statistics/x/mean")) EXPECT_TRUE(std::isnan(x));
  // and a fit can
  folder.write("m.yaml",
               replaced(text_of_file(folder / "m.yaml"), "{coefficients: quadrature, order: 3}", "{coefficients: sparse}"));
  EXPECT_EQ(run(folder, {"--samples", "100"}).code, 5);
  EXPECT_FALSE(std::isnan(StudyReader(folder / "o").numbers("/statistics/x/mean")[3]));
}

TEST(Methods, what_cannot_be_expanded) {
  const Folder folder;
  folder.write("m.yaml", replaced(oscillator("samples: 50, method: polynomial-chaos"), "a: {mass: {cov: 0.1}}",
                                  "a: {inertia: {lambda_l: -5, lambda_u: -5}}"));
  const Outcome o = run(folder, {});
  EXPECT_EQ(o.code, 3);
  EXPECT_EQ(
      o.err,
      "m.yaml:15:30: study: method 'polynomial-chaos': a.inertia is drawn by rejection: no map from independent variables to "
      "its distribution is known, so that the response cannot be expanded in polynomials. Use a sampling method (sobol, "
      "latin-hypercube, "
      "monte-carlo), or fix it (--set)\n");
  EXPECT_EQ(folder.files(), std::vector<std::string>{"m.yaml"});
  // auto samples instead, says why, and stops when it is accurate enough
  const Outcome automatic = run(folder, {"--method", "auto", "--accuracy", "5%", "--samples", "5000"});
  EXPECT_EQ(automatic.code, 0) << automatic.err;
  const StudyReader r(folder / "o");
  EXPECT_TRUE(evidence_of(r).starts_with("auto: sampling (Sobol sequence), because a.inertia is drawn by rejection: "))
      << evidence_of(r);
  EXPECT_LT(r.number_attribute("/", "done"), 1000);
  // too high an order
  folder.write("m.yaml", oscillator("method: polynomial-chaos, chaos: {coefficients: quadrature, order: 2000}"));
  const Outcome many = run(folder, {});
  EXPECT_EQ(many.code, 3);
  EXPECT_EQ(many.err, "m.yaml:15:76: study: chaos: 'order' must be at most 100, found 2000\n");
}

// With 300 realizations: 64 of a Sobol sequence, then quadratures of 4, 16 and 49 points, which tell what to do with the others.
TEST(Auto, expands_what_is_smooth_and_samples_what_is_not) {
  const Folder folder;
  const StudyReader smooth = study(oscillator("samples: 300, method: auto"), folder);
  EXPECT_EQ(smooth.number_attribute("/", "done"), 64);
  EXPECT_TRUE(evidence_of(smooth).starts_with("auto: polynomial chaos for all outputs\n")) << evidence_of(smooth);
  EXPECT_TRUE(smooth.has("/chaos") && smooth.has("/sobol"));
  // a stiffness that jumps between 100 and 150 at every whole number of k: forty jumps over its range
  const std::string rough =
      replaced(oscillator("samples: 300, method: auto"), "stiffness: k}", "stiffness: 100*(1 + 0.5*(floor(k) - 2*floor(k/2)))}");
  const StudyReader jumps = study(rough, folder);
  EXPECT_EQ(jumps.number_attribute("/", "done"), 231);
  EXPECT_TRUE(evidence_of(jumps).starts_with("auto: sampling for all outputs\n")) << evidence_of(jumps);
  EXPECT_FALSE(jumps.has("/chaos"));
  // then its statistics are those of the Sobol sequence, bit for bit
  const Folder sobol;
  study(rough, sobol, {"--method", "sobol", "--samples", "231"});
  Bits a = bits_of(folder / "o"), b = bits_of(sobol / "o");
  for (const char* name : {"mean", "std", "lower", "mean_error"}) {
    const std::string at = std::string("/statistics/x/") + name;
    EXPECT_TRUE(!a[at].empty() && a[at] == b[at]) << at;
  }
  // output by output: one that follows k without jumps is smooth
  const std::string second = replaced(
      replaced(rough, "joints:\n", "joints:\n  free: {prismatic: [ground, b], axis: y, spring: {stiffness: 50 + k/2}}\n"),
      "bodies:\n", "bodies:\n  b: {shape: {sphere: {radius: 0.1}}, mass: 1, at: [0, 0, 0], velocity: [0, 1, 0]}\n");
  const StudyReader both = study(replaced(second, "outputs:\n", "outputs:\n  y: {position: b, component: y}\n"), folder);
  EXPECT_TRUE(evidence_of(both).starts_with("auto: polynomial chaos for the smooth outputs, sampling for the others\n"))
      << evidence_of(both);
  for (const double share : both.numbers("/sobol/x/first")) EXPECT_TRUE(std::isnan(share));
  EXPECT_NEAR(both.numbers("/sobol/y/first")[10], 1, 1e-6);  // of k: it is the only cause
}

// The expansion of order 7 in k and 7 in the mass, whose scatter moves the phase by ±0.4 rad each: the terms left out are below
// 0.4^8/8! = 2e-8, ten times that in the tails of the gamma law.
TEST(Evaluate, is_the_simulation_within_the_error_of_the_expansion) {
  const Folder folder;
  study(oscillator("method: polynomial-chaos, chaos: {coefficients: quadrature, order: 7}"), folder);
  for (const auto& [k, mass] : {std::pair{"90", "1.1"}, {"100", "1"}, {"118", "0.85"}}) {
    const std::vector<std::string> settings = {"--set", std::string("k=") + k, "--set", std::string("a.mass=") + mass};
    std::vector<std::string> evaluate = {"evaluate", "o"}, simulate = {"simulate", "m.yaml", "--csv", "-"};
    evaluate.insert(evaluate.end(), settings.begin(), settings.end());
    simulate.insert(simulate.end(), settings.begin(), settings.end());
    const Outcome o = aleator(evaluate, folder.path());
    ASSERT_EQ(o.code, 0) << o.err;
    const Csv a = parse_csv_text(o.out), b = parse_csv_text(aleator(simulate, folder.path()).out);
    EXPECT_EQ(a.names, (std::vector<std::string>{"time", "x"}));
    ASSERT_EQ(a.rows.size(), b.rows.size());
    for (size_t i = 0; i < a.rows.size(); ++i) EXPECT_NEAR(a.rows[i][1], b.rows[i][1], 1e-6) << k << " " << i;
  }
  // what is not set is at its mean: k = 100, mass 1
  EXPECT_NEAR(parse_csv_text(aleator({"evaluate", "o"}, folder.path()).out).rows[7][1],
              parse_csv_text(aleator({"evaluate", "o", "--set", "k=100", "--set", "a.mass=1"}, folder.path()).out).rows[7][1],
              1e-12);
  // a standard variable of k: 100 + 20 z
  EXPECT_NEAR(parse_csv_text(aleator({"evaluate", "o", "--set", "k.z=0.5"}, folder.path()).out).rows[7][1],
              parse_csv_text(aleator({"evaluate", "o", "--set", "k=110"}, folder.path()).out).rows[7][1], 1e-12);
}

TEST(Evaluate, wrong_names_and_values) {
  const Folder folder;
  study(replaced(oscillator("method: polynomial-chaos, samples: 60"), "  a: {mass: {cov: 0.1}}\n",
                 "  m: {normal: {std: 0.02}}\n  a: {mass: {cov: 0.1}, center_of_mass: {box: [0.01, 0.01, 0.01]}}\n"
                 "dependence:\n  tie: {correlation: [k, m], value: 0.5}\n"),
        folder);
  const auto expect = [&](const std::string& setting, const std::string& message) {
    const Outcome o = aleator({"evaluate", "o", "--set", setting}, folder.path());
    EXPECT_EQ(o.code, 2) << setting;
    EXPECT_EQ(o.err, "aleator: --set: " + message + "\n");
    EXPECT_EQ(o.out, "");
  };
  expect("kk=90", "the expansion has no variable 'kk' (did you mean 'k'?)");
  expect("gravity=90",
         "the expansion has no variable 'gravity' (known: k, m, a.mass, a.center_of_mass.u1, a.center_of_mass.u2, "
         "a.center_of_mass.u3)");
  expect("k=90", "k: depends on others; set the standard normal variable behind it: k.z=…");
  expect("a.mass=-1", "a.mass: -1 is impossible under its distribution (gamma, shape 100, rate 100): between 0 and inf");
  expect("a.center_of_mass.u1=1.5", "a.center_of_mass.u1: is a coordinate between 0 and 1, found 1.5");
  expect("k", "expects NAME=VALUE with a finite number, found 'k'");
  expect("k.z=high", "expects NAME=VALUE with a finite number, found 'k.z=high'");
  EXPECT_EQ(aleator({"evaluate", "o", "--set", "k.z=0.3", "--set", "a.center_of_mass.u1=0.5"}, folder.path()).code, 0);
  study(oscillator(), folder);
  const Outcome o = aleator({"evaluate", "o"}, folder.path());
  EXPECT_EQ(o.code, 3);
  EXPECT_EQ(o.err, "aleator: cannot read 'o/results.h5': it has no expansion; run with --method polynomial-chaos, or auto\n");
}

TEST(Export, expansion_correlations_and_screening) {
  const Folder folder;
  const auto exported = [&](const char* what) { return lines_of(aleator({"export", "o", what}, folder.path()).out); };
  study(oscillator("method: polynomial-chaos, chaos: {coefficients: quadrature, order: 2}"), folder);
  const std::vector<std::string> expansion = exported("expansion");
  ASSERT_EQ(expansion.size(), 1 + 9u);  // 3 × 3 terms of one output
  EXPECT_TRUE(expansion[0].starts_with("output,k,a.mass,0,0.02,0.040000000000000001,")) << expansion[0];
  EXPECT_TRUE(expansion[1].starts_with("x,0,0,0,"));  // the constant, and x(0) = 0
  EXPECT_TRUE(expansion[2].starts_with("x,1,0,"));
  EXPECT_TRUE(expansion[9].starts_with("x,2,2,"));
  EXPECT_EQ(std::count(expansion[9].begin(), expansion[9].end(), ','), 2 + 21);
  EXPECT_EQ(aleator({"export", "o", "screening"}, folder.path()).code, 3);

  study(oscillator(), folder);
  EXPECT_EQ(exported("correlations")[0],
            "time,x.pearson.k,x.pearson.a.mass,x.spearman.k,x.spearman.a.mass,x.partial_rank.k,x.partial_rank.a.mass");
  EXPECT_EQ(aleator({"export", "o", "expansion"}, folder.path()).code, 3);

  study(oscillator(), folder, {"--method", "morris"});
  EXPECT_EQ(
      exported("screening")[0],
      "time,x.mu.k,x.mu.a.mass,x.mu_star.k,x.mu_star.a.mass,x.mu_star_error.k,x.mu_star_error.a.mass,x.sigma.k,x.sigma.a.mass");
}

TEST(Morris, what_does_nothing_is_last_with_effect_0) {
  const Folder folder;
  const std::string with_dummy =
      replaced(replaced(oscillator("method: morris, screening: {trajectories: 12}"), "k: 100, m: 1", "k: 100, m: 1, dummy: 3"),
               "uncertain:\n", "uncertain:\n  dummy: {normal: {std: 1}}\n");
  const StudyReader r = study(with_dummy, folder);
  EXPECT_EQ(r.texts_attribute("/screening", "variables"), (std::vector<std::string>{"dummy", "k", "a.mass"}));
  EXPECT_EQ(r.number_attribute("/screening", "trajectories"), 12);
  EXPECT_EQ(r.number_attribute("/", "done"), 12 * 4);
  const std::vector<double> effect = r.numbers_attribute("/screening/x", "integrated_mu_star");
  EXPECT_EQ(effect[0], 0);
  EXPECT_EQ(r.numbers_attribute("/screening/x", "integrated_sigma")[0], 0);
  // σ_k/2k = 5.8 % and σ_m/2m = 5 % of the frequency: nearly the same; uniform and gamma have other tails
  EXPECT_GT(effect[1], 1);
  EXPECT_GT(effect[2], 1);
  for (const double mean : r.numbers("/statistics/x/mean")) EXPECT_TRUE(std::isnan(mean));  // a screening has no statistics
  // in the words of the summary it comes last
  const std::vector<std::string> words = r.texts_attribute("/", "evidence");
  EXPECT_NE(words.back().find("dummy"), std::string::npos) << words.back();
}

TEST(Methods, wrong_settings_are_told_where_they_are) {
  const Folder folder;
  const auto expect = [&](const std::string& settings, const std::string& message) {
    folder.write("m.yaml", oscillator(settings));
    const Outcome o = run(folder, {});
    EXPECT_EQ(o.code, 3) << settings;
    EXPECT_EQ(o.err, "m.yaml:15:" + message + "\n") << settings;
    EXPECT_EQ(folder.files(), std::vector<std::string>{"m.yaml"});
  };
  expect("chaos: {order: 0}", "24: study: 'chaos.order' must be positive, found 0");
  expect("chaos: {order: 2.5}", "24: study: 'chaos.order' must be a whole number, found '2.5'");
  expect("chaos: {orders: 2}", "17: study: unknown key 'chaos.orders' (did you mean 'order'?)");
  expect("chaos: {q: 2}", "20: study: chaos: 'q' must be above 0 and at most 1, found 2");
  expect("chaos: {q: 0}", "20: study: 'chaos.q' must be positive, found 0");
  expect("chaos: {evaluations: 1}", "30: study: chaos: 'evaluations' must be at least 2");
  expect("chaos: {coefficients: dense}",
         "31: study: 'chaos.coefficients' must be quadrature, sparse-quadrature, least-squares or sparse, found 'dense'");
  expect("chaos: {coefficients: sparse-quadrature, basis: tensor}",
         "57: study: chaos: 'basis' 'tensor' has products that a sparse quadrature does not integrate; use total-degree");
  expect("chaos: {design: faure}",
         "25: study: 'chaos.design' must be monte-carlo, latin-hypercube, sobol or halton, found 'faure'");
  expect("screening: {levels: 5}", "29: study: screening: 'levels' must be even, found 5");
  expect("univariate: {order: 1}", "29: study: univariate: 'order' must be at least 2, found 1");
  expect("univariate: {checks: 1}", "30: study: univariate: 'checks' must be 0, or at least 2: one realization tells no error");
  expect("accuracy: 2", "19: study: 'accuracy' must lie between 0 and 1 (0.01, or 1%), found 2");
  expect("accuracy: 0", "19: study: 'accuracy' must be positive, found 0");
  expect("accuracy_of: [mean]", "22: study: 'accuracy_of' needs 'accuracy', a number such as 1%");
  expect("accuracy: 5%, accuracy_of: [median]",
         "37: study: 'accuracy_of' must be mean, std or band, found 'median' (did you mean 'mean'?)");
  expect("method: sobl",
         "17: study: 'method' must be monte-carlo, latin-hypercube, sobol, halton, auto, polynomial-chaos, control-variate, "
         "multilevel, first-order, univariate-reduction, morris, variability, subset-simulation, form, sorm, "
         "importance-sampling, line-sampling or "
         "enhanced-monte-carlo, found 'sobl' (did you mean 'sobol'?)");
  expect("hypercube: centered",
         "20: study: 'hypercube' must be random, centred or optimised, found 'centered' (did you mean 'centred'?)");
  expect("replicates: 0", "21: study: 'replicates' must be positive, found 0");
  expect("levels: {factor: 1}", "26: study: levels: 'factor' must be at least 2, found 1");
  expect("levels: {count: 9}", "25: study: levels: 'count' must be between 2 and 8, found 9");
  expect("method: multilevel, levels: {coarsen: elements}",
         "17: study: method 'multilevel': no beam has elements to spare for a coarser mesh; coarsen the step instead, or give "
         "`elements`");
  expect(
      "method: multilevel, levels: {count: 6}",
      "17: study: method 'multilevel': level 1 would have a step of 4.096 s, which is long compared with the duration; use fewer "
      "levels "
      "or a smaller factor");
  // on the command line
  folder.write("m.yaml", oscillator());
  const Outcome o = run(folder, {"--accuracy", "2"});
  EXPECT_EQ(o.code, 2);
  EXPECT_EQ(o.err, "aleator: --accuracy: must lie between 0 and 1 (0.01, or 1%), found '2'\n");
  EXPECT_EQ(run(folder, {"--method", "guess"}).code, 2);
}

// Exported, predicted for another correlation, and part by part.
TEST(Methods, variability_as_a_user_meets_it) {
  const Folder folder;
  const StudyReader r = study(cantilever(), folder, {"--method", "variability"});
  EXPECT_EQ(r.number_attribute("/", "done"), 30);
  EXPECT_NE(evidence_of(r).find("variability: 6 wave numbers of link.E from 0 to 6.283 rad/m, 5 phases each"), std::string::npos)
      << evidence_of(r);
  const Outcome table = aleator({"export", "o", "variability"}, folder.path());
  EXPECT_TRUE(table.out.starts_with("time,wave_number,x.dvrf,x.dmrf\n0,0,")) << table.err;
  EXPECT_EQ(std::count(table.out.begin(), table.out.end(), '\n'), 1 + 6 * long(r.numbers("/time").size()));
  const Outcome predicted = aleator({"evaluate", "o", "--correlation", "exponential:0.5"}, folder.path());
  EXPECT_TRUE(predicted.out.starts_with("time,x.mean,x.std,x.bound\n")) << predicted.err;
  const Outcome refused = aleator({"evaluate", "o", "--correlation", "{exponentiel: 0.5}"}, folder.path());
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(refused.err.starts_with("aleator: --correlation: unknown key 'exponentiel' (did you mean 'exponential'?)"))
      << refused.err;
  study(cantilever(), folder, {"--samples", "4"});
  EXPECT_EQ(aleator({"evaluate", "o", "--correlation", "{exponential: 0.5}"}, folder.path()).code, 3);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
