// The table of integrators.
#include "dynamics/integrators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "dynamics/choose.hpp"
#include "dynamics/ida.hpp"
#include "model/language.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

std::vector<std::string_view> words_of_the_language() {
  for (const input::Field& group : language().top)
    if (group.key == "simulation")
      for (const input::Field& f : group.fields)
        if (f.key == "integrator") return f.words;
  return {};
}

TEST(IntegratorTable, are_those_of_the_language_and_auto) {
  std::vector<std::string_view> names = {"auto"};
  for (const Integrator& i : integrators()) names.push_back(i.name);
  EXPECT_EQ(names, words_of_the_language());
}

TEST(IntegratorTable, say_what_they_need) {
  for (const Integrator& i : integrators()) {
    SCOPED_TRACE(i.name);
    EXPECT_GT(i.order, 0);
    ASSERT_TRUE(i.make);
    EXPECT_EQ(i.is_explicit, i.tolerance == 0) << "implicit ones iterate until a tolerance is met";
    EXPECT_EQ(i.stable > 0, i.is_explicit && i.work > 0) << "auto must know up to which step an explicit one is stable";
    EXPECT_TRUE(i.work == 0 || i.make_lanes) << "auto tries steps in lanes";
    EXPECT_FALSE(i.chooses_steps && i.make_lanes) << "lanes share their steps";
  }
}

TEST(IntegratorTable, auto_has_an_explicit_and_an_implicit_one) {
  for (const bool is_explicit : {true, false})
    EXPECT_TRUE(std::any_of(integrators().begin(), integrators().end(),
                            [&](const Integrator& i) { return i.work > 0 && i.is_explicit == is_explicit && i.is_available(); }));
}

TEST(IntegratorTable, are_found_by_settings) {
  const Settings by_default;
  EXPECT_TRUE(integrator(by_default).uses_rho);
  EXPECT_EQ(tolerance_of(by_default), integrator(by_default).tolerance);
  EXPECT_EQ(tolerance_of({.tolerance = 1e-5}), 1e-5);
  EXPECT_TRUE(integrator({.integrator = "ida"}).chooses_steps);
  EXPECT_EQ(integrator({.integrator = "ida"}).is_available(), have_ida());
}

TEST(IntegratorTable, that_do_not_exist_are_refused) {
  EXPECT_THROW(integrator({.integrator = "euler"}), std::invalid_argument);
  const Settings open{.integrator = "auto"};
  EXPECT_TRUE(integrator_is_open(open) && is_open(open));
  EXPECT_THROW(integrator(open), std::invalid_argument) << "it has to be chosen first";
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
