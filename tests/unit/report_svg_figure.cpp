// Figures as SVG and as characters.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "report/svg_figure.hpp"
#include "report/terminal_figure.hpp"
#include "support/svg_path.hpp"

namespace aleator::core::report {
namespace ALEATOR_FILE {

Figure sine(int points = 101) {
  Panel p{.x = {"time", "s", 0, 1}, .y = {"u", "m/s^2", -1.5, 1.5}};
  Curve c{.name = "mean"};
  Band b{.name = "region"};
  for (int i = 0; i < points; ++i) {
    const double t = double(i) / (points - 1), y = std::sin(7 * t);
    c.x.push_back(t), c.y.push_back(y);
    b.x.push_back(t), b.lower.push_back(y - 0.2), b.upper.push_back(y + 0.3);
  }
  p.curves.push_back(c);
  p.bands.push_back(b);
  p.lines.push_back({.name = "above 1.2", .at = 1.2});
  Figure f{.title = "Sine", .subtitle = "by hand"};
  f.panels.push_back(p);
  return f;
}

TEST(SvgFigure, coordinates_map_back_to_the_data) {
  const test::SvgCurve curve = test::svg_curve(svg_text(sine(), {}), "u", "mean");
  ASSERT_GT(curve.points.size(), 10u);
  for (const auto& [x, y] : curve.points) {
    // 0.05 px by the decimals and 0.06 px by the points left out, on an axis of 300 px for 3 units; the slope is at most 7 per 1 s
    EXPECT_NEAR(y, std::sin(7 * x), 1.5e-3 + 7 * 0.05 / 700 + 1e-3);
  }
  EXPECT_NEAR(curve.points.front().first, 0, 1e-3);
  EXPECT_NEAR(curve.points.back().first, 1, 1e-3);
}

TEST(SvgFigure, texts_cannot_become_markup) {
  Figure f = sine();
  f.title = "<script>alert(1)</script> & \"more\"";
  f.panels[0].curves[0].name = "</title><script>";
  f.panels[0].y.name = "\"><script>";
  const std::string svg = svg_text(f, {});
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_NE(svg.find("<title>&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;</title>"), std::string::npos);
}

TEST(SvgFigure, a_gap_in_the_data_is_a_gap_in_the_curve) {
  Figure f = sine();
  const auto moves = [](const std::string& d) { return std::count(d.begin(), d.end(), 'M'); };
  EXPECT_EQ(moves(test::svg_curve(svg_text(f, {}), "u", "mean").path), 1);
  f.panels[0].curves[0].y[50] = NAN;
  f.panels[0].bands[0].lower[30] = NAN;
  const std::string svg = svg_text(f, {});
  EXPECT_EQ(moves(test::svg_curve(svg, "u", "mean").path), 2);
  EXPECT_EQ(moves(test::svg_curve(svg, "u", "region").path), 2);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
}

TEST(SvgFigure, many_points_do_not_make_it_large) {
  const std::string few = svg_text(sine(1001), {}), many = svg_text(sine(100001), {});
  EXPECT_LT(many.size(), 1.3 * double(few.size()));
  EXPECT_LT(many.size(), 20000u);
}

// Cutting it took seconds for some thousand characters, and minutes for these.
TEST(SvgFigure, a_word_as_long_as_a_book_is_cut_into_lines) {
  Figure f = sine();
  f.title.clear();
  for (int i = 0; i < 20000; ++i) f.title += i % 2 ? "é" : "W";
  const std::string svg = svg_text(f, {});
  const auto lines_with = [&](const std::string& text) {
    std::size_t lines = 0;
    for (std::size_t at = svg.find(text); at != std::string::npos; at = svg.find(text, at + 1)) ++lines;
    return lines;
  };
  EXPECT_GT(lines_with(">WéWéWé") + lines_with(">éWéWéW"), 100u);
  EXPECT_EQ(lines_with(">\xa9"), 0u);  // not half a character
}

TEST(SvgFigure, units_and_legend_are_there) {
  const std::string svg = svg_text(sine(), {});
  for (const char* text :
       {">u (m/s²)<", ">time (s)<", ">mean<", ">region<", ">above 1.2<", "<desc>by hand; u (m/s²) over time (s)</desc>"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
}

TEST(SvgFigure, empty_data_still_gives_a_picture) {
  Figure f = sine();
  f.panels[0].curves[0].y.assign(101, NAN);
  f.panels[0].bands.clear();
  const std::string svg = svg_text(f, {});
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

TEST(TerminalFigure, the_curve_is_where_the_data_are) {
  Figure f = sine();
  f.panels[0].bands.clear();
  f.panels[0].lines.clear();
  const std::vector<std::string> all = lines(terminal_text(f, {.width = 70, .rows = 11, .ascii = true}));
  ASSERT_EQ(all.size(), 3 + 11 + 2u);
  const size_t left = all[3].find_first_of("|+") + 1;
  const double columns = 70. - double(left);
  int stars = 0;
  for (int r = 0; r < 11; ++r)
    for (size_t c = left; c < all[3 + size_t(r)].size(); ++c)
      if (all[3 + size_t(r)][c] == '*') {
        const double t = double(c - left) / (columns - 1), y = 1.5 - 3. * r / 10;
        // half a row of 0.3, and half a column of the slope of at most 7 per second
        EXPECT_NEAR(y, std::sin(7 * t), 0.15 + 7 * 0.5 / (columns - 1) + 1e-9);
        ++stars;
      }
  EXPECT_GE(stars, int(columns) - 1);
}

TEST(TerminalFigure, fits_the_width_and_is_ascii_when_asked) {
  for (const int width : {40, 80, 133}) {
    for (const std::string& line : lines(terminal_text(sine(), {.width = width, .ascii = true}))) {
      EXPECT_LE(line.size(), size_t(width)) << line;
      EXPECT_TRUE(std::all_of(line.begin(), line.end(), [](char c) { return c >= 0x20 && c < 0x7F; })) << line;
    }
  }
  EXPECT_EQ(terminal_text(sine(), {}).find('\x1b'), std::string::npos);
  EXPECT_NE(terminal_text(sine(), {.colour = true}).find('\x1b'), std::string::npos);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::report
