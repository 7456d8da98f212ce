// identify with data that are not of the model, and with files that are wrong: never a confident answer.
#include <gtest/gtest.h>

#include <filesystem>

#include "identify_files.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// The five bodies with the accelerometers of Batou & Soize; steps three times as long as in the example, to be quick.
std::string five_bodies() {
  const std::string text = example("five-body");
  return text.substr(0, text.find("\noutputs:")) +
         "\noutputs:\n"
         "  left: {acceleration: rb5, at: [-1.2, 0, 0.55], component: z}\n"
         "  right: {acceleration: rb5, at: [1.2, 0, 0.55], component: z}\n"
         "simulation: {duration: 0.03, step: 3e-4, output_step: 3e-4, integrator: runge-kutta}\n";
}

// Specimens of `measured`, identified as if they were of the model itself.
class WrongData : public testing::Test {
 protected:
  Outcome identified(const std::string& measured, const std::string& data = "") {
    folder.write("model.yaml", five_bodies());
    folder.write("other.yaml", measured);
    const Outcome made =
        aleator({"twin", "other.yaml", "--specimens", "30", "--noise", "2%", "--out", "measured"}, folder.path());
    EXPECT_EQ(made.code, 0) << made.err;
    folder.write("id.yaml", "model: model.yaml\ndata: {specimens: measured, noise: {left: 1.86, right: 2.12}" + data +
                                "}\nsamples: 500\nevaluations: 30\nfree:\n  rb5.mass.cov: {}\n  rb5.center_of_mass.scale: {}\n");
    return identify(folder);
  }
  // Either way the reader is told before anything else, and what may be the reason.
  void expect_misfit(const Outcome& o) {
    EXPECT_EQ(o.code, 1) << o.out << o.err;
    EXPECT_TRUE(says(o.out, "The model does not explain the measurements (p")) << o.out;
    EXPECT_TRUE(says(o.out, "do not use the identified values")) << o.out;
    EXPECT_FALSE(found_in(folder).explained);
    EXPECT_LT(found_in(folder).fit_p, 0.01);
  }
  Folder folder;
};

TEST_F(WrongData, right_data_are_explained) {
  const Outcome o = identified(five_bodies());
  EXPECT_EQ(o.code, 0) << o.out << o.err;
  EXPECT_TRUE(says(o.out, "The model explains the measurements")) << o.out;
  EXPECT_GE(found_in(folder).fit_p, 0.01);
}

TEST_F(WrongData, bushings_half_as_stiff) {
  expect_misfit(identified(replaced(five_bodies(), "stiffness: [1e6, 1e6, 2.8e5]", "stiffness: [1e6, 1e6, 1.4e5]")));
}

TEST_F(WrongData, another_drive) {
  expect_misfit(
      identified(replaced(five_bodies(), "{from: 1.1e-2, to: 1.6e-2, height: 0.01}", "{from: 5e-3, to: 1e-2, height: 0.01}")));
}

// Measured from 3 ms before the model's zero: what happens at t is written at t + 3 ms. Where masses scatter less, one sees it.
TEST_F(WrongData, another_zero_of_time) {
  expect_misfit(identified(five_bodies(), ", time_offset: -0.003, to: 0.03"));
  std::string model = replaced(five_bodies(), "mass: {cov: 0.5}", "mass: {cov: 0.1}");
  folder.write("model.yaml", replaced(model, "box: [0.5, 0.2, 0.02]", "box: [0.1, 0.04, 0.004]"));
  folder.write("id.yaml", replaced(text_of_file(folder / "id.yaml"), "rb5.mass.cov: {}", "rb5.mass.cov: {to: 0.2}"));
  ASSERT_EQ(aleator({"twin", "model.yaml", "--specimens", "30", "--noise", "2%", "--out", "measured"}, folder.path()).code, 0);
  const Outcome o = identify(folder);
  expect_misfit(o);
  EXPECT_TRUE(says(o.out, "the measurements look shifted by about 3")) << o.out;
  EXPECT_TRUE(says(o.out, "ms relative to the model (later than simulated): is their zero of time right?")) << o.out;
}

TEST_F(WrongData, units_mistaken_by_a_thousand_are_refused) {
  const Outcome larger = identified(five_bodies(), ", scale: {left: 1000}");
  EXPECT_EQ(larger.code, 3) << larger.out;
  EXPECT_TRUE(says(larger.err, "id.yaml:2:")) << larger.err;
  EXPECT_TRUE(says(larger.err, "the measurements cannot belong to this model: left is measured about ")) << larger.err;
  EXPECT_TRUE(says(larger.err, "times larger than simulated, whatever the parameters: is its unit right (1,000: milli-units)?"))
      << larger.err;
  const Outcome smaller = identified(five_bodies(), ", scale: 0.001");
  EXPECT_EQ(smaller.code, 3) << smaller.out;
  EXPECT_TRUE(says(smaller.err, "times smaller than simulated, whatever the parameters: is its unit right (1,000: kilo-units)?"))
      << smaller.err;
  EXPECT_TRUE(says(smaller.err, "right is measured")) << smaller.err;
}

// A mass on a spring; every test changes one thing.
class WrongFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder.write("m.yaml", pushed_mass("uncertain:\n  a: {mass: {cov: 0.2}}\n"));
    write_specimens(folder, 3, {0, 0.5, 1}, [](int s, double t) { return pushed_position(2, 1, 1 + 0.1 * s, t); });
  }
  void expect(int code, const std::string& message, const std::vector<std::string>& more = {}) {
    const Outcome o = identify(folder, more);
    EXPECT_EQ(o.code, code) << o.out << o.err;
    EXPECT_TRUE(says(o.err, message)) << message << "\nfound\n" << o.err;
    EXPECT_EQ(o.out, "");
  }
  void study(const std::string& free = "a.mass.cov: {}", const std::string& more = "", const std::string& model = "m.yaml") {
    folder.write("id.yaml", "model: " + model + "\ndata: {specimens: measured, noise: 0.01}\nfree: {" + free + "}\n" + more);
  }
  Folder folder;
};

TEST_F(WrongFiles, measured_data) {
  study();
  const auto first = [&](const std::string& text, const std::string& message) {
    folder.write("measured/100.csv", text);
    expect(3, "measured/100.csv" + message);
  };
  first("time,y\n0,1\n1,1\n", ":1: no column is an output of the model; the columns are time, y, the outputs are x");
  first("when,x\n0,1\n1,1\n", ":1: there is no column 'time' with the time; the columns are when, x");
  first("time,x\n0,1\n0.5,nan\n1,1\n", ":3: 'nan' in column 'x'");
  first("time,x\n0,1\n0.5,1\n0.4,1\n", ":4: 'time' must increase, found 0.4 after 0.5 (line 3)");
  first("time,x\n0,1\n2,1\n", ":3: time 2 s is beyond the end of the simulation: the model is simulated to 1 s");
  first("time,x\n-1,1\n1,1\n", ":2: time -1 s is before the start of the model at 0");
}

TEST_F(WrongFiles, too_few_specimens) {
  study("a.mass.cov: {}, a.mass.mean: {}");
  std::filesystem::remove(folder / "measured/100.csv");
  expect(3,
         "id.yaml:2:19: data: 'specimens': 2 specimens cannot identify 2 parameters: maximum-likelihood needs at least 3, and "
         "better 20");
  folder.write("id.yaml", "model: m.yaml\ndata: {specimens: nowhere}\nfree: {a.mass.cov: {}}\n");
  expect(3, "id.yaml:2:19: data: 'specimens': there is no file or folder 'nowhere'");
}

TEST_F(WrongFiles, free_names_and_ranges) {
  study("a.mass.cow: {}");
  expect(3, "id.yaml:3:8: free 'a.mass.cow': m.yaml has no such number (did you mean 'a.mass.cov'?)");
  study("a.mass.cov: {to: 0.8}");
  expect(3, "free 'a.mass.cov': 'to' must be below 0.7071, found 0.8: with more scatter than 1/sqrt(2) E{1/M^2} is infinite");
  study("a.mass.cov: {from: 0.3, to: 0.2}");
  expect(3, "free 'a.mass.cov': 'from' must be below 'to', found from 0.3 to 0.2");
  study("a.mass.cov: {}", "method: least-squares\n");
  expect(3, "id.yaml:3:8: free 'a.mass.cov' is a parameter of a distribution, which least-squares cannot identify");
  study("a.mass.cov: {}", "method: most-likely\n");
  expect(3, "id.yaml:4:9: 'method' must be maximum-likelihood, bayesian, least-squares or sweep, found 'most-likely'");
}

TEST_F(WrongFiles, models) {
  study("a.mass.cov: {}", "", "nowhere.yaml");
  expect(3, "nowhere.yaml: cannot be opened: No such file or directory");
  folder.write("m.yaml", pushed_mass(""));
  study("k: {}");
  expect(3, "id.yaml:1:8: nothing is uncertain in m.yaml: there is no distribution to identify (least-squares");
  folder.write("m.yaml", "bodies: [\n");
  expect(3, "m.yaml:");
}

TEST_F(WrongFiles, command_lines) {
  study();
  expect(2, "--samples", {"--samples", "3"});
  expect(2, "--evaluations", {"--evaluations", "many"});
  Outcome o = aleator({"identify"}, folder.path());
  EXPECT_EQ(o.code, 2);
  o = aleator({"identify", "nowhere.yaml"}, folder.path());
  EXPECT_EQ(o.code, 3);
  EXPECT_TRUE(says(o.err, "nowhere.yaml")) << o.err;
}

TEST_F(WrongFiles, folders_that_cannot_be_written) {
  study();
  folder.write("taken", "a file\n");
  for (const char* method : {"maximum-likelihood", "sweep"}) {
    study("a.mass.cov: {}", std::string("samples: 50\nevaluations: 4\nplaces: 2\nmethod: ") + method + "\n");
    const Outcome o = aleator({"identify", "id.yaml", "--out", "taken/o"}, folder.path());
    EXPECT_EQ(o.code, 6) << o.err;
    EXPECT_TRUE(says(o.err, "taken': Not a directory")) << o.err;
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
