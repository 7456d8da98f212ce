// plot as a user meets it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "program.hpp"
#include "study_files.hpp"
#include "support/model_text.hpp"
#include "support/places.hpp"
#include "support/svg_path.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// The value between two points of a curve.
double at(const std::vector<std::pair<double, double>>& points, double x) {
  for (size_t i = 1; i < points.size(); ++i)
    if (x <= points[i].first || i + 1 == points.size()) {
      const auto& [x0, y0] = points[i - 1];
      const auto& [x1, y1] = points[i];
      return x1 == x0 ? y1 : y0 + (y1 - y0) * (x - x0) / (x1 - x0);
    }
  return NAN;
}

TEST(Plot, the_mean_of_the_picture_is_that_of_the_file) {
  const Folder folder;
  const std::string model = source_folder() + "/examples/five-body.yaml";
  ASSERT_EQ(aleator({"run", model, "--samples", "20", "--out", "o"}, folder.path()).code, 0);
  const Outcome o = aleator({"plot", "o", "accel_z", "--svg", "-"}, folder.path());
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_EQ(o.err, "");
  const Csv s = parse_csv_text(aleator({"export", "o", "statistics"}, folder.path()).out);
  for (const auto& [curve, column] : {std::pair("mean", "accel_z.mean"), std::pair("nominal", "accel_z.nominal")}) {
    const SvgCurve c = svg_curve(o.out, "accel_z", curve);
    const std::vector<double> time = s.column("time"), value = s.column(column);
    for (size_t i = 1; i + 1 < time.size(); ++i) {
      const double slope = std::max(std::abs(value[i + 1] - value[i]), std::abs(value[i] - value[i - 1])) / (time[1] - time[0]);
      // 0.05 px of the decimals upright and 0.06 px of points left out; 0.1 px sideways on the slope (both ends of a segment)
      EXPECT_NEAR(at(c.points, time[i]), value[i], 0.12 * c.pixel_y + 0.1 * c.pixel_x * slope) << curve << " " << time[i];
    }
  }
  EXPECT_NE(o.out.find("Five rigid bodies on driven supports</title>"), std::string::npos);
  EXPECT_NE(o.out.find("20 realizations, 90 % band"), std::string::npos);
}

class PlotOfOscillator : public testing::Test {
 protected:
  PlotOfOscillator() {
    folder.write("osc.yaml", oscillator());
    EXPECT_EQ(aleator({"run", "osc.yaml"}, folder.path()).code, 0);
  }
  Outcome plot(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"plot", "out/osc"});
    return aleator(arguments, folder.path());
  }
  Folder folder;
};

TEST_F(PlotOfOscillator, a_preview_fits_eighty_columns) {
  const Outcome o = plot({"x"});
  ASSERT_EQ(o.code, 0) << o.err;
  EXPECT_TRUE(o.out.starts_with("Oscillator\n")) << o.out;
  EXPECT_EQ(o.out.find('\x1b'), std::string::npos);  // no colours in a file
  std::istringstream lines(plot({"x", "--ascii"}).out);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(line.size(), 80u) << line;
  EXPECT_LE(count, 16);
}

TEST_F(PlotOfOscillator, an_unknown_output_is_told_with_the_nearest) {
  const Outcome o = plot({"xx"});
  EXPECT_EQ(o.code, 3);
  EXPECT_NE(o.err.find("it has no output 'xx'"), std::string::npos) << o.err;
  EXPECT_NE(o.err.find("(did you mean 'x'?)"), std::string::npos) << o.err;
}

TEST_F(PlotOfOscillator, a_distribution_without_a_time_is_where_it_scatters_most) {
  const Outcome o = plot({"x", "--what", "distribution", "--svg", "-"});
  ASSERT_EQ(o.code, 0) << o.err;
  const Csv s = parse_csv_text(aleator({"export", "out/osc", "statistics"}, folder.path()).out);
  const std::vector<double> std = s.column("x.std");
  const double time = s.column("time")[size_t(std::max_element(std.begin(), std.end()) - std.begin())];
  std::ostringstream expected;
  expected << "x at " << time << " s, the time of the largest scatter";
  EXPECT_NE(o.err.find("note: " + expected.str()), std::string::npos) << o.err;
  EXPECT_NE(o.out.find(expected.str()), std::string::npos);
  // the bars have the area 1: upper edges times widths, to the decimals of the path (0.05 px of a bar of 10 px and more)
  const SvgCurve bars = svg_curve(o.out, expected.str() + ": density", "realizations");
  double area = 0;
  for (size_t i = 1; i < bars.points.size(); ++i)
    area += (bars.points[i].first - bars.points[i - 1].first) * (bars.points[i].second + bars.points[i - 1].second) / 2;
  EXPECT_NEAR(std::abs(area), 1, 0.02);
  EXPECT_EQ(plot({"peak", "--what", "distribution"}).code, 0);
  EXPECT_EQ(plot({"x", "--what", "distribution", "--at", "0.2"}).err, "");
}

// The velocity has two components that never scatter, to round-off, and none does at t = 0.
TEST_F(PlotOfOscillator, distributions_are_of_what_scatters) {
  std::string model = oscillator();
  const std::string outputs = "outputs:\n";
  model.insert(model.find(outputs) + outputs.size(), "  v: {velocity: a}\n");
  folder.write("v.yaml", model);
  ASSERT_EQ(aleator({"run", "v.yaml"}, folder.path()).code, 0);
  const Outcome all = aleator({"plot", "out/v", "--what", "distribution", "--svg", "-"}, folder.path());
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_NE(all.err.find("note: 2 of 4 outputs; the others do not scatter\n"), std::string::npos) << all.err;
  EXPECT_EQ(aleator({"plot", "out/v", "v.y", "--what", "distribution"}, folder.path()).code, 3);
  const Outcome start = plot({"x", "--what", "distribution", "--at", "0"});
  EXPECT_EQ(start.code, 3);
  EXPECT_NE(start.err.find("'x' does not scatter at this time"), std::string::npos) << start.err;
}

TEST_F(PlotOfOscillator, what_a_file_has_not_is_told_with_what_to_do) {
  const Outcome shares = plot({"--what", "sensitivity"});
  EXPECT_EQ(shares.code, 3);
  EXPECT_NE(shares.err.find("run --sensitivity"), std::string::npos) << shares.err;
  EXPECT_EQ(plot({"--from", "7"}).code, 3);
  ASSERT_EQ(aleator({"simulate", "osc.yaml", "--out", "n"}, folder.path()).code, 0);
  EXPECT_EQ(aleator({"plot", "n", "--what", "distribution"}, folder.path()).code, 3);
  EXPECT_EQ(aleator({"plot", "n"}, folder.path()).code, 0);
  EXPECT_EQ(aleator({"plot", "n", "--realizations", "2"}, folder.path()).code, 3);
  EXPECT_EQ(aleator({"plot", "nowhere"}, folder.path()).code, 3);
}

TEST_F(PlotOfOscillator, wrong_command_lines) {
  EXPECT_EQ(plot({"--what", "cake"}).code, 2);
  EXPECT_EQ(plot({"--at", "0.1"}).code, 2);
  EXPECT_EQ(plot({"--from", "0.2", "--to", "0.1"}).code, 2);
  EXPECT_EQ(plot({"--svg", "-", "--height", "100"}).code, 2);
  EXPECT_EQ(plot({"--svg", "-", "--width", "nan"}).code, 2);
  EXPECT_EQ(plot({"--svg", "no/such/folder/x.svg"}).code, 6);
}

TEST_F(PlotOfOscillator, results_are_laid_over_each_other_or_side_by_side) {
  ASSERT_EQ(aleator({"run", "osc.yaml", "--seed", "9", "--out", "other"}, folder.path()).code, 0);
  const Outcome over = plot({"--with", "other", "x", "--svg", "a.svg"});
  EXPECT_EQ(over.code, 0) << over.err;
  const std::string svg = text_of_file(folder / "a.svg");
  EXPECT_EQ(numbers_in(between(svg, "data-x=\"", "\"")), (std::vector<double>{0, 0.4}));
  EXPECT_NO_THROW(svg_curve(svg, "x", "osc: mean"));
  EXPECT_NO_THROW(svg_curve(svg, "x", "other: mean"));
  const Outcome beside = plot({"x", "--with", "other", "--side-by-side", "--names", "one,two", "--svg", "-"});
  EXPECT_EQ(beside.code, 0) << beside.err;
  EXPECT_NE(beside.out.find(">one: x (m)<"), std::string::npos);
  EXPECT_NE(beside.out.find(">two: x (m)<"), std::string::npos);
}

TEST_F(PlotOfOscillator, a_zoom_cuts_curves_at_its_ends) {
  const Outcome o = plot({"x", "--from", "0.11", "--to", "0.33", "--realizations", "3", "--svg", "-"});
  ASSERT_EQ(o.code, 0) << o.err;
  const SvgCurve c = svg_curve(o.out, "x", "mean");
  EXPECT_NEAR(c.points.front().first, 0.11, 0.06 * c.pixel_x);  // the decimals of the path
  EXPECT_NEAR(c.points.back().first, 0.33, 0.06 * c.pixel_x);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
