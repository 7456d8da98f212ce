// Repeats, templates, instances, frames and named functions: what they make, and what is said where they are wrong.
#include <fmt/format.h>

#include <chrono>

#include "input/expanded_text.hpp"
#include "input/limits.hpp"
#include "input_language.hpp"

namespace aleator::core::input {
namespace ALEATOR_FILE {

// The model written out, without line ends at its end.
std::string expanded(const std::string& text) { return expanded_text(read(text), small_language()); }

TEST(Repeat, names_and_numbers) {
  EXPECT_EQ(expanded("bodies:\n"
                     "  link${i}: {repeat: {for: i, from: 1, to: 2}, mass: ${2*i}, at: [${i}, 0, ${0.5*i-1}]}\n"
                     "joints:\n"
                     "  pin${i}: {repeat: {for: i, from: 2, to: 2}, revolute: [link${i-1}, link${i}], axis: z, at: [0, 0, 0]}\n"),
            "bodies:\n"
            "  link1: {mass: 2, at: [1, 0, -0.5]}\n"
            "  link2: {mass: 4, at: [2, 0, 0]}\n"
            "joints:\n"
            "  pin2: {revolute: [link1, link2], axis: z, at: [0, 0, 0]}\n");
}

TEST(Repeat, nested_listed_and_in_lists) {
  EXPECT_EQ(expanded("bodies:\n  b_${row}_${k}: {repeat: [{for: row, in: [a, c]}, {for: k, from: 3, to: 1, by: -2}], mass: ${k}, "
                     "at: [0, 0, 0]}\n"),
            "bodies:\n  b_a_3: {mass: 3, at: [0, 0, 0]}\n  b_a_1: {mass: 1, at: [0, 0, 0]}\n"
            "  b_c_3: {mass: 3, at: [0, 0, 0]}\n  b_c_1: {mass: 1, at: [0, 0, 0]}\n");
  EXPECT_EQ(
      expanded(
          "bodies:\n  ${side}: {repeat: {for: [side, y], in: [[left, 0.2], [right, -0.2]]}, mass: 1, at: [0, ${y}, 1-${y}]}\n"),
      "bodies:\n  left: {mass: 1, at: [0, 0.2, 1-0.2]}\n  right: {mass: 1, at: [0, -0.2, 1-(-0.2)]}\n");
  EXPECT_EQ(
      expanded(
          "bodies:\n  b: {mass: 1, at: [0, 0, 0], layers: [{repeat: {for: i, from: 1, to: 3}, steel: ${i}}], outline: [[0, 0], "
          "{repeat: {for: i, from: 1, to: 2}, item: [1, ${i}]}]}\n"),
      "bodies:\n  b: {mass: 1, at: [0, 0, 0], layers: [{steel: 1}, {steel: 2}, {steel: 3}], outline: [[0, 0], [1, 1], [1, "
      "2]]}\n");
  // bounds of an inner one may use the outer one; parameters of the model stay expressions
  EXPECT_EQ(
      expanded(
          "parameters: {p: 2}\nbodies:\n  b${i}-${j}: {repeat: [{for: i, from: 1, to: 2}, {for: j, from: 1, to: ${i}}], mass: "
          "p*${i}, at: [${p*j}, 0, 0]}\n"),
      "parameters:\n  p: 2\nbodies:\n  b1-1: {mass: p*1, at: [p*1, 0, 0]}\n  b2-1: {mass: p*2, at: [p*1, 0, 0]}\n"
      "  b2-2: {mass: p*2, at: [p*2, 0, 0]}\n");
}

// Pairs i > j: of the first i there is none. Bounds that are numbers are checked nevertheless.
TEST(Repeat, inner_ranges_may_be_empty) {
  EXPECT_EQ(
      expanded("bodies:\n  b${i}-${j}: {repeat: [{for: i, to: 3}, {for: j, to: \"${i-1}\"}], mass: 1, at: [${i}, ${j}, 0]}\n"),
      "bodies:\n  b2-1: {mass: 1, at: [2, 1, 0]}\n  b3-1: {mass: 1, at: [3, 1, 0]}\n  b3-2: {mass: 1, at: [3, 2, 0]}\n");
  EXPECT_EQ(
      expanded(
          "repeat: {for: i, to: 2, repeat: {for: j, from: \"${i}\", to: 1, bodies: {b${i}-${j}: {mass: 1, at: [0, 0, 0]}}}}\n"),
      "bodies:\n  b1-1: {mass: 1, at: [0, 0, 0]}\n");
  EXPECT_NE(error_of("bodies: {b${i}-${j}: {repeat: [{for: i, to: 3}, {for: j, from: 2, to: 1}], mass: 1, at: [0, 0, 0]}}\n")
                .find("'repeat.to' must not be less than 'from', found 1 and 2"),
            std::string::npos);
}

TEST(Repeat, what_users_type_wrong_first) {
  const auto body = [](const std::string& name, const std::string& clause, const std::string& mass = "1") {
    return error_of("bodies:\n  " + name + ": {repeat: " + clause + ", mass: " + mass + ", at: [0, 0, 0]}\n");
  };
  EXPECT_EQ(body("link", "{for: i, from: 1, to: 3}"),
            "m.yaml:2:3: the repeat makes 'link' more than once: put its variable into the name, as in 'link${i}' [in repeat "
            "with i = 2, "
            "line 2]");
  EXPECT_NE(body("link$i", "{for: i, from: 1, to: 3}").find("more than once: put its variable into the name, as in 'link${i}'"),
            std::string::npos);
  EXPECT_EQ(body("link{i}", "{for: i, from: 1, to: 1}"),
            "m.yaml:2:3: body 'link{i}': a variable in a name has a $, as in 'link${i}' [in repeat with i = 1, line 2]");
  EXPECT_EQ(body("link${j}", "{for: i, from: 1, to: 3}"),
            "m.yaml:2:3: '${j}' has the unknown variable 'j' (known: i) [in repeat with i = 1, line 2]");
  EXPECT_EQ(
      body("link${i}", "{for: i, from: 1, to: 3}", "i"),
      "m.yaml:2:54: body 'link1': 'mass' uses the unknown name 'i'; a variable is written ${i} [in repeat with i = 1, line 2]");
  EXPECT_EQ(body("link${i}", "{for: i, from: 0, to: 3}", "${i}"),
            "m.yaml:2:54: body 'link0': 'mass' must be positive, found 0 [in repeat with i = 0, line 2]");
  EXPECT_EQ(body("link${i}", "{for: i, to: n}"),
            "m.yaml:2:35: 'repeat.to' must be a whole number, found 'n': how many entries there are cannot depend on parameters, "
            "for all "
            "realizations have the same ones");
  EXPECT_EQ(body("link${i}", "{for: i, from: 3, to: 1}"), "m.yaml:2:44: 'repeat.to' must not be less than 'from', found 1 and 3");
  EXPECT_EQ(body("link${i}", "{var: i, to: 1}"), "m.yaml:2:23: unknown key 'repeat.var' (known: for, from, to, by, in)");
  EXPECT_EQ(body("link${i}", "{to: 4}"),
            "m.yaml:2:22: 'repeat.for' is missing: the name of the variable, as in {for: i, from: 1, to: 40}");
  EXPECT_EQ(body("link${i}", "40"), "m.yaml:2:22: 'repeat' must be a mapping such as {for: i, from: 1, to: 40}, found '40'");
  EXPECT_EQ(body("link${i}", "{for: i, to: 1e6}"), "m.yaml:2:35: 'repeat.to' gives 1e+06 repetitions, at most 100000 are made");
  EXPECT_EQ(error_of("bodies: {link${i}: {mass: 1, at: [0, 0, 0]}}\n"),
            "m.yaml:1:10: '${i}' has a variable, but stands in no repeat and in no template");
}

// Entries of several sections at once, after those that are there.
TEST(Repeat, blocks_of_sections) {
  EXPECT_EQ(expanded("bodies: {link0: {mass: 1, at: [0, 0, 0]}}\n"
                     "repeat:\n"
                     "  for: i\n"
                     "  from: 1\n"
                     "  to: 2\n"
                     "  bodies: {link${i}: {mass: ${2*i}, at: [${i}, 0, 0]}}\n"
                     "  joints: {pin${i}: {revolute: [link${i-1}, link${i}], axis: z, at: [0, 0, 0]}}\n"),
            "bodies:\n"
            "  link0: {mass: 1, at: [0, 0, 0]}\n"
            "  link1: {mass: 2, at: [1, 0, 0]}\n"
            "  link2: {mass: 4, at: [2, 0, 0]}\n"
            "joints:\n"
            "  pin1: {revolute: [link0, link1], axis: z, at: [0, 0, 0]}\n"
            "  pin2: {revolute: [link1, link2], axis: z, at: [0, 0, 0]}\n");
  // a list of blocks, a block in a block, an entry that is repeated itself, parameters
  EXPECT_EQ(
      expanded("repeat:\n"
               "  - {for: i, to: 2, parameters: {p${i}: ${i}}, repeat: {for: j, to: \"${i}\", bodies: {b${i}_${j}: {mass: p${i}, "
               "at: [0, 0, 0]}}}}\n"
               "  - {for: side, in: [l, r], bodies: {\"${side}${k}\": {repeat: {for: k, to: 2}, mass: 1, at: [0, 0, 0]}}}\n"),
      "parameters:\n  p1: 1\n  p2: 2\n"
      "bodies:\n  b1_1: {mass: p1, at: [0, 0, 0]}\n  b2_1: {mass: p2, at: [0, 0, 0]}\n  b2_2: {mass: p2, at: [0, 0, 0]}\n"
      "  l1: {mass: 1, at: [0, 0, 0]}\n  l2: {mass: 1, at: [0, 0, 0]}\n  r1: {mass: 1, at: [0, 0, 0]}\n  r2: {mass: 1, at: [0, "
      "0, 0]}\n");
  // in a template, and instances in a block
  EXPECT_EQ(
      expanded(
          "templates: {row: {parameters: {n: 2}, repeat: {for: i, to: \"${n}\", bodies: {b${i}: {mass: ${i}, at: [0, 0, 0]}}}}}\n"
          "repeat: {for: k, to: 2, instances: {r${k}: {template: row, at: [${k}, 0, 0], with: {n: ${k}}}}}\n"),
      "bodies:\n  r1.b1: {mass: 1, at: [1, 0, 0]}\n  r2.b1: {mass: 1, at: [2, 0, 0]}\n  r2.b2: {mass: 2, at: [2, 0, 0]}\n");
}

TEST(Repeat, what_users_type_wrong_first_in_blocks) {
  const auto block = [](const std::string& inside) { return error_of("repeat: {for: i, from: 0, to: 2, " + inside + "}\n"); };
  EXPECT_EQ(block("bodies: {link${i}: {mass: ${i}, at: [0, 0, 0]}}"),
            "m.yaml:1:60: body 'link0': 'mass' must be positive, found 0 [in repeat with i = 0, line 1]");
  EXPECT_EQ(
      block("bodies: {link: {mass: 1, at: [0, 0, 0]}}"),
      "m.yaml:1:43: the repeat makes 'link' more than once: put its variable into the name, as in 'link${i}' [in repeat with i "
      "= 1, line 1]");
  EXPECT_EQ(block("boddies: {}"), "m.yaml:1:34: 'repeat': unknown key 'boddies' (did you mean 'bodies'?)");
  EXPECT_EQ(block("bodies: 3"), "m.yaml:1:42: 'repeat.bodies' must be a mapping of names, found '3'");
  EXPECT_EQ(
      error_of("repeat: {for: i, to: 2}\n"),
      "m.yaml:1:9: 'repeat' at the top has sections in it, as {for: i, from: 1, to: 40, bodies: {…}, joints: {…}}; that of one "
      "entry stands in it");
  EXPECT_EQ(error_of("repeat: 3\n"),
            "m.yaml:1:9: 'repeat' must be a mapping with sections, as {for: i, from: 1, to: 40, bodies: {…}, "
            "joints: {…}}, found '3'");
  EXPECT_EQ(
      error_of(
          "bodies: {link1: {mass: 1, at: [0, 0, 0]}}\nrepeat: {for: i, to: 2, bodies: {link${i}: {mass: 1, at: [0, 0, 0]}}}\n"),
      "m.yaml:2:34: 'link1' is given twice (first in line 1) [in repeat with i = 1, line 2]");
}

const std::string leg =
    "templates:\n"
    "  leg:\n"
    "    parameters: {length: 0.4, mass: }\n"
    "    points: {foot: [0, 0, -${length}]}\n"
    "    bodies:\n"
    "      thigh: {mass: ${mass}, at: [0, 0.1, -${length}/2], inertia: {xx: 1, yy: 2, zz: 2.5, xy: 0.1, yz: 0.2}}\n"
    "    joints:\n"
    "      hip: {revolute: [hull, thigh], axis: [1, 2, 3], at: foot}\n"
    "    outputs:\n"
    "      tip: {position: thigh}\n"
    "bodies: {hull: {mass: 1, at: [0, 0, 0]}}\n"
    "instances:\n";

TEST(Templates, an_instance_has_names_of_its_own_and_its_place) {
  EXPECT_EQ(expanded(leg + "  left: {template: leg, at: [1, 0, 0], with: {mass: 3}}\n"),
            "bodies:\n"
            "  hull: {mass: 1, at: [0, 0, 0]}\n"
            "  left.thigh: {mass: 3, at: [1, 0.1, -0.2], inertia: {xx: 1, yy: 2, zz: 2.5, xy: 0.1, yz: 0.2}}\n"
            "points:\n"
            "  left.foot: [1, 0, -0.4]\n"
            "joints:\n"
            "  left.hip: {revolute: [hull, left.thigh], axis: [1, 2, 3], at: left.foot}\n"
            "outputs:\n"
            "  left.tip: {position: left.thigh}\n");
}

// At the plane xz: y of positions changes its sign; of axes of rotation the others do; xy and yz of inertias.
TEST(Templates, mirrored) {
  EXPECT_EQ(expanded(leg + "  right: {template: leg, mirror: xz, with: {mass: 3}}\n"),
            "bodies:\n"
            "  hull: {mass: 1, at: [0, 0, 0]}\n"
            "  right.thigh: {mass: 3, at: [0, -0.1, -0.2], inertia: {xx: 1, yy: 2, zz: 2.5, xy: -0.1, yz: -0.2}}\n"
            "points:\n"
            "  right.foot: [0, 0, -0.4]\n"
            "joints:\n"
            "  right.hip: {revolute: [hull, right.thigh], axis: [-1, 2, -3], at: right.foot}\n"
            "outputs:\n"
            "  right.tip: {position: right.thigh}\n");
}

// A quarter turn about z: x becomes y. The inertia turns with the axes of the body.
TEST(Templates, rotated) {
  const std::string text = expanded(leg +
                                    "  l: {template: leg, at: [0, 0, 1], orientation: {rpy: [0, 0, 90 deg]}, with: {mass: m}}\n"
                                    "parameters: {m: 2}\n");
  EXPECT_NE(text.find("l.thigh: {mass: m, at: [-0.1, 0, 0.8], inertia: {xx: 1, yy: 2, zz: 2.5, xy: 0.1, yz: 0.2}, orientation: "
                      "{matrix: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}}"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("axis: [-2, 1, 3]"), std::string::npos) << text;
}

TEST(Templates, nested_and_repeated) {
  const std::string text = expanded(
      "templates:\n"
      "  toe: {bodies: {bone: {mass: 1, at: [0, 0, 0]}}}\n"
      "  foot:\n"
      "    parameters: {n: 2}\n"
      "    instances: {toe${k}: {repeat: {for: k, to: ${n}}, template: toe, at: [0, ${k}, 0]}}\n"
      "instances:\n"
      "  f${i}: {repeat: {for: i, from: 1, to: 2}, template: foot, at: [${10*i}, 0, 0], with: {n: ${i}}}\n");
  EXPECT_EQ(text,
            "bodies:\n  f1.toe1.bone: {mass: 1, at: [10, 1, 0]}\n  f2.toe1.bone: {mass: 1, at: [20, 1, 0]}\n"
            "  f2.toe2.bone: {mass: 1, at: [20, 2, 0]}\n");
}

TEST(Templates, what_users_type_wrong_first) {
  const auto error = [](const std::string& instance) { return error_of(leg + "  left: " + instance + "\n"); };
  EXPECT_EQ(
      error("{template: leg}"),
      "m.yaml:13:3: instance 'left': parameter 'mass' of template 'leg' is missing: it has no default; write with: {mass: …}");
  EXPECT_EQ(error("{template: leg, with: {mas: 1}}"),
            "m.yaml:13:32: instance 'left': template 'leg' has no parameter 'mas' (did you mean 'mass'?)");
  EXPECT_EQ(error("{template: leg, mass: 1}"),
            "m.yaml:13:25: instance 'left': unknown key 'mass'; it is a parameter of the template: write with: {mass: …}");
  EXPECT_EQ(error("{template: lag, with: {mass: 1}}"),
            "m.yaml:13:20: instance 'left': unknown template 'lag' (did you mean 'leg'?)");
  EXPECT_EQ(error("{templat: leg}"), "m.yaml:13:10: instance 'left': unknown key 'templat' (did you mean 'template'?)");
  EXPECT_EQ(error("{template: leg, with: {mass: -1}}"),
            "m.yaml:6:21: body 'left.thigh': 'mass' must be positive, found -1 [in instance 'left' of template 'leg', line 13]");
  EXPECT_EQ(error("{template: leg, mirror: y, with: {mass: 1}}"),
            "m.yaml:13:33: 'mirror' must be the plane it is mirrored at, xy, xz or yz, found 'y'");
  EXPECT_EQ(
      error_of(leg + "  hull: {template: leg, with: {mass: 1}}\n"),
      "m.yaml:13:3: instance 'hull': an entry of 'bodies' has this name, too (line 11); names of its parts, 'hull.…', would be "
      "ambiguous");
  EXPECT_EQ(error_of("templates: {leg: {boddies: {}}}\n"),
            "m.yaml:1:19: template 'leg': unknown section 'boddies' (did you mean 'bodies'?)");
  EXPECT_EQ(error_of("templates: {a: {instances: {x: {template: a}}}}\ninstances: {b: {template: a}}\n").substr(0, 98),
            "m.yaml:1:29: instance 'x': templates use each other more than 20 deep; does 'a' contain itself? [i");
  // a parameter written without its $
  EXPECT_EQ(
      error_of("templates: {p: {parameters: {m: 1}, bodies: {b: {mass: m, at: [0, 0, 0]}}}}\ninstances: {a: {template: p}}\n"),
      "m.yaml:1:56: body 'a.b': 'mass' uses the unknown name 'm'; a variable is written ${m} [in instance 'a' of template 'p', "
      "line "
      "2]");
}

TEST(Frames, relative_to_others) {
  EXPECT_EQ(expanded("points: {A: [1, 0, 0]}\n"
                     "frames:\n"
                     "  base: {at: [0, 0, 1], orientation: {rpy: [0, 0, 90 deg]}}\n"
                     "  tool: {in: base, at: [1, 0, 0]}\n"
                     "bodies:\n"
                     "  a: {in: tool, mass: 1, at: [0, 1, 0]}\n"
                     "  b: {in: A, mass: 1, at: [0, 1, 0]}\n"
                     "  c: {in: a, mass: 1, at: [0, 0, 5]}\n"
                     "joints: {j: {in: base, revolute: [a, b], axis: x, at: [0, 0, 0]}}\n"),
            "points:\n  A: [1, 0, 0]\n"
            "bodies:\n"
            "  a: {mass: 1, at: [-1, 1, 1], orientation: {matrix: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}}\n"
            "  b: {mass: 1, at: [1, 1, 0]}\n"
            "  c: {mass: 1, at: [-1, 1, 6], orientation: {matrix: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}}\n"
            "joints:\n  j: {revolute: [a, b], axis: y, at: [0, 0, 1]}\n");
  EXPECT_EQ(error_of("bodies: {a: {in: nowhere, mass: 1, at: [0, 0, 0]}}\n"),
            "m.yaml:1:18: unknown frame, body, joint or point 'nowhere' (known: a)");
  EXPECT_EQ(error_of("frames: {a: {in: b}, b: {in: a}}\n"), "m.yaml:1:18: frame 'b' depends on itself");
  EXPECT_EQ(error_of("frames: {a: {at: [1, 0, 0]}}\nbodies: {a: {mass: 1, at: [0, 0, 0]}, b: {in: a, mass: 1, at: [0, 0, 0]}}\n"),
            "m.yaml:2:47: 'in: a' may mean the frame or the body of this name; rename one");
  EXPECT_EQ(error_of("frames: {a: {on: b}}\n"), "m.yaml:1:14: frame 'a': unknown key 'on' (did you mean 'in'?)");
}

TEST(Functions, by_name) {
  const std::string bodies = "bodies: {a: {mass: 1, at: [0, 0, 0]}, b: {mass: 1, at: [0, 0, 0]}}\n";
  const std::string joint = "joints: {j: {revolute: [a, b], axis: z, at: [0, 0, 0], motion: {function: drive}}}\n";
  const Description d =
      read(bodies + joint + "functions: {drive: {ramp: {from: 0, to: 1, height: 2}}, same: {function: drive}}\n");
  EXPECT_EQ(field(d, "joints", "motion").items[0].kind, "ramp");
  EXPECT_EQ(error_of(bodies + joint + "functions: {drv: 1}\n"), "m.yaml:2:75: unknown function 'drive' (did you mean 'drv'?)");
  EXPECT_EQ(error_of(bodies + "functions: {unused: {ramp: {from: 1, to: 0, height: 1}}}\n").substr(0, 13), "m.yaml:2:42: ");
  EXPECT_EQ(error_of("functions: {a: {function: b}, b: {function: a}}\n").substr(0, 40),
            "m.yaml:1:31: function 'b' depends on its");
}

// Of many parts in each other the innermost two and the outermost one are named.
TEST(Reuse, long_ways_to_a_mistake_are_cut) {
  std::string text = "templates:\n  t0: {bodies: {b: {mass: -1, at: [0, 0, 0]}}}\n";
  for (int i = 1; i < 6; ++i) text += fmt::format("  t{}: {{instances: {{i{}: {{template: t{}}}}}}}\n", i, i, i - 1);
  EXPECT_EQ(
      error_of(text + "instances: {a: {template: t5}}\n"),
      "m.yaml:2:27: body 'a.i5.i4.i3.i2.i1.b': 'mass' must be positive, found -1 [in instance 'i1' of template 't0', line 3; in "
      "instance 'i2' of template 't1', line 4; … (3 more); in instance 'a' of template 't5', line 8]");
}

// Few lines that stand for more than there is memory are refused; ten thousand entries are read in a moment.
TEST(Reuse, bombs_are_refused) {
  const std::string clauses = "[{for: i, to: 1e4}, {for: j, to: 1e4}, {for: k, to: 1e4}]";
  EXPECT_NE(error_of("bodies: {b${i}_${j}_${k}: {repeat: " + clauses + ", mass: 1, at: [0, 0, 0]}}\n")
                .find("repeats and instances make more than 20000 entries of one section"),
            std::string::npos);
  std::string templates = "templates:\n  t0: {bodies: {b: {mass: 1, at: [0, 0, 0]}}}\n";
  for (int i = 1; i < 15; ++i)
    templates += fmt::format("  t{}: {{instances: {{i${{k}}: {{repeat: {{for: k, to: 10}}, template: t{}}}}}}}\n", i, i - 1);
  EXPECT_NE(error_of(templates + "instances: {a: {template: t14}}\n").find("make more than 20000 entries"), std::string::npos);
  EXPECT_NE(
      error_of("repeat: {for: i, to: 1e5, bodies: {b${i}: {mass: 1, at: [0, 0, 0]}}}\n").find("make more than 20000 entries"),
      std::string::npos);
  std::string functions = "functions:\n  f0: {polynomial: [1, 2]}\n";
  EXPECT_EQ(error_of(functions), "no error");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::input
