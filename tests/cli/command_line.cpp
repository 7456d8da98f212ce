// The command line itself: help and version everywhere, exit code 2 for what cannot be meant.
#include <gtest/gtest.h>

#include "program.hpp"
#include "support/places.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const std::vector<std::string> commands = {"simulate", "animate",     "run",      "resume",   "merge",  "rerun",
                                           "slurm",    "identify",    "sample",   "twin",     "report", "view",
                                           "export",   "plot",        "evaluate", "compare",  "serve",  "dakota",
                                           "check",    "equilibrium", "modes",    "spectrum", "schema"};
const std::string pendulum = source_folder() + "/examples/pendulum.yaml";

TEST(CommandLine, help_and_version_everywhere) {
  const Outcome version = aleator({"--version"}), help = aleator({"--help"}), nothing = aleator({});
  EXPECT_EQ(version.code, 0);
  EXPECT_TRUE(version.out.starts_with("aleator 0."));
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(nothing.code, 0);
  EXPECT_EQ(nothing.out, help.out);
  for (const std::string& c : commands) {
    EXPECT_NE(help.out.find("\n  " + c + " "), std::string::npos) << c;
    const Outcome h = aleator({c, "--help"}), v = aleator({c, "--version"});
    EXPECT_EQ(h.code, 0) << c;
    EXPECT_NE(h.out.find("Usage: aleator " + c), std::string::npos) << h.out;
    EXPECT_NE(h.out.find("\nExamples:\n  aleator " + c), std::string::npos) << h.out;
    EXPECT_EQ(aleator({c, "-h"}).out, h.out) << c;
    EXPECT_EQ(v.code, 0) << c;
    EXPECT_EQ(v.out, version.out) << c;
    EXPECT_EQ(h.err + v.err, "") << c;
  }
}

TEST(CommandLine, what_cannot_be_meant_ends_with_2) {
  const std::vector<std::vector<std::string>> wrong = {{"simulat", pendulum},
                                                       {"frobnicate"},
                                                       {"--frobnicate"},
                                                       {"simulate"},
                                                       {"check"},
                                                       {"simulate", pendulum, "another"},
                                                       {"simulate", pendulum, "--frobnicate"},
                                                       {"simulate", pendulum, "--out"},
                                                       {"check", pendulum, "--out", "x"},
                                                       {"simulate", pendulum, "--set"},
                                                       {"simulate", pendulum, "--set", "rod.mass"},
                                                       {"simulate", pendulum, "--set", "rod.mass="},
                                                       {"simulate", pendulum, "--set", "=3"},
                                                       {"simulate", pendulum, "--set", "rod.mass=heavy"},
                                                       {"simulate", pendulum, "--set", "rod.mass=3 kg"},
                                                       {"simulate", pendulum, "--set", "rod.mass=nan"},
                                                       {"simulate", pendulum, "--set", "rod.mass=inf"},
                                                       {"simulate", pendulum, "--set", "rod.mass=1e999"},
                                                       {"modes", pendulum, "--count", "0"},
                                                       {"modes", pendulum, "--count", "many"},
                                                       {"modes", pendulum, "--about", "moon"},
                                                       {"run"},
                                                       {"run", pendulum, "--samples", "0"},
                                                       {"run", pendulum, "--samples", "many"},
                                                       {"run", pendulum, "--seed", "-1"},
                                                       {"run", pendulum, "--threads", "0"},
                                                       {"run", pendulum, "--method", "guessing"},
                                                       {"sample", pendulum, "-n", "-3"},
                                                       {"export", "x.h5"},
                                                       {"export", "x.h5", "all"},
                                                       {"schema", "more"}};
  const Folder folder;
  for (const auto& arguments : wrong) {
    const Outcome o = aleator(arguments, folder.path());
    EXPECT_EQ(o.code, 2) << testing::PrintToString(arguments) << o.err;
    EXPECT_TRUE(o.err.starts_with("aleator: ")) << o.err;
    EXPECT_EQ(o.out, "") << testing::PrintToString(arguments);
  }
  EXPECT_TRUE(folder.files().empty());
}

TEST(CommandLine, what_the_model_does_not_have_ends_with_3) {
  for (const char* set : {"k=1", "rdo.mass=1", "rod.mas=1", "rod.mass=-1", "rod.mass=0", "rod.center_of_mass.w=1",
                          "rod.inertia.ab=1", "rod.inertia.xx=1000"})
    EXPECT_EQ(aleator({"check", pendulum, "--set", set}).code, 3) << set;
}

TEST(CommandLine, numbers_can_be_set_more_than_once) {
  const Outcome twice = aleator({"simulate", pendulum, "--csv", "-", "--set", "rod.mass=2", "--set", "rod.center_of_mass.x=0.4"});
  ASSERT_EQ(twice.code, 0) << twice.err;
  // The pin carries m g (1 − d²/k²) at the start, the inertia scales with the mass.
  const double k2 = (1 + 0.05 * 0.05) / 12 + 0.16;
  EXPECT_NEAR(parse_csv_text(twice.out).at("pull", 0), 2 * 9.81 * (1 - 0.16 / k2), 1e-8);
}

TEST(CommandLine, csv_on_the_standard_output_writes_no_files) {
  const Folder folder;
  const Outcome o = aleator({"simulate", pendulum, "--csv", "-"}, folder.path());
  EXPECT_EQ(o.code, 0);
  EXPECT_TRUE(o.out.starts_with("time,tip.x,tip.y,tip.z,pull\n0,1,0,"));
  EXPECT_TRUE(folder.files().empty());
}

TEST(CommandLine, the_other_commands) {
  const Outcome modes = aleator({"modes", pendulum, "--about", "equilibrium", "--count", "1"}),
                rest = aleator({"equilibrium", pendulum}), schema = aleator({"schema"});
  EXPECT_EQ(modes.code, 0) << modes.err;
  EXPECT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(schema.code, 0) << schema.err;
  EXPECT_TRUE(schema.out.starts_with("{"));
  EXPECT_EQ(aleator({"schema", "--reference"}).code, 0);
  EXPECT_NE(aleator({"schema", "--identification"}).out.find("\"specimens\""), std::string::npos);
  EXPECT_EQ(aleator({"schema", "--identification", "--reference"}).code, 0);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
