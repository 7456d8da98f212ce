// Dimension scales of results files: each dataset has one along each dimension, and its group holds it as a coordinate.
#include <gtest/gtest.h>
#include <hdf5.h>
#include <hdf5_hl.h>

#include "results/hdf5_handle.hpp"
#include "results/read.hpp"
#include "results/write.hpp"
#include "support/full_study.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::results {
namespace ALEATOR_FILE {

using Texts = std::vector<std::string>;

herr_t take_name(hid_t, unsigned, hid_t scale, void* to) {
  char name[256] = {};
  H5Iget_name(scale, name, sizeof name);
  static_cast<Texts*>(to)->push_back(std::string(name).substr(std::string(name).rfind('/') + 1));
  return 0;
}

// The names of its scales, one per dimension.
Texts scales_of(hid_t file, const std::string& dataset) {
  const Handle set(H5Dopen2(file, dataset.c_str(), H5P_DEFAULT), H5Dclose), space(H5Dget_space(set), H5Sclose);
  Texts names;
  for (int k = 0; k < H5Sget_simple_extent_ndims(space); ++k) H5DSiterate_scales(set, unsigned(k), nullptr, take_name, &names);
  return names;
}

herr_t take_dataset(hid_t, const char* name, const H5L_info_t*, void* to) {
  static_cast<Texts*>(to)->push_back("/" + std::string(name));
  return 0;
}

// All paths, also those that lead to the same object.
Texts datasets_of(hid_t file) {
  Texts all;
  H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, take_dataset, &all);
  std::erase_if(all, [&](const std::string& path) {
    const Handle object(H5Oopen(file, path.c_str(), H5P_DEFAULT), H5Oclose);
    return H5Iget_type(object) != H5I_DATASET;
  });
  return all;
}

bool is_scale(hid_t file, const std::string& path) {
  const Handle set(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
  return set >= 0 && H5DSis_scale(set) > 0;
}

class Scales : public testing::Test {
 protected:
  Scales() { write_study(folder / "results.h5", study.result, {}); }
  Handle open() const { return {H5Fopen((folder / "results.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose}; }

  const test::TemporaryFolder folder;
  const test::FullStudy study;
};

TEST_F(Scales, every_dimension_has_one_in_the_group_of_its_dataset) {
  const Handle file = open();
  int found = 0;
  for (const std::string& path : datasets_of(file)) {
    if (is_scale(file, path)) continue;
    const Handle set(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose), space(H5Dget_space(set), H5Sclose);
    const Texts scales = scales_of(file, path);
    EXPECT_EQ(int(scales.size()), H5Sget_simple_extent_ndims(space)) << path;
    for (std::size_t k = 0; k < scales.size(); ++k) {
      const std::string in_group = path.substr(0, path.rfind('/') + 1) + scales[k];
      EXPECT_TRUE(is_scale(file, in_group)) << in_group;
      const Handle scale(H5Dopen2(file, in_group.c_str(), H5P_DEFAULT), H5Dclose);
      EXPECT_GT(H5DSis_attached(set, scale, unsigned(k)), 0) << in_group;
    }
    ++found;
  }
  EXPECT_GT(found, 90);
}

TEST_F(Scales, one_dataset_is_the_time_of_all_groups) {
  const Handle file = open();
  H5O_info_t first{}, other{};
  H5Oget_info_by_name2(file, "/time", &first, H5O_INFO_BASIC, H5P_DEFAULT);
  int found = 0;
  for (const std::string& path : datasets_of(file)) {
    if (!path.ends_with("/time") || path.starts_with("/identification") || path == "/samples/failures/time") continue;
    H5Oget_info_by_name2(file, path.c_str(), &other, H5O_INFO_BASIC, H5P_DEFAULT);
    EXPECT_EQ(other.addr, first.addr) << path;
    ++found;
  }
  EXPECT_EQ(unsigned(found), first.rc);
}

TEST_F(Scales, coordinates_are_no_children) {
  const StudyReader file(folder / "results.h5");
  EXPECT_EQ(file.children("/responses"), file.outputs());
  EXPECT_EQ(file.children("/statistics"), file.outputs());
  EXPECT_TRUE(file.has("/responses/time"));
  EXPECT_TRUE(file.has("/responses/sample"));
}

// An output may be called like a coordinate: it comes first, the coordinate gets another name in this group.
TEST(DimensionScales, make_way_for_outputs) {
  const test::TemporaryFolder folder;
  StudyResult r;
  r.nominal.time = {0, 1, 2};
  r.nominal.channels = {{"x", "m"}, {"sample", "m"}, {"time", "s"}, {"count", ""}};
  r.columns = {{"mass", "kg", "gamma"}};
  r.planned = r.done = 2;
  r.ok = {1, 1};
  r.inputs = {1, 2};
  const std::vector<double> y(2 * 3 * 4, 7.0), x = {0, 1, 2};
  r.responses = y;
  for (int c = 0; c < 4; ++c) r.statistics.channels.push_back({x, x, x, x, x, x, x, x, x, x, x});
  r.statistics.convergence = {{1, 2}, {{3, 4}, {3, 4}, {3, 4}, {3, 4}}};
  write_study(folder / "results.h5", r, {});
  {
    const StudyReader reader(folder / "results.h5");
    EXPECT_EQ(reader.children("/responses"), (Texts{"x", "sample", "time", "count"}));
    EXPECT_EQ(reader.numbers("/responses/time"), std::vector<double>(6, 7.0));
  }
  const Handle file(H5Fopen((folder / "results.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  EXPECT_EQ(scales_of(file, "/responses/x"), (Texts{"sample_2", "time_3"}));
  EXPECT_EQ(scales_of(file, "/statistics/time/mean"), Texts{"time"});
  EXPECT_EQ(scales_of(file, "/convergence/x"), Texts{"count_2"});
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::results
