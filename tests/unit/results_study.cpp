// results.h5 of a study: everything comes back, and what is none is said to be none.
#include <gtest/gtest.h>
#include <hdf5.h>
#include <hdf5_hl.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>

#include "results/hdf5_file.hpp"
#include "results/read.hpp"
#include "results/write.hpp"
#include "support/same_numbers.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::results {
namespace ALEATOR_FILE {

using test::expect_same;
using test::TemporaryFolder;

using Parameters = std::vector<double>;
using Texts = std::vector<std::string>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();

ChannelStatistics channel_statistics(double x) {
  return {.nominal = {x, x + 1},
          .mean = {x + 2, x + 3},
          .std = {x + 4, x + 5},
          .lower = {x + 6, x + 7},
          .upper = {x + 8, x + 9},
          .minimum = {x + 10, x + 11},
          .maximum = {x + 12, x + 13},
          .mean_error = {x + 14, x + 15},
          .std_error = {x + 16, x + 17},
          .lower_error = {x + 18, x + 19},
          .upper_error = {x + 20, x + 21}};
}

// Two times, two channels, three of four realizations, of which one failed.
StudyResult some_study() {
  StudyResult r;
  r.nominal.time = {0, 0.5};
  r.nominal.channels = {{"p.x", "m"}, {"a-b_2", ""}};
  r.nominal.values = {1, 2, 3, 4};
  r.nominal.bodies = {{"wheel", {{"sphere", {0.2}, {1, 2, 3}, {1, 0, 0, 0}}}}};
  for (int i = 0; i < 2 * 7; ++i) r.nominal.poses.push_back(0.1 * i);
  r.nominal.connections = {{"pin", "revolute", "joint", {-1, 0}, {1, 2, 3, 4, 5, 6}, {0, 1, 0}},
                           {"pin", "force", "force", {0}, {7, 8, 9}, {}}};
  r.laws.columns = {{"wheel.mass", "kg", "gamma", "wheel.mass", {1, 2}, {0.5, 0.25}, 1.5, 0.5, 1.25, false},
                    {"speed", "m/s", "Dirac", "speed", {}, {}, 3, 0, nan, true}};
  r.laws.quantities = {{"wheel.mass",
                        "scalar",
                        "gamma",
                        "kg",
                        "wheel",
                        "",
                        {"shape"},
                        {"4"},
                        "Gamma",
                        {{"parameters/k", "", {0.1 + 0.2}},
                         {"lambda", "1/m", {1, 2, 3}, {"x", "y", "z"}},
                         {"mu", "", {1, 2, 3, 4}, {"x", "y"}, true}}},
                       {"speed", "scalar", "Dirac", "m/s", "speed", "wheel.mass", {}, {}}};
  r.columns = {{"wheel.mass", "kg", "gamma"}, {"speed", "m/s", "uniform"}};
  r.method = "monte-carlo";
  r.seed = 18446744073709551557u;  // more digits than a floating-point number has
  r.planned = 4;
  r.done = 3;
  r.inputs = {1, 2, 3, 4, 5, 6};
  r.ok = {1, 0, 1};
  r.failures = {{1, "the step became too small at t = 0.25 s", 0.25, {3, 4}}};
  static const std::vector<double> responses = {1, 2, 3, 4, nan, nan, nan, nan, 5, 6, 7, 8};
  r.responses = responses;
  r.motion_of = {0, 2};
  for (int i = 0; i < 2 * 2 * 7; ++i) r.motion.push_back(0.01 * i);
  StudyStatistics& s = r.statistics;
  s.confidence = 0.95;
  s.realizations = 2;
  s.rank_error = 0.001;
  s.channels = {channel_statistics(100), channel_statistics(200)};
  s.limits = {{0, 1.5, true, {0.25, 0.5}, {0.01, 0.02}, {0.75, 0.03}}, {0, -1.5, false, {0, 1}, {0.04, 0.05}, {1, 0.06}}};
  s.limits.push_back({-1, 4.5, true, {}, {}, {{0.5, 0.1}, {0.4, 0.7}}, {}, {}, 0});
  // In the order of the model, which is not that of the alphabet.
  s.scalars = {{"z-last", "m", "final", "p.x", 3, {4, 0.1}, {0.5, 0.2}, {3, 0.3}, {5, 0.4}, 2.5, 5.5, 2, {3, nan, 5}},
               {"a_first",
                "s",
                "first_crossing",
                "p.x",
                nan,
                {nan, nan},
                {nan, nan},
                {infinity, nan},
                {infinity, nan},
                nan,
                nan,
                0,
                {nan, nan, nan}}};
  s.convergence = {{1, 2}, {{7, 8}, {9, 10}}};
  s.shares.groups = {"wheel", "speed"};
  s.shares.realizations = 2;
  s.shares.of = {{{{nan, 0.25}, {nan, 0.5}, {nan, 0.05}, {nan, 0.06}, {0.3, 0.01}, {0.4, 0.02}},
                  {{nan, 0.75}, {nan, 1}, {nan, 0.07}, {nan, 0.08}, {0.6, 0.03}, {0.7, 0.04}}},
                 {{{nan, 1}, {nan, 1}, {}, {}, {1, 0}, {1, 0}}, {{nan, 0}, {nan, 0}, {}, {}, {0, 0}, {0, 0}}}};
  r.correlations = {.columns = {"wheel.mass", "speed"},
                    .determined_by = {"", "wheel.mass"},
                    .realizations = 2,
                    .pearson_error = 0.1,
                    .spearman_error = 0.2,
                    .partial_rank_error = 0.3};
  for (int c = 0; c < 2; ++c) {
    const double x = 0.1 * c;
    r.correlations.of.push_back(
        {{{{x, 0.01}, 0.5}, {{x, 0.02}, 0.6}, {{x, 0.03}, 0.7}}, {{{nan, 0.04}, 0.8}, {{x, 0.05}, 0.9}, {{nan, nan}, nan}}});
  }
  r.screening.variables = {"wheel.mass", "speed"};
  r.screening.trajectories = 7;
  for (int c = 0; c < 2; ++c) {
    const double x = 10 * c;
    r.screening.of.push_back(
        {{7, {x, 1}, {x, 2}, {x, 3}, {x, 4}, {0.5, 0.1}, 0.2}, {6, {x, 5}, {x, 6}, {x, 7}, {x, 8}, {0.3, 0.4}, nan}});
  }
  return r;
}

Provenance origin() {
  Provenance p;
  p.version = "1.2.3";
  p.model_text = "title: Würfel\n";
  p.settings = {{"keep", "all"}};
  return p;
}

std::string label(const std::string& path, const std::string& dataset, unsigned dimension) {
  const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const Handle set(H5Dopen2(file, dataset.c_str(), H5P_DEFAULT), H5Dclose);
  char text[64] = {};
  H5DSget_label(set, dimension, text, sizeof text);
  return text;
}

// One that was written and is read.
class WrittenStudy : public testing::Test {
 protected:
  TemporaryFolder folder;
  const StudyResult study = some_study();
  std::unique_ptr<StudyReader> file = written(study);
  std::unique_ptr<StudyReader> written(const StudyResult& r) const {
    write_study(folder / "results.h5", r, origin());
    return std::make_unique<StudyReader>(folder / "results.h5");
  }
  std::string text(const std::string& object, const std::string& name) const { return file->texts_attribute(object, name).at(0); }
};

TEST_F(WrittenStudy, says_what_it_is) {
  EXPECT_EQ(text("/", "layout"), "aleator study");
  EXPECT_EQ(text("/", "version"), "1.2.3");
  EXPECT_EQ(text("/", "model"), "title: Würfel\n");
  EXPECT_EQ(text("/settings", "keep"), "all");
  EXPECT_EQ(text("/", "method"), "monte-carlo");
  EXPECT_EQ(file->outputs(), (Texts{"p.x", "a-b_2"}));
  EXPECT_EQ(file->number_attribute("/", "samples"), 4);
  EXPECT_EQ(file->number_attribute("/", "done"), 3);
  EXPECT_FALSE(file->complete());
  StudyResult whole = study;
  whole.planned = 3;
  EXPECT_TRUE(written(whole)->complete());
}

TEST_F(WrittenStudy, has_the_seed_to_the_last_digit) {
  file.reset();  // HDF5 opens a file in one way at a time
  const Handle h5(H5Fopen((folder / "results.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  const Handle seed(H5Aopen_by_name(h5, "/", "seed", H5P_DEFAULT, H5P_DEFAULT), H5Aclose), type(H5Aget_type(seed), H5Tclose);
  EXPECT_EQ(H5Tget_class(type), H5T_INTEGER);
  std::uint64_t value = 0;
  H5Aread(seed, H5T_NATIVE_UINT64, &value);
  EXPECT_EQ(value, 18446744073709551557u);
}

TEST_F(WrittenStudy, has_samples_and_failures) {
  EXPECT_EQ(file->numbers("/samples/inputs"), study.inputs);
  EXPECT_EQ(file->row("/samples/inputs", 2), (Parameters{5, 6}));
  EXPECT_EQ(file->texts_attribute("/samples/inputs", "columns"), (Texts{"wheel.mass", "speed"}));
  EXPECT_EQ(file->texts_attribute("/samples/inputs", "column_units"), (Texts{"kg", "m/s"}));
  EXPECT_EQ(file->texts_attribute("/samples/inputs", "laws"), (Texts{"gamma", "uniform"}));
  EXPECT_EQ(file->numbers("/samples/status"), (Parameters{0, 1, 0}));
  EXPECT_EQ(file->texts_attribute("/samples/status", "meaning"), (Texts{"ok", "failed"}));
  EXPECT_EQ(file->numbers("/samples/failures/realization"), Parameters{1});
  EXPECT_EQ(file->texts("/samples/failures/reason"), Texts{"the step became too small at t = 0.25 s"});
  EXPECT_EQ(file->numbers("/samples/failures/time"), Parameters{0.25});
  EXPECT_EQ(file->row("/samples/failures/inputs", 0), (Parameters{3, 4}));
}

TEST_F(WrittenStudy, what_missing_ones_could_do_is_there_when_some_are) {
  EXPECT_FALSE(file->has("/statistics/p.x/missing"));
  EXPECT_FALSE(file->has_attribute("/statistics/p.x/limits/above", "ever_low"));
  EXPECT_FALSE(file->has_attribute("/scalars/z-last", "lower_low"));
  StudyResult some = study;
  some.statistics.missing = 1;
  some.statistics.channels[0].with_missing.lower = {{-infinity, 2}, {3, 4}};
  some.statistics.limits[0].with_missing = {{0.1, 0.2}, {0.3, 0.4}};
  some.statistics.limits[0].ever_with_missing = {0.5, 0.6};
  some.statistics.scalars[0].upper_with_missing = {7, infinity};
  const auto with = written(some);
  EXPECT_EQ(with->number_attribute("/statistics", "missing"), 1);
  EXPECT_EQ(with->numbers("/statistics/p.x/missing/lower_low"), (Parameters{-infinity, 2}));
  EXPECT_EQ(with->numbers("/statistics/p.x/missing/lower_high"), (Parameters{3, 4}));
  EXPECT_EQ(with->numbers("/statistics/p.x/limits/above/missing/probability_high"), (Parameters{0.3, 0.4}));
  EXPECT_EQ(with->number_attribute("/statistics/p.x/limits/above", "ever_low"), 0.5);
  EXPECT_EQ(with->number_attribute("/scalars/z-last", "upper_high"), infinity);
}

// Very many of them cost no more than their bytes: some 0.2 kB each.
TEST_F(WrittenStudy, has_room_for_100000_failures) {
  StudyResult many = study;
  many.failures.clear();
  for (int k = 0; k < 100000; ++k)
    many.failures.push_back(
        {k, "Newton's iteration did not converge in the step from t = " + std::to_string(k), double(k), {1, 2}});
  const auto file_of_many = written(many);
  EXPECT_EQ(file_of_many->texts("/samples/failures/reason").size(), 100000u);
  EXPECT_EQ(file_of_many->numbers("/samples/failures/time").back(), 99999);
  EXPECT_LT(std::filesystem::file_size(folder / "results.h5"), 30000000u);
}

TEST_F(WrittenStudy, has_responses_and_motions) {
  EXPECT_EQ(file->samples(), 3);
  EXPECT_EQ(file->numbers("/time"), study.nominal.time);
  EXPECT_EQ(file->row("/responses/p.x", 0), (Parameters{1, 3}));
  expect_same(file->row("/responses/p.x", 1), {nan, nan});
  EXPECT_EQ(file->row("/responses/a-b_2", 2), (Parameters{6, 8}));
  expect_same(file->numbers("/responses/p.x"), {1, 3, nan, nan, 5, 7});
  EXPECT_EQ(text("/responses/p.x", "units"), "m");
  EXPECT_TRUE(file->texts_attribute("/responses/a-b_2", "units").empty());
  EXPECT_EQ(file->texts("/motion/bodies"), Texts{"wheel"});
  EXPECT_EQ(file->numbers("/motion/nominal"), study.nominal.poses);
  EXPECT_EQ(file->numbers("/motion/realizations"), study.motion);
  EXPECT_EQ(file->numbers_attribute("/motion/realizations", "realization"), (Parameters{0, 2}));
  EXPECT_EQ(file->numbers("/geometry/wheel/0"), Parameters{0.2});
}

TEST_F(WrittenStudy, has_statistics) {
  EXPECT_EQ(file->number_attribute("/statistics", "confidence"), 0.95);
  EXPECT_EQ(file->number_attribute("/statistics", "realizations"), 2);
  EXPECT_EQ(file->number_attribute("/statistics", "rank_error"), 0.001);
  double expected = 200;
  for (const char* name : {"nominal", "mean", "std", "lower", "upper", "minimum", "maximum", "mean_error", "std_error",
                           "lower_error", "upper_error"}) {
    EXPECT_EQ(file->numbers(std::string("/statistics/a-b_2/") + name), (Parameters{expected, expected + 1})) << name;
    EXPECT_EQ(text(std::string("/statistics/p.x/") + name, "units"), "m") << name;
    expected += 2;
  }
  EXPECT_EQ(file->numbers("/statistics/p.x/limits/above/probability"), (Parameters{0.25, 0.5}));
  EXPECT_EQ(file->numbers("/statistics/p.x/limits/below/error"), (Parameters{0.04, 0.05}));
  EXPECT_EQ(file->number_attribute("/statistics/p.x/limits/below", "value"), -1.5);
  EXPECT_EQ(file->number_attribute("/statistics/p.x/limits/above", "ever"), 0.75);
  EXPECT_EQ(file->number_attribute("/statistics/p.x/limits/above", "ever_error"), 0.03);
  EXPECT_FALSE(file->has("/statistics/a-b_2/limits"));
  EXPECT_EQ(file->number_attribute("/scalars/z-last/limits/above", "ever"), 0.5);
  EXPECT_EQ(file->number_attribute("/scalars/z-last/limits/above", "ever_upper"), 0.7);
  EXPECT_EQ(file->numbers_attribute("/convergence", "realizations"), (Parameters{1, 2}));
  EXPECT_EQ(file->numbers("/convergence/a-b_2"), (Parameters{9, 10}));
  EXPECT_EQ(text("/convergence/p.x", "units"), "m s^(1/2)");
  EXPECT_EQ(text("/convergence/a-b_2", "units"), "s^(1/2)");
}

TEST_F(WrittenStudy, has_scalars_in_the_order_of_the_model) {
  EXPECT_EQ(file->children("/scalars"), (Texts{"z-last", "a_first"}));
  expect_same(file->numbers("/scalars/z-last/values"), {3, nan, 5});
  EXPECT_EQ(text("/scalars/z-last", "kind"), "final");
  EXPECT_EQ(text("/scalars/z-last", "output"), "p.x");
  EXPECT_EQ(text("/scalars/z-last", "units"), "m");
  const std::pair<const char*, double> numbers[] = {{"nominal", 3}, {"count", 2},         {"mean", 4},      {"mean_error", 0.1},
                                                    {"std", 0.5},   {"std_error", 0.2},   {"lower", 3},     {"lower_error", 0.3},
                                                    {"upper", 5},   {"upper_error", 0.4}, {"minimum", 2.5}, {"maximum", 5.5}};
  for (const auto& [name, value] : numbers) EXPECT_EQ(file->number_attribute("/scalars/z-last", name), value) << name;
  EXPECT_EQ(file->number_attribute("/scalars/a_first", "upper"), infinity);
}

TEST_F(WrittenStudy, has_shares) {
  EXPECT_EQ(file->texts_attribute("/sobol", "groups"), (Texts{"wheel", "speed"}));
  EXPECT_EQ(file->number_attribute("/sobol", "realizations"), 2);
  expect_same(file->numbers("/sobol/p.x/first"), {nan, 0.25, nan, 0.75});
  expect_same(file->row("/sobol/p.x/total", 1), {nan, 1});
  expect_same(file->numbers("/sobol/p.x/first_error"), {nan, 0.05, nan, 0.07});
  expect_same(file->numbers("/sobol/p.x/total_error"), {nan, 0.06, nan, 0.08});
  EXPECT_FALSE(file->has("/sobol/a-b_2/first_error"));  // as of an expansion: not known
  EXPECT_EQ(file->numbers_attribute("/sobol/p.x", "integrated_first"), (Parameters{0.3, 0.6}));
  EXPECT_EQ(file->numbers_attribute("/sobol/p.x", "integrated_first_error"), (Parameters{0.01, 0.03}));
  EXPECT_EQ(file->numbers_attribute("/sobol/p.x", "integrated_total"), (Parameters{0.4, 0.7}));
  EXPECT_EQ(file->numbers_attribute("/sobol/p.x", "integrated_total_error"), (Parameters{0.02, 0.04}));
}

TEST_F(WrittenStudy, has_correlations) {
  EXPECT_EQ(file->texts_attribute("/correlations", "columns"), (Texts{"wheel.mass", "speed"}));
  EXPECT_EQ(file->texts_attribute("/correlations", "determined_by"), (Texts{"", "wheel.mass"}));
  EXPECT_EQ(file->number_attribute("/correlations", "realizations"), 2);
  EXPECT_EQ(file->number_attribute("/correlations", "partial_rank_error"), 0.3);
  expect_same(file->numbers("/correlations/p.x/pearson"), {0, 0.01, nan, 0.04});
  expect_same(file->numbers("/correlations/a-b_2/spearman"), {0.1, 0.02, 0.1, 0.05});
  expect_same(file->numbers("/correlations/p.x/partial_rank"), {0, 0.03, nan, nan});
  expect_same(file->numbers_attribute("/correlations/p.x", "integrated_partial_rank"), {0.7, nan});
  EXPECT_EQ(file->column("/correlations/a-b_2/spearman", 1), (Parameters{0.02, 0.05}));
  EXPECT_THROW(file->column("/correlations/a-b_2/spearman", 2), ReadError);
}

TEST_F(WrittenStudy, has_a_screening) {
  EXPECT_EQ(file->texts_attribute("/screening", "variables"), (Texts{"wheel.mass", "speed"}));
  EXPECT_EQ(file->number_attribute("/screening", "trajectories"), 7);
  EXPECT_EQ(file->numbers("/screening/p.x/mu"), (Parameters{0, 1, 0, 5}));
  EXPECT_EQ(file->numbers("/screening/a-b_2/mu_star"), (Parameters{10, 2, 10, 6}));
  EXPECT_EQ(file->numbers("/screening/p.x/sigma"), (Parameters{0, 3, 0, 7}));
  EXPECT_EQ(file->numbers("/screening/p.x/mu_star_error"), (Parameters{0, 4, 0, 8}));
  EXPECT_EQ(text("/screening/p.x/mu", "units"), "m");
  EXPECT_EQ(file->numbers_attribute("/screening/p.x", "effects"), (Parameters{7, 6}));
  EXPECT_EQ(file->numbers_attribute("/screening/p.x", "integrated_mu_star"), (Parameters{0.5, 0.3}));
  EXPECT_EQ(file->numbers_attribute("/screening/p.x", "integrated_mu_star_error"), (Parameters{0.1, 0.4}));
  expect_same(file->numbers_attribute("/screening/p.x", "integrated_sigma"), {0.2, nan});
}

TEST_F(WrittenStudy, has_laws_in_the_order_of_the_model) {
  EXPECT_EQ(file->children("/laws/columns"), (Texts{"wheel.mass", "speed"}));
  const std::string mass = "/laws/columns/wheel.mass";
  EXPECT_EQ(file->numbers(mass + "/x"), (Parameters{1, 2}));
  EXPECT_EQ(file->numbers(mass + "/density"), (Parameters{0.5, 0.25}));
  EXPECT_EQ(file->number_attribute(mass, "mean"), 1.5);
  EXPECT_EQ(file->number_attribute(mass, "std"), 0.5);
  EXPECT_EQ(file->number_attribute(mass, "nominal"), 1.25);
  EXPECT_EQ(file->number_attribute(mass, "exact"), 0);
  EXPECT_TRUE(file->numbers("/laws/columns/speed/x").empty());
  EXPECT_TRUE(std::isnan(file->number_attribute("/laws/columns/speed", "nominal")));
  EXPECT_EQ(file->texts_attribute("/laws/quantities/wheel.mass", "facts"), (Texts{"shape"}));
  EXPECT_EQ(file->texts_attribute("/laws/quantities/wheel.mass", "values"), (Texts{"4"}));
  EXPECT_EQ(file->texts_attribute("/laws/quantities/speed", "same_as"), (Texts{"wheel.mass"}));
}

TEST_F(WrittenStudy, has_connections_also_of_one_name) {
  EXPECT_EQ(file->children("/connections"), (Texts{"pin", "pin (force)"}));
  EXPECT_EQ(file->numbers_attribute("/connections/pin", "frames"), (Parameters{-1, 0}));
  EXPECT_EQ(file->numbers_attribute("/connections/pin", "axis"), (Parameters{0, 1, 0}));
  EXPECT_EQ(file->numbers_attribute("/connections/pin (force)", "points"), (Parameters{7, 8, 9}));
  EXPECT_THROW(file->numbers_attribute("/connections/pin (force)", "axis"), ReadError);
}

TEST_F(WrittenStudy, has_the_numbers_of_its_distributions) {
  const std::string at = "/laws/quantities/wheel.mass";
  EXPECT_EQ(file->text_attribute(at, "distribution"), "Gamma");
  EXPECT_EQ(file->numbers(at + "/parameters/k"), Parameters{0.1 + 0.2});
  EXPECT_TRUE(file->extent(at + "/parameters/k").empty());
  EXPECT_EQ(file->numbers(at + "/lambda"), (Parameters{1, 2, 3}));
  EXPECT_EQ(file->text_attribute(at + "/lambda", "units"), "1/m");
  EXPECT_EQ(file->extent(at + "/mu"), (std::vector<long>{2, 2}));
  EXPECT_EQ(file->children("/laws/quantities"), (Texts{"wheel.mass", "speed"}));
}

TEST_F(WrittenStudy, what_was_not_computed_is_absent) {
  StudyResult plain = study;
  plain.correlations = {};
  plain.screening = {};
  const auto without = written(plain);
  EXPECT_FALSE(without->has("/correlations"));
  EXPECT_FALSE(without->has("/screening"));
}

TEST_F(WrittenStudy, labels_its_dimensions) {
  file.reset();
  const std::pair<const char*, Texts> labels[] = {{"/time", {"time"}},
                                                  {"/samples/inputs", {"sample", "quantity"}},
                                                  {"/samples/status", {"sample"}},
                                                  {"/samples/failures/reason", {"failure"}},
                                                  {"/samples/failures/inputs", {"failure", "quantity"}},
                                                  {"/responses/p.x", {"sample", "time"}},
                                                  {"/statistics/p.x/mean", {"time"}},
                                                  {"/scalars/z-last/values", {"sample"}},
                                                  {"/convergence/p.x", {"count"}},
                                                  {"/sobol/p.x/first", {"group", "time"}},
                                                  {"/correlations/p.x/pearson", {"quantity", "time"}},
                                                  {"/motion/realizations", {"sample", "time", "body", "pose"}}};
  for (const auto& [dataset, expected] : labels)
    for (unsigned i = 0; i < expected.size(); ++i) EXPECT_EQ(label(folder / "results.h5", dataset, i), expected[i]) << dataset;
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::results
