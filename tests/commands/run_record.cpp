#include "run_record.hpp"

#include <gtest/gtest.h>

#include "results/read.hpp"
#include "study_run.hpp"

namespace aleator::core::app {
namespace {

RunRecord some_record() {
  RunRecord r;
  r.version = "0.1.0";
  r.model_file = "/models/a \\n b\nc.yaml";
  r.arguments = {{"set", "x=1"}, {"set", "y=a: b\\"}, {"samples", "12"}, {"isa", "portable"}, {"part", "2/3"}};
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

TEST(RunRecord, becomes_the_arguments_again) {
  const RunArguments o = arguments_of(some_record());
  EXPECT_EQ(o.samples, 12);
  EXPECT_EQ(o.part.number, 2);
  EXPECT_EQ(o.part.of, 3);
  EXPECT_EQ(o.model.settings, (std::vector<std::string>{"x=1", "y=a: b\\"}));
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

TEST(RunRecord, with_arguments_nobody_gave_is_refused) {
  for (const auto& [key, value] : {std::pair{"isa", "abacus"}, {"part", "3/0"}, {"part", "x"}}) {
    RunRecord r = some_record();
    r.arguments.emplace_back(key, value);
    EXPECT_THROW(arguments_of(r), results::ReadError) << value;
  }
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

}  // namespace
}  // namespace aleator::core::app
