// Results files with a right checksum in which something is not as layout.md says: the message names the file, the object and
// what is wrong with it.
#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <functional>

#include "results/hdf5_file.hpp"
#include "results/read.hpp"
#include "results/write.hpp"
#include "support/full_study.hpp"
#include "support/sealed_file.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::results {
namespace ALEATOR_FILE {

using test::TemporaryFolder;

using Change = std::function<void(hid_t file)>;

class Nonsense : public testing::Test {
 protected:
  Nonsense() {
    const test::FullStudy study;
    write_study(path, study.result, study.provenance);
  }
  // What is said when the changed file is read.
  std::string said(const Change& change, const std::function<void(const StudyReader&)>& read) const {
    {
      const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
      change(file);
    }
    test::seal_again(path);
    try {
      const StudyReader reader(path);
      read(reader);
    } catch (const ReadError& e) {
      const std::string begin = "cannot read '" + path + "': ", all = e.what();
      return all.starts_with(begin) ? all.substr(begin.size()) : all;
    }
    return "";
  }
  static void remove(hid_t file, const char* object) { ASSERT_GE(H5Ldelete(file, object, H5P_DEFAULT), 0); }
  static void put(hid_t file, const char* object, std::initializer_list<hsize_t> shape, hid_t type = H5T_NATIVE_DOUBLE,
                  hid_t creation = H5P_DEFAULT) {
    remove(file, object);
    const Handle space(H5Screate_simple(int(shape.size()), std::data(shape), nullptr), H5Sclose);
    const Handle set(H5Dcreate2(file, object, type, space, H5P_DEFAULT, creation, H5P_DEFAULT), H5Dclose);
    ASSERT_GE(set, 0);
    if (creation == H5P_DEFAULT && type == H5T_NATIVE_DOUBLE) {
      std::vector<double> zeros(std::size_t(H5Sget_simple_extent_npoints(space)));
      H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros.data());
    }
  }
  static void put_attribute(hid_t file, const char* object, const char* name, std::vector<double> values) {
    H5Adelete_by_name(file, object, name, H5P_DEFAULT);
    const hsize_t n = values.size();
    const Handle space(H5Screate_simple(1, &n, nullptr), H5Sclose);
    const Handle a(H5Acreate_by_name(file, object, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                   H5Aclose);
    ASSERT_GE(H5Awrite(a, H5T_NATIVE_DOUBLE, values.data()), 0);
  }

  TemporaryFolder folder;
  std::string path = folder / "results.h5";
};

const std::string mean = "/statistics/x/mean";
void read_mean(const StudyReader& r) { r.numbers(mean); }

TEST_F(Nonsense, that_is_none) {
  EXPECT_EQ(said([](hid_t) {}, read_mean), "");
}
TEST_F(Nonsense, missing) {
  EXPECT_EQ(said([](hid_t f) { remove(f, mean.c_str()); }, read_mean), "it has no /statistics/x/mean");
}
TEST_F(Nonsense, of_another_length) {
  EXPECT_EQ(said([](hid_t f) { put(f, mean.c_str(), {5}); }, read_mean), "/statistics/x/mean has 5 of 3 times");
}
TEST_F(Nonsense, of_other_dimensions) {
  EXPECT_EQ(said([](hid_t f) { put(f, mean.c_str(), {3, 1}); }, read_mean), "/statistics/x/mean has 2 dimensions instead of 1");
}
TEST_F(Nonsense, of_another_type) {
  EXPECT_EQ(said([](hid_t f) { put(f, mean.c_str(), {3}, H5T_C_S1); }, read_mean), "/statistics/x/mean does not hold numbers");
  EXPECT_EQ(said([](hid_t f) { put(f, "/motion/bodies", {3}); }, [](const StudyReader& r) { r.texts("/motion/bodies"); }),
            "/motion/bodies does not hold texts of any length");
}
TEST_F(Nonsense, that_is_a_group) {
  EXPECT_EQ(said(
                [](hid_t f) {
                  remove(f, mean.c_str());
                  H5Gclose(H5Gcreate2(f, mean.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
                },
                read_mean),
            "/statistics/x/mean is not a dataset");
}
TEST_F(Nonsense, larger_than_the_file) {
  EXPECT_EQ(said(
                [](hid_t f) {
                  put(f, mean.c_str(), {hsize_t(1) << 40}, H5T_NATIVE_DOUBLE, Handle(H5Pcreate(H5P_DATASET_CREATE), H5Pclose));
                },
                read_mean),
            "/statistics/x/mean claims to be larger than what the file holds of it (0 bytes)");
  // 2⁶⁴ elements: a product that is 0 when it overflows
  EXPECT_EQ(said(
                [](hid_t f) {
                  const Handle chunked(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
                  const hsize_t chunk[] = {1024, 1};
                  H5Pset_chunk(chunked, 2, chunk);
                  put(f, "/responses/x", {hsize_t(1) << 32, hsize_t(1) << 32}, H5T_NATIVE_DOUBLE, chunked);
                },
                [](const StudyReader& r) { r.row("/responses/x", 0); }),
            "/responses/x claims to be larger than what the file holds of it (0 bytes)");
}
TEST_F(Nonsense, in_another_file) {
  const Handle elsewhere(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_external(elsewhere, "/etc/passwd", 0, H5F_UNLIMITED);
  EXPECT_EQ(said([&](hid_t f) { put(f, mean.c_str(), {3}, H5T_NATIVE_DOUBLE, elsewhere); }, read_mean),
            "/statistics/x/mean has its numbers in another file");
}
TEST_F(Nonsense, that_leads_elsewhere) {
  const auto link = [](const auto& make) {
    return [make](hid_t f) {
      remove(f, mean.c_str());
      ASSERT_GE(make(f), 0);
    };
  };
  const std::string words = "/statistics/x/mean is a link; results files have none";
  EXPECT_EQ(said(link([](hid_t f) { return H5Lcreate_soft("/time", f, mean.c_str(), H5P_DEFAULT, H5P_DEFAULT); }), read_mean),
            words);
  EXPECT_EQ(H5Lis_registered(H5L_TYPE_EXTERNAL), 0);  // HDF5 itself knows no links to other files any more
}
TEST_F(Nonsense, where_something_is_counted) {
  for (const double wrong : {-1.0, 0.5, std::nan(""), 1e300, double(INFINITY)})
    EXPECT_TRUE(said(
                    [&](hid_t f) {
                      put_attribute(f, "/motion/realizations", "realization", {0, wrong});
                    },
                    [](const StudyReader& r) { r.counts_attribute("/motion/realizations", "realization"); })
                    .starts_with("attribute realization of /motion/realizations has "))
        << wrong;
}
TEST_F(Nonsense, in_lists_of_attributes) {
  EXPECT_EQ(said(
                [](hid_t f) {
                  put_attribute(f, "/sobol/x", "integrated_first", {1, 2, 3});
                },
                [](const StudyReader& r) { r.numbers_attribute("/sobol/x", "integrated_first"); }),
            "attribute integrated_first of /sobol/x has 3 of 2 groups");
  EXPECT_EQ(said(
                [](hid_t f) {
                  put_attribute(f, "/", "complete", {1, 1});
                },
                [](const StudyReader& r) { r.complete(); }),
            "attribute complete of / is not one number");
  EXPECT_EQ(said([](hid_t f) { put_attribute(f, "/", "layout", {1}); }, [](const StudyReader&) {}),
            "attribute layout of / does not hold texts of any length");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::results
