#include "study/run_record.hpp"

#include <gtest/gtest.h>

#include "results/read.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

RunRecord some_record() {
  RunRecord r;
  r.version = "0.1.0";
  r.model_file = "/models/a \\n b\nc.yaml";
  r.arguments = {{"part", "2/3"}, {"on-failure", "retry"}, {"failed-at-most", "1"}};
  r.settings = {{"seed", "1"}, {"step", "0.001"}};
  r.sources = {"bodies:\n  é: 1\n\ntext 5 b\n", {{"table.csv", ""}, {"other table.csv", "t,x\r\n1,2"}}};
  return r;
}

TEST(RunRecord, is_read_as_it_was_written) {
  const RunRecord r = some_record(), again = read_record(text_of(r));
  EXPECT_EQ(again.version, r.version);
  EXPECT_EQ(again.model_file, r.model_file);
  EXPECT_EQ(again.arguments, r.arguments);
  EXPECT_EQ(again.settings, r.settings);
  EXPECT_EQ(again.sources.text, r.sources.text);
  EXPECT_EQ(again.sources.files, r.sources.files);
  EXPECT_EQ(difference(r, again), "");
  EXPECT_EQ(text_of(again), text_of(r));
}

// Every field of a study is recorded: whatever is asked for, what is resumed is the same.
TEST(RunRecord, becomes_the_study_again) {
  Study s;
  s.method = "polynomial-chaos", s.samples = 12, s.seed = 18446744073709551615u, s.confidence = 0.123456789012345678;
  s.accuracy = 0.01, s.accuracy_of_mean = false, s.accuracy_of_band = true, s.keep_all = false, s.sensitivity = true;
  s.hypercube = "optimised", s.replicates = 3, s.stages = {3, 6};
  s.chaos = {"sparse", 5, "hyperbolic", 0.5, "halton", 77};
  s.levels = {"elements", 3, 4};
  s.screening = {7, 6};
  s.variability = {"link.E", 30, 9, 12.5};
  s.on_failure = "skip", s.failed_at_most = 0.25;
  RunRecord r = some_record();
  r.settings = entries_of(s);
  r.settings.emplace_back("set", "x=0.1");
  r.settings.emplace_back("set", "y.z=-2e-300");
  r.arguments = {{"on-failure", s.on_failure}, {"failed-at-most", "0.25"}};
  const Study again = study_of(read_record(text_of(r)));
  EXPECT_EQ(entries_of(again), entries_of(s));
  EXPECT_EQ(again.on_failure, "skip");
  EXPECT_EQ(again.failed_at_most, 0.25);
  const std::vector<Override> set = overrides_of(r);
  ASSERT_EQ(set.size(), 2u);
  EXPECT_EQ(set[0].name, "x");
  EXPECT_EQ(set[0].value, 0.1);
  EXPECT_EQ(set[1].value, -2e-300);
}

TEST(RunRecord, cut_anywhere_is_refused_or_lacks_whole_texts) {
  const std::string text = text_of(some_record());
  int read = 0;
  for (size_t end = 0; end < text.size(); ++end) try {
      EXPECT_LT(read_record(text.substr(0, end)).sources.files.size(), 2u);
      ++read;
    } catch (const results::ReadError&) {
    }
  EXPECT_EQ(read, 2);  // after the model, and after the first table
}

TEST(RunRecord, of_a_study_that_nobody_asked_for_is_refused) {
  const std::pair<const char*, const char*> wrong[] = {
      {"samples", "0"},       {"samples", "many"},       {"confidence", "1"}, {"replicates", "-1"},       {"chaos q", ""},
      {"levels count", "99"}, {"screening levels", "3"}, {"stage", "-4"},     {"variability phases", "1"}};
  for (const auto& [key, value] : wrong) {
    RunRecord r = some_record();
    r.settings = entries_of(Study{});
    EXPECT_NO_THROW(study_of(r));
    r.settings.emplace_back(key, value);
    EXPECT_THROW(study_of(r), ReadError) << key << " " << value;
  }
  RunRecord r = some_record();
  r.settings = {{"set", "x"}};
  EXPECT_THROW(overrides_of(r), ReadError);
}

TEST(RunRecord, tells_every_difference) {
  const RunRecord then = some_record();
  RunRecord now = then;
  now.version = "0.2.0";
  now.settings = {{"seed", "9"}, {"accuracy", "0.1"}};
  now.sources.text = "bodies:\n  e: 1\n\ntext 5 b\n";
  now.sources.files = {{"table.csv", "1\n"}, {"new.csv", ""}};
  now.model_file = "/elsewhere/c.yaml";
  EXPECT_EQ(difference(then, now),
            "version: 0.1.0 → 0.2.0\nseed: 1 → 9\nstep: 0.001 → none\naccuracy: none → 0.1\n"
            "--- a \\n b\nc.yaml, when the run began\n+++ a \\n b\nc.yaml, now\n@@ line 1 → 1 @@\n bodies:\n-  é: 1\n+  e: 1\n "
            "\n text 5 b\n"
            "--- table.csv, when the run began\n+++ table.csv, now\n@@ line 1 → 1 @@\n+1\n"
            "other table.csv: the model no longer refers to it\nnew.csv: the model did not refer to it\n");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
