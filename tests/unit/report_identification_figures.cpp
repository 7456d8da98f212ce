// Figures of an identification.
#include <gtest/gtest.h>

#include <cmath>

#include "report/study_figures.hpp"
#include "results/identification.hpp"
#include "results/write.hpp"
#include "support/identification.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::report {
namespace ALEATOR_FILE {

struct Identified {
  test::TemporaryFolder folder;
  results::Identification x;
  std::unique_ptr<results::StudyReader> file;
  Source source;
  explicit Identified(const results::MadeUp& what) : x(results::made_up_identification(what)) {
    const results::MadeUpStudy study(std::make_shared<const results::Identification>(x));
    results::write_study(folder / "results.h5", study.result, {});
    file = std::make_unique<results::StudyReader>(folder / "results.h5");
    source = {file.get(), "w"};
  }
};

TEST(ProfileFigure, has_a_panel_per_parameter_and_stays_inside_it) {
  const Identified i({.specimens = 3, .times = 20});
  EXPECT_EQ(with_profiles(*i.file),
            (std::vector<std::string>{"rb5.mass.cov", "rb5.center_of_mass.scale", "rb5.inertia.lambda_u"}));
  const Figure f = profile_figure(i.source, with_profiles(*i.file));
  ASSERT_EQ(f.panels.size(), 3u);
  EXPECT_EQ(f.panels[0].y.name, "rb5.mass.cov: 0.2 (0.155 … 0.275)");
  EXPECT_EQ(f.panels[2].y.name, "rb5.inertia.lambda_u: 1.6 (≥ 1.24)");
  for (const Panel& p : f.panels)
    for (const double y : p.curves[0].y) EXPECT_FALSE(y < p.y.low);
  EXPECT_DOUBLE_EQ(f.panels[0].curves[0].y.front(), f.panels[0].y.low);  // from the edge on
  EXPECT_DOUBLE_EQ(f.panels[0].lines[0].at, -results::confidence_drop(0.95, 1, 3, 3));
}

TEST(MeasuredFigure, has_specimens_over_what_is_predicted) {
  const Identified few({.specimens = 3, .times = 20}), many({.specimens = 150, .times = 20});
  const Figure f = measured_figure(few.source, {"angle"}, {});
  ASSERT_EQ(f.panels.size(), 1u);
  EXPECT_EQ(f.panels[0].curves.size(), 3u + 1);
  EXPECT_EQ(f.panels[0].curves[1].y[7], few.x.measured.specimens[1].values[2 * 7 + 1]);
  EXPECT_EQ(f.panels[0].bands[0].upper, few.x.bands[1].upper);
  EXPECT_EQ(f.panels[0].heading, "91.2 % inside (85 % to 95 % expected)");
  const Figure g = measured_figure(many.source, measured_outputs(*many.file), {});
  EXPECT_EQ(g.panels.size(), 2u);
  EXPECT_EQ(g.panels[0].curves.size(), 50u + 1);
  EXPECT_NE(g.subtitle.find("every 3rd shown"), std::string::npos);
}

TEST(IdentificationFigures, say_what_is_missing) {
  const Identified sweep({.method = "sweep"});
  EXPECT_THROW(with_profiles(*sweep.file), results::ReadError);
  EXPECT_THROW(measured_outputs(*sweep.file), results::ReadError);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::report
