// Failure probabilities of methods for rare events: written and read again; damaged ones are refused.
#include "results/reliability.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>
#include <functional>

#include "results/hdf5_handle.hpp"
#include "results/read_reliability.hpp"
#include "results/read_study.hpp"
#include "results/write.hpp"
#include "support/full_study.hpp"
#include "support/sealed_file.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::results {
namespace ALEATOR_FILE {

TEST(Reliability, index_of_a_probability) {
  const auto beta = [](double p) {
    Reliability::Probability of;
    of.probability = p;
    return of.beta();
  };
  // Φ(−β) for β = 1, 3, 6, 10 (Abramowitz & Stegun 26.2; to the digits given there)
  EXPECT_NEAR(beta(0.158655253931457), 1, 1e-12);
  EXPECT_NEAR(beta(1.349898031630095e-3), 3, 1e-12);
  EXPECT_NEAR(beta(9.865876450376981e-10), 6, 1e-12);
  EXPECT_NEAR(beta(7.619853024160527e-24), 10, 1e-12);
  EXPECT_NEAR(beta(1 - 0.158655253931457), -1, 1e-12);
  EXPECT_NEAR(beta(0.5), 0, 1e-15);
  EXPECT_EQ(beta(0), INFINITY);
  EXPECT_EQ(beta(1), -INFINITY);
  EXPECT_TRUE(std::isnan(beta(std::nan(""))));
}

class ReliabilityFile : public testing::Test {
 protected:
  ReliabilityFile() { write_study(path, study.result, study.provenance); }

  using Change = std::function<void(hid_t file)>;
  std::string said(const Change& change) const {
    {
      const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
      change(file);
    }
    test::seal_again(path);
    try {
      read_reliability(StudyReader(path));
    } catch (const ReadError& e) {
      const std::string begin = "cannot read '" + path + "': ", all = e.what();
      return all.starts_with(begin) ? all.substr(begin.size()) : all;
    }
    return "";
  }
  static void put(hid_t file, const char* dataset, std::vector<double> values) {
    ASSERT_GE(H5Ldelete(file, dataset, H5P_DEFAULT), 0);
    const hsize_t n = values.size();
    const Handle space(H5Screate_simple(1, &n, nullptr), H5Sclose);
    const Handle set(H5Dcreate2(file, dataset, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    ASSERT_GE(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
  }

  const test::TemporaryFolder folder;
  const std::string path = folder / "results.h5";
  const test::FullStudy study;
};

TEST_F(ReliabilityFile, comes_back_as_it_was) {
  const Reliability& a = *study.result.reliability;
  const Reliability b = read_reliability(StudyReader(path));
  EXPECT_EQ(b.method, a.method);
  EXPECT_EQ(b.simulations, 3700);
  EXPECT_EQ(b.failed, 2);
  EXPECT_EQ(b.doubts, a.doubts);
  ASSERT_EQ(b.of.size(), 2u);
  EXPECT_EQ(b.of[0].limit, "x.above");
  EXPECT_EQ(b.of[0].value, 1.5);
  EXPECT_EQ(b.of[0].unit, "m");
  EXPECT_EQ(b.of[1].probability, 3e-4);
  EXPECT_EQ(b.of[1].cov, 0.2);
  EXPECT_EQ(b.of[1].lower, 2e-4);
  EXPECT_EQ(b.of[1].upper, 4.5e-4);
  EXPECT_TRUE(std::isnan(b.of[1].value));
  ASSERT_EQ(b.curves.size(), 1u);
  EXPECT_EQ(b.curves[0].limit, "x.above");
  EXPECT_EQ(b.curves[0].unit, "m");
  EXPECT_EQ(b.curves[0].b, a.curves[0].b);
  EXPECT_EQ(b.curves[0].upper, a.curves[0].upper);
  ASSERT_EQ(b.levels.size(), 2u);
  EXPECT_EQ(b.levels[0].excess, -INFINITY);
  EXPECT_EQ(b.levels[1].realizations, 900);
  EXPECT_EQ(b.levels[1].accepted, 0.4);
  EXPECT_EQ(b.levels[1].rho, 0.8);
  EXPECT_EQ(b.sets, a.sets);
  EXPECT_EQ(b.agreement, 0.3);
}

TEST_F(ReliabilityFile, comes_back_with_its_points_and_causes) {
  const Reliability& a = *study.result.reliability;
  const StudyResult read = read_study(StudyReader(path), nullptr);
  ASSERT_TRUE(read.reliability);
  const Reliability& b = *read.reliability;
  EXPECT_EQ(b.variables, a.variables);
  ASSERT_EQ(b.design_points.size(), 1u);
  EXPECT_EQ(b.design_points[0].u, a.design_points[0].u);  // also numbers of random processes
  EXPECT_EQ(b.design_points[0].inputs, a.design_points[0].inputs);
  EXPECT_EQ(b.design_points[0].importance, a.design_points[0].importance);
  EXPECT_EQ(b.design_points[0].curvatures, a.design_points[0].curvatures);
  EXPECT_EQ(b.design_points[0].sorm, 3.1e-4);
  EXPECT_TRUE(b.design_points[0].converged);
  ASSERT_EQ(b.tails.size(), 2u);
  EXPECT_EQ(b.tails[0].c, 1.5);
  EXPECT_EQ(b.tails[0].lower, a.tails[0].lower);
  EXPECT_EQ(b.tails[0].to, 0.9);
  EXPECT_EQ(b.failures.inputs, a.failures.inputs);
  EXPECT_EQ(b.failures.weights, a.failures.weights);
  EXPECT_EQ(b.failures.limit, a.failures.limit);
  EXPECT_EQ(b.failures.kept, a.failures.kept);
  EXPECT_EQ(b.failures.histories, a.failures.histories);
  EXPECT_EQ(b.failures.poses, a.failures.poses);
  EXPECT_EQ(b.failures.normals, a.failures.normals);
  ASSERT_EQ(b.causes.size(), 2u);
  EXPECT_EQ(b.causes[0].mean_failing, 117.5);
  EXPECT_EQ(b.causes[1].column, "m");
  EXPECT_EQ(b.causes[1].unit, "kg");
  EXPECT_TRUE(std::isnan(b.causes[1].importance));
}

TEST_F(ReliabilityFile, of_a_damaged_file) {
  EXPECT_EQ(said([](hid_t) {}), "");
  EXPECT_EQ(said([](hid_t f) {
              put(f, "/reliability/probability", {2, 0});
            }),
            "/reliability/probability has a number that is no probability");
}
TEST_F(ReliabilityFile, with_a_length_that_does_not_fit) {
  EXPECT_EQ(said([](hid_t f) { put(f, "/reliability/cov", {1}); }), "/reliability/cov has 1 of 2 limits");
}
TEST_F(ReliabilityFile, with_a_curve_that_does_not_fit) {
  EXPECT_EQ(said([](hid_t f) { put(f, "/reliability/curves/0/upper", {1, 1}); }), "/reliability/curves is damaged");
}
TEST_F(ReliabilityFile, with_samples_that_are_not_there) {
  EXPECT_EQ(said([](hid_t f) {
              put(f, "/reliability/failures/kept", {0, 7});
            }),
            "/reliability/failures/kept names more than there are");
}
TEST_F(ReliabilityFile, with_weights_that_are_none) {
  EXPECT_EQ(said([](hid_t f) {
              put(f, "/reliability/failures/weights", {1, -1, 1});
            }),
            "/reliability/failures/weights has a number that is negative or not finite");
}
TEST_F(ReliabilityFile, that_has_none) {
  EXPECT_TRUE(said([](hid_t f) { H5Ldelete(f, "/reliability", H5P_DEFAULT); }).starts_with("it has no failure probabilities"));
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::results
