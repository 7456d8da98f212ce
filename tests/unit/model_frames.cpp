// Bodies as frames: where entries `in:` a body are that has no `at` of its own.
#include <gtest/gtest.h>

#include "support/message_of.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

TEST(Frames, of_bodies_without_a_position) {
  const std::string rest = "simulation: {duration: 1}\n";
  const auto center = [&](const std::string& first) {
    const Model m = model_from("frames: {table: {at: [1, 0, 0], orientation: {rpy: [0, 0, 90 deg]}}}\nbodies:\n  a: {" + first +
                               ", mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}\n"
                               "  b: {in: a, mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, at: [2, 0, 0]}\n" +
                               rest);
    return m.bodies[1].center_of_mass;
  };
  const auto expect = [](const Vec3<double>& found, double x, double y) {
    EXPECT_NEAR(found.x, x, 1e-15);
    EXPECT_NEAR(found.y, y, 1e-15);
  };
  expect(center("at: [0, 3, 0]"), 2, 3);
  expect(center("shape: {sphere: {radius: 1}}"), 2, 0);  // the origin
  expect(center("in: table"), 1, 2);                     // that of the frame it is in
  expect(center("center_of_mass: [0, 5, 0]"), 2, 5);     // where it is then
  expect(center("in: table, center_of_mass: [0, 1, 0]"), 0, 2);
  EXPECT_EQ(message_of<input::InputError>([&] {
              model_from(
                  "bodies:\n  a: {beam: [[0, 0, 0], [1, 0, 0]], section: {circle: {radius: 0.1}}, E: 1, nu: 0, density: 1}\n"
                  "  b: {in: a, mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}\n" +
                  rest);
            }),
            "test.yaml:3:11: body 'a' has no 'at' that positions could be relative to");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
