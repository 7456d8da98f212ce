// Studies of modes, and models made of several files and templates: interrupted, in parts, on several ranks, rerun and exported as any study,
// also where their files are gone.
#include <gtest/gtest.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "program.hpp"
#include "support/results_contents.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

namespace fs = std::filesystem;

// Two pendulums of a template and an imported arm, coupled by a spring of an included file.
void write_model(const Folder& folder, const std::string& study) {
  folder.write("m.yaml",
               "include: coupling.yaml\n"
               "urdf: arm.urdf\n"
               "templates:\n"
               "  pendulum:\n"
               "    parameters: {m: 1}\n"
               "    bodies: {bob: {mass: \"${m}\", at: [0, 0, -1], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}}\n"
               "    joints: {pin: {revolute: [ground, bob], axis: y, at: [0, 0, 0], damper: 0.01}}\n"
               "instances: {a: {template: pendulum}, b: {template: pendulum, at: [1, 0, 0], with: {m: 2}}}\n"
               "uncertain: {a.bob: {mass: {cov: 10%}}, upper: {mass: {cov: 5%}}}\n"
               "outputs: {x: {position: b.bob}, q: {coordinate: shoulder}}\n"
               "simulation: {duration: 0.2, step: 1e-3}\n"
               "study: " +
                   study + "\n");
  folder.write("coupling.yaml",
               "parameters: {k: 5}\nforces: {s: {spring_damper: [a.bob, b.bob], points: [[0, 0, -1], [1, 0, -1]], stiffness: k, "
               "damping: 0.1, length: 1}}\n");
  folder.write("arm.urdf",
               "<robot name='r'>\n <link name='base'/>\n <link name='upper'><inertial><origin xyz='0 0 -0.5'/><mass value='2'/>"
               "<inertia ixx='0.1' iyy='0.1' izz='0.01'/></inertial></link>\n"
               " <joint name='shoulder' type='continuous'><parent link='base'/><child link='upper'/><axis xyz='0 1 0'/></joint>\n"
               "</robot>\n");
}

void remove_model(const Folder& folder) {
  for (const char* file : {"m.yaml", "coupling.yaml", "arm.urdf"}) fs::remove(folder / file);
}

void expect_same(const Folder& folder, const std::string& a, const std::string& b) {
  EXPECT_EQ(difference_of_results(folder / a + "/results.h5", folder / b + "/results.h5"), "") << a << " " << b;
}

const std::string studies[] = {
    "{samples: 120, what: modes, modes: {number: 3, shapes: true, limits: {frequency_1: {below: 0.482}}}}",
    "{samples: 120, what: modes, modes: {number: 2}, keep: statistics}", "{samples: 120}"};

TEST(StudiesOfModes, resumed_without_their_files) {
  for (const std::string& study : studies) {
    const Folder folder;
    write_model(folder, study);
    ASSERT_EQ(aleator({"run", "m.yaml", "--out", "whole", "--no-report"}, folder.path()).code, 0) << study;
    const std::vector<std::string> run = {"run", "m.yaml", "--out", "cut", "--no-report", "--threads", "1"};
    const Outcome cut = aleator(run, folder.path(), 0, SIGINT, "cut/unfinished.journal");
    remove_model(folder);
    const Outcome resumed = aleator({"resume", "cut", "--no-report"}, folder.path());
    ASSERT_EQ(resumed.code, 0) << cut.err << resumed.err;
    expect_same(folder, "whole", "cut");
  }
}

TEST(StudiesOfModes, in_parts) {
  for (const std::string& study : studies) {
    const Folder folder;
    write_model(folder, study);
    ASSERT_EQ(aleator({"run", "m.yaml", "--out", "whole", "--no-report"}, folder.path()).code, 0) << study;
    for (const char* part : {"1/3", "2/3", "3/3"})
      ASSERT_EQ(aleator({"run", "m.yaml", "--out", "o", "--part", part}, folder.path()).code, 0) << study;
    // A part that is there is not computed again, where nothing is chosen before the first step.
    const Outcome again = aleator({"run", "m.yaml", "--out", "o", "--part", "2/3", "--resume"}, folder.path());
    EXPECT_EQ(again.code, 0);
    if (study.find("modes") != std::string::npos)
      EXPECT_NE(again.err.find("2-of-3.h5 is complete: there is nothing to resume"), std::string::npos) << again.err;
    remove_model(folder);
    const Outcome merged =
        aleator({"merge", "--no-report", "o/parts/1-of-3.h5", "o/parts/2-of-3.h5", "o/parts/3-of-3.h5"}, folder.path());
    ASSERT_EQ(merged.code, 0) << merged.err;
    if (study.find("statistics") == std::string::npos)  // sums of parts are other sums: 1e-12
      expect_same(folder, "whole", "o");
  }
}

TEST(StudiesOfModes, on_two_ranks) {
  if (!fs::exists(fs::path(program_file()).parent_path() / "lib/aleator/aleator_mpi.so")) GTEST_SKIP() << "built without MPI";
  if (std::system("command -v mpirun >/dev/null") != 0) GTEST_SKIP() << "there is no mpirun";
  for (const std::string& study : studies) {
    const Folder folder;
    write_model(folder, study);
    ASSERT_EQ(aleator({"run", "m.yaml", "--out", "alone", "--no-report"}, folder.path()).code, 0) << study;
    const std::string command = "cd '" + folder.path() +
                                "' && OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout -s KILL 200 mpirun "
                                "--oversubscribe -n 2 " +
                                program_file() + " run m.yaml --out ranks --no-report >mpi.out 2>&1 </dev/null";
    ASSERT_EQ(std::system(command.c_str()), 0);
    expect_same(folder, "alone", "ranks");
  }
}

TEST(StudiesOfModes, rerun_reported_and_exported_from_the_results_alone) {
  for (const std::string& study : {studies[0], studies[2]}) {
    const Folder folder;
    write_model(folder, study);
    ASSERT_EQ(aleator({"run", "m.yaml", "--out", "o", "--no-report"}, folder.path()).code, 0) << study;
    remove_model(folder);
    folder.write("coupling.yaml", "parameters: {k: 7}\n");  // another one by now
    const Outcome again = aleator({"rerun", "o", "17"}, folder.path());
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_NE(again.out.find("\nbitwise identical to the values in the file\n"), std::string::npos) << again.out;
    EXPECT_EQ(again.out.find("a step of 1 s"), std::string::npos) << "modes take no steps" << again.out;
    EXPECT_EQ(aleator({"report", "o", "--out", "page.html"}, folder.path()).code, 0);
    for (const char* what : {"statistics", "samples", "convergence", "failures"})
      EXPECT_EQ(aleator({"export", "o", what}, folder.path()).code, 0) << what;
  }
}

// P(f₁ < 20 Hz) of √(k/m)/2π with a lognormal k is known.
TEST(StudiesOfModes, probabilities_of_limits) {
  const Folder folder;
  const double pi = std::acos(-1.0);
  folder.write("m.yaml",
               "parameters: {k: " + std::to_string(std::pow(2 * pi * 21, 2)) +
                   "}\nbodies: {a: {shape: {sphere: {radius: 0.1}}, mass: 1}}\n"
                   "joints: {g: {prismatic: [ground, a], axis: x, spring: {stiffness: k}, damper: 2}}\n"
                   "uncertain: {k: {lognormal: {cov: 10%}}}\nsimulation: {duration: 1}\n"
                   "study: {what: modes, samples: 4000, modes: {number: 1, limits: {frequency_1: {below: 20}, damping_1: {above: "
                   "0.0076}}}}\n");
  // ln f₁ is normal: f₁ = median √(k/k_median), σ = ½ √ln(1 + cov²)
  const double sigma = std::sqrt(std::log(1.01)), median = 21 / std::pow(1.01, 0.25);
  const double probability = 0.5 * std::erfc(-std::log(20 / median) / (0.5 * sigma) / std::sqrt(2.0));
  const double of_damping = 0.5 * std::erfc(-std::log(1 / (2 * pi * 0.0076) / median) / (0.5 * sigma) / std::sqrt(2.0));
  const Outcome told = aleator({"run", "m.yaml", "--out", "p", "--no-report", "--json"}, folder.path());
  // Four standard errors of 4000 realizations: a false alarm in 1.6e4 runs
  const auto value_after = [&](const std::string& key) {
    const size_t at = told.out.find("\"value\"", told.out.find("\"probability\"", told.out.find(key)));
    return at == std::string::npos ? NAN : std::atof(told.out.c_str() + told.out.find(':', at) + 1);
  };
  EXPECT_NEAR(value_after("\"frequency_1.below\""), probability, 4 * std::sqrt(probability * (1 - probability) / 4000))
      << told.out;
  EXPECT_NEAR(value_after("\"damping_1.above\""), of_damping, 4 * std::sqrt(of_damping * (1 - of_damping) / 4000)) << told.out;
  // One limit in one normal variable: first order is exact, up to differences from which gradients are made.
  const Outcome form = aleator({"run", "m.yaml", "--out", "f", "--no-report", "--json", "--method", "form"}, folder.path());
  ASSERT_EQ(form.code, 0) << form.err;
  const auto first_order = [&](const std::string& key) {
    const size_t at = form.out.find("\"probability\"", form.out.find(key));
    return at == std::string::npos ? NAN : std::atof(form.out.c_str() + form.out.find(':', at) + 1);
  };
  EXPECT_NEAR(first_order("\"frequency_1.below\""), probability, 1e-3 * probability) << form.out;
}

TEST(StudiesOfModes, what_cannot_be_done_is_told_as_it_is) {
  const Folder folder;
  write_model(folder, "{samples: 50, what: modes, modes: {number: 2}}");
  const auto refusal = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"run", "m.yaml", "--no-report"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome o = aleator(arguments, folder.path());
    EXPECT_NE(o.code, 0);
    return o.err;
  };
  for (const char* method : {"multilevel", "control-variate"})
    EXPECT_NE(refusal({"--method", method})
                  .find("it combines motions of models with longer steps or fewer elements, and modes take no "
                        "steps; modes are studied by monte-carlo, latin-hypercube, "),
              std::string::npos)
        << method;
  for (const char* method : {"form", "subset-simulation"})
    EXPECT_NE(refusal({"--method", method})
                  .find("it needs limits, and the study has none of modes. Say what failure is, as in study: {modes: {limits: "
                        "{frequency_1: {below: 20}}}}"),
              std::string::npos)
        << method;
  write_model(folder, "{samples: 50, what: modes, modes: {number: 2, limits: {frequency_3: {below: 1}}}}");
  EXPECT_NE(
      refusal({}).find("m.yaml:12:63: study: modes: 'limits' names 'frequency_3'; of 2 modes there are frequency_1 … frequency_2 "
                       "and damping_1 … damping_2 (`number` has more)"),
      std::string::npos)
      << refusal({});
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
