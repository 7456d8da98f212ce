// nominal.h5, read back with HDF5's own functions.
#include <gtest/gtest.h>
#include <hdf5.h>
#include <hdf5_hl.h>

#include <fstream>

#include "base/errors.hpp"
#include "results/hdf5_file.hpp"
#include "results/read.hpp"
#include "results/version.hpp"
#include "results/write.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::results {
namespace ALEATOR_FILE {

using test::TemporaryFolder;

// What a reader of the file does, in as few words.
class Reader {
 public:
  explicit Reader(const std::string& path) : file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose) {}
  bool is_open() const { return file_ >= 0; }

  std::vector<hsize_t> shape(const std::string& dataset) const {
    const Handle space = space_of(open(dataset));
    std::vector<hsize_t> extent(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
    H5Sget_simple_extent_dims(space, extent.data(), nullptr);
    return extent;
  }

  std::vector<double> numbers(const std::string& dataset) const {
    const Handle data = open(dataset);
    std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space_of(data))));
    H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    return values;
  }

  std::vector<std::string> texts(const std::string& dataset) const {
    const Handle data = open(dataset), type(H5Dget_type(data), H5Tclose), space = space_of(data);
    std::vector<char*> raw(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, raw.data());
    const std::vector<std::string> result(raw.begin(), raw.end());
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, raw.data());
    return result;
  }

  std::string text(const std::string& object, const std::string& attribute) const {
    const Handle a = open_attribute(object, attribute), type(H5Aget_type(a), H5Tclose);
    char* raw = nullptr;
    if (H5Aread(a, type, &raw) < 0) return "no attribute";
    const std::string result = raw;
    H5free_memory(raw);
    return result;
  }

  std::vector<double> numbers(const std::string& object, const std::string& attribute) const {
    const Handle a = open_attribute(object, attribute), space(H5Aget_space(a), H5Sclose);
    std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    H5Aread(a, H5T_NATIVE_DOUBLE, values.data());
    return values;
  }

  std::string label(const std::string& dataset, unsigned dimension) const {
    char text[64] = {};
    H5DSget_label(open(dataset), dimension, text, sizeof text);
    return text;
  }

 private:
  Handle open(const std::string& path) const { return {H5Dopen2(file_, path.c_str(), H5P_DEFAULT), H5Dclose}; }
  Handle open_attribute(const std::string& object, const std::string& name) const {
    return {H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose};
  }
  static Handle space_of(hid_t dataset) { return {H5Dget_space(dataset), H5Sclose}; }
  Handle file_;
};

Run two_bodies_three_times() {
  results::Run run;
  run.time = {0, 1e-4, 2e-4};
  run.channels = {{"angle", "rad"}, {"p.x", "m"}, {"ratio", ""}};
  run.values = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  run.bodies = {{"rb5", {{"box", {2.4, 0.4, 0.1}, {0, 0, 0.5}, {1, 0, 0, 0}}, {"sphere", {0.2}, {1, 2, 3}, {0, 1, 0, 0}}}},
                {"rb1", {}}};
  for (int i = 0; i < 3 * 2 * 7; ++i) run.poses.push_back(0.1 * i);
  return run;
}

Provenance origin() {
  Provenance p;
  p.version = "1.2.3";
  p.commit = "abc";
  p.model_text = "title: Würfel\n";
  p.model_file = "models/a.yaml";
  p.command_line = "aleator simulate models/a.yaml";
  p.host = "here";
  p.created = "2026-01-31T12:34:56Z";
  p.settings = {{"integrator", "generalized-alpha"}, {"step", "2e-5"}};
  return p;
}

using Shape2 = std::vector<hsize_t>;
using Parameters = std::vector<double>;
using Texts = std::vector<std::string>;

TEST(WriteNominal, ResponsesAreSampleByTimeWithUnitsAndLabels) {
  const TemporaryFolder folder;
  write_nominal(folder / "nominal.h5", two_bodies_three_times(), origin());
  EXPECT_EQ(folder.files(), Texts{"nominal.h5"});
  const Reader file(folder / "nominal.h5");
  ASSERT_TRUE(file.is_open());

  EXPECT_EQ(file.numbers("/time"), (Parameters{0, 1e-4, 2e-4}));
  EXPECT_EQ(file.text("/time", "units"), "s");
  EXPECT_EQ(file.label("/time", 0), "time");
  EXPECT_EQ(file.shape("/responses/p.x"), (Shape2{1, 3}));
  EXPECT_EQ(file.numbers("/responses/p.x"), (Parameters{2, 5, 8}));
  EXPECT_EQ(file.text("/responses/p.x", "units"), "m");
  EXPECT_EQ(file.label("/responses/p.x", 0), "sample");
  EXPECT_EQ(file.label("/responses/p.x", 1), "time");
  EXPECT_EQ(file.numbers("/responses/angle"), (Parameters{1, 4, 7}));
  EXPECT_EQ(file.text("/responses/ratio", "units"), "no attribute");
  EXPECT_EQ(file.numbers("/statistics/p.x/nominal"), (Parameters{2, 5, 8}));
  EXPECT_EQ(file.shape("/statistics/p.x/nominal"), Shape2{3});
}

// Files the model refers to may be any bytes.
TEST(WriteNominal, KeepsBinaryFilesOfTheModel) {
  const TemporaryFolder folder;
  Provenance p = origin();
  p.table_files = {"a.csv", "b.stl"};
  p.table_texts = {"0, 1\n", std::string("\0\xFFx\0", 4)};
  write_nominal(folder / "nominal.h5", two_bodies_three_times(), p);
  const StudyReader reader(folder / "nominal.h5", StudyReader::Accept::any);
  EXPECT_EQ(reader.provenance().table_texts, p.table_texts);
}

TEST(WriteNominal, SaysWhereItComesFrom) {
  const TemporaryFolder folder;
  write_nominal(folder / "nominal.h5", two_bodies_three_times(), origin());
  const Reader file(folder / "nominal.h5");
  EXPECT_EQ(file.text("/", "layout"), "aleator nominal");
  EXPECT_EQ(file.text("/", "version"), "1.2.3");
  EXPECT_EQ(file.text("/", "commit"), "abc");
  EXPECT_EQ(file.text("/", "model"), "title: Würfel\n");
  EXPECT_EQ(file.text("/", "model_file"), "models/a.yaml");
  EXPECT_EQ(file.text("/", "command_line"), "aleator simulate models/a.yaml");
  EXPECT_EQ(file.text("/", "host"), "here");
  EXPECT_EQ(file.text("/", "created"), "2026-01-31T12:34:56Z");
  EXPECT_EQ(file.text("/settings", "integrator"), "generalized-alpha");
  EXPECT_EQ(file.text("/settings", "step"), "2e-5");
}

TEST(WriteNominal, HasShapesAndPoses) {
  const TemporaryFolder folder;
  const results::Run run = two_bodies_three_times();
  write_nominal(folder / "nominal.h5", run, origin());
  const Reader file(folder / "nominal.h5");
  EXPECT_EQ(file.numbers("/geometry/rb5/0"), (Parameters{2.4, 0.4, 0.1}));
  EXPECT_EQ(file.text("/geometry/rb5/0", "kind"), "box");
  EXPECT_EQ(file.numbers("/geometry/rb5/1", "position"), (Parameters{1, 2, 3}));
  EXPECT_EQ(file.numbers("/geometry/rb5/1", "quaternion"), (Parameters{0, 1, 0, 0}));
  EXPECT_EQ(file.texts("/motion/bodies"), (Texts{"rb5", "rb1"}));
  EXPECT_EQ(file.shape("/motion/nominal"), (Shape2{3, 2, 7}));
  EXPECT_EQ(file.numbers("/motion/nominal"), run.poses);
}

TEST(WriteNominal, WhatPicturesNeedComesBack) {
  const TemporaryFolder folder;
  results::Run run = two_bodies_three_times();
  run.bodies[0].colour = "#4682b4";
  run.gravity = {0, 0, -9.81};
  run.points = {{"p", 1, {1, 2, 3}}};
  run.connections = {{"pin", "revolute", "joint", {-1, 0}, {1, 2, 3, 4, 5, 6}, {0, 1, 0}, {1, 2, 3, 4, 5, 6, 7, 8, 9}},
                     {"load", "force", "force", {1}, {7, 8, 9}, {}}};
  write_nominal(folder / "nominal.h5", run, origin());
  const StudyReader file(folder / "nominal.h5", StudyReader::Accept::any);
  EXPECT_EQ(file.motion().bodies[0].colour, "#4682b4");
  EXPECT_EQ(file.motion().bodies[1].colour, "");
  EXPECT_EQ(file.gravity(), (Parameters{0, 0, -9.81}));
  ASSERT_EQ(file.points(2).size(), 1u);
  EXPECT_EQ(file.points(2)[0].output, "p");
  EXPECT_EQ(file.points(2)[0].point, (std::array<double, 3>{1, 2, 3}));
  EXPECT_THROW(file.points(1), ReadError);
  EXPECT_EQ(file.connections(2)[0].force, run.connections[0].force);
  EXPECT_TRUE(file.connections(2)[1].force.empty());
}

// Attributes of HDF5 are limited to 64 KiB unless they are written as variable-length text.
TEST(WriteNominal, TakesALongModel) {
  const TemporaryFolder folder;
  Provenance provenance = origin();
  provenance.model_text = std::string(3000000, 'x') + "end";
  write_nominal(folder / "nominal.h5", results::Run{}, provenance);
  EXPECT_EQ(Reader(folder / "nominal.h5").text("/", "model"), provenance.model_text);
}

TEST(WriteNominal, NothingToShowIsStillAFile) {
  const TemporaryFolder folder;
  write_nominal(folder / "nominal.h5", results::Run{}, Provenance{});
  const Reader file(folder / "nominal.h5");
  EXPECT_EQ(file.shape("/time"), Shape2{0});
  EXPECT_EQ(file.shape("/motion/nominal"), (Shape2{0, 0, 7}));
}

TEST(WriteNominal, ReplacesAnOlderFile) {
  const TemporaryFolder folder;
  std::ofstream(folder / "nominal.h5") << "older";
  write_nominal(folder / "nominal.h5", two_bodies_three_times(), origin());
  EXPECT_TRUE(Reader(folder / "nominal.h5").is_open());
}

TEST(WriteNominal, AnUnwritablePlaceIsAnErrorWithoutNoise) {
  testing::internal::CaptureStderr();
  EXPECT_THROW(write_nominal("/proc/self/nominal.h5", two_bodies_three_times(), origin()), WriteError);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// A name HDF5 cannot take fails inside the library, after the temporary file was opened.
TEST(WriteNominal, AFailureOfHdf5LeavesNothingBehindAndPrintsNothing) {
  const TemporaryFolder folder;
  results::Run run = two_bodies_three_times();
  run.channels[1].name = run.channels[0].name;
  testing::internal::CaptureStderr();
  EXPECT_THROW(write_nominal(folder / "nominal.h5", run, origin()), WriteError);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_TRUE(folder.files().empty());
}

TEST(Provenance, KnowsVersionCommitHostAndTime) {
  const Provenance here = provenance_here();
  EXPECT_EQ(here.version, version());
  EXPECT_FALSE(here.commit.empty());
  EXPECT_FALSE(here.host.empty());
  EXPECT_EQ(here.created.size(), std::string("2026-01-31T12:34:56Z").size());
  EXPECT_EQ(here.created.back(), 'Z');
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::results
