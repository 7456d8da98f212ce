// Robot descriptions, end to end: import, export-urdf, what they write, and what they leave alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "program.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

namespace fs = std::filesystem;

const std::string tetrahedron =
    "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\n"
    "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

// Two links; the second is drawn by `visual`.
std::string arm(const std::string& visual = "") {
  return "<robot name='arm'>\n"
         " <link name='base'/>\n"
         " <link name='upper'><inertial><origin xyz='0 0 -0.5'/><mass value='2'/><inertia ixx='0.1' iyy='0.1' "
         "izz='0.01'/></inertial>" +
         visual +
         "</link>\n"
         " <link name='lower'><inertial><origin xyz='0 0 -0.2'/><mass value='0.75'/><inertia ixx='0.02' iyy='0.02' izz='0.001'/>"
         "</inertial></link>\n"
         " <joint name='shoulder' type='revolute'><parent link='base'/><child link='upper'/><axis xyz='0 1 0'/>"
         "<limit lower='-1' upper='2' effort='1' velocity='1'/></joint>\n"
         " <joint name='elbow' type='continuous'><parent link='upper'/><child link='lower'/><origin xyz='0 0 -1'/><axis xyz='0 1 "
         "0'/>"
         "<dynamics damping='0.1'/></joint>\n"
         "</robot>\n";
}

std::string drawn_by(const std::string& mesh) { return "<visual><geometry><mesh filename='" + mesh + "'/></geometry></visual>"; }

Outcome checked(const std::string& model, const Folder& folder) { return aleator({"check", model}, folder.path()); }

// The entry of a body or joint in an imported model: its line and those that are deeper.
std::string entry(const std::string& text, const std::string& name) {
  std::string out;
  for (const std::string& line : lines_of(text)) {
    if (out.empty() ? line.starts_with("  " + name + ":") : line.starts_with("   "))
      out += line + "\n";
    else if (!out.empty())
      break;
  }
  return out;
}

std::vector<double> masses(const Outcome& check) {
  std::vector<double> out;
  std::istringstream text(check.out);
  for (std::string line; std::getline(text, line) && !line.starts_with("joints");) {
    std::istringstream words(line);
    std::string name;
    double mass = 0;
    if (words >> name >> mass && line.find('[') != std::string::npos) out.push_back(mass);
  }
  std::sort(out.begin(), out.end());
  return out;
}

TEST(Import, printed_or_written) {
  const Folder folder;
  folder.write("arm.urdf", arm());
  const Outcome printed = aleator({"import", "arm.urdf"}, folder.path());
  ASSERT_EQ(printed.code, 0) << printed.err;
  EXPECT_EQ(folder.files(), std::vector<std::string>{"arm.urdf"});
  const Outcome written = aleator({"import", "arm.urdf", "-o", "m.yaml", "--duration", "0.5"}, folder.path());
  ASSERT_EQ(written.code, 0) << written.err;
  EXPECT_EQ(replaced(text_of_file(folder / "m.yaml"), "duration: 0.5, step: 0.0025", "duration: 1, step: 0.005"), printed.out);
  EXPECT_NE(written.out.find("wrote m.yaml"), std::string::npos) << written.out;
  EXPECT_NE(written.err.find("arm.urdf:2:2: link 'base' has no mass: it is the ground"), std::string::npos) << written.err;
  const Outcome check = checked("m.yaml", folder);
  EXPECT_EQ(check.code, 0) << check.err;
  EXPECT_EQ(masses(check), (std::vector<double>{0.75, 2}));
  const Outcome simulated = aleator({"simulate", "m.yaml", "--csv", "-"}, folder.path());
  EXPECT_EQ(simulated.code, 0) << simulated.err;
}

TEST(Import, models_are_replaced_only_when_that_is_said) {
  const Folder folder;
  folder.write("arm.urdf", arm());
  folder.write("m.yaml", "title: edited by hand\n");
  const Outcome refused = aleator({"import", "arm.urdf", "-o", "m.yaml"}, folder.path());
  EXPECT_EQ(refused.code, 6);
  EXPECT_NE(refused.err.find("m.yaml"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("--overwrite replaces it"), std::string::npos) << refused.err;
  EXPECT_EQ(text_of_file(folder / "m.yaml"), "title: edited by hand\n");
  EXPECT_EQ(aleator({"import", "arm.urdf", "-o", "m.yaml", "--overwrite"}, folder.path()).code, 0);
  EXPECT_EQ(checked("m.yaml", folder).code, 0);
}

TEST(Import, options_decide_what_is_in_the_model) {
  const Folder folder;
  folder.write("arm.urdf", arm());
  const auto imported = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"import", "arm.urdf", "-o", "m.yaml", "--overwrite"});
    const Outcome o = aleator(options, folder.path());
    EXPECT_EQ(o.code, 0) << o.err;
    const Outcome check = checked("m.yaml", folder);
    EXPECT_EQ(check.code, 0) << check.err;
    return text_of_file(folder / "m.yaml");
  };
  const std::string plain = imported({});
  EXPECT_NE(entry(plain, "shoulder").find("stops: {lower: -1, upper: 2"), std::string::npos) << plain;
  EXPECT_EQ(imported({"--no-limits"}).find("stops:"), std::string::npos);
  // Limits count from the position drawn.
  const std::string bent = imported({"--position", "shoulder=0.5"});
  EXPECT_NE(entry(bent, "shoulder").find("stops: {lower: -1.5, upper: 1.5"), std::string::npos) << bent;
  // The link hangs along (sin 0.5, 0, cos 0.5).
  EXPECT_NE(entry(bent, "lower").find("at: [-0.479425538604203, 0, -0.877582561890373]"), std::string::npos) << bent;

  // A root with mass: fixed, or not.
  folder.write("arm.urdf",
               replaced(arm(), "<link name='base'/>",
                        "<link name='base'><inertial><mass value='5'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"));
  EXPECT_NE(imported({}).find("fixed: [ground, base]"), std::string::npos);
  EXPECT_NE(imported({"--base", "fixed"}).find("fixed: [ground, base]"), std::string::npos);
  EXPECT_EQ(imported({"--base", "floating"}).find("fixed:"), std::string::npos);
}

TEST(Import, inertias_that_no_body_can_have) {
  const Folder folder;
  folder.write("arm.urdf", replaced(arm(), "ixx='0.1' iyy='0.1' izz='0.01'", "ixx='0.1' iyy='0.1' izz='0.3'"));
  const Outcome refused = aleator({"import", "arm.urdf", "-o", "m.yaml"}, folder.path());
  EXPECT_EQ(refused.code, 3);
  EXPECT_NE(refused.err.find("arm.urdf:3:"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("--repair"), std::string::npos) << refused.err;
  EXPECT_EQ(folder.files(), std::vector<std::string>{"arm.urdf"});
  EXPECT_EQ(aleator({"import", "arm.urdf", "-o", "m.yaml", "--repair"}, folder.path()).code, 0);
  EXPECT_EQ(checked("m.yaml", folder).code, 0);
}

TEST(Import, mistakes_in_the_command_line_and_in_the_file) {
  const Folder folder;
  folder.write("arm.urdf", arm());
  folder.write("no.urdf", "<robot name='r'><lnk/></robot>\n");
  const auto told = [&](std::vector<std::string> arguments, int code) {
    arguments.insert(arguments.begin(), "import");
    const Outcome o = aleator(arguments, folder.path());
    EXPECT_EQ(o.code, code) << o.err;
    return o.err;
  };
  for (const std::string wrong : {"elbow", "elbow=", "elbow=x", "=1", "elbow=inf"}) {
    const std::string err = told({"arm.urdf", "--position", wrong}, 2);
    EXPECT_NE(err.find("--position: expects JOINT=VALUE with a finite number, found '" + wrong + "'"), std::string::npos) << err;
    EXPECT_EQ(err.find("--set"), std::string::npos) << err;
  }
  EXPECT_NE(told({"arm.urdf", "--base", "loose"}, 2).find("--base"), std::string::npos);
  told({"arm.urdf", "--duration", "-1"}, 2);
  told({}, 2);
  EXPECT_NE(told({"arm.urdf", "--position", "wrist=1"}, 3).find("there is no joint 'wrist'"), std::string::npos);
  EXPECT_NE(told({"no.urdf"}, 3).find("no.urdf:1:17: unknown element <lnk> (did you mean 'link'?)"), std::string::npos);
  told({"nothing.urdf"}, 3);
  EXPECT_EQ(folder.files(), (std::vector<std::string>{"arm.urdf", "no.urdf"}));
}

// --- meshes ---

// A package with its robot and its mesh, and another one with a mesh alone.
void write_packages(const Folder& folder) {
  fs::create_directories(folder / "bot/urdf");
  fs::create_directories(folder / "shared/parts");
  folder.write("bot/urdf/arm.urdf", arm(drawn_by("package://parts/a.obj")));
  folder.write("shared/parts/a.obj", tetrahedron);
}

TEST(Import, meshes_of_packages_are_copied_beside_the_model) {
  const Folder folder;
  write_packages(folder);
  const Outcome missing = aleator({"import", "bot/urdf/arm.urdf"}, folder.path());
  EXPECT_EQ(missing.code, 3);
  EXPECT_NE(missing.err.find("--package-path"), std::string::npos) << missing.err;
  const std::vector<std::string> import = {"import", "bot/urdf/arm.urdf", "--package-path", "shared", "-o", "bot/m.yaml"};
  const Outcome o = aleator(import, folder.path());
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_NE(o.out.find("copied 1 mesh into bot/m-meshes"), std::string::npos) << o.out;
  EXPECT_EQ(text_of_file(folder / "bot/m-meshes/a.obj"), tetrahedron);
  EXPECT_NE(text_of_file(folder / "bot/m.yaml").find("mesh: \"m-meshes/a.obj\""), std::string::npos);
  EXPECT_EQ(checked("bot/m.yaml", folder).code, 0);
  // Where they lie below the model, they stay.
  ASSERT_EQ(aleator({"import", "bot/urdf/arm.urdf", "--package-path", "shared", "-o", "m.yaml"}, folder.path()).code, 0);
  EXPECT_NE(text_of_file(folder / "m.yaml").find("mesh: \"shared/parts/a.obj\""), std::string::npos);
  EXPECT_FALSE(fs::exists(folder / "m-meshes"));
  // Without shapes nothing has to be found.
  const Outcome bare = aleator({"import", "bot/urdf/arm.urdf", "--no-meshes"}, folder.path());
  EXPECT_EQ(bare.code, 0) << bare.err;
  EXPECT_EQ(bare.out.find("mesh: "), std::string::npos) << bare.out;
}

TEST(Import, other_files_are_not_replaced_by_copies_of_meshes) {
  const Folder folder;
  write_packages(folder);
  std::vector<std::string> import = {"import", "bot/urdf/arm.urdf", "--package-path", "shared", "-o", "bot/m.yaml"};
  fs::create_directories(folder / "bot/m-meshes");
  folder.write("bot/m-meshes/a.obj", "drawn by hand");
  const Outcome refused = aleator(import, folder.path());
  EXPECT_EQ(refused.code, 6);
  EXPECT_NE(refused.err.find("bot/m-meshes/a.obj"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("--overwrite replaces it"), std::string::npos) << refused.err;
  EXPECT_EQ(text_of_file(folder / "bot/m-meshes/a.obj"), "drawn by hand");
  EXPECT_FALSE(fs::exists(folder / "bot/m.yaml"));
  import.push_back("--overwrite");
  EXPECT_EQ(aleator(import, folder.path()).code, 0);
  EXPECT_EQ(text_of_file(folder / "bot/m-meshes/a.obj"), tetrahedron);
}

TEST(Import, a_printed_model_copies_nothing) {
  const Folder folder;
  write_packages(folder);
  const std::vector<std::string> before = folder.files();
  const Outcome o = aleator({"import", "urdf/arm.urdf", "--package-path", "../shared"}, folder / "bot");
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(folder.files(), before);
  EXPECT_NE(o.out.find("mesh: \"../shared/parts/a.obj\""), std::string::npos) << o.out;
  EXPECT_NE(o.err.find("--allow-files"), std::string::npos) << o.err;
  folder.write("bot/printed.yaml", o.out);
  EXPECT_EQ(aleator({"check", "printed.yaml", "--allow-files", "../shared"}, folder / "bot").code, 0);
}

// --- the other way ---

TEST(ExportUrdf, what_was_imported_comes_back) {
  const Folder folder;
  folder.write("arm.urdf", arm());
  ASSERT_EQ(aleator({"import", "arm.urdf", "-o", "m.yaml"}, folder.path()).code, 0);
  const Outcome printed = aleator({"export-urdf", "m.yaml"}, folder.path());
  ASSERT_EQ(printed.code, 0) << printed.err;
  EXPECT_EQ(aleator({"export-urdf", "m.yaml", "-o", "again.urdf"}, folder.path()).out, "wrote again.urdf\n");
  EXPECT_EQ(text_of_file(folder / "again.urdf"), printed.out);
  EXPECT_EQ(aleator({"export-urdf", "m.yaml", "-o", "again.urdf"}, folder.path()).code, 6);
  EXPECT_EQ(aleator({"export-urdf", "m.yaml", "-o", "again.urdf", "--overwrite"}, folder.path()).code, 0);
  ASSERT_EQ(aleator({"import", "again.urdf", "-o", "again.yaml"}, folder.path()).code, 0);
  const Outcome check = checked("again.yaml", folder);
  EXPECT_EQ(check.code, 0) << check.err;
  EXPECT_EQ(masses(check), (std::vector<double>{0.75, 2}));
  // The same motion: coordinates with 15 digits, over a tenth of a second.
  const Csv a = parse_csv_text(aleator({"simulate", "m.yaml", "--csv", "-"}, folder.path()).out),
            b = parse_csv_text(aleator({"simulate", "again.yaml", "--csv", "-"}, folder.path()).out);
  for (const char* joint : {"shoulder", "elbow"}) EXPECT_NEAR(a.at(joint, 0.1), b.at(joint, 0.1), 1e-9) << joint;
}

TEST(ExportUrdf, meshes_are_found_from_where_the_description_is) {
  const Folder folder;
  fs::create_directories(folder / "models/parts");
  fs::create_directories(folder / "models/out");
  fs::create_directories(folder / "elsewhere");
  folder.write("models/parts/a.obj", tetrahedron);
  folder.write("models/parts/rod.yaml", "bodies: {rod: {shape: {mesh: a.obj}, mass: 1, at: [0, 0, 0]}}\n");
  folder.write(
      "models/m.yaml",
      "include: parts/rod.yaml\ngravity: [0, 0, -9.81]\njoints: {pin: {revolute: [ground, rod], axis: y, at: [0, 0, 0]}}\n"
      "simulation: {duration: 0.1}\n");
  const auto imported = [&](const std::string& urdf) {
    const Outcome o = aleator({"import", urdf, "-o", fs::path(urdf).replace_extension(".yaml").string()}, folder.path());
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(checked(fs::path(urdf).replace_extension(".yaml").string(), folder).code, 0) << urdf;
  };
  // Beside the model, above it, below it, and in a folder of its own.
  for (const auto& [urdf, name] :
       {std::pair("models/r.urdf", "parts/a.obj"), std::pair("r.urdf", "models/parts/a.obj"),
        std::pair("models/out/r.urdf", "r-meshes/a.obj"), std::pair("elsewhere/r.urdf", "r-meshes/a.obj")}) {
    const Outcome o = aleator({"export-urdf", "models/m.yaml", "-o", urdf}, folder.path());
    EXPECT_EQ(o.code, 0) << o.err;
    const std::string text = text_of_file(folder / urdf);
    EXPECT_NE(text.find(std::string("filename=\"") + name + "\""), std::string::npos) << text;
    imported(urdf);
  }
  EXPECT_EQ(text_of_file(folder / "elsewhere/r-meshes/a.obj"), tetrahedron);
  // Printed, it is for the folder the program runs in, where nothing is written.
  const std::vector<std::string> before = folder.files();
  const Outcome printed = aleator({"export-urdf", "../models/m.yaml"}, folder / "elsewhere");
  EXPECT_EQ(printed.code, 0) << printed.err;
  EXPECT_NE(printed.out.find("filename=\"../models/parts/a.obj\""), std::string::npos) << printed.out;
  EXPECT_EQ(folder.files(), before);
}

TEST(ExportUrdf, gravity_is_missed) {
  const Folder folder;
  const auto note = [&](const std::string& gravity) {
    folder.write("m.yaml", gravity +
                               "bodies: {a: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, at: [0, 0, 0]}}\n"
                               "joints: {pin: {revolute: [ground, a], axis: y, at: [0, 0, 0]}}\nsimulation: {duration: 0.1}\n");
    const Outcome o = aleator({"export-urdf", "m.yaml"}, folder.path());
    EXPECT_EQ(o.code, 0) << o.err;
    return o.err;
  };
  EXPECT_EQ(note("gravity: [0, 0, -9.81]\n"), "");
  const std::string rest = "is left out: URDF states none; `aleator import` and most simulators take [0, 0, -9.81]\n";
  EXPECT_EQ(note(""), "note: gravity [0, 0, 0] " + rest);
  EXPECT_EQ(note("gravity: [0, 0, -1.62]\n"), "note: gravity [0, 0, -1.62] " + rest);
  EXPECT_EQ(note("gravity: [0, -9.81, 0]\n"), "note: gravity [0, -9.81, 0] " + rest);
  EXPECT_EQ(note("gravity: [sin(t), 0, -9.81]\n"), "note: gravity, a function of time, " + rest);
}

TEST(ExportUrdf, mistakes) {
  const Folder folder;
  folder.write("m.yaml",
               "bodies: {a: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, at: [0, 0, 0]}}\n"
               "joints: {j: {spherical: [ground, a], at: [0, 0, 0]}}\nsimulation: {duration: 0.1}\n");
  const Outcome o = aleator({"export-urdf", "m.yaml", "-o", "r.urdf"}, folder.path());
  EXPECT_EQ(o.code, 3);
  EXPECT_NE(o.err.find("m.yaml:2:10: joint 'j': URDF has no spherical joint"), std::string::npos) << o.err;
  EXPECT_EQ(folder.files(), std::vector<std::string>{"m.yaml"});
  EXPECT_EQ(aleator({"export-urdf"}, folder.path()).code, 2);
  EXPECT_EQ(aleator({"export-urdf", "m.yaml", "--what"}, folder.path()).code, 2);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
