// Studies of modes, and models made of several files and templates: interrupted, in parts, on several ranks, rerun and exported as any study,
// also where their files are gone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include "program.hpp"
#include "support/model_text.hpp"
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

// ((1/n) Σ u²)^½ of the first n realizations: modes have no time to integrate over.
TEST(StudiesOfModes, convergence_of_numbers_without_a_time) {
  const Folder folder;
  write_model(folder, studies[1]);
  for (const std::string& study : {std::string("{samples: 40, what: modes, modes: {number: 2}}"), studies[1]}) {
    write_model(folder, study);
    ASSERT_EQ(aleator({"run", "m.yaml", "--out", "o", "--no-report", "--samples", "40"}, folder.path()).code, 0);
    const Csv found = parse_csv_text(aleator({"export", "o", "convergence"}, folder.path()).out);
    const bool kept = study.find("keep") == std::string::npos;
    ASSERT_FALSE(found.rows.empty());
    EXPECT_EQ(found.rows.back()[0], 40);
    const Csv mean = parse_csv_text(aleator({"export", "o", "statistics"}, folder.path()).out);
    for (const std::string name : {"frequency_1", "damping_2"}) {
      // The mean square is mean² + (n − 1)/n std²; of sketches as well, which sum up moments.
      const double m = mean.rows[0][size_t(std::find(mean.names.begin(), mean.names.end(), name + ".mean") - mean.names.begin())];
      const double s = mean.rows[0][size_t(std::find(mean.names.begin(), mean.names.end(), name + ".std") - mean.names.begin())];
      const std::vector<double> curve = found.column(name);
      EXPECT_NEAR(curve.back(), std::sqrt(m * m + 39. / 40 * s * s), 1e-12 * m) << name << kept;
      EXPECT_GT(curve.front(), 0) << name;
    }
  }
}

// A note where it is no steady motion that is linearised about, once; and the table with nominal values and errors.
TEST(StudiesOfModes, summary_and_notes) {
  const Folder folder;
  write_model(folder, "{samples: 60, what: modes, modes: {number: 2, about: start}}");
  const Outcome calm = aleator({"run", "m.yaml", "--no-report"}, folder.path());
  ASSERT_EQ(calm.code, 0) << calm.err;
  const std::string imported = "arm.urdf:2:2: note: link 'base' has no mass: it is the ground\n";
  EXPECT_EQ(calm.err, imported);
  EXPECT_TRUE(calm.out.starts_with("m: 60 realizations in ") || calm.out.starts_with("m.yaml: 60 realizations in ")) << calm.out;
  EXPECT_NE(calm.out.find("\noutput "), std::string::npos) << calm.out;
  EXPECT_NE(calm.out.find("90 % band\nfrequency_1 [Hz] "), std::string::npos) << calm.out;
  for (const char* row : {"\ndamping_1 [-] ", "\nfrequency_2 [Hz] ", "\ndamping_2 [-] ", "\nwrote out/m/results.h5\n"})
    EXPECT_NE(calm.out.find(row), std::string::npos) << row << calm.out;
  // No words of time: neither steps nor instants.
  for (const char* word : {"at t", " step", "integrator"}) EXPECT_EQ(calm.out.find(word), std::string::npos) << word << calm.out;
  // Nothing hangs straight down any more.
  folder.write("m.yaml", text_of_file(folder / "m.yaml") + "gravity: [1, 0, -9.81]\n");
  const Outcome loud = aleator({"run", "m.yaml", "--no-report"}, folder.path());
  ASSERT_EQ(loud.code, 0) << loud.err;
  const std::string note = "m.yaml: note: this is no equilibrium ('a.bob' starts with ";
  const size_t at = loud.err.find(note);
  ASSERT_NE(at, std::string::npos) << loud.err;
  EXPECT_EQ(loud.err.find(note, at + 1), std::string::npos) << loud.err;
  EXPECT_NE(loud.err.find("about: equilibrium linearises there"), std::string::npos) << loud.err;
  const Outcome json = aleator({"run", "m.yaml", "--no-report", "--json"}, folder.path());
  EXPECT_NE(json.out.find(note), std::string::npos) << json.out;
}

// A large beam with damping β K: vibrations with ω < 2/β, all others overdamped and about 1/β, which are more than can be told apart.
TEST(Modes, overdamped_ones_that_are_left_out_are_told) {
  const Folder folder;
  const auto printed = [&](const std::string& damping) {
    folder.write(
        "m.yaml",
        "bodies:\n  b: {beam: [[0, 0, 0], [1, 0, 0]], elements: 70, section: {rectangle: {height: 0.01, width: 0.02}}, E: 2e11, "
        "nu: 0.3, density: 7800, damping: {stiffness: " +
            damping + "}}\njoints: {f: {fixed: [ground, b], at: [0, 0, 0]}}\nsimulation: {duration: 0.1}\n");
    const Outcome o = aleator({"modes", "m.yaml", "--json"}, folder.path());
    EXPECT_EQ(o.code, 0) << o.err;
    return o.out;
  };
  const std::string note =
      "overdamped modes accumulate about one frequency: some of them are left out, the vibrations are all there";
  const std::string heavy = printed("1e-2");
  EXPECT_NE(heavy.find(note), std::string::npos) << heavy;
  // 8.18 Hz and 16.36 Hz vibrate (ω < 200/s), 51 Hz does not.
  EXPECT_NE(heavy.find("\"frequency\": 8.1"), std::string::npos) << heavy;
  EXPECT_NE(heavy.find("\"frequency\": 16.3"), std::string::npos) << heavy;
  EXPECT_EQ(printed("1e-6").find("left out"), std::string::npos);
}

// --- the frame of a rotation ---

const std::string blade =
    "parameters: {speed: 20}\n"
    "bodies:\n"
    "  hub: {shape: {cylinder: {radius: 0.05, length: 0.1}}, mass: 5}\n"
    "  blade: {beam: [[0.05, 0, 0], [1, 0, 0]], elements: 2, section: {rectangle: {height: 0.004, width: 0.012}}, height_along: "
    "[0, 0, 1], "
    "E: 2e11, nu: 0.3, density: 7800}\n"
    "joints:\n"
    "  shaft: {revolute: [ground, hub], axis: z, at: [0, 0, 0], motion: speed*t}\n"
    "  root: {fixed: [hub, blade], at: [0.05, 0, 0]}\n"
    "uncertain: {speed: {normal: {cov: 5%}}}\n"
    "simulation: {duration: 0.1}\n"
    "study: {samples: 10}\n";

TEST(Modes, the_frame_of_a_rotation_is_a_rigid_body) {
  const Folder folder;
  folder.write("m.yaml", blade);
  const std::string unknown = "m.yaml: the frame of a rotation: unknown body 'hubb' (did you mean 'hub'?)\n";
  const std::vector<std::vector<std::string>> commands = {{"modes", "m.yaml", "--frame", "hubb"},
                                                          {"modes", "m.yaml", "--over", "speed=0..20", "--frame", "hubb"},
                                                          {"run", "m.yaml", "--what", "modes", "--frame", "hubb"}};
  for (const auto& command : commands) {
    const Outcome o = aleator(command, folder.path());
    EXPECT_EQ(o.code, 3) << o.err;
    EXPECT_EQ(o.err, unknown);
  }
  EXPECT_EQ(folder.files(), std::vector<std::string>{"m.yaml"});
  const auto said = [&](const std::string& text, const std::vector<std::string>& more) {
    folder.write("m.yaml", text);
    std::vector<std::string> command = {"modes", "m.yaml"};
    command.insert(command.end(), more.begin(), more.end());
    const Outcome o = aleator(command, folder.path());
    EXPECT_EQ(o.code, 3) << o.err;
    return o.err;
  };
  EXPECT_EQ(said(blade, {"--frame", "blade"}),
            "m.yaml:4:3: body 'blade' bends; the frame of a rotation must be a rigid body, as the hub of a blade (known: hub)\n");
  EXPECT_EQ(
      said(replaced(blade, ", motion: speed*t", ""), {"--about", "rotation"}),
      "m.yaml: no joint with the ground prescribes a rotation; say with which body everything turns: --frame BODY, or study: "
      "{modes: {frame: BODY}}\n");
  const std::string two =
      replaced(replaced(blade, "joints:\n", "  other: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, at: [0, 3, 0]}\njoints:\n"),
               "  root:", "  axle: {revolute: [ground, other], axis: z, at: [0, 3, 0], motion: t}\n  root:");
  EXPECT_EQ(said(two, {"--about", "rotation"}),
            "m.yaml: joints with the ground turn several bodies ('hub', 'other'); say with which body everything turns: --frame "
            "BODY, or study: {modes: {frame: BODY}}\n");
}

// --- over a parameter ---

std::vector<std::string> files_in(const Folder& folder, const std::string& below) {
  std::vector<std::string> out;
  for (const std::string& file : folder.files())
    if (file.starts_with(below + "/")) out.push_back(file.substr(below.size() + 1));
  return out;
}

TEST(ModesOver, writes_tables_a_figure_a_file_and_a_page) {
  const Folder folder;
  folder.write("m.yaml", blade);
  const Outcome o = aleator(
      {"modes", "m.yaml", "--about", "rotation", "--over", "speed=0..60", "--points", "7", "--number", "3", "--orders", "2,4"},
      folder.path());
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(o.err, "");
  EXPECT_EQ(files_in(folder, "out/m-modes"),
            (std::vector<std::string>{"campbell.csv", "campbell.h5", "campbell.html", "campbell.svg", "critical-speeds.csv"}));
  const Csv all = parse_csv_text(text_of_file(folder / "out/m-modes/campbell.csv")),
            critical = parse_csv_text(text_of_file(folder / "out/m-modes/critical-speeds.csv"));
  ASSERT_EQ(all.rows.size(), 7u);
  ASSERT_EQ(critical.names, (std::vector<std::string>{"order", "mode", "speed", "frequency", "damping"}));
  ASSERT_GE(critical.rows.size(), 2u);
  const double pi = std::acos(-1.0);
  for (const std::vector<double>& row : critical.rows) {
    EXPECT_NEAR(row[3], row[0] * row[2] / (2 * pi), 1e-9 * row[3]);  // on the order line: the search ends at 1e-9 of 10 rad/s
    // The model itself has that frequency at that speed.
    folder.write("at.yaml", replaced(blade, "speed: 20", "speed: " + std::to_string(row[2])));
    const Outcome there = aleator({"modes", "at.yaml", "--about", "rotation", "--json"}, folder.path());
    const std::string key = "\"frequency\": ";
    double nearest = HUGE_VAL;
    for (size_t at = there.out.find(key); at != std::string::npos; at = there.out.find(key, at + 1))
      nearest = std::min(nearest, std::abs(std::atof(there.out.c_str() + at + key.size()) - row[3]));
    EXPECT_LT(nearest, 1e-6) << row[2];  // six decimals of the speed
  }
  // A report may be made of it again, and it is no study.
  EXPECT_EQ(aleator({"report", "out/m-modes"}, folder.path()).code, 0);
  const Outcome refused = aleator({"export", "out/m-modes/campbell.h5", "statistics"}, folder.path());
  EXPECT_EQ(refused.code, 3) << refused.err;
  const Outcome none = aleator({"modes", "m.yaml", "--about", "rotation", "--over", "speed=0..60", "--points", "2", "--number",
                                "2", "--no-report", "--out", "bare"},
                               folder.path());
  ASSERT_EQ(none.code, 0) << none.err;
  EXPECT_EQ(files_in(folder, "bare"), (std::vector<std::string>{"campbell.csv", "campbell.h5", "campbell.svg"}));
  EXPECT_EQ(none.out.find("critical"), std::string::npos) << none.out;
}

TEST(ModesOver, is_in_the_report_of_the_study_of_modes_of_the_same_model) {
  const Folder folder;
  const auto has_diagram = [&](const std::string& page) {
    const std::string text = text_of_file(folder / page);
    return text.find("\"campbell\":{\"parameter\":\"speed\"") != std::string::npos;
  };
  folder.write("m.yaml", blade);
  const std::vector<std::string> over = {"modes", "m.yaml", "--about", "rotation", "--over", "speed=0..60", "--points", "3"};
  ASSERT_EQ(aleator(over, folder.path()).code, 0);
  const std::vector<std::string> run = {"run", "m.yaml", "--what", "modes", "--frame", "hub"};
  ASSERT_EQ(aleator(run, folder.path()).code, 0);
  EXPECT_TRUE(has_diagram("out/m-modes/campbell.html"));
  EXPECT_TRUE(has_diagram("out/m-modes/report.html"));
  // Of other numbers it is another one's.
  ASSERT_EQ(aleator({"run", "m.yaml", "--what", "modes", "--frame", "hub", "--set", "hub.mass=7"}, folder.path()).code, 0);
  EXPECT_FALSE(has_diagram("out/m-modes/report.html"));
  // Of a model that has changed since, it is another one's.
  folder.write("m.yaml", replaced(blade, "mass: 5", "mass: 6"));
  ASSERT_EQ(aleator(run, folder.path()).code, 0);
  EXPECT_FALSE(has_diagram("out/m-modes/report.html"));
}

TEST(ModesOver, as_json_and_interrupted) {
  const Folder folder;
  folder.write("m.yaml", blade);
  const Outcome o = aleator({"modes", "m.yaml", "--about", "rotation", "--over", "speed=0..60", "--points", "3", "--number", "2",
                             "--orders", "3", "--json"},
                            folder.path());
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(o.out.starts_with("{\n  \"format\": \"aleator-modes/1\"")) << o.out;
  EXPECT_NE(o.out.find("\"critical\": ["), std::string::npos) << o.out;
  for (const std::string wrong : {"nan", "0", "-1", "x"})
    EXPECT_EQ(aleator({"modes", "m.yaml", "--over", "speed=0..60", "--orders", wrong}, folder.path()).code, 2) << wrong;
  EXPECT_EQ(aleator({"modes", "m.yaml", "--over", "speed=0..60", "--orders", "1", "--unit", "N"}, folder.path()).code, 2);
  // What was done when it is stopped is there.
  const Outcome cut =
      aleator({"modes", "m.yaml", "--about", "rotation", "--over", "speed=0..60", "--points", "100000", "--out", "cut"},
              folder.path(), 2);
  EXPECT_EQ(cut.code, 130) << cut.err;
  EXPECT_NE(cut.out.find(" of 100000 values"), std::string::npos) << cut.err;
  EXPECT_EQ(files_in(folder, "cut"), (std::vector<std::string>{"campbell.csv", "campbell.h5", "campbell.svg"}));
}

// A page and critical speeds of an earlier diagram are not left beside the files of another one.
TEST(ModesOver, replaces_all_of_an_earlier_diagram) {
  const Folder folder;
  folder.write("m.yaml", blade);
  std::vector<std::string> command = {"modes",       "m.yaml",   "--about", "rotation", "--over",
                                      "speed=0..60", "--points", "3",       "--out",    "o"};
  command.insert(command.end(), {"--orders", "3"});
  ASSERT_EQ(aleator(command, folder.path()).code, 0);
  EXPECT_EQ(files_in(folder, "o").size(), 5u);
  command.resize(command.size() - 2);
  command.push_back("--no-report");
  ASSERT_EQ(aleator(command, folder.path()).code, 0);
  EXPECT_EQ(files_in(folder, "o"), (std::vector<std::string>{"campbell.csv", "campbell.h5", "campbell.svg"}));
}

// A speed without an effect: what it turns is linearised about at rest, or it turns alone.
TEST(ModesOver, what_cannot_be_meant_is_told) {
  const Folder folder;
  folder.write("m.yaml", blade);
  const auto said = [&](const std::string& about) {
    return aleator(
               {"modes", "m.yaml", "--about", about, "--over", "speed=1..60", "--points", "2", "--number", "1", "--no-report"},
               folder.path())
        .out;
  };
  const auto flat = [](std::string text) {  // without the line breaks of notes
    for (size_t at = 0; (at = text.find("\n  ", at)) != std::string::npos;) text.replace(at, 3, " ");
    return text;
  };
  EXPECT_NE(
      flat(said("start"))
          .find("note: no frequency changes with speed; these are vibrations about rest, --about steady and --about rotation"),
      std::string::npos)
      << said("start");
  EXPECT_NE(flat(said("steady")).find("what spins with a shaft needs an entry of initial_motions, too"), std::string::npos)
      << said("steady");
  EXPECT_EQ(said("rotation").find("note:"), std::string::npos) << said("rotation");
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
