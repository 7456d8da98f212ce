// Marks of axes, and the texts of figures.
#include <gtest/gtest.h>

#include <cmath>

#include "report/text.hpp"
#include "report/ticks.hpp"

namespace aleator::core::report {
namespace ALEATOR_FILE {

using Texts = std::vector<std::string>;

TEST(Ticks, are_multiples_of_one_two_or_five) {
  EXPECT_DOUBLE_EQ(nice_step(0, 10, 11), 1);
  EXPECT_DOUBLE_EQ(nice_step(0, 10, 10), 2);
  EXPECT_DOUBLE_EQ(nice_step(0, 10, 5), 5);
  EXPECT_DOUBLE_EQ(nice_step(-0.03, 0.03, 7), 0.01);
  EXPECT_DOUBLE_EQ(nice_step(1000.1, 1000.2, 6), 0.02);
}

TEST(Ticks, never_more_than_asked_for_and_all_on_the_axis) {
  for (const double low : {-1234.5, -1., 0., 3e-7, 99.9})
    for (const double width : {1e-6, 0.3, 7., 12345.})
      for (const int most : {2, 3, 5, 11}) {
        const Ticks t = ticks_of({"", "", low, low + width}, most);
        EXPECT_LE(t.at.size(), size_t(most));
        EXPECT_GE(t.at.size(), 1u);
        for (const double x : t.at) EXPECT_TRUE(x >= low && x <= low + width) << x;
      }
}

TEST(Ticks, labels_have_the_decimals_of_the_step_and_a_real_minus) {
  EXPECT_EQ(ticks_of({"", "", -1, 1}, 5).labels, (Texts{"−1.0", "−0.5", "0.0", "0.5", "1.0"}));
  EXPECT_EQ(ticks_of({"", "", 0, 30}, 4).labels, (Texts{"0", "10", "20", "30"}));
}

TEST(Ticks, small_times_are_in_milliseconds) {
  const Ticks t = ticks_of({"time", "s", 0, 0.03}, 4);
  EXPECT_EQ(t.title, "time (ms)");
  EXPECT_EQ(t.labels, (Texts{"0", "10", "20", "30"}));
  EXPECT_NEAR(t.at[1], 0.01, 1e-15);  // round-off
}

TEST(Ticks, large_numbers_have_a_prefix_or_a_power_of_ten) {
  EXPECT_EQ(ticks_of({"pull", "N", 0, 25000}, 4).title, "pull (kN)");
  EXPECT_EQ(ticks_of({"a", "m/s^2", 0, 2e6}, 4).title, "a (10⁶ m/s²)");
  EXPECT_EQ(ticks_of({"a", "m/s^2", 0, 2e6}, 4).labels, (Texts{"0", "1", "2"}));
  EXPECT_EQ(ticks_of({"a", "", 0, 2}, 4).title, "a");
}

TEST(Ticks, of_a_logarithmic_axis) {
  EXPECT_EQ(ticks_of({"n", "", 1, 100, true}, 9).labels, (Texts{"1", "2", "5", "10", "20", "50", "100"}));
  EXPECT_EQ(ticks_of({"n", "", 1, 100, true}, 5).labels, (Texts{"1", "10", "100"}));
  EXPECT_EQ(ticks_of({"n", "", 1, 1e6, true}, 4).labels, (Texts{"1", "100", "10⁴", "10⁶"}));
}

TEST(Ticks, an_axis_without_extent_has_one_mark) {
  EXPECT_EQ(ticks_of({"", "", 2, 2}, 5).labels, (Texts{"2"}));
  EXPECT_EQ(ticks_of({"", "", 1, 1 + 1e-15}, 5).labels.size(), 1u);
}

TEST(Ticks, a_constant_gets_a_range_around_it) {
  double low = 5, high = 5;
  pad(low, high, 0.04);
  EXPECT_DOUBLE_EQ(low, 4.5);
  EXPECT_DOUBLE_EQ(high, 5.5);
  low = high = 0;
  pad(low, high, 0.04);
  EXPECT_LT(low, high);
  low = INFINITY, high = -INFINITY;  // nothing was there
  pad(low, high, 0.04);
  EXPECT_TRUE(std::isfinite(low) && low < high);
}

TEST(FigureText, units_as_in_a_book) {
  EXPECT_EQ(pretty_unit("m/s^2"), "m/s²");
  EXPECT_EQ(pretty_unit("m/s²"), "m/s²");
  EXPECT_EQ(pretty_unit("kg*m^-10"), "kg·m⁻¹⁰");
  EXPECT_EQ(pretty_unit("rad/s² s^(1/2)"), "rad/s² √s");
  EXPECT_EQ(pretty_unit("a^b"), "a^b");
}

TEST(FigureText, numbers_as_in_a_book) {
  EXPECT_EQ(short_number(-0.25), "−0.25");
  EXPECT_EQ(short_number(1.5e-7), "1.5·10⁻⁷");
  EXPECT_EQ(fixed_number(-0.001, 1), "0.0");
}

TEST(FigureText, what_xml_and_terminals_would_misread_is_replaced) {
  EXPECT_EQ(escaped("<script>\"&'\x01"), "&lt;script&gt;&quot;&amp;&#39;\xEF\xBF\xBD");
  EXPECT_EQ(escaped("a\xFF"
                    "b²"),
            "a\xEF\xBF\xBD"
            "b²");
  EXPECT_EQ(printable("a\x1b[31mb"), "a?[31mb");
  EXPECT_EQ(plain_ascii("−2 m/s² ± ☃"), "-2 m/s^2 +- ?");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::report
