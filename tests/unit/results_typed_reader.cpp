// What is written comes back as the plain data it was, without anybody naming places in the file.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "results/hdf5_handle.hpp"
#include "results/read.hpp"
#include "results/write.hpp"
#include "support/full_study.hpp"
#include "support/sealed_file.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::results {
namespace ALEATOR_FILE {

using Causes = StudyReader::Causes;
using Texts = std::vector<std::string>;
using Values = std::vector<double>;

class TypedReader : public testing::Test {
 protected:
  TypedReader() {
    study.result.laws.quantities[0].distribution = "Uniform";
    study.result.laws.quantities[0].numbers = {{"mean", "N/m", {100}},
                                               {"mu", "", {1, 2, 2, 5}, {"x", "y"}, true},
                                               {"lambda", "1/m", {0.1 + 0.2, 0}, {"x", "y"}},
                                               {"parameters/a", "", {80}}};
    write_study(folder / "results.h5", study.result, study.provenance);
    file = std::make_unique<StudyReader>(folder / "results.h5");
  }

  const test::TemporaryFolder folder;
  test::FullStudy study;
  std::unique_ptr<StudyReader> file;
};

TEST_F(TypedReader, knows_where_results_come_from) {
  const Provenance p = file->provenance();
  EXPECT_EQ(p.title, "All there is");
  EXPECT_EQ(p.model_text, "plane: xy\n");
  EXPECT_EQ(p.settings, study.provenance.settings);
  EXPECT_EQ(file->setting("integrator"), "runge-kutta");
  EXPECT_EQ(file->setting("none"), "");
  EXPECT_EQ(file->method(), "monte-carlo");
  EXPECT_EQ(file->seed(), study.result.seed);
  EXPECT_EQ(file->planned(), 5);
  EXPECT_EQ(file->identity(), "0123456789abcdef");
  EXPECT_EQ(file->evidence(), study.result.evidence);
  EXPECT_TRUE(file->stages().empty());
}

TEST_F(TypedReader, has_samples_and_failures) {
  EXPECT_EQ(file->column_names(), (Texts{"k", "m"}));
  EXPECT_EQ(file->columns()[1].unit, "kg");
  EXPECT_EQ(file->inputs(), study.result.inputs);
  EXPECT_EQ(file->inputs(2), Values(study.result.inputs.begin() + 4, study.result.inputs.begin() + 6));
  EXPECT_EQ(file->input_rows(), 5);
  EXPECT_EQ(file->status(), (Values{0, 0, 0, 0, 1}));
  const std::vector<Failure> failed = file->failures();
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_EQ(failed[0].realization, 4);
  EXPECT_EQ(failed[0].why, "the step became too small");
  EXPECT_EQ(failed[0].time, 0.5);
  EXPECT_EQ(failed[0].sample, (Values{88, 1.4}));
}

TEST_F(TypedReader, has_responses_and_statistics) {
  EXPECT_EQ(file->time(), study.result.nominal.time);
  const Values all = file->responses("y");
  EXPECT_EQ(file->response("y", 1), Values(all.begin() + 3, all.begin() + 6));
  EXPECT_EQ(file->responses("y", 1, 1), file->response("y", 1));
  EXPECT_EQ(file->responses_at("y", 2).at(1), all[5]);
  EXPECT_FALSE(file->has_responses("z"));
  EXPECT_EQ(file->confidence(), study.result.statistics.confidence);
  const ChannelStatistics& s = study.result.statistics.channels[1];
  EXPECT_EQ(file->statistics("y", &ChannelStatistics::upper_error), s.upper_error);
  EXPECT_EQ(file->statistics("y").std, s.std);
  EXPECT_EQ(file->accuracy("y").band, 0.3);
  EXPECT_EQ(file->unit("y"), "m/s^2");
  EXPECT_FALSE(file->with_missing("y", StudyReader::Bounded::lower));
  ASSERT_TRUE(file->limit("x", true));
  EXPECT_EQ(file->limit("x", true)->probability, (Values{0, 0.1, 0.5}));
  EXPECT_FALSE(file->limit("x", false));
  EXPECT_EQ(file->scalars(), Texts{"peak"});
  EXPECT_EQ(file->scalar("peak").upper.value, 1.2);
  EXPECT_EQ(file->scalar("peak").count, 4);
  EXPECT_EQ(file->scalar_values("peak").size(), 5u);
  EXPECT_EQ(file->convergence_counts(), (std::vector<long>{1, 2, 4}));
  EXPECT_EQ(file->convergence("y"), (Values{2, 2.1, 2.05}));
  EXPECT_EQ(file->convergence_unit("x"), "m s^(1/2)");
}

TEST_F(TypedReader, has_causes) {
  EXPECT_TRUE(file->has(Causes::sobol));
  EXPECT_EQ(file->causes(Causes::sobol), (Texts{"k", "m"}));
  EXPECT_EQ(file->curves(Causes::sobol, "x", "total").size(), 6u);
  EXPECT_EQ(file->integrals(Causes::sobol, "x", "first"), (Values{0.4, 0.4}));
  EXPECT_EQ(file->number(Causes::correlations, "partial_rank_error"), 0.6);
  EXPECT_EQ(file->determined_by(), (Texts{"", ""}));
  EXPECT_EQ(file->integrals(Causes::screening, "y", "sigma"), (Values{0.2, 0.2}));
  EXPECT_FALSE(file->has_curves(Causes::screening, "z", "mu"));
}

TEST_F(TypedReader, has_the_expansion_fields_and_distributions) {
  const Chaos c = file->chaos();
  EXPECT_EQ(c.degrees, study.result.chaos.degrees);
  EXPECT_EQ(c.variables[0].values, (Values{80, 120}));
  EXPECT_EQ(c.decay, study.result.chaos.decay);
  EXPECT_EQ(c.points, 9);
  EXPECT_EQ(file->chaos_coefficients("y"), Values(12, 0.25));
  EXPECT_EQ(file->fields()[0].error, (Values{0.1, 0.2}));
  ASSERT_TRUE(file->column_law("k"));
  EXPECT_EQ(file->column_law("k")->density, (Values{0.025, 0.025}));
  EXPECT_FALSE(file->column_law("none"));
  const std::vector<QuantityLaw> laws = file->quantity_laws();
  ASSERT_EQ(laws.size(), 1u);
  EXPECT_EQ(laws[0].distribution, "Uniform");
  ASSERT_EQ(laws[0].numbers.size(), 4u);
  for (const LawNumber& n : laws[0].numbers) {
    const auto& all = study.result.laws.quantities[0].numbers;
    const auto written = std::find_if(all.begin(), all.end(), [&](const LawNumber& w) { return w.name == n.name; });
    ASSERT_NE(written, all.end()) << n.name;
    EXPECT_EQ(n.values, written->values) << n.name;
    EXPECT_EQ(n.axes, written->axes) << n.name;
    EXPECT_EQ(n.matrix, written->matrix) << n.name;
    EXPECT_EQ(n.unit, written->unit) << n.name;
  }
}

TEST_F(TypedReader, has_what_is_drawn) {
  const results::Run run = file->motion();
  EXPECT_EQ(run.poses, study.result.nominal.poses);
  EXPECT_EQ(run.bodies[0].shapes.size(), 3u);
  EXPECT_EQ(run.bodies[1].nodes, 2);
  EXPECT_EQ(file->kept_motions(), (std::vector<long>{0, 1}));
  EXPECT_EQ(file->all_poses(), study.result.motion);
  EXPECT_EQ(file->connections(3)[0].frames, (std::vector<int>{-1, 0}));
  EXPECT_THROW(file->connections(1), ReadError);
  EXPECT_EQ(file->identified_unit("x"), "m");
  EXPECT_TRUE(file->has_identification());
}

// Files of layout 1 call the Sobol indices /shares.
TEST_F(TypedReader, reads_the_sobol_indices_of_older_files) {
  file.reset();
  {
    const Handle h5(H5Fopen((folder / "results.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    ASSERT_GE(H5Lmove(h5, "/sobol", h5, "/shares", H5P_DEFAULT, H5P_DEFAULT), 0);
  }
  test::seal_again(folder / "results.h5");
  const StudyReader older(folder / "results.h5");
  EXPECT_TRUE(older.has(Causes::sobol));
  EXPECT_EQ(older.integrals(Causes::sobol, "x", "total"), (Values{0.6, 0.6}));
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::results
