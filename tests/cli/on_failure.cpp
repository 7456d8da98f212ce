// Studies in which realizations fail on their way: what the study does then (`on_failure`, `failed_at_most`), what it records, and
// that it can be continued as if nothing had been.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "program.hpp"
#include "study_files.hpp"
#include "support/model_text.hpp"
#include "unstable.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

using results::StudyReader;
using Parameters = std::vector<double>;

Parameters failed_in(const std::string& file) { return StudyReader(file).numbers("/samples/failures/realization"); }

TEST(OnFailure, smaller_steps_help_some_unless_they_are_skipped) {
  const Folder folder;
  folder.write("m.yaml", unstable());
  ASSERT_EQ(aleator({"run", "m.yaml", "--no-report", "--out", "retry"}, folder.path()).code, 5);
  const Outcome o = aleator({"run", "m.yaml", "--no-report", "--out", "skip", "--on-failure", "skip"}, folder.path());
  ASSERT_EQ(o.code, 5) << o.err;
  const StudyReader retry(folder / "retry"), skip(folder / "skip");
  const Parameters fewer = retry.numbers("/samples/failures/realization"), more = skip.numbers("/samples/failures/realization");
  EXPECT_GT(fewer.size(), 0u);
  EXPECT_GT(more.size(), fewer.size());
  EXPECT_TRUE(std::includes(more.begin(), more.end(), fewer.begin(), fewer.end()));
  const Parameters status = skip.numbers("/samples/status");
  for (size_t k = 0; k < status.size(); ++k)
    if (status[k] == 0) {
      EXPECT_EQ(skip.row("/responses/x", long(k)), retry.row("/responses/x", long(k))) << k;
    }
  EXPECT_EQ(skip.text_attribute("/settings", "on failure"), "skip");
}

TEST(OnFailure, each_is_recorded_with_sample_time_and_reason) {
  const Folder folder;
  folder.write("m.yaml", unstable());
  for (const std::string keep : {"all", "statistics"}) {
    folder.write("m.yaml", unstable("samples: 40, keep: " + keep));
    ASSERT_EQ(aleator({"run", "m.yaml", "--no-report", "--out", keep}, folder.path()).code, 5);
    const StudyReader r(folder / keep);
    const Parameters k = r.numbers("/samples/failures/realization"), time = r.numbers("/samples/failures/time");
    const std::vector<std::string> why = r.texts("/samples/failures/reason");
    for (size_t i = 0; i < k.size(); ++i) {
      EXPECT_GT(time[i], 0);
      EXPECT_LT(time[i], unstable_duration);
      EXPECT_TRUE(why[i].starts_with("the explicit method is unstable at t = ")) << why[i];
      EXPECT_GT(std::pow(10, r.row("/samples/failures/inputs", long(i))[0]), stiffest_with_a_quarter);
    }
    EXPECT_EQ(k, failed_in(folder / "all"));
    EXPECT_EQ(time, StudyReader(folder / "all").numbers("/samples/failures/time"));
    EXPECT_EQ(r.numbers("/samples/failures/inputs"), StudyReader(folder / "all").numbers("/samples/failures/inputs"));
  }
  const StudyReader all(folder / "all");
  const long first = long(failed_in(folder / "all")[0]);
  EXPECT_EQ(all.row("/samples/failures/inputs", 0), all.row("/samples/inputs", first));
  const Outcome csv = aleator({"export", "statistics", "failures"}, folder.path());
  EXPECT_EQ(csv.code, 0) << csv.err;
  std::istringstream lines(csv.out);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "realization,time,reason,s");
  std::getline(lines, line);
  EXPECT_TRUE(line.starts_with(std::to_string(first) + ",")) << line;
  EXPECT_NE(line.find(",\"the explicit method is unstable at t = "), std::string::npos) << line;
}

// What there is after the stop ends with the realization that failed, on however many threads.
TEST(OnFailure, stop_and_go_on) {
  const Folder folder;
  for (const std::string keep : {"all", "statistics"}) {
    folder.write("m.yaml", unstable("samples: 40, on_failure: stop, keep: " + keep));
    const std::string out = "stop-" + keep, whole = "whole-" + keep;
    ASSERT_EQ(aleator({"run", "m.yaml", "--no-report", "--out", whole, "--on-failure", "retry"}, folder.path()).code, 5);
    const long first = long(failed_in(folder / whole)[0]);
    const Outcome o = aleator({"run", "m.yaml", "--out", out, "--threads", "2"}, folder.path());
    EXPECT_EQ(o.code, 4) << o.err;
    EXPECT_NE(o.err.find("m.yaml: stopped: realization " + std::to_string(first) + " failed at t = "), std::string::npos)
        << o.err;
    EXPECT_NE(o.err.find("`aleator rerun " + out + " " + std::to_string(first) + "` repeats it"), std::string::npos) << o.err;
    const StudyReader partial(folder / out);
    EXPECT_FALSE(partial.complete());
    EXPECT_EQ(partial.number_attribute("/", "done"), double(first + 1));
    // Asked the same again, it says the same again.
    EXPECT_EQ(aleator({"run", "m.yaml", "--out", out, "--resume"}, folder.path()).code, 4);
    EXPECT_EQ(aleator({"rerun", out, std::to_string(first)}, folder.path()).code, 4);
    const Outcome on = aleator({"resume", out, "--no-report", "--on-failure", "retry"}, folder.path());
    EXPECT_EQ(on.code, 5) << on.err;
    EXPECT_EQ(bits_of(folder / out + "/results.h5"), bits_of(folder / whole + "/results.h5")) << keep;
  }
}

TEST(OnFailure, at_most_a_share) {
  const Folder folder;
  folder.write("m.yaml", unstable("samples: 40, failed_at_most: 5%"));  // two of 40
  ASSERT_EQ(aleator({"run", "m.yaml", "--no-report", "--out", "whole", "--failed-at-most", "1"}, folder.path()).code, 5);
  const Parameters failed = failed_in(folder / "whole");
  ASSERT_GT(failed.size(), 3u);
  for (const char* threads : {"1", "2"}) {
    const std::string out = std::string("at-most-") + threads;
    const Outcome o = aleator({"run", "m.yaml", "--out", out, "--threads", threads}, folder.path());
    EXPECT_EQ(o.code, 4) << o.err;
    EXPECT_NE(o.err.find("m.yaml: stopped: 3 realizations of 40 failed, more than 5 %; the first: realization "),
              std::string::npos)
        << o.err;
    EXPECT_EQ(StudyReader(folder / out).number_attribute("/", "done"), failed[2] + 1);
    EXPECT_EQ(aleator({"run", "m.yaml", "--no-report", "--out", out, "--resume", "--failed-at-most", "100%"}, folder.path()).code,
              5);
    EXPECT_EQ(bits_of(folder / out + "/results.h5"), bits_of(folder / "whole/results.h5"));
  }
}

TEST(OnFailure, of_several_models) {
  const Folder folder;
  folder.write("m.yaml", unstable("samples: 40, method: control-variate, on_failure: stop"));
  const Outcome o = aleator({"run", "m.yaml", "--out", "stop"}, folder.path());
  EXPECT_EQ(o.code, 4) << o.err;
  EXPECT_NE(o.err.find("m.yaml: stopped: realization 2 failed at t = 0.047 s: the explicit method is unstable"),
            std::string::npos)
      << o.err;
  EXPECT_EQ(aleator({"resume", "stop"}, folder.path()).code, 4);  // asked the same again
  EXPECT_EQ(aleator({"resume", "stop", "--no-report", "--on-failure", "retry"}, folder.path()).code, 5);
  ASSERT_EQ(aleator({"run", "m.yaml", "--no-report", "--out", "whole", "--on-failure", "retry"}, folder.path()).code, 5);
  EXPECT_EQ(bits_of(folder / "stop/results.h5"), bits_of(folder / "whole/results.h5"));
}

// What is missing is told, and what it can do.
TEST(OnFailure, bounds_of_what_is_missing) {
  const Folder folder;
  // One of 200 has no mass: m > 0 in all others.
  folder.write("m.yaml",
               replaced(oscillator("samples: 400, seed: 5"), "a: {mass: {cov: 0.1}}", "m: {uniform: {lower: -0.01, upper: 1}}"));
  const Outcome o = aleator({"run", "m.yaml", "--no-report", "--out", "o"}, folder.path());
  ASSERT_EQ(o.code, 5) << o.err;
  EXPECT_NE(o.err.find("whatever their values, they move no limit of a 90 % band by more than "), std::string::npos) << o.err;
  EXPECT_NE(o.out.find("\n  including the failed realizations: between "), std::string::npos) << o.out;
  const StudyReader r(folder / "o");
  const double missing = r.number_attribute("/statistics", "missing");
  EXPECT_EQ(missing, double(r.numbers("/samples/failures/realization").size()));
  const Csv csv = parse_csv_text(aleator({"export", "o", "missing"}, folder.path()).out);
  const Parameters lower = r.numbers("/statistics/x/lower"), upper = r.numbers("/statistics/x/upper");
  for (size_t t = 1; t < lower.size(); ++t) {
    EXPECT_LE(csv.column("x.lower_low")[t], lower[t]);
    EXPECT_GE(csv.column("x.lower_high")[t], lower[t]);
    EXPECT_LE(csv.column("x.upper_low")[t], upper[t]);
    EXPECT_GE(csv.column("x.upper_high")[t], upper[t]);
  }
  const double ever = r.number_attribute("/statistics/x/limits/above", "ever"), n = 400;
  // round-off
  EXPECT_NEAR(r.number_attribute("/statistics/x/limits/above", "ever_low"), ever * (n - missing) / n, 1e-12);
  EXPECT_NEAR(r.number_attribute("/statistics/x/limits/above", "ever_high"), (ever * (n - missing) + missing) / n, 1e-12);
  // With one in five missing, an end of the band may be anywhere.
  folder.write("n.yaml", unstable());
  EXPECT_NE(
      aleator({"run", "n.yaml", "--no-report", "--out", "n", "--on-failure", "skip"}, folder.path()).err.find("has no bound"),
      std::string::npos);
}

TEST(OnFailure, nothing_missing_leaves_nothing) {
  const Folder folder;
  folder.write("m.yaml", oscillator());
  ASSERT_EQ(aleator({"run", "m.yaml", "--no-report", "--out", "o"}, folder.path()).code, 0);
  EXPECT_FALSE(StudyReader(folder / "o").has("/statistics/x/missing"));
  const Outcome o = aleator({"export", "o", "missing"}, folder.path());
  EXPECT_EQ(o.code, 3);
  EXPECT_EQ(o.err, "aleator: cannot read 'o/results.h5': no realization failed, or its method has no bounds\n");
  EXPECT_EQ(aleator({"export", "o", "failures"}, folder.path()).out, "realization,time,reason,k,a.mass\n");
}

TEST(OnFailure, wrong_words_and_numbers) {
  const Folder folder;
  for (const std::string study : {"on_failure: never", "failed_at_most: 2", "failed_at_most: -1%"}) {
    folder.write("m.yaml", oscillator(study));
    EXPECT_EQ(aleator({"run", "m.yaml"}, folder.path()).code, 3) << study;
  }
  folder.write("m.yaml", oscillator());
  EXPECT_EQ(aleator({"run", "m.yaml", "--on-failure", "never"}, folder.path()).code, 2);
  for (const char* share : {"2", "-1", "many", "5%%"})
    EXPECT_EQ(aleator({"run", "m.yaml", "--failed-at-most", share}, folder.path()).code, 2) << share;
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
