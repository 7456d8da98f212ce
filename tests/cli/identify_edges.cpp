// identify at its edges: what cannot work is refused with a reason, what can goes on.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "identify_files.hpp"
#include "support/model_text.hpp"
#include "support/places.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const std::vector<double> times = {0.25, 0.5, 0.75, 1};  // the last one is that of the model

// Specimens whose force scatters about 2.
void write_pushed(const Folder& folder) {
  folder.write("m.yaml", pushed_mass("uncertain:\n  f: {normal: {std: 0.2}}\n"));
  write_specimens(folder, 8, times, [](int s, double t) { return pushed_position(2 + 0.1 * (s - 3.5), 1, 1, t); });
}

const std::string study =
    "model: m.yaml\ndata: {specimens: measured, noise: 0.01}\nlikelihood: kernel\nsamples: 100\nevaluations: 20\n";
const std::string free_std = "free:\n  f.std: {from: 0.05, to: 0.6}\n";

TEST(IdentifyEdges, evaluations_serve_again_for_the_same_data_only) {
  const Folder folder;
  write_pushed(folder);
  folder.write("id.yaml", study + free_std);
  const Outcome first = identify(folder);
  ASSERT_LE(first.code, 1) << first.err;
  const double largest = found_in(folder).log_likelihood;
  const std::string known = text_of_file(folder / "o/evaluations.csv");
  const Outcome again = identify(folder, {"--resume"});
  EXPECT_TRUE(says(again.err, "continuing after ")) << again.err;
  EXPECT_EQ(found_in(folder).log_likelihood, largest);
  EXPECT_EQ(std::count(known.begin(), known.end(), '\n'), [&] {
    const std::string now = text_of_file(folder / "o/evaluations.csv");
    return std::count(now.begin(), now.end(), '\n');
  }());
  // The same values at other times are other data.
  const std::string file = "measured/100.csv", text = text_of_file(folder / file);
  folder.write(file, replaced(text, "\n0.25,", "\n0.24,"));
  const Outcome other = identify(folder, {"--resume"});
  EXPECT_TRUE(says(other.err, "nothing of this study to resume")) << other.err;
}

TEST(IdentifyEdges, a_line_of_the_log_that_is_half_written_is_evaluated_again) {
  const Folder folder;
  write_pushed(folder);
  folder.write("id.yaml", study + free_std);
  const Outcome first = identify(folder);
  ASSERT_LE(first.code, 1) << first.err;
  const double largest = found_in(folder).log_likelihood;
  const std::string known = text_of_file(folder / "o/evaluations.csv");
  folder.write("o/evaluations.csv", known.substr(0, known.size() - 4));
  const Outcome again = identify(folder, {"--resume"});
  EXPECT_EQ(found_in(folder).log_likelihood, largest);
  EXPECT_TRUE(says(again.err, "continuing after ")) << again.err;
}

// Over six periods the phases of the specimens part, and their responses have many principal components, although one number alone
// is random. Noise gives all of them a density; without it they lie on a curve.
TEST(IdentifyEdges, components_are_as_many_as_asked_for_or_refused) {
  const Folder folder;
  folder.write("m.yaml", replaced(pushed_mass("uncertain:\n  k: {normal: {std: 0.1}}\n"), "duration: 1", "duration: 40"));
  std::vector<double> many;
  for (int i = 1; i <= 80; ++i) many.push_back(0.5 * i);
  write_specimens(folder, 4, many, [](int s, double t) { return pushed_position(2, 0.9 + 0.05 * s, 1, t); });
  const auto asked = [&](const std::string& noise, const std::string& more) {
    folder.write("id.yaml", "model: m.yaml\ndata: {specimens: measured" + noise + "}\nsamples: 100\nevaluations: 12\n" + more +
                                "free:\n  k.std: {from: 0.02, to: 0.2}\n");
    return identify(folder);
  };
  EXPECT_TRUE(says(asked(", noise: 0.01", "components: 5\n").out, "\n5 principal components hold "));
  EXPECT_TRUE(says(asked(", noise: 0.01", "likelihood: kernel\n").out, "\n3 principal components hold "));
  EXPECT_TRUE(says(asked("", "").out, "\n1 principal component holds "));
  const Outcome without_noise = asked("", "components: 5\n");
  EXPECT_EQ(without_noise.code, 3);
  EXPECT_TRUE(says(without_noise.err,
                   "id.yaml:5:13: 'components' must be at most 1, the number of random variables, found 5: "
                   "without `noise` the responses have no density in more"))
      << without_noise.err;
  const Outcome whole = asked(", noise: 0.01", "components: 5\nlikelihood: integral\n");
  EXPECT_EQ(whole.code, 3);
  EXPECT_TRUE(says(whole.err, "id.yaml:6:13: likelihood: integral uses the whole response")) << whole.err;
}

TEST(IdentifyEdges, an_integral_that_is_not_possible_is_refused_with_the_reason) {
  const Folder folder;
  write_pushed(folder);
  const std::string whole = replaced(study, "likelihood: kernel", "likelihood: integral");
  const auto refused = [&](const std::string& text, const std::string& why) {
    folder.write("id.yaml", text);
    const Outcome o = identify(folder);
    EXPECT_EQ(o.code, 3) << o.out;
    EXPECT_TRUE(says(o.err, "id.yaml:3:13: likelihood: integral is not possible here: " + why)) << o.err;
  };
  refused(whole + "free:\n  m: {from: 0.5, to: 3}\n  f.std: {from: 0.05, to: 0.6}\n",
          "a free parameter is a number of the model itself");
  refused(replaced(whole, ", noise: 0.01", "") + free_std, "`noise` of x is not given");
  const std::string example = source_folder() + "/examples/identify-five-body/";
  refused("model: " + example + "model.yaml\ndata: {specimens: " + example +
              "measured, noise: 2}\nlikelihood: integral\nfree:\n  rb5.mass.cov: {}\n",
          "rb5.center_of_mass is not a single number");
}

// Who could have the exact likelihood learns why it is another one.
TEST(IdentifyEdges, a_likelihood_of_components_says_why) {
  const Folder folder;
  write_pushed(folder);
  const std::string open = replaced(study, "likelihood: kernel\n", "");
  const auto note = [&](const std::string& text) {
    folder.write("id.yaml", text);
    const Outcome o = identify(folder);
    EXPECT_LE(o.code, 1) << o.err;
    const std::string begin = "id.yaml: note: the likelihood is that of principal components, not of the whole response: ";
    const std::size_t at = o.err.find(begin);
    return at == std::string::npos ? "" : o.err.substr(at + begin.size(), o.err.find('\n', at) - at - begin.size());
  };
  EXPECT_EQ(note(replaced(open, ", noise: 0.01", "") + free_std), "`noise` of x is not given");
  EXPECT_EQ(note(open + "free:\n  m: {from: 0.5, to: 3}\n  f.std: {from: 0.05, to: 0.6}\n"),
            "a free parameter is a number of the model itself");
  EXPECT_EQ(note(open + free_std), "");
  EXPECT_EQ(note(study + free_std), "");
}

TEST(IdentifyEdges, too_few_samples_for_the_components_are_refused) {
  const Folder folder;
  const std::string example = source_folder() + "/examples/identify-five-body/";  // ten random variables
  folder.write("id.yaml", "model: " + example + "model.yaml\ndata: {specimens: " + example +
                              "measured, noise: 2}\nsamples: 20\ncomponents: 10\nenergy: 1\nfree:\n  rb5.mass.cov: {}\n");
  const Outcome o = identify(folder);
  EXPECT_EQ(o.code, 3) << o.out;
  EXPECT_TRUE(says(o.err, "20 samples are too few for 10 principal components: at least 24 are needed")) << o.err;
}

// A range may reach where the model does not exist: that is no reason to give up.
TEST(IdentifyEdges, impossible_values_of_a_number_are_passed_over) {
  const Folder folder;
  write_pushed(folder);
  folder.write("id.yaml", study + "free:\n  m: {from: -0.5, to: 3}\n  f.std: {from: 0.05, to: 0.6}\n");
  const Outcome o = identify(folder);
  EXPECT_LE(o.code, 1) << o.err;
  EXPECT_TRUE(says(text_of_file(folder / "o/evaluations.csv"), ",-inf\n"));
  folder.write("id.yaml", study + "free:\n  m: {from: -0.5, to: -0.1}\n  f.std: {from: 0.05, to: 0.6}\n");
  const Outcome nowhere = identify(folder);
  EXPECT_EQ(nowhere.code, 3) << nowhere.out;
  EXPECT_TRUE(says(nowhere.err, "nowhere in the ranges") && says(nowhere.err, "'mass' may not be negative")) << nowhere.err;
}

TEST(IdentifyEdges, few_evaluations_say_that_nothing_is_known_of_their_error) {
  const Folder folder;
  write_pushed(folder);
  folder.write("id.yaml", replaced(study, "evaluations: 20", "evaluations: 3") + free_std);
  const Outcome o = identify(folder);
  EXPECT_LE(o.code, 1) << o.err;
  EXPECT_TRUE(says(o.out, "warning: the evaluations were too few")) << o.out;
  EXPECT_FALSE(says(o.out, "nan")) << o.out;
}

TEST(IdentifyEdges, a_prior_against_the_data_is_told) {
  const Folder folder;
  write_pushed(folder);
  folder.write("id.yaml",
               "method: bayesian\n" + study + replaced(free_std, "to: 0.6", "to: 0.6, prior: {normal: {mean: 0.6, std: 0.001}}"));
  const Outcome o = identify(folder);
  EXPECT_LE(o.code, 1) << o.err;
  EXPECT_TRUE(says(o.out, "warning: the prior contradicts the data")) << o.out;
}

// The nominal model has no laws; that they are set does no harm.
TEST(IdentifyEdges, least_squares_takes_no_notice_of_laws_in_set) {
  const Folder folder;
  write_pushed(folder);
  folder.write(
      "id.yaml",
      "model: m.yaml\nmethod: least-squares\nset: {f.std: 0.3}\ndata: {specimens: measured}\nfree:\n  f: {from: 1, to: 4}\n");
  const Outcome o = identify(folder);
  EXPECT_EQ(o.code, 0) << o.out << o.err;
  EXPECT_NEAR(found_in(folder, "o/nominal.h5").parameters[0].estimate, 2, 1e-4);  // the mean of the forces; the step of the model
}

TEST(IdentifyEdges, noise_of_some_outputs_only_is_told) {
  const Folder folder;
  folder.write("m.yaml", replaced(pushed_mass(""), "outputs:\n", "outputs:\n  v: {velocity: a, component: x}\n"));
  std::string text = "time,x,v\n";
  for (const double t : times) text += fmt::format("{},{},{}\n", t, pushed_position(2.2, 1, 1, t), 2.2 * std::sin(t));
  folder.write("measured.csv", text);
  folder.write(
      "id.yaml",
      "model: m.yaml\nmethod: least-squares\ndata: {specimens: measured.csv, noise: {x: 0.1}}\nfree:\n  f: {from: 1, to: 4}\n");
  const Outcome o = identify(folder);
  EXPECT_EQ(o.code, 0) << o.out << o.err;
  EXPECT_TRUE(says(o.out, "warning: noise is given of some outputs only")) << o.out;
}

TEST(IdentifyEdges, a_variable_of_a_field_cannot_be_free) {
  const Folder folder;
  folder.write(
      "m.yaml",
      "plane: xy\nbodies:\n"
      "  link: {beam: [[0, 0], [1, 0]], section: {rectangle: {height: 0.02, width: 0.02}}, E: 1e9, nu: 0.3, density: 1000}\n"
      "joints:\n  wall: {fixed: [ground, link], at: [0, 0]}\n"
      "outputs:\n  tip: {position: link, at: [1, 0], component: y}\n"
      "simulation: {duration: 0.1, step: 1e-2}\n"
      "uncertain:\n  link: {E: {cov: 0.1, correlation: {matern32: 0.5}, terms: 2}}\n");
  folder.write("id.yaml", "model: m.yaml\nmethod: sweep\nfree:\n  link.E.xi1: {from: -1, to: 1}\n");
  const Outcome o = identify(folder);
  EXPECT_EQ(o.code, 3) << o.out;
  EXPECT_TRUE(says(o.err, "'link.E.xi1' is a random number of a field")) << o.err;
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
