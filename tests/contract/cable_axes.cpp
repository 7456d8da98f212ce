// A cable in space has places but no axes. Is everything refused that would hold, turn or measure axes of it? What is let through would
// act on the other body alone, as if the axes of the cable were those of the ground.
#include "contract/workbench.hpp"
#include "input/error.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

TEST(CableAxes, elements_that_need_them_are_refused) {
  int refused = 0, built = 0;
  for (const auto& list : {joint_entries(), law_entries(), force_entries()})
    for (Entry entry : list) {
      const std::string text = entry.joint + entry.force;
      if (text.find("[a, b]") == std::string::npos && text.find(": b,") == std::string::npos) continue;
      if (text.find("at_second") != std::string::npos) continue;
      SCOPED_TRACE(entry.label);
      entry.b = "end of a cable";
      if (needs_no_axes(text)) {
        EXPECT_NO_THROW(entry.model());
        ++built;
      } else {
        EXPECT_THROW(entry.model(), input::InputError);
        ++refused;
      }
    }
  EXPECT_GT(refused, 50);
  EXPECT_GT(built, 10);
}

// Displacements are measured along the axes of the first body.
TEST(CableAxes, of_a_first_body) {
  const auto model = [](const std::string& joint) {
    Entry e;
    e.a = "end of a cable", e.joint = joint;
    return e.model();
  };
  EXPECT_NO_THROW(model("{spherical: [a, b], at: [0.1, 0.2, 0.3]}"));
  EXPECT_NO_THROW(model("{distance: [a, b], points: [[0.1, 0.2, 0.3], [0.5, -0.3, 0.7]]}"));
  EXPECT_THROW(model("{point_on_line: [a, b], axis: x, at: [0.1, 0.2, 0.3]}"), input::InputError);
  EXPECT_THROW(model("{point_on_plane: [a, b], axis: x, at: [0.1, 0.2, 0.3]}"), input::InputError);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
