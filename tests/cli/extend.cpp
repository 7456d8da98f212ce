// A larger study of the same model builds on a smaller one; one that stops when it is accurate can be interrupted anywhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <set>

#include "program.hpp"
#include "study_files.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

using results::StudyReader;

Outcome run(const Folder& folder, const std::string& out, std::vector<std::string> extra) {
  std::vector<std::string> arguments = {"run", "m.yaml", "--out", out};
  arguments.insert(arguments.end(), extra.begin(), extra.end());
  const Outcome o = aleator(arguments, folder.path());
  EXPECT_EQ(o.code, 0) << o.err;
  return o;
}

std::string served(long n) {
  return "m.yaml: note: the " + std::to_string(n) + " realizations in o/results.h5 are part of this study and are reused\n";
}

TEST(Extend, is_bit_for_bit_the_larger_study) {
  const Folder folder;
  folder.write("m.yaml", oscillator("samples: 50, seed: 5, chaos: {coefficients: sparse}"));
  for (const char* method : {"monte-carlo", "sobol", "halton", "polynomial-chaos"}) {
    EXPECT_EQ(run(folder, "o", {"--samples", "40", "--method", method, "--overwrite"}).err, "");
    EXPECT_EQ(run(folder, "o", {"--samples", "100", "--method", method}).err, served(40));
    EXPECT_EQ(run(folder, "fresh", {"--samples", "100", "--method", method, "--overwrite"}).err, "");
    const Bits a = bits_of(folder / "o"), b = bits_of(folder / "fresh");
    EXPECT_GE(a.size(), 15u);
    EXPECT_TRUE(a == b) << method;
    // and the same again when it grows once more
    EXPECT_EQ(run(folder, "o", {"--samples", "130", "--method", method}).err, served(100));
  }
}

// Failed realizations are part of it.
TEST(Extend, with_realizations_that_failed) {
  const Folder folder;
  folder.write("m.yaml", replaced(oscillator(), "k: {uniform: {lower: 80, upper: 120}}\n  a: {mass: {cov: 0.1}}",
                                  "m: {uniform: {lower: -1, upper: 3}}"));
  const auto code = [&](const std::string& out, const char* samples) {
    return aleator({"run", "m.yaml", "--out", out, "--samples", samples}, folder.path()).code;
  };
  EXPECT_EQ(code("o", "40"), 5);
  EXPECT_EQ(code("o", "100"), 5);
  EXPECT_EQ(code("fresh", "100"), 5);
  EXPECT_TRUE(bits_of(folder / "o") == bits_of(folder / "fresh"));
  EXPECT_EQ(StudyReader(folder / "o").texts("/samples/failures/reason"),
            StudyReader(folder / "fresh").texts("/samples/failures/reason"));
}

TEST(Extend, starts_anew_when_it_must) {
  const Folder folder;
  folder.write("m.yaml", oscillator());
  run(folder, "o", {"--samples", "40"});
  const auto begins_anew = [&](const std::vector<std::string>& extra) {
    std::vector<std::string> larger = {"--samples", "60"};
    larger.insert(larger.end(), extra.begin(), extra.end());
    const Outcome o = run(folder, "o", larger);
    EXPECT_EQ(o.err.find("serve again"), std::string::npos) << o.err;
    run(folder, "fresh", larger);
    EXPECT_TRUE(bits_of(folder / "o") == bits_of(folder / "fresh"));
    run(folder, "o", {"--samples", "40", "--overwrite"});
  };
  begins_anew({"--overwrite"});
  begins_anew({"--set", "k=90"});
  begins_anew({"--set", "a.mass.cov=0.2"});
  begins_anew({"--seed", "6"});
  begins_anew({"--method", "sobol"});
  begins_anew({"--sensitivity"});
  // a smaller one is computed as well
  const Outcome o = run(folder, "o", {"--samples", "20"});
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(StudyReader(folder / "o").samples(), 20);
  // a changed model is another; a comment, or how it is studied, is not
  run(folder, "o", {"--samples", "40", "--overwrite"});
  folder.write("m.yaml", replaced(oscillator(), "duration: 0.4", "duration: 0.2"));
  EXPECT_EQ(run(folder, "o", {"--samples", "60"}).err, "");
  folder.write("m.yaml", replaced(oscillator("samples: 80, seed: 5, confidence: 0.5"), "duration: 0.4", "duration: 0.2"));
  EXPECT_EQ(run(folder, "o", {}).err, served(60));
}

// k is uniform between 80 and 120: which of n strata it is in.
long strata_hit(const StudyReader& r) {
  const std::vector<double> inputs = r.numbers("/samples/inputs");
  const long n = long(inputs.size() / 2);
  std::set<long> strata;
  for (long k = 0; k < n; ++k) strata.insert(long((inputs[size_t(2 * k)] - 80) / 40 * double(n)));
  return long(strata.size());
}

TEST(Extend, a_latin_hypercube_by_whole_multiples) {
  const Folder folder;
  folder.write("m.yaml", oscillator("samples: 40, method: latin-hypercube"));
  std::vector<double> before;
  for (const long n : {40L, 120L, 360L}) {
    const Outcome o = run(folder, "o", {"--samples", std::to_string(n)});
    EXPECT_EQ(o.err, n == 40 ? "" : served(n / 3));
    const StudyReader r(folder / "o");
    EXPECT_EQ(r.samples(), n);
    EXPECT_EQ(strata_hit(r), n);
    const std::vector<double> inputs = r.numbers("/samples/inputs");
    EXPECT_TRUE(std::equal(before.begin(), before.end(), inputs.begin()));
    before = inputs;
  }
  EXPECT_EQ(StudyReader(folder / "o").numbers_attribute("/", "stages"), (std::vector<double>{40, 120}));
  const Outcome o = run(folder, "o", {"--samples", "500"});
  EXPECT_EQ(
      o.err,
      "m.yaml: note: a Latin hypercube is extended by whole multiples, and 500 is not a multiple of the 360 realizations in "
      "o/results.h5; starting from the beginning\n");
  EXPECT_EQ(strata_hit(StudyReader(folder / "o")), 500);
  run(folder, "fresh", {"--samples", "500"});
  EXPECT_TRUE(bits_of(folder / "o") == bits_of(folder / "fresh"));
}

// One that grew until it was accurate is a hypercube, and stays one when it is extended.
TEST(Extend, a_latin_hypercube_that_grew_to_an_accuracy) {
  const Folder folder;
  folder.write("m.yaml", oscillator("method: latin-hypercube"));
  run(folder, "o", {"--accuracy", "5%"});
  const long n = StudyReader(folder / "o").samples();
  EXPECT_GE(n, 128);
  EXPECT_EQ(strata_hit(StudyReader(folder / "o")), n);
  EXPECT_EQ(run(folder, "o", {"--samples", std::to_string(2 * n)}).err, served(n));
  EXPECT_EQ(strata_hit(StudyReader(folder / "o")), 2 * n);
}

// Small steps, so that there is time to interrupt it.
std::string slow(const std::string& study) { return replaced(oscillator(study), "step: 4e-3", "step: 5e-6"); }

TEST(Extend, a_latin_hypercube_that_was_interrupted) {
  const Folder folder;
  folder.write("m.yaml", slow("samples: 40, method: latin-hypercube"));
  run(folder, "o", {});
  run(folder, "whole", {});
  run(folder, "whole", {"--samples", "400"});
  const Outcome cut = aleator({"run", "m.yaml", "--out", "o", "--samples", "400", "--threads", "1"}, folder.path(), 0.15, SIGINT,
                              "o/unfinished.journal");
  ASSERT_EQ(cut.code, 130) << cut.err;
  const Outcome o = run(folder, "o", {"--samples", "400", "--resume"});
  EXPECT_NE(o.err.find("continuing after "), std::string::npos) << o.err;
  EXPECT_EQ(strata_hit(StudyReader(folder / "o")), 400);
  EXPECT_TRUE(bits_of(folder / "o") == bits_of(folder / "whole"));
}

// The realizations alone decide when there are enough: whatever the interruptions, it ends with the same numbers.
TEST(Resume, of_a_study_that_stops_when_it_is_accurate) {
  for (const char* method : {"sobol", "auto"}) {
    const Folder folder;
    std::string text = slow("samples: 4000, accuracy: 2%");
    // forty jumps: auto has to sample
    text = replaced(text, "stiffness: k}", "stiffness: 100*(1 + 0.5*(floor(k) - 2*floor(k/2)))}");
    folder.write("m.yaml", text);
    run(folder, "whole", {"--method", method});
    const StudyReader whole(folder / "whole");
    EXPECT_GT(whole.samples(), 64) << method;
    EXPECT_LT(whole.samples(), 4000) << method;
    const Outcome cut = aleator({"run", "m.yaml", "--out", "o", "--method", method, "--threads", "1"}, folder.path(), 0.2, SIGINT,
                                "o/unfinished.journal");
    ASSERT_EQ(cut.code, 130) << method << cut.err;
    run(folder, "o", {"--method", method, "--resume"});
    EXPECT_TRUE(bits_of(folder / "o") == bits_of(folder / "whole")) << method;
    EXPECT_EQ(StudyReader(folder / "o").texts_attribute("/", "evidence"), whole.texts_attribute("/", "evidence"));
  }
  // when only statistics are kept, from the state that was saved
  const Folder folder;
  folder.write("m.yaml", slow("samples: 4000, accuracy: 2%, keep: statistics"));
  run(folder, "whole", {});
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "o", "--threads", "1"}, folder.path(), 0.2, SIGINT, "o/unfinished.journal").code,
            130);
  run(folder, "o", {"--resume"});
  const Bits a = bits_of(folder / "o"), b = bits_of(folder / "whole");
  for (const auto& [name, bits] : b)
    EXPECT_TRUE(name == "/motion/realizations"  // the state has statistics alone: of motions there are those of the second part
                || (a.contains(name) && a.at(name) == bits))
        << name;
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
