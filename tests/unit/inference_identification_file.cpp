// The file of `aleator identify`: what is read, what is assumed, and what is said when it is wrong.
#include "inference/identification_file.hpp"
#include "support/message_of.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace aleator::core::inference {
namespace ALEATOR_FILE {

using test::message_of;

using Method = IdentificationStudy::Method;

const std::string head = "model: ../m.yaml\ndata: {specimens: measured}\n";  // what follows begins in line 3

IdentificationStudy read(const std::string& text) { return read_identification_text(text, "a/study.yaml"); }

std::string reading_error(const std::string& text) {
  return message_of<input::InputError>([&] { read(text); });
}

double unknown(const std::string&) { return NAN; }

// The only free parameter, its range completed.
FreeName completed(const std::string& entry, bool planar = false, double written = NAN) {
  IdentificationStudy study = read(head + "free:\n  " + entry + "\n");
  complete_ranges(study, planar, [&](const std::string&) { return written; });
  return study.free[0];
}

std::string range_error(const std::string& entry, bool planar = false, double written = NAN) {
  return message_of<input::InputError>([&] { completed(entry, planar, written); });
}

TEST(IdentificationFile, everything_is_read) {
  const IdentificationStudy s = read(R"(title: Twenty beams on the shaker
model: ../five-body.yaml
set: {rb5.mass: 41}
data:
  specimens: [measured, more/a*.csv]
  time: t
  columns: {accel_z: az_top, p.x: px}
  noise: {accel_z: 0.5, p.x: 2}
  scale: 9.81
  time_scale: 1e-3
  time_offset: 0.25
  from: 0.001
  to: 0.02
free:
  rb5.mass.cov: {from: 0.05, to: 0.6, prior: {normal: {mean: 0.3, std: 0.1}}}
  rb5.center_of_mass.scale: {prior: uniform}
  rb5.inertia.lambda_l:
method: bayesian
likelihood: moments
energy: 0.999
components: 5
samples: 500
evaluations: 100
confidence: 90 %
band: 0.8
seed: 7
places: 5
)");
  EXPECT_EQ(s.title, "Twenty beams on the shaker");
  EXPECT_EQ(s.model, "five-body.yaml") << "a/../five-body.yaml";
  ASSERT_EQ(s.set.size(), 1U);
  EXPECT_EQ(s.set[0].name, "rb5.mass");
  EXPECT_EQ(s.set[0].value, 41);
  EXPECT_EQ(s.data.specimens, (std::vector<std::string>{"measured", "more/a*.csv"}));
  EXPECT_EQ(s.data.time, "t");
  ASSERT_EQ(s.data.columns.size(), 2U);
  EXPECT_EQ(s.data.columns[1].name, "p.x");
  EXPECT_EQ(s.data.columns[1].text, "px");
  ASSERT_EQ(s.data.noise.size(), 2U);
  EXPECT_EQ(s.data.noise[1].value, 2);
  ASSERT_EQ(s.data.scale.size(), 1U);
  EXPECT_EQ(s.data.scale[0].name, "");
  EXPECT_EQ(s.data.scale[0].value, 9.81);
  EXPECT_EQ(s.data.time_scale, 1e-3);
  EXPECT_EQ(s.data.time_offset, 0.25);
  EXPECT_EQ(s.data.from, 0.001);
  EXPECT_EQ(s.data.to, 0.02);
  ASSERT_EQ(s.free.size(), 3U);
  EXPECT_EQ(s.free[0].name, "rb5.mass.cov");
  EXPECT_EQ(s.free[0].at.line, 15);
  EXPECT_EQ(s.free[0].at.column, 3);
  EXPECT_EQ(s.free[0].to, 0.6);
  EXPECT_EQ(s.free[0].prior.kind, Prior::Kind::normal);
  EXPECT_EQ(s.free[0].prior.std, 0.1);
  EXPECT_EQ(s.free[1].prior.kind, Prior::Kind::uniform);
  EXPECT_TRUE(std::isnan(s.free[2].from)) << "nothing after the name: nothing given";
  EXPECT_EQ(s.method, Method::bayesian);
  EXPECT_EQ(s.likelihood, IdentificationStudy::Likelihood::moments);
  EXPECT_EQ(s.energy, 0.999);
  EXPECT_EQ(s.components, 5);
  EXPECT_EQ(s.samples, 500);
  EXPECT_EQ(s.evaluations, 100);
  EXPECT_EQ(s.confidence, 0.9);
  EXPECT_EQ(s.band, 0.8);
  EXPECT_EQ(s.seed, 7U);
  EXPECT_EQ(s.places, 5);
}

TEST(IdentificationFile, little_is_needed) {
  const IdentificationStudy s = read(head + "free: {rb5.mass.cov: {}}\n");
  EXPECT_EQ(s.method, Method::maximum_likelihood);
  EXPECT_EQ(s.likelihood, IdentificationStudy::Likelihood::automatic);
  EXPECT_TRUE(std::isnan(s.energy));
  EXPECT_EQ(s.components, 0);
  EXPECT_EQ(s.samples, 0);  // chosen by the number of specimens
  EXPECT_EQ(s.evaluations, 0);
  EXPECT_EQ(s.data.time_scale, 1);
  EXPECT_TRUE(std::isnan(s.data.from));
  EXPECT_EQ(read("model: m.yaml\nmethod: sweep\nfree: {rb5.mass.cov: {}}\n").data.at.line, 0) << "a sweep needs no data";
}

TEST(IdentificationFile, what_is_wrong_is_said) {
  EXPECT_EQ(reading_error(head + "free: {a.cov: {}}\nmetod: sweep\n"),
            "a/study.yaml:4:1: unknown key 'metod' (did you mean 'method'?)");
  EXPECT_EQ(reading_error(head + "free: {a.cov: {}}\npoints: {}\n"), "a/study.yaml:4:1: unknown key 'points'")
      << "those are of models";
  EXPECT_EQ(reading_error("model: m.yaml\ndata: {specimen: x}\nfree: {a.cov: {}}\n"),
            "a/study.yaml:2:8: data: unknown key 'specimen' (did you mean 'specimens'?)");
  EXPECT_EQ(reading_error("model: m.yaml\ndata: {time: t}\nfree: {a.cov: {}}\n"),
            "a/study.yaml:2:7: data: 'specimens' is missing");
  EXPECT_EQ(reading_error("data: {specimens: x}\nfree: {a.cov: {}}\n"), "a/study.yaml:1:1: 'model' is missing");
  EXPECT_EQ(reading_error(head), "a/study.yaml:1:1: 'free' is missing");
  EXPECT_EQ(reading_error("- 1\n"),
            "a/study.yaml:1:1: a study file must be a mapping of sections, found a list of 1: its lines begin with keys, such as "
            "'title:'");
  EXPECT_EQ(reading_error("model: m.yaml\nfree: {a.cov: {}}\n"),
            "a/study.yaml:1:1: 'data' is missing: maximum-likelihood needs measurements (only the method sweep does not)");
  EXPECT_EQ(reading_error(head + "free: {}\n"),
            "a/study.yaml:3:7: 'free' names no parameter to be identified (rb5.mass.cov: {from: 0.05, to: 0.6})");
  EXPECT_EQ(reading_error(head + "free: [a.cov]\n"), "a/study.yaml:3:7: 'free' must be a mapping of names, found a list of 1");
  EXPECT_EQ(reading_error(head + "free: {a.cov: {form: 1}}\n"),
            "a/study.yaml:3:16: free 'a.cov': unknown key 'form' (did you mean 'from'?)");
  EXPECT_EQ(reading_error(head + "free: {a.cov: {from: x}}\n").substr(0, 44), "a/study.yaml:3:22: free 'a.cov': 'from' uses");
  EXPECT_EQ(reading_error(head + "free: {a.cov: 3}\n"), "a/study.yaml:3:15: free 'a.cov' must be a mapping, found '3'");
  EXPECT_EQ(reading_error(head + "free: {a.cov: {}, a.cov: {}}\n").substr(0, 18), "a/study.yaml:3:19:");
  EXPECT_EQ(reading_error(head + "set: {a.cov: 1}\nfree: {a.cov: {}}\n"),
            "a/study.yaml:4:8: 'a.cov' cannot be both free and given in 'set'");
  EXPECT_EQ(reading_error(head + "free: {a.cov: {}}\nmethod: maximum_likelihood\n"),
            "a/study.yaml:4:9: 'method' must be maximum-likelihood, bayesian, least-squares or sweep, found 'maximum_likelihood' "
            "(did you mean 'maximum-likelihood'?)");
}

TEST(IdentificationFile, numbers_out_of_bounds_are_refused) {
  const auto with = [](const std::string& line) { return reading_error(head + "free: {a.cov: {}}\n" + line + "\n"); };
  EXPECT_EQ(with("confidence: 95"), "a/study.yaml:4:13: 'confidence' must be below 1, found 95 (did you mean 0.95?)");
  EXPECT_EQ(with("confidence: 1"), "a/study.yaml:4:13: 'confidence' must be below 1, found 1");
  EXPECT_EQ(with("energy: 1"), "no error");
  EXPECT_EQ(with("energy: 1.5"), "a/study.yaml:4:9: 'energy' must be at most 1, found 1.5 (did you mean 0.015?)");
  EXPECT_EQ(with("band: 0"), "a/study.yaml:4:7: 'band' must be positive, found 0");
  EXPECT_EQ(with("samples: 10"), "a/study.yaml:4:10: 'samples' must be at least 20, found 10");
  EXPECT_EQ(with("samples: 100.5"), "a/study.yaml:4:10: 'samples' must be a whole number, found '100.5'");
  EXPECT_EQ(with("evaluations: 2"), "a/study.yaml:4:14: 'evaluations' must be at least 3, found 2");
  EXPECT_EQ(with("evaluations: 2000000"), "a/study.yaml:4:14: 'evaluations' must be at most 1000000, found 2000000");
  EXPECT_EQ(with("places: 1"), "a/study.yaml:4:9: 'places' must be at least 2, found 1");
  EXPECT_EQ(with("seed: -1"), "a/study.yaml:4:7: 'seed' may not be negative, found -1");
  const auto data = [](const std::string& keys) {
    return reading_error("model: m.yaml\ndata: {specimens: x, " + keys + "}\nfree: {a.cov: {}}\n");
  };
  EXPECT_EQ(data("noise: -1"), "a/study.yaml:2:29: data: 'noise' may not be negative, found -1");
  EXPECT_EQ(data("noise: {a: -1}"), "a/study.yaml:2:33: data: 'noise.a' may not be negative, found -1");
  EXPECT_EQ(data("noise: [1]"),
            "a/study.yaml:2:29: data: 'noise' must be a number, or a mapping of names to numbers, found a list of 1");
  EXPECT_EQ(data("columns: a"), "a/study.yaml:2:31: data: 'columns' must be a mapping of names to texts, found 'a'");
  EXPECT_EQ(data("scale: {a: 0}"), "a/study.yaml:2:33: data: 'scale' may not be 0");
  EXPECT_EQ(data("time_scale: 0"), "a/study.yaml:2:34: data: 'time_scale' must be positive, found 0");
  EXPECT_EQ(data("from: 2, to: 1"), "a/study.yaml:2:35: data: 'to' must be after 'from' = 2, found 1");
}

TEST(FreeRanges, follow_from_the_meaning_of_the_name) {
  struct Case {
    const char* name;
    bool planar;
    double from, to;
  };
  for (const Case& c : {Case{"b.mass.cov", false, 0.01, 0.7}, Case{"beam.E.cov", false, 0.005, 1},
                        Case{"b.center_of_mass.scale", false, 0.05, 2}, Case{"b.inertia.lambda_l", false, -20, 0.4},
                        Case{"b.inertia.lambda_l", true, -20, -1.1}, Case{"b.inertia.lambda_u", true, -20, 0.9}}) {
    const FreeName f = completed(std::string(c.name) + ": {}", c.planar, 6);
    EXPECT_EQ(f.from, c.from) << c.name;
    EXPECT_EQ(f.to, c.to) << c.name;
  }
  EXPECT_EQ(completed("k: {}", false, 6).from, 2) << "others: a third of the value written";
  EXPECT_EQ(completed("k: {}", false, 6).to, 18);
  EXPECT_EQ(completed("k.std: {to: 5}", false, 6).to, 5) << "what is given counts";
  EXPECT_EQ(completed("beam.E.correlation_length: {from: 1, to: 2}").to, 2);
  EXPECT_EQ(completed("x: {from: -1, to: 1}").from, -1);
}

TEST(FreeRanges, are_refused_where_nothing_is_known_or_no_law_exists) {
  EXPECT_EQ(range_error("k: {}"), "a/study.yaml:4:3: free 'k' needs a range; it has no default: {from: .., to: ..}");
  EXPECT_EQ(range_error("k: {from: 1}", false, -3),
            "a/study.yaml:4:3: free 'k' needs a range; it has no default: {from: .., to: ..}");
  EXPECT_EQ(range_error("b.E.correlation_length: {from: 1}", false, 3),
            "a/study.yaml:4:3: free 'b.E.correlation_length' needs a range; it has no default: {from: .., to: ..}");
  EXPECT_EQ(
      range_error("b.mass.cov: {to: 0.8}"),
      "a/study.yaml:4:20: free 'b.mass.cov': 'to' must be below 0.7071, found 0.8: with more scatter than 1/sqrt(2) E{1/M^2} "
      "is infinite and the response has no variance");
  EXPECT_EQ(range_error("b.mass.cov: {from: 0}"),
            "a/study.yaml:4:22: free 'b.mass.cov': 'from' must be above 0, found 0: without scatter nothing is random");
  EXPECT_EQ(range_error("b.inertia.lambda_l: {to: -1}"), "no error");
  EXPECT_EQ(range_error("b.inertia.lambda_l: {to: -1}", true),
            "a/study.yaml:4:28: free 'b.inertia.lambda_l': 'to' must be below -1, found -1: above it, in a planar model, the "
            "response has no second moments");
  EXPECT_EQ(
      range_error("b.inertia.lambda_l: {to: 0.5}"),
      "a/study.yaml:4:28: free 'b.inertia.lambda_l': 'to' must be below 0.5, found 0.5: above it the response has no second "
      "moments");
  EXPECT_EQ(
      range_error("b.inertia.lambda_u: {to: 1}"),
      "a/study.yaml:4:28: free 'b.inertia.lambda_u': 'to' must be below 1, found 1: above it the distribution does not exist");
  EXPECT_EQ(range_error("k: {from: 2, to: 1}"), "a/study.yaml:4:20: free 'k': 'from' must be below 'to', found from 2 to 1");
  EXPECT_EQ(range_error("b.E.cov: {from: 2}"),
            "a/study.yaml:4:19: free 'b.E.cov': 'from' must be below 'to', found from 2 to 1 (default)");
}

TEST(Priors, are_checked) {
  EXPECT_EQ(range_error("k: {from: 1, to: 2, prior: {normal: {mean: 1}}}"),
            "a/study.yaml:4:39: free 'k': 'prior.normal.std' is missing");
  EXPECT_EQ(range_error("k: {from: 1, to: 2, prior: {lognormal: {mean: 0, std: 1}}}"),
            "a/study.yaml:4:49: free 'k': the mean of a lognormal prior must be positive, found 0");
  EXPECT_EQ(range_error("k: {from: -1, to: 2, prior: {lognormal: {mean: 1, std: 1}}}"),
            "a/study.yaml:4:13: free 'k': a lognormal prior is for positive numbers, but the range begins at -1");
  EXPECT_EQ(range_error("k: {from: 1, to: 2, prior: flat}"),
            "a/study.yaml:4:30: free 'k': 'prior' must be uniform, or a mapping with normal or lognormal, found 'flat'");
}

// The density integrates to moments that are those given: mean and standard deviation of the parameter itself.
TEST(Priors, have_the_moments_given) {
  for (const Prior::Kind kind : {Prior::Kind::normal, Prior::Kind::lognormal}) {
    const Prior prior{kind, 2, 0.5};
    double mass = 0, first = 0, second = 0;
    for (double x = 0.0005; x < 12; x += 0.001) {
      const double p = std::exp(log_density(prior, x));
      mass += p, first += p * x, second += p * x * x;
    }
    const double mean = first / mass;
    EXPECT_NEAR(mean, 2, 1e-3);  // the normal law is cut 4 standard deviations below its mean: 5e-4
    EXPECT_NEAR(std::sqrt(second / mass - mean * mean), 0.5, 1e-3);
  }
  EXPECT_EQ(log_density({}, -3), 0);
  EXPECT_EQ(log_density({Prior::Kind::lognormal, 1, 1}, 0), -std::numeric_limits<double>::infinity());
}

TEST(FreeRanges, of_scatter_are_not_for_least_squares) {
  IdentificationStudy study = read(head + "method: least-squares\nfree: {b.mass: {from: 1, to: 2}, b.mass.cov: {}}\n");
  EXPECT_EQ(message_of<input::InputError>([&] { complete_ranges(study, false, unknown); }),
            "a/study.yaml:4:34: free 'b.mass.cov' is a parameter of a distribution, which least-squares cannot identify: use "
            "maximum-likelihood or bayesian, or free a parameter of the model (rb5.mass)");
}

TEST(FreeRanges, need_nobody_who_knows_the_model_when_all_is_given) {
  IdentificationStudy study = read(head + "free: {k: {from: 1, to: 2}}\n");
  complete_ranges(study, false, unknown);
  complete_ranges(study, false, nullptr);
  EXPECT_EQ(study.free[0].to, 2);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::inference
