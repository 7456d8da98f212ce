// campbell.h5: what is written is read, and what cannot be right is refused.
#include "results/campbell.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "support/message_of.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::results {
namespace ALEATOR_FILE {

const double nan = std::nan("");

Run one_body() {
  Run run;
  run.time = {0};
  run.bodies = {{"disc", {{"sphere", {0.1}, {}, {}}}, 1, ""}};
  run.poses = {1, 2, 3, 1, 0, 0, 0};
  return run;
}

Campbell diagram() {
  Campbell d{.parameter = "speed", .unit = "rpm", .about = "rotation", .values = {0, 10, 20}, .order_hertz = 1. / 60};
  d.modes = {{"disc z", {1, 2, 3}, {0.1, 0.2, -0.3}, {1, 0.99, 0.98}}, {"disc rx", {nan, 5, 6}, {nan, 0, 0}, {nan, 1, 1}}};
  d.orders = {1, 2.5};
  d.crossings = {{1, 2.5, 12.5, 5.25, 0.01}};
  d.notes = {"a note"};
  d.shapes_at = 10, d.phases = 2;
  for (int i = 0; i < 28; ++i) d.shapes.push_back(i < 14 ? i : nan);
  return d;
}

void expect_same(const std::vector<double>& a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) << i;
}

Campbell read_again(const Campbell& d) {
  const test::TemporaryFolder folder;
  write_campbell(folder / "campbell.h5", d, one_body(), Provenance{});
  const StudyReader file(folder.path(), StudyReader::Accept::any);  // the only results of this folder
  EXPECT_TRUE(has_campbell(file));
  EXPECT_TRUE(file.outputs().empty());
  EXPECT_EQ(file.motion().poses, one_body().poses);
  return read_campbell(file);
}

TEST(CampbellFile, holds_what_was_written) {
  const Campbell d = diagram(), r = read_again(d);
  EXPECT_EQ(r.parameter, d.parameter);
  EXPECT_EQ(r.unit, d.unit);
  EXPECT_EQ(r.about, d.about);
  EXPECT_EQ(r.order_hertz, d.order_hertz);
  EXPECT_EQ(r.notes, d.notes);
  EXPECT_EQ(r.shapes_at, d.shapes_at);
  EXPECT_EQ(r.phases, d.phases);
  expect_same(r.values, d.values);
  expect_same(r.orders, d.orders);
  expect_same(r.shapes, d.shapes);
  ASSERT_EQ(r.modes.size(), 2u);
  for (const size_t k : {0u, 1u}) {
    EXPECT_EQ(r.modes[k].motion, d.modes[k].motion);
    expect_same(r.modes[k].frequency, d.modes[k].frequency);
    expect_same(r.modes[k].damping, d.modes[k].damping);
    expect_same(r.modes[k].mac, d.modes[k].mac);
  }
  ASSERT_EQ(r.crossings.size(), 1u);
  EXPECT_EQ(r.crossings[0].mode, 1);
  EXPECT_EQ(r.crossings[0].order, 2.5);
  EXPECT_EQ(r.crossings[0].value, 12.5);
  EXPECT_EQ(r.crossings[0].frequency, 5.25);
  EXPECT_EQ(r.crossings[0].damping, 0.01);
}

TEST(CampbellFile, without_orders_notes_and_shapes) {
  Campbell d = diagram();
  d.unit = "", d.order_hertz = 0;
  d.orders.clear(), d.crossings.clear(), d.notes.clear(), d.shapes.clear();
  const Campbell r = read_again(d);
  EXPECT_EQ(r.unit, "");
  EXPECT_TRUE(r.orders.empty() && r.crossings.empty() && r.notes.empty() && r.shapes.empty());
  EXPECT_EQ(r.modes.size(), 2u);
}

TEST(CampbellFile, nonsense_is_refused) {
  const auto said = [](const std::function<void(Campbell&)>& change) {
    Campbell d = diagram();
    change(d);
    return test::message_of<ReadError>([&] { read_again(d); });
  };
  EXPECT_NE(said([](Campbell& d) { d.values[2] = 10; }).find("/campbell/value does not rise"), std::string::npos);
  EXPECT_NE(said([](Campbell& d) { d.values[0] = nan; }).find("/campbell/value does not rise"), std::string::npos);
  EXPECT_NE(said([](Campbell& d) { d.crossings[0].mode = 2; }).find("/campbell/crossings/mode names a mode that is not there"),
            std::string::npos);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::results
