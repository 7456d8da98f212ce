// What results files hold for people who were not there: the laws, what joins the bodies, what it was computed with.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "numerics/rotation.hpp"
#include "program.hpp"
#include "results/read.hpp"
#include "study_files.hpp"
#include "support/places.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

using results::StudyReader;
using Texts = std::vector<std::string>;

std::string example(const std::string& name) { return source_folder() + "/examples/" + name + ".yaml"; }

std::string text(const StudyReader& r, const std::string& object, const std::string& name) {
  return r.texts_attribute(object, name).at(0);
}

// The value of a fact; empty where there is none.
std::string fact(const StudyReader& r, const std::string& quantity, const std::string& name) {
  const std::string folder = "/laws/quantities/" + quantity;
  const Texts facts = r.texts_attribute(folder, "facts"), values = r.texts_attribute(folder, "values");
  EXPECT_EQ(facts.size(), values.size());
  const auto at = std::find(facts.begin(), facts.end(), name);
  return at == facts.end() ? "" : values[size_t(at - facts.begin())];
}

// A point of a connection at t = 0, inertial.
Vec3<double> place(const StudyReader& r, const std::string& connection, size_t side) {
  const std::string folder = "/connections/" + connection;
  const std::vector<double> frames = r.numbers_attribute(folder, "frames"), points = r.numbers_attribute(folder, "points");
  const Vec3<double> point = {points.at(3 * side), points.at(3 * side + 1), points.at(3 * side + 2)};
  if (frames.at(side) < 0) return point;
  const std::vector<double> poses = r.numbers("/motion/nominal");
  const double* p = &poses[7 * size_t(frames[side])];
  return Vec3<double>{p[0], p[1], p[2]} + rotation_matrix(Quaternion<double>{p[3], {p[4], p[5], p[6]}}) * point;
}

double integral(const StudyReader& r, const std::string& column) {
  const std::vector<double> x = r.numbers("/laws/columns/" + column + "/x"),
                            p = r.numbers("/laws/columns/" + column + "/density");
  EXPECT_EQ(x.size(), p.size());
  double sum = 0;
  for (size_t i = 1; i < x.size(); ++i) sum += (x[i] - x[i - 1]) * (p[i] + p[i - 1]) / 2;
  return sum;
}

TEST(ResultsForReports, of_the_five_bodies) {
  const Folder folder;
  const Outcome o = aleator({"run", example("five-body"), "--samples", "4", "--threads", "1", "--out", "o"}, folder.path());
  ASSERT_EQ(o.code, 0) << o.err;
  const StudyReader r(folder / "o");
  EXPECT_EQ(text(r, "/", "title"), "Five rigid bodies on driven supports");
  EXPECT_FALSE(r.texts_attribute("/", "processor").empty());
  EXPECT_EQ(text(r, "/settings", "threads"), "1");
  EXPECT_FALSE(text(r, "/settings", "instruction set").empty());

  EXPECT_EQ(r.children("/laws/quantities"), (Texts{"rb5.mass", "rb5.center_of_mass", "rb5.inertia"}));
  EXPECT_EQ(r.children("/laws/columns"), r.texts_attribute("/samples/inputs", "columns"));
  EXPECT_EQ(r.number_attribute("/laws/columns/rb5.mass", "mean"), 40);
  EXPECT_NEAR(r.number_attribute("/laws/columns/rb5.mass", "std"), 20, 1e-9);  // OpenTURNS computes it
  EXPECT_EQ(r.number_attribute("/laws/columns/rb5.mass", "nominal"), 40);
  EXPECT_EQ(r.number_attribute("/laws/columns/rb5.mass", "exact"), 1);
  EXPECT_EQ(fact(r, "rb5.mass", "mean"), "40 kg");
  EXPECT_EQ(text(r, "/laws/quantities/rb5.center_of_mass", "kind"), "center_of_mass");
  EXPECT_EQ(fact(r, "rb5.center_of_mass", "domain"), "box, edges 0.5 × 0.2 × 0.02 m");
  EXPECT_EQ(r.numbers("/laws/columns/rb5.center_of_mass.z/x").back(), 0.56);
  EXPECT_EQ(text(r, "/laws/quantities/rb5.inertia", "kind"), "inertia");
  for (const char* name : {"lambda_l", "mean of Z", "error of E{G} = I", "draws", "envelope", "expected acceptance"})
    EXPECT_NE(fact(r, "rb5.inertia", name), "") << name;
  const std::string xx = "/laws/columns/rb5.inertia.xx";
  EXPECT_EQ(r.number_attribute(xx, "exact"), 0);
  EXPECT_EQ(text(r, xx, "quantity"), "rb5.inertia");
  const double box = 40 * (0.4 * 0.4 + 0.1 * 0.1) / 12;
  EXPECT_NEAR(r.number_attribute(xx, "nominal"), box, 1e-12);
  EXPECT_NEAR(r.number_attribute(xx, "mean"), box, 1e-9);  // of the solved law
  // Exact ones lose 1e-3 beyond their ends at most; a kernel estimate loses nothing to speak of.
  for (const std::string& column : r.children("/laws/columns")) EXPECT_NEAR(integral(r, column), 1, 1.2e-3) << column;

  EXPECT_EQ(r.children("/connections"), (Texts{"guide1", "guide2", "hinge35", "hinge45", "bushing13", "bushing24"}));
  EXPECT_EQ(text(r, "/connections/hinge35", "kind"), "revolute");
  EXPECT_EQ(text(r, "/connections/hinge35", "role"), "joint");
  EXPECT_EQ(r.numbers_attribute("/connections/hinge35", "axis"), (std::vector<double>{0, 1, 0}));
  EXPECT_EQ(text(r, "/connections/bushing13", "role"), "force");
  // At first the bushings are as drawn: the supports carry themselves alone.
  const std::vector<double> support = r.numbers("/connections/guide1/force"), bushing = r.numbers("/connections/bushing13/force");
  EXPECT_NEAR(support.at(2), 4 * 9.81, 1e-9);  // round-off
  EXPECT_NEAR(bushing.at(2), 0, 1e-9);
  EXPECT_EQ(support.size(), 3 * r.numbers("/time").size());
  EXPECT_EQ(r.children("/points"), Texts{"accel_z"});
  EXPECT_EQ(r.numbers_attribute("/motion", "gravity"), (std::vector<double>{0, 0, -9.81}));
  for (const std::string& name : r.children("/connections"))
    EXPECT_NEAR(norm(place(r, name, 0) - place(r, name, 1)), 0, 1e-9) << name;  // assembly
  EXPECT_NEAR(norm(place(r, "hinge35", 0) - Vec3<double>{-1, 0, 0.5}), 0, 1e-9);
}

TEST(ResultsForReports, of_a_beam_and_its_random_field) {
  const Folder folder;
  const Outcome o = aleator({"run", example("slider-crank"), "--samples", "1", "--out", "o"}, folder.path());
  ASSERT_EQ(o.code, 0) << o.err;
  const StudyReader r(folder / "o");
  EXPECT_EQ(r.children("/laws/quantities"), (Texts{"crank_length", "link.E"}));
  EXPECT_EQ(text(r, "/laws/quantities/link.E", "kind"), "field");
  EXPECT_EQ(text(r, "/laws/columns/link.E.xi1", "quantity"), "link.E");
  EXPECT_EQ(r.number_attribute("/laws/columns/crank_length", "nominal"), 0.2);
  EXPECT_EQ(r.numbers("/laws/columns/crank_length/x").front(), 0.19);
  const Texts frames = r.texts("/motion/bodies");
  EXPECT_EQ(frames.at(size_t(r.numbers_attribute("/connections/pin_a", "frames")[1])), "link.0");
  EXPECT_EQ(frames.at(size_t(r.numbers_attribute("/connections/pin_b", "frames")[0])), "link.3");
  for (const char* name : {"drive", "pin_a", "pin_b", "guide"})
    EXPECT_NEAR(norm(place(r, name, 0) - place(r, name, 1)), 0, 1e-6) << name;  // assembly
}

TEST(ResultsForReports, of_the_nominal_model) {
  const Folder folder;
  ASSERT_EQ(aleator({"simulate", example("five-body"), "--out", "o"}, folder.path()).code, 0);
  const StudyReader r(folder / "o/nominal.h5", StudyReader::Accept::any);
  EXPECT_EQ(text(r, "/", "title"), "Five rigid bodies on driven supports");
  EXPECT_GE(std::stod(text(r, "/settings", "seconds")), 0);
  EXPECT_EQ(r.children("/connections").size(), 6u);
}

TEST(ResultsForReports, also_when_nothing_else_is_kept) {
  const Folder folder;
  folder.write("a.yaml", oscillator("samples: 50, keep: statistics"));
  ASSERT_EQ(aleator({"run", "a.yaml", "--out", "a"}, folder.path()).code, 0);
  folder.write("b.yaml", oscillator("method: control-variate, samples: 64"));
  ASSERT_EQ(aleator({"run", "b.yaml", "--out", "b"}, folder.path()).code, 0);
  for (const char* name : {"a", "b"}) {
    const StudyReader r(folder / name);
    EXPECT_EQ(r.children("/laws/columns"), (Texts{"k", "a.mass"})) << name;
    EXPECT_FALSE(text(r, "/settings", "instruction set").empty());
    EXPECT_EQ(r.children("/connections"), (Texts{"guide"}));
  }
}

// The mass follows the drawing, so that its law is not that of the column.
TEST(ResultsForReports, of_a_body_whose_drawing_is_random) {
  const Folder folder;
  folder.write("m.yaml",
               "parameters: {l: 1}\nbodies:\n  a: {shape: {box: [l, 0.1, 0.1]}, density: 1000}\n"
               "outputs:\n  x: {position: a, component: x}\nsimulation: {duration: 0.01, step: 1e-3}\n"
               "uncertain:\n  l: {uniform: {lower: 0.5, upper: 1.5}}\n  a: {mass: {cov: 0.01}}\nstudy: {samples: 2}\n");
  ASSERT_EQ(aleator({"run", "m.yaml", "--out", "o"}, folder.path()).code, 0);
  const StudyReader r(folder / "o");
  EXPECT_EQ(r.number_attribute("/laws/columns/l", "exact"), 1);
  EXPECT_EQ(r.number_attribute("/laws/columns/a.mass", "exact"), 0);
  // 10 kg ± 1/√12 of it; of 1600 draws the standard deviation is known to 1.8 %: five of these
  EXPECT_NEAR(r.number_attribute("/laws/columns/a.mass", "std"), 10 / std::sqrt(12.0), 0.26);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
