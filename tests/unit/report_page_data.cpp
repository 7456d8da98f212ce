// What a page is given: everything of a small study; of a large one as much as the page may hold, and a note.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "report/page.hpp"
#include "report/page_assets.hpp"
#include "report/page_data.hpp"
#include "results/write.hpp"
#include "support/identification.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::report {
namespace ALEATOR_FILE {

using results::StudyReader;

constexpr double step = 0.01;

// One output, y = k sin(t) of realization k, the fourth of which failed.
struct Written {
  test::TemporaryFolder folder;
  std::string file = folder / "results.h5";

  explicit Written(std::size_t samples, std::size_t times = 11) {
    results::StudyResult r;
    for (std::size_t t = 0; t < times; ++t) r.nominal.time.push_back(step * double(t));
    r.nominal.channels = {{"y", "m/s^2"}};
    r.nominal.values.assign(times, 1);
    r.columns = {{"k", "kg", "normal"}};
    r.method = "monte-carlo";
    r.seed = 9007199254740993;  // one more than a double tells apart
    r.planned = r.done = long(samples);
    std::vector<double> responses;
    for (std::size_t k = 0; k < samples; ++k) {
      r.inputs.push_back(double(k));
      r.ok.push_back(k != 3);
      for (std::size_t t = 0; t < times; ++t) responses.push_back(k == 3 ? std::nan("") : double(k) * std::sin(step * double(t)));
    }
    r.failures = {{3, "broke </script> & fell"}};
    r.responses = responses;
    results::ChannelStatistics s;
    s.nominal = s.mean = s.std = s.lower = s.upper = s.minimum = s.maximum = std::vector<double>(times, 1);
    s.mean_error = s.std_error = s.lower_error = s.upper_error = s.mean;
    r.statistics.channels = {s};
    r.statistics.realizations = long(samples) - 1;
    results::write_study(file, r, {});
  }
};

PageData data_of(const Written& w, const PageLimits& limits = {}) {
  const StudyReader reader(w.file);
  return page_data({{&reader, "w", {}}}, {}, limits, false);
}

// The array that stands at the n-th occurrence of a key.
struct Found {
  std::size_t at = 0, length = 0;
  std::string type;
};
Found array_of(const PageData& d, const std::string& key, int n = 0) {
  std::size_t p = 0;
  for (int i = 0; i <= n; ++i) p = d.text.find("\"" + key + "\":{\"at\":", i == 0 ? 0 : p + 1);
  if (p == std::string::npos) return {};
  Found f;
  char type[4] = "";
  std::sscanf(d.text.c_str() + p + key.size() + 3, "{\"at\":%zu,\"length\":%zu,\"type\":\"%3[a-z0-9]\"}", &f.at, &f.length, type);
  f.type = type;
  return f;
}
template <class T>
std::vector<double> values(const PageData& d, const Found& f) {
  std::vector<T> raw(f.length);
  std::memcpy(raw.data(), d.numbers.data() + f.at, sizeof(T) * f.length);
  return {raw.begin(), raw.end()};
}

TEST(PageData, has_all_realizations_of_a_small_study) {
  const PageData d = data_of(Written(20));
  EXPECT_NE(d.text.find("\"source\":\"all\""), std::string::npos);
  EXPECT_NE(d.text.find("\"seed\":\"9007199254740993\""), std::string::npos);
  EXPECT_EQ(d.text.find("</script>"), std::string::npos);
  const std::vector<double> rows = values<std::uint32_t>(d, array_of(d, "rows"));
  ASSERT_EQ(rows.size(), 19u);  // without the one that failed
  EXPECT_EQ(rows[3], 4);
  const Found y = array_of(d, "realizations");
  EXPECT_EQ(y.type, "f32");
  const std::vector<double> all = values<float>(d, y);
  ASSERT_EQ(all.size(), 19u * 11);
  EXPECT_NEAR(all[3 * 11 + 5], 4 * std::sin(0.05), 1e-7);  // single precision
}

TEST(PageData, has_failures_by_reason) {
  const PageData d = data_of(Written(20));
  EXPECT_NE(d.text.find("\"failures\":{\"count\":1,\"groups\":[{\"reason\":\"broke "), std::string::npos);
  EXPECT_NE(d.text.find("\"count\":1,\"realizations\":[3],\"last\":3,\"from\":null,\"to\":null}"), std::string::npos);
}

TEST(PageData, is_called_by_the_results_that_are_compared) {
  const Written w(5);
  const StudyReader reader(w.file);
  const auto title = [&](const std::vector<std::string>& labels) {
    std::vector<PageSource> sources;
    for (const std::string& label : labels) sources.push_back({&reader, label, {}});
    return page_title(sources);
  };
  // The model has no name.
  EXPECT_EQ(title({"few", "many"}), "few and many");
  EXPECT_EQ(title({"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(title({"a", "b", "c", "d", "e"}), "a, b and 3 more");
}

TEST(PageData, running_moments_end_with_those_of_all) {
  const PageData d = data_of(Written(20));
  const std::vector<double> counts = values<std::uint32_t>(d, array_of(d, "counts", 1));
  ASSERT_GT(counts.size(), 5u);
  EXPECT_EQ(counts.front(), 2);
  EXPECT_EQ(counts.back(), 19);
  // "mean":[{"at":…}]: the last of its rows is of all realizations, k = 0 … 19 without 3.
  const std::size_t p = d.text.find("\"mean\":[{\"at\":");
  ASSERT_NE(p, std::string::npos);
  Found f;
  std::sscanf(d.text.c_str() + p, "\"mean\":[{\"at\":%zu,\"length\":%zu", &f.at, &f.length);
  const std::vector<double> mean = values<float>(d, f);
  ASSERT_EQ(mean.size(), counts.size() * 11);
  EXPECT_NEAR(mean[(counts.size() - 1) * 11 + 10], (190 - 3) / 19.0 * std::sin(0.1), 1e-6);
  EXPECT_NEAR(mean[10], 0.5 * std::sin(0.1), 1e-7);  // of the first two, 0 and 1
}

TEST(PageData, of_a_large_study_are_bands_and_a_sample) {
  PageLimits limits;
  limits.realizations = 100'000;
  const PageData d = data_of(Written(5000, 101), limits);
  EXPECT_LT(d.numbers.size(), limits.realizations + limits.statistics);
  EXPECT_NE(d.text.find("\"source\":\"sample\""), std::string::npos);
  EXPECT_NE(d.text.find("of the 4999 realizations are shown one by one"), std::string::npos) << d.text.substr(0, 3000);
  const std::vector<double> rows = values<std::uint32_t>(d, array_of(d, "rows"));
  EXPECT_GT(rows.size(), 100u);
  EXPECT_LT(rows.size(), 250u);
  EXPECT_GT(rows.back(), 4900);  // from all over the study
  EXPECT_EQ(array_of(d, "nominal").length, 101u);
}

TEST(PageData, many_times_are_thinned) {
  PageLimits limits;
  limits.statistics = 20'000;
  const PageData d = data_of(Written(20, 2001), limits);
  const std::vector<double> time = values<double>(d, array_of(d, "time"));
  EXPECT_LT(time.size(), 20'000u / (14 * 8) + 1);
  EXPECT_GT(time.size(), 50u);
  EXPECT_NE(d.text.find("of the 2001 times are shown"), std::string::npos);
  EXPECT_EQ(time[7], step * double(7 * d.stride));  // a server finds the time of the page in the file
  // The curves have the values of their times.
  const std::vector<double> y = values<float>(d, array_of(d, "realizations"));
  ASSERT_EQ(y.size(), 19 * time.size());
  EXPECT_NEAR(y[time.size() + 7], std::sin(time[7]), 1e-6);
}

TEST(PageData, has_what_was_identified) {
  const test::TemporaryFolder folder;
  const auto data = [&](const results::MadeUp& what, const PageLimits& limits) {
    const auto x = std::make_shared<const results::Identification>(results::made_up_identification(what));
    results::write_study(folder / "results.h5", results::MadeUpStudy(x).result, {});
    const StudyReader reader(folder / "results.h5");
    return page_data({{&reader, "w", {}}}, {}, limits, false);
  };
  const PageData d = data({.specimens = 3, .times = 20}, {});
  EXPECT_NE(d.text.find("\"identification\":{\"method\":\"bayesian\""), std::string::npos);
  EXPECT_EQ(array_of(d, "draws").length, 3u * 2000);
  EXPECT_EQ(array_of(d, "correlation").length, 9u);
  const PageData none = data_of(Written(20));
  EXPECT_NE(none.text.find("\"identification\":null"), std::string::npos);

  PageLimits small;
  small.measured = 3000 * 16;  // numbers: a time and two values in 16 bytes
  const PageData thinned = data({.specimens = 10, .times = 4000}, small);
  EXPECT_NE(thinned.text.find("of the 10 specimens are shown."), std::string::npos);
  EXPECT_NE(thinned.text.find("up to 1334 of 4000 times"), std::string::npos);
}

TEST(Page, is_one_file_that_lets_only_its_own_script_run) {
  const std::string page = page_html("a < b & c", data_of(Written(20)));
  EXPECT_NE(page.find("<title>a &lt; b &amp; c – Aleator</title>"), std::string::npos);
  EXPECT_NE(page.find("script-src 'sha256-" + std::string(page_script_hash()) + "'"), std::string::npos);
  EXPECT_NE(page.find("connect-src 'none'"), std::string::npos);
  EXPECT_GT(page_script().size(), 100'000u);
  std::size_t scripts = 0;
  for (std::size_t at = 0; (at = page.find("</script>", at)) != std::string::npos; ++at) ++scripts;
  EXPECT_EQ(scripts, 3u);  // the text, the numbers, the program
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::report
