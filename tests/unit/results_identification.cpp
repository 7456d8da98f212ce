// The group /identification: everything comes back, and what does not fit together is told.
#include "results/identification.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <cmath>

#include "numerics/chi_squared.hpp"
#include "results/hdf5_file.hpp"
#include "results/read.hpp"
#include "results/write.hpp"
#include "support/identification.hpp"
#include "support/same_numbers.hpp"
#include "support/sealed_file.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::results {
namespace ALEATOR_FILE {

using test::TemporaryFolder;

std::shared_ptr<const Identification> written(const Identification& x) {
  const TemporaryFolder folder;
  const MadeUpStudy study(std::make_shared<const Identification>(x));
  write_study(folder / "results.h5", study.result, {});
  return read_identification(StudyReader(folder / "results.h5"));
}

void expect_same(const FreeParameter& a, const FreeParameter& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.unit, b.unit);
  for (const auto member :
       {&FreeParameter::from, &FreeParameter::to, &FreeParameter::written, &FreeParameter::estimate, &FreeParameter::lower,
        &FreeParameter::upper, &FreeParameter::mean, &FreeParameter::std, &FreeParameter::credible_lower,
        &FreeParameter::credible_upper, &FreeParameter::r_hat, &FreeParameter::effective_draws})
    EXPECT_TRUE(test::same_or_nan(a.*member, b.*member)) << a.name;
  EXPECT_EQ(a.open_below, b.open_below);
  EXPECT_EQ(a.open_above, b.open_above);
  EXPECT_EQ(a.profile_at, b.profile_at);
  EXPECT_EQ(a.profile, b.profile);
}

void expect_same(const Measurements& a, const Measurements& b) {
  EXPECT_EQ(a.channels, b.channels);
  EXPECT_EQ(a.noise, b.noise);
  ASSERT_EQ(a.specimens.size(), b.specimens.size());
  for (std::size_t k = 0; k < a.specimens.size(); ++k) {
    EXPECT_EQ(a.specimens[k].name, b.specimens[k].name);
    EXPECT_EQ(a.specimens[k].times, b.specimens[k].times);
    EXPECT_TRUE(test::same_or_nan(a.specimens[k].values, b.specimens[k].values)) << k;
  }
}

void expect_same(const Identification& a, const Identification& b) {
  EXPECT_EQ(a.method, b.method);
  EXPECT_EQ(a.likelihood, b.likelihood);
  for (const auto member : {&Identification::confidence, &Identification::log_likelihood, &Identification::region_drop,
                            &Identification::surrogate_error, &Identification::captured, &Identification::acceptance,
                            &Identification::band_confidence, &Identification::fit_p})
    EXPECT_TRUE(test::same_or_nan(a.*member, b.*member));
  EXPECT_EQ(a.evaluations, b.evaluations);
  EXPECT_EQ(a.samples, b.samples);
  EXPECT_EQ(a.components, b.components);
  EXPECT_EQ(a.explained, b.explained);
  EXPECT_EQ(a.verdict, b.verdict);
  EXPECT_EQ(a.warnings, b.warnings);
  for (const auto member :
       {&Identification::correlation, &Identification::energy, &Identification::draws, &Identification::times})
    EXPECT_EQ(a.*member, b.*member);
  ASSERT_EQ(a.parameters.size(), b.parameters.size());
  for (std::size_t k = 0; k < a.parameters.size(); ++k) expect_same(a.parameters[k], b.parameters[k]);
  ASSERT_EQ(a.pairs.size(), b.pairs.size());
  for (std::size_t k = 0; k < a.pairs.size(); ++k) {
    EXPECT_EQ(a.pairs[k].first, b.pairs[k].first);
    EXPECT_EQ(a.pairs[k].second, b.pairs[k].second);
    EXPECT_EQ(a.pairs[k].first_at, b.pairs[k].first_at);
    EXPECT_EQ(a.pairs[k].second_at, b.pairs[k].second_at);
    EXPECT_EQ(a.pairs[k].values, b.pairs[k].values);
  }
  expect_same(a.measured, b.measured);
  ASSERT_EQ(a.bands.size(), b.bands.size());
  for (std::size_t c = 0; c < a.bands.size(); ++c) {
    EXPECT_EQ(a.bands[c].mean, b.bands[c].mean);
    EXPECT_EQ(a.bands[c].lower, b.bands[c].lower);
    EXPECT_EQ(a.bands[c].upper, b.bands[c].upper);
  }
  ASSERT_EQ(a.coverage.size(), b.coverage.size());
  for (std::size_t c = 0; c < a.coverage.size(); ++c) {
    EXPECT_EQ(a.coverage[c].share, b.coverage[c].share);
    EXPECT_EQ(a.coverage[c].lower, b.coverage[c].lower);
    EXPECT_EQ(a.coverage[c].upper, b.coverage[c].upper);
  }
  ASSERT_EQ(a.sweeps.size(), b.sweeps.size());
  for (std::size_t k = 0; k < a.sweeps.size(); ++k) {
    EXPECT_EQ(a.sweeps[k].at, b.sweeps[k].at);
    EXPECT_EQ(a.sweeps[k].spread, b.sweeps[k].spread);
    EXPECT_EQ(a.sweeps[k].spread_error, b.sweeps[k].spread_error);
    EXPECT_EQ(a.sweeps[k].width, b.sweeps[k].width);
  }
}

TEST(StoredIdentification, comes_back) {
  for (const char* method : {"maximum-likelihood", "bayesian", "least-squares", "sweep"})
    for (const bool irregular : {false, true}) {
      SCOPED_TRACE(method);
      const Identification x = made_up_identification({.method = method, .specimens = 9, .irregular = irregular});
      const auto found = written(x);
      ASSERT_TRUE(found);
      expect_same(*found, x);
    }
}

TEST(StoredIdentification, comes_back_from_a_nominal_file) {
  const TemporaryFolder folder;
  const MadeUpStudy study(nullptr);
  const Identification x = made_up_identification({.method = "least-squares", .parameters = 2, .specimens = 1});
  write_nominal(folder / "nominal.h5", study.result.nominal, {}, &x);
  const StudyReader file(folder / "nominal.h5", StudyReader::Accept::any);
  EXPECT_FALSE(file.is_study());
  EXPECT_EQ(file.text_attribute("/identification/outputs/angle/mean", "units"), "rad");
  expect_same(*read_identification(file), x);
}

TEST(StoredIdentification, of_other_files_is_none) {
  const TemporaryFolder folder;
  write_study(folder / "results.h5", MadeUpStudy(nullptr).result, {});
  EXPECT_FALSE(read_identification(StudyReader(folder / "results.h5")));
}

TEST(StoredIdentification, that_is_damaged_is_told) {
  const TemporaryFolder folder;
  const std::string path = folder / "results.h5";
  const MadeUpStudy study(std::make_shared<const Identification>(made_up_identification({.specimens = 2})));
  for (const char* lost : {"parameters/1/profile", "specimens/1/time", "pairs/0/profile", "energy"}) {
    write_study(path, study.result, {});
    {
      const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
      ASSERT_GE(H5Ldelete(file, (std::string("/identification/") + lost).c_str(), H5P_DEFAULT), 0);
    }
    test::seal_again(path);
    EXPECT_THROW(read_identification(StudyReader(path)), ReadError) << lost;
  }
}

TEST(Drops, are_halves_of_quantiles_of_chi_squared) {
  // χ²₁: 3.841458820694124 (95 %), 6.634896601021213 (99 %), 0.4549364231195724 (50 %); χ²₂: −2 ln(1 − c). To the last digits.
  EXPECT_NEAR(confidence_drop(0.95, 1), 3.841458820694124 / 2, 1e-13);
  EXPECT_NEAR(confidence_drop(0.99, 1), 6.634896601021213 / 2, 1e-12);
  EXPECT_NEAR(confidence_drop(0.5, 1), 0.4549364231195724 / 2, 1e-14);
  EXPECT_NEAR(confidence_drop(0.95, 2), std::log(20), 1e-14);
}

// Mean and spread of a normal number from n specimens: with c = Σ(x − x̄)²/σ², which is χ² of n − 1, the true values have
//   2ΔL = n ln n/c − n + c + d,  d = n (x̄ − μ)²/σ², which is χ² of 1,  of the spread alone without d.
// How often that is below twice the drop: an integral over c, by steps of which a thousandth part of the result is an error.
double covered(int n, double drop, bool joint) {
  double inside = 0, before = 0;
  for (double c = 0.01; c < 4.0 * n + 40; c += 0.01) {
    const double below = core::chi_squared_probability(c, n - 1), middle = c - 0.005;
    const double room = 2 * drop - (n * std::log(n / middle) - n + middle);
    if (room >= 0) inside += (below - before) * (joint ? core::chi_squared_probability(room, 1) : 1);
    before = below;
  }
  return inside;
}

TEST(Drops, of_few_specimens_cover_as_often_as_they_say) {
  for (const int n : {5, 10, 20, 50}) {
    const std::size_t specimens = std::size_t(n);
    // Bartlett's factor leaves errors of 1/n²
    EXPECT_NEAR(covered(n, confidence_drop(0.95, 1, 2, specimens), false), 0.95, 0.05 / (n * n) + 5e-4) << n;
    EXPECT_NEAR(covered(n, confidence_drop(0.95, 2, 2, specimens), true), 0.95, 0.05 / (n * n) + 5e-4) << n;
  }
  // and without it, as Wilks has it for very many:
  EXPECT_NEAR(covered(20, confidence_drop(0.95, 1), false), 0.939, 1e-3);
  EXPECT_NEAR(covered(20, confidence_drop(0.95, 2), true), 0.9426, 1e-3);
  EXPECT_NEAR(confidence_drop(0.95, 4, 4, 1000000), confidence_drop(0.95, 4), 1e-4);
  EXPECT_EQ(confidence_drop(0.95, 1, 1, 1), confidence_drop(0.95, 1));
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::results
